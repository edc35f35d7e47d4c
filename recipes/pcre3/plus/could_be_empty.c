/*---
 * tasks: [could_be_empty-ca1454]
 * tests:
 *   a branch that can match the empty string gives TRUE: 'Docstring: "TRUE if what is matched could be empty".'
 *   a branch that needs a character gives FALSE: 'Docstring: "to see if it could match the empty string".'
 *   an empty branch gives TRUE: 'Docstring: "TRUE if what is matched could be empty".'
 *   a character behind the end does not matter: 'Docstring: endcode, "points to where to stop".'
 *   if the inner branch could be empty the outer is looked at: 'Docstring: "If it could, we must look outwards".'
 *   if both could be empty it gives TRUE: 'Docstring: "TRUE if what is matched could be empty".'
 *   if the inner needs a character it gives FALSE at once: 'Docstring: "If it could, we must look outwards".'
 *   beyond the bracket of the recursion nothing is looked at: 'Docstring: "stopping when we pass beyond the bracket".'
 *   the bracket of the recursion itself is looked at: 'Docstring: "the bracket which is the subject".'
 *   without any branch it gives TRUE: 'Docstring: bcptr, "the chain of current (unclosed) branch starts".'
 *   of three levels the middle one counts: 'Docstring: "look outwards for branches at other levels".'
 *   of three levels the outermost one counts: 'Docstring: "look outwards for branches at other levels".'
 *   of three empty levels none hinders: 'Docstring: "look outwards for branches at other levels".'
 *   of three levels those beyond the bracket do not count: 'Docstring: "stopping when we pass beyond the bracket".'
 *   a chain of branches all beyond the bracket gives TRUE: 'Docstring: "stopping when we pass beyond".'
 *   in UTF mode characters of several bytes are passed over: 'Docstring: utf, "TRUE if in UTF-8 mode".'
 *   the chain stays as it was: 'Docstring: bcptr, "points to the chain".'
 *   a left recursion is an error: 'Docstring: "called to check for left recursive calls"; error 40.'
 *   a left recursion to an outer group is an error: 'Docstring: "look outwards for branches at other levels".'
 *   a left recursion in UTF mode is an error: 'Docstring: utf.'
 *   a recursion behind a character is none: 'Docstring: "to see if it could match the empty string".'
 *   a recursion behind a character of an outer group is none: 'Docstring: "look outwards".'
 *   a recursion to an inner group behind an outer character is an error: 'Docstring: "stopping when we pass beyond".'
 ---*/
#include <config.h>
#include "../pcre_compile.c"
#include "plus.h"

static pcre_uchar code[200];
static int at;
static compile_data data;
static branch_chain chain[3], kept[3];

static void start(void) {
    memset(code, 0, sizeof(code));
    at = 0;
}

/* An open bracket; gives its place. */
static int open_bracket(void) {
    int here = at;
    code[at] = OP_BRA;
    at += 1 + LINK_SIZE;
    return here;
}

static void item(int op, int c) {
    code[at++] = op;
    code[at++] = c;
}

/* What comes of the branches at A (the innermost), B and C, of which -1 is none, for a recursion to the bracket TO. */
static int empty(int to, int a, int b, int c, int utf) {
    int starts[3] = {a, b, c}, i, n = 0, r;
    for (i = 0; i < 3 && starts[i] >= 0; i++) n++;
    for (i = 0; i < n; i++) {
        chain[i].current_branch = code + starts[i];
        chain[i].outer = i + 1 < n ? chain + i + 1 : NULL;
    }
    data.start_code = code;
    memcpy(kept, chain, sizeof(chain));
    r = could_be_empty(code + to, code + at, n ? chain : NULL, utf, &data);
    return memcmp(kept, chain, sizeof(chain)) ? -1 : r != 0;
}

static int error(const char *pattern, int options) {
    int code = 0, offset;
    const char *message;
    pcre_compile2(pattern, options, &code, &message, &offset, NULL);
    return code;
}

