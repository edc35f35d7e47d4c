/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.4,
 *   ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   small numbers are decoded: 'Comment: "Decodes a single DSA-Sig-Value or ECDSA-Sig-Value".'
 *   r comes before s: 'Comment at the top of the file: "SEQUENCE { r INTEGER, s INTEGER }".'
 *   numbers of each length are decoded: 'Sibling ossl_decode_der_length; X.690, 10.1.'
 *   it returns how much it took and moves the pointer:
 *     'Comment: "Returns the number of bytes of input consumed", "increments *ppin".'
 *   what follows is passed over: 'Comment: "it is up to the caller to verify that all bytes were consumed".'
 *   another number of numbers in the sequence is an error: 'Comment at the top of the file: SEQUENCE of r and s; DER.'
 *   another tag is an error: 'ID_SEQUENCE; sibling ossl_decode_der_integer.'
 *   a signature that is cut off is an error: 'Comment: "An attempt to consume more than len bytes ...".'
 *   a number reaches not past the sequence: 'X.690, 8.9; asn1_dsa_internal_test.c: t_trunc_seq.'
 *   a number that is not DER is an error: 'Comment: "which must be DER encoded".'
 *   an indefinite length is an error: 'Comment: "DER"; sibling ossl_decode_der_length.'
 *   the pointer stays where it fails: 'Comment: "increments *ppin past the data that was consumed", 0 for an error.'
 *   the old values are replaced: 'Comment: "updates r and s with the decoded values".'
 *   a failed allocation is told: 'Comment: "or 0 if an error occurs".'
 *   nothing is leaked, and the bytes stay: 'Comment: "r and s, must have already been allocated".'
 ---*/
#include <openssl/err.h>
#include "crypto/asn1_dsa.h"
#include "../testutil.h"
#include "memory_count.h"
#include "der_numbers.h"

static unsigned char bytes[2 * DER_MAX];

/* Are r and s, which are freed, decoded again, with `more` bytes behind them? */
static int decodes_again(BIGNUM *r, BIGNUM *s, int more)
{
    BIGNUM *r2 = BN_new(), *s2 = BN_new();
    int size = der_signature(bytes, r, s), ok;
    const unsigned char *p = bytes;

    memset(bytes + size, 0x5a, more);
    BN_set_word(r2, 0x1234567);
    BN_set_word(s2, 0x1234567);
    ok = TEST_size_t_eq(ossl_decode_der_dsa_sig(r2, s2, &p, size + more), size)
        && TEST_ptr_eq(p, bytes + size) && TEST_int_eq(BN_cmp(r, r2), 0)
        && TEST_int_eq(BN_cmp(s, s2), 0);
    BN_free(r);
    BN_free(s);
    BN_free(r2);
    BN_free(s2);
    return ok;
}

static int decodes(const char *text, int size, BN_ULONG first, BN_ULONG second)
{
    BIGNUM *r = BN_new(), *s = BN_new();
    const unsigned char *p = (const unsigned char *)text;
    int ok = TEST_size_t_eq(ossl_decode_der_dsa_sig(r, s, &p, size), size)
        && TEST_BN_eq_word(r, first) && TEST_BN_eq_word(s, second)
        && TEST_ptr_eq(p, text + size);

    BN_free(r);
    BN_free(s);
    return ok;
}

/* Is it an error? */
static int fails(const char *text, int size)
{
    BIGNUM *r = BN_new(), *s = BN_new();
    const unsigned char *p = (const unsigned char *)text;
    int ok = TEST_size_t_eq(ossl_decode_der_dsa_sig(r, s, &p, size), 0);

    BN_free(r);
    BN_free(s);
    return ok;
}

static int small(void)
{
    return decodes("\x30\x06\x02\x01\x01\x02\x01\x02", 8, 1, 2)
        && decodes("\x30\x08\x02\x02\x00\x81\x02\x02\x00\x82", 10, 0x81, 0x82)
        && decodes("\x30\x06\x02\x01\x00\x02\x01\x00", 8, 0, 0);
}

static int order(void)
{
    return decodes("\x30\x07\x02\x02\x12\x34\x02\x01\x05", 9, 0x1234, 5)
        && decodes("\x30\x07\x02\x01\x05\x02\x02\x12\x34", 9, 5, 0x1234);
}

static int lengths(void)
{
    static const int sizes[] = { 0, 1, 32, 61, 62, 66, 125, 126, 128, 256, 32764 };
    size_t i, j;

    for (i = 0; i < OSSL_NELEM(sizes); i++)
        for (j = 0; j < OSSL_NELEM(sizes); j++)
            if (sizes[i] + sizes[j] < 65500
                    && (!decodes_again(der_number(sizes[i], 0x80), der_number(sizes[j], 1), 0)
                        || !decodes_again(der_number(sizes[i], 1), der_number(sizes[j], 1), 0)))
                return 0;
    return 1;
}

