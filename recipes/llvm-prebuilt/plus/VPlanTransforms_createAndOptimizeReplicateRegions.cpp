/*---
 * tasks: [1E5C45F37A76125F]
 * goals: [graft/out/lib/Transforms/Vectorize/VPlanTransforms.o]
 * flags: [-Illvm/lib/Transforms/Vectorize]
 * tests:
 *   Replicate.WrapsWhatHasAMask: 'Docstring: "Wrap predicated VPReplicateRecipes with a mask operand in an if-then region block and remove the mask operand".'
 *   Replicate.LeavesTheRestAlone: 'The same: predicated ones.'
 *   Replicate.ReachesTheLoopsBlocks: 'Docstring: of the plan, whose recipes stand in its loop region.'
 *   Replicate.GivesOnAValueThatIsUsedOutside: 'VPPredInstPHIRecipe: "phi nodes needed when control converges back from a Branch-on-Mask".'
 *   Replicate.SinksAnOperand: 'Docstring: "sinking scalar operands into the region".'
 *   Replicate.SinksAnOperandsOperand: 'Docstring: "iteratively".'
 *   Replicate.LeavesWhatIsUsedOutside: 'A definition must dominate its uses.'
 *   Replicate.MergesRegionsOfOneMask: 'Docstring: "followed by merging regions".'
 *   Replicate.MergesWhereAnOperandStoodBetween: 'Docstring: sinking comes first.'
 *   Replicate.MergesRegionsOfTwoBlocks: 'Docstring: "until no improvements are remaining".'
 *   Replicate.SinksWhatBothUseOnceTheyAreMerged: 'The same.'
 *   Replicate.KeepsRegionsOfTwoMasks: 'Each recipe runs under its own mask.'
 ---*/
#include "VPlan.h"
#include "VPlanCFG.h"
#include "VPlanTransforms.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;

class Replicate : public testing::Test {
protected:
  LLVMContext C;
  Module M{"m", C};
  Type *I64 = Type::getInt64Ty(C), *Pointer = PointerType::getUnqual(C);
  Function *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {I64, Pointer, I64, I64}, false),
                                 Function::ExternalLinkage, "f", M);
  IRBuilder<> B{BasicBlock::Create(C, "entry", F)};
  Instruction *Store = B.CreateStore(F->getArg(0), F->getArg(1)), *Next = B.CreateStore(F->getArg(0), F->getArg(1));
  Instruction *Load = B.CreateLoad(I64, F->getArg(1));
  Instruction *Sum = cast<Instruction>(B.CreateAdd(F->getArg(0), F->getArg(0)));
  Instruction *Product = cast<Instruction>(B.CreateMul(F->getArg(0), F->getArg(0)));

  VPBasicBlock *Preheader = new VPBasicBlock("preheader"), *Entry = new VPBasicBlock("entry");
  VPlan Plan{Preheader, Entry};
  VPValue *X = Plan.getVPValueOrAddLiveIn(F->getArg(0)), *P = Plan.getVPValueOrAddLiveIn(F->getArg(1));
  VPValue *Mask = Plan.getVPValueOrAddLiveIn(F->getArg(2)), *Other = Plan.getVPValueOrAddLiveIn(F->getArg(3));

  VPReplicateRecipe *add(Instruction *I, ArrayRef<VPValue *> Operands, VPValue *Under = nullptr,
                         VPBasicBlock *Block = nullptr) {
    auto *Recipe = new VPReplicateRecipe(I, make_range(Operands.begin(), Operands.end()), false, Under);
    (Block ? Block : Entry)->appendRecipe(Recipe);
    return Recipe;
  }
  void run() {
    Plan.addVF(ElementCount::getFixed(4));
    VPlanTransforms::createAndOptimizeReplicateRegions(Plan);
  }
  unsigned regions() {
    unsigned Count = 0;
    for (VPRegionBlock *Region : VPBlockUtils::blocksOnly<VPRegionBlock>(vp_depth_first_deep(Plan.getEntry())))
      Count += Region->isReplicator();
    return Count;
  }
  // The recipe that stands for the instruction, or null.
  VPReplicateRecipe *of(Instruction *I) {
    for (VPBasicBlock *Block : VPBlockUtils::blocksOnly<VPBasicBlock>(vp_depth_first_deep(Plan.getEntry())))
      for (VPRecipeBase &Recipe : *Block)
        if (auto *Found = dyn_cast<VPReplicateRecipe>(&Recipe); Found && Found->getUnderlyingInstr() == I)
          return Found;
    return nullptr;
  }
  // The mask under which the instruction's recipe runs; null outside regions.
  VPValue *maskOf(Instruction *I) {
    VPRegionBlock *Region = of(I)->getParent()->getParent();
    if (!Region || !Region->isReplicator())
      return nullptr;
    for (VPRecipeBase &Recipe : *Region->getEntryBasicBlock())
      if (isa<VPBranchOnMaskRecipe>(Recipe))
        return Recipe.getOperand(0);
    return nullptr;
  }
};

