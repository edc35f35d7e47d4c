// src/core/date.c: date_plus_days
/* The day that comes `days` days after `d`; before it, when days is negative. */
INV_API struct date date_plus_days(struct date d, int64_t days)
{
    return date_of_number(date_number(d) + days);
}
