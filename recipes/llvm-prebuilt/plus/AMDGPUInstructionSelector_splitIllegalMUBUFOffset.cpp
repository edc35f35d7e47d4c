/*---
 * tasks: [DCAD5D2D52DC76DF]
 * goals: [graft/out/lib/Target/AMDGPU/AMDGPUInstructionSelector.o]
 * flags: [-Illvm/lib/Target/AMDGPU, -Igraft/out/lib/Target/AMDGPU]
 * tests:
 *   Offset.ThatFitsStaysAsItIs: 'Docstring: "depending on whether it fits in the immediate field".'
 *   Offset.ThatFitsNeedsNoInstruction: 'The same; selectMUBUFOffset adds a zero where there is no SOffset.'
 *   Offset.ThatDoesNotFitIsSplit: 'Docstring: "Modifies ImmOffset and sets SOffset to the variable component"; what is left must fit.'
 *   Offset.IsTheSumOfItsParts: 'Docstring: "Split an immediate offset".'
 *   Offset.IsMovedIntoAScalarRegister: 'MUBUF''s soffset is a scalar register or a constant.'
 *   Offset.IsMovedWhereTheBuilderStands: 'Signature: MachineIRBuilder &B, which stands before what uses it.'
 ---*/
#define TARGET AMDGPU
#include "AMDGPU.h"
#include "AMDGPUInstructionSelector.h"
#include "AMDGPURegisterBankInfo.h"
#include "GCNSubtarget.h"
#include "SIInstrInfo.h"
#include "machine.h"
#include "MCTargetDesc/AMDGPUMCTargetDesc.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "gtest/gtest.h"

using namespace llvm;

class Offset : public testing::Test {
protected:
  Offset() { Selector.MRI = &MRI; }
  void split(int64_t Whole) {
    Left = Whole;
    Selector.splitIllegalMUBUFOffset(B, Moved, Left);
  }
  bool fits(int64_t Part) const { return Subtarget.getInstrInfo()->isLegalMUBUFImmOffset(Part); }
  // The instruction that defines the register.
  MachineInstr *move() { return MRI.getVRegDef(Moved); }

  Machine Given{"---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n", "amdgcn-amd-amdhsa", "gfx700"};
  const GCNSubtarget &Subtarget = Given.MF->getSubtarget<GCNSubtarget>();
  MachineRegisterInfo &MRI = Given.MF->getRegInfo();
  AMDGPUInstructionSelector &Selector = *static_cast<AMDGPUInstructionSelector *>(Subtarget.getInstructionSelector());
  MachineIRBuilder B{Given.instruction(1)};
  Register Moved;
  int64_t Left = 0;
};

TEST_F(Offset, ThatFitsStaysAsItIs) {
  for (int64_t Whole : {0, 1, 4095}) {
    split(Whole);
    EXPECT_EQ(Whole, Left);
  }
}

TEST_F(Offset, ThatFitsNeedsNoInstruction) {
  split(4095);
  EXPECT_FALSE(Moved.isValid());
  EXPECT_EQ(2u, Given.MF->front().size());
}

TEST_F(Offset, ThatDoesNotFitIsSplit) {
  for (int64_t Whole : {4096, 5000, 1 << 20}) {
    split(Whole);
    EXPECT_TRUE(Moved.isValid()) << Whole;
    EXPECT_TRUE(fits(Left)) << Whole;
  }
}

TEST_F(Offset, IsTheSumOfItsParts) {
  for (int64_t Whole : {4096, 5000, 1 << 20}) {
    split(Whole);
    ASSERT_TRUE(Moved.isValid());
    ASSERT_EQ(unsigned(AMDGPU::S_MOV_B32), move()->getOpcode());
    EXPECT_EQ(Whole, Left + move()->getOperand(1).getImm());
  }
}

TEST_F(Offset, IsMovedIntoAScalarRegister) {
  split(4096);
  ASSERT_TRUE(Moved.isVirtual());
  ASSERT_NE(nullptr, MRI.getRegClassOrNull(Moved));
  EXPECT_TRUE(SIRegisterInfo::isSGPRClass(MRI.getRegClass(Moved)));
  EXPECT_EQ(32u, Subtarget.getRegisterInfo()->getRegSizeInBits(*MRI.getRegClass(Moved)));
}

TEST_F(Offset, IsMovedWhereTheBuilderStands) {
  split(4096);
  EXPECT_EQ(3u, Given.MF->front().size());
  EXPECT_EQ(&Given.instruction(1), move());
}
