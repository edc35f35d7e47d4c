/*---
 * tasks: [__aug_close_memstream-186402.2]
 * instead: [src/internal.o]
 * tests:
 *   a close is a success: 'Callers take a negative result for an error.'
 *   the buffer has what was written: 'Docstring: "a string representing whatever was written to it is available".'
 *   the size is that of what was written: 'internal.h: memstream, SIZE; as with open_memstream.'
 *   the buffer ends with a zero byte: 'Docstring: "a string".'
 *   nothing written gives an empty string: 'Docstring: "a string representing whatever was written".'
 *   a long text is whole: 'Docstring: "whatever was written".'
 *   bytes of zero are kept: 'Docstring: "whatever was written"; SIZE.'
 *   what was still unwritten is flushed: 'internal.h: BUF "can not be used until after CLOSE_MEMSTREAM".'
 *   the stream is closed: 'Docstring: "MS->STREAM can not be used anymore".'
 *   the buffer is the caller's to free: 'Docstring: "The caller must free MS->BUF".'
 *   nothing else is left in memory: 'Docstring: the caller frees MS->BUF and the structure alone.'
 *   the structure is the caller's: 'Docstring: "The caller must free the MEMSTREAM structure".'
 *   two streams do not mix: 'internal.h: memstream, each has its BUF.'
 *   a stream that can't be closed is an error: 'Callers take a negative result for an error.'
 *   after such an error nothing is left: 'Callers free MS->BUF alone.'
 *   a short input is read whole: 'Docstring of fread_file_lim: "works just like fread_file".'
 *   the length is told: 'Docstring: "works just like fread_file", whose LENGTH is set.'
 *   the input ends with a zero byte: 'Docstring: "works just like fread_file", which ends the text so.'
 *   an empty input is an empty string: 'Docstring: "works just like fread_file".'
 *   inputs about the size of a buffer are read whole: 'Docstring: "works just like fread_file".'
 *   a long input is read whole: 'Docstring: "If the length of the input is <= max_len".'
 *   bytes of zero are read: 'Docstring: "works just like fread_file".'
 *   an input as long as the limit is read whole: 'Docstring: "If the length of the input is <= max_len".'
 *   of a longer input no more than the limit is read: 'Docstring: "read no more than the specified maximum".'
 *   what is behind the limit is still in the stream: 'Docstring: "read no more than the specified maximum".'
 *   a limit of nothing reads nothing: 'Docstring: "read no more than the specified maximum".'
 *   the input is read from where the stream is: 'Docstring: "works just like fread_file".'
 *   the stream stays open: 'Caller xread_file closes it.'
 *   a failure to read gives NULL: 'Docstring: "upon error while reading that data, it works just like fread_file".'
 *   it tells why: 'Docstring: "works just like fread_file", which keeps errno.'
 *   a failure in the middle gives NULL: 'Docstring: "upon error while reading".'
 *   a failure leaves nothing in memory: 'Callers get NULL and have nothing to free.'
 *   without memory there is NULL and ENOMEM: 'Docstring: "works just like fread_file".'
 *   the text is the caller's to free: 'Caller xfread_file frees or returns it.'
 ---*/
#define _GNU_SOURCE
#include <config.h>
#include "plus.h"
#include "../internal.c"

struct source { size_t at, size, fails_at; int code; };

static char byte(size_t at) {
    return at % 251;
}

static ssize_t give(void *cookie, char *into, size_t size) {
    struct source *s = cookie;
    if (s->at >= s->fails_at) {
        errno = s->code;
        return -1;
    }
    if (size > s->size - s->at) size = s->size - s->at;
    if (size > s->fails_at - s->at) size = s->fails_at - s->at;
    if (size > 1000) size = 1000;
    for (size_t i = 0; i < size; i++) into[i] = byte(s->at + i);
    s->at += size;
    return size;
}

/* A stream of SIZE bytes, of which those from FAILS_AT on can't be read. */
static FILE *stream(struct source *s, size_t size, size_t fails_at) {
    *s = (struct source) {.size = size, .fails_at = fails_at, .code = EIO};
    return fopencookie(s, "r", (cookie_io_functions_t) {.read = give});
}

static int counted(const char *p, size_t from, size_t size) {
    if (!p) return 0;
    for (size_t i = 0; i < size; i++) if (p[i] != byte(from + i)) return 0;
    return p[size] == '\0';
}

/* Whether of SIZE bytes, read with the limit MAX, EXPECTED are read. */
static int reads(size_t size, size_t max, size_t expected) {
    struct source s;
    size_t length = 12345678;
    FILE *f = stream(&s, size, SIZE_MAX);
    char *text = fread_file_lim(f, max, &length);
    int good = length == expected && counted(text, 0, expected);
    free(text);
    fclose(f);
    return good;
}

static ssize_t refuse(void *cookie, const char *from, size_t size) {
    errno = EIO;
    return 0;
}

static int unclosed(void *cookie) {
    errno = EIO;
    return -1;
}

