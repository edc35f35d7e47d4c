/*---
 * tasks: [luaLdbLineHook-610b87.2, luaLdbLineHook-610b87.4, luaLdbLineHook-610b87.8]
 * instead: [src/eval.o]
 * tests:
 *   step and next go on in step mode: 'Help: "[s]tep Run current line and stop again", "[n]ext Alias for step".'
 *   continue goes on without step mode: 'Help: "[c]ontinue Run till next breakpoint".'
 *   going on is told by C_OK: 'Comment: "Return C_OK if the debugging session is continuing".'
 *   a client that is gone is told by C_ERR: 'Comment: "otherwise C_ERR if the client closed the connection or is timing out".'
 *   without a client nothing stops any more: 'Comment in the body: "Make sure the script runs without user input".'
 *   the case of a command does not matter: 'Upstream documentation of the debugger; commands know no case.'
 *   other commands keep it waiting: 'Comment in the body: "until a command that should return to the Lua interpreter is found".'
 *   each command has an answer of its own: 'ldbSendLogs: "Send ldb.logs to the debugging client as a multi-bulk reply".'
 *   help shows the commands: 'Help: "[h]elp Show this help".'
 *   list shows lines around the current one: 'Help: "[l]ist List source code around current line".'
 *   list takes a line: 'Help: "[l]ist [line] List source code around [line]".'
 *   list 0 is the current line: 'Help: "line = 0 means: current position".'
 *   list takes the number of lines around: 'Help: "[l]ist [line] [ctx]".'
 *   whole shows all lines: 'Help: "[w]hole List all source code".'
 *   print shows all variables: 'Help: "[p]rint Show all the local variables".'
 *   print shows one variable: 'Help: "[p]rint <var> Show the value of the specified variable".'
 *   break adds and removes breakpoints: 'Help: "[b]reak <line>", "[b]reak -<line>", "[b]reak 0".'
 *   trace shows where the script is: 'Help: "[t]race Show a backtrace".'
 *   eval runs code of Lua: 'Help: "[e]val <code> Execute some Lua code".'
 *   redis runs a command: 'Help: "[r]edis <cmd> Execute a Redis command".'
 *   redis without a command is an error: 'Reply: "Unknown Redis Lua debugger command or wrong number of arguments".'
 *   maxlen tells and sets the limit: 'Help: "[m]axlen [len] Trim logged Redis replies and Lua var dumps to len".'
 *   an unknown command is an error: 'Upstream''s test: "Unknown Redis Lua debugger command".'
 *   abort ends the script with an error: 'Help: "[a]bort Stop the execution of the script".'
 *   a wrong protocol ends the script with an error: 'ldbReplParseCommand: err.'
 *   a command may come in pieces: 'ldbReplParseCommand: "there is to read more buffer".'
 *   too much without a command ends the script with an error: 'Comment in the body: "after 1M we will exit with an error".'
 *   nothing of a command is left for the next stop: 'Comment in the body: "Flush the old buffer".'
 *   nothing is kept: 'Comment in the body: "Free the command vector".'
 ---*/
#include "debugger.h"

static int at = 2, result, calls;

static void hook(lua_State *lua, lua_Debug *ar) {
    lua_getinfo(lua,"Sl",ar);
    if (ar->currentline != at || !strstr(ar->short_src,"user_script") || calls) return;
    calls++;
    ldb.currentline = at;
    result = ldbRepl(lua);
}

static const char *script = "local one = 'first'\nlocal two = 22\nlocal three = 3\n-- 4\n-- 5\n-- 6\n-- 7\n-- 8\n-- 9\n-- 10\n"
                            "-- 11\nreturn one";

/* Says that, at the second line of the script, and hangs up or goes on. Returns 1 if the script ended well. */
static int after(const char *a, const char *b) {
    if (a) say(a);
    if (b) say(b);
    hangUp();
    calls = 0;
    result = -99;
    return runUnder(script,hook,LUA_MASKLINE);
}

