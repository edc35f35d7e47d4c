/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.4,
 *   ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   small numbers are decoded: 'Comment: "Decodes a single ASN.1 INTEGER value"; X.690, 8.3.'
 *   zero is one zero byte: 'X.690, 8.3; sibling ossl_encode_der_integer.'
 *   a zero byte goes before the highest bit: 'X.690, 8.3.2 and 8.3.3; asn1_dsa_internal_test.c: t_dsa_sig_msb.'
 *   numbers of each length are decoded: 'Sibling ossl_decode_der_length; X.690, 10.1.'
 *   only the number is consumed: 'Comment: "it is up to the caller to verify that all bytes were consumed".'
 *   numbers can be decoded one after another: 'ossl_decode_der_dsa_sig calls it for r and s.'
 *   a zero byte that is not needed is an error: 'Comment: "must be DER encoded"; X.690, 8.3.2; t_invalid_int.'
 *   a negative number is an error: 'asn1_dsa_internal_test.c: t_neg_int; sibling encodes positive ones alone.'
 *   a number without content is an error: 'X.690, 8.3.1; asn1_dsa_internal_test.c: t_invalid_int_zero.'
 *   another tag is an error: 'Comment: "a single ASN.1 INTEGER"; ID_INTEGER.'
 *   a number that is cut off is an error: 'Comment: "An attempt to consume more than len bytes results in an error".'
 *   an indefinite or longer length is an error: 'Sibling ossl_decode_der_length: "Too large, invalid, or not DER".'
 *   the old value is replaced: 'Comment: "updates n with the decoded value".'
 *   a failed allocation is told: 'Comment: "Returns 1 on success or 0 on error".'
 *   nothing is leaked, and the bytes stay: 'Comment: "n, must have already been allocated".'
 ---*/
#include <openssl/err.h>
#include "crypto/asn1_dsa.h"
#include "../testutil.h"
#include "memory_count.h"
#include "der_numbers.h"

/* Are `size` bytes decoded to `expected`, with `left` of them left? Frees `expected`. */
static int decodes(const unsigned char *bytes, int size, BIGNUM *expected, int left)
{
    BIGNUM *n = BN_new();
    PACKET pkt;
    int ok;

    BN_set_word(n, 0x1234567);
    ok = TEST_true(PACKET_buf_init(&pkt, bytes, size))
        && TEST_int_eq(ossl_decode_der_integer(&pkt, n), 1)
        && TEST_int_eq(BN_cmp(n, expected), 0)
        && TEST_size_t_eq(PACKET_remaining(&pkt), left)
        && TEST_ptr_eq(PACKET_data(&pkt), bytes + size - left);
    BN_free(n);
    BN_free(expected);
    return ok;
}

static int decodes_word(const char *bytes, int size, BN_ULONG word)
{
    BIGNUM *n = BN_new();

    BN_set_word(n, word);
    return decodes((const unsigned char *)bytes, size, n, 0);
}

/* Is it an error, also if what is given is all that there is? */
static int fails(const char *bytes, int size)
{
    unsigned char *copy = OPENSSL_malloc(size + 1);
    BIGNUM *n = BN_new();
    PACKET pkt;
    int ok;

    memcpy(copy, bytes, size);
    ok = TEST_true(PACKET_buf_init(&pkt, copy, size))
        && TEST_int_eq(ossl_decode_der_integer(&pkt, n), 0);
    OPENSSL_free(copy);
    BN_free(n);
    return ok;
}

static int small(void)
{
    return decodes_word("\x02\x01\x01", 3, 1) && decodes_word("\x02\x01\x7f", 3, 0x7f)
        && decodes_word("\x02\x02\x01\x00", 4, 0x100)
        && decodes_word("\x02\x02\x7f\xff", 4, 0x7fff)
        && decodes_word("\x02\x04\x12\x34\x56\x78", 6, 0x12345678);
}

static int zero(void)
{
    return decodes_word("\x02\x01\x00", 3, 0);
}

static int highest_bit(void)
{
    return decodes_word("\x02\x02\x00\x80", 4, 0x80) && decodes_word("\x02\x02\x00\xff", 4, 0xff)
        && decodes_word("\x02\x03\x00\x80\x00", 5, 0x8000)
        && decodes_word("\x02\x05\x00\xff\xff\xff\xff", 7, 0xffffffff);
}

static int lengths(void)
{
    static const int sizes[] = { 1, 2, 20, 32, 126, 127, 128, 129, 254, 255, 256, 1000, 65534 };
    static unsigned char bytes[DER_MAX];
    size_t i;

    for (i = 0; i < OSSL_NELEM(sizes); i++) {
        BIGNUM *high = der_number(sizes[i], 0x80), *low = der_number(sizes[i], 0x7f);
        int size = der_integer(bytes, high);

        if (!decodes(bytes, size, high, 0))
            return 0;
        size = der_integer(bytes, low);
        if (!decodes(bytes, size, low, 0))
            return 0;
    }
    return 1;
}

static int consumed(void)
{
    BIGNUM *five = BN_new(), *high = BN_new();

    BN_set_word(five, 5);
    BN_set_word(high, 0x80);
    return decodes((const unsigned char *)"\x02\x01\x05\x00\x80", 5, five, 2)
        && decodes((const unsigned char *)"\x02\x02\x00\x80\x02\x01\x01", 7, high, 3);
}

