/*---
 * tasks: [luaLdbLineHook-610b87.8]
 * instead: [src/script_lua.o, src/eval.o]
 * tests:
 *   the command runs: 'Callers luaRedisCallCommand and luaRedisPCallCommand: redis.call and redis.pcall.'
 *   its reply is given as a value of Lua: 'Upstream documentation: "Redis to Lua conversion".'
 *   a reply of each type is converted: 'Upstream documentation: "RESP2 to Lua type conversion".'
 *   arguments may be numbers: 'Upstream''s error: "arguments must be strings or integers".'
 *   arguments of any bytes are passed: 'Strings of Lua hold any bytes.'
 *   a reply that is larger than the buffer is given as a whole: 'Comment in the body: "create a single string from the client output buffers".'
 *   a reply with many elements is given as a whole: 'Comment in the body: "create a single string from the client output buffers".'
 *   an error is given as a table without raise_error: 'Caller luaRedisPCallCommand; upstream documentation of redis.pcall.'
 *   an error is raised with raise_error: 'Caller luaRedisCallCommand; upstream documentation of redis.call.'
 *   with raise_error other replies are given: 'Caller luaRedisCallCommand.'
 *   an unknown command is an error: 'script.c: scriptCall sets err.'
 *   an error of the call itself is raised with raise_error: 'Caller luaRedisCallCommand.'
 *   an error of the call itself is not counted again: 'luaExtractErrorInformation: ignore_error_stats_update.'
 *   without arguments it is an error: 'Upstream''s error: "Please specify at least one argument for this redis lib call".'
 *   an argument of another type is an error: 'Upstream''s error: "Lua redis lib command arguments must be strings or integers".'
 *   wrong arguments are raised with raise_error: 'Caller luaRedisCallCommand.'
 *   after errors the next command runs: 'A script may go on with redis.pcall.'
 *   one value is left on the stack: 'Functions of C return the number of their results.'
 *   the client is clean afterwards: 'One client serves all scripts: argv, argc, user, reply.'
 *   a command that rewrites its arguments is cleaned up: 'Comment in the body: "Command code may have changed argv/argc".'
 *   while debugging by steps command and reply are logged: 'ldbRedis: "with ldb.step enabled, so as a side effect the Redis command and its reply are logged".'
 *   without steps nothing is logged: 'ldbIsEnabled.'
 *   nothing is kept: 'A script may call commands for ever.'
 ---*/
#include "../script_lua.c"
#include "debugger.h"

static lua_State *L;
static int raise_, results;
static client *script;

static int command(lua_State *lua) {
    return results = luaRedisGenericCommand(lua,raise_);
}

/* Runs a chunk in which "call" is the function. Returns 1 if it ended without an error. Its result is on the stack. */
static int run_(const char *chunk, int raise) {
    lua_settop(L,0);
    raise_ = raise;
    if (luaL_loadstring(L,chunk)) printf("%s\n",lua_tostring(L,-1));
    return lua_pcall(L,0,1,0) == 0;
}

static int isTrue(const char *chunk) {
    return run_(chunk,0) && lua_isboolean(L,-1) && lua_toboolean(L,-1);
}

/* The text of an error, be it raised or given. */
static const char *error_(void) {
    if (!lua_istable(L,-1)) return "";
    lua_getfield(L,-1,"err");
    const char *s = lua_tostring(L,-1);
    return s ? s : "";
}

static int clean(void) {
    return script->argv == NULL && script->argc == 0 && script->argv_len == 0 && script->user == NULL &&
           script->bufpos == 0 && listLength(script->reply) == 0 && script->reply_bytes == 0 && script->cmd == NULL;
}

