// src/core/text.c: text_take_digits
/* Read at most `most` decimal digits from *text and move *text behind them.
 *
 * Stores their value in *value (0 when there is none) and returns how many digits were read. `most` is at most 18,
 * so the value can't overflow. */
INV_API size_t text_take_digits(const char **text, size_t most, int64_t *value)
{
    size_t count = 0;
    *value = 0;
    while (count < most && isdigit((unsigned char)**text)) {
        *value = *value * 10 + (**text - '0');
        (*text)++;
        count++;
    }
    return count;
}
