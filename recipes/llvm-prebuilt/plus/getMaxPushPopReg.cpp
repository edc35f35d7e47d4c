/*---
 * tasks: [C769B65650756DEB]
 * goals: [graft/out/lib/Target/RISCV/RISCVFrameLowering.o]
 * flags: [-Illvm/lib/Target/RISCV, -Igraft/out/lib/Target/RISCV]
 * tests:
 *   MaxPushPop.IsTheLargestSavedRegister: 'Docstring: "the max reg of Push/Pop".'
 *   MaxPushPop.DoesNotDependOnTheOrder: 'The same, wherever the largest one stands.'
 *   MaxPushPop.LeavesOutOtherSlots: 'RISCVRegisterInfo::hasReservedSpillSlot gives negative frame indices to what Zcmp saves.'
 *   MaxPushPop.OfS10IsS11: 'Zc specification, cm.push: there is no register list that ends with s10.'
 *   MaxPushPop.OfS9IsS9: 'The same: there is one for each register before.'
 *   MaxPushPop.OfNothingIsNoRegister: 'getPushPopEncodingAndNum is asked only for a register.'
 ---*/
#define TARGET RISCV
#include "llvm/lib/Target/RISCV/RISCVFrameLowering.cpp"
#include "machine.h"
#include "gtest/gtest.h"

class MaxPushPop : public testing::Test {
protected:
  unsigned most(std::vector<std::pair<unsigned, int>> Saved) {
    std::vector<CalleeSavedInfo> Info;
    for (auto [Register, Frame] : Saved)
      Info.emplace_back(Register, Frame);
    return getMaxPushPopReg(*Given.MF, Info);
  }
  Machine Given{"---\nname: f\nbody: |\n  bb.0:\n...\n", "riscv32", "", "+zcmp"};
};

TEST_F(MaxPushPop, IsTheLargestSavedRegister) {
  EXPECT_EQ(unsigned(RISCV::X18), most({{RISCV::X1, -1}, {RISCV::X8, -2}, {RISCV::X9, -3}, {RISCV::X18, -4}}));
  EXPECT_EQ(unsigned(RISCV::X1), most({{RISCV::X1, -1}}));
}

TEST_F(MaxPushPop, DoesNotDependOnTheOrder) {
  EXPECT_EQ(unsigned(RISCV::X20), most({{RISCV::X20, -7}, {RISCV::X9, -3}, {RISCV::X1, -1}}));
  EXPECT_EQ(unsigned(RISCV::X20), most({{RISCV::X9, -3}, {RISCV::X20, -7}, {RISCV::X1, -1}}));
}

TEST_F(MaxPushPop, LeavesOutOtherSlots) {
  EXPECT_EQ(unsigned(RISCV::X8), most({{RISCV::X1, -1}, {RISCV::X8, -2}, {RISCV::X27, 0}, {RISCV::F8_D, 3}}));
}

TEST_F(MaxPushPop, OfS10IsS11) { EXPECT_EQ(unsigned(RISCV::X27), most({{RISCV::X1, -1}, {RISCV::X26, -12}})); }

TEST_F(MaxPushPop, OfS9IsS9) { EXPECT_EQ(unsigned(RISCV::X25), most({{RISCV::X1, -1}, {RISCV::X25, -11}})); }

TEST_F(MaxPushPop, OfNothingIsNoRegister) {
  EXPECT_EQ(unsigned(RISCV::NoRegister), most({}));
  EXPECT_EQ(unsigned(RISCV::NoRegister), most({{RISCV::F8_D, 0}}));
}
