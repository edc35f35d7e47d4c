/*---
 * tasks: [gk_log2-567c71]
 * tests:
 *   of 1 it is 0: 'Docstring: "returns the log2(x)".'
 *   of 2 it is 1: 'Docstring: "returns the log2(x)".'
 *   of 4 it is 2: 'Docstring: "returns the log2(x)".'
 *   of each power of two it is the exponent: 'Docstring; gk_ispow2 needs it exact.'
 *   between two powers it is that of the lower: 'gk_ispow2 compares with 1<<gk_log2(a); the result is an int.'
 *   one below a power it is that of the lower: 'gk_ispow2: such a number is no power of 2.'
 *   one above a power it is that of the lower: 'gk_ispow2: such a number is no power of 2.'
 *   the highest number has one: 'The argument is any int; 1<<30 is the highest power.'
 *   powers of two are told apart: 'gk_ispow2 "checks if the argument is a power of 2".'
 *   zero is no power of two: 'gk_ispow2 "checks if the argument is a power of 2"; it calls this one first.'
 *   a negative number is no power of two: 'gk_ispow2 calls this one first, so it has to return.'
 *   all small numbers have theirs: 'Docstring: "returns the log2(x)".'
 ---*/
#include "plus.h"

int main(void) {
    ok("of 1 it is 0", gk_log2(1) == 0);
    ok("of 2 it is 1", gk_log2(2) == 1);
    ok("of 4 it is 2", gk_log2(4) == 2);
    int exact = 1, below = 1, above = 1, pow = 1;
    for (int i = 0; i < 31; i++) {
        exact &= gk_log2(1 << i) == i;
        if (i > 1) below &= gk_log2((1 << i) - 1) == i - 1;
        if (i > 0) above &= gk_log2((1 << i) + 1) == i;
        pow &= gk_ispow2(1 << i) != 0;
        if (i > 1) pow &= !gk_ispow2((1 << i) - 1) && !gk_ispow2((1 << i) + 1);
    }
    ok("of each power of two it is the exponent", exact);
    ok("between two powers it is that of the lower",
       gk_log2(6) == 2 && gk_log2(100) == 6 && gk_log2(1000000) == 19 && gk_log2(0x5a5a5a5a) == 30);
    ok("one below a power it is that of the lower", below);
    ok("one above a power it is that of the lower", above);
    ok("the highest number has one", gk_log2(0x7fffffff) == 30);
    ok("powers of two are told apart", pow && !gk_ispow2(12));
    ok("zero is no power of two", !gk_ispow2(0));
    ok("a negative number is no power of two", !gk_ispow2(-8) && !gk_ispow2(-1) && !gk_ispow2(-3));
    int small = 1;
    for (int a = 1, l = 0; a < 5000; a++) {
        if (a >> (l + 1)) l++;
        small &= gk_log2(a) == l;
    }
    ok("all small numbers have theirs", small);
    return done();
}
