/*---
 * tasks: [B5EB2DF18B98E871]
 * goals: [graft/out/utils/TableGen/RegisterInfoEmitter.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Hex.IsLittleEndian: 'Docstring: "using a little-endian mapping": the first bit is the lowest.'
 *   Hex.HasANumberForEachWidth: 'Docstring: "a sequence of hex numbers ... Width is the number of bits per hex number".'
 *   Hex.OfARestIsShorter: 'Docstring: all bits, where their number is no multiple of the width.'
 *   Hex.OfNothingIsNothing: 'The same, of no bits.'
 ---*/
#include "llvm/utils/TableGen/RegisterInfoEmitter.cpp"
#include "gtest/gtest.h"

// Of TableGen.cpp, which has a main of its own.
cl::opt<bool> llvm::EmitLongStrLiterals("emit-long-strings");

// The numbers that are printed, without their zeros in front. Each ends with a comma: callers print several sequences
// into one array.
static std::string hex(unsigned Size, std::initializer_list<unsigned> Set, unsigned Width) {
  BitVector Bits(Size);
  for (unsigned Bit : Set)
    Bits.set(Bit);
  std::string Text;
  raw_string_ostream OS(Text);
  printBitVectorAsHex(OS, Bits, Width);
  SmallVector<StringRef> Words;
  StringRef(OS.str()).split(Words, ',');
  EXPECT_EQ("", Words.pop_back_val().trim());
  std::string Numbers;
  for (StringRef Word : Words) {
    unsigned Number = 0;
    EXPECT_TRUE(Word.trim().starts_with_insensitive("0x") && !Word.trim().getAsInteger(0, Number)) << Text;
    Numbers += utohexstr(Number, /*LowerCase=*/true) + " ";
  }
  return Numbers;
}

TEST(Hex, IsLittleEndian) {
  EXPECT_EQ("1 ", hex(8, {0}, 8));
  EXPECT_EQ("86 ", hex(8, {1, 2, 7}, 8));
  EXPECT_EQ("80000001 ", hex(32, {0, 31}, 32));
}

TEST(Hex, HasANumberForEachWidth) {
  EXPECT_EQ("1 0 80 ", hex(24, {0, 23}, 8));
  EXPECT_EQ("1 2 ", hex(32, {0, 17}, 16));
}

TEST(Hex, OfARestIsShorter) {
  EXPECT_EQ("0 2 ", hex(10, {9}, 8));
  EXPECT_EQ("4 ", hex(3, {2}, 32));
}

TEST(Hex, OfNothingIsNothing) { EXPECT_EQ("", hex(0, {}, 8)); }
