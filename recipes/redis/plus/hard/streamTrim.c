/*---
 * tasks: [lpValidateNext-879598.8]
 * instead: [src/t_stream.o]
 * tests:
 *   MAXLEN leaves the newest entries: 'Comment: "removed from the head of the stream (older elements)"; streamAddTrimArgs: "leave stream at this length".'
 *   "MINID leaves what isn't less": 'streamAddTrimArgs: "No stream entries with ID < ''minid'' will remain".'
 *   it returns how many were removed: 'Comment: "return the number of elements removed from the stream".'
 *   no strategy removes nothing: 'TRIM_STRATEGY_NONE; XADD without MAXLEN and MINID.'
 *   a stream that is short enough stays: 'Comment: "already shorter or equal to the specified max length".'
 *   a stream without smaller IDs stays: 'Comment: "The function may return zero if" no ID is less.'
 *   all may be removed: 'XTRIM MAXLEN 0; MINID beyond the last.'
 *   an empty stream is fine: 'XTRIM of an emptied stream.'
 *   with approx whole nodes alone are removed: 'Comment: "elements are only removed if we can remove a *whole* node of the radix tree".'
 *   with approx not less than MAXLEN stay: 'Comment: "more elements than ''maxlen''".'
 *   "with approx entries that aren't less stay": 'Comment: "may contain entries with IDs < ''id''".'
 *   a limit bounds what is removed: 'Comment: "args->limit is the maximum number of entries to delete".'
 *   a limit of 0 is none: 'Comment: "If ''limit'' is 0 then we do not limit".'
 *   deleted entries do not count: 'stream.h: length; XDEL marks them.'
 *   MINID by sequence: 'streamCompareID; IDs of the same time.'
 *   IDs whose sequence falls: 'streamAppendItem: differences to the master entry may be negative.'
 *   the first ID is that of the first entry left: 'stream.h: first_id, "The first non-tombstone entry, zero if empty".'
 *   the first ID of an emptied stream is zero: 'stream.h: first_id, "zero if empty".'
 *   the last ID and the counters of all time stay: 'stream.h: last_id, entries_added; max_deleted_entry_id is XDEL''s.'
 *   "the nodes' counters are right": 'streamAppendItem: count and deleted of each listpack; streamValidateListpackIntegrity.'
 *   a node that shrinks and moves is kept: 'rax: it holds the pointer; listpack.h: a change gives a new pointer.'
 *   entries keep their fields: 'XRANGE after XTRIM.'
 *   trimmed again nothing is removed: 'Comment: it is short enough then.'
 *   entries can be added afterwards: 'XADD; trimming by XADD.'
 *   what was removed is freed: 'Nodes of the radix tree.'
 ---*/
#include "streamtest.h"

static int64_t removed;

static int64_t maxlen(stream *s, long long n, int approx, long long limit) {
    streamAddTrimArgs args = {.trim_strategy = TRIM_STRATEGY_MAXLEN, .maxlen = n, .approx_trim = approx, .limit = limit};
    return removed = streamTrim(s,&args);
}

static int64_t minid(stream *s, uint64_t ms, uint64_t seq, int approx, long long limit) {
    streamAddTrimArgs args = {.trim_strategy = TRIM_STRATEGY_MINID, .approx_trim = approx, .limit = limit};
    args.minid.ms = ms;
    args.minid.seq = seq;
    return removed = streamTrim(s,&args);
}

/* From a number to another, but those that are deleted, as `ids` shows them. */
static const char *numbers(int from, int to, const char *deleted) {
    static char s[2000];
    s[0] = '\0';
    for (int j = from; j <= to; j++) {
        char one[20];
        sprintf(one," %d ",j);
        if (!deleted || !strstr(deleted,one)) strcat(s,one+1);
    }
    return s;
}

static int sound(stream *s) {
    int valid = 1;
    raxIterator ri;
    raxStart(&ri,s->rax);
    raxSeek(&ri,"^",NULL,0);
    while (raxNext(&ri)) valid &= streamValidateListpackIntegrity(ri.data,lpBytes(ri.data),1) == 1;
    raxStop(&ri);
    return valid;
}

