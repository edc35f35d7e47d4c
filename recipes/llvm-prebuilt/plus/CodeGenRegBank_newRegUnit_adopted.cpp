/*---
 * tasks: [292D96CBB32F5AF6]
 * goals: [graft/out/bin/llvm-tblgen]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   AdoptedUnit.HasTheNumberThatIsReturned: 'adoptRegUnit and getRegUnit take the number of the unit that was made.'
 *   AdoptedUnit.HasItsWeight: 'Docstring: "to increase its pressure".'
 *   AdoptedUnit.IsNotNative: 'Docstring: "Note that NumNativeRegUnits is not increased."'
 *   AdoptedUnit.HasNoRoots: 'Docstring: "non-native"; RegUnit: native units alone have roots.'
 *   AdoptedUnit.IsNotArtificial: 'RegUnit::Artificial: "artificial if at least one of its roots is artificial".'
 ---*/
#include "tablegen.h"
#include "CodeGenRegisters.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

class AdoptedUnit : public testing::Test {
protected:
  CodeGenTarget My{*Records};
  CodeGenRegBank &Bank = My.getRegBank();
  static void SetUpTestSuite() { Records = &records(Registers); }
  static RecordKeeper *Records;
};
RecordKeeper *AdoptedUnit::Records;

TEST_F(AdoptedUnit, HasTheNumberThatIsReturned) {
  size_t Before = Bank.RegUnits.size();
  unsigned Number = Bank.newRegUnit(7u);
  EXPECT_EQ(Before + 1, Bank.RegUnits.size());
  EXPECT_EQ(&Bank.RegUnits.back(), &Bank.getRegUnit(Number));
}

TEST_F(AdoptedUnit, HasItsWeight) {
  EXPECT_EQ(7u, Bank.getRegUnit(Bank.newRegUnit(7u)).Weight);
  EXPECT_EQ(1u, Bank.getRegUnit(Bank.newRegUnit(1u)).Weight);
}

TEST_F(AdoptedUnit, IsNotNative) {
  unsigned Before = Bank.getNumNativeRegUnits(), Number = Bank.newRegUnit(2u);
  EXPECT_EQ(Before, Bank.getNumNativeRegUnits());
  EXPECT_FALSE(Bank.isNativeUnit(Number));
}

TEST_F(AdoptedUnit, HasNoRoots) { EXPECT_TRUE(Bank.getRegUnit(Bank.newRegUnit(2u)).getRoots().empty()); }

TEST_F(AdoptedUnit, IsNotArtificial) { EXPECT_FALSE(Bank.getRegUnit(Bank.newRegUnit(2u)).Artificial); }
