/*---
 * tasks: [miset_record_field_name-4297a4]
 * tests:
 *   a field gets its name: 'Docstring: "sets a field name for the volume record".'
 *   it returns MI_NOERROR: 'minc2-record-test.c: a result below 0 is an error.'
 *   each field has the name of its index: 'minc2-record-test.c: miget_record_field_name gives it back.'
 *   the fields are counted: 'miget_record_length, "number of fields in the case of uniform records".'
 *   a field stands at its index times the size of an element: 'record.c: a uniform record holds the volume''s type.'
 *   the record grows as far as it has to: 'Docstring: "The size of record type will be increased if necessary".'
 *   the record does not shrink: 'Docstring: "increased if necessary to accomodate the new field".'
 *   the fields of the type in memory are the same: 'record.c: both types of the volume describe the record.'
 *   a field is of the type of the volume: 'record.c: "recorded as the type of the volume".'
 *   in the file the type is little-endian and in memory native: 'm2util.c: mitype_to_hdftype, is_native.'
 *   records of other types work: 'micreate_volume takes each type for a uniform record.'
 *   a volume of another class is refused: 'Docstring: "must be of class MI_CLASS_UNIFORM_RECORD".'
 *   a refused volume is left as it was: 'Docstring: "must be of class MI_CLASS_UNIFORM_RECORD".'
 *   without a volume it is an error: 'Siblings: a NULL is an MI_ERROR.'
 *   without a name it is an error: 'Siblings: a NULL is an MI_ERROR.'
 *   without a name no field is made: 'Siblings: a NULL is an MI_ERROR.'
 *   the name is copied: 'miget_record_field_name gives a name of its own memory.'
 *   no type is left open: 'm2util.c: mitype_to_hdftype gives a copy, which callers close.'
 *   records are written and read by their fields: 'minc2-record-test.c.'
 ---*/
#include <hdf5.h>
#include "minc2.h"
#include "minc2_private.h"
#include "plus.h"

static char file[] = "plus-record.mnc";

static mihandle_t make(mitype_t type, miclass_t class) {
    midimhandle_t dim[1];
    mihandle_t vol = NULL;
    micreate_dimension("xspace", MI_DIMCLASS_SPATIAL, MI_DIMATTR_REGULARLY_SAMPLED, 4, &dim[0]);
    if (micreate_volume(file, 1, dim, type, class, NULL, &vol) < 0) exit(1);
    return vol;
}

static int named(mihandle_t vol, int index, const char *expected) {
    char *name = NULL;
    if (miget_record_field_name(vol, index, &name) != MI_NOERROR) return 0;
    int same = !strcmp(name, expected);
    mifree_name(name);
    return same;
}

static int length(mihandle_t vol) {
    int n = -1;
    miget_record_length(vol, &n);
    return n;
}

/* How many types that were opened between these two are open still. HDF5 numbers them one after the other. */
static int types_between(hid_t first, hid_t last) {
    int n = 0;
    for (hid_t id = first + 1; id < last; id++)
        if (H5Iis_valid(id) > 0 && H5Iget_type(id) == H5I_DATATYPE) n++;
    return n;
}

/* The offset of a field, -1 without one. */
static long offset(hid_t type, const char *name) {
    int i;
    H5E_BEGIN_TRY {
        i = H5Tget_member_index(type, name);
    } H5E_END_TRY;
    return i < 0 ? -1 : (long)H5Tget_member_offset(type, i);
}

static int member_is(hid_t type, const char *name, hid_t expected) {
    int i;
    H5E_BEGIN_TRY {
        i = H5Tget_member_index(type, name);
    } H5E_END_TRY;
    if (i < 0) return 0;
    hid_t member = H5Tget_member_type(type, i);
    int same = H5Tequal(member, expected) > 0;
    H5Tclose(member);
    return same;
}

