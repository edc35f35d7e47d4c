/*---
 * tasks: [41446EA1547D3DBE]
 * goals: [graft/out/lib/CodeGen/TargetLoweringBase.o]
 * tests:
 *   TruncateFree.IsWhatTheTargetSaysOfTheTypes: 'Docstring, and the other overloads: targets say which types are truncated freely.'
 *   TruncateFree.IsFalseWhereTheTargetSaysSo: 'The same.'
 *   TruncateFree.AsksFromTheTypeOfTheValue: 'Docstring: from the specific node Val to type VT2.'
 *   TruncateFree.TakesTheResultThatIsMeant: 'SDValue: a node may have several results, each of its own type.'
 *   TruncateFree.DoesNotAskForExtension: 'isZExtFree is another question.'
 ---*/
#define TARGET X86
#include "machine.h"
#include "llvm/CodeGen/SelectionDAGNodes.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "gtest/gtest.h"

using namespace llvm;

// A target for which i64 to i32 alone is free, against what the sizes would say.
struct Lowering : TargetLowering {
  explicit Lowering(const TargetMachine &TM) : TargetLowering(TM) {}
  bool isTruncateFree(EVT From, EVT To) const override { return From == MVT::i64 && To == MVT::i32; }
  bool isZExtFree(EVT, EVT) const override { return true; }
};

class TruncateFree : public testing::Test {
protected:
  bool isFree(SDNode &Node, unsigned Result, MVT To) {
    return Target.TargetLoweringBase::isTruncateFree(SDValue(&Node, Result), EVT(To));
  }
  Machine Given{"---\nname: f\nbody: |\n  bb.0:\n...\n", "x86_64"};
  Lowering Target{*Given.TM};
  EVT Types[2] = {MVT::i16, MVT::i64};
  SDNode Wide{ISD::ADD, 0, DebugLoc(), SDNode::getSDVTList(MVT::i64)};
  SDNode Narrow{ISD::ADD, 0, DebugLoc(), SDNode::getSDVTList(MVT::i32)};
  SDNode Both{ISD::ADD, 0, DebugLoc(), SDVTList{Types, 2}};
};

TEST_F(TruncateFree, IsWhatTheTargetSaysOfTheTypes) { EXPECT_TRUE(isFree(Wide, 0, MVT::i32)); }

TEST_F(TruncateFree, IsFalseWhereTheTargetSaysSo) {
  EXPECT_FALSE(isFree(Wide, 0, MVT::i16));
  EXPECT_FALSE(isFree(Narrow, 0, MVT::i16));
}

TEST_F(TruncateFree, AsksFromTheTypeOfTheValue) { EXPECT_FALSE(isFree(Narrow, 0, MVT::i64)); }

TEST_F(TruncateFree, TakesTheResultThatIsMeant) {
  EXPECT_FALSE(isFree(Both, 0, MVT::i32));
  EXPECT_TRUE(isFree(Both, 1, MVT::i32));
}

TEST_F(TruncateFree, DoesNotAskForExtension) { EXPECT_FALSE(isFree(Narrow, 0, MVT::i8)); }
