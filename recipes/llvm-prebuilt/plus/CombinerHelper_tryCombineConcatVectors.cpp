/*---
 * tasks: [F90B550650B98F0A]
 * goals: [graft/out/lib/CodeGen/GlobalISel/CombinerHelper.o]
 * tests:
 *   Concat.OfBuiltVectorsIsOneBuiltVector: 'Docstring: "concat_vector(build_vector(A, B), build_vector(C, D)) => build_vector(A, B, C, D)".'
 *   Concat.OfUndefinedVectorsIsUndefined: 'Docstring: "concat_vector(undef, undef) => undef".'
 *   Concat.SaysThatItChanged: 'Docstring: "Returns true if MI changed."'
 *   Concat.OfOtherVectorsStays: 'Docstring: "Right now, we support" no other; it returns false.'
 *   Concat.IsGoneOnceItIsCombined: 'applyCombineConcatVectors: the instruction is erased.'
 ---*/
#define TARGET AArch64
#include "machine.h"
#include "llvm/CodeGen/GlobalISel/CombinerHelper.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "gtest/gtest.h"

using namespace llvm;

// What $q0 is copied from once the concatenation was combined: the opcode, and each operand as the number of the copy
// or as the opcode that defines it.
class Concat : public testing::Test {
protected:
  std::string combined(const std::string &Left, const std::string &Right) {
    Given = std::make_unique<Machine>("---\nname: f\nbody: |\n  bb.0:\n    liveins: $w0, $w1, $d0\n"
                                      "    %0:_(s32) = COPY $w0\n    %1:_(s32) = COPY $w1\n"
                                      "    %8:_(<2 x s32>) = COPY $d0\n"
                                      "    %2:_(<2 x s32>) = " + Left + "\n    %3:_(<2 x s32>) = " + Right + "\n"
                                      "    %9:_(<4 x s32>) = G_CONCAT_VECTORS %2(<2 x s32>), %3(<2 x s32>)\n"
                                      "    $q0 = COPY %9(<4 x s32>)\n...\n",
                                      "aarch64");
    MachineRegisterInfo &MRI = Given->MF->getRegInfo();
    MachineInstr &Joined = Given->instruction(5);
    Silent Observer;
    MachineIRBuilder Builder(*Given->MF);
    CombinerHelper Helper(Observer, Builder, /*IsPreLegalize=*/true);
    Changed = Helper.tryCombineConcatVectors(Joined);
    MachineInstr *Definition = MRI.getVRegDef(Given->MF->front().back().getOperand(1).getReg());
    std::string Text = code(Definition->getOpcode());
    for (const MachineOperand &Operand : drop_begin(Definition->operands())) {
      MachineInstr *Source = MRI.getVRegDef(Operand.getReg());
      Text += Source->isCopy() ? (Source == &Given->instruction(0) ? " 0" : " 1") : " #" + code(Source->getOpcode());
    }
    return Text;
  }
  static std::string code(unsigned Opcode) { return std::to_string(Opcode); }

  std::unique_ptr<Machine> Given;
  bool Changed = false;
};

static const char AB[] = "G_BUILD_VECTOR %0(s32), %1(s32)", BA[] = "G_BUILD_VECTOR %1(s32), %0(s32)";
static const char Undef[] = "G_IMPLICIT_DEF", Other[] = "G_ADD %8, %8";

TEST_F(Concat, OfBuiltVectorsIsOneBuiltVector) {
  EXPECT_EQ(code(TargetOpcode::G_BUILD_VECTOR) + " 0 1 1 0", combined(AB, BA));
}

TEST_F(Concat, OfUndefinedVectorsIsUndefined) {
  EXPECT_EQ(code(TargetOpcode::G_IMPLICIT_DEF), combined(Undef, Undef));
}

TEST_F(Concat, SaysThatItChanged) {
  combined(AB, BA);
  EXPECT_TRUE(Changed);
  combined(Undef, Undef);
  EXPECT_TRUE(Changed);
}

TEST_F(Concat, OfOtherVectorsStays) {
  std::string Stays = combined(AB, Other);
  EXPECT_FALSE(Changed);
  EXPECT_EQ(0u, Stays.find(code(TargetOpcode::G_CONCAT_VECTORS)));
}

TEST_F(Concat, IsGoneOnceItIsCombined) {
  combined(AB, AB);
  for (MachineInstr &I : Given->MF->front())
    EXPECT_NE(unsigned(TargetOpcode::G_CONCAT_VECTORS), I.getOpcode());
}
