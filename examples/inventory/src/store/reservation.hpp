// Goods that are held back for a customer until a day.
#pragma once

#include "store/warehouse.hpp"

#include <string>
#include <vector>

namespace store {

/// `pieces` of an item held for a customer, up to and including the day `until`.
struct Reservation {
    int id;
    std::string customer;
    std::string number;
    long long pieces;
    struct date until;
};

/// The key of reservations in a SortedList.
struct ReservationId {
    int operator()(const Reservation &reservation) const { return reservation.id; }
};

/// All reservations on one warehouse, which must outlive the book. A reservation moves no goods; confirming it does.
class ReservationBook {
public:
    explicit ReservationBook(Warehouse &warehouse) : warehouse_(warehouse) {}

    int hold(const std::string &customer, const std::string &number, long long pieces, struct date today);
    long long held(const std::string &number, struct date today) const;
    long long available(const std::string &number, struct date today) const;
    std::vector<Lot> confirm(int id, struct date today);
    bool release(int id) { return book_.erase(id); }
    const Reservation *find(int id) const { return book_.find(id); }

private:
    Warehouse &warehouse_;
    SortedList<Reservation, ReservationId> book_;
    int next_id_ = 1;
};

struct date hold_until(struct date today, long long pieces);

} // namespace store
