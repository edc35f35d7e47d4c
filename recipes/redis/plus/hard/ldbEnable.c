/*---
 * tasks: [luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   the client is in debug mode: 'Comment: "Enable debug mode of Lua scripts for this client"; evalCommand looks at CLIENT_LUA_DEBUG.'
 *   its other flags stay: 'Comment: it enables; caller scriptCommand sets CLIENT_LUA_DEBUG_SYNC itself.'
 *   messages of a session before are gone: 'struct ldbState: logs, "messages to send to the client".'
 *   "the connection is the client's": 'struct ldbState: conn, "Connection of the debugging client".'
 *   it stops at the first line: 'struct ldbState: step; upstream''s docs on debugging: it stops before the first line.'
 *   breakpoints of a session before are gone: 'struct ldbState: bpcount, "Number of valid entries inside bp".'
 *   a stop that was asked for before is gone: 'struct ldbState: luabp.'
 *   commands that were not read to their end are gone: 'struct ldbState: cbuf, "Debugger client command buffer".'
 *   the limit of replies is the default: 'eval.c: LDB_MAX_LEN_DEFAULT, "Default len limit for replies / var dumps".'
 *   the hint about the limit is given anew: 'struct ldbState: maxlen_hint_sent.'
 *   no script is debugged yet: 'struct ldbState: active, "Are we debugging EVAL right now?".'
 *   forked sessions are still known: 'struct ldbState: children; ldbKillForkedSessions.'
 *   it can be enabled again and for another client: 'SCRIPT DEBUG YES in each of them.'
 *   ldbDisable ends it: 'ldbDisable: the client''s flags.'
 *   nothing is left behind: 'Old messages and commands are freed.'
 ---*/
#include "evaltest.h"

int main(void) {
    startScripts();
    ldb.step = 0;
    ldb.bpcount = 7;
    ldb.luabp = 1;
    ldb.maxlen = 3;
    ldb.maxlen_hint_sent = 1;
    ldb.cbuf = sdscat(ldb.cbuf,"*1\r\n$4\r\nste");
    ldbLog(sdsnew("one"));
    ldbLog(sdsnew("two"));
    listAddNodeTail(ldb.children,(void*)77L);
    client *s = subscriberClient();
    uint64_t flags = s->flags;
    ldbEnable(s);
    test_cond("the client is in debug mode", (s->flags & CLIENT_LUA_DEBUG) != 0);
    test_cond("its other flags stay", s->flags == (flags|CLIENT_LUA_DEBUG) && !(s->flags & CLIENT_LUA_DEBUG_SYNC));
    test_cond("messages of a session before are gone", ldb.logs && listLength(ldb.logs) == 0);
    test_cond("the connection is the client's", ldb.conn == s->conn && s->conn);
    test_cond("it stops at the first line", ldb.step == 1);
    test_cond("breakpoints of a session before are gone", ldb.bpcount == 0);
    test_cond("a stop that was asked for before is gone", ldb.luabp == 0);
    test_cond("commands that were not read to their end are gone", ldb.cbuf && sdslen(ldb.cbuf) == 0);
    test_cond("the limit of replies is the default", ldb.maxlen == LDB_MAX_LEN_DEFAULT);
    test_cond("the hint about the limit is given anew", ldb.maxlen_hint_sent == 0);
    test_cond("no script is debugged yet", ldb.active == 0 && !ldbIsEnabled());
    test_cond("forked sessions are still known", listLength(ldb.children) == 1 && ldbPendingChildren() == 1);
    client *other = subscriberClient();
    ldbLog(sdsnew("three"));
    ldb.bpcount = 1;
    ldb.step = 0;
    ldb.maxlen = 0;
    ldbEnable(other);
    int again = (other->flags & CLIENT_LUA_DEBUG) && ldb.conn == other->conn && listLength(ldb.logs) == 0;
    again &= ldb.bpcount == 0 && ldb.step == 1 && ldb.maxlen == LDB_MAX_LEN_DEFAULT;
    ldbEnable(s);
    test_cond("it can be enabled again and for another client", again && ldb.conn == s->conn &&
              (s->flags & CLIENT_LUA_DEBUG));
    ldbDisable(s);
    test_cond("ldbDisable ends it", s->flags == flags);
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 5) before = zmalloc_used_memory();
        ldbLog(sdsnew("a message"));
        ldb.cbuf = sdscat(ldb.cbuf,"a command that is longer than what a buffer may hold without more memory");
        ldbEnable(s);
        ldbEnable(other);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
