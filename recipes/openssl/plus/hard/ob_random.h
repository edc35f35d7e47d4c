/* A generator for tests that gives a fixed sequence, or fails. Include it after testutil.h. */
#include <openssl/rand.h>

static unsigned long long ob_seed = 88172645463325252ULL;
static int ob_random_fails;
static long ob_random_bytes_given;

static int ob_random_bytes(unsigned char *out, size_t length, const char *name, EVP_RAND_CTX *rng)
{
    if (ob_random_fails)
        return 0;
    ob_random_bytes_given += (long)length;
    while (length-- > 0) {
        ob_seed ^= ob_seed << 13;
        ob_seed ^= ob_seed >> 7;
        ob_seed ^= ob_seed << 17;
        *out++ = (unsigned char)(ob_seed >> 24);
    }
    return 1;
}

static OSSL_PROVIDER *ob_random_provider;

static int ob_fixed_random(OSSL_LIB_CTX *libctx)
{
    if ((ob_random_provider = fake_rand_start(libctx)) == NULL)
        return 0;
    fake_rand_set_public_private_callbacks(libctx, ob_random_bytes);
    return 1;
}

/* Frees what threads hold, errors and generators, before blocks are counted. */
static void ob_settle(void)
{
    OPENSSL_thread_stop();
    if (ob_random_provider != NULL)
        fake_rand_set_public_private_callbacks(NULL, ob_random_bytes);
}
