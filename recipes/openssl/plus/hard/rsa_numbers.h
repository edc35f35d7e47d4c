/*
 * Numbers for tests of RSA key generation after FIPS 186-4. Include it after testutil.h.
 * KAT_*: the known answer of CAVS that test/acvp_test.inc holds too (2048 bits, e = 65537).
 */
#include <openssl/bn.h>
#include <openssl/err.h>
#include "internal/nelem.h"
#include <openssl/rand.h>

#define KAT_XP \
    "cf721b9afd0d221a7450972276d8c0c2fd088105dd18219996d65c79e30281d70e3f3b34da61c92d" \
    "8486621e3d5dbf922ecd353d6eb95916c9825041304567aab7beecea4b9ea0c305b388d44cacebe4" \
    "03c6cacbd9d34ef67f2c271e086cc2d6451f84e43c9719deb855af0ecf9eb09c20d31fa8d752c295" \
    "1c8015424d4f1916"

#define KAT_XP1 \
    "ac5f7f6e333e973ab31744a90f7a5470270693d549de9183bc8a7b95"

#define KAT_XP2 \
    "0bf6e8795a81ae901da438749c0e6fe003cfc453163217f7095fd9"

#define KAT_P1 \
    "ac5f7f6e333e973ab31744a90f7a5470270693d549de9183bc8a7bc3"

#define KAT_P2 \
    "0bf6e8795a81ae901da438749c0e6fe003cfc453163217f7095fd9"

#define KAT_P \
    "cf721b9afd0d221a7450972276d8c0c2fd088105dd18219996d65c79e30281d70e3f3b34da61c92d" \
    "8486621e3d5dbf922ecd353d6eb95916c9825041304567aab7beecea4b9ea0c305bc4c01a54bbda4" \
    "20b520d5596f825c8f4fe03a4e7efe44f33cc00e142b32e6288b638700c3534a5b717a5b2840c418" \
    "b6770bab59a4967d"

#define KAT_XQ \
    "feabf27c164af08d31c60a82e2aebb037e7b204e64b016ad3c011ad354bf2ba4029ec30d603d1fb9" \
    "c00de69768bb8c81d5c154960f99f0a8a2f3c68eecbc3117709824a33651a854bd9a89996e575ed0" \
    "3986c3a31bc7cfc44f47259e2c79e12ccce463f40284f8f6a15c9314f2685f3a902f4e5ef91605cf" \
    "2163cafab00802c0"

#define KAT_XQ1 \
    "9b02d4baf0aa14996dc0b7a5e1d370b65aa29b59d58c1e9f3f9adeeb9e9c61d65ae1"

#define KAT_XQ2 \
    "068153fda87ba38590152c97b2a01748b07f0a016d"

#define KAT_Q1 \
    "9b02d4baf0aa14996dc0b7a5e1d370b65aa29b59d58c1e9f3f9adeeb9e9c61d65d47"

#define KAT_Q2 \
    "068153fda87ba38590152c97b2a01748b07f0a018f"

#define KAT_Q \
    "feabf27c164af08d31c60a82e2aebb037e7b204e64b016ad3c011ad354bf2ba4029ec30d603d1fb9" \
    "c00de69768bb8c81d5c154960f99f0a8a2f3c68eecbc3117709824a33651a854c444ddf77eda474a" \
    "67445d4e75f04d0068e14aec1f45f9e6ca3895486fdc9d1ba34bfd084b54cdeb3def33116ecee45d" \
    "efa9585c874dc8cf"

#define KAT_N \
    "ce5e8d1aa3087a2db44948f006b6feba2f397c7be05d092d574e54609ce5084be11a73c15e2fb646" \
    "d781cabc98d2f9ef1c928c8d99852852d6d5ab707e9ea98782c89564ebf06c0f3fe902292e6da1ec" \
    "bfdc23df824fab398dccac215114f8efec738086a3cf8fd5cf221fcc232fbacbf617cd3a1fd984b9" \
    "88a7780faac9040120725d2afe5bdd165aed83029639463730c10d87c2c83338ed3572e529f81f23" \
    "60e12a5b1d6b533f07c4d9bb040c5c3f0bc4d4619694f10f4a49acded2e842b34a0b647a325f2b5b" \
    "0f8b8be033233464f8b57f6960b871e9ff9242b1f723a8a792043d6bfff7abbb141f4c1097d56b71" \
    "12fd93a04a3b757240961c5f40405713"

