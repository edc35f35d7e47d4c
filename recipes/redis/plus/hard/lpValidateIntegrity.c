/*---
 * tasks: [lpValidateNext-879598.8]
 * tests:
 *   a valid listpack is valid: 'Comment: "Validate the integrity of the data structure".'
 *   an empty listpack is valid: 'Comment: "Validate the integrity of the data structure".'
 *   a size that has no room for header and end is invalid: 'Comment in the body: "Check that we can actually read the header. (and EOF)".'
 *   another size than that of the header is invalid: 'Comment in the body: "the encoded size in the header must match the allocated size".'
 *   without the end it is invalid: 'Comment in the body: "The last byte must be the terminator".'
 *   without deep the entries do not matter: 'Comment: "when deep is 0, only the integrity of the header is validated".'
 *   with deep a broken entry is invalid: 'Comment: "when deep is 1, we scan all the entries one by one".'
 *   with deep a broken last entry is invalid: 'Comment: "we scan all the entries one by one".'
 *   with deep an end within the entries is invalid: 'Comment in the body: "Make sure p really does point to the end of the listpack".'
 *   with deep a wrong count is invalid: 'Comment in the body: "Check that the count in the header is correct".'
 *   with deep an unknown count is valid: 'listpack.c: LP_HDR_NUMELE_UNKNOWN.'
 *   each entry is given to the callback in its order: 'Comment in the body: "Optionally let the caller validate the entry too".'
 *   the callback gets the count of the header and the argument: 'listpack.h: listpackValidateEntryCB; rdb.c: _lpEntryValidation uses head_count.'
 *   what the callback refuses is invalid: 'Comment in the body: "Optionally let the caller validate the entry too".'
 *   after a refusal the callback is not called: 'Comment: an invalid listpack is invalid.'
 *   a broken entry is not given to the callback: 'Comment in the body: "to avoid callback crash due to corrupt listpack".'
 *   without deep the callback is not called: 'Comment: "only the integrity of the header is validated".'
 *   the callback is optional: 'Callers give NULL.'
 *   the listpack stays as it is: 'Comment: it validates.'
 ---*/
#include "../server.h"
#include "../listpack.h"
#include "../testhelp.h"

static unsigned char *lp, *seen[20];
static unsigned int head;
static int calls, stop = -1;
static void *given;

static int callback(unsigned char *p, unsigned int head_count, void *userdata) {
    if (calls < 20) seen[calls] = p;
    head = head_count;
    given = userdata;
    return calls++ != stop;
}

static int check(size_t size, int deep) {
    calls = 0;
    return lpValidateIntegrity(lp,size,deep,callback,&lp);
}

int main(void) {
    lp = lpNew(0);
    int empty = lpValidateIntegrity(lp,7,0,NULL,NULL) == 1 && lpValidateIntegrity(lp,7,1,callback,NULL) == 1;
    test_cond("an empty listpack is valid", empty && calls == 0);
    const char *words[] = {"one","12","-300","a longer string than the others are here","","7"};
    for (int j = 0; j < 6; j++) lp = lpAppend(lp,(unsigned char*)words[j],strlen(words[j]));
    size_t size = lpBytes(lp);
    unsigned char *copy = zmalloc(size+10);
    memcpy(copy,lp,size);
    test_cond("a valid listpack is valid", check(size,0) == 1 && check(size,1) == 1);
    int order = calls == 6;
    unsigned char *p = lpFirst(lp);
    for (int j = 0; j < 6; j++, p = lpNext(lp,p)) if (seen[j] != p) order = 0;
    test_cond("each entry is given to the callback in its order", order);
    test_cond("the callback gets the count of the header and the argument", head == 6 && given == &lp);
    test_cond("without deep the callback is not called", check(size,0) == 1 && calls == 0);
    test_cond("the callback is optional", lpValidateIntegrity(lp,size,1,NULL,NULL) == 1);
    stop = 2;
    int refused = check(size,1);
    test_cond("what the callback refuses is invalid", refused == 0);
    test_cond("after a refusal the callback is not called", calls == 3);
    stop = 5;
    int last = check(size,1);
    stop = 0;
    refused = last == 0 && calls == 6 && check(size,1) == 0 && calls == 1;
    stop = -1;
    int small = refused;
    for (size_t j = 0; j < 7; j++) {
        unsigned char *tiny = zcalloc(7);
        tiny[0] = j;
        if (j) tiny[j-1] = 0xff;
        if (lpValidateIntegrity(tiny,j,0,NULL,NULL) || lpValidateIntegrity(tiny,j,1,NULL,NULL)) small = 0;
        zfree(tiny);
    }
    test_cond("a size that has no room for header and end is invalid", small);
    test_cond("another size than that of the header is invalid", !check(size-1,0) && !check(size+1,0) && !check(size-1,1) &&
              !check(size+256,0));
    lp[size-1] = 0;
    test_cond("without the end it is invalid", !check(size,0) && !check(size,1));
    lp[size-1] = 0xff;
    unsigned char *third = lpSeek(lp,2), *fourth = lpSeek(lp,3), *sixth = lpSeek(lp,5);
    fourth[-1] ^= 1;
    int deep = check(size,1), called = calls;
    test_cond("with deep a broken entry is invalid", deep == 0);
    test_cond("a broken entry is not given to the callback", called == 2);
    test_cond("without deep the entries do not matter", check(size,0) == 1);
    fourth[-1] ^= 1;
    lp[size-2] ^= 1;
    deep = check(size,1);
    lp[size-2] ^= 1;
    unsigned char old = *sixth;
    *sixth = 0xf4;
    test_cond("with deep a broken last entry is invalid", deep == 0 && !check(size,1));
    *sixth = old;
    old = *third;
    *third = 0xff;
    lp[4] = 2;
    test_cond("with deep an end within the entries is invalid", !check(size,1) && check(size,0));
    *third = old;
    int counts = 1;
    for (int j = 0; j < 12; j++) {
        lp[4] = j;
        if (check(size,1) != (j == 6)) counts = 0;
        if (!check(size,0)) counts = 0;
    }
    test_cond("with deep a wrong count is invalid", counts);
    lp[4] = lp[5] = 0xff;
    test_cond("with deep an unknown count is valid", check(size,1) == 1 && calls == 6 && head == 65535);
    lp[4] = 6, lp[5] = 0;
    test_cond("the listpack stays as it is", check(size,1) == 1 && !memcmp(copy,lp,size));
    test_report();
    return 0;
}
