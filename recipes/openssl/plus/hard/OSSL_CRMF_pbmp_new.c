/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092, OSSL_CRMF_pbmp_new-78f092.2, OSSL_CRMF_pbmp_new-78f092.4,
 *   OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   the parameters hold what was given: 'OSSL_CRMF_pbmp_new(3): "OWF (one-way function) NID
 *     owfnid, OWF iteration count
 *     itercnt, and MAC NID macnid"; crmf_local.h.'
 *   the salt has the length that was given: 'OSSL_CRMF_pbmp_new(3): "a new random salt of given
 *     length saltlen".'
 *   the salt is random and new each time: 'OSSL_CRMF_pbmp_new(3): "a new random salt".'
 *   the salt comes from the generator of the library context: 'OSSL_CRMF_pbmp_new(3): "libctx ...
 *     may be used to select
 *     the provider for the random number generation", "NULL for the default".'
 *   an iteration count of 100 to 100000 is taken: 'Docstring: "MUST be >= 100 ... and <=
 *     OSSL_CRMF_PBM_MAX_ITERATION_COUNT"; OSSL_CRMF_pbmp_new(3).'
 *   a smaller iteration count is refused: 'Docstring: "MUST be >= 100"; "NULL on error".'
 *   a larger iteration count is refused: 'OSSL_CRMF_pbmp_new(3): "limited to at most 100000".'
 *   the parameters can be encoded: 'cmp_protect.c: pbmac_algor encodes them; RFC 4211 4.4.'
 *   a message authentication code can be made with them: 'OSSL_CRMF_pbm_new(3).'
 *   a generator that fails is an error: 'OSSL_CRMF_pbmp_new(3): "or NULL on error".'
 *   a method without random bytes is an error: 'RAND_bytes_ex(3): "-1 if not supported by the
 *     current RAND method".'
 *   nothing is leaked and memory that is refused is an error: 'OSSL_CRMF_pbmp_new(3): "or NULL on
 *     error".'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "../../crypto/crmf/crmf_local.h"
#include <openssl/crmf.h>
#include <openssl/err.h>
#include "testutil.h"
#include "refused_nth.h"
#include "fixed_random.h"

/* Are these the parameters? */
static int are(OSSL_CRMF_PBMPARAMETER *pbm, int slen, int owf, long count, int mac)
{
    const ASN1_OBJECT *object;
    int ok = TEST_ptr(pbm) && TEST_int_eq(ASN1_STRING_length(pbm->salt), slen);

    if (!ok)
        return 0;
    X509_ALGOR_get0(&object, NULL, NULL, pbm->owf);
    ok = TEST_int_eq(OBJ_obj2nid(object), owf)
        && TEST_long_eq(ASN1_INTEGER_get(pbm->iterationCount), count);
    X509_ALGOR_get0(&object, NULL, NULL, pbm->mac);
    return ok && TEST_int_eq(OBJ_obj2nid(object), mac);
}

