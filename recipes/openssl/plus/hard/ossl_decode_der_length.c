/*---
 * tasks: [ossl_encode_der_dsa_sig-e07f05.16, ossl_encode_der_dsa_sig-e07f05.8]
 * tests:
 *   one byte up to 127 is the length: 'Comment: "Decodes the DER length octets"; X.690, 8.1.3.4.'
 *   81 has one byte behind: 'X.690, 8.1.3.5.'
 *   82 has two bytes behind: 'X.690, 8.1.3.5; sibling ossl_encode_der_length: up to 65535.'
 *   the content is the following bytes: 'Comment: "initialises subpkt with the following bytes".'
 *   the packet goes on behind them: 'Caller ossl_decode_der_dsa_sig: PACKET_data(&pkt) - *ppin.'
 *   other first bytes are an error:
 *     'Comment: "Returns 1 on success or 0 on failure"; X.690, 10.1.'
 *   too few bytes are an error: 'Comment: "subpkt with the following bytes of that length".'
 *   lengths that break off are an error: 'Comment: "Returns 1 on success or 0 on failure".'
 *   an empty content can be: 'Comment: "bytes of that length"; X.690, 8.1.3.4.'
 *   one follows another: 'Caller ossl_decode_der_dsa_sig reads two integers.'
 ---*/
#include "crypto/asn1_dsa.h"
#include "../testutil.h"

static unsigned char in[70000];

/* The head, then content. */
static void put(const char *head, size_t size)
{
    size_t i;

    for (i = 0; i < sizeof(in); i++)
        in[i] = i < size ? (unsigned char)head[i] : (unsigned char)(i * 7 + i / 256);
}

/* Does this head give the length, with just enough bytes and with more? */
static int gives(const char *head, size_t size, size_t length)
{
    size_t more;

    put(head, size);
    for (more = 0; more < 3; more++) {
        PACKET pkt, sub;

        memset(&sub, 0, sizeof(sub));
        if (!TEST_true(PACKET_buf_init(&pkt, in, size + length + more))
                || !TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
                || !TEST_size_t_eq(PACKET_remaining(&sub), length)
                || !TEST_ptr_eq(PACKET_data(&sub), in + size)
                || !TEST_size_t_eq(PACKET_remaining(&pkt), more)
                || !TEST_ptr_eq(PACKET_data(&pkt), in + size + length))
            return 0;
    }
    return 1;
}

static int refuses(const char *head, size_t size, size_t there)
{
    PACKET pkt, sub;

    put(head, size);
    memset(&sub, 0, sizeof(sub));
    return TEST_true(PACKET_buf_init(&pkt, in, there))
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 0);
}

static int one(void)
{
    return gives("\x01", 1, 1) && gives("\x02", 1, 2) && gives("\x7e", 1, 126)
        && gives("\x7f", 1, 127);
}

static int eighty_one(void)
{
    return gives("\x81\x80", 2, 128) && gives("\x81\x81", 2, 129) && gives("\x81\x82", 2, 130)
        && gives("\x81\xff", 2, 255);
}

static int eighty_two(void)
{
    return gives("\x82\x01\x00", 3, 256) && gives("\x82\x01\x02", 3, 258)
        && gives("\x82\x12\x34", 3, 0x1234) && gives("\x82\x80\x00", 3, 0x8000)
        && gives("\x82\xff\xff", 3, 0xffff);
}

static int content(void)
{
    PACKET pkt, sub;

    return TEST_true(PACKET_buf_init(&pkt, (unsigned char *)"\x03" "abcde", 6))
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
        && TEST_mem_eq(PACKET_data(&sub), PACKET_remaining(&sub), "abc", 3);
}

static int goes_on(void)
{
    PACKET pkt, sub;

    return TEST_true(PACKET_buf_init(&pkt, (unsigned char *)"\x03" "abcde", 6))
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
        && TEST_mem_eq(PACKET_data(&pkt), PACKET_remaining(&pkt), "de", 2)
        && TEST_true(PACKET_buf_init(&pkt, (unsigned char *)"\x03" "abc", 4))
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
        && TEST_size_t_eq(PACKET_remaining(&pkt), 0);
}

static int others(void)
{
    char head[12] = "\x80\0\0\0\0\0\0\0\0\0\0\0";
    int first;

    for (first = 0x80; first < 0x100; first++) {
        head[0] = (char)first;
        if (first != 0x81 && first != 0x82
                && (!refuses(head, 12, 12) || !refuses(head, 12, 300)
                    || !refuses(head, 1, sizeof(in))))
            return 0;
    }
    return refuses("\x83\x00\x00\x01", 4, 100) && refuses("\x84\x00\x00\x00\x01", 5, 100)
        && refuses("\x80", 1, 100) && refuses("\xff\x01", 2, 600);
}

static int too_few(void)
{
    return refuses("\x01", 1, 1) && refuses("\x05", 1, 5) && refuses("\x7f", 1, 127)
        && refuses("\x81\x80", 2, 129) && refuses("\x81\xff", 2, 256)
        && refuses("\x82\x01\x00", 3, 258) && refuses("\x82\xff\xff", 3, 0xffff + 2)
        && refuses("\x82\xff\xff", 3, 258) && refuses("\x82\x01\x80", 3, 200);
}

static int break_off(void)
{
    return refuses("\x81", 1, 1) && refuses("\x82", 1, 1) && refuses("\x82\x01", 2, 2)
        && refuses("\x82\x00", 2, 2) && refuses("", 0, 0);
}

static int empty(void)
{
    return gives("\x00", 1, 0);
}

static int another(void)
{
    PACKET pkt, sub;

    return TEST_true(PACKET_buf_init(&pkt, (unsigned char *)"\x02" "ab" "\x00" "\x01" "c", 6))
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
        && TEST_mem_eq(PACKET_data(&sub), PACKET_remaining(&sub), "ab", 2)
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
        && TEST_size_t_eq(PACKET_remaining(&sub), 0)
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 1)
        && TEST_mem_eq(PACKET_data(&sub), PACKET_remaining(&sub), "c", 1)
        && TEST_int_eq(ossl_decode_der_length(&pkt, &sub), 0);
}

int setup_tests(void)
{
    add_test("one byte up to 127 is the length", one);
    add_test("81 has one byte behind", eighty_one);
    add_test("82 has two bytes behind", eighty_two);
    add_test("the content is the following bytes", content);
    add_test("the packet goes on behind them", goes_on);
    add_test("other first bytes are an error", others);
    add_test("too few bytes are an error", too_few);
    add_test("lengths that break off are an error", break_off);
    add_test("an empty content can be", empty);
    add_test("one follows another", another);
    return 1;
}
