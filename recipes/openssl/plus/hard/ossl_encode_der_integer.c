/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.2,
 *   ossl_encode_der_dsa_sig-e07f05.4, ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   small numbers are encoded: 'Comment: "Outputs the DER encoding of a positive ASN.1 INTEGER"; X.690, 8.3.'
 *   zero takes one zero byte: 'X.690, 8.3.1: one or more contents octets; sibling ossl_decode_der_integer.'
 *   a number with the highest bit set gets a zero byte: 'X.690, 8.3.3: two''s complement; comment: "positive".'
 *   each number of bits is encoded: 'X.690, 8.3.2: the smallest number of octets.'
 *   the length has its form: 'Sibling ossl_encode_der_length; X.690, 10.1.'
 *   the longest content has 65535 bytes: 'Comment: "an error if n is ... too large"; ossl_encode_der_length.'
 *   a negative number is an error: 'Comment: "Results in an error if n is negative".'
 *   it follows what stands there: 'Comment: "to pkt"; ossl_encode_der_dsa_sig writes two.'
 *   a packet without a buffer is counted: 'ossl_encode_der_dsa_sig: "a NULL buffer ... to calculate how many bytes".'
 *   a buffer that is too small is an error: 'Comment: "Returns 1 on success or 0 on error"; WPACKET_init_static_len.'
 *   the number stays as it was: 'Signature: const BIGNUM *n.'
 *   the packet can be finished: 'Callers i2d_DSA_SIG, i2d_ECDSA_SIG: WPACKET_finish.'
 *   nothing is leaked, and failed allocations are told: 'Comment: "0 on error"; callers clean up pkt.'
 ---*/
#include <openssl/err.h>
#include "crypto/asn1_dsa.h"
#include "../testutil.h"
#include "memory_count.h"
#include "der_numbers.h"

static unsigned char out[DER_MAX], expected[DER_MAX];

/* Is the number, which is freed, encoded as it should, in a buffer just large enough? */
static int encodes(BIGNUM *n)
{
    WPACKET pkt;
    size_t written = 0;
    int size = der_integer(expected, n), ok;

    memset(out, 0x5a, size + 16);
    ok = TEST_true(WPACKET_init_static_len(&pkt, out, size, 0))
        && TEST_int_eq(ossl_encode_der_integer(&pkt, n), 1)
        && TEST_true(WPACKET_get_total_written(&pkt, &written))
        && TEST_true(WPACKET_finish(&pkt));
    if (!ok)
        WPACKET_cleanup(&pkt);
    BN_free(n);
    return ok && TEST_mem_eq(out, written, expected, size) && TEST_int_eq(out[size], 0x5a);
}

static int encodes_word(BN_ULONG word, const char *bytes, int size)
{
    BIGNUM *n = BN_new();

    BN_set_word(n, word);
    return encodes(n) && TEST_mem_eq(out, size, bytes, size);
}

static int small(void)
{
    return encodes_word(1, "\x02\x01\x01", 3) && encodes_word(0x7f, "\x02\x01\x7f", 3)
        && encodes_word(0x100, "\x02\x02\x01\x00", 4)
        && encodes_word(0x7fff, "\x02\x02\x7f\xff", 4)
        && encodes_word(0x12345678, "\x02\x04\x12\x34\x56\x78", 6);
}

static int zero(void)
{
    return encodes_word(0, "\x02\x01\x00", 3);
}

static int highest_bit(void)
{
    return encodes_word(0x80, "\x02\x02\x00\x80", 4) && encodes_word(0xff, "\x02\x02\x00\xff", 4)
        && encodes_word(0x8000, "\x02\x03\x00\x80\x00", 5)
        && encodes_word(0xffffffff, "\x02\x05\x00\xff\xff\xff\xff", 7);
}

static int each_bits(void)
{
    BIGNUM *n;
    int bits;

    for (bits = 0; bits < 600; bits++) {
        n = BN_new();
        BN_set_bit(n, bits);
        if (!encodes(n))
            return 0;
    }
    return 1;
}

