/*---
 * tasks: [lpEncodeIntegerGetType-98093e.4, lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   before an element: 'Comment: "inserted before, after, or replaces ... depending on the ''where'' argument".'
 *   after an element: 'Comment: LP_AFTER.'
 *   after the last element: 'Comment: LP_AFTER; the last element has the end behind it.'
 *   before the end: 'Callers lpAppend and lpAppendInteger.'
 *   in place of an element, shorter, as long and longer: 'Comment: LP_REPLACE.'
 *   a text that is a number becomes an integer: 'lpEncodeGetType; lpAppend.'
 *   an encoded integer is stored: 'Comment: "If eleint is non-NULL, ''size'' is the length of ''eleint''".'
 *   an empty string is an element: 'Comment: only NULL removes.'
 *   neither text nor number removes the element: 'Comment: "If both ''elestr'' and eleint are NULL, the function removes the element".'
 *   a removal replaces whatever where says: 'Comment: "removes the element pointed by ''p''"; lpDelete passes LP_REPLACE.'
 *   newp is the new element: 'Comment: "''*newp'' will be set to the address of the element just added".'
 *   newp is the next element after a removal: 'Comment: "set to the next element, on the right of the deleted one".'
 *   newp is NULL after the removal of the last element: 'Comment: "or to NULL if the deleted element was the last one".'
 *   newp may be NULL: 'Comment: "If ''newp'' is not NULL".'
 *   the number of elements counts insertions and removals and not replacements: 'lpLength.'
 *   an unknown number of elements stays unknown: 'LP_HDR_NUMELE_UNKNOWN; lpLength counts then.'
 *   the number of bytes is exact: 'lpBytes; lpValidateIntegrity.'
 *   elements of every encoding can be walked back: 'Comment of lpEncodeBacklen: allows to traverse "from the end to the start".'
 *   the end mark stays: 'lpValidateIntegrity: LP_EOF is the last byte.'
 *   a listpack beyond 32 bits is refused: 'Comment: "Returns NULL ... when the listpack total length would exceed the max allowed size of 2^32-1".'
 *   a refused listpack is as before: 'Comment: the old pointer is invalid only if a new one is returned.'
 *   memory is given back: 'Comment: the old pointer is replaced; lpFree frees all.'
 ---*/
#include "../listpack.c"
#include "../zmalloc.h"
#include "../testhelp.h"

static unsigned char *lp;

/* The listpack's elements, each in brackets, and that they are the same from behind. */
static int holds(const char *want) {
    static char got[70000], back[70000];
    unsigned char number[LP_INTBUF_SIZE];
    int64_t size;
    unsigned long count = 0;
    got[0] = '\0';
    for (unsigned char *p = lpFirst(lp); p; p = lpNext(lp, p)) {
        unsigned char *s = lpGet(p, &size, number);
        snprintf(got + strlen(got), 300, "[%.*s%s]", (int)size, s, LP_ENCODING_IS_7BIT_UINT(p[0]) ? "i" : "");
        count++;
    }
    char *at = back + sizeof(back) - 1;
    *at = '\0';
    for (unsigned char *p = lpLast(lp); p; p = lpPrev(lp, p)) {
        char one[300];
        unsigned char *s = lpGet(p, &size, number);
        int n = snprintf(one, sizeof(one), "[%.*s%s]", (int)size, s, LP_ENCODING_IS_7BIT_UINT(p[0]) ? "i" : "");
        at -= n;
        memcpy(at, one, n);
    }
    return !strcmp(got, want) && !strcmp(back + (at - back), want) && lpLength(lp) == count &&
           lpValidateIntegrity(lp, lpBytes(lp), 1, NULL, NULL);
}

static void start(void) {
    if (lp) lpFree(lp);
    lp = lpNew(0);
    lp = lpInsert(lp, (unsigned char *)"a", NULL, 1, lp + LP_HDR_SIZE, LP_BEFORE, NULL);
    lp = lpInsert(lp, (unsigned char *)"b", NULL, 1, lp + lpBytes(lp) - 1, LP_BEFORE, NULL);
    lp = lpInsert(lp, (unsigned char *)"c", NULL, 1, lp + lpBytes(lp) - 1, LP_BEFORE, NULL);
}

static unsigned char *newp;

static int put(const char *s, long index, int where) {
    newp = (unsigned char *)"unset";
    unsigned char *p = index == 99 ? lp + lpBytes(lp) - 1 : lpSeek(lp, index);
    unsigned char *made = lpInsert(lp, (unsigned char *)s, NULL, s ? strlen(s) : 0, p, where, &newp);
    if (made) lp = made;
    return made != NULL;
}

static int newpIs(const char *s) {
    int64_t size;
    unsigned char number[LP_INTBUF_SIZE], *got = newp ? lpGet(newp, &size, number) : NULL;
    return got && newp > lp && newp < lp + lpBytes(lp) && (size_t)size == strlen(s) && !memcmp(got, s, size);
}

