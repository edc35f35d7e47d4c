/*---
 * tasks: [getUpcomingChannelList-3e5a10.4, getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   without a user one of that name is made: 'Comment: "if the user object is NULL, will create a user with the given username".'
 *   without an error it returns NULL: 'Caller aclCommand: "error == NULL" is OK.'
 *   a new user gets the rules: 'Comment: "takes an acl string already split on spaces and adds it to the given user".'
 *   a new user without rules is made too: 'Upstream documentation: ACL SETUSER alice makes a user without permissions.'
 *   the name is the whole string: 'Signature: username is an sds.'
 *   an existing user keeps its rules: 'Comment: "adds it to the given user".'
 *   the rules are applied in their order: 'Upstream documentation: "ACL rules are applied left to right".'
 *   the user stays the same object: 'Clients hold it: c->user.'
 *   an existing user needs no name: 'Caller RM_SetModuleUserACLString passes NULL.'
 *   a wrong rule gives an error: 'Comment: "Returns an error as an sds string if the ACL string is not parsable".'
 *   the error names the rule and the reason: 'Upstream''s tests: "ERR Error in ACL SETUSER modifier".'
 *   after a wrong rule the user is as before: 'Comment: "If there are any errors then none of the changes will be applied".'
 *   after a wrong rule no user is made: 'Comment: "then none of the changes will be applied".'
 *   a selector may be spread over several words: 'ACLMergeSelectorArguments: "merges selector operations that are spread across multiple arguments".'
 *   the error names a spread selector as a whole: 'Upstream''s test of selectors: "Error in ACL SETUSER modifier ''(...)''".'
 *   an open parenthesis gives an error: 'Upstream''s test: "Unmatched parenthesis in acl selector starting at".'
 *   after an open parenthesis nothing is changed: 'Comment: "If there are any errors then none of the changes will be applied".'
 *   subscribers who lose their channel are disconnected: 'Comment: "Existing pub/sub clients authenticated with the user may need to be disconnected".'
 *   subscribers who keep their channel stay: 'Comment: "if (some of) their channel permissions were revoked".'
 *   after a wrong rule subscribers stay: 'Comment: "If there are any errors then none of the changes will be applied".'
 *   no other user appears: 'Comment: "Create a temporary user"; ACL USERS.'
 *   the words stay the caller's: 'Callers free argv, or it belongs to the client.'
 *   nothing is kept: 'Callers: ACL SETUSER may come for ever.'
 *   nothing is kept after errors: 'Callers: ACL SETUSER may come for ever.'
 ---*/
#include "start.h"
#include "../testhelp.h"

extern rax *Users;

/* The error, if any, for these rules, separated by spaces. */
static sds set(user *u, const char *name, const char *rules) {
    int n = 0;
    sds *argv = sdssplitlen(rules,strlen(rules)," ",1,&n), username = name ? sdsnew(name) : NULL;
    sds error = ACLStringSetUser(u,username,argv,n);
    sdsfreesplitres(argv,n);
    sdsfree(username);
    return error;
}

static int fine(user *u, const char *name, const char *rules) {
    sds error = set(u,name,rules);
    if (!error) return 1;
    sdsfree(error);
    return 0;
}

static int fails(user *u, const char *name, const char *rules, const char *text) {
    sds error = set(u,name,rules);
    int same = error && !strcmp(error,text);
    if (error && !same) printf("error <%s>\n",error);
    sdsfree(error);
    return same;
}

static user *get(const char *name) {
    return ACLGetUserByName(name,strlen(name));
}

/* The rules of the user, which a description keeps until they change. */
static sds rulesOf(user *u) {
    robj *o = ACLDescribeUser(u);
    decrRefCount(o);
    return o->ptr;
}

static int has(user *u, const char *text) {
    return u && strstr(rulesOf(u),text) != NULL;
}

static uint64_t join(user *u, const char *channel) {
    client *c = subscriberClient();
    c->flags &= ~CLIENT_SCRIPT;
    linkClient(c);
    c->user = u;
    const char *words[] = {"subscribe",channel};
    setArguments(c,2,words);
    c->cmd->proc(c);
    sdsfree(replyOf(c));
    return c->id;
}

static int alive(uint64_t id) {
    freeClientsInAsyncFreeQueue();
    return lookupClientByID(id) != NULL;
}

