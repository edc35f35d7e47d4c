/*---
 * tasks: [miget_record_field_name-d7e931]
 * tests:
 *   the name of a field is returned: 'Docstring: "returns the field name for the given field index".'
 *   each index has its name: 'Docstring: "for the given field index"; minc2-record-test.c.'
 *   it returns MI_NOERROR: 'Siblings return MI_NOERROR.'
 *   the name can be released with mifree_name: 'Docstring: "should be released using mifree_name()".'
 *   each call gives a name of its own memory: 'Docstring: "allocated on the heap".'
 *   a changed copy does not change the name: 'Docstring: "allocated on the heap".'
 *   a long name is returned in full: 'Docstring: "returns the field name".'
 *   an index behind the last is an error: 'Docstring: "the given field index"; siblings: MI_ERROR.'
 *   an index below zero is an error: 'Docstring: "the given field index"; siblings: MI_ERROR.'
 *   a record without fields has no names: 'Docstring: "the given field index"; siblings: MI_ERROR.'
 *   a volume without a record is an error: 'Docstring: "the field name"; siblings: MI_ERROR.'
 *   without a volume it is an error: 'Siblings: a NULL is an MI_ERROR.'
 *   without a place for the name it is an error: 'Siblings: a NULL is an MI_ERROR.'
 *   the fields are left as they are: 'Docstring: it returns a name; miget_record_length.'
 *   the names come from the type in the file: 'miget_record_length counts the fields of ftype_id.'
 ---*/
#include <hdf5.h>
#include <unistd.h>
#include "minc2.h"
#include "minc2_private.h"
#include "plus.h"

static char file[] = "plus-field.mnc";

static mihandle_t make(mitype_t type, miclass_t class) {
    midimhandle_t dim[1];
    mihandle_t vol = NULL;
    micreate_dimension("xspace", MI_DIMCLASS_SPATIAL, MI_DIMATTR_REGULARLY_SAMPLED, 4, &dim[0]);
    if (micreate_volume(file, 1, dim, type, class, NULL, &vol) < 0) exit(1);
    return vol;
}

static int named(mihandle_t vol, int index, const char *expected) {
    char *name = NULL;
    if (miget_record_field_name(vol, index, &name) != MI_NOERROR || !name) return 0;
    int same = !strcmp(name, expected);
    mifree_name(name);
    return same;
}

static int wrong(mihandle_t vol, int index) {
    char *name = NULL;
    return miget_record_field_name(vol, index, &name) == MI_ERROR;
}

int main(void) {
    H5Eset_auto1(NULL, NULL);
    mihandle_t vol = make(MI_TYPE_UINT, MI_CLASS_UNIFORM_RECORD);
    ok("a record without fields has no names", wrong(vol, 0));
    char longest[200];
    memset(longest, 'f', 199);
    longest[199] = 0;
    miset_record_field_name(vol, 0, "Red");
    miset_record_field_name(vol, 1, "Green");
    miset_record_field_name(vol, 2, "Blue");
    miset_record_field_name(vol, 3, longest);
    char *a = NULL, *b = NULL;
    int result = miget_record_field_name(vol, 0, &a);
    ok("it returns MI_NOERROR", result == MI_NOERROR);
    ok("the name of a field is returned", a && !strcmp(a, "Red"));
    ok("each index has its name", named(vol, 1, "Green") && named(vol, 2, "Blue") && named(vol, 0, "Red"));
    miget_record_field_name(vol, 0, &b);
    ok("each call gives a name of its own memory", a && b && a != b && !strcmp(a, b));
    if (a) a[0] = 'X';
    ok("a changed copy does not change the name", b && !strcmp(b, "Red") && named(vol, 0, "Red"));
    ok("the name can be released with mifree_name", mifree_name(a) == MI_NOERROR && mifree_name(b) == MI_NOERROR);
    ok("a long name is returned in full", named(vol, 3, longest));
    ok("an index behind the last is an error", wrong(vol, 4) && wrong(vol, 1000));
    ok("an index below zero is an error", wrong(vol, -1) && wrong(vol, -4));
    ok("without a volume it is an error", wrong(NULL, 0));
    ok("without a place for the name it is an error", miget_record_field_name(vol, 0, NULL) == MI_ERROR);
    int length = 0;
    ok("the fields are left as they are", miget_record_length(vol, &length) == MI_NOERROR && length == 4 &&
                                              named(vol, 0, "Red") && H5Tget_nmembers(vol->mtype_id) == 4);
    hid_t kept = vol->ftype_id;
    vol->ftype_id = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(vol->ftype_id, "Other", 0, H5T_STD_I32LE);
    ok("the names come from the type in the file", named(vol, 0, "Other") && wrong(vol, 1));
    H5Tclose(vol->ftype_id);
    vol->ftype_id = kept;
    miclose_volume(vol);
    vol = make(MI_TYPE_UINT, MI_CLASS_REAL);
    ok("a volume without a record is an error", wrong(vol, 0));
    miclose_volume(vol);
    unlink(file);
    return done();
}
