/*---
 * tasks: [AABBTree.Build-27630c]
 * tests:
 *   without a builder it fails: 'Docstring: "true if success"; callers return false then.'
 *   without primitives it fails: 'Docstring: "true if success"; mNbPrimitives is the "Total number of primitives".'
 *   otherwise it succeeds: 'Docstring: "true if success".'
 *   the root holds all primitives: 'OPC_AABBTree.h: mNodePrimitives, "shortcut to a position in mIndices".'
 *   the indices are a permutation of all: 'OPC_AABBTree.h: mIndices, "reorganized during build (permutation)".'
 *   the box of the root is that of all: 'OPC_AABBTree.h: mBV, "enclosing all the node-related primitives".'
 *   each node's box is that of its primitives: 'OPC_AABBTree.h: mBV, "enclosing all the node-related primitives".'
 *   children share their parent's primitives: 'Oracle _BuildHierarchy: top-down; Subdivide assigns children.'
 *   a complete tree has two nodes less one for each primitive: 'OPC_TreeBuilders.h: mLimit 1, "(2*N-1 nodes)".'
 *   each of its leaves has one primitive: 'OPC_TreeBuilders.h: mLimit, "Limit number of primitives / node".'
 *   the number of nodes is that of the tree: 'OPC_AABBTree.h: mTotalNbNodes, "Number of nodes in the tree".'
 *   the builder counts the nodes: 'OPC_TreeBuilders.h: mCount, "number of nodes created".'
 *   nodes of a complete tree stand in one pool: 'OPC_AABBTree.h: mPool, "Linear pool of nodes for complete trees".'
 *   the pool has room for all of them: 'OPC_AABBTree.h: Refit2 goes through as many nodes of the pool as there are.'
 *   with a limit leaves hold up to so many: 'OPC_TreeBuilders.h: mLimit, "Limit number of primitives / node".'
 *   with a limit there is no pool: 'OPC_AABBTree.h: mPool, "Null otherwise".'
 *   with a limit nodes are counted too: 'OPC_AABBTree.h: mTotalNbNodes, "Number of nodes in the tree".'
 *   a single primitive makes a single node: 'OPC_TreeBuilders.h: "(2*N-1 nodes)".'
 *   two primitives make three nodes: 'OPC_TreeBuilders.h: "(2*N-1 nodes)".'
 *   primitives in one place are split all the same: 'OPC_TreeBuilders.h: mLimit 1, "build a complete tree".'
 *   such splits are counted: 'OPC_TreeBuilders.h: mNbInvalidSplits, "number of invalid splits".'
 *   a builder that was used counts from the start: 'OPC_TreeBuilders.h: SetCount and SetNbInvalidSplits, "Stats".'
 *   two trees can be built with one builder: 'Signature: the builder is given.'
 *   a tree can be built anew: 'Caller of Release: "Releases the tree".'
 *   after that it is only of the new primitives: 'Docstring: builds from the builder given.'
 *   the tree before is given back: 'Release frees indices and pool; the destructor frees the last alone.'
 *   the builder's settings and primitives stay: 'OPC_TreeBuilders.h: settings are the app''s.'
 *   a tree that was released can be built: 'Release is public.'
 ---*/
#include <stdlib.h>
#include <new>
#include "Stdafx.h"
#include "ok.h"

using namespace Opcode;

/* Blocks that are in use, each with a zone behind that is no valid node. */
static int blocks;

static void *take(size_t size)
{
    char *p = (char *)malloc(size + 1024);
    memset(p, 0xa5, size + 1024);
    blocks++;
    return p;
}

static void drop(void *p)
{
    if (p) blocks--;
    free(p);
}

void *operator new(size_t size) { return take(size); }
void *operator new[](size_t size) { return take(size); }
void operator delete(void *p) noexcept { drop(p); }
void operator delete[](void *p) noexcept { drop(p); }
void operator delete(void *p, size_t) noexcept { drop(p); }
void operator delete[](void *p, size_t) noexcept { drop(p); }

enum {MOST = 200};
static AABB boxes[MOST];

/* `n` unit boxes in a row of tens, in no order. */
static void place(int n)
{
    for (int i = 0; i < n; i++) {
        int k = i * 7 % n;
        Point low(3.0f * (k % 10), 4.0f * (k / 10), float(k % 3)), high(low.x + 1, low.y + 1, low.z + 1);
        boxes[i].SetMinMax(low, high);
    }
}

