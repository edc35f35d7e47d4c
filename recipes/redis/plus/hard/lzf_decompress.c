/*---
 * tasks: [lzf_decompress-7fb8aa, lzf_decompress-7fb8aa.2, lzf_decompress-7fb8aa.4, lzf_decompress-7fb8aa.8]
 * tests:
 *   literal runs are copied: 'lzf.h and lzf_c.c: "000LLLLL <L+1>", L+1 octets follow.'
 *   several runs are put behind each other: 'lzf_c.c: the format.'
 *   a short back reference: 'lzf_c.c: "LLLooooo oooooooo", L+2 octets from offset o+1.'
 *   a long back reference: 'lzf_c.c: "111ooooo LLLLLLLL oooooooo", L+9 octets.'
 *   a reference of each length: 'lzf_c.c: the format.'
 *   a reference that overlaps what it makes repeats it: 'lzf_c.c: runs of one octet are coded so.'
 *   the high bits of the offset count: 'lzf_c.c: ooooo are the high bits.'
 *   the length of the text is returned: 'lzf.h: "the number of bytes written to the output buffer".'
 *   no input gives nothing: 'lzf.h: the number of bytes written.'
 *   what lzf_compress made is decompressed: 'lzf.h: "Decompress data compressed with some version of the lzf_compress function".'
 *   a buffer as large as the text is enough: 'lzf.h: out_len.'
 *   a buffer too small gives 0 and E2BIG: 'lzf.h: "If the output buffer is not large enough to hold the decompressed data, a 0 is returned and errno is set to E2BIG".'
 *   nothing is written behind the buffer: 'lzf.h: out_len.'
 *   a truncated run gives 0 and EINVAL: 'lzf.h: "If an error in the compressed data is detected, a zero is returned and errno is set to EINVAL".'
 *   a truncated reference gives 0 and EINVAL: 'lzf.h: EINVAL.'
 *   a reference before the begin gives 0 and EINVAL: 'lzf.h: EINVAL.'
 *   the input is not changed: 'Signature: const.'
 ---*/
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../lzf.h"
#include "../testhelp.h"

static unsigned char out[70000];

static size_t run(const char *in, size_t len, size_t room) {
    memset(out, '~', sizeof(out));
    errno = 0;
    return lzf_decompress(in, len, out, room);
}

static int gives(const char *in, size_t len, const char *want) {
    size_t n = strlen(want);
    return run(in, len, n) == n && !memcmp(out, want, n) && out[n] == '~' && run(in, len, 1000) == n && !memcmp(out, want, n);
}

