/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05, ossl_encode_der_dsa_sig-e07f05.16,
 *   ossl_encode_der_dsa_sig-e07f05.2, ossl_encode_der_dsa_sig-e07f05.4,
 *   ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   small numbers are encoded: 'Comment: "the DER encoding of a DSA-Sig-Value"; SEQUENCE of r and s.'
 *   a published signature is encoded: 'RFC 6979, A.2.5, of P-256 and SHA-256; RFC 3279, 2.2.3.'
 *   r comes before s: 'Comment at the top of the file: "SEQUENCE { r INTEGER, s INTEGER }".'
 *   numbers of different sizes are encoded: 'X.690, 8.3; sibling ossl_encode_der_integer.'
 *   the length of the sequence has its form: 'Sibling ossl_encode_der_length; X.690, 10.1.'
 *   the longest content has 65535 bytes: 'ossl_encode_der_length: "The maximum supported content length is 65535".'
 *   a negative number is an error: 'Sibling ossl_encode_der_integer: "an error if n is negative".'
 *   a packet without a buffer is counted: 'Comment: "used to calculate how many bytes would be needed".'
 *   it follows what stands there: 'Comment: "to pkt", whatever it holds.'
 *   a buffer that is too small is an error: 'Comment: "0 on error"; i2d_ECDSA_SIG: WPACKET_init_static_len.'
 *   a growing buffer is filled: 'Caller i2d_ECDSA_SIG: WPACKET_init_len with a BUF_MEM.'
 *   the packet can be finished: 'Callers i2d_DSA_SIG, i2d_ECDSA_SIG: WPACKET_finish.'
 *   the numbers stay as they were: 'Signature: const BIGNUM *r, const BIGNUM *s.'
 *   nothing is leaked where it fails: 'Callers clean up pkt alone: WPACKET_cleanup.'
 *   failed allocations are told: 'Comment: "Returns 1 on success or 0 on error".'
 ---*/
#include <openssl/err.h>
#include "crypto/asn1_dsa.h"
#include "../testutil.h"
#include "memory_count.h"
#include "der_numbers.h"

static unsigned char out[2 * DER_MAX], expected[2 * DER_MAX];

/* Are the numbers, which are freed, encoded as they should, in a buffer just large enough? */
static int encodes(BIGNUM *r, BIGNUM *s)
{
    WPACKET pkt;
    size_t written = 0;
    int size = der_signature(expected, r, s), ok;

    memset(out, 0x5a, size + 16);
    ok = TEST_true(WPACKET_init_static_len(&pkt, out, size, 0))
        && TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 1)
        && TEST_true(WPACKET_get_total_written(&pkt, &written))
        && TEST_true(WPACKET_finish(&pkt));
    if (!ok)
        WPACKET_cleanup(&pkt);
    BN_free(r);
    BN_free(s);
    return ok && TEST_mem_eq(out, written, expected, size) && TEST_int_eq(out[size], 0x5a);
}

static BIGNUM *word(BN_ULONG value)
{
    BIGNUM *n = BN_new();

    BN_set_word(n, value);
    return n;
}

static int small(void)
{
    return encodes(word(1), word(2))
        && TEST_mem_eq(out, 8, "\x30\x06\x02\x01\x01\x02\x01\x02", 8)
        && encodes(word(0x81), word(0x82))
        && TEST_mem_eq(out, 10, "\x30\x08\x02\x02\x00\x81\x02\x02\x00\x82", 10)
        && encodes(word(0), word(0))
        && TEST_mem_eq(out, 8, "\x30\x06\x02\x01\x00\x02\x01\x00", 8);
}

static int published(void)
{
    static const char r_hex[] = "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716";
    static const char s_hex[] = "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8";
    BIGNUM *r = NULL, *s = NULL;

    return TEST_true(BN_hex2bn(&r, r_hex)) && TEST_true(BN_hex2bn(&s, s_hex)) && encodes(r, s)
        && TEST_mem_eq(out, 6, "\x30\x46\x02\x21\x00\xef", 6)
        && TEST_mem_eq(out + 36, 5, "\x16\x02\x21\x00\xf7", 5) && TEST_int_eq(out[71], 0xa8);
}

static int order(void)
{
    return encodes(word(0x1234), word(5))
        && TEST_mem_eq(out, 9, "\x30\x07\x02\x02\x12\x34\x02\x01\x05", 9)
        && encodes(word(5), word(0x1234))
        && TEST_mem_eq(out, 9, "\x30\x07\x02\x01\x05\x02\x02\x12\x34", 9);
}

static int different(void)
{
    return encodes(der_number(66, 0x01), der_number(1, 3))
        && encodes(der_number(1, 3), der_number(66, 0xff))
        && encodes(der_number(0, 0), der_number(32, 0x80))
        && encodes(der_number(32, 0x80), der_number(0, 0))
        && encodes(der_number(200, 0x80), der_number(300, 0x7f));
}

