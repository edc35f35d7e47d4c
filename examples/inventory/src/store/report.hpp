// A warehouse as text: tables to read, CSV to keep.
#pragma once

#include "store/warehouse.hpp"

#include <string>

namespace store {

std::string stock_table(const Warehouse &warehouse, struct date today);
std::string lot_label(const Warehouse &warehouse, const Lot &lot);
std::string export_lots(const Warehouse &warehouse);
int import_lots(Warehouse &warehouse, const std::string &text);

} // namespace store
