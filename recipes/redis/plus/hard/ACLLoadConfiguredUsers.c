/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * tests:
 *   without users it succeeds: 'Comment: "On loading errors it will log an error and return C_ERR, otherwise C_OK".'
 *   the users are created: 'Comment: "load the configured users".'
 *   each has its rules: 'The body: "Load every rule defined for this user".'
 *   rules are applied in their order: 'ACL SETUSER: from left to right.'
 *   a user without rules is created: 'ACLAppendUserForLoading: "user <username> ... ACL rules".'
 *   a disabled user is no error: 'The body: "warn about it without returning any error to the caller".'
 *   selectors are loaded: 'ACLAppendUserForLoading keeps them as one rule.'
 *   the default user is set anew: 'The body: "Only valid duplicate user is the default one"; reset.'
 *   it remains the same user: 'acl.c: DefaultUser is referenced in different places.'
 *   a name with spaces is an error: '"Spaces not allowed in ACL usernames".'
 *   a wrong rule is an error: 'Comment: "On loading errors it will log an error and return C_ERR".'
 *   a command that is not known is an error: 'ACLAppendUserForLoading: "in that case, the error will be emitted later".'
 *   other users stay: 'Comment: it loads.'
 *   the list stays: 'ACLLoadUsersAtStartup; CONFIG REWRITE reads the users themselves.'
 ---*/
#include "start.h"
#include "../testhelp.h"

extern list *UsersToLoad;

/* Puts a user into the list: the name and the rules, parted by |. */
static void configured(const char *text) {
    int n;
    sds *parts = sdssplitlen(text,strlen(text),"|",1,&n), *copy = zmalloc(sizeof(sds)*(n+1));
    for (int j = 0; j < n; j++) copy[j] = parts[j];
    copy[n] = NULL;
    listAddNodeTail(UsersToLoad,copy);
}

static user *named(const char *name) {
    return ACLGetUserByName(name,strlen(name));
}

static int may(user *u, const char *command, const char *key) {
    robj *argv[] = {createStringObject(command,strlen(command)),createStringObject(key,strlen(key)),createStringObject("v",1)};
    int at;
    struct redisCommand *cmd = lookupCommand(argv,1);
    return u && cmd && ACLCheckAllUserCommandPerm(u,cmd,argv,cmd->arity == 3 || cmd->arity == -3 ? 3 : 2,&at) == ACL_OK;
}

static int load(const char *text) {
    listEmpty(UsersToLoad);
    if (text) configured(text);
    return ACLLoadConfiguredUsers();
}

int main(void) {
    startRedis();
    test_cond("without users it succeeds", load(NULL) == C_OK && named("default"));
    configured("alice|on|+get|~a*|>pw");
    configured("bob|on|+@all|-get|~*");
    configured("carol");
    configured("dave|off|+get");
    configured("erin|on|(+get ~x*)|+set|~y*");
    int ok = ACLLoadConfiguredUsers();
    user *alice = named("alice"), *bob = named("bob"), *carol = named("carol"), *dave = named("dave"), *erin = named("erin");
    test_cond("the users are created", ok == C_OK && alice && bob && dave && erin);
    test_cond("each has its rules", may(alice,"get","a1") && !may(alice,"get","b1") && !may(alice,"set","a1") &&
              alice && listLength(alice->passwords) == 1 && (alice->flags & USER_FLAG_ENABLED));
    test_cond("rules are applied in their order", may(bob,"set","x") && !may(bob,"get","x"));
    test_cond("a user without rules is created", carol && (carol->flags & USER_FLAG_DISABLED) && !may(carol,"get","a"));
    test_cond("a disabled user is no error", ok == C_OK && dave && (dave->flags & USER_FLAG_DISABLED));
    test_cond("selectors are loaded", may(erin,"get","x1") && may(erin,"set","y1") && !may(erin,"get","y1"));
    test_cond("the list stays", listLength(UsersToLoad) == 5);
    user *def = named("default");
    int open = may(def,"set","any") && (def->flags & USER_FLAG_NOPASS);
    ok = load("default|on|+get|~d*|>secret");
    test_cond("the default user is set anew", open && ok == C_OK && may(def,"get","d1") && !may(def,"set","d1") &&
              !may(def,"get","x") && !(def->flags & USER_FLAG_NOPASS) && listLength(def->passwords) == 1);
    test_cond("it remains the same user", named("default") == def && DefaultUser == def);
    test_cond("a name with spaces is an error", load("a b|on") == C_ERR && !named("a b"));
    test_cond("a wrong rule is an error", load("frank|on|nonsense") == C_ERR && load("grace|nonsense|on") == C_ERR);
    test_cond("a command that is not known is an error", load("heidi|on|+nosuchcommand") == C_ERR);
    test_cond("other users stay", named("alice") == alice && may(alice,"get","a1") && may(bob,"set","x"));
    test_report();
    return 0;
}
