/*---
 * tasks: [offset_to_index-201925]
 * tests:
 *   the offset 0 is the first element: 'Docstring: "Map a linear offset to a set of coordinates".'
 *   the last offset is the last element: 'Docstring: "Map a linear offset to a set of coordinates".'
 *   one dimension has the offset itself: 'Docstring: "Map a linear offset to a set of coordinates".'
 *   the last of two dimensions varies fastest: 'Counterpart index_to_offset: an offset times the next size.'
 *   three dimensions have their places: 'Counterpart index_to_offset: an offset times the next size.'
 *   five dimensions have their places: 'The parameter ndims.'
 *   dimensions of one element have the index 0: 'Docstring: "a set of coordinates in a multidimensional array".'
 *   each offset comes back from its coordinates: 'Counterpart index_to_offset: "to a linear offset".'
 *   offsets beyond 32 bits are right: 'The offset is of type size_t.'
 *   no further coordinates are written: 'The parameter ndims.'
 *   the sizes are left as they are: 'The parameter is const.'
 *   an array is transposed: 'Caller restructure_array, "reorganize data in a multidimensional array".'
 *   arrays are permuted and flipped in any way: 'Caller restructure_array; dir: a negative direction flips.'
 ---*/
#include <sys/resource.h>
#include "../../libcommon/restructure.c"
#include "plus.h"

#define S (const size_t[])


/* Whether an array of shorts comes out as a comparison element by element says; `lengths` are those of the result. */
static int restructured(int n, const size_t *lengths, const int *map, const int *dir) {
    static short raw[2000], now[2000];
    size_t raw_lengths[8], total = 1;
    for (int i = 0; i < n; i++) {
        raw_lengths[map[i]] = lengths[i];
        total *= lengths[i];
    }
    for (size_t k = 0; k < total; k++) now[k] = raw[k] = k * 3 + 1;
    restructure_array(n, (unsigned char *)now, lengths, sizeof *now, map, dir);
    for (size_t k = 0; k < total; k++) {
        size_t rest = k, at[8], from = 0;
        for (int i = n - 1; i >= 0; i--) {
            size_t here = rest % lengths[i];
            at[map[i]] = dir[i] < 0 ? lengths[i] - 1 - here : here;
            rest /= lengths[i];
        }
        for (int i = 0; i < n; i++) from = from * raw_lengths[i] + at[i];
        if (now[k] != raw[from]) return 0;
    }
    return 1;
}

static int all_restructured(void) {
    const int maps[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int m = 0; m < 6; m++)
        for (int d = 0; d < 8; d++) {
            int dir[3] = {d & 1 ? -1 : 1, d & 2 ? -1 : 1, d & 4 ? -1 : 1};
            if (!restructured(3, S{3, 5, 7}, maps[m], dir) || !restructured(3, S{8, 1, 4}, maps[m], dir)) return 0;
        }
    return restructured(4, S{2, 3, 4, 5}, (int[]){3, 1, 0, 2}, (int[]){1, -1, -1, 1});
}

static size_t at[8];

static int is(size_t n, const size_t *sizes, size_t offset, const size_t *expected) {
    for (int i = 0; i < 8; i++) at[i] = 70 + i;
    offset_to_index(n, sizes, offset, at);
    for (size_t i = 0; i < 8; i++)
        if (at[i] != (i < n ? expected[i] : 70 + i)) return 0;
    return 1;
}

int main(void) {
    /* With wrong offsets restructure_array may never come back. */
    setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
    size_t sizes[] = {3, 4, 5, 2, 6}, kept[5];
    memcpy(kept, sizes, sizeof kept);
    ok("the offset 0 is the first element", is(3, S{3, 4, 5}, 0, S{0, 0, 0}) && is(1, S{9}, 0, S{0}));
    ok("the last offset is the last element", is(5, sizes, 719, S{2, 3, 4, 1, 5}) && is(2, S{3, 4}, 11, S{2, 3}));
    ok("one dimension has the offset itself", is(1, S{9}, 7, S{7}) && is(1, S{9}, 8, S{8}));
    ok("the last of two dimensions varies fastest",
       is(2, S{3, 10}, 1, S{0, 1}) && is(2, S{3, 10}, 10, S{1, 0}) && is(2, S{3, 10}, 27, S{2, 7}));
    ok("three dimensions have their places",
       is(3, S{3, 4, 5}, 20, S{1, 0, 0}) && is(3, S{3, 4, 5}, 5, S{0, 1, 0}) && is(3, S{3, 4, 5}, 1, S{0, 0, 1}) &&
           is(3, S{3, 4, 5}, 48, S{2, 1, 3}));
    ok("five dimensions have their places",
       is(5, sizes, 406, S{1, 2, 3, 1, 4}) && is(5, sizes, 480, S{2, 0, 0, 0, 0}));
    ok("dimensions of one element have the index 0",
       is(4, S{1, 3, 1, 4}, 11, S{0, 2, 0, 3}) && is(3, S{4, 1, 1}, 3, S{3, 0, 0}));
    int back = 1, further = 1;
    for (size_t k = 0; k < 720; k++) {
        at[5] = 77;
        offset_to_index(5, sizes, k, at);
        for (int i = 0; i < 5; i++) back &= at[i] < sizes[i];
        back &= index_to_offset(5, sizes, at) == k;
        further &= at[5] == 77;
    }
    ok("each offset comes back from its coordinates", back);
    ok("offsets beyond 32 bits are right", is(3, S{4000, 3000, 2000}, 23999999999ULL, S{3999, 2999, 1999}) &&
                                               is(2, S{2, 5000000000ULL}, 9999999999ULL, S{1, 4999999999ULL}));
    ok("no further coordinates are written", further && is(2, S{3, 4, 5}, 9, S{2, 1}));
    ok("the sizes are left as they are", !memcmp(kept, sizes, sizeof kept));
    ok("an array is transposed", restructured(2, S{3, 5}, (int[]){1, 0}, (int[]){1, 1}));
    ok("arrays are permuted and flipped in any way", all_restructured());
    return done();
}
