/*---
 * tasks: [restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * instead: [src/functions.o]
 * tests:
 *   the libraries of the payload are restored: 'Comment: "Restore the libraries represented by the give payload".'
 *   their functions can be called: 'tests/unit/functions.tcl: "test function dump and restore".'
 *   it replies OK: 'functions.tcl; commands/function-restore.'
 *   APPEND adds to what there is: 'Comment: "APPEND: appends the restored libraries to the existing libraries".'
 *   APPEND is the default: 'Comment: "(default APPEND)".'
 *   APPEND aborts on a collision: 'Comment: "On collision, abort".'
 *   REPLACE replaces what collides: 'Comment: "On collision, replace the old libraries with the new libraries".'
 *   REPLACE leaves other libraries: 'Comment: "REPLACE: appends the restored libraries to the existing libraries".'
 *   REPLACE aborts where functions of other libraries collide: 'functions.tcl: "Function f3 already exists".'
 *   FLUSH deletes all others: 'Comment: "FLUSH: delete all existing libraries".'
 *   policies are known in any case: 'Upstream: strcasecmp, as for all options.'
 *   another policy is an error and restores nothing: 'Comment: [FLUSH|APPEND|REPLACE].'
 *   more arguments are a syntax error: 'functions.tcl: "unknown subcommand or wrong number of arguments for ''restore''. Try FUNCTION HELP".'
 *   a broken payload is an error and drops nothing: 'functions.tcl: "test function restore with bad payload do not drop existing functions".'
 *   a payload that is too short is an error: 'verifyDumpPayload.'
 *   a payload of a later version is an error: 'verifyDumpPayload.'
 *   what is no function is an error and drops nothing: 'functionDumpCommand: "RDB_OPCODE_FUNCTION2 is saved before each library".'
 *   functions of the time before they were released are an error: 'rdb.h: RDB_OPCODE_FUNCTION_PRE_GA.'
 *   a wrong library behind a right one restores none: 'libraryJoin and FLUSH come after all was read.'
 *   the error of a library is the reply: 'rdbFunctionLoad: err.'
 *   an empty payload restores none and FLUSH deletes all: 'Comment; FUNCTION DUMP of a server without functions.'
 *   a change is counted once: 'server.h: dirty; it is replicated: "FUNCTION - restore is replicated to replica".'
 *   an error is the only reply and counts nothing: 'A command that fails changes nothing.'
 *   the payload stays as it is: 'It is propagated.'
 *   nothing is left behind: 'Contexts and errors are freed.'
 ---*/
#include "functiontest.h"

static functionsLibCtx *current(void) {
    return functionsLibCtxGetCurrent();
}

/* The payload of FUNCTION DUMP now. */
static sds dump(void) {
    setArguments(c,2,(const char*[]){"function","dump"});
    functionDumpCommand(c);
    sds s = replyOf(c);
    sds payload = sdsnewlen(strchr(s,'\n')+1,atoi(s+1));
    sdsfree(s);
    return payload;
}

/* These bytes as a payload of that version. */
static sds payloadOf(const char *bytes, size_t len, int version) {
    sds s = sdsnewlen(bytes,len);
    unsigned char v[2] = {version & 0xff,version >> 8};
    s = sdscatlen(s,v,2);
    uint64_t crc = crc64(0,(unsigned char*)s,sdslen(s));
    memrev64ifbe(&crc);
    return sdscatlen(s,&crc,8);
}

static int kept = 1;
static const char *restore(sds payload, const char *policy, const char *more) {
    setArguments(c,more ? 5 : policy ? 4 : 3,(const char*[]){"function","restore","x",policy,more});
    decrRefCount(c->argv[2]);
    c->argv[2] = createObject(OBJ_STRING,sdsdup(payload));
    robj *o = c->argv[2];
    dirtyBefore = server.dirty;
    functionRestoreCommand(c);
    kept &= c->argv[2] == o && o->refcount == 1 && sdslen(o->ptr) == sdslen(payload) &&
            !memcmp(o->ptr,payload,sdslen(payload));
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    return lastReply;
}

