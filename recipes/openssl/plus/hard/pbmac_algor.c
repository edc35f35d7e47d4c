/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.2, OSSL_CRMF_pbmp_new-78f092.4, OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   the algorithm is PasswordBasedMAC with its parameters: 'Docstring: "Create an X509_ALGOR
 *     structure for
 *     PasswordBasedMAC protection"; RFC 4210 5.1.3.1: PBMParameter.'
 *   the settings of the context are used: 'Docstring: "based on the pbm settings in the context";
 *     cmp_local.h.'
 *   options of the context change them: 'OSSL_CMP_CTX_new(3): OSSL_CMP_OPT_OWF_ALGNID,
 *     OSSL_CMP_OPT_MAC_ALGNID.'
 *   each call has a new salt: 'OSSL_CRMF_pbmp_new(3): "a new random salt"; RFC 4210 5.1.3.1.'
 *   the generator of the library context is used: 'cmp_local.h: libctx; OSSL_CRMF_pbmp_new(3).'
 *   the algorithm can be encoded: 'Caller ossl_cmp_msg_protect puts it into the header.'
 *   settings that are not allowed are an error: 'OSSL_CRMF_pbmp_new(3): 100 to 100000; caller:
 *     NULL is an error.'
 *   a generator that fails is an error: 'Caller ossl_cmp_msg_protect: NULL is an error.'
 *   the context stays: 'Signature: const.'
 *   nothing is leaked and memory that is refused is an error: 'Caller ossl_cmp_msg_protect owns
 *     the result.'
 ---*/
#include "../../crypto/cmp/cmp_protect.c"
#include "../../crypto/crmf/crmf_local.h"
#include "testutil.h"
#include "cert.h"
#include "refused_nth.h"
#include "fixed_random.h"
#include "cmp_messages.h"

/* The parameters of the algorithm, to be freed. */
static OSSL_CRMF_PBMPARAMETER *parameters(const X509_ALGOR *alg)
{
    const ASN1_OBJECT *object;
    const void *value;
    const unsigned char *p;
    int type;

    if (!TEST_ptr(alg))
        return NULL;
    X509_ALGOR_get0(&object, &type, &value, alg);
    if (!TEST_int_eq(OBJ_obj2nid(object), NID_id_PasswordBasedMAC)
        || !TEST_int_eq(type, V_ASN1_SEQUENCE))
        return NULL;
    p = ASN1_STRING_get0_data(value);
    return d2i_OSSL_CRMF_PBMPARAMETER(NULL, &p, ASN1_STRING_length(value));
}

static int are(const X509_ALGOR *alg, int slen, int owf, long count, int mac)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(alg);
    int ok = TEST_ptr(pbm) && TEST_int_eq(ASN1_STRING_length(pbm->salt), slen)
        && TEST_int_eq(plus_algor_nid(pbm->owf), owf) && TEST_int_eq(plus_algor_nid(pbm->mac), mac)
        && TEST_long_eq(ASN1_INTEGER_get(pbm->iterationCount), count);

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

