/*---
 * tasks: [milist_grp_next-cc2cdd]
 * tests:
 *   each group below the root is listed once: 'minc2_api.h: milist_start begins to list the objects in a group.'
 *   without the flag no deeper group is listed: 'minc2-read-metadata.c descends by itself, with the flag 0.'
 *   the end of the list is an error: 'Callers loop while it returns MI_NOERROR.'
 *   it stays at the end: 'Callers loop while it returns MI_NOERROR.'
 *   a group below another is named by its whole path: 'minc2-read-metadata.c prints it as the name of a group.'
 *   a group without groups has none: 'Callers loop while it returns MI_NOERROR.'
 *   the path at the end is that of no other group: 'Docstring: a group at the path; the last call has none.'
 *   a recursive list ends with an error: 'Callers loop while it returns MI_NOERROR.'
 *   a recursive list of a group without groups is empty: 'Callers loop while it returns MI_NOERROR.'
 *   two lists at once do not disturb each other: 'Each handle of milist_start has data of its own.'
 *   nothing is written behind maxpath: 'The parameter maxpath; callers pass the size of the buffer.'
 *   a finished list leaves nothing open: 'milist_finish closes what the handle has open.'
 *   a list can be read again from the start: 'milist_start: "Start listing".'
 *   attributes are not listed: 'Docstring: "Get the group".'
 ---*/
#include <hdf5.h>
#include "minc2.h"
#include "minc2_private.h"
#include "plus.h"

static mihandle_t vol;
static char found[64][256];
static int number, last;

/* Reads a list into `found` (at most 64 groups) and leaves the handle to the caller. */
static milisthandle_t list(const char *path, int flags) {
    milisthandle_t h = NULL;
    char buffer[256];
    number = 0;
    last = -99;
    if (milist_start(vol, path, flags, &h) != MI_NOERROR) exit(1);
    while (number < 64) {
        memset(buffer, 0, sizeof buffer);
        last = milist_grp_next(h, buffer, sizeof buffer);
        if (last != MI_NOERROR) break;
        strcpy(found[number++], buffer);
    }
    return h;
}

/* Whether `found` holds exactly these, each once, in any order. */
static int exactly(int n, const char *const names[]) {
    if (n != number) return 0;
    for (int i = 0; i < n; i++) {
        int times = 0;
        for (int j = 0; j < number; j++) times += !strcmp(names[i], found[j]);
        if (times != 1) return 0;
    }
    return 1;
}

static int holds(int n, const char *const names[], const char *path) {
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], path)) return 1;
    return 0;
}

int main(void) {
    const char *top[] = {"/alpha", "/beta", "/gamma"};
    const char *alpha[] = {"/alpha/one", "/alpha/two"};
    const char *all[] = {"/alpha", "/beta", "/gamma", "/alpha/one", "/alpha/two", "/alpha/two/deep", "/gamma/three"};
    char name[] = "plus-grp-next.mnc", buffer[256], other[256];
    milisthandle_t h, g;
    if (micreate_volume(name, 0, NULL, MI_TYPE_UINT, MI_CLASS_REAL, NULL, &vol) < 0) return 1;
    micreate_group(vol, "/", "gamma");
    micreate_group(vol, "/", "alpha");
    micreate_group(vol, "/", "beta");
    micreate_group(vol, "/alpha", "two");
    micreate_group(vol, "/alpha", "one");
    micreate_group(vol, "/gamma", "three");
    micreate_group(vol, "/alpha/two", "deep");
    miset_attr_values(vol, MI_TYPE_STRING, "/alpha", "colour", 4, "red");
    miset_attr_values(vol, MI_TYPE_STRING, "/beta", "colour", 4, "red");
    miset_attr_values(vol, MI_TYPE_STRING, "/beta", "shape", 4, "egg");
    ssize_t open = H5Fget_obj_count(vol->hdf_id, H5F_OBJ_ALL);

    h = list("/", 0);
    int deeper = 0;
    for (int i = 0; i < number; i++) deeper += strchr(found[i] + 1, '/') != NULL;
    ok("each group below the root is listed once", exactly(3, top));
    ok("without the flag no deeper group is listed", number > 0 && !deeper);
    ok("the end of the list is an error", number == 3 && last == MI_ERROR);
    memset(buffer, 0, sizeof buffer);
    int again = milist_grp_next(h, buffer, sizeof buffer) == MI_ERROR &&
                milist_grp_next(h, buffer, sizeof buffer) == MI_ERROR;
    ok("it stays at the end", number == 3 && again);
    ok("the path at the end is that of no other group", !holds(7, all, buffer));
    milist_finish(h);
    milist_finish(list("/", 0));
    ok("a list can be read again from the start", exactly(3, top));
    milist_finish(list("/alpha", 0));
    ok("a group below another is named by its whole path", exactly(2, alpha) && last == MI_ERROR);
    milist_finish(list("/beta", 0));
    ok("a group without groups has none", number == 0 && last == MI_ERROR);
    ok("attributes are not listed", number == 0);

    milist_finish(list("/", 1));
    int ends = number < 8 && last == MI_ERROR;
    milist_finish(list("/alpha", 1));
    ok("a recursive list ends with an error", ends && number < 4 && last == MI_ERROR);
    milist_finish(list("/beta", 1));
    ok("a recursive list of a group without groups is empty", number == 0 && last == MI_ERROR);

    int apart = milist_start(vol, "/", 0, &h) == MI_NOERROR && milist_start(vol, "/alpha", 0, &g) == MI_NOERROR;
    char first[4][256] = {"", "", "", ""};
    for (int i = 0; apart && i < 2; i++) {
        apart &= milist_grp_next(h, buffer, sizeof buffer) == MI_NOERROR && holds(3, top, buffer);
        apart &= milist_grp_next(g, other, sizeof other) == MI_NOERROR && holds(2, alpha, other);
        strcpy(first[i], buffer);
        strcpy(first[2 + i], other);
    }
    apart &= milist_grp_next(g, other, sizeof other) == MI_ERROR;
    apart &= milist_grp_next(h, buffer, sizeof buffer) == MI_NOERROR && holds(3, top, buffer);
    apart &= milist_grp_next(h, other, sizeof other) == MI_ERROR;
    ok("two lists at once do not disturb each other",
       apart && strcmp(first[0], first[1]) && strcmp(first[1], buffer) && strcmp(first[0], buffer) &&
           strcmp(first[2], first[3]));
    milist_finish(h);
    milist_finish(g);

    int bounded = 1, seen = 0;
    milist_start(vol, "/", 0, &h);
    for (;;) {
        memset(buffer, '#', sizeof buffer);
        if (milist_grp_next(h, buffer, 64) != MI_NOERROR || seen > 9) break;
        seen++;
        for (int i = 64; i < (int)sizeof buffer; i++) bounded &= buffer[i] == '#';
        bounded &= memchr(buffer, 0, 64) != NULL && holds(3, top, buffer);
    }
    milist_finish(h);
    ok("nothing is written behind maxpath", bounded && seen == 3);
    ok("a finished list leaves nothing open", H5Fget_obj_count(vol->hdf_id, H5F_OBJ_ALL) == open);
    miclose_volume(vol);
    remove(name);
    return done();
}
