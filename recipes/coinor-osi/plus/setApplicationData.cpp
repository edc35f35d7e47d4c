/*---
 * tasks: [OsiSolverInterface.setApplicationData-cf6be0.2]
 * tests:
 *   what was stored is retrieved: 'Docstring: "a pointer that the application can store into and retrieve".'
 *   a later pointer replaces it: 'Docstring: "Set application data".'
 *   no pointer can be stored: 'OsiAuxInfo.hpp: appData is NULL by default; a pointer is optional.'
 *   what it points to is left alone: 'Docstring: "a pointer that the application can store".'
 *   the auxiliary info holds it: 'OsiSolverInterface.hpp: "The base class just stores an application data pointer".'
 *   it replaces auxiliary info of another kind: 'OsiAuxInfo.hpp: "designed to replace the simple use of appData_".'
 *   the info before is given back once: 'Callers (destructor, setAuxiliaryInfo) free it alone.'
 *   each solver has its own: 'OsiSolverInterface.hpp: "This field is available for the application".'
 *   a copy takes the pointer along: 'OsiSolverInterface.hpp: copy constructor; appDataEtc_ is cloned.'
 *   parameters and names stay when it is stored: 'Docstring: application data alone.'
 *   a new solver has no application data: 'setInitialData: OsiAuxInfo by default.'
 *   its name discipline is auto: 'OsiNames.cpp, OsiSolverParameters.hpp: 0 where nothing else is said; default names.'
 *   its objective has no constant term: 'OsiSolverParameters.hpp: OsiObjOffset; nothing is loaded.'
 *   its limits of the objective cut off nothing: 'Callers: isPrimalObjectiveLimitReached and the dual one.'
 *   its tolerances are small and positive: 'OsiSolverParameters.hpp: OsiDualTolerance, OsiPrimalTolerance.'
 *   its limits of iterations allow many: 'OsiSolverParameters.hpp: OsiMaxNumIteration, OsiMaxNumIterationHotStart.'
 *   its solver is unknown: 'OsiSolverInterfaceTest.cpp: "Unknown Solver" where a class says nothing.'
 *   its hints are ignored: 'OsiSolverParameters.hpp: OsiHintIgnore, "(default)".'
 *   it has no objects: 'OsiSolverInterface.hpp: numberObjects_, object_.'
 *   integers are counted when asked for: 'getNumIntegers: below zero the number is not known.'
 *   it has no types of columns: 'OsiSolverInterface.hpp: columnType_; made on demand.'
 *   it has no row cut debugger: 'OsiSolverInterface.hpp: rowCutDebugger_; "Otherwise NULL is returned".'
 *   it has a message handler of its own: 'OsiSolverInterface.hpp: "the current message handler", default handler.'
 *   it speaks English: 'CoinMessage.hpp: us_en by default.'
 *   nothing depends on the memory before: 'OsiSolverInterface.hpp: "establishes the initial values of data fields".'
 *   a used solver gets the parameters of a new one: 'OsiSolverInterface.hpp: "object state for default constructor".'
 *   its hints are reset: 'OsiSolverInterface.hpp: "object state for default constructor".'
 *   its names are gone: 'OsiSolverInterface.hpp: "object state for default constructor"; rowNames_, colNames_.'
 *   its application data is gone: 'OsiSolverInterface.hpp: "object state for default constructor".'
 *   its auxiliary info is given back once: 'Callers (reset): nothing else frees it.'
 *   its hot start is given back once: 'OsiSolverInterface.hpp: ws_; only unmarkHotStart frees it else.'
 *   its debugger is given back: 'OsiSolverInterface.hpp: rowCutDebugger_.'
 *   its types of columns are gone: 'OsiSolverInterface.hpp: columnType_.'
 *   a handler that was passed in is replaced: 'OsiSolverInterface.hpp: "object state for default constructor".'
 *   but not destroyed: 'OsiSolverInterface.hpp: "It is the client''s responsibility to destroy a message handler".'
 *   its language is reset: 'OsiSolverInterface.hpp: "object state for default constructor".'
 *   again and again it takes no more memory: 'Callers (reset): nothing else frees it.'
 *   all is given back at the end: 'OsiSolverInterface.cpp: destructor.'
 ---*/