static int ok(sds payload, const char *policy) {
    return !strcmp(restore(payload,policy,NULL),"+OK\r\n") && server.dirty == dirtyBefore+1;
}

/* An error, which is the only reply and counts nothing. */
static int fails(sds payload, const char *policy) {
    restore(payload,policy,NULL);
    return lastReply[0] == '-' && strchr(lastReply,'\n') == lastReply+strlen(lastReply)-1 && server.dirty == dirtyBefore;
}

static void begin(void) {
    functionsLibCtxClearCurrent(0);
}

int main(void) {
    startFunctions();
    sds none = dump();
    load(current(),"one","f1 f2","a");
    load(current(),"two","g1","b");
    sds both = dump();
    begin();
    int first = ok(both,NULL);
    test_cond("it replies OK", !strcmp(lastReply,"+OK\r\n"));
    test_cond("the libraries of the payload are restored", first && holds(current(),"one:f1=a one:f2=a two:g1=b "));
    test_cond("their functions can be called", !strcmp(fcall("f2"),"$1\r\na\r\n") && !strcmp(fcall("g1"),"$1\r\nb\r\n"));
    begin();
    load(current(),"three","h1","c");
    test_cond("APPEND adds to what there is", ok(both,"APPEND") && holds(current(),"one:f1=a one:f2=a three:h1=c two:g1=b "));
    begin();
    load(current(),"three","h1","c");
    test_cond("APPEND is the default", ok(both,NULL) && holds(current(),"one:f1=a one:f2=a three:h1=c two:g1=b "));
    begin();
    load(current(),"two","g7","x");
    const char *old = "two:g7=x ";
    test_cond("APPEND aborts on a collision", fails(both,"append") && strstr(lastReply,"Library two already exists") &&
              fails(both,NULL) && holds(current(),old));
    load(current(),"three","h1","c");
    int replaced = ok(both,"REPLACE");
    test_cond("REPLACE replaces what collides", replaced && strstr(contents(current()),"two:g1=b ") &&
              !strstr(held,"g7") && !strncmp(fcall("g7"),"-ERR Function not found",23));
    test_cond("REPLACE leaves other libraries", holds(current(),"one:f1=a one:f2=a three:h1=c two:g1=b "));
    begin();
    load(current(),"two","g7","x");
    load(current(),"three","f1","c");
    test_cond("REPLACE aborts where functions of other libraries collide", fails(both,"replace") &&
              strstr(lastReply,"Function f1 already exists") && holds(current(),"three:f1=c two:g7=x ") &&
              !strcmp(fcall("g7"),"$1\r\nx\r\n"));
    test_cond("FLUSH deletes all others", ok(both,"FLUSH") && holds(current(),"one:f1=a one:f2=a two:g1=b ") &&
              !strcmp(fcall("f1"),"$1\r\na\r\n"));
    begin();
    load(current(),"two","g7","x");
    int cases = fails(both,"Append") && ok(both,"rePlace") && holds(current(),"one:f1=a one:f2=a two:g1=b ");
    load(current(),"three","h1","c");
    test_cond("policies are known in any case", cases && ok(both,"flusH") && holds(current(),"one:f1=a one:f2=a two:g1=b "));
    begin();
    load(current(),"two","g7","x");
    test_cond("another policy is an error and restores nothing", fails(both,"add") && fails(both,"") &&
              fails(both,"replaces") && holds(current(),old));
    restore(both,"FLUSH","now");
    int syntax = !strcmp(lastReply,"-ERR unknown subcommand or wrong number of arguments for 'restore'. Try FUNCTION HELP.\r\n");
    test_cond("more arguments are a syntax error", syntax && server.dirty == dirtyBefore && holds(current(),old));

    sds broken = sdsdup(both), cut = sdsnewlen(both,sdslen(both)-1);
    broken[3] ^= 1;
    test_cond("a broken payload is an error and drops nothing", fails(broken,NULL) && fails(broken,"flush") &&
              fails(cut,"flush") && fails(cut,"replace") && holds(current(),old));
    sds nine = sdsnewlen(none,9), empty = sdsempty();
    test_cond("a payload that is too short is an error", fails(nine,"flush") && fails(empty,"flush") && fails(empty,NULL) &&
              holds(current(),old));
    sds later = payloadOf(both,sdslen(both)-10,RDB_VERSION+1), now = payloadOf(both,sdslen(both)-10,RDB_VERSION);
    test_cond("a payload of a later version is an error", fails(later,"flush") && holds(current(),old) && ok(now,"flush") &&
              holds(current(),"one:f1=a one:f2=a two:g1=b "));
    begin();
    load(current(),"two","g7","x");
    sds string = payloadOf("\0\3abc",5,RDB_VERSION), noend = payloadOf("\xf5\x20xyz",5,RDB_VERSION);
    sds prega = sdsdup(both);
    prega[0] = '\0';
    sds other = payloadOf(prega,sdslen(prega)-10,RDB_VERSION), junk = sdscatlen(sdsnewlen(both,sdslen(both)-10),"\xf5",1);
    sds byte = payloadOf(junk,sdslen(junk),RDB_VERSION);
    test_cond("what is no function is an error and drops nothing", fails(string,NULL) && fails(string,"flush") &&
              fails(noend,"flush") && fails(other,"flush") && fails(byte,"flush") && holds(current(),old));
    prega[0] = (char)RDB_OPCODE_FUNCTION_PRE_GA;
    sds older = payloadOf(prega,sdslen(prega)-10,RDB_VERSION);
    test_cond("functions of the time before they were released are an error", fails(older,NULL) && fails(older,"flush") &&
              holds(current(),old));
    sds behind = sdscatlen(sdsnewlen(both,sdslen(both)-10),"\xf5\x05#!lua",7);
    sds wrong = payloadOf(behind,sdslen(behind),RDB_VERSION);
    int none_ = fails(wrong,"flush") && holds(current(),old) && fails(wrong,"replace") && holds(current(),old);
    sds twice = sdscatlen(sdsnewlen(both,sdslen(both)-10),both,sdslen(both)-10);
    sds same = payloadOf(twice,sdslen(twice),RDB_VERSION);
    test_cond("a wrong library behind a right one restores none", none_ && fails(same,"flush") && fails(same,"replace") &&
              holds(current(),old));
    sds lib = codeOf("bad","","x");
    sds raw = sdscatfmt(sdsnew("\xf5"),"%s",(char[]){sdslen(lib),0});
    raw = sdscatsds(raw,lib);
    sds unregistered = payloadOf(raw,sdslen(raw),RDB_VERSION);
    test_cond("the error of a library is the reply", fails(unregistered,NULL) && strstr(lastReply,"No functions registered") &&
              holds(current(),old));
    int nothing = ok(none,NULL) && holds(current(),old) && ok(none,"replace") && holds(current(),old);
    test_cond("an empty payload restores none and FLUSH deletes all", nothing && ok(none,"flush") && holds(current(),""));
    begin();
    int once = ok(both,NULL) && ok(both,"replace") && ok(both,"flush");
    test_cond("a change is counted once", once);
    test_cond("an error is the only reply and counts nothing", fails(both,NULL) && fails(broken,NULL) && fails(string,NULL) &&
              fails(both,"add"));
    test_cond("the payload stays as it is", kept);
    size_t before = 0;
    for (int j = 0; j < 8; j++) {
        begin();
        load(current(),"two","g7","x");
        restore(none,NULL,NULL);
        if (j == 3) before = zmalloc_used_memory();
        if (j == 7) break;
        restore(both,NULL,NULL);
        restore(broken,NULL,NULL);
        restore(string,"flush",NULL);
        restore(noend,"flush",NULL);
        restore(older,"flush",NULL);
        restore(wrong,"flush",NULL);
        restore(same,"flush",NULL);
        restore(both,"add",NULL);
        restore(both,"replace",NULL);
        restore(both,"flush",NULL);
        restore(none,"flush",NULL);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
