/*---
 * tasks: [ly_write_skipped-672e65]
 * tests:
 *   a hole in memory is filled: 'Docstring: "Write data into the hole at given position".'
 *   what is around a hole in memory stays: 'Docstring: "the hole at given position".'
 *   two holes in memory are filled in any order: 'Docstring: POSITION, "provided by ly_write_skip".'
 *   printed bytes do not change in memory: 'Docstring: "Does not change printed bytes".'
 *   writing goes on behind in memory: 'Docstring: it fills the hole.'
 *   before the hole is filled nothing is written: 'out_internal.h: BUFFERED, "additional buffer for holes".'
 *   with the last hole the buffer is written: 'out_internal.h: HOLE_COUNT; data wait for all holes.'
 *   with one of two holes it is not yet written: 'out_internal.h: HOLE_COUNT, "hole counter".'
 *   with both holes it is written in order: 'out_internal.h: HOLE_COUNT; POSITION.'
 *   the buffer is empty then: 'out_internal.h: BUF_LEN, "number of used bytes in the additional buffer".'
 *   after it data are written at once: 'out.c: ly_write_ buffers only while there are holes.'
 *   a second hole after the first is written once: 'out_internal.h: BUF_LEN.'
 *   a hole for a callback is filled: 'out.h: LY_OUT_CALLBACK; out_internal.h.'
 *   a hole for a file is filled: 'out.h: LY_OUT_FILE.'
 *   a hole for a path is filled: 'out.h: LY_OUT_FILEPATH.'
 *   bytes of zero are written: 'Docstring: LEN of "Memory buffer"; LYB is binary.'
 *   an error of the output is returned: 'Docstring: "LY_ERR value"; out.c: ly_write_, LY_ESYS.'
 *   a success is LY_SUCCESS: 'Docstring: "LY_ERR value".'
 *   an output of no type is LY_EINT: 'out.c: ly_write_ and ly_write_skip do the same.'
 ---*/
#include "yang.h"
#include "out.h"
#include "out_internal.h"
#include <fcntl.h>

static char got[200];
static size_t size;
static int broken, all = 1;

static ssize_t take(void *arg, const void *buf, size_t count) {
    if (broken) {
        errno = EIO;
        return -1;
    }
    memcpy(got + size, buf, count);
    size += count;
    return count;
}

static void fill(struct ly_out *out, size_t position, const char *text, size_t len) {
    all &= ly_write_skipped(out, position, text, len) == LY_SUCCESS;
}

static int has(int fd, const char *text) {
    char out[200];
    ssize_t n = pread(fd, out, sizeof out, 0);
    return n == (ssize_t)strlen(text) && !memcmp(out, text, n);
}

int main(void) {
    plus_start();
    size_t a = 0, b = 0;
    char *text = NULL;
    struct ly_out *out;
    ly_out_new_memory(&text, 0, &out);
    ly_write_(out, "abc", 3);
    ly_write_skip(out, 2, &a);
    ly_write_(out, "def", 3);
    ly_write_skip(out, 3, &b);
    ly_write_(out, "g", 1);
    size_t printed = out->printed, by_func = out->func_printed;
    fill(out, b, "678", 3);
    int second = !memcmp(text + b, "678", 3);
    fill(out, a, "12", 2);
    ok("a hole in memory is filled", !memcmp(text + 3, "12", 2));
    ok("what is around a hole in memory stays", !memcmp(text, "abc", 3) && !memcmp(text + 5, "def", 3));
    ok("two holes in memory are filled in any order", second && same(text, "abc12def678g"));
    ok("printed bytes do not change in memory", out->printed == printed && out->func_printed == by_func);
    ly_write_(out, "hi", 2);
    ok("writing goes on behind in memory", same(text, "abc12def678ghi"));
    ly_out_free(out, NULL, 0);
    free(text);

    char path[] = "/tmp/plus-XXXXXX";
    int fd = mkstemp(path);
    ly_out_new_fd(fd, &out);
    ly_write_(out, "abc", 3);
    ly_write_skip(out, 2, &a);
    ly_write_(out, "def", 3);
    ok("before the hole is filled nothing is written", has(fd, "abc"));
    fill(out, a, "12", 2);
    ok("with the last hole the buffer is written", has(fd, "abc12def"));
    ok("the buffer is empty then", out->buf_len == 0 && out->hole_count == 0);
    ly_write_(out, "x", 1);
    ok("after it data are written at once", has(fd, "abc12defx"));
    ly_write_skip(out, 2, &a);
    ly_write_(out, "y", 1);
    fill(out, a, "34", 2);
    ok("a second hole after the first is written once", has(fd, "abc12defx34y"));
    ly_write_skip(out, 2, &a);
    ly_write_(out, "z", 1);
    ly_write_skip(out, 1, &b);
    ly_write_(out, "!", 1);
    fill(out, b, "7", 1);
    ok("with one of two holes it is not yet written", has(fd, "abc12defx34y") && out->hole_count == 1);
    fill(out, a, "56", 2);
    ok("with both holes it is written in order", has(fd, "abc12defx34y56z7!"));
    ly_out_free(out, NULL, 0);
    close(fd);

    ly_out_new_clb(take, NULL, &out);
    ly_write_skip(out, 4, &a);
    ly_write_(out, "tail", 4);
    int before = size == 0;
    fill(out, a, "\1\0\0\2", 4);
    ok("a hole for a callback is filled", before && size == 8 && !memcmp(got + 4, "tail", 4));
    ok("bytes of zero are written", !memcmp(got, "\1\0\0\2", 4));
    broken = 1;
    ly_write_skip(out, 1, &a);
    ly_log_options(0);
    ok("an error of the output is returned", ly_write_skipped(out, a, "x", 1) == LY_ESYS);
    struct ly_out none = {.type = LY_OUT_ERROR};
    ok("an output of no type is LY_EINT", ly_write_skipped(&none, 0, "x", 1) == LY_EINT);
    ly_out_free(out, NULL, 0);

    FILE *f = fopen(path, "w+");
    ly_out_new_file(f, &out);
    ly_write_(out, "<", 1);
    ly_write_skip(out, 1, &a);
    ly_write_(out, ">", 1);
    fill(out, a, "-", 1);
    fflush(f);
    ok("a hole for a file is filled", has(fileno(f), "<->"));
    ly_out_free(out, NULL, 0);
    fclose(f);

    ly_out_new_filepath(path, &out);
    ly_write_skip(out, 2, &a);
    ly_write_(out, "rest", 4);
    fill(out, a, "98", 2);
    ly_out_free(out, NULL, 0);
    fd = open(path, O_RDONLY);
    ok("a hole for a path is filled", has(fd, "98rest"));
    ok("a success is LY_SUCCESS", all);
    close(fd);
    unlink(path);
    return plus_end();
}
