/*---
 * tasks: [hdrl_bpm_fit_parameter_verify-81e147]
 * tests:
 *   a p-value alone is valid: 'hdrl_bpm_fit_parameter_create_pval gives such a parameter.'
 *   both chi thresholds are valid: 'hdrl_bpm_fit_parameter_create_rel_chi.'
 *   both coefficient thresholds are valid: 'hdrl_bpm_fit_parameter_create_rel_coef.'
 *   zero is a threshold: 'A criterion is unset by a negative value (create_pval passes -1).'
 *   degree 0 is valid: 'A constant is a polynomial; hdrl_fit: degree of polynomial.'
 *   a negative degree is refused: 'create_*: degree of fit.'
 *   a p-value above 100 is refused: 'hdrl_bpm_fit_parameter_create_parlist: "(in percent)".'
 *   a p-value of 100 is valid: 'The same.'
 *   a lower chi threshold alone is refused: 'create_rel_chi: lower and upper threshold.'
 *   an upper chi threshold alone is refused: 'The same.'
 *   a lower coefficient threshold alone is refused: 'create_rel_coef: lower and upper threshold.'
 *   an upper coefficient threshold alone is refused: 'The same.'
 *   a p-value and chi are refused: 'create_all: "only one cut must be > 0".'
 *   a p-value and coefficients are refused: 'The same.'
 *   chi and coefficients are refused: 'The same.'
 *   all three are refused: 'The same.'
 *   no criterion is refused: 'The same.'
 *   another parameter is refused: 'Docstring: "verify that the parameter is a valid bpm_fit_parameter".'
 *   an error is set for NULL: 'Docstring: the same.'
 *   the error is set and returned: 'Docstring: "return error code".'
 *   a valid parameter sets no error: 'The same.'
 *   the parameter stays: 'It is const.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_bpm_fit.c"
#include "hdrl_collapse.h"

static int same = 1, quiet = 1, kept = 1;

static int verify(int degree, double pval, double chi_l, double chi_h, double coef_l, double coef_h)
{
    hdrl_bpm_fit_parameter *p = (hdrl_bpm_fit_parameter *)hdrl_parameter_new(&hdrl_bpm_fit_parameter_type), old;
    int code, set;

    p->degree = degree;
    p->pval = pval;
    p->rel_chi_l = chi_l;
    p->rel_chi_h = chi_h;
    p->rel_coef_l = coef_l;
    p->rel_coef_h = coef_h;
    memcpy(&old, p, sizeof old);
    code = hdrl_bpm_fit_parameter_verify((hdrl_parameter *)p);
    set = error();
    same = same && code == set;
    quiet = quiet && (code || !set);
    kept = kept && memcmp(&old, p, sizeof old) == 0;
    hdrl_parameter_delete((hdrl_parameter *)p);
    return code;
}

int main(void)
{
    const int bad = CPL_ERROR_ILLEGAL_INPUT;
    hdrl_parameter *other;
    int good;

    begin();
    check("a p-value alone is valid", !verify(1, 5, -1, -1, -1, -1) && !verify(3, 0.001, -2, -3, -4, -5));
    check("both chi thresholds are valid", !verify(1, -1, 2, 3, -1, -1) && !verify(2, -0.5, 9, 0.1, -1, -2));
    check("both coefficient thresholds are valid", !verify(1, -1, -1, -1, 2, 3) && !verify(1, -7, -1, -8, 150, 0.1));
    good = !verify(1, 0, -1, -1, -1, -1) && !verify(1, -1, 0, 0, -1, -1) && !verify(1, -1, 0, 2, -1, -1) &&
           !verify(1, -1, 2, 0, -1, -1) && !verify(1, -1, -1, -1, 0, 0) && !verify(1, -1, -1, -1, 0, 4) &&
           !verify(1, -1, -1, -1, 4, 0);
    check("zero is a threshold", good);
    check("degree 0 is valid", !verify(0, 5, -1, -1, -1, -1) && !verify(0, -1, 1, 1, -1, -1));
    good = verify(-1, 5, -1, -1, -1, -1) == bad && verify(-3, -1, 1, 1, -1, -1) == bad &&
           verify(-1, -1, -1, -1, 1, 1) == bad;
    check("a negative degree is refused", good);
    good = verify(1, 100.001, -1, -1, -1, -1) == bad && verify(1, 101, -1, -1, -1, -1) == bad;
    check("a p-value above 100 is refused", good);
    check("a p-value of 100 is valid", !verify(1, 100, -1, -1, -1, -1) && !verify(1, 99.999, -1, -1, -1, -1));
    good = verify(1, -1, 2, -1, -1, -1) == bad && verify(1, -1, 0, -1, -1, -1) == bad;
    check("a lower chi threshold alone is refused", good);
    good = verify(1, -1, -1, 2, -1, -1) == bad && verify(1, -1, -0.1, 0, -1, -1) == bad;
    check("an upper chi threshold alone is refused", good);
    good = verify(1, -1, -1, -1, 2, -1) == bad && verify(1, -1, -1, -1, 0, -0.1) == bad;
    check("a lower coefficient threshold alone is refused", good);
    good = verify(1, -1, -1, -1, -1, 2) == bad && verify(1, -1, -1, -1, -1, 0) == bad;
    check("an upper coefficient threshold alone is refused", good);
    good = verify(1, 5, 1, 1, -1, -1) == bad && verify(1, 0, 0, 0, -1, -1) == bad && verify(1, 5, 1, -1, -1, -1) == bad
           && verify(1, 5, -1, 0, -1, -1) == bad;
    check("a p-value and chi are refused", good);
    good = verify(1, 5, -1, -1, 1, 1) == bad && verify(1, 0, -1, -1, 0, 0) == bad && verify(1, 5, -1, -1, 0, -1) == bad
           && verify(1, 5, -1, -1, -1, 1) == bad;
    check("a p-value and coefficients are refused", good);
    good = verify(1, -1, 1, 1, 1, 1) == bad && verify(1, -1, 0, 0, 0, 0) == bad && verify(1, -1, 1, 1, 1, -1) == bad &&
           verify(1, -1, 1, 1, -1, 1) == bad;
    check("chi and coefficients are refused", good);
    check("all three are refused", verify(1, 5, 1, 1, 1, 1) == bad && verify(1, 0, 0, 0, 0, 0) == bad);
    check("no criterion is refused", verify(1, -1, -1, -1, -1, -1) == bad);
    other = hdrl_collapse_mean_parameter_create();
    hdrl_bpm_fit_parameter_verify(other);
    check("another parameter is refused", error() != 0);
    hdrl_parameter_delete(other);
    hdrl_bpm_fit_parameter_verify(NULL);
    check("an error is set for NULL", error() == CPL_ERROR_NULL_INPUT);
    check("the error is set and returned", same);
    check("a valid parameter sets no error", quiet);
    check("the parameter stays", kept);
    return checked();
}
