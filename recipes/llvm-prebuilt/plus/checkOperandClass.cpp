/*---
 * tasks: [0F0AC8651F1F799F]
 * goals: [graft/out/utils/TableGen/CodeGenDAGPatterns.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   OperandClass.OfTheSameRecordFits: 'Docstring: the class of the leaf against the operand that it represents.'
 *   OperandClass.OfAValueTypeFits: 'llvm/docs: patterns of instructions may name a value type, as i32:$x; "The type will be checked later" where types are inferred.'
 *   OperandClass.OfAComplexPatternFits: 'TargetSelectionDAG.td: a ComplexPattern stands for operands, as addr:$src.'
 *   OperandClass.OfAnotherRegisterClassDoesNot: 'The callers report "class mismatch" and "register class disagrees".'
 *   OperandClass.OfAnotherOperandDoesNot: 'The same.'
 ---*/
#include "tablegen.h"
#include "llvm/utils/TableGen/CodeGenDAGPatterns.cpp"
#include "gtest/gtest.h"

class OperandClass : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Records = &records(Registers + "def addr : ComplexPattern<i32, 2, \"SelectAddr\", [], []>;\n"
                                   "def imm5 : Operand<i32>; def imm6 : Operand<i32>;\n");
  }
  bool fits(StringRef Operand, StringRef Leaf) {
    CGIOperandList::OperandInfo Info(Records->getDef(Operand), "x", "", "", 0, 1, nullptr);
    return checkOperandClass(Info, Records->getDef(Leaf));
  }
  static RecordKeeper *Records;
};
RecordKeeper *OperandClass::Records;

TEST_F(OperandClass, OfTheSameRecordFits) {
  EXPECT_TRUE(fits("Words", "Words"));
  EXPECT_TRUE(fits("imm5", "imm5"));
}

TEST_F(OperandClass, OfAValueTypeFits) {
  EXPECT_TRUE(fits("Words", "i32"));
  EXPECT_TRUE(fits("imm5", "i32"));
}

TEST_F(OperandClass, OfAComplexPatternFits) { EXPECT_TRUE(fits("Words", "addr")); }

TEST_F(OperandClass, OfAnotherRegisterClassDoesNot) {
  EXPECT_FALSE(fits("Words", "Halves"));
  EXPECT_FALSE(fits("imm5", "Words"));
}

TEST_F(OperandClass, OfAnotherOperandDoesNot) { EXPECT_FALSE(fits("imm5", "imm6")); }
