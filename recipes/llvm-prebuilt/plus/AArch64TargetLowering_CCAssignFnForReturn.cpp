/*---
 * tasks: [9D32EA254C7044EC]
 * goals: [graft/out/lib/Target/AArch64/AArch64ISelLowering.o]
 * flags: [-Illvm/lib/Target/AArch64, -Igraft/out/lib/Target/AArch64]
 * tests:
 *   ForReturn.OfCIsThatOfTheProcedureCallStandard: 'Docstring: "the correct CCAssignFn for a given CallingConvention"; AArch64CallingConvention.td.'
 *   ForReturn.OfTheOthersIsTheSame: 'AArch64CallingConvention.td: RetCC_AArch64_AAPCS is that of all but the ones for Arm64EC.'
 *   ForReturn.OfAThunkToX64IsThatOfX64: 'AArch64CallingConvention.td: RetCC_AArch64_Arm64EC_Thunk, for code that returns to x64.'
 *   ForReturn.OfAThunkToNativeCodeIsTheStandard: 'The same: native code has the convention of AArch64.'
 *   ForReturn.OfACheckOnArm64ECIsItsOwn: 'AArch64CallingConvention.td: RetCC_AArch64_Arm64EC_CFGuard_Check.'
 *   ForReturn.OfACheckElsewhereIsTheStandard: 'The same: for Arm64EC alone.'
 ---*/
#define TARGET AArch64
#include "AArch64CallingConvention.h"
#include "AArch64ISelLowering.h"
#include "AArch64Subtarget.h"
#include "machine.h"
#include "gtest/gtest.h"

using namespace llvm;

static CCAssignFn *forReturn(CallingConv::ID Convention, StringRef Triple = "aarch64-unknown-linux-gnu") {
  Machine Given("---\nname: f\nbody: |\n  bb.0:\n    RET undef $lr\n...\n", Triple);
  return static_cast<const AArch64TargetLowering *>(Given.MF->getSubtarget().getTargetLowering())
      ->CCAssignFnForReturn(Convention);
}

static const char EC[] = "arm64ec-pc-windows-msvc";

TEST(ForReturn, OfCIsThatOfTheProcedureCallStandard) { EXPECT_EQ(RetCC_AArch64_AAPCS, forReturn(CallingConv::C)); }

TEST(ForReturn, OfTheOthersIsTheSame) {
  for (CallingConv::ID Convention : {CallingConv::Fast, CallingConv::Swift, CallingConv::Win64,
                                     CallingConv::PreserveMost, CallingConv::AArch64_VectorCall, CallingConv::GHC})
    EXPECT_EQ(RetCC_AArch64_AAPCS, forReturn(Convention)) << Convention;
  EXPECT_EQ(RetCC_AArch64_AAPCS, forReturn(CallingConv::C, EC));
}

TEST(ForReturn, OfAThunkToX64IsThatOfX64) {
  EXPECT_EQ(RetCC_AArch64_Arm64EC_Thunk, forReturn(CallingConv::ARM64EC_Thunk_X64, EC));
}

TEST(ForReturn, OfAThunkToNativeCodeIsTheStandard) {
  EXPECT_EQ(RetCC_AArch64_AAPCS, forReturn(CallingConv::ARM64EC_Thunk_Native, EC));
}

TEST(ForReturn, OfACheckOnArm64ECIsItsOwn) {
  EXPECT_EQ(RetCC_AArch64_Arm64EC_CFGuard_Check, forReturn(CallingConv::CFGuard_Check, EC));
}

TEST(ForReturn, OfACheckElsewhereIsTheStandard) {
  EXPECT_EQ(RetCC_AArch64_AAPCS, forReturn(CallingConv::CFGuard_Check, "aarch64-pc-windows-msvc"));
}
