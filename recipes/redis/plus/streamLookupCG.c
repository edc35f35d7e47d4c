/*---
 * tasks: [6F0C31DFFEC181FB]
 * tests:
 *   a group is found by its name: 'Docstring: "Lookup the consumer group in the specified stream and returns its pointer".'
 *   each group is found by its own name: 'Docstring: "returns its pointer".'
 *   a stream that never had a group gives NULL: 'Docstring: "if there is no such group, NULL is returned".'
 *   an unknown name gives NULL: 'Docstring: "if there is no such group, NULL is returned".'
 *   an unknown name gives NULL whatever the stack holds: 'Docstring: "if there is no such group, NULL is returned".'
 *   a prefix of a name gives NULL: 'Docstring: "if there is no such group, NULL is returned".'
 *   a longer name gives NULL: 'Docstring: "if there is no such group, NULL is returned".'
 *   the case of letters matters: 'Upstream''s XGROUP: a group is known by its name, which is any bytes.'
 *   names that differ after a NUL byte are told apart: 'The parameter is an sds, and XGROUP takes any bytes.'
 *   an empty name is a name: 'The parameter is an sds, and XGROUP takes any bytes.'
 *   a deleted group gives NULL: 't_stream.c: XGROUP DESTROY removes it; XREADGROUP then answers NOGROUP.'
 *   the last group gone gives NULL: 't_stream.c: after XGROUP DESTROY the radix tree of groups stays, and is empty.'
 *   another stream's group gives NULL: 'Docstring: "in the specified stream".'
 *   looking up changes nothing: 'Docstring: it only returns a pointer.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static streamCG *create(stream *s, const char *name, size_t len) {
    streamID id = {1, 0};
    return streamCreateCG(s, (char *)name, len, &id, 0);
}

static streamCG *lookup(stream *s, const char *name, size_t len) {
    sds groupname = sdsnewlen(name, len);
    streamCG *cg = streamLookupCG(s, groupname);
    sdsfree(groupname);
    return cg;
}

/* Leaves bytes on the stack where the next call has its variables. */
static void __attribute__((noinline)) dirtyStack(void) {
    volatile char junk[2048];
    for (size_t j = 0; j < sizeof(junk); j++) junk[j] = 0x55;
}

int main(void) {
    stream *s = streamNew(), *other = streamNew();
    test_cond("a stream that never had a group gives NULL", lookup(s, "readers", 7) == NULL);
    streamCG *readers = create(s, "readers", 7), *writers = create(s, "writers", 7);
    test_cond("a group is found by its name", lookup(s, "readers", 7) == readers);
    test_cond("each group is found by its own name", lookup(s, "writers", 7) == writers && readers != writers);
    test_cond("an unknown name gives NULL", lookup(s, "nobody", 6) == NULL);
    sds nobody = sdsnew("nobody"), begin = sdsnew("re");
    int null = 1;
    for (int j = 0; j < 3; j++) {
        streamLookupCG(s, j ? nobody : begin);
        dirtyStack();
        null &= streamLookupCG(s, j ? begin : nobody) == NULL;
    }
    test_cond("an unknown name gives NULL whatever the stack holds", null);
    test_cond("a prefix of a name gives NULL", lookup(s, "reader", 6) == NULL && lookup(s, "r", 1) == NULL);
    test_cond("a longer name gives NULL", lookup(s, "readers2", 8) == NULL);
    test_cond("the case of letters matters", lookup(s, "Readers", 7) == NULL);
    streamCG *b = create(s, "a\0b", 3), *c = create(s, "a\0c", 3);
    int apart = lookup(s, "a\0b", 3) == b && lookup(s, "a\0c", 3) == c && lookup(s, "a", 1) == NULL;
    streamCG *a = create(s, "a", 1);
    test_cond("names that differ after a NUL byte are told apart",
              apart && lookup(s, "a", 1) == a && lookup(s, "a\0", 2) == NULL);
    int before = lookup(s, "", 0) == NULL;
    streamCG *empty = create(s, "", 0);
    test_cond("an empty name is a name", before && empty && lookup(s, "", 0) == empty);
    test_cond("another stream's group gives NULL", lookup(other, "readers", 7) == NULL);
    create(other, "only", 4);
    test_cond("looking up changes nothing", raxSize(s->cgroups) == 6 && raxSize(other->cgroups) == 1);
    raxRemove(s->cgroups, (unsigned char *)"readers", 7, NULL);
    test_cond("a deleted group gives NULL", lookup(s, "readers", 7) == NULL && lookup(s, "writers", 7) == writers);
    raxRemove(other->cgroups, (unsigned char *)"only", 4, NULL);
    test_cond("the last group gone gives NULL", lookup(other, "only", 4) == NULL);
    test_report();
    return 0;
}
