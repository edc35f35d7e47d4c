// src/core/strbuf.c: strbuf_put_text
/* Add a string; NULL adds nothing. */
INV_API void strbuf_put_text(struct strbuf *b, const char *text)
{
    if (text != NULL)
        strbuf_put_bytes(b, text, strlen(text));
}
