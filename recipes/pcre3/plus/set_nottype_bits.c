/*---
 * tasks: [set_nottype_bits-fd0294]
 * tests:
 *   the bits of the type are not set: 'Docstring: "starting bits for a negative character type such as \D".'
 *   all others are set with a limit of 32: 'Docstring: "sets starting bits for a negative character type".'
 *   the type wanted is taken: 'Docstring: cbit_type, "the type of character wanted".'
 *   bits that were set stay: 'Callers collect the bits of several items in start_bits.'
 *   the first and the last byte are set: 'Docstring: table_limit, "32 for non-UTF-8".'
 *   the first and the last byte can be of the type: 'Docstring: table_limit, "32 for non-UTF-8".'
 *   with a limit of 32 high bytes of the type are not set: 'Docstring: "In UTF-8 mode" alone all high ones are.'
 *   with a limit of 16 low bytes are set: 'Docstring: "direct setting for bytes less than 128".'
 *   with a limit of 16 low bytes of the type are not: 'Docstring: "a negative character type".'
 *   with a limit of 16 the byte 127 is set: 'Docstring: "bytes less than 128".'
 *   with a limit of 16 all bytes from 192 on are set: 'Docstring: "starting at 0xc0 (192) for simplicity".'
 *   they are set even if the type has them: 'Docstring: "set the bits for all high-valued characters".'
 *   with a limit of 16 bytes in the middle of characters are not set: 'Docstring: "starting at 0xc0"; "confusion".'
 *   bits that were set stay with a limit of 16: 'Callers collect the bits of several items in start_bits.'
 *   the tables stay as they were: 'Docstring: cd, "the block with char table pointers".'
 *   nothing behind the bitmap is written: 'Docstring: "the starting bitmap", of 32 bytes.'
 *   the types of the default tables are left out: 'pcre_internal.h: cbit_digit, cbit_space, cbit_word.'
 ---*/
#include "../pcre_study.c"
#include "plus.h"

static pcre_uint8 bits[40], table[cbit_length], kept[cbit_length];
static compile_data data;

static int has(int c) {
    return bits[c / 8] >> (c & 7) & 1;
}

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
    set_nottype_bits(bits, type, limit, &data);
}

int main(void) {
    int c, good, past;
    data.cbits = table;
    in(cbit_digit, '0');
    in(cbit_digit, '9');
    in(cbit_word, 'a');
    in(cbit_space, 0);
    in(cbit_space, 255);
    in(cbit_word, 0x90);
    in(cbit_word, 0xe5);
    memcpy(kept, table, sizeof(table));
    set(cbit_digit, 32);
    ok("the bits of the type are not set", !has('0') && !has('9'));
    ok("all others are set with a limit of 32", number() == 254);
    ok("the first and the last byte are set", has(0) && has(255));
    past = behind();
    set(cbit_word, 32);
    ok("the type wanted is taken", !has('a') && has('0'));
    ok("with a limit of 32 high bytes of the type are not set", !has(0x90) && !has(0xe5) && number() == 253);
    set_nottype_bits(bits, cbit_digit, 32, &data);
    ok("bits that were set stay", number() == 256);
    set(cbit_space, 32);
    ok("the first and the last byte can be of the type", !has(0) && !has(255) && number() == 254);

    set(cbit_word, 16);
    ok("with a limit of 16 low bytes are set", has(0) && has('0') && has('b'));
    ok("with a limit of 16 low bytes of the type are not", !has('a'));
    ok("with a limit of 16 the byte 127 is set", has(127));
    good = 1;
    for (c = 0xc0; c < 256; c++) good &= has(c);
    ok("with a limit of 16 all bytes from 192 on are set", good);
    ok("they are set even if the type has them", has(0xe5));
    good = 1;
    for (c = 128; c < 0xc0; c++) good &= !has(c);
    ok("with a limit of 16 bytes in the middle of characters are not set", good && number() == 127 + 64);
    memset(bits, 0, 32);
    bits['a' / 8] = 1 << ('a' & 7);
    bits[18] = 0x42;
    set_nottype_bits(bits, cbit_word, 16, &data);
    ok("bits that were set stay with a limit of 16", has('a') && bits[18] == 0x42 && has('b'));
    ok("the tables stay as they were", !memcmp(kept, table, sizeof(table)));
    ok("nothing behind the bitmap is written", past && behind());

    data.cbits = PRIV(default_tables) + cbits_offset;
    good = 1;
    set(cbit_digit, 32);
    for (c = 0; c < 256; c++) good &= has(c) == !(c >= '0' && c <= '9');
    set(cbit_space, 16);
    for (c = 0; c < 128; c++) good &= has(c) == !(c == ' ' || c >= 9 && c <= 13);
    set(cbit_word, 16);
    for (c = 0; c < 128; c++)
        good &= has(c) == !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_');
    ok("the types of the default tables are left out", good);
    return plus_end();
}
