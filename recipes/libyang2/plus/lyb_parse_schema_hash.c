/*---
 * tasks: [lyb_parse_schema_hash-993301.2]
 * instead: [src/parser_lyb.c.o, src/lyb.c.o]
 * tests:
 *   a top-level node is found: 'Docstring: "MOD Module of the top-level node".'
 *   each top-level node is found by its hash: 'Docstring: "Parsed found schema node".'
 *   a child node is found: 'Docstring: "SPARENT Schema parent".'
 *   a node of several hashes is found: 'lyb.h: a "sequence of hashes with increasing collision ID".'
 *   all hashes have to match: 'lyb.h: a "sequence of hashes with increasing collision ID".'
 *   only the hashes are read: 'Docstring: "Parse schema node hash".'
 *   a hash of zero is an opaque node: 'Docstring: "may be NULL if opaque".'
 *   an unknown hash gives no node: 'dataparseroptions: LYD_PARSE_STRICT, without it unknown data are skipped.'
 *   an unknown hash is LY_EVALID when it is strict: 'dataparseroptions: LYD_PARSE_STRICT.'
 *   then there is no node: 'Docstring: "Parsed found schema node".'
 *   an unknown child is LY_EVALID when it is strict: 'dataparseroptions: LYD_PARSE_STRICT.'
 *   a known node is found when it is strict: 'Docstring: "Parsed found schema node".'
 *   what was in the node does not matter: 'Docstring: "out".'
 *   a node of a module that was not there is left out: 'lyb.h: lylyb_ctx, MODELS; lyb_has_schema_model.'
 *   a node of a module that was there is found: 'lyb.h: lylyb_ctx, MODELS; lyb_has_schema_model.'
 *   input is looked at without the option for replies: 'parser_internal.h: LYD_INTOPT_REPLY.'
 *   output is looked at in replies: 'parser_internal.h: LYD_INTOPT_REPLY; LYS_GETNEXT_OUTPUT.'
 *   an operation that is not expected is an error: 'parser_internal.h: lyd_parser_check_schema.'
 *   an operation that is expected is found: 'parser_internal.h: lyd_parser_check_schema, LYD_INTOPT_RPC.'
 *   state is an error when it is not allowed: 'dataparseroptions: LYD_PARSE_NO_STATE.'
 *   a module in the array is found: 'lyb_has_schema_model: "whether the module of NODE was found".'
 *   a module that is not in the array is not: 'lyb_has_schema_model: "whether the module of NODE was found".'
 *   an empty array has no module: 'lyb_has_schema_model: "Modules in a sized array".'
 ---*/
#include "../lyb.c"
#include "../parser_lyb.c"
#include "yang.h"

static struct ly_ctx *ctx;
static const struct lys_module *m, *n;
static const struct lysc_node *found;
static struct lyd_lyb_ctx lyd;
static struct lylyb_ctx lyb;
static size_t took;

static const struct lysc_node *get(const char *path, int output) {
    const struct lysc_node *s = lys_find_path(ctx, NULL, path, output);
    if (!s) plus_die("Bail out! no such node\n");
    return s;
}

static LY_ERR parse(const char *bytes, const struct lysc_node *parent, const struct lys_module *mod) {
    if (ly_in_new_memory(bytes, &lyb.in)) plus_die("Bail out! no input\n");
    lyd.lybctx = &lyb;
    found = (const void *)&lyd;
    LY_ERR r = lyb_parse_schema_hash(&lyd, parent, mod, &found);
    took = lyb.in->current - lyb.in->start;
    ly_in_free(lyb.in, 0);
    return r;
}

/* The COUNT hashes of the node, the last collision first, as they are printed. */
static char *hashes(const struct lysc_node *node, int count) {
    static char out[9];
    memset(out, 0, sizeof out);
    for (int i = 0; i < count; i++) out[i] = lyb_get_hash(node, count - 1 - i);
    out[count] = 1;
    return out;
}

static int finds(const struct lysc_node *node, const struct lysc_node *parent, const struct lys_module *mod) {
    return parse(hashes(node, 1), parent, mod) == LY_SUCCESS && found == node && took == 1;
}

