#include "core/date.h"

#include "core/text.h"

/* How many days the month has: 28 to 31, or 0 when there is no such month. */
INV_API int date_month_length(int year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12)
        return 0;
    return month == 2 && date_is_leap(year) ? 29 : lengths[month - 1];
}

/* 1 when the calendar has such a day in the years 1 to 9999, else 0. */
INV_API int date_is_real(struct date d)
{
    return d.year >= 1 && d.year <= 9999 && d.day >= 1 && d.day <= date_month_length(d.year, d.month);
}

/* The number of the day, counted from 1970-01-01, which is 0; days before it are negative.
 *
 * The date must be a real one. Two dates are as many days apart as their numbers. */
INV_API int64_t date_number(struct date d)
{
    static const int days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int64_t years = d.year - 1;
    int64_t days = years * 365 + years / 4 - years / 100 + years / 400;
    days += days_before[d.month - 1] + d.day - 1;
    if (d.month > 2 && d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0))
        days++;
    return days - 719162;
}

/* The day with the given number, so that date_of_number(date_number(d)) is d. Valid for the years 1 to 9999. */
INV_API struct date date_of_number(int64_t number)
{
    int64_t days = number + 719162;
    struct date d = {(int)(days / 366) + 1, 1, 1};
    while (date_number((struct date){d.year + 1, 1, 1}) <= number)
        d.year++;
    days = number - date_number(d);
    while (days >= date_month_length(d.year, d.month)) {
        days -= date_month_length(d.year, d.month);
        d.month++;
    }
    d.day += (int)days;
    return d;
}

/* Negative, 0 or positive as `a` comes before, is, or comes after `b`. */
INV_API int date_order(struct date a, struct date b)
{
    if (a.year != b.year)
        return a.year < b.year ? -1 : 1;
    if (a.month != b.month)
        return a.month < b.month ? -1 : 1;
    return (a.day > b.day) - (a.day < b.day);
}

/* The day that comes `days` days after `d`; before it, when days is negative. */
INV_API struct date date_plus_days(struct date d, int64_t days)
{
    return date_of_number(date_number(d) + days);
}

/* The same day of the month, `months` months later; earlier, when months is negative.
 *
 * Where that month is too short its last day is taken: one month after January 31st is February 28th, in a leap
 * year the 29th. Thirteen months before 2024-03-15 is 2023-02-15. */
INV_API struct date date_plus_months(struct date d, int months)
{
    int count = d.year * 12 + (d.month - 1) + months;
    d.year = count / 12;
    d.month = count % 12 + 1;
    int length = date_month_length(d.year, d.month);
    if (d.day > length)
        d.day = length;
    return d;
}

/* The day of the week: 1 is Monday, 7 is Sunday. */
INV_API int date_weekday(struct date d)
{
    int64_t since_monday = (date_number(d) + 3) % 7;
    return (int)(since_monday < 0 ? since_monday + 7 : since_monday) + 1;
}

/* The day after `workdays` further working days. Saturday and Sunday don't count; nor does `d` itself.
 *
 * One working day after a Friday, Saturday or Sunday is the Monday. With 0 working days the result is `d`, even on
 * a weekend. A negative count is taken as 0. */
INV_API struct date date_plus_workdays(struct date d, int workdays)
{
    while (workdays > 0) {
        d = date_plus_days(d, 1);
        if (date_weekday(d) <= 5)
            workdays--;
    }
    return d;
}

/* Add the date to `out` as 2024-02-29: four digits, two and two. */
INV_API void date_print(struct strbuf *out, struct date d)
{
    strbuf_put_digits(out, (unsigned)d.year, 4);
    strbuf_put_run(out, '-', 1);
    strbuf_put_digits(out, (unsigned)d.month, 2);
    strbuf_put_run(out, '-', 1);
    strbuf_put_digits(out, (unsigned)d.day, 2);
}

/* Read a date such as 2024-02-29 from the whole of `text`: exactly four, two and two digits with '-' between them.
 *
 * White space around it is allowed. On success stores the date in *d and returns 1; when the form is another or the
 * calendar has no such day, returns 0 and leaves *d alone. */
INV_API INV_CHECKED int date_read(const char *text, struct date *d)
{
    static const size_t lengths[] = {4, 2, 2};
    int64_t parts[3];
    text = text_skip_space(text);
    for (int i = 0; i < 3; i++) {
        if (i > 0 && *text++ != '-')
            return 0;
        if (text_take_digits(&text, lengths[i], &parts[i]) != lengths[i])
            return 0;
    }
    struct date result = {(int)parts[0], (int)parts[1], (int)parts[2]};
    if (*text_skip_space(text) != '\0' || !date_is_real(result))
        return 0;
    *d = result;
    return 1;
}