struct Builder : AABBTreeOfAABBsBuilder {
    Builder(int n, int limit = 1)
    {
        mAABBArray = boxes;
        mNbPrimitives = n;
        mSettings.mLimit = limit;
        mSettings.mRules = SPLIT_SPLATTER_POINTS | SPLIT_GEOM_CENTER;
    }
};

struct Seen {
    int nodes, leaves, most, each[MOST];
    bool boxed, shared, pooled;
    const char *pool, *end;
};

static bool fits(const AABB &box, const dTriIndex *primitives, udword n)
{
    AABB all = boxes[primitives[0]];
    for (udword i = 1; i < n; i++) all.Add(boxes[primitives[i]]);
    Point a, b, c, d;
    all.GetMin(a), all.GetMax(b), box.GetMin(c), box.GetMax(d);
    return is3(&a.x, c.x, c.y, c.z, 1e-4) && is3(&b.x, d.x, d.y, d.z, 1e-4);
}

static bool visit(const AABBTreeNode *node, udword depth, void *data)
{
    Seen &s = *(Seen *)data;
    int n = node->GetNbPrimitives();
    s.nodes++;
    s.boxed = s.boxed && n > 0 && fits(*node->GetAABB(), node->GetPrimitives(), n);
    if (depth > 1) s.pooled = s.pooled && (const char *)node >= s.pool && (const char *)node < s.end;
    if (node->IsLeaf()) {
        s.leaves++;
        if (n > s.most) s.most = n;
        for (int i = 0; i < n; i++)
            if (node->GetPrimitives()[i] < MOST) s.each[node->GetPrimitives()[i]]++;
    } else {
        const AABBTreeNode *pos = node->GetPos(), *neg = node->GetNeg();
        s.shared = s.shared && pos->GetPrimitives() == node->GetPrimitives() &&
                   neg->GetPrimitives() == node->GetPrimitives() + pos->GetNbPrimitives() &&
                   int(pos->GetNbPrimitives() + neg->GetNbPrimitives()) == n;
    }
    return s.nodes < 3 * MOST;
}

static Seen look(const AABBTree &tree, const AABBTreeBuilder &builder)
{
    Seen s = Seen();
    s.boxed = s.shared = s.pooled = true;
    s.pool = (const char *)builder.mNodeBase;
    s.end = s.pool + (2 * builder.mNbPrimitives - 1) * sizeof(AABBTreeNode);
    tree.Walk(visit, &s);
    return s;
}

/* A sound tree of the first n boxes, each in one leaf. */
static bool sound(const AABBTree &tree, const AABBTreeBuilder &builder, int n)
{
    Seen s = look(tree, builder);
    bool once = true;
    for (int i = 0; i < MOST; i++) once = once && s.each[i] == (i < n);
    return once && s.boxed && s.shared && int(tree.GetNbPrimitives()) == n &&
           tree.GetPrimitives() == tree.GetIndices();
}

static bool complete(const AABBTree &tree, const AABBTreeBuilder &builder, int n)
{
    Seen s = look(tree, builder);
    return sound(tree, builder, n) && s.nodes == 2 * n - 1 && s.leaves == n && int(tree.GetNbNodes()) == 2 * n - 1 &&
           tree.IsComplete();
}

