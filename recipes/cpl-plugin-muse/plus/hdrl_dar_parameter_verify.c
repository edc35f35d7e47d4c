/*---
 * tasks: [hdrl_dar_parameter_verify-b33589]
 * tests:
 *   usual parameters are valid: 'Docstring: "CPL_ERROR_NONE if everything is ok".'
 *   parameters without an error are valid: 'The same; hdrl_value.error 0 is exact.'
 *   angles of both signs are valid: 'hdrl_dar-test.c; hdrl_dar_parameter: angles on the sky in degrees.'
 *   a dry and a saturated air are valid: 'hdrl_dar_parameter: relative humidity in per cent.'
 *   frost is valid: 'hdrl_dar_parameter: temperature in Celsius; hdrl_dar-test.c has -6.2.'
 *   no pressure is valid: 'hdrl_dar_parameter: pressure in mbar; nothing is below 0.'
 *   a negative air mass is refused: 'hdrl_dar-test.c: -1 is "non valid".'
 *   a temperature below absolute zero is refused: 'hdrl_dar_parameter: temperature in Celsius.'
 *   a humidity below 0 is refused: 'hdrl_dar_parameter: per cent.'
 *   a humidity above 100 is refused: 'The same.'
 *   a negative pressure is refused: 'hdrl_dar_parameter: pressure in mbar.'
 *   a negative error of the air mass is refused: 'hdrl_value: an error is no negative number.'
 *   a negative error of the parallactic angle is refused: 'The same.'
 *   a negative error of the position angle is refused: 'The same.'
 *   a negative error of the temperature is refused: 'The same.'
 *   a negative error of the humidity is refused: 'The same.'
 *   a negative error of the pressure is refused: 'The same.'
 *   no world coordinates are refused: 'hdrl_dar_compute reads wcs without asking again.'
 *   no parameter is refused: 'Docstring: "an error code otherwise".'
 *   a parameter of another type is refused: 'hdrl_dar_compute takes any hdrl_parameter and casts it.'
 *   the code returned is the code set: 'CPL: a function that fails sets the error that it returns.'
 *   a valid parameter sets no error: 'The same.'
 *   the parameter stays: 'It is const.'
 ---*/
#include "plus.h"
#include "../../hdrl/hdrl_dar.c"
#include "hdrl_collapse.h"

enum {AIRMASS, PARANG, POSANG, TEMP, RHUM, PRES};

static int same = 1, quiet = 1, kept = 1;
static cpl_wcs *wcs;

/* The usual parameters but for one, its error or the coordinates. */
static int verify(int which, double data, double err, cpl_wcs *with)
{
    hdrl_dar_parameter *p = (hdrl_dar_parameter *)hdrl_parameter_new(&hdrl_dar_parameter_type), old;
    hdrl_value *fields[] = {&p->airmass, &p->parang, &p->posang, &p->temp, &p->rhum, &p->pres};
    int code, set;

    p->airmass = (hdrl_value){1.2, 0.1};
    p->parang = (hdrl_value){65, 1};
    p->posang = (hdrl_value){-30, 2};
    p->temp = (hdrl_value){12, 0.5};
    p->rhum = (hdrl_value){14.5, 1};
    p->pres = (hdrl_value){743, 3};
    p->wcs = with;
    *fields[which] = (hdrl_value){data, err};
    memcpy(&old, p, sizeof old);
    code = hdrl_dar_parameter_verify((hdrl_parameter *)p);
    set = error();
    same = same && code == set;
    quiet = quiet && (code || !set);
    kept = kept && memcmp(&old, p, sizeof old) == 0;
    cpl_free(p);
    return code;
}

