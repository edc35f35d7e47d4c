/*---
 * tasks: [make_split-ad4d80]
 * instead: [src/put.o]
 * tests:
 *   the encoding has label and value of a node: 'put.c: struct split, "<label>=<value>/", with ENC_EQ for the "=".'
 *   the nodes are encoded in their order: 'put.c: struct split, the pairs come from TREE and its siblings.'
 *   all siblings are encoded: 'Docstring: "Encode the list of TREE''s children".'
 *   a node without a label has an empty one: 'put.c: struct split, "encodes NULL values as ENC_NULL".'
 *   a node without a value has an empty one: 'put.c: struct split, "encodes NULL values as ENC_NULL".'
 *   children of the nodes are not encoded: 'lens.h: the encoding is of "one level of the tree".'
 *   labels and values may be long: 'Docstring: the list is encoded as a string.'
 *   ordinary equals signs and slashes stay: 'put.c: struct split, ENC_EQ is used "to avoid clashes".'
 *   the split begins at the first node: 'put.c: struct split, "TREE field points to the first tree node".'
 *   the split has no node behind it: 'put.c: struct split, "NULL if we are talking about all the siblings".'
 *   the split begins at the start of the encoding: 'put.c: struct split; callers match from START.'
 *   the split ends at the end of the encoding: 'put.c: struct split; callers match up to END.'
 *   the split is alone: 'Caller lns_put: next_split goes on to NEXT.'
 *   a list from the middle begins there: 'Docstring: "the list"; TREE is its first node.'
 *   no node gives an empty encoding: 'Caller put_subtree passes children, which may be NULL; split_concat reads ENC.'
 *   no node gives a split without nodes: 'split_concat: "Fast path for leaf nodes", TREE is NULL.'
 *   the encoding is a block of its own: 'put.c: free_split frees ENC.'
 *   the nodes stay as they were: 'Docstring: they are encoded.'
 *   free_split frees all of it: 'Callers put_subtree and lns_put call it alone.'
 *   without memory there is no split: 'Both allocations are checked by ALLOC, -1 on failure; NULL is returned.'
 *   without memory nothing is left behind: 'A caller that gets NULL has nothing to free.'
 ---*/
#include "lenses.h"
#include "../put.c"

/* Whether the COUNT nodes in LABELS have the encoding TEXT. */
static int gives(int count, const char *const labels[][2], const char *text) {
    struct split *s = make_split(nodes(count, labels));
    int good = s && same(s->enc, text) && s->end == strlen(text);
    free_split(s);
    return good;
}

int main(void) {
    plus_start();
    const char *const one[][2] = {{"key", "value"}};
    ok("the encoding has label and value of a node", gives(1, one, "key\003value\004"));
    const char *const three[][2] = {{"x", "1"}, {"a", "22"}, {"mmm", "3"}};
    ok("the nodes are encoded in their order", gives(3, three, "x\0031\004a\00322\004mmm\0033\004"));
    const char *const six[][2] = {{"a", "b"}, {"c", "d"}, {"e", "f"}, {"a", "b"}, {"g", "h"}, {"i", "j"}};
    ok("all siblings are encoded", gives(6, six, "a\003b\004c\003d\004e\003f\004a\003b\004g\003h\004i\003j\004"));
    const char *const no_label[][2] = {{NULL, "v"}, {"k", "w"}};
    ok("a node without a label has an empty one", gives(2, no_label, "\003v\004k\003w\004"));
    const char *const no_value[][2] = {{"k", NULL}, {NULL, NULL}, {"l", ""}, {"m", "x"}};
    ok("a node without a value has an empty one", gives(4, no_value, "k\003\004\003\004l\003\004m\003x\004"));
    const char *const plain[][2] = {{"a=b", "c/d"}, {"/", "="}};
    ok("ordinary equals signs and slashes stay", gives(2, plain, "a=b\003c/d\004/\003=\004"));

    static char longer[5001], text[10005];
    memset(longer, 'y', 5000);
    const char *const big[][2] = {{longer, longer}};
    snprintf(text, sizeof(text), "%s\003%s\004", longer, longer);
    ok("labels and values may be long", gives(1, big, text));

    struct tree *t = nodes(3, three);
    t->children = nodes(6, six);
    t->next->children = nodes(1, one);
    struct split *s = make_split(t);
    ok("children of the nodes are not encoded", s && same(s->enc, "x\0031\004a\00322\004mmm\0033\004"));
    ok("the split begins at the first node", s->tree == t);
    ok("the split has no node behind it", s->follow == NULL);
    ok("the split begins at the start of the encoding", s->start == 0);
    ok("the split ends at the end of the encoding", s->end == 15);
    ok("the split is alone", s->next == NULL);
    ok("the encoding is a block of its own", plus_live(s->enc) && s->enc != t->label);
    free_split(s);
    ok("the nodes stay as they were",
       same(t->label, "x") && same(t->value, "1") && same(t->next->label, "a") && same(t->next->value, "22") &&
       same(t->next->next->label, "mmm") && t->next->next->next == NULL && t->children != NULL);

    s = make_split(t->next);
    ok("a list from the middle begins there", s && s->tree == t->next && same(s->enc, "a\00322\004mmm\0033\004"));
    free_split(s);

    s = make_split(NULL);
    ok("no node gives an empty encoding", s && same(s->enc, "") && s->start == 0 && s->end == 0);
    ok("no node gives a split without nodes", s && s->tree == NULL && s->follow == NULL && s->next == NULL);
    free_split(s);

    long live = plus_live_blocks;
    free_split(make_split(t));
    ok("free_split frees all of it", plus_live_blocks == live);

    /* Each allocation fails in turn, until there are no more of them. */
    int failed = 0, good = 1, clean = 1, at = 1;
    for (; at < 100; at++) {
        plus_fail_at = at;
        s = make_split(t);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= over == (s != NULL);
        failed += s == NULL;
        free_split(s);
        clean &= plus_live_blocks == live;
        if (over) break;
    }
    ok("without memory there is no split", good && failed > 0 && at < 100);
    ok("without memory nothing is left behind", clean);
    return plus_end();
}
