/*---
 * tasks: [midefine_label-20f46b]
 * tests:
 *   it returns MI_NOERROR: 'Siblings return MI_NOERROR.'
 *   the value has the name: 'Docstring: "associates a label name with an integer value"; miget_label_name.'
 *   the name has the value: 'Docstring: "associates a label name with an integer value"; miget_label_value.'
 *   several labels are told apart: 'minc2-label-test.c.'
 *   the labels are counted: 'miget_number_of_defined_labels.'
 *   the type in the file has the labels, too: 'volume.c: both types of a volume of labels are enumerations.'
 *   volumes of each integer type have labels: 'label.c: "with any integer subtype".'
 *   negative values work: 'label.c: "with any integer subtype"; the value is an int.'
 *   a file of the other byte order with four bytes has the value in it: 'label.c: miswap4.'
 *   a file of the other byte order with two bytes has the value in it: 'label.c: miswap2.'
 *   the value in memory is not turned around then: 'miget_label_value looks there.'
 *   a name of 127 characters works: 'label.c: MI_LABEL_MAX is 128.'
 *   a longer name than MI_LABEL_MAX is an error: 'label.c: MI_LABEL_MAX is 128.'
 *   without a volume it is an error: 'Siblings: a NULL is an error.'
 *   without a name it is an error: 'Siblings: a NULL is an error.'
 *   a volume of another class is an error: 'label.c: "Labeled volumes must have ... the class MI_CLASS_LABEL".'
 *   a volume without types is an error: 'Siblings: a volume has to be initialized.'
 *   a name that exists already is an error: 'Siblings: MI_ERROR if HDF5 fails.'
 *   a value that has a name already is an error: 'Siblings: MI_ERROR if HDF5 fails.'
 *   after an error no label is made: 'Siblings: an error changes nothing.'
 *   the name is copied: 'miget_label_name gives a name of its own memory.'
 *   the labels are in the file: 'minc2-label-test.c; miopen_volume.'
 ---*/
#include <hdf5.h>
#include <unistd.h>
#include "minc2.h"
#include "minc2_private.h"
#include "plus.h"

static char file[] = "plus-label.mnc";

static mihandle_t make(mitype_t type, miclass_t class) {
    midimhandle_t dim[1];
    mihandle_t vol = NULL;
    micreate_dimension("xspace", MI_DIMCLASS_SPATIAL, MI_DIMATTR_REGULARLY_SAMPLED, 4, &dim[0]);
    if (micreate_volume(file, 1, dim, type, class, NULL, &vol) < 0) exit(1);
    return vol;
}

static int named(mihandle_t vol, int value, const char *expected) {
    char *name = NULL;
    if (miget_label_name(vol, value, &name) != MI_NOERROR) return 0;
    int same = !strcmp(name, expected);
    mifree_name(name);
    return same;
}

static int valued(mihandle_t vol, const char *name, int expected) {
    int value = 0;
    return miget_label_value(vol, name, &value) == MI_NOERROR && value == expected;
}

static int count(mihandle_t vol) {
    int n = -1;
    miget_number_of_defined_labels(vol, &n);
    return n;
}

/* Whether both types have so many labels. */
static int counted(mihandle_t vol, int n) {
    return count(vol) == n && H5Tget_nmembers(vol->ftype_id) == n && H5Tget_nmembers(vol->mtype_id) == n;
}

static int first_bytes(hid_t type, const char *expected, int n) {
    char bytes[16] = "";
    return H5Tget_member_value(type, 0, bytes) >= 0 && !memcmp(bytes, expected, n);
}

