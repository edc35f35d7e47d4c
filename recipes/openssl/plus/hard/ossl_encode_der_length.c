/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   lengths up to 127 take one byte:
 *     'Comment: "the length octets for a DER value"; X.690, 8.1.3.4.'
 *   lengths up to 255 take two bytes: 'X.690, 8.1.3.5 and 10.1: the fewest octets.'
 *   lengths up to 65535 take three bytes: 'X.690, 8.1.3.5 and 10.1; "The maximum ... is 65535".'
 *   all lengths are right: 'Comment: "Outputs the encoding of the length octets".'
 *   65536 and more are an error: 'Comment: "The maximum supported content length is 65535".'
 *   a packet without room is an error: 'Comment: "Returns 1 on success or 0 on error".'
 *   a packet without a buffer counts: 'ossl_encode_der_dsa_sig: "how many bytes would be needed".'
 *   it follows what stands there: 'Comment: "to pkt".'
 *   a failed allocation is told: 'Comment: "Returns 1 on success or 0 on error".'
 *   the content itself is not written: 'Comment: "the length octets"; ossl_encode_der_integer.'
 ---*/
#include "crypto/asn1_dsa.h"
#include "../testutil.h"
#include "refused_nth.h"

static unsigned char out[64];

/*
 * What is written for the length, with `room` bytes for it? -1 for an error, -2 for a wrong
 * value.
 */
static int encode(size_t length, size_t room)
{
    WPACKET pkt;
    size_t written = 0;
    int result;

    memset(out, 0x5a, sizeof(out));
    if (!WPACKET_init_static_len(&pkt, out, room, 0))
        return -2;
    result = ossl_encode_der_length(&pkt, length);
    if (result == 1 && !WPACKET_get_total_written(&pkt, &written))
        result = -2;
    WPACKET_cleanup(&pkt);
    if (out[room] != 0x5a)
        return -2;
    return result == 0 ? -1 : result == 1 ? (int)written : -2;
}

static int is(size_t length, const char *bytes, int size)
{
    return TEST_int_eq(encode(length, 32), size) && TEST_mem_eq(out, size, bytes, size)
        && TEST_uint_eq(out[size], 0x5a) && TEST_int_eq(encode(length, size), size)
        && TEST_mem_eq(out, size, bytes, size);
}

static int one(void)
{
    return is(0, "\0", 1) && is(1, "\1", 1) && is(0x7e, "\x7e", 1) && is(0x7f, "\x7f", 1);
}

static int two(void)
{
    return is(0x80, "\x81\x80", 2) && is(0x81, "\x81\x81", 2) && is(0xfe, "\x81\xfe", 2)
        && is(0xff, "\x81\xff", 2);
}

static int three(void)
{
    return is(0x100, "\x82\x01\x00", 3) && is(0x101, "\x82\x01\x01", 3)
        && is(0x1234, "\x82\x12\x34", 3) && is(0x8000, "\x82\x80\x00", 3)
        && is(0xfffe, "\x82\xff\xfe", 3) && is(0xffff, "\x82\xff\xff", 3);
}

static int all(void)
{
    size_t length;

    for (length = 0; length <= 0xffff; length++) {
        int size = length < 0x80 ? 1 : length < 0x100 ? 2 : 3;

        if (encode(length, 32) != size || out[size - 1] != (length & 0xff)
                || (size > 1 && out[0] != 0x7f + size) || (size > 2 && out[1] != length >> 8))
            return TEST_size_t_eq(length, 0x10000);
    }
    return 1;
}

static int more(void)
{
    return TEST_int_eq(encode(0x10000, 32), -1) && TEST_int_eq(encode(0x10001, 32), -1)
        && TEST_int_eq(encode(0xffffff, 32), -1) && TEST_int_eq(encode(0x7fffffff, 32), -1)
        && TEST_int_eq(encode((size_t)1 << 32, 32), -1)
        && TEST_int_eq(encode(((size_t)1 << 32) + 5, 32), -1)
        && TEST_int_eq(encode(SIZE_MAX, 32), -1);
}

