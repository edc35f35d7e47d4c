/*---
 * tasks: [lyd_diff_userord_get-a5048c]
 * instead: [src/diff.c.o]
 * tests:
 *   an entry is created: 'Docstring: "Create if does not exist yet".'
 *   it has the schema node: 'diff.h: lyd_diff_userord, SCHEMA.'
 *   it begins at 0: 'diff.h: lyd_diff_userord, POS "Current position in the second tree".'
 *   it has all instances: 'Docstring: "for all the user-ordered list/leaf-list instances".'
 *   they are in their order: 'diff.h: lyd_diff_userord, INST "current instance order".'
 *   nodes of other schema nodes are not in it: 'Docstring: "for a specific user-ordered list/leaf-list".'
 *   any instance stands for all: 'Docstring: "Node from the first tree".'
 *   it is in the array: 'Docstring: "Sized array of userord items".'
 *   a second time the same entry is returned: 'Docstring: "Get a userord entry".'
 *   then nothing is added: 'Docstring: "Create if does not exist yet".'
 *   then the entry stays as it was: 'diff.h: it holds the current position and order.'
 *   another list has its own entry: 'Docstring: "for a specific user-ordered list/leaf-list".'
 *   without a node there are no instances: 'Docstring: "can be NULL (on create)".'
 *   an entry without instances is found again: 'Docstring: "Get a userord entry".'
 *   entries before stay: 'Docstring: "in,out".'
 *   many lists each have their entry: 'Docstring: "Sized array".'
 *   lists in a container are found: 'Docstring: "user-ordered list/leaf-list".'
 *   without memory there is no entry: 'diff.c: callers take NULL for LY_EMEM.'
 ---*/
#include "../diff.c"
#include "yang.h"

static int has(struct lyd_diff_userord *u, const char *values) {
    char out[100] = "";
    LY_ARRAY_COUNT_TYPE i;
    LY_ARRAY_FOR(u->inst, i) {
        const struct lyd_node *n = u->inst[i];
        strcat(out, lyd_get_value(n->schema->nodetype == LYS_LIST ? lyd_child(n) : n));
    }
    return same(out, values);
}

int main(void) {
    plus_start();
    struct ly_ctx *ctx = yang_context(
        "module m {namespace urn:m; prefix m; leaf-list a {type string; ordered-by user;}"
        "leaf-list b {type string; ordered-by user;} leaf-list e {type string; ordered-by user;}"
        "list k {key n; ordered-by user; leaf n {type string;}} leaf z {type string;}"
        "container c {leaf y {type string;} leaf-list q {type string; ordered-by user;}}}");
    struct lyd_node *tree = yang_data(ctx,
        "{\"m:a\": [\"3\", \"1\", \"2\"], \"m:b\": [\"x\", \"y\"], "
        "\"m:k\": [{\"n\": \"q\"}, {\"n\": \"p\"}], \"m:z\": \"9\","
        "\"m:c\": {\"y\": \"7\", \"q\": [\"5\", \"4\"]}}", LYD_JSON);
    struct lyd_node *a = NULL, *b = NULL, *k = NULL, *c = NULL, *n;
    LY_LIST_FOR(tree, n) {
        if (!a && same(LYD_NAME(n), "a")) a = n;
        if (!b && same(LYD_NAME(n), "b")) b = n;
        if (!k && same(LYD_NAME(n), "k")) k = n;
        if (!c && same(LYD_NAME(n), "c")) c = n;
    }
    const struct lysc_node *e = lys_find_path(ctx, NULL, "/m:e", 0);
    struct lyd_diff_userord *all = NULL, *u, *v;
    u = lyd_diff_userord_get(a->next, a->schema, &all);
    ok("an entry is created", u != NULL);
    if (!u) exit(1);
    ok("it has the schema node", u->schema == a->schema);
    ok("it begins at 0", u->pos == 0);
    ok("it has all instances", LY_ARRAY_COUNT(u->inst) == 3);
    ok("they are in their order", has(u, "312") && u->inst[0] == a && u->inst[2] == a->next->next);
    ok("any instance stands for all", u->inst[0] == a && has(u, "312"));
    ok("it is in the array", LY_ARRAY_COUNT(all) == 1 && u == &all[0]);
    u->pos = 5;
    u->inst[0] = a->next;
    const struct lyd_node **inst = u->inst;
    v = lyd_diff_userord_get(a, a->schema, &all);
    ok("a second time the same entry is returned", v == u);
    ok("then nothing is added", LY_ARRAY_COUNT(all) == 1 && LY_ARRAY_COUNT(v->inst) == 3);
    ok("then the entry stays as it was", v->pos == 5 && v->inst == inst && v->inst[0] == a->next);
    v = lyd_diff_userord_get(b, b->schema, &all);
    ok("another list has its own entry", v && v->schema == b->schema && v->pos == 0 && LY_ARRAY_COUNT(all) == 2);
    ok("nodes of other schema nodes are not in it", has(v, "xy"));
    v = lyd_diff_userord_get(NULL, e, &all);
    ok("without a node there are no instances", v && v->schema == e && v->pos == 0 && LY_ARRAY_COUNT(v->inst) == 0);
    v = lyd_diff_userord_get(NULL, e, &all);
    ok("an entry without instances is found again", v == &all[2] && LY_ARRAY_COUNT(all) == 3);
    v = lyd_diff_userord_get(k->next, k->schema, &all);
    int many = v && has(v, "qp") && LY_ARRAY_COUNT(all) == 4;
    n = lyd_child(c)->next;
    v = lyd_diff_userord_get(n, n->schema, &all);
    ok("lists in a container are found", v && has(v, "54") && LY_ARRAY_COUNT(all) == 5);
    ok("entries before stay", all[0].pos == 5 && all[0].inst == inst && has(&all[1], "xy"));
    ok("many lists each have their entry",
       many && lyd_diff_userord_get(b, b->schema, &all) == &all[1] &&
       lyd_diff_userord_get(k, k->schema, &all) == &all[3]);

    ly_log_options(0);
    int good = 1, failed = 0, at = 1;
    for (; at < 30; at++) {
        struct lyd_diff_userord *fresh = NULL;
        plus_fail_at = at;
        v = lyd_diff_userord_get(b, b->schema, &fresh);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= over == (v != NULL);
        failed += !v;
        if (over) break;
    }
    ok("without memory there is no entry", good && failed > 0 && at < 30);
    return plus_end();
}
