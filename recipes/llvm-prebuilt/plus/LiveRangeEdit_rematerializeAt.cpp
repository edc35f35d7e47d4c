/*---
 * tasks: [CB2779E506111B64]
 * goals: [graft/out/lib/CodeGen/LiveRangeEdit.o]
 * tests:
 *   Remat.StandsBeforeTheInstruction: 'Docstring: "inserting an instruction into MBB before MI".'
 *   Remat.DoesWhatTheParentsInstructionDoes: 'Docstring: "Rematerialize RM.ParentVNI"; Remat: OrigMI is the "Instruction defining OrigVNI".'
 *   Remat.DefinesTheDestination: 'Docstring: "into DestReg".'
 *   Remat.DefinesAPartOfItWhereAsked: 'TargetInstrInfo.h, reMaterialize: "will be substituted by DestReg:SubIdx".'
 *   Remat.IsNotDead: 'Callers (InlineSpiller, SplitEditor) put it in front of what reads the register.'
 *   Remat.IsMapped: 'Docstring: "The new instruction is mapped".'
 *   Remat.ReturnsTheSlotOfTheDefinition: 'Docstring: "Return the SlotIndex of the new instruction"; defFromParent takes it for the place of a definition, a register slot.'
 *   Remat.TakesTheIndexOfAnother: 'Docstring: "If ReplaceIndexMI is not null it will be replaced by new MI in the index map".'
 *   Remat.IsRemembered: 'didRematerialize: "Return true if ParentVNI was rematerialized anywhere".'
 *   Remat.ComesBeforeAFreeIndex: 'insertMachineInstrInMaps: only if Late is set, after the null indexes.'
 *   Remat.MayComeLate: 'insertMachineInstrInMaps: "If Late is set ... create the new index after the null indexes".'
 ---*/
#define TARGET X86
#include "machine.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveRangeEdit.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "gtest/gtest.h"

using namespace llvm;

class Remat : public testing::Test {
protected:
  Remat() {
    Indexes.runOnMachineFunction(*Given.MF);
    LIS.Indexes = &Indexes;
    RM.OrigMI = &Original;
  }
  SlotIndex remat(MachineInstr &Before, bool Late = false, unsigned SubIdx = 0, MachineInstr *Replaced = nullptr) {
    return Edit.rematerializeAt(*Before.getParent(), Before, Destination, RM, TRI, Late, SubIdx, Replaced);
  }
  static const MachineOperand &defined(MachineInstr &I) { return I.getOperand(0); }

  Machine Given{"---\nname: f\ntracksRegLiveness: true\nbody: |\n"
                "  bb.0:\n"
                "    dead %0:gr32 = MOV32ri 7\n"
                "    %1:gr64 = IMPLICIT_DEF\n"
                "    NOOP\n"
                "    NOOP\n"
                "    RET64\n...\n",
                "x86_64"};
  MachineInstr &Original = Given.instruction(0), &Wide = Given.instruction(1);
  MachineInstr &First = Given.instruction(2), &Second = Given.instruction(3);
  MachineRegisterInfo &MRI = Given.MF->getRegInfo();
  const TargetRegisterInfo &TRI = *MRI.getTargetRegisterInfo();
  Register Destination = MRI.cloneVirtualRegister(defined(Original).getReg());
  SlotIndexes Indexes;
  LiveIntervals LIS;
  SmallVector<Register, 4> NewRegs;
  VNInfo Parent{0, SlotIndex()};
  LiveRangeEdit Edit{nullptr, NewRegs, *Given.MF, LIS, nullptr};
  LiveRangeEdit::Remat RM{&Parent};
};

TEST_F(Remat, StandsBeforeTheInstruction) {
  remat(Second);
  MachineInstr *Made = Second.getPrevNode();
  ASSERT_NE(&First, Made);
  EXPECT_EQ(&First, Made->getPrevNode());
  EXPECT_EQ(6u, Given.MF->front().size());
}

TEST_F(Remat, DoesWhatTheParentsInstructionDoes) {
  remat(Second);
  MachineInstr &Made = *Second.getPrevNode();
  EXPECT_EQ(Original.getOpcode(), Made.getOpcode());
  EXPECT_TRUE(Made.getOperand(1).isImm() && Made.getOperand(1).getImm() == 7);
}

TEST_F(Remat, DefinesTheDestination) {
  Register Before = defined(Original).getReg();
  remat(Second);
  EXPECT_EQ(Destination, defined(*Second.getPrevNode()).getReg());
  EXPECT_EQ(0u, defined(*Second.getPrevNode()).getSubReg());
  EXPECT_EQ(Before, defined(Original).getReg());
}

TEST_F(Remat, DefinesAPartOfItWhereAsked) {
  unsigned Half = 1;
  while (StringRef(TRI.getSubRegIndexName(Half)) != "sub_32bit")
    Half++;
  Destination = defined(Wide).getReg();
  remat(Second, false, Half);
  EXPECT_EQ(Destination, defined(*Second.getPrevNode()).getReg());
  EXPECT_EQ(Half, defined(*Second.getPrevNode()).getSubReg());
}

TEST_F(Remat, IsNotDead) {
  ASSERT_TRUE(defined(Original).isDead());
  remat(Second);
  EXPECT_FALSE(defined(*Second.getPrevNode()).isDead());
}

TEST_F(Remat, IsMapped) {
  remat(Second);
  MachineInstr &Made = *Second.getPrevNode();
  ASSERT_TRUE(Indexes.hasIndex(Made));
  EXPECT_EQ(&Made, Indexes.getInstructionFromIndex(Indexes.getInstructionIndex(Made)));
  EXPECT_LT(Indexes.getInstructionIndex(First), Indexes.getInstructionIndex(Made));
  EXPECT_LT(Indexes.getInstructionIndex(Made), Indexes.getInstructionIndex(Second));
}

TEST_F(Remat, ReturnsTheSlotOfTheDefinition) {
  SlotIndex Found = remat(Second);
  EXPECT_EQ(Indexes.getInstructionIndex(*Second.getPrevNode()).getRegSlot(), Found);
}

TEST_F(Remat, TakesTheIndexOfAnother) {
  SlotIndex Before = Indexes.getInstructionIndex(Second);
  SlotIndex Found = remat(Second, false, 0, &Second);
  EXPECT_EQ(Before.getRegSlot(), Found);
  EXPECT_EQ(Second.getPrevNode(), Indexes.getInstructionFromIndex(Before));
  EXPECT_FALSE(Indexes.hasIndex(Second));
}

TEST_F(Remat, IsRemembered) {
  VNInfo Other(1, SlotIndex());
  EXPECT_FALSE(Edit.didRematerialize(&Parent));
  remat(Second);
  EXPECT_TRUE(Edit.didRematerialize(&Parent));
  EXPECT_FALSE(Edit.didRematerialize(&Other));
}

TEST_F(Remat, ComesBeforeAFreeIndex) {
  SlotIndex Free = Indexes.getInstructionIndex(First);
  Indexes.removeMachineInstrFromMaps(First);
  First.eraseFromParent();
  EXPECT_LT(remat(Second), Free);
}

TEST_F(Remat, MayComeLate) {
  SlotIndex Free = Indexes.getInstructionIndex(First);
  Indexes.removeMachineInstrFromMaps(First);
  First.eraseFromParent();
  SlotIndex Found = remat(Second, true);
  EXPECT_LT(Free, Found);
  EXPECT_LT(Found, Indexes.getInstructionIndex(Second));
}
