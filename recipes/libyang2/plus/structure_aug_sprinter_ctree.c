/*---
 * tasks: [structure_aug_sprinter_ctree-2eea67.2]
 * instead: [src/plugins_exts/structure.c.o]
 * tests:
 *   a compiled instance is a success: 'plugins_exts.h: lyplg_ext_sprinter_ctree_clb, "LY_ERR value".'
 *   one group of nodes is added: 'lyplg_ext_sprinter_ctree_clb: it "must prepare the nodes that should be printed".'
 *   the group is that of the augment: 'lyplg_ext_sprinter_ctree_clb: "the contents of the extension".'
 *   the nodes are in their order: 'lyplg_ext_sprinter_ctree_clb: "the contents of the extension".'
 *   a parsed instance is a success: 'plugins_exts.h: lyplg_ext_sprinter_ptree_clb, "LY_ERR value".'
 *   the parsed nodes of the instance are added: 'lyplg_ext_sprinter_ptree_clb: "the contents of the extension".'
 *   another parsed instance adds its own nodes: 'lyplg_ext_sprinter_ptree_clb: "the contents of the extension".'
 *   the tree of the module has the nodes of each augment: 'plugins_exts.h: lyplg_ext, PRINTER_CTREE.'
 *   they stand below their own augment: 'lyplg_ext_sprinter_ctree_clb: "the contents of the extension".'
 *   they have no flags: 'RFC 8791, 4; structure.c: the nodes of a structure have none.'
 ---*/
#include "../plugins_exts/structure.c"
#include "yang.h"
#include "printer_internal.h"
#include "tree_schema_internal.h"

static struct lyspr_tree_ctx tree;

static const char *first(int i) {
    struct lyspr_tree_schema *s = &tree.schemas[i];
    return s->compiled ? s->ctree ? s->ctree->name : NULL : s->ptree ? s->ptree->name : NULL;
}

static const char *second(int i) {
    struct lyspr_tree_schema *s = &tree.schemas[i];
    if (s->compiled) return s->ctree->next ? s->ctree->next->name : NULL;
    return s->ptree->next ? s->ptree->next->name : NULL;
}

/* Whether the texts follow each other in TEXT. */
static int follow(const char *text, const char *const parts[]) {
    for (int i = 0; parts[i]; i++) {
        text = strstr(text, parts[i]);
        if (!text) return 0;
        text += strlen(parts[i]);
    }
    return 1;
}

int main(void) {
    plus_start();
    struct ly_ctx *ctx = yang_context(
        "module t {yang-version 1.1; namespace urn:t; prefix t; import ietf-yang-structure-ext {prefix sx;}"
        "sx:structure s {container c {leaf x {type string;}} container d {leaf x {type string;}}"
        "container f {leaf x {type string;}}}}");
    static const char augments[] =
        "module a {yang-version 1.1; namespace urn:a; prefix a; import t {prefix t;}"
        "import ietf-yang-structure-ext {prefix sx;}"
        "sx:augment-structure \"/t:s/t:c\" {leaf yy {type string;} leaf zz {type string;}}"
        "sx:augment-structure \"/t:s/t:d\" {leaf ww {type string;}}"
        "sx:augment-structure \"/t:s/t:f\" {leaf vv {type string;} leaf uu {type string;}}}";
    if (lys_parse_mem(ctx, augments, LYS_IN_YANG, NULL)) plus_die("Bail out! no module\n");
    struct lys_module *mod = ly_ctx_get_module_implemented(ctx, "a");
    struct lysc_ext_instance *one = NULL, *e;
    struct lysp_ext_instance *p1 = NULL, *p3 = NULL, *p;
    LY_ARRAY_COUNT_TYPE i;
    LY_ARRAY_FOR(mod->compiled->exts, i) {
        e = &mod->compiled->exts[i];
        if (same(e->argument, "/t:s/t:c")) one = e;
    }
    LY_ARRAY_FOR(mod->parsed->exts, i) {
        p = &mod->parsed->exts[i];
        if (same(p->argument, "/t:s/t:c")) p1 = p;
        if (same(p->argument, "/t:s/t:f")) p3 = p;
    }
    if (!one || !p1 || !p3) plus_die("Bail out! no instances\n");

    const char *flags = NULL, *opts = NULL;
    LY_ERR r = structure_aug_sprinter_ctree(one, &tree, &flags, &opts);
    ok("a compiled instance is a success", r == LY_SUCCESS);
    ok("one group of nodes is added", LY_ARRAY_COUNT(tree.schemas) == 1);
    if (LY_ARRAY_COUNT(tree.schemas) != 1) exit(1);
    ok("the group is that of the augment", same(first(0), "yy"));
    ok("the nodes are in their order", same(second(0), "zz"));
    r = structure_aug_sprinter_ptree(p1, &tree, &flags, &opts);
    ok("a parsed instance is a success", r == LY_SUCCESS && LY_ARRAY_COUNT(tree.schemas) == 2);
    ok("the parsed nodes of the instance are added",
       !tree.schemas[1].compiled && same(first(1), "yy") && same(second(1), "zz"));
    r = structure_aug_sprinter_ptree(p3, &tree, &flags, &opts);
    ok("another parsed instance adds its own nodes", !r && same(first(2), "vv") && same(second(2), "uu"));

    char *text = NULL;
    lys_print_mem(&text, mod, LYS_OUT_TREE, 0);
    ok("the tree of the module has the nodes of each augment",
       text && strstr(text, "yy?") && strstr(text, "zz?") && strstr(text, "ww?") && strstr(text, "vv?"));
    static const char *const order[] = {"augment-structure /t:s/t:c", "yy?", "zz?", "augment-structure /t:s/t:d",
                                        "ww?", "augment-structure /t:s/t:f", "vv?", "uu?", NULL};
    ok("they stand below their own augment", text && follow(text, order));
    ok("they have no flags", text && strstr(text, "+-- yy?") && strstr(text, "+-- ww?") && !strstr(text, "rw yy?"));
    return plus_end();
}
