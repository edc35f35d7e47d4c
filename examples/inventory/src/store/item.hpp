// What can be stored: an item, and how items are told apart.
#pragma once

#include "core/money.h"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace store {

/// A mistake in the data that was given, or an order that can't be carried out.
class StoreError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

int check_digit(const std::string &digits);
bool is_article_number(const std::string &text);
std::vector<std::string> split_tags(const std::string &text);

/// An amount of goods with its unit, such as 12 "kg". Amounts of different units don't mix.
struct Quantity {
    long long amount = 0;
    std::string unit;

    Quantity &operator+=(const Quantity &other);
    Quantity operator*(long long factor) const { return {amount * factor, unit}; }
    bool operator==(const Quantity &other) const { return amount == other.amount && unit == other.unit; }
};

/// A kind of goods.
class Item {
public:
    Item(std::string number, std::string name, money price, int grams);

    const std::string &number() const { return number_; }
    const std::string &name() const { return name_; }
    money price() const { return price_; }
    int grams() const { return grams_; }
    const std::vector<std::string> &tags() const { return tags_; }

    void tag(const std::string &text);
    bool has_tag(const std::string &tag) const;

    /// Parcels that `pieces` of this item fill when each takes at most `grams_each` grams and no piece is cut.
    ///
    /// A piece that is heavier than a whole parcel goes into one of its own. No pieces need no parcel.
    long long parcels(long long pieces, int grams_each) const
    {
        if (pieces <= 0)
            return 0;
        long long fit = grams_ > 0 ? grams_each / grams_ : pieces;
        if (fit < 1)
            fit = 1;
        return (pieces + fit - 1) / fit;
    }

private:
    std::string number_;
    std::string name_;
    money price_;
    int grams_;
    std::vector<std::string> tags_;
};

bool operator<(const Item &a, const Item &b);

/// The key of items in a SortedList.
struct ItemNumber {
    const std::string &operator()(const Item &item) const { return item.number(); }
};

} // namespace store
