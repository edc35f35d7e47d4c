/*---
 * tasks: [muse_pixtable_duplicate-75af2a]
 * link: [muse/.libs/libmuse.a]
 * goals: [muse/.libs/libmuse.a]
 * tests:
 *   the copy has the rows and columns: 'Docstring: "Make a copy of the pixel table".'
 *   the copy has the values: 'Docstring: "column data are duplicated".'
 *   invalid elements stay invalid: 'The same.'
 *   the column data are copied in depth: 'Docstring: "in depth: [...] not just their pointers".'
 *   the selection is transferred: 'Docstring: "the selection flags of the original table are transferred".'
 *   the header is copied: 'Docstring: "The header of the pixel table are copied, too".'
 *   the header is a copy of its own: 'Docstring: "in depth".'
 *   the flat-field spectrum is copied: 'muse_pixtable: ffspec is a part of it.'
 *   the flat-field spectrum is copied in depth: 'Docstring: "in depth".'
 *   without a flat-field spectrum the copy has none: 'muse_pixtable.h: "may contain"; callers ask for it.'
 *   the copy outlives the original: 'muse_postproc.c deletes either.'
 *   the original stays: 'It is copied.'
 *   no error is set: 'The copy is complete.'
 *   NULL gives NULL without an error: 'Docstring: "causes no error to be raised".'
 *   muse_pixtable_delete frees all of the copy: 'muse_pixtable_delete.'
 ---*/
#include "plus.h"
#include "muse.h"

static muse_pixtable *original(int flat)
{
    muse_pixtable *pt = cpl_calloc(1, sizeof *pt);
    int i;

    pt->table = muse_cpltable_new(muse_pixtable_def, 6);
    for (i = 0; i < 6; i++) {
        cpl_table_set_float(pt->table, MUSE_PIXTABLE_XPOS, i, i);
        cpl_table_set_float(pt->table, MUSE_PIXTABLE_YPOS, i, i * 2);
        cpl_table_set_float(pt->table, MUSE_PIXTABLE_LAMBDA, i, 5000 + i);
        cpl_table_set_float(pt->table, MUSE_PIXTABLE_DATA, i, 0.5 + i);
        cpl_table_set_float(pt->table, MUSE_PIXTABLE_STAT, i, 0.25 + i);
        cpl_table_set_int(pt->table, MUSE_PIXTABLE_DQ, i, i + 16);
        cpl_table_set_int(pt->table, MUSE_PIXTABLE_ORIGIN, i, i + 1000);
    }
    pt->header = cpl_propertylist_new();
    cpl_propertylist_append_string(pt->header, "OBJECT", "a star");
    cpl_propertylist_append_double(pt->header, "EXPTIME", 600.5);
    if (flat) {
        pt->ffspec = cpl_table_new(3);
        cpl_table_new_column(pt->ffspec, "lambda", CPL_TYPE_DOUBLE);
        cpl_table_new_column(pt->ffspec, "data", CPL_TYPE_DOUBLE);
        for (i = 0; i < 3; i++) {
            cpl_table_set_double(pt->ffspec, "lambda", i, 4000 + i);
            cpl_table_set_double(pt->ffspec, "data", i, 1.5 * i);
        }
    }
    return pt;
}

static int same_values(const cpl_table *t)
{
    int i, good = 1;

    for (i = 0; i < 6; i++)
        good = good && cpl_table_get_float(t, MUSE_PIXTABLE_XPOS, i, NULL) == i &&
               cpl_table_get_float(t, MUSE_PIXTABLE_YPOS, i, NULL) == i * 2 &&
               cpl_table_get_float(t, MUSE_PIXTABLE_LAMBDA, i, NULL) == 5000 + i &&
               cpl_table_get_float(t, MUSE_PIXTABLE_DATA, i, NULL) == (float)(0.5 + i) &&
               cpl_table_get_float(t, MUSE_PIXTABLE_STAT, i, NULL) == (float)(0.25 + i) &&
               cpl_table_get_int(t, MUSE_PIXTABLE_DQ, i, NULL) == i + 16 &&
               cpl_table_get_int(t, MUSE_PIXTABLE_ORIGIN, i, NULL) == i + 1000;
    return good;
}

