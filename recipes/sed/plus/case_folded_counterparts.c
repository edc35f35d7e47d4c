/*---
 * tasks: [case_folded_counterparts-ec7ab6]
 * tests:
 *   a small letter has its capital: 'Docstring: "Find the characters equal to C after case-folding".'
 *   a capital has its small letter: 'Docstring: "Find the characters equal to C after case-folding".'
 *   letters beyond ASCII have theirs: 'Docstring: "Find the characters equal to C after case-folding".'
 *   a character without case has none: 'Docstring: "other than C itself".'
 *   at the end of a file there is none: 'Docstring: "this is zero if C is WEOF".'
 *   a small letter that no capital leads to has both: 'lonesome_lower: "C != towlower (towupper (C))".'
 *   its capital has it too: 'lonesome_lower: U+00B5 and U+039C, U+03BC.'
 *   the common small letter has it too: 'lonesome_lower: U+00B5 and U+039C, U+03BC.'
 *   a long s belongs to S: 'lonesome_lower: U+017F.'
 *   both small sigmas belong to each other: 'lonesome_lower: U+03C2.'
 *   title case belongs to both cases: 'lonesome_lower: U+01C5, U+01C8, U+01CB, U+01F2.'
 *   each lonesome letter is found from its capital: 'lonesome_lower: "The set of wchar_t values C".'
 *   each lonesome letter finds its capital and its small letter: 'lonesome_lower: "The set of wchar_t values C".'
 *   the character itself is none: 'Docstring: "other than C itself".'
 *   all have the same capital: 'Docstring: "equal to C after case-folding".'
 *   none is told twice: 'Docstring: "Return the number of characters stored".'
 *   their number has its bound: 'localeinfo.h: CASE_FOLDED_BUFSIZE, "a generous upper bound".'
 *   in the C locale only ASCII has cases: 'lonesome_lower: "a useful locale somewhere"; towupper tells.'
 ---*/
#include "plus.h"
#include <limits.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>
#include "localeinfo.h"

static const wint_t lonesome[] = {
    0x00B5, 0x0131, 0x017F, 0x01C5, 0x01C8, 0x01CB, 0x01F2, 0x0345, 0x03C2, 0x03D0, 0x03D1, 0x03D5, 0x03D6, 0x03F0,
    0x03F1, 0x03F2, 0x03F5, 0x1E9B, 0x1FBE
};
enum { LONESOME = sizeof(lonesome) / sizeof(*lonesome) };

static wchar_t folded[CASE_FOLDED_BUFSIZE + 8];
static int n;

static void find(wint_t c) {
    for (int i = 0; i < CASE_FOLDED_BUFSIZE + 8; i++) folded[i] = L'#';
    n = case_folded_counterparts(c, folded);
}

static int has(wint_t c) {
    for (int i = 0; i < n; i++) if ((wint_t)folded[i] == c) return 1;
    return 0;
}

/* Whether C has the counterparts A and B, none if it is 0, and no other. */
static int are(wint_t c, wint_t a, wint_t b) {
    find(c);
    return n == (a != 0) + (b != 0) && (!a || has(a)) && (!b || has(b));
}

int main(void) {
    int capital = 1, small = 1, itself = 1, alike = 1, once = 1, bound = 1;
    plus_start();
    if (!setlocale(LC_ALL, "C.UTF-8")) return 1;
    ok("a small letter has its capital", are('a', 'A', 0) && are('z', 'Z', 0));
    ok("a capital has its small letter", are('B', 'b', 0) && are('Y', 'y', 0));
    ok("letters beyond ASCII have theirs", are(0xe9, 0xc9, 0) && are(0xc9, 0xe9, 0) && are(0x44f, 0x42f, 0) &&
       are(0x42f, 0x44f, 0) && are(0x10428, 0x10400, 0) && are(0x10400, 0x10428, 0));
    ok("a character without case has none", are('1', 0, 0) && are('%', 0, 0) && are(' ', 0, 0) && are(0, 0, 0) &&
       are(0x4e00, 0, 0) && are(0x20ac, 0, 0));
    ok("at the end of a file there is none", are(WEOF, 0, 0));
    ok("a small letter that no capital leads to has both", are(0xb5, 0x39c, 0x3bc) && are(0x3d5, 0x3a6, 0x3c6));
    ok("its capital has it too", are(0x39c, 0x3bc, 0xb5) && are(0x3a6, 0x3c6, 0x3d5));
    ok("the common small letter has it too", are(0x3bc, 0x39c, 0xb5) && are(0x3c6, 0x3a6, 0x3d5));
    ok("a long s belongs to S", are('s', 'S', 0x17f) && are('S', 's', 0x17f) && are(0x17f, 's', 'S'));
    ok("both small sigmas belong to each other",
       are(0x3c3, 0x3a3, 0x3c2) && are(0x3c2, 0x3a3, 0x3c3) && are(0x3a3, 0x3c3, 0x3c2));
    ok("title case belongs to both cases", are(0x1c4, 0x1c5, 0x1c6) && are(0x1c5, 0x1c4, 0x1c6) &&
       are(0x1c6, 0x1c4, 0x1c5) && are(0x1f2, 0x1f1, 0x1f3));
    for (int i = 0; i < LONESOME; i++) {
        wint_t c = lonesome[i], upper = towupper(c), lower = towlower(upper);
        if (upper == c) continue;
        find(upper);
        capital &= has(c);
        find(c);
        small &= has(upper) && (lower == c || towupper(lower) != upper || has(lower));
    }
    ok("each lonesome letter is found from its capital", capital);
    ok("each lonesome letter finds its capital and its small letter", small);
    for (wint_t c = 0; c < 0x20000; c++) {
        find(c);
        bound &= n >= 0 && n <= CASE_FOLDED_BUFSIZE;
        itself &= !has(c);
        for (int i = 0; i < n; i++) {
            alike &= towupper(folded[i]) == towupper(c);
            for (int k = 0; k < i; k++) once &= folded[i] != folded[k];
        }
        for (int i = CASE_FOLDED_BUFSIZE; i < CASE_FOLDED_BUFSIZE + 8; i++) bound &= folded[i] == L'#';
    }
    ok("the character itself is none", itself);
    ok("all have the same capital", alike);
    ok("none is told twice", once);
    ok("their number has its bound", bound);
    setlocale(LC_ALL, "C");
    ok("in the C locale only ASCII has cases", are('s', 'S', 0) && are('S', 's', 0) && are(0xb5, 0, 0) &&
       are(0x3bc, 0, 0) && are(0xe9, 0, 0) && are('1', 0, 0));
    return plus_end();
}
