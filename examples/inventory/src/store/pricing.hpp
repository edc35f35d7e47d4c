// What a customer pays.
#pragma once

#include "core/money.h"
#include "store/item.hpp"

#include <string>
#include <vector>

namespace store {

/// From `pieces` of an item on, its price falls by `permille` thousandths.
struct Tier {
    long long pieces;
    int permille;
};

/// One line of an order.
struct OrderLine {
    Item item;
    long long pieces;
};

/// The rules by which orders are priced.
class PriceList {
public:
    PriceList(std::vector<Tier> tiers, int tax_permille);

    int discount(long long pieces) const;
    money net(const OrderLine &line) const;
    money tax(const std::vector<OrderLine> &order) const;
    money total(const std::vector<OrderLine> &order) const;
    std::vector<money> share_shipping(const std::vector<OrderLine> &order, money shipping) const;

private:
    std::vector<Tier> tiers_; // by pieces, ascending
    int tax_permille_;
};

} // namespace store
