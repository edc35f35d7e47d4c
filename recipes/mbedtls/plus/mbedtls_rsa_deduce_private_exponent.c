/*---
 * tasks: [mbedtls_rsa_deduce_private_exponent-dd7d9a]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   D inverts E modulo P-1 and modulo Q-1: 'Docstring: "a simultaneous modular inverse of E modulo both P-1 and Q-1".'
 *   it does so for all small primes: 'Docstring: "a simultaneous modular inverse of E modulo both P-1 and Q-1".'
 *   it does so for moduli of real size: 'Docstring; rsa.c: mbedtls_rsa_complete hands it the key''s own P, Q and E.'
 *   D and the rest make up a valid key: 'rsa_internal.h: mbedtls_rsa_validate_params; rsa.c: mbedtls_rsa_complete.'
 *   the primes may come in either order: 'Docstring: "both P-1 and Q-1", "first" and "second prime factor".'
 *   the prime two is a prime: 'Docstring: "First prime factor", "Second prime factor"; 2 is the least.'
 *   E may be larger than P-1 and Q-1: 'Docstring: an "RSA public exponent", without a bound below the modulus.'
 *   P and Q need not be primes: 'Docstring: "does not check whether P and Q are primes".'
 *   an E that shares a factor with P-1 has no inverse: 'Docstring: "A non-zero error code otherwise".'
 *   an E that shares a factor with Q-1 has no inverse: 'Docstring: "A non-zero error code otherwise".'
 *   an E of zero is an error: 'Docstring: "A non-zero error code otherwise"; 0 has no inverse.'
 *   a P of one or less is an error: 'Docstring: "A non-zero error code otherwise"; a prime factor is above 1.'
 *   a Q of one or less is an error: 'Docstring: "A non-zero error code otherwise"; a prime factor is above 1.'
 *   P, Q and E stay as they are: 'Their type: pointers to const; rsa.c goes on with the context''s own.'
 *   a failed allocation is an error: 'Docstring: "A non-zero error code otherwise": D would not be set.'
 *   all memory but that of D is given back: 'bignum.h: mbedtls_mpi_free; the caller knows nothing but D.'
 ---*/
#include "mbedtls/rsa.h"
#include "mbedtls/rsa_internal.h"
#include "check.h"
#include "heap.h"

static mbedtls_mpi P, Q, E, D, T;

/* E * D = 1 modulo M - 1. */
static int inverts(const mbedtls_mpi *M) {
    mbedtls_mpi L;
    mbedtls_mpi_init(&L);
    int ok = mbedtls_mpi_sub_int(&L, M, 1) == 0 && mbedtls_mpi_mul_mpi(&T, &D, &E) == 0 &&
             mbedtls_mpi_sub_int(&T, &T, 1) == 0 && mbedtls_mpi_mod_mpi(&T, &T, &L) == 0 &&
             mbedtls_mpi_cmp_int(&T, 0) == 0;
    mbedtls_mpi_free(&L);
    return ok;
}

static int deduce(void) {
    mbedtls_mpi_free(&D);
    return mbedtls_rsa_deduce_private_exponent(&P, &Q, &E, &D);
}

static int deduce_of(int p, int q, int e) {
    mbedtls_mpi_lset(&P, p);
    mbedtls_mpi_lset(&Q, q);
    mbedtls_mpi_lset(&E, e);
    return deduce();
}

static int right(int p, int q, int e) {
    return deduce_of(p, q, e) == 0 && mbedtls_mpi_cmp_int(&D, 0) > 0 && inverts(&P) && inverts(&Q);
}

static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

