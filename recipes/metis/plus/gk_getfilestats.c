/*---
 * tasks: [gk_getfilestats-626831]
 * tests:
 *   the lines are counted: 'Docstring: "r_nlines is the number of lines in the file".'
 *   the tokens are counted: 'Docstring: "r_ntokens is the number of tokens in the file".'
 *   the most tokens of a line are found: 'Docstring: "the maximum number of tokens in any line in the file".'
 *   the bytes are counted: 'Docstring: "r_nbytes is the number of bytes in the file".'
 *   the longest line may be the first or the last: 'Docstring: "in any line".'
 *   several blanks part two tokens once: 'Callers: ntokens is the number of the numbers of a file.'
 *   a tab parts tokens: 'Caller io.c: strtol reads numbers parted by blanks of any kind.'
 *   the end of a line parts tokens: 'Docstring: tokens "in any line".'
 *   blanks at the ends of lines are no tokens: 'Callers: ntokens is the number of the numbers of a file.'
 *   an empty line has no tokens: 'Docstring: "number of tokens in any line".'
 *   an unfinished last line counts its tokens: 'Docstring: "the number of tokens in the file".'
 *   an empty file has nothing: 'Docstring: all four numbers.'
 *   a single token is one: 'Docstring: "the number of tokens".'
 *   a file longer than any buffer is counted: 'Docstring: "statistics about the file"; callers read large files.'
 *   a token across the bounds of a buffer is one: 'Docstring: "the number of tokens".'
 *   one very long line works: 'Docstring: "the maximum number of tokens in any line".'
 *   each number may be left out: 'Docstring: "If it is NULL, this information is not returned".'
 *   all numbers may be left out: 'Docstring: "If it is NULL, this information is not returned".'
 *   what the results held before does not matter: 'Docstring: "is the number of".'
 *   the file is closed: 'Callers open the file again; a stream left open leaks.'
 *   the file is left as it was: 'Docstring: it gets statistics.'
 ---*/
#include <fcntl.h>
#include <unistd.h>
#include "plus.h"

static char file[] = "plus-stats.txt";
static size_t lines, tokens, most, bytes;

static void write_it(const char *text, size_t n) {
    FILE *f = fopen(file, "w");
    if (!f) exit(1);
    fwrite(text, 1, n, f);
    fclose(f);
}

static void run(const char *text) {
    write_it(text, strlen(text));
    lines = tokens = most = bytes = 1000003;
    gk_getfilestats(file, &lines, &tokens, &most, &bytes);
}

static int is(const char *text, size_t l, size_t t, size_t m) {
    run(text);
    return lines == l && tokens == t && most == m && bytes == strlen(text);
}

static int free_descriptor(void) {
    int fd = dup(1);
    close(fd);
    return fd;
}

static char big[400001];

int main(void) {
    run("7 11 2\n1 2 3 4\n5\n");
    ok("the lines are counted", lines == 3);
    ok("the tokens are counted", tokens == 8);
    ok("the most tokens of a line are found", most == 4);
    ok("the bytes are counted", bytes == 17);
    ok("what the results held before does not matter", lines == 3 && tokens == 8 && most == 4 && bytes == 17);
    ok("the longest line may be the first or the last",
       is("a b c\nd\ne f\n", 3, 6, 3) && is("a b\nc\nd e f g\n", 3, 7, 4));
    ok("several blanks part two tokens once", is("12   34     56\n", 1, 3, 3));
    ok("a tab parts tokens", is("12\t34\t\t56 \t 78\n", 1, 4, 4));
    ok("the end of a line parts tokens", is("12\n34\n56\n", 3, 3, 1));
    ok("blanks at the ends of lines are no tokens", is("  1 2  \n\t3\t\n   \n", 3, 3, 2));
    ok("an empty line has no tokens", is("\n\n1 2\n\n", 4, 2, 2) && is("\n", 1, 0, 0));
    run("1 2\n3 4 5");
    ok("an unfinished last line counts its tokens", tokens == 5 && most == 3 && bytes == 9);
    ok("an empty file has nothing", is("", 0, 0, 0));
    run("x");
    int one = tokens == 1 && most == 1 && bytes == 1;
    ok("a single token is one", one && is("word\n", 1, 1, 1));

    int large = 1;
    size_t n = 0, l = 0, t = 0;
    while (n < 399900) {
        int k = 1 + (l * 7) % 9;
        for (int i = 0; i < k; i++) n += sprintf(big + n, "%s%d", i ? " " : "", (int)(l * 31 + i) % 100000);
        big[n++] = '\n';
        l++;
        t += k;
    }
    big[n] = 0;
    large = is(big, l, t, 9);
    ok("a file longer than any buffer is counted", large);
    int across = 1;
    for (size_t size = 256; size <= 131072; size *= 2)
        for (int shift = -2; shift <= 1; shift++) {
            memset(big, ' ', size + 300);
            size_t at = size + shift;
            memcpy(big + at - 1, "abc\nd", 5);
            strcpy(big + size + 299, "\n");
            across &= is(big, 2, 2, 1);
            memset(big, 'x', size + shift);
            strcpy(big + size + shift, "\n");
            across &= is(big, 1, 1, 1);
        }
    ok("a token across the bounds of a buffer is one", across);
    for (n = 0; n < 60000; n += 2) memcpy(big + n, "1 ", 2);
    strcpy(big + n, "\n2 2\n");
    ok("one very long line works", is(big, 2, 30002, 30000));

    write_it("1 2\n3 4 5\n", 10);
    int each = 1;
    for (int mask = 0; mask < 16; mask++) {
        lines = tokens = most = bytes = 99;
        gk_getfilestats(file, mask & 1 ? &lines : NULL, mask & 2 ? &tokens : NULL, mask & 4 ? &most : NULL,
                        mask & 8 ? &bytes : NULL);
        each &= lines == (mask & 1 ? 2 : 99) && tokens == (mask & 2 ? 5 : 99) && most == (mask & 4 ? 3 : 99) &&
                bytes == (mask & 8 ? 10 : 99);
    }
    ok("each number may be left out", each);
    gk_getfilestats(file, NULL, NULL, NULL, NULL);
    ok("all numbers may be left out", 1);
    int fd = free_descriptor();
    for (int i = 0; i < 5; i++) gk_getfilestats(file, &lines, &tokens, &most, &bytes);
    ok("the file is closed", free_descriptor() == fd);
    char text[32] = "";
    FILE *f = fopen(file, "r");
    size_t got = f ? fread(text, 1, 31, f) : 0;
    ok("the file is left as it was", got == 10 && !memcmp(text, "1 2\n3 4 5\n", 10));
    if (f) fclose(f);
    remove(file);
    return done();
}
