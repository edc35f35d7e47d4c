/*---
 * tasks: [lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   a number before, after and in place of an element: 'Comment: "a wrapper for lpInsert()"; LP_BEFORE, LP_AFTER, LP_REPLACE.'
 *   numbers of every size are read back: 'Comment: "to directly use a 64 bit integer instead of a string".'
 *   it is stored as the same text is: 'lpInsert: "representable as an integer"; lpEncodeGetType.'
 *   newp is the new element: 'lpInsert: newp.'
 *   newp may be NULL: 'lpInsert: "If newp is not NULL".'
 *   the number of elements counts it: 'lpLength.'
 *   a listpack beyond 32 bits is refused: 'lpInsert: NULL.'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

static unsigned char *lp, *newp;

static int holds(const char *want) {
    char got[500] = "";
    unsigned char number[LP_INTBUF_SIZE];
    int64_t size;
    for (unsigned char *p = lpFirst(lp); p; p = lpNext(lp, p)) {
        unsigned char *s = lpGet(p, &size, number);
        sprintf(got + strlen(got), "[%.*s]", (int)size, s);
    }
    return !strcmp(got, want) && lpValidateIntegrity(lp, lpBytes(lp), 1, NULL, NULL);
}

static void start(void) {
    lp = lpNew(0);
    lp = lpAppend(lp, (unsigned char *)"a", 1);
    lp = lpAppend(lp, (unsigned char *)"b", 1);
}

int main(void) {
    start();
    int points = 1;
    int64_t value;
    lp = lpInsertInteger(lp, 7, lpSeek(lp, 1), LP_BEFORE, &newp);
    points &= newp == lpSeek(lp, 1);
    lp = lpInsertInteger(lp, -70000, lpSeek(lp, 0), LP_AFTER, &newp);
    points &= newp == lpSeek(lp, 1);
    lp = lpInsertInteger(lp, 123456789012LL, lpSeek(lp, 0), LP_REPLACE, &newp);
    points &= newp == lpFirst(lp);
    test_cond("a number before, after and in place of an element", holds("[123456789012][-70000][7][b]"));
    test_cond("newp is the new element", points && lpGet(newp, &value, NULL) == NULL && value == 123456789012LL);
    test_cond("the number of elements counts it", lpLength(lp) == 4);
    lp = lpInsertInteger(lp, 1, lpFirst(lp), LP_BEFORE, NULL);
    test_cond("newp may be NULL", holds("[1][123456789012][-70000][7][b]"));
    long long values[] = {0, 127, 128, -1, 4095, -4096, 4096, -4097, 32767, -32768, 32768, 8388607, -8388609, 2147483647, -2147483648LL,
                          2147483648LL, INT64_MAX, INT64_MIN};
    int back = 1, same = 1;
    for (int j = 0; j < 18; j++) {
        unsigned char *one = lpNew(0), *other = lpNew(0);
        char text[32];
        one = lpInsertInteger(one, values[j], one + LP_HDR_SIZE, LP_BEFORE, &newp);
        back &= lpGet(newp, &value, NULL) == NULL && value == values[j];
        other = lpAppend(other, (unsigned char *)text, snprintf(text, sizeof(text), "%lld", values[j]));
        same &= lpBytes(one) == lpBytes(other) && !memcmp(one, other, lpBytes(one));
    }
    test_cond("numbers of every size are read back", back);
    test_cond("it is stored as the same text is", same);
    lpSetTotalBytes(lp, UINT32_MAX - 1);
    test_cond("a listpack beyond 32 bits is refused", lpInsertInteger(lp, 5000, lp + LP_HDR_SIZE, LP_BEFORE, &newp) == NULL);
    test_report();
    return 0;
}
