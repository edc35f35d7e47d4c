/*---
 * tasks: [split_concat-a44e83]
 * instead: [src/put.o]
 * tests:
 *   there is a piece for each child of the lens: 'Callers go through pieces and children together.'
 *   each piece begins at its first node: 'put.c: struct split, "The TREE field points to the first tree node".'
 *   each piece ends before the first node that is not its own:
 *     'put.c: struct split, "FOLLOW points to the first sibling [...] not part of the split anymore".'
 *   each piece has its own part of the encoding: 'Callers: applies matches from START to END in ENC.'
 *   the pieces are in the order of the children: 'Callers walk them with next_split.'
 *   pieces share the encoding of the outer split: 'Callers use list_free, which does not free ENC.'
 *   a repeated child takes all of its nodes: 'Docstring: "according to the L_CONCAT lens".'
 *   a repeated child may take none: 'Docstring: "according to the L_CONCAT lens".'
 *   a child without nodes has an empty piece: 'Callers: put_lens is called for it too.'
 *   groups within a child do not shift the next ones: 'regexp.h: regexp_nsub; get.c says how NREG is adjusted.'
 *   a split in the middle of the siblings is refined: 'Docstring: "Refine a tree split"; struct split, a sublist.'
 *   what lies behind the end of the split is left out: 'put.c: struct split, END.'
 *   a leaf gives empty pieces without nodes: 'Comment: leaf nodes "will always lead to an empty split".'
 *   a leaf gives a piece for each child: 'Callers: put_error "Not enough components in concat".'
 *   a leaf with a lens that needs a node is an error: 'Caller put_concat: the tree must match the lens.'
 *   an empty list of nodes may match a lens with subtrees: 'Docstring: "according to the L_CONCAT lens".'
 *   a tree that does not match gives nothing: 'put.c: regexp_match_error; callers take NULL for too few pieces.'
 *   it is an error of the state: 'put.c: regexp_match_error.'
 *   the error names the lens: 'put.c: put_error and regexp_match_error, LENS.'
 *   a node too many is an error: 'Docstring: OUTER is refined, so all of it.'
 *   a node too few is an error: 'Docstring: OUTER is refined according to the lens.'
 *   after an error the outer split still has its encoding: 'Callers put back the old split and go on with its ENC.'
 *   no error is told of a tree that matches: 'Callers: put_lens stops once there is an error.'
 *   the state keeps its split and position: 'Callers set them with set_split.'
 *   the tree and the outer split stay as they were: 'Callers put back the old split and go on.'
 *   nothing but the pieces is left in memory: 'Callers free the list of pieces alone.'
 *   a mismatch leaves nothing in memory but the error: 'Callers free nothing then.'
 ---*/
#include "lenses.h"
#include "../put.c"

static struct split *pieces[16];
static int count;

/* Refines what STATE holds and lists the pieces. */
static struct split *refine(struct state *state, struct lens *lens) {
    struct split *all = split_concat(state, lens);
    count = 0;
    for (struct split *s = all; s && count < 16; s = s->next) pieces[count++] = s;
    return all;
}

/* Whether piece I has the nodes from TREE to before FOLLOW and the encoding TEXT at START. */
static int is(int i, struct tree *tree, struct tree *follow, const char *text, size_t start) {
    struct split *s = pieces[i];
    return i < count && s->tree == tree && s->follow == follow && s->start == start &&
           s->end == start + strlen(text) && !strncmp(s->enc + s->start, text, strlen(text));
}

static struct lens *node(const char *name) {
    return subtree(label(name));
}

/* Whether TREE does not match LENS and this is told, once and properly. */
static int fails(struct state *state, struct lens *lens, struct tree *tree, int *told, int *named, int *kept) {
    struct split *outer = state->split = make_split(tree);
    char *text = strdup(outer->enc);
    struct split *all = split_concat(state, lens);
    int good = all == NULL;
    *told = state->error != NULL && state->error->message != NULL;
    *named = state->error != NULL && state->error->lens == lens;
    *kept = state->split == outer && !plus_dead(outer) && !plus_dead(outer->enc) && same(text, outer->enc);
    free(text);
    free_lns_error(state->error);
    state->error = NULL;
    free_split(outer);
    return good;
}

