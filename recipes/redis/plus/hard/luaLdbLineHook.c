/*---
 * tasks: [luaLdbLineHook-610b87, luaLdbLineHook-610b87.2, luaLdbLineHook-610b87.4, luaLdbLineHook-610b87.8]
 * instead: [src/eval.o]
 * tests:
 *   without step or breakpoint a script runs through: 'Comment: it is "called each time Lua is about to start executing a new line"; help: continue.'
 *   in step mode it stops at the next line: 'Help: "Run current line and stop again".'
 *   the client is told where and why: 'Upstream documentation of the debugger: "* Stopped at 1, stop reason = step over".'
 *   the client is shown the line: 'Upstream documentation of the debugger: "-> 1 local foo = ...".'
 *   it waits for the commands of the client: 'ldbRepl: "Read debugging commands from client".'
 *   continue runs to the end: 'Help: "Run till next breakpoint".'
 *   each step stops once: 'Help: "Run current line and stop again".'
 *   it stops at a breakpoint: 'Help: "Add a breakpoint to the specified line".'
 *   it stops at each breakpoint again: 'Help: "Run till next breakpoint"; a loop meets it again.'
 *   redis.breakpoint() stops at the next line: 'Help: "Stop execution like if there was a breakpoint in the next line of code".'
 *   redis.breakpoint() stops once: 'Help: "in the next line of code".'
 *   lines of other chunks do not stop: 'Comment in the body: "Events outside our script are not interesting".'
 *   breakpoints do not stop in other chunks: 'Comment in the body: "Events outside our script are not interesting".'
 *   the current line is known to the commands: 'ldb.currentline, "Current line number"; help: list around current line.'
 *   variables are seen as they are before the line: 'Comment: "about to start executing a new line".'
 *   a count without a timeout is ignored: 'Comment in the body: "No timeout, ignore the COUNT event".'
 *   a count after the time limit stops: 'Upstream documentation of the debugger: "timeout reached, infinite loop?".'
 *   the time limit is that of the configuration: 'redis.conf: busy-reply-threshold.'
 *   without a time limit it is 5 seconds: 'Body and redis.conf: 5000 is the default.'
 *   after a stop the time begins anew: 'scriptRunCtx.start_time: waiting for the client is no busy script.'
 *   when the client is gone the script runs on: 'ldbRepl: "Make sure the script runs without user input since the client is no longer connected".'
 *   when the client is gone in a timeout the script is ended: 'Comment in the body: "let''s kill the script otherwise the process will remain blocked indefinitely".'
 *   after abort the script has ended: 'Help: "Stop the execution of the script".'
 ---*/
#include "debugger.h"

static int count_at, lines;    /* The line that is a COUNT event instead, and the lines so far. */
static uint64_t begin, after;  /* The start of the script as it is set before this line, and as it is behind it. */

static uint64_t ago(int seconds) {
    return getMonotonicUs()-(uint64_t)seconds*1000000;
}

static void hook(lua_State *lua, lua_Debug *ar) {
    lines++;
    int fake = lines == count_at;
    if (fake) ar->event = LUA_HOOKCOUNT, debugger_ctx.start_time = begin;
    luaLdbLineHook(lua,ar);
    if (fake) after = debugger_ctx.start_time;
}

static int run_(const char *script) {
    lines = 0;
    int ok = runUnder(script,hook,LUA_MASKLINE);
    count_at = 0;
    return ok;
}

static int stops(sds s) {
    int n = 0;
    for (const char *at = s; (at = strstr(at,"* Stopped at ")); at++) n++;
    return n;
}

