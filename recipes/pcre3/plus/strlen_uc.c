/*---
 * tasks: [PRIV-2894cf]
 * tests:
 *   an empty string has no length: 'Docstring: "the length of a zero terminated string".'
 *   a string of one character has length 1: 'Docstring: "length of the string".'
 *   the zero is not counted: 'Docstring: "Basically an strlen".'
 *   characters whose low byte is zero are counted: 'Docstring: "an strlen for non 8 bit characters".'
 *   a character of one byte does not end the string: 'Docstring: "an strlen for non 8 bit characters".'
 *   the largest characters are counted: 'Docstring: "for non 8 bit characters".'
 *   what follows the zero is not counted: 'Docstring: "a zero terminated string".'
 *   strings of each length are measured: 'Docstring: "length of the string".'
 *   a string longer than 65535 is measured: 'Docstring: "length of the string"; it is an unsigned int.'
 *   strings of 32 bits are measured: 'Docstring; the file is compiled for 16 and for 32 bits.'
 *   characters of 32 bits whose low half is zero are counted: 'Docstring: "for non 8 bit characters".'
 *   a long string of 32 bits is measured: 'Docstring: "length of the string"; it is an unsigned int.'
 *   the string stays as it was: 'The argument is const.'
 ---*/
#include "plus.h"

unsigned int _pcre16_strlen_uc(const unsigned short *str);
unsigned int _pcre32_strlen_uc(const unsigned int *str);

static unsigned short a[200000];
static unsigned int b[200000];

int main(void) {
    static const unsigned short one[] = {'x', 0}, low[] = {0x100, 0x4200, 0xff00, 0};
    static const unsigned short large[] = {0xffff, 0x8000, 0xdfff, 0};
    static const unsigned short two[] = {'a', 'b', 0, 'c', 'd', 0};
    static const unsigned int wide[] = {0x10000, 0x7f0000, 0x80000000, 0xffffffff, 0}, none[] = {0, 1, 0};
    int i, good = 1;

    ok("an empty string has no length", _pcre16_strlen_uc(one + 1) == 0 && _pcre32_strlen_uc(none) == 0);
    ok("a string of one character has length 1", _pcre16_strlen_uc(one) == 1);
    ok("characters whose low byte is zero are counted", _pcre16_strlen_uc(low) == 3);
    ok("the largest characters are counted", _pcre16_strlen_uc(large) == 3);
    ok("the zero is not counted", _pcre16_strlen_uc(two + 3) == 2);
    ok("what follows the zero is not counted", _pcre16_strlen_uc(two) == 2 && _pcre16_strlen_uc(two + 1) == 1);
    ok("a character of one byte does not end the string",
       _pcre16_strlen_uc(two + 3) == 2 && _pcre32_strlen_uc(none + 1) == 1);
    for (i = 0; i < 100; i++) {
        good &= _pcre16_strlen_uc(a + 100 - i) == i;
        if (i < 99) a[99 - i] = 0x3041 + i;
    }
    ok("strings of each length are measured", good);
    for (i = 0; i < 150000; i++) a[i] = b[i] = 1 + i % 65535;
    ok("a string longer than 65535 is measured", _pcre16_strlen_uc(a) == 150000);
    good = 1;
    for (i = 0; i < 150000; i++) good &= a[i] == 1 + i % 65535;
    ok("the string stays as it was", good);
    ok("strings of 32 bits are measured", _pcre32_strlen_uc(b + 149990) == 10 && _pcre32_strlen_uc(b + 150000) == 0);
    ok("characters of 32 bits whose low half is zero are counted", _pcre32_strlen_uc(wide) == 4);
    ok("a long string of 32 bits is measured", _pcre32_strlen_uc(b) == 150000);
    return plus_end();
}
