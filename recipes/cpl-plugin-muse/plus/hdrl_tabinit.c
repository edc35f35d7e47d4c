/*---
 * tasks: [hdrl_tabinit-d1dbc0]
 * tests:
 *   a success is told: 'Docstring: "CPL_ERROR_NONE if all went well".'
 *   an empty table is made: 'hdrl_tabinit_gen: "create the table with a default number of rows", none.'
 *   the table has all columns: 'hdrl_cat_table.c: ttype, "Name assigned of columns in the table".'
 *   the columns have their types: 'hdrl_cat_table.c: g_tform; the number is an integer.'
 *   the columns have their units: 'hdrl_cat_table.c: tunit.'
 *   the x column is that of the x coordinate: 'Parameter xcol; hdrl_cat_conf.c takes its name and WCS.'
 *   the y column is that of the y coordinate: 'Parameter ycol; hdrl_cat_conf.c takes its name and WCS.'
 *   a segmentation map is made on demand: 'hdrl_catalogue_options: HDRL_CATALOGUE_SEGMAP.'
 *   the segmentation map has the size of the image: 'ap_t: lsiz, "size of a line"; csiz, "size of a column".'
 *   the segmentation map is of integers: 'hdrl_cat_conf.c writes it as data of int.'
 *   the segmentation map is empty: 'hdrl_cat_conf.c marks the pixels of objects alone.'
 *   without demand there is no segmentation map: 'hdrl_catalogue_options.'
 *   a background is made on demand: 'hdrl_catalogue_options: HDRL_CATALOGUE_BKG.'
 *   the background has the size of the image: 'ap_t: lsiz, "size of a line"; csiz, "size of a column".'
 *   the background is of doubles: 'hdrl_cat_background.c writes it as data of double.'
 *   without demand there is no background: 'hdrl_catalogue_options.'
 *   both are made of all: 'hdrl_catalogue_options: HDRL_CATALOGUE_ALL.'
 *   the complete catalogue asks for none of both: 'hdrl_catalogue_options: HDRL_CATALOGUE_CAT_COMPLETE.'
 *   no option asks for none of both: 'hdrl_catalogue_options are bits.'
 *   the table is made whatever is asked for: 'Caller hdrl_cat_conf.c needs the table in each case.'
 *   no error is set: 'Docstring: "CPL_ERROR_NONE if all went well".'
 *   the structure stays: 'Parameter ap, "the current ap structure".'
 *   what is made is all that is left: 'Callers delete the table and the images.'
 ---*/
#include "plus.h"
#include "hdrl_cat_table.h"

static ap_t ap;
static hdrl_casu_result res;
static cpl_table *table;
static cpl_size xcol, ycol;

static int init(int options)
{
    table = NULL;
    xcol = ycol = -5;
    res.segmentation_map = res.background = (cpl_image *) 1;
    return hdrl_tabinit(&ap, &xcol, &ycol, options, &table, &res);
}

static void drop(void)
{
    cpl_table_delete(table);
    cpl_image_delete(res.segmentation_map);
    cpl_image_delete(res.background);
}

static int sized(const cpl_image *image)
{
    return image && cpl_image_get_size_x(image) == 31 && cpl_image_get_size_y(image) == 17;
}

static int is_column(int number, const char *name)
{
    cpl_array *names = cpl_table_get_column_names(table);
    int good = number >= 1 && number <= cpl_array_get_size(names) &&
               !strcmp(cpl_array_get_string(names, number - 1), name);

    cpl_array_delete(names);
    return good;
}

static int has(const char *name, cpl_type type, const char *unit)
{
    return cpl_table_has_column(table, name) && (type == 0 || cpl_table_get_column_type(table, name) == type) &&
           (!unit || !strcmp(cpl_table_get_column_unit(table, name), unit));
}

