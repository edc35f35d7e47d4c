/*---
 * tasks: [pubsubCommand-4e2acb.4, pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * instead: [src/util.o]
 * tests:
 *   plain text matches itself alone: 'Comment: "Glob-style pattern matching"; commands/keys.'
 *   a question mark is one character: 'commands/keys: "h?llo matches hello, hallo and hxllo".'
 *   a star is any text: 'commands/keys: "h*llo matches hllo and heeeello".'
 *   stars at the end match nothing as well: 'commands/keys: "h*llo matches hllo".'
 *   a match may begin late and again: 'commands/keys: a star is any text.'
 *   brackets are one of their characters: 'commands/keys: "h[ae]llo matches hello and hallo, but not hillo".'
 *   brackets may be negated: 'commands/keys: "h[^e]llo matches hallo, hbllo, ... but not hello".'
 *   brackets may hold a range: 'commands/keys: "h[a-b]llo matches hallo and hbllo".'
 *   a range may be given backwards: 'Body of other versions and upstream: start and end are exchanged.'
 *   characters and ranges stand side by side in brackets: 'commands/keys: brackets.'
 *   special characters in brackets are plain: 'commands/keys: brackets.'
 *   a backslash takes a special character as it is: 'commands/keys: "Use \ to escape special characters".'
 *   a backslash does so in brackets too: 'commands/keys: "Use \ to escape special characters".'
 *   the case of letters matters without nocase: 'Argument nocase.'
 *   the case of letters does not matter with nocase: 'Argument nocase.'
 *   with nocase ranges know no case either: 'Argument nocase.'
 *   lengths and not bytes of 0 end the texts: 'Signature: patternLen and stringLen.'
 *   all short patterns of stars and letters are right: 'commands/keys: ? and *; compared with a plain recursion.'
 *   patterns that are broken do no harm: 'stringmatchlen_fuzz_test: "trying to crash it with bad input".'
 *   many stars do not take for ever: 'Upstream''s test: "Regression for pattern matching with very long nested loops".'
 ---*/
#include "../util.c"
#include <unistd.h>
#include "../testhelp.h"

static int match(const char *pattern, int plen, const char *string, int len, int nocase) {
    int skip = 0;
    return stringmatchlen_impl(pattern,plen,string,len,nocase,&skip);
}

static int m(const char *pattern, const char *string) {
    return match(pattern,strlen(pattern),string,strlen(string),0);
}

static int n(const char *pattern, const char *string) {
    return match(pattern,strlen(pattern),string,strlen(string),1);
}

static int plain(const char *p, const char *s) {
    if (!*p) return !*s;
    if (*p == '*') return plain(p+1,s) || (*s && plain(p,s+1));
    return *s && (*p == '?' || *p == *s) && plain(p+1,s+1);
}

/* Writes the word of that number in an alphabet. */
static void word(char *out, int number, int len, const char *letters, int of) {
    for (int j = 0; j < len; j++, number /= of) out[j] = letters[number % of];
    out[len] = '\0';
}

