#include "core/date.h"
#include "core/text.h"
#include "harness.h"
#include "store/item.hpp"
#include "store/pricing.hpp"
#include "store/report.hpp"
#include "store/reservation.hpp"
#include "store/warehouse.hpp"

#include <string>
#include <vector>

using namespace store;

namespace {

const std::string TEA = "4006381333931";
const std::string CUP = "9780306406157";
const std::string PEN = "73513537";

Item tea() { return {TEA, "Green tea", 450, 120}; }
Item cup() { return {CUP, "Cup", 1299, 350}; }
Item pen() { return {PEN, "Pen, \"blue\"", 199, 0}; }

struct date on(int year, int month, int day) { return {year, month, day}; }

const struct date TODAY = {2024, 5, 3}; // a Friday

Warehouse north()
{
    Warehouse house("north");
    house.add_item(tea());
    house.add_item(cup());
    house.add_item(pen());
    house.receive(TEA, 10, on(2024, 9, 1));
    house.receive(TEA, 5, on(2024, 6, 1));
    house.receive(CUP, 7, on(2030, 1, 1));
    house.receive(TEA, 4, on(2024, 5, 2));
    return house;
}

template <typename Action>
bool refused(Action action)
{
    try {
        action();
    } catch (const StoreError &) {
        return true;
    }
    return false;
}

std::string joined(const std::vector<std::string> &texts)
{
    std::string all;
    for (const std::string &text : texts)
        all += "[" + text + "]";
    return all;
}

std::string described(const std::vector<Lot> &lots)
{
    std::string all;
    for (const Lot &lot : lots) {
        all += lot.number + " " + std::to_string(lot.pieces) + " ";
        all += std::to_string(lot.best_before.year * 10000 + lot.best_before.month * 100 + lot.best_before.day) + "; ";
    }
    return all;
}

} // namespace

#define TEXT_EQ(got, want) STR_EQ(std::string(got).c_str(), std::string(want).c_str())

TEST(check_digit_agrees_with_core)
{
    for (const char *digits : {"400638133393", "978030640615", "7351353", "0000000", "12", "", "40063813339x"})
        INT_EQ(check_digit(digits), text_check_digit(digits));
    INT_EQ(check_digit("978030640615"), 7);
}

TEST(article_numbers)
{
    CHECK(is_article_number("4006381333931"));
    CHECK(is_article_number("73513537"));
    CHECK(!is_article_number("4006381333932"));
    CHECK(!is_article_number("400638133393"));
    CHECK(!is_article_number("7351353x"));
    CHECK(!is_article_number("x3513537"));
    CHECK(!is_article_number(""));
}

TEST(split_tags_cleans_up)
{
    TEXT_EQ(joined(split_tags(" Red, fragile,,RED ")), "[red][fragile]");
    TEXT_EQ(joined(split_tags("two words ,x")), "[two words][x]");
    TEXT_EQ(joined(split_tags("")), "");
    TEXT_EQ(joined(split_tags(" , ,")), "");
    TEXT_EQ(joined(split_tags("b,a")), "[b][a]");
    TEXT_EQ(joined(split_tags("one")), "[one]");
}

TEST(quantity_adds_equal_units)
{
    Quantity sum{5, "kg"};
    Quantity &self = (sum += Quantity{7, "kg"});
    CHECK(&self == &sum);
    CHECK((sum == Quantity{12, "kg"}));
    CHECK((Quantity{5, "kg"} * 3 == Quantity{15, "kg"}));
}

TEST(quantity_takes_over_a_unit)
{
    Quantity sum;
    sum += Quantity{7, "m"};
    CHECK((sum == Quantity{7, "m"}));
    sum += Quantity{};
    CHECK((sum == Quantity{7, "m"}));
    Quantity empty;
    empty += Quantity{};
    CHECK((empty == Quantity{}));
}

TEST(quantity_refuses_other_units)
{
    Quantity sum{5, "kg"};
    CHECK(refused([&] { sum += Quantity{7, "m"}; }));
    CHECK(refused([&] { sum += Quantity{0, "m"}; }));
    CHECK(refused([&] { sum += Quantity{3, ""}; }));
    CHECK((sum == Quantity{5, "kg"}));
}

TEST(item_keeps_what_it_is_given)
{
    Item item = tea();
    TEXT_EQ(item.number(), TEA);
    TEXT_EQ(item.name(), "Green tea");
    INT_EQ(item.price(), 450);
    INT_EQ(item.grams(), 120);
    INT_EQ(item.tags().size(), 0);
    Item free_item(PEN, "x", 0, 0);
    INT_EQ(free_item.price(), 0);
}

