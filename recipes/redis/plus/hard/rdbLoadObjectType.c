/*---
 * tasks: [restoreCommand-ab585e.2, restoreCommand-ab585e.4, restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * tests:
 *   each type of an object is returned: 'Comment: "Use rdbLoadType() to load a TYPE in RDB format"; rdb.h: rdbIsObjectType.'
 *   the first and the last type are valid: 'rdb.h: rdbIsObjectType, 0 to 7 and 9 to 21.'
 *   a number between that no type has gives -1: 'Comment: "returns -1 if the type is not specifically a valid Object Type"; rdb.h: there is no 8.'
 *   numbers behind the last type give -1: 'Comment: "returns -1 if the type is not specifically a valid Object Type".'
 *   special opcodes give -1: 'Comment: "not specifically a valid Object Type"; rdb.h: "Special RDB opcodes".'
 *   all bytes are either a type or -1: 'rdb.h: rdbIsObjectType.'
 *   at the end of the data it gives -1: 'rdbLoadType: -1 on error.'
 *   an error while reading gives -1: 'rdbLoadType: -1 on error.'
 *   exactly one byte is read: 'Comment: "load a TYPE"; the object follows.'
 *   one type after the other can be read: 'Comment: "load a TYPE".'
 *   the byte is read when it is no type as well: 'rdbLoadType reads it.'
 *   what was saved is loaded: 'rdbSaveObjectType.'
 ---*/
#include "start.h"
#include "../rdb.h"
#include "../testhelp.h"

static int load(int byte) {
    char one = byte;
    sds s = sdsnewlen(&one,1);
    rio r;
    rioInitWithBuffer(&r,s);
    int type = rdbLoadObjectType(&r);
    sdsfree(s);
    return type;
}

static size_t fails(rio *r, void *buf, size_t len) {
    UNUSED(r);
    memset(buf,0,len);
    return 0;
}

int main(void) {
    startRedis();
    int types[] = {RDB_TYPE_STRING,RDB_TYPE_LIST,RDB_TYPE_SET,RDB_TYPE_ZSET,RDB_TYPE_HASH,RDB_TYPE_ZSET_2,
                   RDB_TYPE_MODULE_PRE_GA,RDB_TYPE_MODULE_2,RDB_TYPE_HASH_ZIPMAP,RDB_TYPE_LIST_ZIPLIST,
                   RDB_TYPE_SET_INTSET,RDB_TYPE_ZSET_ZIPLIST,RDB_TYPE_HASH_ZIPLIST,RDB_TYPE_LIST_QUICKLIST,
                   RDB_TYPE_STREAM_LISTPACKS,RDB_TYPE_HASH_LISTPACK,RDB_TYPE_ZSET_LISTPACK,
                   RDB_TYPE_LIST_QUICKLIST_2,RDB_TYPE_STREAM_LISTPACKS_2,RDB_TYPE_SET_LISTPACK,
                   RDB_TYPE_STREAM_LISTPACKS_3};
    int n = sizeof(types)/sizeof(types[0]), right = 0;
    for (int j = 0; j < n; j++) right += load(types[j]) == types[j];
    test_cond("each type of an object is returned", right == n);
    test_cond("the first and the last type are valid", load(0) == 0 && load(21) == 21 && load(7) == 7 && load(9) == 9);
    test_cond("a number between that no type has gives -1", load(8) == -1);
    test_cond("numbers behind the last type give -1", load(22) == -1 && load(23) == -1 && load(100) == -1 &&
              load(127) == -1 && load(128) == -1);
    int special = 0;
    for (int j = RDB_OPCODE_SLOT_INFO; j <= RDB_OPCODE_EOF; j++) special += load(j) == -1;
    test_cond("special opcodes give -1", special == 12);
    right = 0;
    for (int j = 0; j < 256; j++) right += load(j) == (rdbIsObjectType(j) ? j : -1);
    test_cond("all bytes are either a type or -1", right == 256);
    sds s = sdsempty();
    rio r;
    rioInitWithBuffer(&r,s);
    test_cond("at the end of the data it gives -1", rdbLoadObjectType(&r) == -1);
    rioInitWithBuffer(&r,s);
    r.read = fails;
    test_cond("an error while reading gives -1", rdbLoadObjectType(&r) == -1);
    s = sdsnewlen("\4\16\10\2rest",8);
    rioInitWithBuffer(&r,s);
    int a = rdbLoadObjectType(&r), at = rioTell(&r), b = rdbLoadObjectType(&r), at2 = rioTell(&r);
    test_cond("exactly one byte is read", a == 4 && at == 1);
    test_cond("one type after the other can be read", b == 14 && at2 == 2);
    int bad = rdbLoadObjectType(&r);
    at = rioTell(&r);
    test_cond("the byte is read when it is no type as well", bad == -1 && at == 3 && rdbLoadObjectType(&r) == 2);
    rioInitWithBuffer(&r,sdsempty());
    rdbSaveType(&r,RDB_TYPE_HASH_LISTPACK);
    rdbSaveType(&r,RDB_OPCODE_EOF);
    sds saved = r.io.buffer.ptr;
    rioInitWithBuffer(&r,saved);
    test_cond("what was saved is loaded", rdbLoadObjectType(&r) == RDB_TYPE_HASH_LISTPACK && rdbLoadObjectType(&r) == -1);
    test_report();
    return 0;
}
