/*---
 * tasks: [GiNaC.smod-8e80b8]
 * tests:
 *   what is in the range stays: 'Comment: "Z -> Z_p (in the symmetric representation)".'
 *   zero and multiples of p give zero: 'Comment: "Z -> Z_p".'
 *   what is above half of p becomes negative: 'Comment: "the symmetric representation".'
 *   the middle belongs to the positive side: 'Comment: "the symmetric representation"; (p-1)/2 is its largest number.'
 *   negative numbers come into the range: 'Comment: "Z -> Z_p", and Z has negative numbers.'
 *   the result is congruent and within half of p: 'Comment: "Z -> Z_p (in the symmetric representation)".'
 *   the negative number gives the negative result: 'Comment: "the symmetric representation".'
 *   once more changes nothing: 'Comment: a representation of Z_p is its own.'
 *   sums and products can be reduced before or after: 'Name and callers (mgcd.cpp): modular arithmetic.'
 *   p of two gives zero and one: 'Caller recip holds smod of a product against 1.'
 *   an even p gives congruent numbers within its half: 'Neighbour numeric smod: range up to iquo(b,2).'
 *   numbers of many digits: 'Signature: cl_I has no largest number.'
 *   p beyond 32 bits: 'Signature: long p; caller primes_factory goes up to the largest long.'
 *   p near the largest long: 'Caller primes_factory: up to numeric_limits<long>::max().'
 *   the number given stays: 'Signature: const.'
 *   recip gives the inverse: 'Caller recip.'
 ---*/
#include "plus.h"
#include "polynomial/smod_helpers.h"
#include <cln/io.h>

using cln::cl_I;

static cl_I of(const cl_I &a, long p) {
    return GiNaC::smod(a, p);
}

/* Whether r stands for a in the symmetric representation of an odd p. */
static bool good(const cl_I &a, long p, const cl_I &r) {
    return cln::zerop(cln::mod(a - r, cl_I(p))) && 2 * cln::abs(r) < cl_I(p);
}

int main() {
    bool stays = true, zero = true, above = true, middle = true, negative = true, congruent = true, odd = true;
    bool again = true, both = true;
    const long primes[] = {3, 5, 7, 11, 13, 101, 65537, 2147483647L};
    for (long p : primes) {
        const long half = (p - 1) / 2;
        for (long a : {half, half - 1, -half, -half + 1, 0L, 1L, -1L}) stays = stays && of(cl_I(a), p) == a;
        for (long k = -4; k <= 4; k++) zero = zero && of(cl_I(k) * cl_I(p), p) == 0;
        above = above && of(cl_I(half + 1), p) == -half && of(cl_I(p - 1), p) == -1 &&
                of(cl_I(p) + cl_I(half) + 1, p) == -half;
        middle = middle && of(cl_I(half), p) == half && of(cl_I(p) + half, p) == half &&
                 of(cl_I(half) - cl_I(p), p) == half;
        negative = negative && of(cl_I(-half - 1), p) == half && of(cl_I(1 - p), p) == 1 &&
                   of(cl_I(-1) - cl_I(p), p) == -1 && of(cl_I(-half) - 3 * cl_I(p), p) == -half;
        for (long i = -60; i <= 60; i++) {
            const cl_I a = cl_I(i) * 7919 + cl_I(i) * cl_I(i) * 31, b = 17 - cl_I(i) * 131;
            const cl_I r = of(a, p);
            congruent = congruent && good(a, p, r);
            odd = odd && of(-a, p) == -r;
            again = again && of(r, p) == r;
            both = both && of(a + b, p) == of(r + of(b, p), p) && of(a * b, p) == of(r * of(b, p), p);
        }
    }
    ok("what is in the range stays", stays);
    ok("zero and multiples of p give zero", zero);
    ok("what is above half of p becomes negative", above);
    ok("the middle belongs to the positive side", middle);
    ok("negative numbers come into the range", negative);
    ok("the result is congruent and within half of p", congruent);
    ok("the negative number gives the negative result", odd);
    ok("once more changes nothing", again);
    ok("sums and products can be reduced before or after", both);

    ok("p of two gives zero and one", of(cl_I(0), 2) == 0 && of(cl_I(1), 2) == 1 && of(cl_I(-1), 2) == 1 &&
       of(cl_I(6), 2) == 0 && of(cl_I(-7), 2) == 1 && GiNaC::recip(cl_I(5), 2L) == 1);
    bool even = true;
    for (long p : {4L, 6L, 10L, 4096L})
        for (long a = -25; a <= 25; a++) {
            const cl_I r = of(cl_I(a), p);
            even = even && cln::zerop(cln::mod(cl_I(a) - r, cl_I(p))) && 2 * cln::abs(r) <= cl_I(p);
        }
    ok("an even p gives congruent numbers within its half", even);

    const cl_I large = cl_I("123456789012345678901234567890123456789012345678901234567890");
    bool digits = of(large * 7 + 3, 7) == 3 && of(large * 7 + 4, 7) == -3 && of(-large * 7 - 4, 7) == 3;
    for (long p : primes) digits = digits && good(large, p, of(large, p)) && good(-large, p, of(-large, p));
    ok("numbers of many digits", digits);

    const long wide = 1099511627791L;
    const cl_I w(wide);
    bool beyond = of(w - 1, wide) == -1 && of(cl_I(549755813895L), wide) == cl_I(549755813895L) &&
                  of(cl_I(549755813896L), wide) == -cl_I(549755813895L) && of(w * w + 5, wide) == 5 &&
                  good(large, wide, of(large, wide)) && of(cl_I(4294967296L), wide) == cl_I(4294967296L);
    ok("p beyond 32 bits", beyond);
    const long most = 9223372036854775783L;
    const cl_I m(most), h = cl_I(4611686018427387891L);
    ok("p near the largest long", of(h, most) == h && of(h + 1, most) == -h && of(m - 1, most) == -1 &&
       of(m + 1, most) == 1 && of(-h, most) == -h && of(-h - 1, most) == h && good(large, most, of(large, most)));

    const cl_I kept = large;
    of(kept, 101);
    const cl_I small(500);
    of(small, 101);
    ok("the number given stays", kept == large && small == 500);

    bool inverse = GiNaC::recip(cl_I(3), 7L) == -2 && GiNaC::recip(cl_I(2), 5L) == -2;
    for (long p : primes)
        for (long a = -40; a <= 40; a++)
            if (a % p) {
                const cl_I r = GiNaC::recip(cl_I(a), p);
                inverse = inverse && of(r * cl_I(a), p) == 1 && 2 * cln::abs(r) < cl_I(p);
            }
    ok("recip gives the inverse", inverse);
    return plus_end();
}
