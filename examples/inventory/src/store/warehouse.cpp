#include "store/warehouse.hpp"

#include <algorithm>

namespace store {

/// Make an item known. Throws StoreError when its number is known already.
void Warehouse::add_item(const Item &item)
{
    if (!items_.insert(item))
        throw StoreError("item " + item.number() + " is known already");
}

/// The item with this number. Throws StoreError when it is not known here.
const Item &Warehouse::item(const std::string &number) const
{
    const Item *found = items_.find(number);
    if (found == nullptr)
        throw StoreError("item " + number + " is not known in " + name_);
    return *found;
}

/// Take in `pieces` of a known item as a new lot.
///
/// The lot goes behind all lots that are best before the same day or an earlier one. Throws StoreError when the item
/// is not known, when pieces is not positive, or when the date is not a real one; nothing changes then.
void Warehouse::receive(const std::string &number, long long pieces, struct date best_before)
{
    item(number);
    if (pieces <= 0)
        throw StoreError("can't receive " + std::to_string(pieces) + " pieces of " + number);
    if (!date_is_real(best_before))
        throw StoreError("no such day for " + number);
    auto place = std::upper_bound(lots_.begin(), lots_.end(), best_before, [](struct date day, const Lot &lot) {
        return date_order(day, lot.best_before) < 0;
    });
    lots_.insert(place, Lot{number, pieces, best_before});
}

/// All pieces of the item, spoiled ones included; 0 for an item that is not known.
long long Warehouse::on_hand(const std::string &number) const
{
    long long pieces = 0;
    for (const Lot &lot : lots_)
        if (lot.number == number)
            pieces += lot.pieces;
    return pieces;
}

/// The pieces of the item that may still be sold today, the day they are best before included.
long long Warehouse::sellable(const std::string &number, struct date today) const
{
    long long pieces = 0;
    for (const Lot &lot : lots_)
        if (lot.number == number && date_order(lot.best_before, today) >= 0)
            pieces += lot.pieces;
    return pieces;
}

/// Take `pieces` of the item out, those that spoil first before the others; spoiled ones are left where they are.
///
/// Returns what was taken from each lot, in that order; lots that became empty are gone. Throws StoreError, and
/// takes nothing, when fewer pieces are sellable today or when pieces is negative. 0 pieces give an empty result.
std::vector<Lot> Warehouse::pick(const std::string &number, long long pieces, struct date today)
{
    if (pieces < 0 || sellable(number, today) < pieces)
        throw StoreError("can't pick " + std::to_string(pieces) + " pieces of " + number);
    std::vector<Lot> picked;
    for (Lot &lot : lots_) {
        if (pieces == 0)
            break;
        if (lot.number != number || date_order(lot.best_before, today) < 0)
            continue;
        long long taken = std::min(pieces, lot.pieces);
        picked.push_back({number, taken, lot.best_before});
        lot.pieces -= taken;
        pieces -= taken;
    }
    lots_.erase(std::remove_if(lots_.begin(), lots_.end(), [](const Lot &lot) { return lot.pieces == 0; }),
                lots_.end());
    return picked;
}

/// Bring `pieces` of the item to another warehouse, lot by lot, so that each keeps its date.
///
/// An item that is not known there is made known there first. Throws StoreError as pick does, and then neither
/// warehouse changes. Moving to the warehouse itself changes nothing but the order of lots.
void Warehouse::move_to(Warehouse &other, const std::string &number, long long pieces, struct date today)
{
    std::vector<Lot> moved = pick(number, pieces, today);
    if (other.items_.find(number) == nullptr)
        other.add_item(item(number));
    for (const Lot &lot : moved)
        other.receive(lot.number, lot.pieces, lot.best_before);
}

/// The names of the items of which fewer than `least` pieces are sellable today, in the order of items (operator<).
///
/// An item that never came in counts with 0 pieces.
std::vector<std::string> Warehouse::running_low(long long least, struct date today) const
{
    std::vector<Item> low;
    for (const Item &candidate : items_)
        if (sellable(candidate.number(), today) < least)
            low.push_back(candidate);
    std::sort(low.begin(), low.end());
    std::vector<std::string> names;
    for (const Item &item : low)
        names.push_back(item.name());
    return names;
}

} // namespace store
