/*---
 * tasks: [add64-734080]
 * tests:
 *   small chunks are added: 'Docstring: "Add 64-bit chunks (dst += src)".'
 *   all 64 bits are added: 'Docstring: "64-bit chunks".'
 *   the sum wraps around: 'Docstring: a 64-bit chunk; what is over goes into the carry.'
 *   an overflow adds one to the carry: 'Docstring: "and update carry".'
 *   no overflow leaves the carry as it is: 'Docstring: "update carry"; ecp_mod_p192 adds up to three chunks.'
 *   the carry counts the overflows of several sums: 'Caller ecp_mod_p192: ADD more than once, then carry64.'
 *   the carry itself is not added: 'Comment of carry64: it adds the carry; ecp_mod_p192 calls it for the next chunk.'
 *   the source stays as it is: 'Docstring: "dst += src"; ecp_mod_p192 adds A3 to two chunks.'
 *   the chunks beside stay as they are: 'Docstring: one 64-bit chunk; ecp_mod_p192 works on N in place.'
 *   random chunks are added: 'Docstring: "dst += src" and the carry.'
 *   numbers are reduced modulo the prime of 192 bits: 'Caller ecp_mod_p192: "Fast quasi-reduction modulo p192".'
 ---*/
#include "../../library/ecp_curves.c"
#include "check.h"

#define LIMBS (8 / sizeof(mbedtls_mpi_uint))

static mbedtls_mpi_uint room[3 * LIMBS], source[3 * LIMBS], carry;
static unsigned long long sum;
static int beside = 1, same = 1;

static void put(mbedtls_mpi_uint *to, unsigned long long x) {
    for (size_t i = 0; i < LIMBS; i++) to[i] = (mbedtls_mpi_uint) (x >> 32 * i * (LIMBS > 1));
}

static unsigned long long get(const mbedtls_mpi_uint *from) {
    unsigned long long x = 0;
    for (size_t i = 0; i < LIMBS; i++) x |= (unsigned long long) from[i] << 32 * i * (LIMBS > 1);
    return x;
}

/* The carry that is left of `a` += `b` with the carry `c`; the sum is in `sum`. */
static unsigned long long added(unsigned long long a, unsigned long long b, unsigned c) {
    const unsigned long long mark = 0x1122334455667788ULL;
    for (int i = 0; i < 3; i++) {
        put(room + i * LIMBS, i == 1 ? a : mark);
        put(source + i * LIMBS, i == 1 ? b : ~mark);
    }
    carry = c;
    add64(room + LIMBS, source + LIMBS, &carry);
    sum = get(room + LIMBS);
    beside &= get(room) == mark && get(room + 2 * LIMBS) == mark;
    same &= get(source) == ~mark && get(source + LIMBS) == b && get(source + 2 * LIMBS) == ~mark;
    return carry;
}

int main(void) {
    const unsigned long long most = ~0ULL, top = 1ULL << 63;
    int ok = added(2, 3, 0) == 0 && sum == 5 && added(0, 0, 0) == 0 && sum == 0 && added(0, 7, 0) == 0 && sum == 7;
    check("small chunks are added", ok);
    ok = added(0x123456789ABCDEF0ULL, 0x1111111111111111ULL, 0) == 0 && sum == 0x23456789ABCDF001ULL &&
         added(0xFFFFFFFFULL, 1, 0) == 0 && sum == 1ULL << 32 && added(most - 1, 1, 0) == 0 && sum == most;
    check("all 64 bits are added", ok);
    added(most, 1, 0);
    ok = sum == 0;
    added(most, most, 0);
    ok &= sum == most - 1;
    added(top, top + 9, 0);
    check("the sum wraps around", ok && sum == 9);
    ok = added(most, 1, 0) == 1 && added(1, most, 0) == 1 && added(most, most, 0) == 1 && added(top, top, 0) == 1;
    check("an overflow adds one to the carry", ok);
    ok = added(most, 0, 0) == 0 && added(0, most, 0) == 0 && added(5, 5, 1) == 1 && added(top, top - 1, 2) == 2;
    check("no overflow leaves the carry as it is", ok);
    ok = added(most, 1, 1) == 2 && added(most, most, 2) == 3 && added(top, top, 1) == 2;
    check("the carry counts the overflows of several sums", ok);
    added(5, 6, 1);
    ok = sum == 11;
    added(most, 0, 1);
    ok &= sum == most && carry == 1;
    added(0, 0, 2);
    check("the carry itself is not added", ok && sum == 0 && carry == 2);
    ok = 1;
    for (int i = 0; i < 20000; i++) {
        unsigned long long a = (unsigned long long) draw() << 33 ^ draw();
        unsigned long long b = (unsigned long long) draw() << 33 ^ draw();
        unsigned c = draw() % 3;
        ok &= added(a, b, c) == c + (a + b < a) && sum == a + b;
    }
    check("random chunks are added", ok);
    check("the source stays as it is", same);
    check("the chunks beside stay as they are", beside);

    mbedtls_mpi x, y, p;
    mbedtls_mpi_init(&x);
    mbedtls_mpi_init(&y);
    mbedtls_mpi_init(&p);
    mbedtls_mpi_read_string(&p, 16, "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFFFFFFFFFFFF");
    ok = 1;
    for (int i = 0; i < 500; i++) {
        mbedtls_mpi_fill_random(&x, i % 49, fill, NULL);
        if (i > 450) {
            mbedtls_mpi_lset(&x, 1);
            mbedtls_mpi_shift_l(&x, 384);
            mbedtls_mpi_sub_int(&x, &x, i - 450);
        }
        mbedtls_mpi_mod_mpi(&y, &x, &p);
        ok &= ecp_mod_p192(&x) == 0 && mbedtls_mpi_bitlen(&x) <= 195 && mbedtls_mpi_mod_mpi(&x, &x, &p) == 0 &&
              mbedtls_mpi_cmp_mpi(&x, &y) == 0;
    }
    check("numbers are reduced modulo the prime of 192 bits", ok);
    return done();
}
