/*---
 * tasks: [081EA200BE41D4AA]
 * goals: [graft/out/lib/CodeGen/TargetPassConfig.o]
 * tests:
 *   Prepare.IsAdded: 'Docstring: "Add pass to prepare the LLVM IR for code generation."'
 *   Prepare.IsAddedOnce: 'The same.'
 *   Prepare.IsNotAddedWithoutOptimisation: 'llvm/test/CodeGen/X86/O0-pipeline.ll: the pass is none of -O0.'
 *   Prepare.IsAddedFromTheFirstLevelOn: 'CodeGenPrepare is an optimisation: the levels above None have it.'
 *   Prepare.IsNotAddedWhereItIsDisabled: 'The option disable-cgp: "Disable Codegen Prepare".'
 ---*/
#define TARGET X86
#include "machine.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CommandLine.h"
#include "gtest/gtest.h"

using namespace llvm;

struct Recorder : legacy::PassManagerBase {
  void add(Pass *P) override { All.push_back(P->getPassID()); }
  std::vector<const void *> All;
};

class Prepare : public testing::Test {
protected:
  // How often the pass is added, and nothing else.
  int added(CodeGenOptLevel Level) {
    Given.TM->setOptLevel(Level);
    Recorder Passes;
    TargetPassConfig Config(*Given.TM, Passes);
    Config.addCodeGenPrepare();
    const void *Wanted = createCodeGenPrepareLegacyPass()->getPassID();
    return count(Passes.All, Wanted) == long(Passes.All.size()) ? int(Passes.All.size()) : -1;
  }
  Machine Given{"---\nname: f\nbody: |\n  bb.0:\n...\n", "x86_64"};
};

TEST_F(Prepare, IsAdded) { EXPECT_NE(0, added(CodeGenOptLevel::Default)); }

TEST_F(Prepare, IsAddedOnce) { EXPECT_EQ(1, added(CodeGenOptLevel::Default)); }

TEST_F(Prepare, IsNotAddedWithoutOptimisation) { EXPECT_EQ(0, added(CodeGenOptLevel::None)); }

TEST_F(Prepare, IsAddedFromTheFirstLevelOn) {
  EXPECT_EQ(1, added(CodeGenOptLevel::Less));
  EXPECT_EQ(1, added(CodeGenOptLevel::Aggressive));
}

TEST_F(Prepare, IsNotAddedWhereItIsDisabled) {
  auto *Disable = static_cast<cl::opt<bool> *>(cl::getRegisteredOptions()["disable-cgp"]);
  *Disable = true;
  EXPECT_EQ(0, added(CodeGenOptLevel::Default));
  EXPECT_EQ(0, added(CodeGenOptLevel::None));
  *Disable = false;
}
