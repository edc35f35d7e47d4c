/*---
 * tasks: [adjust_recurse-a4de9e]
 * tests:
 *   a recursion to the group itself is moved: 'Docstring: items "that refer to the group itself".'
 *   one to a group within is moved: 'Docstring: "or any contained groups have to have their offsets adjusted".'
 *   one to an earlier group is not: 'Docstring: "earlier groups that are outside the current group".'
 *   one to just before the group is not: 'Docstring: "the group itself or any contained groups".'
 *   each of several recursions is moved: 'Docstring: "any OP_RECURSE items within it".'
 *   two recursions in a row are moved: 'Docstring: "any OP_RECURSE items within it".'
 *   a recursion before the group is left alone: 'Docstring: "within it"; group, "the start of the group".'
 *   nothing else of the code changes: 'Docstring: "have to have their offsets adjusted".'
 *   other amounts are added too: 'Docstring: adjust, "the amount by which the group is to be moved".'
 *   offsets above 255 are right: 'pcre_internal.h: GET and PUT, LINK_SIZE.'
 *   a group without recursions stays as it was: 'Docstring: "any OP_RECURSE items within it".'
 *   a forward reference keeps its number: 'Docstring: "it does not adjust the value in the reference".'
 *   another recursion beside it is moved: 'Docstring: "If it finds that one ... is on this list".'
 *   the forward reference list is moved: 'Docstring: "all the offsets in the forward reference list".'
 *   each of several forward references is moved: 'Docstring: "all the offsets in the forward reference list".'
 *   what is on the list before the group is not moved: 'Docstring: save_hwm_offset, "at the start of the group".'
 *   the list behind its end is left alone: 'compile_data: hwm, "High watermark of workspace".'
 *   an empty list is no problem: 'Docstring: "the list of such references for the group".'
 *   the end of the list stays: 'compile_data: hwm; callers go on with it.'
 *   in UTF mode characters of several bytes are passed over: 'Docstring: utf, "TRUE in UTF-8 mode".'
 *   a pattern with an optional group compiles to the right recursion: 'Docstring: "when a group is optional".'
 *   a pattern with a forward reference in an optional group does so: 'Docstring: "forward references".'
 ---*/
#include <config.h>
#include "../pcre_compile.c"
#include "plus.h"

static pcre_uchar code[1000], kept[1000], work[200], kept_work[200];
static int at, where[10], n, listed;
static compile_data data;

static void start(int room) {
    memset(code, 0, sizeof(code));
    memset(work, 0x55, sizeof(work));
    at = n = listed = 0;
    while (at < room) {
        code[at++] = OP_CHAR;
        code[at++] = 'a';
    }
}

static void item(int op, int c) {
    code[at++] = op;
    code[at++] = c;
}

static void recurse(int to) {
    where[n++] = at;
    code[at] = OP_RECURSE;
    PUT(code, at + 1, to);
    at += 1 + LINK_SIZE;
}

static void list(int offset) {
    PUT(work, listed, offset);
    listed += LINK_SIZE;
}

static int listed_at(int i) {
    return GET(work, i * LINK_SIZE);
}

static void adjust(int group, int amount, int utf, int from) {
    code[at] = OP_END;
    data.start_code = code;
    data.start_workspace = work;
    data.hwm = work + listed;
    memcpy(kept, code, sizeof(code));
    memcpy(kept_work, work, sizeof(work));
    adjust_recurse(code + group, amount, utf, &data, from * LINK_SIZE);
}

static int target(int i) {
    return GET(code, where[i] + 1);
}

/* Whether the code is as it was but for the offsets of the recursions. */
static int rest(void) {
    int i;
    for (i = 0; i < n; i++) memcpy(kept + where[i] + 1, code + where[i] + 1, LINK_SIZE);
    return !memcmp(code, kept, sizeof(code));
}

static int matches(const char *pattern, const char *text, int length) {
    const char *message;
    int offset, vector[30], r;
    pcre *re = pcre_compile(pattern, 0, &message, &offset, NULL);
    if (re == NULL) return 0;
    r = pcre_exec(re, NULL, text, strlen(text), 0, PCRE_ANCHORED, vector, 30);
    return length < 0 ? r == PCRE_ERROR_NOMATCH : r > 0 && vector[1] == length;
}

