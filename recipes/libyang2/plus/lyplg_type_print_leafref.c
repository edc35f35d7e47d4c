/*---
 * tasks: [lyplg_type_print_leafref-120442]
 * tests:
 *   the value is printed by its real type: 'tree_data.h: lyd_value, REALTYPE; plugins_types.h: lyplg_type_print_clb.'
 *   what that returns is returned: 'lyplg_type_print_clb, "Data to be printed".'
 *   the context is passed on: 'lyplg_type_print_clb, CTX.'
 *   the value is passed on: 'lyplg_type_print_clb, VALUE.'
 *   the format is passed on: 'lyplg_type_print_clb, FORMAT.'
 *   the prefix data are passed on: 'lyplg_type_print_clb, PREFIX_DATA.'
 *   DYNAMIC is passed on: 'lyplg_type_print_clb, DYNAMIC tells whether the result is allocated.'
 *   the length is passed on: 'lyplg_type_print_clb, VALUE_LEN "Optional".'
 *   parameters that are optional may be NULL: 'lyplg_type_print_clb: both are optional for canonical values.'
 *   nothing at all is returned when printing fails: 'lyplg_type_print_clb, "NULL in case of error".'
 *   a leafref to a number is printed: 'plugins_types.h: the built-in leafref type.'
 *   a leafref to an identity has the prefix of the format: 'lyplg_type_print_clb, FORMAT "in which the data".'
 *   a leafref to bits is printed in LYB: 'lyplg_type_print_clb, FORMAT; LYB is binary.'
 ---*/
#include "yang.h"
#include "plugins_types.h"

static struct { const void *ctx, *value, *prefix, *dynamic, *len; int format, calls; } seen;
static const char result[] = "printed";
static const void *answer = result;

static const void *print(const struct ly_ctx *ctx, const struct lyd_value *value, LY_VALUE_FORMAT format,
                         void *prefix_data, ly_bool *dynamic, size_t *value_len) {
    seen.ctx = ctx;
    seen.value = value;
    seen.prefix = prefix_data;
    seen.dynamic = dynamic;
    seen.len = value_len;
    seen.format = format;
    seen.calls++;
    if (dynamic) *dynamic = 1;
    if (value_len) *value_len = 7;
    return answer;
}

static const struct lyd_value *value(struct lyd_node *n) {
    return &((struct lyd_node_term *)n)->value;
}

int main(void) {
    plus_start();
    struct lyplg_type plugin = {.id = "plus", .print = print};
    struct lysc_type type = {.plugin = &plugin, .basetype = LY_TYPE_STRING};
    struct lyd_value v = {.realtype = &type};
    struct ly_ctx *ctx = yang_context(
        "module m {namespace urn:m; prefix m; yang-version 1.1; identity b; identity d {base b;} leaf n {type int8;}"
        "leaf i {type identityref {base b;}} leaf s {type bits {bit x; bit y; bit z;}}"
        "leaf rn {type leafref {path \"../n\";}} leaf ri {type leafref {path \"../i\";}}"
        "leaf rs {type leafref {path \"../s\";}}}");
    int prefix;
    ly_bool dynamic = 0;
    size_t len = 0;
    const void *r = lyplg_type_print_leafref(ctx, &v, LY_VALUE_SCHEMA, &prefix, &dynamic, &len);
    ok("the value is printed by its real type", seen.calls == 1);
    ok("what that returns is returned", r == result);
    ok("the context is passed on", seen.ctx == ctx);
    ok("the value is passed on", seen.value == &v);
    ok("the format is passed on", seen.format == LY_VALUE_SCHEMA);
    ok("the prefix data are passed on", seen.prefix == &prefix);
    ok("DYNAMIC is passed on", dynamic == 1);
    ok("the length is passed on", len == 7);
    r = lyplg_type_print_leafref(ctx, &v, LY_VALUE_CANON, NULL, NULL, NULL);
    ok("parameters that are optional may be NULL", r == result && seen.format == LY_VALUE_CANON && !seen.prefix);
    answer = NULL;
    ok("nothing at all is returned when printing fails",
       lyplg_type_print_leafref(ctx, &v, LY_VALUE_JSON, NULL, &dynamic, &len) == NULL);

    struct lyd_node *n = yang_data(ctx, "{\"m:rn\": -5}", LYD_JSON);
    struct lyd_node *i = yang_data(ctx, "{\"m:ri\": \"d\"}", LYD_JSON);
    struct lyd_node *s = yang_data(ctx, "{\"m:rs\": \"z x\"}", LYD_JSON);
    r = lyplg_type_print_leafref(ctx, value(n), LY_VALUE_JSON, NULL, &dynamic, &len);
    ok("a leafref to a number is printed", r && same(r, "-5") && len == 2 && !dynamic);
    r = lyplg_type_print_leafref(ctx, value(i), LY_VALUE_JSON, NULL, &dynamic, &len);
    ok("a leafref to an identity has the prefix of the format", r && same(r, "m:d"));
    r = lyplg_type_print_leafref(ctx, value(s), LY_VALUE_LYB, NULL, &dynamic, &len);
    ok("a leafref to bits is printed in LYB", r && len == 1 && *(const char *)r == 5);
    return plus_end();
}
