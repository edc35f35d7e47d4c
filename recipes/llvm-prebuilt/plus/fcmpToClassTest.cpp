/*---
 * tasks: [8FD16A68609F8B70]
 * goals: [graft/out/lib/Analysis/ValueTracking.o]
 * tests:
 *   ClassTest.OfAConstantIsFound: 'Docstring: "a pair of values, which if passed to llvm.is.fpclass, returns the same result as an fcmp".'
 *   ClassTest.OfTheSamePredicateIsTheOneGiven: 'The same: each predicate has a test of its own.'
 *   ClassTest.OfNoConstantIsNone: 'Callers (foldLogicOfFCmps, visitFCmp): a null value says that there is no such test.'
 *   ClassTest.TakesTheConstantOnTheRight: 'Signature: the operands in this order.'
 *   ClassTest.OfAVectorOfOneConstantIsFound: 'The overload for APFloat tests each lane alike.'
 *   ClassTest.LooksThroughTheSource: 'Docstring: "If LookThroughSrc is true, consider the input value".'
 *   ClassTest.LeavesTheSourceAloneWhereAsked: 'Docstring: "the first pair element will always be LHS".'
 ---*/
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;

class ClassTest : public testing::Test {
protected:
  LLVMContext C;
  Module M{"m", C};
  Type *Float = Type::getFloatTy(C), *Floats = FixedVectorType::get(Float, 2);
  Function *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Float, Floats, Float}, false),
                                 Function::ExternalLinkage, "f", M);
  IRBuilder<> B{BasicBlock::Create(C, "entry", F)};
  Value *X = F->getArg(0), *V = F->getArg(1), *Y = F->getArg(2);
  Constant *Zero = ConstantFP::get(Float, 0.0), *Infinity = ConstantFP::getInfinity(Float);
};

TEST_F(ClassTest, OfAConstantIsFound) {
  auto [Source, Mask] = fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, X, Zero);
  EXPECT_EQ(X, Source);
  EXPECT_EQ(fcZero, Mask);
}

TEST_F(ClassTest, OfTheSamePredicateIsTheOneGiven) {
  EXPECT_EQ(fcPosInf, fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, X, Infinity).second);
  EXPECT_EQ(~fcPosInf & fcAllFlags, fcmpToClassTest(FCmpInst::FCMP_UNE, *F, X, Infinity).second);
  EXPECT_EQ(fcNan, fcmpToClassTest(FCmpInst::FCMP_UNO, *F, X, Zero).second);
}

TEST_F(ClassTest, OfNoConstantIsNone) {
  EXPECT_EQ(nullptr, fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, X, Y).first);
}

TEST_F(ClassTest, TakesTheConstantOnTheRight) {
  EXPECT_EQ(nullptr, fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, Zero, X).first);
}

TEST_F(ClassTest, OfAVectorOfOneConstantIsFound) {
  auto [Source, Mask] = fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, V, ConstantFP::get(Floats, 0.0));
  EXPECT_EQ(V, Source);
  EXPECT_EQ(fcZero, Mask);
}

TEST_F(ClassTest, LooksThroughTheSource) {
  Value *Abs = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  auto [Source, Mask] = fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, Abs, Infinity, true);
  EXPECT_EQ(X, Source);
  EXPECT_EQ(fcInf, Mask);
}

TEST_F(ClassTest, LeavesTheSourceAloneWhereAsked) {
  Value *Abs = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  auto [Source, Mask] = fcmpToClassTest(FCmpInst::FCMP_OEQ, *F, Abs, Infinity, false);
  EXPECT_EQ(Abs, Source);
  EXPECT_EQ(fcPosInf, Mask);
}