TEST(item_refuses_bad_data)
{
    CHECK(refused([] { Item("4006381333930", "Tea", 1, 1); }));
    CHECK(refused([] { Item(TEA, "", 1, 1); }));
    CHECK(refused([] { Item(TEA, "Tea", -1, 1); }));
    CHECK(refused([] { Item(TEA, "Tea", 1, -1); }));
}

TEST(item_tags)
{
    Item item = tea();
    item.tag("Hot, gift-wrap");
    item.tag("hot, Gift Wrap, new");
    TEXT_EQ(joined(item.tags()), "[hot][gift-wrap][new]");
    CHECK(item.has_tag("GIFT WRAP"));
    CHECK(item.has_tag("new"));
    CHECK(!item.has_tag("ne"));
    CHECK(!item.has_tag(""));
}

TEST(items_sort_by_name_price_number)
{
    CHECK(cup() < tea());
    CHECK(!(tea() < cup()));
    CHECK(!(tea() < tea()));
    CHECK(Item(TEA, "A", 1, 1) < Item(CUP, "A", 2, 1));
    CHECK(!(Item(TEA, "A", 2, 1) < Item(CUP, "A", 1, 1)));
    CHECK(Item(TEA, "A", 1, 5) < Item(CUP, "A", 1, 1));
    CHECK(!(Item(CUP, "A", 1, 1) < Item(TEA, "A", 1, 5)));
    CHECK(Item(CUP, "A", 9, 1) < Item(TEA, "B", 1, 1));
}

TEST(parcels_round_up)
{
    INT_EQ(tea().parcels(1, 1000), 1);
    INT_EQ(tea().parcels(8, 1000), 1);
    INT_EQ(tea().parcels(9, 1000), 2);
    INT_EQ(tea().parcels(16, 1000), 2);
    INT_EQ(tea().parcels(0, 1000), 0);
    INT_EQ(tea().parcels(-3, 1000), 0);
    INT_EQ(tea().parcels(3, 120), 3);
    INT_EQ(Item(PEN, "Clip", 1, 1).parcels(5, 2), 3);
}

TEST(parcels_for_heavy_and_weightless_pieces)
{
    INT_EQ(cup().parcels(4, 300), 4);
    INT_EQ(pen().parcels(1000, 1), 1);
    INT_EQ(pen().parcels(0, 1), 0);
}

namespace {

struct Own {
    int operator()(int value) const { return value / 10; }
};

std::string listed(const SortedList<int, Own> &list)
{
    std::string all;
    for (int value : list)
        all += std::to_string(value) + " ";
    return all;
}

} // namespace

TEST(sorted_list_inserts_in_order)
{
    SortedList<int, Own> list;
    CHECK(list.empty());
    for (int value : {50, 10, 99, 30, 70})
        CHECK(list.insert(value));
    TEXT_EQ(listed(list), "10 30 50 70 99 ");
    INT_EQ(list.size(), 5);
}

TEST(sorted_list_keeps_one_of_each_key)
{
    SortedList<int, Own> list;
    CHECK(list.insert(12));
    CHECK(!list.insert(15));
    CHECK(list.insert(21));
    CHECK(!list.insert(20));
    TEXT_EQ(listed(list), "12 21 ");
}

TEST(sorted_list_finds_and_erases)
{
    SortedList<int, Own> list;
    for (int value : {50, 10, 99, 30, 70})
        list.insert(value);
    CHECK(list.find(3) != nullptr && *list.find(3) == 30);
    CHECK(list.find(4) == nullptr);
    CHECK(list.find(10) == nullptr);
    CHECK(list.erase(3));
    CHECK(!list.erase(3));
    TEXT_EQ(listed(list), "10 50 70 99 ");
}

TEST(warehouse_knows_its_items)
{
    Warehouse house = north();
    TEXT_EQ(house.item(CUP).name(), "Cup");
    CHECK(refused([&] { house.add_item(cup()); }));
    CHECK(refused([&] { house.item("96385074"); }));
}

TEST(warehouse_receives_in_order_of_dates)
{
    Warehouse house = north();
    house.receive(PEN, 3, on(2024, 6, 1));
    TEXT_EQ(described(house.lots()), TEA + " 4 20240502; " + TEA + " 5 20240601; " + PEN + " 3 20240601; " + TEA +
                                         " 10 20240901; " + CUP + " 7 20300101; ");
}

