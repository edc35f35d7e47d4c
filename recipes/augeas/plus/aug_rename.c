/*---
 * tasks: [aug_rename-0e1e92]
 * tests:
 *   the number of nodes is returned: 'Docstring: "The number of nodes renamed on success".'
 *   a node has its new label: 'Docstring: "Rename the label of all nodes matching SRC to LBL".'
 *   all nodes that match are renamed: 'Docstring: "all nodes matching SRC".'
 *   other nodes keep their labels: 'Docstring: "all nodes matching SRC".'
 *   value and children stay: 'Docstring: "Rename the label".'
 *   the place among the siblings stays: 'Docstring: "Rename the label".'
 *   the label is a copy: 'Docstring: LBL is const.'
 *   each node has its own label: 'internal.h: struct tree, LABEL; free_tree frees it.'
 *   the old label is freed: 'internal.h: struct tree, LABEL; free_tree frees one.'
 *   no node that matches gives 0: 'Docstring: "The number of nodes renamed".'
 *   a path without a slash is below the context: 'augeas.h: /augeas/context, as for other calls.'
 *   the node is dirty: 'internal.h: struct tree, DIRTY "which parts of the tree might need to be saved".'
 *   its file is dirty: 'internal.h: struct tree, DIRTY; FILE is the node of a file.'
 *   a label with a slash gives -1: 'Docstring: "-1 on failure"; augeas.h: AUG_ELABEL.'
 *   the error is AUG_ELABEL then: 'augeas.h: AUG_ELABEL, "Invalid label".'
 *   nothing is renamed then: 'Docstring: "-1 on failure".'
 *   a wrong path gives -1: 'Docstring: "-1 on failure".'
 *   the error is AUG_EPATHX then: 'augeas.h: AUG_EPATHX, "Invalid path expression".'
 *   after an error the next call is a success: 'augeas.h: aug_error, of the last call.'
 *   a label may have other characters: 'Docstring: "to LBL"; only a slash parts labels.'
 *   nothing is left in memory: 'Callers get a number.'
 ---*/
#include <config.h>
#include "internal.h"
#include "augeas.h"
#include "errcode.h"
#include "plus.h"

static struct augeas *aug;

static int has(const char *path, const char *value) {
    const char *v = NULL;
    return aug_get(aug, path, &v) == 1 && same(v, value);
}

int main(void) {
    plus_start();
    aug = aug_init("/", "", AUG_NO_STDINC | AUG_NO_LOAD | AUG_NO_MODL_AUTOLOAD);
    if (!aug) exit(2);
    aug_set(aug, "/files/t/a[1]", "1");
    aug_set(aug, "/files/t/a[2]", "2");
    aug_set(aug, "/files/t/other", "o");
    aug_set(aug, "/files/t/a[3]", "3");
    aug_set(aug, "/files/t/a[2]/child", "c");
    char label[] = "new";
    int r = aug_rename(aug, "/files/t/a[2]", label);
    ok("the number of nodes is returned", r == 1);
    ok("a node has its new label", has("/files/t/new", "2"));
    label[0] = 'X';
    ok("the label is a copy", has("/files/t/new", "2") && aug_get(aug, "/files/t/Xew", NULL) == 0);
    ok("value and children stay", has("/files/t/new/child", "c"));
    ok("the place among the siblings stays", has("/files/t/*[1]", "1") && has("/files/t/*[2]", "2"));
    ok("other nodes keep their labels",
       has("/files/t/a[1]", "1") && has("/files/t/a[2]", "3") && has("/files/t/other", "o"));
    aug_set(aug, "/files/u/a", "4");
    r = aug_rename(aug, "/files//a", "all");
    ok("all nodes that match are renamed",
       r == 3 && has("/files/t/all[1]", "1") && has("/files/t/all[2]", "3") && has("/files/u/all", "4") &&
       aug_match(aug, "/files//a", NULL) == 0);
    struct tree *t = tree_find(aug, "/files/t/all[1]"), *u = tree_find(aug, "/files/t/all[2]");
    ok("each node has its own label", t && u && plus_live(t->label) && plus_live(u->label) && t->label != u->label);
    char *before = t->label;
    aug_rename(aug, "/files/t/all[1]", "once");
    ok("the old label is freed", plus_dead(before) && plus_live(t->label) && same(t->label, "once"));
    r = aug_rename(aug, "/files/t/nowhere", "x");
    ok("no node that matches gives 0", r == 0 && aug_error(aug) == AUG_NOERROR);
    r = aug_rename(aug, "t/once", "below");
    ok("a path without a slash is below the context", r == 1 && has("/files/t/below", "1"));
    struct tree *file = tree_find(aug, "/files/t");
    file->file = true;
    tree_clean(aug->origin);
    file->dirty = t->dirty = u->dirty = false;
    aug_rename(aug, "/files/t/below", "dirty");
    ok("the node is dirty", t->dirty && !u->dirty);
    ok("its file is dirty", file->dirty);

    r = aug_rename(aug, "/files/t/dirty", "a/b");
    ok("a label with a slash gives -1", r == -1);
    ok("the error is AUG_ELABEL then", aug_error(aug) == AUG_ELABEL);
    ok("nothing is renamed then", has("/files/t/dirty", "1"));
    r = aug_rename(aug, "/files/t/dirty[", "x");
    ok("a wrong path gives -1", r == -1);
    ok("the error is AUG_EPATHX then", aug_error(aug) == AUG_EPATHX);
    r = aug_rename(aug, "/files/t/dirty", "fine");
    ok("after an error the next call is a success",
       r == 1 && aug_error(aug) == AUG_NOERROR && has("/files/t/fine", "1"));
    r = aug_rename(aug, "/files/t/fine", "a b[1]");
    ok("a label may have other characters", r == 1 && same(t->label, "a b[1]"));
    aug_rename(aug, "/files/t/*[1]", "mem");
    aug_rename(aug, "/files/t/mem", "a/b");
    aug_rename(aug, "/files/t/mem[", "x");
    long live = plus_live_blocks;
    aug_rename(aug, "/files/t/mem", "mem");
    aug_rename(aug, "/files/t/none", "mem");
    aug_rename(aug, "/files/t/mem", "a/b");
    aug_rename(aug, "/files/t/mem[", "x");
    ok("nothing is left in memory", plus_live_blocks == live);
    return plus_end();
}
