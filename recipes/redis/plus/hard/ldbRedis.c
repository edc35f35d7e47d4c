/*---
 * tasks: [luaLdbLineHook-610b87.4, luaLdbLineHook-610b87.8]
 * instead: [src/eval.o]
 * tests:
 *   the command runs: 'Comment: "Implement the debugger redis command"; help: "[r]edis <cmd> Execute a Redis command".'
 *   the command and its reply are logged: 'Comment: "as a side effect the Redis command and its reply are logged".'
 *   the first word is not a part of the command: 'Caller ldbRepl: argv begins with the word of the debugger.'
 *   all words are passed in their order: 'Comment: "(argc - 1 (all arguments without the first))".'
 *   words of any bytes are passed: 'Signature: sds; redis.call takes strings of any bytes.'
 *   numbers stay as they were written: 'Signature: sds.'
 *   a command without arguments runs: 'Caller ldbRepl: argc > 1.'
 *   an unknown command is logged as an error: 'Upstream''s test: "Unknown Redis command called from script".'
 *   a command that fails is logged as an error: 'Help: "Execute a Redis command".'
 *   after an error the next command runs: 'Caller ldbRepl goes on.'
 *   logging of commands ends with it: 'Comment in the body: "Disable logging"; only step mode logs.'
 *   after an error logging of commands has ended too: 'Comment in the body: "Disable logging".'
 *   the stack of Lua is left as it was: 'Comment in the body: "Discard the result and clean the stack".'
 *   after an error the stack of Lua is left as it was: 'Comment in the body: "Discard the result and clean the stack".'
 *   a hundred words are passed: 'Upstream''s test: "Test scripting debug lua stack overflow".'
 *   more words than the stack of Lua takes do no harm: 'Comment in the body: "On failure, return error".'
 *   the words stay the caller's: 'Caller ldbRepl frees them.'
 ---*/
#include "debugger.h"

/* What is logged for the words, which are separated by blanks. */
static sds redis(const char *command) {
    int n = 0;
    sds *argv = sdssplitlen(command,strlen(command)," ",1,&n), log = sdsempty();
    listEmpty(ldb.logs);
    ldbRedis(lctx.lua,argv,n);
    sdsfreesplitres(argv,n);
    while (listLength(ldb.logs)) {
        log = sdscatsds(sdscat(log,"\n"),listNodeValue(listFirst(ldb.logs)));
        listDelNode(ldb.logs,listFirst(ldb.logs));
    }
    return log;
}

static robj *get(const char *name, size_t len) {
    sds key = sdsnewlen(name,len);
    dictEntry *de = dbFind(&server.db[0],key);
    sdsfree(key);
    return de ? dictGetVal(de) : NULL;
}

int main(void) {
    startRedis();
    debugScript("return 1");
    debugger_client = fakeClient();
    lua_State *lua = lctx.lua;
    lua_settop(lua,0);
    lua_pushstring(lua,"below");
    scriptPrepareForRun(&debugger_ctx,lctx.lua_client,debugger_client,"sha",SCRIPT_FLAG_EVAL_COMPAT_MODE,0);
    luaSaveOnRegistry(lua,REGISTRY_RUN_CTX_NAME,&debugger_ctx);

    sds log = redis("redis set key value");
    test_cond("the command runs", get("key",3) && !strcmp(get("key",3)->ptr,"value"));
    test_cond("the command and its reply are logged", strstr(log,"<redis> set key value") && strstr(log,"<reply> \"+OK\"") &&
              strstr(log,"<redis>") < strstr(log,"<reply>"));
    test_cond("the stack of Lua is left as it was", lua_gettop(lua) == 1 && !strcmp(lua_tostring(lua,1),"below"));
    test_cond("logging of commands ends with it", ldb.step == 0 && !ldbIsEnabled());
    log = redis("r get key");
    test_cond("the first word is not a part of the command", strstr(log,"<redis> get key") && strstr(log,"<reply> \"value\""));
    log = redis("redis rpush list a b c d");
    log = redis("redis lrange list 0 -1");
    test_cond("all words are passed in their order", strstr(log,"<reply> [\"a\",\"b\",\"c\",\"d\"]"));
    sds argv[4] = {sdsnew("redis"),sdsnew("set"),sdsnewlen("k\0y",3),sdsnewlen("\0v\r\n",4)};
    ldbRedis(lua,argv,4);
    robj *o = get("k\0y",3);
    test_cond("words of any bytes are passed", o && sdslen(o->ptr) == 4 && !memcmp(o->ptr,"\0v\r\n",4) && !get("k",1));
    test_cond("the words stay the caller's", !strcmp(argv[1],"set") && sdslen(argv[2]) == 3);
    redis("redis set num 007.50");
    test_cond("numbers stay as they were written", get("num",3) && sdsEncodedObject(get("num",3)) &&
              !strcmp(get("num",3)->ptr,"007.50"));
    log = redis("redis dbsize");
    test_cond("a command without arguments runs", strstr(log,"<reply> 4"));
    log = redis("redis nosuch a");
    test_cond("an unknown command is logged as an error", strstr(log,"<error>") && strstr(log,"Unknown Redis command"));
    test_cond("after an error logging of commands has ended too", ldb.step == 0);
    test_cond("after an error the stack of Lua is left as it was", lua_gettop(lua) == 1 &&
              !strcmp(lua_tostring(lua,1),"below"));
    log = redis("redis incr key");
    test_cond("a command that fails is logged as an error", strstr(log,"value is not an integer or out of range") &&
              !strcmp(get("key",3)->ptr,"value"));
    log = redis("redis set key 2");
    test_cond("after an error the next command runs", strstr(log,"<reply> \"+OK\"") && lua_gettop(lua) == 1);
    sds many = sdsnew("redis rpush long");
    for (int j = 0; j < 100; j++) many = sdscatprintf(many," %d",j);
    redis(many);
    log = redis("redis llen long");
    test_cond("a hundred words are passed", strstr(log,"<reply> 100") && lua_gettop(lua) == 1);
    sds *words = zmalloc(sizeof(sds)*9000);
    for (int j = 0; j < 9000; j++) words[j] = sdsnew(j ? "del" : "redis");
    ldbRedis(lua,words,9000);
    log = redis("redis llen long");
    test_cond("more words than the stack of Lua takes do no harm", strstr(log,"<reply> 100") && lua_gettop(lua) == 1 &&
              ldb.step == 0);
    test_report();
    return 0;
}