int main(void) {
    startRedis();
    debugScript("return 1");
    ldb.active = 0;
    L = lua_open();
    luaL_openlibs(L);
    lua_register(L,"call",command);
    script = createClient(NULL);
    script->flags |= CLIENT_SCRIPT|CLIENT_DENY_BLOCKING;
    client *caller = fakeClient();
    scriptRunCtx ctx;
    memset(&ctx,0,sizeof(ctx));
    scriptPrepareForRun(&ctx,script,caller,"sha",SCRIPT_FLAG_EVAL_COMPAT_MODE,0);
    luaSaveOnRegistry(L,REGISTRY_RUN_CTX_NAME,&ctx);

    int ok = run_("return call('set','key','value')",1);
    sds key = sdsnew("key");
    dictEntry *de = dbFind(&server.db[0],key);
    test_cond("the command runs", ok && de && !strcmp(((robj*)dictGetVal(de))->ptr,"value"));
    test_cond("the client is clean afterwards", clean());
    test_cond("its reply is given as a value of Lua", isTrue("return call('get','key') == 'value'") && results == 1);
    test_cond("one value is left on the stack", results == 1 && isTrue("return select('#',call('get','key')) == 1"));
    test_cond("a reply of each type is converted", isTrue("return call('set','key','value').ok == 'OK'") &&
              isTrue("return call('incr','n') == 1") && isTrue("return call('get','none') == false") &&
              isTrue("call('rpush','l','a','b') local t = call('lrange','l',0,-1) return #t == 2 and t[1] == 'a' and t[2] == 'b'") &&
              isTrue("return #call('lrange','none',0,-1) == 0"));
    test_cond("arguments may be numbers", isTrue("call('set','num',12) return call('get','num') == '12'") &&
              isTrue("call('set',7,1.5) return call('get','7') == '1.5'") &&
              isTrue("return call('incrby','big',1234567890123) == 1234567890123"));
    test_cond("arguments of any bytes are passed", isTrue("call('set','x\\0y','a\\0\\r\\nb') return call('get','x\\0y') == 'a\\0\\r\\nb' and call('exists','x') == 0"));
    test_cond("a reply that is larger than the buffer is given as a whole",
              isTrue("local s = string.rep('abc',100000) call('set','long',s) return call('get','long') == s") &&
              isTrue("return call('get','key') == 'value'") && clean());
    test_cond("a reply with many elements is given as a whole",
              isTrue("for i = 1,3000 do call('rpush','many','element:' .. i) end local t = call('lrange','many',0,-1)\n"
                     "return #t == 3000 and t[1] == 'element:1' and t[3000] == 'element:3000'") && clean());
    ok = run_("return call('incr','key')",0);
    test_cond("an error is given as a table without raise_error", ok && !strcmp(error_(),"ERR value is not an integer or out of range"));
    ok = run_("return call('incr','key')",1);
    test_cond("an error is raised with raise_error", !ok && !strcmp(error_(),"ERR value is not an integer or out of range") && clean());
    test_cond("with raise_error other replies are given", run_("return call('get','key') == 'value' and call('get','none') == false",1) &&
              lua_toboolean(L,-1));
    ok = run_("return call('nosuch','a')",0) && strstr(error_(),"Unknown Redis command called from script");
    ok = ok && run_("return call('get')",0) && strstr(error_(),"Wrong number of args calling Redis command from script");
    test_cond("an unknown command is an error", ok && clean());
    int again = isTrue("return call('nosuch','a').ignore_error_stats_update == true");
    ok = run_("return call('nosuch','a')",1);
    test_cond("an error of the call itself is raised with raise_error", !ok && strstr(error_(),"Unknown Redis command"));
    test_cond("an error of the call itself is not counted again", again);
    ok = run_("return call()",0) && strstr(error_(),"Please specify at least one argument for this redis lib call");
    test_cond("without arguments it is an error", ok);
    ok = run_("return call('set','key',{})",0) && strstr(error_(),"Lua redis lib command arguments must be strings or integers");
    ok = ok && run_("return call(nil)",0) && strstr(error_(),"must be strings or integers");
    test_cond("an argument of another type is an error", ok);
    ok = !run_("return call()",1) && strstr(error_(),"Please specify") && !run_("return call('get',true)",1) &&
         strstr(error_(),"must be strings");
    test_cond("wrong arguments are raised with raise_error", ok);
    test_cond("after errors the next command runs", isTrue("call() call({}) call('nosuch') call('incr','key') return call('get','key') == 'value'"));
    test_cond("a command that rewrites its arguments is cleaned up",
              isTrue("call('set','f','1') call('incrbyfloat','f','0.5') call('set','e','v','EX','100') call('getex','e','PX','9000')\n"
                     "call('spop','none') return call('get','f') == '1.5' and call('ttl','e') > 0") && clean());

    ldb.active = ldb.step = 1;
    run_("return call('set','key','logged')",0);
    sds log = sdsempty();
    listIter li;
    listNode *ln;
    listRewind(ldb.logs,&li);
    while ((ln = listNext(&li))) log = sdscat(sdscatsds(log,listNodeValue(ln)),"\n");
    test_cond("while debugging by steps command and reply are logged", strstr(log,"<redis> set key logged\n") &&
              strstr(log,"<reply> \"+OK\"\n"));
    listEmpty(ldb.logs);
    ldb.step = 0;
    run_("return call('set','key','silent')",0);
    test_cond("without steps nothing is logged", listLength(ldb.logs) == 0);
    ldb.active = 0;
    size_t before = 0;
    for (int j = 0; j < 40; j++) {
        if (j == 20) before = zmalloc_used_memory();
        run_("call('set','key',string.rep('v',100)) call('get','key') call('get','long') call('nosuch','a') call('incr','key')\n"
             "call() call('set','key',{}) call('set','e','v','EX','100') call('lrange','many',0,-1)",0);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
