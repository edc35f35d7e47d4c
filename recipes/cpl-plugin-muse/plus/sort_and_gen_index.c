/*---
 * tasks: [sort_and_gen_index-4c9ca0.2]
 * tests:
 *   the array is sorted upwards: 'Docstring: "sort the a double array"; dir: ascending.'
 *   the array is sorted downwards: 'Docstring: dir: descending.'
 *   the index says where each value was: 'Docstring: "fill the in/out array with index".'
 *   the index has the sorted values: 'sort_array_using_index and cmp_index_*: data is the value.'
 *   equal values have an index each: 'The same; each element of b is taken once.'
 *   sorted and reversed arrays are sorted: 'The same for each order of the input.'
 *   the old content of the index is ignored: 'Callers: cpl_malloc.'
 *   an array of one is sorted: 'Parameter nE.'
 *   an empty array stays: 'Parameter nE.'
 *   no more than nE elements are touched: 'Parameter nE: "Number of elements in the array".'
 *   it returns no error: 'Docstring: "Return the error code provided by the sort functions".'
 *   a second array follows: 'sort_array_index, which calls it.'
 *   large and negative values are compared whole: 'cmp_index_asc: less, greater, equal.'
 *   any type is sorted by its comparison: 'sort_array_f: "array with one unknown datatype".'
 *   the comparison gives the order: 'sort_array_f: "Function for evaluate the comparison between elements".'
 *   elements of any size are moved whole: 'sort_array_f: "Size of element in the array".'
 *   no more than its number of elements is sorted: 'sort_array_f: "Number of elements in the array".'
 *   many elements are sorted: 'sort_array_f: hdrl_cat_overlp.c sorts all pixels of an object.'
 *   the elements stay the same ones: 'sort_array_f: it sorts.'
 *   none and one element are no error: 'sort_array_f: number of elements.'
 *   the core returns CPL_ERROR_NONE: 'sort_array_f: "always return CPL_ERROR_NONE".'
 *   nothing remains allocated: 'No result is allocated.'
 ---*/
#include "plus.h"
#include "../../hdrl/catalogue/hdrl_cat_utils_sort.c"

#define MOST 200

static int codes, backwards;

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return backwards ? (x < y) - (x > y) : (x > y) - (x < y);
}

static int by_last_digit(const void *a, const void *b)
{
    return *(const int *)a % 10 - *(const int *)b % 10;
}

struct odd {
    unsigned char key, rest[6];
};

static int by_key(const void *a, const void *b)
{
    return ((const struct odd *)a)->key - ((const struct odd *)b)->key;
}

static int ordered(const double *a, int n, cpl_sort_direction dir)
{
    int i;

    for (i = 1; i < n; i++)
        if (dir == CPL_SORT_ASCENDING ? a[i] < a[i - 1] : a[i] > a[i - 1])
            return 0;
    return 1;
}

/* Sorts a copy of these values: bit 1 says that they are in order, 2 that the index is right, 4 that its data are. */
static int sorts(const double *values, int n, cpl_sort_direction dir)
{
    double a[MOST];
    sort_index index[MOST];
    int used[MOST] = {0}, i, result;

    memcpy(a, values, n * sizeof *a);
    memset(index, 0x7B, sizeof index);
    codes |= sort_and_gen_index(a, n, index, dir);
    result = ordered(a, n, dir) | 2 | 4;
    for (i = 0; i < n; i++) {
        if (index[i].index < 0 || index[i].index >= n || used[index[i].index]++ || values[index[i].index] != a[i])
            result &= ~2;
        if (index[i].data != a[i])
            result &= ~4;
    }
    return result;
}

