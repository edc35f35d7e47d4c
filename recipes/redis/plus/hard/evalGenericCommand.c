/*---
 * tasks: [luaCreateFunction-73df11.2, luaCreateFunction-73df11.4, luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   the result of the script is replied: 'Caller evalCommand; commands/eval.'
 *   keys and arguments are told apart: 'commands/eval: numkeys, KEYS and ARGV.'
 *   all arguments may be keys: 'commands/eval; the reply "Number of keys can''t be greater than number of args".'
 *   no argument needs to be a key: 'commands/eval: numkeys may be 0.'
 *   a number of keys that is no integer is an error: 'networking.c: getLongLongFromObjectOrReply.'
 *   too many keys are an error: 'Reply: "Number of keys can''t be greater than number of args".'
 *   a negative number of keys is an error: 'Reply: "Number of keys can''t be negative".'
 *   after an error of keys the script is unknown: 'The number of keys is looked at first.'
 *   a script is kept after its first run: 'commands/evalsha: "Evaluate a script from the server''s cache by its SHA1 digest".'
 *   with evalsha a known script runs: 'commands/evalsha.'
 *   with evalsha the case of the digest does not matter: 'evalCalcFunctionName: "Convert to lowercase".'
 *   with evalsha an unknown script is an error: '"If this is an EVALSHA call we can just return an error"; NOSCRIPT.'
 *   a script that was looked up before is used: 'server.h: client.cur_script, "Cached pointer to the dictEntry of the script being executed".'
 *   a script that does not compile is one error: '"The error is sent to the client by luaCreateFunction() itself".'
 *   an error of a script is replied with its digest: 'script_lua.c: luaCallFunction, "script: %s, on %s:%d."; caller gives the digest as funcname.'
 *   a read-only command must not write: 'commands/eval_ro: "Executes a read-only server-side Lua script".'
 *   a read-only command refuses a script that may write: 'script.c: scriptPrepareForRun, ro.'
 *   flags of the script are heeded: 'Upstream documentation of script flags: no-writes.'
 *   a script works in the database of its client: 'script.c: scriptPrepareForRun, "Select the right DB".'
 *   after each run no script is running: 'script.c: scriptResetRun.'
 *   the command itself is not propagated: 'script.c: scriptResetRun, preventCommandPropagation; the commands of the script are.'
 *   the stack of Lua is left as it was: '"remove the error handler from the stack".'
 *   the stack of Lua is left as it was after errors: '"Remove the function and error handler".'
 ---*/
#include "../eval.c"
#include "start.h"
#include "../testhelp.h"

static client *c;

static void eval_(int sha, const char *script, const char *keys, const char *a, const char *b) {
    const char *words[] = {sha ? "evalsha" : "eval",script,keys,a,b};
    setArguments(c,b ? 5 : a ? 4 : 3,words);
    c->cur_script = NULL;
    evalGenericCommand(c,sha);
}

static int starts(const char *text) {
    sds s = replyOf(c);
    int same = !strncmp(s,text,strlen(text)) && strstr(s,"\r\n") == s+sdslen(s)-2;
    if (!same) printf("reply <%s>\n",s);
    sdsfree(s);
    return same;
}

static int known(const char *script) {
    char sha[41];
    sha1hex(sha,(char*)script,strlen(script));
    return dictFind(lctx.lua_scripts,sha) != NULL;
}

static int key(int db, const char *name) {
    sds s = sdsnew(name);
    int found = dbFind(&server.db[db],s) != NULL;
    sdsfree(s);
    return found;
}

