/*---
 * tasks: [muse_pfits_get_mode-e1f0b7]
 * link: [muse/.libs/libmuse.a]
 * goals: [muse/.libs/libmuse.a]
 * tests:
 *   the narrow field with AO is found: 'muse_ins_mode: NFM_AO_N; muse_test_flux.c: NFM-AO-N.'
 *   the nominal wide field with AO is found: 'muse_ins_mode: WFM_AO_N; muse_test_flux.c: WFM-AO-N.'
 *   the extended wide field with AO is found: 'muse_ins_mode: WFM_AO_E; muse_test_flux.c: WFM-AO-E.'
 *   the nominal wide field without AO is found: 'muse_ins_mode: WFM_NONAO_N; muse_test_flux.c: WFM-NOAO-N.'
 *   its other spelling is found: 'muse_test_resampling.c: WFM-NONAO-N.'
 *   the extended wide field without AO is found: 'muse_ins_mode: WFM_NONAO_E; muse_test_flux.c: WFM-NOAO-E.'
 *   its other spelling is the extended one: 'As WFM-NONAO-N.'
 *   a mode that is found sets no error: 'Docstring: the default is "on error".'
 *   the mode is read from its own header: 'Docstring: "Queries header ESO INS MODE".'
 *   without the header the default is given: 'Docstring: "on error this is MUSE_MODE_WFM_NONAO_N".'
 *   a missing header is an error: 'The same; muse_wavecalib.c swallows "error about missing INS MODE".'
 *   a header that is no string is an error: 'The same; muse_pfits_get_insmode.'
 *   no headers are an error with the default: 'The same.'
 *   the headers stay: 'They are const.'
 ---*/
#include "plus.h"
#include "muse.h"

static int quiet = 1;

static int mode_of(const char *text)
{
    cpl_propertylist *list = cpl_propertylist_new();
    int mode;

    cpl_propertylist_append_string(list, "ESO INS MODE", text);
    mode = muse_pfits_get_mode(list);
    quiet = quiet && error() == 0;
    cpl_propertylist_delete(list);
    return mode;
}

int main(void)
{
    cpl_propertylist *list;
    int good;

    begin();
    check("the narrow field with AO is found", mode_of("NFM-AO-N") == MUSE_MODE_NFM_AO_N);
    check("the nominal wide field with AO is found", mode_of("WFM-AO-N") == MUSE_MODE_WFM_AO_N);
    check("the extended wide field with AO is found", mode_of("WFM-AO-E") == MUSE_MODE_WFM_AO_E);
    check("the nominal wide field without AO is found", mode_of("WFM-NOAO-N") == MUSE_MODE_WFM_NONAO_N);
    check("its other spelling is found", mode_of("WFM-NONAO-N") == MUSE_MODE_WFM_NONAO_N);
    check("the extended wide field without AO is found", mode_of("WFM-NOAO-E") == MUSE_MODE_WFM_NONAO_E);
    check("its other spelling is the extended one", mode_of("WFM-NONAO-E") == MUSE_MODE_WFM_NONAO_E);
    check("a mode that is found sets no error", quiet);
    list = cpl_propertylist_new();
    cpl_propertylist_append_string(list, "INS MODE", "WFM-AO-N");
    cpl_propertylist_append_string(list, "ESO DPR TYPE", "WFM-AO-E");
    cpl_propertylist_append_string(list, "ESO INS MODE", "NFM-AO-N");
    cpl_propertylist_append_string(list, "ESO INS MODE2", "WFM-AO-E");
    good = muse_pfits_get_mode(list) == MUSE_MODE_NFM_AO_N && error() == 0;
    check("the mode is read from its own header", good);
    good = cpl_propertylist_get_size(list) == 4 &&
           !strcmp(cpl_propertylist_get_string(list, "ESO INS MODE"), "NFM-AO-N");
    cpl_propertylist_erase(list, "ESO INS MODE");
    check("without the header the default is given", muse_pfits_get_mode(list) == MUSE_MODE_WFM_NONAO_N);
    check("a missing header is an error", error() == CPL_ERROR_DATA_NOT_FOUND);
    check("the headers stay", good && cpl_propertylist_get_size(list) == 3);
    cpl_propertylist_append_int(list, "ESO INS MODE", 3);
    good = muse_pfits_get_mode(list) == MUSE_MODE_WFM_NONAO_N && error() == CPL_ERROR_TYPE_MISMATCH;
    check("a header that is no string is an error", good);
    good = muse_pfits_get_mode(NULL) == MUSE_MODE_WFM_NONAO_N && error() == CPL_ERROR_NULL_INPUT;
    check("no headers are an error with the default", good);
    cpl_propertylist_delete(list);
    return checked();
}