int main(void)
{
    static const double some[] = {3, -1, 7.5, 0, 12, 2, -8}, ties[] = {2, 1, 2, 2, 1, 3, 1, 2};
    static const double wide[] = {1e300, -1e300, 4e9, 4e9 + 0.25, -4e9, 1e-300, 0, -1e-300, 0.3, 0.6};
    double up[MOST], down[MOST], a[9], b[9];
    sort_index index[9];
    int good, both, i, n, numbers[MOST], counts[10] = {0};
    static int many[20000];
    struct odd odds[20];
    long live;

    begin();
    check("the array is sorted upwards", sorts(some, 7, CPL_SORT_ASCENDING) & 1);
    check("the array is sorted downwards", sorts(some, 7, CPL_SORT_DESCENDING) & 1);
    both = sorts(some, 7, CPL_SORT_ASCENDING) & sorts(some, 7, CPL_SORT_DESCENDING);
    check("the index says where each value was", both & 2);
    check("the index has the sorted values", both & 4);
    good = sorts(ties, 8, CPL_SORT_ASCENDING) == 7 && sorts(ties, 8, CPL_SORT_DESCENDING) == 7;
    check("equal values have an index each", good);
    for (i = 0; i < MOST; i++) {
        up[i] = i / 2.0 - 40;
        down[i] = -up[i];
    }
    good = sorts(up, MOST, CPL_SORT_ASCENDING) == 7 && sorts(up, MOST, CPL_SORT_DESCENDING) == 7 &&
           sorts(down, MOST, CPL_SORT_ASCENDING) == 7 && sorts(down, MOST, CPL_SORT_DESCENDING) == 7;
    for (n = 0; n < 30; n++) {
        for (i = 0; i < n; i++)
            up[i] = (i * 17 + n * 5) % 23 - 11;
        good = good && sorts(up, n, CPL_SORT_ASCENDING) == 7 && sorts(up, n, CPL_SORT_DESCENDING) == 7;
    }
    check("sorted and reversed arrays are sorted", good);
    memcpy(a, some, sizeof some);
    for (i = 0; i < 9; i++)
        index[i] = (sort_index){100 - i, 8 - i};
    sort_and_gen_index(a, 7, index, CPL_SORT_ASCENDING);
    check("the old content of the index is ignored", index[0].index == 6 && index[6].index == 4 &&
          index[0].data == -8 && index[3].index == 5 && index[7].data == 93 && index[8].index == 0);
    check("an array of one is sorted", sorts(some + 2, 1, CPL_SORT_ASCENDING) == 7 &&
          sorts(some + 2, 1, CPL_SORT_DESCENDING) == 7);
    a[0] = 9;
    index[0] = (sort_index){4, 5};
    codes |= sort_and_gen_index(a, 0, index, CPL_SORT_ASCENDING);
    check("an empty array stays", a[0] == 9 && index[0].data == 4 && index[0].index == 5);
    for (i = 0; i < 9; i++) {
        a[i] = 9 - i;
        index[i] = (sort_index){-5, -6};
    }
    codes |= sort_and_gen_index(a + 1, 4, index + 1, CPL_SORT_ASCENDING);
    good = a[0] == 9 && a[1] == 5 && a[4] == 8 && a[5] == 4 && a[8] == 1 && index[0].data == -5 &&
           index[5].data == -5 && index[0].index == -6 && index[5].index == -6 && index[1].index == 3;
    check("no more than nE elements are touched", good);
    check("it returns no error", codes == CPL_ERROR_NONE && error() == 0);
    memcpy(a, some, sizeof some);
    for (i = 0; i < 7; i++)
        b[i] = some[i] * 10;
    good = sort_array_index(a, 7, b, HDRL_SORT_DOUBLE, CPL_SORT_DESCENDING) == CPL_ERROR_NONE;
    for (i = 0; i < 7; i++)
        good = good && b[i] == a[i] * 10;
    check("a second array follows", good && a[0] == 12 && a[6] == -8);
    good = sorts(wide, 10, CPL_SORT_ASCENDING) == 7 && sorts(wide, 10, CPL_SORT_DESCENDING) == 7;
    check("large and negative values are compared whole", good);

    for (i = 0; i < MOST; i++)
        numbers[i] = i * 77 % MOST - 50;
    codes = sort_array_f(numbers, MOST, sizeof *numbers, by_int);
    for (good = 1, i = 0; i < MOST; i++)
        good = good && numbers[i] == i - 50;
    check("any type is sorted by its comparison", good);
    backwards = 1;
    codes |= sort_array_f(numbers, MOST, sizeof *numbers, by_int);
    for (good = 1, i = 0; i < MOST; i++)
        good = good && numbers[i] == MOST - 51 - i;
    for (i = 0; i < MOST; i++)
        numbers[i] = i;
    codes |= sort_array_f(numbers, MOST, sizeof *numbers, by_last_digit);
    for (i = 1; i < MOST; i++)
        good = good && numbers[i] % 10 >= numbers[i - 1] % 10;
    check("the comparison gives the order", good);
    for (i = 0; i < 20; i++) {
        odds[i].key = i * 7 % 20;
        memset(odds[i].rest, odds[i].key + 100, sizeof odds[i].rest);
    }
    codes |= sort_array_f(odds, 20, sizeof *odds, by_key);
    for (good = 1, i = 0; i < 20; i++)
        for (n = 0; n < 6; n++)
            good = good && odds[i].key == i && odds[i].rest[n] == i + 100;
    check("elements of any size are moved whole", good);
    backwards = 0;
    for (i = 0; i < 10; i++)
        numbers[i] = 10 - i;
    codes |= sort_array_f(numbers + 1, 5, sizeof *numbers, by_int);
    good = numbers[0] == 10 && numbers[1] == 5 && numbers[5] == 9 && numbers[6] == 4 && numbers[9] == 1;
    check("no more than its number of elements is sorted", good);
    for (i = 0; i < 20000; i++)
        many[i] = (i * 7919LL + 13) % 20011;
    codes |= sort_array_f(many, 20000, sizeof *many, by_int);
    for (good = 1, i = 1; i < 20000; i++)
        good = good && many[i] > many[i - 1];
    check("many elements are sorted", good);
    for (i = 0; i < 40; i++)
        numbers[i] = i * i % 10;
    codes |= sort_array_f(numbers, 40, sizeof *numbers, by_int);
    for (i = 0; i < 40; i++)
        counts[numbers[i]]++;
    check("the elements stay the same ones", counts[0] == 4 && counts[1] == 8 && counts[4] == 8 && counts[5] == 4 &&
          counts[6] == 8 && counts[9] == 8 && numbers[0] == 0 && numbers[39] == 9);
    numbers[0] = 4;
    numbers[1] = 3;
    codes |= sort_array_f(numbers, 0, sizeof *numbers, by_int) | sort_array_f(numbers, 1, sizeof *numbers, by_int);
    check("none and one element are no error", codes == 0 && numbers[0] == 4 && numbers[1] == 3);
    check("the core returns CPL_ERROR_NONE", codes == CPL_ERROR_NONE && error() == 0);
    live = plus_live;
    sorts(some, 7, CPL_SORT_ASCENDING);
    sort_array_f(many, 20000, sizeof *many, by_int);
    check("nothing remains allocated", plus_live == live);
    return checked();
}
