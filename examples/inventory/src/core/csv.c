#include "core/csv.h"

#include <string.h>

/* Start to read `text`, whose fields are separated by `separator`. */
INV_API void csv_open(struct csv *reader, const char *text, char separator)
{
    reader->at = text;
    reader->line = 1;
    reader->separator = separator;
}

/* Copy a quoted field from behind its opening quote into `field`, "" standing for one quote. Returns 1 with the
 * reader behind the closing quote, or 0 when the text ends first. */
static int take_quoted(struct csv *reader, struct strbuf *field)
{
    while (*reader->at != '\0') {
        char c = *reader->at++;
        if (c == '"' && *reader->at != '"')
            return 1;
        if (c == '"')
            reader->at++;
        strbuf_put_run(field, c, 1);
    }
    return 0;
}

/* Move over one end of line, "\n" or "\r\n", and count it. Returns 1, or 0 when the reader stands at none. */
static int take_newline(struct csv *reader)
{
    if (reader->at[0] == '\r' && reader->at[1] == '\n')
        reader->at++;
    if (*reader->at != '\n')
        return 0;
    reader->at++;
    reader->line++;
    return 1;
}

/* Read the next field into `field`, whose old text is dropped, and tell what comes after it.
 *
 * A field that starts with a quote ends at the closing quote and may hold separators, ends of lines and, written
 * twice, quotes. Returns CSV_FIELD when a separator followed (it is skipped), CSV_ROW when the row ended with this
 * field, CSV_TEXT when there was nothing left to read at the start, CSV_BAD on a quote without an end or text right
 * behind a closing quote. The last row needs no end of line; a separator at the very end of the text starts no
 * further field, so CSV_ROW follows it. */
INV_API enum csv_end csv_read_field(struct csv *reader, struct strbuf *field)
{
    strbuf_cut(field, 0);
    if (*reader->at == '\0')
        return CSV_TEXT;
    if (*reader->at == '"') {
        reader->at++;
        if (!take_quoted(reader, field))
            return CSV_BAD;
    } else {
        const char stops[] = {reader->separator, '\r', '\n', '\0'};
        size_t length = strcspn(reader->at, stops);
        strbuf_put_bytes(field, reader->at, length);
        reader->at += length;
    }
    if (*reader->at == reader->separator) {
        reader->at++;
        return *reader->at == '\0' ? CSV_ROW : CSV_FIELD;
    }
    if (*reader->at == '\0' || take_newline(reader))
        return CSV_ROW;
    return CSV_BAD;
}

/* Skip what is left of the current row, an end of line inside quotes included.
 *
 * Returns 1 when another row may follow, 0 when the text is at its end. */
INV_API int csv_skip_row(struct csv *reader)
{
    int quoted = 0;
    while (*reader->at != '\0') {
        if (*reader->at == '"')
            quoted = !quoted;
        if (!quoted && take_newline(reader))
            break;
        reader->at++;
    }
    return *reader->at != '\0';
}

/* Add one field to `out`, in quotes only where it needs them: when it holds the separator, a quote, '\r' or '\n'.
 * A quote inside is written twice. No separator is added. */
INV_API void csv_put_field(struct strbuf *out, const char *field, char separator)
{
    const char special[] = {separator, '"', '\r', '\n', '\0'};
    if (strpbrk(field, special) == NULL) {
        strbuf_put_text(out, field);
        return;
    }
    strbuf_put_run(out, '"', 1);
    for (; *field != '\0'; field++)
        strbuf_put_run(out, *field, *field == '"' ? 2 : 1);
    strbuf_put_run(out, '"', 1);
}
