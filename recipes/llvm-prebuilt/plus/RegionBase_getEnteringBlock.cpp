/*---
 * tasks: [47249762535B6FF1]
 * goals: [graft/out/lib/Analysis/RegionInfo.o]
 * tests:
 *   EnteringBlock.IsTheOnlyPredecessorOfTheEntry: 'Docstring: "the first block of this region''s single entry edge".'
 *   EnteringBlock.IsNoBlockOfTheRegion: 'Docstring: an entry edge comes from outside; a loop back to the entry does not.'
 *   EnteringBlock.OfSeveralEdgesIsNull: 'Docstring: "if existing ... else NULL": there is no single edge.'
 *   EnteringBlock.OfTheWholeFunctionIsNull: 'The same: nothing leads to the entry of the function.'
 *   EnteringBlock.IsNoBlockThatCannotBeReached: 'DT has no node for such a block (contains asks the same).'
 ---*/
#include "llvm/Analysis/DominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/RegionInfoImpl.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

// The header declares it extern: without this, the archives' own would be called.
template class llvm::RegionBase<RegionTraits<Function>>;

class EnteringBlock : public testing::Test {
protected:
  void parse(const char *IR) {
    SMDiagnostic Error;
    M = parseAssemblyString(IR, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    F = M->getFunction("f");
    DT.recalculate(*F);
    PDT.recalculate(*F);
    DF.analyze(DT);
  }
  BasicBlock *block(StringRef Name) {
    for (BasicBlock &B : *F)
      if (B.getName() == Name)
        return &B;
    return nullptr;
  }
  // The entering block of the region between two blocks, made here whether the analysis finds it or not.
  std::string entering(StringRef Entry, StringRef Exit) {
    Region R(block(Entry), block(Exit), &RI, &DT);
    BasicBlock *Found = R.getEnteringBlock();
    return Found ? Found->getName().str() : "none";
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *F = nullptr;
  DominatorTree DT;
  PostDominatorTree PDT;
  DominanceFrontier DF;
  RegionInfo RI;
};

static const char WithLoop[] = R"(
define void @f(i1 %c) {
before:
  br label %header
header:
  br i1 %c, label %body, label %after
body:
  br label %header
after:
  ret void
})";

TEST_F(EnteringBlock, IsTheOnlyPredecessorOfTheEntry) {
  parse(R"(
define void @f(i1 %c) {
before:
  br label %entry
entry:
  br i1 %c, label %left, label %right
left:
  br label %exit
right:
  br label %exit
exit:
  ret void
})");
  EXPECT_EQ("before", entering("entry", "exit"));
}

TEST_F(EnteringBlock, IsNoBlockOfTheRegion) {
  parse(WithLoop);
  EXPECT_EQ("before", entering("header", "after"));
}

TEST_F(EnteringBlock, OfSeveralEdgesIsNull) {
  parse(R"(
define void @f(i1 %c) {
before:
  br i1 %c, label %left, label %right
left:
  br label %entry
right:
  br label %entry
entry:
  br label %exit
exit:
  ret void
})");
  EXPECT_EQ("none", entering("entry", "exit"));
}

TEST_F(EnteringBlock, OfTheWholeFunctionIsNull) {
  parse(WithLoop);
  EXPECT_EQ("none", entering("before", "after"));
}

TEST_F(EnteringBlock, IsNoBlockThatCannotBeReached) {
  parse(R"(
define void @f(i1 %c) {
before:
  br label %entry
never:
  br label %entry
entry:
  br label %exit
exit:
  ret void
})");
  EXPECT_EQ("before", entering("entry", "exit"));
}
