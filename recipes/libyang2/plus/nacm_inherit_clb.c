/*---
 * tasks: [nacm_inherit_clb-35d3f2]
 * instead: [src/plugins_exts/nacm.c.o]
 * tests:
 *   a node inherits the extension: 'Docstring: "inheriting the NACM extension".'
 *   the new instance has the definition: 'Docstring: "inheriting"; tree_schema.h: lysc_ext_instance, DEF.'
 *   its parent is the node: 'tree_schema.h: lysc_ext_instance, PARENT "pointer to the parent element".'
 *   its statement is that of the node: 'tree_schema.h: lysc_ext_instance, PARENT_STMT "type of the parent".'
 *   the static variable is shared: 'nacm_compile: COMPILED points to a static variable.'
 *   an argument is inherited: 'tree_schema.h: lysc_ext_instance, ARGUMENT "optional".'
 *   an argument is in the dictionary: 'tree_schema.c: lysc_ext_instance_free removes it there.'
 *   without an argument there is none: 'tree_schema.h: ARGUMENT "optional".'
 *   a success is LY_SUCCESS: 'plugins_exts.h and tree_schema.h: lysc_dfs_clb, LY_SUCCESS goes on.'
 *   the children are visited too: 'lysc_dfs_clb: DFS_CONTINUE is set only to skip a subtree.'
 *   the parent itself stays as it is: 'nacm_compile: the node from which it is inherited has it already.'
 *   input and output do not inherit: 'RFC 8341: the extension is of data nodes, operations and notifications.'
 *   a node with its own instance keeps it: 'RFC 8341: the statement of the node itself holds for it.'
 *   its subtree is skipped: 'lysc_dfs_clb: DFS_CONTINUE; its own is inherited there.'
 *   an instance of another extension stays first: 'tree_schema.h: lysc_node, EXTS is a sized array.'
 *   and does not keep it from inheriting: 'RFC 8341: another extension says nothing of access.'
 *   its own may be behind another one: 'tree_schema.h: lysc_node, EXTS.'
 *   without memory it is LY_EMEM: 'lysc_dfs_clb: an error ends it; log.h: LY_EMEM.'
 ---*/
#include "../plugins_exts/nacm.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct lysc_ext def, other;
static struct lysc_ext_instance ext;
static struct nacm_dfs_arg arg = {.ext = &ext};

static struct lysc_node *get(const char *path) {
    struct lysc_node *n = (struct lysc_node *)lys_find_path(ctx, NULL, path, 0);
    if (!n) plus_die("Bail out! no such node\n");
    return n;
}

static int count(struct lysc_node *n) {
    return LY_ARRAY_COUNT(n->exts);
}

/* Gives a node an instance of another extension, or of the same. */
static int give(struct lysc_node *n, struct lysc_ext *e) {
    struct lysc_ext_instance *i;
    LY_ARRAY_NEW_RET(ctx, n->exts, i, 1);
    i->def = e;
    i->parent = n;
    return 0;
}

int main(void) {
    plus_start();
    ctx = yang_context(
        "module m {namespace urn:m; prefix m; yang-version 1.1; container p {leaf a {type string;}"
        "leaf-list b {type string;}"
        "list c {key k; leaf k {type string;} container d {presence x;}} leaf e {type string;} leaf f {type string;}"
        "leaf g {type string;} leaf h {type string;}}"
        "rpc r {input {leaf i {type string;}} output {leaf o {type string;}}}}");
    static int flag;
    static struct lyplg_ext plugin = {.id = "plus"};
    def.plugin = &plugin;
    ext.def = &def;
    ext.parent = get("/m:p");
    ext.parent_stmt = LY_STMT_CONTAINER;
    ext.compiled = &flag;
    arg.parent = get("/m:p");
    def.name = "default-deny-all";

    struct lysc_node *n = get("/m:p/a");
    ly_bool skip = 0;
    LY_ERR r = nacm_inherit_clb(n, &arg, &skip);
    ok("a node inherits the extension", count(n) == 1);
    if (count(n) != 1) exit(1);
    ok("the new instance has the definition", n->exts[0].def == &def);
    ok("its parent is the node", n->exts[0].parent == n);
    ok("the static variable is shared", n->exts[0].compiled == &flag);
    ok("without an argument there is none", n->exts[0].argument == NULL);
    ok("a success is LY_SUCCESS", r == LY_SUCCESS);
    int go_on = !skip, stmts = n->exts[0].parent_stmt == LY_STMT_LEAF;
    n = get("/m:p/b");
    nacm_inherit_clb(n, &arg, &skip);
    stmts &= count(n) == 1 && n->exts[0].parent_stmt == LY_STMT_LEAF_LIST;
    n = get("/m:p/c");
    nacm_inherit_clb(n, &arg, &skip);
    stmts &= count(n) == 1 && n->exts[0].parent_stmt == LY_STMT_LIST;
    n = get("/m:p/c/d");
    nacm_inherit_clb(n, &arg, &skip);
    stmts &= count(n) == 1 && n->exts[0].parent_stmt == LY_STMT_CONTAINER;
    ok("its statement is that of the node", stmts);
    ok("the children are visited too", go_on && !skip);

    r = nacm_inherit_clb(arg.parent, &arg, &skip);
    ok("the parent itself stays as it is", r == LY_SUCCESS && count(arg.parent) == 0 && !skip);
    struct lysc_node_action *rpc = (void *)get("/m:r");
    struct lysc_node *in = (void *)&rpc->input, *out = (void *)&rpc->output;
    r = nacm_inherit_clb(in, &arg, &skip);
    r |= nacm_inherit_clb(out, &arg, &skip);
    ok("input and output do not inherit", r == LY_SUCCESS && count(in) == 0 && count(out) == 0 && !skip);

    n = get("/m:p/e");
    give(n, &def);
    static int own;
    n->exts[0].compiled = &own;
    r = nacm_inherit_clb(n, &arg, &skip);
    ok("a node with its own instance keeps it", r == LY_SUCCESS && count(n) == 1 && n->exts[0].compiled == &own);
    ok("its subtree is skipped", skip);
    skip = 0;
    n = get("/m:p/f");
    give(n, &other);
    r = nacm_inherit_clb(n, &arg, &skip);
    ok("an instance of another extension stays first", n->exts[0].def == &other && n->exts[0].parent == n);
    ok("and does not keep it from inheriting",
       count(n) == 2 && n->exts[1].def == &def && n->exts[1].parent == n && !skip);
    n = get("/m:p/g");
    give(n, &other);
    give(n, &def);
    r = nacm_inherit_clb(n, &arg, &skip);
    ok("its own may be behind another one", r == LY_SUCCESS && count(n) == 2 && skip);

    skip = 0;
    char text[] = "the argument";
    ext.argument = text;
    n = get("/m:p/h");
    r = nacm_inherit_clb(n, &arg, &skip);
    const char *a = count(n) == 1 ? n->exts[0].argument : NULL;
    ok("an argument is inherited", r == LY_SUCCESS && a && same(a, text));
    const char *in_dict = NULL;
    lydict_insert(ctx, text, 0, &in_dict);
    ok("an argument is in the dictionary", a == in_dict && a != text);

    ly_log_options(0);
    ext.argument = NULL;
    ext.module = (struct lys_module *)get("/m:p")->module;
    n = get("/m:r/i");
    plus_fail_at = 1;
    r = nacm_inherit_clb(n, &arg, &skip);
    plus_fail_at = 0;
    ok("without memory it is LY_EMEM", r == LY_EMEM && count(n) == 0);
    return plus_end();
}