static int form(void)
{
    /* Contents of 127, 128, 255 and 256 bytes. */
    return encodes(der_number(61, 1), der_number(62, 1)) && TEST_mem_eq(out, 2, "\x30\x7f", 2)
        && encodes(der_number(62, 1), der_number(62, 1)) && TEST_mem_eq(out, 3, "\x30\x81\x80", 3)
        && encodes(der_number(61, 1), der_number(62, 0x80))
        && TEST_mem_eq(out, 3, "\x30\x81\x80", 3)
        && encodes(der_number(125, 1), der_number(126, 1))
        && TEST_mem_eq(out, 3, "\x30\x81\xff", 3)
        && encodes(der_number(126, 1), der_number(126, 1))
        && TEST_mem_eq(out, 4, "\x30\x82\x01\x00", 4)
        && encodes(der_number(256, 1), der_number(256, 0x80))
        && TEST_mem_eq(out, 4, "\x30\x82\x02\x09", 4);
}

/* What does it return for the numbers, which are freed? */
static int result_for(BIGNUM *r, BIGNUM *s)
{
    WPACKET pkt;
    int result;

    WPACKET_init_static_len(&pkt, out, sizeof(out), 0);
    result = ossl_encode_der_dsa_sig(&pkt, r, s);
    WPACKET_cleanup(&pkt);
    if (result == 0) {
        int counted;

        WPACKET_init_null(&pkt, 0);
        counted = ossl_encode_der_dsa_sig(&pkt, r, s);
        WPACKET_cleanup(&pkt);
        if (!TEST_int_eq(counted, 0))
            result = -1;
    }
    BN_free(r);
    BN_free(s);
    return result;
}

static int longest(void)
{
    return encodes(der_number(32763, 1), der_number(32764, 1))
        && TEST_mem_eq(out, 4, "\x30\x82\xff\xff", 4)
        && encodes(der_number(65528, 1), der_number(0, 0))
        && TEST_int_eq(result_for(der_number(32764, 1), der_number(32764, 1)), 0)
        && TEST_int_eq(result_for(der_number(65529, 1), der_number(0, 0)), 0)
        && TEST_int_eq(result_for(der_number(60000, 1), der_number(60000, 1)), 0)
        && TEST_int_eq(result_for(der_number(65536, 1), der_number(1, 1)), 0)
        && TEST_int_eq(result_for(der_number(1, 1), der_number(65536, 1)), 0);
}

static BIGNUM *minus(BIGNUM *n)
{
    BN_set_negative(n, 1);
    return n;
}

static int negative(void)
{
    return TEST_int_eq(result_for(minus(word(1)), word(2)), 0)
        && TEST_int_eq(result_for(word(1), minus(word(2))), 0)
        && TEST_int_eq(result_for(minus(word(1)), minus(word(2))), 0)
        && TEST_int_eq(result_for(word(1), minus(word(0x80))), 0);
}

static int counted(void)
{
    static const int sizes[] = { 0, 1, 32, 61, 62, 66, 125, 126, 128, 256, 30000 };
    size_t i, j, written, before;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(sizes); i++)
        for (j = 0; j < OSSL_NELEM(sizes) && ok; j++) {
            BIGNUM *r = der_number(sizes[i], 0x80), *s = der_number(sizes[j], 1);
            WPACKET pkt;

            before = written = 0;
            ok = TEST_true(WPACKET_init_null(&pkt, 0)) && TEST_true(WPACKET_put_bytes_u16(&pkt, 1))
                && TEST_true(WPACKET_get_total_written(&pkt, &before))
                && TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 1)
                && TEST_true(WPACKET_get_total_written(&pkt, &written))
                && TEST_size_t_eq(written - before, der_signature(expected, r, s))
                && TEST_true(WPACKET_is_null_buf(&pkt)) && TEST_true(WPACKET_finish(&pkt));
            if (!ok)
                WPACKET_cleanup(&pkt);
            BN_free(r);
            BN_free(s);
        }
    return ok;
}

static int follows(void)
{
    BIGNUM *r = word(0x80), *s = word(5);
    WPACKET pkt;
    size_t written = 0;
    int ok = TEST_true(WPACKET_init_static_len(&pkt, out, 30, 1))
        && TEST_true(WPACKET_put_bytes_u8(&pkt, 0xaa))
        && TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 1)
        && TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, s, s), 1)
        && TEST_true(WPACKET_put_bytes_u8(&pkt, 0xbb))
        && TEST_true(WPACKET_get_total_written(&pkt, &written)) && TEST_true(WPACKET_finish(&pkt));

    if (!ok)
        WPACKET_cleanup(&pkt);
    BN_free(r);
    BN_free(s);
    return ok
        && TEST_mem_eq(out, written, "\x13\xaa\x30\x07\x02\x02\x00\x80\x02\x01\x05"
                       "\x30\x06\x02\x01\x05\x02\x01\x05\xbb", 20);
}

