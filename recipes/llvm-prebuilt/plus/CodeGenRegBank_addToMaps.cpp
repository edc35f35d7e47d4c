/*---
 * tasks: [4AAC00F9DBAB2703]
 * goals: [graft/out/utils/TableGen/CodeGenRegisters.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Maps.FindTheClassByItsRecord: 'Docstring: "Add RC to *2RC maps"; getRegClass looks up Def2RC.'
 *   Maps.FindTheClassByItsKey: 'The same; getOrCreateSubClass looks up Key2RC.'
 *   Maps.FindASynthesizedClassByItsKey: 'The same, of a class that has no record.'
 *   Maps.HoldNoClassWithoutARecordByOne: 'getRegClass: a class is found by its own record alone.'
 *   Maps.KeepClassesApart: 'The same, of several classes.'
 ---*/
#include "tablegen.h"
#include "CodeGenRegisters.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

class Maps : public testing::Test {
protected:
  CodeGenTarget My{*Records};
  CodeGenRegBank &Bank = My.getRegBank();
  CodeGenRegisterClass *Words = Bank.getRegClass(Records->getDef("Words"));
  CodeGenRegisterClass *Halves = Bank.getRegClass(Records->getDef("Halves"));
  void SetUp() override {
    Bank.Def2RC.clear();
    Bank.Key2RC.clear();
  }
  CodeGenRegisterClass *byKey(const CodeGenRegisterClass &RC) {
    auto Found = Bank.Key2RC.find(CodeGenRegisterClass::Key(RC));
    return Found == Bank.Key2RC.end() ? nullptr : Found->second;
  }
  static void SetUpTestSuite() { Records = &records(Registers); }
  static RecordKeeper *Records;
};
RecordKeeper *Maps::Records;

TEST_F(Maps, FindTheClassByItsRecord) {
  Bank.addToMaps(Words);
  EXPECT_EQ(Words, Bank.getRegClass(Records->getDef("Words")));
}

TEST_F(Maps, FindTheClassByItsKey) {
  Bank.addToMaps(Words);
  EXPECT_EQ(Words, byKey(*Words));
}

TEST_F(Maps, FindASynthesizedClassByItsKey) {
  CodeGenRegister::Vec Members{Bank.getReg(Records->getDef("W1"))};
  CodeGenRegisterClass Made(Bank, "Made", CodeGenRegisterClass::Key(&Members, Words->RSI));
  Bank.addToMaps(&Made);
  EXPECT_EQ(&Made, byKey(Made));
}

TEST_F(Maps, HoldNoClassWithoutARecordByOne) {
  CodeGenRegister::Vec Members{Bank.getReg(Records->getDef("W1"))};
  CodeGenRegisterClass Made(Bank, "Made", CodeGenRegisterClass::Key(&Members, Words->RSI));
  Bank.addToMaps(&Made);
  EXPECT_TRUE(Bank.Def2RC.empty());
}

TEST_F(Maps, KeepClassesApart) {
  Bank.addToMaps(Words);
  Bank.addToMaps(Halves);
  EXPECT_EQ(Halves, Bank.getRegClass(Records->getDef("Halves")));
  EXPECT_EQ(Words, Bank.getRegClass(Records->getDef("Words")));
  EXPECT_EQ(Halves, byKey(*Halves));
  EXPECT_EQ(Words, byKey(*Words));
}