static int taken(void)
{
    BIGNUM *r = BN_new(), *s = BN_new();
    const unsigned char *p = (const unsigned char *)"\x30\x06\x02\x01\x01\x02\x01\x02";
    size_t result = ossl_decode_der_dsa_sig(r, s, &p, 8);

    BN_free(r);
    BN_free(s);
    return TEST_size_t_eq(result, 8) && decodes_again(der_number(256, 0x80), der_number(256, 1), 0)
        && decodes_again(der_number(62, 1), der_number(62, 1), 0);
}

static int moved(void)
{
    static const unsigned char two[] = "\x30\x06\x02\x01\x01\x02\x01\x02\x30\x07\x02\x02\x00\x80"
        "\x02\x01\x03";
    BIGNUM *r = BN_new(), *s = BN_new();
    const unsigned char *p = two;
    int ok = TEST_size_t_eq(ossl_decode_der_dsa_sig(r, s, &p, 17), 8) && TEST_ptr_eq(p, two + 8)
        && TEST_size_t_eq(ossl_decode_der_dsa_sig(r, s, &p, 9), 9) && TEST_ptr_eq(p, two + 17)
        && TEST_BN_eq_word(r, 0x80) && TEST_BN_eq_word(s, 3);

    BN_free(r);
    BN_free(s);
    return ok;
}

static int follows(void)
{
    return decodes_again(der_number(32, 1), der_number(32, 0x80), 1)
        && decodes_again(der_number(32, 1), der_number(32, 0x80), 100)
        && decodes_again(der_number(1, 1), der_number(1, 1), 2)
        && decodes_again(der_number(200, 1), der_number(1, 1), 70000);
}

static int more(void)
{
    return fails("\x30\x09\x02\x01\x01\x02\x01\x02\x02\x01\x03", 11)
        && fails("\x30\x08\x02\x01\x01\x02\x01\x02\x05\x00", 10)
        && fails("\x30\x07\x02\x01\x01\x02\x01\x02\x00", 9)
        && fails("\x30\x08\x02\x01\x01\x02\x01\x02\x00\x00", 10);
}

static int fewer(void)
{
    return fails("\x30\x03\x02\x01\x01", 5) && fails("\x30\x00", 2)
        && fails("\x30\x03\x02\x01\x01\x02\x01\x02", 8) && fails("\x02\x01\x01\x02\x01\x02", 6)
        && fails("\x30\x05\x02\x01\x01\x05\x00", 7) && fails("\x30\x05\x05\x00\x02\x01\x01", 7);
}

static int another_tag(void)
{
    char text[] = "\x30\x06\x02\x01\x01\x02\x01\x02";
    int tag;

    for (tag = 0; tag < 0x100; tag++) {
        text[0] = tag;
        if (tag != 0x30 && !fails(text, 8))
            return 0;
    }
    text[0] = 0x30;
    text[2] = 0x0a;
    if (!fails(text, 8))
        return 0;
    text[2] = 0x02;
    text[5] = 0x04;
    return fails(text, 8);
}

static int cut_off(void)
{
    BIGNUM *r = der_number(200, 0x80), *s = der_number(200, 1);
    int size = der_signature(bytes, r, s), i;

    BN_free(r);
    BN_free(s);
    for (i = 0; i < size; i++)
        if (!fails((char *)bytes, i))
            return 0;
    return fails("\x30\x06\x02\x01\x01\x02\x01\x02", 7)
        && fails("\x30\x06\x02\x01\x01\x02\x01\x02", 5)
        && fails("\x30\x06\x02\x01\x01\x02\x01\x02", 1) && fails("", 0);
}

static int not_past(void)
{
    return fails("\x30\x05\x02\x01\x01\x02\x01\x02", 8)
        && fails("\x30\x07\x02\x02\x00\x81\x02\x02\x00\x82", 10)
        && fails("\x30\x04\x02\x02\x01\x02\x01\x02", 8)
        && fails("\x30\x06\x02\x06\x01\x02\x01\x02\x02\x01\x05", 11)
        && fails("\x30\x06\x02\x01\x01\x02\x02\x02\x03", 9);
}