int main(void) {
    static const int primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 61, 67, 73, 97};
    const int n = sizeof(primes) / sizeof(*primes);
    int ok = 1, no = 1;
    heap_ok();
    check("D inverts E modulo P-1 and modulo Q-1", right(61, 53, 17) && right(7, 13, 5) && right(1009, 3643, 65537));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int p = primes[i], q = primes[j];
            if (i == j) continue;
            for (int e = 3; e < 40; e += 2) {
                if (gcd(e, p - 1) == 1 && gcd(e, q - 1) == 1) {
                    ok &= right(p, q, e);
                } else {
                    no &= deduce_of(p, q, e) != 0;
                }
            }
        }
    }
    check("it does so for all small primes", ok && no);
    check("the primes may come in either order", right(11, 101, 7) && right(101, 11, 7));
    check("the prime two is a prime", right(2, 7, 5) && right(7, 2, 5) && right(2, 13, 5) && right(3, 2, 5));
    check("E may be larger than P-1 and Q-1", right(7, 13, 25) && right(5, 7, 65537) && right(3, 5, 7));
    check("P and Q need not be primes", right(9, 25, 5) && right(15, 4, 11) && right(21, 33, 3));
    ok = deduce_of(7, 5, 3) != 0 && deduce_of(31, 3, 5) != 0 && deduce_of(11, 7, 4) != 0 && deduce_of(103, 5, 17) != 0;
    check("an E that shares a factor with P-1 has no inverse", ok);
    ok = deduce_of(5, 7, 3) != 0 && deduce_of(3, 31, 5) != 0 && deduce_of(17, 11, 5) != 0 && deduce_of(5, 103, 17) != 0;
    check("an E that shares a factor with Q-1 has no inverse", ok);
    check("an E of zero is an error", deduce_of(7, 13, 0) != 0 && deduce_of(3, 5, 0) != 0);
    ok = deduce_of(1, 7, 5) != 0 && deduce_of(0, 7, 5) != 0 && deduce_of(-1, 7, 5) != 0 && deduce_of(-5, 7, 5) != 0;
    check("a P of one or less is an error", ok);
    ok = deduce_of(7, 1, 5) != 0 && deduce_of(7, 0, 5) != 0 && deduce_of(7, -1, 5) != 0 && deduce_of(7, -5, 5) != 0;
    check("a Q of one or less is an error", ok);

    mbedtls_mpi N, p, q, e;
    mbedtls_mpi_init(&N);
    mbedtls_mpi_init(&p);
    mbedtls_mpi_init(&q);
    mbedtls_mpi_init(&e);
    /* 2^521 - 1 and 2^607 - 1 are primes. */
    mbedtls_mpi_lset(&P, 1);
    mbedtls_mpi_shift_l(&P, 607);
    mbedtls_mpi_sub_int(&P, &P, 1);
    mbedtls_mpi_lset(&Q, 1);
    mbedtls_mpi_shift_l(&Q, 521);
    mbedtls_mpi_sub_int(&Q, &Q, 1);
    mbedtls_mpi_lset(&E, 65537);
    mbedtls_mpi_mul_mpi(&N, &P, &Q);
    mbedtls_mpi_copy(&p, &P);
    mbedtls_mpi_copy(&q, &Q);
    mbedtls_mpi_copy(&e, &E);
    check("it does so for moduli of real size", deduce() == 0 && inverts(&P) && inverts(&Q));
    check("D and the rest make up a valid key", mbedtls_rsa_validate_params(&N, &P, &Q, &D, &E, NULL, NULL) == 0);
    ok = mbedtls_mpi_cmp_mpi(&p, &P) == 0 && mbedtls_mpi_cmp_mpi(&q, &Q) == 0 && mbedtls_mpi_cmp_mpi(&e, &E) == 0;
    check("P, Q and E stay as they are", ok);

    long before, leaks = 0;
    ok = 1;
    mbedtls_mpi_free(&D);
    mbedtls_mpi_lset(&P, 1009);
    mbedtls_mpi_lset(&Q, 3643);
    mbedtls_mpi_lset(&E, 65537);
    for (long i = 0; i < 3000; i++) {
        before = heap_live;
        heap_fail(i);
        int ret = mbedtls_rsa_deduce_private_exponent(&P, &Q, &E, &D);
        heap_ok();
        if (ret == 0 && !(inverts(&P) && inverts(&Q))) ok = 0;
        mbedtls_mpi_free(&D);
        mbedtls_mpi_free(&T);
        leaks += heap_live != before && i > 0;
        if (ret == 0 && !heap_failed) break;
        before = heap_live;
    }
    check("a failed allocation is an error", ok);

    mbedtls_mpi_free(&T);
    before = heap_live;
    right(61, 53, 17);
    deduce_of(7, 13, 3);
    deduce_of(1, 13, 3);
    mbedtls_mpi_free(&T);
    mbedtls_mpi_free(&D);
    check("all memory but that of D is given back", heap_live == before && leaks == 0 && !heap_overrun);
    return done();
}
