/*---
 * tasks: [luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   nothing is debugged: 'Comment: "Initialize Lua debugger data structures"; struct ldbState: active.'
 *   no client is known: 'struct ldbState: conn.'
 *   there are no messages: 'struct ldbState: logs.'
 *   there are no forked sessions: 'struct ldbState: children; ldbPendingChildren.'
 *   there is no source: 'struct ldbState: src, lines.'
 *   no command has begun: 'struct ldbState: cbuf; ldbEnable frees it.'
 *   messages can be logged and are freed with the list: 'ldbLog, ldbFlushLog: listDelNode; they are sds.'
 *   children can be added and are not freed with the list: 'ldbStartSession: pids.'
 *   what was there before does not matter: 'Comment: "Initialize".'
 *   a session can be enabled afterwards: 'ldbEnable.'
 ---*/
#include "evaltest.h"

int main(void) {
    startScripts();
    memset(&ldb,0x5a,sizeof(ldb));
    ldbInit();
    test_cond("nothing is debugged", ldb.active == 0 && !ldbIsEnabled());
    test_cond("no client is known", ldb.conn == NULL);
    test_cond("there are no messages", ldb.logs && listLength(ldb.logs) == 0);
    test_cond("there are no forked sessions", ldb.children && listLength(ldb.children) == 0 && ldbPendingChildren() == 0);
    test_cond("there is no source", ldb.src == NULL && ldb.lines == 0);
    test_cond("no command has begun", ldb.cbuf && sdslen(ldb.cbuf) == 0);
    size_t before = zmalloc_used_memory();
    ldbLog(sdsnew("a message of some length"));
    ldbLog(sdsnew("another message of some length"));
    int two = listLength(ldb.logs) == 2 && ldb.logs != ldb.children && listLength(ldb.children) == 0;
    ldbFlushLog(ldb.logs);
    test_cond("messages can be logged and are freed with the list", two && zmalloc_used_memory() == before);
    listAddNodeTail(ldb.children,(void*)12345L);
    int child = ldbPendingChildren() == 1 && ldbRemoveChild(12345) && !ldbRemoveChild(12345);
    test_cond("children can be added and are not freed with the list", child && ldbPendingChildren() == 0 &&
              zmalloc_used_memory() == before);
    client *s = subscriberClient();
    ldbEnable(s);
    test_cond("a session can be enabled afterwards", ldb.conn == s->conn && ldb.maxlen == LDB_MAX_LEN_DEFAULT);
    memset(&ldb,0xff,sizeof(ldb));
    ldbInit();
    test_cond("what was there before does not matter", !ldb.active && !ldb.conn && listLength(ldb.logs) == 0 &&
              listLength(ldb.children) == 0 && !ldb.src && !ldb.lines && sdslen(ldb.cbuf) == 0);
    test_report();
    return 0;
}