static int length_form(void)
{
    return encodes(der_number(127, 0x7f)) && TEST_mem_eq(out, 2, "\x02\x7f", 2)
        && encodes(der_number(127, 0x80)) && TEST_mem_eq(out, 4, "\x02\x81\x80\x00", 4)
        && encodes(der_number(128, 0x01)) && TEST_mem_eq(out, 3, "\x02\x81\x80", 3)
        && encodes(der_number(255, 0x7f)) && TEST_mem_eq(out, 3, "\x02\x81\xff", 3)
        && encodes(der_number(255, 0x80)) && TEST_mem_eq(out, 5, "\x02\x82\x01\x00\x00", 5)
        && encodes(der_number(256, 0x01)) && TEST_mem_eq(out, 4, "\x02\x82\x01\x00", 4)
        && encodes(der_number(1000, 0xff)) && TEST_mem_eq(out, 5, "\x02\x82\x03\xe9\x00", 5);
}

/* What does it return for the number, which is freed? */
static int result_for(BIGNUM *n)
{
    WPACKET pkt;
    int result;

    WPACKET_init_static_len(&pkt, out, sizeof(out), 0);
    result = ossl_encode_der_integer(&pkt, n);
    WPACKET_cleanup(&pkt);
    BN_free(n);
    return result;
}

static int longest(void)
{
    return encodes(der_number(65535, 0x7f)) && TEST_mem_eq(out, 4, "\x02\x82\xff\xff", 4)
        && encodes(der_number(65534, 0x80))
        && TEST_int_eq(result_for(der_number(65535, 0x80)), 0)
        && TEST_int_eq(result_for(der_number(65536, 0x01)), 0)
        && TEST_int_eq(result_for(der_number(65536, 0x80)), 0)
        && TEST_int_eq(result_for(der_number(70000, 0x01)), 0);
}

static int negative(void)
{
    BIGNUM *one = der_number(1, 1), *large = der_number(100, 0x80), *small_one =
        der_number(1, 0x80);

    BN_set_negative(one, 1);
    BN_set_negative(large, 1);
    BN_set_negative(small_one, 1);
    return TEST_int_eq(result_for(one), 0) && TEST_int_eq(result_for(large), 0)
        && TEST_int_eq(result_for(small_one), 0);
}

static int follows(void)
{
    BIGNUM *n = der_number(2, 0x80), *m = der_number(1, 5);
    WPACKET pkt;
    size_t written = 0;
    int ok = TEST_true(WPACKET_init_static_len(&pkt, out, 20, 1))
        && TEST_true(WPACKET_put_bytes_u8(&pkt, 0xaa))
        && TEST_int_eq(ossl_encode_der_integer(&pkt, n), 1)
        && TEST_int_eq(ossl_encode_der_integer(&pkt, m), 1)
        && TEST_true(WPACKET_put_bytes_u8(&pkt, 0xbb))
        && TEST_true(WPACKET_get_total_written(&pkt, &written)) && TEST_true(WPACKET_finish(&pkt));

    if (!ok)
        WPACKET_cleanup(&pkt);
    BN_free(n);
    BN_free(m);
    return ok && TEST_mem_eq(out, written, "\x0a\xaa\x02\x03\x00\x80\x30\x02\x01\x05\xbb", 11);
}

static int counted(void)
{
    static const int sizes[] = { 0, 1, 2, 127, 128, 255, 256, 1000, 65535 };
    size_t i, written, before;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(sizes) && ok; i++) {
        BIGNUM *n = der_number(sizes[i], 0x7f);
        WPACKET pkt;

        before = written = 0;
        ok = TEST_true(WPACKET_init_null(&pkt, 0)) && TEST_true(WPACKET_put_bytes_u8(&pkt, 1))
            && TEST_true(WPACKET_get_total_written(&pkt, &before))
            && TEST_int_eq(ossl_encode_der_integer(&pkt, n), 1)
            && TEST_true(WPACKET_get_total_written(&pkt, &written))
            && TEST_size_t_eq(written - before, der_integer(expected, n))
            && TEST_true(WPACKET_is_null_buf(&pkt));
        WPACKET_cleanup(&pkt);
        BN_free(n);
    }
    return ok;
}

