/*---
 * tasks: [luaCreateFunction-73df11.16]
 * instead: [src/eval.o]
 * tests:
 *   the script runs and replies: 'Comment: "Wrapper for EVAL / EVALSHA"; evalGenericCommand.'
 *   it is debugged: 'Comment: "that enables debugging"; the hook stops at the first line.'
 *   the session is ended: 'Comment: "makes sure that when EVAL returns, whatever happened, the session is ended".'
 *   the client is told of its end: 'ldbEndSession: <endsession>.'
 *   the client is closed after the reply: 'ldbEndSession: CLIENT_CLOSE_AFTER_REPLY.'
 *   a script that fails ends the session too: 'Comment: "whatever happened".'
 *   a script that is wrong ends the session too: 'Comment: "whatever happened".'
 *   arguments that are wrong end the session too: 'Comment: "whatever happened".'
 *   the parameter is passed on: 'Parameter evalsha.'
 *   in the parent of a forked session the script does not run: 'ldbStartSession: "0 if instead the caller should abort the operation".'
 *   "the parent's client is no longer in debug mode": 'ldbDisable: "Exit debugging mode from the POV of client".'
 *   the next script is not debugged: 'struct ldbState: active.'
 ---*/
#include "evaltest.h"
#include "sockettest.h"
#include <sys/wait.h>

static int end, stopped, told, closing;
#define CONTINUE "*1\r\n$8\r\ncontinue\r\n"

/* Debugs it in a synchronous session, going on at each stop; what is replied in the end. */
static char answer[1000];
static const char *debug(const char *script, const char *numkeys, int evalsha) {
    client *s = socketClient(&end);
    setArguments(s,3,(const char*[]){evalsha ? "evalsha" : "eval",script,numkeys});
    ldbEnable(s);
    s->flags |= CLIENT_LUA_DEBUG_SYNC;
    if (write(end,CONTINUE CONTINUE,2*strlen(CONTINUE)) < 0) exit(1);
    evalGenericCommandWithDebugging(s,evalsha);
    arrive(end);
    stopped = strstr(arrived,"Stopped at 1") != NULL;
    told = strstr(arrived,"<endsession>") != NULL;
    closing = (s->flags & CLIENT_CLOSE_AFTER_REPLY) != 0;
    sds r = replyOf(s);
    snprintf(answer,sizeof(answer),"%s",r);
    sdsfree(r);
    return answer;
}

int main(void) {
    startScripts();
    signal(SIGALRM,SIG_DFL);
    alarm(20);
    test_cond("the script runs and replies", !strcmp(debug("return 41+1","0",0),":42\r\n"));
    test_cond("it is debugged", stopped);
    test_cond("the session is ended", ldb.active == 0 && ldb.lines == 0);
    test_cond("the client is told of its end", told);
    test_cond("the client is closed after the reply", closing);
    int fails = debug("local a = nil + 1","0",0)[0] == '-' && !ldb.active && told && closing;
    test_cond("a script that fails ends the session too", fails && strchr(answer,'\n') == answer+strlen(answer)-1);
    test_cond("a script that is wrong ends the session too", debug("return return","0",0)[0] == '-' && !ldb.active && told &&
              closing && !stopped);
    test_cond("arguments that are wrong end the session too", debug("return 1","5",0)[0] == '-' && !ldb.active && told &&
              closing && debug("return 1","x",0)[0] == '-' && !ldb.active && told);
    int sha = !strncmp(debug("0000000000000000000000000000000000000000","0",1),"-NOSCRIPT",9) && !ldb.active;
    eval("return 1");
    test_cond("the parameter is passed on", sha && !strcmp(debug("e0e1f9fabfc9d4800c877a703b823ac0578ff8db","0",1),":1\r\n") &&
              debug("return 7","0",0)[0] == ':');

    client *f = socketClient(&end);
    setArguments(f,3,(const char*[]){"eval","redis.call('set','ran',1) return 1","0"});
    ldbEnable(f);
    if (write(end,CONTINUE,strlen(CONTINUE)) < 0) exit(1);
    fflush(stdout);
    evalGenericCommandWithDebugging(f,0);
    sds r = replyOf(f);
    test_cond("in the parent of a forked session the script does not run", !entryOf("ran") && sdslen(r) == 0 && !ldb.active);
    sdsfree(r);
    test_cond("the parent's client is no longer in debug mode", !(f->flags & (CLIENT_LUA_DEBUG|CLIENT_LUA_DEBUG_SYNC)));
    if (ldbPendingChildren()) waitpid((pid_t)(unsigned long)listNodeValue(listFirst(ldb.children)),NULL,0);
    test_cond("the next script is not debugged", !strcmp(eval("return 5"),":5\r\n"));
    test_report();
    return 0;
}