int main(void) {
    startRedis();
    int users = raxSize(Users);
    sds error = set(NULL,"alice","on >secret ~k:* +get");
    user *alice = get("alice");
    test_cond("without a user one of that name is made", alive(0) == 0 && alice && !strcmp(alice->name,"alice"));
    test_cond("without an error it returns NULL", error == NULL);
    test_cond("a new user gets the rules", has(alice,"on ") && has(alice,"~k:*") && has(alice,"-@all +get") &&
              alice && listLength(alice->passwords) == 1 && (alice->flags & USER_FLAG_ENABLED));
    sds name = sdsnew("bob"), *none = zmalloc(sizeof(sds));
    error = ACLStringSetUser(NULL,name,none,0);
    test_cond("a new user without rules is made too", error == NULL && has(get("bob"),"off") && has(get("bob"),"-@all"));
    sdsfree(name);
    name = sdsnewlen("ca\0rl",5);
    ACLStringSetUser(NULL,name,none,0);
    test_cond("the name is the whole string", ACLGetUserByName("ca\0rl",5) && !ACLGetUserByName("ca",2));
    sdsfree(name);
    int ok = fine(alice,"alice","+set ~other");
    test_cond("an existing user keeps its rules", ok && has(alice,"on ") && has(alice,"~k:* ~other") &&
              has(alice,"+get +set") && alice && listLength(alice->passwords) == 1);
    test_cond("the user stays the same object", get("alice") == alice);
    ok = fine(alice,"alice","+@all -@all +ping off on");
    test_cond("the rules are applied in their order", ok && has(alice,"on ") && has(alice,"-@all +ping") &&
              !has(alice,"+get"));
    ok = fine(alice,NULL,"+echo");
    test_cond("an existing user needs no name", ok && has(alice,"+ping +echo"));

    sds before = sdsdup(rulesOf(alice));
    error = set(alice,"alice","+set nonsense");
    test_cond("a wrong rule gives an error", error != NULL);
    sdsfree(error);
    test_cond("the error names the rule and the reason",
              fails(alice,"alice","nonsense +get","Error in ACL SETUSER modifier 'nonsense': Syntax error") &&
              fails(alice,"alice","+get +nosuch","Error in ACL SETUSER modifier '+nosuch': Unknown command or category name in ACL") &&
              fails(alice,"alice","<unknown","Error in ACL SETUSER modifier '<unknown': The password you are trying to remove from the user does not exist"));
    fails(alice,"alice","off resetpass allkeys +@all allchannels nonsense",
          "Error in ACL SETUSER modifier 'nonsense': Syntax error");
    test_cond("after a wrong rule the user is as before", alice && !strcmp(before,rulesOf(alice)) &&
              listLength(alice->passwords) == 1);
    ok = fails(NULL,"dave","on nonsense","Error in ACL SETUSER modifier 'nonsense': Syntax error");
    test_cond("after a wrong rule no user is made", ok && !get("dave"));
    ok = fine(NULL,"eve","on (+get ~a) (%R~b +set) +ping");
    test_cond("a selector may be spread over several words", ok && get("eve") && listLength(get("eve")->selectors) == 3 &&
              has(get("eve"),"(~a resetchannels -@all +get)") && has(get("eve"),"(%R~b resetchannels -@all +set)") &&
              has(get("eve"),"-@all +ping"));
    test_cond("the error names a spread selector as a whole",
              fails(alice,"alice","(+get nonsense) +set","Error in ACL SETUSER modifier '(+get nonsense)': Syntax error"));
    test_cond("an open parenthesis gives an error",
              fails(alice,"alice","+get (~x +set","Unmatched parenthesis in acl selector starting at '(~x'.") &&
              fails(NULL,"dave","(+get","Unmatched parenthesis in acl selector starting at '(+get'."));
    test_cond("after an open parenthesis nothing is changed", !strcmp(before,rulesOf(alice)) && !get("dave"));
    sdsfree(before);

    fine(alice,"alice","resetchannels &a &b");
    uint64_t a = join(alice,"a"), b = join(alice,"b");
    set(alice,"alice","resetchannels &b nonsense");
    test_cond("after a wrong rule subscribers stay", alive(a) && alive(b));
    fine(alice,"alice","resetchannels &b");
    test_cond("subscribers who lose their channel are disconnected", !alive(a));
    test_cond("subscribers who keep their channel stay", alive(b));
    test_cond("no other user appears", (int)raxSize(Users) == users+4);
    sds words[3] = {sdsnew("(+get"),sdsnew("~a)"),sdsnew("wrong")};
    for (int j = 3; j >= 2; j--) sdsfree(ACLStringSetUser(alice,NULL,words,j));
    test_cond("the words stay the caller's", !strcmp(words[0],"(+get") && !strcmp(words[1],"~a)") &&
              !strcmp(words[2],"wrong"));

    fine(alice,"alice","reset on >p +get (+set ~a) &b");
    rulesOf(alice);
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 30; j++) {
        fine(alice,"alice","reset on >p +get (+set ~a) &b");
        rulesOf(alice);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == used);
    used = zmalloc_used_memory();
    for (int j = 0; j < 30; j++) {
        sdsfree(set(alice,"alice","+set (+get ~b) wrong"));
        sdsfree(set(alice,"alice","+set (+get ~b) (+get"));
        sdsfree(set(NULL,"dave","+set (+get ~b) wrong"));
    }
    test_cond("nothing is kept after errors", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
