/*---
 * tasks: [EE3BEF081FCA3E6A]
 * instead: [src/eval.o]
 * tests:
 *   the interpreter is closed: 'Docstring: "Release resources related to Lua scripting".'
 *   the scripts' memory is given back: 'Docstring: "Release resources related to Lua scripting".'
 *   many scripts are freed before a synchronous release returns: 'The parameter async; upstream''s SCRIPT FLUSH: SYNC flushes the cache synchronously.'
 *   a synchronous release leaves nothing to the background: 'The parameter async; upstream''s SCRIPT FLUSH: SYNC flushes the cache synchronously.'
 *   many scripts are left to the background by an asynchronous release: 'The parameter async; lazyfree.c: freeLuaScriptsAsync, "if the dict is huge enough, free it in async way".'
 *   the background frees them: 'lazyfree.c: freeLuaScriptsAsync.'
 *   the interpreter is closed by an asynchronous release too: 'Docstring: "Release resources related to Lua scripting".'
 *   few scripts are freed by an asynchronous release at once: 'lazyfree.c: freeLuaScriptsAsync, only "if the dict is huge enough".'
 *   after a new start no script is known: 'Docstring: it is used "to reset the scripting environment".'
 *   after a new start scripts can be loaded: 'Docstring: it is used "to reset the scripting environment".'
 *   without scripts it can be released: 'eval.c: SCRIPT FLUSH may come before any script.'
 *   no memory is lost over many resets: 'Docstring: "Release resources related to Lua scripting".'
 ---*/
#include "../eval.c"
#include "../bio.h"
#include "../testhelp.h"

void initServerConfig(void);
void initServer(void);

static int closed;

static int whenCollected(lua_State *lua) {
    UNUSED(lua);
    closed++;
    return 0;
}

/* Puts something into the interpreter that tells when it is closed. */
static void watch(void) {
    closed = 0;
    lua_newuserdata(lctx.lua, 1);
    lua_newtable(lctx.lua);
    lua_pushcfunction(lctx.lua, whenCollected);
    lua_setfield(lctx.lua, -2, "__gc");
    lua_setmetatable(lctx.lua, -2);
    lua_setfield(lctx.lua, LUA_REGISTRYINDEX, "watched");
}

static void load(int scripts) {
    for (int j = 0; j < scripts; j++) {
        robj *body = createObject(OBJ_STRING, sdscatfmt(sdsempty(), "return '%i is a script of some length'", j));
        luaCreateFunction(lctx.lua_client, body);
        decrRefCount(body);
    }
}

/* The lazy frees' thread waits here until it may go on. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void waitAtGate(void *args[]) {
    UNUSED(args);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

int main(void) {
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.logfile = zstrdup("/dev/null");
    initServer();
    bioInit();
    signal(SIGALRM, SIG_DFL);
    alarm(30);

    scriptingRelease(0);
    scriptingInit(0);
    test_cond("without scripts it can be released", dictSize(evalScriptsDict()) == 0);
    size_t start = zmalloc_used_memory();
    load(10);
    watch();
    scriptingRelease(0);
    test_cond("the interpreter is closed", closed == 1);
    scriptingInit(0);
    test_cond("after a new start no script is known", dictSize(evalScriptsDict()) == 0);
    test_cond("the scripts' memory is given back", zmalloc_used_memory() == start);
    load(3);
    test_cond("after a new start scripts can be loaded", dictSize(evalScriptsDict()) == 3);
    scriptingReset(0);
    for (int j = 0; j < 20; j++) {
        load(j);
        scriptingReset(0);
    }
    test_cond("no memory is lost over many resets", zmalloc_used_memory() == start);

    pthread_mutex_lock(&gate);
    bioCreateLazyFreeJob(waitAtGate, 1, NULL);
    start = zmalloc_used_memory();
    load(300);
    size_t full = zmalloc_used_memory();
    scriptingRelease(0);
    size_t jobs = lazyfreeGetPendingObjectsCount(), used = zmalloc_used_memory();
    test_cond("a synchronous release leaves nothing to the background", jobs == 0);
    scriptingInit(0);
    test_cond("many scripts are freed before a synchronous release returns",
              used < full && zmalloc_used_memory() == start);
    load(5);
    scriptingRelease(1);
    jobs = lazyfreeGetPendingObjectsCount();
    scriptingInit(0);
    test_cond("few scripts are freed by an asynchronous release at once",
              jobs == 0 && zmalloc_used_memory() == start);
    load(300);
    watch();
    scriptingRelease(1);
    jobs = lazyfreeGetPendingObjectsCount();
    test_cond("many scripts are left to the background by an asynchronous release", jobs == 300);
    test_cond("the interpreter is closed by an asynchronous release too", closed == 1);
    scriptingInit(0);
    pthread_mutex_unlock(&gate);
    bioDrainWorker(BIO_LAZY_FREE);
    test_cond("the background frees them", lazyfreeGetPendingObjectsCount() == 0);
    test_report();
    return 0;
}