TEST(warehouse_refuses_bad_lots)
{
    Warehouse house = north();
    CHECK(refused([&] { house.receive("96385074", 1, TODAY); }));
    CHECK(refused([&] { house.receive(TEA, 0, TODAY); }));
    CHECK(refused([&] { house.receive(TEA, -1, TODAY); }));
    CHECK(refused([&] { house.receive(TEA, 1, on(2023, 2, 29)); }));
    INT_EQ(house.lots().size(), 4);
}

TEST(warehouse_counts)
{
    Warehouse house = north();
    INT_EQ(house.on_hand(TEA), 19);
    INT_EQ(house.on_hand(PEN), 0);
    INT_EQ(house.on_hand("?"), 0);
    INT_EQ(house.sellable(TEA, TODAY), 15);
    INT_EQ(house.sellable(TEA, on(2024, 5, 2)), 19);
    INT_EQ(house.sellable(TEA, on(2024, 9, 1)), 10);
    INT_EQ(house.sellable(TEA, on(2024, 9, 2)), 0);
}

TEST(pick_takes_what_spoils_first)
{
    Warehouse house = north();
    TEXT_EQ(described(house.pick(TEA, 7, TODAY)), TEA + " 5 20240601; " + TEA + " 2 20240901; ");
    TEXT_EQ(described(house.lots()), TEA + " 4 20240502; " + TEA + " 8 20240901; " + CUP + " 7 20300101; ");
    TEXT_EQ(described(house.pick(CUP, 7, TODAY)), CUP + " 7 20300101; ");
    INT_EQ(house.on_hand(CUP), 0);
}

TEST(pick_takes_all_or_nothing)
{
    Warehouse house = north();
    CHECK(refused([&] { house.pick(TEA, 16, TODAY); }));
    CHECK(refused([&] { house.pick(TEA, -1, TODAY); }));
    CHECK(refused([&] { house.pick("?", 1, TODAY); }));
    INT_EQ(house.on_hand(TEA), 19);
    INT_EQ(house.pick(TEA, 0, TODAY).size(), 0);
    INT_EQ(house.lots().size(), 4);
}

TEST(move_to_keeps_dates)
{
    Warehouse house = north();
    Warehouse south("south");
    house.move_to(south, TEA, 6, TODAY);
    TEXT_EQ(described(south.lots()), TEA + " 5 20240601; " + TEA + " 1 20240901; ");
    TEXT_EQ(south.item(TEA).name(), "Green tea");
    INT_EQ(house.on_hand(TEA), 13);
    house.move_to(south, TEA, 9, TODAY);
    INT_EQ(south.on_hand(TEA), 15);
    CHECK(refused([&] { house.move_to(south, TEA, 1, TODAY); }));
    INT_EQ(house.on_hand(TEA), 4);
}

TEST(running_low_lists_names)
{
    Warehouse house = north();
    TEXT_EQ(joined(house.running_low(8, TODAY)), "[Cup][Pen, \"blue\"]");
    TEXT_EQ(joined(house.running_low(7, TODAY)), "[Pen, \"blue\"]");
    TEXT_EQ(joined(house.running_low(16, TODAY)), "[Cup][Green tea][Pen, \"blue\"]");
    TEXT_EQ(joined(house.running_low(0, TODAY)), "");
}

TEST(hold_until_counts_working_days)
{
    INT_EQ(date_order(hold_until(TODAY, 1), on(2024, 5, 8)), 0);
    INT_EQ(date_order(hold_until(TODAY, 99), on(2024, 5, 8)), 0);
    INT_EQ(date_order(hold_until(on(2024, 5, 6), 5), on(2024, 5, 9)), 0);
    INT_EQ(date_order(hold_until(on(2024, 5, 6), 100), on(2024, 6, 4)), 0);
}

TEST(hold_until_stops_after_a_month)
{
    INT_EQ(date_order(hold_until(TODAY, 100), on(2024, 6, 3)), 0);
    INT_EQ(date_order(hold_until(on(2023, 2, 6), 5000), on(2023, 3, 6)), 0);
    INT_EQ(date_order(hold_until(on(2023, 1, 31), 100), on(2023, 2, 28)), 0);
}

