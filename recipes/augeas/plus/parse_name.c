/*---
 * tasks: [parse_name-20e1a9.2]
 * instead: [src/pathx.o]
 * tests:
 *   a name is read: 'Docstring: Name.'
 *   a name ends at what may follow it: 'pathx.c: NAME_FOLLOW; the docstring excludes them.'
 *   the position is behind the name: 'pathx.c: struct state, POS "Current position within TXT".'
 *   a name begins at the position: 'pathx.c: struct state, POS.'
 *   a name of one character is read: 'Docstring: Name is NameNoWS.'
 *   white space within a name stays: 'Docstring: NameWS.'
 *   white space at the end is no part of it: 'Docstring: Name ends with NameNoWS.'
 *   then the position is before the white space: 'Docstring: Name ends with NameNoWS; it is not read.'
 *   escaped white space at the end is part of it: 'Docstring: NameNoWS may be a backslash and any character.'
 *   white space behind an escaped backslash is not: 'backslash_escaped: "an odd number of backslashes".'
 *   escaped characters are part of the name: 'Docstring: a backslash and any character.'
 *   an escaped character may come first or last: 'Docstring: NameNoWS.'
 *   two backslashes are one: 'Docstring: a backslash and any character.'
 *   the words of expressions end a name: 'pathx.c grammar: or, and, else are operators between expressions.'
 *   such words may begin or end a name: 'pathx.c grammar: they are operators only between spaces.'
 *   nothing is no name: 'Docstring: at least one NameNoWS; PATHX_ENAME.'
 *   what may follow a name is no name: 'Docstring: at least one NameNoWS; PATHX_ENAME.'
 *   a backslash at the end is an error: 'Docstring: a backslash and any character; PATHX_ENAME.'
 *   the name is a block of its own: 'Callers free it.'
 *   nothing else is left in memory: 'Callers free the name; an error gives none.'
 *   a character behind an odd number of backslashes is escaped: 'backslash_escaped: "an odd number".'
 *   the search for backslashes stops at the start: 'backslash_escaped: "Stop the search when we get to START".'
 ---*/
#include "../pathx.c"
#include "plus.h"

/* Whether TEXT gives the name, after which REST follows. */
static int is(const char *text, const char *expected, const char *rest) {
    struct state s = {.errcode = PATHX_NOERROR, .txt = text, .pos = text};
    char *name = parse_name(&s);
    int good = same(name, expected) && same(s.pos, rest) && s.errcode == PATHX_NOERROR;
    free(name);
    return good;
}

static int fails(const char *text) {
    struct state s = {.errcode = PATHX_NOERROR, .txt = text, .pos = text};
    return parse_name(&s) == NULL && s.errcode == PATHX_ENAME;
}

int main(void) {
    plus_start();
    ok("a name is read", is("hosts", "hosts", "") && is("*x.y-1", "*x.y-1", ""));
    int good = 1;
    for (const char *p = "][|/=()!,"; *p; p++) {
        char text[] = {'a', 'b', *p, 'c', 0};
        good &= is(text, "ab", text + 2);
    }
    ok("a name ends at what may follow it", good);
    ok("the position is behind the name", is("a/b", "a", "/b") && is("alias[1]", "alias", "[1]"));
    struct state s = {.errcode = PATHX_NOERROR};
    s.txt = "first/second[1]";
    s.pos = s.txt + 6;
    char *name = parse_name(&s);
    ok("a name begins at the position", same(name, "second") && s.pos == s.txt + 12);
    ok("the name is a block of its own", plus_live(name));
    free(name);
    ok("a name of one character is read", is("x", "x", "") && is("x/", "x", "/"));
    ok("white space within a name stays", is("a b", "a b", "") && is("a \t b/c", "a \t b", "/c"));
    ok("white space at the end is no part of it", is("ab ", "ab", " ") && is("ab \t\n", "ab", " \t\n"));
    ok("then the position is before the white space", is("a  = 1", "a", "  = 1") && is("x ]", "x", " ]"));
    ok("escaped white space at the end is part of it", is("x\\ ", "x ", "") && is("x\\  ", "x ", " "));
    ok("white space behind an escaped backslash is not", is("x\\\\ ", "x\\", " ") && is("x\\\\\\ ", "x\\ ", ""));
    ok("escaped characters are part of the name",
       is("a\\/b", "a/b", "") && is("a\\[1\\]/c", "a[1]", "/c") && is("a\\=b\\!=", "a=b!", "="));
    ok("an escaped character may come first or last",
       is("\\/a", "/a", "") && is("a\\]", "a]", "") && is("\\ x", " x", ""));
    ok("two backslashes are one", is("a\\\\b", "a\\b", "") && is("\\\\", "\\", "") && is("\\\\/x", "\\", "/x"));
    ok("the words of expressions end a name",
       is("x or y", "x", " or y") && is("x and y", "x", " and y") && is("x else y", "x", " else y") &&
       is("a b  or c", "a b", "  or c"));
    ok("such words may begin or end a name",
       is("order", "order", "") && is("x orb", "x orb", "") && is("x or", "x or", "") && is("and", "and", "") &&
       is("x\\ or y", "x or y", ""));
    ok("nothing is no name", fails(""));
    ok("what may follow a name is no name", fails("/a") && fails("]") && fails("=1") && fails(",") && fails("(a)"));
    ok("a backslash at the end is an error", fails("abc\\") && fails("\\"));
    long live = plus_live_blocks;
    is("a\\/b c", "a/b c", "");
    fails("abc\\");
    fails("");
    ok("nothing else is left in memory", plus_live_blocks == live);
    const char *t = "a\\\\\\x";
    ok("a character behind an odd number of backslashes is escaped",
       backslash_escaped(t + 4, t) && backslash_escaped(t + 2, t) && !backslash_escaped(t + 3, t) &&
       !backslash_escaped(t + 1, t) && !backslash_escaped(t, t));
    ok("the search for backslashes stops at the start",
       backslash_escaped(t + 4, t + 3) && !backslash_escaped(t + 4, t + 2));
    return plus_end();
}
