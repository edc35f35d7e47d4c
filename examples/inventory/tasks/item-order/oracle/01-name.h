// src/store/item.hpp: store::Item::name
    const std::string &name() const { return name_; }
