/*---
 * tasks: [luaLdbLineHook-610b87.4, luaLdbLineHook-610b87.8]
 * instead: [src/eval.o]
 * tests:
 *   a command is given as its words: 'Comment: "On success the command is parsed and returned as an array of SDS strings".'
 *   the number of words is told: 'Signature: argcp; caller ldbRepl frees the words with it.'
 *   words may hold any bytes: 'Comment: "an array of SDS strings"; a bulk has its length.'
 *   an empty buffer gives NULL without an error: 'Comment: "otherwise NULL is returned and there is to read more buffer".'
 *   any beginning of a command gives NULL without an error: 'Comment: "otherwise NULL is returned and there is to read more buffer".'
 *   when the rest has come the command is given: 'Caller ldbRepl reads more and asks again.'
 *   the buffer is left as it is: 'Comment in the body: "Working on a copy is simpler"; caller ldbRepl flushes it.'
 *   what is no command at all is an error: 'Caller ldbRepl: "if (err)"; upstream: protocol error.'
 *   a count of 0 or less is an error: 'Comment: "Expect a valid multi-bulk command".'
 *   more than 1024 words are an error: 'Comment: "Expect a valid multi-bulk command"; 1024 is the limit of words and of their length.'
 *   1024 words are a command: 'The limit is 1024.'
 *   a word without its length is an error: 'Comment: "Expect a valid multi-bulk command".'
 *   an empty word or a negative length is an error: 'Comment: "Expect a valid multi-bulk command".'
 *   a word of more than 1024 bytes is an error: 'The limit is 1024.'
 *   a word of 1024 bytes is a word: 'The limit is 1024.'
 *   a word that is longer than its length is an error: 'Protocol: each bulk ends with CR LF.'
 *   the second word is looked at as the first: 'Comment: "Expect a valid multi-bulk command".'
 *   the error is told by a text: 'Caller ldbRepl: luaPushError(lua, err).'
 *   without an error the text stays NULL: 'Caller ldbRepl: "if (err)".'
 *   nothing is kept: 'Caller ldbRepl asks again and again.'
 ---*/
#include "debugger.h"

static int argc;
static char *err;

static sds *parse(const char *bytes, size_t len) {
    sdsfree(ldb.cbuf);
    ldb.cbuf = sdsnewlen(bytes,len);
    argc = -7;
    err = NULL;
    return ldbReplParseCommand(&argc,&err);
}

static int wrong(const char *text) {
    sds *argv = parse(text,strlen(text));
    return argv == NULL && err != NULL && strlen(err) > 0;
}

static int more(const char *bytes, size_t len) {
    return parse(bytes,len) == NULL && err == NULL;
}

/* A command of so many words of that length. */
static sds big(int count, int len) {
    sds s = sdscatprintf(sdsempty(),"*%d\r\n",count), word = sdsnewlen(NULL,len);
    memset(word,'w',len);
    for (int j = 0; j < count; j++) s = sdscatprintf(s,"$%d\r\n%s\r\n",len,word);
    sdsfree(word);
    return s;
}

int main(void) {
    startRedis();
    const char *list = "*3\r\n$4\r\nlist\r\n$2\r\n10\r\n$1\r\n3\r\n";
    sds *argv = parse(list,strlen(list));
    test_cond("a command is given as its words", argv && !strcmp(argv[0],"list") && !strcmp(argv[1],"10") &&
              !strcmp(argv[2],"3") && sdslen(argv[0]) == 4 && sdslen(argv[2]) == 1);
    test_cond("the number of words is told", argc == 3);
    test_cond("without an error the text stays NULL", err == NULL);
    test_cond("the buffer is left as it is", sdslen(ldb.cbuf) == strlen(list) && !strcmp(ldb.cbuf,list));
    argv = parse("*2\r\n$5\r\na\0b\r\n\r\n$3\r\n\0*$\r\n",26);
    test_cond("words may hold any bytes", argv && argc == 2 && sdslen(argv[0]) == 5 && !memcmp(argv[0],"a\0b\r\n",5) &&
              sdslen(argv[1]) == 3 && !memcmp(argv[1],"\0*$",3));
    test_cond("an empty buffer gives NULL without an error", more("",0));
    int n = 0;
    for (size_t j = 1; j < strlen(list); j++) n += more(list,j);
    test_cond("any beginning of a command gives NULL without an error", n == (int)strlen(list)-1);
    more(list,13);
    ldb.cbuf = sdscat(ldb.cbuf,list+13);
    err = NULL;
    argv = ldbReplParseCommand(&argc,&err);
    test_cond("when the rest has come the command is given", argv && argc == 3 && !strcmp(argv[1],"10") && !err);
    test_cond("what is no command at all is an error", wrong("list\r\n") && wrong("$4\r\nlist\r\n"));
    test_cond("the error is told by a text", !strcmp(err,"protocol error"));
    test_cond("a count of 0 or less is an error", wrong("*0\r\n") && wrong("*-1\r\n") && wrong("*x\r\n$1\r\na\r\n"));
    sds s = big(1025,1);
    int over = wrong(s);
    s = big(1024,1);
    argv = parse(s,sdslen(s));
    test_cond("1024 words are a command", argv && argc == 1024 && !strcmp(argv[1023],"w"));
    test_cond("more than 1024 words are an error", over && wrong("*1000000\r\n$1\r\na\r\n"));
    test_cond("a word without its length is an error", wrong("*1\r\nlist\r\n") && wrong("*1\r\n:4\r\nlist\r\n"));
    test_cond("an empty word or a negative length is an error", wrong("*1\r\n$0\r\n\r\n") && wrong("*1\r\n$-1\r\n"));
    s = big(1,1025);
    over = wrong(s);
    s = big(1,1024);
    argv = parse(s,sdslen(s));
    test_cond("a word of 1024 bytes is a word", argv && argc == 1 && sdslen(argv[0]) == 1024);
    test_cond("a word of more than 1024 bytes is an error", over && wrong("*1\r\n$100000\r\nabc"));
    test_cond("a word that is longer than its length is an error", wrong("*1\r\n$3\r\nlist\r\n") &&
              wrong("*2\r\n$3\r\nlist\r\n$1\r\n1\r\n"));
    test_cond("the second word is looked at as the first", wrong("*2\r\n$4\r\nlist\r\n:1\r\n1\r\n") &&
              wrong("*2\r\n$4\r\nlist\r\n$0\r\n\r\n") && more("*2\r\n$4\r\nlist\r\n",14));
    sdsfree(ldb.cbuf);
    ldb.cbuf = sdsempty();
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        argv = parse(list,strlen(list));
        sdsfreesplitres(argv,argc);
        for (size_t k = 0; k < strlen(list); k += 3) more(list,k);
        wrong("list\r\n"), wrong("*0\r\n"), wrong("*1\r\nlist\r\n"), wrong("*2\r\n$4\r\nlist\r\n:1\r\n1\r\n");
        wrong("*2\r\n$4\r\nlist\r\n$0\r\n\r\n"), wrong("*2\r\n$1\r\na\r\n$3\r\nlist\r\n");
    }
    sdsfree(ldb.cbuf);
    ldb.cbuf = sdsempty();
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
