/*---
 * tasks: [642B21019158955A]
 * tests:
 *   a prefix of whole bytes is filled with zeros: 'Docstring; caller extract_min_max: 0x00 gives the lower end.'
 *   a prefix of whole bytes is filled with ones: 'Caller extract_min_max: 0xFF gives the upper end.'
 *   the unused bits of the last byte are cleared for the lower end: 'RFC 3779 2.1.1 and 2.2.3.8; the count of unused
 *     bits is in flags (ASN1_STRING_FLAG_BITS_LEFT).'
 *   the unused bits of the last byte are set for the upper end: 'The same.'
 *   unused bits count as unset whatever they hold: 'RFC 3779 2.2.3.8: the bits after the prefix are not part of it.'
 *   a whole address is copied: 'A bit string may have all bytes of the address.'
 *   a whole address with unused bits is expanded: 'The same.'
 *   the empty prefix is all addresses: 'RFC 3779 2.2.3.8: the prefix 0/0 has no bits.'
 *   addresses of IPv6 have sixteen bytes: 'Parameter length; length_from_afi.'
 *   a bit string that is too long is refused: 'Callers check for 0; extract_min_max fails.'
 *   a negative length is refused: 'Callers check for 0; i2r_address does so too.'
 *   nothing is written past the address and the bit string is left as it was: 'Parameter length; bs is const.'
 ---*/
#include "../../crypto/x509/v3_addr.c"
#include "testutil.h"

static unsigned char addr[18];

/* Expands bytes with so many unused bits; addr is 0x5A where nothing was written. */
static int expand(const char *bytes, int size, int unused, int length, int fill)
{
    unsigned char data[32], saved[32];
    ASN1_BIT_STRING bs;
    int result;

    memset(addr, 0x5A, sizeof(addr));
    memset(data, 0, sizeof(data));
    memcpy(data, bytes, size < 0 ? 0 : size);
    memcpy(saved, data, sizeof(data));
    memset(&bs, 0, sizeof(bs));
    bs.type = V_ASN1_BIT_STRING;
    bs.flags = ASN1_STRING_FLAG_BITS_LEFT | unused;
    bs.data = data;
    bs.length = size;
    result = addr_expand(addr, &bs, length, (unsigned char)fill);
    if (!TEST_mem_eq(saved, sizeof(saved), data, sizeof(data)) || !TEST_int_eq(bs.length, size)
        || !TEST_long_eq(bs.flags, ASN1_STRING_FLAG_BITS_LEFT | unused))
        return -1;
    return result;
}

static int gives(const char *bytes, int size, int unused, int length, int fill, const char *expected)
{
    return TEST_int_eq(expand(bytes, size, unused, length, fill), 1) && TEST_mem_eq(addr, length, expected, length);
}

static int zeros(void)
{
    return gives("\x0a\x01", 2, 0, 4, 0x00, "\x0a\x01\x00\x00") && gives("\xff", 1, 0, 4, 0x00, "\xff\x00\x00\x00");
}

static int ones(void)
{
    return gives("\x0a\x01", 2, 0, 4, 0xFF, "\x0a\x01\xff\xff") && gives("\x00", 1, 0, 4, 0xFF, "\x00\xff\xff\xff");
}

static int lower_end(void)
{
    return gives("\x0a\x40", 2, 6, 4, 0x00, "\x0a\x40\x00\x00")
        && gives("\x80", 1, 7, 4, 0x00, "\x80\x00\x00\x00")
        && gives("\x0a\x02\x08\x0e", 4, 1, 4, 0x00, "\x0a\x02\x08\x0e");
}

static int upper_end(void)
{
    return gives("\x0a\x40", 2, 6, 4, 0xFF, "\x0a\x7f\xff\xff")
        && gives("\x80", 1, 7, 4, 0xFF, "\xff\xff\xff\xff")
        && gives("\x0a\x00", 2, 7, 4, 0xFF, "\x0a\x7f\xff\xff")
        && gives("\x0a\xe0", 2, 5, 4, 0xFF, "\x0a\xff\xff\xff")
        && gives("\x0a\x02\x08", 3, 1, 4, 0xFF, "\x0a\x02\x09\xff");
}

