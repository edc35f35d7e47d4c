/*---
 * tasks: [0B22468A30F51D0C]
 * goals: [graft/out/lib/Target/AMDGPU/SIInstrInfo.o]
 * flags: [-Illvm/lib/Target/AMDGPU, -Igraft/out/lib/Target/AMDGPU]
 * tests:
 *   AddNoCarry.OfGFX9HasNoCarry: 'Docstring: "an integer add instruction without carry".'
 *   AddNoCarry.OfGFX10HasNoCarry: 'The same, of later ones.'
 *   AddNoCarry.OfOlderOnesHasAnUnusedCarry: 'Docstring: "For pre-GFX9 it will generate unused carry destination operand."'
 *   AddNoCarry.HasACarryThatIsDead: 'The same: unused.'
 *   AddNoCarry.DefinesTheDestination: 'Signature: DestReg.'
 *   AddNoCarry.HasNoSourcesYet: 'Docstring: "Caller must add source operands."'
 *   AddNoCarry.StandsBeforeTheInstruction: 'Signature: MBB and I, as BuildMI takes them.'
 ---*/
#define TARGET AMDGPU
#include "AMDGPU.h"
#include "GCNSubtarget.h"
#include "SIInstrInfo.h"
#include "machine.h"
#include "MCTargetDesc/AMDGPUMCTargetDesc.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "gtest/gtest.h"

using namespace llvm;

struct Add {
  explicit Add(StringRef CPU)
      : Given("---\nname: f\nbody: |\n  bb.0:\n    S_NOP 0\n    S_ENDPGM 0\n...\n", "amdgcn-amd-amdhsa", CPU) {
    const auto &Subtarget = Given.MF->getSubtarget<GCNSubtarget>();
    Destination = Given.MF->getRegInfo().createVirtualRegister(&AMDGPU::VGPR_32RegClass);
    Made = Subtarget.getInstrInfo()->getAddNoCarry(Given.MF->front(), Given.instruction(1), DebugLoc(), Destination);
  }
  // The operands that were given: the description's own, as exec, are implicit.
  unsigned operands() const { return count_if(Made->operands(), [](auto &Operand) { return !Operand.isImplicit(); }); }

  Machine Given;
  Register Destination;
  MachineInstr *Made = nullptr;
};

TEST(AddNoCarry, OfGFX9HasNoCarry) {
  Add Found("gfx900");
  EXPECT_EQ(unsigned(AMDGPU::V_ADD_U32_e64), Found.Made->getOpcode());
  EXPECT_EQ(1u, Found.operands());
}

TEST(AddNoCarry, OfGFX10HasNoCarry) {
  EXPECT_EQ(unsigned(AMDGPU::V_ADD_U32_e64), Add("gfx1010").Made->getOpcode());
}

TEST(AddNoCarry, OfOlderOnesHasAnUnusedCarry) {
  Add Found("gfx803");
  EXPECT_EQ(unsigned(AMDGPU::V_ADD_CO_U32_e64), Found.Made->getOpcode());
  ASSERT_EQ(2u, Found.operands());
  EXPECT_TRUE(Found.Made->getOperand(1).isDef());
  EXPECT_NE(Found.Destination, Found.Made->getOperand(1).getReg());
}

TEST(AddNoCarry, HasACarryThatIsDead) { EXPECT_TRUE(Add("gfx803").Made->getOperand(1).isDead()); }

TEST(AddNoCarry, DefinesTheDestination) {
  for (StringRef CPU : {"gfx803", "gfx900"}) {
    Add Found(CPU);
    EXPECT_EQ(Found.Destination, Found.Made->getOperand(0).getReg());
    EXPECT_TRUE(Found.Made->getOperand(0).isDef());
  }
}

TEST(AddNoCarry, HasNoSourcesYet) {
  for (StringRef CPU : {"gfx803", "gfx900"})
    EXPECT_EQ(CPU == "gfx803" ? 2u : 1u, Add(CPU).operands());
}

TEST(AddNoCarry, StandsBeforeTheInstruction) {
  Add Found("gfx900");
  EXPECT_EQ(Found.Made, &Found.Given.instruction(1));
  EXPECT_EQ(unsigned(AMDGPU::S_ENDPGM), Found.Given.instruction(2).getOpcode());
}
