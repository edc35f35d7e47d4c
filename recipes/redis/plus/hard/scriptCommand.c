/*---
 * tasks: [luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   LOAD gives the SHA1 and keeps the script: 'commands/script-load; HELP: "Load a script into the scripts cache without executing it".'
 *   LOAD does not run it: 'HELP: "without executing it".'
 *   LOAD of the same script gives the same: 'commands/script-load; luaCreateFunction: "behaves like in the success case".'
 *   LOAD of a script that is wrong gives one error: 'luaCreateFunction: "on error the client is informed".'
 *   EXISTS tells of each in its order: 'commands/script-exists: an array of 0 or 1; scripting.tcl.'
 *   EXISTS knows a SHA1 in any case: 'shaScriptObjectDictType: case-insensitive; EVALSHA.'
 *   FLUSH forgets all scripts: 'commands/script-flush; scripting.tcl.'
 *   FLUSH SYNC frees at once: 'HELP: "SYNC: Synchronously flush the scripts cache".'
 *   FLUSH ASYNC leaves it to the background: 'HELP: "ASYNC: Asynchronously flush the scripts cache".'
 *   FLUSH alone does as it is configured: 'HELP: "determined by the lazyfree-lazy-user-flush configuration directive".'
 *   FLUSH with another word is an error and forgets nothing: 'commands/script-flush: [ASYNC | SYNC].'
 *   KILL without a running script is an error: 'commands/script-kill; scriptKill: NOTBUSY.'
 *   KILL ends a script of EVAL: 'HELP: "Kill the currently executing Lua script".'
 *   KILL does not end a function: 'scriptKill: is_eval; commands/function-kill does.'
 *   DEBUG YES begins a session that forks: 'HELP: "Set the debug mode for subsequent scripts executed"; ldbStartSession.'
 *   DEBUG SYNC begins one that does not: 'commands/script-debug; server.h: CLIENT_LUA_DEBUG_SYNC.'
 *   DEBUG NO ends either: 'commands/script-debug; ldbDisable.'
 *   DEBUG in a pipeline is an error: 'Upstream: "SCRIPT DEBUG must be called outside a pipeline".'
 *   DEBUG with another word is an error: 'commands/script-debug: YES | SYNC | NO.'
 *   HELP tells of all subcommands: 'addReplyHelp; commands/script-help.'
 *   subcommands are known in any case: 'Upstream: strcasecmp of every subcommand.'
 *   other words and numbers of arguments are errors: 'addReplySubcommandSyntaxError.'
 *   nothing is left behind: 'Scripts that are loaded already, errors and questions need no memory.'
 ---*/
#include "evaltest.h"

/* The reply of SCRIPT with these words. */
static const char *words(const char *text) {
    int n;
    sds *w = sdssplitargs(text,&n);
    const char *argv[10] = {"script"};
    for (int j = 0; j < n; j++) argv[j+1] = w[j];
    freeClientArgv(c);
    c->argv = zmalloc(sizeof(robj*)*(n+1));
    c->argv_len = c->argc = n+1;
    for (int j = 0; j <= n; j++) c->argv[j] = createStringObject(argv[j],strlen(argv[j]));
    sdsfreesplitres(w,n);
    c->cmd = c->realcmd = c->lastcmd = lookupCommandByCString("script");
    scriptCommand(c);
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    return lastReply;
}

static int is(const char *text, const char *reply) {
    int same = !strcmp(words(text),reply);
    if (!same) printf("# %s: %s\n",text,lastReply);
    return same;
}

static int wrong(const char *text) {
    words(text);
    return lastReply[0] == '-' && strchr(lastReply,'\n') == lastReply+strlen(lastReply)-1;
}

#define ONE "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"
#define TWO "7f923f79fe76194c868d7e1d0820de36700eb649"
#define NONE "0000000000000000000000000000000000000000"
#define OK "+OK\r\n"

static int scripts(void) {
    return dictSize(evalScriptsDict());
}

/* How many scripts a flush of 300 leaves to the background. */
static int pending(const char *flush) {
    holdBackground(1);
    loadScripts(300);
    int ok = is(flush,OK) && scripts() == 0, n = lazyfreeGetPendingObjectsCount();
    holdBackground(0);
    return ok ? n : -1;
}

