/*---
 * tasks: [json_print_opaq-9af5b2]
 * instead: [src/printer_json.c.o]
 * tests:
 *   a string is printed in quotes: 'tree_data.h: LYD_VALHINT_STRING; RFC 7951, 6.1 and 6.6.'
 *   a node without hints is a string: 'tree_data.h: hints of values; RFC 7951.'
 *   a number is printed without quotes: 'tree_data.h: LYD_VALHINT_DECNUM; RFC 7951, 6.1.'
 *   a boolean is printed without quotes: 'tree_data.h: LYD_VALHINT_BOOLEAN; RFC 7951, 6.3.'
 *   a number of 64 bits is printed in quotes: 'tree_data.h: LYD_VALHINT_NUM64; RFC 7951, 6.1.'
 *   an empty value is a null in brackets: 'tree_data.h: LYD_VALHINT_EMPTY; RFC 7951, 6.9.'
 *   attributes follow the value: 'Docstring: "including its attributes"; RFC 7952, 5.2.2.'
 *   a node with children is an object: 'tree_data.h: lyd_node_opaq, CHILD; RFC 7951, 5.2.'
 *   attributes of an object are in it: 'Docstring: "including its attributes"; RFC 7952, 5.2.1.'
 *   a leaf-list is one array: 'tree_data.h: LYD_NODEHINT_LEAFLIST; RFC 7951, 5.3.'
 *   a leaf-list of one value is an array: 'tree_data.h: LYD_NODEHINT_LEAFLIST; RFC 7951, 5.3.'
 *   a list is one array of objects: 'tree_data.h: LYD_NODEHINT_LIST; RFC 7951, 5.4.'
 *   a list entry without children is an empty object: 'tree_data.h: LYD_NODEHINT_LIST; RFC 7951, 5.4.'
 *   two lists next to each other are two arrays: 'printer_json.c: matching_node compares names.'
 *   siblings are parted by commas: 'printer_json.c: LEVEL_PRINTED, "used to decide if a comma is expected".'
 *   after an array a comma is expected: 'printer_json.c: LEVEL_PRINTED.'
 *   with format a leaf is indented: 'printer_internal.h: LY_PRINT_SHRINK, INDENT.'
 *   with format a leaf-list has a value in each line: 'printer_internal.h: LY_PRINT_SHRINK, INDENT.'
 *   with format a list has its brackets in lines: 'printer_internal.h: LY_PRINT_SHRINK, INDENT.'
 *   the level is what it was: 'printer_json.c: jsonpr_ctx, LEVEL "current indentation level".'
 *   no array stays open: 'printer_json.c: jsonpr_ctx, OPEN "currently open array(s)".'
 *   a success is LY_SUCCESS: 'Docstring: "LY_ERR value".'
 ---*/
#include "../printer_json.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct lyd_node *tree;
static int leveled = 1, closed = 1, all = 1;

/* Adds a node without a schema to the siblings, or to a parent. */
static struct lyd_node *add(struct lyd_node *parent, const char *name, const char *value, int hints) {
    struct lyd_node *n = NULL;
    if (lyd_new_opaq(parent, ctx, name, value, NULL, "m", &n)) plus_die("Bail out! no node\n");
    ((struct lyd_node_opaq *)n)->hints = hints;
    if (!parent) lyd_insert_sibling(tree, n, &tree);
    return n;
}

/* Prints all siblings and forgets them. */
static int gives_as(const char *expected, int options) {
    char *text = NULL;
    struct ly_out *out = NULL;
    struct lyd_node *n;
    ly_out_new_memory(&text, 0, &out);
    struct jsonpr_ctx p = {.out = out, .root = tree, .level = 1, .options = options, .ctx = ctx};
    LY_LIST_FOR(tree, n) all &= json_print_opaq(&p, (struct lyd_node_opaq *)n) == LY_SUCCESS;
    leveled &= p.level == 1 && p.parent == NULL;
    closed &= p.open.count == 0;
    int good = same(text, expected);
    ly_out_free(out, NULL, 0);
    lyd_free_all(tree);
    tree = NULL;
    free(text);
    return good;
}

static int gives(const char *expected) {
    return gives_as(expected, LY_PRINT_SHRINK);
}

