/* Shared by the tests of the Lua debugger: a debugging client at the other end of a pair of sockets, and a script that
 * runs under a hook. A command that the client says is one message, so each is read alone. */
#ifndef PLUS_DEBUGGER_H
#define PLUS_DEBUGGER_H
#include "../eval.c"
#include "start.h"
#include "../testhelp.h"
#include <sys/socket.h>

static int debugger_fds[2] = {-1,-1};
static scriptRunCtx debugger_ctx;
static client *debugger_client;
static sds debugger_error;     /* Of the last script. */

/* Begins anew with that script as the source. */
static inline void debugScript(const char *script) {
    if (debugger_fds[0] != -1) close(debugger_fds[0]), close(debugger_fds[1]);
    serverAssert(socketpair(AF_UNIX,SOCK_SEQPACKET,0,debugger_fds) == 0);
    ldb.conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),debugger_fds[0],NULL);
    ldb.conn->state = CONN_STATE_CONNECTED;
    if (ldb.src) sdsfreesplitres(ldb.src,ldb.lines);
    ldb.src = sdssplitlen(script,strlen(script),"\n",1,&ldb.lines);
    listEmpty(ldb.logs);
    sdsfree(ldb.cbuf);
    ldb.cbuf = sdsempty();
    ldb.step = ldb.bpcount = ldb.luabp = ldb.maxlen_hint_sent = ldb.currentline = ldb.forked = 0;
    ldb.maxlen = LDB_MAX_LEN_DEFAULT;
    ldb.active = 1;
}

static inline void sayBytes(const char *bytes, size_t len) {
    serverAssert(send(debugger_fds[1],bytes,len,0) == (ssize_t)len);
}

/* Says a command, whose words are separated by blanks. */
static inline void say(const char *command) {
    int n = 0;
    sds *words = sdssplitlen(command,strlen(command)," ",1,&n), s = sdscatprintf(sdsempty(),"*%d\r\n",n);
    for (int j = 0; j < n; j++) s = sdscatprintf(s,"$%zu\r\n%s\r\n",sdslen(words[j]),words[j]);
    sayBytes(s,sdslen(s));
    sdsfree(s);
    sdsfreesplitres(words,n);
}

/* After what was said, the client is gone. */
static inline void hangUp(void) {
    shutdown(debugger_fds[1],SHUT_WR);
}

/* What the client was sent since the last call. */
static inline sds heard(void) {
    static char buf[1 << 18];
    sds s = sdsempty();
    ssize_t n;
    while ((n = recv(debugger_fds[1],buf,sizeof(buf),MSG_DONTWAIT)) > 0) s = sdscatlen(s,buf,n);
    return s;
}

/* Whether the client was sent all that since the last call, in this order. */
static inline int told(const char *a, const char *b, const char *c) {
    sds s = heard();
    const char *parts[] = {a,b,c}, *at = s;
    for (int j = 0; j < 3 && at; j++) if (parts[j]) at = strstr(at,parts[j]);
    if (!at) printf("heard <%s>\n",s);
    sdsfree(s);
    return at != NULL;
}

/* Runs the script under the hook. Returns 1 if it ended without an error. */
static inline int runUnder(const char *script, lua_Hook hook, int mask) {
    lua_State *lua = lctx.lua;
    lua_settop(lua,0);
    memset(&debugger_ctx,0,sizeof(debugger_ctx));
    if (!debugger_client) debugger_client = fakeClient();
    serverAssert(scriptPrepareForRun(&debugger_ctx,lctx.lua_client,debugger_client,"sha",
                                     SCRIPT_FLAG_EVAL_COMPAT_MODE,0) == C_OK);
    luaSaveOnRegistry(lua,REGISTRY_RUN_CTX_NAME,&debugger_ctx);
    serverAssert(luaL_loadbuffer(lua,script,strlen(script),"@user_script") == 0);
    if (hook) lua_sethook(lua,hook,mask,100000);
    int ok = lua_pcall(lua,0,1,0) == 0;
    lua_sethook(lua,NULL,0,0);
    luaSaveOnRegistry(lua,REGISTRY_RUN_CTX_NAME,NULL);
    scriptResetRun(&debugger_ctx);
    sdsfree(debugger_error);
    debugger_error = sdsempty();
    if (!ok) {
        if (lua_istable(lua,-1)) lua_getfield(lua,-1,"err");
        if (lua_isstring(lua,-1)) debugger_error = sdscat(debugger_error,lua_tostring(lua,-1));
    }
    return ok;
}
#endif
