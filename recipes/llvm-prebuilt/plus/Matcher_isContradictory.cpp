/*---
 * tasks: [022B4872CF6D47FE]
 * goals: [graft/out/bin/llvm-tblgen]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Contradictory.AreDifferentValues: 'Docstring: "these two matchers could never match on the same node".'
 *   Contradictory.AreNotTheSameValues: 'The same.'
 *   Contradictory.AreDifferentTypes: 'CheckTypeMatcher::isContradictoryImpl.'
 *   Contradictory.IsATypeThatTheOpcodeDoesNotHave: 'CheckOpcodeMatcher::isContradictoryImpl: a result that the opcode lacks cannot match.'
 *   Contradictory.IsTheSameInEitherOrder: 'The question is about the two matchers, whichever is asked.'
 *   Contradictory.AreNotQuestionsThatHaveNothingInCommon: 'Docstring: "could never match": a value and an opcode may.'
 ---*/
#include "tablegen.h"
#include "CodeGenDAGPatterns.h"
#include "DAGISelMatcher.h"
#include "gtest/gtest.h"

using namespace llvm;

class Contradictory : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Records = &records(Target + "def result : SDNode<\"My::RESULT\", SDTypeProfile<1, 0, []>>;\n"
                                "def none : SDNode<\"My::NONE\", SDTypeProfile<0, 1, []>>;\n");
  }
  static RecordKeeper *Records;
  CodeGenHwModes Modes{*Records};
  SDNodeInfo Result{Records->getDef("result"), Modes}, None{Records->getDef("none"), Modes};
  CheckOpcodeMatcher IsResult{Result}, IsNone{None};
  CheckTypeMatcher IsI32{MVT::i32, 0}, IsF32{MVT::f32, 0};
  CheckIntegerMatcher IsOne{1}, IsTwo{2};
};
RecordKeeper *Contradictory::Records;

TEST_F(Contradictory, AreDifferentValues) {
  EXPECT_TRUE(IsOne.isContradictory(&IsTwo));
  EXPECT_TRUE(IsResult.isContradictory(&IsNone));
}

TEST_F(Contradictory, AreNotTheSameValues) {
  CheckIntegerMatcher Again{1};
  EXPECT_FALSE(IsOne.isContradictory(&Again));
  EXPECT_FALSE(IsI32.isContradictory(&IsI32));
}

TEST_F(Contradictory, AreDifferentTypes) { EXPECT_TRUE(IsI32.isContradictory(&IsF32)); }

TEST_F(Contradictory, IsATypeThatTheOpcodeDoesNotHave) { EXPECT_TRUE(IsNone.isContradictory(&IsI32)); }

TEST_F(Contradictory, IsTheSameInEitherOrder) {
  EXPECT_TRUE(IsI32.isContradictory(&IsNone));
  EXPECT_FALSE(IsI32.isContradictory(&IsResult));
  EXPECT_FALSE(IsResult.isContradictory(&IsI32));
}

TEST_F(Contradictory, AreNotQuestionsThatHaveNothingInCommon) {
  EXPECT_FALSE(IsOne.isContradictory(&IsResult));
  EXPECT_FALSE(IsResult.isContradictory(&IsOne));
  EXPECT_FALSE(IsOne.isContradictory(&IsI32));
}
