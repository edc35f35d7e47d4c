/*---
 * tasks: [PKCS1_MGF1-051f70.16, PKCS1_MGF1-051f70.2, PKCS1_MGF1-051f70.4, PKCS1_MGF1-051f70.8]
 * tests:
 *   a published message is recovered: 'RSA''s test vectors for OAEP, example 1.1; man: "length of the recovered data".'
 *   messages of each length are recovered: 'RFC 8017, 7.1.2; man RSA_padding_check_PKCS1_OAEP_mgf1.'
 *   a message may hold zeros and ones: 'RFC 8017, 7.1.2, step 3g: the first 1 behind the zeros separates.'
 *   missing zeros in front are added: 'Man: "the fl bytes at f contain a valid encoding for a rsa_len byte RSA key".'
 *   the first byte has to be 0: 'RFC 8017, 7.1.2, step 3g: "if Y is nonzero".'
 *   the label has to be the same: 'RFC 8017, 7.1.2, step 3g; man: "p points to the encoding parameter of length pl".'
 *   padding holds zeros alone: 'RFC 8017, 7.1.2, step 3g: no octet 0x01 to separate PS from M.'
 *   no digest is SHA-1, and the mask's is the same: 'Man: "NULL that means md=sha1", "NULL that means mgf1md=md".'
 *   both digests count: 'Man: md and mgf1md.'
 *   a message that is too long for the buffer is refused: 'Man: "recovered data of at most tlen bytes".'
 *   a key that does not fit is refused: 'RFC 8017, 7.1.2, step 1; man: "fl bytes", "rsa_len byte RSA key".'
 *   all wrong encodings give one error: 'RFC 8017, 7.1.2: an opponent must not learn which check failed.'
 *   no error is left where there is none, an earlier one is kept:
 *     'Man: error codes by ERR_get_error on -1; the queue is the caller''s.'
 *   a digest or an allocation that fails is told: 'Man: -1 on error.'
 *   nothing is leaked, and the encoding stays: 'Signature: const unsigned char *f; nothing is handed over.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/rsa.h>
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"
#include "oaep_parts.h"

#define K 100       /* bytes of the key */

static unsigned char to[300];

static int check(int tlen, const unsigned char *em, int size)
{
    return RSA_padding_check_PKCS1_OAEP_mgf1(to, tlen, em, size, size, NULL, 0, NULL, NULL);
}

/* Is this message recovered, as encoded with these digests? */
static int recovers_with(const unsigned char *message, int length, const char *label,
                         int label_size, int size, const EVP_MD *md, const EVP_MD *mgf1md)
{
    unsigned char em[300];

    oaep_layout(em, size, message, length, label, label_size, md == NULL ? EVP_sha1() : md);
    oaep_hide(em, size, md == NULL ? EVP_sha1() : md,
              mgf1md != NULL ? mgf1md : md != NULL ? md : EVP_sha1(), 1);
    memset(to, 0x5a, sizeof(to));
    return TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, size, em, size, size,
                                                         (const unsigned char *)label, label_size,
                                                         md, mgf1md), length)
        && TEST_mem_eq(to, length, message, length);
}

static int recovers(const unsigned char *message, int length)
{
    return recovers_with(message, length, NULL, 0, K, NULL, NULL);
}

static int published(void)
{
    return TEST_int_eq(check(128, oaep_encoded, 128), 16)
        && TEST_mem_eq(to, 16, oaep_message, 16);
}

static int lengths(void)
{
    unsigned char message[K];
    int length, i;

    for (length = 0; length <= K - 42; length++) {
        for (i = 0; i < length; i++)
            message[i] = 3 * i + length;
        if (!recovers(message, length))
            return 0;
    }
    /* The smallest key. */
    return recovers_with(message, 0, NULL, 0, 42, NULL, NULL)
        && recovers_with(message, 1, NULL, 0, 43, NULL, NULL)
        && recovers_with(message, 0, NULL, 0, 43, NULL, NULL)
        && recovers_with(message, 2, NULL, 0, 44, NULL, NULL);
}

static int zeros_and_ones(void)
{
    return recovers((const unsigned char *)"\0\0\0", 3) && recovers((const unsigned char *)"\1", 1)
        && recovers((const unsigned char *)"\1\1\0\1", 4)
        && recovers((const unsigned char *)"\0\1\0\1\2", 5)
        && recovers((const unsigned char *)"\0", 1);
}

static int zeros_in_front(void)
{
    unsigned char em[K];
    int tries, i, skip;

    /* A seed whose masked form begins with zeros. */
    for (tries = 0; tries < 20000; tries++) {
        oaep_layout(em, K, oaep_message, 16, NULL, 0, EVP_sha1());
        em[1] = tries;
        em[2] = tries >> 8;
        oaep_hide(em, K, EVP_sha1(), EVP_sha1(), 1);
        if (em[1] == 0)
            break;
    }
    for (skip = 0; em[skip] == 0; skip++)
        ;
    if (!TEST_int_ge(skip, 2))
        return 0;
    for (i = 0; i <= skip; i++) {
        memset(to, 0, sizeof(to));
        if (!TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, K, em + i, K - i, K, NULL, 0, NULL,
                                                           NULL), 16)
                || !TEST_mem_eq(to, 16, oaep_message, 16))
            return 0;
    }
    return TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, K, em + skip + 1, K - skip - 1, K,
                                                         NULL, 0, NULL, NULL), -1);
}

