/*---
 * tasks: [pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * instead: [src/functions.o]
 * tests:
 *   a function without flags has an empty set: 'commands/function-list: "flags: an array of function flags".'
 *   each flag is told by its name: 'script.c: scripts_flags_def; commands/function-list.'
 *   several flags are all told: 'commands/function-list: "an array of function flags".'
 *   the set has the number of flags: 'Comment in the body: "First count the number of flags we have".'
 *   a flag is a simple string: 'commands/function-list and upstream''s replies: status replies.'
 *   a flag without a name is not told: 'script.c: scripts_flags_def has no name for the compat mode.'
 *   in RESP3 it is a set: 'networking.c: addReplySetLen.'
 *   another reply before stays before it: 'Caller functionListCommand replies the name of the flags first.'
 *   the function is left as it is: 'Name: it replies.'
 *   nothing is kept: 'Clients may ask again and again.'
 ---*/
#include "../functions.c"
#include "start.h"
#include "../testhelp.h"

static client *c;

static sds flags(uint64_t f) {
    functionInfo fi = {.name = "f", .f_flags = f};
    functionListReplyFlags(c,&fi);
    if (fi.f_flags != f) addReplyError(c,"flags changed");
    return replyOf(c);
}

int main(void) {
    startRedis();
    c = fakeClient();
    test_cond("a function without flags has an empty set", !strcmp(flags(0),"*0\r\n"));
    test_cond("each flag is told by its name", !strcmp(flags(SCRIPT_FLAG_NO_WRITES),"*1\r\n+no-writes\r\n") &&
              !strcmp(flags(SCRIPT_FLAG_ALLOW_OOM),"*1\r\n+allow-oom\r\n") &&
              !strcmp(flags(SCRIPT_FLAG_ALLOW_STALE),"*1\r\n+allow-stale\r\n") &&
              !strcmp(flags(SCRIPT_FLAG_NO_CLUSTER),"*1\r\n+no-cluster\r\n") &&
              !strcmp(flags(SCRIPT_FLAG_ALLOW_CROSS_SLOT),"*1\r\n+allow-cross-slot-keys\r\n"));
    test_cond("a flag is a simple string", flags(SCRIPT_FLAG_NO_WRITES)[4] == '+');
    sds s = flags(SCRIPT_FLAG_NO_WRITES|SCRIPT_FLAG_NO_CLUSTER|SCRIPT_FLAG_ALLOW_CROSS_SLOT);
    test_cond("several flags are all told", strstr(s,"\n+no-writes\r\n") && strstr(s,"\n+no-cluster\r\n") &&
              strstr(s,"\n+allow-cross-slot-keys\r\n") && !strstr(s,"allow-oom") && !strstr(s,"allow-stale"));
    test_cond("the set has the number of flags", !strncmp(s,"*3\r\n",4) && !strncmp(flags(~0ULL),"*5\r\n",4));
    test_cond("a flag without a name is not told", !strcmp(flags(SCRIPT_FLAG_EVAL_COMPAT_MODE),"*0\r\n") &&
              !strcmp(flags(SCRIPT_FLAG_EVAL_COMPAT_MODE|SCRIPT_FLAG_ALLOW_OOM),"*1\r\n+allow-oom\r\n"));
    c->resp = 3;
    test_cond("in RESP3 it is a set", !strcmp(flags(SCRIPT_FLAG_ALLOW_OOM),"~1\r\n+allow-oom\r\n") &&
              !strcmp(flags(0),"~0\r\n"));
    c->resp = 2;
    addReplyBulkCString(c,"flags");
    test_cond("another reply before stays before it", !strcmp(flags(SCRIPT_FLAG_ALLOW_OOM),"$5\r\nflags\r\n*1\r\n+allow-oom\r\n"));
    functionInfo fi = {.name = sdsnew("name"), .f_flags = SCRIPT_FLAG_ALLOW_OOM};
    functionListReplyFlags(c,&fi);
    sdsfree(replyOf(c));
    test_cond("the function is left as it is", fi.f_flags == SCRIPT_FLAG_ALLOW_OOM && !strcmp(fi.name,"name"));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) sdsfree(flags(j)), sdsfree(flags(~0ULL));
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
