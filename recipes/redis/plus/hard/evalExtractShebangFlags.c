/*---
 * tasks: [luaCreateFunction-73df11.4, luaCreateFunction-73df11.8, luaCreateFunction-73df11.16]
 * tests:
 *   without a shebang it is the compat mode: 'Comment: "If no shebang is found, return with success and COMPAT mode flag".'
 *   without a shebang nothing is to be trimmed: 'Comment: "The out_shebang_len arg ... can be used to trim the shebang from the script".'
 *   a shebang stands at the very beginning: 'Comment: "shebang"; upstream documentation: the first line.'
 *   a shebang alone gives no flags: 'Upstream documentation of script flags: with a shebang the default flags are none, and not the compat mode.'
 *   each flag has its bit: 'script.c: scripts_flags_def; upstream documentation of script flags.'
 *   flags are separated by commas: 'Upstream documentation: "#!lua flags=no-writes,allow-stale".'
 *   the order of flags does not matter: 'Upstream documentation of script flags.'
 *   flags may be given twice: 'Comment: flags of the shebang are extracted.'
 *   words may be separated by several blanks: 'sdssplitargs splits at blanks.'
 *   the length is that of the first line without its end: 'Caller luaCreateFunction: "we skip it but keep the line feed".'
 *   later lines do not matter: 'Upstream documentation: the shebang is the first line.'
 *   a first line without an end is an error: 'Reply: "Invalid script shebang".'
 *   a line that cannot be split is an error: 'Reply: "Invalid engine in script shebang".'
 *   another engine is an error that names it: 'Upstream''s test: "Unexpected engine in script shebang".'
 *   the engine must be written exactly so: 'Upstream''s test: "Shebang support for lua engine".'
 *   an unknown option is an error that names it: 'Upstream''s test: "Unknown lua shebang option".'
 *   an option after the flags is looked at too: 'Upstream''s test: "Unknown shebang option".'
 *   an unknown flag is an error that names it: 'Upstream''s test: "Unexpected flag in script shebang".'
 *   a part of a flag is no flag: 'Upstream documentation of script flags.'
 *   the error is optional: 'Comment: "The err arg is optional".'
 *   the length is optional: 'Comment: "The out_shebang_len arg is optional".'
 *   the script is left as it is: 'Caller luaCreateFunction compiles it then.'
 *   nothing is kept: 'Caller evalGetCommandFlags asks for each EVAL.'
 ---*/
#include "start.h"
#include "../script.h"
#include "../testhelp.h"

int evalExtractShebangFlags(sds body, uint64_t *out_flags, ssize_t *out_shebang_len, sds *err);

static uint64_t flags;
static ssize_t len;

static int fine(const char *text) {
    sds body = sdsnew(text), err = NULL;
    flags = 9999, len = 9999;
    int ok = evalExtractShebangFlags(body,&flags,&len,&err) == C_OK && err == NULL;
    sdsfree(body);
    sdsfree(err);
    return ok;
}

static int has(const char *text, uint64_t want) {
    return fine(text) && flags == want;
}

static int fails(const char *text, const char *why) {
    sds body = sdsnew(text), err = NULL;
    int bad = evalExtractShebangFlags(body,&flags,&len,&err) == C_ERR && err && !strcmp(err,why);
    if (!bad) printf("%s: %s\n",text,err ? err : "no error");
    sdsfree(body);
    sdsfree(err);
    return bad;
}