int main()
{
    place(MOST);
    {
        AABBTree tree;
        Builder none(0);
        ok("without a builder it fails", !tree.Build(0));
        ok("without primitives it fails", !tree.Build(&none));
    }
    {
        AABBTree tree;
        Builder builder(50);
        builder.mSettings.mRules = SPLIT_BEST_AXIS | SPLIT_SPLATTER_POINTS | SPLIT_GEOM_CENTER;
        ok("otherwise it succeeds", tree.Build(&builder));
        Seen s = look(tree, builder);
        ok("the root holds all primitives", tree.GetNbPrimitives() == 50 && tree.GetIndices() &&
           tree.GetPrimitives() == tree.GetIndices());
        int each[50] = {0};
        bool inside = true;
        for (int i = 0; i < 50; i++) {
            inside = inside && tree.GetIndices()[i] < 50;
            if (inside) each[tree.GetIndices()[i]]++;
        }
        for (int i = 0; i < 50; i++) inside = inside && each[i] == 1;
        ok("the indices are a permutation of all", inside);
        ok("the box of the root is that of all", fits(*tree.GetAABB(), tree.GetIndices(), 50));
        ok("each node's box is that of its primitives", s.boxed);
        ok("children share their parent's primitives", s.shared && sound(tree, builder, 50));
        ok("a complete tree has two nodes less one for each primitive", s.nodes == 99 && tree.IsComplete());
        ok("each of its leaves has one primitive", s.leaves == 50 && s.most == 1);
        ok("the number of nodes is that of the tree", tree.GetNbNodes() == 99);
        ok("the builder counts the nodes", builder.GetCount() == 99 && builder.GetNbInvalidSplits() == 0);
        ok("nodes of a complete tree stand in one pool", builder.mNodeBase && s.pooled);
        ok("the builder's settings and primitives stay", builder.mNbPrimitives == 50 &&
           builder.mSettings.mLimit == 1 &&
           builder.mSettings.mRules == (SPLIT_BEST_AXIS | SPLIT_SPLATTER_POINTS | SPLIT_GEOM_CENTER) &&
           builder.mAABBArray == boxes);
        Point low(100, 100, 100), high(101, 101, 101);
        AABB kept = boxes[13];
        boxes[13].SetMinMax(low, high);
        bool refitted = tree.Refit2(&builder), boxed = true;
        boxed = fits(*tree.GetPos()->GetAABB(), tree.GetPos()->GetPrimitives(), tree.GetPos()->GetNbPrimitives()) &&
                fits(*tree.GetNeg()->GetAABB(), tree.GetNeg()->GetPrimitives(), tree.GetNeg()->GetNbPrimitives());
        ok("the pool has room for all of them", refitted && boxed);
        boxes[13] = kept;
    }
    {
        AABBTree tree, small;
        Builder builder(60, 4), three(60, 3);
        bool built = tree.Build(&builder) && small.Build(&three);
        Seen s = look(tree, builder), t = look(small, three);
        ok("with a limit leaves hold up to so many", built && s.most > 1 && s.most <= 4 && t.most <= 3 &&
           sound(tree, builder, 60) && sound(small, three, 60));
        ok("with a limit there is no pool", !builder.mNodeBase && !three.mNodeBase);
        ok("with a limit nodes are counted too", int(tree.GetNbNodes()) == s.nodes && s.nodes < 119 &&
           int(builder.GetCount()) == s.nodes && int(small.GetNbNodes()) == t.nodes && s.nodes == 2 * s.leaves - 1);
    }
    {
        AABBTree tree, two;
        Builder builder(1), pair(2);
        ok("a single primitive makes a single node", tree.Build(&builder) && complete(tree, builder, 1) &&
           tree.IsLeaf() && builder.GetCount() == 1);
        ok("two primitives make three nodes", two.Build(&pair) && complete(two, pair, 2) && !two.IsLeaf());
    }
    {
        Point low(1, 2, 3), high(2, 3, 4);
        for (int i = 0; i < 16; i++) boxes[i].SetMinMax(low, high);
        AABBTree tree, again, apart;
        Builder builder(16);
        bool built = tree.Build(&builder);
        ok("primitives in one place are split all the same", built && complete(tree, builder, 16));
        bool first = builder.GetNbInvalidSplits() == 15;
        ok("such splits are counted", first);
        again.Build(&builder);
        bool same = builder.GetNbInvalidSplits() == 15 && builder.GetCount() == 31;
        place(MOST);
        builder.SetNbInvalidSplits(7);
        builder.SetCount(1000);
        bool third = apart.Build(&builder) && complete(apart, builder, 16);
        ok("a builder that was used counts from the start", first && same && builder.GetNbInvalidSplits() == 0 &&
           builder.GetCount() == 31 && apart.GetNbNodes() == 31);
        ok("two trees can be built with one builder", third && again.GetNbNodes() == 31 && tree.GetNbNodes() == 31 &&
           tree.GetIndices() != again.GetIndices());
    }
    int before = blocks;
    {
        AABBTree tree;
        Builder builder(40), more(90), fewer(12);
        bool built = tree.Build(&builder) && complete(tree, builder, 40);
        int used = blocks;
        built = built && tree.Build(&more) && complete(tree, more, 90);
        ok("a tree can be built anew", built);
        built = tree.Build(&fewer) && complete(tree, fewer, 12);
        ok("after that it is only of the new primitives", built && tree.GetNbPrimitives() == 12);
        bool level = blocks == used;
        tree.Release();
        Builder last(33);
        ok("a tree that was released can be built", tree.Build(&last) && complete(tree, last, 33));
        before = level && blocks == used ? before : -1;
    }
    ok("the tree before is given back", blocks == before);
    plan();
    return 0;
}
