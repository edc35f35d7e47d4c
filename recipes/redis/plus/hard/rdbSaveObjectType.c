/*---
 * tasks: [restoreCommand-ab585e.4, restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * tests:
 *   a string of any encoding is a string: 'Comment: "Save the object type of object"; rdb.h: RDB_TYPE_STRING.'
 *   a list is a quicklist of version 2: 'rdb.h: RDB_TYPE_LIST_QUICKLIST_2; rdbLoadObject reads the listpacks of rdbSaveObject.'
 *   a short list has the same type: 'rdb.h: there is no type of a plain listpack for lists; rdbSaveObject.'
 *   a set of integers has its type: 'rdb.h: RDB_TYPE_SET_INTSET.'
 *   a short set has its type: 'rdb.h: RDB_TYPE_SET_LISTPACK.'
 *   a large set has its type: 'rdb.h: RDB_TYPE_SET.'
 *   a short sorted set has its type: 'rdb.h: RDB_TYPE_ZSET_LISTPACK.'
 *   a large sorted set is saved with binary scores: 'rdb.h: RDB_TYPE_ZSET_2, "doubles stored in binary".'
 *   a short hash has its type: 'rdb.h: RDB_TYPE_HASH_LISTPACK.'
 *   a large hash has its type: 'rdb.h: RDB_TYPE_HASH.'
 *   a stream has its newest type: 'rdb.h: RDB_TYPE_STREAM_LISTPACKS_3.'
 *   a value of a module has its newest type: 'rdb.h: RDB_TYPE_MODULE_2.'
 *   exactly one byte is written: 'rdbSaveType writes one byte.'
 *   success is told by a positive number: 'Callers: createDumpPayload asserts it; rdbSaveKeyValuePair compares with -1.'
 *   an error while writing gives -1: 'Caller rdbSaveKeyValuePair: "== -1".'
 *   what is saved can be loaded with its value: 'createDumpPayload: "an object type byte followed by the serialized object. This is understood by RESTORE".'
 *   the object is left as it is: 'Comment: it only saves.'
 ---*/
#include "start.h"
#include "../rdb.h"
#include "../testhelp.h"

static client *c;
static int written, result;

static int type(robj *o) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    result = rdbSaveObjectType(&r,o);
    written = sdslen(r.io.buffer.ptr);
    int byte = written ? (unsigned char)r.io.buffer.ptr[0] : -1;
    sdsfree(r.io.buffer.ptr);
    return byte;
}

/* What a command makes of a new key. */
static robj *made(int argc, const char *command, const char *a, const char *b, const char *d) {
    const char *words[] = {command,"key",a,b,d};
    sds key = sdsnew("key");
    dictEntry *de = dbFind(c->db,key);
    if (de) dbDelete(c->db,createStringObject("key",3));
    setArguments(c,argc,words);
    c->cmd->proc(c);
    sdsfree(replyOf(c));
    de = dbFind(c->db,key);
    robj *o = de ? dictGetVal(de) : NULL;
    if (o) incrRefCount(o);
    sdsfree(key);
    return o;
}

static size_t fails(rio *r, const void *buf, size_t len) {
    UNUSED(r); UNUSED(buf); UNUSED(len);
    return 0;
}

/* Whether an object comes back with the same length. */
static int back(robj *o, size_t (*length)(robj *)) {
    robj *key = createStringObject("key",3);
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    rdbSaveObjectType(&r,o);
    rdbSaveObject(&r,o,key,0);
    sds s = r.io.buffer.ptr;
    rioInitWithBuffer(&r,s);
    int t = rdbLoadType(&r), error = 0;
    robj *loaded = rdbLoadObject(t,&r,key->ptr,0,&error);
    return loaded && loaded->type == o->type && length(loaded) == length(o) && rioTell(&r) == (off_t)sdslen(s);
}

