/*---
 * tasks: [5FA5D3F4E05F7A0B]
 * goals: [graft/out/bin/llvm-tblgen]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   NativeUnit.HasTheNumberThatIsReturned: 'getRegUnit takes the number of the unit that was made.'
 *   NativeUnit.IsOneMoreEachTime: 'Docstring: "Create a native register unit".'
 *   NativeUnit.HasOneRoot: 'Docstring: "associated with one or two root registers".'
 *   NativeUnit.HasTwoRoots: 'The same.'
 *   NativeUnit.IsArtificialWhereARootIs: 'RegUnit::Artificial: "artificial if at least one of its roots is artificial".'
 *   NativeUnit.HasNoWeightYet: 'RegUnit: a new unit weighs nothing; computeRegUnitWeights gives it its weight.'
 ---*/
#include "tablegen.h"
#include "CodeGenRegisters.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

class NativeUnit : public testing::Test {
protected:
  CodeGenTarget My{*Records};
  CodeGenRegBank &Bank = My.getRegBank();
  CodeGenRegister *First = Bank.getReg(Records->getDef("L0")), *Second = Bank.getReg(Records->getDef("H0"));
  static void SetUpTestSuite() { Records = &records(Registers); }
  static RecordKeeper *Records;
};
RecordKeeper *NativeUnit::Records;

TEST_F(NativeUnit, HasTheNumberThatIsReturned) {
  unsigned Number = Bank.newRegUnit(Second);
  EXPECT_EQ(&Bank.RegUnits.back(), &Bank.getRegUnit(Number));
}

TEST_F(NativeUnit, IsOneMoreEachTime) {
  size_t Before = Bank.RegUnits.size();
  unsigned One = Bank.newRegUnit(First), Next = Bank.newRegUnit(First, Second);
  EXPECT_EQ(Before + 2, Bank.RegUnits.size());
  EXPECT_EQ(One + 1, Next);
}

TEST_F(NativeUnit, HasOneRoot) {
  auto Roots = Bank.getRegUnit(Bank.newRegUnit(First)).getRoots();
  ASSERT_EQ(1u, Roots.size());
  EXPECT_EQ(First, Roots[0]);
}

TEST_F(NativeUnit, HasTwoRoots) {
  auto Roots = Bank.getRegUnit(Bank.newRegUnit(First, Second)).getRoots();
  ASSERT_EQ(2u, Roots.size());
  EXPECT_EQ(First, Roots[0]);
  EXPECT_EQ(Second, Roots[1]);
}

TEST_F(NativeUnit, IsArtificialWhereARootIs) {
  First->Artificial = Second->Artificial = false;
  EXPECT_FALSE(Bank.getRegUnit(Bank.newRegUnit(First)).Artificial);
  EXPECT_FALSE(Bank.getRegUnit(Bank.newRegUnit(First, Second)).Artificial);
  Second->Artificial = true;
  EXPECT_TRUE(Bank.getRegUnit(Bank.newRegUnit(First, Second)).Artificial);
  EXPECT_TRUE(Bank.getRegUnit(Bank.newRegUnit(Second, First)).Artificial);
  EXPECT_TRUE(Bank.getRegUnit(Bank.newRegUnit(Second)).Artificial);
}

TEST_F(NativeUnit, HasNoWeightYet) { EXPECT_EQ(0u, Bank.getRegUnit(Bank.newRegUnit(First)).Weight); }
