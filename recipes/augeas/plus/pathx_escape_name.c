/*---
 * tasks: [pathx_escape_name-1a4590]
 * instead: [src/pathx.o]
 * tests:
 *   a plain name needs no escaping: 'Docstring: "OUT will be NULL if IN does not need escaping".'
 *   an empty name needs no escaping: 'Docstring: "OUT will be NULL if IN does not need escaping".'
 *   dots and stars and quotes need none: 'pathx.c: NAME_FOLLOW does not have them.'
 *   what was in OUT does not matter: 'Docstring: "On return, OUT will be NULL".'
 *   a slash is escaped: 'Docstring: "safe to pass to parse_name".'
 *   brackets are escaped: 'parse_name: a name ends at them.'
 *   all other ends of a name are escaped: 'pathx.c: NAME_FOLLOW, what may follow a name.'
 *   a backslash is escaped: 'parse_name: a backslash escapes what follows.'
 *   several characters are each escaped: 'Docstring: "escaped copy of IN".'
 *   a name of such characters alone is escaped: 'Docstring: "escaped copy of IN".'
 *   spaces are read back: 'Docstring: "interpreted as the literal name"; parse_name strips trailing white space.'
 *   the words of expressions are read back: 'parse_name: or, and, else end a name.'
 *   each character is read back: 'Docstring: "interpreted as the literal name of a path component".'
 *   each pair of characters is read back: 'Docstring: "interpreted as the literal name of a path component".'
 *   a success is 0: 'Docstring: "0 on success".'
 *   the copy is the callers: 'Docstring: "which the caller must free".'
 *   nothing else is left in memory: 'Docstring: the caller frees the copy.'
 *   without memory it is -1: 'Docstring: "Returns -1 if it failed to allocate memory".'
 *   the name stays as it was: 'Docstring: IN is const.'
 ---*/
#include "../pathx.c"
#include "plus.h"

static int all = 1;

static int none(const char *in) {
    char *out = (char *)1;
    all &= pathx_escape_name(in, &out) == 0;
    return out == NULL;
}

static int is(const char *in, const char *expected) {
    char *out = (char *)1;
    all &= pathx_escape_name(in, &out) == 0;
    int good = out != NULL && same(out, expected);
    free(out);
    return good;
}

/* Whether the name is the same after it is escaped and parsed. */
static int back(const char *in) {
    char *out = NULL;
    all &= pathx_escape_name(in, &out) == 0;
    struct state s = {.errcode = PATHX_NOERROR};
    s.txt = s.pos = out ? out : in;
    char *name = parse_name(&s);
    int good = name && same(name, in) && *s.pos == '\0' && s.errcode == PATHX_NOERROR;
    free(name);
    free(out);
    return good;
}

int main(void) {
    plus_start();
    ok("a plain name needs no escaping", none("hosts") && none("a") && none("ipaddr-1_2"));
    ok("an empty name needs no escaping", none(""));
    ok("dots and stars and quotes need none",
       none("sshd_config.d") && none("a*b") && none("#comment") && none("'\"$:@"));
    ok("what was in OUT does not matter", none("plain") && is("a/b", "a\\/b"));
    ok("a slash is escaped", is("a/b", "a\\/b") && is("/", "\\/") && is("etc/", "etc\\/"));
    ok("brackets are escaped", is("a[1]", "a\\[1\\]") && is("]", "\\]"));
    ok("all other ends of a name are escaped",
       is("a|b", "a\\|b") && is("a=b", "a\\=b") && is("f(x)", "f\\(x\\)") && is("a!b", "a\\!b") && is("a,b", "a\\,b"));
    ok("a backslash is escaped", is("a\\b", "a\\\\b") && is("\\", "\\\\"));
    ok("several characters are each escaped", is("//[[", "\\/\\/\\[\\[") && is("x\\/y", "x\\\\\\/y"));
    ok("a name of such characters alone is escaped", is("][|/=()!,", "\\]\\[\\|\\/\\=\\(\\)\\!\\,"));
    ok("spaces are read back", back("a b") && back(" a") && back("a ") && back("  ") && back("a\t") && back("a\n"));
    ok("the words of expressions are read back", back("x or y") && back("x and y") && back("a else b") && back("or"));
    int good = 1;
    for (int c = 1; c < 128; c++) {
        char text[] = {c, 0}, inner[] = {'a', c, 'b', 0}, last[] = {'a', c, 0};
        good &= back(text) && back(inner) && back(last);
    }
    ok("each character is read back", good);
    static const char some[] = "ab \t\\/[]|=()!,.";
    good = 1;
    for (const char *a = some; *a; a++)
        for (const char *b = some; *b; b++) {
            char text[] = {*a, *b, 0}, inner[] = {'x', *a, *b, 'y', 0};
            good &= back(text) && back(inner);
        }
    ok("each pair of characters is read back", good);
    ok("a success is 0", all);
    long live = plus_live_blocks;
    char *out = NULL, in[] = "a/b c";
    int r = pathx_escape_name(in, &out);
    ok("the copy is the callers", r == 0 && plus_live(out) && out != in);
    free(out);
    none("plain");
    ok("nothing else is left in memory", plus_live_blocks == live);
    plus_fail_at = 1;
    r = pathx_escape_name("a/b", &out);
    plus_fail_at = 0;
    ok("without memory it is -1", r == -1 && plus_live_blocks == live);
    ok("the name stays as it was", same(in, "a/b c"));
    return plus_end();
}
