/*---
 * tasks: [ns_add-bcfbf5.2]
 * instead: [src/pathx.o]
 * tests:
 *   a node is added at the end: 'Docstring of ns_add: "Add NODE to NS"; callers want document order.'
 *   an added node is marked: 'Docstring of ns_add: "This relies on the flag NODE->ADDED".'
 *   a marked node is not added again: 'Docstring of ns_add: "if it is not in NS yet".'
 *   a node can be added again when marks are cleared: 'Docstring of ns_add: "This relies on the flag".'
 *   an empty set grows: 'make_nodeset makes one without room.'
 *   a full set grows and keeps its nodes: 'Callers: eval_union adds to a clone that has room for its own alone.'
 *   a large set is whole: 'Docstring of ns_add: "Add NODE to NS".'
 *   the room is known: 'struct nodeset: size; ns_add compares it with used.'
 *   adding leaves the nodes but their marks as they were: 'Docstring of ns_add.'
 *   adding leaves the state without an error: 'Callers look for an error in the state (eval_union).'
 *   without memory there is an error: 'Callers look for an error in the state (eval_union).'
 *   a node that is there needs no memory: 'Docstring of ns_add: "if it is not in NS yet".'
 *   entries are removed: 'Docstring of ns_remove: "Remove COUNT successive entries from NS".'
 *   the first to be removed is at the index: 'Docstring of ns_remove: "The first entry to remove is at IND".'
 *   the others keep their order: 'Docstring of ns_remove; callers go on with them.'
 *   the first entries are removed: 'Docstring of ns_remove.'
 *   the last entries are removed: 'Caller ns_filter removes up to the end.'
 *   all entries are removed: 'Caller ns_filter removes up to the end.'
 *   to remove none changes nothing: 'Docstring of ns_remove: "Remove COUNT".'
 *   a negative count changes nothing: 'ns_remove: COUNT is an int; there are no such entries.'
 *   one entry of one is removed: 'Caller pathx_symtab_remove_descendants.'
 *   removed nodes live on: 'Docstring of ns_remove: entries of NS, not nodes of the tree.'
 *   nodes can be added after a removal: 'struct nodeset: used.'
 *   nothing is written outside the nodes of the set: 'struct nodeset: size.'
 ---*/
#include "../pathx.c"
#include "plus.h"

enum { MOST = 1000 };
static struct tree *tree[MOST];
static struct state state = {.errcode = PATHX_NOERROR};

static struct nodeset *set(int count, int room) {
    struct nodeset *ns = calloc(1, sizeof(*ns));
    ns->nodes = room ? malloc(room * sizeof(ns->nodes[0])) : NULL;
    for (int i = 0; i < count; i++) ns->nodes[i] = tree[i];
    ns->used = count;
    ns->size = room;
    return ns;
}

/* Whether the set has the nodes with the numbers in the text, a to z. */
static int has(struct nodeset *ns, const char *which) {
    if (ns->used != strlen(which)) return 0;
    for (size_t i = 0; i < ns->used; i++)
        if (ns->nodes[i] != tree[which[i] - 'a']) return 0;
    return 1;
}

static int without(int count, int ind, int n, const char *which) {
    struct nodeset *ns = set(count, count);
    ns_remove(ns, ind, n);
    int good = has(ns, which);
    free_nodeset(ns);
    return good;
}