static void close_tests(void) {
    struct memstream ms, other;
    long live = plus_live_blocks;
    if (__aug_init_memstream(&ms) < 0) exit(2);
    fputs("some ", ms.stream);
    fprintf(ms.stream, "%s %d", "text", 7);
    int r = close_memstream(&ms);
    ok("a close is a success", r == 0);
    ok("the buffer has what was written", ms.buf && !strncmp(ms.buf, "some text 7", 11));
    ok("what was still unwritten is flushed", ms.buf && strlen(ms.buf) >= 11);
    ok("the size is that of what was written", ms.size == 11);
    ok("the buffer ends with a zero byte", ms.buf && ms.buf[11] == '\0');
    ok("the stream is closed", plus_live_blocks == live + 1);
    ok("the buffer is the caller's to free", plus_live(ms.buf));
    free(ms.buf);
    ok("nothing else is left in memory", plus_live_blocks == live);

    struct memstream *own = malloc(sizeof(*own));
    __aug_init_memstream(own);
    r = __aug_close_memstream(own);
    ok("the structure is the caller's", plus_live(own));
    ok("nothing written gives an empty string", r == 0 && same(own->buf, "") && own->size == 0);
    free(own->buf);
    free(own);

    __aug_init_memstream(&ms);
    for (size_t i = 0; i < 100000; i++) fputc(i % 50 + 'A', ms.stream);
    r = close_memstream(&ms);
    int good = r == 0 && ms.size == 100000 && ms.buf[100000] == '\0';
    for (size_t i = 0; good && i < 100000; i++) good = ms.buf[i] == i % 50 + 'A';
    ok("a long text is whole", good);
    free(ms.buf);

    __aug_init_memstream(&ms);
    fwrite("a\0b\0", 1, 4, ms.stream);
    r = close_memstream(&ms);
    ok("bytes of zero are kept", r == 0 && ms.size == 4 && !memcmp(ms.buf, "a\0b\0", 5));
    free(ms.buf);

    __aug_init_memstream(&ms);
    __aug_init_memstream(&other);
    fputs("first", ms.stream);
    fputs("second", other.stream);
    r = close_memstream(&ms);
    fputs("more", other.stream);
    r |= close_memstream(&other);
    ok("two streams do not mix", r == 0 && same(ms.buf, "first") && same(other.buf, "secondmore") && other.size == 10);
    free(ms.buf);
    free(other.buf);

    live = plus_live_blocks;
    ms.stream = fopencookie(&ms, "w", (cookie_io_functions_t) {.write = refuse, .close = unclosed});
    ms.buf = strdup("started");
    ms.size = 7;
    fputs("x", ms.stream);
    r = close_memstream(&ms);
    ok("a stream that can't be closed is an error", r < 0);
    free(ms.buf);
    ok("after such an error nothing is left", plus_live_blocks == live);
}

int main(void) {
    plus_start();
    close_tests();

    ok("a short input is read whole", reads(10, 100, 10));
    ok("the length is told", reads(1, 100, 1) && reads(99, 100, 99));
    ok("the input ends with a zero byte", reads(77, 1000, 77));
    ok("an empty input is an empty string", reads(0, 100, 0));
    int good = 1;
    for (int n = 1; n <= 4; n++)
        for (int d = -2; d <= 2; d++) good &= reads(n * BUFSIZ + d, 1 << 20, n * BUFSIZ + d);
    ok("inputs about the size of a buffer are read whole", good);
    ok("a long input is read whole", reads(300000, 1 << 20, 300000));
    ok("bytes of zero are read", reads(600, 1000, 600));
    ok("an input as long as the limit is read whole",
       reads(100, 100, 100) && reads(BUFSIZ, BUFSIZ, BUFSIZ) && reads(50000, 50000, 50000));
    ok("of a longer input no more than the limit is read",
       reads(101, 100, 100) && reads(5000, 7, 7) && reads(3 * BUFSIZ, BUFSIZ, BUFSIZ) && reads(60000, 50000, 50000));
    ok("a limit of nothing reads nothing", reads(10, 0, 0) && reads(0, 0, 0));

    struct source s;
    size_t length = 0;
    long live = plus_live_blocks;
    FILE *f = stream(&s, 3000, SIZE_MAX);
    char *text = fread_file_lim(f, 1234, &length);
    int first = length == 1234 && counted(text, 0, 1234);
    ok("the text is the caller's to free", plus_live(text));
    free(text);
    text = fread_file_lim(f, 20, &length);
    ok("what is behind the limit is still in the stream", first && length == 20 && counted(text, 1234, 20));
    free(text);
    ok("the stream stays open", fgetc(f) == (byte(1254) & 0xff));
    text = fread_file_lim(f, 100000, &length);
    ok("the input is read from where the stream is", length == 1745 && counted(text, 1255, 1745));
    free(text);
    fclose(f);

    live = plus_live_blocks;
    f = stream(&s, 100, 0);
    errno = 0;
    text = fread_file_lim(f, 1000, &length);
    int why = errno;
    ok("a failure to read gives NULL", text == NULL);
    ok("it tells why", why == EIO);
    free(text);
    fclose(f);
    int clean = plus_live_blocks == live;
    f = stream(&s, 100000, 40000);
    text = fread_file_lim(f, 100000, &length);
    ok("a failure in the middle gives NULL", text == NULL);
    free(text);
    fclose(f);
    ok("a failure leaves nothing in memory", clean && plus_live_blocks == live);

    f = stream(&s, 60000, SIZE_MAX);
    if (fgetc(f) != byte(0)) exit(2);       /* The stream has its own buffer now. */
    int missing = 1, failed = 0, at = 1;
    for (; at < 50; at++) {
        long before = plus_live_blocks;
        struct source t;
        FILE *g = stream(&t, 60000, SIZE_MAX);
        fgetc(g);
        ungetc(byte(0), g);
        plus_fail_at = at;
        errno = 0;
        text = fread_file_lim(g, 100000, &length);
        why = errno;
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        missing &= over ? counted(text, 0, 60000) : text == NULL && why == ENOMEM;
        failed += text == NULL;
        free(text);
        fclose(g);
        missing &= plus_live_blocks == before;
        if (over) break;
    }
    ok("without memory there is NULL and ENOMEM", missing && failed > 0 && at < 50);
    fclose(f);
    return plus_end();
}
