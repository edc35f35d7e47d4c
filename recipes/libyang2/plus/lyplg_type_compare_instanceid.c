/*---
 * tasks: [lyplg_type_compare_instanceid-a655eb]
 * tests:
 *   a value is the same as itself: 'plugins_types.h: lyplg_type_compare_clb, "LY_SUCCESS if values are same".'
 *   values that were stored apart are the same: 'plugins_types.h: lyplg_type_compare_clb.'
 *   values of different types differ: 'lyplg_type_compare_clb: LY_ENOT "must always be returned".'
 *   paths to different nodes differ: 'lyplg_type_compare_clb, "LY_ENOT if values differ".'
 *   paths that differ in a node before the last differ: 'lyplg_type_compare_clb, "LY_ENOT if values differ".'
 *   a path differs from a longer one: 'lyplg_type_compare_clb, "LY_ENOT if values differ".'
 *   a path differs from a shorter one: 'lyplg_type_compare_clb, "LY_ENOT if values differ".'
 *   the same keys are the same: 'path.h: ly_path, predicates; lyplg_type_compare_clb.'
 *   different values of a key differ: 'path.h: ly_path, predicates; lyplg_type_compare_clb.'
 *   each of several keys counts: 'path.h: ly_path, predicates, a sized array.'
 *   predicates before the last node count: 'path.h: ly_path, predicates of each segment.'
 *   predicates behind other predicates count: 'path.h: ly_path, predicates of each segment.'
 *   a node behind a predicate counts: 'path.h: ly_path, NODE of each segment.'
 *   keys are compared as their type does: 'path.h: ly_path_predicate, VALUE; plugins_types.h: compare.'
 *   the same leaf-list value is the same: 'path.h: LY_PATH_PREDTYPE_LEAFLIST.'
 *   different leaf-list values differ: 'path.h: LY_PATH_PREDTYPE_LEAFLIST.'
 *   leaf-list values are compared as their type does: 'path.h: ly_path_predicate, VALUE; plugins_types.h: compare.'
 *   the same position is the same: 'path.h: LY_PATH_PREDTYPE_POSITION.'
 *   different positions differ: 'path.h: LY_PATH_PREDTYPE_POSITION.'
 *   it does not matter which comes first: 'lyplg_type_compare_clb: values are same or differ.'
 *   the values stay as they were: 'lyplg_type_compare_clb: "const struct lyd_value *".'
 *   nothing is left in memory: 'lyplg_type_compare_clb: it returns whether they are the same.'
 ---*/
#include "yang.h"
#include "path.h"
#include "plugins_types.h"

static const char module[] =
    "module t {namespace urn:t; prefix t; yang-version 1.1;"
    "container c {leaf x {type string;} leaf y {type string;} container d {leaf x {type string;}}"
    "  container e {leaf x {type string;}}}"
    "list l {key 'a b'; leaf a {type string;} leaf b {type int8;} leaf v {type string;} leaf w {type string;}"
    "  list m {key k; leaf k {type string;} leaf v {type string;}}}"
    "leaf-list ll {type string;} leaf-list li {type int8;}"
    "list kl {config false; leaf v {type string;}}"
    "list r {key n; leaf n {type string;}"
    "  leaf i {type instance-identifier {require-instance false;}}"
    "  leaf j {type instance-identifier {require-instance false;}}}}";

static struct ly_ctx *ctx;
static int turns = 1;

static struct lyd_node *entry(const char *leaf, const char *path) {
    char text[1000];
    snprintf(text, sizeof text, "{\"t:r\":[{\"n\":\"1\",\"%s\":\"%s\"}]}", leaf, path);
    return yang_data(ctx, text, LYD_JSON);
}

static const struct lyd_value *value(struct lyd_node *tree) {
    return &((struct lyd_node_term *)lyd_child(tree)->next)->value;
}

static LY_ERR compare(const char *a, const char *b) {
    struct lyd_node *s = entry("i", a), *t = entry("i", b);
    LY_ERR r = lyplg_type_compare_instanceid(value(s), value(t));
    turns &= r == lyplg_type_compare_instanceid(value(t), value(s));
    lyd_free_all(s);
    lyd_free_all(t);
    return r;
}

static int equal(const char *a, const char *b) {
    return compare(a, b) == LY_SUCCESS;
}

static int differ(const char *a, const char *b) {
    return compare(a, b) == LY_ENOT;
}

