/* A generator for tests that gives a fixed sequence, or fails. Include it after testutil.h. */
#include <openssl/rand.h>

static unsigned long long plus_seed = 88172645463325252ULL;
static int plus_random_fails;
static long plus_random_bytes_given;

static int plus_random_bytes(unsigned char *out, size_t length, const char *name, EVP_RAND_CTX *rng)
{
    if (plus_random_fails)
        return 0;
    plus_random_bytes_given += (long)length;
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

/* Frees what threads hold, errors and generators, before blocks are counted. */
static void plus_settle(void)
{
    OPENSSL_thread_stop();
    if (plus_random_provider != NULL)
        fake_rand_set_public_private_callbacks(NULL, plus_random_bytes);
}
