/*---
 * tasks: [2203A9ADE06F7F30]
 * goals: [graft/out/utils/TableGen/CodeGenDAGPatterns.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Promote.MakesANodeOfATransform: 'Docstring: "Promote xform function to be an explicit node".'
 *   Promote.TakesTheTransformFromTheNode: 'The same: it is applied once, by the node.'
 *   Promote.KeepsTheNumberOfResults: 'The new node stands for the old one: it has as many results.'
 *   Promote.LooksAtEachChild: 'Docstring: "wherever set".'
 *   Promote.LooksBelowATransform: 'The same: below a node that has one.'
 *   Promote.LeavesTreesWithoutAny: 'The same: where none is set nothing changes.'
 ---*/
#include "tablegen.h"
#include "llvm/utils/TableGen/CodeGenDAGPatterns.cpp"
#include "gtest/gtest.h"

class Promote : public testing::Test {
protected:
  static void SetUpTestSuite() { Records = &records("class C; def add : C; def f : C; def g : C;\n"); }
  static RecordKeeper *Records;
  Record *Add = Records->getDef("add"), *F = Records->getDef("f"), *G = Records->getDef("g");

  TreePatternNodePtr leaf(Record *Transform = nullptr, unsigned Results = 1) {
    TreePatternNodePtr Leaf = makeIntrusiveRefCnt<TreePatternNode>(UnsetInit::get(*Records), Results);
    Leaf->setTransformFn(Transform);
    return Leaf;
  }
  TreePatternNodePtr node(std::vector<TreePatternNodePtr> Children) {
    return makeIntrusiveRefCnt<TreePatternNode>(Add, std::move(Children), 1);
  }
};
RecordKeeper *Promote::Records;

TEST_F(Promote, MakesANodeOfATransform) {
  TreePatternNodePtr Leaf = leaf(F), Made = PromoteXForms(Leaf);
  ASSERT_FALSE(Made->isLeaf());
  EXPECT_EQ(F, Made->getOperator());
  ASSERT_EQ(1u, Made->getNumChildren());
  EXPECT_EQ(Leaf.get(), Made->getChild(0));
}

TEST_F(Promote, TakesTheTransformFromTheNode) {
  TreePatternNodePtr Leaf = leaf(F);
  TreePatternNodePtr Made = PromoteXForms(Leaf);
  EXPECT_EQ(nullptr, Leaf->getTransformFn());
  EXPECT_EQ(nullptr, Made->getTransformFn());
}

TEST_F(Promote, KeepsTheNumberOfResults) {
  EXPECT_EQ(2u, PromoteXForms(leaf(F, 2))->getNumTypes());
  EXPECT_EQ(1u, PromoteXForms(leaf(F))->getNumTypes());
}

TEST_F(Promote, LooksAtEachChild) {
  TreePatternNodePtr Made = PromoteXForms(node({leaf(F), leaf(), leaf(G)}));
  ASSERT_EQ(3u, Made->getNumChildren());
  ASSERT_FALSE(Made->getChild(0)->isLeaf());
  EXPECT_EQ(F, Made->getChild(0)->getOperator());
  EXPECT_TRUE(Made->getChild(1)->isLeaf());
  ASSERT_FALSE(Made->getChild(2)->isLeaf());
  EXPECT_EQ(G, Made->getChild(2)->getOperator());
}

TEST_F(Promote, LooksBelowATransform) {
  TreePatternNodePtr Inner = node({leaf(G)});
  Inner->setTransformFn(F);
  TreePatternNodePtr Made = PromoteXForms(Inner);
  EXPECT_EQ(F, Made->getOperator());
  ASSERT_EQ(1u, Made->getNumChildren());
  EXPECT_EQ(Add, Made->getChild(0)->getOperator());
  ASSERT_FALSE(Made->getChild(0)->getChild(0)->isLeaf());
  EXPECT_EQ(G, Made->getChild(0)->getChild(0)->getOperator());
}

TEST_F(Promote, LeavesTreesWithoutAny) {
  TreePatternNodePtr First = leaf(), Tree = node({First, node({leaf()})});
  EXPECT_EQ(Tree.get(), PromoteXForms(Tree).get());
  EXPECT_EQ(First.get(), Tree->getChild(0));
}
