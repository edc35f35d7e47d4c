#ifndef INV_CORE_CSV_H
#define INV_CORE_CSV_H

#include "core/api.h"
#include "core/strbuf.h"

INV_BEGIN

/* A reader over a text that outlives it. `at` is the next character to read; `line` counts rows from 1. */
struct csv {
    const char *at;
    int line;
    char separator;
};

enum csv_end {
    CSV_FIELD, /* another field of the row follows */
    CSV_ROW,   /* the row ended here */
    CSV_TEXT,  /* the text ended: nothing was read */
    CSV_BAD    /* a quote was never closed, or text follows a closing quote */
};

INV_API void csv_open(struct csv *reader, const char *text, char separator);
INV_API enum csv_end csv_read_field(struct csv *reader, struct strbuf *field);
INV_API int csv_skip_row(struct csv *reader);
INV_API void csv_put_field(struct strbuf *out, const char *field, char separator);

INV_END

#endif
