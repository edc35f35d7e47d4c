/*---
 * tasks: [luaCreateFunction-73df11, luaCreateFunction-73df11.2, luaCreateFunction-73df11.4, luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   the SHA1 of the script is returned: 'Comment: "a pointer to an SDS string representing the function SHA1".'
 *   the function has the name f_ and the SHA1: 'Comment: "f_<hex sha1 sum>"; evalGenericCommand looks for it in the registry.'
 *   the function does what the script says: 'Comment: "Define a Lua function with the specified body".'
 *   the script is not run: 'Comment: "Define"; SCRIPT LOAD: "without executing it".'
 *   the script is known by its SHA1: '"We also save a SHA1 -> Original script map"; SCRIPT EXISTS.'
 *   the script keeps its whole text: 'server.h: luaScript.body, "original script".'
 *   the script has the flags of its shebang: 'evalGenericCommand passes l->flags on.'
 *   without a shebang it has the compat flag: 'evalExtractShebangFlags: "COMPAT mode flag".'
 *   the returned string stays valid: 'Comment: "will be valid until the next call to scriptingReset()".'
 *   the reference count of the script grows by one: 'Comment: "increments the reference count of the body object as a side effect of a successful call".'
 *   a script that exists is a success: 'Comment: "a script that already exists, and in such a case, it behaves like in the success case".'
 *   a script that exists is not kept twice: 'Comment: "a script that already exists".'
 *   the memory of a script is counted once: 'server.h and eval.c: lua_scripts_mem, "Cached scripts'' memory"; INFO used_memory_scripts.'
 *   the memory of scripts adds up: 'eval.c: lua_scripts_mem, "Cached scripts'' memory"; INFO used_memory_scripts.'
 *   nothing is replied on success: 'Callers reply themselves.'
 *   a wrong shebang gives NULL and an error: 'Comment: "otherwise NULL is returned"; "on error the client is informed".'
 *   what does not compile gives NULL and the error of Lua: 'Comment: "an appropriate error describing the nature of the problem and the Lua interpreter error".'
 *   lines are counted with the shebang: '"keep the line feed to conserve the user''s line numbers".'
 *   after an error the script is unknown: 'Comment: only a successful call.'
 *   after an error the script belongs to the caller alone: 'Comment: "of a successful call".'
 *   without a client errors give NULL: 'Comment: "If c is not NULL, on error the client is informed".'
 *   the stack of Lua is left as it was: 'Caller evalGenericCommand has its error handler there.'
 *   scripts of any bytes are told apart: 'Scripts are Redis strings; sha1hex takes the length.'
 *   nothing is kept after errors: 'Comment: only a successful call keeps the script.'
 ---*/
#include "../eval.c"
#include "start.h"
#include "../testhelp.h"

static client *c;

static robj *script(const char *text) {
    return createStringObject(text,strlen(text));
}

static int starts(const char *text) {
    sds s = replyOf(c);
    int same = !strncmp(s,text,strlen(text)) && strstr(s,"\r\n") == s+sdslen(s)-2;
    if (!same) printf("reply <%s>\n",s);
    sdsfree(s);
    return same;
}

/* The number that the function of that SHA1 returns, or -1. */
static int runs(const char *sha) {
    char name[43];
    snprintf(name,sizeof(name),"f_%s",sha);
    lua_getfield(lctx.lua,LUA_REGISTRYINDEX,name);
    int n = -1;
    if (lua_isfunction(lctx.lua,-1) && lua_pcall(lctx.lua,0,1,0) == 0) n = lua_tonumber(lctx.lua,-1);
    lua_pop(lctx.lua,1);
    return n;
}

