/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * instead: [src/acl.o]
 * tests:
 *   a command that is allowed may be executed: 'Comment: "If the selector can execute the command ACL_OK is returned".'
 *   a command that is not allowed is denied: 'Comment: "ACL_DENIED_CMD ... because the selector is not allowed to run such command".'
 *   with all commands each may be executed: 'server.h: SELECTOR_FLAG_ALLCOMMANDS, "The user can run all commands".'
 *   commands without authentication may always be executed: 'server.h: CMD_NO_AUTH; AUTH and HELLO.'
 *   a first argument that is allowed may be used: 'acl.c: allowed_firstargs, "block access to a command unless a specific argv[1] is given".'
 *   the case of a first argument does not matter: 'Arguments such as subcommands know no case.'
 *   another first argument or none is denied: 'acl.c: allowed_firstargs.'
 *   subcommands are allowed by themselves: 'Upstream documentation: "+config|get".'
 *   a key of a pattern may be accessed: 'Comment: "to access a key ... not among the specified patterns".'
 *   a key of no pattern is denied: 'Comment: "ACL_DENIED_KEY".'
 *   the position of the denied key is told: 'Argument keyidxptr; ACL LOG names the key.'
 *   all keys are looked at: 'Comment in the body: "the keys mentioned in the command arguments".'
 *   reading and writing are told apart: 'Upstream documentation: %R~ and %W~.'
 *   with all keys each may be accessed: 'server.h: SELECTOR_FLAG_ALLKEYS.'
 *   commands without keys need none: 'doesCommandHaveKeys.'
 *   a channel that is allowed may be used: 'Comment: "access a key or channel that are not among the specified patterns".'
 *   a channel that is not allowed is denied: 'Comment: "ACL_DENIED_CHANNEL".'
 *   all channels are looked at, and the denied one is told: 'Argument keyidxptr.'
 *   a pattern must be allowed literally: 'ACLCheckChannelAgainstList: "can only be matched as a literal".'
 *   unsubscribing is always allowed: 'CMD_CHANNEL_PUBLISH and CMD_CHANNEL_SUBSCRIBE alone are checked.'
 *   with all channels each may be used: 'server.h: SELECTOR_FLAG_ALLCHANNELS.'
 *   the command is checked before its keys: 'Comment: "the first in case the command cannot be executed".'
 *   the position is optional: 'Argument keyidxptr; ACLUserCheckCmdWithUnrestrictedPerms and callers.'
 *   keys are looked up once for several selectors: 'aclKeyResultCache: "To prevent duplicate calls to getKeysResult".'
 *   where no keys are needed none are looked up: 'aclKeyResultCache: keys_init.'
 *   nothing is kept: 'cleanupACLKeyResultCache frees what is cached.'
 ---*/
#include "../acl.c"
#include "start.h"
#include "../testhelp.h"

static client *c;
static int idx;
static aclKeyResultCache cache;

/* A selector with these rules, separated by blanks. */
static aclSelector *make(const char *rules) {
    aclSelector *s = ACLCreateSelector(0);
    int n = 0;
    sds *ops = sdssplitlen(rules,strlen(rules)," ",1,&n);
    for (int j = 0; j < n; j++) serverAssert(!sdslen(ops[j]) || ACLSetSelector(s,ops[j],sdslen(ops[j])) == C_OK);
    sdsfreesplitres(ops,n);
    return s;
}

static int check(aclSelector *s, const char *command) {
    int n = 0;
    sds *words = sdssplitlen(command,strlen(command)," ",1,&n);
    setArguments(c,n,(const char**)words);
    sdsfreesplitres(words,n);
    initACLKeyResultCache(&cache);
    idx = -5;
    int ret = ACLSelectorCheckCmd(s,c->cmd,c->argv,c->argc,&idx,&cache);
    cleanupACLKeyResultCache(&cache);
    return ret;
}

static int may(const char *rules, const char *command) {
    aclSelector *s = make(rules);
    int ret = check(s,command);
    ACLFreeSelector(s);
    return ret;
}

