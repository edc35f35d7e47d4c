#include "core/strbuf.h"

#include <stdlib.h>
#include <string.h>

/* Make `b` the empty string. It owns no memory yet. */
INV_API void strbuf_init(struct strbuf *b)
{
    memset(b, 0, sizeof *b);
}

/* Give the memory back; `b` is the empty string afterwards and no longer broken. */
INV_API void strbuf_free(struct strbuf *b)
{
    free(b->text);
    strbuf_init(b);
}

/* Make room for `more` bytes and the closing '\0'. Returns where the next byte goes, or NULL when the buffer is
 * broken or now became so. */
static char *room_for(struct strbuf *b, size_t more)
{
    size_t needed = b->length + more + 1;
    if (b->broken)
        return NULL;
    if (needed > b->capacity) {
        size_t capacity = b->capacity * 2 > needed ? b->capacity * 2 : needed;
        char *text = realloc(b->text, capacity);
        if (text == NULL) {
            b->broken = 1;
            return NULL;
        }
        b->text = text;
        b->capacity = capacity;
    }
    return b->text + b->length;
}

/* Add the character `c` `count` times. A count of 0 adds nothing. */
INV_API void strbuf_put_run(struct strbuf *b, char c, size_t count)
{
    char *place = room_for(b, count);
    if (place == NULL)
        return;
    memset(place, c, count);
    place[count] = '\0';
    b->length += count;
}

/* Add `count` bytes, which may hold '\0'. They must not lie in the buffer itself. */
INV_API void strbuf_put_bytes(struct strbuf *b, const char *bytes, size_t count)
{
    char *place = room_for(b, count);
    if (place == NULL)
        return;
    memcpy(place, bytes, count);
    place[count] = '\0';
    b->length += count;
}

/* Add a string; NULL adds nothing. */
INV_API void strbuf_put_text(struct strbuf *b, const char *text)
{
    if (text != NULL)
        strbuf_put_bytes(b, text, strlen(text));
}

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

/* Add `text` as a table's cell of `width` bytes.
 *
 * STRBUF_LEFT puts the text to the left and fills up with spaces behind it, STRBUF_RIGHT puts it to the right with
 * the spaces before it. A text that is longer than the width is cut to its first width - 1 bytes and '~' takes the
 * last place; a width of 0 adds nothing. */
INV_API void strbuf_put_column(struct strbuf *b, const char *text, size_t width, enum strbuf_side side)
{
    size_t length = strlen(text);
    if (width == 0)
        return;
    if (length > width) {
        strbuf_put_bytes(b, text, width - 1);
        strbuf_put_run(b, '~', 1);
        return;
    }
    if (side == STRBUF_RIGHT)
        strbuf_put_run(b, ' ', width - length);
    strbuf_put_bytes(b, text, length);
    if (side == STRBUF_LEFT)
        strbuf_put_run(b, ' ', width - length);
}

/* Shorten the string to `length` bytes; a length that is no shorter changes nothing. */
INV_API void strbuf_cut(struct strbuf *b, size_t length)
{
    if (length < b->length) {
        b->length = length;
        b->text[length] = '\0';
    }
}
