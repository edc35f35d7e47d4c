/* Shared by tests of eval.c, whose source they hold: scripts, and an interpreter that tells when it is closed. */
#ifndef PLUS_EVALTEST_H
#define PLUS_EVALTEST_H
#include "../eval.c"
#include "../bio.h"
#include "commandtest.h"

static int closed;

static int whenCollected(lua_State *lua) {
    UNUSED(lua);
    closed++;
    return 0;
}

/* Puts something into the interpreter that tells when it is closed. */
static void watchInterpreter(void) {
    closed = 0;
    lua_newuserdata(lctx.lua,1);
    lua_newtable(lctx.lua);
    lua_pushcfunction(lctx.lua,whenCollected);
    lua_setfield(lctx.lua,-2,"__gc");
    lua_setmetatable(lctx.lua,-2);
    lua_setfield(lctx.lua,LUA_REGISTRYINDEX,"watched");
}

static void loadScripts(int scripts) {
    for (int j = 0; j < scripts; j++) {
        robj *body = createObject(OBJ_STRING,sdscatfmt(sdsempty(),"return '%i is a script of some length'",j));
        luaCreateFunction(lctx.lua_client,body);
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

/* Holds up the background's frees, or lets them go on and waits until they are done. */
static void holdBackground(int hold) {
    if (hold) {
        pthread_mutex_lock(&gate);
        bioCreateLazyFreeJob(waitAtGate,1,NULL);
    } else {
        pthread_mutex_unlock(&gate);
        bioDrainWorker(BIO_LAZY_FREE);
    }
}

static const char *eval(const char *script) {
    return run("eval",script,"0");
}

static void startScripts(void) {
    startCommands();
    bioInit();
    watcher = NULL;
    signal(SIGALRM,SIG_DFL);
    alarm(30);
}
#endif