int main(void) {
    lenses_start();
    struct state state;
    memset(&state, 0, sizeof(state));
    state.path = (char *)"/files/x";
    state.info = info;

    struct lens *abc = concat(node("a"), concat(star(node("b")), node("c")));
    const char *const labels[][2] = {{"a", NULL}, {"b", NULL}, {"b", NULL}, {"b", NULL}, {"c", NULL}};
    struct tree *t = nodes(5, labels), *n[6] = {t};
    for (int i = 1; i < 6; i++) n[i] = n[i-1]->next;
    struct split *outer = state.split = make_split(t), before = *outer;
    char *text = strdup(outer->enc);
    state.pos = 77;

    struct split *all = refine(&state, abc);
    ok("there is a piece for each child of the lens", count == 3);
    if (count != 3) exit(1);
    ok("each piece begins at its first node",
       pieces[0]->tree == n[0] && pieces[1]->tree == n[1] && pieces[2]->tree == n[4]);
    ok("each piece ends before the first node that is not its own",
       pieces[0]->follow == n[1] && pieces[1]->follow == n[4] && pieces[2]->follow == NULL);
    ok("each piece has its own part of the encoding",
       is(0, n[0], n[1], "a\003\004", 0) && is(2, n[4], NULL, "c\003\004", 12));
    ok("the pieces are in the order of the children",
       pieces[0]->end == pieces[1]->start && pieces[1]->end == pieces[2]->start && pieces[2]->end == outer->end);
    ok("pieces share the encoding of the outer split",
       pieces[0]->enc == outer->enc && pieces[1]->enc == outer->enc && pieces[2]->enc == outer->enc);
    ok("a repeated child takes all of its nodes", is(1, n[1], n[4], "b\003\004b\003\004b\003\004", 3));
    ok("no error is told of a tree that matches", state.error == NULL);
    ok("the state keeps its split and position", state.split == outer && state.pos == 77);
    int whole = !memcmp(outer, &before, sizeof(before)) && same(text, outer->enc);
    for (int i = 0; i < 5; i++) whole &= n[i]->next == n[i+1];
    ok("the tree and the outer split stay as they were", whole);
    list_free(all);
    long live = plus_live_blocks;
    all = refine(&state, abc);
    list_free(all);
    ok("nothing but the pieces is left in memory", plus_live_blocks == live);

    /* The third to the fifth node alone, as a split of their own. */
    struct lens *bc = concat(node("b"), concat(node("b"), node("c")));
    struct split part = {.tree = n[2], .follow = NULL, .enc = outer->enc, .start = 6, .end = 15};
    state.split = &part;
    all = refine(&state, bc);
    int middle = count == 3 && is(0, n[2], n[3], "b\003\004", 6) && is(1, n[3], n[4], "b\003\004", 9) &&
                 is(2, n[4], NULL, "c\003\004", 12);
    ok("a split in the middle of the siblings is refined", middle && !state.error);
    list_free(all);
    struct lens *ab = concat(node("a"), star(node("b")));
    part = (struct split){.tree = n[0], .follow = n[2], .enc = outer->enc, .start = 0, .end = 6};
    all = refine(&state, ab);
    ok("what lies behind the end of the split is left out",
       count == 2 && is(0, n[0], n[1], "a\003\004", 0) && is(1, n[1], n[2], "b\003\004", 3) && !state.error);
    list_free(all);

    const char *const two[][2] = {{"a", NULL}, {"c", NULL}};
    struct tree *ac = nodes(2, two);
    state.split = make_split(ac);
    all = refine(&state, abc);
    ok("a repeated child may take none",
       count == 3 && is(1, ac->next, ac->next, "", 3) && is(2, ac->next, NULL, "c\003\004", 3));
    list_free(all);
    struct lens *dels = concat(node("a"), concat(del("x*", "x"), node("c")));
    all = refine(&state, dels);
    ok("a child without nodes has an empty piece",
       count == 3 && is(0, ac, ac->next, "a\003\004", 0) && is(1, ac->next, ac->next, "", 3) &&
       is(2, ac->next, NULL, "c\003\004", 3));
    list_free(all);
    free_split(state.split);

    /* Children with many groups: a key and a value each, alternatives, repetition. */
    struct lens *many = concat(subtree(concat(key("(k)((e)|(y))+"), store("((v)|(w))*"))),
                               concat(star(either(node("p"), either(node("q"), node("r")))),
                                      concat(either(node("s"), subtree(concat(key("(t)+"), store("(z)*")))),
                                             node("u"))));
    const char *const grouped[][2] = {{"key", "vw"}, {"q", NULL}, {"p", NULL}, {"tt", "zz"}, {"u", NULL}};
    struct tree *g = nodes(5, grouped), *m[6] = {g};
    for (int i = 1; i < 6; i++) m[i] = m[i-1]->next;
    state.split = make_split(g);
    all = refine(&state, many);
    ok("groups within a child do not shift the next ones",
       count == 4 && is(0, m[0], m[1], "key\003vw\004", 0) && is(1, m[1], m[3], "q\003\004p\003\004", 7) &&
       is(2, m[3], m[4], "tt\003zz\004", 13) && is(3, m[4], NULL, "u\003\004", 19) && !state.error);
    list_free(all);
    free_split(state.split);

    struct lens *leaf = concat(del("x", "x"), concat(store("[a-z]+"), del("y", "y")));
    struct split *none = state.split = make_split(NULL);
    all = refine(&state, leaf);
    ok("a leaf gives a piece for each child", count == 3);
    ok("a leaf gives empty pieces without nodes",
       count == 3 && is(0, NULL, NULL, "", 0) && is(1, NULL, NULL, "", 0) && is(2, NULL, NULL, "", 0) && !state.error);
    list_free(all);
    struct lens *loose = concat(star(node("b")), star(node("c")));
    all = refine(&state, loose);
    ok("an empty list of nodes may match a lens with subtrees",
       count == 2 && is(0, NULL, NULL, "", 0) && is(1, NULL, NULL, "", 0) && !state.error);
    list_free(all);
    free_split(none);

    int told, named, kept;
    ok("a leaf with a lens that needs a node is an error", fails(&state, abc, NULL, &told, &named, &kept) && told);
    const char *const wrong[][2] = {{"a", NULL}, {"x", NULL}, {"c", NULL}};
    ok("a tree that does not match gives nothing", fails(&state, abc, nodes(3, wrong), &told, &named, &kept));
    ok("it is an error of the state", told);
    ok("the error names the lens", named);
    ok("after an error the outer split still has its encoding", kept);
    const char *const more[][2] = {{"a", NULL}, {"c", NULL}, {"c", NULL}};
    ok("a node too many is an error", fails(&state, abc, nodes(3, more), &told, &named, &kept) && told && kept);
    ok("a node too few is an error", fails(&state, abc, nodes(1, labels), &told, &named, &kept) && told && kept);
    struct tree *bad = nodes(3, more);
    fails(&state, abc, bad, &told, &named, &kept);
    live = plus_live_blocks;
    fails(&state, abc, bad, &told, &named, &kept);
    ok("a mismatch leaves nothing in memory but the error", plus_live_blocks == live);
    return plus_end();
}
