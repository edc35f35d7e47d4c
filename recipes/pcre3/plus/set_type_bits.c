/*---
 * tasks: [set_type_bits-3d6e9e]
 * tests:
 *   the bits of the type are set: 'Docstring: "sets starting bits for a character type".'
 *   the bits of another type are those of that type: 'Docstring: cbit_type, "the type of character wanted".'
 *   no other bits are set: 'Docstring: "sets starting bits for a character type".'
 *   bits that were set stay: 'Callers collect the bits of several items in start_bits.'
 *   the first and the last byte are set: 'Docstring: table_limit, "32 for non-UTF-8".'
 *   with a limit of 32 high bytes are set directly: 'Docstring: table_limit, "32 for non-UTF-8".'
 *   with a limit of 32 no bytes of UTF-8 are added: 'Docstring: UTF-8 is considered "In UTF-8 mode".'
 *   with a limit of 16 low bytes are set: 'Docstring: "direct setting for bytes less than 128".'
 *   with a limit of 16 the byte 127 is set: 'Docstring: "direct setting for bytes less than 128".'
 *   with a limit of 16 high bytes are not set directly: 'Docstring: "confusion with bytes in the middle of UTF-8".'
 *   a high character sets the first byte of its UTF-8: 'Docstring: "by considering the UTF-8 encoding".'
 *   the last high character sets the first byte of its UTF-8: 'Docstring: "by considering the UTF-8 encoding".'
 *   the second bytes of UTF-8 are not set: 'Docstring: "starting bits".'
 *   without high characters no high bytes are set: 'Docstring: "the tables will only recognize ASCII characters".'
 *   bits that were set stay with a limit of 16: 'Callers collect the bits of several items in start_bits.'
 *   the tables stay as they were: 'Docstring: cd, "the block with char table pointers".'
 *   nothing behind the bitmap is written: 'Docstring: "the starting bitmap", of 32 bytes.'
 *   the types of the default tables are set: 'pcre_internal.h: cbit_digit, cbit_space, cbit_word.'
 ---*/
#include "../pcre_study.c"
#include "plus.h"

static pcre_uint8 bits[40], table[cbit_length], kept[cbit_length];
static compile_data data;

static int has(int c) {
    return bits[c / 8] >> (c & 7) & 1;
}

/* How many bits are set. */
static int number(void) {
    int c, n = 0;
    for (c = 0; c < 256; c++) n += has(c);
    return n;
}

static void in(int type, int c) {
    table[type + c / 8] |= 1 << (c & 7);
}

static int behind(void) {
    int i, good = 1;
    for (i = 32; i < 40; i++) good &= bits[i] == 0x6b;
    return good;
}

static void set(int type, unsigned limit) {
    memset(bits, 0, 32);
    memset(bits + 32, 0x6b, 8);
    set_type_bits(bits, type, limit, &data);
}

int main(void) {
    int c, good, past;
    data.cbits = table;
    in(cbit_digit, '0');
    in(cbit_digit, '9');
    in(cbit_word, 'a');
    in(cbit_word, 0);
    in(cbit_word, 127);
    set(cbit_digit, 32);
    ok("the bits of the type are set", has('0') && has('9'));
    ok("no other bits are set", number() == 2);
    set(cbit_word, 32);
    ok("the bits of another type are those of that type", has('a') && has(0) && has(127) && number() == 3);
    set_type_bits(bits, cbit_digit, 32, &data);
    ok("bits that were set stay", has('a') && has('0') && number() == 5);
    past = behind();
    set(cbit_word, 16);
    ok("with a limit of 16 low bytes are set", has('a') && has(0));
    ok("with a limit of 16 the byte 127 is set", has(127));
    ok("without high characters no high bytes are set", number() == 3);
    bits[30] = 0x10;
    bits[18] = 0x20;
    set_type_bits(bits, cbit_digit, 16, &data);
    ok("bits that were set stay with a limit of 16", has('a') && has('9') && bits[30] == 0x10 && bits[18] == 0x20);

    /* Some high characters. */
    memset(table, 0, sizeof(table));
    in(cbit_space, 'x');
    in(cbit_space, 0x85);
    in(cbit_space, 0xff);
    memcpy(kept, table, sizeof(table));
    set(cbit_space, 32);
    ok("with a limit of 32 high bytes are set directly", has(0x85) && has(0xff) && has('x'));
    ok("with a limit of 32 no bytes of UTF-8 are added", number() == 3);
    past &= behind();
    set(cbit_space, 16);
    ok("with a limit of 16 high bytes are not set directly", !has(0x85) && !has(0xff) && has('x'));
    ok("a high character sets the first byte of its UTF-8", has(0xc2));
    ok("the last high character sets the first byte of its UTF-8", has(0xc3));
    good = number() == 3;
    memset(table, 0, sizeof(table));
    in(cbit_space, 0xbf);
    set(cbit_space, 16);
    good &= has(0xc2) && number() == 1;
    memset(table, 0, sizeof(table));
    in(cbit_space, 0xc0);
    set(cbit_space, 16);
    ok("the second bytes of UTF-8 are not set", good && has(0xc3) && number() == 1);
    memset(table, 0, sizeof(table));
    in(cbit_space, 0);
    in(cbit_space, 255);
    set(cbit_space, 32);
    ok("the first and the last byte are set", has(0) && has(255) && number() == 2);
    memcpy(kept, table, sizeof(table));
    set(cbit_space, 16);
    set(cbit_digit, 16);
    ok("the tables stay as they were", !memcmp(kept, table, sizeof(table)));
    ok("nothing behind the bitmap is written", past && behind());

    data.cbits = PRIV(default_tables) + cbits_offset;
    good = 1;
    set(cbit_digit, 16);
    for (c = 0; c < 256; c++) good &= has(c) == (c >= '0' && c <= '9');
    set(cbit_word, 32);
    for (c = 0; c < 256; c++)
        good &= has(c) == (c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_');
    set(cbit_space, 32);
    for (c = 0; c < 256; c++) good &= has(c) == (c == ' ' || c >= 9 && c <= 13);
    ok("the types of the default tables are set", good);
    return plus_end();
}
