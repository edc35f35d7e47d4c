// src/store/reservation.cpp: store::ReservationBook::held
/// The pieces of the item that are reserved today; reservations that ended before today don't count.
long long ReservationBook::held(const std::string &number, struct date today) const
{
    long long pieces = 0;
    for (const Reservation &reservation : book_)
        if (reservation.number == number && date_order(reservation.until, today) >= 0)
            pieces += reservation.pieces;
    return pieces;
}