int main(void)
{
    static const char *const some[] = {
        "Sequence_number", "Isophotal_flux", "X_coordinate", "X_coordinate_err", "Y_coordinate", "Y_coordinate_err",
        "Gaussian_sigma", "Ellipticity", "Position_angle", "Areal_1_profile", "Areal_8_profile", "Peak_height",
        "Aper_flux_1", "Aper_flux_13", "Aper_flux_13_err", "Petr_radius", "Kron_radius", "Half_radius",
        "Half_flux_err", "Error_bit_flag", "Sky_level", "Sky_rms", "Av_conf", "RA", "DEC", "Classification",
        "Statistic", "FWHM"};
    ap_t before;
    long live;
    int i, good, told = 1, errors = 0, tables = 1;

    begin();
    ap.lsiz = 31;
    ap.csiz = 17;
    ap.thresh = 7;
    before = ap;
    told = init(HDRL_CATALOGUE_ALL) == CPL_ERROR_NONE;
    errors |= error();
    if (!table)
        exit(1);
    check("an empty table is made", cpl_table_get_nrow(table) == 0);
    for (good = 1, i = 0; i < sizeof some / sizeof *some; i++)
        good = good && cpl_table_has_column(table, some[i]);
    check("the table has all columns", good && cpl_table_get_ncol(table) == 63);
    for (good = 1, i = 1; i < sizeof some / sizeof *some; i++)
        good = good && has(some[i], CPL_TYPE_DOUBLE, NULL);
    check("the columns have their types", good && has("Sequence_number", CPL_TYPE_INT, NULL));
    check("the columns have their units",
          has("Sequence_number", 0, "Number") && has("Isophotal_flux", 0, "ADU") && has("X_coordinate", 0, "Pixels") &&
          has("Position_angle", 0, "Degrees") && has("RA", 0, "Degrees") && has("Classification", 0, "Flag") &&
          has("Statistic", 0, "N-sigma") && has("FWHM", 0, "Pixels"));
    check("the x column is that of the x coordinate", is_column(xcol, "X_coordinate"));
    check("the y column is that of the y coordinate", is_column(ycol, "Y_coordinate"));
    check("the segmentation map has the size of the image", sized(res.segmentation_map));
    check("the segmentation map is of integers",
          res.segmentation_map && cpl_image_get_type(res.segmentation_map) == CPL_TYPE_INT);
    check("the segmentation map is empty",
          res.segmentation_map && cpl_image_get_max(res.segmentation_map) == 0 &&
          cpl_image_get_min(res.segmentation_map) == 0);
    check("the background has the size of the image", sized(res.background));
    check("the background is of doubles", res.background && cpl_image_get_type(res.background) == CPL_TYPE_DOUBLE);
    check("both are made of all", res.background && res.segmentation_map && res.background != res.segmentation_map);
    drop();
    told = told && init(HDRL_CATALOGUE_SEGMAP) == CPL_ERROR_NONE;
    errors |= error();
    tables = tables && table && cpl_table_get_ncol(table) == 63 && is_column(xcol, "X_coordinate");
    check("a segmentation map is made on demand", sized(res.segmentation_map));
    check("without demand there is no background", res.background == NULL);
    drop();
    told = told && init(HDRL_CATALOGUE_BKG) == CPL_ERROR_NONE;
    errors |= error();
    tables = tables && table && cpl_table_get_ncol(table) == 63 && is_column(ycol, "Y_coordinate");
    check("a background is made on demand", sized(res.background));
    check("without demand there is no segmentation map", res.segmentation_map == NULL);
    drop();
    told = told && init(HDRL_CATALOGUE_CAT_COMPLETE) == CPL_ERROR_NONE;
    errors |= error();
    tables = tables && table && cpl_table_get_ncol(table) == 63;
    check("the complete catalogue asks for none of both", !res.background && !res.segmentation_map);
    drop();
    told = told && init(0) == CPL_ERROR_NONE;
    errors |= error();
    tables = tables && table && cpl_table_get_ncol(table) == 63 && xcol > 0 && ycol > 0;
    check("no option asks for none of both", !res.background && !res.segmentation_map);
    drop();
    check("the table is made whatever is asked for", tables);
    live = plus_live;
    init(HDRL_CATALOGUE_ALL);
    good = plus_live > live;
    drop();
    check("what is made is all that is left", good && plus_live == live);
    check("a success is told", told);
    check("no error is set", !errors);
    check("the structure stays", !memcmp(&before, &ap, sizeof ap));
    return checked();
}