int main(void) {
    startScripts();
    int load = is("load \"return 1\"","$40\r\n" ONE "\r\n") && scripts() == 1;
    test_cond("LOAD gives the SHA1 and keeps the script", load && !strcmp(run("evalsha",ONE,"0"),":1\r\n"));
    test_cond("LOAD of the same script gives the same", is("load \"return 1\"","$40\r\n" ONE "\r\n") && scripts() == 1);
    words("load \"redis.call('set','ran',1)\"");
    test_cond("LOAD does not run it", lastReply[0] == '$' && !entryOf("ran") && scripts() == 2);
    test_cond("LOAD of a script that is wrong gives one error", wrong("load \"return return\"") && scripts() == 2);
    is("load \"return 2\"","$40\r\n" TWO "\r\n");
    test_cond("EXISTS tells of each in its order", is("exists " ONE " " NONE " " TWO,"*3\r\n:1\r\n:0\r\n:1\r\n") &&
              is("exists " NONE,"*1\r\n:0\r\n") && is("exists " NONE " " TWO,"*2\r\n:0\r\n:1\r\n") &&
              is("exists abc","*1\r\n:0\r\n") && is("exists " ONE " " ONE,"*2\r\n:1\r\n:1\r\n"));
    test_cond("EXISTS knows a SHA1 in any case", is("exists E0E1F9FABFC9D4800C877A703B823AC0578FF8DB","*1\r\n:1\r\n"));
    int bad = wrong("flush now") && scripts() == 3;
    bad &= wrong("flush sync now") && scripts() == 3 && wrong("flush async sync") && scripts() == 3;
    test_cond("FLUSH with another word is an error and forgets nothing", bad && wrong("flush \"\"") && scripts() == 3);
    int flush = is("flush",OK) && scripts() == 0 && is("exists " ONE,"*1\r\n:0\r\n");
    flush &= !strncmp(run("evalsha",ONE,"0"),"-NOSCRIPT ",10);
    test_cond("FLUSH forgets all scripts", flush && is("load \"return 1\"","$40\r\n" ONE "\r\n") && scripts() == 1);
    is("flush",OK);
    server.lazyfree_lazy_user_flush = 1;
    int sync = pending("flush sync") == 0 && pending("flush SYNC") == 0, alone = pending("flush") == 300;
    server.lazyfree_lazy_user_flush = 0;
    test_cond("FLUSH SYNC frees at once", sync && pending("flush sync") == 0);
    test_cond("FLUSH ASYNC leaves it to the background", pending("flush async") == 300 && pending("flush Async") == 300);
    test_cond("FLUSH alone does as it is configured", alone && pending("flush") == 0);

    test_cond("KILL without a running script is an error", is("kill","-NOTBUSY No scripts in execution right now.\r\n"));
    client *runner = fakeClient();
    setArguments(runner,3,(const char*[]){"eval","return 1","0"});
    scriptRunCtx rctx;
    char sha[] = ONE;
    int prepared = scriptPrepareForRun(&rctx,lctx.lua_client,runner,sha,SCRIPT_FLAG_EVAL_COMPAT_MODE,0) == C_OK;
    int function = words("kill")[0] == '-' && !(rctx.flags & SCRIPT_KILLED);
    rctx.flags |= SCRIPT_EVAL_MODE;
    test_cond("KILL ends a script of EVAL", prepared && is("kill",OK) && (rctx.flags & SCRIPT_KILLED));
    scriptResetRun(&rctx);
    test_cond("KILL does not end a function", prepared && function);

    uint64_t flags = c->flags;
    test_cond("DEBUG YES begins a session that forks", is("debug yes",OK) && c->flags == (flags|CLIENT_LUA_DEBUG) &&
              ldb.step == 1);
    int no = is("debug no",OK) && c->flags == flags;
    ldb.bpcount = 3;
    test_cond("DEBUG SYNC begins one that does not", is("debug sync",OK) && ldb.bpcount == 0 &&
              c->flags == (flags|CLIENT_LUA_DEBUG|CLIENT_LUA_DEBUG_SYNC));
    no &= is("debug no",OK) && c->flags == flags;
    test_cond("DEBUG NO ends either", no && is("debug no",OK) && c->flags == flags);
    int debug = wrong("debug maybe") && c->flags == flags;
    test_cond("DEBUG with another word is an error", debug && wrong("debug \"\"") && wrong("debug") &&
              wrong("debug yes sync") && c->flags == flags);
    addReply(c,shared.ok);
    words("debug yes");
    test_cond("DEBUG in a pipeline is an error", !strncmp(lastReply,OK "-ERR ",10) && c->flags == flags);

    words("help");
    test_cond("HELP tells of all subcommands", lastReply[0] == '*' && strstr(lastReply,"EXISTS") &&
              strstr(lastReply,"FLUSH") && strstr(lastReply,"KILL") && strstr(lastReply,"LOAD") && strstr(lastReply,"DEBUG"));
    test_cond("subcommands are known in any case", is("LOAD \"return 1\"","$40\r\n" ONE "\r\n") &&
              is("Exists " ONE,"*1\r\n:1\r\n") && is("KILL","-NOTBUSY No scripts in execution right now.\r\n") &&
              is("DEBUG NO",OK) && words("HELP")[0] == '*' && is("FLUSH SYNC",OK) && scripts() == 0);
    loadScripts(1);
    int other = wrong("nosuch") && strstr(lastReply,"'nosuch'") && wrong("load") && wrong("load \"return 5\" b") && wrong("kill now") &&
                wrong("help me") && wrong("flus");
    test_cond("other words and numbers of arguments are errors", other && scripts() == 1);
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 5) before = zmalloc_used_memory();
        words("load \"return 1\"");
        words("load \"return return\"");
        words("exists " ONE " " NONE);
        words("flush now");
        words("nosuch");
        words("help");
    }
    words("help");
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
