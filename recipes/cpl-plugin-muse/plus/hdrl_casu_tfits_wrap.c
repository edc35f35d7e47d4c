/*---
 * tasks: [hdrl_casu_tfits_wrap-6b699e]
 * tests:
 *   the table itself is in the wrapper: 'Docstring: "The input table is inserted into a hdrl_casu_tfits wrapper".'
 *   the header given is used itself: 'Docstring: "they will be used as the propertylists for the new object".'
 *   without a header there is a list: 'hdrl_classify writes into the list of hdrl_casu_tfits_get_ehu.'
 *   the list made is empty: 'The same; no model is given.'
 *   each wrapper without a header has a list of its own: 'hdrl_casu_tfits_delete frees it.'
 *   no table gives NULL: 'hdrl_cat_casu-test.c.'
 *   a header without a table stays: 'It belongs to the caller still.'
 *   table and header stay as they were: 'Docstring: wrap.'
 *   hdrl_casu_tfits_delete frees table and header: 'hdrl_casu_tfits_delete.'
 *   hdrl_casu_tfits_delete frees the list made: 'The same.'
 *   no error is set: 'It returns the new structure.'
 ---*/
#include "plus.h"
#include "hdrl_cat_def.h"
#include "hdrl_cat_casu.h"

static cpl_table *table(void)
{
    cpl_table *t = cpl_table_new(3);

    cpl_table_new_column(t, "X", CPL_TYPE_INT);
    cpl_table_set_int(t, "X", 1, 42);
    return t;
}

int main(void)
{
    cpl_table *t;
    cpl_propertylist *list;
    hdrl_casu_tfits *w, *v;
    long live;
    int good;

    begin();
    live = plus_live;
    t = table();
    list = cpl_propertylist_new();
    cpl_propertylist_append_int(list, "KEY", 7);
    w = hdrl_casu_tfits_wrap(t, list);
    check("the table itself is in the wrapper", w && w->table == t && hdrl_casu_tfits_get_table(w) == t);
    check("the header given is used itself", w && w->ehu == list && hdrl_casu_tfits_get_ehu(w) == list);
    good = cpl_table_get_nrow(t) == 3 && cpl_table_get_int(t, "X", 1, NULL) == 42;
    check("table and header stay as they were", good && cpl_propertylist_get_int(list, "KEY") == 7 &&
          cpl_propertylist_get_size(list) == 1);
    good = error() == 0;
    hdrl_casu_tfits_delete(w);
    check("hdrl_casu_tfits_delete frees table and header", plus_live == live);
    w = hdrl_casu_tfits_wrap(table(), NULL);
    v = hdrl_casu_tfits_wrap(table(), NULL);
    check("without a header there is a list", w && w->ehu && w->table && cpl_table_get_nrow(w->table) == 3);
    check("the list made is empty", cpl_propertylist_get_size(w->ehu) == 0);
    cpl_propertylist_append_int(w->ehu, "KEY", 1);
    check("each wrapper without a header has a list of its own", v && v->ehu && v->ehu != w->ehu &&
          cpl_propertylist_get_size(v->ehu) == 0);
    check("no error is set", good && error() == 0);
    hdrl_casu_tfits_delete(w);
    hdrl_casu_tfits_delete(v);
    check("hdrl_casu_tfits_delete frees the list made", plus_live == live);
    list = cpl_propertylist_new();
    cpl_propertylist_append_int(list, "KEY", 7);
    hdrl_casu_tfits_wrap(NULL, NULL);
    error();
    live = plus_live;
    good = hdrl_casu_tfits_wrap(NULL, NULL) == NULL && hdrl_casu_tfits_wrap(NULL, list) == NULL;
    error();
    check("no table gives NULL", good && plus_live == live);
    check("a header without a table stays", cpl_propertylist_get_int(list, "KEY") == 7);
    cpl_propertylist_delete(list);
    return checked();
}