#define KAT_D \
    "4747491d662a4b68f5d84a24fd6cbf56b770f79a21c8809ef484cd880128ea50ab1363dfea1438b5" \
    "0742812fdae924027eafef74090e80fafbd11941e5ba0f7c0aa41555a2588c3a482cc6de4a76fb72" \
    "b661e6d210444c33b8d274b19d3bcd2fb14fc398bd83b77e75e8a76aeecc518c9917677f27f90d6a" \
    "b7d4801789399cf3d70fdfb055801daf572ed0f04f426955bc83d697837ae6c6306d3db521a7c462" \
    "0a20ce5e5a1798b36f6b9aeb6ba3c475d82bdc5c6fec5d49aca8a42fb88c4f2e4621ee726a0e2280" \
    "71c87640446116bfa5f889c7e987dfbd2e4b4ec29753e9491c05b00b9b9f211941e9f561d7332e2c" \
    "94b8a89a3acc6a248d1913eeb9b04861"

/* A prime of 503 bits; the next one is 274 away. */
#define PRIME_503 \
    "7c0fced6645fa9e8a8529f035efa259b08923d10c67fd994b2b8fda02f34a6795b929e9a9a80fdea" \
    "7b5bf55eb561a4216363698b529b4a97b750923ceb40c9"
/* A prime of 504 bits; the next one is 118 away. */
#define PRIME_504 \
    "bb5f3d268ecc45dc6bf1e1a399f82a65aa9c8279f248b08cb4a0d7d62256758a7d43b578633074b7" \
    "970386fee29476311624273bfd1d338d0038ec426509f7"
/* A prime of 759 bits; the next one is 78 away. */
#define PRIME_759 \
    "4c20c07906159644f9794cdd933160d2d5844307f062cec7b317d94d1fe09f0af438d297524d6af5" \
    "1e8722c21b609228ce6f2410645d51c6f8da3eabe19f5803e0a813bdc2ae9963d2e49085ef3430ed" \
    "038db4de38378426d0b944a2863a83"
/* A prime of 1015 bits; the next one is 1520 away. */
#define PRIME_1015 \
    "75e8314d100d8fdaf0105ba06c05a1c76abf436fa84dcaac0ae4e2f729b4c8420b0ebe378c74dc7e" \
    "b0adf422cedafb092fdddf18f2c41c5d92b243e0fd67dd2257989fef829c88f6ced90a71d2af7293" \
    "b05a04cd085b71ba6676b3651c52536d4b9adbebcd1f5ec9c18070b6d13089633a50eee0f9e038eb" \
    "8f624fb804dedd"

/* The numbers of a test: freed by plus_free_numbers. */
static BIGNUM *plus_numbers[1000];
static int plus_count;

static BIGNUM *plus_keep(BIGNUM *number)
{
    if (number == NULL || plus_count == (int)OSSL_NELEM(plus_numbers))
        abort();
    return plus_numbers[plus_count++] = number;
}

static BIGNUM *plus_hex(const char *digits)
{
    BIGNUM *number = NULL;

    BN_hex2bn(&number, digits);
    return plus_keep(number);
}

static BIGNUM *plus_word(BN_ULONG word)
{
    BIGNUM *number = plus_keep(BN_new());

    BN_set_word(number, word);
    return number;
}

static void plus_free_numbers(void)
{
    while (plus_count > 0)
        BN_free(plus_numbers[--plus_count]);
}

/* A fixed sequence in place of random bytes, after plus_fixed_random(NULL). */
static unsigned long long plus_seed = 88172645463325252ULL;
static int plus_random_calls, plus_random_fails;

