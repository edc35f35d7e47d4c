/*---
 * tasks: [_BuildNoLeafTree-89fa2e]
 * tests:
 *   a tree of two primitives is one node: 'Docstring: a pointer is "a node (LSB=0) or a primitive (LSB=1)".'
 *   a leaf is marked and holds its primitive: 'Docstring: "a primitive (LSB=1)"; GetPosPrimitive shifts by one.'
 *   a node is not marked: 'Docstring: "a node (LSB=0)".'
 *   positive and negative children keep their sides: 'Docstring: P pointer and N pointer.'
 *   each node has the box of its source: 'Docstring: a no-leaf node holds a box.'
 *   each primitive is in the tree once: 'Docstring: P and N are a node or a primitive.'
 *   there is a node for each inner node: 'Caller Build allocates one less than primitives.'
 *   the running index ends behind the last: 'Docstring: "current running index"; caller asserts it.'
 *   each node is used once: 'Docstring: "current running index".'
 *   children stand behind their parents: 'AABBNoLeafTree::Refit: bottom-up, from the last node to the first.'
 *   a tree that leans to either side works: 'Docstring: N and P are each a node or a primitive.'
 *   the first node goes where it is told: 'Docstring: "index of destination node".'
 *   further nodes go where the running index is: 'Docstring: "current running index".'
 *   all others stay: 'Docstring: destination nodes.'
 *   the source stays: 'Signature: const AABBTreeNode.'
 *   a subtree can be built by itself: 'Signature: "current node from input tree".'
 *   refitting finds all boxes: 'Caller: AABBNoLeafTree::Refit reads pointers and primitives.'
 ---*/
#include "OPC_OptimizedTree.cpp"
#include "ok.h"

enum {MOST = 100};
static AABB boxes[MOST];

static void box(int i, float x, float y)
{
    Point low(x, y, 1.0f), high(x + 1, y + 2, 4.0f);
    boxes[i].SetMinMax(low, high);
}

struct Builder : AABBTreeOfAABBsBuilder {
    explicit Builder(int n)
    {
        mAABBArray = boxes;
        mNbPrimitives = n;
        mSettings.mLimit = 1;
        mSettings.mRules = SPLIT_LARGEST_AXIS;
    }
};

struct Result {
    bool boxed, marked, leaves, order, inside;
    int nodes, used[3 * MOST], primitives[MOST], pos_leaves, neg_leaves;
};

static void compare(const AABBNoLeafNode *linear, int id, const AABBTreeNode *source, Result &r);

static void child(const AABBNoLeafNode *linear, int id, size_t data, const AABBTreeNode *source, Result &r)
{
    if (source->IsLeaf()) {
        r.leaves = r.leaves && (data & 1) && data >> 1 == source->GetPrimitives()[0];
        if (data >> 1 < MOST) r.primitives[data >> 1]++;
        return;
    }
    r.marked = r.marked && !(data & 1);
    const AABBNoLeafNode *at = (const AABBNoLeafNode *)(data & ~(size_t)1);
    bool in = at > linear && at < linear + 3 * MOST && ((const char *)at - (const char *)linear) % sizeof *at == 0;
    r.inside = r.inside && in;
    if (!in) return;
    r.order = r.order && at - linear > id;
    compare(linear, at - linear, source, r);
}

static void compare(const AABBNoLeafNode *linear, int id, const AABBTreeNode *source, Result &r)
{
    if (++r.nodes > MOST) return;
    r.used[id]++;
    Point center, extents;
    source->GetAABB()->GetCenter(center);
    source->GetAABB()->GetExtents(extents);
    const CollisionAABB &b = linear[id].mAABB;
    r.boxed = r.boxed && is3(&b.mCenter.x, center.x, center.y, center.z, 0) &&
              is3(&b.mExtents.x, extents.x, extents.y, extents.z, 0);
    r.pos_leaves += (linear[id].mPosData & 1) != 0;
    r.neg_leaves += (linear[id].mNegData & 1) != 0;
    child(linear, id, linear[id].mPosData, source->GetPos(), r);
    child(linear, id, linear[id].mNegData, source->GetNeg(), r);
}

static AABBNoLeafNode linear[3 * MOST];

static void clear() { memset((void *)linear, 0x5a, sizeof linear); }

static bool clean(int id)
{
    const unsigned char *p = (const unsigned char *)&linear[id];
    for (size_t i = 0; i < sizeof linear[0]; i++)
        if (p[i] != 0x5a) return false;
    return true;
}

static Result build(const AABBTreeNode *source, udword at, udword &next)
{
    clear();
    _BuildNoLeafTree(linear, at, next, source);
    Result r = Result();
    r.boxed = r.marked = r.leaves = r.order = r.inside = true;
    compare(linear, at, source, r);
    return r;
}

static bool sound(const Result &r, int n)
{
    bool once = true;
    for (int i = 0; i < n; i++) once = once && r.primitives[i] == 1;
    return once && r.boxed && r.marked && r.leaves && r.order && r.inside && r.nodes == n - 1;
}