static int makes(int slen, int owf, long count, int mac)
{
    OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_pbmp_new(NULL, slen, owf, count, mac);
    int ok = are(pbm, slen, owf, count, mac);

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refuses(size_t count)
{
    OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_pbmp_new(NULL, 16, NID_sha256, count, NID_hmac_sha1);
    int ok = TEST_ptr_null(pbm);

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int given(void)
{
    return makes(16, NID_sha256, 500, NID_hmac_sha1)
        && makes(16, NID_sha1, 1000, NID_hmacWithSHA256)
        && makes(16, NID_sha512, 321, NID_hmac_md5)
        && makes(16, NID_sha3_256, 500, NID_hmac_sha3_512);
}

static int lengths(void)
{
    return makes(8, NID_sha256, 500, NID_hmac_sha1) && makes(1, NID_sha256, 500, NID_hmac_sha1)
        && makes(20, NID_sha256, 500, NID_hmac_sha1) && makes(64, NID_sha256, 500, NID_hmac_sha1)
        && makes(1000, NID_sha256, 500, NID_hmac_sha1);
}

/*
 * No two bytes of a long salt may stand still: a byte that is the same in all of many salts was
 * not drawn.
 */
static int anew(void)
{
    unsigned char first[48];
    int i, j, differs[48] = { 0 };

    for (i = 0; i < 12; i++) {
        OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_pbmp_new(NULL, 48, NID_sha256, 100, NID_hmac_sha1);

        if (!are(pbm, 48, NID_sha256, 100, NID_hmac_sha1))
            return 0;
        if (i == 0)
            memcpy(first, ASN1_STRING_get0_data(pbm->salt), 48);
        for (j = 0; j < 48; j++)
            differs[j] |= ASN1_STRING_get0_data(pbm->salt)[j] != first[j];
        OSSL_CRMF_PBMPARAMETER_free(pbm);
    }
    for (j = 0; j < 48; j++)
        if (!TEST_true(differs[j]))
            return 0;
    return 1;
}

static int other_bytes(unsigned char *out, size_t length, const char *name, EVP_RAND_CTX *rng)
{
    memset(out, 0x5c, length);
    return 1;
}

static int of_context(void)
{
    OSSL_LIB_CTX *other = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = fake_rand_start(other);
    OSSL_CRMF_PBMPARAMETER *pbm;
    unsigned char expected[16];
    long before = plus_random_bytes_given;
    int ok;

    memset(expected, 0x5c, 16);
    fake_rand_set_public_private_callbacks(other, other_bytes);
    pbm = OSSL_CRMF_pbmp_new(other, 16, NID_sha256, 500, NID_hmac_sha1);
    ok = are(pbm, 16, NID_sha256, 500, NID_hmac_sha1)
        && TEST_mem_eq(ASN1_STRING_get0_data(pbm->salt), 16, expected, 16)
        && TEST_long_eq(plus_random_bytes_given, before)
        && makes(16, NID_sha256, 500, NID_hmac_sha1)
        && TEST_long_gt(plus_random_bytes_given, before);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    fake_rand_finish(provider);
    OSSL_LIB_CTX_free(other);
    return ok;
}

static int counts(void)
{
    return makes(16, NID_sha256, 100, NID_hmac_sha1) && makes(16, NID_sha256, 101, NID_hmac_sha1)
        && makes(16, NID_sha256, 99999, NID_hmac_sha1)
        && makes(16, NID_sha256, 100000, NID_hmac_sha1);
}

static int too_small(void)
{
    return refuses(99) && refuses(1) && refuses(0);
}

static int too_large(void)
{
    return refuses(100001) && refuses(1000000) && refuses((size_t)1 << 31) && refuses((size_t)-1)
        && refuses(((size_t)1 << 32) + 500);
}

static int encoded(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_pbmp_new(NULL, 16, NID_sha256, 500, NID_hmac_sha1),
        *back = NULL;
    unsigned char *der = NULL;
    const unsigned char *p;
    int length, ok;

    ok = TEST_ptr(pbm) && TEST_int_gt(length = i2d_OSSL_CRMF_PBMPARAMETER(pbm, &der), 0)
        && TEST_ptr(p = der)
        && TEST_ptr(back = d2i_OSSL_CRMF_PBMPARAMETER(NULL, &p, length))
        && are(back, 16, NID_sha256, 500, NID_hmac_sha1)
        && TEST_int_eq(ASN1_STRING_cmp(back->salt, pbm->salt), 0)
        && TEST_int_eq(ASN1_STRING_type(back->salt), V_ASN1_OCTET_STRING);
    OPENSSL_free(der);
    OSSL_CRMF_PBMPARAMETER_free(back);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int used(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_pbmp_new(NULL, 16, NID_sha256, 500, NID_hmac_sha1);
    unsigned char *mac = NULL;
    size_t length = 0;
    int ok = TEST_ptr(pbm)
        && TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, pbm, (unsigned char *)"Hello", 5,
                                         (unsigned char *)"SeCrEt", 6,
                                         &mac, &length), 1)
        && TEST_size_t_eq(length, 20);

    OPENSSL_free(mac);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int failing(void)
{
    int ok;

    plus_random_fails = 1;
    ok = refuses(500);
    plus_random_fails = 0;
    return ok && makes(16, NID_sha256, 500, NID_hmac_sha1);
}

static int some_bytes(unsigned char *out, int length)
{
    memset(out, 0x17, length);
    return 1;
}

/*
 * Its method has no function for bytes: RAND_bytes_ex(3), "-1 if not supported by the current RAND
 * method".
 */
static int without_bytes(void)
{
    static RAND_METHOD method;
    int ok;

    RAND_set_rand_method(&method);
    ok = refuses(500);
    method.bytes = some_bytes;
    ok = ok && makes(16, NID_sha256, 500, NID_hmac_sha1);
    RAND_set_rand_method(NULL);
    return ok;
}

static int leak(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm;
    long before = 0;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        plus_settle();
        if (i == 2)
            before = memory_blocks;
        ok = makes(16, NID_sha256, 500, NID_hmac_sha1) && refuses(99) && refuses(100001)
            && failing();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 80 && ok; i++) {
        plus_refuse(i);
        pbm = OSSL_CRMF_pbmp_new(NULL, 16, NID_sha256, 500, NID_hmac_sha1);
        plus_refuse(-1);
        ok = pbm == NULL || are(pbm, 16, NID_sha256, 500, NID_hmac_sha1);
        OSSL_CRMF_PBMPARAMETER_free(pbm);
        ERR_clear_error();
    }
    plus_settle();
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the parameters hold what was given", given);
    add_test("the salt has the length that was given", lengths);
    add_test("the salt is random and new each time", anew);
    add_test("the salt comes from the generator of the library context", of_context);
    add_test("an iteration count of 100 to 100000 is taken", counts);
    add_test("a smaller iteration count is refused", too_small);
    add_test("a larger iteration count is refused", too_large);
    add_test("the parameters can be encoded", encoded);
    add_test("a message authentication code can be made with them", used);
    add_test("a generator that fails is an error", failing);
    add_test("a method without random bytes is an error", without_bytes);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
