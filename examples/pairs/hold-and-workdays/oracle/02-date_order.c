// src/core/date.c: date_order
/* Negative, 0 or positive as `a` comes before, is, or comes after `b`. */
INV_API int date_order(struct date a, struct date b)
{
    if (a.year != b.year)
        return a.year < b.year ? -1 : 1;
    if (a.month != b.month)
        return a.month < b.month ? -1 : 1;
    return (a.day > b.day) - (a.day < b.day);
}