int main()
{
    box(0, 0, 0);
    box(1, 10, 3);
    {
        AABBTree tree;
        Builder builder(2);
        tree.Build(&builder);
        udword next = 1;
        Result r = build(&tree, 0, next);
        ok("a tree of two primitives is one node", sound(r, 2) && next == 1 && clean(1));
        bool right = linear[0].HasPosLeaf() && linear[0].HasNegLeaf() &&
                     linear[0].GetPosPrimitive() == tree.GetPos()->GetPrimitives()[0] &&
                     linear[0].GetNegPrimitive() == tree.GetNeg()->GetPrimitives()[0];
        ok("a leaf is marked and holds its primitive", right && r.leaves);
    }
    for (int i = 0; i < 60; i++) box(i, float(i * 17 % 60 * 3), float(i * 7 % 11 * 5));
    {
        AABBTree tree;
        Builder builder(60);
        tree.Build(&builder);
        AABBTree twin;
        twin.Build(&builder);
        udword next = 1;
        Result r = build(&tree, 0, next);
        ok("a node is not marked", r.marked && r.nodes > 2);
        ok("positive and negative children keep their sides", r.leaves && r.boxed && r.inside);
        ok("each node has the box of its source", r.boxed);
        bool once = true;
        for (int i = 0; i < 60; i++) once = once && r.primitives[i] == 1;
        ok("each primitive is in the tree once", once && r.leaves);
        ok("there is a node for each inner node", r.nodes == 59);
        ok("the running index ends behind the last", next == 59);
        bool used = true;
        for (int i = 0; i < 3 * MOST; i++) used = used && r.used[i] == (i < 59) && (i < 59 || clean(i));
        ok("each node is used once", used);
        ok("children stand behind their parents", r.order && r.inside);
        ok("the source stays", tree.IsComplete() && tree.GetNbPrimitives() == 60 && tree.ComputeDepth() ==
           twin.ComputeDepth() && !memcmp(tree.GetIndices(), twin.GetIndices(), 60 * sizeof(dTriIndex)));

        next = 40;
        r = build(&tree, 7, next);
        bool others = true, further = next == 40 + 58;
        for (int i = 0; i < 3 * MOST; i++) {
            bool mine = i == 7 || (i >= 40 && i < 98);
            others = others && (mine || clean(i));
            further = further && r.used[i] == mine;
        }
        ok("the first node goes where it is told", sound(r, 60) && !clean(7) && r.used[7] == 1);
        ok("further nodes go where the running index is", further);
        ok("all others stay", others);
        const AABBTreeNode *part = tree.GetNeg();
        int n = part->GetNbPrimitives();
        next = 1;
        r = build(part, 0, next);
        ok("a subtree can be built by itself", n > 3 && r.nodes == n - 1 && int(next) == n - 1 && r.boxed &&
           r.leaves && r.marked && r.inside && r.order);
    }
    {
        AABBTree right, left;
        Builder builder(12);
        float x = 1;
        for (int i = 0; i < 12; i++, x *= 3) box(i, x, 0);
        right.Build(&builder);
        udword next = 1;
        Result r = build(&right, 0, next);
        bool leaning = sound(r, 12) && next == 11 && r.pos_leaves == 11;
        x = -1;
        for (int i = 0; i < 12; i++, x *= 3) box(i, x, 0);
        left.Build(&builder);
        next = 1;
        r = build(&left, 0, next);
        ok("a tree that leans to either side works", leaning && sound(r, 12) && next == 11 && r.neg_leaves == 11);
    }
    {
        IndexedTriangle faces[10];
        Point corners[30];
        for (int i = 0; i < 30; i++) {
            corners[i].Set(float(i / 3 * 7 % 10 * 5 + i % 3), float(i % 3 * i % 5), float(i % 2));
            faces[i / 3].mVRef[i % 3] = i;
        }
        MeshInterface mesh;
        mesh.SetNbTriangles(10);
        mesh.SetNbVertices(30);
        mesh.SetPointers(faces, corners);
        Model model;
        OPCODECREATE create(&mesh, BuildSettings(SPLIT_SPLATTER_POINTS | SPLIT_GEOM_CENTER), true, false);
        bool built = model.Build(create);
        for (int i = 0; i < 30; i++) corners[i].x += 100, corners[i].y *= 2;
        Point low = corners[0], high = corners[0];
        for (int i = 0; i < 30; i++) low.Min(corners[i]), high.Max(corners[i]);
        built = built && model.Refit();
        const AABBNoLeafNode *root = ((const AABBNoLeafTree *)model.GetTree())->GetNodes();
        const CollisionAABB &b = root->mAABB;
        ok("refitting finds all boxes", built && near(b.mCenter.x - b.mExtents.x, low.x, 1e-3) &&
           near(b.mCenter.x + b.mExtents.x, high.x, 1e-3) && near(b.mCenter.y + b.mExtents.y, high.y, 1e-3));
    }
    plan();
    return 0;
}
