// src/core/date.c: date_weekday
/* The day of the week: 1 is Monday, 7 is Sunday. */
INV_API int date_weekday(struct date d)
{
    int64_t since_monday = (date_number(d) + 3) % 7;
    return (int)(since_monday < 0 ? since_monday + 7 : since_monday) + 1;
}
