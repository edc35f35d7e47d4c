/*---
 * tasks: [tree_prune-6feb07]
 * tests:
 *   a full tree stays as it is:
 *     'Comment: "deleting any data with no children"; X509_PCY_TREE_VALID.'
 *   nodes without children go:
 *     'Comment: "proceed up the tree deleting any data with no children".'
 *   their parents go with them: 'Comment: "proceed up the tree".'
 *   the leaves of the level stay:
 *     'Comment: "on the current level" only mapped data is deleted; tree_calculate_authority_set
 *     reads them; pcy_local.h: MAP_MASK, "any mapping has occurred", other flags do not count.'
 *   mapped leaves go where mapping is inhibited:
 *     'Comment: "delete any child mapped child data on the current level"; INHIBIT_MAP;
 *     pcy_local.h: MAP_MASK.'
 *   mapped leaves stay where it is not:
 *     'tree_init sets X509_V_FLAG_INHIBIT_MAP for levels where it is.'
 *   levels above keep what is mapped: 'Comment: "on the current level".'
 *   an anyPolicy without children goes:
 *     'Comment: "deleting any data with no children"; it is data of the level.'
 *   an anyPolicy with children stays: 'Comment: "deleting any data with no children".'
 *   the last anyPolicy is a leaf and stays:
 *     'tree_calculate_authority_set: "If last level contains anyPolicy".'
 *   an empty tree is told:
 *     'Comment: "X509_PCY_TREE_EMPTY: empty tree"; X509_policy_check frees it.'
 *   levels without other policies are passed:
 *     'pcy_node.c: a level has a stack only from its first node on.'
 *   a second call changes nothing: 'tree_evaluate calls it at each level, for all those above.'
 *   the data of the policies stays:
 *     'pcy_local.h: "the main policy data can be kept static and cached".'
 *   nothing is leaked or freed twice: 'X509_policy_tree_free frees the nodes that are there.'
 * flags: ["-Icrypto/x509"]
 ---*/
#include "../../crypto/x509/pcy_tree.c"
#include "../testutil.h"
#include "memory_count.h"

static X509_POLICY_DATA plain, mapped, mapped_any, both, others, any;
static X509_POLICY_TREE *tree;
static X509_POLICY_LEVEL *level;

/* A tree of `count` levels with an anyPolicy at the top. */
static void begin(int count)
{
    plain.flags = 0;
    mapped.flags = POLICY_DATA_FLAG_MAPPED;
    mapped_any.flags = POLICY_DATA_FLAG_MAPPED_ANY;
    both.flags = POLICY_DATA_FLAG_MAPPED | POLICY_DATA_FLAG_MAPPED_ANY | POLICY_DATA_FLAG_CRITICAL;
    others.flags = POLICY_DATA_FLAG_SHARED_QUALIFIERS | POLICY_DATA_FLAG_EXTRA_NODE
        | POLICY_DATA_FLAG_CRITICAL;
    any.flags = 0;
    tree = OPENSSL_zalloc(sizeof(*tree));
    tree->levels = level = OPENSSL_zalloc(count * sizeof(*level));
    tree->nlevel = count;
    level[0].anyPolicy = OPENSSL_zalloc(sizeof(X509_POLICY_NODE));
    level[0].anyPolicy->data = &any;
}

static X509_POLICY_NODE *new_node(X509_POLICY_DATA *data, X509_POLICY_NODE *parent)
{
    X509_POLICY_NODE *node = OPENSSL_zalloc(sizeof(*node));

    node->data = data;
    node->parent = parent;
    parent->nchild++;
    return node;
}

static X509_POLICY_NODE *add(int at, X509_POLICY_DATA *data, X509_POLICY_NODE *parent)
{
    X509_POLICY_NODE *node = new_node(data, parent);

    if (level[at].nodes == NULL)
        level[at].nodes = sk_X509_POLICY_NODE_new_null();
    sk_X509_POLICY_NODE_push(level[at].nodes, node);
    return node;
}

static X509_POLICY_NODE *add_any(int at)
{
    return level[at].anyPolicy = new_node(&any, level[at - 1].anyPolicy);
}

