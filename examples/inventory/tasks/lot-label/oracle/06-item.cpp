// src/store/warehouse.cpp: store::Warehouse::item
/// The item with this number. Throws StoreError when it is not known here.
const Item &Warehouse::item(const std::string &number) const
{
    const Item *found = items_.find(number);
    if (found == nullptr)
        throw StoreError("item " + number + " is not known in " + name_);
    return *found;
}
