/*---
 * tasks: [3A3B56C79D8D1481]
 * goals: [graft/out/lib/Transforms/Vectorize/VPlan.o]
 * flags: [-Illvm/lib/Transforms/Vectorize]
 * tests:
 *   ForSCEV.OfAConstantIsALiveIn: 'Docstring: "If Expr is a SCEVConstant ... return a VPValue wrapping the live-in value".'
 *   ForSCEV.OfAnUnknownIsALiveIn: 'Docstring: "or SCEVUnknown".'
 *   ForSCEV.OfTheRestIsARecipe: 'Docstring: "Otherwise return a VPExpandSCEVRecipe to expand Expr".'
 *   ForSCEV.PutsTheRecipeIntoThePreheader: 'Docstring: "If Plan''s pre-header already contains a recipe ... If not, create a new one".'
 *   ForSCEV.IsTheSameTheNextTime: 'Docstring: "If Plan''s pre-header already contains a recipe expanding Expr, return it".'
 *   ForSCEV.IsRecordedInThePlan: 'getSCEVExpansion: how a recipe is found again.'
 *   ForSCEV.OfAnotherExpressionIsAnother: 'Docstring: "that corresponds to the expansion of Expr".'
 ---*/
#include "VPlan.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;

class ForSCEV : public testing::Test {
protected:
  LLVMContext C;
  Module M{"m", C};
  Type *I64 = Type::getInt64Ty(C);
  Function *F = Function::Create(FunctionType::get(I64, {I64, I64}, false), Function::ExternalLinkage, "f", M);
  Instruction *Return = IRBuilder<>(BasicBlock::Create(C, "entry", F)).CreateRet(F->getArg(0));
  TargetLibraryInfoImpl Impl;
  TargetLibraryInfo Library{Impl};
  AssumptionCache Assumptions{*F};
  DominatorTree DT{*F};
  LoopInfo Loops{DT};
  ScalarEvolution SE{*F, Library, Assumptions, DT, Loops};
  const SCEV *Two = SE.getConstant(I64, 2), *X = SE.getUnknown(F->getArg(0)), *Y = SE.getUnknown(F->getArg(1));
  const SCEV *Sum = SE.getAddExpr(X, Y), *Product = SE.getMulExpr(X, Y);

  VPBasicBlock *Preheader = new VPBasicBlock("preheader"), *Entry = new VPBasicBlock("entry");
  VPlan Plan{Preheader, Entry};
  VPValue *value(const SCEV *Expr) { return vputils::getOrCreateVPValueForSCEVExpr(Plan, Expr, SE); }
};

TEST_F(ForSCEV, OfAConstantIsALiveIn) {
  VPValue *Found = value(Two);
  EXPECT_EQ(ConstantInt::get(I64, 2), Found->getLiveInIRValue());
  EXPECT_TRUE(Preheader->empty());
}

TEST_F(ForSCEV, OfAnUnknownIsALiveIn) {
  EXPECT_EQ(F->getArg(0), value(X)->getLiveInIRValue());
  EXPECT_EQ(value(X), Plan.getVPValueOrAddLiveIn(F->getArg(0)));
  EXPECT_TRUE(Preheader->empty());
}

TEST_F(ForSCEV, OfTheRestIsARecipe) {
  auto *Recipe = dyn_cast_or_null<VPExpandSCEVRecipe>(value(Sum)->getDefiningRecipe());
  ASSERT_NE(nullptr, Recipe);
  EXPECT_EQ(Sum, Recipe->getSCEV());
}

TEST_F(ForSCEV, PutsTheRecipeIntoThePreheader) {
  VPValue *Found = value(Sum);
  ASSERT_EQ(1u, Preheader->size());
  EXPECT_EQ(Found->getDefiningRecipe(), &Preheader->front());
  EXPECT_TRUE(Entry->empty());
}

TEST_F(ForSCEV, IsTheSameTheNextTime) {
  for (const SCEV *Expr : {Sum, X, Two}) {
    VPValue *Found = value(Expr);
    EXPECT_EQ(Found, value(Expr));
  }
  EXPECT_EQ(1u, Preheader->size());
}

TEST_F(ForSCEV, IsRecordedInThePlan) {
  VPValue *Found = value(Sum);
  EXPECT_EQ(Found, Plan.getSCEVExpansion(Sum));
}

TEST_F(ForSCEV, OfAnotherExpressionIsAnother) {
  EXPECT_NE(value(Sum), value(Product));
  EXPECT_NE(value(X), value(Y));
  EXPECT_EQ(2u, Preheader->size());
}
