/*---
 * tasks: [luaLdbLineHook-610b87.8]
 * instead: [src/eval.o]
 * tests:
 *   logs are sent as an array of simple strings: 'Comment: "Send ldb.logs to the debugging client as a multi-bulk reply consisting of simple strings".'
 *   they keep their order: 'Comment: ldb.logs is a list; the client shows it.'
 *   several logs are several strings: 'Comment: "a multi-bulk reply".'
 *   newlines are replaced by spaces: 'Comment: "Log entries which include newlines have them replaced with spaces".'
 *   the logs are consumed: 'Comment: "The entries sent are also consumed".'
 *   a second call sends nothing of the first: 'Comment: "The entries sent are also consumed".'
 *   without logs it is an empty array: 'Comment: "a multi-bulk reply"; the client waits for one for each command.'
 *   an empty log is an empty string: 'Comment: "simple strings"; help has such lines.'
 *   bytes of any value are sent: 'Logs are sds.'
 *   long logs are sent as a whole: 'ldbLogWithMaxLen trims what is too long; maxlen 0 is no limit.'
 *   a client that is gone does no harm: 'Comment in the body: "the next read() will catch the I/O error".'
 *   with a client that is gone the logs are consumed too: 'Comment: "The entries sent are also consumed".'
 *   nothing is kept: 'Sessions may be long.'
 ---*/
#include "debugger.h"

static int gives(const char *text) {
    ldbSendLogs();
    sds s = heard();
    int same = !strcmp(s,text);
    if (!same) printf("heard <%s>\n",s);
    sdsfree(s);
    return same;
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(20);
    signal(SIGPIPE,SIG_IGN);
    debugScript("return 1");
    ldbLog(sdsnew("<value> 1"));
    test_cond("logs are sent as an array of simple strings", gives("*1\r\n+<value> 1\r\n"));
    test_cond("the logs are consumed", listLength(ldb.logs) == 0);
    test_cond("without logs it is an empty array", gives("*0\r\n"));
    ldbLog(sdsnew("first")), ldbLog(sdsnew("second")), ldbLog(sdsnew("third"));
    ldbSendLogs();
    sds s = heard();
    test_cond("several logs are several strings", !strncmp(s,"*3\r\n",4) && sdslen(s) == 4+8+9+8);
    test_cond("they keep their order", !strcmp(s,"*3\r\n+first\r\n+second\r\n+third\r\n"));
    ldbLog(sdsnew("fourth"));
    test_cond("a second call sends nothing of the first", gives("*1\r\n+fourth\r\n"));
    ldbLog(sdsnew("a\nb\r\nc\r")), ldbLog(sdsnew("\n"));
    test_cond("newlines are replaced by spaces", gives("*2\r\n+a b  c \r\n+ \r\n"));
    ldbLog(sdsempty()), ldbLog(sdsnew("x"));
    test_cond("an empty log is an empty string", gives("*2\r\n+\r\n+x\r\n"));
    ldbLog(sdsnewlen("a\0b\xff",4));
    ldbSendLogs();
    s = heard();
    test_cond("bytes of any value are sent", sdslen(s) == 11 && !memcmp(s,"*1\r\n+a\0b\xff\r\n",11));
    sds large = sdsnewlen(NULL,60000);
    memset(large,'l',60000);
    ldbLog(sdsdup(large)), ldbLog(sdsnew("end"));
    ldbSendLogs();
    s = heard();
    test_cond("long logs are sent as a whole", sdslen(s) == 4+60003+6 && !memcmp(s+5,large,60000) &&
              !strcmp(s+sdslen(s)-6,"+end\r\n"));
    size_t before = 0;
    for (int j = 0; j < 30; j++) {
        if (j == 10) before = zmalloc_used_memory();
        ldbLog(sdsnew("a\nb")), ldbLog(sdsnew("more"));
        ldbSendLogs();
        sdsfree(heard());
        ldbSendLogs();
        sdsfree(heard());
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    close(debugger_fds[1]);
    ldbLog(sdsnew("lost")), ldbLog(sdsnew("lost too"));
    ldbSendLogs();
    test_cond("a client that is gone does no harm", 1);
    test_cond("with a client that is gone the logs are consumed too", listLength(ldb.logs) == 0);
    test_report();
    return 0;
}