static int too_small(void)
{
    static const int sizes[] = { 0, 1, 2, 128, 256 };
    size_t i;
    int ok = 1, room;

    for (i = 0; i < OSSL_NELEM(sizes) && ok; i++) {
        BIGNUM *n = der_number(sizes[i], 0x80);
        int size = der_integer(expected, n);

        for (room = 1; room < size && ok; room++) {
            WPACKET pkt;

            memset(out, 0x5a, size + 1);
            WPACKET_init_static_len(&pkt, out, room, 0);
            ok = TEST_int_eq(ossl_encode_der_integer(&pkt, n), 0) && TEST_int_eq(out[room], 0x5a);
            WPACKET_cleanup(&pkt);
        }
        BN_free(n);
    }
    return ok;
}

static int stays(void)
{
    BIGNUM *n = der_number(20, 0x80), *same = BN_dup(n);
    WPACKET pkt;
    int ok;

    WPACKET_init_static_len(&pkt, out, 100, 0);
    ok = TEST_int_eq(ossl_encode_der_integer(&pkt, n), 1) && TEST_int_eq(BN_cmp(n, same), 0);
    WPACKET_cleanup(&pkt);
    BN_free(n);
    BN_free(same);
    return ok;
}

static int finished(void)
{
    BIGNUM *n = der_number(300, 0x80);
    BUF_MEM *buf = BUF_MEM_new();
    WPACKET pkt;
    size_t written = 0;
    int size = der_integer(expected, n);
    int ok = TEST_true(WPACKET_init(&pkt, buf)) && TEST_true(WPACKET_start_sub_packet_u16(&pkt))
        && TEST_int_eq(ossl_encode_der_integer(&pkt, n), 1) && TEST_true(WPACKET_close(&pkt))
        && TEST_true(WPACKET_get_total_written(&pkt, &written)) && TEST_true(WPACKET_finish(&pkt))
        && TEST_size_t_eq(written, size + 2)
        && TEST_mem_eq(buf->data + 2, size, expected, size);

    if (!ok)
        WPACKET_cleanup(&pkt);
    BUF_MEM_free(buf);
    BN_free(n);
    return ok;
}

static int no_leak(void)
{
    BIGNUM *n = der_number(300, 0x80);
    BUF_MEM *buf;
    WPACKET pkt;
    long before, allocations;
    int result = 0;

    if (!small() || !negative())
        return 0;
    before = memory_blocks;
    for (allocations = 0; allocations < 50 && result != 1; allocations++) {
        buf = BUF_MEM_new();
        WPACKET_init(&pkt, buf);
        memory_left = allocations;
        result = ossl_encode_der_integer(&pkt, n);
        memory_left = -1;
        WPACKET_cleanup(&pkt);
        if (result == 1 && !TEST_mem_eq(buf->data, 5, "\x02\x82\x01\x2d\x00", 5))
            return 0;
        BUF_MEM_free(buf);
        if (!TEST_true(result == 0 || result == 1))
            return 0;
    }
    ERR_clear_error();
    if (!TEST_int_eq(result, 1) || !small() || !highest_bit() || !negative() || !longest()
            || !too_small() || !counted() || !finished())
        return 0;
    ERR_clear_error();
    result = TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    BN_free(n);
    return result;
}

int setup_tests(void)
{
    add_test("small numbers are encoded", small);
    add_test("zero takes one zero byte", zero);
    add_test("a number with the highest bit set gets a zero byte", highest_bit);
    add_test("each number of bits is encoded", each_bits);
    add_test("the length has its form", length_form);
    add_test("the longest content has 65535 bytes", longest);
    add_test("a negative number is an error", negative);
    add_test("it follows what stands there", follows);
    add_test("a packet without a buffer is counted", counted);
    add_test("a buffer that is too small is an error", too_small);
    add_test("the number stays as it was", stays);
    add_test("the packet can be finished", finished);
    add_test("nothing is leaked, and failed allocations are told", no_leak);
    return 1;
}
