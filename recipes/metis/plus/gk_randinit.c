/*---
 * tasks: [gk_randinit-1ed6fd]
 * tests:
 *   the same seed gives the same numbers again: 'Docstring: "with a seed"; METIS_OPTION_SEED: repeatable results.'
 *   different seeds give different numbers: 'Docstring: "with a seed".'
 *   a seed may be zero: 'The parameter seed.'
 *   a large seed works: 'The parameter seed is a uint64_t.'
 *   a seed in the middle of a sequence starts anew: 'Docstring: it "initializes".'
 *   the numbers of the library follow the seed: 'gk_mkrandom.h: irand and its like use it.'
 *   without USE_GKRAND the generator of the C library is seeded: 'random.c: gk_randint32 takes rand() there.'
 *   with USE_GKRAND the known numbers come: 'random.c: "MT19937-64"; seed 5489 gives 9981545732273789042 as 10000th.'
 *   with USE_GKRAND the first numbers of the seed come: 'random.c: "MT19937-64", 63 bits of it.'
 *   with USE_GKRAND the default seed is 5489: 'random.c: "a default initial seed is used".'
 *   with USE_GKRAND the same seed gives the same numbers: 'Docstring: "initializes mt[NN] with a seed".'
 *   with USE_GKRAND all bits of the seed count: 'Docstring: "initializes mt[NN] with a seed", a uint64_t.'
 *   with USE_GKRAND it starts anew at once: 'random.c: gk_randint64 makes NN words at one time.'
 ---*/
#include "plus.h"
#undef USE_GKRAND
#undef GK_MKRANDOM
#define GK_MKRANDOM(a, b, c)

uint64_t mt_randint64(void);
void mt_randinit(uint64_t seed);
uint64_t c_randint64(void);
void c_randinit(uint64_t seed);

/* Once for the generator of the C library, once for its own. */
#define gk_randinit c_randinit
#define gk_randint64 c_randint64
#define gk_randint32 c_randint32
#include "../../GKlib/random.c"
#undef gk_randinit
#undef gk_randint64
#undef gk_randint32
#define USE_GKRAND
#define gk_randinit mt_randinit
#define gk_randint64 mt_randint64
#define gk_randint32 mt_randint32
#include "../../GKlib/random.c"
#undef gk_randinit
#undef gk_randint64
#undef gk_randint32

static void take(uint64_t *to, int n) {
    for (int i = 0; i < n; i++) to[i] = gk_randint64();
}

static void mt_take(uint64_t *to, int n) {
    for (int i = 0; i < n; i++) to[i] = mt_randint64();
}

int main(void) {
    static uint64_t a[700], b[700], c[700];
    const uint64_t low = 0x7FFFFFFFFFFFFFFFULL;
    mt_take(a, 700);
    mt_randinit(5489);
    mt_take(b, 700);
    ok("with USE_GKRAND the default seed is 5489", !memcmp(a, b, sizeof a));
    ok("with USE_GKRAND the first numbers of the seed come",
       b[0] == (14514284786278117030ULL & low) && b[1] == (4620546740167642908ULL & low) &&
           b[2] == (13109570281517897720ULL & low));
    mt_randinit(5489);
    uint64_t last = 0;
    for (int i = 0; i < 10000; i++) last = mt_randint64();
    ok("with USE_GKRAND the known numbers come", last == (9981545732273789042ULL & low));
    mt_randinit(7);
    mt_take(a, 700);
    mt_randinit(7);
    mt_take(b, 700);
    ok("with USE_GKRAND the same seed gives the same numbers", !memcmp(a, b, sizeof a));
    mt_randinit(7 + (1ULL << 40));
    mt_take(b, 700);
    mt_randinit(7 + (1ULL << 63));
    mt_take(c, 700);
    ok("with USE_GKRAND all bits of the seed count", a[0] != b[0] && a[0] != c[0] && b[0] != c[0]);
    int anew = 1;
    for (int n = 1; n < 700; n += 31) {
        mt_randinit(n);
        mt_take(b, n);
        mt_randinit(7);
        mt_take(b, 320);
        anew &= !memcmp(a, b, 320 * sizeof *a);
    }
    ok("with USE_GKRAND it starts anew at once", anew);

    gk_randinit(12345);
    take(a, 100);
    gk_randinit(12345);
    take(b, 100);
    ok("the same seed gives the same numbers again", !memcmp(a, b, 100 * sizeof *a));
    gk_randinit(12346);
    take(b, 100);
    gk_randinit(4321);
    take(c, 100);
    ok("different seeds give different numbers", memcmp(a, b, 100 * sizeof *a) && memcmp(a, c, 100 * sizeof *a) &&
                                                     memcmp(b, c, 100 * sizeof *a));
    gk_randinit(0);
    take(b, 100);
    gk_randinit(0);
    take(c, 100);
    ok("a seed may be zero", !memcmp(b, c, 100 * sizeof *b) && memcmp(a, b, 100 * sizeof *a));
    gk_randinit(4000000007ULL);
    take(b, 100);
    gk_randinit(4000000007ULL);
    take(c, 100);
    ok("a large seed works", !memcmp(b, c, 100 * sizeof *b) && memcmp(a, b, 100 * sizeof *a));
    int middle = 1;
    for (int n = 1; n < 60; n += 7) {
        gk_randinit(99);
        take(b, n);
        gk_randinit(12345);
        take(b, 100);
        middle &= !memcmp(a, b, 100 * sizeof *a);
    }
    ok("a seed in the middle of a sequence starts anew", middle);
    int follow = 1;
    idx_t values[20];
    gk_randinit(77);
    for (int i = 0; i < 20; i++) values[i] = irand();
    gk_randinit(77);
    for (int i = 0; i < 20; i++) follow &= irand() == values[i];
    isrand(77);
    for (int i = 0; i < 20; i++) follow &= irand() == values[i];
    gk_randinit(78);
    int same = 1;
    for (int i = 0; i < 20; i++) same &= irand() == values[i];
    ok("the numbers of the library follow the seed", follow && !same);
    int plain = 1;
    for (unsigned seed = 0; seed < 5; seed++) {
        srand(seed * 1001);
        for (int i = 0; i < 20; i++) values[i] = rand();
        c_randinit(seed * 1001);
        for (int i = 0; i < 20; i++) plain &= rand() == values[i];
    }
    ok("without USE_GKRAND the generator of the C library is seeded", plain);
    return done();
}
