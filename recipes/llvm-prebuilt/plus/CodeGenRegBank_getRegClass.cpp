/*---
 * tasks: [4C1DC2D4407A506B]
 * goals: [graft/out/utils/TableGen/CodeGenRegisters.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   RegClass.OfEachRecordIsFound: 'Docstring: "Find a register class from its def."'
 *   RegClass.OfAnotherRecordEndsTheProgram: 'Signature and callers: no null comes back; a mistake in a .td file is a fatal error with its place.'
 *   RegClass.OfARegisterEndsTheProgram: 'The same, of a record of another class.'
 ---*/
#include "tablegen.h"
#include "CodeGenRegisters.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

class RegClass : public testing::Test {
protected:
  CodeGenTarget My{*Records};
  CodeGenRegBank &Bank = My.getRegBank();
  static void SetUpTestSuite() { Records = &records(Registers); }
  static RecordKeeper *Records;
};
RecordKeeper *RegClass::Records;

TEST_F(RegClass, OfEachRecordIsFound) {
  for (StringRef Name : {"Halves", "Words", "Firsts"}) {
    CodeGenRegisterClass *Found = Bank.getRegClass(Records->getDef(Name));
    ASSERT_NE(nullptr, Found);
    EXPECT_EQ(Name, Found->getName());
    EXPECT_EQ(Records->getDef(Name), Found->getDef());
  }
}

TEST_F(RegClass, OfAnotherRecordEndsTheProgram) {
  EXPECT_EXIT(Bank.getRegClass(Records->getDef("lo")), testing::ExitedWithCode(1), "error: ");
}

TEST_F(RegClass, OfARegisterEndsTheProgram) {
  EXPECT_EXIT(Bank.getRegClass(Records->getDef("W0")), testing::ExitedWithCode(1), "error: ");
}