static int one_after_another(void)
{
    BIGNUM *r = BN_new(), *s = BN_new();
    PACKET pkt;
    int ok = TEST_true(PACKET_buf_init(&pkt, (const unsigned char *)"\x02\x01\x05\x02\x02\x00\x80"
                                       "\x04", 8))
        && TEST_int_eq(ossl_decode_der_integer(&pkt, r), 1)
        && TEST_int_eq(ossl_decode_der_integer(&pkt, s), 1)
        && TEST_BN_eq_word(r, 5) && TEST_BN_eq_word(s, 0x80)
        && TEST_size_t_eq(PACKET_remaining(&pkt), 1)
        && TEST_int_eq(ossl_decode_der_integer(&pkt, s), 0);

    BN_free(r);
    BN_free(s);
    return ok;
}

static int not_needed(void)
{
    return fails("\x02\x02\x00\x7f", 4) && fails("\x02\x02\x00\x00", 4)
        && fails("\x02\x02\x00\x01", 4) && fails("\x02\x03\x00\x00\x80", 5)
        && fails("\x02\x03\x00\x7f\xff", 5);
}

static int negative(void)
{
    return fails("\x02\x01\x80", 3) && fails("\x02\x01\xff", 3) && fails("\x02\x02\x80\x00", 4)
        && fails("\x02\x02\xff\x7f", 4) && fails("\x02\x01\xaa", 3);
}

static int no_content(void)
{
    return fails("\x02\x00", 2) && fails("\x02\x00\x02\x01\x05", 5) && fails("\x02\x81\x00", 3)
        && fails("\x02\x82\x00\x00", 4) && fails("\x02\x00\x05", 3);
}

static int another_tag(void)
{
    char bytes[] = "\x02\x01\x05";
    int tag;

    for (tag = 0; tag < 0x100; tag++) {
        bytes[0] = tag;
        if (tag != 2 && !fails(bytes, 3))
            return 0;
    }
    return 1;
}

static int cut_off(void)
{
    unsigned char bytes[400];
    BIGNUM *n = der_number(300, 0x80);
    int size = der_integer(bytes, n), i;

    BN_free(n);
    for (i = 0; i < size; i++)
        if (!fails((char *)bytes, i))
            return 0;
    return fails("", 0) && fails("\x02", 1) && fails("\x02\x01", 2) && fails("\x02\x02\x05", 3)
        && fails("\x02\x02\x00", 3) && fails("\x02\x81", 2) && fails("\x02\x82\x01", 3)
        && fails("\x02\x7f\x05\x05", 4) && fails("\x02\x81\x80\x05", 4)
        && fails("\x02\x82\xff\xff\x05", 5);
}

static int long_length(void)
{
    return fails("\x02\x80\x05\x00\x00", 5) && fails("\x02\x83\x00\x00\x01\x05", 6)
        && fails("\x02\x84\x00\x00\x00\x01\x05", 7) && fails("\x02\xff\x05\x05\x05", 5)
        && fails("\x02\x88\x00\x00\x00\x00\x00\x00\x00\x01\x05", 11);
}

static int replaced(void)
{
    BIGNUM *n = der_number(300, 0xff);
    PACKET pkt;
    int ok;

    BN_set_negative(n, 1);
    ok = TEST_true(PACKET_buf_init(&pkt, (const unsigned char *)"\x02\x01\x05", 3))
        && TEST_int_eq(ossl_decode_der_integer(&pkt, n), 1) && TEST_BN_eq_word(n, 5)
        && TEST_true(PACKET_buf_init(&pkt, (const unsigned char *)"\x02\x01\x00", 3))
        && TEST_int_eq(ossl_decode_der_integer(&pkt, n), 1) && TEST_true(BN_is_zero(n));
    BN_free(n);
    return ok;
}

static int no_memory(void)
{
    static unsigned char bytes[1100];
    BIGNUM *value = der_number(1000, 1), *n = BN_new();
    int size = der_integer(bytes, value), result, ok;
    PACKET pkt;

    PACKET_buf_init(&pkt, bytes, size);
    memory_left = 0;
    result = ossl_decode_der_integer(&pkt, n);
    memory_left = -1;
    PACKET_buf_init(&pkt, bytes, size);
    ok = TEST_int_eq(result, 0) && TEST_int_eq(ossl_decode_der_integer(&pkt, n), 1)
        && TEST_int_eq(BN_cmp(n, value), 0);
    BN_free(value);
    BN_free(n);
    ERR_clear_error();
    return ok;
}

static int no_leak(void)
{
    unsigned char bytes[] = "\x02\x02\x00\x80";
    long before;

    if (!small() || !no_memory())
        return 0;
    before = memory_blocks;
    return small() && highest_bit() && lengths() && negative() && cut_off() && replaced()
        && no_memory() && decodes_word((char *)bytes, 4, 0x80)
        && TEST_mem_eq(bytes, 4, "\x02\x02\x00\x80", 4)
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("small numbers are decoded", small);
    add_test("zero is one zero byte", zero);
    add_test("a zero byte goes before the highest bit", highest_bit);
    add_test("numbers of each length are decoded", lengths);
    add_test("only the number is consumed", consumed);
    add_test("numbers can be decoded one after another", one_after_another);
    add_test("a zero byte that is not needed is an error", not_needed);
    add_test("a negative number is an error", negative);
    add_test("a number without content is an error", no_content);
    add_test("another tag is an error", another_tag);
    add_test("a number that is cut off is an error", cut_off);
    add_test("an indefinite or longer length is an error", long_length);
    add_test("the old value is replaced", replaced);
    add_test("a failed allocation is told", no_memory);
    add_test("nothing is leaked, and the bytes stay", no_leak);
    return 1;
}
