// src/core/date.c: date_plus_workdays
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
