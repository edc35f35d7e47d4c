/*---
 * tasks: [pathjoin-7a6527]
 * tests:
 *   two components are joined by a slash: 'Docstring: "Join NSEG path components [...] into one PATH".'
 *   a join is a success: 'Docstring: "Return 0 on success".'
 *   a slash at the end of a component is not doubled: 'Caller transform.c: filter_generate''s root ends in one.'
 *   a slash at the start of a component is not doubled: 'Caller transform.c: store_error joins absolute file names.'
 *   slashes on both sides become one: 'Caller transform.c: filter_generate joins the root and absolute names.'
 *   a root of one slash is gone on with: 'Caller transform.c: filter_generate; the default root is "/".'
 *   the first component keeps its slash: 'Callers pass AUGEAS_META_FILES and the like, which are absolute, first.'
 *   a slash within a component stays: 'Docstring: components are joined, not changed.'
 *   one component is the whole path: 'Docstring: "Join NSEG path components".'
 *   no more than NSEG components are read: 'Docstring: "Join NSEG path components".'
 *   no component leaves no path: 'Docstring: "Join NSEG path components", and "Allocate as needed".'
 *   three components are joined in their order: 'Caller transform.c: err_path passes three.'
 *   many components are joined in their order: 'Docstring: "Join NSEG path components".'
 *   long components are joined whole: 'Docstring: "Allocate as needed".'
 *   components are left as they were: 'Docstring: "passed as const char *".'
 *   the path is a block of its own: 'Docstring: "Allocate as needed"; callers free it.'
 *   all memory that is taken is the path: 'Docstring: "Allocate as needed"; callers free the path alone.'
 *   without memory it fails: 'Docstring: "-1 on failure".'
 *   without memory for a further component it fails: 'Docstring: "-1 on failure".'
 *   after a failure the path can be freed: 'Caller transform.c: store_error frees it on the way out.'
 ---*/
#include <config.h>
#include "internal.h"
#include "plus.h"

/* Whether A and B are joined to EXPECTED. */
static int gives(const char *a, const char *b, const char *expected) {
    char *path = NULL;
    int good = pathjoin(&path, 2, a, b) == 0 && same(path, expected);
    free(path);
    return good;
}

int main(void) {
    plus_start();
    ok("two components are joined by a slash", gives("a", "b", "a/b") && gives("usr", "lib", "usr/lib"));
    ok("a slash at the end of a component is not doubled", gives("a/", "b", "a/b") && gives("/root/", "x", "/root/x"));
    ok("a slash at the start of a component is not doubled",
       gives("/augeas/files", "/etc/hosts", "/augeas/files/etc/hosts") && gives("a", "/b", "a/b"));
    ok("slashes on both sides become one",
       gives("a/", "/b", "a/b") && gives("/tmp/root/", "/etc/x", "/tmp/root/etc/x"));
    ok("a root of one slash is gone on with", gives("/", "/etc/hosts", "/etc/hosts") && gives("/", "etc", "/etc"));
    ok("the first component keeps its slash", gives("/files", "x", "/files/x"));
    ok("a slash within a component stays", gives("a/b", "c/d/e", "a/b/c/d/e") && gives("/a/b", "/c/d", "/a/b/c/d"));

    char *path = NULL;
    int r = pathjoin(&path, 1, "/only/one");
    ok("one component is the whole path", r == 0 && same(path, "/only/one"));
    free(path);

    path = NULL;
    r = pathjoin(&path, 2, "a", "b", "c", "d");
    ok("no more than NSEG components are read", r == 0 && same(path, "a/b"));
    free(path);

    path = NULL;
    r = pathjoin(&path, 0, "a");
    ok("no component leaves no path", r == 0 && (path == NULL || *path == '\0'));
    free(path);

    path = NULL;
    r = pathjoin(&path, 3, "/augeas/files", "/etc/hosts", "error");
    ok("three components are joined in their order", r == 0 && same(path, "/augeas/files/etc/hosts/error"));
    ok("a join is a success", r == 0);
    free(path);

    path = NULL;
    r = pathjoin(&path, 12, "z", "/y", "x/", "/w/", "v", "u", "t", "/s", "r/", "q", "p", "o");
    ok("many components are joined in their order", r == 0 && same(path, "z/y/x/w/v/u/t/s/r/q/p/o"));
    free(path);

    static char a[3001], b[5001], both[8002];
    memset(a, 'a', 3000);
    memset(b, 'b', 5000);
    memset(both, 'a', 3000);
    both[3000] = '/';
    memset(both + 3001, 'b', 5000);
    ok("long components are joined whole", gives(a, b, both));

    char first[] = "first/", second[] = "/second", third[] = "third";
    long before = plus_live_blocks;
    path = NULL;
    r = pathjoin(&path, 3, first, second, third);
    ok("components are left as they were",
       same(first, "first/") && same(second, "/second") && same(third, "third"));
    ok("the path is a block of its own", r == 0 && plus_live(path));
    free(path);
    ok("all memory that is taken is the path", plus_live_blocks == before);

    path = NULL;
    plus_fail_at = 1;
    r = pathjoin(&path, 1, "one");
    plus_fail_at = 0;
    ok("without memory it fails", r == -1);
    free(path);

    /* Each allocation fails in turn, until there are no more of them. */
    int failed = 0, good = 1, at = 1;
    for (; at < 100; at++) {
        path = NULL;
        plus_fail_at = at;
        r = pathjoin(&path, 3, "one", "two", "three");
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= over ? r == 0 && same(path, "one/two/three") : r == -1;
        failed += r == -1;
        free(path);
        if (over) break;
    }
    ok("without memory for a further component it fails", good && failed > 0 && at < 100);
    ok("after a failure the path can be freed", plus_live_blocks == before);
    return plus_end();
}
