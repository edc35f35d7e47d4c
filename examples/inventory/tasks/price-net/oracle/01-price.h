// src/store/item.hpp: store::Item::price
    money price() const { return price_; }