int main(void) {
    startRedis();
    c = fakeClient();
    test_cond("a command that is allowed may be executed", may("resetchannels +ping","ping") == ACL_OK &&
              may("resetchannels +@read allkeys","get k") == ACL_OK);
    test_cond("a command that is not allowed is denied", may("resetchannels +ping","echo x") == ACL_DENIED_CMD &&
              may("allkeys +@all -get","get k") == ACL_DENIED_CMD && may("allkeys allchannels","get k") == ACL_DENIED_CMD);
    test_cond("with all commands each may be executed", may("allkeys allcommands","flushall") == ACL_OK &&
              may("allkeys +@all","debug sleep 0") == ACL_OK);
    test_cond("commands without authentication may always be executed", may("resetchannels","auth x") == ACL_OK &&
              may("resetchannels -@all","hello 3") == ACL_OK);
    test_cond("a first argument that is allowed may be used", may("resetchannels -@all +select|0","select 0") == ACL_OK &&
              may("resetchannels -@all +select|0 +select|3","select 3") == ACL_OK);
    test_cond("the case of a first argument does not matter", may("resetchannels -@all +echo|word","echo WoRd") == ACL_OK);
    test_cond("another first argument or none is denied", may("resetchannels -@all +select|0","select 1") == ACL_DENIED_CMD &&
              may("resetchannels -@all +select|0","select") == ACL_DENIED_CMD &&
              may("resetchannels -@all +select|0","echo 0") == ACL_DENIED_CMD &&
              may("resetchannels -@all +select|0 +select|3","select 03") == ACL_DENIED_CMD);
    test_cond("subcommands are allowed by themselves", may("resetchannels +config|get","config get x") == ACL_OK &&
              may("resetchannels +config|get","config set x y") == ACL_DENIED_CMD &&
              may("resetchannels +config -config|set","config set x y") == ACL_DENIED_CMD);
    test_cond("a key of a pattern may be accessed", may("+@all ~a:* ~b","get a:1") == ACL_OK && may("+@all ~a:* ~b","get b") == ACL_OK);
    int denied = may("+@all ~a:*","get b");
    test_cond("a key of no pattern is denied", denied == ACL_DENIED_KEY && may("+@all","get b") == ACL_DENIED_KEY);
    denied = may("+@all ~a:*","mget a:1 b a:2");
    int second = idx == 2;
    denied = denied == ACL_DENIED_KEY && may("+@all ~a:*","set b 1") == ACL_DENIED_KEY && idx == 1;
    test_cond("the position of the denied key is told", denied && second);
    test_cond("all keys are looked at", may("+@all ~a:*","mset a:1 v a:2 v") == ACL_OK && may("+@all ~a:*","mset a:1 v b v") == ACL_DENIED_KEY &&
              idx == 3 && may("+@all ~a:*","eval x 2 a:1 z") == ACL_DENIED_KEY && idx == 4);
    test_cond("reading and writing are told apart", may("+@all %R~a","get a") == ACL_OK && may("+@all %R~a","set a 1") == ACL_DENIED_KEY &&
              may("+@all %W~a","set a 1") == ACL_OK && may("+@all %W~a","get a") == ACL_DENIED_KEY &&
              may("+@all %R~src %W~dst","copy src dst") == ACL_OK && may("+@all %R~src %R~dst","copy src dst") == ACL_DENIED_KEY && idx == 2);
    test_cond("with all keys each may be accessed", may("+@all allkeys","mget a b d") == ACL_OK && may("+@all ~*","set a 1") == ACL_OK);
    test_cond("commands without keys need none", may("+@all","ping") == ACL_OK && may("+@all","dbsize") == ACL_OK);
    test_cond("a channel that is allowed may be used", may("+@all resetchannels &news:*","publish news:1 m") == ACL_OK &&
              may("+@all resetchannels &a &b","subscribe a b") == ACL_OK && may("+@all resetchannels &s* ~s*","ssubscribe shard") == ACL_OK);
    test_cond("a channel that is not allowed is denied", may("+@all resetchannels &news:*","publish art m") == ACL_DENIED_CHANNEL &&
              idx == 1 && may("+@all resetchannels","subscribe a") == ACL_DENIED_CHANNEL);
    test_cond("all channels are looked at, and the denied one is told", may("+@all resetchannels &a &b","subscribe a b d") == ACL_DENIED_CHANNEL &&
              idx == 3 && may("+@all resetchannels &b","psubscribe b a") == ACL_DENIED_CHANNEL && idx == 2);
    test_cond("a pattern must be allowed literally", may("+@all resetchannels &foo:*","psubscribe foo:*") == ACL_OK &&
              may("+@all resetchannels &foo:*","psubscribe foo:1") == ACL_DENIED_CHANNEL &&
              may("+@all resetchannels &foo:*","subscribe foo:1") == ACL_OK);
    test_cond("unsubscribing is always allowed", may("+@all resetchannels","unsubscribe a") == ACL_OK &&
              may("+@all resetchannels","punsubscribe a*") == ACL_OK && may("+@all allkeys resetchannels","sunsubscribe a") == ACL_OK);
    test_cond("with all channels each may be used", may("+@all allchannels","publish any m") == ACL_OK &&
              may("+@all &*","psubscribe x*") == ACL_OK);
    test_cond("the command is checked before its keys", may("~a","get b") == ACL_DENIED_CMD && idx == -5 &&
              may("resetchannels","publish x m") == ACL_DENIED_CMD);
    aclSelector *a = make("+@all ~a resetchannels"), *b = make("+@all ~b ~a"), *all = make("+@all allkeys resetchannels");
    const char *words[] = {"mget","a","b"}, *pub[] = {"publish","x","m"};
    setArguments(c,3,words);
    initACLKeyResultCache(&cache);
    int ret = ACLSelectorCheckCmd(a,c->cmd,c->argv,c->argc,NULL,&cache);
    int told = ret == ACL_DENIED_KEY;
    int once = cache.keys_init == 1 && cache.keys.numkeys == 2;
    cache.keys.numkeys = 1;     /* What is cached is used. */
    ret = ACLSelectorCheckCmd(a,c->cmd,c->argv,c->argc,NULL,&cache);
    once &= ret == ACL_OK;
    cache.keys.numkeys = 2;
    ret = ACLSelectorCheckCmd(b,c->cmd,c->argv,c->argc,&idx,&cache);
    test_cond("keys are looked up once for several selectors", once && ret == ACL_OK && cache.keys_init == 1);
    cleanupACLKeyResultCache(&cache);
    setArguments(c,3,pub);
    initACLKeyResultCache(&cache);
    ret = ACLSelectorCheckCmd(a,c->cmd,c->argv,c->argc,NULL,&cache);
    test_cond("the position is optional", told && ret == ACL_DENIED_CHANNEL);
    int none = cache.keys_init == 0;
    setArguments(c,3,words);
    ret = ACLSelectorCheckCmd(all,c->cmd,c->argv,c->argc,NULL,&cache);
    test_cond("where no keys are needed none are looked up", none && ret == ACL_OK && cache.keys_init == 0);
    const char *many[600];
    many[0] = "subscribe";
    for (int j = 1; j < 600; j++) many[j] = j == 599 ? "denied" : "a";
    setArguments(c,600,many);
    aclSelector *s = make("+@all resetchannels &a"), *d = make("+@all resetchannels &*d &a");
    size_t before = 0;
    int codes = 1;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        initACLKeyResultCache(&cache);
        codes &= ACLSelectorCheckCmd(s,c->cmd,c->argv,600,NULL,&cache) == ACL_DENIED_CHANNEL;
        codes &= ACLSelectorCheckCmd(d,c->cmd,c->argv,600,NULL,&cache) == ACL_OK;
        cleanupACLKeyResultCache(&cache);
    }
    test_cond("nothing is kept", codes && zmalloc_used_memory() == before);
    test_report();
    return 0;
}
