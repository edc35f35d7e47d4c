// src/core/date.c: date_print
/* Add the date to `out` as 2024-02-29: four digits, two and two. */
INV_API void date_print(struct strbuf *out, struct date d)
{
    strbuf_put_digits(out, (unsigned)d.year, 4);
    strbuf_put_run(out, '-', 1);
    strbuf_put_digits(out, (unsigned)d.month, 2);
    strbuf_put_run(out, '-', 1);
    strbuf_put_digits(out, (unsigned)d.day, 2);
}
