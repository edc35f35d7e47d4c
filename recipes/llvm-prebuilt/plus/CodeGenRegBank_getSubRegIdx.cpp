/*---
 * tasks: [FD5686A3D786BAAE]
 * goals: [graft/out/utils/TableGen/CodeGenRegisters.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   SubRegIdx.OfARecordIsFound: 'Docstring: "Find a SubRegIndex from its Record def".'
 *   SubRegIdx.OfARecordIsAlwaysTheSame: 'The same: what was found or added before.'
 *   SubRegIdx.OfANewRecordIsAdded: 'Docstring: "or add to the list if it does not exist there yet".'
 *   SubRegIdx.IsAddedOnce: 'The same: the second time it exists.'
 *   SubRegIdx.HasTheNextNumber: 'CodeGenSubRegIndex::EnumValue counts from 1 in the order of the list; RegisterInfoEmitter relies on it.'
 *   SubRegIdx.IsFoundByFindSubRegIdx: 'findSubRegIdx: "Find a SubRegIndex from its Record def", of what was added.'
 ---*/
#include "tablegen.h"
#include "CodeGenRegisters.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

class SubRegIdx : public testing::Test {
protected:
  CodeGenTarget My{*Records};
  CodeGenRegBank &Bank = My.getRegBank();
  static void SetUpTestSuite() {
    Records = &records(Registers);
    Others = &records(Target + "def third : SubRegIndex<8, 8>; def fourth : SubRegIndex<8, 24>;\n");
  }
  static RecordKeeper *Records, *Others;
};
RecordKeeper *SubRegIdx::Records, *SubRegIdx::Others;

TEST_F(SubRegIdx, OfARecordIsFound) {
  EXPECT_EQ("lo", Bank.getSubRegIdx(Records->getDef("lo"))->getName());
  EXPECT_EQ("odd", Bank.getSubRegIdx(Records->getDef("odd"))->getName());
}

TEST_F(SubRegIdx, OfARecordIsAlwaysTheSame) {
  size_t Before = Bank.getSubRegIndices().size();
  EXPECT_EQ(Bank.getSubRegIdx(Records->getDef("hi")), Bank.getSubRegIdx(Records->getDef("hi")));
  EXPECT_NE(Bank.getSubRegIdx(Records->getDef("hi")), Bank.getSubRegIdx(Records->getDef("lo")));
  EXPECT_EQ(Before, Bank.getSubRegIndices().size());
}

TEST_F(SubRegIdx, OfANewRecordIsAdded) {
  size_t Before = Bank.getSubRegIndices().size();
  CodeGenSubRegIndex *Added = Bank.getSubRegIdx(Others->getDef("third"));
  ASSERT_NE(nullptr, Added);
  EXPECT_EQ("third", Added->getName());
  EXPECT_EQ(8, Added->Offset);
  EXPECT_EQ(Before + 1, Bank.getSubRegIndices().size());
  EXPECT_EQ(Added, &Bank.getSubRegIndices().back());
}

TEST_F(SubRegIdx, IsAddedOnce) {
  CodeGenSubRegIndex *Added = Bank.getSubRegIdx(Others->getDef("third"));
  size_t Before = Bank.getSubRegIndices().size();
  EXPECT_EQ(Added, Bank.getSubRegIdx(Others->getDef("third")));
  EXPECT_EQ(Before, Bank.getSubRegIndices().size());
}

TEST_F(SubRegIdx, HasTheNextNumber) {
  unsigned Number = Bank.getSubRegIndices().size();
  EXPECT_EQ(Number + 1, Bank.getSubRegIdx(Others->getDef("third"))->EnumValue);
  EXPECT_EQ(Number + 2, Bank.getSubRegIdx(Others->getDef("fourth"))->EnumValue);
  for (unsigned I = 0; I < Bank.getSubRegIndices().size(); I++)
    EXPECT_EQ(I + 1, Bank.getSubRegIndices()[I].EnumValue);
}

TEST_F(SubRegIdx, IsFoundByFindSubRegIdx) {
  CodeGenSubRegIndex *Added = Bank.getSubRegIdx(Others->getDef("fourth"));
  EXPECT_EQ(Added, Bank.findSubRegIdx(Others->getDef("fourth")));
}