/* Is what `change` makes of a good one refused? The change is made before it is masked. */
static int refuses_changed(int at, int value, int length)
{
    unsigned char em[K];
    int result;

    oaep_layout(em, K, oaep_message, length, NULL, 0, EVP_sha1());
    em[at] = value;
    oaep_hide(em, K, EVP_sha1(), EVP_sha1(), 1);
    result = check(K, em, K);
    return TEST_int_eq(result, -1);
}

static int first_byte(void)
{
    return refuses_changed(0, 1, 16) && refuses_changed(0, 0x80, 16) && refuses_changed(0, 0xff, 0)
        && refuses_changed(0, 2, 16);
}

static int label(void)
{
    unsigned char em[K];
    const unsigned char *name = (const unsigned char *)"label";
    int i;

    oaep_layout(em, K, oaep_message, 16, "label", 5, EVP_sha1());
    oaep_hide(em, K, EVP_sha1(), EVP_sha1(), 1);
    if (!recovers_with(oaep_message, 16, "label", 5, K, NULL, NULL)
            || !recovers_with(oaep_message, 16, "a\0b", 3, K, NULL, NULL)
            || !TEST_int_eq(check(K, em, K), -1)
            || !TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, K, em, K, K, name, 4, NULL,
                                                              NULL), -1)
            || !TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, K, em, K, K, name, 6, NULL,
                                                              NULL), -1)
            || !TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, K, oaep_encoded, 128, 128, name,
                                                              5, NULL, NULL), -1))
        return 0;
    /* Each byte of its hash counts. */
    for (i = 21; i < 41; i++)
        if (!refuses_changed(i, 0x5c, 16))
            return 0;
    return 1;
}

static int zeros_alone(void)
{
    int i;

    for (i = 41; i < K - 17; i++)
        if (!refuses_changed(i, 2, 16) || !refuses_changed(i, 0x80, 16)
                || !refuses_changed(i, 0xff, 16))
            return 0;
    /* No 1 at all, and another in its place. */
    return refuses_changed(K - 1, 0, 0) && refuses_changed(K - 17, 2, 16)
        && refuses_changed(K - 17, 3, 16) && refuses_changed(K - 1, 0x81, 0)
        && refuses_changed(K - 17, 0xff, 16);
}

static int no_digest(void)
{
    return recovers_with(oaep_message, 16, NULL, 0, 200, NULL, NULL)
        && recovers_with(oaep_message, 16, NULL, 0, 200, EVP_sha256(), NULL)
        && recovers_with(oaep_message, 16, NULL, 0, 200, EVP_sha512(), NULL)
        && recovers_with(oaep_message, 16, NULL, 0, 200, NULL, EVP_sha256());
}

static int both_digests(void)
{
    return recovers_with(oaep_message, 16, "L", 1, 200, EVP_sha256(), EVP_sha1())
        && recovers_with(oaep_message, 16, "L", 1, 200, EVP_sha1(), EVP_sha512())
        && recovers_with(oaep_message, 16, NULL, 0, 200, EVP_md5(), EVP_sha384())
        && recovers_with(oaep_message, 16, NULL, 0, 200, EVP_sha512(), EVP_md5())
        && TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 128, oaep_encoded, 128, 128, NULL, 0,
                                                         EVP_sha1(), EVP_sha256()), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 128, oaep_encoded, 128, 128, NULL, 0,
                                                         EVP_sha256(), EVP_sha1()), -1);
}

static int too_long(void)
{
    return TEST_int_eq(check(15, oaep_encoded, 128), -1)
        && TEST_int_eq(check(1, oaep_encoded, 128), -1)
        && TEST_int_eq(check(16, oaep_encoded, 128), 16) && TEST_mem_eq(to, 16, oaep_message, 16)
        && TEST_int_eq(check(17, oaep_encoded, 128), 16) && TEST_mem_eq(to, 16, oaep_message, 16)
        && TEST_int_eq(check(300, oaep_encoded, 128), 16)
        && TEST_mem_eq(to, 16, oaep_message, 16);
}

static int not_past(void)
{
    unsigned char wrong[128];
    int tlen;

    memcpy(wrong, oaep_encoded, 128);
    wrong[127] ^= 1;
    for (tlen = 1; tlen < 140; tlen++) {
        memset(to, 0x5a, sizeof(to));
        check(tlen, oaep_encoded, 128);
        check(tlen, wrong, 128);
        if (!TEST_int_eq(to[tlen], 0x5a) || !TEST_int_eq(to[tlen + 1], 0x5a)
                || !TEST_int_eq(to[tlen + 30], 0x5a))
            return 0;
    }
    return 1;
}

