/*---
 * tasks: [pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * tests:
 *   without libraries it is an empty array: 'Comment: "Return general information about all the libraries".'
 *   a library is told by name, engine and functions: 'Comment: "Library name", "The engine used to run the Library", "Functions list".'
 *   a function is told by name, description and flags: 'commands/function-list: "name, description, flags".'
 *   a function without a description has none: 'commands/function-list: description may be null.'
 *   all functions of a library are told: 'Comment: "Functions list".'
 *   all libraries are told: 'Comment: "about all the libraries".'
 *   WITHCODE tells the whole code: 'Comment: "Library code (if WITHCODE is given)".'
 *   without WITHCODE there is no code: 'Comment: "(if WITHCODE is given)".'
 *   LIBRARYNAME gives the library of that name: 'Comment: "return only libraries that matches the given pattern".'
 *   LIBRARYNAME takes a pattern: 'Comment: "library name pattern".'
 *   LIBRARYNAME does not mind case: 'Body and upstream: patterns of FUNCTION LIST are matched without case.'
 *   nothing that matches is an empty array: 'Comment: "return only libraries that matches the given pattern".'
 *   the options may stand in any order and case: 'commands/function-list; upstream''s test: "FUNCTION - test function list with code".'
 *   LIBRARYNAME without a name is an error: 'Upstream''s test: "library name argument was not given".'
 *   an unknown argument is an error that names it: 'Upstream''s test: "Unknown argument bad_argument".'
 *   an option twice is an error: 'Upstream''s tests: "FUNCTION - test function list withcode multiple times", "libraryname multiple times".'
 *   after an error there is nothing else: 'networking.c: one reply a command.'
 *   in RESP3 there are maps, sets and nulls: 'networking.c: addReplyMapLen, addReplySetLen, addReplyNull.'
 *   the libraries stay: 'Comment: it only lists.'
 *   nothing is kept: 'Clients may ask again and again.'
 ---*/
#include "start.h"
#include "../functions.h"
#include "../testhelp.h"

void functionListCommand(client *c);

static client *c;

static sds list_(int argc, const char *a, const char *b, const char *d, const char *e) {
    const char *words[] = {"function","list",a,b,d,e};
    setArguments(c,2+argc,words);
    functionListCommand(c);
    return replyOf(c);
}

static void load(const char *code) {
    sds text = sdsnew(code), err = NULL;
    sds name = functionsCreateWithLibraryCtx(text,0,&err,functionsLibCtxGetCurrent(),0);
    if (!name) printf("%s: %s\n",code,err);
    sdsfree(text);
    sdsfree(name);
}

static int times(const char *text, const char *part) {
    int n = 0;
    while ((text = strstr(text,part)) != NULL) n++, text++;
    return n;
}

#define CODE "#!lua name=one\nredis.register_function{function_name='f', callback=function() return 1 end, description='some text', flags={'no-writes'}}"
#define ONE "$12\r\nlibrary_name\r\n$3\r\none\r\n$6\r\nengine\r\n$3\r\nLUA\r\n$9\r\nfunctions\r\n*1\r\n"
#define F "$4\r\nname\r\n$1\r\nf\r\n$11\r\ndescription\r\n$9\r\nsome text\r\n$5\r\nflags\r\n"