/* How many nodes has the level, and does it have this one? */
static int nodes(int at)
{
    int number = sk_X509_POLICY_NODE_num(level[at].nodes);

    return number < 0 ? 0 : number;
}

static int has(int at, X509_POLICY_NODE *node)
{
    int i;

    for (i = 0; i < nodes(at); i++)
        if (sk_X509_POLICY_NODE_value(level[at].nodes, i) == node)
            return 1;
    return 0;
}

/* Nothing is kept but by a test that failed, whose tree is left alone. */
static int end(int ok)
{
    if (!ok)
        return 0;
    X509_policy_tree_free(tree);
    return TEST_long_eq(memory_bad_frees, 0);
}

static int prunes(int at)
{
    return TEST_int_eq(tree_prune(tree, level + at), X509_PCY_TREE_VALID);
}

static int full(void)
{
    X509_POLICY_NODE *a, *b, *c, *d, *e;

    begin(3);
    a = add(1, &plain, level[0].anyPolicy);
    b = add(1, &plain, level[0].anyPolicy);
    add_any(1);
    c = add(2, &plain, a);
    d = add(2, &plain, b);
    e = add(2, &plain, level[1].anyPolicy);
    return end(prunes(2) && TEST_int_eq(nodes(1), 2) && TEST_int_eq(nodes(2), 3)
               && TEST_true(has(1, a) && has(1, b) && has(2, c) && has(2, d) && has(2, e))
               && TEST_ptr(level[0].anyPolicy) && TEST_ptr(level[1].anyPolicy)
               && TEST_int_eq(level[0].anyPolicy->nchild, 3) && TEST_int_eq(a->nchild, 1)
               && TEST_int_eq(level[1].anyPolicy->nchild, 1));
}

static int childless(void)
{
    X509_POLICY_NODE *kept, *child;
    int i;

    begin(3);
    add(1, &plain, level[0].anyPolicy);
    add(1, &plain, level[0].anyPolicy);
    kept = add(1, &plain, level[0].anyPolicy);
    for (i = 0; i < 3; i++)
        add(1, &plain, level[0].anyPolicy);
    child = add(2, &plain, kept);
    return end(prunes(2) && TEST_int_eq(nodes(1), 1) && TEST_true(has(1, kept))
               && TEST_int_eq(nodes(2), 1) && TEST_true(has(2, child))
               && TEST_int_eq(level[0].anyPolicy->nchild, 1));
}

static int parents(void)
{
    X509_POLICY_NODE *kept, *a, *b;

    begin(5);
    kept = add(3, &plain, add(2, &plain, add(1, &plain, level[0].anyPolicy)));
    add(4, &plain, kept);
    /* A line that ends at level 3, and one that ends there twice. */
    add(3, &plain, add(2, &plain, add(1, &plain, level[0].anyPolicy)));
    a = add(1, &plain, level[0].anyPolicy);
    b = add(2, &plain, a);
    add(3, &plain, b);
    add(3, &plain, b);
    /* A node that loses one child of two. */
    add(2, &plain, kept->parent->parent);
    return end(prunes(4) && TEST_int_eq(nodes(3), 1) && TEST_true(has(3, kept))
               && TEST_int_eq(nodes(2), 1) && TEST_true(has(2, kept->parent))
               && TEST_int_eq(nodes(1), 1) && TEST_true(has(1, kept->parent->parent))
               && TEST_int_eq(kept->parent->parent->nchild, 1)
               && TEST_int_eq(level[0].anyPolicy->nchild, 1) && TEST_int_eq(nodes(4), 1));
}

static int leaves(void)
{
    X509_POLICY_NODE *parent, *a, *b;

    begin(3);
    parent = add(1, &plain, level[0].anyPolicy);
    a = add(2, &plain, parent);
    b = add(2, &others, parent);
    level[2].flags = X509_V_FLAG_INHIBIT_MAP;
    if (!end(prunes(2) && TEST_int_eq(nodes(2), 2) && TEST_true(has(2, a) && has(2, b))
             && TEST_int_eq(parent->nchild, 2)))
        return 0;
    begin(2);
    parent = level[0].anyPolicy;
    a = add(1, &others, parent);
    add(1, &mapped, parent);
    level[1].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(1) && TEST_int_eq(nodes(1), 1) && TEST_true(has(1, a))
               && TEST_int_eq(parent->nchild, 1));
}

