#include "core/csv.h"
#include "core/date.h"
#include "core/money.h"
#include "core/text.h"
#include "harness.h"

#include <string.h>

TEST(money_quotient_rounds_to_nearest)
{
    INT_EQ(money_quotient(10, 3), 3);
    INT_EQ(money_quotient(11, 3), 4);
    INT_EQ(money_quotient(-10, 3), -3);
    INT_EQ(money_quotient(-11, 3), -4);
    INT_EQ(money_quotient(12, 4), 3);
    INT_EQ(money_quotient(0, 9), 0);
}

TEST(money_quotient_rounds_half_to_even)
{
    INT_EQ(money_quotient(5, 2), 2);
    INT_EQ(money_quotient(7, 2), 4);
    INT_EQ(money_quotient(-5, 2), -2);
    INT_EQ(money_quotient(-7, 2), -4);
    INT_EQ(money_quotient(1, 2), 0);
    INT_EQ(money_quotient(-3, 2), -2);
}

TEST(money_permille_of_an_amount)
{
    INT_EQ(money_permille(1000, 190), 190);
    INT_EQ(money_permille(25, 100), 2);
    INT_EQ(money_permille(35, 100), 4);
    INT_EQ(money_permille(-1999, 75), -150);
}

TEST(money_rounds_to_a_step)
{
    INT_EQ(money_round_to(1232, 5), 1230);
    INT_EQ(money_round_to(1233, 5), 1235);
    INT_EQ(money_round_to(-1233, 5), -1235);
    INT_EQ(money_round_to(150, 100), 200);
    INT_EQ(money_round_to(250, 100), 200);
    INT_EQ(money_round_to(77, 1), 77);
    INT_EQ(money_round_to(77, 0), 77);
}

TEST(money_share_loses_no_cent)
{
    const int64_t thirds[] = {1, 1, 1};
    const int64_t mixed[] = {0, 3, 0, 5, 2};
    money shares[5];
    money_share(100, thirds, shares, 3);
    INT_EQ(shares[0], 34);
    INT_EQ(shares[1], 33);
    INT_EQ(shares[2], 33);
    money_share(-101, thirds, shares, 3);
    INT_EQ(shares[0], -34);
    INT_EQ(shares[1], -34);
    INT_EQ(shares[2], -33);
    money_share(99, mixed, shares, 5);
    INT_EQ(shares[0], 0);
    INT_EQ(shares[1], 30);
    INT_EQ(shares[2], 0);
    INT_EQ(shares[3], 50);
    INT_EQ(shares[4], 19);
}

TEST(money_share_without_weights)
{
    const int64_t none[] = {0, 0};
    money shares[2] = {7, 7};
    money_share(100, none, shares, 2);
    INT_EQ(shares[0], 0);
    INT_EQ(shares[1], 0);
    money_share(100, none, shares, 0);
}

static const char *printed(money amount)
{
    static char text[64];
    struct strbuf out;
    strbuf_init(&out);
    money_print(&out, amount);
    strncpy(text, strbuf_text(&out), sizeof text - 1);
    strbuf_free(&out);
    return text;
}

TEST(money_prints_units_and_cents)
{
    STR_EQ(printed(1234), "12.34");
    STR_EQ(printed(5), "0.05");
    STR_EQ(printed(0), "0.00");
    STR_EQ(printed(-70), "-0.70");
    STR_EQ(printed(-12345), "-123.45");
}

TEST(money_groups_large_amounts)
{
    STR_EQ(printed(999999), "9999.99");
    STR_EQ(printed(1000000), "10,000.00");
    STR_EQ(printed(1234567), "12,345.67");
    STR_EQ(printed(-100000005), "-1,000,000.05");
    STR_EQ(printed(12300004500), "123,000,045.00");
}

TEST(money_print_adds_to_what_is_there)
{
    struct strbuf out;
    strbuf_init(&out);
    strbuf_put_text(&out, "sum: ");
    money_print(&out, 99);
    STR_EQ(strbuf_text(&out), "sum: 0.99");
    strbuf_free(&out);
}

