/*---
 * tasks: [1E86D002109F35F0]
 * tests:
 *   the pointer to the new group is returned: 'Docstring: "otherwise the pointer to the consumer group is returned".'
 *   the group is found by its name: 'Docstring: "Create a new consumer group in the context of the stream".'
 *   the first group of a stream can be created: 't_stream.c: a new stream has no radix tree of groups.'
 *   the group has the last ID that was given: 'Docstring: "having the specified name, last server ID and reads counter".'
 *   the ID is copied: 't_stream.c: xgroupCommand passes a local variable.'
 *   the group has the reads counter that was given: 'Docstring: "having the specified name, last server ID and reads counter".'
 *   an unknown reads counter is kept: 'stream.h: SCG_INVALID_ENTRIES_READ is a valid counter.'
 *   a reads counter beyond 32 bits is kept: 'The parameter is a long long.'
 *   the group has no pending entries and no consumers: 'stream.h: streamCG; a new group was read by nobody.'
 *   an existing name gives NULL: 'Docstring: "If a consumer group with the same name already exists NULL is returned".'
 *   the existing group stays as it was: 'Docstring: then no group is created; XGROUP CREATE answers BUSYGROUP.'
 *   an existing name costs no memory: 'Docstring: then no group is created.'
 *   groups of other names stand beside it: 'Docstring: a group is known by its name.'
 *   groups do not share entries or consumers: 'stream.h: each streamCG has its own.'
 *   a prefix of a name is another name: 'The parameter namelen.'
 *   only the given length of the name counts: 'The parameter namelen: name need not end there.'
 *   a name with NUL bytes is another name: 'The parameter namelen; XGROUP takes any bytes.'
 *   an empty name is a name: 'The parameter namelen; XGROUP takes any bytes.'
 *   the name is copied: 't_stream.c: streamDup passes the key of an iterator.'
 *   streams have groups of their own: 'The parameter s.'
 *   the stream can be freed with its groups: 't_stream.c: freeStream frees groups with streamFreeCG.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static streamCG *lookup(stream *s, const char *name, size_t len) {
    void *cg = NULL;
    if (s->cgroups) raxFind(s->cgroups, (unsigned char *)name, len, &cg);
    return cg;
}

static streamCG *create(stream *s, const char *name, size_t len, long long entries_read) {
    streamID id = {7, 9};
    return streamCreateCG(s, (char *)name, len, &id, entries_read);
}

int main(void) {
    size_t start = zmalloc_used_memory();
    stream *s = streamNew(), *other = streamNew();
    streamID id = {123456789012345, 42};
    streamCG *cg = streamCreateCG(s, "readers", 7, &id, 5), *again, *more;
    test_cond("the first group of a stream can be created", cg != NULL);
    test_cond("the pointer to the new group is returned", cg == lookup(s, "readers", 7));
    test_cond("the group is found by its name", lookup(s, "readers", 7) != NULL && raxSize(s->cgroups) == 1);
    id.ms = 1, id.seq = 1;
    test_cond("the group has the last ID that was given", cg->last_id.ms == 123456789012345 && cg->last_id.seq == 42);
    id.ms = 2;
    test_cond("the ID is copied", cg->last_id.ms == 123456789012345);
    test_cond("the group has the reads counter that was given", cg->entries_read == 5);
    test_cond("the group has no pending entries and no consumers",
              cg->pel && cg->consumers && raxSize(cg->pel) == 0 && raxSize(cg->consumers) == 0);

    raxInsert(cg->consumers, (unsigned char *)"alice", 5, NULL, NULL);
    size_t used = zmalloc_used_memory();
    again = create(s, "readers", 7, 99);
    test_cond("an existing name gives NULL", again == NULL);
    test_cond("the existing group stays as it was",
              lookup(s, "readers", 7) == cg && cg->last_id.seq == 42 && cg->entries_read == 5 &&
              raxSize(cg->consumers) == 1 && raxSize(s->cgroups) == 1);
    test_cond("an existing name costs no memory", zmalloc_used_memory() == used);

    more = create(s, "writers", 7, SCG_INVALID_ENTRIES_READ);
    test_cond("groups of other names stand beside it",
              more && more != cg && raxSize(s->cgroups) == 2 && lookup(s, "readers", 7) == cg);
    test_cond("an unknown reads counter is kept", more && more->entries_read == SCG_INVALID_ENTRIES_READ);
    test_cond("groups do not share entries or consumers",
              more && more->pel != cg->pel && more->consumers != cg->consumers && raxSize(more->consumers) == 0);
    more = create(s, "big", 3, 5000000000LL);
    test_cond("a reads counter beyond 32 bits is kept", more && more->entries_read == 5000000000LL);
    more = create(s, "read", 4, 0);
    test_cond("a prefix of a name is another name", more && lookup(s, "read", 4) == more && more != cg);
    more = create(s, "readers and writers", 11, 0);
    test_cond("only the given length of the name counts", more && lookup(s, "readers and", 11) == more);
    more = create(s, "a\0b", 3, 0);
    test_cond("a name with NUL bytes is another name", more && lookup(s, "a\0b", 3) == more &&
              create(s, "a", 1, 0) && create(s, "a\0c", 3, 0) && !create(s, "a\0b", 3, 0));
    more = create(s, "", 0, 3);
    test_cond("an empty name is a name", more && lookup(s, "", 0) == more && !create(s, "", 0, 3));
    char name[] = "changing";
    more = create(s, name, 8, 0);
    memset(name, 'x', 8);
    test_cond("the name is copied", more && lookup(s, "changing", 8) == more && !lookup(s, "xxxxxxxx", 8));
    more = create(other, "readers", 7, 1);
    test_cond("streams have groups of their own",
              more && more != cg && raxSize(other->cgroups) == 1 && lookup(s, "readers", 7) == cg);
    raxRemove(cg->consumers, (unsigned char *)"alice", 5, NULL);
    freeStream(s);
    freeStream(other);
    test_cond("the stream can be freed with its groups", zmalloc_used_memory() == start);
    test_report();
    return 0;
}
