/*---
 * tasks: [4735CDFEDB70C30E]
 * goals: [graft/out/lib/Target/AArch64/AArch64InstrInfo.o]
 * flags: [-Illvm/lib/Target/AArch64, -Igraft/out/lib/Target/AArch64]
 * tests:
 *   InSeq.HoldsWhatTheSequenceDefines: 'isAvailableInsideSeq asks whether a register is available "in_seq_1 ... in_seq_n".'
 *   InSeq.HoldsWhatTheSequenceReads: 'The same: a register that is read there is no more available.'
 *   InSeq.HoldsTheLastInstructionToo: 'The candidate ends with LastInst.'
 *   InSeq.LeavesOutTheRestOfTheBlock: 'The member: "Liveness information restricted to this Candidate''s instruction sequence."'
 *   InSeq.IsSaidToBeMade: 'InSeqWasSet: "True if InSeq has been initialized."'
 ---*/
#define TARGET AArch64
#include "AArch64.h"
#include "AArch64Subtarget.h"
#include "machine.h"
#include "llvm/CodeGen/MachineOutliner.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "gtest/gtest.h"

using namespace llvm;

// The candidate is the three instructions in the middle.
class InSeq : public testing::Test {
protected:
  Machine Given{"---\nname: f\ntracksRegLiveness: true\nbody: |\n"
                "  bb.0:\n    liveins: $x1, $x3, $x5, $x7\n"
                "    $x0 = ADDXri $x1, 1, 0\n"
                "    $x2 = ADDXri $x3, 1, 0\n"
                "    $x4 = ADDXri $x2, 1, 0\n"
                "    $x6 = ADDXri $x5, 1, 0\n"
                "    $x8 = ADDXri $x7, 1, 0\n"
                "    RET undef $lr\n...\n",
                "aarch64"};
  const TargetRegisterInfo &TRI = *Given.MF->getSubtarget().getRegisterInfo();
  MachineBasicBlock::iterator First = Given.instruction(1), Last = Given.instruction(3);
  outliner::Candidate Sequence{0, 3, First, Last, &Given.MF->front(), 0, 0};

  bool holds(MCPhysReg Register) {
    Sequence.initInSeq(TRI);
    return !Sequence.InSeq.available(Register);
  }
};

TEST_F(InSeq, HoldsWhatTheSequenceDefines) {
  EXPECT_TRUE(holds(AArch64::X2));
  EXPECT_TRUE(holds(AArch64::X4));
}

TEST_F(InSeq, HoldsWhatTheSequenceReads) { EXPECT_TRUE(holds(AArch64::X3)); }

TEST_F(InSeq, HoldsTheLastInstructionToo) {
  EXPECT_TRUE(holds(AArch64::X5));
  EXPECT_TRUE(holds(AArch64::X6));
}

TEST_F(InSeq, LeavesOutTheRestOfTheBlock) {
  for (MCPhysReg Register : {AArch64::X0, AArch64::X1, AArch64::X7, AArch64::X8, AArch64::X9})
    EXPECT_FALSE(holds(Register)) << Register;
}

TEST_F(InSeq, IsSaidToBeMade) {
  EXPECT_FALSE(Sequence.InSeqWasSet);
  Sequence.initInSeq(TRI);
  EXPECT_TRUE(Sequence.InSeqWasSet);
}
