/*---
 * tasks: [mbedtls_asn1_write_named_bitstring-d070ba.2]
 * tests:
 *   bits without trailing zeros are all written: 'asn1write.h: "writes a named bitstring tag [...] and value".'
 *   trailing zeros in the last byte are left out: 'asn1write.h: "trailing zeroes are omitted"; RFC 5280 B.'
 *   trailing bytes of zeros are left out: 'asn1write.h: "trailing zeroes are omitted".'
 *   zeros before a one stay: 'asn1write.h: only "trailing zeroes are omitted".'
 *   bits that are all zero leave an empty bitstring: 'asn1write.h: "trailing zeroes are omitted"; X.690 11.2.2.'
 *   no bits give an empty bitstring: 'asn1write.h: bits "The total number of bits in the bitstring".'
 *   what stands behind the bits does not count: 'asn1write.h: bits "total number of bits"; x509write: unused bits.'
 *   every string of up to 16 bits is right: 'asn1write.h: "trailing zeroes are omitted when encoding".'
 *   a plain bitstring keeps its trailing zeros: 'asn1write.h, mbedtls_asn1_write_bitstring: no word of omitting.'
 *   a plain bitstring says how many bits are unused: 'X.690 8.6.2.2; asn1write.h: bits.'
 *   the unused bits of a plain bitstring are zero: 'X.690 11.2.1, DER; test_suite_asn1write.'
 *   a plain bitstring may be empty: 'X.690 8.6.2.3: 03 01 00.'
 *   every plain string of up to 16 bits is right: 'asn1write.h: tag and value in ASN.1 format.'
 *   a long string has a long length: 'X.690 8.1.3.5; asn1write.h: in ASN.1 format.'
 *   the length is returned and the pointer moves back by it: 'asn1write.h: "number of bytes written to p".'
 *   nothing beside the element is written: 'asn1write.h: it "works backwards within the data buffer".'
 *   a buffer of just the right size is enough: 'asn1write.h: start, "used for bounds-checking".'
 *   a smaller buffer is an error: 'asn1write.h: "A negative error code on failure"; MBEDTLS_ERR_ASN1_BUF_TOO_SMALL.'
 *   nothing before the start is written: 'asn1write.h: start, "used for bounds-checking".'
 *   the bits themselves stay as they are and are not read past: 'asn1write.h: buf is const and of `bits` bits.'
 ---*/
#include "mbedtls/asn1write.h"
#include "check.h"
#include "edge.h"

#define SIZE 600

typedef int writer(unsigned char **, unsigned char *, const unsigned char *, size_t);

static unsigned char room[SIZE];
static int moved = 1, beside = 1, fits = 1, refused = 1, before_start = 1, kept = 1;

/* The element that `f` makes of these bits, in `der`; -1 for an error. */
static int write_bits(writer *f, const char *bytes, size_t bits, unsigned char *der) {
    size_t n = (bits + 7) / 8;
    unsigned char *from = at_edge(bytes, n), *p = room + 400;
    memset(room, 0xB7, SIZE);
    int len = f(&p, room + 100, from, bits);
    if (len <= 0 || len > 300) return -1;
    moved &= p == room + 400 - len;
    for (int i = 0; i < SIZE; i++) {
        if (i < 400 - len || i >= 400) beside &= room[i] == 0xB7;
    }
    memcpy(der, room + 400 - len, len);

    memset(room, 0xB7, SIZE);
    p = room + 100 + len;
    fits &= f(&p, room + 100, from, bits) == len && p == room + 100 && !memcmp(p, der, len) && room[99] == 0xB7;
    for (int less = 1; less <= len && less < 6; less++) {
        memset(room, 0xB7, SIZE);
        p = room + 100 + len - less;
        refused &= f(&p, room + 100, from, bits) == MBEDTLS_ERR_ASN1_BUF_TOO_SMALL;
        for (int i = 0; i < 100; i++) before_start &= room[i] == 0xB7;
    }
    memset(room, 0xB7, SIZE);
    p = room + 100;
    refused &= f(&p, room + 100, from, bits) == MBEDTLS_ERR_ASN1_BUF_TOO_SMALL;
    kept &= !memcmp(from, bytes, n);
    return len;
}

static int makes(writer *f, const char *bytes, size_t bits, const char *der, int len) {
    unsigned char got[300];
    return write_bits(f, bytes, bits, got) == len && !memcmp(got, der, len);
}

#define NAMED(bytes, bits, der) makes(mbedtls_asn1_write_named_bitstring, bytes, bits, der, sizeof(der) - 1)
#define PLAIN(bytes, bits, der) makes(mbedtls_asn1_write_bitstring, bytes, bits, der, sizeof(der) - 1)

