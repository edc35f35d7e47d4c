/* For tests of bn_mul.c: words of several kinds, and a product by the rule of school. */
#include "internal/cryptlib.h"
#include "../../crypto/bn/bn_local.h"
#include "../testutil.h"

#define WORDS_MAX 1100
#define WORDS_KINDS 8
#define WORDS_GUARD ((BN_ULONG)0x5aa55aa5)

static unsigned long long words_seed = 88172645463325252ULL;

static BN_ULONG words_random(void)
{
    words_seed ^= words_seed << 13;
    words_seed ^= words_seed >> 7;
    words_seed ^= words_seed << 17;
    return (BN_ULONG)words_seed;
}

/* Fills `n` words, with a kind: random, all ones, 1, the halves around `half` small or large. */
static void words_fill(BN_ULONG *w, int n, int half, int kind)
{
    int i;

    for (i = 0; i < n; i++)
        w[i] = kind == 0 || kind == 7 ? words_random() : kind == 1 ? BN_MASK2
            : kind == 2 ? (i == 0) : kind == 3 ? (i < half ? BN_MASK2 : 1)
            : kind == 4 ? (i < half ? 1 : BN_MASK2) : kind == 5 ? (i >= half ? words_random() : 0)
            : (i < half ? words_random() : 0);
}

static void words_guard(BN_ULONG *w, int n)
{
    while (n-- > 0)
        w[n] = WORDS_GUARD;
}

static int words_guarded(const BN_ULONG *w, int n)
{
    while (n-- > 0)
        if (w[n] != WORDS_GUARD)
            return TEST_error("written past the end"), 0;
    return 1;
}

/* r = a * b in na + nb words. */
static void words_mul(BN_ULONG *r, const BN_ULONG *a, int na, const BN_ULONG *b, int nb)
{
    int i, j;

    memset(r, 0, (na + nb) * sizeof(*r));
    for (i = 0; i < na; i++) {
        unsigned __int128 carry = 0;

        for (j = 0; j < nb; j++) {
            carry += (unsigned __int128)a[i] * b[j] + r[i + j];
            r[i + j] = (BN_ULONG)carry;
            carry >>= 64;
        }
        r[i + nb] = (BN_ULONG)carry;
    }
}
