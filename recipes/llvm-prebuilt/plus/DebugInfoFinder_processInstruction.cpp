/*---
 * tasks: [58EA62325D0C48FF]
 * goals: [graft/out/lib/IR/DebugInfo.o]
 * tests:
 *   Finder.FindsTheScopeOfALocation: 'Docstring: "collect debug info anchors"; processLocation adds the scopes of the location.'
 *   Finder.FindsTheTypeOfADeclaredVariable: 'Docstring; processVariable adds the type of the variable.'
 *   Finder.FindsTheTypeOfAVariableWithAValue: 'The same, of llvm.dbg.value: each DbgVariableIntrinsic has a variable.'
 *   Finder.FindsTheInlinedScopeOfAVariable: 'An intrinsic has a location besides its variable.'
 *   Finder.FindsWhatARecordNames: 'getDbgValueRange: the records of variables before the instruction (DPValue).'
 *   Finder.FindsNothingWithoutDebugInfo: 'Docstring: there is nothing to collect.'
 ---*/
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;

extern cl::opt<bool> UseNewDbgInfoFormat;

static const char IR[] = R"(
define void @f(i32 %x) !dbg !4 {
  %slot = alloca i32
  call void @llvm.dbg.declare(metadata ptr %slot, metadata !10, metadata !DIExpression()), !dbg !20
  call void @llvm.dbg.value(metadata i32 %x, metadata !11, metadata !DIExpression()), !dbg !21
  store i32 %x, ptr %slot, !dbg !22
  ret void
}
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition, type: !5)
!5 = !DISubroutineType(types: !{})
!6 = !DIBasicType(name: "declared", size: 32, encoding: DW_ATE_signed)
!7 = !DIBasicType(name: "valued", size: 32, encoding: DW_ATE_signed)
!8 = distinct !DISubprogram(name: "inlined", file: !1, line: 5, unit: !0, spFlags: DISPFlagDefinition, type: !5)
!9 = distinct !DILexicalBlock(scope: !4, file: !1, line: 2)
!10 = !DILocalVariable(name: "a", scope: !4, file: !1, line: 2, type: !6)
!11 = !DILocalVariable(name: "b", scope: !8, file: !1, line: 3, type: !7)
!20 = !DILocation(line: 2, scope: !4)
!21 = !DILocation(line: 6, scope: !8, inlinedAt: !23)
!22 = !DILocation(line: 4, scope: !9)
!23 = distinct !DILocation(line: 3, scope: !9)
)";

class Finder : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic Error;
    M = parseAssemblyString(IR, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    for (Instruction &I : instructions(M->getFunction("f")))
      All.push_back(&I);
  }
  bool has(StringRef Type) {
    return any_of(Found.types(), [&](DIType *T) { return T->getName() == Type; });
  }
  bool hasFunction(StringRef Name) {
    return any_of(Found.subprograms(), [&](DISubprogram *S) { return S->getName() == Name; });
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::vector<Instruction *> All;
  DebugInfoFinder Found;
};

TEST_F(Finder, FindsTheScopeOfALocation) {
  Found.processInstruction(*M, *All[3]);
  EXPECT_EQ(1u, Found.scope_count());
  EXPECT_TRUE(hasFunction("f"));
}

TEST_F(Finder, FindsTheTypeOfADeclaredVariable) {
  Found.processInstruction(*M, *All[1]);
  EXPECT_TRUE(has("declared"));
  EXPECT_FALSE(has("valued"));
}

TEST_F(Finder, FindsTheTypeOfAVariableWithAValue) {
  Found.processInstruction(*M, *All[2]);
  EXPECT_TRUE(has("valued"));
  EXPECT_FALSE(has("declared"));
}

TEST_F(Finder, FindsTheInlinedScopeOfAVariable) {
  Found.processInstruction(*M, *All[2]);
  EXPECT_TRUE(hasFunction("inlined"));
  EXPECT_TRUE(hasFunction("f"));
}

TEST_F(Finder, FindsWhatARecordNames) {
  UseNewDbgInfoFormat = true;
  M->convertToNewDbgValues();
  for (Instruction &I : instructions(M->getFunction("f")))
    if (isa<StoreInst>(I))
      Found.processInstruction(*M, I);
  EXPECT_TRUE(has("declared"));
  EXPECT_TRUE(has("valued"));
  EXPECT_TRUE(hasFunction("inlined"));
  M->convertFromNewDbgValues();
  UseNewDbgInfoFormat = false;
}

TEST_F(Finder, FindsNothingWithoutDebugInfo) {
  Found.processInstruction(*M, *All[0]);
  EXPECT_EQ(0u, Found.subprogram_count() + Found.type_count() + Found.scope_count());
}
