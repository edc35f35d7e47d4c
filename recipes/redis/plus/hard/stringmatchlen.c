/*---
 * tasks: [pubsubCommand-4e2acb.4, pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * tests:
 *   plain text matches itself alone: 'Comment: "Glob-style pattern matching"; commands/keys.'
 *   a question mark is one character: 'commands/keys: "h?llo matches hello, hallo and hxllo".'
 *   a star is any text: 'commands/keys: "h*llo matches hllo and heeeello".'
 *   brackets are one of their characters: 'commands/keys: "h[ae]llo matches hello and hallo, but not hillo".'
 *   brackets may be negated: 'commands/keys: "h[^e]llo".'
 *   brackets may hold a range: 'commands/keys: "h[a-b]llo matches hallo and hbllo".'
 *   a backslash takes a special character as it is: 'commands/keys: "Use \ to escape special characters".'
 *   the case of letters matters without nocase: 'Argument nocase; callers KEYS and PSUBSCRIBE give 0.'
 *   the case of letters does not matter with nocase: 'Argument nocase; callers functionListCommand and COMMAND LIST give 1.'
 *   with nocase brackets and ranges know no case either: 'Argument nocase.'
 *   only as much of the text as told is looked at: 'Argument stringLen.'
 *   only as much of the pattern as told is looked at: 'Argument patternLen.'
 *   bytes of 0 are characters: 'Signature: pattern and string come with their lengths.'
 *   a match is told by 1 and none by 0: 'Signature; callers test it as a truth value.'
 *   a second call does not depend on the first: 'Callers match key after key.'
 *   many stars do not take for ever: 'Upstream''s test: "Regression for pattern matching with very long nested loops".'
 *   many long stars find a match at the end: 'Upstream''s test: "Regression for pattern matching with very long nested loops".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static int m(const char *pattern, const char *string) {
    return stringmatchlen(pattern,strlen(pattern),string,strlen(string),0);
}

static int nocase(const char *pattern, const char *string) {
    return stringmatchlen(pattern,strlen(pattern),string,strlen(string),1);
}

int main(void) {
    signal(SIGALRM,SIG_DFL), alarm(20);
    test_cond("plain text matches itself alone", m("hello","hello") && !m("hello","hell") && !m("hello","helloo") &&
              !m("hello","hallo") && !m("ello","hello") && m("","") && !m("","a") && !m("a",""));
    test_cond("a question mark is one character", m("h?llo","hello") && m("h?llo","hxllo") && !m("h?llo","hllo") &&
              !m("h?llo","heello") && m("?","x") && !m("??","x") && m("??","xy") && !m("?",""));
    test_cond("a star is any text", m("h*llo","hllo") && m("h*llo","heeeello") && !m("h*llo","hell") && m("*","x") &&
              m("news.*","news.art") && !m("news.*","new.art") && m("*a*","bab") && m("a**","a") && m("**a","ba") &&
              m("a*b*c","aXbXbXc") && !m("a*b*c","aXcXb") && m("*ab","aab"));
    test_cond("brackets are one of their characters", m("h[ae]llo","hello") && m("h[ae]llo","hallo") &&
              !m("h[ae]llo","hillo") && !m("h[ae]llo","haello") && !m("h[ae]llo","hllo") && m("[ab][ab]","ba"));
    test_cond("brackets may be negated", m("h[^e]llo","hallo") && !m("h[^e]llo","hello") && !m("h[^ae]llo","hallo") &&
              m("[^a-c]","d") && !m("[^a-c]","b") && m("[a^]","^"));
    test_cond("brackets may hold a range", m("h[a-b]llo","hallo") && m("h[a-b]llo","hbllo") && !m("h[a-b]llo","hcllo") &&
              m("[0-9a-f]","7") && m("[0-9a-f]","f") && !m("[0-9a-f]","g") && m("[c-a]","b"));
    test_cond("a backslash takes a special character as it is", m("h\\*llo","h*llo") && !m("h\\*llo","hallo") &&
              m("\\?","?") && !m("\\?","a") && m("\\[a]","[a]") && !m("\\[a]","a") && m("[\\]]","]") &&
              m("[\\^a]","^") && m("\\\\","\\") && !m("\\\\","\\\\") && m("\\a","a"));
    test_cond("the case of letters matters without nocase", !m("Hello","hello") && !m("h[A-E]llo","hello") &&
              !m("[E]","e"));
    test_cond("the case of letters does not matter with nocase", nocase("Hello","hELLO") && nocase("*LIB","mylib") &&
              !nocase("Hello","hallo") && nocase("\\A","a"));
    test_cond("with nocase brackets and ranges know no case either", nocase("h[E]llo","hello") &&
              nocase("h[A-E]llo","hcllo") && nocase("h[a-e]llo","hCllo") && !nocase("h[^A-E]llo","hcllo") &&
              !nocase("h[A-E]llo","hfllo"));
    test_cond("only as much of the text as told is looked at", stringmatchlen("abc",3,"abcdef",3,0) &&
              !stringmatchlen("abcd",4,"abcdef",3,0) && stringmatchlen("*c",2,"abcd",3,0) &&
              !stringmatchlen("*d",2,"abcd",3,0));
    test_cond("only as much of the pattern as told is looked at", stringmatchlen("abcdef",3,"abc",3,0) &&
              !stringmatchlen("abc*",3,"abcd",4,0) && !stringmatchlen("abc",2,"abc",3,0));
    test_cond("bytes of 0 are characters", stringmatchlen("a\0b",3,"a\0b",3,0) && !stringmatchlen("a\0b",3,"a\0c",3,0) &&
              stringmatchlen("a?b",3,"a\0b",3,0) && stringmatchlen("*b",2,"a\0b",3,0) &&
              !stringmatchlen("a",1,"a\0b",3,0) && stringmatchlen("[x\0]",4,"\0",1,0));
    test_cond("a match is told by 1 and none by 0", m("a*","ab") == 1 && m("ab","ab") == 1 && m("a*c","ab") == 0 &&
              m("b","ab") == 0);
    int first = m("*a*b","xaxx"), second = m("*a*b","xaxb"), third = m("a*b*c","aXbXc");
    test_cond("a second call does not depend on the first", !first && second && third);
    char *a = zmalloc(50001);
    memset(a,'a',50000);
    a[50000] = '\0';
    test_cond("many stars do not take for ever", !m("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",a+49000) &&
              !m("*?*a*?*a*?*a*?*a*?*a*?*a*?*a*?*a*?*a*?*ab",a+49000));
    a[49999] = 'b';
    test_cond("many long stars find a match at the end", m("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",a+49000) &&
              !m("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*c",a+49000));
    zfree(a);
    test_report();
    return 0;
}