int main(void) {
    startRedis();
    c = fakeClient();
    lua_settop(lctx.lua,0);
    eval_(0,"return 5","0",NULL,NULL);
    test_cond("the result of the script is replied", replied(c,":5\r\n"));
    const char *tell = "return {#KEYS,#ARGV,KEYS[1] or '-',ARGV[1] or '-'}";
    eval_(0,tell,"1","k","a");
    test_cond("keys and arguments are told apart", replied(c,"*4\r\n:1\r\n:1\r\n$1\r\nk\r\n$1\r\na\r\n"));
    eval_(0,tell,"2","k","l");
    test_cond("all arguments may be keys", replied(c,"*4\r\n:2\r\n:0\r\n$1\r\nk\r\n$1\r\n-\r\n"));
    eval_(0,tell,"0","a","b");
    test_cond("no argument needs to be a key", replied(c,"*4\r\n:0\r\n:2\r\n$1\r\n-\r\n$1\r\na\r\n"));
    test_cond("the stack of Lua is left as it was", lua_gettop(lctx.lua) == 0);
    eval_(0,"return 'new1'","x","a","b");
    int told = replied(c,"-ERR value is not an integer or out of range\r\n");
    eval_(0,"return 'new1'","1.5","a","b");
    test_cond("a number of keys that is no integer is an error", told &&
              replied(c,"-ERR value is not an integer or out of range\r\n"));
    eval_(0,"return 'new1'","3","a","b");
    told = replied(c,"-ERR Number of keys can't be greater than number of args\r\n");
    eval_(0,"return 'new1'","1",NULL,NULL);
    test_cond("too many keys are an error", told &&
              replied(c,"-ERR Number of keys can't be greater than number of args\r\n"));
    eval_(0,"return 'new1'","-1","a","b");
    test_cond("a negative number of keys is an error", replied(c,"-ERR Number of keys can't be negative\r\n"));
    test_cond("after an error of keys the script is unknown", !known("return 'new1'"));
    test_cond("a script is kept after its first run", known("return 5") && known(tell) &&
              dictSize(lctx.lua_scripts) == 2);

    char sha[41], up[41];
    sha1hex(sha,"return 5",8);
    for (int j = 0; j < 41; j++) up[j] = toupper(sha[j]);
    eval_(1,sha,"0",NULL,NULL);
    test_cond("with evalsha a known script runs", replied(c,":5\r\n"));
    eval_(1,up,"0","a",NULL);
    test_cond("with evalsha the case of the digest does not matter", strcmp(up,sha) && replied(c,":5\r\n"));
    eval_(1,"0000000000000000000000000000000000000000","0",NULL,NULL);
    test_cond("with evalsha an unknown script is an error",
              replied(c,"-NOSCRIPT No matching script. Please use EVAL.\r\n"));
    const char *words[] = {"eval","return 6","0"};
    setArguments(c,3,words);
    c->cur_script = dictFind(lctx.lua_scripts,sha);
    evalGenericCommand(c,0);
    told = replied(c,":5\r\n");
    c->cur_script = NULL;
    test_cond("a script that was looked up before is used", told && !known("return 6"));
    eval_(0,"return return","0",NULL,NULL);
    test_cond("a script that does not compile is one error",
              starts("-ERR Error compiling script (new function): user_script:1:") && !known("return return"));
    sha1hex(sha,"return redis.call('nosuch')",27);
    sds want = sdscatprintf(sdsempty(),"-ERR Unknown Redis command called from script script: %s, on @user_script:1.\r\n",sha);
    eval_(0,"return redis.call('nosuch')","0",NULL,NULL);
    test_cond("an error of a script is replied with its digest", replied(c,want));
    test_cond("after each run no script is running", !scriptIsRunning());

    const char *ro[] = {"eval_ro","return redis.call('set',KEYS[1],'v')","1","ro"};
    setArguments(c,4,ro);
    evalGenericCommand(c,0);
    told = starts("-ERR Write commands are not allowed from read-only scripts.");
    sha1hex(sha,"return redis.call('set',KEYS[1],'v')",36);
    const char *sharo[] = {"evalsha_ro",sha,"1","ro"};
    setArguments(c,4,sharo);
    evalGenericCommand(c,1);
    test_cond("a read-only command must not write", told && !key(0,"ro") &&
              starts("-ERR Write commands are not allowed from read-only scripts."));
    const char *shebang[] = {"eval_ro","#!lua\nreturn 1","0"};
    setArguments(c,3,shebang);
    evalGenericCommand(c,0);
    test_cond("a read-only command refuses a script that may write",
              replied(c,"-ERR Can not execute a script with write flag using *_ro command.\r\n"));
    eval_(0,"#!lua flags=no-writes\nreturn redis.call('set',KEYS[1],'v')","1","k",NULL);
    told = starts("-ERR Write commands are not allowed from read-only scripts.") && !key(0,"k");
    eval_(0,"#!lua\nreturn redis.call('set',KEYS[1],'v')","1","k",NULL);
    test_cond("flags of the script are heeded", told && replied(c,"+OK\r\n") && key(0,"k"));
    test_cond("the stack of Lua is left as it was after errors", lua_gettop(lctx.lua) == 0);
    selectDb(c,4);
    c->flags &= ~CLIENT_PREVENT_PROP;
    eval_(0,"return redis.call('set',KEYS[1],ARGV[1])","1","there","v");
    test_cond("a script works in the database of its client", replied(c,"+OK\r\n") && key(4,"there") && !key(0,"there"));
    test_cond("the command itself is not propagated", (c->flags & CLIENT_PREVENT_PROP) == CLIENT_PREVENT_PROP);
    test_report();
    return 0;
}
