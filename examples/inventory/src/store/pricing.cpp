#include "store/pricing.hpp"

#include <algorithm>
#include <utility>

namespace store {

/// Prices with the given tiers, in any order, and a tax in thousandths of the net price.
///
/// Throws StoreError when a tier gives more than 1000 thousandths off or less than 0, or the tax is negative.
PriceList::PriceList(std::vector<Tier> tiers, int tax_permille) : tiers_(std::move(tiers)), tax_permille_(tax_permille)
{
    for (const Tier &tier : tiers_)
        if (tier.permille < 0 || tier.permille > 1000)
            throw StoreError("a tier's discount is outside 0 to 1000");
    if (tax_permille_ < 0)
        throw StoreError("the tax is negative");
    std::sort(tiers_.begin(), tiers_.end(), [](const Tier &a, const Tier &b) { return a.pieces < b.pieces; });
}

/// The discount for so many pieces in thousandths: that of the last tier that they reach, or 0 when they reach none.
int PriceList::discount(long long pieces) const
{
    int permille = 0;
    for (const Tier &tier : tiers_) {
        if (pieces < tier.pieces)
            break;
        permille = tier.permille;
    }
    return permille;
}

/// The price of one line before tax: the pieces' price less the tier's discount, which is rounded to the nearest
/// cent, a half to the even one.
money PriceList::net(const OrderLine &line) const
{
    money full = line.item.price() * line.pieces;
    return full - money_permille(full, discount(line.pieces));
}

/// The tax on the whole order, rounded once and not line by line. Lines of items with the tag "untaxed" are free of
/// it.
money PriceList::tax(const std::vector<OrderLine> &order) const
{
    money taxed = 0;
    for (const OrderLine &line : order)
        if (!line.item.has_tag("untaxed"))
            taxed += net(line);
    return money_permille(taxed, tax_permille_);
}

/// What the customer pays for the order: all lines' net prices and the tax, rounded to 5 cents.
money PriceList::total(const std::vector<OrderLine> &order) const
{
    money sum = tax(order);
    for (const OrderLine &line : order)
        sum += net(line);
    return money_round_to(sum, 5);
}

/// The part of the shipping cost that falls on each line, in the order of the lines.
///
/// It is shared by the weight in grams (pieces times the item's), without losing a cent (money_share). When nothing
/// in the order weighs anything, each line's weight is its number of pieces.
std::vector<money> PriceList::share_shipping(const std::vector<OrderLine> &order, money shipping) const
{
    std::vector<int64_t> weights;
    std::vector<money> shares(order.size());
    for (const OrderLine &line : order)
        weights.push_back(line.pieces * line.item.grams());
    if (std::all_of(weights.begin(), weights.end(), [](int64_t weight) { return weight == 0; }))
        for (std::size_t i = 0; i < order.size(); i++)
            weights[i] = order[i].pieces;
    money_share(shipping, weights.data(), shares.data(), order.size());
    return shares;
}

} // namespace store
