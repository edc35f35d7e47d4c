/*---
 * tasks: [index_to_offset-2d1486]
 * tests:
 *   the first element has the offset 0: 'Docstring: "a linear offset in the array memory".'
 *   the last element has the last offset: 'Docstring: "a linear offset in the array memory".'
 *   one dimension has its own index: 'Docstring: "Map a set of array coordinates".'
 *   the last of two dimensions varies fastest: 'Counterpart offset_to_index: the last index is the remainder.'
 *   three dimensions have their places: 'Counterpart offset_to_index: the last index is the remainder.'
 *   five dimensions have their places: 'The parameter ndims.'
 *   dimensions of one element do not matter: 'Docstring: a linear offset.'
 *   each offset comes back from its coordinates: 'Counterpart offset_to_index: "Map a linear offset to a set".'
 *   offsets beyond 32 bits are right: 'The sizes are of type size_t.'
 *   only ndims coordinates are used: 'The parameter ndims.'
 *   sizes and coordinates are left as they are: 'The parameters are const.'
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

int main(void) {
    /* With wrong offsets restructure_array may never come back. */
    setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
    size_t sizes[] = {3, 4, 5, 2, 6}, index[] = {2, 3, 4, 1, 5}, kept[5], kept2[5];
    memcpy(kept, sizes, sizeof kept);
    memcpy(kept2, index, sizeof kept2);
    ok("the first element has the offset 0",
       index_to_offset(3, S{3, 4, 5}, S{0, 0, 0}) == 0 && index_to_offset(1, S{9}, S{0}) == 0);
    ok("the last element has the last offset", index_to_offset(5, sizes, index) == 719);
    ok("one dimension has its own index", index_to_offset(1, S{9}, S{7}) == 7);
    ok("the last of two dimensions varies fastest", index_to_offset(2, S{3, 10}, S{0, 1}) == 1 &&
                                                        index_to_offset(2, S{3, 10}, S{1, 0}) == 10 &&
                                                        index_to_offset(2, S{3, 10}, S{2, 7}) == 27);
    ok("three dimensions have their places", index_to_offset(3, S{3, 4, 5}, S{1, 0, 0}) == 20 &&
                                                 index_to_offset(3, S{3, 4, 5}, S{0, 1, 0}) == 5 &&
                                                 index_to_offset(3, S{3, 4, 5}, S{0, 0, 1}) == 1 &&
                                                 index_to_offset(3, S{3, 4, 5}, S{2, 1, 3}) == 48);
    ok("five dimensions have their places", index_to_offset(5, sizes, S{1, 2, 3, 1, 4}) == 406 &&
                                                index_to_offset(5, sizes, S{2, 0, 0, 0, 0}) == 480);
    ok("dimensions of one element do not matter", index_to_offset(4, S{1, 3, 1, 4}, S{0, 2, 0, 3}) == 11 &&
                                                      index_to_offset(3, S{4, 1, 1}, S{3, 0, 0}) == 3);
    int back = 1;
    for (size_t k = 0; k < 720; k++) {
        size_t at[5];
        offset_to_index(5, sizes, k, at);
        back &= index_to_offset(5, sizes, at) == k;
    }
    ok("each offset comes back from its coordinates", back);
    ok("offsets beyond 32 bits are right",
       index_to_offset(3, S{4000, 3000, 2000}, S{3999, 2999, 1999}) == 23999999999ULL &&
           index_to_offset(2, S{2, 5000000000ULL}, S{1, 4999999999ULL}) == 9999999999ULL);
    ok("only ndims coordinates are used", index_to_offset(2, S{3, 4, 5}, S{2, 1, 3}) == 9 &&
                                              index_to_offset(1, S{3, 4, 5}, S{2, 1, 3}) == 2);
    ok("sizes and coordinates are left as they are",
       !memcmp(kept, sizes, sizeof kept) && !memcmp(kept2, index, sizeof kept2));
    ok("an array is transposed", restructured(2, S{3, 5}, (int[]){1, 0}, (int[]){1, 1}));
    ok("arrays are permuted and flipped in any way", all_restructured());
    return done();
}