TEST(reservations_hold_goods_back)
{
    Warehouse house = north();
    ReservationBook book(house);
    INT_EQ(book.available(TEA, TODAY), 15);
    INT_EQ(book.hold("Ann", TEA, 10, TODAY), 1);
    INT_EQ(book.available(TEA, TODAY), 5);
    CHECK(refused([&] { book.hold("Bob", TEA, 6, TODAY); }));
    INT_EQ(book.hold("Bob", TEA, 5, TODAY), 2);
    INT_EQ(book.available(TEA, TODAY), 0);
    INT_EQ(book.available(CUP, TODAY), 7);
    book.hold("Ann", CUP, 6, TODAY);
    INT_EQ(book.available(CUP, TODAY), 1);
    INT_EQ(book.held(TEA, TODAY), 15);
    TEXT_EQ(book.find(2)->customer, "Bob");
    INT_EQ(date_order(book.find(2)->until, on(2024, 5, 8)), 0);
    INT_EQ(house.on_hand(TEA), 19);
}

TEST(reservations_refuse_no_pieces)
{
    Warehouse house = north();
    ReservationBook book(house);
    CHECK(refused([&] { book.hold("Ann", TEA, 0, TODAY); }));
    CHECK(refused([&] { book.hold("Ann", TEA, -1, TODAY); }));
    INT_EQ(book.hold("Ann", TEA, 1, TODAY), 1);
}

TEST(reservations_end)
{
    Warehouse house = north();
    ReservationBook book(house);
    book.hold("Ann", TEA, 10, TODAY);
    INT_EQ(book.held(TEA, on(2024, 5, 8)), 10);
    INT_EQ(book.held(TEA, on(2024, 5, 9)), 0);
    INT_EQ(book.available(TEA, on(2024, 5, 9)), 15);
    CHECK(book.release(1));
    CHECK(!book.release(1));
    INT_EQ(book.hold("Bob", TEA, 1, TODAY), 2);
}

TEST(available_is_never_negative)
{
    Warehouse house = north();
    ReservationBook book(house);
    book.hold("Ann", TEA, 15, TODAY);
    house.pick(TEA, 5, TODAY);
    INT_EQ(book.available(TEA, TODAY), 0);
}

TEST(confirm_hands_goods_out)
{
    Warehouse house = north();
    ReservationBook book(house);
    int id = book.hold("Ann", TEA, 6, TODAY);
    TEXT_EQ(described(book.confirm(id, on(2024, 5, 8))), TEA + " 5 20240601; " + TEA + " 1 20240901; ");
    INT_EQ(house.on_hand(TEA), 13);
    CHECK(book.find(id) == nullptr);
    CHECK(refused([&] { book.confirm(id, TODAY); }));
}

TEST(confirm_refuses_and_keeps)
{
    Warehouse house = north();
    ReservationBook book(house);
    int id = book.hold("Ann", TEA, 15, TODAY);
    CHECK(refused([&] { book.confirm(id, on(2024, 5, 9)); }));
    house.pick(TEA, 1, TODAY);
    CHECK(refused([&] { book.confirm(id, TODAY); }));
    CHECK(refused([&] { book.confirm(77, TODAY); }));
    CHECK(book.find(id) != nullptr);
    INT_EQ(house.on_hand(TEA), 18);
}

TEST(discount_takes_the_last_tier)
{
    PriceList prices({{100, 150}, {10, 50}}, 190);
    INT_EQ(prices.discount(1), 0);
    INT_EQ(prices.discount(9), 0);
    INT_EQ(prices.discount(10), 50);
    INT_EQ(prices.discount(99), 50);
    INT_EQ(prices.discount(100), 150);
    INT_EQ(prices.discount(5000), 150);
    INT_EQ(PriceList({}, 0).discount(5), 0);
}

TEST(price_list_refuses_bad_rules)
{
    CHECK(refused([] { PriceList({{1, 1001}}, 0); }));
    CHECK(refused([] { PriceList({{1, -1}}, 0); }));
    CHECK(refused([] { PriceList({}, -1); }));
    PriceList({{1, 1000}, {2, 0}}, 0);
}

TEST(net_rounds_the_discount)
{
    PriceList prices({{10, 50}, {13, 75}}, 190);
    INT_EQ(prices.net({tea(), 2}), 900);
    INT_EQ(prices.net({tea(), 10}), 4275);
    INT_EQ(prices.net({pen(), 10}), 1890);
    INT_EQ(prices.net({pen(), 13}), 2393);
    INT_EQ(prices.net({tea(), 13}), 5411);
    INT_EQ(prices.net({tea(), 0}), 0);
}

