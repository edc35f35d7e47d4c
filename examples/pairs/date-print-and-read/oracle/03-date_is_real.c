// src/core/date.c: date_is_real
/* 1 when the calendar has such a day in the years 1 to 9999, else 0. */
INV_API int date_is_real(struct date d)
{
    return d.year >= 1 && d.year <= 9999 && d.day >= 1 && d.day <= date_month_length(d.year, d.month);
}
