// src/store/item.hpp: store::Item::number
    const std::string &number() const { return number_; }
