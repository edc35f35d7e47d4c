/*---
 * tasks: [PRIV-f37b47]
 * tests:
 *   zero is one character: 'Docstring: "an integer value in the range 0 - 0x10ffff".'
 *   a letter is one character: 'Docstring: "as a UTF-16 character in 1 to 2 pcre_uchars".'
 *   the last value of one character is itself: 'Docstring: UTF-16, of which 0xffff is one unit.'
 *   values around the surrogates are themselves: 'Docstring: UTF-16, of which values below 0x10000 are one unit.'
 *   of one character only one is written: 'Docstring: "number of characters placed in the buffer".'
 *   the first value of two characters is a pair: 'Docstring: "in 1 to 2 pcre_uchars"; UTF-16.'
 *   the last value is a pair: 'Docstring: "in the range 0 - 0x10ffff".'
 *   the high surrogate comes first: 'Docstring: UTF-16.'
 *   of a pair only two are written: 'Docstring: "at least 2 pcre_uchars long".'
 *   the number of characters is returned for each value: 'Docstring: "number of characters placed in the buffer".'
 *   each value decodes to itself: 'Docstring: "encodes it as a UTF-16 character".'
 ---*/
#include "plus.h"

unsigned int _pcre16_ord2utf(unsigned int value, unsigned short *buffer);

static unsigned short to[4];

static unsigned int put(unsigned int value) {
    to[0] = to[1] = to[2] = to[3] = 0x7a5b;
    return _pcre16_ord2utf(value, to + 1);
}

/* The value that N units at P stand for. */
static unsigned int decoded(const unsigned short *p, unsigned int n) {
    if (n == 1) return p[0];
    if (n != 2 || (p[0] & 0xfc00) != 0xd800 || (p[1] & 0xfc00) != 0xdc00) return 0xffffffff;
    return 0x10000 + (p[0] - 0xd800) * 0x400 + (p[1] - 0xdc00);
}

int main(void) {
    unsigned int r, value;
    int good, counts = 1;
    r = put(0);
    ok("zero is one character", r == 1 && to[1] == 0);
    r = put('a');
    ok("a letter is one character", r == 1 && to[1] == 'a');
    ok("of one character only one is written", to[0] == 0x7a5b && to[2] == 0x7a5b && to[3] == 0x7a5b);
    r = put(0xffff);
    ok("the last value of one character is itself", r == 1 && to[1] == 0xffff && to[2] == 0x7a5b);
    good = put(0xd7ff) == 1 && to[1] == 0xd7ff;
    ok("values around the surrogates are themselves", good && put(0xe000) == 1 && to[1] == 0xe000);
    r = put(0x10000);
    ok("the first value of two characters is a pair", r == 2 && to[1] == 0xd800 && to[2] == 0xdc00);
    r = put(0x10ffff);
    ok("the last value is a pair", r == 2 && to[1] == 0xdbff && to[2] == 0xdfff);
    r = put(0x1f600);
    ok("the high surrogate comes first", r == 2 && to[1] == 0xd83d && to[2] == 0xde00);
    ok("of a pair only two are written", to[0] == 0x7a5b && to[3] == 0x7a5b);
    good = 1;
    for (value = 0; value <= 0x10ffff; value++) {
        if (value == 0xd800) value = 0xe000;
        r = put(value);
        counts &= r == (value < 0x10000 ? 1 : 2);
        good &= decoded(to + 1, r) == value;
    }
    ok("the number of characters is returned for each value", counts);
    ok("each value decodes to itself", good);
    return plus_end();
}
