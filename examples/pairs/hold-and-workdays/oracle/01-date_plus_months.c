// src/core/date.c: date_plus_months
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
