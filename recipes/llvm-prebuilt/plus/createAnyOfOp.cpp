/*---
 * tasks: [6FEDAEEA24DD55B0]
 * goals: [graft/out/lib/Transforms/Utils/LoopUtils.o]
 * tests:
 *   AnyOf.TakesLeftWhereItIsNotTheStart: 'Docstring: "If any of lane value in Left, Right is not equal to StartVal, select the loop invariant value".'
 *   AnyOf.TakesRightWhereLeftIsTheStart: 'Docstring: "selecting Right iff Left is equal to StartVal".'
 *   AnyOf.OfTheStartTwiceIsTheStart: 'The same.'
 *   AnyOf.OfVectorsIsTakenLaneByLane: 'Docstring: "lane value in Left, Right"; the start value is a scalar.'
 *   AnyOf.OfArgumentsIsASelection: 'The same, of values that are known only at run time.'
 ---*/
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "gtest/gtest.h"

using namespace llvm;

class AnyOf : public testing::Test {
protected:
  LLVMContext C;
  Module M{"m", C};
  Type *I32 = Type::getInt32Ty(C);
  Function *F = Function::Create(FunctionType::get(I32, {I32, I32, I32}, false), Function::ExternalLinkage, "f", M);
  IRBuilder<> B{BasicBlock::Create(C, "entry", F)};

  Constant *number(int X) { return ConstantInt::get(I32, X); }
  Constant *lanes(std::vector<int> Xs) {
    SmallVector<Constant *> All;
    for (int X : Xs)
      All.push_back(number(X));
    return ConstantVector::get(All);
  }
  // The builder folds what it makes of constants.
  Value *make(Constant *Start, Constant *Left, Constant *Right) {
    return createAnyOfOp(B, Start, RecurKind::IAnyOf, Left, Right);
  }
};

TEST_F(AnyOf, TakesLeftWhereItIsNotTheStart) {
  EXPECT_EQ(number(7), make(number(3), number(7), number(3)));
  EXPECT_EQ(number(7), make(number(3), number(7), number(7)));
}

TEST_F(AnyOf, TakesRightWhereLeftIsTheStart) { EXPECT_EQ(number(7), make(number(3), number(3), number(7))); }

TEST_F(AnyOf, OfTheStartTwiceIsTheStart) { EXPECT_EQ(number(3), make(number(3), number(3), number(3))); }

TEST_F(AnyOf, OfVectorsIsTakenLaneByLane) {
  EXPECT_EQ(lanes({7, 7, 7, 3}), make(number(3), lanes({7, 3, 7, 3}), lanes({3, 7, 7, 3})));
}

TEST_F(AnyOf, OfArgumentsIsASelection) {
  Value *Made = createAnyOfOp(B, F->getArg(0), RecurKind::IAnyOf, F->getArg(1), F->getArg(2));
  EXPECT_EQ(I32, Made->getType());
  EXPECT_FALSE(isa<Argument>(Made));
  B.CreateRet(Made);
  EXPECT_FALSE(verifyFunction(*F));
}
