/*---
 * tasks: [56885AFA07B9F858]
 * tests:
 *   all of a short reply is added: 'Docstring: "Returns the length of data that is added to the reply buffer".'
 *   a second reply comes after the first: 'server.h: bufpos is how much of buf is used.'
 *   bytes of any value are copied: 'The parameters: s is `len` bytes, and replies hold binary data.'
 *   an empty reply adds nothing: 'Docstring: the length of data that is added.'
 *   what does not fit is left to the caller: 'networking.c: _addReplyToBufferOrList puts the rest, from the returned length on, into the list.'
 *   a reply that fits exactly is added whole: 'server.h: buf_usable_size is the usable size of the buffer.'
 *   a full buffer takes nothing: 'Docstring: the length of data that is added.'
 *   nothing is written past the usable size: 'Docstring: buf_usable_size bounds the buffer.'
 *   nothing is added while the list holds a reply: 'networking.c: what the list holds is earlier, so what comes later goes behind it.'
 *   a full list leaves the buffer as it was: 'networking.c: what the list holds is earlier, so what comes later goes behind it.'
 *   the peak grows with what is used: 'server.h: buf_peak is the "peak used size of buffer".'
 *   the peak does not fall: 'server.h: buf_peak is the "peak used size of buffer".'
 *   the peak of a full buffer is its size: 'server.c: clientsCronResizeOutputBuffer expands a buffer whose peak equals its size.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

size_t _addReplyToBuffer(client *c, const char *s, size_t len);

#define USABLE 16
static char memory[USABLE + 8];
static client c;

/* The client's buffer: `usable` bytes of an array whose rest is marked. */
static void fresh(void) {
    memset(memory, '#', sizeof(memory));
    memset(&c, 0, sizeof(c));
    c.buf = memory;
    c.buf_usable_size = USABLE;
    c.reply = listCreate();
}

static int holds(const char *expected, int bufpos) {
    return c.bufpos == bufpos && memcmp(memory, expected, bufpos) == 0 && memory[bufpos] == '#';
}

int main(void) {
    size_t n, m;
    fresh();
    n = _addReplyToBuffer(&c, "+OK\r\n", 5);
    test_cond("all of a short reply is added", n == 5 && holds("+OK\r\n", 5));
    m = c.buf_peak;
    n = _addReplyToBuffer(&c, ":42\r\n", 5);
    test_cond("a second reply comes after the first", n == 5 && holds("+OK\r\n:42\r\n", 10));
    test_cond("the peak grows with what is used", m == 5 && c.buf_peak == 10);
    n = _addReplyToBuffer(&c, "x", 0);
    test_cond("an empty reply adds nothing", n == 0 && holds("+OK\r\n:42\r\n", 10));
    n = _addReplyToBuffer(&c, "abcdefghij", 10);
    test_cond("what does not fit is left to the caller", n == 6 && c.bufpos == USABLE);
    test_cond("nothing is written past the usable size",
              memcmp(memory, "+OK\r\n:42\r\nabcdef########", sizeof(memory)) == 0);
    test_cond("the peak of a full buffer is its size", c.buf_peak == USABLE);
    n = _addReplyToBuffer(&c, "z", 1);
    test_cond("a full buffer takes nothing",
              n == 0 && c.bufpos == USABLE && memory[USABLE] == '#' && c.buf_peak == USABLE);
    c.bufpos = 0;
    n = _addReplyToBuffer(&c, "abc", 3);
    test_cond("the peak does not fall", n == 3 && c.bufpos == 3 && c.buf_peak == USABLE);

    fresh();
    n = _addReplyToBuffer(&c, "$3\r\n\0\xff\r\r\n", 9);
    test_cond("bytes of any value are copied", n == 9 && holds("$3\r\n\0\xff\r\r\n", 9));
    n = _addReplyToBuffer(&c, "1234567", 7);
    test_cond("a reply that fits exactly is added whole", n == 7 && c.bufpos == USABLE && memory[USABLE] == '#');

    fresh();
    _addReplyToBuffer(&c, "+OK\r\n", 5);
    listAddNodeTail(c.reply, NULL);
    n = _addReplyToBuffer(&c, ":1\r\n", 4);
    test_cond("nothing is added while the list holds a reply", n == 0);
    test_cond("a full list leaves the buffer as it was", holds("+OK\r\n", 5) && c.buf_peak == 5);
    test_report();
    return 0;
}
