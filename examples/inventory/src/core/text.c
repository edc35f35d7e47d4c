#include "core/text.h"

#include <ctype.h>
#include <string.h>

/* The first character of `text` that is no white space; it may be the closing '\0'. */
INV_API const char *text_skip_space(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

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

/* Cut the white space off both ends, in place.
 *
 * Returns a pointer into `text` to the first character that stays; the white space behind the last one is
 * overwritten by '\0'. A text of white space only becomes the empty string. */
INV_API char *text_trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* 1 when the two texts are equal but for the case of letters, and but for '-' and ' ', which are left out of both:
 * "AB-12" is the same as "ab 12" and "ab12". Else 0. */
INV_API int text_same(const char *a, const char *b)
{
    for (;;) {
        while (*a == '-' || *a == ' ')
            a++;
        while (*b == '-' || *b == ' ')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return 0;
        if (*a == '\0')
            return 1;
        a++;
        b++;
    }
}

/* 1 when the whole of `text` fits `pattern`, else 0.
 *
 * In the pattern '?' stands for any one character, '*' for any number of them, none included; every other
 * character stands for itself. There is no escape. */
INV_API int text_fits(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return 0;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* The check digit of a European article number: `digits` holds its first 12 (EAN-13) or 7 (EAN-8) digits.
 *
 * From the right the digits weigh 3, 1, 3, 1, ...; the check digit brings the weighted sum up to a multiple of 10.
 * Returns it as a number from 0 to 9, or -1 when the text holds anything but digits or has another length. */
INV_API int text_check_digit(const char *digits)
{
    size_t length = strlen(digits);
    int sum = 0;
    if (length != 12 && length != 7)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return -1;
        int weight = (length - i) % 2 == 1 ? 3 : 1;
        sum += weight * (digits[i] - '0');
    }
    return (10 - sum % 10) % 10;
}