int main(void) {
    int good;
    start(20);
    recurse(20);                /* 0, before the group */
    item(OP_CHAR, 'b');
    recurse(25);                /* 1, the group itself */
    item(OP_STAR, 'c');
    recurse(30);                /* 2, a group within */
    recurse(4);                 /* 3, an earlier one */
    recurse(24);                /* 4, just before */
    recurse(25);                /* 5 */
    item(OP_CHAR, 'd');
    adjust(25, 1, 0, 0);
    ok("a recursion to the group itself is moved", target(1) == 26);
    ok("one to a group within is moved", target(2) == 31);
    ok("one to an earlier group is not", target(3) == 4);
    ok("one to just before the group is not", target(4) == 24);
    ok("each of several recursions is moved", target(1) == 26 && target(2) == 31 && target(5) == 26);
    ok("a recursion before the group is left alone", target(0) == 20);
    good = !memcmp(work, kept_work, sizeof(work)) && data.hwm == work;
    ok("nothing else of the code changes", rest());
    ok("an empty list is no problem", good);

    start(10);
    recurse(10);
    recurse(10);
    recurse(13);
    adjust(10, 4, 0, 0);
    good = target(0) == 14;
    ok("two recursions in a row are moved", target(0) == 14 && target(1) == 14 && target(2) == 17);
    adjust(10, 3, 0, 0);
    ok("other amounts are added too", good && target(0) == 17 && target(2) == 20);
    start(500);
    recurse(300);
    recurse(500);
    adjust(300, 1, 0, 0);
    good = target(0) == 301 && target(1) == 501;
    start(510);
    recurse(510);
    recurse(256);
    adjust(256, 2, 0, 0);
    ok("offsets above 255 are right", good && target(0) == 512 && target(1) == 258);
    start(20);
    item(OP_PLUS, 'x');
    adjust(10, 1, 0, 0);
    ok("a group without recursions stays as it was", rest());

    /* Forward references hold a group's number; the list holds the offset of the place in each. */
    start(20);
    list(7);
    recurse(99);
    recurse(20);
    recurse(98);
    recurse(21);
    list(where[0] + 1);
    list(where[2] + 1);
    adjust(20, 3, 0, 1);
    ok("a forward reference keeps its number", target(0) == 99 && target(2) == 98);
    ok("another recursion beside it is moved", target(1) == 23 && target(3) == 24);
    ok("the forward reference list is moved", listed_at(1) == where[0] + 4);
    ok("each of several forward references is moved", listed_at(1) == where[0] + 4 && listed_at(2) == where[2] + 4);
    ok("what is on the list before the group is not moved", listed_at(0) == 7);
    good = !memcmp(work + 3 * LINK_SIZE, kept_work + 3 * LINK_SIZE, 100);
    ok("the list behind its end is left alone", good && rest());
    ok("the end of the list stays", data.hwm == work + 3 * LINK_SIZE);

    start(10);
    item(OP_CHAR, 0xc3);
    code[at++] = OP_RECURSE | 0x80;
    item(OP_STAR, 0xe2);
    code[at++] = 0x82;
    code[at++] = 0xac;
    recurse(10);
    recurse(12);
    adjust(10, 1, 1, 0);
    ok("in UTF mode characters of several bytes are passed over", target(0) == 11 && target(1) == 13 && rest());

    ok("a pattern with an optional group compiles to the right recursion", matches("(a(?1)?b)?c", "aabbc", 5) &&
       matches("(x(y(?2)?z)*)?$", "xyyzzyz", 7) && matches("(p)(q(?1)(?2)?){0,3}$", "pqpqpqp", 7) &&
       matches("(a(?1)?b){0}(?1)", "aabb", 4) && matches("(?:(a|\\((?1)\\))*?)+;", "((a));", 6));
    ok("a pattern with a forward reference in an optional group does so", matches("(a(?2))?(b|c)$", "abc", 3) &&
       matches("(?:x(?1)y(?2))*(m)(n)$", "xmynxmynmn", 10) && matches("(a(?2)){0,2}(b)$", "ababb", 5) &&
       matches("(a(?2))?(b|c)$", "aa", -1));
    return plus_end();
}
