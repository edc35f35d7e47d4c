/*---
 * tasks: [hdrl_sort_double_pairs-cd5df9]
 * tests:
 *   the first array is sorted upwards: 'Docstring: "Sort an array"; hdrl_kappa_sigma_clip bounds by rank.'
 *   the second is permuted in the same way: 'Docstring: "permute an array u2 in the same way as u1 is permuted".'
 *   the second is not sorted by itself: 'The same.'
 *   sorted and reversed arrays are sorted: 'The same for each order of the input.'
 *   equal values keep their pairs: 'The same; which of equal ones comes first is open.'
 *   many pairs are sorted: 'Callers pass the pixels of an image.'
 *   one pair stays: 'Callers: vectors of any size.'
 *   the vectors stay the ones they were: 'Callers go on with both, and with their data.'
 *   a success returns CPL_ERROR_NONE: 'Docstring: "return CPL_ERROR_NONE or the appropriate error code".'
 *   no first array is an error: 'The same; CPL: NULL_INPUT.'
 *   no second array is an error: 'The same.'
 *   a refusal leaves the other array: 'The same.'
 *   nothing remains allocated: 'It sorts in place.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_sigclip.c"

static int codes;

/* Sorts pairs of x and y; bit 1: x is in order, 2: each pair is there, once. */
static int sorts(const double *x, const double *y, int n)
{
    cpl_vector *u = cpl_vector_new(n), *v = cpl_vector_new(n);
    double *a = cpl_vector_get_data(u), *b = cpl_vector_get_data(v);
    char *used = calloc(n, 1);
    int i, j, result = 3;

    memcpy(a, x, n * sizeof *a);
    memcpy(b, y, n * sizeof *b);
    codes |= hdrl_sort_double_pairs(u, v);
    if (cpl_vector_get_size(u) != n || cpl_vector_get_size(v) != n)
        result = 0;
    a = cpl_vector_get_data(u);
    b = cpl_vector_get_data(v);
    for (i = 0; i < n && result; i++) {
        if (i && a[i] < a[i - 1])
            result &= ~1;
        for (j = 0; j < n; j++)
            if (!used[j] && x[j] == a[i] && y[j] == b[i])
                break;
        if (j == n)
            result &= ~2;
        else
            used[j] = 1;
    }
    free(used);
    cpl_vector_delete(u);
    cpl_vector_delete(v);
    return result;
}

int main(void)
{
    static const double x[] = {4, -2, 9.5, 0, 3}, y[] = {1, 5, 2, 4, 3}, ties[] = {2, 1, 2, 1, 2, 3};
    static const double z[] = {6, 5, 4, 3, 2, 1};
    static double up[600], down[600], mixed[600], other[600];
    cpl_vector *u, *v;
    double *a, *b;
    long live;
    int good, i, code;

    begin();
    check("the first array is sorted upwards", sorts(x, y, 5) & 1);
    check("the second is permuted in the same way", sorts(x, y, 5) == 3 && sorts(y, x, 5) == 3);
    u = cpl_vector_new(5);
    v = cpl_vector_new(5);
    a = memcpy(cpl_vector_get_data(u), x, sizeof x);
    b = memcpy(cpl_vector_get_data(v), y, sizeof y);
    codes |= hdrl_sort_double_pairs(u, v);
    good = b[0] == 5 && b[1] == 4 && b[2] == 3 && b[3] == 1 && b[4] == 2;
    check("the second is not sorted by itself", good);
    check("the vectors stay the ones they were", cpl_vector_get_data(u) == a && cpl_vector_get_data(v) == b &&
          cpl_vector_get_size(u) == 5 && cpl_vector_get_size(v) == 5);
    for (i = 0; i < 600; i++) {
        up[i] = i - 300;
        down[i] = 300 - i;
        mixed[i] = (i * 271 + 13) % 600 - 100.5;
        other[i] = i * 37 % 101;
    }
    check("sorted and reversed arrays are sorted", sorts(up, other, 50) == 3 && sorts(down, other, 50) == 3 &&
          sorts(up, down, 20) == 3 && sorts(down, up, 20) == 3);
    check("equal values keep their pairs", sorts(ties, z, 6) == 3 && sorts(other, mixed, 600) == 3);
    check("many pairs are sorted", sorts(mixed, other, 600) == 3 && sorts(down, mixed, 600) == 3);
    check("one pair stays", sorts(x, y, 1) == 3);
    check("a success returns CPL_ERROR_NONE", codes == CPL_ERROR_NONE && error() == 0);
    memcpy(a, x, sizeof x);
    code = hdrl_sort_double_pairs(NULL, u);
    good = memcmp(a, x, sizeof x) == 0;
    check("no first array is an error", code == CPL_ERROR_NULL_INPUT && error() == code);
    code = hdrl_sort_double_pairs(u, NULL);
    check("no second array is an error", code == CPL_ERROR_NULL_INPUT && error() == code);
    check("a refusal leaves the other array", good && memcmp(a, x, sizeof x) == 0);
    live = plus_live;
    hdrl_sort_double_pairs(u, v);
    check("nothing remains allocated", plus_live == live);
    cpl_vector_delete(u);
    cpl_vector_delete(v);
    return checked();
}
