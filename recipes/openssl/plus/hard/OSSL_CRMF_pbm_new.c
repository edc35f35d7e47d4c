/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   known codes are computed: 'RFC 4211 4.4: the OWF is applied iterationCount times to secret and
 *     salt, the result is
 *     the key of the MAC; values by hashlib and hmac of Python; docstring.'
 *   all algorithms that are named are used: 'OSSL_CRMF_pbm_new(3): "algorithms for the OWF ... and
 *     for the MAC ... may
 *     be any with a NID".'
 *   secret, salt and message may hold any bytes: 'Docstring: "seclen", "msglen".'
 *   an empty message and an empty secret are taken by their length: 'Docstring: "msglen length of
 *     the message".'
 *   long secrets and messages are taken whole: 'Docstring: "seclen", "msglen".'
 *   the length need not be asked for: 'Docstring: "outlen if not NULL, will set variable".'
 *   iteration counts of 100 and 100000 are taken: 'OSSL_CRMF_pbm_new(3): "at least 100 ... at most
 *     100000".'
 *   other iteration counts are refused: 'OSSL_CRMF_pbm_new(3): "at least 100, as stipulated by RFC
 *     4211, and is limited
 *     to at most 100000 to avoid DoS through manipulated or otherwise malformed input".'
 *   unknown algorithms are refused: 'OSSL_CRMF_pbm_new(3): "0 on error";
 *     CRMF_R_UNSUPPORTED_ALGORITHM.'
 *   context and properties select the algorithms: 'OSSL_CRMF_pbm_new(3): "The optional library
 *     context libctx and propq
 *     parameters may be used to influence the selection of the MAC algorithm".'
 *   an error leaves what out points to: 'Docstring: "out ... will be set on success".'
 *   the parameters stay: 'Signature: const.'
 *   nothing is leaked and memory that is refused is an error: 'OSSL_CRMF_pbm_new(3): "newly
 *     allocated MAC".'
 *   missing arguments are refused: 'CRMF_R_NULL_ARGUMENT; OSSL_CRMF_pbm_new(3): "0 on error".'
 ---*/
#include "../../crypto/crmf/crmf_local.h"
#include <openssl/crmf.h>
#include <openssl/err.h>
#include <openssl/provider.h>
#include "internal/nelem.h"
#include "testutil.h"
#include "refused_nth.h"
#include "partial_provider.h"

static const unsigned char salt_16[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

static OSSL_CRMF_PBMPARAMETER *parameters(const void *salt, int slen, int owf, long count, int mac)
{
    OSSL_CRMF_PBMPARAMETER *pbm = OSSL_CRMF_PBMPARAMETER_new();

    if (pbm == NULL || !ASN1_OCTET_STRING_set(pbm->salt, salt, slen)
            || !X509_ALGOR_set0(pbm->owf, OBJ_nid2obj(owf), V_ASN1_UNDEF, NULL)
            || !ASN1_INTEGER_set(pbm->iterationCount, count)
            || !X509_ALGOR_set0(pbm->mac, OBJ_nid2obj(mac), V_ASN1_UNDEF, NULL))
        abort();
    return pbm;
}

static int gives(const OSSL_CRMF_PBMPARAMETER *pbm, const void *msg, size_t msglen,
                 const void *sec, size_t seclen,
                 const char *expected)
{
    unsigned char *mac = NULL;
    size_t length = 0;
    long wanted = 0;
    unsigned char *bytes = OPENSSL_hexstr2buf(expected, &wanted);
    int ok = TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, pbm, msg, msglen, sec, seclen, &mac,
                                           &length), 1)
        && TEST_mem_eq(mac, length, bytes, wanted);

    OPENSSL_free(mac);
    OPENSSL_free(bytes);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* Hello with SeCrEt gives this. */
static int hello(int owf, long count, int mac, const char *expected)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, owf, count, mac);
    int ok = gives(pbm, "Hello", 5, "SeCrEt", 6, expected);

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int fails_with(const OSSL_CRMF_PBMPARAMETER *pbm, OSSL_LIB_CTX *libctx, const char *propq)
{
    unsigned char *mac = (unsigned char *)salt_16;
    size_t length = 0;
    int ok = TEST_int_eq(OSSL_CRMF_pbm_new(libctx, propq, pbm, (unsigned char *)"Hello", 5,
                                           (unsigned char *)"SeCrEt", 6, &mac, &length), 0)
        && TEST_ptr_eq(mac, salt_16);

    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int fails(int owf, long count, int mac)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, owf, count, mac);
    int ok = fails_with(pbm, NULL, NULL);

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int known(void)
{
    return hello(NID_sha256, 500, NID_hmac_sha1, "321ebe48fb8946fe84cfe9f0a8ab45a278def5f4")
        && hello(NID_sha1, 100, NID_hmac_sha1, "399d2d08bde1c1fcf298abec1741e5e72401f788");
}

