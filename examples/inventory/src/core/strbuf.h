#ifndef INV_CORE_STRBUF_H
#define INV_CORE_STRBUF_H

#include "core/api.h"

#include <stddef.h>

INV_BEGIN

/* A string that grows. `text` is NULL until the first byte is added, then always ends in '\0'.
 * Once memory was short, `broken` is 1 and every further addition is dropped. */
struct strbuf {
    char *text;
    size_t length;
    size_t capacity;
    int broken;
};

enum strbuf_side { STRBUF_LEFT, STRBUF_RIGHT };

INV_API void strbuf_init(struct strbuf *b);
INV_API void strbuf_free(struct strbuf *b);
INV_API void strbuf_put_run(struct strbuf *b, char c, size_t count);
INV_API void strbuf_put_text(struct strbuf *b, const char *text);
INV_API void strbuf_put_bytes(struct strbuf *b, const char *bytes, size_t count);
INV_API void strbuf_put_digits(struct strbuf *b, unsigned long long value, size_t least);
INV_API void strbuf_put_column(struct strbuf *b, const char *text, size_t width, enum strbuf_side side);
INV_API void strbuf_cut(struct strbuf *b, size_t length);

/* What was collected, never NULL. */
INV_INLINE const char *strbuf_text(const struct strbuf *b)
{
    return b->text != NULL ? b->text : "";
}

INV_END

#endif