static int plus_random_bytes(unsigned char *out, size_t length, const char *name, EVP_RAND_CTX *rng)
{
    plus_random_calls++;
    if (plus_random_fails)
        return 0;
    while (length-- > 0) {
        plus_seed ^= plus_seed << 13;
        plus_seed ^= plus_seed >> 7;
        plus_seed ^= plus_seed << 17;
        *out++ = (unsigned char)(plus_seed >> 24);
    }
    return 1;
}

static OSSL_PROVIDER *plus_random_provider;

static int plus_fixed_random(OSSL_LIB_CTX *libctx)
{
    if ((plus_random_provider = fake_rand_start(libctx)) == NULL)
        return 0;
    fake_rand_set_public_private_callbacks(libctx, plus_random_bytes);
    return 1;
}

static BN_CTX *plus_ctx;

/* A test with a context of its own, whose numbers are freed after it. */
static int plus_with(int (*test)(void))
{
    int ok;

    plus_ctx = BN_CTX_new();
    ok = TEST_ptr(plus_ctx) && test();
    plus_free_numbers();
    BN_CTX_free(plus_ctx);
    ERR_clear_error();
#ifdef MEMORY_LIVE
    ok = ok && TEST_long_eq(memory_bad_frees, 0);
#endif
    return ok;
}