static int not_der(void)
{
    return fails("\x30\x07\x02\x02\x00\x01\x02\x01\x02", 9)
        && fails("\x30\x07\x02\x01\x01\x02\x02\x00\x02", 9)
        && fails("\x30\x06\x02\x01\x81\x02\x01\x02", 8)
        && fails("\x30\x06\x02\x01\x01\x02\x01\x82", 8)
        && fails("\x30\x05\x02\x00\x02\x01\x2a", 7) && fails("\x30\x05\x02\x01\x2a\x02\x00", 7);
}

static int indefinite(void)
{
    return fails("\x30\x80\x02\x01\x01\x02\x01\x02\x00\x00", 10)
        && fails("\x30\x83\x00\x00\x06\x02\x01\x01\x02\x01\x02", 11)
        && fails("\x30\x84\x00\x00\x00\x06\x02\x01\x01\x02\x01\x02", 12);
}

static int stays(void)
{
    static const char *const wrong[] = { "\x30\x05\x02\x01\x01\x02\x01\x02",
        "\x31\x06\x02\x01\x01\x02\x01\x02", "\x30\x07\x02\x01\x01\x02\x01\x02",
        "\x30\x06\x02\x01\x01\x04\x01\x02", "\x30\x06\x02\x01\x01\x02\x01\x82" };
    BIGNUM *r = BN_new(), *s = BN_new();
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(wrong) && ok; i++) {
        const unsigned char *p = (const unsigned char *)wrong[i];

        ok = TEST_size_t_eq(ossl_decode_der_dsa_sig(r, s, &p, 8), 0) && TEST_ptr_eq(p, wrong[i]);
    }
    BN_free(r);
    BN_free(s);
    return ok;
}

static int replaced(void)
{
    BIGNUM *r = der_number(300, 0xff), *s = der_number(300, 0xff);
    const unsigned char *p = (const unsigned char *)"\x30\x06\x02\x01\x01\x02\x01\x00";
    int ok;

    BN_set_negative(r, 1);
    BN_set_negative(s, 1);
    ok = TEST_size_t_eq(ossl_decode_der_dsa_sig(r, s, &p, 8), 8) && TEST_BN_eq_word(r, 1)
        && TEST_true(BN_is_zero(s));
    BN_free(r);
    BN_free(s);
    return ok;
}

static int no_memory(void)
{
    BIGNUM *r = der_number(1000, 1), *s = der_number(1000, 1), *r2, *s2;
    int size = der_signature(bytes, r, s), ok = 1;
    const unsigned char *p;
    size_t result = 0;
    long allocations;

    for (allocations = 0; allocations < 50 && result == 0 && ok; allocations++) {
        r2 = BN_new();
        s2 = BN_new();
        p = bytes;
        memory_left = allocations;
        result = ossl_decode_der_dsa_sig(r2, s2, &p, size);
        memory_left = -1;
        ok = allocations > 0 || TEST_size_t_eq(result, 0);
        if (result != 0)
            ok = TEST_size_t_eq(result, size) && TEST_int_eq(BN_cmp(r, r2), 0)
                && TEST_int_eq(BN_cmp(s, s2), 0);
        BN_free(r2);
        BN_free(s2);
    }
    BN_free(r);
    BN_free(s);
    ERR_clear_error();
    return ok && TEST_size_t_eq(result, size);
}

static int no_leak(void)
{
    unsigned char copy[] = "\x30\x06\x02\x01\x01\x02\x01\x02";
    long before;

    if (!small() || !no_memory())
        return 0;
    before = memory_blocks;
    return small() && lengths() && more() && fewer() && cut_off() && not_der() && replaced()
        && no_memory() && decodes((char *)copy, 8, 1, 2)
        && TEST_mem_eq(copy, 8, "\x30\x06\x02\x01\x01\x02\x01\x02", 8)
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int more_and_fewer(void)
{
    return more() && fewer();
}

static int taken_and_moved(void)
{
    return taken() && moved();
}

int setup_tests(void)
{
    add_test("small numbers are decoded", small);
    add_test("r comes before s", order);
    add_test("numbers of each length are decoded", lengths);
    add_test("it returns how much it took and moves the pointer", taken_and_moved);
    add_test("what follows is passed over", follows);
    add_test("another number of numbers in the sequence is an error", more_and_fewer);
    add_test("another tag is an error", another_tag);
    add_test("a signature that is cut off is an error", cut_off);
    add_test("a number reaches not past the sequence", not_past);
    add_test("a number that is not DER is an error", not_der);
    add_test("an indefinite length is an error", indefinite);
    add_test("the pointer stays where it fails", stays);
    add_test("the old values are replaced", replaced);
    add_test("a failed allocation is told", no_memory);
    add_test("nothing is leaked, and the bytes stay", no_leak);
    return 1;
}
