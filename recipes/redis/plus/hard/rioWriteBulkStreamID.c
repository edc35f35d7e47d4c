/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   an ID is written as a bulk string: 'Comment: "generates a bulk string into the AOF representing the ID".'
 *   both parts are written: 'Upstream''s manual of streams: <millisecondsTime>-<sequenceNumber>.'
 *   zero is written: 'rewriteStreamObject: max_deleted_entry_id may be 0-0.'
 *   the highest ID is written: 'stream.h: streamID, two numbers of 64 bits.'
 *   numbers beyond the signed ones are written: 'stream.h: uint64_t.'
 *   success is told: 'Callers: "== 0" is an error.'
 *   each write that fails gives zero: 'Callers: "== 0" is an error.'
 *   one after another may be written: 'Caller rewriteStreamObject writes several.'
 *   the ID stays as it was: 'Caller rewriteStreamObject passes that of the stream.'
 *   nothing is left behind: 'Callers write many.'
 *   commands read it again: 'streamParseIDOrReply.'
 ---*/
#include "aofreplay.h"

int rioWriteBulkStreamID(rio *r,streamID *id);

static int kept = 1, told = 1;

static int writes(uint64_t ms, uint64_t seq, const char *text) {
    rio r;
    streamID id = {ms,seq};
    rioInitWithBuffer(&r,sdsempty());
    if (!rioWriteBulkStreamID(&r,&id)) told = 0;
    int same = !strcmp(r.io.buffer.ptr,text) && sdslen(r.io.buffer.ptr) == strlen(text);
    sdsfree(r.io.buffer.ptr);
    if (id.ms != ms || id.seq != seq) kept = 0;
    return same;
}

int main(void) {
    startRedis();
    test_cond("an ID is written as a bulk string", writes(1234,5,"$6\r\n1234-5\r\n"));
    test_cond("both parts are written", writes(1,2,"$3\r\n1-2\r\n") && writes(2,1,"$3\r\n2-1\r\n") &&
              writes(1700000000123,0,"$15\r\n1700000000123-0\r\n") && writes(0,77,"$4\r\n0-77\r\n"));
    test_cond("zero is written", writes(0,0,"$3\r\n0-0\r\n"));
    test_cond("the highest ID is written", writes(UINT64_MAX,UINT64_MAX,"$41\r\n18446744073709551615-18446744073709551615\r\n"));
    test_cond("numbers beyond the signed ones are written", writes(1ull<<63,(1ull<<63)+1,
              "$39\r\n9223372036854775808-9223372036854775809\r\n") && writes(1ull<<32,1ull<<31,"$21\r\n4294967296-2147483648\r\n"));
    test_cond("success is told", told);
    int fails = 1;
    streamID id = {12,34};
    for (size_t j = 0; j <= 11; j++) {
        rio r;
        rioInitWithBuffer(&r,sdsempty());
        r.write = limited;
        room = j;
        int got = rioWriteBulkStreamID(&r,&id);
        if (j < 11 ? got != 0 : got == 0) fails = 0;
        sdsfree(r.io.buffer.ptr);
    }
    test_cond("each write that fails gives zero", fails);
    rio r;
    streamID next = {12,35};
    rioInitWithBuffer(&r,sdsempty());
    rioWriteBulkStreamID(&r,&id);
    rioWriteBulkStreamID(&r,&next);
    test_cond("one after another may be written", !strcmp(r.io.buffer.ptr,"$5\r\n12-34\r\n$5\r\n12-35\r\n"));
    test_cond("the ID stays as it was", kept && id.ms == 12 && id.seq == 34);
    sdsfree(r.io.buffer.ptr);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        writes(UINT64_MAX,j,"");
        rioInitWithBuffer(&r,sdsempty());
        r.write = limited;
        room = 3;
        rioWriteBulkStreamID(&r,&id);
        sdsfree(r.io.buffer.ptr);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    rioInitWithBuffer(&r,sdsempty());
    streamID big = {UINT64_MAX-1,UINT64_MAX}, parsed = {0,0};
    rioWriteBulkStreamID(&r,&big);
    char *text = strchr(r.io.buffer.ptr,'\n')+1;
    robj *o = createStringObject(text,strlen(text)-2);
    client *c = fakeClient();
    int ok = streamParseIDOrReply(c,o,&parsed,0);
    test_cond("commands read it again", ok == C_OK && parsed.ms == big.ms && parsed.seq == big.seq);
    test_report();
    return 0;
}
