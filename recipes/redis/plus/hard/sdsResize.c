/*---
 * tasks: [sdsResize-4894b7, sdsResize-4894b7.2]
 * tests:
 *   a smaller size keeps the string and drops free space: 'Comment: "make the allocation bigger or smaller".'
 *   a larger size keeps the string and adds free space: 'Comment: "make the allocation bigger or smaller".'
 *   a size below the length truncates: 'Comment: "if the size is smaller than currently used len, the data will be truncated".'
 *   a size equal to the length leaves no free space: 'sdsRemoveFreeSpace: "so that it has no free space at the end".'
 *   size 0 gives an empty string: 'Comment: "the data will be truncated".'
 *   the same size changes nothing: 'Comment: "Resize the allocation"; "the data will be truncated" only if smaller.'
 *   the string ends with a NUL at every size: 'sds.c: "The string is always null-terminated (all the sds strings are, always)".'
 *   binary data is kept: 'sds.c: "the string is binary safe".'
 *   the requested size is the allocated one: 'Comment: "The sdsAlloc size will be set to the requested size".'
 *   that also holds where the allocator gives more: 'Comment: "regardless of the actual allocation size".'
 *   so much memory is there: 'Comment: "Resize the allocation".'
 *   from each header to each other the text survives: 'Comment: the type follows from the size; sds.h: each type has a header of its own.'
 *   would_regrow prevents type 5: 'Comment: "it prevents the use of SDS_TYPE_5".'
 *   a string of type 5 grows with would_regrow into one with room: 'Comment: "when the sds is likely to be changed again".'
 *   without would_regrow a short string stays a valid one: 'Signature and caller sdsRemoveFreeSpace(s, 0).'
 *   a string of type 5 can be truncated: 'Comment: "the data will be truncated".'
 *   what was resized can be appended to: 'server.c: the query buffer is resized and then read into.'
 *   memory of huge strings that shrink is given back: 'server.c, clientsCronResizeQueryBuffer: resized to save memory.'
 *   nothing is lost over many resizes: 'server.c does it for each client again and again.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static int holds(sds s, const char *text, size_t len) {
    return sdslen(s) == len && !memcmp(s, text, len) && s[len] == '\0';
}

/* A string of that length whose free space is just `room`. */
static sds make(size_t len, size_t room) {
    sds s = sdsnewlen(NULL, len);
    for (size_t j = 0; j < len; j++) s[j] = 'a' + j % 23;
    return room ? sdsResize(s, len + room, 1) : s;
}

static size_t memoryBehind(sds s) {
    return zmalloc_size(sdsAllocPtr(s)) - (s - (char *)sdsAllocPtr(s)) - 1;
}

