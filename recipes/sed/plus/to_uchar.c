/*---
 * tasks: [to_uchar-086abf]
 * tests:
 *   a character of ASCII keeps its value: 'Docstring: "Convert a possibly-signed character to an unsigned character".'
 *   the null character is 0: 'Docstring: "to an unsigned character".'
 *   a negative character becomes one above 127: 'Docstring: "Convert a possibly-signed character to an unsigned".'
 *   the last character is 255 and no EOF: 'Docstring: "to an unsigned character"; caller fetch_wc returns EOF itself.'
 *   each character has a value of its own: 'Docstring: "Convert".'
 *   each value is that of the cast: 'Docstring: "safer than casting to unsigned char"; the value is the same.'
 ---*/
#include "plus.h"
#include "../../lib/dfa.c"

int main(void) {
    int seen[256] = {0}, ascii = 1, high = 1, own = 1, cast = 1;
    plus_start();
    for (int i = 0; i < 256; i++) {
        volatile char c = (char)i;
        int value = to_uchar(c);
        if (i < 128) ascii &= value == i;
        else high &= value == i;
        cast &= value == (unsigned char)c;
        own &= value >= 0 && value < 256 && !seen[value]++;
    }
    ok("a character of ASCII keeps its value", ascii && to_uchar('a') == 97 && to_uchar('\n') == 10);
    ok("the null character is 0", to_uchar('\0') == 0);
    ok("a negative character becomes one above 127", high && to_uchar((char)-128) == 128);
    ok("the last character is 255 and no EOF", to_uchar((char)-1) == 255 && to_uchar((char)-1) != EOF);
    ok("each character has a value of its own", own);
    ok("each value is that of the cast", cast);
    return plus_end();
}
