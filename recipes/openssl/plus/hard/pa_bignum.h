/* For tests of bn_lib.c: a number of given words, with rubbish in the words that are not in use. */
#include "internal/cryptlib.h"
#include "../../crypto/bn/bn_local.h"
#include <openssl/err.h>
#include "../testutil.h"
#include "refused_nth.h"

#define PLUS_RUBBISH ((BN_ULONG)0xdeadbeef)
#define PLUS_BYTES ((int)sizeof(BN_ULONG))

/* `top` words, of `room` that are there. */
static BIGNUM *plus_number(const BN_ULONG *words, int top, int room, int neg)
{
    BIGNUM *a = BN_new();
    int i;

    a->d = room == 0 ? NULL : OPENSSL_malloc(room * sizeof(BN_ULONG));
    for (i = 0; i < room; i++)
        a->d[i] = i < top ? words[i] : PLUS_RUBBISH;
    a->top = top;
    a->dmax = room;
    a->neg = neg;
    return a;
}

/* Has it just these words, and this sign? */
static int plus_is(const BIGNUM *a, const BN_ULONG *words, int top, int neg)
{
    return TEST_ptr(a) && TEST_int_eq(a->top, top) && TEST_int_eq(a->neg, neg)
        && TEST_int_ge(a->dmax, top)
        && (top == 0 || TEST_mem_eq(a->d, top * sizeof(BN_ULONG), words, top * sizeof(BN_ULONG)));
}
