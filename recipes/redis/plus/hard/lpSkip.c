/*---
 * tasks: [lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   the next element behind a short string: 'Comment: "Skip the current entry returning the next".'
 *   behind strings of every encoding: 'LP_ENCODING_6BIT_STR, 12BIT_STR, 32BIT_STR.'
 *   behind numbers of every encoding: 'LP_ENCODING_7BIT_UINT to 64BIT_INT.'
 *   behind the last element stands the end: 'Comment: "it does not return NULL when the EOF element is encountered".'
 *   the listpack is as before: 'Comment: it returns the next.'
 *   a walk comes to every element: 'Comment: "this function is used to implement lpNext()".'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

int main(void) {
    static unsigned char text[70000];
    memset(text, 's', sizeof(text));
    size_t sizes[] = {0, 1, 62, 63, 64, 125, 126, 127, 4095, 4096, 16377, 16378, 16379, 65536};
    unsigned char *lp = lpNew(0);
    lp = lpAppend(lp, (unsigned char *)"ab", 2);
    lp = lpAppend(lp, (unsigned char *)"cd", 2);
    unsigned char *first = lp + LP_HDR_SIZE;
    test_cond("the next element behind a short string", lpSkip(first) == first + 4 && !memcmp(lpSkip(first), "\x82" "cd", 3));
    int strings = 1, end = lpSkip(lpSkip(first)) == lp + lpBytes(lp) - 1;
    for (int j = 0; j < 14; j++) {
        unsigned char *one = lpNew(0);
        one = lpAppend(one, text, sizes[j]);
        one = lpAppend(one, (unsigned char *)"behind", 6);
        unsigned char *next = lpSkip(one + LP_HDR_SIZE);
        strings &= !memcmp(next, "\x86" "behind", 7);
        end &= lpSkip(next) == one + lpBytes(one) - 1;
        lpFree(one);
    }
    test_cond("behind strings of every encoding", strings);
    long long values[] = {0, 127, 128, -1, 4095, -4096, 4096, 32767, 32768, 8388607, 8388608, 2147483647, 2147483648LL, INT64_MIN};
    int numbers = 1;
    for (int j = 0; j < 14; j++) {
        unsigned char *one = lpNew(0);
        one = lpAppendInteger(one, values[j]);
        one = lpAppend(one, (unsigned char *)"behind", 6);
        numbers &= !memcmp(lpSkip(one + LP_HDR_SIZE), "\x86" "behind", 7);
        lpFree(one);
    }
    test_cond("behind numbers of every encoding", numbers);
    test_cond("behind the last element stands the end", end && *lpSkip(lpSkip(first)) == LP_EOF);
    size_t bytes = lpBytes(lp);
    test_cond("the listpack is as before", bytes == 6 + 4 + 4 + 1 && lpLength(lp) == 2);
    for (int j = 0; j < 14; j++) lp = lpAppend(lp, text, sizes[j]), lp = lpAppendInteger(lp, values[j]);
    int count = 0;
    unsigned char *p = lp + LP_HDR_SIZE;
    while (*p != LP_EOF && count < 100) p = lpSkip(p), count++;
    test_cond("a walk comes to every element", count == 30 && p == lp + lpBytes(lp) - 1);
    test_report();
    return 0;
}