static const char *three = "local a = 1\nlocal b = a+1\nreturn a+b";

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(30);
    debugScript(three);
    hangUp();
    int ok = run_(three);
    sds s = heard();
    test_cond("without step or breakpoint a script runs through", ok && lines == 3 && sdslen(s) == 0 &&
              lua_tonumber(lctx.lua,-1) == 3);
    debugScript(three);
    ldb.step = 1;
    say("continue");
    hangUp();
    ok = run_(three);
    s = heard();
    test_cond("in step mode it stops at the next line", strstr(s,"* Stopped at 1,"));
    test_cond("the client is told where and why", strstr(s,"+* Stopped at 1, stop reason = step over\r\n"));
    test_cond("the client is shown the line", strstr(s,"+-> 1   local a = 1\r\n") && !strncmp(s,"*2\r\n",4));
    test_cond("continue runs to the end", ok && stops(s) == 1 && lines == 3);
    debugScript(three);
    ldb.step = 1;
    say("print");
    say("step");
    say("p a");
    say("next");
    say("p b");
    say("c");
    hangUp();
    ok = run_(three);
    s = heard();
    test_cond("it waits for the commands of the client", ok && strstr(s,"No local variables") && strstr(s,"<value> 1"));
    test_cond("each step stops once", stops(s) == 3 && strstr(s,"Stopped at 2,") && strstr(s,"Stopped at 3,"));
    char *two = strstr(s,"Stopped at 2,"), *one = strstr(s,"<value> 1"), *last = strstr(s,"<value> 2");
    test_cond("variables are seen as they are before the line", two && one && last && two < one &&
              strstr(s,"Stopped at 3,") < last);
    debugScript(three);
    ldbAddBreakpoint(2);
    say("c");
    hangUp();
    run_(three);
    s = heard();
    test_cond("it stops at a breakpoint", stops(s) == 1 && strstr(s,"+* Stopped at 2, stop reason = break point\r\n") &&
              strstr(s,"->#2   local b"));
    const char *loop = "local n = 0\nfor i = 1,3 do\n  n = n+i\nend\nreturn n";
    debugScript(loop);
    ldb.step = 1;
    say("break 3");
    say("c"), say("c"), say("c"), say("c");
    hangUp();
    ok = run_(loop);
    s = heard();
    test_cond("it stops at each breakpoint again", ok && stops(s) == 4 && lua_tonumber(lctx.lua,-1) == 6);
    const char *bp = "local a = 1\nredis.breakpoint()\nlocal b = 2\nlocal c = 3\nreturn b+c";
    debugScript(bp);
    say("list");
    say("c");
    hangUp();
    ok = run_(bp);
    s = heard();
    test_cond("redis.breakpoint() stops at the next line",
              strstr(s,"+* Stopped at 3, stop reason = redis.breakpoint() called\r\n"));
    test_cond("redis.breakpoint() stops once", ok && stops(s) == 1 && lines == 5);
    test_cond("the current line is known to the commands", strstr(s,"+-> 3   local b = 2\r\n+   4   local c = 3\r\n"));
    const char *other = "local f = loadstring('local x = 1\\nlocal y = 2\\nreturn x+y','@other')\nlocal r = f()\nreturn r";
    debugScript(other);
    ldb.step = 1;
    say("s"), say("s"), say("s"), say("s");
    hangUp();
    ok = run_(other);
    s = heard();
    test_cond("lines of other chunks do not stop", ok && stops(s) == 3 && lua_tonumber(lctx.lua,-1) == 3);
    debugScript(other);
    ldbAddBreakpoint(3);
    say("c"), say("c"), say("c");
    hangUp();
    run_(other);
    s = heard();
    test_cond("breakpoints do not stop in other chunks", stops(s) == 1 && lines > 3);

    debugScript(three);
    server.busy_reply_threshold = 1000000000;
    count_at = 2;
    begin = ago(10);
    hangUp();
    ok = run_(three);
    s = heard();
    test_cond("a count without a timeout is ignored", ok && stops(s) == 0 && ldb.step == 0);
    debugScript(three);
    server.busy_reply_threshold = 1000;
    count_at = 2;
    begin = ago(10);
    say("c");
    hangUp();
    ok = run_(three);
    s = heard();
    test_cond("a count after the time limit stops", ok && stops(s) == 1 &&
              strstr(s,"* Stopped at 2, stop reason = timeout reached, infinite loop?\r\n"));
    test_cond("after a stop the time begins anew", getMonotonicUs()-after < 9000000);
    debugScript(three);
    server.busy_reply_threshold = 60000;
    count_at = 2;
    begin = ago(10);
    hangUp();
    run_(three);
    s = heard();
    int none = stops(s) == 0;
    debugScript(three);
    count_at = 2;
    begin = ago(61);
    say("c");
    hangUp();
    run_(three);
    s = heard();
    test_cond("the time limit is that of the configuration", none && stops(s) == 1);
    debugScript(three);
    server.busy_reply_threshold = 0;
    count_at = 2;
    begin = ago(6);
    say("c");
    hangUp();
    run_(three);
    s = heard();
    int stopped = stops(s) == 1;
    debugScript(three);
    count_at = 2;
    begin = ago(0);
    hangUp();
    run_(three);
    s = heard();
    test_cond("without a time limit it is 5 seconds", stopped && stops(s) == 0);
    server.busy_reply_threshold = 5000;

    debugScript(three);
    ldb.step = 1;
    ldbAddBreakpoint(3);
    hangUp();
    ok = run_(three);
    s = heard();
    test_cond("when the client is gone the script runs on", ok && stops(s) == 1 && lines == 3);
    debugScript(three);
    count_at = 2;
    begin = ago(3600);
    hangUp();
    ok = run_(three);
    test_cond("when the client is gone in a timeout the script is ended", !ok && lines == 2 &&
              strstr(debugger_error,"timeout during Lua debugging with client closing connection"));
    debugScript(three);
    ldbAddBreakpoint(2);
    say("abort");
    hangUp();
    ok = run_(three);
    test_cond("after abort the script has ended", !ok && lines == 2 && strstr(debugger_error,"script aborted for user request"));
    test_report();
    return 0;
}
