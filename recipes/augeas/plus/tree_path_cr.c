/*---
 * tasks: [tree_path_cr-c010ed]
 * tests:
 *   a path is created: 'Docstring: "Create a path in the tree".'
 *   the last node is returned: 'Callers (augeas.c: aug_init) go on with the end of the path.'
 *   each node is a child of the one before: 'Docstring: "Create a path".'
 *   the labels are in their order: 'Docstring: "nodes along the path".'
 *   nodes that are there are used: 'Docstring: "nodes along the path are looked up".'
 *   what is missing is created below them: 'Docstring: "looked up with tree_child_cr".'
 *   the number of labels is kept to: 'internal.h: N labels follow.'
 *   no labels give the tree itself: 'Docstring: a path of no nodes.'
 *   nodes are created at the end: 'augeas.c: tree_child_cr appends.'
 *   nodes that were there keep value and children: 'Docstring: "looked up".'
 *   of nodes with the same label the first is used: 'augeas.c: tree_child looks up the first.'
 *   labels are copied: 'augeas.c: tree_child_cr; free_tree frees them.'
 *   a second time nothing is created: 'Docstring: "looked up with tree_child_cr".'
 *   without memory there is no node: 'Callers look for NULL.'
 ---*/
#include <config.h>
#include "internal.h"
#include "plus.h"

static int children(struct tree *t) {
    int n = 0;
    for (struct tree *c = t->children; c; c = c->next) n++;
    return n;
}

int main(void) {
    plus_start();
    struct tree *root = make_tree(strdup("root"), NULL, NULL, NULL);
    root->parent = root;
    char a[] = "a";
    struct tree *t = tree_path_cr(root, 3, a, "b", "c");
    ok("a path is created", children(root) == 1 && root->children->children && root->children->children->children);
    if (!root->children) exit(1);
    struct tree *one = root->children, *two = one->children, *three = two ? two->children : NULL;
    ok("the last node is returned", t && t == three);
    ok("each node is a child of the one before", three && three->parent == two && two->parent == one &&
       one->parent == root && children(one) == 1 && children(two) == 1 && children(three) == 0);
    ok("the labels are in their order", same(one->label, "a") && same(two->label, "b") && same(three->label, "c"));
    a[0] = 'x';
    ok("labels are copied", same(one->label, "a"));
    ok("a second time nothing is created",
       tree_path_cr(root, 3, "a", "b", "c") == three && children(root) == 1 && children(two) == 1);
    ok("the number of labels is kept to", tree_path_cr(root, 2, "a", "b", "z", NULL) == two && children(two) == 1);
    ok("nodes that are there are used", tree_path_cr(root, 1, "a") == one && tree_path_cr(one, 1, "b") == two);
    ok("no labels give the tree itself", tree_path_cr(root, 0) == root && tree_path_cr(two, 0) == two);
    tree_set_value(two, "kept");
    t = tree_path_cr(root, 4, "a", "b", "d", "e");
    ok("what is missing is created below them",
       t && same(t->label, "e") && t->parent->parent == two && same(t->parent->label, "d") && children(root) == 1);
    ok("nodes are created at the end", two->children == three && three->next == t->parent && !t->parent->next);
    ok("nodes that were there keep value and children", same(two->value, "kept") && children(two) == 2);
    struct tree *first = tree_append(root, strdup("m"), NULL), *second = tree_append(root, strdup("m"), NULL);
    t = tree_path_cr(root, 2, "m", "n");
    ok("of nodes with the same label the first is used", t && t->parent == first && children(second) == 0);
    int good = 1, failed = 0, at = 1;
    for (; at < 20; at++) {
        struct tree *top = make_tree(strdup("top"), NULL, NULL, NULL);
        top->parent = top;
        plus_fail_at = at;
        t = tree_path_cr(top, 2, "p", "q");
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= over == (t != NULL);
        failed += !t;
        if (over) break;
    }
    ok("without memory there is no node", good && failed > 0 && at < 20);
    return plus_end();
}
