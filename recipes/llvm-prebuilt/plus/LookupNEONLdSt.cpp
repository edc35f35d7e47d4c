/*---
 * tasks: [1BB1EAA93F31CA22]
 * goals: [graft/out/lib/Target/ARM/ARMExpandPseudoInsts.o]
 * flags: [-Illvm/lib/Target/ARM, -Igraft/out/lib/Target/ARM]
 * tests:
 *   Lookup.FindsEachEntry: 'Docstring: "information about a NEON load or store pseudo instruction", of all that the table holds.'
 *   Lookup.FindsTheFirstAndTheLast: 'The same, at the ends of the table.'
 *   Lookup.FindsStoresToo: 'Docstring: "load or store".'
 *   Lookup.OfAnotherInstructionIsNull: 'ExpandVLD and ExpandVST assert that an entry was found: null says that there is none.'
 *   Lookup.OfNumbersAroundTheTableIsNull: 'The same, of numbers before, between and behind the entries.'
 ---*/
#include "llvm/lib/Target/ARM/ARMExpandPseudoInsts.cpp"
#include "gtest/gtest.h"
#include <set>

TEST(Lookup, FindsEachEntry) {
  for (const NEONLdStTableEntry &Entry : NEONLdStTable)
    EXPECT_EQ(&Entry, LookupNEONLdSt(Entry.PseudoOpc));
}

TEST(Lookup, FindsTheFirstAndTheLast) {
  EXPECT_EQ(std::begin(NEONLdStTable), LookupNEONLdSt(ARM::VLD1LNq16Pseudo));
  EXPECT_EQ(std::end(NEONLdStTable) - 1, LookupNEONLdSt(ARM::VST4q8oddPseudo_UPD));
}

TEST(Lookup, FindsStoresToo) {
  const NEONLdStTableEntry *Store = LookupNEONLdSt(ARM::VST4d16Pseudo);
  ASSERT_NE(nullptr, Store);
  EXPECT_FALSE(Store->IsLoad);
  EXPECT_EQ(unsigned(ARM::VST4d16), Store->RealOpc);
}

TEST(Lookup, OfAnotherInstructionIsNull) {
  EXPECT_EQ(nullptr, LookupNEONLdSt(ARM::ADDri));
  EXPECT_EQ(nullptr, LookupNEONLdSt(ARM::VLD1d16));
}

TEST(Lookup, OfNumbersAroundTheTableIsNull) {
  std::set<unsigned> Known;
  for (const NEONLdStTableEntry &Entry : NEONLdStTable)
    Known.insert(Entry.PseudoOpc);
  for (unsigned Opcode = 0; Opcode < *Known.rbegin() + 50; Opcode++)
    if (!Known.count(Opcode))
      EXPECT_EQ(nullptr, LookupNEONLdSt(Opcode)) << Opcode;
}
