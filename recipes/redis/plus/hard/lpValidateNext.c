/*---
 * tasks: [lpValidateNext-879598.8]
 * tests:
 *   each valid entry is valid: 'Comment: "Returns 1 if valid, 0 if invalid".'
 *   it moves from entry to entry: 'Comment: "move to the next one ... is advanced on exit".'
 *   the end gives NULL and is valid: 'Callers lpValidateIntegrity and streamValidateListpackIntegrity: "if (next) return 0" after the last.'
 *   without an entry it is invalid: 'Callers ask again with what they were given, NULL at the end.'
 *   a place before the entries is invalid: 'Comment in the body: "Before accessing p, make sure it''s valid".'
 *   a place behind the listpack is invalid: 'Comment in the body: "Before accessing p, make sure it''s valid".'
 *   a byte that no encoding has is invalid: 'Comment in the body: "check that we can read the encoded size".'
 *   a length that reaches outside is invalid: 'Comment in the body: "make sure the encoded entry length doesn''t reach outside the edge".'
 *   an entry that reaches outside is invalid: 'Comment in the body: "make sure the entry doesn''t reach outside the edge of the listpack".'
 *   an entry that takes the place of the end is invalid: 'Comment in the body: "doesn''t reach outside the edge"; the last byte is the terminator.'
 *   an entry that fits exactly is valid: 'Comment: "Validate the integrity of a single listpack entry".'
 *   a wrong length at the end of an entry is invalid: 'Comment in the body: "make sure the encoded length at the end patches the one at the beginning".'
 *   a wrong length at the begin of an entry is invalid: 'Comment in the body: "make sure the encoded length at the end patches the one at the beginning".'
 *   nothing behind the given bytes is read: 'Argument lpbytes; corrupt dumps must not crash: sanitize-dump-payload.'
 *   the listpack stays as it is: 'Comment: it validates.'
 ---*/
#include "../server.h"
#include "../listpack.h"
#include "../testhelp.h"
#include <sys/mman.h>

static unsigned char *lp;
static size_t size;

static unsigned char *entries[40];     /* Found by lpNext() before anything is broken. */

static unsigned char *at(int index) {
    return entries[index];
}

static int next(unsigned char *p, size_t bytes) {
    return lpValidateNext(lp,&p,bytes);
}

int main(void) {
    lp = lpNew(0);
    long long numbers[] = {0,127,128,-1,4095,-4096,32767,-32768,8388607,-8388608,2147483647,-2147483648LL,LLONG_MAX,LLONG_MIN};
    int n = 0;
    for (int j = 0; j < 14; j++, n++) lp = lpAppendInteger(lp,numbers[j]);
    int lengths[] = {0,1,63,64,125,126,127,4095,4096,16381,16390,70000};
    for (int j = 0; j < 12; j++, n++) {
        sds s = sdsnewlen(NULL,lengths[j]);
        memset(s,'x',lengths[j]);
        lp = lpAppend(lp,(unsigned char*)s,lengths[j]);
        sdsfree(s);
    }
    size = lpBytes(lp);
    unsigned char *copy = zmalloc(size);
    memcpy(copy,lp,size);
    int valid = 0, moved = 0;
    unsigned char *p = lpFirst(lp), *last = NULL;
    for (int j = 0; j < n; j++) entries[j] = j ? lpNext(lp,entries[j-1]) : p;
    for (int j = 0; j < n; j++) {
        unsigned char *q = p;
        valid += lpValidateNext(lp,&q,size) == 1;
        last = p;
        p = j == n-1 ? lp+size-1 : at(j+1);
        moved += q == p;
    }
    test_cond("each valid entry is valid", valid == n);
    test_cond("it moves from entry to entry", moved == n);
    int end = lpValidateNext(lp,&p,size);
    test_cond("the end gives NULL and is valid", end == 1 && p == NULL);
    test_cond("without an entry it is invalid", lpValidateNext(lp,&p,size) == 0 && p == NULL);
    test_cond("a place before the entries is invalid", !next(lp,size) && !next(lp+5,size) && !next(lp-1,size));
    test_cond("a place behind the listpack is invalid", !next(lp+size,size) && !next(lp+size+100,size) &&
              !next(lp+50,20) && !next(lp+20,20));
    int none = 0;
    unsigned char *first = at(0), old = *first;
    for (int byte = 0xf5; byte < 0xff; byte++) {
        *first = byte;
        none += !next(first,size);
    }
    *first = old;
    test_cond("a byte that no encoding has is invalid", none == 10);
    int outside = 0, taken = 0, fits = 0;
    for (int j = 0; j < n; j++) {
        unsigned char *e = at(j), *behind = j == n-1 ? lp+size-1 : at(j+1);
        for (unsigned char *cut = e+1; cut < behind; cut += behind-cut > 100 ? 97 : 1) if (next(e,cut-lp)) outside = 1;
        taken += !next(e,behind-lp);
        fits += next(e,behind-lp+1);
    }
    test_cond("an entry that reaches outside is invalid", !outside);
    test_cond("an entry that takes the place of the end is invalid", taken == n);
    test_cond("an entry that fits exactly is valid", fits == n);
    test_cond("a length that reaches outside is invalid", !next(last,last-lp+2) && !next(last,last-lp+4) &&
              !next(at(n-4),at(n-4)-lp+1));
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        unsigned char *behind = j == n-1 ? lp+size-1 : at(j+1);
        behind[-1] ^= 1;
        wrong += !next(at(j),size);
        behind[-1] ^= 1;
    }
    test_cond("a wrong length at the end of an entry is invalid", wrong == n);
    unsigned char *s = at(16);      /* A string of 63 bytes. */
    s[0]--;
    int shorter = !next(s,size);
    s[0] += 1;
    s = at(18);                     /* One of 125 bytes, whose length has 12 bits. */
    s[1]++;
    int longer = !next(s,size);
    s[1]--;
    test_cond("a wrong length at the begin of an entry is invalid", shorter && longer);
    test_cond("the listpack stays as it is", !memcmp(copy,lp,size));

    /* A listpack that ends at the end of a page, where reading on is the end of the process. */
    unsigned char *pages = mmap(NULL,8192,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);
    mprotect(pages+4096,4096,PROT_NONE);
    unsigned char codes[] = {0x00,0x80,0x82,0xbf,0xc0,0xdf,0xe0,0xef,0xf0,0xf1,0xf2,0xf3,0xf4,0xf5,0xfe};
    int refused = 0, tries = 0;
    for (int room = 1; room <= 5; room++)
        for (int j = 0; j < 15; j++) {
            unsigned char *begin = pages+4096-6-room, *q = begin+6;
            memset(begin,0,6+room);
            q[0] = codes[j];
            if (codes[j] == 0xf0 && room == 5) memset(q+1,0xff,4);
            tries++;
            if (room == 1 || (codes[j] & 0xf0) == 0xf0 || codes[j] >= 0xdf || codes[j] == 0xbf)
                refused += lpValidateNext(begin,&q,6+room) == 0;
            else
                lpValidateNext(begin,&q,6+room), refused++;
        }
    test_cond("nothing behind the given bytes is read", refused == tries);
    test_report();
    return 0;
}
