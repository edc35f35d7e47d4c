/*---
 * tasks: [rewriteSortedSetObject-26a88f.8]
 * tests:
 *   success is told: 'Comment: "The function returns 0 on error, 1 on success".'
 *   the entries are built up again: 'Comment: "Emit the commands needed to rebuild a stream object".'
 *   each entry has its ID: 'The body: "Emit the XADD <key> <id> ...fields... command".'
 *   entries of several fields and any bytes are kept: 'stream.h: fields are strings.'
 *   entries that were deleted are gone: 'Comment: "rebuild a stream object".'
 *   the last ID is kept when its entry was deleted: 'The body: "make sure lastid is correct, in case of XDEL lastid".'
 *   the number of entries that were ever added is kept: 'stream.h: entries_added; XINFO STREAM.'
 *   the highest ID that was deleted is kept: 'stream.h: max_deleted_entry_id; XINFO STREAM.'
 *   an empty stream is built up again: 'The body: "generate an empty stream".'
 *   its groups are kept too: 'The body: "Create all the stream consumer groups".'
 *   groups are built up again: 'The body: "Create all the stream consumer groups".'
 *   each group has its last ID: 'stream.h: streamCG.last_id.'
 *   each group has its number of entries read: 'stream.h: streamCG.entries_read; XGROUP CREATE ENTRIESREAD.'
 *   consumers with nothing pending are built up again: 'rioWriteStreamEmptyConsumer: "create consumers that do not have any pending entries".'
 *   pending entries belong to their consumers: 'rioWriteStreamPendingEntry: "into the pending list of the specified consumer".'
 *   pending entries keep time and count of delivery: 'rioWriteStreamPendingEntry: TIME, RETRYCOUNT.'
 *   pending entries belong to their group: 'rioWriteStreamPendingEntry: "in the context of the specified key and group".'
 *   names of any bytes are kept: 'XGROUP CREATE takes any bytes.'
 *   many entries are built up again: 'stream.h: a listpack holds some, the tree the rest.'
 *   the key may be a number: 'rioWriteBulkObject: OBJ_ENCODING_INT.'
 *   each write that fails gives an error: 'Comment: "The function returns 0 on error".'
 *   the stream stays as it was: 'The child writes what the parent goes on with.'
 *   nothing is left behind: 'The iterators are stopped, after an error too.'
 ---*/
#include "aofreplay.h"
#include <stdarg.h>

int rewriteStreamObject(rio *r, robj *key, robj *o);

static client *c;

static void run(const char *line) {
    int argc;
    sds *words = sdssplitargs(line,&argc);
    freeClientArgv(c);
    c->argv = zmalloc(sizeof(robj*)*argc);
    c->argv_len = c->argc = argc;
    for (int j = 0; j < argc; j++) c->argv[j] = createStringObject(words[j],sdslen(words[j]));
    sdsfreesplitres(words,argc);
    c->cmd = c->realcmd = c->lastcmd = lookupCommand(c->argv,c->argc);
    c->cmd->proc(c);
    sdsfree(replyOf(c));
}

static robj *value(const char *name) {
    sds s = sdsnew(name);
    dictEntry *de = dbFind(c->db,s);
    sdsfree(s);
    return de ? dictGetVal(de) : NULL;
}

/* All entries of the stream in words. */
static sds entries(robj *o) {
    sds s = sdsempty();
    streamIterator si;
    streamID id;
    int64_t n;
    streamIteratorStart(&si,o->ptr,NULL,NULL,0);
    while (streamIteratorGetID(&si,&id,&n)) {
        s = sdscatfmt(s,"%U-%U:",id.ms,id.seq);
        while (n--) {
            unsigned char *f, *v;
            int64_t fl, vl;
            streamIteratorGetField(&si,&f,&v,&fl,&vl);
            s = sdscatlen(sdscatfmt(sdscatlen(sdscatfmt(s,"%I ",fl),f,fl)," %I ",vl),v,vl);
        }
    }
    streamIteratorStop(&si);
    return s;
}

static streamCG *group(robj *o, const char *name, size_t len) {
    sds s = sdsnewlen(name,len);
    streamCG *cg = ((stream*)o->ptr)->cgroups ? streamLookupCG(o->ptr,s) : NULL;
    sdsfree(s);
    return cg;
}

