/*---
 * tasks: [lpEncodeIntegerGetType-98093e.4, lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   below 64 bytes the first byte holds the length: 'LP_ENCODING_6BIT_STR_LEN.'
 *   from 64 to 4095 bytes two bytes hold it, the high bits first: 'LP_ENCODING_12BIT_STR_LEN.'
 *   longer strings have five bytes before them, the low byte first: 'LP_ENCODING_32BIT_STR_LEN.'
 *   the first byte tells the encoding: 'The macros LP_ENCODING_IS_...STR.'
 *   the bytes follow behind the length: 'Comment: "Encode the string element pointed by ''s'' of size ''len''".'
 *   what is read back is the string at every border: 'lpGetWithSize.'
 *   binary data is kept: 'Elements are any bytes with a length.'
 *   an empty string is its length alone: 'LP_ENCODING_6BIT_STR_LEN 0.'
 *   no byte behind the string is touched: 'Comment: "always enough space for encoding the string. This is done by calling lpEncodeGetType()".'
 *   the string itself is not changed: 'Comment: "Encode the string element pointed by ''s''".'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

#define MOST 300000
static unsigned char text[MOST], buf[MOST + 16];

static void encode(uint32_t len) {
    for (uint32_t j = 0; j < len; j++) text[j] = j * 131 + len;
    memset(buf, 0xaa, sizeof(buf));
    lpEncodeString(buf, text, len);
}

static uint32_t headSize(uint32_t len) {
    return len < 64 ? 1 : len < 4096 ? 2 : 5;
}

int main(void) {
    int all = 1;
    for (uint32_t n = 0; n < 64; n++) encode(n), all &= buf[0] == (0x80 | n);
    test_cond("below 64 bytes the first byte holds the length", all);
    all = 1;
    for (uint32_t n = 64; n < 4096; n++) encode(n), all &= buf[0] == (0xe0 | n >> 8) && buf[1] == (n & 0xff);
    test_cond("from 64 to 4095 bytes two bytes hold it, the high bits first", all);
    encode(4096), all = !memcmp(buf, "\xf0\x00\x10\x00\x00", 5);
    encode(0x012345), all &= !memcmp(buf, "\xf0\x45\x23\x01\x00", 5);
    test_cond("longer strings have five bytes before them, the low byte first", all);
    encode(63), all = LP_ENCODING_IS_6BIT_STR(buf[0]);
    encode(64), all &= LP_ENCODING_IS_12BIT_STR(buf[0]);
    encode(4095), all &= LP_ENCODING_IS_12BIT_STR(buf[0]);
    encode(4096), all &= LP_ENCODING_IS_32BIT_STR(buf[0]);
    test_cond("the first byte tells the encoding", all);
    uint32_t at[] = {0, 1, 2, 62, 63, 64, 65, 255, 256, 257, 4094, 4095, 4096, 4097, 65535, 65536, MOST};
    const int n = sizeof(at) / sizeof(*at);
    int follows = 1, reads = 1, kept = 1, same = 1;
    for (int j = 0; j < n; j++) {
        encode(at[j]);
        uint32_t head = headSize(at[j]);
        follows &= !memcmp(buf + head, text, at[j]);
        for (size_t k = head + at[j]; k < head + at[j] + 10; k++) kept &= buf[k] == 0xaa;
        for (uint32_t k = 0; k < at[j]; k++) same &= text[k] == (unsigned char)(k * 131 + at[j]);
        int64_t size = -1;
        unsigned char *got = lpGet(buf, &size, NULL);
        reads &= got == buf + head && size == at[j];
    }
    test_cond("the bytes follow behind the length", follows);
    test_cond("what is read back is the string at every border", reads);
    memset(buf, 0xaa, sizeof(buf));
    lpEncodeString(buf, (unsigned char *)"a\0\xff" "b", 4);
    test_cond("binary data is kept", !memcmp(buf, "\x84" "a\0\xff" "b\xaa", 6));
    memset(buf, 0xaa, sizeof(buf));
    lpEncodeString(buf, (unsigned char *)"", 0);
    test_cond("an empty string is its length alone", buf[0] == 0x80 && buf[1] == 0xaa);
    test_cond("no byte behind the string is touched", kept);
    test_cond("the string itself is not changed", same);
    test_report();
    return 0;
}
