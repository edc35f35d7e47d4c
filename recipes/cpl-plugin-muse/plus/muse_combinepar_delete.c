/*---
 * tasks: [muse_combinepar_delete-fe8639]
 * link: [muse/.libs/libmuse.a]
 * goals: [muse/.libs/libmuse.a]
 * tests:
 *   what muse_combinepar_new allocates is freed: 'muse_combinepar_new: "Use muse_combinepar_delete to free".'
 *   parameters of a caller are freed: 'Docstring: "Clear the combination parameters".'
 *   each is freed alone: 'The same.'
 *   NULL is no error: 'muse_basicproc.c deletes what muse_combinepar_new gave, which may be NULL.'
 *   no error is set: 'It is void.'
 *   an error that was set stays: 'muse_basicproc.c deletes on its way out with an error.'
 *   the parameter list stays: 'It belongs to the caller.'
 ---*/
#include "plus.h"
#include "muse.h"

int main(void)
{
    cpl_parameterlist *list;
    cpl_parameter *p;
    muse_combinepar *pars, *other;
    long live, both;
    int good;

    begin();
    list = cpl_parameterlist_new();
    p = cpl_parameter_new_value("muse.plus.combine", CPL_TYPE_STRING, "", "muse.plus", "sigclip");
    cpl_parameterlist_append(list, p);
    p = cpl_parameter_new_value("muse.plus.lsigma", CPL_TYPE_DOUBLE, "", "muse.plus", 2.5);
    cpl_parameterlist_append(list, p);
    muse_combinepar_delete(muse_combinepar_new(list, "muse.plus"));
    live = plus_live;
    pars = muse_combinepar_new(list, "muse.plus");
    good = plus_live > live;
    muse_combinepar_delete(pars);
    check("what muse_combinepar_new allocates is freed", good && plus_live == live);
    pars = cpl_calloc(1, sizeof *pars);
    muse_combinepar_delete(pars);
    check("parameters of a caller are freed", plus_live == live);
    check("no error is set", error() == 0);
    pars = muse_combinepar_new(list, "muse.plus");
    both = plus_live;
    other = muse_combinepar_new(list, "muse.plus");
    muse_combinepar_delete(other);
    good = plus_live == both && pars->combine == MUSE_COMBINE_SIGCLIP && pars->nLow == 1 && pars->hSigma == 3;
    muse_combinepar_delete(pars);
    check("each is freed alone", good && plus_live == live);
    muse_combinepar_delete(NULL);
    check("NULL is no error", error() == 0 && plus_live == live);
    pars = cpl_calloc(1, sizeof *pars);
    cpl_error_set("main", CPL_ERROR_EOL);
    muse_combinepar_delete(pars);
    check("an error that was set stays", error() == CPL_ERROR_EOL);
    check("the parameter list stays", cpl_parameterlist_get_size(list) == 2 &&
          !strcmp(cpl_parameter_get_string(cpl_parameterlist_find(list, "muse.plus.combine")), "sigclip"));
    cpl_parameterlist_delete(list);
    return checked();
}
