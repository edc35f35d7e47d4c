// src/core/date.c: date_month_length
/* How many days the month has: 28 to 31, or 0 when there is no such month. */
INV_API int date_month_length(int year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12)
        return 0;
    return month == 2 && date_is_leap(year) ? 29 : lengths[month - 1];
}
