/*---
 * tasks: [B5EB2DF18B98E871]
 * goals: [graft/out/utils/TableGen/RegisterInfoEmitter.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Hex.IsLittleEndian: 'Docstring: "using a little-endian mapping": the first bit is the lowest.'
 *   Hex.HasANumberForEachWidth: 'Docstring: "a sequence of hex numbers ... Width is the number of bits per hex number".'
 *   Hex.IsFilledUpWithZeros: 'The tables that RegisterInfoEmitter prints: 0x0f, for 8 bits, and eight digits for 32.'
 *   Hex.OfARestIsShorter: 'Docstring: all bits, where their number is no multiple of the width.'
 *   Hex.OfNothingIsNothing: 'The same, of no bits.'
 ---*/
#include "llvm/utils/TableGen/RegisterInfoEmitter.cpp"
#include "gtest/gtest.h"

// Of TableGen.cpp, which has a main of its own.
cl::opt<bool> llvm::EmitLongStrLiterals("emit-long-strings");

static std::string hex(unsigned Size, std::initializer_list<unsigned> Set, unsigned Width) {
  BitVector Bits(Size);
  for (unsigned Bit : Set)
    Bits.set(Bit);
  std::string Text;
  raw_string_ostream OS(Text);
  printBitVectorAsHex(OS, Bits, Width);
  return OS.str();
}

TEST(Hex, IsLittleEndian) {
  EXPECT_EQ("0x01, ", hex(8, {0}, 8));
  EXPECT_EQ("0x86, ", hex(8, {1, 2, 7}, 8));
  EXPECT_EQ("0x80000001, ", hex(32, {0, 31}, 32));
}

TEST(Hex, HasANumberForEachWidth) {
  EXPECT_EQ("0x01, 0x00, 0x80, ", hex(24, {0, 23}, 8));
  EXPECT_EQ("0x0001, 0x0002, ", hex(32, {0, 17}, 16));
}

TEST(Hex, IsFilledUpWithZeros) {
  EXPECT_EQ("0x00, ", hex(8, {}, 8));
  EXPECT_EQ("0x00000010, ", hex(32, {4}, 32));
}

TEST(Hex, OfARestIsShorter) {
  EXPECT_EQ("0x00, 0x02, ", hex(10, {9}, 8));
  EXPECT_EQ("0x00000004, ", hex(3, {2}, 32));
}

TEST(Hex, OfNothingIsNothing) { EXPECT_EQ("", hex(0, {}, 8)); }