int main(void) {
    startRedis();
    c = fakeClient();
    sds s = list_(0,NULL,NULL,NULL,NULL), t = list_(2,"libraryname","*",NULL,NULL);
    test_cond("without libraries it is an empty array", !strcmp(s,"*0\r\n") && !strcmp(t,"*0\r\n"));
    load(CODE);
    s = list_(0,NULL,NULL,NULL,NULL);
    test_cond("a library is told by name, engine and functions", !strncmp(s,"*1\r\n*6\r\n" ONE,8+strlen(ONE)));
    test_cond("a function is told by name, description and flags", !strcmp(s,"*1\r\n*6\r\n" ONE "*6\r\n" F "*1\r\n+no-writes\r\n"));
    test_cond("without WITHCODE there is no code", !strstr(s,"library_code"));
    s = list_(1,"WITHCODE",NULL,NULL,NULL);
    sds code = sdscatprintf(sdsempty(),"$12\r\nlibrary_code\r\n$%zu\r\n%s\r\n",strlen(CODE),CODE);
    test_cond("WITHCODE tells the whole code", !strncmp(s,"*1\r\n*8\r\n" ONE,8+strlen(ONE)) && strstr(s,code) &&
              !strcmp(s+sdslen(s)-sdslen(code),code));
    c->resp = 3;
    s = list_(0,NULL,NULL,NULL,NULL);
    load("#!lua name=two\nredis.register_function('g', function() return 1 end)\nredis.register_function('h', function() return 1 end)");
    t = list_(2,"libraryname","two",NULL,NULL);
    test_cond("in RESP3 there are maps, sets and nulls", !strcmp(s,"*1\r\n%3\r\n" ONE "%3\r\n" F "~1\r\n+no-writes\r\n") &&
              !strncmp(t,"*1\r\n%3\r\n",8) && strstr(t,"description\r\n_\r\n$5\r\nflags\r\n~0\r\n"));
    c->resp = 2;
    s = list_(2,"libraryname","two",NULL,NULL);
    test_cond("a function without a description has none", strstr(s,"description\r\n$-1\r\n$5\r\nflags\r\n*0\r\n"));
    test_cond("all functions of a library are told", strstr(s,"functions\r\n*2\r\n*6\r\n") && strstr(s,"name\r\n$1\r\ng\r\n") &&
              strstr(s,"name\r\n$1\r\nh\r\n") && times(s,"description") == 2);
    load("#!LUA name=twofold\nredis.register_function('i', function() return 1 end)");
    s = list_(0,NULL,NULL,NULL,NULL);
    test_cond("all libraries are told", !strncmp(s,"*3\r\n*6\r\n",8) && times(s,"library_name") == 3 &&
              strstr(s,"$3\r\none\r\n") && strstr(s,"$3\r\ntwo\r\n") && strstr(s,"$7\r\ntwofold\r\n"));
    s = list_(2,"LIBRARYNAME","two",NULL,NULL);
    t = list_(2,"libraryname","one",NULL,NULL);
    test_cond("LIBRARYNAME gives the library of that name", !strncmp(s,"*1\r\n",4) && strstr(s,"$3\r\ntwo\r\n") &&
              times(s,"library_name") == 1 && !strncmp(t,"*1\r\n",4) && strstr(t,"$3\r\none\r\n"));
    s = list_(2,"libraryname","two*",NULL,NULL);
    t = list_(2,"libraryname","?[nw]?",NULL,NULL);
    test_cond("LIBRARYNAME takes a pattern", !strncmp(s,"*2\r\n",4) && times(s,"library_name") == 2 && !strstr(s,"one") &&
              !strncmp(t,"*2\r\n",4) && !strstr(t,"twofold"));
    s = list_(2,"libraryname","TWO",NULL,NULL);
    test_cond("LIBRARYNAME does not mind case", !strncmp(s,"*1\r\n",4) && strstr(s,"$3\r\ntwo\r\n"));
    s = list_(2,"libraryname","three*",NULL,NULL);
    test_cond("nothing that matches is an empty array", !strcmp(s,"*0\r\n"));
    s = list_(3,"WithCode","LibraryName","one",NULL);
    t = list_(3,"libraryname","one","withcode",NULL);
    sds u = list_(2,"libraryname","withcode",NULL,NULL);
    test_cond("the options may stand in any order and case", !strcmp(s,t) && !strncmp(s,"*1\r\n*8\r\n",8) && strstr(s,code) &&
              !strcmp(u,"*0\r\n"));
    s = list_(1,"libraryname",NULL,NULL,NULL);
    t = list_(2,"withcode","libraryname",NULL,NULL);
    test_cond("LIBRARYNAME without a name is an error", !strcmp(s,"-ERR library name argument was not given\r\n") &&
              !strcmp(t,"-ERR library name argument was not given\r\n"));
    s = list_(1,"bad_argument",NULL,NULL,NULL);
    t = list_(3,"libraryname","one","more",NULL);
    test_cond("an unknown argument is an error that names it", !strcmp(s,"-ERR Unknown argument bad_argument\r\n") &&
              !strcmp(t,"-ERR Unknown argument more\r\n"));
    s = list_(2,"withcode","withcode",NULL,NULL);
    t = list_(4,"libraryname","one","libraryname","two");
    test_cond("an option twice is an error", !strcmp(s,"-ERR Unknown argument withcode\r\n") &&
              !strcmp(t,"-ERR Unknown argument libraryname\r\n"));
    test_cond("after an error there is nothing else", c->bufpos == 0 && listLength(c->reply) == 0);
    test_cond("the libraries stay", functionsLibNum() == 3 && functionsNum() == 4);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        sdsfree(list_(1,"withcode",NULL,NULL,NULL)), sdsfree(list_(2,"libraryname","two*",NULL,NULL));
        sdsfree(list_(2,"libraryname","x",NULL,NULL)), sdsfree(list_(1,"bad_argument",NULL,NULL,NULL));
        sdsfree(list_(1,"libraryname",NULL,NULL,NULL)), setArguments(c,1,(const char*[]){"ping"});
        if (j == 5) before = zmalloc_used_memory();
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
