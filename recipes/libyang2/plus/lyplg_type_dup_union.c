/*---
 * tasks: [lyplg_type_dup_union-ae4b53]
 * tests:
 *   a duplicate is a success: 'plugins_types.h: lyplg_type_dup_clb, "LY_SUCCESS after successful duplication".'
 *   the duplicate has the type of the original: 'lyplg_type_dup_clb, "filled with the duplicated data".'
 *   the duplicate has the canonical value: 'plugins_types.h: the callback duplicates "even" lyd_value._canonical.'
 *   the value of the union's type is duplicated: 'tree_data.h: lyd_value_union, VALUE.'
 *   the subtype is that of the original: 'tree_data.h: lyd_value_union, VALUE, its REALTYPE.'
 *   the parts of the union are its own: 'Both are freed by lyplg_type_free_union.'
 *   the original value is copied: 'tree_data.h: lyd_value_union, ORIGINAL and ORIG_LEN.'
 *   an original value with bytes of zero is whole: 'tree_data.h: lyd_value_union, ORIG_LEN; it may be binary LYB.'
 *   format, hints and node are kept: 'tree_data.h: lyd_value_union, FORMAT, HINTS and CTX_NODE.'
 *   the prefixes are copied: 'tree_data.h: lyd_value_union, PREFIX_DATA, "necessary to parse original value".'
 *   without prefixes there are none: 'plugins_types.h: lyplg_type_prefix_data_dup.'
 *   what was in the duplicate does not matter: 'lyplg_type_dup_clb: a "prepared" structure "to be filled".'
 *   the duplicate compares as the same: 'plugins_types.h: lyplg_type_compare_union.'
 *   the duplicate outlives the original: 'lyplg_type_dup_clb: it is duplicated data.'
 *   the original outlives the duplicate: 'lyplg_type_dup_clb: "const struct lyd_value *original".'
 *   the duplicate of a duplicate is the same: 'lyplg_type_dup_clb.'
 *   an empty value is duplicated: 'tree_data.h: lyd_value_union; a string may be empty.'
 *   the duplicate may be in another context: 'lyplg_type_dup_clb: the contexts "might not be the same".'
 *   nothing is left of a duplicate that is freed: 'lyplg_type_free_union.'
 *   without memory it is LY_EMEM: 'lyplg_type_dup_clb, "LY_ERR value on error"; log.h: LY_EMEM.'
 ---*/
#include "yang.h"
#include "plugins_types.h"
#include "xml.h"

static const char module[] =
    "module u {namespace urn:u; prefix u; yang-version 1.1; identity b; identity d {base b;}"
    "leaf i {type union {type int8; type identityref {base b;} type string;}}"
    "leaf s {type union {type int8; type string;}}}";

static struct ly_ctx *ctx;

static const struct lyd_value *value(const struct lyd_node *n) {
    return &((const struct lyd_node_term *)n)->value;
}

static struct lyd_value *dup_of(const struct lyd_value *v) {
    struct lyd_value *d = malloc(sizeof *d);
    memset(d, 0xee, sizeof *d);
    if (lyplg_type_dup_union(ctx, v, d) != LY_SUCCESS) plus_die("Bail out! not duplicated\n");
    return d;
}

static void drop(struct lyd_value *d) {
    lyplg_type_free_union(ctx, d);
    free(d);
}

static const char *printed(const struct lyd_value *v) {
    return lyplg_type_print_union(ctx, v, LY_VALUE_CANON, NULL, NULL, NULL);
}

