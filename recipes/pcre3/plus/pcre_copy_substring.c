/*---
 * tasks: [pcre_copy_substring-f87e4c]
 * tests:
 *   the whole match is copied: 'pcreapi.3: "A value of zero extracts the substring that matched the entire pattern".'
 *   a group is copied: 'Docstring: "copies a single captured substring into a given buffer".'
 *   the last of the captured groups is copied: 'Docstring: stringcount, "the number of substrings ... captured".'
 *   the length is returned without the zero: 'Docstring: "the length of the copied string, not including the zero".'
 *   a zero is put on the end: 'Docstring: "not including the zero that is put on the end".'
 *   nothing behind the zero is written: 'Docstring: "copies a single captured substring".'
 *   an empty group gives an empty string: 'Docstring: "can be zero".'
 *   an unset group gives an empty string: 'pcreapi.3: of a substring that is unset "they return an empty string".'
 *   zeros in the string are copied: 'Docstring: "in case there are binary zeros in the string".'
 *   a buffer that just holds it is enough: 'Docstring: PCRE_ERROR_NOMEMORY, "buffer too small".'
 *   a buffer without room for the zero is too small: 'Docstring: PCRE_ERROR_NOMEMORY, "buffer too small".'
 *   a buffer that is much too small is refused: 'Docstring: PCRE_ERROR_NOMEMORY, "buffer too small".'
 *   an empty string needs room for its zero: 'Docstring: PCRE_ERROR_NOMEMORY; the zero "is put on the end".'
 *   no byte is written past a small buffer: 'Docstring: size, "the size of the buffer".'
 *   a number as large as the count is no substring: 'Docstring: PCRE_ERROR_NOSUBSTRING, "no such captured substring".'
 *   a larger number is no substring: 'Docstring: PCRE_ERROR_NOSUBSTRING, "no such captured substring".'
 *   a negative number is no substring: 'Docstring: PCRE_ERROR_NOSUBSTRING, "no such captured substring".'
 *   with a count of zero there is no substring: 'Docstring: PCRE_ERROR_NOSUBSTRING.'
 *   a missing substring is told before a small buffer: 'Docstring: both errors; there is nothing that could not fit.'
 *   the offsets and the subject stay as they were: 'Docstring: only buffer is "where to put the substring".'
 *   characters of 16 bits are copied whole: 'Docstring, of pcre16_copy_substring.'
 *   sizes and lengths of 16-bit strings are in characters: 'pcre16.3: lengths are in 16-bit units.'
 *   characters of 32 bits are copied whole: 'Docstring, of pcre32_copy_substring.'
 *   sizes and lengths of 32-bit strings are in characters: 'pcre32.3: lengths are in 32-bit units.'
 ---*/
#include "plus.h"
#include "pcre.h"

static const char subject[] = "xxabc\0def--";
/* Whole match; "abc"; empty; unset; "c\0d". */
static const int offsets[] = {2, 9, 2, 5, 5, 5, -1, -1, 4, 7, 99, 99};
static int ovector[12];
static char buffer[40];

/* Copies group N of COUNT into a buffer of SIZE bytes, with all else marked. */
static int copy(int count, int n, int size) {
    memset(buffer, '#', sizeof(buffer));
    memcpy(ovector, offsets, sizeof(ovector));
    return pcre_copy_substring(subject, ovector, count, n, buffer + 8, size);
}

/* Whether the buffer holds TEXT and a zero, and nothing else was written. */
static int holds(const char *text, int size) {
    int i, good = memcmp(buffer + 8, text, size) == 0 && buffer[8 + size] == 0;
    for (i = 0; i < 8; i++) good &= buffer[i] == '#';
    for (i = 9 + size; i < (int) sizeof(buffer); i++) good &= buffer[i] == '#';
    return good;
}

static int clean_from(int at) {
    int i, good = 1;
    for (i = 0; i < 8; i++) good &= buffer[i] == '#';
    for (i = 8 + at; i < (int) sizeof(buffer); i++) good &= buffer[i] == '#';
    return good;
}

