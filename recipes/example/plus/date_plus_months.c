/*---
 * tasks: [date-plus-months]
 * tests:
 *   of_a_leap_day_is_the_last_of_february: 'Docstring: "Where that month is too short its last day is taken".'
 *   takes_the_length_of_the_month_that_is_reached: 'The same; a century is no leap year, but for every fourth.'
 *   reaches_each_month_of_the_year: 'Docstring: "`months` months later".'
 *   passes_the_end_of_the_year: 'The same: after December comes January of the next year.'
 *   passes_the_start_of_the_year: 'Docstring: "earlier, when months is negative".'
 *   goes_many_years_either_way: 'The same.'
 *   of_no_months_is_the_day_itself: 'The same, of 0.'
 ---*/
#include "core/date.h"
#include "../tests/harness.h"

static void is(struct date d, int months, int year, int month, int day)
{
    struct date found = date_plus_months(d, months);
    INT_EQ(found.year, year);
    INT_EQ(found.month, month);
    INT_EQ(found.day, day);
}

TEST(of_a_leap_day_is_the_last_of_february)
{
    const struct date leap = {2024, 2, 29};
    is(leap, 12, 2025, 2, 28);
    is(leap, -12, 2023, 2, 28);
    is(leap, 48, 2028, 2, 29);
    is((struct date){2025, 2, 28}, -12, 2024, 2, 28);
}

TEST(takes_the_length_of_the_month_that_is_reached)
{
    is((struct date){1999, 12, 31}, 2, 2000, 2, 29);
    is((struct date){2096, 2, 29}, 48, 2100, 2, 28);
    is((struct date){2023, 12, 30}, 2, 2024, 2, 29);
    is((struct date){2024, 12, 30}, 2, 2025, 2, 28);
    is((struct date){2024, 4, 30}, 1, 2024, 5, 30);
}

TEST(reaches_each_month_of_the_year)
{
    const int last[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int i = 0; i < 12; i++) {
        is((struct date){2022, 12, 31}, i + 1, 2023, i + 1, last[i]);
        is((struct date){2023, 1, 15}, i, 2023, i + 1, 15);
    }
}

TEST(passes_the_end_of_the_year)
{
    is((struct date){2023, 12, 31}, 1, 2024, 1, 31);
    is((struct date){2023, 11, 5}, 13, 2024, 12, 5);
    is((struct date){2023, 12, 5}, 12, 2024, 12, 5);
}

TEST(passes_the_start_of_the_year)
{
    is((struct date){2024, 1, 5}, -1, 2023, 12, 5);
    is((struct date){2024, 1, 31}, -2, 2023, 11, 30);
    is((struct date){2024, 12, 5}, -12, 2023, 12, 5);
    is((struct date){2024, 3, 31}, -13, 2023, 2, 28);
}

TEST(goes_many_years_either_way)
{
    is((struct date){2000, 2, 29}, 4800, 2400, 2, 29);
    is((struct date){2400, 1, 31}, -4799, 2000, 2, 29);
}

TEST(of_no_months_is_the_day_itself)
{
    is((struct date){2024, 2, 29}, 0, 2024, 2, 29);
    is((struct date){2023, 12, 31}, 0, 2023, 12, 31);
}