#define PLUS_TEST(name) \
    static int name##_body(void); \
    static int name(void) \
    { \
        return plus_with(name##_body); \
    } \
    static int name##_body(void)

/*
 * Is it a prime factor for keys of nlen bits: prime, in its range (FIPS 186-4 B.3.1), and p - 1
 * coprime to e?
 */
static int plus_good_prime(const BIGNUM *p, int nlen, const BIGNUM *e)
{
    BIGNUM *t = BN_new(), *minus = BN_dup(p);
    int ok;

    ok = TEST_ptr(minus) && TEST_int_eq(BN_num_bits(p), nlen / 2)
        /* p^2 >= 2^(nlen - 1) */
        && TEST_true(BN_sqr(t, p, plus_ctx)) && TEST_int_eq(BN_num_bits(t), nlen / 2 * 2)
        && TEST_true(BN_sub_word(minus, 1)) && TEST_true(BN_gcd(t, minus, e, plus_ctx))
        && TEST_BN_eq_one(t)
        && TEST_int_eq(BN_check_prime(p, plus_ctx, NULL), 1);
    BN_free(t);
    BN_free(minus);
    return ok;
}

/* |p - q| > 2^(nlen / 2 - 100) */
static int plus_far_apart(const BIGNUM *p, const BIGNUM *q, int nlen)
{
    BIGNUM *difference = BN_new();
    int ok = TEST_true(BN_sub(difference, p, q))
        && TEST_int_gt(BN_num_bits(difference), nlen / 2 - 100);

    BN_free(difference);
    return ok;
}

#ifdef OSSL_CRYPTO_RSA_LOCAL_H
/* A key of these numbers; each may be NULL. They are copied. Free it with RSA_free. */
static RSA *plus_key(const BIGNUM *n, const BIGNUM *e, const BIGNUM *d, const BIGNUM *p,
                   const BIGNUM *q)
{
    RSA *rsa = RSA_new();

    if (rsa == NULL)
        abort();
    rsa->n = n == NULL ? NULL : BN_dup(n);
    rsa->e = e == NULL ? NULL : BN_dup(e);
    rsa->d = d == NULL ? NULL : BN_dup(d);
    rsa->p = p == NULL ? NULL : BN_dup(p);
    rsa->q = q == NULL ? NULL : BN_dup(q);
    return rsa;
}

/* Computes n, d, dP, dQ and qInv of p, q and e, by the functions of BN alone. */
static void plus_fill(RSA *rsa)
{
    BIGNUM *t = BN_new(), *p1 = BN_dup(rsa->p), *q1 = BN_dup(rsa->q), *lcm = BN_new();

    rsa->n = rsa->n == NULL ? BN_new() : rsa->n;
    rsa->d = rsa->d == NULL ? BN_new() : rsa->d;
    rsa->dmp1 = rsa->dmp1 == NULL ? BN_new() : rsa->dmp1;
    rsa->dmq1 = rsa->dmq1 == NULL ? BN_new() : rsa->dmq1;
    rsa->iqmp = rsa->iqmp == NULL ? BN_new() : rsa->iqmp;
    if (!BN_sub_word(p1, 1) || !BN_sub_word(q1, 1) || !BN_mul(rsa->n, rsa->p, rsa->q, plus_ctx)
            || !BN_gcd(t, p1, q1, plus_ctx) || !BN_mul(lcm, p1, q1, plus_ctx)
            || !BN_div(lcm, NULL, lcm, t, plus_ctx)
            || BN_mod_inverse(rsa->d, rsa->e, lcm, plus_ctx) == NULL
            || !BN_mod(rsa->dmp1, rsa->d, p1, plus_ctx) || !BN_mod(rsa->dmq1, rsa->d, q1, plus_ctx)
            || BN_mod_inverse(rsa->iqmp, rsa->q, rsa->p, plus_ctx) == NULL)
        abort();
    BN_free(t);
    BN_free(p1);
    BN_free(q1);
    BN_free(lcm);
}

/* d = 1 / e mod lcm(p - 1, q - 1), dP, dQ and qInv of a key, by the functions of BN alone. */
static int plus_consistent(const RSA *rsa)
{
    BIGNUM *t = BN_new(), *p1 = BN_dup(rsa->p), *q1 = BN_dup(rsa->q), *lcm = BN_new();
    int ok = TEST_ptr(rsa->n) && TEST_ptr(rsa->e) && TEST_ptr(rsa->d) && TEST_ptr(rsa->dmp1)
        && TEST_ptr(rsa->dmq1) && TEST_ptr(rsa->iqmp)
        && BN_sub_word(p1, 1) && BN_sub_word(q1, 1)
        && TEST_true(BN_mul(t, rsa->p, rsa->q, plus_ctx)) && TEST_BN_eq(t, rsa->n)
        && TEST_true(BN_gcd(t, p1, q1, plus_ctx)) && TEST_true(BN_mul(lcm, p1, q1, plus_ctx))
        && TEST_true(BN_div(lcm, NULL, lcm, t, plus_ctx))
        && TEST_true(BN_mod_mul(t, rsa->d, rsa->e, lcm, plus_ctx)) && TEST_BN_eq_one(t)
        && TEST_BN_lt(rsa->d, lcm)
        && TEST_true(BN_mod(t, rsa->d, p1, plus_ctx)) && TEST_BN_eq(t, rsa->dmp1)
        && TEST_true(BN_mod(t, rsa->d, q1, plus_ctx)) && TEST_BN_eq(t, rsa->dmq1)
        && TEST_true(BN_mod_mul(t, rsa->iqmp, rsa->q, rsa->p, plus_ctx)) && TEST_BN_eq_one(t)
        && TEST_BN_lt(rsa->iqmp, rsa->p);

    BN_free(t);
    BN_free(p1);
    BN_free(q1);
    BN_free(lcm);
    return ok;
}
#endif

#ifdef MEMORY_LIVE
/*
 * Does the call take and give back its numbers of plus_ctx, and leak nothing? It is made often, with
 * one context.
 * What threads hold, errors and generators, is freed first.
 */
static int plus_balanced(void (*call)(void))
{
    BIGNUM *mine, *further;
    long before = 0;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        BN_CTX_start(plus_ctx);
        mine = BN_CTX_get(plus_ctx);
        BN_set_word(mine, 77);
        call();
        further = BN_CTX_get(plus_ctx);
        ok = TEST_ptr(further) && TEST_ptr_ne(further, mine) && TEST_BN_eq_word(mine, 77);
        BN_CTX_end(plus_ctx);
        ERR_clear_error();
        OPENSSL_thread_stop();
        if (plus_random_provider != NULL)
            fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
        if (i == 2)
            before = memory_blocks;
    }
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}
#endif