static int whatever_they_hold(void)
{
    return gives("\x0a\x7f", 2, 6, 4, 0x00, "\x0a\x40\x00\x00")
        && gives("\xff", 1, 1, 4, 0x00, "\xfe\x00\x00\x00")
        && gives("\xff", 1, 7, 4, 0x00, "\x80\x00\x00\x00")
        && gives("\x0a\x55", 2, 6, 4, 0xFF, "\x0a\x7f\xff\xff");
}

static int whole(void)
{
    return gives("\xc0\x00\x02\x01", 4, 0, 4, 0x00, "\xc0\x00\x02\x01")
        && gives("\xc0\x00\x02\x01", 4, 0, 4, 0xFF, "\xc0\x00\x02\x01");
}

static int whole_with_unused(void)
{
    return gives("\xc0\x00\x02\x10", 4, 4, 4, 0x00, "\xc0\x00\x02\x10")
        && gives("\xc0\x00\x02\x1f", 4, 4, 4, 0x00, "\xc0\x00\x02\x10")
        && gives("\xc0\x00\x02\x10", 4, 4, 4, 0xFF, "\xc0\x00\x02\x1f");
}

static int empty(void)
{
    return gives("", 0, 0, 4, 0x00, "\0\0\0\0")
        && gives("", 0, 0, 4, 0xFF, "\xff\xff\xff\xff")
        && gives("", 0, 0, 16, 0xFF, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff");
}

static int sixteen(void)
{
    return gives("\x20\x01\x0d\xb8", 4, 0, 16, 0x00, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\0")
        && gives("\x20\x01\x0d\xb8\x10", 5, 4, 16, 0xFF,
                 "\x20\x01\x0d\xb8\x1f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
        && gives("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x02", 16, 1, 16, 0xFF,
                 "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x03");
}

static int too_long(void)
{
    return TEST_int_eq(expand("\x0a\x01\x02\x03\x04", 5, 0, 4, 0x00), 0)
        && TEST_int_eq(expand("\x0a\x01\x02\x03\x04", 5, 7, 4, 0xFF), 0)
        && TEST_int_eq(expand("0123456789abcdefg", 17, 0, 16, 0xFF), 0);
}

static int negative(void)
{
    return TEST_int_eq(expand("", -1, 0, 4, 0x00), 0) && TEST_int_eq(expand("", -1, 0, 16, 0xFF), 0);
}

static int past_the_end(void)
{
    return TEST_int_eq(expand("\x0a", 1, 3, 4, 0xFF), 1)
        && TEST_int_eq(addr[4], 0x5A) && TEST_int_eq(addr[17], 0x5A)
        && TEST_int_eq(expand("", 0, 0, 16, 0x00), 1)
        && TEST_int_eq(addr[16], 0x5A) && TEST_int_eq(addr[17], 0x5A)
        && TEST_int_eq(expand("\x0a\x01\x02\x03", 4, 0, 4, 0x00), 1)
        && TEST_int_eq(addr[4], 0x5A);
}

int setup_tests(void)
{
    add_test("a prefix of whole bytes is filled with zeros", zeros);
    add_test("a prefix of whole bytes is filled with ones", ones);
    add_test("the unused bits of the last byte are cleared for the lower end", lower_end);
    add_test("the unused bits of the last byte are set for the upper end", upper_end);
    add_test("unused bits count as unset whatever they hold", whatever_they_hold);
    add_test("a whole address is copied", whole);
    add_test("a whole address with unused bits is expanded", whole_with_unused);
    add_test("the empty prefix is all addresses", empty);
    add_test("addresses of IPv6 have sixteen bytes", sixteen);
    add_test("a bit string that is too long is refused", too_long);
    add_test("a negative length is refused", negative);
    add_test("nothing is written past the address and the bit string is left as it was", past_the_end);
    return 1;
}
