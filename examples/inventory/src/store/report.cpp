#include "store/report.hpp"

#include "core/csv.h"
#include "core/strbuf.h"

#include <cerrno>
#include <cstdlib>

namespace store {

namespace {

/// A strbuf that frees itself.
class Buffer {
public:
    Buffer() { strbuf_init(&buffer_); }
    ~Buffer() { strbuf_free(&buffer_); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    struct strbuf *raw() { return &buffer_; }
    std::string text() const { return std::string(strbuf_text(&buffer_), buffer_.length); }

private:
    struct strbuf buffer_;
};

/// One row of the stock table: 20 bytes for the name, 8 for the pieces, 12 for the value, blanks between them.
void put_row(struct strbuf *out, const std::string &name, const std::string &pieces, const std::string &value)
{
    strbuf_put_column(out, name.c_str(), 20, STRBUF_LEFT);
    strbuf_put_run(out, ' ', 1);
    strbuf_put_column(out, pieces.c_str(), 8, STRBUF_RIGHT);
    strbuf_put_run(out, ' ', 1);
    strbuf_put_column(out, value.c_str(), 12, STRBUF_RIGHT);
    strbuf_put_run(out, '\n', 1);
}

std::string money_text(money amount)
{
    Buffer out;
    money_print(out.raw(), amount);
    return out.text();
}

/// The number that the whole of `field` holds. Throws StoreError, naming the line, when it holds none.
long long whole_number(const std::string &field, int line)
{
    char *end = nullptr;
    errno = 0;
    long long number = std::strtoll(field.c_str(), &end, 10);
    if (field.empty() || *end != '\0' || errno == ERANGE)
        throw StoreError("line " + std::to_string(line) + ": no number: " + field);
    return number;
}

} // namespace

/// The stock as a table: a head ("item", "pieces", "value"), one row for each known item in the order of their
/// article numbers, and a row "total" with the sums.
///
/// Only pieces that are sellable today count, at their items' prices.
std::string stock_table(const Warehouse &warehouse, struct date today)
{
    Buffer out;
    long long pieces = 0;
    money value = 0;
    put_row(out.raw(), "item", "pieces", "value");
    for (const Item &item : warehouse.items()) {
        long long sellable = warehouse.sellable(item.number(), today);
        put_row(out.raw(), item.name(), std::to_string(sellable), money_text(item.price() * sellable));
        pieces += sellable;
        value += item.price() * sellable;
    }
    put_row(out.raw(), "total", std::to_string(pieces), money_text(value));
    return out.text();
}

/// What is printed on a lot's shelf: "<name> x<pieces> until <yyyy-mm-dd>", as in "Green tea x12 until 2024-05-01".
///
/// Throws StoreError when the warehouse doesn't know the lot's item.
std::string lot_label(const Warehouse &warehouse, const Lot &lot)
{
    Buffer out;
    strbuf_put_text(out.raw(), warehouse.item(lot.number).name().c_str());
    strbuf_put_text(out.raw(), " x");
    strbuf_put_digits(out.raw(), static_cast<unsigned long long>(lot.pieces), 1);
    strbuf_put_text(out.raw(), " until ");
    date_print(out.raw(), lot.best_before);
    return out.text();
}

/// All lots as CSV, in their order: a row of article number, item's name, pieces and best-before day for each, with
/// commas between the fields and "\n" at the end of each row. No head. Names are quoted where they need it.
std::string export_lots(const Warehouse &warehouse)
{
    Buffer out;
    for (const Lot &lot : warehouse.lots()) {
        csv_put_field(out.raw(), lot.number.c_str(), ',');
        strbuf_put_run(out.raw(), ',', 1);
        csv_put_field(out.raw(), warehouse.item(lot.number).name().c_str(), ',');
        strbuf_put_run(out.raw(), ',', 1);
        strbuf_put_digits(out.raw(), static_cast<unsigned long long>(lot.pieces), 1);
        strbuf_put_run(out.raw(), ',', 1);
        date_print(out.raw(), lot.best_before);
        strbuf_put_run(out.raw(), '\n', 1);
    }
    return out.text();
}

/// Receive the lots of a CSV as export_lots writes it; the name in each row is not looked at.
///
/// Empty lines are skipped. Returns how many lots came in. Throws StoreError, naming the line for what is wrong in the
/// text itself, when a row has another number of fields than 4, a number or a day can't be read, or the warehouse
/// refuses the lot; the lots before it have come in by then.
int import_lots(Warehouse &warehouse, const std::string &text)
{
    struct csv reader;
    Buffer field;
    int count = 0;
    csv_open(&reader, text.c_str(), ',');
    for (;;) {
        std::vector<std::string> row;
        int line = reader.line;
        enum csv_end end;
        do {
            end = csv_read_field(&reader, field.raw());
            row.push_back(field.text());
        } while (end == CSV_FIELD);
        if (end == CSV_TEXT)
            return count;
        if (end == CSV_ROW && row.size() == 1 && row[0].empty())
            continue;
        struct date best_before;
        if (end == CSV_BAD || row.size() != 4 || !date_read(row[3].c_str(), &best_before))
            throw StoreError("line " + std::to_string(line) + ": no lot");
        warehouse.receive(row[0], whole_number(row[2], line), best_before);
        count++;
    }
}

} // namespace store