int main(void) {
    startRedis();
    int length = 1, ids_ = 1, returned = 1, first = 1, zero = 1, stays = 1, counters = 1, all = 1, again = 1, gone = 1;
    for (int node = 1; node <= 5; node++) {
        for (int n = 0; n <= 12; n++) {
            stream *s = streamOf(11,node);
            int left = n > 11 ? 11 : n;
            returned &= maxlen(s,n,0,0) == 11-left;
            length &= holds(s,numbers(12-left,11,NULL));
            first &= !left || isID(s->first_id,12-left,1);
            zero &= left || isID(s->first_id,0,0);
            stays &= isID(s->last_id,11,1) && s->entries_added == 11 && isID(s->max_deleted_entry_id,0,0);
            counters &= sound(s);
            again &= maxlen(s,n,0,0) == 0 && holds(s,numbers(12-left,11,NULL));
            freeStream(s);
            s = streamOf(11,node);
            int from = n < 1 ? 1 : n;
            returned &= minid(s,n,n % 2,0,0) == from-1;
            ids_ &= holds(s,numbers(from,11,NULL));
            first &= from > 11 || isID(s->first_id,from,1);
            zero &= from <= 11 || isID(s->first_id,0,0);
            stays &= isID(s->last_id,11,1) && s->entries_added == 11 && isID(s->max_deleted_entry_id,0,0);
            counters &= sound(s);
            again &= minid(s,n,n % 2,0,0) == 0;
            freeStream(s);
        }
    }
    test_cond("MAXLEN leaves the newest entries", length);
    test_cond("MINID leaves what isn't less", ids_);
    test_cond("it returns how many were removed", returned);
    stream *s = streamOf(11,4);
    streamAddTrimArgs args = {.trim_strategy = TRIM_STRATEGY_NONE, .maxlen = 2};
    args.minid.ms = 9;
    test_cond("no strategy removes nothing", streamTrim(s,&args) == 0 && holds(s,numbers(1,11,NULL)));
    test_cond("a stream that is short enough stays", maxlen(s,11,0,0) == 0 && maxlen(s,12,1,0) == 0 &&
              maxlen(s,LLONG_MAX,0,0) == 0 && maxlen(s,1LL<<32,0,0) == 0 && maxlen(s,(1LL<<32)+3,1,0) == 0 && holds(s,numbers(1,11,NULL)) && isID(s->first_id,1,1));
    test_cond("a stream without smaller IDs stays", minid(s,1,1,0,0) == 0 && minid(s,0,5,0,0) == 0 && minid(s,0,0,1,0) == 0 &&
              minid(s,1,0,0,0) == 0 && holds(s,numbers(1,11,NULL)) && isID(s->first_id,1,1));
    all &= minid(s,11,2,0,0) == 11 && holds(s,"") && isID(s->first_id,0,0) && isID(s->last_id,11,1);
    freeStream(s);
    s = streamOf(11,4);
    all &= maxlen(s,0,1,0) == 11 && holds(s,"");
    freeStream(s);
    s = streamOf(11,4);
    test_cond("all may be removed", all && minid(s,UINT64_MAX,UINT64_MAX,1,0) == 11 && holds(s,""));
    test_cond("an empty stream is fine", maxlen(s,0,0,0) == 0 && maxlen(s,5,1,0) == 0 && minid(s,5,5,0,0) == 0 &&
              s->length == 0 && isID(s->first_id,0,0));
    add(s,20,1,1,0);
    add(s,21,1,1,0);
    int added = holds(s,"20 21 ") && s->entries_added == 13;
    freeStream(s);

    int whole = 1, atleast = 1, notless = 1;
    for (int n = 0; n <= 12; n++) {
        s = streamOf(11,4);
        int nodes = n > 7 ? 0 : n > 3 ? 4 : n > 0 ? 8 : 11;
        whole &= maxlen(s,n,1,0) == nodes && holds(s,numbers(nodes+1,11,NULL));
        atleast &= s->length >= (uint64_t)(n < 11 ? n : 11);
        first &= nodes == 11 || isID(s->first_id,nodes+1,1);
        freeStream(s);
        s = streamOf(11,4);
        nodes = n <= 4 ? 0 : n <= 8 ? 4 : n <= 11 ? 8 : 11;
        whole &= minid(s,n,1,1,0) == nodes;
        notless &= holds(s,numbers(nodes+1,11,NULL));
        first &= nodes == 11 || isID(s->first_id,nodes+1,1);
        freeStream(s);
    }
    test_cond("with approx whole nodes alone are removed", whole);
    test_cond("with approx not less than MAXLEN stay", atleast);
    test_cond("with approx entries that aren't less stay", notless);
    int limits = 1;
    for (int limit = 1; limit <= 13; limit++) {
        s = streamOf(12,4);
        limits &= maxlen(s,0,1,limit) == limit/4*4 && holds(s,numbers(limit/4*4+1,12,NULL));
        freeStream(s);
        s = streamOf(12,4);
        limits &= minid(s,99,0,1,limit) == limit/4*4 && holds(s,numbers(limit/4*4+1,12,NULL));
        freeStream(s);
    }
    s = streamOf(12,4);
    limits &= maxlen(s,7,1,100) == 4 && maxlen(s,7,1,100) == 0;
    freeStream(s);
    test_cond("a limit bounds what is removed", limits);
    s = streamOf(60,4);
    test_cond("a limit of 0 is none", maxlen(s,1,1,0) == 56 && minid(s,99,1,0,0) == 4 && holds(s,""));
    freeStream(s);

    const char *tombs = " 2 3 6 9 ";
    int deleted = 1;
    for (int n = 0; n <= 8; n++) {
        s = streamOf(11,4);
        del(s,2,1), del(s,3,1), del(s,6,1), del(s,9,1);
        streamID max = s->max_deleted_entry_id;
        int left[] = {12,11,10,8,7,5,4,1,1};
        deleted &= maxlen(s,n,0,0) == (n < 7 ? 7-n : 0) && holds(s,numbers(left[n],11,tombs));
        first &= !n || isID(s->first_id,left[n],1);
        counters &= sound(s);
        stays &= isID(s->max_deleted_entry_id,max.ms,max.seq);
        freeStream(s);
    }
    for (int n = 1; n <= 12; n++) {
        s = streamOf(11,4);
        del(s,2,1), del(s,3,1), del(s,6,1), del(s,9,1);
        int less = 0;
        for (int j = 1; j < n; j++) less += j != 2 && j != 3 && j != 6 && j != 9;
        deleted &= minid(s,n,1,0,0) == less && holds(s,numbers(n,11,tombs));
        int next = n == 2 || n == 3 ? 4 : n == 6 ? 7 : n == 9 ? 10 : n;
        first &= n > 11 || isID(s->first_id,next,1);
        counters &= sound(s);
        freeStream(s);
    }
    test_cond("deleted entries do not count", deleted);
    s = streamNew();
    server.stream_node_max_entries = 3;
    for (int j = 1; j <= 7; j++) add(s,5,j*2,1,0);
    int seq = minid(s,5,2,0,0) == 0 && minid(s,5,7,0,0) == 3 && holds(s,"5-8 5-10 5-12 5-14 ") && isID(s->first_id,5,8);
    test_cond("MINID by sequence", seq && minid(s,5,9,1,0) == 0 && minid(s,5,13,1,0) == 3 && holds(s,"5-14 "));
    freeStream(s);
    s = streamNew();
    server.stream_node_max_entries = 10;
    add(s,5,900,1,0), add(s,6,3,1,0), add(s,6,4,2,1), add(s,1000,0,1,0);
    int falls = minid(s,6,0,0,0) == 1 && isID(s->first_id,6,3) && minid(s,6,4,0,0) == 1 && isID(s->first_id,6,4);
    test_cond("IDs whose sequence falls", falls && minid(s,999,UINT64_MAX,0,0) == 1 && holds(s,"1000-0 ") &&
              minid(s,1000,1,1,0) == 1 && holds(s,""));
    freeStream(s);
    test_cond("the first ID is that of the first entry left", first);
    test_cond("the first ID of an emptied stream is zero", zero);
    test_cond("the last ID and the counters of all time stay", stays);
    test_cond("the nodes' counters are right", counters);
    int moved = 1;
    for (int j = 100; j < 140; j += 10) {
        server.stream_node_max_entries = 1000;
        s = streamNew();
        for (int k = 1; k <= 150; k++) add(s,k,1,1,0);
        moved &= maxlen(s,j,0,0) == 150-j;
        void *dirty[200];
        for (int k = 0; k < 200; k++) dirty[k] = memset(zmalloc(k < 100 ? 4096 : 3500),0xff,3500);
        moved &= holds(s,numbers(151-j,150,NULL)) && minid(s,100,1,0,0) == j-51 && holds(s,numbers(100,150,NULL));
        for (int k = 0; k < 200; k++) zfree(dirty[k]);
        freeStream(s);
    }
    test_cond("a node that shrinks and moves is kept", moved);
    s = streamOf(11,4);
    maxlen(s,6,0,0);
    streamIterator si;
    streamID id;
    int64_t fields, keylen, valuelen, n = 0, right = 1;
    unsigned char *key, *value;
    streamIteratorStart(&si,s,NULL,NULL,0);
    while (streamIteratorGetID(&si,&id,&fields)) {
        n++;
        right &= fields == (int64_t)(1+id.ms % 3);
        for (int j = 0; fields--; j += 2) {
            char k[30], v[30];
            streamIteratorGetField(&si,&key,&value,&keylen,&valuelen);
            right &= keylen == sprintf(k,"field%d-%d",j,id.ms % 4 == 0) && !memcmp(key,k,keylen);
            right &= valuelen == sprintf(v,"value%d",j+1) && !memcmp(value,v,valuelen);
        }
    }
    streamIteratorStop(&si);
    test_cond("entries keep their fields", right && n == 6);
    test_cond("trimmed again nothing is removed", again);
    add(s,12,1,1,0);
    test_cond("entries can be added afterwards", added && holds(s,numbers(6,12,NULL)) && maxlen(s,2,0,0) == 5 &&
              holds(s,"11 12 "));
    freeStream(s);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        s = streamOf(40,4);
        size_t full = zmalloc_used_memory();
        maxlen(s,30-j,j % 2,0);
        gone &= zmalloc_used_memory() < full;
        minid(s,35,1,j % 2,4);
        freeStream(s);
    }
    test_cond("what was removed is freed", gone && zmalloc_used_memory() == before);
    test_report();
    return 0;
}