/* The same by hand: the last bits of two bytes taken away while they are zero. */
static int every(writer *f, int omit) {
    int ok = 1;
    for (int i = 0; i < 700; i++) {
        unsigned int x = i < 300 ? draw() & draw() & 0xFFFF : draw() << draw() % 16 & 0xFFFF;
        size_t bits = i % 17, left = bits;
        char bytes[2] = {(char) (x >> 8), (char) x}, der[5] = {3};
        while (omit && left > 0 && !(x >> (16 - left) & 1)) left--;
        unsigned int used = left == 0 ? 0 : x >> (16 - left) << (16 - left);
        int n = (int) (left + 7) / 8;
        der[1] = (char) (n + 1);
        der[2] = (char) (8 * n - left);
        der[3] = (char) (used >> 8);
        der[4] = (char) used;
        ok &= makes(f, bytes, bits, der, 3 + n);
    }
    return ok;
}

int main(void) {
    int ok = NAMED("\xff", 8, "\3\2\0\xff") && NAMED("\x81", 8, "\3\2\0\x81") &&
             NAMED("\xa5\x01", 16, "\3\3\0\xa5\1") &&
             NAMED("\xff\x80", 9, "\3\3\7\xff\x80") && NAMED("\x80", 1, "\3\2\7\x80");
    check("bits without trailing zeros are all written", ok);
    ok = NAMED("\x80", 8, "\3\2\7\x80") && NAMED("\xa0", 8, "\3\2\5\xa0") && NAMED("\xfe", 8, "\3\2\1\xfe") &&
         NAMED("\x12\x34", 16, "\3\3\2\x12\x34") && NAMED("\xc0", 5, "\3\2\6\xc0") &&
         NAMED("\xff\x40\x00", 20, "\3\3\6\xff\x40");
    check("trailing zeros in the last byte are left out", ok);
    ok = NAMED("\x80\0\0", 24, "\3\2\7\x80") && NAMED("\1\0", 16, "\3\2\0\1") && NAMED("\1\0", 9, "\3\2\0\1") &&
         NAMED("\xff\xff\0\0\0", 37, "\3\3\0\xff\xff") && NAMED("\6\0", 15, "\3\2\1\6");
    check("trailing bytes of zeros are left out", ok);
    ok = NAMED("\0\1", 16, "\3\3\0\0\1") && NAMED("\0\0\x80", 24, "\3\4\7\0\0\x80") && NAMED("\1", 8, "\3\2\0\1");
    check("zeros before a one stay", ok);
    ok = NAMED("\0", 8, "\3\1\0") && NAMED("\0", 1, "\3\1\0") && NAMED("\0\0\0", 24, "\3\1\0") &&
         NAMED("\0\0", 13, "\3\1\0");
    check("bits that are all zero leave an empty bitstring", ok);
    check("no bits give an empty bitstring", NAMED("", 0, "\3\1\0"));
    ok = NAMED("\xff", 3, "\3\2\5\xe0") && NAMED("\x1f", 3, "\3\1\0") && NAMED("\x9f", 3, "\3\2\7\x80") &&
         NAMED("\xff\x7f", 9, "\3\2\0\xff");
    check("what stands behind the bits does not count", ok);
    check("every string of up to 16 bits is right", every(mbedtls_asn1_write_named_bitstring, 1));
    ok = PLAIN("\x80", 8, "\3\2\0\x80") && PLAIN("\0", 8, "\3\2\0\0") && PLAIN("\1\0\0", 24, "\3\4\0\1\0\0") &&
         PLAIN("\0\0", 9, "\3\3\7\0\0");
    check("a plain bitstring keeps its trailing zeros", ok);
    ok = PLAIN("\x80", 1, "\3\2\7\x80") && PLAIN("\xfe", 7, "\3\2\1\xfe") && PLAIN("\xff\xf0", 12, "\3\3\4\xff\xf0");
    check("a plain bitstring says how many bits are unused", ok);
    ok = PLAIN("\xff", 1, "\3\2\7\x80") && PLAIN("\xff", 7, "\3\2\1\xfe") && PLAIN("\xff\xff", 12, "\3\3\4\xff\xf0");
    check("the unused bits of a plain bitstring are zero", ok);
    check("a plain bitstring may be empty", PLAIN("", 0, "\3\1\0"));
    check("every plain string of up to 16 bits is right", every(mbedtls_asn1_write_bitstring, 0));

    char many[200], der[203] = {3, (char) 0x81, (char) 200, 0};
    memset(many, 0x55, sizeof(many));
    memset(der + 4, 0x55, 199);
    ok = makes(mbedtls_asn1_write_bitstring, many, 199 * 8, der, 203) &&
         makes(mbedtls_asn1_write_named_bitstring, many, 199 * 8, der, 203);
    many[199] = 0;
    ok = ok && makes(mbedtls_asn1_write_named_bitstring, many, 1600, der, 203);
    check("a long string has a long length", ok);
    check("the length is returned and the pointer moves back by it", moved);
    check("nothing beside the element is written", beside);
    check("a buffer of just the right size is enough", fits);
    check("a smaller buffer is an error", refused);
    check("nothing before the start is written", before_start);
    check("the bits themselves stay as they are and are not read past", kept);
    return done();
}