int main(void) {
    plus_start();
    ctx = yang_context(NULL);
    int leaf = LYD_NODEHINT_LEAFLIST, list = LYD_NODEHINT_LIST;
    add(NULL, "a", "x y", LYD_VALHINT_STRING);
    ok("a string is printed in quotes", gives("\"m:a\":\"x y\""));
    add(NULL, "a", "5", 0);
    ok("a node without hints is a string", gives("\"m:a\":\"5\""));
    add(NULL, "a", "-5.25", LYD_VALHINT_DECNUM);
    ok("a number is printed without quotes", gives("\"m:a\":-5.25"));
    add(NULL, "a", "true", LYD_VALHINT_BOOLEAN);
    ok("a boolean is printed without quotes", gives("\"m:a\":true"));
    add(NULL, "a", "12345678901", LYD_VALHINT_STRING | LYD_VALHINT_NUM64);
    add(NULL, "b", "9", LYD_VALHINT_DECNUM | LYD_VALHINT_NUM64);
    ok("a number of 64 bits is printed in quotes", gives("\"m:a\":\"12345678901\",\"m:b\":\"9\""));
    add(NULL, "a", "", LYD_VALHINT_EMPTY);
    ok("an empty value is a null in brackets", gives("\"m:a\":[null]"));
    struct lyd_node *n = add(NULL, "a", "1", LYD_VALHINT_DECNUM);
    lyd_new_attr(n, "o", "note", "text", NULL);
    ok("attributes follow the value", gives("\"m:a\":1,\"@m:a\":{\"o:note\":\"text\"}"));
    n = add(NULL, "c", NULL, 0);
    add(n, "x", "1", LYD_VALHINT_DECNUM);
    add(n, "y", "2", 0);
    ok("a node with children is an object", gives("\"m:c\":{\"x\":1,\"y\":\"2\"}"));
    n = add(NULL, "c", NULL, 0);
    add(n, "x", "1", LYD_VALHINT_DECNUM);
    lyd_new_attr(n, "o", "note", "text", NULL);
    ok("attributes of an object are in it", gives("\"m:c\":{\"@\":{\"o:note\":\"text\"},\"x\":1}"));
    for (int i = 0; i < 3; i++) add(NULL, "l", i == 0 ? "7" : i == 1 ? "8" : "9", leaf | LYD_VALHINT_DECNUM);
    ok("a leaf-list is one array", gives("\"m:l\":[7,8,9]"));
    add(NULL, "l", "q", leaf | LYD_VALHINT_STRING);
    ok("a leaf-list of one value is an array", gives("\"m:l\":[\"q\"]"));
    for (int i = 0; i < 3; i++) {
        n = add(NULL, "k", NULL, list);
        add(n, "n", i == 0 ? "7" : i == 1 ? "8" : "9", LYD_VALHINT_DECNUM);
    }
    ok("a list is one array of objects", gives("\"m:k\":[{\"n\":7},{\"n\":8},{\"n\":9}]"));
    add(NULL, "k", NULL, list);
    ok("a list entry without children is an empty object", gives("\"m:k\":[{}]"));
    add(NULL, "l", "1", leaf | LYD_VALHINT_DECNUM);
    add(NULL, "l", "2", leaf | LYD_VALHINT_DECNUM);
    add(NULL, "j", "3", leaf | LYD_VALHINT_DECNUM);
    add(NULL, "j", "4", leaf | LYD_VALHINT_DECNUM);
    ok("two lists next to each other are two arrays", gives("\"m:l\":[1,2],\"m:j\":[3,4]"));
    add(NULL, "a", "1", LYD_VALHINT_DECNUM);
    add(NULL, "b", "2", 0);
    add(NULL, "c", "", LYD_VALHINT_EMPTY);
    ok("siblings are parted by commas", gives("\"m:a\":1,\"m:b\":\"2\",\"m:c\":[null]"));
    add(NULL, "l", "1", leaf | LYD_VALHINT_DECNUM);
    add(NULL, "b", "2", 0);
    n = add(NULL, "k", NULL, list);
    add(n, "n", "7", LYD_VALHINT_DECNUM);
    add(NULL, "d", "3", LYD_VALHINT_DECNUM);
    ok("after an array a comma is expected", gives("\"m:l\":[1],\"m:b\":\"2\",\"m:k\":[{\"n\":7}],\"m:d\":3"));
    add(NULL, "a", "x", 0);
    ok("with format a leaf is indented", gives_as("  \"m:a\": \"x\"", 0));
    add(NULL, "l", "1", leaf | LYD_VALHINT_DECNUM);
    add(NULL, "l", "2", leaf | LYD_VALHINT_DECNUM);
    ok("with format a leaf-list has a value in each line", gives_as("  \"m:l\": [\n    1,\n    2\n  ]", 0));
    n = add(NULL, "k", NULL, list);
    add(n, "n", "7", LYD_VALHINT_DECNUM);
    ok("with format a list has its brackets in lines",
       gives_as("  \"m:k\": [\n    {\n      \"n\": 7\n    }\n  ]", 0));
    ok("the level is what it was", leveled);
    ok("no array stays open", closed);
    ok("a success is LY_SUCCESS", all);
    return plus_end();
}