static int same_header(const cpl_propertylist *h)
{
    return h && cpl_propertylist_get_size(h) == 2 && !strcmp(cpl_propertylist_get_string(h, "OBJECT"), "a star") &&
           cpl_propertylist_get_double(h, "EXPTIME") == 600.5;
}

static int same_flat(const cpl_table *t)
{
    int i, good = t && cpl_table_get_nrow(t) == 3 && cpl_table_get_ncol(t) == 2;

    for (i = 0; good && i < 3; i++)
        good = cpl_table_get_double(t, "lambda", i, NULL) == 4000 + i &&
               cpl_table_get_double(t, "data", i, NULL) == 1.5 * i;
    return good;
}

int main(void)
{
    muse_pixtable *pt, *copy;
    long live;
    int good, i;

    begin();
    pt = original(1);
    copy = muse_pixtable_duplicate(pt);
    check("no error is set", error() == 0);
    good = copy && copy != pt && copy->table && cpl_table_get_nrow(copy->table) == 6 &&
           !cpl_table_compare_structure(copy->table, pt->table);
    check("the copy has the rows and columns", good);
    check("the copy has the values", same_values(copy->table));
    check("the header is copied", same_header(copy->header));
    check("the flat-field spectrum is copied", same_flat(copy->ffspec));
    cpl_table_set_float(copy->table, MUSE_PIXTABLE_DATA, 2, -7);
    cpl_table_set_int(copy->table, MUSE_PIXTABLE_DQ, 5, -7);
    good = copy->table != pt->table && same_values(pt->table);
    cpl_table_set_float(pt->table, MUSE_PIXTABLE_XPOS, 0, -9);
    good = good && cpl_table_get_float(copy->table, MUSE_PIXTABLE_XPOS, 0, NULL) == 0;
    cpl_table_set_float(pt->table, MUSE_PIXTABLE_XPOS, 0, 0);
    check("the column data are copied in depth", good);
    cpl_propertylist_update_string(copy->header, "OBJECT", "another");
    good = copy->header != pt->header && same_header(pt->header);
    cpl_propertylist_update_double(pt->header, "EXPTIME", 1);
    good = good && cpl_propertylist_get_double(copy->header, "EXPTIME") == 600.5;
    cpl_propertylist_update_double(pt->header, "EXPTIME", 600.5);
    check("the header is a copy of its own", good);
    cpl_table_set_double(copy->ffspec, "data", 1, -3);
    check("the flat-field spectrum is copied in depth", copy->ffspec != pt->ffspec && same_flat(pt->ffspec));
    check("the original stays", same_values(pt->table) && same_header(pt->header) && same_flat(pt->ffspec));
    muse_pixtable_delete(copy);

    copy = muse_pixtable_duplicate(pt);
    muse_pixtable_delete(pt);
    check("the copy outlives the original", same_values(copy->table) && same_header(copy->header) &&
          same_flat(copy->ffspec));
    muse_pixtable_delete(copy);

    pt = original(0);
    cpl_table_set_invalid(pt->table, MUSE_PIXTABLE_STAT, 3);
    cpl_table_unselect_all(pt->table);
    cpl_table_select_row(pt->table, 1);
    cpl_table_select_row(pt->table, 4);
    live = plus_live;
    copy = muse_pixtable_duplicate(pt);
    good = cpl_table_count_selected(copy->table) == 2;
    for (i = 0; i < 6; i++)
        good = good && !cpl_table_is_selected(copy->table, i) == (i != 1 && i != 4);
    check("the selection is transferred", good && cpl_table_count_selected(pt->table) == 2);
    good = !cpl_table_is_valid(copy->table, MUSE_PIXTABLE_STAT, 3) &&
           cpl_table_count_invalid(copy->table, MUSE_PIXTABLE_STAT) == 1;
    check("invalid elements stay invalid", good);
    check("without a flat-field spectrum the copy has none", copy->ffspec == NULL && error() == 0);
    muse_pixtable_delete(copy);
    good = plus_live == live;
    muse_pixtable_delete(pt);
    pt = original(1);
    live = plus_live;
    muse_pixtable_delete(muse_pixtable_duplicate(pt));
    check("muse_pixtable_delete frees all of the copy", good && plus_live == live);
    muse_pixtable_delete(pt);
    check("NULL gives NULL without an error", muse_pixtable_duplicate(NULL) == NULL && error() == 0);
    return checked();
}
