// src/store/warehouse.cpp: store::Warehouse::sellable
/// The pieces of the item that may still be sold today, the day they are best before included.
long long Warehouse::sellable(const std::string &number, struct date today) const
{
    long long pieces = 0;
    for (const Lot &lot : lots_)
        if (lot.number == number && date_order(lot.best_before, today) >= 0)
            pieces += lot.pieces;
    return pieces;
}
