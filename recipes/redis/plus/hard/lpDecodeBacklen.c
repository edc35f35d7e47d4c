/*---
 * tasks: [lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   one byte: 'Comment: "Decode the backlen and returns it"; lpEncodeBacklen: up to 127 one byte.'
 *   two to five bytes, read from behind: 'lpEncodeBacklen: reverse-encoded.'
 *   it ends at the byte without a mark: 'lpEncodeBacklen: the first byte has none.'
 *   more than five bytes are invalid: 'Comment: "If the encoding looks invalid (more than 5 bytes are used), UINT64_MAX is returned".'
 *   five bytes are valid: 'Comment: more than 5 bytes.'
 *   what lpEncodeBacklen wrote: 'lpEncodeBacklen.'
 *   32 bits are kept whole: 'Signature: uint64_t; lpEncodeBacklen: five bytes.'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

static uint64_t read_last(const char *bytes, int n) {
    unsigned char buf[16];
    memset(buf, 0x55, sizeof(buf));
    memcpy(buf + 4, bytes, n);
    return lpDecodeBacklen(buf + 4 + n - 1);
}

int main(void) {
    test_cond("one byte", read_last("\x00", 1) == 0 && read_last("\x7f", 1) == 127 && read_last("\x05", 1) == 5);
    test_cond("two to five bytes, read from behind",
              read_last("\x01\x80", 2) == 128 && read_last("\x07\xe8", 2) == 1000 && read_last("\x01\x80\x80", 3) == 16384 &&
              read_last("\x01\x80\x80\x80", 4) == 2097152 && read_last("\x01\x80\x80\x80\x80", 5) == 268435456);
    test_cond("it ends at the byte without a mark", read_last("\x7f\x01\x81", 3) == 129 && read_last("\xff\x03", 2) == 3);
    test_cond("more than five bytes are invalid", read_last("\x01\x80\x80\x80\x80\x80", 6) == UINT64_MAX &&
              read_last("\xff\xff\xff\xff\xff\xff\xff", 7) == UINT64_MAX);
    test_cond("five bytes are valid", read_last("\x00\x80\x80\x80\x80", 5) == 0 && read_last("\x0f\xff\xff\xff\xff", 5) == 4294967295ULL);
    int all = 1;
    for (uint64_t v = 0; v < 5000000; v = v * 5 / 4 + 1) {
        unsigned char buf[5];
        all &= lpDecodeBacklen(buf + lpEncodeBacklen(buf, v) - 1) == v;
    }
    test_cond("what lpEncodeBacklen wrote", all);
    test_cond("32 bits are kept whole", read_last("\x0a\x95\xcd\x9b\xa5", 5) == (10ULL << 28 | 0x15ULL << 21 | 0x4dULL << 14 | 0x1bULL << 7 | 0x25));
    test_report();
    return 0;
}