static streamConsumer *consumer(streamCG *cg, const char *name) {
    sds s = sdsnew(name);
    streamConsumer *sc = cg ? streamLookupConsumer(cg,s) : NULL;
    sdsfree(s);
    return sc;
}

static streamNACK *nack(rax *pel, uint64_t ms, uint64_t seq) {
    streamID id = {ms,seq};
    unsigned char raw[sizeof(streamID)];
    void *found = NULL;
    streamEncodeID(raw,&id);
    return pel && raxFind(pel,raw,sizeof(raw),&found) ? found : NULL;
}

static robj *again(const char *name) {
    robj *key = str(name);
    robj *o = rebuilt(rewriteStreamObject,key,value(name));
    decrRefCount(key);
    return o && o->type == OBJ_STREAM ? o : NULL;
}

static int sameEntries(robj *a, robj *b) {
    if (!a || !b) return 0;
    sds x = entries(a), y = entries(b);
    int same = !sdscmp(x,y) && ((stream*)a->ptr)->length == ((stream*)b->ptr)->length;
    sdsfree(x), sdsfree(y);
    return same;
}

int main(void) {
    startRedis();
    c = fakeClient();
    run("xadd s 1-1 f v");
    run("xadd s 1-2 a b c d");
    run("xadd s 1700000000000-7 f v");
    robj *o = again("s");
    test_cond("success is told", returned == 1);
    test_cond("the entries are built up again", sameEntries(value("s"),o));
    sds text = o ? entries(o) : sdsempty();
    test_cond("each entry has its ID", strstr(text,"1-1:") && strstr(text,"1-2:") && strstr(text,"1700000000000-7:"));
    run("xadd s 1700000000000-8 \"x\\x00y\" \"\\r\\n\" \"\" \"\" n 12 m -5 long aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    test_cond("entries of several fields and any bytes are kept", sameEntries(value("s"),again("s")));
    run("xadd d 1-1 a b"), run("xadd d 2-1 a b"), run("xadd d 3-1 a b"), run("xadd d 4-4 a b");
    run("xdel d 2-1"), run("xdel d 4-4");
    o = again("d");
    stream *d = o ? o->ptr : streamNew();
    test_cond("entries that were deleted are gone", sameEntries(value("d"),o) && d->length == 2);
    test_cond("the last ID is kept when its entry was deleted", d->last_id.ms == 4 && d->last_id.seq == 4);
    test_cond("the number of entries that were ever added is kept", d->entries_added == 4);
    int highest = d->max_deleted_entry_id.ms == 4 && d->max_deleted_entry_id.seq == 4;
    run("xadd h 1-1 a b"), run("xadd h 2-3 a b"), run("xadd h 3-1 a b"), run("xdel h 2-3");
    o = again("h");
    d = o ? o->ptr : streamNew();
    test_cond("the highest ID that was deleted is kept", highest && d->max_deleted_entry_id.ms == 2 && d->max_deleted_entry_id.seq == 3 &&
              d->last_id.ms == 3);
    run("xadd e 5-5 a b"), run("xadd e 6-6 a b"), run("xdel e 5-5 6-6");
    run("xgroup create e eg 5-5"), run("xgroup createconsumer e eg lonely");
    o = again("e");
    stream *e = o ? o->ptr : streamNew();
    test_cond("an empty stream is built up again", o && e->length == 0 && e->last_id.ms == 6 && e->last_id.seq == 6 &&
              e->entries_added == 2 && e->max_deleted_entry_id.ms == 6);
    streamCG *eg = o ? group(o,"eg",2) : NULL;
    run("xgroup create fresh g $ mkstream");
    robj *fresh = again("fresh");
    int none = fresh && ((stream*)fresh->ptr)->length == 0 && ((stream*)fresh->ptr)->last_id.ms == 0 && group(fresh,"g",1);
    o = again("e");
    eg = o ? group(o,"eg",2) : NULL;
    test_cond("its groups are kept too", none && eg && eg->last_id.ms == 5 && consumer(eg,"lonely"));

    for (int j = 1; j <= 6; j++) {
        sds line = sdscatprintf(sdsempty(),"xadd g %d-%d a b",j,j);
        run(line);
        sdsfree(line);
    }
    run("xgroup create g one 0"), run("xgroup create g two 3-3 entriesread 2"), run("xgroup create g \"t\\x00h\" 0");
    run("xgroup createconsumer g one aaa"), run("xgroup createconsumer g one idle"), run("xgroup createconsumer g two \"i\\x00j\"");
    run("xreadgroup group one alice count 2 streams g >"), run("xreadgroup group one bob count 1 streams g >");
    run("xreadgroup group two alice count 1 streams g >");
    run("xclaim g one alice 0 1-1 time 1234567890123 retrycount 7 justid");
    run("xclaim g one bob 0 3-3 time 1600000000000 retrycount 1 justid");
    run("xack g one 2-2");
    o = again("g");
    stream *g = o ? o->ptr : streamNew();
    streamCG *one = o ? group(o,"one",3) : NULL, *two = o ? group(o,"two",3) : NULL, *third = o ? group(o,"t\0h",3) : NULL;
    test_cond("groups are built up again", o && g->cgroups && raxSize(g->cgroups) == 3 && one && two);
    test_cond("each group has its last ID", one && one->last_id.ms == 3 && one->last_id.seq == 3 && two &&
              two->last_id.ms == 4 && two->last_id.seq == 4);
    test_cond("each group has its number of entries read", one && one->entries_read == 3 && two && two->entries_read == 3 &&
              third && third->entries_read == group(value("g"),"t\0h",3)->entries_read);
    test_cond("consumers with nothing pending are built up again", one && raxSize(one->consumers) == 4 &&
              consumer(one,"aaa") && consumer(one,"idle") && raxSize(consumer(one,"idle")->pel) == 0);
    streamConsumer *alice = consumer(one,"alice"), *bob = consumer(one,"bob");
    test_cond("pending entries belong to their consumers", alice && raxSize(alice->pel) == 1 && nack(alice->pel,1,1) && bob &&
              raxSize(bob->pel) == 1 && nack(bob->pel,3,3) && nack(bob->pel,3,3)->consumer == bob);
    streamNACK *n = alice ? nack(alice->pel,1,1) : NULL, *m = bob ? nack(bob->pel,3,3) : NULL;
    test_cond("pending entries keep time and count of delivery", n && n->delivery_time == 1234567890123 &&
              n->delivery_count == 7 && m && m->delivery_time == 1600000000000 && m->delivery_count == 1);
    test_cond("pending entries belong to their group", one && raxSize(one->pel) == 2 && two && raxSize(two->pel) == 1 &&
              nack(two->pel,4,4) && third && raxSize(third->pel) == 0);
    sds ij = sdsnewlen("i\0j",3);
    test_cond("names of any bytes are kept", third && two && streamLookupConsumer(two,ij));
    for (int j = 1; j <= 500; j++) {
        sds line = sdscatprintf(sdsempty(),"xadd many %d-1 field%d %d",j,j%3,j);
        run(line);
        sdsfree(line);
    }
    test_cond("many entries are built up again", sameEntries(value("many"),again("many")));
    robj *number = createStringObjectFromLongLong(1234567);
    test_cond("the key may be a number", number->encoding == OBJ_ENCODING_INT &&
              sameEntries(value("s"),rebuilt(rewriteStreamObject,number,value("s"))));
    robj *key = str("k");
    test_cond("each write that fails gives an error", failsEverywhere(rewriteStreamObject,key,value("s")) &&
              failsEverywhere(rewriteStreamObject,key,value("g")) && failsEverywhere(rewriteStreamObject,key,value("e")) &&
              failsEverywhere(rewriteStreamObject,key,value("d")));
    stream *s = value("g")->ptr;
    test_cond("the stream stays as it was", s->length == 6 && raxSize(s->cgroups) == 3 && s->entries_added == 6 &&
              raxSize(group(value("g"),"one",3)->pel) == 2 && value("g")->refcount == 1);
    sds name = sdsempty(), line;
    for (int j = 0; j < 40; j++) name = sdscat(name,"0123456789");
    run("xadd l 1-1 a b");
    line = sdscatprintf(sdsempty(),"xgroup create l %s 0",name), run(line);
    line = sdscatprintf(sdsempty(),"xgroup createconsumer l %s a%s",name,name), run(line);
    line = sdscatprintf(sdsempty(),"xreadgroup group %s b%s streams l >",name,name), run(line);
    failsEverywhere(rewriteStreamObject,key,value("l"));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 3; j++) failsEverywhere(rewriteStreamObject,key,value("g")),
                                failsEverywhere(rewriteStreamObject,key,value("l"));
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