int main(void) {
    int r, good;
    r = copy(5, 0, 20);
    ok("the whole match is copied", r == 7 && holds("abc\0def", 7));
    r = copy(5, 1, 20);
    ok("a group is copied", holds("abc", 3));
    ok("the length is returned without the zero", r == 3);
    ok("a zero is put on the end", buffer[8 + 3] == 0);
    ok("nothing behind the zero is written", clean_from(4));
    r = copy(5, 4, 20);
    ok("the last of the captured groups is copied", r == 3 && buffer[8] == 'c');
    ok("zeros in the string are copied", holds("c\0d", 3));
    r = copy(5, 2, 20);
    ok("an empty group gives an empty string", r == 0 && holds("", 0));
    r = copy(5, 3, 20);
    ok("an unset group gives an empty string", r == 0 && holds("", 0));

    r = copy(5, 1, 4);
    good = r == 3 && holds("abc", 3);
    r = copy(5, 2, 1);
    good &= r == 0 && holds("", 0);
    r = copy(5, 0, 8);
    ok("a buffer that just holds it is enough", good && r == 7 && holds("abc\0def", 7));
    good = copy(5, 1, 3) == PCRE_ERROR_NOMEMORY;
    good &= clean_from(3);
    ok("a buffer without room for the zero is too small", good && copy(5, 0, 7) == PCRE_ERROR_NOMEMORY);
    ok("a buffer that is much too small is refused",
       copy(5, 1, 0) == PCRE_ERROR_NOMEMORY && copy(5, 1, 1) == PCRE_ERROR_NOMEMORY &&
       copy(5, 0, 2) == PCRE_ERROR_NOMEMORY);
    ok("an empty string needs room for its zero",
       copy(5, 2, 0) == PCRE_ERROR_NOMEMORY && copy(5, 3, 0) == PCRE_ERROR_NOMEMORY);
    copy(5, 0, 2);
    good = clean_from(2);
    copy(5, 1, 0);
    ok("no byte is written past a small buffer", good && clean_from(0));

    ok("a number as large as the count is no substring",
       copy(5, 5, 20) == PCRE_ERROR_NOSUBSTRING && copy(1, 1, 20) == PCRE_ERROR_NOSUBSTRING);
    ok("a larger number is no substring", copy(2, 4, 20) == PCRE_ERROR_NOSUBSTRING);
    ok("a negative number is no substring",
       copy(5, -1, 20) == PCRE_ERROR_NOSUBSTRING && copy(5, -1000, 20) == PCRE_ERROR_NOSUBSTRING);
    ok("with a count of zero there is no substring", copy(0, 0, 20) == PCRE_ERROR_NOSUBSTRING);
    ok("a missing substring is told before a small buffer",
       copy(5, 5, 0) == PCRE_ERROR_NOSUBSTRING && copy(5, -1, 0) == PCRE_ERROR_NOSUBSTRING);
    copy(5, 1, 20);
    ok("the offsets and the subject stay as they were",
       !memcmp(ovector, offsets, sizeof(offsets)) && !memcmp(subject, "xxabc\0def--", sizeof(subject)));

    {
        static const unsigned short text[] = {0x141, 'x', 0xd801, 0, 0xff00, 'y'};
        unsigned short to[8];
        int ov[] = {1, 5, 2, 5};
        memset(to, 0x77, sizeof(to));
        r = pcre16_copy_substring(text, ov, 2, 1, to, 4);
        ok("characters of 16 bits are copied whole",
           to[0] == 0xd801 && to[1] == 0 && to[2] == 0xff00 && to[3] == 0 && to[4] == 0x7777);
        ok("sizes and lengths of 16-bit strings are in characters",
           r == 3 && pcre16_copy_substring(text, ov, 2, 1, to, 3) == PCRE_ERROR_NOMEMORY &&
           pcre16_copy_substring(text, ov, 2, 2, to, 8) == PCRE_ERROR_NOSUBSTRING);
    }
    {
        static const unsigned int text[] = {0x10141, 'x', 0x10ffff, 0, 0xff0000, 'y'};
        unsigned int to[8];
        int ov[] = {1, 5, 2, 5};
        memset(to, 0x77, sizeof(to));
        r = pcre32_copy_substring(text, ov, 2, 1, to, 4);
        ok("characters of 32 bits are copied whole",
           to[0] == 0x10ffff && to[1] == 0 && to[2] == 0xff0000 && to[3] == 0 && to[4] == 0x77777777);
        ok("sizes and lengths of 32-bit strings are in characters",
           r == 3 && pcre32_copy_substring(text, ov, 2, 1, to, 3) == PCRE_ERROR_NOMEMORY &&
           pcre32_copy_substring(text, ov, 2, 2, to, 8) == PCRE_ERROR_NOSUBSTRING);
    }
    return plus_end();
}