int main(void) {
    mihandle_t vol = make(MI_TYPE_UINT, MI_CLASS_LABEL);
    ok("it returns MI_NOERROR", midefine_label(vol, 5, "Grey") == MI_NOERROR);
    ok("the value has the name", named(vol, 5, "Grey"));
    ok("the name has the value", valued(vol, "Grey", 5));
    int several = midefine_label(vol, 0, "Black") == MI_NOERROR &&
                  midefine_label(vol, 0xffffff, "White") == MI_NOERROR &&
                  midefine_label(vol, 0x010203, "Mixed colour") == MI_NOERROR;
    ok("several labels are told apart",
       several && named(vol, 0, "Black") && named(vol, 0xffffff, "White") && named(vol, 0x010203, "Mixed colour") &&
           named(vol, 5, "Grey") && valued(vol, "White", 0xffffff) && valued(vol, "Mixed colour", 0x010203) &&
           valued(vol, "Black", 0));
    ok("the labels are counted", count(vol) == 4);
    int value = 0;
    ok("the type in the file has the labels, too",
       counted(vol, 4) && H5Tenum_valueof(vol->ftype_id, "Mixed colour", &value) >= 0 && value == 0x010203);
    char text[300] = "Changing", longest[300];
    midefine_label(vol, 77, text);
    strcpy(text, "Another!");
    ok("the name is copied", named(vol, 77, "Changing") && valued(vol, "Changing", 77));
    memset(longest, 'n', sizeof longest);
    longest[127] = 0;
    ok("a name of 127 characters works",
       midefine_label(vol, 1000, longest) == MI_NOERROR && valued(vol, longest, 1000) && named(vol, 1000, longest));
    longest[127] = 'm';
    longest[129] = 0;
    int too = midefine_label(vol, 1001, longest) == MI_ERROR;
    longest[129] = 'm';
    longest[299] = 0;
    ok("a longer name than MI_LABEL_MAX is an error", too && midefine_label(vol, 1002, longest) == MI_ERROR);
    ok("without a volume it is an error", midefine_label(NULL, 1, "x") == MI_ERROR);
    ok("without a name it is an error", midefine_label(vol, 1, NULL) == MI_ERROR);
    ok("a name that exists already is an error",
       midefine_label(vol, 999, "Black") == MI_ERROR && valued(vol, "Black", 0));
    ok("a value that has a name already is an error",
       midefine_label(vol, 5, "Another") == MI_ERROR && named(vol, 5, "Grey"));
    ok("after an error no label is made", counted(vol, 6));
    misize_t start[1] = {0}, size[1] = {4};
    unsigned data[4] = {5, 0, 77, 5};
    micreate_volume_image(vol);
    miset_voxel_value_hyperslab(vol, MI_TYPE_UINT, start, size, data);
    miclose_volume(vol);
    int again = miopen_volume(file, MI2_OPEN_READ, &vol) == MI_NOERROR;
    ok("the labels are in the file", again && count(vol) == 6 && named(vol, 0x010203, "Mixed colour") &&
                                         valued(vol, "White", 0xffffff) && named(vol, 77, "Changing"));
    if (again) miclose_volume(vol);

    mitype_t types[] = {MI_TYPE_BYTE, MI_TYPE_UBYTE, MI_TYPE_SHORT, MI_TYPE_USHORT, MI_TYPE_INT, MI_TYPE_UINT};
    int each = 1;
    for (int i = 0; i < 6; i++) {
        vol = make(types[i], MI_CLASS_LABEL);
        each &= midefine_label(vol, 7, "Seven") == MI_NOERROR && midefine_label(vol, 100, "Hundred") == MI_NOERROR &&
                valued(vol, "Seven", 7) && valued(vol, "Hundred", 100) && named(vol, 100, "Hundred") &&
                named(vol, 7, "Seven") && counted(vol, 2);
        if (i >= 2) each &= midefine_label(vol, 0x1234, "More") == MI_NOERROR && valued(vol, "More", 0x1234);
        micreate_volume_image(vol);
        miclose_volume(vol);
    }
    ok("volumes of each integer type have labels", each);

    vol = make(MI_TYPE_INT, MI_CLASS_LABEL);
    ok("negative values work", midefine_label(vol, -3, "Below") == MI_NOERROR && valued(vol, "Below", -3) &&
                                   named(vol, -3, "Below") && midefine_label(vol, 3, "Above") == MI_NOERROR &&
                                   named(vol, 3, "Above"));
    hid_t kept = vol->ftype_id, kept_m = vol->mtype_id;
    vol->ftype_id = H5Tenum_create(H5T_STD_I32BE);
    vol->mtype_id = H5Tenum_create(H5T_NATIVE_INT);
    int in = midefine_label(vol, 0x01020304, "Turned") == MI_NOERROR;
    ok("a file of the other byte order with four bytes has the value in it",
       in && first_bytes(vol->ftype_id, "\1\2\3\4", 4));
    int memory = valued(vol, "Turned", 0x01020304);
    vol->ftype_id = H5Tenum_create(H5T_STD_I16BE);
    vol->mtype_id = H5Tenum_create(H5T_NATIVE_SHORT);
    in = midefine_label(vol, 0x0102, "Turned") == MI_NOERROR;
    ok("a file of the other byte order with two bytes has the value in it",
       in && first_bytes(vol->ftype_id, "\1\2", 2));
    ok("the value in memory is not turned around then", memory && valued(vol, "Turned", 0x0102));
    hid_t some = vol->ftype_id;
    vol->ftype_id = 0;
    int without = midefine_label(vol, 9, "Nine") == MI_ERROR && H5Tget_nmembers(vol->mtype_id) == 1;
    vol->ftype_id = some;
    some = vol->mtype_id;
    vol->mtype_id = 0;
    ok("a volume without types is an error",
       without && midefine_label(vol, 9, "Nine") == MI_ERROR && H5Tget_nmembers(vol->ftype_id) == 1);
    vol->ftype_id = kept;
    vol->mtype_id = kept_m;
    vol->volume_class = MI_CLASS_INT;
    int other = midefine_label(vol, 9, "Nine") == MI_ERROR;
    vol->volume_class = MI_CLASS_REAL;
    other &= midefine_label(vol, 9, "Nine") == MI_ERROR;
    vol->volume_class = MI_CLASS_LABEL;
    ok("a volume of another class is an error", other && counted(vol, 2));
    miclose_volume(vol);
    unlink(file);
    return done();
}