int main(void) {
    start();
    size_t before = zmalloc_used_memory();
    int points = 1;
    put("x", 1, LP_BEFORE), points &= newpIs("x");
    int right = holds("[a][x][b][c]");
    put("first", 0, LP_BEFORE), points &= newpIs("first");
    test_cond("before an element", right && holds("[first][a][x][b][c]"));
    start(), put("x", 1, LP_AFTER), points &= newpIs("x");
    test_cond("after an element", holds("[a][b][x][c]"));
    start(), put("last", 2, LP_AFTER), points &= newpIs("last");
    test_cond("after the last element", holds("[a][b][c][last]"));
    put("end", 99, LP_BEFORE), points &= newpIs("end");
    test_cond("before the end", holds("[a][b][c][last][end]"));
    start(), put("longer than before", 1, LP_REPLACE), points &= newpIs("longer than before");
    right = holds("[a][longer than before][c]");
    put("y", 1, LP_REPLACE), points &= newpIs("y"), right &= holds("[a][y][c]");
    put("z", 2, LP_REPLACE), points &= newpIs("z");
    test_cond("in place of an element, shorter, as long and longer", right && holds("[a][y][z]"));
    start(), put("12", 0, LP_AFTER), points &= newpIs("12");
    put("-5000000000", 0, LP_BEFORE), points &= newpIs("-5000000000");
    put("007", 99, LP_BEFORE);
    test_cond("a text that is a number becomes an integer",
              holds("[-5000000000][a][12i][b][c][007]") && LP_ENCODING_IS_64BIT_INT(lpFirst(lp)[0]));
    start();
    lp = lpInsert(lp, NULL, (unsigned char *)"\x05", 1, lpFirst(lp), LP_AFTER, &newp), points &= newpIs("5");
    lp = lpInsert(lp, NULL, (unsigned char *)"\xc1\x23", 2, lpFirst(lp), LP_REPLACE, &newp), points &= newpIs("291");
    test_cond("an encoded integer is stored", holds("[291][5i][b][c]"));
    start(), put("", 1, LP_BEFORE), points &= newpIs("");
    test_cond("an empty string is an element", holds("[a][][b][c]"));
    start(), put(NULL, 1, LP_REPLACE);
    int next = newpIs("c");
    test_cond("neither text nor number removes the element", holds("[a][c]"));
    start(), put(NULL, 0, LP_AFTER), next &= newpIs("b");
    right = holds("[b][c]");
    put(NULL, 0, LP_BEFORE), next &= newpIs("c");
    test_cond("a removal replaces whatever where says", right && holds("[c]"));
    test_cond("newp is the new element", points);
    test_cond("newp is the next element after a removal", next);
    put(NULL, 0, LP_REPLACE);
    right = newp == NULL && holds("");
    start(), put(NULL, 2, LP_REPLACE);
    test_cond("newp is NULL after the removal of the last element", right && newp == NULL && holds("[a][b]"));
    lp = lpInsert(lp, (unsigned char *)"n", NULL, 1, lpFirst(lp), LP_AFTER, NULL);
    right = holds("[a][n][b]");
    lp = lpInsert(lp, NULL, NULL, 0, lpLast(lp), LP_REPLACE, NULL);
    test_cond("newp may be NULL", right && holds("[a][n]"));

    start();
    right = lpGetNumElements(lp) == 3;
    put("d", 0, LP_REPLACE), right &= lpGetNumElements(lp) == 3;
    put("e", 0, LP_AFTER), right &= lpGetNumElements(lp) == 4;
    put(NULL, 0, LP_REPLACE), right &= lpGetNumElements(lp) == 3;
    test_cond("the number of elements counts insertions and removals and not replacements", right);
    lpSetNumElements(lp, LP_HDR_NUMELE_UNKNOWN);
    put("f", 0, LP_BEFORE), right = lpGetNumElements(lp) == LP_HDR_NUMELE_UNKNOWN;
    put(NULL, 0, LP_REPLACE);
    test_cond("an unknown number of elements stays unknown", right && lpGetNumElements(lp) == LP_HDR_NUMELE_UNKNOWN);

    start();
    right = lpBytes(lp) == 7 + 3 * 3;
    put("12345", 1, LP_BEFORE), right &= lpBytes(lp) == 16 + 4;
    put(NULL, 0, LP_REPLACE), right &= lpBytes(lp) == 17;
    char text[5000];
    memset(text, 'q', sizeof(text));
    size_t sizes[] = {62, 63, 64, 125, 126, 127, 128, 4095, 4096};
    size_t total = 17;
    for (int j = 0; j < 9; j++) {
        lp = lpInsert(lp, (unsigned char *)text, NULL, sizes[j], lpFirst(lp), LP_AFTER, NULL);
        size_t coded = sizes[j] + (sizes[j] < 64 ? 1 : sizes[j] < 4096 ? 2 : 5);
        total += coded + (coded < 128 ? 1 : 2);
        right &= lpBytes(lp) == total;
    }
    test_cond("the number of bytes is exact", right);
    int count = 0;
    for (unsigned char *p = lpLast(lp); p; p = lpPrev(lp, p)) count++;
    test_cond("elements of every encoding can be walked back", count == 12 && lpValidateIntegrity(lp, lpBytes(lp), 1, NULL, NULL));
    test_cond("the end mark stays", lp[lpBytes(lp) - 1] == LP_EOF);

    start();
    lpSetTotalBytes(lp, UINT32_MAX - 2);
    unsigned char *refused = lpInsert(lp, (unsigned char *)"abc", NULL, 3, lpFirst(lp), LP_BEFORE, &newp);
    test_cond("a listpack beyond 32 bits is refused", refused == NULL);
    lpSetTotalBytes(lp, 16);
    test_cond("a refused listpack is as before", holds("[a][b][c]"));
    lpFree(lp), lp = NULL;
    start();
    for (int j = 0; j < 200; j++) put("some more text", 1, LP_AFTER);
    for (int j = 0; j < 200; j++) put(NULL, 2, LP_REPLACE);
    right = holds("[a][b][c]") && zmalloc_used_memory() <= before + 64;
    test_cond("memory is given back", right);
    test_report();
    return 0;
}
