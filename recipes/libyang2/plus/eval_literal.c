/*---
 * tasks: [eval_literal-c0e895.2]
 * instead: [src/xpath.c.o]
 * tests:
 *   the set is a string: 'xpath.h: lyxp_set_type, LYXP_SET_STRING; set_fill_string, "Fill XPath set with a string".'
 *   the string is what stands between the quotes: 'Docstring: "Evaluate Literal"; XPath 1.0, 3.7.'
 *   double quotes are left out too: 'XPath 1.0, 3.7: a literal is in either kind of quotes.'
 *   quotes of the other kind stay: 'XPath 1.0, 3.7.'
 *   a literal of one character is whole: 'XPath 1.0, 3.7.'
 *   an empty literal is an empty string: 'set_fill_string: "0 is a valid value".'
 *   an empty literal in the middle is empty: 'set_fill_string: "0 is a valid value".'
 *   the literal is that of the position: 'Docstring: "TOK_IDX Position in the expression".'
 *   the position goes on by one: 'Callers: after a literal the next token is looked at.'
 *   without a set the position goes on by one: 'Docstring: "On NULL the rule is only parsed".'
 *   the expression stays as it was: 'Docstring: EXP is const.'
 *   the string is a block of its own: 'xpath.c: lyxp_set_free_content frees it.'
 *   a string before is disposed of: 'set_fill_string: "Any current data are disposed of".'
 *   a number before is disposed of: 'set_fill_string: "Any current data are disposed of".'
 *   nodes before are disposed of: 'set_fill_string: "Any current data are disposed of".'
 *   a string may be cut short: 'set_fill_string: "Length of STRING".'
 *   a length of zero gives an empty string: 'set_fill_string: "0 is a valid value".'
 *   the context of the set stays: 'xpath.h: lyxp_set, the general context.'
 ---*/
#include "../xpath.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct lyxp_set set;

/* Evaluates the token AT of TEXT and says whether the set has that string. */
static int gives(const char *text, uint32_t at, const char *expected) {
    struct lyxp_expr *exp = NULL;
    if (lyxp_expr_parse(ctx, text, 0, 1, &exp)) plus_die("Bail out! not parsed\n");
    uint32_t i = at;
    eval_literal(exp, &i, &set);
    int good = i == at + 1 && set.type == LYXP_SET_STRING && same(set.val.str, expected);
    lyxp_expr_free(ctx, exp);
    return good;
}

int main(void) {
    plus_start();
    ctx = yang_context("module m {namespace urn:m; prefix m; leaf a {type string;} leaf b {type string;}}");
    set.ctx = ctx;
    set.type = LYXP_SET_BOOLEAN;
    struct lyxp_expr *exp = NULL;
    if (lyxp_expr_parse(ctx, "concat('one', \"two\", '')", 0, 1, &exp)) plus_die("Bail out! not parsed\n");
    char *text = strdup(exp->expr);
    uint32_t used = exp->used, i = 2;
    eval_literal(exp, &i, &set);
    ok("the position goes on by one", i == 3);
    ok("the set is a string", set.type == LYXP_SET_STRING);
    ok("the string is what stands between the quotes", set.type == LYXP_SET_STRING && same(set.val.str, "one"));
    ok("the string is a block of its own", plus_live(set.val.str));
    char *before = set.val.str;
    i = 4;
    eval_literal(exp, &i, &set);
    ok("the literal is that of the position", i == 5 && same(set.val.str, "two"));
    ok("a string before is disposed of", plus_dead(before));
    i = 4;
    eval_literal(exp, &i, NULL);
    ok("without a set the position goes on by one", i == 5 && same(set.val.str, "two"));
    i = 6;
    eval_literal(exp, &i, &set);
    ok("an empty literal in the middle is empty", i == 7 && set.type == LYXP_SET_STRING && same(set.val.str, ""));
    ok("the expression stays as it was", same(exp->expr, text) && exp->used == used && exp->tok_len[2] == 5);
    lyxp_expr_free(ctx, exp);

    ok("double quotes are left out too", gives("\"some text\"", 0, "some text"));
    ok("quotes of the other kind stay", gives("\"it's\"", 0, "it's") && gives("'a\"b\"'", 0, "a\"b\""));
    ok("a literal of one character is whole", gives("'x'", 0, "x") && gives("\"'\"", 0, "'"));
    ok("an empty literal is an empty string", gives("''", 0, "") && gives("\"\"", 0, ""));

    lyxp_set_free_content(&set);
    set.type = LYXP_SET_NUMBER;
    set.val.num = 4.25L;
    ok("a number before is disposed of", gives("'n'", 0, "n"));
    lyxp_set_free_content(&set);

    struct lyd_node *tree = yang_data(ctx, "{\"m:a\": \"x\", \"m:b\": \"y\"}", LYD_JSON);
    set.type = LYXP_SET_NODE_SET;
    set.used = set.size = 0;
    set_insert_node(&set, tree, 0, LYXP_NODE_ELEM, 0);
    set_insert_node(&set, tree->next, 0, LYXP_NODE_ELEM, 1);
    void *nodes = set.val.nodes;
    ok("nodes before are disposed of", gives("'t'", 0, "t") && plus_dead(nodes));
    lyxp_set_free_content(&set);
    lyd_free_all(tree);

    set_fill_string(&set, "longer text", 6);
    ok("a string may be cut short", set.type == LYXP_SET_STRING && same(set.val.str, "longer"));
    set_fill_string(&set, "longer text", 0);
    ok("a length of zero gives an empty string", set.type == LYXP_SET_STRING && same(set.val.str, ""));
    ok("the context of the set stays", set.ctx == ctx);
    lyxp_set_free_content(&set);
    return plus_end();
}
