/*---
 * tasks: [lpValidateNext-879598.8]
 * instead: [src/t_stream.o]
 * tests:
 *   the first ID of a node: 'Comment: "Get an edge streamID of a given listpack"; parameter first.'
 *   the last ID of a node: 'Parameter first: 0; streamTrim reads the last ID.'
 *   an ID is built from the master ID: 'Comment: "''master_id'' is an input param, used to build the ''edge_id''"; IDs are encoded as differences.'
 *   differences may be negative: 'streamAppendItem: a later time with a smaller sequence.'
 *   large IDs are built: 'stream.h: uint64_t.'
 *   fields of any number are skipped: 'streamAppendItem: the master entry has num-fields.'
 *   entries with fields of their own are skipped: 'streamAppendItem: STREAM_ITEM_FLAG_SAMEFIELDS or num-fields.'
 *   a single entry is first and last: 'Comment: "an edge".'
 *   a deleted entry is an edge as well: 'streamGetEdgeID: "may be a tombstone"; nothing of tombstones is said here.'
 *   it gives 1 where there is one: 'Sibling streamIteratorGetID; callers.'
 *   a node without entries gives 0: 'streamAppendItem: the master entry "is a stand alone object".'
 *   NULL gives 0: 'Comment: a given listpack; there is none.'
 *   node and master ID stay as they are: 'Comment: "''master_id'' is an input param".'
 *   other master IDs give other IDs: 'Comment: "used to build".'
 ---*/
#include "streamtest.h"

/* The edge of the node at that place; 1 if it's this ID. */
static int result;
static int edge(stream *s, int node, int first, uint64_t ms, uint64_t seq) {
    raxIterator ri;
    raxStart(&ri,s->rax);
    raxSeek(&ri,"^",NULL,0);
    for (int j = 0; j <= node; j++) raxNext(&ri);
    streamID master, before, id = {77,77};
    streamDecodeID(ri.key,&master);
    before = master;
    size_t bytes = lpBytes(ri.data);
    unsigned char *copy = memcpy(zmalloc(bytes),ri.data,bytes);
    result = lpGetEdgeStreamID(ri.data,first,&master,&id);
    int same = !memcmp(copy,ri.data,bytes) && master.ms == before.ms && master.seq == before.seq;
    zfree(copy);
    raxStop(&ri);
    if (!isID(id,ms,seq)) printf("# %llu-%llu\n",(unsigned long long)id.ms,(unsigned long long)id.seq);
    return same && result == 1 && isID(id,ms,seq);
}

int main(void) {
    startRedis();
    stream *s = streamOf(10,4);
    test_cond("the first ID of a node", edge(s,0,1,1,1) && edge(s,1,1,5,1) && edge(s,2,1,9,1));
    test_cond("the last ID of a node", edge(s,0,0,4,1) && edge(s,1,0,8,1) && edge(s,2,0,10,1));
    stream *n = streamNew();
    server.stream_node_max_entries = 10;
    add(n,100,50,2,0);
    add(n,107,3,2,0);
    add(n,107,9,2,0);
    test_cond("an ID is built from the master ID", edge(n,0,1,100,50) && edge(n,0,0,107,9));
    add(n,5000000000000ULL,0,2,0);
    test_cond("differences may be negative", edge(n,0,0,5000000000000ULL,0));
    add(n,UINT64_MAX-5,UINT64_MAX-1,2,0);
    int large = edge(n,0,0,UINT64_MAX-5,UINT64_MAX-1);
    stream *m = streamNew();
    add(m,UINT64_MAX-9,UINT64_MAX-3,1,0);
    large &= edge(m,0,1,UINT64_MAX-9,UINT64_MAX-3);
    add(m,UINT64_MAX-8,2,1,0);
    test_cond("large IDs are built", large && edge(m,0,0,UINT64_MAX-8,2) && edge(m,0,1,UINT64_MAX-9,UINT64_MAX-3));
    int fields = 1, own = 1;
    for (int j = 1; j <= 9; j++) {
        stream *f = streamNew();
        add(f,3,1,j,0);
        fields &= edge(f,0,1,3,1) && edge(f,0,0,3,1);
        add(f,4,2,j,0);
        fields &= edge(f,0,1,3,1) && edge(f,0,0,4,2);
        for (int k = 1; k <= 8; k++) {
            add(f,4+k,3,k,1);
            own &= edge(f,0,1,3,1) && edge(f,0,0,4+k,3);
        }
        freeStream(f);
    }
    test_cond("fields of any number are skipped", fields);
    test_cond("entries with fields of their own are skipped", own);
    stream *one = streamNew();
    add(one,6,7,1,0);
    test_cond("a single entry is first and last", edge(one,0,1,6,7) && edge(one,0,0,6,7));
    del(s,1,1);
    del(s,4,1);
    test_cond("a deleted entry is an edge as well", edge(s,0,1,1,1) && edge(s,0,0,4,1));
    test_cond("it gives 1 where there is one", edge(s,1,1,5,1) && result == 1 && edge(s,1,0,8,1) && result == 1);
    unsigned char *lp = lpNew(0);
    lp = lpAppendInteger(lp,0);
    lp = lpAppendInteger(lp,0);
    lp = lpAppendInteger(lp,2);
    lp = lpAppend(lp,(unsigned char*)"a",1);
    lp = lpAppend(lp,(unsigned char*)"b",1);
    lp = lpAppendInteger(lp,0);
    streamID master = {5,5}, id = {77,77};
    test_cond("a node without entries gives 0", lpGetEdgeStreamID(lp,1,&master,&id) == 0 &&
              lpGetEdgeStreamID(lp,0,&master,&id) == 0);
    lpFree(lp);
    test_cond("NULL gives 0", lpGetEdgeStreamID(NULL,1,&master,&id) == 0 && lpGetEdgeStreamID(NULL,0,&master,&id) == 0);
    test_cond("node and master ID stay as they are", edge(s,2,1,9,1) && edge(s,2,0,10,1) && isID(master,5,5));
    raxIterator ri;
    raxStart(&ri,n->rax);
    raxSeek(&ri,"^",NULL,0);
    raxNext(&ri);
    streamID third = {1000,60};
    int other = lpGetEdgeStreamID(ri.data,1,&third,&id) == 1 && isID(id,1000,60);
    raxStop(&ri);
    test_cond("other master IDs give other IDs", other && isID(third,1000,60));
    test_report();
    return 0;
}
