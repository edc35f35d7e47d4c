/*---
 * tasks: [polyfit1d-81ebdd]
 * tests:
 *   a line is fitted: 'Docstring: "perform 1d polynomial least squares fit".'
 *   a polynomial of the degree is fitted: 'Docstring: "degree of polynomial to fit".'
 *   degree 0 gives the mean: 'The same; least squares.'
 *   there is a coefficient more than the degree: 'The same.'
 *   the fit is that of least squares: 'Docstring: "least squares fit".'
 *   the errors weigh the values: 'Docstring: "errors to fit".'
 *   without errors the values weigh the same: 'fit takes no errors too.'
 *   the covariance is that of the errors: 'hdrl_ls_fit_result: "covariance matrix of coefficients".'
 *   the sample need be neither even nor in order: 'Docstring: "sampling points".'
 *   the fitted values can be asked for: 'hdrl_ls_fit_result_get_fitted_values uses the design matrix.'
 *   the vectors stay: 'They are const.'
 *   the result is freed and nothing else remains: 'Docstring: "must be deleted with hdrl_ls_fit_result_delete()".'
 *   no error is set: 'It returns the fit.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_fit.c"

static cpl_vector *vector_of(int n, const double *values)
{
    cpl_vector *v = cpl_vector_new(n);

    memcpy(cpl_vector_get_data(v), values, n * sizeof *values);
    return v;
}

static double coef(const hdrl_ls_fit_result *r, int j)
{
    return cpl_matrix_get_data(r->coef)[j];
}

int main(void)
{
    static const double at[] = {3, -1, 0.5, 7, 2, -2.5, 4.25}, ones[] = {1, 1, 1, 1, 1, 1, 1};
    static const double scatter[] = {2, 9, 4, -3, 6, 1, 8}, errors[] = {0.5, 2, 1, 4, 0.25, 1.5, 3};
    double line[7], cubic[7], sw = 0, swx = 0, swy = 0, swxx = 0, swxy = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, d, e;
    cpl_vector *x, *l, *c, *s, *one, *err, *values;
    hdrl_ls_fit_result *r;
    long live;
    int good, i;

    begin();
    for (i = 0; i < 7; i++) {
        double w = 1 / (errors[i] * errors[i]);

        line[i] = 4 - 2.5 * at[i];
        cubic[i] = 1 + 2 * at[i] - 0.5 * at[i] * at[i] + 0.25 * at[i] * at[i] * at[i];
        sw += w, swx += w * at[i], swy += w * scatter[i], swxx += w * at[i] * at[i], swxy += w * at[i] * scatter[i];
        sx += at[i], sy += scatter[i], sxx += at[i] * at[i], sxy += at[i] * scatter[i];
    }
    x = vector_of(7, at);
    l = vector_of(7, line);
    c = vector_of(7, cubic);
    s = vector_of(7, scatter);
    one = vector_of(7, ones);
    err = vector_of(7, errors);
    r = polyfit1d(x, l, one, 1);
    check("a line is fitted", r && r->coef && near(coef(r, 0), 4, 1e-9) && near(coef(r, 1), -2.5, 1e-9));
    hdrl_ls_fit_result_delete(r);
    r = polyfit1d(x, c, err, 3);
    good = r && near(coef(r, 0), 1, 1e-7) && near(coef(r, 1), 2, 1e-7) && near(coef(r, 2), -0.5, 1e-7) &&
           near(coef(r, 3), 0.25, 1e-7);
    check("a polynomial of the degree is fitted", good);
    check("the sample need be neither even nor in order", good);
    values = hdrl_ls_fit_result_get_fitted_values(r);
    for (good = values && cpl_vector_get_size(values) == 7, i = 0; good && i < 7; i++)
        good = near(cpl_vector_get(values, i), cubic[i], 1e-7);
    check("the fitted values can be asked for", good);
    cpl_vector_delete(values);
    good = cpl_matrix_get_nrow(r->coef) * cpl_matrix_get_ncol(r->coef) == 4;
    hdrl_ls_fit_result_delete(r);
    r = polyfit1d(x, s, one, 0);
    check("degree 0 gives the mean", r && near(coef(r, 0), sy / 7, 1e-9));
    good = good && cpl_matrix_get_nrow(r->coef) * cpl_matrix_get_ncol(r->coef) == 1;
    check("there is a coefficient more than the degree", good);
    hdrl_ls_fit_result_delete(r);
    r = polyfit1d(x, s, one, 1);
    d = 7 * sxx - sx * sx;
    good = r && near(coef(r, 0), (sxx * sy - sx * sxy) / d, 1e-9) && near(coef(r, 1), (7 * sxy - sx * sy) / d, 1e-9);
    check("the fit is that of least squares", good);
    hdrl_ls_fit_result_delete(r);
    r = polyfit1d(x, s, err, 1);
    e = sw * swxx - swx * swx;
    good = r && near(coef(r, 0), (swxx * swy - swx * swxy) / e, 1e-9) &&
           near(coef(r, 1), (sw * swxy - swx * swy) / e, 1e-9);
    check("the errors weigh the values", good);
    good = r && r->cov && cpl_matrix_get_nrow(r->cov) == 2 && near(cpl_matrix_get(r->cov, 0, 0), swxx / e, 1e-9) &&
           near(cpl_matrix_get(r->cov, 1, 1), sw / e, 1e-9) && near(cpl_matrix_get(r->cov, 0, 1), -swx / e, 1e-9);
    check("the covariance is that of the errors", good);
    hdrl_ls_fit_result_delete(r);
    r = polyfit1d(x, s, NULL, 1);
    good = r && near(coef(r, 0), (sxx * sy - sx * sxy) / d, 1e-9) && near(coef(r, 1), (7 * sxy - sx * sy) / d, 1e-9);
    check("without errors the values weigh the same", good);
    hdrl_ls_fit_result_delete(r);
    good = !memcmp(cpl_vector_get_data(x), at, sizeof at) &&
           !memcmp(cpl_vector_get_data(err), errors, sizeof errors) &&
           !memcmp(cpl_vector_get_data(s), scatter, sizeof scatter);
    check("the vectors stay", good);
    live = plus_live;
    r = polyfit1d(x, s, err, 2);
    good = r != NULL;
    hdrl_ls_fit_result_delete(r);
    check("the result is freed and nothing else remains", good && plus_live == live);
    check("no error is set", error() == 0);
    cpl_vector_delete(x);
    cpl_vector_delete(l);
    cpl_vector_delete(c);
    cpl_vector_delete(s);
    cpl_vector_delete(one);
    cpl_vector_delete(err);
    return checked();
}
