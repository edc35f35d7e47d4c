#include "store/reservation.hpp"

#include <string>

namespace store {

/// The last day on which goods that are reserved today are held.
///
/// Up to 99 pieces are held for 3 working days, 100 pieces and more for 21; but never beyond the day one month from
/// today.
struct date hold_until(struct date today, long long pieces)
{
    struct date latest = date_plus_months(today, 1);
    struct date until = date_plus_workdays(today, pieces < 100 ? 3 : 21);
    return date_order(until, latest) > 0 ? latest : until;
}

/// Reserve `pieces` of the item for the customer until hold_until(today, pieces).
///
/// Returns the reservation's id; ids count from 1 and are never given out twice. Throws StoreError, and reserves
/// nothing, when pieces is not positive or fewer are available today.
int ReservationBook::hold(const std::string &customer, const std::string &number, long long pieces, struct date today)
{
    if (pieces <= 0 || available(number, today) < pieces)
        throw StoreError("can't hold " + std::to_string(pieces) + " pieces of " + number);
    book_.insert({next_id_, customer, number, pieces, hold_until(today, pieces)});
    return next_id_++;
}

/// The pieces of the item that are reserved today; reservations that ended before today don't count.
long long ReservationBook::held(const std::string &number, struct date today) const
{
    long long pieces = 0;
    for (const Reservation &reservation : book_)
        if (reservation.number == number && date_order(reservation.until, today) >= 0)
            pieces += reservation.pieces;
    return pieces;
}

/// The pieces of the item that are sellable today and not reserved; never less than 0, even when goods that were
/// reserved have spoiled since.
long long ReservationBook::available(const std::string &number, struct date today) const
{
    long long pieces = warehouse_.sellable(number, today) - held(number, today);
    return pieces > 0 ? pieces : 0;
}

/// Hand the reserved goods out and close the reservation. Returns what was picked, lot by lot.
///
/// Throws StoreError when there is no such reservation, when it ended before today, or when the warehouse has too few
/// sellable pieces; the reservation stays in the book then.
std::vector<Lot> ReservationBook::confirm(int id, struct date today)
{
    const Reservation *reservation = book_.find(id);
    if (reservation == nullptr)
        throw StoreError("no reservation " + std::to_string(id));
    if (date_order(reservation->until, today) < 0)
        throw StoreError("reservation " + std::to_string(id) + " ended");
    std::vector<Lot> picked = warehouse_.pick(reservation->number, reservation->pieces, today);
    book_.erase(id);
    return picked;
}

} // namespace store