static int too_small(void)
{
    static const int sizes[] = { 0, 1, 32, 126 };
    size_t i;
    int ok = 1, room;

    for (i = 0; i < OSSL_NELEM(sizes) && ok; i++) {
        BIGNUM *r = der_number(sizes[i], 0x80), *s = der_number(sizes[i], 1);
        int size = der_signature(expected, r, s);

        for (room = 1; room < size && ok; room++) {
            WPACKET pkt;

            memset(out, 0x5a, size + 1);
            WPACKET_init_static_len(&pkt, out, room, 0);
            ok = TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 0)
                && TEST_int_eq(out[room], 0x5a);
            WPACKET_cleanup(&pkt);
        }
        BN_free(r);
        BN_free(s);
    }
    return ok;
}

static int growing(void)
{
    BIGNUM *r = der_number(3000, 0x80), *s = der_number(2000, 1);
    BUF_MEM *buf = BUF_MEM_new();
    WPACKET pkt;
    size_t written = 0;
    int size = der_signature(expected, r, s);
    int ok = TEST_true(WPACKET_init(&pkt, buf))
        && TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 1)
        && TEST_true(WPACKET_get_total_written(&pkt, &written))
        && TEST_true(WPACKET_finish(&pkt)) && TEST_mem_eq(buf->data, written, expected, size);

    if (!ok)
        WPACKET_cleanup(&pkt);
    BUF_MEM_free(buf);
    BN_free(r);
    BN_free(s);
    return ok;
}

static int finished(void)
{
    BIGNUM *r = word(1), *s = word(2);
    WPACKET pkt;
    size_t length = 0;
    int ok = TEST_true(WPACKET_init_static_len(&pkt, out, 100, 0))
        && TEST_true(WPACKET_start_sub_packet_u16(&pkt))
        && TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 1)
        && TEST_true(WPACKET_get_length(&pkt, &length)) && TEST_size_t_eq(length, 8)
        && TEST_true(WPACKET_close(&pkt)) && TEST_true(WPACKET_finish(&pkt))
        && TEST_mem_eq(out, 10, "\x00\x08\x30\x06\x02\x01\x01\x02\x01\x02", 10);

    if (!ok)
        WPACKET_cleanup(&pkt);
    BN_free(r);
    BN_free(s);
    return ok;
}

static int stay(void)
{
    BIGNUM *r = der_number(20, 0x80), *s = der_number(30, 1), *r2 = BN_dup(r), *s2 = BN_dup(s);
    WPACKET pkt;
    int ok;

    WPACKET_init_static_len(&pkt, out, 100, 0);
    ok = TEST_int_eq(ossl_encode_der_dsa_sig(&pkt, r, s), 1) && TEST_int_eq(BN_cmp(r, r2), 0)
        && TEST_int_eq(BN_cmp(s, s2), 0);
    WPACKET_cleanup(&pkt);
    BN_free(r);
    BN_free(s);
    BN_free(r2);
    BN_free(s2);
    return ok;
}

static int no_leak(void)
{
    long before;

    if (!small() || !negative())
        return 0;
    ERR_clear_error();
    before = memory_blocks;
    if (!negative() || !longest() || !too_small() || !small() || !counted() || !follows()
            || !growing())
        return 0;
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    BIGNUM *r = der_number(300, 0x80), *s = der_number(300, 1);
    int size = der_signature(expected, r, s), result = 0, ok = 1;
    long allocations, before;

    ERR_clear_error();
    for (allocations = 0; allocations < 100 && result != 1 && ok; allocations++) {
        BUF_MEM *buf;
        WPACKET pkt;

        before = memory_blocks;
        buf = BUF_MEM_new();
        WPACKET_init(&pkt, buf);
        memory_left = allocations;
        result = ossl_encode_der_dsa_sig(&pkt, r, s);
        memory_left = -1;
        WPACKET_cleanup(&pkt);
        ok = TEST_true(result == 0 || result == 1)
            && (result == 0 || TEST_mem_eq(buf->data, size, expected, size));
        BUF_MEM_free(buf);
        ERR_clear_error();
        /* The queue of errors itself may take a block, once. */
        ok = ok && (allocations == 0 || TEST_long_eq(memory_blocks, before));
    }
    ok = ok && TEST_int_eq(result, 1) && TEST_long_eq(memory_bad_frees, 0);
    BN_free(r);
    BN_free(s);
    return ok;
}

int setup_tests(void)
{
    add_test("small numbers are encoded", small);
    add_test("a published signature is encoded", published);
    add_test("r comes before s", order);
    add_test("numbers of different sizes are encoded", different);
    add_test("the length of the sequence has its form", form);
    add_test("the longest content has 65535 bytes", longest);
    add_test("a negative number is an error", negative);
    add_test("a packet without a buffer is counted", counted);
    add_test("it follows what stands there", follows);
    add_test("a buffer that is too small is an error", too_small);
    add_test("a growing buffer is filled", growing);
    add_test("the packet can be finished", finished);
    add_test("the numbers stay as they were", stay);
    add_test("nothing is leaked where it fails", no_leak);
    add_test("failed allocations are told", no_memory);
    return 1;
}