static int small_key(void)
{
    unsigned char em[60] = "";

    return TEST_int_eq(check(50, em, 41), -1) && TEST_int_eq(check(50, em, 20), -1)
        && TEST_int_eq(check(50, em, 1), -1) && TEST_int_eq(check(50, em, 42), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 50, em, 42, 42, NULL, 0, EVP_sha256(),
                                                         EVP_sha1()), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 50, em, 0, 60, NULL, 0, NULL, NULL),
                       -1);
}

static int longer(void)
{
    unsigned char em[129] = "";

    memcpy(em + 1, oaep_encoded, 128);
    return TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 128, em, 129, 128, NULL, 0, NULL,
                                                         NULL), -1)
        && TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 128, oaep_encoded, 128, 127, NULL, 0,
                                                         NULL, NULL), -1);
}

/* The error of the encoding with this change. */
static unsigned long error_of(int at, int value, int length)
{
    ERR_clear_error();
    if (!refuses_changed(at, value, length))
        return 0;
    return ERR_peek_last_error();
}

static int one_error(void)
{
    unsigned long error = error_of(0, 1, 16);
    int ok = TEST_ulong_ne(error, 0) && TEST_ulong_eq(error_of(30, 0, 16), error)
        && TEST_ulong_eq(error_of(50, 2, 16), error)
        && TEST_ulong_eq(error_of(K - 1, 0, 0), error);

    ERR_clear_error();
    ok = ok && TEST_int_eq(check(15, oaep_encoded, 128), -1)
        && TEST_ulong_eq(ERR_peek_last_error(), error);
    ERR_clear_error();
    return ok;
}

static int no_error(void)
{
    ERR_clear_error();
    return published() && TEST_ulong_eq(ERR_peek_error(), 0) && lengths()
        && TEST_ulong_eq(ERR_peek_error(), 0);
}

static int earlier_error(void)
{
    int ok;

    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, 123);
    ok = published() && TEST_int_eq(ERR_GET_REASON(ERR_peek_last_error()), 123)
        && TEST_int_eq(check(15, oaep_encoded, 128), -1)
        && TEST_int_eq(ERR_GET_REASON(ERR_peek_error()), 123);
    ERR_clear_error();
    return ok;
}

static int digest_fails(void)
{
    EVP_MD *md = oaep_failing_md();
    int step, ok = 1;

    for (step = 0; step < 30 && ok; step++) {
        oaep_steps_left = step;
        ok = TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 128, oaep_encoded, 128, 128, NULL,
                                                           0, EVP_sha1(), md), -1);
        oaep_steps_left = step;
        ok = ok && TEST_int_eq(RSA_padding_check_PKCS1_OAEP_mgf1(to, 128, oaep_encoded, 128, 128,
                                                                 NULL, 0, md, EVP_sha1()), -1);
    }
    oaep_steps_left = -1;
    EVP_MD_meth_free(md);
    ERR_clear_error();
    return ok;
}

static int no_memory(void)
{
    int result = -1;
    long allocations;

    for (allocations = 0; allocations < 100 && result != 16; allocations++) {
        memory_left = allocations;
        result = check(128, oaep_encoded, 128);
        memory_left = -1;
        if (!TEST_true(result == -1 || (result == 16 && allocations > 0)))
            return 0;
    }
    ERR_clear_error();
    return TEST_int_eq(result, 16) && TEST_mem_eq(to, 16, oaep_message, 16);
}

static int no_leak(void)
{
    unsigned char em[128];
    long before;

    if (!published() || !no_memory() || !digest_fails() || !both_digests())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    memcpy(em, oaep_encoded, 128);
    if (!TEST_int_eq(check(128, em, 128), 16) || !TEST_int_eq(check(15, em, 128), -1)
            || !TEST_mem_eq(em, 128, oaep_encoded, 128)
            || !published() || !first_byte() || !too_long() || !small_key() || !longer()
            || !both_digests() || !no_memory() || !digest_fails())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int too_long_and_not_past(void)
{
    return too_long() && not_past();
}

static int small_key_and_longer(void)
{
    return small_key() && longer();
}

static int no_error_and_earlier_error(void)
{
    return no_error() && earlier_error();
}

static int digest_fails_and_no_memory(void)
{
    return digest_fails() && no_memory();
}

int setup_tests(void)
{
    add_test("a published message is recovered", published);
    add_test("messages of each length are recovered", lengths);
    add_test("a message may hold zeros and ones", zeros_and_ones);
    add_test("missing zeros in front are added", zeros_in_front);
    add_test("the first byte has to be 0", first_byte);
    add_test("the label has to be the same", label);
    add_test("padding holds zeros alone", zeros_alone);
    add_test("no digest is SHA-1, and the mask's is the same", no_digest);
    add_test("both digests count", both_digests);
    add_test("a message that is too long for the buffer is refused", too_long_and_not_past);
    add_test("a key that does not fit is refused", small_key_and_longer);
    add_test("all wrong encodings give one error", one_error);
    add_test("no error is left where there is none, an earlier one is kept",
             no_error_and_earlier_error);
    add_test("a digest or an allocation that fails is told", digest_fails_and_no_memory);
    add_test("nothing is leaked, and the encoding stays", no_leak);
    return 1;
}