static void fresh(void) {
    debugScript(script);
}

/* What the client hears for a command. */
static sds answer(const char *command) {
    fresh();
    after(command,"c");
    return heard();
}

static int count(const char *text, const char *part) {
    int n = 0;
    while ((text = strstr(text,part)) != NULL) n++, text++;
    return n;
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(30);
    int steps = 0, oks = 0;
    const char *step[] = {"s","step","n","next"};
    for (int j = 0; j < 4; j++) {
        fresh();
        after(step[j],NULL);
        steps += ldb.step == 1;
        oks += result == C_OK;
    }
    test_cond("step and next go on in step mode", steps == 4 && oks == 4);
    fresh();
    int ok = after("c",NULL) && result == C_OK && ldb.step == 0;
    fresh();
    ldb.bp[ldb.bpcount++] = 3;
    ok = ok && after("continue",NULL) && ldb.step == 0 && ldb.bpcount == 1;
    test_cond("continue goes on without step mode", ok);
    test_cond("going on is told by C_OK", result == C_OK && calls == 1);
    fresh();
    ldb.step = 1;
    ldb.bp[ldb.bpcount++] = 3;
    ok = after(NULL,NULL);
    test_cond("a client that is gone is told by C_ERR", ok && result == C_ERR);
    test_cond("without a client nothing stops any more", ldb.step == 0 && ldb.bpcount == 0);
    fresh();
    after("STEP",NULL);
    ok = result == C_OK && ldb.step == 1;
    fresh();
    after("LiSt","ConTinue");
    test_cond("the case of a command does not matter", ok && result == C_OK && told("local one",NULL,NULL));
    fresh();
    after("list",NULL);
    ok = result == C_ERR;
    fresh();
    say("p"), say("w"), say("t"), say("m"), say("b"), say("e 1"), say("h"), say("x");
    after("list","step");
    sds s = heard();
    test_cond("other commands keep it waiting", ok && result == C_OK && ldb.step == 1);
    test_cond("each command has an answer of its own", count(s,"*") >= 9 && strstr(s,"<value> one = \"first\"\r\n*12\r\n+"));
    s = answer("help");
    test_cond("help shows the commands", strstr(s,"[s]tep") && strstr(s,"[c]ontinue") && strstr(s,"[l]ist") &&
              strstr(s,"[w]hole") && strstr(s,"[p]rint") && strstr(s,"[b]reak") && strstr(s,"[t]race") &&
              strstr(s,"[e]val") && strstr(s,"[r]edis") && strstr(s,"[m]axlen") && strstr(s,"[a]bort"));
    sds h = answer("h");
    test_cond("list shows lines around the current one", !strcmp(s,h) && (s = answer("list")) && !strncmp(s,"*7\r\n",4) &&
              strstr(s,"+-> 2   local two") && strstr(s,"+   7   -- 7") && !strstr(s,"-- 8"));
    s = answer("l 8");
    test_cond("list takes a line", !strncmp(s,"*10\r\n",5) && strstr(s,"+   3   ") && strstr(s,"+   12  ") &&
              !strstr(s,"local two"));
    s = answer("list 0");
    test_cond("list 0 is the current line", !strncmp(s,"*7\r\n",4) && strstr(s,"+-> 2   local two"));
    s = answer("list 8 1");
    h = answer("l 0 1");
    test_cond("list takes the number of lines around", !strncmp(s,"*3\r\n+   7   ",12) && strstr(s,"-- 9") &&
              !strncmp(h,"*3\r\n+   1   ",12));
    s = answer("whole");
    h = answer("w");
    test_cond("whole shows all lines", !strcmp(s,h) && !strncmp(s,"*12\r\n",5) && strstr(s,"-> 2") &&
              strstr(s,"+   12  return one"));
    s = answer("print");
    h = answer("p");
    test_cond("print shows all variables", !strcmp(s,h) && !strcmp(s,"*1\r\n+<value> one = \"first\"\r\n"));
    s = answer("p one");
    h = answer("print nosuch");
    test_cond("print shows one variable", !strcmp(s,"*1\r\n+<value> \"first\"\r\n") && strstr(h,"No such variable"));
    fresh();
    say("b"), say("break 3 5"), say("b -3");
    after("b","c");
    s = heard();
    ok = ldb.bpcount == 1 && ldb.bp[0] == 5 && strstr(s,"No breakpoints set") && strstr(s,"1 breakpoints set:") &&
         strstr(s,"Breakpoint removed.");
    fresh();
    ldbAddBreakpoint(3);
    after("break 0","c");
    test_cond("break adds and removes breakpoints", ok && ldb.bpcount == 0);
    s = answer("trace");
    h = answer("t");
    test_cond("trace shows where the script is", !strcmp(s,h) && strstr(s,"top level:") && strstr(s,"-> 2   local two"));
    s = answer("eval 20 + 22");
    h = answer("e 'x' .. 'y'");
    test_cond("eval runs code of Lua", !strcmp(s,"*1\r\n+<retval> 42\r\n") && !strcmp(h,"*1\r\n+<retval> \"xy\"\r\n"));
    s = answer("redis set key value");
    h = answer("r get key");
    test_cond("redis runs a command", strstr(s,"<reply> \"+OK\"") && strstr(h,"<reply> \"value\"") && result == C_OK);
    s = answer("redis");
    h = answer("r");
    test_cond("redis without a command is an error", strstr(s,"<error> Unknown Redis Lua debugger command or wrong") &&
              strstr(h,"<error> Unknown Redis Lua debugger command or wrong"));
    s = answer("maxlen");
    h = answer("m 100");
    test_cond("maxlen tells and sets the limit", strstr(s,"truncated at 256 bytes") && strstr(h,"truncated at 100 bytes") &&
              ldb.maxlen == 100);
    s = answer("nonsense");
    h = answer("lists");
    test_cond("an unknown command is an error", strstr(s,"<error> Unknown Redis Lua debugger command") &&
              strstr(h,"<error> Unknown Redis Lua debugger command") && result == C_OK);
    fresh();
    ok = after("a","c") == 0 && strstr(debugger_error,"script aborted for user request") && result == -99;
    fresh();
    test_cond("abort ends the script with an error", ok && !after("abort",NULL) &&
              strstr(debugger_error,"script aborted for user request"));
    fresh();
    sayBytes("nonsense\r\n",10);
    ok = after("c",NULL) == 0 && strstr(debugger_error,"protocol error");
    test_cond("a wrong protocol ends the script with an error", ok && result == -99);
    fresh();
    sayBytes("*1\r\n$4\r\nst",10);
    sayBytes("ep\r\n",4);
    ok = after(NULL,NULL);
    test_cond("a command may come in pieces", ok && result == C_OK && ldb.step == 1);
    test_cond("nothing of a command is left for the next stop", sdslen(ldb.cbuf) == 0);
    fresh();
    sds large = sdsnewlen(NULL,1 << 20);
    memset(large,'*',1 << 20);
    sdsfree(ldb.cbuf);
    ldb.cbuf = large;
    sayBytes("*****",5);
    ok = after("c",NULL) == 0 && strstr(debugger_error,"max client buffer reached");
    test_cond("too much without a command ends the script with an error", ok && result == -99 && sdslen(ldb.cbuf) == 0);

    size_t before = 0;
    for (int j = 0; j < 30; j++) {
        if (j == 10) before = zmalloc_used_memory();
        fresh();
        connection *conn = ldb.conn;
        say("list 3 1"), say("p one"), say("x y z"), say("e 1"), say("r get key"), say("b 3"), say("m 80");
        after("t",j % 2 ? "step" : "c");
        sdsfree(heard());
        zfree(conn);
        sdsfree(ldb.cbuf);
        ldb.cbuf = sdsempty();
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