#include "heap.h"
#include "OsiAuxInfo.hpp"
#include "OsiRowCutDebugger.hpp"
#include "CoinMessageHandler.hpp"
#include "solver.h"
#include "ok.h"

static int infos, handlers;

class Info : public OsiAuxInfo {
public:
    Info(void *data) : OsiAuxInfo(data) { infos++; }
    Info(const Info &other) : OsiAuxInfo(other) { infos++; }
    ~Info() { infos--; }
    OsiAuxInfo *clone() const { return new Info(*this); }
};

class Handler : public CoinMessageHandler {
public:
    Handler() { handlers++; }
    ~Handler() { handlers--; }
};

class Open : public Solver {
public:
    void start() { setInitialData(); }
    int objects() const { return numberObjects_; }
    bool anyObject() const { return object_ != NULL; }
    bool integersKnown() const { return numberIntegers_ >= 0; }
    bool debugger() const { return rowCutDebugger_ != NULL; }
    bool types() const { return columnType_ != NULL; }
    void giveTypes() { columnType_ = new char[5]; }
    void giveDebugger() { rowCutDebugger_ = new OsiRowCutDebugger; }
};

static int whole(const Open &s, OsiIntParam key)
{
    int value = -77;
    return s.getIntParam(key, value) ? value : -78;
}

static double real(const Open &s, OsiDblParam key)
{
    double value = -77;
    return s.getDblParam(key, value) ? value : -78;
}

static std::string text(const Open &s, OsiStrParam key)
{
    std::string value = "?";
    return s.getStrParam(key, value) ? value : "??";
}

static bool sameParameters(const Open &a, const Open &b)
{
    bool same = true;
    for (int i = 0; i < OsiLastIntParam; i++) same = same && whole(a, OsiIntParam(i)) == whole(b, OsiIntParam(i));
    for (int i = 0; i < OsiLastDblParam; i++) same = same && real(a, OsiDblParam(i)) == real(b, OsiDblParam(i));
    for (int i = 0; i < OsiLastStrParam; i++) same = same && text(a, OsiStrParam(i)) == text(b, OsiStrParam(i));
    return same;
}

static bool sameHints(const Open &a, const Open &b)
{
    bool same = true;
    for (int i = 0; i < OsiLastHintParam; i++) {
        bool one = false, two = true;
        OsiHintStrength first = OsiHintTry, second = OsiHintDo;
        same = same && a.getHintParam(OsiHintParam(i), one, first) && b.getHintParam(OsiHintParam(i), two, second) &&
               one == two && first == second;
    }
    return same;
}

static void use(Open &s)
{
    for (int i = 0; i < OsiLastIntParam; i++) s.setIntParam(OsiIntParam(i), 1);
    for (int i = 0; i < OsiLastDblParam; i++) s.setDblParam(OsiDblParam(i), 0.5 + i);
    for (int i = 0; i < OsiLastStrParam; i++) s.setStrParam(OsiStrParam(i), "a text that needs memory of its own");
    for (int i = 0; i < OsiLastHintParam; i++) s.setHintParam(OsiHintParam(i), true, OsiHintDo);
    s.setRowName(0, "a name of a row that needs memory of its own");
    s.setColName(1, "a name of a column that needs memory of its own");
    s.setObjName("a name of an objective that needs memory");
}

static Open *fresh(unsigned char fill)
{
    heap_fill = fill;
    Open *s = new Open;
    heap_fill = 0xa5;
    return s;
}

