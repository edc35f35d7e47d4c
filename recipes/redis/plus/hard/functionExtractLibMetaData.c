/*---
 * tasks: [luaEngineCreate-b05c07.4]
 * instead: [src/functions.o]
 * tests:
 *   the engine is what follows the shebang: 'commands/function-load: "#!<engine name> name=<library name>".'
 *   the name is taken: 'commands/function-load: "#!<engine name> name=<library name>".'
 *   the code begins with the end of the first line: 'Caller functionsCreateWithLibraryCtx compiles it; lines of errors count the first.'
 *   code of any bytes is taken as a whole: 'Signature: payload is an sds.'
 *   the code may be empty: 'Payload with a first line alone; the caller says that no functions are registered.'
 *   the word name may be written in any case: 'functions.c: engines are found whatever their case; strncasecmp.'
 *   words may be separated by several blanks: 'sdssplitargs splits at blanks.'
 *   later lines do not matter: 'commands/function-load: the payload must start with the shebang.'
 *   success leaves no error: 'Caller functionsCreateWithLibraryCtx uses err later.'
 *   without a shebang it is an error: 'Upstream''s test: "Missing library metadata".'
 *   a first line without an end is an error: 'Upstream''s test: "Invalid library metadata".'
 *   a line that cannot be split is an error: 'Reply: "Invalid library metadata".'
 *   without a name it is an error: 'Upstream''s test: "Library name was not given".'
 *   a second name is an error: 'Upstream''s test: "Invalid metadata value, name argument was given multiple times".'
 *   an unknown word is an error that names it: 'Upstream''s test: "Invalid metadata value given: foo=bar".'
 *   an unknown word behind the name is an error: 'Upstream''s test: "Invalid metadata value given".'
 *   after an error nothing is given out: 'Caller returns NULL without freeing it.'
 *   the payload is left as it is: 'It is kept as the code of the library.'
 *   nothing is kept: 'functionFreeLibMetaData frees the rest.'
 ---*/
#include "../functions.c"
#include "start.h"
#include "../testhelp.h"

static functionsLibMataData md;
static sds err;

static void clean(void) {
    functionFreeLibMetaData(&md);
    memset(&md,0,sizeof(md));
    sdsfree(err);
    err = NULL;
}

static int extract(const char *text, size_t len) {
    clean();
    sds payload = sdsnewlen(text,len);
    int ret = functionExtractLibMetaData(payload,&md,&err);
    sdsfree(payload);
    return ret;
}

static int gives(const char *text, const char *engine, const char *name, const char *code) {
    int ret = extract(text,strlen(text));
    return ret == C_OK && !strcmp(md.engine,engine) && sdslen(md.engine) == strlen(engine) && !strcmp(md.name,name) &&
           sdslen(md.name) == strlen(name) && !strcmp(md.code,code) && sdslen(md.code) == strlen(code);
}

static int empty = 1;
static int fails(const char *text, const char *why) {
    int bad = extract(text,strlen(text)) == C_ERR && err && !strcmp(err,why);
    if (md.name || md.engine || md.code) {
        empty = 0;
        memset(&md,0,sizeof(md));
    }
    if (!bad) printf("%s: %s\n",text,err ? err : "no error");
    return bad;
}

int main(void) {
    startRedis();
    test_cond("the engine is what follows the shebang", gives("#!lua name=lib\ncode","lua","lib","\ncode") &&
              gives("#!LUA name=lib\ncode","LUA","lib","\ncode") && gives("#!js8 name=lib\ncode","js8","lib","\ncode"));
    test_cond("the name is taken", gives("#!lua name=my_Lib2\ncode","lua","my_Lib2","\ncode") &&
              gives("#!lua name=name=x\n","lua","name=x","\n"));
    test_cond("success leaves no error", err == NULL);
    test_cond("the code begins with the end of the first line", gives("#!lua name=lib\n\nline\nend\n","lua","lib","\n\nline\nend\n"));
    int ok = extract("#!lua name=lib\na\0b\n",19) == C_OK;
    test_cond("code of any bytes is taken as a whole", ok && sdslen(md.code) == 5 && !memcmp(md.code,"\na\0b\n",5));
    test_cond("the code may be empty", gives("#!lua name=lib\n","lua","lib","\n"));
    test_cond("the word name may be written in any case", gives("#!lua NAME=lib\nc","lua","lib","\nc") &&
              gives("#!lua Name=Lib\nc","lua","Lib","\nc"));
    test_cond("words may be separated by several blanks", gives("#!lua    name=lib   \nc","lua","lib","\nc"));
    test_cond("later lines do not matter", gives("#!lua name=lib\n#!other name=two foo=bar\n","lua","lib","\n#!other name=two foo=bar\n"));
    test_cond("without a shebang it is an error", fails("return 1\n","Missing library metadata") &&
              fails("","Missing library metadata") && fails(" #!lua name=lib\n","Missing library metadata") &&
              fails("#lua name=lib\n","Missing library metadata"));
    test_cond("a first line without an end is an error", fails("#!lua name=lib","Invalid library metadata") &&
              fails("#!","Invalid library metadata"));
    test_cond("a line that cannot be split is an error", fails("#!lua name=\"lib\ncode\"","Invalid library metadata"));
    test_cond("without a name it is an error", fails("#!lua\ncode","Library name was not given"));
    test_cond("a second name is an error",
              fails("#!lua name=lib name=lib\n","Invalid metadata value, name argument was given multiple times") &&
              fails("#!lua name=a NAME=b\n","Invalid metadata value, name argument was given multiple times"));
    test_cond("an unknown word is an error that names it", fails("#!lua foo=bar\n","Invalid metadata value given: foo=bar") &&
              fails("#!lua name\n","Invalid metadata value given: name") &&
              fails("#!lua names=x\n","Invalid metadata value given: names=x"));
    test_cond("an unknown word behind the name is an error",
              fails("#!lua name=lib foo=bar\ncode","Invalid metadata value given: foo=bar"));
    test_cond("after an error nothing is given out", empty);
    sds payload = sdsnew("#!lua name=lib\ncode");
    clean();
    ok = functionExtractLibMetaData(payload,&md,&err) == C_OK;
    test_cond("the payload is left as it is", ok && !strcmp(payload,"#!lua name=lib\ncode") && sdslen(payload) == 19);
    clean();
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        extract("#!lua name=lib\ncode",19);
        fails("return 1\n","Missing library metadata");
        fails("#!lua name=lib","Invalid library metadata");
        fails("#!lua name=\"lib\ncode\"","Invalid library metadata");
        fails("#!lua\ncode","Library name was not given");
        fails("#!lua name=lib name=lib\n","Invalid metadata value, name argument was given multiple times");
        fails("#!lua name=lib foo=bar\ncode","Invalid metadata value given: foo=bar");
        fails("#!lua foo=bar\ncode","Invalid metadata value given: foo=bar");
    }
    clean();
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
