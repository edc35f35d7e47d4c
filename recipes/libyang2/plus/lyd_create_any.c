/*---
 * tasks: [lyd_create_any-4af56c]
 * tests:
 *   a node is created: 'Docstring: "Create an anyxml/anydata node".'
 *   it has its schema: 'Docstring: "Schema node of the new data node".'
 *   it is alone: 'tree_data.h: lyd_node, PREV "never NULL", points to itself.'
 *   it is new: 'Docstring: "flags are properly set"; tree_data.h: LYD_NEW, "created after the last validation".'
 *   its hash is calculated: 'Docstring: "Hash is calculated".'
 *   text is duplicated: 'Docstring: "use dynamic VALUE or duplicate it".'
 *   text that may be used is used: 'Docstring: "Whether to use dynamic VALUE".'
 *   XML text and JSON text of an anyxml stay text: 'Docstring: "Value type of the value".'
 *   a tree is duplicated: 'Docstring: "or duplicate it".'
 *   a tree that may be used is used: 'Docstring: "Whether to use dynamic VALUE".'
 *   XML text of an anydata is read as a tree: 'Callers; tree_data.h, lyd_new_any; RFC 7950, 7.10.'
 *   JSON text of an anydata is read as a tree: 'RFC 7950, 7.10, an anydata holds nodes.'
 *   a string of an anydata is read by its format: 'lyd_create_anydata_datatree, a string is of any format.'
 *   text of an anydata stays the callers: 'Docstring: "Whether to use dynamic VALUE or duplicate it".'
 *   text of an anydata that may be used is freed: 'Docstring: "Whether to use dynamic VALUE".'
 *   an anydata takes a tree as it is: 'Docstring: "Value of the any node".'
 *   an anydata without a value has an empty tree: 'lyd_create_anydata_datatree, "empty data tree".'
 *   wrong text of an anydata is an error: 'Docstring: "LY_ERR value if an error occurred".'
 *   then nothing is left in memory: 'Docstring: an error gives no node.'
 *   nothing is left of a node that is freed: 'Docstring: one node is created.'
 *   without memory it is LY_EMEM: 'Docstring: "LY_ERR value if an error occurred"; log.h: LY_EMEM.'
 ---*/
#include "yang.h"
#include "tree_data_internal.h"

static struct ly_ctx *ctx;
static const struct lysc_node *xml, *data;

static struct lyd_node_any *make(const struct lysc_node *schema, const void *value, int type, int use) {
    struct lyd_node *n = NULL;
    if (lyd_create_any(schema, value, type, use, &n) || !n) return NULL;
    return (struct lyd_node_any *)n;
}

static struct lyd_node *tree(void) {
    return yang_data(ctx, "{\"m:l\": \"in it\"}", LYD_JSON);
}

static int holds(struct lyd_node_any *a) {
    if (!a || a->value_type != LYD_ANYDATA_DATATREE || !a->value.tree) return 0;
    struct lyd_node *n = a->value.tree;
    return same(LYD_NAME(n), "l") && same(lyd_get_value(n), "in it") && !n->next;
}

static void drop(struct lyd_node_any *a) {
    if (a) lyd_free_tree(&a->node);
}

