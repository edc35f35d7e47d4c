/*---
 * tasks: [7A1498112E0F97DE]
 * goals: [graft/out/bin/llvm-tblgen]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   TopoSig.IsLessThanTheirNumber: 'Docstring: "a small integer less than RegBank.getNumTopoSigs()".'
 *   TopoSig.OfTheSameStructureIsTheSame: 'Docstring: "Registers with the same TopoSig have identical sub-register structure."'
 *   TopoSig.OfOtherIndicesIsAnother: 'Docstring: "they support the same set of sub-register indices".'
 *   TopoSig.OfALeafIsTheFirst: 'getNumTopoSigs: "The first TopoSig representing leaf registers is allocated number 0."'
 *   TopoSig.OfAWordIsNotThatOfALeaf: 'Docstring: they differ in their sub-registers.'
 ---*/
#include "tablegen.h"
#include "CodeGenRegisters.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

class TopoSig : public testing::Test {
protected:
  CodeGenTarget My{*Records};
  CodeGenRegBank &Bank = My.getRegBank();
  unsigned of(StringRef Name) { return Bank.getReg(Records->getDef(Name))->getTopoSig(); }
  static void SetUpTestSuite() { Records = &records(Registers); }
  static RecordKeeper *Records;
};
RecordKeeper *TopoSig::Records;

TEST_F(TopoSig, IsLessThanTheirNumber) {
  for (const CodeGenRegister &Register : Bank.getRegisters())
    EXPECT_LT(Register.getTopoSig(), Bank.getNumTopoSigs()) << Register.getName().str();
}

TEST_F(TopoSig, OfTheSameStructureIsTheSame) {
  EXPECT_EQ(of("W0"), of("W2"));
  EXPECT_EQ(of("L0"), of("H3"));
}

TEST_F(TopoSig, OfOtherIndicesIsAnother) { EXPECT_NE(of("W0"), of("W1")); }

TEST_F(TopoSig, OfALeafIsTheFirst) { EXPECT_EQ(0u, of("L1")); }

TEST_F(TopoSig, OfAWordIsNotThatOfALeaf) { EXPECT_NE(of("W0"), of("L0")); }
