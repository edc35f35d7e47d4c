/*---
 * tasks: [lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   as many bytes as the length needs: 'Comment: "returns the number of bytes used to encode it, from 1 to 5".'
 *   without a buffer only the number is told: 'Comment: "If buf is NULL the function just returns the number of bytes needed".'
 *   so many bytes are written: 'Comment: "Store a reverse-encoded variable length field".'
 *   nothing beside them is written: 'Comment: the number of bytes used.'
 *   read from behind it is the length: 'Comment: "reverse-encoded"; lpDecodeBacklen.'
 *   the first byte has no mark and the others have one: 'lpDecodeBacklen: if (!(p[0] & 128)) break.'
 *   lengths up to 127 are one byte: 'lpDecodeBacklen: 7 bits a byte.'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

int main(void) {
    uint64_t at[] = {0, 1, 126, 127, 128, 129, 1000, 16382, 16384, 20000, 2097150, 2097152, 3000000, 268435454, 268435456, 4294967295ULL};
    int bytes[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5};
    int number = 1, told = 1, beside = 1, back = 1, marks = 1, written = 1;
    for (int j = 0; j < 16; j++) {
        unsigned char buf[9];
        memset(buf, 0xaa, sizeof(buf));
        unsigned long n = lpEncodeBacklen(buf + 1, at[j]);
        number &= n == (unsigned long)bytes[j];
        told &= lpEncodeBacklen(NULL, at[j]) == n;
        beside &= buf[0] == 0xaa;
        for (size_t k = n + 1; k < sizeof(buf); k++) beside &= buf[k] == 0xaa;
        uint64_t v = 0;
        int shift = 0;
        for (unsigned char *p = buf + n; p > buf; p--, shift += 7) v |= (uint64_t)(*p & 127) << shift;
        back &= v == at[j];
        marks &= !(buf[1] & 128);
        for (size_t k = 2; k <= n; k++) marks &= (buf[k] & 128) != 0;
        written &= n == 1 || buf[n] != 0xaa || (at[j] & 127) == 0x2a;
    }
    test_cond("as many bytes as the length needs", number);
    test_cond("without a buffer only the number is told", told);
    test_cond("so many bytes are written", written);
    test_cond("nothing beside them is written", beside);
    test_cond("read from behind it is the length", back);
    test_cond("the first byte has no mark and the others have one", marks);
    unsigned char one[2] = {0, 0xaa};
    int all = 1;
    for (int n = 0; n < 128; n++) all &= lpEncodeBacklen(one, n) == 1 && one[0] == n && one[1] == 0xaa;
    test_cond("lengths up to 127 are one byte", all);
    test_report();
    return 0;
}
