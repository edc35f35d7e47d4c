/*---
 * tasks: [fnmatch_normalize-6d25bd]
 * instead: [src/transform.o]
 * tests:
 *   a plain pattern matches: 'Comment: "fnmatch(3)".'
 *   a pattern that does not match gives FNM_NOMATCH: 'Comment: "fnmatch(3)".'
 *   two slashes in a pattern match one: 'Comment: "will match // in a pattern to a path".'
 *   many slashes match one: 'Comment: "like glob(3) does".'
 *   slashes at several places match one each: 'Comment: "will match // in a pattern to a path".'
 *   slashes at the start match one: 'Comment: "will match // in a pattern to a path".'
 *   slashes at the end match one: 'Comment: "will match // in a pattern to a path".'
 *   a single slash stays: 'Comment: "fnmatch(3)".'
 *   a slash is needed where the pattern has one: 'Comment: "fnmatch(3)".'
 *   stars and brackets are patterns: 'Comment: "fnmatch(3)".'
 *   the flags are those of fnmatch: 'Comment: "fnmatch(3)"; callers give FNM_PATHNAME.'
 *   the pattern is matched as a whole: 'Comment: "fnmatch(3)".'
 *   an empty pattern matches an empty text: 'Comment: "fnmatch(3)".'
 *   a long pattern is whole: 'Comment: "fnmatch(3)".'
 *   pattern and text stay as they were: 'Both are const.'
 *   nothing is left in memory: 'Callers have nothing to free.'
 *   without memory it is no match: 'Callers take 0 for a match.'
 ---*/
#include "../transform.c"
#include "plus.h"

static int is(const char *pattern, const char *text) {
    return fnmatch_normalize(pattern, text, FNM_PATHNAME) == 0;
}

int main(void) {
    plus_start();
    ok("a plain pattern matches", is("/etc/hosts", "/etc/hosts"));
    ok("a pattern that does not match gives FNM_NOMATCH",
       fnmatch_normalize("/etc/host", "/etc/hosts", 0) == FNM_NOMATCH &&
       fnmatch_normalize("/etc//x", "/etc/y", 0) == FNM_NOMATCH);
    ok("two slashes in a pattern match one", is("/etc//hosts", "/etc/hosts"));
    ok("many slashes match one", is("/etc///hosts", "/etc/hosts") && is("/etc//////hosts", "/etc/hosts"));
    ok("slashes at several places match one each", is("/a//b///c//d", "/a/b/c/d") && is("/a//*//c", "/a/b/c"));
    ok("slashes at the start match one", is("//etc/hosts", "/etc/hosts") && is("///a", "/a"));
    ok("slashes at the end match one", is("/etc//", "/etc/") && is("//", "/") && is("/a///", "/a/"));
    ok("a single slash stays", is("/a/b/c", "/a/b/c") && is("/", "/") && is("a/", "a/"));
    ok("a slash is needed where the pattern has one", !is("/a//b", "/ab") && !is("/a/b", "/ab") && !is("/a//", "/a"));
    ok("stars and brackets are patterns",
       is("/etc//*.conf", "/etc/a.conf") && is("/[ab]//?", "/b/c") && !is("/[ab]//?", "/c/c"));
    ok("the flags are those of fnmatch",
       fnmatch_normalize("/a//*", "/a/b/c", 0) == 0 && fnmatch_normalize("/a//*", "/a/b/c", FNM_PATHNAME) != 0 &&
       fnmatch_normalize("/A//b", "/a/B", FNM_CASEFOLD) == 0 && fnmatch_normalize("/A//b", "/a/B", 0) != 0 &&
       fnmatch_normalize("/a//*", "/a/.b", FNM_PERIOD | FNM_PATHNAME) != 0);
    ok("the pattern is matched as a whole", !is("/a//b", "/a/b/c") && !is("/a//b/c", "/a/b"));
    ok("an empty pattern matches an empty text", is("", "") && !is("", "a"));
    static char pattern[6001], text[4001];
    for (int i = 0; i < 2000; i++) {
        memcpy(pattern + 3 * i, "//a", 3);
        memcpy(text + 2 * i, "/a", 2);
    }
    ok("a long pattern is whole", is(pattern, text));
    char p[] = "/a//b", t[] = "/a/b";
    fnmatch_normalize(p, t, 0);
    ok("pattern and text stay as they were", same(p, "/a//b") && same(t, "/a/b"));
    is("/a//b", "/a/b");
    is("/a//b", "/a/c");
    long live = plus_live_blocks;
    is("/a//b", "/a/b");
    is("/a//b", "/a/c");
    ok("nothing is left in memory", plus_live_blocks == live);
    plus_fail_at = 1;
    int r = fnmatch_normalize("/a//b", "/a/b", 0);
    int over = plus_fail_at > 0;
    plus_fail_at = 0;
    ok("without memory it is no match", over ? r == 0 : r != 0);
    return plus_end();
}
