/*---
 * tasks: [F4FABCF2EFB953C6]
 * goals: [graft/out/lib/CodeGen/AssignmentTrackingAnalysis.o]
 * tests:
 *   AddVarLoc.StandsInTheWedgeBeforeTheInstruction: 'Docstring: "Add a def to the wedge of defs just before Before".'
 *   AddVarLoc.StandsNowhereElse: 'The same; addSingleLocVar is for a def that is valid everywhere.'
 *   AddVarLoc.HoldsTheExpressionAndTheLine: 'VarLocInfo: Expr, DL.'
 *   AddVarLoc.HoldsTheLocation: 'VarLocInfo: Values.'
 *   AddVarLoc.HoldsTheVariablesNumber: 'insertVariable: "Find or insert V and return the ID".'
 *   AddVarLoc.NumbersAVariableOnce: 'The same.'
 *   AddVarLoc.TellsFragmentsAndInlinedCopiesApart: 'DebugVariable: "Identifies a unique instance of a variable", with its fragment and place of inlining.'
 *   AddVarLoc.ComesAfterEarlierOnes: 'removeRedundantDbgLocsUsingForwardScan: a later def of a wedge overrides an earlier one.'
 ---*/
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/lib/CodeGen/AssignmentTrackingAnalysis.cpp"
#include "gtest/gtest.h"

class AddVarLoc : public testing::Test {
protected:
  LLVMContext C;
  Module M{"m", C};
  Type *I64 = Type::getInt64Ty(C);
  Function *F = Function::Create(FunctionType::get(I64, {I64, I64}, false), Function::ExternalLinkage, "f", M);
  IRBuilder<> B{BasicBlock::Create(C, "entry", F)};
  Instruction *First = cast<Instruction>(B.CreateAdd(F->getArg(0), F->getArg(1))), *Second = B.CreateRet(First);
  DIBuilder D{M};
  DIFile *File = D.createFile("f.c", "/");
  DICompileUnit *Unit = D.createCompileUnit(dwarf::DW_LANG_C, File, "", false, "", 0);
  DISubprogram *Scope =
      D.createFunction(Unit, "f", "f", File, 1, D.createSubroutineType(D.getOrCreateTypeArray({})), 1,
                       DINode::FlagZero, DISubprogram::SPFlagDefinition);
  DIType *Int = D.createBasicType("int", 32, dwarf::DW_ATE_signed);
  DILocalVariable *A = D.createAutoVariable(Scope, "a", File, 2, Int);
  DILocalVariable *Z = D.createAutoVariable(Scope, "z", File, 3, Int);
  DILocation *Line = DILocation::get(C, 7, 1, Scope), *Inlined = DILocation::get(C, 9, 1, Scope);
  DIExpression *Plain = DIExpression::get(C, {}), *Indirect = DIExpression::get(C, {dwarf::DW_OP_deref});
  FunctionVarLocsBuilder Builder;

  static RawLocationWrapper at(Value *V) { return RawLocationWrapper(ValueAsMetadata::get(V)); }
  static DebugVariable whole(DILocalVariable *Variable) { return DebugVariable(Variable, std::nullopt, nullptr); }
  void add(Instruction *Before, DebugVariable Variable, DIExpression *Expr = nullptr, Value *V = nullptr) {
    Builder.addVarLoc(Before, Variable, Expr ? Expr : Plain, Line, at(V ? V : F->getArg(0)));
  }
  const VarLocInfo &def(unsigned Number = 0) { return (*Builder.getWedge(First))[Number]; }
};

TEST_F(AddVarLoc, StandsInTheWedgeBeforeTheInstruction) {
  EXPECT_EQ(nullptr, Builder.getWedge(First));
  add(First, whole(A));
  ASSERT_NE(nullptr, Builder.getWedge(First));
  EXPECT_EQ(1u, Builder.getWedge(First)->size());
}

TEST_F(AddVarLoc, StandsNowhereElse) {
  add(First, whole(A));
  EXPECT_EQ(nullptr, Builder.getWedge(Second));
  EXPECT_TRUE(Builder.SingleLocVars.empty());
}

TEST_F(AddVarLoc, HoldsTheExpressionAndTheLine) {
  add(First, whole(A), Indirect);
  EXPECT_EQ(Indirect, def().Expr);
  EXPECT_EQ(Line, def().DL.get());
}

TEST_F(AddVarLoc, HoldsTheLocation) {
  add(First, whole(A), Plain, F->getArg(1));
  EXPECT_EQ(F->getArg(1), def().Values.getVariableLocationOp(0));
}

TEST_F(AddVarLoc, HoldsTheVariablesNumber) {
  add(First, whole(A));
  add(First, whole(Z));
  EXPECT_EQ(whole(A), Builder.getVariable(def(0).VariableID));
  EXPECT_EQ(whole(Z), Builder.getVariable(def(1).VariableID));
}

TEST_F(AddVarLoc, NumbersAVariableOnce) {
  VariableID Known = Builder.insertVariable(whole(A));
  add(First, whole(A));
  add(Second, whole(A));
  EXPECT_EQ(1u, Builder.getNumVariables());
  EXPECT_EQ(Known, def().VariableID);
}

TEST_F(AddVarLoc, TellsFragmentsAndInlinedCopiesApart) {
  DebugVariable Part(A, DIExpression::FragmentInfo(16, 0), nullptr), Copy(A, std::nullopt, Inlined);
  add(First, whole(A));
  add(First, Part);
  add(First, Copy);
  EXPECT_EQ(3u, Builder.getNumVariables());
  EXPECT_EQ(Part, Builder.getVariable(def(1).VariableID));
  EXPECT_EQ(Copy, Builder.getVariable(def(2).VariableID));
}

TEST_F(AddVarLoc, ComesAfterEarlierOnes) {
  add(First, whole(A), Plain, F->getArg(0));
  add(First, whole(A), Plain, F->getArg(1));
  ASSERT_EQ(2u, Builder.getWedge(First)->size());
  EXPECT_EQ(F->getArg(0), def(0).Values.getVariableLocationOp(0));
  EXPECT_EQ(F->getArg(1), def(1).Values.getVariableLocationOp(0));
}
