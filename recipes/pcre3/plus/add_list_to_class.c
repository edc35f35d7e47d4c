/*---
 * tasks: [add_list_to_class-8b7d2f]
 * tests:
 *   a character of a list is added: 'Docstring: "adding a list of ... characters to a class".'
 *   each character of a list is added: 'Docstring: "adding a list of ... characters to a class".'
 *   no other characters are added: 'Docstring: "adding a list of ... characters to a class".'
 *   an empty list adds nothing: 'Docstring: p, a row "terminated by NOTACHAR".'
 *   what follows the end of the list is not added: 'Docstring: "terminated by NOTACHAR".'
 *   a range in a list is added: 'Docstring: "ranges of characters are detected and handled".'
 *   the characters beside a range are not: 'Docstring: "adding a list of ... characters to a class".'
 *   the number of low characters is returned: 'Docstring: "the number of < 256 characters added".'
 *   high characters do not count: 'Docstring: "the number of < 256 characters added".'
 *   a list in several ranges is counted in all: 'Docstring: "the number of < 256 characters added".'
 *   the character to omit is omitted: 'Docstring: except, "character to omit".'
 *   it is omitted at the end of a list: 'Docstring: except, "character to omit".'
 *   it is omitted at the start of a range: 'Docstring: except, "character to omit".'
 *   it does not count: 'Docstring: "the number of < 256 characters added".'
 *   the others are added all the same: 'Docstring: except, "to avoid including the one we already know about".'
 *   without a character to omit all are added: 'Callers pass NOTACHAR for "except".'
 *   what was in the class stays: 'Docstring: classbits, "the bit map".'
 *   a high character goes to the extra data: 'Docstring: "points to the pointer for extra data".'
 *   a high range goes there as a range: 'Docstring: "ranges of characters are detected and handled appropriately".'
 *   the pointer to extra data is updated: 'Docstring: "the pointer to extra data is updated".'
 *   without high characters the pointer stays: 'Docstring: "the pointer to extra data is updated".'
 *   a range across 255 is split: 'Docstring: "the bit map for characters < 256".'
 *   high characters to omit are omitted: 'Docstring: except, "character to omit".'
 *   without UTF high characters are left out: 'add_to_class: "adjust the final value according to the bit length".'
 *   the options are handed on: 'Docstring: options, "the options word".'
 *   the tables are handed on: 'Docstring: cd, "contains pointers to tables etc."; add_to_class, caseless.'
 *   the list of horizontal space is added: 'Docstring: "a list of horizontal or vertical whitespace".'
 ---*/
#include <config.h>
#include "../pcre_compile.c"
#include "plus.h"

static pcre_uint8 bits[32];
static pcre_uchar extra[400], *to;
static compile_data data;

/* Adds LIST to an empty class. */
static int add(int options, const pcre_uint32 *list, unsigned except) {
    memset(bits, 0, sizeof(bits));
    memset(extra, 0xee, sizeof(extra));
    to = extra;
    return add_list_to_class(bits, &to, options, &data, list, except);
}

static int has(int c) {
    return bits[c / 8] >> (c & 7) & 1;
}

static int number(void) {
    int c, n = 0;
    for (c = 0; c < 256; c++) n += has(c);
    return n;
}

/* Whether the extra data is a range or, with TO of 0, a single character, at AT; gives its end. */
static pcre_uchar *item(pcre_uchar *at, pcre_uint32 from, pcre_uint32 end) {
    pcre_uchar expected[20];
    int n = 1;
    if (at == NULL) return NULL;
    expected[0] = end ? XCL_RANGE : XCL_SINGLE;
    n += PRIV(ord2utf)(from, expected + n);
    if (end) n += PRIV(ord2utf)(end, expected + n);
    return memcmp(at, expected, n) ? NULL : at + n;
}