static size_t zsetLen(robj *o) { return zsetLength(o); }
static size_t hashLen(robj *o) { return hashTypeLength(o); }
static size_t listLen(robj *o) { return listTypeLength(o); }
static size_t setLen(robj *o) { return setTypeSize(o); }
static size_t streamLen(robj *o) { return streamLength(o); }

int main(void) {
    startRedis();
    c = fakeClient();
    robj *raw = createRawStringObject("text",4), *emb = createEmbeddedStringObject("text",4),
         *num = tryObjectEncoding(createStringObject("12",2)), *quick = createQuicklistObject(-2,0),
         *shortList = made(4,"rpush","a","b",NULL), *ints = made(4,"sadd","1","2",NULL),
         *shortSet = made(4,"sadd","a","b",NULL), *shortZset = made(4,"zadd","1","a",NULL),
         *shortHash = made(4,"hset","f","v",NULL), *stream = made(5,"xadd","1-1","f","v");
    server.set_max_listpack_entries = server.zset_max_listpack_entries = server.hash_max_listpack_entries = 0;
    server.set_max_intset_entries = 0;
    robj *set = made(4,"sadd","a","b",NULL), *zset = made(4,"zadd","1","a",NULL), *hash = made(4,"hset","f","v",NULL);
    listTypePush(quick,raw,LIST_TAIL);
    int encodings = ints->encoding == OBJ_ENCODING_INTSET && shortSet->encoding == OBJ_ENCODING_LISTPACK &&
                    set->encoding == OBJ_ENCODING_HT && zset->encoding == OBJ_ENCODING_SKIPLIST &&
                    hash->encoding == OBJ_ENCODING_HT && shortList->encoding == OBJ_ENCODING_LISTPACK;
    test_cond("a string of any encoding is a string", type(raw) == 0 && type(emb) == 0 && type(num) == 0 &&
              num->encoding == OBJ_ENCODING_INT);
    test_cond("exactly one byte is written", written == 1);
    test_cond("success is told by a positive number", result > 0);
    test_cond("a list is a quicklist of version 2", type(quick) == RDB_TYPE_LIST_QUICKLIST_2);
    test_cond("a short list has the same type", encodings && type(shortList) == RDB_TYPE_LIST_QUICKLIST_2);
    test_cond("a set of integers has its type", type(ints) == RDB_TYPE_SET_INTSET);
    test_cond("a short set has its type", type(shortSet) == RDB_TYPE_SET_LISTPACK);
    test_cond("a large set has its type", type(set) == RDB_TYPE_SET);
    test_cond("a short sorted set has its type", type(shortZset) == RDB_TYPE_ZSET_LISTPACK);
    test_cond("a large sorted set is saved with binary scores", type(zset) == RDB_TYPE_ZSET_2);
    test_cond("a short hash has its type", type(shortHash) == RDB_TYPE_HASH_LISTPACK);
    test_cond("a large hash has its type", type(hash) == RDB_TYPE_HASH);
    test_cond("a stream has its newest type", type(stream) == RDB_TYPE_STREAM_LISTPACKS_3);
    test_cond("a value of a module has its newest type", type(createObject(OBJ_MODULE,NULL)) == RDB_TYPE_MODULE_2);
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    r.write = fails;
    int error = rdbSaveObjectType(&r,raw), error2 = rdbSaveObjectType(&r,zset);
    test_cond("an error while writing gives -1", error == -1 && error2 == -1);
    test_cond("what is saved can be loaded with its value", back(quick,listLen) && back(shortList,listLen) &&
              back(ints,setLen) && back(shortSet,setLen) && back(set,setLen) && back(shortZset,zsetLen) &&
              back(zset,zsetLen) && back(shortHash,hashLen) && back(hash,hashLen) && back(stream,streamLen));
    test_cond("the object is left as it is", raw->refcount == 1 && hash->refcount == 2 && listLen(quick) == 1);
    test_report();
    return 0;
}