int main(void) {
    plus_start();
    for (int i = 0; i < MOST; i++) {
        tree[i] = calloc(1, sizeof(*tree[i]));
        tree[i]->parent = tree[i];
        tree[i]->label = "label";
        tree[i]->value = "value";
    }
    struct nodeset *ns = make_nodeset(&state);
    ns_add(ns, tree[2], &state);
    ok("an empty set grows", has(ns, "c"));
    ns_add(ns, tree[0], &state);
    ns_add(ns, tree[1], &state);
    ok("a node is added at the end", has(ns, "cab"));
    ok("an added node is marked", tree[0]->added && tree[1]->added && tree[2]->added && !tree[3]->added);
    ns_add(ns, tree[0], &state);
    ns_add(ns, tree[2], &state);
    tree[5]->added = 1;
    ns_add(ns, tree[5], &state);
    tree[5]->added = 0;
    ok("a marked node is not added again", has(ns, "cab"));
    ns_clear_added(ns);
    ns_add(ns, tree[0], &state);
    ok("a node can be added again when marks are cleared", has(ns, "caba") && tree[0]->added);
    ns_clear_added(ns);
    ok("adding leaves the nodes but their marks as they were",
       same(tree[0]->label, "label") && same(tree[0]->value, "value") && tree[0]->parent == tree[0] &&
       !tree[0]->next && !tree[0]->children && !tree[0]->dirty && !tree[0]->file && !tree[0]->span);
    free_nodeset(ns);

    int good = 1, room = 1;
    for (int count = 0; count < 25; count++) {
        char which[] = "abcdefghijklmnopqrstuvwxyz";
        ns = set(count, count);
        ns_add(ns, tree[count], &state);
        room &= ns->size >= ns->used;
        which[count + 1] = 0;
        good &= has(ns, which);
        tree[count]->added = 0;
        free_nodeset(ns);
    }
    ok("a full set grows and keeps its nodes", good);
    ns = make_nodeset(&state);
    for (int i = 0; i < MOST; i++) {
        ns_add(ns, tree[i], &state);
        room &= ns->size >= ns->used &&
                ((struct plus_block *) ns->nodes - 1)->size >= ns->size * sizeof(ns->nodes[0]);
    }
    good = ns->used == MOST;
    for (int i = 0; i < MOST && good; i++) good &= ns->nodes[i] == tree[i];
    ok("a large set is whole", good);
    ok("the room is known", room);
    ns_clear_added(ns);
    free_nodeset(ns);
    ok("adding leaves the state without an error", state.errcode == PATHX_NOERROR);

    ns = set(3, 3);
    plus_fail_at = 1;
    ns_add(ns, tree[3], &state);
    plus_fail_at = 0;
    ok("without memory there is an error", state.errcode == PATHX_ENOMEM);
    state.errcode = PATHX_NOERROR;
    ns = set(3, 3);
    tree[3]->added = 0;
    tree[1]->added = 1;
    plus_fail_at = 1;
    ns_add(ns, tree[1], &state);
    plus_fail_at = 0;
    tree[1]->added = 0;
    ok("a node that is there needs no memory", state.errcode == PATHX_NOERROR && has(ns, "abc"));
    free_nodeset(ns);

    ok("entries are removed", without(6, 2, 3, "abf") && without(6, 1, 1, "acdef"));
    ok("the first to be removed is at the index", without(8, 3, 2, "abcfgh") && without(3, 1, 1, "ac"));
    ok("the others keep their order", without(20, 4, 7, "abcdlmnopqrst") && without(20, 1, 2, "adefghijklmnopqrst"));
    ok("the first entries are removed", without(5, 0, 2, "cde") && without(5, 0, 1, "bcde"));
    ok("the last entries are removed", without(5, 3, 2, "abc") && without(5, 4, 1, "abcd"));
    ok("all entries are removed", without(5, 0, 5, ""));
    ok("to remove none changes nothing", without(5, 2, 0, "abcde") && without(5, 5, 0, "abcde"));
    ok("a negative count changes nothing", without(5, 2, -1, "abcde"));
    ok("one entry of one is removed", without(1, 0, 1, ""));
    ns = set(6, 6);
    ns_remove(ns, 1, 3);
    ok("removed nodes live on", plus_live(tree[1]) && plus_live(tree[2]) && plus_live(tree[3]) && has(ns, "aef"));
    ns_add(ns, tree[1], &state);
    ns_add(ns, tree[6], &state);
    ok("nodes can be added after a removal", has(ns, "aefbg"));
    free_nodeset(ns);
    ns = set(6, 9);
    ns->nodes[6] = ns->nodes[7] = ns->nodes[8] = tree[9];
    ns_remove(ns, 0, 4);
    ok("nothing is written outside the nodes of the set",
       has(ns, "ef") && ns->nodes[6] == tree[9] && ns->nodes[7] == tree[9] && ns->nodes[8] == tree[9]);
    free_nodeset(ns);
    return plus_end();
}