int main(void) {
    alarm(20);
    test_cond("plain text matches itself alone", m("hello","hello") && !m("hello","hell") && !m("hello","helloo") &&
              !m("hello","hallo") && m("","") && !m("","a") && !m("a",""));
    test_cond("a question mark is one character", m("h?llo","hello") && m("h?llo","hxllo") && !m("h?llo","hllo") &&
              !m("h?llo","heello") && m("?","x") && !m("??","x") && m("x?","xy") && !m("x?","x") && m("*?","x"));
    test_cond("a star is any text", m("h*llo","hllo") && m("h*llo","heeeello") && !m("h*llo","hell") && m("*","x") &&
              m("*","xyz") && m("*z","xyz") && m("x*","xyz") && !m("y*","xyz") && m("*y*","xyz") && !m("*a*","xyz"));
    test_cond("stars at the end match nothing as well", m("abc*","abc") && m("abc***","abc") && !m("abc*d","abc") &&
              !m("abc*?","abc") && m("***","a"));
    test_cond("a match may begin late and again", m("*ab","aab") && m("a*bc","abbbc") && m("a*b*c","aXbXbXc") &&
              !m("a*b*c","aXcXb") && m("*aab*","aaab") && m("*a*b*c*d","aabbccdd") && !m("*a*b*c*d","aabbdd") &&
              m("*[ab]c","abac") && m("*\\*","a**") && m("a*?c","abcc"));
    test_cond("brackets are one of their characters", m("h[ae]llo","hello") && m("h[ae]llo","hallo") &&
              !m("h[ae]llo","hillo") && !m("h[ae]llo","haello") && !m("h[ae]llo","hllo") && m("[ab][ab]","ba") &&
              m("[abc]","c") && !m("[abc]","d"));
    test_cond("brackets may be negated", m("h[^e]llo","hallo") && m("h[^e]llo","hbllo") && !m("h[^e]llo","hello") &&
              !m("h[^ae]llo","hallo") && m("[^a-c]","d") && !m("[^a-c]","b") && !m("[^a-c]","") && m("[a^]","^"));
    test_cond("brackets may hold a range", m("h[a-b]llo","hallo") && m("h[a-b]llo","hbllo") && !m("h[a-b]llo","hcllo") &&
              m("[b-d]","b") && m("[b-d]","c") && m("[b-d]","d") && !m("[b-d]","a") && !m("[b-d]","e") && !m("[b-d]","-"));
    test_cond("a range may be given backwards", m("[d-b]","b") && m("[d-b]","d") && !m("[d-b]","a") && !m("[d-b]","e"));
    test_cond("characters and ranges stand side by side in brackets", m("[0-9a-fx]","7") && m("[0-9a-fx]","f") &&
              m("[0-9a-fx]","x") && !m("[0-9a-fx]","g") && m("[x0-9]","5") && m("[a-cx-z]","y") && !m("[a-cx-z]","m"));
    test_cond("special characters in brackets are plain", m("[*]","*") && !m("[*]","a") && m("[?]","?") &&
              !m("[?]","a") && m("[[]","["));
    test_cond("a backslash takes a special character as it is", m("h\\*llo","h*llo") && !m("h\\*llo","hallo") &&
              m("\\?","?") && !m("\\?","a") && m("\\[a]","[a]") && !m("\\[a]","a") && m("\\\\","\\") &&
              !m("\\\\","\\\\") && m("\\a\\b","ab"));
    test_cond("a backslash does so in brackets too", m("[\\]]","]") && m("[\\^a]","^") && m("[\\^a]","a") &&
              m("[a\\]b]","b") && m("[\\\\]","\\") && !m("[\\]]","\\") && m("[^\\]]","a") && !m("[^\\]]","]"));
    test_cond("the case of letters matters without nocase", !m("Hello","hello") && !m("h[A-E]llo","hello") &&
              !m("[E]","e") && !m("[a-z]","B"));
    test_cond("the case of letters does not matter with nocase", n("Hello","hELLO") && n("*LIB","mylib") &&
              !n("Hello","hallo") && n("h[E]llo","hello") && n("h[e]llo","hEllo") && !n("h[^E]llo","hello"));
    test_cond("with nocase ranges know no case either", n("h[A-E]llo","hcllo") && n("h[a-e]llo","hCllo") &&
              !n("h[^A-E]llo","hcllo") && !n("h[A-E]llo","hfllo") && n("[0-9]","5") && n("[E-A]","b"));
    test_cond("lengths and not bytes of 0 end the texts", match("abcdef",3,"abcxyz",3,0) && !match("abc",3,"abcd",4,0) &&
              match("a\0b",3,"a\0b",3,0) && !match("a\0b",3,"a\0c",3,0) && match("a?b",3,"a\0b",3,0) &&
              match("*b",2,"a\0b",3,0) && !match("a",1,"a\0b",3,0) && match("[x\0]",4,"\0",1,0) &&
              !match("*d",2,"abcd",3,0));

    int wrong = 0;
    char pattern[8], string[8];
    for (int plen = 0; plen <= 6; plen++)
        for (int p = 0; p < 1 << (2*plen); p++) {
            word(pattern,p,plen,"ab*?",4);
            for (int len = 1; len <= 4; len++)
                for (int s = 0; s < 1 << len; s++) {
                    word(string,s,len,"ab",2);
                    wrong += m(pattern,string) != plain(pattern,string);
                }
        }
    test_cond("all short patterns of stars and letters are right", wrong == 0);
    int harm = 0;
    const char letters[] = "[]^-\\*?a";
    for (int plen = 1; plen <= 5; plen++)
        for (int p = 0; p < 1 << (3*plen); p++) {
            word(pattern,p,plen,letters,8);
            int got = m(pattern,"a-a]a");
            harm += got != 0 && got != 1;
        }
    test_cond("patterns that are broken do no harm", harm == 0);
    static char a[1001];
    memset(a,'a',1000);
    a[1000] = '\0';
    int found = m("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",a) ||
                m("*?*a*?*a*?*a*?*a*?*a*?*a*?*a*?*a*?*a*?*ab",a);
    a[999] = 'b';
    test_cond("many stars do not take for ever", !found && m("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",a));
    test_report();
    return 0;
}