int main(void) {
    int a, b, c, end, r, same = 1;
    start();
    a = open_bracket();
    item(OP_STAR, 'x');
    item(OP_QUERY, 'y');
    ok("a branch that can match the empty string gives TRUE", empty(a, a, -1, -1, 0) == 1);
    item(OP_CHAR, 'x');
    ok("a branch that needs a character gives FALSE", empty(a, a, -1, -1, 0) == 0);
    at -= 2;
    ok("a character behind the end does not matter", empty(a, a, -1, -1, 0) == 1 && code[at] == OP_CHAR);
    start();
    a = open_bracket();
    ok("an empty branch gives TRUE", empty(a, a, -1, -1, 0) == 1);

    start();
    a = open_bracket();
    item(OP_CHAR, 'x');
    b = open_bracket();
    item(OP_STAR, 'y');
    ok("if the inner branch could be empty the outer is looked at", empty(a, b, a, -1, 0) == 0);
    ok("the bracket of the recursion itself is looked at", empty(a, a, -1, -1, 0) == 0 && empty(b, b, a, -1, 0) == 1);
    ok("beyond the bracket of the recursion nothing is looked at", empty(b, b, a, -1, 0) == 1);
    ok("a chain of branches all beyond the bracket gives TRUE", empty(b, a, -1, -1, 0) == 1);
    ok("without any branch it gives TRUE", empty(a, -1, -1, -1, 0) == 1);
    start();
    a = open_bracket();
    item(OP_QUERY, 'x');
    b = open_bracket();
    item(OP_STAR, 'y');
    ok("if both could be empty it gives TRUE", empty(a, b, a, -1, 0) == 1);
    item(OP_PLUS, 'z');
    ok("if the inner needs a character it gives FALSE at once",
       empty(a, b, a, -1, 0) == 0 && empty(b, b, a, -1, 0) == 0);

    start();
    a = open_bracket();
    item(OP_STAR, 'x');
    b = open_bracket();
    item(OP_CHAR, 'y');
    c = open_bracket();
    item(OP_STAR, 'z');
    ok("of three levels the middle one counts", empty(a, c, b, a, 0) == 0 && empty(b, c, b, a, 0) == 0);
    r = empty(c, c, b, a, 0) == 1;
    code[b - 2] = OP_CHAR;
    code[c - 2] = OP_STAR;
    ok("of three levels the outermost one counts", empty(a, c, b, a, 0) == 0);
    ok("of three levels those beyond the bracket do not count",
       r && empty(b, c, b, a, 0) == 1 && empty(c, c, b, a, 0) == 1);
    code[b - 2] = OP_STAR;
    ok("of three empty levels none hinders", empty(a, c, b, a, 0) == 1);

    start();
    a = open_bracket();
    item(OP_STAR, 0xc3);
    code[at++] = 0xa9;
    item(OP_QUERY, 0xe2);
    code[at++] = 0x82;
    code[at++] = 0xac;
    b = open_bracket();
    r = empty(a, b, a, -1, 1) == 1;
    item(OP_STAR, 0xc3);
    code[at++] = 0xa9;
    item(OP_CHAR, 'a');
    ok("in UTF mode characters of several bytes are passed over", r && empty(a, b, a, -1, 1) == 0);
    ok("the chain stays as it was", empty(a, b, a, -1, 1) == 0 && empty(b, b, a, -1, 1) == 0);

    ok("a left recursion is an error", error("(a*(?1))", 0) == 40 && error("a?(?R)", 0) == 40 &&
       error("(|(?1)b)", 0) == 40);
    ok("a left recursion to an outer group is an error",
       error("(a*(b?(?1)))", 0) == 40 && error("(a*(?:b*(?1)c))", 0) == 40);
    ok("a left recursion in UTF mode is an error", error("(\xc3\xa9*(\xe2\x82\xac?(?1)))", PCRE_UTF8) == 40);
    ok("a recursion behind a character is none", error("(a(?1)|b)", 0) == 0 && error("a(?R)?", 0) == 0 &&
       error("(\xc3\xa9*a(?1)?)", PCRE_UTF8) == 0);
    ok("a recursion behind a character of an outer group is none", error("(a(b*(?1)|c))", 0) == 0 &&
       error("(ab(?:c*(?:d?(?1))|e))", 0) == 0);
    ok("a recursion to an inner group behind an outer character is an error", error("(a(b*(?2)))", 0) == 40 &&
       error("x(y*(?1))", 0) == 40);
    return plus_end();
}