int main(void) {
    int ok = has("return 1",SCRIPT_FLAG_EVAL_COMPAT_MODE);
    test_cond("without a shebang it is the compat mode", ok && has("",SCRIPT_FLAG_EVAL_COMPAT_MODE) &&
              has("#",SCRIPT_FLAG_EVAL_COMPAT_MODE) && has("-- x\nreturn 1\n",SCRIPT_FLAG_EVAL_COMPAT_MODE));
    test_cond("without a shebang nothing is to be trimmed", fine("return 1\nreturn 2") && len == 0);
    test_cond("a shebang stands at the very beginning", has(" #!lua\nreturn 1",SCRIPT_FLAG_EVAL_COMPAT_MODE) &&
              len == 0 && has("\n#!lua flags=no-writes\n",SCRIPT_FLAG_EVAL_COMPAT_MODE) && len == 0);
    test_cond("a shebang alone gives no flags", has("#!lua\nreturn 1",0));
    test_cond("each flag has its bit", has("#!lua flags=no-writes\n",SCRIPT_FLAG_NO_WRITES) &&
              has("#!lua flags=allow-oom\n",SCRIPT_FLAG_ALLOW_OOM) &&
              has("#!lua flags=allow-stale\n",SCRIPT_FLAG_ALLOW_STALE) &&
              has("#!lua flags=no-cluster\n",SCRIPT_FLAG_NO_CLUSTER) &&
              has("#!lua flags=allow-cross-slot-keys\n",SCRIPT_FLAG_ALLOW_CROSS_SLOT));
    test_cond("flags are separated by commas",
              has("#!lua flags=no-writes,allow-oom\n",SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_OOM) &&
              has("#!lua flags=no-writes,allow-stale,no-cluster\n",
                  SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_STALE|SCRIPT_FLAG_NO_CLUSTER));
    test_cond("the order of flags does not matter",
              has("#!lua flags=allow-oom,no-writes\n",SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_OOM));
    test_cond("flags may be given twice",
              has("#!lua flags=no-writes flags=allow-oom\n",SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_OOM));
    test_cond("words may be separated by several blanks",
              has("#!lua   flags=no-writes   flags=allow-oom  \n",SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_ALLOW_OOM) &&
              len == 43);
    test_cond("the length is that of the first line without its end", fine("#!lua\nreturn 1\n") && len == 5 &&
              fine("#!lua flags=no-writes\n\n") && len == 21);
    test_cond("later lines do not matter", has("#!lua\n#!lua flags=no-writes\nflags=nonsense",0) && len == 5);
    test_cond("a first line without an end is an error", fails("#!lua","Invalid script shebang") &&
              fails("#!","Invalid script shebang") && fails("#!other flags=what","Invalid script shebang"));
    test_cond("a line that cannot be split is an error",
              fails("#!lua \"flags=no-writes\nreturn 1","Invalid engine in script shebang"));
    test_cond("another engine is an error that names it",
              fails("#!not-lua\nreturn 1","Unexpected engine in script shebang: #!not-lua") &&
              fails("#! lua\nreturn 1","Unexpected engine in script shebang: #!"));
    test_cond("the engine must be written exactly so",
              fails("#!Lua\n","Unexpected engine in script shebang: #!Lua") &&
              fails("#!lua5 flags=no-writes\n","Unexpected engine in script shebang: #!lua5") &&
              fails("#!lu\n","Unexpected engine in script shebang: #!lu"));
    test_cond("an unknown option is an error that names it",
              fails("#!lua badger=data\nreturn 1","Unknown lua shebang option: badger=data") &&
              fails("#!lua name=lib\n","Unknown lua shebang option: name=lib") &&
              fails("#!lua Flags=no-writes\n","Unknown lua shebang option: Flags=no-writes") &&
              fails("#!lua flags\n","Unknown lua shebang option: flags"));
    test_cond("an option after the flags is looked at too",
              fails("#!lua flags=no-writes badger\n","Unknown lua shebang option: badger"));
    test_cond("an unknown flag is an error that names it",
              fails("#!lua flags=what?\nreturn 1","Unexpected flag in script shebang: what?") &&
              fails("#!lua flags=allow-oom,what?,no-writes\n","Unexpected flag in script shebang: what?"));
    test_cond("a part of a flag is no flag",
              fails("#!lua flags=no-write\n","Unexpected flag in script shebang: no-write") &&
              fails("#!lua flags=no-writes2\n","Unexpected flag in script shebang: no-writes2") &&
              fails("#!lua flags=NO-WRITES\n","Unexpected flag in script shebang: NO-WRITES"));
    const char *bad[] = {"#!lua","#!lua \"x\n","#!no\n","#!lua x\n","#!lua flags=x\n"};
    int errors = 0;
    for (int j = 0; j < 5; j++) {
        sds body = sdsnew(bad[j]);
        errors += evalExtractShebangFlags(body,&flags,NULL,NULL) == C_ERR;
        sdsfree(body);
    }
    test_cond("the error is optional", errors == 5);
    sds body = sdsnew("#!lua flags=allow-oom\nreturn 1"), err = NULL;
    ok = evalExtractShebangFlags(body,&flags,NULL,NULL) == C_OK && flags == SCRIPT_FLAG_ALLOW_OOM;
    test_cond("the length is optional", ok && evalExtractShebangFlags(body,&flags,NULL,&err) == C_OK && !err);
    test_cond("the script is left as it is", !strcmp(body,"#!lua flags=allow-oom\nreturn 1") && sdslen(body) == 30);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        evalExtractShebangFlags(body,&flags,&len,&err);
        fine("return 1");
        fine("#!lua flags=no-writes,allow-oom flags=allow-stale\n");
        fails("#!lua","Invalid script shebang");
        fails("#!lua \"x\n","Invalid engine in script shebang");
        fails("#!not-lua flags=x\n","Unexpected engine in script shebang: #!not-lua");
        fails("#!lua flags=no-writes badger\n","Unknown lua shebang option: badger");
        fails("#!lua flags=allow-oom,what?,no-writes x\n","Unexpected flag in script shebang: what?");
        for (int k = 0; k < 5; k++) {
            sds b = sdsnew(bad[k]);
            evalExtractShebangFlags(b,&flags,NULL,NULL);
            sdsfree(b);
        }
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