static int inhibited(void)
{
    X509_POLICY_NODE *first, *second, *a, *b;

    begin(3);
    first = add(1, &plain, level[0].anyPolicy);
    second = add(1, &plain, level[0].anyPolicy);
    add(2, &mapped, first);
    add(2, &mapped_any, first);
    a = add(2, &plain, first);
    add(2, &both, first);
    b = add(2, &others, first);
    add(2, &mapped, second);
    add(2, &mapped, second);
    level[2].flags = X509_V_FLAG_INHIBIT_MAP | X509_V_FLAG_INHIBIT_ANY;
    return end(prunes(2) && TEST_int_eq(nodes(2), 2) && TEST_true(has(2, a) && has(2, b))
               && TEST_int_eq(nodes(1), 1) && TEST_true(has(1, first))
               && TEST_int_eq(first->nchild, 2) && TEST_int_eq(level[0].anyPolicy->nchild, 1));
}

static int not_inhibited(void)
{
    X509_POLICY_NODE *first, *a, *b, *c;

    begin(3);
    first = add(1, &plain, level[0].anyPolicy);
    a = add(2, &mapped, first);
    b = add(2, &mapped_any, first);
    c = add(2, &both, first);
    level[2].flags = X509_V_FLAG_INHIBIT_ANY | X509_V_FLAG_EXPLICIT_POLICY;
    level[1].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(2) && TEST_int_eq(nodes(2), 3) && TEST_true(has(2, a) && has(2, b))
               && TEST_true(has(2, c)) && TEST_int_eq(first->nchild, 3)
               && TEST_int_eq(nodes(1), 1));
}

static int above(void)
{
    X509_POLICY_NODE *a, *b;

    begin(3);
    a = add(1, &mapped, level[0].anyPolicy);
    b = add(1, &both, level[0].anyPolicy);
    add(2, &plain, a);
    add(2, &plain, b);
    level[1].flags = level[2].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(2) && TEST_int_eq(nodes(1), 2) && TEST_true(has(1, a) && has(1, b))
               && TEST_int_eq(nodes(2), 2) && TEST_int_eq(level[0].anyPolicy->nchild, 2));
}

static int any_goes(void)
{
    X509_POLICY_NODE *a;

    begin(4);
    a = add(1, &plain, level[0].anyPolicy);
    add_any(1);
    add_any(2);
    add(3, &plain, add(2, &plain, a));
    return end(prunes(3) && TEST_ptr_null(level[2].anyPolicy) && TEST_ptr_null(level[1].anyPolicy)
               && TEST_ptr(level[0].anyPolicy) && TEST_int_eq(level[0].anyPolicy->nchild, 1)
               && TEST_int_eq(nodes(1), 1) && TEST_int_eq(nodes(2), 1)
               && TEST_int_eq(nodes(3), 1));
}

static int any_stays(void)
{
    X509_POLICY_NODE *a;

    begin(4);
    add(1, &plain, level[0].anyPolicy);
    add_any(1);
    add_any(2);
    a = add(3, &plain, level[2].anyPolicy);
    add(3, &mapped, level[2].anyPolicy);
    level[3].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(3) && TEST_ptr(level[2].anyPolicy) && TEST_ptr(level[1].anyPolicy)
               && TEST_int_eq(level[2].anyPolicy->nchild, 1)
               && TEST_int_eq(level[1].anyPolicy->nchild, 1)
               && TEST_int_eq(level[0].anyPolicy->nchild, 1) && TEST_int_eq(nodes(1), 0)
               && TEST_true(has(3, a)));
}

static int last_any(void)
{
    begin(3);
    add_any(1);
    add_any(2);
    add(1, &plain, level[0].anyPolicy);
    level[2].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(2) && TEST_ptr(level[2].anyPolicy) && TEST_ptr(level[1].anyPolicy)
               && TEST_ptr_eq(level[2].anyPolicy->parent, level[1].anyPolicy)
               && TEST_int_eq(nodes(1), 0) && TEST_int_eq(level[0].anyPolicy->nchild, 1));
}

