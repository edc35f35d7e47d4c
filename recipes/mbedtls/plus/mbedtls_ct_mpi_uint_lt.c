/*---
 * tasks: [mbedtls_ct_mpi_uint_lt-db639f]
 * tests:
 *   a smaller number is less: 'Docstring: "1 if x is less than y".'
 *   a larger number is not less: 'Docstring: "otherwise 0".'
 *   an equal number is not less: 'Docstring: "1 if x is less than y, otherwise 0".'
 *   the top bit counts as a value: 'Argument type mbedtls_mpi_uint: a limb without a sign.'
 *   numbers that differ in one bit are told apart: 'Docstring: equivalent to x < y.'
 *   numbers beside each other are told apart: 'Docstring: equivalent to x < y.'
 *   the upper half of the limb counts: 'Argument type mbedtls_mpi_uint: a whole limb.'
 *   the result is one or zero: 'Docstring: "1 if x is less than y, otherwise 0"; bignum.c combines it by bits.'
 *   random numbers are compared: 'Docstring: "equivalent to x < y".'
 *   whole numbers are compared by it: 'Caller mbedtls_mpi_lt_mpi_ct: limb by limb.'
 ---*/
#include "common.h"
#include "mbedtls/bignum.h"
#include "constant_time_internal.h"
#include "check.h"

typedef mbedtls_mpi_uint limb;

static int clean = 1;

static int right(limb x, limb y) {
    unsigned result = mbedtls_ct_mpi_uint_lt(x, y), back = mbedtls_ct_mpi_uint_lt(y, x);
    clean &= result <= 1 && back <= 1;
    return result == (x < y) && back == (y < x);
}

static int mpi_right(const mbedtls_mpi *x, const mbedtls_mpi *y) {
    unsigned result = 7;
    return mbedtls_mpi_lt_mpi_ct(x, y, &result) == 0 && result == (mbedtls_mpi_cmp_mpi(x, y) < 0);
}

int main(void) {
    const int bits = 8 * sizeof(limb);
    const limb most = ~(limb) 0, top = (limb) 1 << (bits - 1);
    int ok = mbedtls_ct_mpi_uint_lt(0, 1) == 1 && mbedtls_ct_mpi_uint_lt(5, 1000) == 1 &&
             mbedtls_ct_mpi_uint_lt(0, most) == 1 && mbedtls_ct_mpi_uint_lt(most - 1, most) == 1;
    check("a smaller number is less", ok);
    ok = mbedtls_ct_mpi_uint_lt(1, 0) == 0 && mbedtls_ct_mpi_uint_lt(1000, 5) == 0 &&
         mbedtls_ct_mpi_uint_lt(most, 0) == 0 && mbedtls_ct_mpi_uint_lt(most, most - 1) == 0;
    check("a larger number is not less", ok);
    ok = 1;
    for (int i = 0; i < bits; i++) ok &= mbedtls_ct_mpi_uint_lt((limb) 1 << i, (limb) 1 << i) == 0;
    ok &= mbedtls_ct_mpi_uint_lt(0, 0) == 0 && mbedtls_ct_mpi_uint_lt(most, most) == 0;
    check("an equal number is not less", ok);
    ok = right(top, 0) && right(top, 1) && right(top, top - 1) && right(top, top + 1) && right(most, top - 1) &&
         right(top, most) && right(most, 0) && right(most, 1) && right(top + 5, 3) && right(top + 3, 5);
    check("the top bit counts as a value", ok);
    ok = 1;
    for (int i = 0; i < bits; i++) {
        limb bit = (limb) 1 << i;
        for (int j = 0; j < 50; j++) {
            limb x = (limb) draw() << (bits / 2) ^ draw() ^ (limb) draw() << 7;
            ok &= right(x & ~bit, x | bit) && right(0, bit) && right(bit, most);
        }
    }
    check("numbers that differ in one bit are told apart", ok);
    ok = 1;
    for (int i = 0; i < bits; i++) {
        limb x = (limb) 1 << i;
        ok &= right(x, x + 1) && right(x, x - 1) && right(x - 1, x + 1);
    }
    check("numbers beside each other are told apart", ok);
    limb half = (limb) 1 << (bits / 2);
    ok = right(half, half - 1) && right(half, 1) && right(2 * half, half + 9) && right(3 * half, 3 * half + 1) &&
         right(5 * half + 1, 4 * half + 2);
    check("the upper half of the limb counts", ok);
    ok = 1;
    for (int i = 0; i < 100000; i++) {
        limb x = (limb) draw() << 33 ^ draw() ^ (limb) (draw() & 1) << (bits - 1);
        limb y = (limb) draw() << 33 ^ draw() ^ (limb) (draw() & 1) << (bits - 1);
        ok &= right(x, y) && right(x >> draw() % bits, y >> draw() % bits);
    }
    check("random numbers are compared", ok);
    check("the result is one or zero", clean);

    mbedtls_mpi a, b;
    mbedtls_mpi_init(&a);
    mbedtls_mpi_init(&b);
    mbedtls_mpi_grow(&a, 4);
    mbedtls_mpi_grow(&b, 4);
    ok = 1;
    for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 4; j++) {
            a.p[j] = (limb) draw() << 33 ^ draw();
            b.p[j] = draw() % 3 ? a.p[j] : (limb) draw() << 33 ^ draw();
        }
        ok &= mpi_right(&a, &b) && mpi_right(&b, &a) && mpi_right(&a, &a);
    }
    check("whole numbers are compared by it", ok);
    return done();
}
