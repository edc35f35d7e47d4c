/* A solver whose base class can be looked into, and that leaves parameters and warm starts to that class. */
#include "OsiTestSolverInterface.hpp"
#include "CoinPackedVector.hpp"
#include "CoinWarmStart.hpp"

static int warm_starts;

class Warm : public CoinWarmStart {
public:
    Warm() { warm_starts++; }
    Warm(const Warm &other) : CoinWarmStart(other) { warm_starts++; }
    ~Warm() { warm_starts--; }
    CoinWarmStart *clone() const { return new Warm(*this); }
};

class Solver : public OsiTestSolverInterface {
public:
    typedef OsiSolverInterface Base;

    bool setIntParam(OsiIntParam key, int value) { return Base::setIntParam(key, value); }
    bool setDblParam(OsiDblParam key, double value) { return Base::setDblParam(key, value); }
    bool setStrParam(OsiStrParam key, const std::string &value) { return Base::setStrParam(key, value); }
    bool getIntParam(OsiIntParam key, int &value) const { return Base::getIntParam(key, value); }
    bool getDblParam(OsiDblParam key, double &value) const { return Base::getDblParam(key, value); }
    bool getStrParam(OsiStrParam key, std::string &value) const { return Base::getStrParam(key, value); }
    CoinWarmStart *getWarmStart() const { return new Warm; }
    void markHotStart() { Base::markHotStart(); }
    void unmarkHotStart() { Base::unmarkHotStart(); }

    void columns(int count)
    {
        CoinPackedVector none;
        for (int i = 0; i < count; i++) addCol(none, 0., 10., 1.);
    }

    void rows(int count)
    {
        const int column = 0;
        const double one = 1;
        CoinPackedVector row(1, &column, &one);
        for (int i = 0; i < count; i++) addRow(row, 0., 5.);
    }
};
