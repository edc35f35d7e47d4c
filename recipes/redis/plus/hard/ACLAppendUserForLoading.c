/*---
 * tasks: [getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   a valid user is accepted: 'Comment: "otherwise C_OK is returned and the user is appended to the list".'
 *   the user is appended to the list: 'Comment: "appends the user definition to a list for later loading".'
 *   users stand in the order of their lines: 'Comment: "appended to the list".'
 *   name and rules are kept: 'Caller ACLLoadConfiguredUsers: the name, its rules, NULL.'
 *   the definition ends with NULL: 'Caller ACLLoadConfiguredUsers: "aclrules[j]" ends it.'
 *   a user without rules is accepted: 'Comment: "user <username> ... ACL rules and flags ...".'
 *   the word user may be in capitals: 'The body: strcasecmp; redis.conf directives.'
 *   a definition without a name is an error: 'Comment: "if there obvious syntax errors the function returns C_ERR".'
 *   another word than user is an error: 'Comment: "in the form: user <username> ...".'
 *   the index of that word is told: 'Comment: "the index of the argv vector that caused the error".'
 *   a user that is there already is an error: 'Upstream''s test: "Test loading duplicate users in config on startup".'
 *   the index of its name and the reason are told: 'ACLSetUserStringError: EALREADY, "Duplicate user found".'
 *   a rule that is wrong is an error: 'Comment: "The rules are tested for validity".'
 *   a wrong rule behind right ones is an error: 'Comment: "The rules are tested for validity".'
 *   its reason is told: 'Caller loadServerConfigFromString: ACLSetUserStringError reads errno.'
 *   after an error nothing is appended: 'Comment: "returns C_ERR and does nothing".'
 *   a command that is not known is accepted: 'Comment: "this function cannot stop in case of commands that are not found".'
 *   selectors are merged: 'ACLMergeSelectorArguments.'
 *   a selector that is not closed is an error: 'ACLMergeSelectorArguments: "If there is an unmatched parenthesis, NULL".'
 *   who does not want to know the index passes NULL: 'Comment: "(if not set to NULL)".'
 *   no user is created yet: 'Comment: "for later loading"; "in a fake user".'
 *   the arguments stay with the caller: 'Caller loadServerConfigFromString frees them.'
 *   nothing is left behind after an error: 'Comment: "returns C_ERR and does nothing".'
 *   the users are loaded from the list: 'ACLLoadConfiguredUsers.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <stdarg.h>

extern list *UsersToLoad;
int ACLLoadConfiguredUsers(void);

static int index_, reason, kept = 1;

static int append(int argc, ...) {
    sds argv[20];
    const char *words[20];
    va_list ap;
    va_start(ap,argc);
    for (int j = 0; j < argc; j++) argv[j] = sdsnew(words[j] = va_arg(ap,const char*));
    va_end(ap);
    index_ = 4711;
    errno = 0;
    int got = ACLAppendUserForLoading(argv,argc,&index_);
    reason = errno;
    int second = 0;
    if (got == C_ERR) {
        second = ACLAppendUserForLoading(argv,argc,NULL);
        if (second != C_ERR) kept = 0;
    }
    for (int j = 0; j < argc; j++) {
        if (strcmp(argv[j],words[j])) kept = 0;
        sdsfree(argv[j]);
    }
    return got;
}

static int length(void) {
    return listLength(UsersToLoad);
}

static sds *user_(int n) {
    listNode *ln = listIndex(UsersToLoad,n);
    return ln ? listNodeValue(ln) : NULL;
}

int main(void) {
    startRedis();
    int ok = append(5,"user","alice","on","+get","~a*");
    test_cond("a valid user is accepted", ok == C_OK);
    test_cond("the user is appended to the list", length() == 1);
    sds *u = user_(0);
    test_cond("name and rules are kept", u && !strcmp(u[0],"alice") && !strcmp(u[1],"on") && !strcmp(u[2],"+get") &&
              !strcmp(u[3],"~a*"));
    test_cond("the definition ends with NULL", u && u[4] == NULL);
    append(3,"user","bob","off");
    ok = append(2,"user","carol");
    u = user_(2);
    test_cond("a user without rules is accepted", ok == C_OK && u && !strcmp(u[0],"carol") && u[1] == NULL);
    test_cond("users stand in the order of their lines", length() == 3 && !strcmp(user_(0)[0],"alice") &&
              !strcmp(user_(1)[0],"bob") && !strcmp(user_(2)[0],"carol"));
    ok = append(3,"USER","dave","on");
    test_cond("the word user may be in capitals", ok == C_OK && length() == 4);
    ok = append(1,"user");
    int at = index_;
    test_cond("a definition without a name is an error", ok == C_ERR && append(0) == C_ERR);
    ok = append(3,"usr","eve","on");
    test_cond("another word than user is an error", ok == C_ERR);
    test_cond("the index of that word is told", at == 0 && index_ == 0);
    int four = length() == 4;
    ok = append(3,"user","alice","off");
    test_cond("a user that is there already is an error", ok == C_ERR && length() == 4);
    test_cond("the index of its name and the reason are told", index_ == 1 && reason == EALREADY);
    ok = append(3,"user","frank","nonsense");
    int wrong = reason;
    test_cond("a rule that is wrong is an error", ok == C_ERR);
    ok = append(5,"user","frank","on","~a","nonsense");
    int behind = ok == C_ERR && reason == EINVAL;
    ok = append(4,"user","frank","#123","on");
    test_cond("a wrong rule behind right ones is an error", behind);
    test_cond("its reason is told", wrong == EINVAL && ok == C_ERR && reason == EBADMSG);
    test_cond("after an error nothing is appended", four && length() == 4);
    ok = append(4,"user","grace","+module.command","on");
    test_cond("a command that is not known is accepted", ok == C_OK && length() == 5 && !strcmp(user_(4)[1],"+module.command"));
    ok = append(6,"user","heidi","on","(+get","~x)","~y");
    u = user_(5);
    test_cond("selectors are merged", ok == C_OK && u && !strcmp(u[1],"on") && !strcmp(u[2],"(+get ~x)") &&
              !strcmp(u[3],"~y") && u[4] == NULL);
    ok = append(5,"user","ivan","on","(+get","~x");
    test_cond("a selector that is not closed is an error", ok == C_ERR && length() == 6);
    ok = append(4,"user","ivan","(+get (+set))","on");
    test_cond("who does not want to know the index passes NULL", ok == C_ERR && kept && length() == 6);
    test_cond("no user is created yet", !ACLGetUserByName("alice",5) && !ACLGetUserByName("heidi",5));
    append(3,"user","alice","off"), append(3,"user","frank","nonsense"), append(5,"user","ivan","on","(+get","~x");
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        append(3,"user","alice","off");
        append(5,"user","frank","on",">pw","nonsense");
        append(5,"user","ivan","on","(+get","~x");
        append(5,"user","ivan","(+get","~x)","nonsense");
        append(1,"user");
    }
    test_cond("nothing is left behind after an error", zmalloc_used_memory() == before);
    test_cond("the arguments stay with the caller", kept);
    listDelNode(UsersToLoad,listIndex(UsersToLoad,4));
    ok = ACLLoadConfiguredUsers();
    user *alice = ACLGetUserByName("alice",5), *heidi = ACLGetUserByName("heidi",5);
    test_cond("the users are loaded from the list", ok == C_OK && alice && (alice->flags & USER_FLAG_ENABLED) && heidi &&
              listLength(heidi->selectors) == 2 && ACLGetUserByName("bob",3) && ACLGetUserByName("carol",5));
    test_report();
    return 0;
}