TEST(money_reads_amounts)
{
    const struct {
        const char *text;
        money amount;
    } cases[] = {{"12.34", 1234}, {"-0.7", -70}, {"15", 1500}, {"3.", 300}, {" \t8.05\n", 805}, {"0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        money amount = -99;
        CHECK(money_read(cases[i].text, &amount));
        INT_EQ(amount, cases[i].amount);
    }
}

TEST(money_refuses_other_texts)
{
    const char *const cases[] = {"", "-", ".5", "+1", "1,000", "1.234", "1.2x", "- 1", "--1", "1234567890123456", "x"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        money amount = -99;
        INT_EQ(money_read(cases[i], &amount), 0);
        INT_EQ(amount, -99);
    }
}

TEST(text_trims_both_ends)
{
    char text[] = " \t two words \n";
    char blank[] = "   ";
    char empty[] = "";
    char plain[] = "plain";
    STR_EQ(text_trim(text), "two words");
    CHECK(text_trim(text) == text + 3);
    STR_EQ(text_trim(blank), "");
    STR_EQ(text_trim(empty), "");
    CHECK(text_trim(plain) == plain);
    STR_EQ(plain, "plain");
}

TEST(text_takes_digits)
{
    const char *text = "12345x";
    int64_t value = -1;
    INT_EQ(text_take_digits(&text, 3, &value), 3);
    INT_EQ(value, 123);
    INT_EQ(text_take_digits(&text, 9, &value), 2);
    INT_EQ(value, 45);
    INT_EQ(text_take_digits(&text, 9, &value), 0);
    INT_EQ(value, 0);
    STR_EQ(text, "x");
}

TEST(text_same_ignores_case_and_dashes)
{
    INT_EQ(text_same("AB-12", "ab 12"), 1);
    INT_EQ(text_same("ab12", "-A b-1 2-"), 1);
    INT_EQ(text_same("", "- -"), 1);
    INT_EQ(text_same("ab", "abc"), 0);
    INT_EQ(text_same("abc", "ab"), 0);
    INT_EQ(text_same("a_b", "a-b"), 0);
}

TEST(text_fits_patterns)
{
    INT_EQ(text_fits("tea", "tea"), 1);
    INT_EQ(text_fits("t?a", "tea"), 1);
    INT_EQ(text_fits("*", ""), 1);
    INT_EQ(text_fits("a*b*c", "a--b-b--c"), 1);
    INT_EQ(text_fits("*ab", "aaab"), 1);
    INT_EQ(text_fits("**a**", "xxaxx"), 1);
    INT_EQ(text_fits("", ""), 1);
}

TEST(text_fits_refuses)
{
    INT_EQ(text_fits("tea", "teas"), 0);
    INT_EQ(text_fits("teas", "tea"), 0);
    INT_EQ(text_fits("?", ""), 0);
    INT_EQ(text_fits("a*b*c", "a--c--b"), 0);
    INT_EQ(text_fits("*ab", "aba"), 0);
    INT_EQ(text_fits("", "a"), 0);
}

TEST(text_check_digits)
{
    INT_EQ(text_check_digit("400638133393"), 1);
    INT_EQ(text_check_digit("978030640615"), 7);
    INT_EQ(text_check_digit("7351353"), 7);
    INT_EQ(text_check_digit("0000000"), 0);
    INT_EQ(text_check_digit("40063813339x"), -1);
    INT_EQ(text_check_digit("4006381333931"), -1);
    INT_EQ(text_check_digit(""), -1);
}

static struct date on(int year, int month, int day)
{
    return (struct date){year, month, day};
}

#define DATE_EQ(got, y, m, d) INT_EQ(date_order((got), on(y, m, d)), 0)

TEST(date_month_lengths)
{
    INT_EQ(date_month_length(2023, 2), 28);
    INT_EQ(date_month_length(2024, 2), 29);
    INT_EQ(date_month_length(1900, 2), 28);
    INT_EQ(date_month_length(2000, 2), 29);
    INT_EQ(date_month_length(2023, 4), 30);
    INT_EQ(date_month_length(2023, 12), 31);
    INT_EQ(date_month_length(2023, 0), 0);
    INT_EQ(date_month_length(2023, 13), 0);
}

TEST(date_numbers_count_from_1970)
{
    INT_EQ(date_number(on(1970, 1, 1)), 0);
    INT_EQ(date_number(on(1969, 12, 31)), -1);
    INT_EQ(date_number(on(2000, 2, 29)), 11016);
    INT_EQ(date_number(on(2000, 3, 1)), 11017);
    INT_EQ(date_number(on(1900, 3, 1)), -25508);
    INT_EQ(date_number(on(1, 1, 1)), -719162);
    INT_EQ(date_number(on(9999, 12, 31)), 2932896);
}

TEST(date_numbers_go_there_and_back)
{
    for (int64_t number = -719162; number <= 2932896; number += 997) {
        struct date d = date_of_number(number);
        CHECK(date_is_real(d));
        INT_EQ(date_number(d), number);
    }
    DATE_EQ(date_of_number(2932896), 9999, 12, 31);
    DATE_EQ(date_of_number(11016), 2000, 2, 29);
}

TEST(date_is_real_for_days_of_the_calendar)
{
    CHECK(date_is_real(on(2024, 2, 29)));
    CHECK(!date_is_real(on(2023, 2, 29)));
    CHECK(!date_is_real(on(2023, 6, 31)));
    CHECK(!date_is_real(on(2023, 6, 0)));
    CHECK(!date_is_real(on(0, 1, 1)));
    CHECK(!date_is_real(on(10000, 1, 1)));
}

TEST(date_orders)
{
    CHECK(date_order(on(2023, 5, 6), on(2024, 1, 1)) < 0);
    CHECK(date_order(on(2023, 5, 6), on(2023, 4, 30)) > 0);
    CHECK(date_order(on(2023, 5, 6), on(2023, 5, 7)) < 0);
    INT_EQ(date_order(on(2023, 5, 6), on(2023, 5, 6)), 0);
}

TEST(date_adds_days)
{
    DATE_EQ(date_plus_days(on(2023, 12, 31), 1), 2024, 1, 1);
    DATE_EQ(date_plus_days(on(2024, 3, 1), -1), 2024, 2, 29);
    DATE_EQ(date_plus_days(on(2024, 3, 1), 365), 2025, 3, 1);
}

TEST(date_adds_months)
{
    DATE_EQ(date_plus_months(on(2023, 1, 15), 1), 2023, 2, 15);
    DATE_EQ(date_plus_months(on(2023, 1, 31), 1), 2023, 2, 28);
    DATE_EQ(date_plus_months(on(2024, 1, 31), 1), 2024, 2, 29);
    DATE_EQ(date_plus_months(on(2023, 12, 31), 4), 2024, 4, 30);
    DATE_EQ(date_plus_months(on(2024, 3, 15), -13), 2023, 2, 15);
    DATE_EQ(date_plus_months(on(2024, 1, 31), -1), 2023, 12, 31);
    DATE_EQ(date_plus_months(on(2024, 7, 1), 0), 2024, 7, 1);
}

TEST(date_weekdays)
{
    INT_EQ(date_weekday(on(1970, 1, 1)), 4);
    INT_EQ(date_weekday(on(1969, 12, 28)), 7);
    INT_EQ(date_weekday(on(1969, 12, 29)), 1);
    INT_EQ(date_weekday(on(2024, 2, 29)), 4);
    INT_EQ(date_weekday(on(1, 1, 1)), 1);
}

TEST(date_skips_weekends)
{
    DATE_EQ(date_plus_workdays(on(2024, 5, 3), 1), 2024, 5, 6);
    DATE_EQ(date_plus_workdays(on(2024, 5, 4), 1), 2024, 5, 6);
    DATE_EQ(date_plus_workdays(on(2024, 5, 5), 1), 2024, 5, 6);
    DATE_EQ(date_plus_workdays(on(2024, 5, 6), 4), 2024, 5, 10);
    DATE_EQ(date_plus_workdays(on(2024, 5, 6), 10), 2024, 5, 20);
    DATE_EQ(date_plus_workdays(on(2024, 5, 4), 0), 2024, 5, 4);
    DATE_EQ(date_plus_workdays(on(2024, 5, 4), -2), 2024, 5, 4);
}

TEST(date_prints_and_reads)
{
    struct strbuf out;
    struct date d = on(1, 1, 1);
    strbuf_init(&out);
    date_print(&out, on(824, 2, 9));
    STR_EQ(strbuf_text(&out), "0824-02-09");
    strbuf_free(&out);
    INT_EQ(date_read(" 2024-02-29\n", &d), 1);
    DATE_EQ(d, 2024, 2, 29);
}

TEST(date_refuses_other_texts)
{
    const char *const cases[] = {"",         "2024",        "2024-2-03",  "2023-02-29",
                                 "24-02-03", "2024-02-031", "2024/02/03", "2024-02-03x"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct date d = on(1, 2, 3);
        INT_EQ(date_read(cases[i], &d), 0);
        DATE_EQ(d, 1, 2, 3);
    }
}

#define FIELD_IS(reader, field, end, text) \
    do { \
        INT_EQ(csv_read_field(&(reader), &(field)), end); \
        STR_EQ(strbuf_text(&(field)), text); \
    } while (0)

TEST(csv_reads_rows)
{
    struct csv reader;
    struct strbuf field;
    strbuf_init(&field);
    csv_open(&reader, "a;;bc\r\n;d\n\nlast", ';');
    FIELD_IS(reader, field, CSV_FIELD, "a");
    FIELD_IS(reader, field, CSV_FIELD, "");
    FIELD_IS(reader, field, CSV_ROW, "bc");
    INT_EQ(reader.line, 2);
    FIELD_IS(reader, field, CSV_FIELD, "");
    FIELD_IS(reader, field, CSV_ROW, "d");
    FIELD_IS(reader, field, CSV_ROW, "");
    FIELD_IS(reader, field, CSV_ROW, "last");
    FIELD_IS(reader, field, CSV_TEXT, "");
    INT_EQ(reader.line, 4);
    strbuf_free(&field);
}

TEST(csv_reads_quoted_fields)
{
    struct csv reader;
    struct strbuf field;
    strbuf_init(&field);
    csv_open(&reader, "\"a,\"\"b\"\"\",\"two\nlines\"\n\"\",x,", ',');
    FIELD_IS(reader, field, CSV_FIELD, "a,\"b\"");
    FIELD_IS(reader, field, CSV_ROW, "two\nlines");
    FIELD_IS(reader, field, CSV_FIELD, "");
    FIELD_IS(reader, field, CSV_ROW, "x");
    FIELD_IS(reader, field, CSV_TEXT, "");
    strbuf_free(&field);
}

TEST(csv_refuses_bad_quotes)
{
    struct csv reader;
    struct strbuf field;
    strbuf_init(&field);
    csv_open(&reader, "\"never closed", ',');
    INT_EQ(csv_read_field(&reader, &field), CSV_BAD);
    csv_open(&reader, "\"closed\" too early,b", ',');
    INT_EQ(csv_read_field(&reader, &field), CSV_BAD);
    strbuf_free(&field);
}

TEST(csv_skips_rows)
{
    struct csv reader;
    csv_open(&reader, "a,\"b\nc\",d\r\nnext\n\nend", ',');
    INT_EQ(csv_skip_row(&reader), 1);
    STR_EQ(reader.at, "next\n\nend");
    INT_EQ(reader.line, 2);
    INT_EQ(csv_skip_row(&reader), 1);
    INT_EQ(csv_skip_row(&reader), 1);
    INT_EQ(reader.line, 4);
    STR_EQ(reader.at, "end");
    INT_EQ(csv_skip_row(&reader), 0);
    INT_EQ(csv_skip_row(&reader), 0);
    csv_open(&reader, "only\n", ',');
    INT_EQ(csv_skip_row(&reader), 0);
}

TEST(csv_quotes_where_needed)
{
    struct strbuf out;
    strbuf_init(&out);
    csv_put_field(&out, "plain text", ',');
    csv_put_field(&out, "", ',');
    csv_put_field(&out, "a,b", ',');
    csv_put_field(&out, "a,b", ';');
    csv_put_field(&out, "say \"hi\"", ',');
    csv_put_field(&out, "1\n2", ',');
    STR_EQ(strbuf_text(&out), "plain text\"a,b\"a,b\"say \"\"hi\"\"\"\"1\n2\"");
    strbuf_free(&out);
}