int main(void)
{
    const int bad = CPL_ERROR_ILLEGAL_INPUT;
    cpl_propertylist *list;
    hdrl_parameter *other;
    int good, code;

    begin();
    list = cpl_propertylist_new();
    cpl_propertylist_append_int(list, "NAXIS", 2);
    cpl_propertylist_append_int(list, "NAXIS1", 10);
    cpl_propertylist_append_int(list, "NAXIS2", 10);
    cpl_propertylist_append_string(list, "CTYPE1", "RA---TAN");
    cpl_propertylist_append_string(list, "CTYPE2", "DEC--TAN");
    cpl_propertylist_append_double(list, "CRVAL1", 10);
    cpl_propertylist_append_double(list, "CRVAL2", -20);
    cpl_propertylist_append_double(list, "CRPIX1", 5);
    cpl_propertylist_append_double(list, "CRPIX2", 5);
    cpl_propertylist_append_double(list, "CD1_1", -5e-5);
    cpl_propertylist_append_double(list, "CD1_2", 0);
    cpl_propertylist_append_double(list, "CD2_1", 0);
    cpl_propertylist_append_double(list, "CD2_2", 5e-5);
    wcs = cpl_wcs_new_from_propertylist(list);
    error();
    check("usual parameters are valid", wcs && verify(AIRMASS, 1.4, 0.2, wcs) == CPL_ERROR_NONE);
    good = !verify(AIRMASS, 1, 0, wcs) && !verify(PARANG, 10, 0, wcs) && !verify(POSANG, 10, 0, wcs) &&
           !verify(TEMP, 10, 0, wcs) && !verify(RHUM, 10, 0, wcs) && !verify(PRES, 1000, 0, wcs);
    check("parameters without an error are valid", good);
    good = !verify(PARANG, -157.9, 1, wcs) && !verify(PARANG, 0, 1, wcs) && !verify(PARANG, 179, 1, wcs) &&
           !verify(POSANG, -179, 1, wcs) && !verify(POSANG, 0, 1, wcs) && !verify(POSANG, 179, 1, wcs);
    check("angles of both signs are valid", good);
    good = !verify(RHUM, 0, 1, wcs) && !verify(RHUM, 100, 1, wcs) && !verify(RHUM, 0, 0, wcs);
    check("a dry and a saturated air are valid", good);
    good = !verify(TEMP, -6.2, 1, wcs) && !verify(TEMP, 0, 1, wcs) && !verify(TEMP, -273, 1, wcs);
    check("frost is valid", good);
    check("no pressure is valid", !verify(PRES, 0, 1, wcs));
    good = verify(AIRMASS, -1, 0, wcs) == bad && verify(AIRMASS, -0.01, 0.1, wcs) == bad;
    check("a negative air mass is refused", good);
    good = verify(TEMP, -273.2, 0, wcs) == bad && verify(TEMP, -300, 1, wcs) == bad;
    check("a temperature below absolute zero is refused", good);
    good = verify(RHUM, -0.01, 0, wcs) == bad && verify(RHUM, -1, 1, wcs) == bad;
    check("a humidity below 0 is refused", good);
    good = verify(RHUM, 100.01, 0, wcs) == bad && verify(RHUM, 101, 1, wcs) == bad;
    check("a humidity above 100 is refused", good);
    check("a negative pressure is refused", verify(PRES, -0.01, 0, wcs) == bad && verify(PRES, -5, 1, wcs) == bad);
    good = verify(AIRMASS, 1.2, -0.01, wcs) == bad && verify(AIRMASS, 1.2, -1, wcs) == bad;
    check("a negative error of the air mass is refused", good);
    good = verify(PARANG, 65, -0.01, wcs) == bad && verify(PARANG, 65, -1, wcs) == bad;
    check("a negative error of the parallactic angle is refused", good);
    good = verify(POSANG, -30, -0.01, wcs) == bad && verify(POSANG, 30, -1, wcs) == bad;
    check("a negative error of the position angle is refused", good);
    good = verify(TEMP, 12, -0.01, wcs) == bad && verify(TEMP, -12, -1, wcs) == bad;
    check("a negative error of the temperature is refused", good);
    good = verify(RHUM, 14.5, -0.01, wcs) == bad && verify(RHUM, 14.5, -1, wcs) == bad;
    check("a negative error of the humidity is refused", good);
    good = verify(PRES, 743, -0.01, wcs) == bad && verify(PRES, 743, -1, wcs) == bad;
    check("a negative error of the pressure is refused", good);
    check("no world coordinates are refused", verify(AIRMASS, 1.2, 0.1, NULL) == CPL_ERROR_NULL_INPUT);
    code = hdrl_dar_parameter_verify(NULL);
    check("no parameter is refused", code == CPL_ERROR_NULL_INPUT && error() == code);
    other = hdrl_collapse_mean_parameter_create();
    code = hdrl_dar_parameter_verify(other);
    check("a parameter of another type is refused", code != CPL_ERROR_NONE && error() == code);
    hdrl_parameter_delete(other);
    check("the code returned is the code set", same);
    check("a valid parameter sets no error", quiet);
    check("the parameter stays", kept);
    cpl_wcs_delete(wcs);
    cpl_propertylist_delete(list);
    return checked();
}