int main(void) {
    plus_start();
    ctx = yang_context(module);
    struct lyd_node *s = entry("i", "/t:l[a='p'][b='1']/v"), *t = entry("j", "/t:l[a='p'][b='1']/v");
    ok("a value is the same as itself", lyplg_type_compare_instanceid(value(s), value(s)) == LY_SUCCESS);
    struct lyd_value other = *value(s);
    other.realtype = value(t)->realtype;
    if (other.realtype == value(s)->realtype) {
        static struct lysc_type_instanceid type;
        type = *(struct lysc_type_instanceid *)other.realtype;
        other.realtype = (struct lysc_type *)&type;
    }
    ok("values of different types differ",
       lyplg_type_compare_instanceid(value(s), &other) == LY_ENOT &&
       lyplg_type_compare_instanceid(&other, value(s)) == LY_ENOT);
    const char *canonical = lyd_get_value(lyd_child(s)->next);
    ok("the values stay as they were", same(canonical, "/t:l[a='p'][b='1']/v"));

    ok("values that were stored apart are the same",
       equal("/t:c/x", "/t:c/x") && equal("/t:c", "/t:c") && equal("/t:c/d/x", "/t:c/d/x"));
    ok("paths to different nodes differ", differ("/t:c/x", "/t:c/y") && differ("/t:c/d", "/t:c/e"));
    ok("paths that differ in a node before the last differ", differ("/t:c/d/x", "/t:c/e/x"));
    ok("a path differs from a longer one", differ("/t:c", "/t:c/x") && differ("/t:c/d", "/t:c/d/x"));
    ok("a path differs from a shorter one", differ("/t:c/d/x", "/t:c/d") && differ("/t:c/x", "/t:c"));
    ok("the same keys are the same",
       equal("/t:l[a='p'][b='1']", "/t:l[a='p'][b='1']") && equal("/t:l[a='p'][b='1']/v", "/t:l[a='p'][b='1']/v"));
    ok("different values of a key differ", differ("/t:l[a='p'][b='1']/v", "/t:l[a='q'][b='1']/v"));
    ok("each of several keys counts",
       differ("/t:l[a='p'][b='1']", "/t:l[a='p'][b='2']") && differ("/t:l[a='p'][b='1']", "/t:l[a='q'][b='1']"));
    ok("predicates before the last node count",
       differ("/t:l[a='p'][b='1']/m[k='z']/v", "/t:l[a='p'][b='3']/m[k='z']/v"));
    ok("predicates behind other predicates count",
       differ("/t:l[a='p'][b='1']/m[k='z']/v", "/t:l[a='p'][b='1']/m[k='y']/v") &&
       equal("/t:l[a='p'][b='1']/m[k='z']/v", "/t:l[a='p'][b='1']/m[k='z']/v"));
    ok("a node behind a predicate counts", differ("/t:l[a='p'][b='1']/v", "/t:l[a='p'][b='1']/w"));
    ok("keys are compared as their type does",
       equal("/t:l[a='p'][b='1']", "/t:l[a='p'][b='+01']") && differ("/t:l[a='1'][b='1']", "/t:l[a='01'][b='1']"));
    ok("the same leaf-list value is the same", equal("/t:ll[.='u']", "/t:ll[.='u']"));
    ok("different leaf-list values differ",
       differ("/t:ll[.='u']", "/t:ll[.='v']") && differ("/t:li[.='1']", "/t:li[.='2']"));
    ok("leaf-list values are compared as their type does",
       equal("/t:li[.='7']", "/t:li[.='07']") && differ("/t:ll[.='7']", "/t:ll[.='07']"));
    ok("the same position is the same", equal("/t:kl[2]", "/t:kl[2]") && equal("/t:kl[4]/v", "/t:kl[4]/v"));
    ok("different positions differ",
       differ("/t:kl[1]", "/t:kl[2]") && differ("/t:kl[1]/v", "/t:kl[11]/v") &&
       differ("/t:kl[4294967297]", "/t:kl[1]"));
    ok("it does not matter which comes first", turns);
    long live = plus_live_blocks;
    struct lyd_node *u = entry("i", "/t:l[a='p'][b='1']/v");
    long more = plus_live_blocks;
    lyplg_type_compare_instanceid(value(s), value(u));
    ok("nothing is left in memory", plus_live_blocks == more && more > live);
    return plus_end();
}
