/*---
 * tasks: [C113A3386E49EAAF]
 * tests:
 *   the reply is an error in a line of its own:
 *     'networking.c: addReplyErrorLength, "-ERRORCODE Error Message<CR><LF>".'
 *   the arguments are put into the format: 'Arguments fmt and ap; caller addReplyErrorArity.'
 *   a code of the caller's is kept: 'networking.c: addReplyErrorLength, "if the error code is already passed".'
 *   newlines in the middle do not end the reply: 'addReplyErrorFormat: "safe to contain \r and \n anywhere".'
 *   newlines at the end do not end the reply twice: 'addReplyErrorLength: "must NOT end with \r\n".'
 *   newlines at the beginning do not end the reply: 'addReplyErrorFormat: "safe to contain \r and \n anywhere".'
 *   newlines of an argument do no harm: 'addReplyErrorFormat: "The formatted string is safe to contain \r and \n".'
 *   the words around a newline are kept: 'addReplyErrorFormat: the string may contain them, and is the message.'
 *   a percent sign in an argument is no format: 'Arguments fmt and ap.'
 *   a long message is sent whole: 'Arguments fmt and ap; no length is documented.'
 *   the error is counted: 'networking.c: afterErrorReply; INFO total_error_replies.'
 *   the error is counted under its code: 'networking.c: afterErrorReply; INFO errorstats.'
 *   with ERR_REPLY_FLAG_NO_STATS_UPDATE it is not counted: 'Docstring: "Refer to afterErrorReply about the flags".'
 *   with that flag the command counts as failed:
 *     'networking.c: afterErrorReply, "we still want this command" counted.'
 *   the message is freed: 'Callers addReplyErrorFormat and addReplyErrorFormatEx get nothing to free.'
 *   two errors are two replies: 'networking.c: addReplyErrorLength, one line an error.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c;

static long counted(const char *code) {
    void *error;
    return raxFind(server.errors,(unsigned char*)code,strlen(code),&error) ?
        (long)((struct redisError*)error)->count : 0;
}

/* Whether one line was replied that begins and ends so. */
static int line(const char *begin, const char *end) {
    sds s = replyOf(c);
    size_t len = sdslen(s), b = strlen(begin), e = strlen(end);
    int newlines = 0;
    for (size_t j = 0; j+2 < len; j++) newlines += s[j] == '\r' || s[j] == '\n';
    int ok = len >= b+2 && newlines == 0 && !strcmp(s+len-2,"\r\n") && !strncmp(s,begin,b) && strstr(s,end) != NULL &&
             strlen(s) == len && e < len;
    sdsfree(s);
    return ok;
}

int main(void) {
    startRedis();
    c = fakeClient();
    const char *words[] = {"get","key"};
    setArguments(c,2,words);

    addReplyErrorFormat(c,"no such thing");
    test_cond("the reply is an error in a line of its own", replied(c,"-ERR no such thing\r\n"));
    addReplyErrorFormat(c,"%s has %d of %lld, '%c' %%",c->cmd->fullname,-3,5000000000LL,'x');
    test_cond("the arguments are put into the format", replied(c,"-ERR get has -3 of 5000000000, 'x' %\r\n"));
    addReplyErrorFormat(c,"-NOPE not %s","today");
    test_cond("a code of the caller's is kept", replied(c,"-NOPE not today\r\n"));
    addReplyErrorFormat(c,"first\r\n+OK\nsecond\rthird");
    int one = line("-ERR first","third");
    test_cond("newlines in the middle do not end the reply", one);
    addReplyErrorFormat(c,"bad: %.100s\n","script");
    one = line("-ERR bad: script","script");
    addReplyErrorFormat(c,"bad\r\n\r\n");
    test_cond("newlines at the end do not end the reply twice", one && line("-ERR bad","bad"));
    addReplyErrorFormat(c,"\r\nlate");
    test_cond("newlines at the beginning do not end the reply", line("-ERR","late"));
    addReplyErrorFormat(c,"unknown '%s'","a\r\n:1\r\n");
    test_cond("newlines of an argument do no harm", line("-ERR unknown 'a","'"));
    addReplyErrorFormat(c,"left\nright");
    test_cond("the words around a newline are kept", line("-ERR left","right"));
    addReplyErrorFormat(c,"%s","100%s %d %n");
    test_cond("a percent sign in an argument is no format", replied(c,"-ERR 100%s %d %n\r\n"));

    sds text = sdsnewlen(NULL,50000);
    memset(text,'m',50000);
    addReplyErrorFormat(c,"%s.",text);
    sds s = replyOf(c);
    test_cond("a long message is sent whole", sdslen(s) == 50000+8 && !memcmp(s+5,text,50000));
    sdsfree(s);
    sdsfree(text);

    long long total = server.stat_total_error_replies, failed = c->realcmd->failed_calls;
    long err = counted("ERR"), odd = counted("ODD");
    addReplyErrorFormatEx(c,0,"again");
    test_cond("the error is counted", server.stat_total_error_replies == total+1 && counted("ERR") == err+1);
    addReplyErrorFormatEx(c,0,"-ODD %d",1);
    test_cond("the error is counted under its code", counted("ODD") == odd+1 && counted("ERR") == err+1);
    total = server.stat_total_error_replies;
    odd = counted("ODD");
    addReplyErrorFormatEx(c,ERR_REPLY_FLAG_NO_STATS_UPDATE,"-ODD %s","quiet");
    test_cond("with ERR_REPLY_FLAG_NO_STATS_UPDATE it is not counted", server.stat_total_error_replies == total &&
              counted("ODD") == odd);
    test_cond("with that flag the command counts as failed", c->realcmd->failed_calls == failed+1);
    test_cond("two errors are two replies", replied(c,"-ERR again\r\n-ODD 1\r\n-ODD quiet\r\n"));

    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        addReplyErrorFormat(c,"error %d: %s\r\n",10+j,"and some more text");
        sdsfree(replyOf(c));
    }
    test_cond("the message is freed", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
