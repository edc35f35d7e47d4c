/*---
 * tasks: [gk_randint32-d4c7d4]
 * tests:
 *   the same seed gives the same numbers: 'gk_randinit "with a seed"; METIS_OPTION_SEED: repeatable results.'
 *   different seeds give different numbers: 'gk_randinit "with a seed".'
 *   the numbers differ from each other: 'Docstring: "generates a random number".'
 *   no number is negative as an int: 'gk_mkrandom.h: irandInRange takes it modulo max, "between [0, max)".'
 *   large and small numbers come: 'Docstring: "on [0, 2^32-1]-interval".'
 *   odd and even numbers come: 'Docstring: "generates a random number".'
 *   each of the lower bits is random: 'gk_mkrandom.h: irandInRange takes it modulo max.'
 *   the numbers in a range are even: 'gk_mkrandom.h: irandInRange, "a random number between [0, max)".'
 *   without USE_GKRAND each call takes the next number of rand: 'random.c: "rand()" without USE_GKRAND.'
 *   with USE_GKRAND each call takes one number: 'random.c: its own generator, by gk_randint64.'
 *   with USE_GKRAND the state of rand is left alone: 'random.c: portable "across different architectures".'
 *   with USE_GKRAND no number is negative as an int: 'gk_mkrandom.h: irandInRange takes it modulo max.'
 *   with USE_GKRAND large, small, odd and even numbers come: 'Docstring: "on [0, 2^32-1]-interval".'
 *   with USE_GKRAND it follows the seed: 'gk_randinit "with a seed".'
 ---*/
#include "plus.h"
#undef USE_GKRAND
#undef GK_MKRANDOM
#define GK_MKRANDOM(a, b, c)

uint64_t mt_randint64(void);
uint32_t mt_randint32(void);
void mt_randinit(uint64_t seed);
uint64_t c_randint64(void);
uint32_t c_randint32(void);
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

enum { N = 4000 };

static uint32_t a[N], b[N];

static int positive(void) {
    for (int i = 0; i < N; i++)
        if ((int32_t)a[i] < 0) return 0;
    return 1;
}

static int wide(void) {
    int large = 0, small = 0, middle = 0;
    for (int i = 0; i < N; i++) {
        large += a[i] > 0x70000000;
        small += a[i] < 0x10000000;
        middle += a[i] > 0x30000000 && a[i] < 0x50000000;
    }
    return large > N / 20 && small > N / 20 && middle > N / 20;
}

static int bits(int from, int to) {
    for (int k = from; k < to; k++) {
        int set = 0;
        for (int i = 0; i < N; i++) set += a[i] >> k & 1;
        if (set < N / 3 || set > 2 * N / 3) return 0;
    }
    return 1;
}

static int distinct(void) {
    int same = 0;
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < i; j++) same += a[i] == a[j];
    return same < 3;
}

int main(void) {
    gk_randinit(5);
    for (int i = 0; i < N; i++) a[i] = gk_randint32();
    gk_randinit(5);
    for (int i = 0; i < N; i++) b[i] = gk_randint32();
    ok("the same seed gives the same numbers", !memcmp(a, b, sizeof a));
    gk_randinit(6);
    for (int i = 0; i < N; i++) b[i] = gk_randint32();
    ok("different seeds give different numbers", memcmp(a, b, sizeof a) != 0);
    ok("the numbers differ from each other", distinct());
    ok("no number is negative as an int", positive());
    ok("large and small numbers come", wide());
    ok("odd and even numbers come", bits(0, 1));
    ok("each of the lower bits is random", bits(0, 31));
    int times[7] = {0}, even = 1;
    for (int i = 0; i < 7000; i++) {
        idx_t r = irandInRange(7);
        if (r < 0 || r > 6) even = 0;
        else times[r]++;
    }
    for (int i = 0; i < 7; i++) even &= times[i] > 800 && times[i] < 1200;
    ok("the numbers in a range are even", even);
    int plain = 1;
    srand(31);
    for (int i = 0; i < 50; i++) b[i] = rand();
    srand(31);
    for (int i = 0; i < 50; i += 2) plain &= c_randint32() == b[i] && (uint32_t)rand() == b[i + 1];
    ok("without USE_GKRAND each call takes the next number of rand", plain);

    mt_randinit(8);
    uint64_t wideones[20];
    for (int i = 0; i < 20; i++) wideones[i] = mt_randint64();
    mt_randinit(8);
    int one = 1;
    for (int i = 0; i < 20; i += 2) {
        mt_randint32();
        one &= mt_randint64() == wideones[i + 1];
    }
    ok("with USE_GKRAND each call takes one number", one);
    srand(31);
    for (int i = 0; i < 20; i++) mt_randint32();
    int alone = 1;
    for (int i = 0; i < 20; i++) alone &= (uint32_t)rand() == b[i];
    ok("with USE_GKRAND the state of rand is left alone", alone);
    mt_randinit(8);
    for (int i = 0; i < N; i++) a[i] = mt_randint32();
    ok("with USE_GKRAND no number is negative as an int", positive());
    ok("with USE_GKRAND large, small, odd and even numbers come", wide() && bits(0, 31) && distinct());
    mt_randinit(8);
    for (int i = 0; i < N; i++) b[i] = mt_randint32();
    int follows = !memcmp(a, b, sizeof a);
    mt_randinit(9);
    for (int i = 0; i < N; i++) b[i] = mt_randint32();
    ok("with USE_GKRAND it follows the seed", follows && memcmp(a, b, sizeof a));
    return done();
}