int main(void) {
    test_cond("literal runs are copied", gives("\x00" "a", 2, "a") && gives("\x04hello", 6, "hello"));
    char longest[34] = "\x1f";
    for (int j = 0; j < 32; j++) longest[j + 1] = 'A' + j;
    test_cond("several runs are put behind each other",
              gives("\x01" "ab" "\x02" "cde", 7, "abcde") && run(longest, 33, 32) == 32 && !memcmp(out, longest + 1, 32));
    test_cond("a short back reference", gives("\x03" "abcd" "\x20\x03", 7, "abcdabc") && gives("\x03" "abcd" "\x40\x03", 7, "abcdabcd"));
    test_cond("a long back reference",
              gives("\x0b" "0123456789ab" "\xe0\x00\x0b", 16, "0123456789ab012345678") &&
              gives("\x0b" "0123456789ab" "\xe0\x03\x0b", 16, "0123456789ab0123456789ab"));
    int all = 1, told = 1;
    for (int length = 3; length <= 264; length++) {
        char in[40] = "\x1f", want[400];
        size_t n = 33;
        for (int j = 0; j < 32; j++) in[j + 1] = want[j] = 'a' + j % 26;
        for (int j = 0; j < length; j++) want[32 + j] = want[j];
        if (length < 9) {
            in[n++] = (length - 2) << 5;
        } else {
            in[n++] = 7 << 5;
            in[n++] = length - 9;
        }
        in[n++] = 31;
        size_t got = run(in, n, 32 + length);
        told &= got == (size_t)32 + length;
        all &= !memcmp(out, want, 32 + length) && out[32 + length] == '~';
    }
    test_cond("a reference of each length", all && told);
    test_cond("a reference that overlaps what it makes repeats it",
              gives("\x00" "x" "\x60\x00", 4, "xxxxxx") && gives("\x01" "ab" "\xe0\x01\x01", 6, "abababababab"));
    static char big[9000];
    size_t n = 0;
    for (int j = 0; j < 256; j++) {
        big[n++] = 31;
        for (int k = 0; k < 32; k++) big[n++] = (j * 7 + k * 3 + (j >> 3)) & 0x7f;
    }
    size_t text = 256 * 32;
    big[n] = (1 << 5) | 0x1f, big[n + 1] = (char)0xff;
    all = run(big, n + 2, text + 3) == text + 3 && !memcmp(out + text, out + text - 8192, 3);
    big[n] = (1 << 5) | 0x01, big[n + 1] = 0x02;
    all &= run(big, n + 2, text + 3) == text + 3 && !memcmp(out + text, out + text - 0x103, 3);
    test_cond("the high bits of the offset count", all);
    test_cond("the length of the text is returned", told && run("\x02" "abc", 4, 500) == 3);
    test_cond("no input gives nothing", run("", 0, 10) == 0 && out[0] == '~');
    static unsigned char in[60000], packed[70000];
    unsigned seed = 1;
    int round = 1, room = 1, small = 1, behind = 1;
    for (int kind = 0; kind < 12; kind++) {
        size_t len = kind < 6 ? 100 + kind * 37 : 20000 + kind * 3001;
        for (size_t j = 0; j < len; j++) {
            seed = seed * 1103515245 + 12345;
            in[j] = kind % 3 == 0 ? "abc"[(seed >> 16) % 3] : kind % 3 == 1 ? j / 50 : j % 200 < 150 ? j % 7 : seed >> 16;
        }
        size_t size = lzf_compress(in, len, packed, sizeof(packed));
        round &= size && run((char *)packed, size, sizeof(out)) == len && !memcmp(out, in, len);
        room &= run((char *)packed, size, len) == len && !memcmp(out, in, len);
        small &= run((char *)packed, size, len - 1) == 0 && errno == E2BIG;
        behind &= out[len - 1] == '~' && out[len] == '~';
    }
    test_cond("what lzf_compress made is decompressed", round);
    test_cond("a buffer as large as the text is enough", room);
    small &= run("\x04hello", 6, 4) == 0 && errno == E2BIG && run("\x03" "abcd" "\x20\x03", 7, 6) == 0 && errno == E2BIG &&
             run("\x0b" "0123456789ab" "\xe0\x00\x0b", 16, 20) == 0 && errno == E2BIG;
    test_cond("a buffer too small gives 0 and E2BIG", small);
    test_cond("nothing is written behind the buffer", behind);
    test_cond("a truncated run gives 0 and EINVAL",
              run("\x04hell", 5, 100) == 0 && errno == EINVAL && run("\x00", 1, 100) == 0 && errno == EINVAL);
    test_cond("a truncated reference gives 0 and EINVAL",
              run("\x03" "abcd" "\x20", 6, 100) == 0 && errno == EINVAL && run("\x03" "abcd" "\xe0\x00", 7, 100) == 0 && errno == EINVAL);
    test_cond("a reference before the begin gives 0 and EINVAL",
              run("\x03" "abcd" "\x20\x04", 7, 100) == 0 && errno == EINVAL && run("\x20\x00", 2, 100) == 0 && errno == EINVAL &&
              run("\x03" "abcd" "\x21\x00", 7, 100) == 0 && errno == EINVAL);
    char before[] = "\x03" "abcd" "\x40\x03";
    run(before, 7, 100);
    test_cond("the input is not changed", !memcmp(before, "\x03" "abcd" "\x40\x03", 8));
    test_report();
    return 0;
}
