/*---
 * tasks: [6E2C5D1F01DE0934]
 * goals: [graft/out/lib/Target/AArch64/AArch64FrameLowering.o]
 * flags: [-Illvm/lib/Target/AArch64, -Igraft/out/lib/Target/AArch64]
 * tests:
 *   FixedObject.IsTheStackReservedForTailCalls: 'getTailCallReservedStack: AArch64FrameLowering reserves it next to sp on entry.'
 *   FixedObject.OfAFuncletIsThatToo: 'Docstring: the var args area and UnwindHelp are those of the function; a funclet reaches them by its parent.'
 *   FixedObject.OnWindowsHoldsTheVariableArguments: 'Docstring: "On Win64 this may include a var args area".'
 *   FixedObject.OnWindowsHoldsUnwindHelp: 'Docstring: "and an UnwindHelp object for EH", in functions with EH funclets; 8 bytes, a pointer.'
 *   FixedObject.IsAMultipleOf16: 'The stack of AArch64 is aligned to 16 bytes (AAPCS64).'
 *   FixedObject.OnWindowsIsNothingWithoutEither: 'Docstring: "may include".'
 *   FixedObject.ElsewhereHasNoVariableArguments: 'Docstring: "On Win64".'
 ---*/
#define TARGET AArch64
#include "llvm/lib/Target/AArch64/AArch64FrameLowering.cpp"
#include "machine.h"
#include "gtest/gtest.h"

class FixedObject : public testing::Test {
protected:
  Machine Given{"---\nname: f\nbody: |\n  bb.0:\n    RET undef $lr\n...\n", "aarch64-windows"};
  AArch64FunctionInfo *Info = Given.MF->getInfo<AArch64FunctionInfo>();
  unsigned size(bool IsWin64, bool IsFunclet = false) {
    return getFixedObjectSize(*Given.MF, Info, IsWin64, IsFunclet);
  }
};

TEST_F(FixedObject, IsTheStackReservedForTailCalls) {
  Info->setTailCallReservedStack(48);
  EXPECT_EQ(48u, size(false));
  Info->setTailCallReservedStack(0);
  EXPECT_EQ(0u, size(false));
}

TEST_F(FixedObject, OfAFuncletIsThatToo) {
  Info->setVarArgsGPRSize(64);
  Given.MF->setHasEHFunclets(true);
  EXPECT_EQ(0u, size(true, true));
}

TEST_F(FixedObject, OnWindowsHoldsTheVariableArguments) {
  Info->setVarArgsGPRSize(64);
  Info->setVarArgsFPRSize(128);
  EXPECT_EQ(64u, size(true));
}

TEST_F(FixedObject, OnWindowsHoldsUnwindHelp) {
  Given.MF->setHasEHFunclets(true);
  EXPECT_EQ(16u, size(true));
  Info->setVarArgsGPRSize(56);
  EXPECT_EQ(64u, size(true));
  Info->setVarArgsGPRSize(64);
  EXPECT_EQ(80u, size(true));
}

TEST_F(FixedObject, IsAMultipleOf16) {
  for (unsigned Size : {8, 24, 40}) {
    Info->setVarArgsGPRSize(Size);
    EXPECT_EQ(Size + 8, size(true));
  }
}

TEST_F(FixedObject, OnWindowsIsNothingWithoutEither) { EXPECT_EQ(0u, size(true)); }

TEST_F(FixedObject, ElsewhereHasNoVariableArguments) {
  Info->setVarArgsGPRSize(64);
  Given.MF->setHasEHFunclets(true);
  EXPECT_EQ(0u, size(false));
}
