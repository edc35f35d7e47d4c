/*---
 * tasks: [5FF38911DE3E69F9]
 * goals: [graft/out/bin/llvm-tblgen]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   NotEmitted.IsNoOperandAtFirst: 'Docstring; DoNotEncode is all false until DisableEncoding names an operand.'
 *   NotEmitted.IsADisabledOperand: 'Docstring: "true if the specified flat operand # should not be emitted"; Instruction.DisableEncoding.'
 *   NotEmitted.IsOneSuboperandAlone: 'ProcessDisableEncoding: "$p.hi" disables a suboperand, and the others are emitted.'
 *   NotEmitted.CountsSuboperandsOfTheOperandsBefore: 'Docstring: "flat operand #"; getFlattenedOperandNumber.'
 *   NotEmitted.IsEachSuboperandOfADisabledOperand: 'The same, of all that DisableEncoding names.'
 ---*/
#include "tablegen.h"
#include "CodeGenInstruction.h"
#include "gtest/gtest.h"

using namespace llvm;

// The flat operands: d 0, p.lo 1, p.mid 2, p.hi 3, q 4.
class NotEmitted : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Records = &records(Target + "def Triple : Operand<i32> {\n"
                                "  let MIOperandInfo = (ops i32imm:$lo, i32imm:$mid, i32imm:$hi);\n"
                                "}\n"
                                "def I : Instruction {\n"
                                "  let OutOperandList = (outs i32imm:$d);\n"
                                "  let InOperandList = (ins Triple:$p, i32imm:$q);\n"
                                "}\n");
  }
  std::string notEmitted(StringRef Disabled) {
    CGIOperandList Operands(Records->getDef("I"));
    Operands.ProcessDisableEncoding(Disabled);
    std::string All;
    for (unsigned Flat = 0; Flat < 5; Flat++)
      All += Operands.isFlatOperandNotEmitted(Flat) ? '1' : '0';
    return All;
  }
  static RecordKeeper *Records;
};
RecordKeeper *NotEmitted::Records;

TEST_F(NotEmitted, IsNoOperandAtFirst) { EXPECT_EQ("00000", notEmitted("")); }

TEST_F(NotEmitted, IsADisabledOperand) { EXPECT_EQ("10000", notEmitted("$d")); }

TEST_F(NotEmitted, IsOneSuboperandAlone) {
  EXPECT_EQ("00010", notEmitted("$p.hi"));
  EXPECT_EQ("01000", notEmitted("$p.lo"));
}

TEST_F(NotEmitted, CountsSuboperandsOfTheOperandsBefore) { EXPECT_EQ("00001", notEmitted("$q")); }

TEST_F(NotEmitted, IsEachSuboperandOfADisabledOperand) { EXPECT_EQ("01101", notEmitted("$p.lo, $p.mid, $q")); }