/* What comes of this context, which is freed. */
static int gives(OSSL_CMP_CTX *ctx, int slen, int owf, long count, int mac)
{
    X509_ALGOR *alg = pbmac_algor(ctx);
    int ok = are(alg, slen, owf, count, mac);

    X509_ALGOR_free(alg);
    OSSL_CMP_CTX_free(ctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int none(OSSL_CMP_CTX *ctx)
{
    X509_ALGOR *alg = pbmac_algor(ctx);
    int ok = TEST_ptr_null(alg);

    X509_ALGOR_free(alg);
    OSSL_CMP_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int standard(void)
{
    return gives(plus_secret_context("secret"), 16, NID_sha256, 500, NID_hmac_sha1)
        && gives(plus_context(NULL, NULL), 16, NID_sha256, 500, NID_hmac_sha1);
}

static int settings(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL), *other = plus_context(NULL, NULL);

    ctx->pbm_slen = 8;
    ctx->pbm_itercnt = 12345;
    other->pbm_slen = 33;
    other->pbm_itercnt = 100;
    other->pbm_mac = NID_hmacWithSHA256;
    return gives(ctx, 8, NID_sha256, 12345, NID_hmac_sha1)
        && gives(other, 33, NID_sha256, 100, NID_hmacWithSHA256);
}

static int options(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);

    return TEST_true(OSSL_CMP_CTX_set_option(ctx, OSSL_CMP_OPT_OWF_ALGNID, NID_sha512))
        && TEST_true(OSSL_CMP_CTX_set_option(ctx, OSSL_CMP_OPT_MAC_ALGNID, NID_hmacWithSHA384))
        && gives(ctx, 16, NID_sha512, 500, NID_hmacWithSHA384);
}

static int new_salt(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);
    X509_ALGOR *one = pbmac_algor(ctx), *two = pbmac_algor(ctx);
    OSSL_CRMF_PBMPARAMETER *first = parameters(one), *second = parameters(two);
    int ok = TEST_ptr(first) && TEST_ptr(second)
        && TEST_int_ne(ASN1_STRING_cmp(first->salt, second->salt), 0)
        && TEST_ptr_ne(one, two);

    OSSL_CRMF_PBMPARAMETER_free(first);
    OSSL_CRMF_PBMPARAMETER_free(second);
    X509_ALGOR_free(one);
    X509_ALGOR_free(two);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int other_bytes(unsigned char *out, size_t length, const char *name, EVP_RAND_CTX *rng)
{
    memset(out, 0x5c, length);
    return 1;
}

static int of_context(void)
{
    OSSL_LIB_CTX *other = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = fake_rand_start(other),
        *standard = OSSL_PROVIDER_load(other, "default");
    OSSL_CMP_CTX *ctx = plus_context(other, NULL);
    X509_ALGOR *alg;
    OSSL_CRMF_PBMPARAMETER *pbm;
    unsigned char expected[16];
    int ok;

    memset(expected, 0x5c, 16);
    fake_rand_set_public_private_callbacks(other, other_bytes);
    alg = pbmac_algor(ctx);
    pbm = parameters(alg);
    ok = TEST_ptr(pbm) && TEST_mem_eq(ASN1_STRING_get0_data(pbm->salt),
                                      ASN1_STRING_length(pbm->salt), expected, 16);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    X509_ALGOR_free(alg);
    OSSL_CMP_CTX_free(ctx);
    fake_rand_finish(provider);
    OSSL_PROVIDER_unload(standard);
    OSSL_LIB_CTX_free(other);
    return ok;
}

static int encoded(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);
    X509_ALGOR *alg = pbmac_algor(ctx), *back = NULL;
    unsigned char *der = NULL;
    const unsigned char *p;
    int length, ok = TEST_ptr(alg) && TEST_int_gt(length = i2d_X509_ALGOR(alg, &der), 0)
        && TEST_ptr(p = der)
        /* The parameters stand there as a sequence. */
        && TEST_ptr(back = d2i_X509_ALGOR(NULL, &p, length))
        && are(back, 16, NID_sha256, 500, NID_hmac_sha1);

    OPENSSL_free(der);
    X509_ALGOR_free(alg);
    X509_ALGOR_free(back);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int count_of(int count)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);

    ctx->pbm_itercnt = count;
    return none(ctx);
}

static int not_allowed(void)
{
    return count_of(99) && count_of(0) && count_of(-1) && count_of(100001);
}

static int failing(void)
{
    int ok;

    plus_random_fails = 1;
    ok = none(plus_context(NULL, NULL));
    plus_random_fails = 0;
    return ok && standard();
}

static int stays(void)
{
    OSSL_CMP_CTX *ctx = plus_secret_context("secret");
    EVP_MD *owf = ctx->pbm_owf;
    X509_ALGOR *alg = pbmac_algor(ctx);
    int ok = TEST_ptr(alg) && TEST_ptr_eq(ctx->pbm_owf, owf) && TEST_size_t_eq(ctx->pbm_slen, 16)
        && TEST_int_eq(ctx->pbm_itercnt, 500) && TEST_int_eq(ctx->pbm_mac, NID_hmac_sha1)
        && TEST_int_eq(ASN1_STRING_length(ctx->secretValue), 6);

    X509_ALGOR_free(alg);
    return gives(ctx, 16, NID_sha256, 500, NID_hmac_sha1) && ok;
}

static int leak(void)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);
    X509_ALGOR *alg;
    long before = 0;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        plus_settle();
        if (i == 2)
            before = memory_blocks;
        ok = standard() && not_allowed() && failing();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 120 && ok; i++) {
        plus_refuse(i);
        alg = pbmac_algor(ctx);
        plus_refuse(-1);
        ok = alg == NULL || are(alg, 16, NID_sha256, 500, NID_hmac_sha1);
        X509_ALGOR_free(alg);
        ERR_clear_error();
    }
    plus_settle();
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

int setup_tests(void)
{
    if (!plus_fixed_random(NULL))
        return 0;
    add_test("the algorithm is PasswordBasedMAC with its parameters", standard);
    add_test("the settings of the context are used", settings);
    add_test("options of the context change them", options);
    add_test("each call has a new salt", new_salt);
    add_test("the generator of the library context is used", of_context);
    add_test("the algorithm can be encoded", encoded);
    add_test("settings that are not allowed are an error", not_allowed);
    add_test("a generator that fails is an error", failing);
    add_test("the context stays", stays);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
