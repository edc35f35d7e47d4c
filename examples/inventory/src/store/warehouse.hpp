// Where the goods lie: lots in a warehouse.
#pragma once

#include "core/date.h"
#include "store/item.hpp"
#include "store/sorted_list.hpp"

#include <string>
#include <vector>

namespace store {

/// Pieces of one item that came in together. They may be sold up to and including `best_before`.
struct Lot {
    std::string number;
    long long pieces;
    struct date best_before;
};

/// The goods in one place: known items, and lots of them.
class Warehouse {
public:
    explicit Warehouse(std::string name) : name_(std::move(name)) {}

    const std::string &name() const { return name_; }
    const std::vector<Lot> &lots() const { return lots_; }
    const SortedList<Item, ItemNumber> &items() const { return items_; }

    void add_item(const Item &item);
    const Item &item(const std::string &number) const;

    void receive(const std::string &number, long long pieces, struct date best_before);
    long long on_hand(const std::string &number) const;
    long long sellable(const std::string &number, struct date today) const;
    std::vector<Lot> pick(const std::string &number, long long pieces, struct date today);
    void move_to(Warehouse &other, const std::string &number, long long pieces, struct date today);
    std::vector<std::string> running_low(long long least, struct date today) const;

private:
    std::string name_;
    SortedList<Item, ItemNumber> items_;
    std::vector<Lot> lots_; // by best_before, those of one day in the order of their arrival; none is empty
};

} // namespace store
