// src/store/pricing.cpp: store::PriceList::discount
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