TEST_F(Replicate, WrapsWhatHasAMask) {
  add(Store, {X, P}, Mask);
  run();
  ASSERT_EQ(1u, regions());
  VPReplicateRecipe *Found = of(Store);
  ASSERT_NE(nullptr, Found);
  EXPECT_EQ(Mask, maskOf(Store));
  EXPECT_FALSE(Found->isPredicated());
  ASSERT_EQ(2u, Found->getNumOperands());
  EXPECT_EQ(X, Found->getOperand(0));
  EXPECT_EQ(P, Found->getOperand(1));
}

TEST_F(Replicate, LeavesTheRestAlone) {
  VPReplicateRecipe *Given = add(Store, {X, P});
  run();
  EXPECT_EQ(0u, regions());
  EXPECT_EQ(Given, of(Store));
  EXPECT_EQ(2u, Given->getNumOperands());
}

TEST_F(Replicate, ReachesTheLoopsBlocks) {
  auto *Body = new VPBasicBlock("body");
  auto *Loop = new VPRegionBlock(Body, Body, "loop", false);
  VPBlockUtils::connectBlocks(Entry, Loop);
  add(Store, {X, P}, Mask, Body);
  run();
  ASSERT_EQ(1u, regions());
  EXPECT_EQ(Mask, maskOf(Store));
  EXPECT_EQ(Loop, of(Store)->getParent()->getParent()->getParent());
}

TEST_F(Replicate, GivesOnAValueThatIsUsedOutside) {
  VPReplicateRecipe *Masked = add(Load, {P}, Mask);
  add(Store, {Masked, P});
  run();
  ASSERT_EQ(1u, regions());
  auto *Phi = dyn_cast_or_null<VPPredInstPHIRecipe>(of(Store)->getOperand(0)->getDefiningRecipe());
  ASSERT_NE(nullptr, Phi);
  EXPECT_EQ(of(Load), Phi->getOperand(0)->getDefiningRecipe());
  EXPECT_EQ(nullptr, maskOf(Store));
}

TEST_F(Replicate, SinksAnOperand) {
  VPReplicateRecipe *Operand = add(Sum, {X, X});
  add(Store, {Operand, P}, Mask);
  run();
  EXPECT_EQ(Mask, maskOf(Sum));
  EXPECT_EQ(of(Store)->getParent(), of(Sum)->getParent());
}

TEST_F(Replicate, SinksAnOperandsOperand) {
  VPReplicateRecipe *Deep = add(Product, {X, X}), *Operand = add(Sum, {Deep, X});
  add(Store, {Operand, P}, Mask);
  run();
  EXPECT_EQ(Mask, maskOf(Sum));
  EXPECT_EQ(Mask, maskOf(Product));
}

TEST_F(Replicate, LeavesWhatIsUsedOutside) {
  VPReplicateRecipe *Operand = add(Sum, {X, X});
  add(Store, {Operand, P}, Mask);
  add(Next, {Operand, P});
  run();
  EXPECT_EQ(Mask, maskOf(Store));
  EXPECT_EQ(nullptr, maskOf(Sum));
}

TEST_F(Replicate, MergesRegionsOfOneMask) {
  add(Store, {X, P}, Mask);
  add(Next, {X, P}, Mask);
  run();
  EXPECT_EQ(1u, regions());
  EXPECT_EQ(of(Store)->getParent(), of(Next)->getParent());
  EXPECT_EQ(Mask, maskOf(Next));
}

TEST_F(Replicate, MergesWhereAnOperandStoodBetween) {
  add(Store, {X, P}, Mask);
  VPReplicateRecipe *Operand = add(Sum, {X, X});
  add(Next, {Operand, P}, Mask);
  run();
  EXPECT_EQ(1u, regions());
  EXPECT_EQ(Mask, maskOf(Sum));
}

TEST_F(Replicate, MergesRegionsOfTwoBlocks) {
  auto *Second = new VPBasicBlock("second");
  VPBlockUtils::connectBlocks(Entry, Second);
  add(Store, {X, P}, Mask);
  add(Next, {X, P}, Mask, Second);
  run();
  EXPECT_EQ(1u, regions());
}

TEST_F(Replicate, SinksWhatBothUseOnceTheyAreMerged) {
  VPReplicateRecipe *Operand = add(Sum, {X, X});
  add(Store, {Operand, P}, Mask);
  add(Next, {Operand, P}, Mask);
  run();
  ASSERT_EQ(1u, regions());
  EXPECT_EQ(Mask, maskOf(Sum));
}

TEST_F(Replicate, KeepsRegionsOfTwoMasks) {
  add(Store, {X, P}, Mask);
  add(Next, {X, P}, Other);
  run();
  EXPECT_EQ(2u, regions());
  EXPECT_EQ(Mask, maskOf(Store));
  EXPECT_EQ(Other, maskOf(Next));
}