int main(void) {
    static const pcre_uint32 one[] = {'x', NOTACHAR}, some[] = {0, 'b', 'q', 255, NOTACHAR, 'z', NOTACHAR};
    static const pcre_uint32 none[] = {NOTACHAR, 'a', NOTACHAR};
    static const pcre_uint32 range[] = {'c', 'd', 'e', 'f', 'x', NOTACHAR};
    static const pcre_uint32 two[] = {9, 10, 11, 32, 'a', 'b', 200, NOTACHAR}, high[] = {'k', 0x212a, NOTACHAR};
    static const pcre_uint32 mixed[] = {0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x3000, NOTACHAR};
    static const pcre_uint32 across[] = {0xfe, 0xff, 0x100, 0x101, NOTACHAR}, last[] = {'a', 'z', NOTACHAR};
    static const pcre_uint32 space[] = {HSPACE_LIST};
    int n, good, i, UTF = PCRE_UTF8;
    pcre_uchar *p;
    data.fcc = PRIV(default_tables) + fcc_offset;

    n = add(0, one, NOTACHAR);
    ok("a character of a list is added", has('x'));
    good = n == 1 && number() == 1;
    n = add(0, some, NOTACHAR);
    ok("each character of a list is added", has(0) && has('b') && has('q') && has(255));
    ok("no other characters are added", good && number() == 4);
    ok("what follows the end of the list is not added", !has('z'));
    good = n == 4;
    n = add(0, none, NOTACHAR);
    ok("an empty list adds nothing", n == 0 && number() == 0 && to == extra);
    n = add(0, range, NOTACHAR);
    ok("a range in a list is added", has('c') && has('d') && has('e') && has('f') && has('x'));
    ok("the characters beside a range are not", !has('b') && !has('g') && number() == 5);
    ok("the number of low characters is returned", good && n == 5);
    n = add(UTF, high, NOTACHAR);
    ok("high characters do not count", n == 1 && has('k'));
    ok("a list in several ranges is counted in all", add(0, two, NOTACHAR) == 7 && number() == 7);

    n = add(0, range, 'x');
    good = n == 4;
    ok("it is omitted at the end of a list", !has('x') && number() == 4);
    n = add(0, some, 'b');
    ok("the character to omit is omitted", !has('b'));
    ok("the others are added all the same", has(0) && has('q') && has(255) && number() == 3);
    ok("it does not count", good && n == 3 && add(0, one, 'x') == 0 && number() == 0);
    n = add(0, range, 'c');
    ok("it is omitted at the start of a range", n == 4 && !has('c') && has('d') && has('e') && has('f'));
    ok("without a character to omit all are added", add(0, last, NOTACHAR) == 2 && has('a') && has('z') &&
       add(0, last, 'm') == 2);
    memset(bits, 0, 32);
    SETBIT(bits, 'y');
    to = extra;
    n = add_list_to_class(bits, &to, 0, &data, one, NOTACHAR);
    ok("what was in the class stays", has('y') && has('x') && n == 1);
    ok("without high characters the pointer stays", to == extra);

    add(UTF, high, NOTACHAR);
    p = item(extra, 0x212a, 0);
    ok("a high character goes to the extra data", p != NULL);
    good = p == to;
    n = add(UTF, mixed, NOTACHAR);
    p = item(item(item(extra, 0x1680, 0), 0x2000, 0x2002), 0x3000, 0);
    ok("a high range goes there as a range", p != NULL && n == 2 && has(0x20) && has(0xa0) && number() == 2);
    ok("the pointer to extra data is updated", good && p == to && *p == 0xee);
    n = add(UTF, across, NOTACHAR);
    ok("a range across 255 is split", n == 2 && has(0xfe) && has(0xff) && item(extra, 0x100, 0x101) == to);
    n = add(UTF, high, 0x212a);
    good = n == 1 && to == extra;
    n = add(UTF, high, 'k');
    ok("high characters to omit are omitted", good && n == 0 && !has('k') && item(extra, 0x212a, 0) == to);
    n = add(0, mixed, NOTACHAR);
    ok("without UTF high characters are left out", n == 2 && number() == 2 && to == extra);
    add(PCRE_CASELESS, last, NOTACHAR);
    ok("the options are handed on", has('A') && has('Z') && has('a') && number() == 4);
    {
        pcre_uint8 flipped[256];
        for (i = 0; i < 256; i++) flipped[i] = i ^ 1;
        data.fcc = flipped;
        add(PCRE_CASELESS, one, NOTACHAR);
        ok("the tables are handed on", has('x') && has('y') && number() == 2);
        data.fcc = PRIV(default_tables) + fcc_offset;
    }
    n = add(UTF, space, NOTACHAR);
    p = item(item(item(item(extra, 0x1680, 0), 0x180e, 0), 0x2000, 0x200a), 0x202f, 0);
    ok("the list of horizontal space is added", n == 3 && has(9) && has(32) && has(0xa0) && number() == 3 &&
       item(item(p, 0x205f, 0), 0x3000, 0) == to);
    return plus_end();
}
