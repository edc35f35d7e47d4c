/*---
 * tasks: [micreate_group-eb60f6]
 * tests:
 *   it returns MI_NOERROR: 'minc2-grpattr-test.c: a result below 0 is an error.'
 *   the group is made below the groups of information: 'full_path_for_group: the path below MI_ROOT_PATH and info.'
 *   a group is made in another: 'Docstring: "Create a group at path using name"; minc2-grpattr-test.c.'
 *   a group is made several levels deep: 'minc2-grpattr-test.c: "/test1/stuff".'
 *   an empty path is the top: 'full_path_for_group heeds an empty path.'
 *   a path without a slash works: 'full_path_for_group adds the slash.'
 *   the same name may be used in several groups: 'Docstring: "Create a group at path using name".'
 *   a missing path is an error: 'Docstring: "Create a group at path"; siblings: MI_ERROR.'
 *   a missing path is not made: 'Docstring: it creates one group.'
 *   a group that exists already is no error: 'Callers create a group for each attribute they set.'
 *   a group that exists already keeps what it holds: 'Callers create a group for each attribute they set.'
 *   a name that is that of something else is an error: 'Siblings: MI_ERROR if HDF5 fails.'
 *   a name below a missing group is an error: 'Siblings: MI_ERROR if HDF5 fails.'
 *   a volume without a file is an error: 'Siblings: an hdf_id below 0 is an MI_ERROR.'
 *   attributes can be set in it: 'minc2-grpattr-test.c: miset_attr_values.'
 *   a large attribute can be set in it: 'minc2-large-attribute.c: attributes of 1000000 bytes.'
 *   the group can be deleted and made again: 'Counterpart midelete_group.'
 *   it is listed: 'milist_start lists the groups.'
 *   nothing is left open: 'Siblings close the handles that they create.'
 *   errors are not printed: 'm2util.c: HDF5 has an "overzealous automatic error reporting".'
 ---*/
#include <hdf5.h>
#include <fcntl.h>
#include <unistd.h>
#include "minc2.h"
#include "minc2_private.h"
#include "plus.h"

static char file[] = "plus-group.mnc";
static mihandle_t vol;

static int exists(const char *path) {
    char full[300];
    hid_t id;
    snprintf(full, sizeof full, "/minc-2.0/info/%s", path);
    H5E_BEGIN_TRY {
        id = H5Gopen1(vol->hdf_id, full);
    } H5E_END_TRY;
    if (id < 0) return 0;
    H5Gclose(id);
    return 1;
}

static long opened(void) {
    return H5Fget_obj_count(vol->hdf_id, H5F_OBJ_ALL);
}

static int made(const char *path, const char *name) {
    return micreate_group(vol, path, name) == MI_NOERROR;
}

int main(void) {
    midimhandle_t dim[1];
    micreate_dimension("xspace", MI_DIMCLASS_SPATIAL, MI_DIMATTR_REGULARLY_SAMPLED, 4, &dim[0]);
    if (micreate_volume(file, 1, dim, MI_TYPE_UBYTE, MI_CLASS_REAL, NULL, &vol) < 0) return 1;
    long before = opened();
    int err = dup(2), log = open("plus-group.err", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(log, 2);
    ok("it returns MI_NOERROR", made("/", "one"));
    ok("the group is made below the groups of information", exists("one"));
    ok("a group is made in another", made("/one", "two") && exists("one/two") && !exists("two"));
    ok("a group is made several levels deep",
       made("/one/two", "three") && made("/one/two/three", "four") && exists("one/two/three/four"));
    ok("an empty path is the top", made("", "five") && exists("five"));
    ok("a path without a slash works", made("one", "six") && exists("one/six") && made("one/two", "seven") &&
                                           exists("one/two/seven"));
    ok("the same name may be used in several groups",
       made("/five", "one") && exists("five/one") && !exists("five/one/two") && exists("one/two"));
    ok("nothing is left open", opened() == before);
    ok("a missing path is an error", micreate_group(vol, "/missing", "x") == MI_ERROR &&
                                         micreate_group(vol, "/one/missing", "x") == MI_ERROR);
    ok("a missing path is not made", !exists("missing") && !exists("one/missing") && !exists("x") && !exists("one/x"));
    int value = 42, got = 0;
    int set = miset_attr_values(vol, MI_TYPE_INT, "/one/two", "answer", 1, &value) == MI_NOERROR &&
              miget_attr_values(vol, MI_TYPE_INT, "/one/two", "answer", 1, &got) == MI_NOERROR && got == 42;
    ok("attributes can be set in it", set);
    ok("a group that exists already is no error", made("/one", "two") && made("/", "one") && made("one/two", "three"));
    got = 0;
    miget_attr_values(vol, MI_TYPE_INT, "/one/two", "answer", 1, &got);
    ok("a group that exists already keeps what it holds", got == 42 && exists("one/two/three/four"));
    ok("a name below a missing group is an error", micreate_group(vol, "/five", "gone/x") == MI_ERROR);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t data = H5Dcreate1(vol->hdf_id, "/minc-2.0/info/taken", H5T_NATIVE_INT, space, H5P_DEFAULT);
    H5Dclose(data);
    H5Sclose(space);
    ok("a name that is that of something else is an error", micreate_group(vol, "/", "taken") == MI_ERROR);
    ok("errors are not printed", lseek(log, 0, SEEK_END) == 0);
    dup2(err, 2);
    static char large[200000], back[200000];
    memset(large, 'x', sizeof large - 1);
    ok("a large attribute can be set in it",
       made("/", "large") &&
           miset_attr_values(vol, MI_TYPE_STRING, "/large", "text", sizeof large, large) == MI_NOERROR &&
           miget_attr_values(vol, MI_TYPE_STRING, "/large", "text", sizeof back, back) == MI_NOERROR &&
           !strcmp(large, back));
    ok("the group can be deleted and made again",
       made("/", "again") && midelete_group(vol, "/", "again") == MI_NOERROR && !exists("again") &&
           made("/", "again") && exists("again"));
    milisthandle_t list;
    char name[256];
    int listed = 0;
    if (milist_start(vol, "/five", 0, &list) == MI_NOERROR) {
        while (milist_grp_next(list, name, sizeof name) == MI_NOERROR) listed += !strcmp(name, "/five/one") ? 1 : 100;
        milist_finish(list);
    }
    ok("it is listed", listed == 1);
    struct mivolume *none = calloc(1, sizeof(*vol));
    none->hdf_id = -1;
    ok("a volume without a file is an error", micreate_group((mihandle_t)none, "/", "x") == MI_ERROR);
    miclose_volume(vol);
    unlink(file);
    unlink("plus-group.err");
    return done();
}