int main()
{
    int one = 1, two = 2;
    {
        Open s;
        s.setApplicationData(&one);
        ok("what was stored is retrieved", s.getApplicationData() == &one && s.getApplicationData() == &one);
        s.setApplicationData(&two);
        bool replaced = s.getApplicationData() == &two;
        s.setApplicationData(&two);
        ok("a later pointer replaces it", replaced && s.getApplicationData() == &two);
        s.setApplicationData(NULL);
        ok("no pointer can be stored", s.getApplicationData() == NULL && s.getAuxiliaryInfo() != NULL);
        int *mine = new int(8);
        const long before = heap_blocks;
        s.setApplicationData(mine);
        s.setApplicationData(&one);
        ok("what it points to is left alone", heap_blocks == before && *mine == 8 && one == 1);
        delete mine;
        ok("the auxiliary info holds it", s.getAuxiliaryInfo() && s.getAuxiliaryInfo()->getApplicationData() == &one);
        {
            Info info(&two);
            s.setAuxiliaryInfo(&info);
        }
        const bool held = infos == 1 && s.getApplicationData() == &two && dynamic_cast<Info *>(s.getAuxiliaryInfo());
        s.setApplicationData(&one);
        ok("it replaces auxiliary info of another kind", held && s.getApplicationData() == &one &&
           !dynamic_cast<Info *>(s.getAuxiliaryInfo()));
        const long blocks = heap_blocks;
        for (int i = 0; i < 10; i++) s.setApplicationData(i % 2 ? &one : NULL);
        ok("the info before is given back once", infos == 0 && heap_blocks == blocks && heap_bad == 0);
        Open other;
        other.setApplicationData(&two);
        ok("each solver has its own", s.getApplicationData() == &one && other.getApplicationData() == &two &&
           s.getAuxiliaryInfo() != other.getAuxiliaryInfo());
        OsiSolverInterface *copy = s.clone();
        s.setApplicationData(&two);
        bool along = copy->getApplicationData() == &one;
        copy->setApplicationData(NULL);
        ok("a copy takes the pointer along", along && s.getApplicationData() == &two);
        delete copy;
        Open named, control;
        named.columns(2);
        named.rows(1);
        control.columns(2);
        control.rows(1);
        use(named);
        use(control);
        named.setApplicationData(&one);
        ok("parameters and names stay when it is stored", sameParameters(named, control) &&
           sameHints(named, control) && named.getRowName(0) == control.getRowName(0) &&
           named.getColName(1) == control.getColName(1) && named.getObjName(99) == control.getObjName(99));
    }
    {
        Open *s = fresh(0xa5);
        ok("a new solver has no application data", s->getApplicationData() == NULL && s->getAuxiliaryInfo() != NULL);
        ok("its name discipline is auto", whole(*s, OsiNameDiscipline) == 0 && s->getRowNames().size() == 0);
        ok("its objective has no constant term", real(*s, OsiObjOffset) == 0);
        ok("its limits of the objective cut off nothing", real(*s, OsiDualObjectiveLimit) >= 1e30 &&
           real(*s, OsiPrimalObjectiveLimit) <= -1e30);
        const double dual = real(*s, OsiDualTolerance), primal = real(*s, OsiPrimalTolerance);
        ok("its tolerances are small and positive", dual > 0 && dual < 1e-2 && primal > 0 && primal < 1e-2);
        ok("its limits of iterations allow many", whole(*s, OsiMaxNumIteration) > 10000 &&
           whole(*s, OsiMaxNumIterationHotStart) > 10000);
        ok("its solver is unknown", text(*s, OsiSolverName) == "Unknown Solver");
        bool ignored = true;
        for (int i = 0; i < OsiLastHintParam; i++) {
            bool sense = true;
            OsiHintStrength strength = OsiForceDo;
            ignored = ignored && s->getHintParam(OsiHintParam(i), sense, strength) && strength == OsiHintIgnore;
        }
        ok("its hints are ignored", ignored);
        ok("it has no objects", s->objects() == 0 && !s->anyObject());
        s->columns(3);
        s->setInteger(1);
        ok("integers are counted when asked for", s->getNumIntegers() == 1);
        ok("it has no types of columns", !s->types());
        ok("it has no row cut debugger", !s->debugger() && !s->getRowCutDebugger() && !s->getRowCutDebuggerAlways());
        ok("it has a message handler of its own", s->messageHandler() != NULL && s->defaultHandler());
        ok("it speaks English", s->messagesPointer()->language() == CoinMessages::us_en &&
           s->messagesPointer()->numberMessages_ > 0);
        Open *t = fresh(0x01), *u = fresh(0);
        ok("nothing depends on the memory before", sameParameters(*s, *t) && sameHints(*s, *t) &&
           sameParameters(*s, *u) && sameHints(*s, *u) && t->objects() == 0 && !t->anyObject() && !t->types() &&
           !t->integersKnown() && !u->integersKnown() && !t->debugger() && t->defaultHandler() && u->defaultHandler());
        delete t;
        delete u;
        delete s;
    }
    {
        Open *s = fresh(0xa5), *like = fresh(0xa5);
        s->columns(3);
        s->rows(2);
        s->setInteger(0);
        s->findIntegers(true);
        use(*s);
        {
            Info info(&two);
            s->setAuxiliaryInfo(&info);
        }
        s->markHotStart();
        s->giveDebugger();
        s->giveTypes();
        Handler *handler = new Handler;
        s->passInMessageHandler(handler);
        s->newLanguage(CoinMessages::it);
        const bool used = infos == 1 && warm_starts == 1 && whole(*s, OsiNameDiscipline) == 1;
        const int hotBefore = warm_starts;
        s->start();
        ok("a used solver gets the parameters of a new one", used && sameParameters(*s, *like));
        ok("its hints are reset", sameHints(*s, *like));
        s->setIntParam(OsiNameDiscipline, 1);
        const bool gone = s->getRowNames().size() == 0 && s->getColNames().size() == 0;
        ok("its names are gone", gone && s->getRowName(0) == "R0000000" && s->getColName(1) == "C0000001" &&
           s->getObjName(20) == "OBJECTIVE");
        ok("its application data is gone", s->getApplicationData() == NULL && s->getAuxiliaryInfo() != NULL &&
           !dynamic_cast<Info *>(s->getAuxiliaryInfo()));
        ok("its auxiliary info is given back once", infos == 0 && heap_bad == 0);
        s->unmarkHotStart();
        ok("its hot start is given back once", hotBefore == 1 && warm_starts == 0 && heap_bad == 0);
        ok("its debugger is given back", !s->debugger() && !s->getRowCutDebuggerAlways());
        ok("its types of columns are gone", !s->types());
        ok("a handler that was passed in is replaced", s->messageHandler() != NULL && s->messageHandler() != handler &&
           s->defaultHandler());
        ok("but not destroyed", handlers == 1 && heap_bad == 0);
        ok("its language is reset", s->messagesPointer()->language() == CoinMessages::us_en);
        delete s;
        const bool still = handlers == 1;
        delete handler;
        delete like;

        s = fresh(0xa5);
        s->start();
        const long blocks = heap_blocks;
        for (int i = 0; i < 5; i++) {
            s->markHotStart();
            s->giveDebugger();
            s->giveTypes();
            s->setApplicationData(&one);
            s->start();
        }
        ok("again and again it takes no more memory", still && heap_blocks == blocks && warm_starts == 0 &&
           heap_bad == 0);
        delete s;
        const long before = heap_blocks;
        s = fresh(0xa5);
        s->start();
        s->setApplicationData(&one);
        s->setStrParam(OsiProbName, "a text that needs memory of its own, too long");
        delete s;
        ok("all is given back at the end", heap_blocks == before && heap_bad == 0);
    }
    return plan();
}
