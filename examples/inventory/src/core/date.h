#ifndef INV_CORE_DATE_H
#define INV_CORE_DATE_H

#include "core/api.h"
#include "core/strbuf.h"

#include <stdint.h>

INV_BEGIN

/* A day of the Gregorian calendar; months and days count from 1. */
struct date {
    int year;
    int month;
    int day;
};

INV_API int date_month_length(int year, int month);
INV_API int date_is_real(struct date d);
INV_API int64_t date_number(struct date d);
INV_API struct date date_of_number(int64_t number);
INV_API int date_order(struct date a, struct date b);
INV_API struct date date_plus_days(struct date d, int64_t days);
INV_API struct date date_plus_months(struct date d, int months);
INV_API struct date date_plus_workdays(struct date d, int workdays);
INV_API int date_weekday(struct date d);
INV_API void date_print(struct strbuf *out, struct date d);
INV_API INV_CHECKED int date_read(const char *text, struct date *d);

/* 1 for a leap year, else 0. */
INV_INLINE int date_is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

INV_END

#endif