int main(void) {
    sds s = sdscat(sdsMakeRoomFor(sdsempty(), 200), "0123456789");
    s = sdsResize(s, 80, 1);
    test_cond("a smaller size keeps the string and drops free space", holds(s, "0123456789", 10) && sdsavail(s) == 70);
    s = sdsResize(s, 150, 1);
    test_cond("a larger size keeps the string and adds free space", holds(s, "0123456789", 10) && sdsavail(s) == 140);
    s = sdsResize(s, 4, 1);
    test_cond("a size below the length truncates", holds(s, "0123", 4) && sdsavail(s) == 0);
    s = sdsResize(sdsResize(s, 90, 1), 4, 1);
    test_cond("a size equal to the length leaves no free space", holds(s, "0123", 4) && sdsalloc(s) == 4);
    s = sdsResize(s, 0, 1);
    test_cond("size 0 gives an empty string", holds(s, "", 0) && sdsalloc(s) == 0);
    sdsfree(s);

    s = make(100, 50);
    sds same = sdsResize(s, 150, 1);
    test_cond("the same size changes nothing", sdslen(same) == 100 && sdsalloc(same) == 150);
    s = same;
    int ends = 1;
    for (size_t size = 149; size > 0; size--) {
        s = sdsResize(s, size, 1);
        ends &= s[sdslen(s)] == '\0' && sdslen(s) == (size < 100 ? size : 100);
    }
    test_cond("the string ends with a NUL at every size", ends);
    sdsfree(s);

    s = sdsResize(sdsnewlen("a\0b\0\xff" "c", 6), 300, 1);
    int binary = holds(s, "a\0b\0\xff" "c", 6);
    s = sdsResize(s, 5, 1);
    test_cond("binary data is kept", binary && holds(s, "a\0b\0\xff", 5));
    sdsfree(s);

    size_t sizes[] = {0, 1, 30, 31, 32, 33, 80, 254, 255, 256, 257, 1000, 65534, 65535, 65536, 65537, 200000};
    const int n = sizeof(sizes) / sizeof(*sizes);
    int exact = 1, roomy = 1, there = 1, survives = 1, regrows = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            s = make(sizes[i] < 20 ? sizes[i] : 20, sizes[i] < 20 ? 0 : sizes[i] - 20);
            sds want = sdsdup(s);
            s = sdsResize(s, sizes[j], 1);
            size_t len = sdslen(want) < sizes[j] ? sdslen(want) : sizes[j];
            survives &= sdslen(s) == len && !memcmp(s, want, len) && s[len] == '\0';
            exact &= sdsalloc(s) == sizes[j] || sdslen(want) == sizes[j];
            roomy &= sdsavail(s) == sdsalloc(s) - len;
            there &= memoryBehind(s) >= sizes[j];
            regrows &= sizes[j] == sdslen(want) || (s[-1] & SDS_TYPE_MASK) != SDS_TYPE_5;
            sdsfree(s);
            sdsfree(want);
        }
    }
    test_cond("the requested size is the allocated one", exact);
    s = sdsResize(make(10, 90), 81, 1);
    test_cond("that also holds where the allocator gives more", roomy && sdsalloc(s) == 81 && sdsavail(s) == 71);
    sdsfree(s);
    test_cond("so much memory is there", there);
    test_cond("from each header to each other the text survives", survives);
    test_cond("would_regrow prevents type 5", regrows);

    s = sdsnew("short");
    int five = (s[-1] & SDS_TYPE_MASK) == SDS_TYPE_5;
    s = sdsResize(s, 12, 1);
    test_cond("a string of type 5 grows with would_regrow into one with room",
              five && holds(s, "short", 5) && sdsavail(s) == 7);
    s = sdsRemoveFreeSpace(s, 0);
    int whole = holds(s, "short", 5) && sdsavail(s) == 0;
    s = sdsResize(s, 3, 0);
    test_cond("without would_regrow a short string stays a valid one", whole && holds(s, "sho", 3));
    sdsfree(s);
    s = sdsResize(sdsnew("truncate me"), 8, 0);
    test_cond("a string of type 5 can be truncated", holds(s, "truncate", 8));
    sdsfree(s);

    s = sdsResize(sdsnew("query"), 40, 1);
    for (int j = 0; j < 100; j++) s = sdscat(s, "0123456789");
    int appended = sdslen(s) == 1005 && !memcmp(s, "query0123456789", 15) && !strcmp(s + 995, "0123456789");
    s = sdscat(sdsResize(s, 2, 1), "it");
    test_cond("what was resized can be appended to", appended && holds(s, "quit", 4));
    sdsfree(s);

    size_t before = zmalloc_used_memory();
    s = make(10, 500000);
    s = sdsResize(s, 100, 1);
    size_t small = zmalloc_used_memory() - before;
    s = sdsResize(sdsResize(s, 400000, 1), 70000, 1);
    test_cond("memory of huge strings that shrink is given back",
              small < 1000 && zmalloc_used_memory() - before < 140000 && !memcmp(s, "abcdefghij", 11));
    sdsfree(s);
    for (int j = 0; j < 50; j++) {
        s = make(20, 0);
        for (int i = 0; i < n; i++) s = sdsResize(s, sizes[(i * 7 + j) % n], i % 2);
        sdsfree(s);
    }
    test_cond("nothing is lost over many resizes", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
