/*---
 * tasks: [getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   arguments outside of selectors are kept in their order: 'Comment: "Arguments that are untouched are still duplicated".'
 *   they are copies: 'Comment: "a new SDS array"; "still duplicated".'
 *   a selector in one argument is kept: 'Comment: "Selector definitions should be sent as a single argument".'
 *   a selector of several arguments becomes one: 'Comment: "merges selector operations that are spread across multiple arguments".'
 *   its parts are joined by one space: 'aclCreateSelectorFromOpSet splits it by spaces.'
 *   what stands before and after a selector is kept: 'Comment: "Arguments that are untouched are still duplicated".'
 *   several selectors are merged each for itself: 'Comment: "merges selector operations".'
 *   parentheses may be arguments of their own: 'Comment: "we will be lenient".'
 *   the number of merged arguments is given: 'Comment: "with length set to the passed in merged_argc".'
 *   no arguments give an empty array: 'Caller ACLAppendUserForLoading: a user without rules.'
 *   a selector that is not closed gives NULL: 'Comment: "If there is an unmatched parenthesis, NULL is returned".'
 *   the start of the opening parenthesis is told: 'Comment: "invalid_idx is set to the argument with the start of the opening parenthesis".'
 *   who does not want to know it passes NULL: 'Caller ACLLoadFromFile.'
 *   a closing parenthesis alone is an argument: 'Comment: an opening parenthesis begins a selector.'
 *   a parenthesis within an argument begins nothing: 'The body: op[0]; passwords such as >a(b.'
 *   an opening parenthesis within a selector is part of it: 'ACLSetUser tells that nested selectors are wrong.'
 *   arguments of any length are merged: 'Signature: sds.'
 *   the arguments are left as they are: 'Callers free them afterwards.'
 *   nothing is left behind: 'Comment: NULL is returned and nothing else; callers free what they get.'
 *   ACL SETUSER takes a selector in several arguments: 'Comment: "a simpler user experience for ACL SETUSER".'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <stdarg.h>

sds *ACLMergeSelectorArguments(sds *argv, int argc, int *merged_argc, int *invalid_idx);

static int merged, invalid, copies = 1, kept = 1;
static char joined[6000];

/* What so many words are merged to, with | between them; NULL if NULL. */
static const char *merge(int argc, ...) {
    sds argv[20];
    va_list ap;
    va_start(ap,argc);
    const char *words[20];
    for (int j = 0; j < argc; j++) argv[j] = sdsnew(words[j] = va_arg(ap,const char*));
    va_end(ap);
    merged = 4711, invalid = 4712;
    sds *got = ACLMergeSelectorArguments(argv,argc,&merged,&invalid);
    joined[0] = '\0';
    if (got) for (int j = 0; j < merged; j++) {
        for (int k = 0; k < argc; k++) if (got[j] == argv[k]) copies = 0;
        if (sdslen(got[j]) != strlen(got[j])) copies = 0;
        strcat(strcat(joined,j ? "|" : ""),got[j]);
        sdsfree(got[j]);
    }
    zfree(got);
    for (int j = 0; j < argc; j++) {
        if (strcmp(argv[j],words[j])) kept = 0;
        sdsfree(argv[j]);
    }
    return got ? joined : NULL;
}

static int is(const char *got, const char *want) {
    return got && !strcmp(got,want);
}

int main(void) {
    startRedis();
    test_cond("arguments outside of selectors are kept in their order", is(merge(4,"on",">pw","~*","+get"),"on|>pw|~*|+get"));
    int four = merged == 4;
    test_cond("a selector in one argument is kept", is(merge(1,"(+get ~a)"),"(+get ~a)") && merged == 1 &&
              is(merge(2,"()","(a)"),"()|(a)"));
    test_cond("a selector of several arguments becomes one", is(merge(3,"(+get","+set","~a)"),"(+get +set ~a)") && merged == 1);
    test_cond("its parts are joined by one space", is(merge(2,"(+get","~a)"),"(+get ~a)"));
    test_cond("what stands before and after a selector is kept", is(merge(5,"on","(+get","~a)","~b","+set"),
              "on|(+get ~a)|~b|+set") && merged == 4);
    test_cond("several selectors are merged each for itself", is(merge(7,"(+get","~a)","on","(+set)","(+del","+mget","~c)"),
              "(+get ~a)|on|(+set)|(+del +mget ~c)") && merged == 4);
    test_cond("parentheses may be arguments of their own", is(merge(5,"(","+get","~a",")","on"),"( +get ~a )|on") && merged == 2);
    test_cond("the number of merged arguments is given", four && is(merge(2,"(a","b)"),"(a b)") && merged == 1);
    test_cond("no arguments give an empty array", is(merge(0),"") && merged == 0);
    test_cond("a selector that is not closed gives NULL", !merge(1,"(+get") && !merge(3,"(+get","~a","on") &&
              !merge(4,"(a","b)","(c","d"));
    merge(1,"(+get");
    int first = invalid == 0;
    merge(4,"on","~a","(+get","+set");
    int third = invalid == 2;
    merge(5,"(a","b)","on","(c","d");
    test_cond("the start of the opening parenthesis is told", first && third && invalid == 3);
    sds open[2] = {sdsnew("on"),sdsnew("(a")};
    test_cond("who does not want to know it passes NULL", ACLMergeSelectorArguments(open,2,&merged,NULL) == NULL);
    test_cond("a closing parenthesis alone is an argument", is(merge(3,"on",")","a)"),"on|)|a)"));
    test_cond("a parenthesis within an argument begins nothing", is(merge(3,">a(b","~k(","on"),">a(b|~k(|on"));
    test_cond("an opening parenthesis within a selector is part of it", is(merge(4,"(+get","(+set)","on","x)"),
              "(+get (+set)|on|x)") && is(merge(3,"(+get","(+set","x)"),"(+get (+set x)"));
    char big[1500];
    memset(big,'k',sizeof(big)-1);
    big[sizeof(big)-1] = '\0';
    char want[5000];
    sprintf(want,"on|(+get %s %s)|%s",big,big,big);
    char last[1600];
    sprintf(last,"%s)",big);
    test_cond("arguments of any length are merged", is(merge(5,"on","(+get",big,last,big),want));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        merge(6,"on","(+get","~a)","(+set)","x","y");
        merge(6,"on","(a","b)","(+get","~a","x");
        merge(0);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_cond("they are copies", copies);
    test_cond("the arguments are left as they are", kept);
    sds rules[] = {sdsnew("on"),sdsnew("(+get"),sdsnew("~a)")};
    sds name = sdsnew("alice"), error = ACLStringSetUser(NULL,name,rules,3);
    user *alice = ACLGetUserByName("alice",5);
    test_cond("ACL SETUSER takes a selector in several arguments", !error && alice && listLength(alice->selectors) == 2);
    test_report();
    return 0;
}