TEST(tax_is_rounded_once)
{
    PriceList prices({}, 75);
    Item book(CUP, "Book", 1299, 350);
    INT_EQ(prices.tax({{pen(), 1}, {pen(), 1}, {pen(), 1}}), 45);
    INT_EQ(prices.tax({{pen(), 1}, {book, 1}}), 112);
    book.tag("Un-Taxed");
    INT_EQ(prices.tax({{pen(), 1}, {book, 1}}), 15);
    INT_EQ(prices.tax({}), 0);
}

TEST(total_is_rounded_to_5_cents)
{
    PriceList prices({{10, 50}}, 190);
    INT_EQ(prices.total({{tea(), 2}, {pen(), 1}}), 1310);
    INT_EQ(prices.total({{cup(), 1}}), 1545);
    INT_EQ(prices.total({}), 0);
}

TEST(shipping_is_shared_by_weight)
{
    PriceList prices({}, 0);
    std::vector<money> shares = prices.share_shipping({{tea(), 5}, {pen(), 9}, {cup(), 2}}, 500);
    INT_EQ(shares.size(), 3);
    INT_EQ(shares[0], 231);
    INT_EQ(shares[1], 0);
    INT_EQ(shares[2], 269);
}

TEST(shipping_of_weightless_orders)
{
    PriceList prices({}, 0);
    std::vector<money> shares = prices.share_shipping({{pen(), 1}, {pen(), 2}}, 100);
    INT_EQ(shares.size(), 2);
    INT_EQ(shares[0], 34);
    INT_EQ(shares[1], 66);
    INT_EQ(prices.share_shipping({}, 100).size(), 0);
}

TEST(stock_table_lists_all_items)
{
    TEXT_EQ(stock_table(north(), TODAY), "item                   pieces        value\n"
                                         "Green tea                  15        67.50\n"
                                         "Pen, \"blue\"                 0         0.00\n"
                                         "Cup                         7        90.93\n"
                                         "total                      22       158.43\n");
}

TEST(stock_table_of_nothing)
{
    TEXT_EQ(stock_table(Warehouse("empty"), TODAY), "item                   pieces        value\n"
                                                    "total                       0         0.00\n");
}

TEST(lot_labels)
{
    Warehouse house = north();
    TEXT_EQ(lot_label(house, house.lots()[0]), "Green tea x4 until 2024-05-02");
    TEXT_EQ(lot_label(house, {CUP, 1234, on(2031, 12, 9)}), "Cup x1234 until 2031-12-09");
    CHECK(refused([&] { lot_label(house, {"96385074", 1, TODAY}); }));
}

TEST(lots_go_out_and_in_again)
{
    Warehouse house = north();
    house.receive(PEN, 3, on(2024, 6, 1));
    std::string text = export_lots(house);
    TEXT_EQ(text.substr(0, 38), "4006381333931,Green tea,4,2024-05-02\n4");
    CHECK(text.find("73513537,\"Pen, \"\"blue\"\"\",3,2024-06-01\n") != std::string::npos);
    Warehouse copy("copy");
    for (const Item &item : house.items())
        copy.add_item(item);
    INT_EQ(import_lots(copy, text), 5);
    TEXT_EQ(described(copy.lots()), described(house.lots()));
}

TEST(import_skips_empty_lines)
{
    Warehouse house = north();
    INT_EQ(import_lots(house, "\n" + PEN + ",,2,2025-01-01\n\n" + PEN + ",x,3,2025-01-01"), 2);
    INT_EQ(house.on_hand(PEN), 5);
    INT_EQ(import_lots(house, ""), 0);
}

TEST(import_names_the_bad_line)
{
    Warehouse house = north();
    const std::string good = PEN + ",x,1,2025-01-01\n";
    for (const std::string &bad : {PEN + ",x,1\n", PEN + ",x,1,2025-01-01,y\n", PEN + ",x,1y,2025-01-01\n",
                                   PEN + ",x,1,2025-02-30\n", PEN + ",\"x,1,2025-01-01\n"}) {
        std::string message;
        try {
            import_lots(house, good + bad);
        } catch (const StoreError &error) {
            message = error.what();
        }
        TEXT_EQ(message.substr(0, 7), "line 2:");
    }
    CHECK(refused([&] { import_lots(house, PEN + ",x,0,2025-01-01\n"); }));
    INT_EQ(house.on_hand(PEN), 5);
}
