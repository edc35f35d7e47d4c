// src/core/strbuf.c: strbuf_put_run
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
