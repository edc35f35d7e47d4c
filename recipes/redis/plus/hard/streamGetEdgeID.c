/*---
 * tasks: [lpValidateNext-879598.8]
 * instead: [src/t_stream.o]
 * tests:
 *   the first ID: 'Comment: "the first or the last ID in the stream"; parameter first.'
 *   the last ID: 'Comment: the same.'
 *   in a stream of several nodes: 'stream.h: rax, nodes of listpacks.'
 *   a single entry is both: 'Comment: "An edge is either the first or the last ID".'
 *   a tombstone is an edge: 'Comment: "and may be a tombstone".'
 *   tombstones are filtered out: 'Comment: "To filter out tombstones, set the ''skip_tombstones'' argument to 1".'
 *   many tombstones are filtered out: 'The same, over nodes.'
 *   the last tombstones are filtered out as well: 'The same; parameter first is 0.'
 *   without entries the first is greater than any ID: 'Caller streamRewriteTrimArgument: MINID with it has to trim on a replica what was trimmed here.'
 *   what the ID held before does not matter: 'Parameter edge_id: an output.'
 *   the stream stays as it is: 'Comment: "Retrieves".'
 *   nothing is left behind: 'Callers go on with the stream.'
 ---*/
#include "streamtest.h"

static int edge(stream *s, int first, int skip, uint64_t ms, uint64_t seq) {
    streamID id = {77,78};
    streamGetEdgeID(s,first,skip,&id);
    if (!isID(id,ms,seq)) printf("# %llu-%llu\n",(unsigned long long)id.ms,(unsigned long long)id.seq);
    return isID(id,ms,seq);
}

static int beyond(stream *s, int skip) {
    streamID id = {0,0};
    streamGetEdgeID(s,1,skip,&id);
    return id.ms > s->last_id.ms || (id.ms == s->last_id.ms && id.seq > s->last_id.seq);
}

int main(void) {
    startRedis();
    stream *s = streamOf(3,10), *n = streamOf(50,4), *one = streamNew(), *none = streamNew();
    add(one,UINT64_MAX,5,1,0);
    int before = beyond(none,0) && beyond(none,1);
    test_cond("the first ID", edge(s,1,0,1,1) && edge(s,1,1,1,1));
    test_cond("the last ID", edge(s,0,0,3,1) && edge(s,0,1,3,1));
    test_cond("in a stream of several nodes", edge(n,1,0,1,1) && edge(n,0,0,50,1) && edge(n,1,1,1,1) && edge(n,0,1,50,1));
    test_cond("a single entry is both", edge(one,1,1,UINT64_MAX,5) && edge(one,0,1,UINT64_MAX,5) &&
              edge(one,1,0,UINT64_MAX,5) && edge(one,0,0,UINT64_MAX,5));
    del(s,1,1);
    del(s,3,1);
    stream was = *s;
    test_cond("a tombstone is an edge", edge(s,1,0,1,1) && edge(s,0,0,3,1));
    test_cond("tombstones are filtered out", edge(s,1,1,2,1) && edge(s,0,1,2,1));
    for (int j = 1; j <= 7; j++) del(n,j,1);
    test_cond("many tombstones are filtered out", edge(n,1,1,8,1) && edge(n,1,0,5,1));
    del(n,48,1);
    del(n,50,1);
    test_cond("the last tombstones are filtered out as well", edge(n,0,1,49,1) && edge(n,0,0,50,1));
    del(one,UINT64_MAX,5);
    stream *gone = streamNew();
    add(gone,9,9,1,0);
    del(gone,9,9);
    test_cond("without entries the first is greater than any ID", before && beyond(gone,0) && beyond(gone,1));
    streamID dirty = {UINT64_MAX,3};
    streamGetEdgeID(s,1,1,&dirty);
    int clean = isID(dirty,2,1);
    dirty.ms = 0;
    dirty.seq = UINT64_MAX;
    streamGetEdgeID(s,0,1,&dirty);
    test_cond("what the ID held before does not matter", clean && isID(dirty,2,1));
    test_cond("the stream stays as it is", holds(s,"2 ") && !memcmp(&was,s,sizeof(was)));
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        streamGetEdgeID(n,1,1,&dirty);
        streamGetEdgeID(n,0,0,&dirty);
        streamGetEdgeID(none,1,1,&dirty);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