int main(void) {
    plus_start();
    ctx = yang_context(
        "module m {namespace urn:m; prefix m; yang-version 1.1; leaf a {type string;} leaf b {type string;}"
        "container c {leaf x {type string;} leaf y {type string;}} leaf s {config false; type string;}"
        "rpc r {input {leaf i {type string;}} output {leaf o {type string;}}}}");
    if (lys_parse_mem(ctx, "module n {namespace urn:n; prefix n; import m {prefix m;}"
                      "augment /m:c {leaf z {type string;}} leaf t {type string;}}", LYS_IN_YANG, NULL))
        plus_die("Bail out! no module\n");
    m = ly_ctx_get_module_implemented(ctx, "m");
    n = ly_ctx_get_module_implemented(ctx, "n");
    lyb_cache_module_hash(m);
    lyb_cache_module_hash(n);
    lyb.ctx = ctx;
    const struct lysc_node *a = get("/m:a", 0), *b = get("/m:b", 0), *c = get("/m:c", 0), *x = get("/m:c/x", 0);
    const struct lysc_node *y = get("/m:c/y", 0), *z = get("/m:c/n:z", 0), *s = get("/m:s", 0), *r = get("/m:r", 0);
    const struct lysc_node *i = get("/m:r/i", 0), *o = get("/m:r/o", 1), *all[] = {a, b, c, x, y, z, s, r};
    LY_ARRAY_CREATE(ctx, lyb.models, 2, exit(2));
    lyb.models[0] = m;
    LY_ARRAY_INCREMENT(lyb.models);
    ok("a top-level node is found", finds(a, NULL, m));
    ok("each top-level node is found by its hash", finds(b, NULL, m) && finds(c, NULL, m) && finds(s, NULL, m));
    ok("a child node is found", finds(x, c, NULL) && finds(y, c, NULL));
    ok("a node of several hashes is found",
       parse(hashes(b, 2), NULL, m) == LY_SUCCESS && found == b && took == 2 &&
       parse(hashes(y, 3), c, NULL) == LY_SUCCESS && found == y && took == 3);
    char text[] = {lyb_get_hash(b, 1) ^ 1, lyb_get_hash(b, 0), 1, 0};
    ok("all hashes have to match", parse(text, NULL, m) == LY_SUCCESS && found == NULL && took == 2);
    parse(hashes(a, 1), NULL, m);
    ok("only the hashes are read", took == 1);
    LY_ERR e = parse("", NULL, m);
    ok("a hash of zero is an opaque node", e == LY_SUCCESS && found == NULL);
    unsigned char free_hash[] = {0x80, 1, 0};
    for (int used = 1; used; free_hash[0] += used) {
        used = 0;
        for (int k = 0; k < 8; k++) used |= lyb_get_hash(all[k], 0) == free_hash[0];
    }
    e = parse((char *)free_hash, NULL, m);
    ok("an unknown hash gives no node", e == LY_SUCCESS && found == NULL);
    ok("what was in the node does not matter", found == NULL && finds(a, NULL, m));
    ok("a node of a module that was not there is left out", parse(hashes(z, 1), c, NULL) == LY_SUCCESS && !found);
    lyb.models[1] = n;
    LY_ARRAY_INCREMENT(lyb.models);
    ok("a node of a module that was there is found", finds(z, c, NULL) && finds(x, c, NULL));
    ly_log_options(0);
    lyd.parse_opts = LYD_PARSE_STRICT;
    e = parse((char *)free_hash, NULL, m);
    ok("an unknown hash is LY_EVALID when it is strict", e == LY_EVALID);
    ok("then there is no node", found == NULL);
    ok("an unknown child is LY_EVALID when it is strict", parse((char *)free_hash, c, NULL) == LY_EVALID);
    ok("a known node is found when it is strict", finds(a, NULL, m) && finds(x, c, NULL));
    lyd.parse_opts = 0;
    ok("input is looked at without the option for replies",
       finds(i, r, NULL) && parse(hashes(o, 1), r, NULL) == LY_SUCCESS && found != o);
    e = parse(hashes(r, 1), NULL, m);
    ok("an operation that is not expected is an error", e == LY_EVALID);
    lyd.int_opts = LYD_INTOPT_REPLY;
    ok("output is looked at in replies",
       finds(o, r, NULL) && parse(hashes(i, 1), r, NULL) == LY_SUCCESS && found != i);
    lyd.int_opts = LYD_INTOPT_RPC;
    ok("an operation that is expected is found", finds(r, NULL, m));
    lyd.int_opts = 0;
    lyd.parse_opts = LYD_PARSE_NO_STATE;
    ok("state is an error when it is not allowed", parse(hashes(s, 1), NULL, m) == LY_EVALID && finds(a, NULL, m));
    ok("a module in the array is found", lyb_has_schema_model(a, lyb.models) && lyb_has_schema_model(z, lyb.models));
    LY_ARRAY_DECREMENT(lyb.models);
    ok("a module that is not in the array is not", !lyb_has_schema_model(z, lyb.models));
    ok("an empty array has no module", !lyb_has_schema_model(a, NULL));
    return plus_end();
}