static int empties(int at)
{
    return end(TEST_int_eq(tree_prune(tree, level + at), X509_PCY_TREE_EMPTY));
}

static int empty(void)
{
    X509_POLICY_NODE *a;

    begin(2);
    if (!empties(1))
        return 0;
    begin(3);
    add(1, &plain, level[0].anyPolicy);
    add(1, &plain, level[0].anyPolicy);
    add_any(1);
    if (!empties(2))
        return 0;
    begin(2);
    add(1, &mapped, level[0].anyPolicy);
    level[1].flags = X509_V_FLAG_INHIBIT_MAP;
    if (!empties(1))
        return 0;
    begin(5);
    a = add(2, &plain, add(1, &plain, level[0].anyPolicy));
    add(4, &mapped_any, add(3, &plain, a));
    add_any(1);
    level[4].flags = X509_V_FLAG_INHIBIT_MAP;
    return empties(4);
}

static int no_nodes(void)
{
    begin(4);
    add_any(1);
    add_any(2);
    add(3, &plain, level[2].anyPolicy);
    if (!end(prunes(3) && prunes(2) && prunes(1) && TEST_int_eq(nodes(3), 1)))
        return 0;
    begin(3);
    add_any(1);
    add_any(2);
    level[2].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(1) && prunes(2) && TEST_ptr(level[2].anyPolicy));
}

static int second_call(void)
{
    X509_POLICY_NODE *a, *b;

    begin(3);
    a = add(1, &plain, level[0].anyPolicy);
    add(1, &plain, level[0].anyPolicy);
    if (!end(prunes(1) && TEST_int_eq(nodes(1), 2)))
        return 0;
    begin(3);
    a = add(1, &plain, level[0].anyPolicy);
    add(1, &plain, level[0].anyPolicy);
    b = add(2, &plain, a);
    add(2, &mapped, a);
    level[2].flags = X509_V_FLAG_INHIBIT_MAP;
    return end(prunes(2) && prunes(2) && TEST_int_eq(nodes(1), 1) && TEST_int_eq(nodes(2), 1)
               && TEST_true(has(2, b)) && TEST_int_eq(a->nchild, 1)
               && TEST_int_eq(level[0].anyPolicy->nchild, 1));
}

static int data_stays(void)
{
    X509_POLICY_DATA *extra = OPENSSL_zalloc(sizeof(*extra));
    int ok;

    begin(2);
    tree->extra_data = sk_X509_POLICY_DATA_new_null();
    sk_X509_POLICY_DATA_push(tree->extra_data, extra);
    extra->flags = POLICY_DATA_FLAG_MAPPED;
    add(1, extra, level[0].anyPolicy);
    add(1, &plain, level[0].anyPolicy);
    level[1].flags = X509_V_FLAG_INHIBIT_MAP;
    ok = prunes(1) && TEST_int_eq(nodes(1), 1)
        && TEST_uint_eq(extra->flags, POLICY_DATA_FLAG_MAPPED)
        && TEST_int_eq(sk_X509_POLICY_DATA_num(tree->extra_data), 1)
        && TEST_uint_eq(level[1].flags, X509_V_FLAG_INHIBIT_MAP) && TEST_int_eq(tree->nlevel, 2);
    return end(ok);
}

static int balanced(void)
{
    long before = memory_blocks;

    return full() && childless() && parents() && inhibited() && any_goes() && any_stays()
        && empty()
        && no_nodes() && data_stays() && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a full tree stays as it is", full);
    add_test("nodes without children go", childless);
    add_test("their parents go with them", parents);
    add_test("the leaves of the level stay", leaves);
    add_test("mapped leaves go where mapping is inhibited", inhibited);
    add_test("mapped leaves stay where it is not", not_inhibited);
    add_test("levels above keep what is mapped", above);
    add_test("an anyPolicy without children goes", any_goes);
    add_test("an anyPolicy with children stays", any_stays);
    add_test("the last anyPolicy is a leaf and stays", last_any);
    add_test("an empty tree is told", empty);
    add_test("levels without other policies are passed", no_nodes);
    add_test("a second call changes nothing", second_call);
    add_test("the data of the policies stays", data_stays);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