int main(void) {
    startRedis();
    c = fakeClient();
    char sha[41], sha2[41];
    lua_settop(lctx.lua,0);
    lua_pushstring(lctx.lua,"below");
    robj *body = script("return 42");
    sha1hex(sha,body->ptr,sdslen(body->ptr));
    unsigned long long mem = lctx.lua_scripts_mem;
    sds got = luaCreateFunction(c,body);
    test_cond("the SHA1 of the script is returned", got && sdslen(got) == 40 && !strcmp(got,sha));
    lua_getfield(lctx.lua,LUA_REGISTRYINDEX,"f_1fa00e76656cc152ad327c13fe365858fd7be306");
    test_cond("the function has the name f_ and the SHA1", !strcmp(sha,"1fa00e76656cc152ad327c13fe365858fd7be306") &&
              lua_isfunction(lctx.lua,-1));
    lua_pop(lctx.lua,1);
    test_cond("the function does what the script says", runs(sha) == 42);
    dictEntry *de = dictFind(lctx.lua_scripts,sha);
    luaScript *l = de ? dictGetVal(de) : NULL;
    test_cond("the script is known by its SHA1", l != NULL && dictSize(lctx.lua_scripts) == 1 &&
              dictGetKey(de) == (void*)got);
    test_cond("without a shebang it has the compat flag", l && l->flags == SCRIPT_FLAG_EVAL_COMPAT_MODE);
    test_cond("the reference count of the script grows by one", body->refcount == 2);
    unsigned long long mem2 = lctx.lua_scripts_mem;
    int counted = mem2 >= mem+40+9 && mem2 == mem+sdsZmallocSize(got)+getStringObjectSdsUsedMemory(body);
    test_cond("nothing is replied on success", c->bufpos == 0 && listLength(c->reply) == 0);
    robj *same = script("return 42");
    sds again = luaCreateFunction(c,same), third = luaCreateFunction(NULL,body);
    test_cond("a script that exists is a success", again && third && !strcmp(again,sha) && !strcmp(third,sha) &&
              runs(sha) == 42);
    test_cond("a script that exists is not kept twice", same->refcount == 1 && body->refcount == 2 &&
              dictSize(lctx.lua_scripts) == 1);
    test_cond("the memory of a script is counted once", counted && lctx.lua_scripts_mem == mem2);

    const char *text = "#!lua flags=no-writes,allow-oom\nreturn 7";
    robj *flagged = script(text);
    sds key = luaCreateFunction(c,flagged);
    de = key ? dictFind(lctx.lua_scripts,key) : NULL;
    l = de ? dictGetVal(de) : NULL;
    test_cond("the memory of scripts adds up", key &&
              lctx.lua_scripts_mem == mem2+sdsZmallocSize(key)+getStringObjectSdsUsedMemory(flagged));
    test_cond("the script has the flags of its shebang", l && l->flags == (SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_OOM) &&
              runs(key) == 7);
    sha1hex(sha2,(char*)text,strlen(text));
    test_cond("the script keeps its whole text", l && l->body == flagged && !strcmp(flagged->ptr,text) &&
              !strcmp(key,sha2));
    robj *dangerous = script("redis.call('set','k','v') return 1");
    luaCreateFunction(c,dangerous);
    test_cond("the script is not run", dbSize(&server.db[0]) == 0);
    for (int j = 0; j < 200; j++) {
        sds many = sdscatprintf(sdsempty(),"return %d",j+100);
        luaCreateFunction(c,createObject(OBJ_STRING,many));
    }
    test_cond("the returned string stays valid", !strcmp(got,sha) && !strcmp(key,sha2) &&
              dictSize(lctx.lua_scripts) == 203);
    sdsfree(replyOf(c));

    unsigned long known = dictSize(lctx.lua_scripts);
    mem = lctx.lua_scripts_mem;
    robj *bad = script("#!other\nreturn 1"), *broken = script("return return"), *lines = script("#!lua\nlocal x = 1\nx = = 2\n");
    got = luaCreateFunction(c,bad);
    int told = starts("-ERR Unexpected engine in script shebang: #!other\r\n");
    test_cond("a wrong shebang gives NULL and an error", got == NULL && told);
    got = luaCreateFunction(c,broken);
    told = starts("-ERR Error compiling script (new function): user_script:1: unexpected symbol near 'return'");
    test_cond("what does not compile gives NULL and the error of Lua", got == NULL && told);
    got = luaCreateFunction(c,lines);
    told = starts("-ERR Error compiling script (new function): user_script:3:");
    test_cond("lines are counted with the shebang", got == NULL && told);
    test_cond("after an error the script belongs to the caller alone", bad->refcount == 1 && broken->refcount == 1 &&
              lines->refcount == 1);
    got = luaCreateFunction(NULL,bad);
    test_cond("without a client errors give NULL", got == NULL && luaCreateFunction(NULL,broken) == NULL &&
              luaCreateFunction(NULL,lines) == NULL && c->bufpos == 0);
    sha1hex(sha2,broken->ptr,sdslen(broken->ptr));
    test_cond("after an error the script is unknown", dictSize(lctx.lua_scripts) == known && runs(sha2) == -1 &&
              lctx.lua_scripts_mem == mem);
    test_cond("the stack of Lua is left as it was", lua_gettop(lctx.lua) == 1 &&
              !strcmp(lua_tostring(lctx.lua,1),"below"));
    robj *b1 = createStringObject("return #'x\0a'",13), *b2 = createStringObject("return #'x\0ab'",14);
    sds s1 = luaCreateFunction(c,b1), s2 = luaCreateFunction(c,b2);
    test_cond("scripts of any bytes are told apart", s1 && s2 && strcmp(s1,s2) && runs(s1) == 3 && runs(s2) == 4);

    luaCreateFunction(c,broken);
    luaCreateFunction(c,bad);
    sdsfree(replyOf(c));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        luaCreateFunction(c,broken);
        sdsfree(replyOf(c));
        luaCreateFunction(c,bad);
        sdsfree(replyOf(c));
        luaCreateFunction(NULL,broken);
        luaCreateFunction(c,same);
    }
    test_cond("nothing is kept after errors", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