int main(void) {
    plus_start();
    ctx = yang_context(module);
    struct lyd_node *xml = yang_data(ctx, "<i xmlns=\"urn:u\" xmlns:pre=\"urn:u\">pre:d</i>", LYD_XML);
    struct lyd_node *number = yang_data(ctx, "{\"u:i\": 7}", LYD_JSON);
    struct lyd_node *text = yang_data(ctx, "{\"u:s\": \"some text\"}", LYD_JSON);
    const struct lyd_value *v = value(xml);
    struct lyd_value_union *o = v->subvalue;

    struct lyd_value *d = malloc(sizeof *d);
    memset(d, 0xee, sizeof *d);
    LY_ERR r = lyplg_type_dup_union(ctx, v, d);
    ok("a duplicate is a success", r == LY_SUCCESS);
    if (r) exit(1);
    struct lyd_value_union *c = d->subvalue;
    ok("the duplicate has the type of the original", d->realtype == v->realtype);
    ok("the duplicate has the canonical value", same(d->_canonical, v->_canonical) && same(printed(d), "u:d"));
    ok("the value of the union's type is duplicated",
       c && same(c->value._canonical, o->value._canonical) && c->value.ident == o->value.ident);
    ok("the subtype is that of the original", c->value.realtype == o->value.realtype);
    ok("the parts of the union are its own", c != o && plus_live(c) && c->original != o->original);
    ok("the original value is copied",
       c->orig_len == o->orig_len && c->orig_len == 5 && !memcmp(c->original, "pre:d", 5));
    ok("format, hints and node are kept",
       c->format == o->format && c->format == LY_VALUE_XML && c->hints == o->hints && c->ctx_node == o->ctx_node &&
       c->ctx_node == xml->schema);
    const struct ly_set *ps = c->prefix_data, *os = o->prefix_data;
    int copied = ps && os && ps != os && ps->count == os->count;
    const struct lyxml_ns *found = copied ? lyxml_ns_get(ps, "pre", 3) : NULL;
    ok("the prefixes are copied", copied && found && same(found->uri, "urn:u") && found != lyxml_ns_get(os, "pre", 3));
    ok("what was in the duplicate does not matter", same(printed(d), "u:d"));
    ok("the duplicate compares as the same",
       lyplg_type_compare_union(v, d) == LY_SUCCESS && lyplg_type_compare_union(d, v) == LY_SUCCESS &&
       lyplg_type_compare_union(value(number), d) != LY_SUCCESS);
    struct lyd_value *e = dup_of(d);
    drop(d);
    c = e->subvalue;
    ok("the duplicate of a duplicate is the same",
       lyplg_type_compare_union(v, e) == LY_SUCCESS && c->orig_len == 5 && !memcmp(c->original, "pre:d", 5) &&
       lyxml_ns_get(c->prefix_data, "pre", 3));
    ok("the original outlives the duplicate", same(lyd_get_value(xml), "u:d") && !memcmp(o->original, "pre:d", 5));
    lyd_free_all(xml);
    ok("the duplicate outlives the original",
       same(printed(e), "u:d") && !memcmp(c->original, "pre:d", 5) && lyxml_ns_get(c->prefix_data, "pre", 3));
    drop(e);

    d = dup_of(value(number));
    e = dup_of(value(text));
    struct lyd_value_union *n = d->subvalue, *t = e->subvalue;
    const struct lyd_value_union *no = value(number)->subvalue, *to = value(text)->subvalue;
    int plain = !n->prefix_data == !no->prefix_data && !t->prefix_data == !to->prefix_data && n->value.int8 == 7 &&
                same(printed(e), "some text") && n->hints == no->hints && t->hints == to->hints &&
                n->format == LY_VALUE_JSON && t->orig_len == 9;
    ok("without prefixes there are none", plain);
    drop(d);
    drop(e);

    /* Such an original is what LYB has; the bytes alone matter here. */
    struct lyd_value_union *w = value(text)->subvalue;
    void *saved = w->original;
    size_t len = w->orig_len;
    w->original = (void *)"\1\0\0\0ab\0c";
    w->orig_len = 8;
    d = dup_of(value(text));
    w->original = saved;
    w->orig_len = len;
    c = d->subvalue;
    ok("an original value with bytes of zero is whole", c->orig_len == 8 && !memcmp(c->original, "\1\0\0\0ab\0c", 8));
    drop(d);

    struct lyd_node *empty = yang_data(ctx, "{\"u:s\": \"\"}", LYD_JSON);
    d = dup_of(value(empty));
    c = d->subvalue;
    ok("an empty value is duplicated",
       c->orig_len == 0 && same(printed(d), "") && lyplg_type_compare_union(d, value(empty)) == LY_SUCCESS);
    drop(d);

    struct ly_ctx *second = yang_context(NULL);
    struct lyd_node *gone = yang_data(ctx, "{\"u:s\": \"only here\"}", LYD_JSON);
    struct lyd_value far;
    r = lyplg_type_dup_union(second, value(gone), &far);
    const char *canonical = far._canonical, *other = NULL;
    lyd_free_all(gone);
    lydict_insert(second, "only here", 0, &other);
    c = far.subvalue;
    ok("the duplicate may be in another context",
       r == LY_SUCCESS && canonical == other && c->value._canonical == other && same(other, "only here"));
    lyplg_type_free_union(second, &far);
    lydict_remove(second, other);
    ly_ctx_destroy(second);

    drop(dup_of(value(text)));
    long live = plus_live_blocks;
    drop(dup_of(value(text)));
    drop(dup_of(value(number)));
    drop(dup_of(value(empty)));
    ok("nothing is left of a duplicate that is freed", plus_live_blocks == live);

    ly_log_options(0);
    int good = 1, failed = 0, at = 1;
    for (; at < 60; at++) {
        plus_fail_at = at;
        r = lyplg_type_dup_union(ctx, value(text), &far);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= r == (over ? LY_SUCCESS : LY_EMEM);
        failed += r != LY_SUCCESS;
        if (over) break;
    }
    ok("without memory it is LY_EMEM", good && failed > 0 && at < 60);
    return plus_end();
}
