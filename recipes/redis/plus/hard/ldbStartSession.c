/*---
 * tasks: [luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   a synchronous session goes on: 'Comment: "The function returns 1 if the caller should proceed to call EVAL".'
 *   it does not fork: 'server.h: CLIENT_LUA_DEBUG_SYNC; struct ldbState: forked.'
 *   the session is active: 'struct ldbState: active, "Are we debugging EVAL right now?".'
 *   the connection blocks: 'Comment: "in order to perform direct I/O with it from within Lua hooks".'
 *   the source is split into its lines: 'struct ldbState: src, "Lua script source code split by line"; lines.'
 *   newlines at the end make no lines: 'ldbGetSourceLine, list: the script''s lines.'
 *   empty lines between are lines: 'Errors and breakpoints name lines.'
 *   the script stays as it is: 'evalGenericCommand runs it.'
 *   a forked session ends in the parent: 'Comment: "0 if instead the caller should abort the operation (this happens for the parent in a forked session)".'
 *   the parent closes the client: 'Comment: it''s up to the child to continue.'
 *   the parent knows the child: 'struct ldbState: children, "All forked debugging sessions pids".'
 *   nothing is debugged in the parent: 'Other clients are served by it.'
 *   the child goes on: 'Comment: "it''s up to the children to continue".'
 *   the child ignores signals that the parent handles: 'SIGTERM and SIGINT end the server and not a session.'
 *   it can be started again after its end: 'ldbEndSession.'
 ---*/
#include "evaltest.h"
#include "sockettest.h"
#include <sys/wait.h>

int main(void) {
    startScripts();
    int end;
    client *s = socketClient(&end);
    setArguments(s,3,(const char*[]){"eval","return 1\n\nlocal a = 2\r\n  return a \n\r\n\n","0"});
    ldbEnable(s);
    s->flags |= CLIENT_LUA_DEBUG_SYNC;
    int result = ldbStartSession(s);
    test_cond("a synchronous session goes on", result == 1 && !(s->flags & CLIENT_CLOSE_ASAP));
    test_cond("it does not fork", ldb.forked == 0 && ldbPendingChildren() == 0);
    test_cond("the session is active", ldb.active == 1 && ldbIsEnabled());
    test_cond("the connection blocks", !(fcntl(s->conn->fd,F_GETFL) & O_NONBLOCK));
    test_cond("the source is split into its lines", ldb.lines == 4 && !strcmp(ldb.src[0],"return 1"));
    test_cond("newlines at the end make no lines", ldb.lines == 4 && !strcmp(ldb.src[3],"  return a ") &&
              sdslen(ldb.src[3]) == 11);
    test_cond("empty lines between are lines", ldb.lines == 4 && !strcmp(ldb.src[1],"") && !strncmp(ldb.src[2],"local a = 2",11));
    test_cond("the script stays as it is", !strcmp(s->argv[1]->ptr,"return 1\n\nlocal a = 2\r\n  return a \n\r\n\n") &&
              s->argv[1]->refcount == 1);
    ldbEndSession(s);
    setArguments(s,3,(const char*[]){"eval","return 2","0"});
    result = ldbStartSession(s);
    test_cond("it can be started again after its end", result == 1 && ldb.lines == 1 && !strcmp(ldb.src[0],"return 2") &&
              ldb.active);
    ldbEndSession(s);

    int other, pipes[2];
    char told[3] = "";
    if (pipe(pipes)) exit(1);
    client *f = socketClient(&other);
    setArguments(f,3,(const char*[]){"eval","return 1\nreturn 2","0"});
    ldbEnable(f);
    fflush(stdout);
    pid_t me = getpid();
    result = ldbStartSession(f);
    if (getpid() != me) {
        struct sigaction term, interrupt;
        sigaction(SIGTERM,NULL,&term);
        sigaction(SIGINT,NULL,&interrupt);
        told[0] = result == 1 && ldb.forked == 1 && ldb.active == 1 && ldb.lines == 2 ? 'y' : 'n';
        told[1] = term.sa_handler == SIG_IGN && interrupt.sa_handler == SIG_IGN ? 'y' : 'n';
        if (write(pipes[1],told,2) < 0) _exit(1);
        _exit(0);
    }
    close(pipes[1]);
    test_cond("a forked session ends in the parent", result == 0);
    test_cond("the parent closes the client", (f->flags & CLIENT_CLOSE_ASAP) != 0);
    int known = ldbPendingChildren() == 1;
    pid_t child = known ? (pid_t)(unsigned long)listNodeValue(listFirst(ldb.children)) : -1;
    test_cond("the parent knows the child", known && child > 0);
    test_cond("nothing is debugged in the parent", ldb.active == 0);
    if (read(pipes[0],told,2) < 0) told[0] = 'n';
    int status = -1;
    if (child > 0) waitpid(child,&status,0);
    test_cond("the child goes on", told[0] == 'y' && status == 0);
    test_cond("the child ignores signals that the parent handles", told[1] == 'y');
    test_report();
    return 0;
}
