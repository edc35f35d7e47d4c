/*---
 * tasks: [D291EF0201C0B2FA]
 * goals: [graft/out/utils/TableGen/DAGISelMatcher.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Unlink.OfItselfReturnsTheRest: 'Docstring: "If Other == this, we unlink the next pointer and return it."'
 *   Unlink.OfItselfLeavesItAlone: 'The same: nothing follows it any more.'
 *   Unlink.OfAnotherReturnsThis: 'Docstring: "Otherwise we unlink Other from the list and return this."'
 *   Unlink.OfAnotherKeepsWhatFollows: 'The same: the list goes on behind it.'
 *   Unlink.OfAnotherLeavesItAlone: 'FactorNodes puts the node elsewhere: it still exists, and nothing follows it.'
 *   Unlink.OfTheLastEndsTheList: 'The same, of the last node.'
 ---*/
#include "DAGISelMatcher.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;

static std::set<Matcher *> Gone;
struct Counted : RecordMatcher {
  explicit Counted(unsigned Number) : RecordMatcher("node", Number) {}
  ~Counted() override { Gone.insert(this); }
};

class Unlink : public testing::Test {
protected:
  void SetUp() override {
    Gone.clear();
    for (unsigned I = 0; I < 4; I++)
      Node[I] = new Counted(I);
    for (unsigned I = 0; I < 3; I++)
      Node[I]->setNext(Node[I + 1]);
  }
  Matcher *Node[4];
};

TEST_F(Unlink, OfItselfReturnsTheRest) {
  EXPECT_EQ(Node[1], Node[0]->unlinkNode(Node[0]));
  EXPECT_EQ(Node[2], Node[1]->getNext());
}

TEST_F(Unlink, OfItselfLeavesItAlone) {
  Node[0]->unlinkNode(Node[0]);
  EXPECT_EQ(nullptr, Node[0]->getNext());
  EXPECT_TRUE(Gone.empty());
}

TEST_F(Unlink, OfAnotherReturnsThis) {
  EXPECT_EQ(Node[0], Node[0]->unlinkNode(Node[1]));
  EXPECT_EQ(Node[0], Node[0]->unlinkNode(Node[2]));
}

TEST_F(Unlink, OfAnotherKeepsWhatFollows) {
  Node[0]->unlinkNode(Node[2]);
  EXPECT_EQ(Node[1], Node[0]->getNext());
  EXPECT_EQ(Node[3], Node[1]->getNext());
  EXPECT_EQ(nullptr, Node[3]->getNext());
}

TEST_F(Unlink, OfAnotherLeavesItAlone) {
  Node[0]->unlinkNode(Node[1]);
  EXPECT_TRUE(Gone.empty());
  EXPECT_EQ(nullptr, Node[1]->getNext());
}

TEST_F(Unlink, OfTheLastEndsTheList) {
  EXPECT_EQ(Node[0], Node[0]->unlinkNode(Node[3]));
  EXPECT_EQ(nullptr, Node[2]->getNext());
  EXPECT_TRUE(Gone.empty());
}
