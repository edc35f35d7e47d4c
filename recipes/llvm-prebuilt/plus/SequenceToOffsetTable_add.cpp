/*---
 * tasks: [C6A84ACD8DB87546]
 * goals: [graft/out/utils/TableGen/RegisterInfoEmitter.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Table.HoldsWhatIsAdded: 'Docstring: "Add a sequence to the table"; get returns its offset.'
 *   Table.HoldsASequenceOnce: 'The member Seqs: a sequence is the key, so it is there once.'
 *   Table.SharesASuffixThatComesLater: 'The member Seqs: "Sequences added so far, with suffixes removed."'
 *   Table.SharesASuffixThatCameBefore: 'The same, in the other order.'
 *   Table.KeepsApartWhatIsNoSuffix: 'The same: a prefix, or a part in the middle, is no suffix.'
 *   Table.OfManySequencesHoldsEach: 'The same, in any order.'
 *   Table.IsNotEmptyAfterwards: 'empty().'
 ---*/
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "SequenceToOffsetTable.h"
#include "gtest/gtest.h"
#include <string>

using namespace llvm;

// Of TableGen.cpp, which has a main of its own.
cl::opt<bool> llvm::EmitLongStrLiterals("emit-long-strings");

static SequenceToOffsetTable<std::string> table(std::initializer_list<const char *> All) {
  SequenceToOffsetTable<std::string> Made;
  for (const char *Sequence : All)
    Made.add(Sequence);
  Made.layout();
  return Made;
}

TEST(Table, HoldsWhatIsAdded) {
  auto Made = table({"abc", "xyzzy"});
  EXPECT_EQ(4u + 6u, Made.size());
  EXPECT_NE(Made.get("abc"), Made.get("xyzzy"));
}

TEST(Table, HoldsASequenceOnce) { EXPECT_EQ(4u, table({"abc", "abc", "abc"}).size()); }

TEST(Table, SharesASuffixThatComesLater) {
  auto Made = table({"abc", "bc", "c"});
  EXPECT_EQ(4u, Made.size());
  EXPECT_EQ(Made.get("abc") + 1, Made.get("bc"));
  EXPECT_EQ(Made.get("abc") + 2, Made.get("c"));
}

TEST(Table, SharesASuffixThatCameBefore) {
  auto Made = table({"c", "bc", "abc"});
  EXPECT_EQ(4u, Made.size());
  EXPECT_EQ(Made.get("abc") + 1, Made.get("bc"));
  EXPECT_EQ(Made.get("abc") + 2, Made.get("c"));
}

TEST(Table, KeepsApartWhatIsNoSuffix) {
  EXPECT_EQ(4u + 3u, table({"abc", "ab"}).size());
  EXPECT_EQ(4u + 2u, table({"b", "abc"}).size());
  EXPECT_EQ(4u + 4u, table({"abc", "dbc"}).size());
}

TEST(Table, OfManySequencesHoldsEach) {
  auto Made = table({"m", "zz", "azz", "q", "bzz", "mq", "z", "aq"});
  // m, azz, bzz, mq and aq, with what ends each.
  EXPECT_EQ(2u + 4u + 4u + 3u + 3u, Made.size());
  EXPECT_TRUE(Made.get("zz") == Made.get("azz") + 1 || Made.get("zz") == Made.get("bzz") + 1);
  EXPECT_TRUE(Made.get("q") == Made.get("mq") + 1 || Made.get("q") == Made.get("aq") + 1);
}

TEST(Table, IsNotEmptyAfterwards) {
  SequenceToOffsetTable<std::string> Made;
  EXPECT_TRUE(Made.empty());
  Made.add("a");
  EXPECT_FALSE(Made.empty());
}
