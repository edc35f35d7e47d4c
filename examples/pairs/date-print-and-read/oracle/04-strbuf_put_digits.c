// src/core/strbuf.c: strbuf_put_digits
/* Add `value` in decimal, with zeros in front until there are at least `least` digits.
 *
 * Zero is written as one digit even when least is 0. */
INV_API void strbuf_put_digits(struct strbuf *b, unsigned long long value, size_t least)
{
    char digits[24];
    size_t count = 0;
    do {
        digits[sizeof digits - ++count] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    if (count < least)
        strbuf_put_run(b, '0', least - count);
    strbuf_put_bytes(b, digits + sizeof digits - count, count);
}
