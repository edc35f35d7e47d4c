/*---
 * tasks: [56E03C653BFF681D]
 * goals: [graft/out/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.o]
 * flags: [-Illvm/lib/Target/AMDGPU, -Igraft/out/lib/Target/AMDGPU]
 * tests:
 *   Inlinable.IsASmallInteger: 'getInlineEncodingV216: "integer encodings (-16 .. 64)", for each type of operand.'
 *   Inlinable.IsNoIntegerBeyond: 'The same: 65 and -17 have none.'
 *   Inlinable.IsAHalfOfAFloatOperand: 'The same: "for F16 instructions: corresponding half-precision float values in the LSBs, 0 in the MSBs".'
 *   Inlinable.IsNoPairOfHalves: 'The same: 0 in the upper half.'
 *   Inlinable.IsASingleOfAnIntegerOperand: 'The same: "for UI16 instructions: corresponding single-precision float value".'
 *   Inlinable.IsNotTheOtherKindOfFloat: 'The same: which it is depends on the type of the operand.'
 ---*/
#include "Utils/AMDGPUBaseInfo.h"
#include "SIDefines.h"
#include "gtest/gtest.h"

using namespace llvm::AMDGPU;

static const uint8_t Integers[] = {OPERAND_REG_IMM_V2INT16, OPERAND_REG_INLINE_C_V2INT16,
                                   OPERAND_REG_INLINE_AC_V2INT16};
static const uint8_t Floats[] = {OPERAND_REG_IMM_V2FP16, OPERAND_REG_INLINE_C_V2FP16, OPERAND_REG_INLINE_AC_V2FP16};

TEST(Inlinable, IsASmallInteger) {
  for (uint32_t Literal : {0u, 1u, 64u, 0xffffffffu, 0xfffffff0u})
    for (int I = 0; I < 3; I++) {
      EXPECT_TRUE(isInlinableLiteralV216(Literal, Integers[I])) << Literal;
      EXPECT_TRUE(isInlinableLiteralV216(Literal, Floats[I])) << Literal;
    }
}

TEST(Inlinable, IsNoIntegerBeyond) {
  for (uint32_t Literal : {65u, 0xffffffefu, 0xffffu, 0xfff0u, 0x00010001u, 0xffff0001u})
    for (int I = 0; I < 3; I++) {
      EXPECT_FALSE(isInlinableLiteralV216(Literal, Integers[I])) << Literal;
      EXPECT_FALSE(isInlinableLiteralV216(Literal, Floats[I])) << Literal;
    }
}

TEST(Inlinable, IsAHalfOfAFloatOperand) {
  for (uint32_t Literal : {0x3800, 0xB800, 0x3C00, 0xBC00, 0x4000, 0xC000, 0x4400, 0xC400, 0x3118})
    for (uint8_t Type : Floats)
      EXPECT_TRUE(isInlinableLiteralV216(Literal, Type)) << Literal;
}

TEST(Inlinable, IsNoPairOfHalves) {
  for (uint32_t Literal : {0x3C003C00u, 0xC400C400u, 0x3C000000u})
    for (uint8_t Type : Floats)
      EXPECT_FALSE(isInlinableLiteralV216(Literal, Type)) << Literal;
}

TEST(Inlinable, IsASingleOfAnIntegerOperand) {
  for (uint32_t Literal : {0x3F000000u, 0xBF000000u, 0x3F800000u, 0xBF800000u, 0x40000000u, 0xC0800000u, 0x3E22F983u})
    for (uint8_t Type : Integers)
      EXPECT_TRUE(isInlinableLiteralV216(Literal, Type)) << Literal;
}

TEST(Inlinable, IsNotTheOtherKindOfFloat) {
  for (int I = 0; I < 3; I++) {
    EXPECT_FALSE(isInlinableLiteralV216(0x3C00, Integers[I]));
    EXPECT_FALSE(isInlinableLiteralV216(0x3F800000, Floats[I]));
  }
}
