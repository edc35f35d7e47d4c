/*---
 * tasks: [5812479803CFD38A]
 * goals: [graft/out/lib/ProfileData/InstrProf.o]
 * tests:
 *   HashOf.AnAddressThatIsMappedIsFound: 'Docstring: "a function''s hash".'
 *   HashOf.AnotherAddressIsZero: 'Docstring: "or 0, if the function isn''t in this SymTab".'
 *   HashOf.AnyAddressOfNothingIsZero: 'The same, of a table without entries.'
 *   HashOf.EntriesInAnyOrderIsFound: 'finalizeSymtab: the entries are searched once they are sorted; mapAddress takes them in any order.'
 *   HashOf.LargeAddressesIsFound: 'Addresses and hashes have 64 bits.'
 ---*/
#include "llvm/ProfileData/InstrProf.h"
#include "gtest/gtest.h"

using namespace llvm;

TEST(HashOf, AnAddressThatIsMappedIsFound) {
  InstrProfSymtab Symtab;
  Symtab.mapAddress(0x1000, 11);
  Symtab.mapAddress(0x2000, 22);
  EXPECT_EQ(11u, Symtab.getFunctionHashFromAddress(0x1000));
  EXPECT_EQ(22u, Symtab.getFunctionHashFromAddress(0x2000));
}

TEST(HashOf, AnotherAddressIsZero) {
  InstrProfSymtab Symtab;
  Symtab.mapAddress(0x1000, 11);
  Symtab.mapAddress(0x2000, 22);
  for (uint64_t Address : {0x0, 0xfff, 0x1001, 0x1fff, 0x2001})
    EXPECT_EQ(0u, Symtab.getFunctionHashFromAddress(Address)) << Address;
}

TEST(HashOf, AnyAddressOfNothingIsZero) {
  InstrProfSymtab Symtab;
  EXPECT_EQ(0u, Symtab.getFunctionHashFromAddress(0x1000));
}

TEST(HashOf, EntriesInAnyOrderIsFound) {
  InstrProfSymtab Symtab;
  const uint64_t Order[] = {7, 2, 9, 4, 1, 8, 3, 6, 5};
  for (uint64_t I : Order)
    Symtab.mapAddress(I * 0x100, I);
  for (uint64_t I : Order)
    EXPECT_EQ(I, Symtab.getFunctionHashFromAddress(I * 0x100));
}

TEST(HashOf, LargeAddressesIsFound) {
  InstrProfSymtab Symtab;
  Symtab.mapAddress(0xffff800000001000, 0x123456789abcdef0);
  EXPECT_EQ(0x123456789abcdef0u, Symtab.getFunctionHashFromAddress(0xffff800000001000));
}