static int no_room(void)
{
    WPACKET pkt;
    int ok;

    if (!TEST_int_eq(encode(0x80, 1), -1) || !TEST_int_eq(encode(0xff, 1), -1)
            || !TEST_int_eq(encode(0x100, 1), -1) || !TEST_int_eq(encode(0x100, 2), -1)
            || !TEST_int_eq(encode(0xffff, 2), -1) || !TEST_int_eq(encode(0xffff, 1), -1))
        return 0;
    WPACKET_init_static_len(&pkt, out, 1, 0);
    ok = TEST_int_eq(ossl_encode_der_length(&pkt, 5), 1)
        && TEST_int_eq(ossl_encode_der_length(&pkt, 5), 0);
    WPACKET_cleanup(&pkt);
    return ok;
}

static int counts(void)
{
    static const size_t lengths[] = { 0, 0x7f, 0x80, 0xff, 0x100, 0xffff };
    static const size_t totals[] = { 1, 2, 4, 6, 9, 12 };
    WPACKET pkt;
    size_t written = 0, i;
    int ok = TEST_true(WPACKET_init_null(&pkt, 0));

    for (i = 0; i < 6 && ok; i++)
        ok = TEST_int_eq(ossl_encode_der_length(&pkt, lengths[i]), 1)
            && TEST_true(WPACKET_get_total_written(&pkt, &written))
            && TEST_size_t_eq(written, totals[i]);
    ok = ok && TEST_int_eq(ossl_encode_der_length(&pkt, 0x10000), 0);
    WPACKET_cleanup(&pkt);
    return ok;
}

static int follows(void)
{
    WPACKET pkt;
    int ok = TEST_true(WPACKET_init_static_len(&pkt, out, 30, 0))
        && TEST_true(WPACKET_put_bytes_u8(&pkt, 0x30))
        && TEST_int_eq(ossl_encode_der_length(&pkt, 0x180), 1)
        && TEST_int_eq(ossl_encode_der_length(&pkt, 0x90), 1)
        && TEST_int_eq(ossl_encode_der_length(&pkt, 3), 1)
        && TEST_true(WPACKET_put_bytes_u8(&pkt, 0x77))
        && TEST_mem_eq(out, 8, "\x30\x82\x01\x80\x81\x90\x03\x77", 8);

    WPACKET_cleanup(&pkt);
    return ok;
}

static int no_content(void)
{
    return TEST_int_eq(encode(9, 32), 1) && TEST_mem_eq(out, 3, "\x09\x5a\x5a", 3)
        && TEST_int_eq(encode(300, 32), 3) && TEST_mem_eq(out, 5, "\x82\x01\x2c\x5a\x5a", 5);
}

/* A buffer that does not grow at first; the one after would. */
static int no_memory(void)
{
    static const size_t lengths[] = { 5, 0x90, 0x190 };
    size_t i;
    int ok = 1, result;

    for (i = 0; i < 3 && ok; i++) {
        BUF_MEM *buf = BUF_MEM_new();
        WPACKET pkt;

        ok = TEST_true(WPACKET_init(&pkt, buf));
        memory_one = 0;
        result = ossl_encode_der_length(&pkt, lengths[i]);
        memory_one = -1;
        ok = ok && TEST_int_eq(result, 0);
        WPACKET_cleanup(&pkt);
        BUF_MEM_free(buf);
    }
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("lengths up to 127 take one byte", one);
    add_test("lengths up to 255 take two bytes", two);
    add_test("lengths up to 65535 take three bytes", three);
    add_test("all lengths are right", all);
    add_test("65536 and more are an error", more);
    add_test("a packet without room is an error", no_room);
    add_test("a packet without a buffer counts", counts);
    add_test("it follows what stands there", follows);
    add_test("a failed allocation is told", no_memory);
    add_test("the content itself is not written", no_content);
    return 1;
}
