/*---
 * tasks: [hdrl_mime_linalg_pairwise_column_tensor_products_create-fbafc5]
 * tests:
 *   equal matrices have the lower pairs: 'Docstring: "created iff j1*(nc2-1) + j2*(nc1-1) <= (nc1-1)*(nc2-1)".'
 *   the pairs of different numbers of columns: 'The same.'
 *   a pair on the bound belongs to it: 'The same: <=.'
 *   the product has the rows of both: 'hdrl_mime_linalg_tensor_products_columns_create: "(nr1*nr2) x nc".'
 *   the values are the tensor products of the columns: 'The same.'
 *   one column with several: 'Docstring: iff; with nc1 of 1 the bound is 0.'
 *   several columns with one: 'The same with nc2 of 1.'
 *   one column with one: 'The same.'
 *   one row is multiplied: 'Docstring: "may have different dimensions".'
 *   no first matrix is an error: 'hdrl_mime: NULL_INPUT.'
 *   no second matrix is an error: 'The same.'
 *   a success sets no error: 'Docstring: it returns the product.'
 *   the matrices stay: 'They are const.'
 *   the same matrix may be given twice: 'They are const.'
 *   the product is freed with cpl_matrix_delete: 'hdrl_fit_legendre deletes it.'
 *   an error leaves nothing behind: 'It returns NULL.'
 ---*/
#include "plus.h"
#include "hdrl_prototyping.h"

/* A matrix of values that are all different. */
static cpl_matrix *matrix_of(int rows, int columns, double from)
{
    cpl_matrix *m = cpl_matrix_new(rows, columns);
    int i, j;

    for (i = 0; i < rows; i++)
        for (j = 0; j < columns; j++)
            cpl_matrix_set(m, i, j, from + 1.37 * i + 0.611 * j * (i + 2));
    return m;
}

enum {COUNT = 1, ROWS = 2, VALUES = 4, CLEAN = 8, KEPT = 16, ALL = 31};

static int fits(int nr1, int nc1, int nr2, int nc2, int wanted)
{
    cpl_matrix *a = matrix_of(nr1, nc1, 3), *b = matrix_of(nr2, nc2, -7), *t;
    cpl_matrix *a2 = cpl_matrix_duplicate(a), *b2 = cpl_matrix_duplicate(b);
    int j1, j2, i1, i2, k, result = 0, used[99] = {0};

    t = hdrl_mime_linalg_pairwise_column_tensor_products_create(a, b);
    if (t) {
        result = ALL;
        if (error())
            result &= ~CLEAN;
        if (cpl_matrix_get_ncol(t) != wanted)
            result &= ~COUNT;
        if (cpl_matrix_get_nrow(t) != nr1 * nr2)
            result = 0;
        for (j1 = 0; result && j1 < nc1; j1++)
            for (j2 = 0; j2 < nc2; j2++) {
                if (j1 * (nc2 - 1) + j2 * (nc1 - 1) > (nc1 - 1) * (nc2 - 1))
                    continue;
                for (k = 0; k < cpl_matrix_get_ncol(t); k++) {
                    int same = !used[k];

                    for (i1 = 0; i1 < nr1; i1++)
                        for (i2 = 0; i2 < nr2; i2++)
                            same = same && near(cpl_matrix_get(t, i1 * nr2 + i2, k), cpl_matrix_get(a2, i1, j1) *
                                                cpl_matrix_get(b2, i2, j2), 1e-9);
                    if (same)
                        break;
                }
                if (k == cpl_matrix_get_ncol(t))
                    result &= ~VALUES;
                else
                    used[k] = 1;
            }
        for (i1 = 0; i1 < nr1 * nc1; i1++)
            if (cpl_matrix_get_data(a)[i1] != cpl_matrix_get_data(a2)[i1])
                result &= ~KEPT;
        for (i1 = 0; i1 < nr2 * nc2; i1++)
            if (cpl_matrix_get_data(b)[i1] != cpl_matrix_get_data(b2)[i1])
                result &= ~KEPT;
    }
    error();
    cpl_matrix_delete(t);
    cpl_matrix_delete(a);
    cpl_matrix_delete(b);
    cpl_matrix_delete(a2);
    cpl_matrix_delete(b2);
    return result;
}

int main(void)
{
    cpl_matrix *a, *t;
    long live;
    int all, good;

    begin();
    good = fits(4, 3, 5, 3, 6) & fits(2, 4, 3, 4, 10) & fits(3, 2, 2, 2, 3) & COUNT;
    check("equal matrices have the lower pairs", good);
    good = fits(4, 3, 2, 5, 9) & fits(2, 5, 4, 3, 9) & fits(3, 2, 3, 4, 5) & fits(3, 4, 3, 3, 7) & COUNT;
    check("the pairs of different numbers of columns", good);
    check("a pair on the bound belongs to it", fits(2, 3, 2, 5, 9) == ALL && fits(2, 2, 2, 2, 3) == ALL);
    all = fits(4, 3, 2, 5, 9) & fits(2, 5, 4, 3, 9) & fits(3, 3, 3, 3, 6) & fits(6, 2, 5, 4, 5);
    check("the product has the rows of both", all & ROWS);
    check("the values are the tensor products of the columns", all & VALUES);
    check("a success sets no error", all & CLEAN);
    check("the matrices stay", all & KEPT);
    check("one column with several", fits(3, 1, 2, 4, 4) == ALL);
    check("several columns with one", fits(3, 4, 2, 1, 4) == ALL);
    check("one column with one", fits(3, 1, 2, 1, 1) == ALL);
    check("one row is multiplied", fits(1, 3, 1, 3, 6) == ALL && fits(1, 2, 7, 3, 4) == ALL);
    a = matrix_of(3, 3, 1);
    t = hdrl_mime_linalg_pairwise_column_tensor_products_create(a, a);
    good = t && error() == 0 && cpl_matrix_get_nrow(t) == 9 && cpl_matrix_get_ncol(t) == 6;
    check("the same matrix may be given twice", good);
    cpl_matrix_delete(t);
    live = plus_live;
    t = hdrl_mime_linalg_pairwise_column_tensor_products_create(a, a);
    good = t != NULL;
    cpl_matrix_delete(t);
    check("the product is freed with cpl_matrix_delete", good && plus_live == live);
    hdrl_mime_linalg_pairwise_column_tensor_products_create(NULL, NULL);
    error();
    live = plus_live;
    t = hdrl_mime_linalg_pairwise_column_tensor_products_create(NULL, a);
    check("no first matrix is an error", t == NULL && error() == CPL_ERROR_NULL_INPUT);
    t = hdrl_mime_linalg_pairwise_column_tensor_products_create(a, NULL);
    check("no second matrix is an error", t == NULL && error() == CPL_ERROR_NULL_INPUT);
    check("an error leaves nothing behind", plus_live == live);
    cpl_matrix_delete(a);
    return checked();
}