int main(void) {
    mihandle_t vol = make(MI_TYPE_UINT, MI_CLASS_UNIFORM_RECORD);
    char name[16] = "Red";
    hid_t opened = H5Tcopy(H5T_NATIVE_INT);
    int r = miset_record_field_name(vol, 0, name);
    strcpy(name, "Black");
    ok("a field gets its name", length(vol) == 1 && offset(vol->ftype_id, "Red") == 0);
    ok("the name is copied", named(vol, 0, "Red"));
    int one = H5Tget_size(vol->ftype_id) == 4 && H5Tget_size(vol->mtype_id) == 4;
    r |= miset_record_field_name(vol, 1, "Green");
    int two = H5Tget_size(vol->ftype_id) == 8 && H5Tget_size(vol->mtype_id) == 8;
    r |= miset_record_field_name(vol, 2, "Blue");
    hid_t later = H5Tcopy(H5T_NATIVE_INT);
    int still = types_between(opened, later);
    H5Tclose(opened);
    H5Tclose(later);
    int three = H5Tget_size(vol->ftype_id) == 12 && H5Tget_size(vol->mtype_id) == 12;
    ok("it returns MI_NOERROR", r == MI_NOERROR);
    ok("each field has the name of its index",
       named(vol, 0, "Red") && named(vol, 1, "Green") && named(vol, 2, "Blue"));
    ok("the fields are counted", length(vol) == 3);
    ok("the record grows as far as it has to", one && two && three);
    ok("a field stands at its index times the size of an element",
       offset(vol->ftype_id, "Red") == 0 && offset(vol->ftype_id, "Green") == 4 && offset(vol->ftype_id, "Blue") == 8);
    ok("the fields of the type in memory are the same",
       H5Tget_nmembers(vol->mtype_id) == 3 && offset(vol->mtype_id, "Red") == 0 &&
           offset(vol->mtype_id, "Green") == 4 && offset(vol->mtype_id, "Blue") == 8);
    ok("a field is of the type of the volume", member_is(vol->ftype_id, "Green", H5T_STD_U32LE) &&
                                                   member_is(vol->mtype_id, "Green", H5T_NATIVE_UINT));
    ok("without a name it is an error", miset_record_field_name(vol, 3, NULL) == MI_ERROR);
    ok("without a name no field is made", length(vol) == 3 && H5Tget_size(vol->ftype_id) == 12);
    ok("without a volume it is an error", miset_record_field_name(NULL, 0, "Red") == MI_ERROR);
    ok("no type is left open", later - opened < 100000 && still == 0);

    struct voxel {
        unsigned r, g, b;
    } in = {1, 2, 3}, back = {0, 0, 0};
    misize_t start[1] = {2}, count[1] = {1};
    int io = H5Tget_size(vol->ftype_id) == 12 && H5Tget_size(vol->mtype_id) == 12 &&
             micreate_volume_image(vol) == MI_NOERROR &&
             miset_voxel_value_hyperslab(vol, MI_TYPE_UNKNOWN, start, count, &in) == MI_NOERROR &&
             miget_voxel_value_hyperslab(vol, MI_TYPE_UNKNOWN, start, count, &back) == MI_NOERROR;
    ok("records are written and read by their fields", io && !memcmp(&in, &back, sizeof in));
    miclose_volume(vol);

    vol = make(MI_TYPE_DOUBLE, MI_CLASS_UNIFORM_RECORD);
    miset_record_field_name(vol, 2, "c");
    int size = H5Tget_size(vol->ftype_id) == 24 && H5Tget_size(vol->mtype_id) == 24;
    miset_record_field_name(vol, 0, "a");
    size &= H5Tget_size(vol->ftype_id) == 24 && H5Tget_size(vol->mtype_id) == 24;
    miset_record_field_name(vol, 1, "b");
    size &= H5Tget_size(vol->ftype_id) == 24 && H5Tget_size(vol->mtype_id) == 24;
    ok("the record does not shrink", size && offset(vol->ftype_id, "a") == 0 && offset(vol->ftype_id, "b") == 8 &&
                                         offset(vol->ftype_id, "c") == 16 && offset(vol->mtype_id, "a") == 0 &&
                                         offset(vol->mtype_id, "b") == 8 && offset(vol->mtype_id, "c") == 16);
    ok("in the file the type is little-endian and in memory native",
       member_is(vol->ftype_id, "b", H5T_IEEE_F64LE) && member_is(vol->mtype_id, "b", H5T_NATIVE_DOUBLE));
    miclose_volume(vol);

    mitype_t types[] = {MI_TYPE_BYTE, MI_TYPE_UBYTE, MI_TYPE_SHORT, MI_TYPE_USHORT, MI_TYPE_INT, MI_TYPE_FLOAT};
    int sizes[] = {1, 1, 2, 2, 4, 4}, others = 1;
    for (int i = 0; i < 6; i++) {
        vol = make(types[i], MI_CLASS_UNIFORM_RECORD);
        hid_t f = mitype_to_hdftype(types[i], FALSE), m = mitype_to_hdftype(types[i], TRUE);
        others &= miset_record_field_name(vol, 0, "x") == MI_NOERROR;
        others &= miset_record_field_name(vol, 1, "y") == MI_NOERROR;
        others &= length(vol) == 2 && offset(vol->ftype_id, "y") == sizes[i] && offset(vol->mtype_id, "y") == sizes[i];
        others &= H5Tget_size(vol->ftype_id) == 2 * sizes[i] && member_is(vol->ftype_id, "y", f) &&
                  member_is(vol->mtype_id, "y", m);
        H5Tclose(f);
        H5Tclose(m);
        miclose_volume(vol);
    }
    ok("records of other types work", others);

    miclass_t classes[] = {MI_CLASS_REAL, MI_CLASS_INT, MI_CLASS_LABEL};
    int refused = 1, left = 1;
    for (int i = 0; i < 3; i++) {
        vol = make(MI_TYPE_UINT, classes[i]);
        size_t before = H5Tget_size(vol->ftype_id);
        H5E_BEGIN_TRY {
            refused &= miset_record_field_name(vol, 0, "Red") == MI_ERROR;
        } H5E_END_TRY;
        left &= H5Tget_size(vol->ftype_id) == before && H5Tget_class(vol->ftype_id) != H5T_COMPOUND;
        miclose_volume(vol);
    }
    ok("a volume of another class is refused", refused);
    ok("a refused volume is left as it was", left);
    remove(file);
    return done();
}