static int algorithms(void)
{
    return hello(NID_sha512, 101, NID_hmacWithSHA512,
                 "4f3cc9c5b4c5a1256759d0ffe63e8dc56ba5c0be69cb481949dfc899d5bc5aba"
                 "5d4796ad2e88bc8616de9d5801b397a405b80b144cb4a337df80bcd071e435e8")
        && hello(NID_sha384, 1000, NID_hmacWithSHA256,
                 "3b4751ef5aaa64fea0ea457812afe6fcc35b0c371d34a15ebf518d76f9dc026d")
        && hello(NID_sha1, 500, NID_hmacWithSHA384,
                 "76027bb4f57d2efc706f6898df868385384e8518963cdc0eb5c4363b590bb6cb"
                 "60fc23b635acd60b4c6b3bc55948db63")
        && hello(NID_sha256, 500, NID_hmacWithSHA1, "321ebe48fb8946fe84cfe9f0a8ab45a278def5f4");
}

static int any_bytes(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters("\0\0\0\0\0\0\0\0", 8, NID_sha256, 100,
                                             NID_hmacWithSHA256);
    int ok = gives(pbm, "\0x\0", 3, "a\0b", 3,
                   "7398de6a9a929f38d7e48bf8b7c1846aa22a0101e3e5e7da4ebebb2a503d1b7e");

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int empty(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    int ok = gives(pbm, "x", 0, "SeCrEt", 6, "656c55c662851258790e0a919f7deec918adaa2b")
        && gives(pbm, "Hello", 5, "x", 0, "38788aa017fb2fd425d3bbe84cbb5c5d51718ea6");

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int whole(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    char secret[300], message[1000];
    int ok;

    memset(secret, 's', sizeof(secret));
    memset(message, 'm', sizeof(message));
    ok = gives(pbm, message, 1000, secret, 300, "59f5dd2431a5d888e83bf6ca959d423ed4fc13d1");
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int length_unasked(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    unsigned char *mac = NULL;
    int ok = TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, pbm, (unsigned char *)"Hello", 5,
                                           (unsigned char *)"SeCrEt", 6,
                                           &mac, NULL), 1)
        && TEST_mem_eq(mac, 4, "\x32\x1e\xbe\x48", 4);

    OPENSSL_free(mac);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int counts(void)
{
    return hello(NID_sha1, 100, NID_hmac_sha1, "399d2d08bde1c1fcf298abec1741e5e72401f788")
        && hello(NID_sha256, 100000, NID_hmac_sha1, "64df38c1081340fca91cbb0dfc3df947c91819c4");
}

static int other_counts(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    BIGNUM *huge = BN_new();
    int ok = fails(NID_sha256, 99, NID_hmac_sha1) && fails(NID_sha256, 0, NID_hmac_sha1)
        && fails(NID_sha256, 1, NID_hmac_sha1) && fails(NID_sha256, -1, NID_hmac_sha1)
        && fails(NID_sha256, -500, NID_hmac_sha1) && fails(NID_sha256, 100001, NID_hmac_sha1)
        && fails(NID_sha256, 0x7fffffffL, NID_hmac_sha1)
        && fails(NID_sha256, (1L << 32) + 500, NID_hmac_sha1);

    /* 2^64 + 500 */
    BN_set_bit(huge, 64);
    BN_add_word(huge, 500);
    BN_to_ASN1_INTEGER(huge, pbm->iterationCount);
    ok = ok && fails_with(pbm, NULL, NULL);
    BN_free(huge);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int unknown(void)
{
    return fails(NID_commonName, 500, NID_hmac_sha1) && fails(NID_sha256, 500, NID_sha256)
        && fails(NID_sha256, 500, NID_commonName) && fails(NID_hmac_sha1, 500, NID_hmac_sha1);
}

/* Hello in this context, with these properties. */
static int hello_in(OSSL_LIB_CTX *libctx, const char *propq, const OSSL_CRMF_PBMPARAMETER *pbm)
{
    unsigned char *mac = NULL;
    size_t length = 0;
    int ok = TEST_int_eq(OSSL_CRMF_pbm_new(libctx, propq, pbm, (unsigned char *)"Hello", 5,
                                           (unsigned char *)"SeCrEt", 6,
                                           &mac, &length), 1)
        && TEST_mem_eq(mac, 4, "\x32\x1e\xbe\x48", 4) && TEST_size_t_eq(length, 20);

    OPENSSL_free(mac);
    return ok;
}

static int selected(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    OSSL_LIB_CTX *libctx;
    static const struct {
        int operation;
        const char *name;
    } hidden[] = { { OSSL_OP_MAC, "HMAC" }, { OSSL_OP_DIGEST, "SHA2-256" },
    { OSSL_OP_DIGEST, "SHA1" } };
    size_t i;
    int ok = fails_with(pbm, NULL, "provider=none");

    for (i = 0; i < OSSL_NELEM(hidden) && ok; i++) {
        /* What is hidden here is in the default context, and in the other provider. */
        libctx = plus_partial_new(hidden[i].operation, hidden[i].name, 0);
        ok = fails_with(pbm, libctx, NULL);
        OSSL_LIB_CTX_free(libctx);
        libctx = plus_partial_new(hidden[i].operation, hidden[i].name, 1);
        ok = ok && hello_in(libctx, NULL, pbm) && hello_in(libctx, "provider=default", pbm)
            /*
             * Properties are for the digest that is applied and for the MAC, not for what the MAC
             * uses.
             */
            && (i == 2 || fails_with(pbm, libctx, "provider=partial"));
        OSSL_LIB_CTX_free(libctx);
    }
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int error_leaves(void)
{
    /* fails_with looks at it. */
    return fails(NID_sha256, 99, NID_hmac_sha1) && fails(NID_sha256, 500, NID_commonName)
        && fails(NID_commonName, 500, NID_hmac_sha1);
}

static int stay(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    unsigned char *before = NULL, *after = NULL;
    int before_length = i2d_OSSL_CRMF_PBMPARAMETER(pbm, &before), after_length, i, ok = 1;

    for (i = 0; i < 2 && ok; i++)
        ok = gives(pbm, "Hello", 5, "SeCrEt", 6, "321ebe48fb8946fe84cfe9f0a8ab45a278def5f4");
    after_length = i2d_OSSL_CRMF_PBMPARAMETER(pbm, &after);
    ok = ok && TEST_mem_eq(before, before_length, after, after_length);
    OPENSSL_free(before);
    OPENSSL_free(after);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int leak(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 100, NID_hmac_sha1);
    unsigned char *mac;
    size_t length;
    long before = 0;
    int i, result, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        OPENSSL_thread_stop();
        if (i == 2)
            before = memory_blocks;
        ok = hello(NID_sha1, 100, NID_hmac_sha1, "399d2d08bde1c1fcf298abec1741e5e72401f788")
            && fails(NID_sha256, 99, NID_hmac_sha1) && fails(NID_sha256, 500, NID_commonName)
            && fails(NID_commonName, 500, NID_hmac_sha1);
    }
    OPENSSL_thread_stop();
    ok = ok && TEST_long_eq(memory_blocks, before);
    /* With its context all that was fetched from it goes. */
    for (i = 0; i < 4 && ok; i++) {
        OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
        OSSL_CRMF_PBMPARAMETER *same = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);

        ok = hello_in(libctx, NULL, same);
        OSSL_CRMF_PBMPARAMETER_free(same);
        OSSL_LIB_CTX_free(libctx);
        OPENSSL_thread_stop();
        if (i == 1)
            before = memory_blocks;
    }
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 120 && ok; i++) {
        mac = NULL;
        plus_refuse(i);
        result = OSSL_CRMF_pbm_new(NULL, NULL, pbm, (unsigned char *)"Hello", 5,
                                   (unsigned char *)"SeCrEt", 6, &mac,
                                   &length);
        plus_refuse(-1);
        ok = result == 1 ? TEST_ptr(mac) && TEST_size_t_eq(length, 20) : TEST_int_eq(result, 0)
            && TEST_ptr_null(mac);
        OPENSSL_free(mac);
        ERR_clear_error();
    }
    OPENSSL_thread_stop();
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

static int missing(void)
{
    OSSL_CRMF_PBMPARAMETER *pbm = parameters(salt_16, 16, NID_sha256, 500, NID_hmac_sha1);
    unsigned char *mac = NULL, text[] = "text";
    size_t length = 0;
    int ok = TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, NULL, text, 4, text, 4, &mac, &length), 0)
        && TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, pbm, NULL, 0, text, 4, &mac, &length), 0)
        && TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, pbm, text, 4, NULL, 0, &mac, &length), 0)
        && TEST_int_eq(OSSL_CRMF_pbm_new(NULL, NULL, pbm, text, 4, text, 4, NULL, &length), 0)
        && TEST_ptr_null(mac);

    OSSL_CRMF_PBMPARAMETER_free(pbm);
    return ok;
}

int setup_tests(void)
{
    add_test("known codes are computed", known);
    add_test("all algorithms that are named are used", algorithms);
    add_test("secret, salt and message may hold any bytes", any_bytes);
    add_test("an empty message and an empty secret are taken by their length", empty);
    add_test("long secrets and messages are taken whole", whole);
    add_test("the length need not be asked for", length_unasked);
    add_test("iteration counts of 100 and 100000 are taken", counts);
    add_test("other iteration counts are refused", other_counts);
    add_test("unknown algorithms are refused", unknown);
    add_test("context and properties select the algorithms", selected);
    add_test("an error leaves what out points to", error_leaves);
    add_test("the parameters stay", stay);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    add_test("missing arguments are refused", missing);
    return 1;
}
