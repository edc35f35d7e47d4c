/* Shared by tests of t_stream.c, whose source they hold: streams with small nodes, and what they hold as a text. */
#ifndef PLUS_STREAMTEST_H
#define PLUS_STREAMTEST_H
#include "start.h"
#include "../t_stream.c"
#include "../testhelp.h"

/* Adds an entry with so many fields; those of the same `kind` have the same names. */
static void add(stream *s, uint64_t ms, uint64_t seq, int fields, int kind) {
    robj *argv[20];
    for (int j = 0; j < fields*2; j++) {
        char text[50];
        argv[j] = createStringObject(text,sprintf(text,j % 2 ? "value%d" : "field%d-%d",j,kind));
    }
    streamID id = {ms,seq};
    if (streamAppendItem(s,argv,fields,NULL,&id,1) != C_OK) printf("# can't add %llu\n",(unsigned long long)ms);
    for (int j = 0; j < fields*2; j++) decrRefCount(argv[j]);
}

static int del(stream *s, uint64_t ms, uint64_t seq) {
    streamID id = {ms,seq};
    return streamDeleteItem(s,&id);
}

/* The stream 1-1 to n-1, so many entries a node. */
static stream *streamOf(int n, int node) {
    server.stream_node_max_entries = node;
    stream *s = streamNew();
    for (int j = 1; j <= n; j++) add(s,j,1,1+j % 3,j % 4 == 0);
    return s;
}

/* The IDs that are there, in their order; "!" behind if the nodes' counters don't agree with them or the length. */
static char shown[8192];
static const char *ids(stream *s) {
    streamIterator si;
    streamID id;
    int64_t fields, n = 0, counted = 0;
    shown[0] = '\0';
    streamIteratorStart(&si,s,NULL,NULL,0);
    while (streamIteratorGetID(&si,&id,&fields)) {
        while (fields--) {
            unsigned char *key, *value;
            int64_t keylen, valuelen;
            streamIteratorGetField(&si,&key,&value,&keylen,&valuelen);
        }
        n++;
        sprintf(shown+strlen(shown),id.seq == 1 ? "%llu " : "%llu-%llu ",(unsigned long long)id.ms,(unsigned long long)id.seq);
    }
    streamIteratorStop(&si);
    raxIterator ri;
    raxStart(&ri,s->rax);
    raxSeek(&ri,"^",NULL,0);
    while (raxNext(&ri)) counted += lpGetInteger(lpFirst(ri.data));
    raxStop(&ri);
    if (n != counted || (uint64_t)n != s->length) strcat(shown,"!");
    return shown;
}

static int holds(stream *s, const char *want) {
    int same = !strcmp(ids(s),want);
    if (!same) printf("# %s\n",shown);
    return same;
}

static int isID(streamID id, uint64_t ms, uint64_t seq) {
    return id.ms == ms && id.seq == seq;
}
#endif