int main(void) {
    plus_start();
    ctx = yang_context("module m {namespace urn:m; prefix m; yang-version 1.1; anyxml x; anydata d;"
                       "leaf l {type string;} container c {anyxml x;}}");
    xml = lys_find_path(ctx, NULL, "/m:x", 0);
    data = lys_find_path(ctx, NULL, "/m:d", 0);
    struct lyd_node *n = NULL;
    char text[] = "some text";
    LY_ERR r = lyd_create_any(xml, text, LYD_ANYDATA_STRING, 0, &n);
    ok("a node is created", r == LY_SUCCESS && n);
    if (r || !n) exit(1);
    ok("it has its schema", n->schema == xml);
    ok("it is alone", n->prev == n && !n->next && !n->parent && !n->meta);
    ok("it is new", n->flags == LYD_NEW);
    uint32_t hash = n->hash;
    n->hash = 0;
    lyd_hash(n);
    ok("its hash is calculated", hash && hash == n->hash);
    struct lyd_node_any *a = (struct lyd_node_any *)n;
    ok("text is duplicated",
       a->value_type == LYD_ANYDATA_STRING && a->value.str != text && same(a->value.str, text));
    drop(a);
    long live = plus_live_blocks;
    a = make(xml, strdup("given away"), LYD_ANYDATA_STRING, 1);
    int used = a && a->value_type == LYD_ANYDATA_STRING && same(a->value.str, "given away");
    drop(a);
    ok("text that may be used is used", used && plus_live_blocks == live);
    a = make(xml, "<a/>", LYD_ANYDATA_XML, 0);
    int kept = a && a->value_type == LYD_ANYDATA_XML && same(a->value.str, "<a/>");
    drop(a);
    a = make(xml, strdup("{\"a\": 1}"), LYD_ANYDATA_JSON, 1);
    kept &= a && a->value_type == LYD_ANYDATA_JSON && same(a->value.str, "{\"a\": 1}");
    drop(a);
    ok("XML text and JSON text of an anyxml stay text", kept);

    struct lyd_node *t = tree();
    a = make(xml, t, LYD_ANYDATA_DATATREE, 0);
    ok("a tree is duplicated", holds(a) && a->value.tree != t && same(lyd_get_value(t), "in it"));
    drop(a);
    a = make(xml, t, LYD_ANYDATA_DATATREE, 1);
    ok("a tree that may be used is used", holds(a) && a->value.tree == t);
    drop(a);

    static const char in_xml[] = "<l xmlns=\"urn:m\">in it</l>", in_json[] = "{\"m:l\": \"in it\"}";
    a = make(data, in_xml, LYD_ANYDATA_XML, 0);
    ok("XML text of an anydata is read as a tree", holds(a));
    drop(a);
    a = make(data, in_json, LYD_ANYDATA_JSON, 0);
    ok("JSON text of an anydata is read as a tree", holds(a));
    drop(a);
    a = make(data, in_json, LYD_ANYDATA_STRING, 0);
    struct lyd_node_any *b = make(data, in_xml, LYD_ANYDATA_STRING, 0);
    ok("a string of an anydata is read by its format", holds(a) && holds(b));
    drop(a);
    drop(b);
    char *own = strdup(in_json);
    a = make(data, own, LYD_ANYDATA_JSON, 0);
    ok("text of an anydata stays the callers", holds(a) && plus_live(own) && same(own, in_json));
    drop(a);
    a = make(data, own, LYD_ANYDATA_JSON, 1);
    ok("text of an anydata that may be used is freed", holds(a) && plus_dead(own));
    drop(a);
    t = tree();
    a = make(data, t, LYD_ANYDATA_DATATREE, 1);
    b = make(data, t, LYD_ANYDATA_DATATREE, 0);
    ok("an anydata takes a tree as it is", holds(a) && a->value.tree == t && holds(b) && b->value.tree != t);
    drop(a);
    drop(b);
    a = make(data, NULL, LYD_ANYDATA_XML, 0);
    ok("an anydata without a value has an empty tree", a && a->value_type == LYD_ANYDATA_DATATREE && !a->value.tree);
    drop(a);

    ly_log_options(0);
    make(data, "plain words", LYD_ANYDATA_STRING, 0);
    make(data, "<l xmlns=\"urn:m\">", LYD_ANYDATA_XML, 0);
    live = plus_live_blocks;
    n = NULL;
    r = lyd_create_any(data, "plain words", LYD_ANYDATA_STRING, 0, &n);
    LY_ERR s = lyd_create_any(data, "<l xmlns=\"urn:m\">", LYD_ANYDATA_XML, 0, &n);
    ok("wrong text of an anydata is an error", r != LY_SUCCESS && s != LY_SUCCESS);
    ok("then nothing is left in memory", plus_live_blocks == live);
    for (int i = 0; i < 2; i++) {
        live = plus_live_blocks;
        drop(make(xml, "again", LYD_ANYDATA_STRING, 0));
        drop(make(data, in_json, LYD_ANYDATA_JSON, 0));
        drop(make(data, strdup(in_json), LYD_ANYDATA_JSON, 1));
        drop(make(xml, tree(), LYD_ANYDATA_DATATREE, 1));
    }
    ok("nothing is left of a node that is freed", plus_live_blocks == live);

    plus_fail_at = 1;
    r = lyd_create_any(xml, "no memory", LYD_ANYDATA_STRING, 0, &n);
    plus_fail_at = 0;
    ok("without memory it is LY_EMEM", r == LY_EMEM);
    return plus_end();
}
