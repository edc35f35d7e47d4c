/*---
 * tasks: [lpEncodeIntegerGetType-98093e, lpEncodeIntegerGetType-98093e.2, lpEncodeIntegerGetType-98093e.4, lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   0 to 127 take one byte, the number itself: 'LP_ENCODING_7BIT_UINT, LP_ENCODING_7BIT_UINT_ENTRY_SIZE.'
 *   -4096 to 4095 take two bytes: 'LP_ENCODING_13BIT_INT, LP_ENCODING_13BIT_INT_ENTRY_SIZE.'
 *   16 bits take three bytes: 'LP_ENCODING_16BIT_INT, LP_ENCODING_16BIT_INT_ENTRY_SIZE.'
 *   24 bits take four bytes: 'LP_ENCODING_24BIT_INT, LP_ENCODING_24BIT_INT_ENTRY_SIZE.'
 *   32 bits take five bytes: 'LP_ENCODING_32BIT_INT, LP_ENCODING_32BIT_INT_ENTRY_SIZE.'
 *   all others take nine bytes: 'LP_ENCODING_64BIT_INT, LP_ENCODING_64BIT_INT_ENTRY_SIZE; LP_MAX_INT_ENCODING_LEN.'
 *   the first byte tells the encoding: 'The macros LP_ENCODING_IS_...; lpGetWithSize.'
 *   13 bits have the high bits in the first byte: 'lpGetWithSize: ((p[0]&0x1f)<<8) | p[1].'
 *   longer ones have the low byte first: 'lpGetWithSize: p[1]<<0, p[2]<<8, ...'
 *   negative numbers are in complement of two: 'lpGetWithSize: negstart, "This is simpler than signed shifts".'
 *   what is read back is the number: 'Comment: "the integer encoded representation of ''v''"; lpGet.'
 *   the shortest encoding is taken at each border: 'Comments of the constants: each has a range.'
 *   no byte behind the encoding is touched: 'Comment: stores it "in the ''intenc'' buffer", of LP_MAX_INT_ENCODING_LEN bytes.'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

static unsigned char buf[16];
static uint64_t len;

static uint64_t encode(int64_t v) {
    memset(buf, 0xaa, sizeof(buf));
    len = 99;
    lpEncodeIntegerGetType(v, buf, &len);
    return len;
}

static int is(int64_t v, const char *bytes, uint64_t n) {
    return encode(v) == n && !memcmp(buf, bytes, n);
}

static int reads(int64_t v) {
    encode(v);
    int64_t n = 0;
    return lpGet(buf, &n, NULL) == NULL && n == v;
}

static int kept(int64_t v) {
    for (encode(v); len < sizeof(buf); len++) if (buf[len] != 0xaa) return 0;
    return 1;
}

int main(void) {
    int all = 1;
    for (int64_t v = 0; v < 128; v++) all &= encode(v) == 1 && buf[0] == v;
    test_cond("0 to 127 take one byte, the number itself", all);
    all = 1;
    for (int64_t v = -4096; v < 4096; v++) all &= encode(v) == (v >= 0 && v < 128 ? 1 : 2);
    test_cond("-4096 to 4095 take two bytes", all);
    test_cond("16 bits take three bytes", encode(4096) == 3 && encode(-4097) == 3 && encode(32767) == 3 && encode(-32768) == 3);
    test_cond("24 bits take four bytes", encode(32768) == 4 && encode(-32769) == 4 && encode(8388607) == 4 && encode(-8388608) == 4);
    test_cond("32 bits take five bytes",
              encode(8388608) == 5 && encode(-8388609) == 5 && encode(2147483647) == 5 && encode(-2147483648LL) == 5);
    test_cond("all others take nine bytes",
              encode(2147483648LL) == 9 && encode(-2147483649LL) == 9 && encode(INT64_MAX) == 9 && encode(INT64_MIN) == 9);
    encode(-1);
    int marks = LP_ENCODING_IS_13BIT_INT(buf[0]);
    encode(5000), marks &= LP_ENCODING_IS_16BIT_INT(buf[0]);
    encode(-40000), marks &= LP_ENCODING_IS_24BIT_INT(buf[0]);
    encode(10000000), marks &= LP_ENCODING_IS_32BIT_INT(buf[0]);
    encode(-5000000000LL), marks &= LP_ENCODING_IS_64BIT_INT(buf[0]);
    test_cond("the first byte tells the encoding", marks);
    test_cond("13 bits have the high bits in the first byte",
              is(128, "\xc0\x80", 2) && is(4095, "\xcf\xff", 2) && is(0x123, "\xc1\x23", 2));
    test_cond("longer ones have the low byte first",
              is(0x1234, "\xf1\x34\x12", 3) && is(0x123456, "\xf2\x56\x34\x12", 4) &&
              is(0x12345678, "\xf3\x78\x56\x34\x12", 5) &&
              is(0x123456789abcdef0LL, "\xf4\xf0\xde\xbc\x9a\x78\x56\x34\x12", 9));
    test_cond("negative numbers are in complement of two",
              is(-1, "\xdf\xff", 2) && is(-4096, "\xd0\x00", 2) && is(-4097, "\xf1\xff\xef", 3) &&
              is(-32769, "\xf2\xff\x7f\xff", 4) && is(-8388609, "\xf3\xff\xff\x7f\xff", 5) &&
              is(-2147483649LL, "\xf4\xff\xff\xff\x7f\xff\xff\xff\xff", 9));
    all = 1;
    for (int bit = 0; bit < 64; bit++)
        for (int d = -2; d <= 2; d++) {
            int64_t v = (int64_t)((uint64_t)1 << bit) + (bit == 63 && d < 0 ? 0 : d);
            if (bit == 62 || v != INT64_MIN) all &= reads(v) && reads(v == INT64_MIN ? v : -v);
        }
    test_cond("what is read back is the number", all && reads(INT64_MIN) && reads(INT64_MAX) && reads(INT64_MIN + 1));
    test_cond("the shortest encoding is taken at each border",
              encode(127) == 1 && encode(128) == 2 && encode(-1) == 2 && encode(4095) == 2 && encode(4096) == 3 &&
              encode(32767) == 3 && encode(32768) == 4 && encode(8388607) == 4 && encode(8388608) == 5);
    int64_t at[] = {0, 127, 128, -1, 4095, -4096, 4096, 32767, -32768, 8388607, -8388608, INT32_MAX, INT32_MIN, INT64_MIN};
    all = 1;
    for (size_t j = 0; j < sizeof(at) / sizeof(*at); j++) all &= kept(at[j]);
    test_cond("no byte behind the encoding is touched", all);
    test_report();
    return 0;
}
