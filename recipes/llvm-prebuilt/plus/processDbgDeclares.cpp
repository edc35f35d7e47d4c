/*---
 * tasks: [DC59B5FC4D1431C9]
 * goals: [graft/out/lib/CodeGen/SelectionDAG/SelectionDAGISel.o]
 * flags: [-Illvm/lib/CodeGen/SelectionDAG]
 * tests:
 *   Declares.OfAStackSlotIsCollected: 'Docstring: "Collect llvm.dbg.declare information".'
 *   Declares.WhatIsCollectedIsMarked: 'FunctionLoweringInfo.h: "Collection of dbg.declare instructions handled after argument lowering"; SelectionDAGBuilder passes them over.'
 *   Declares.OfABlockFurtherDownIsCollected: 'Docstring: of the function.'
 *   Declares.OfAnArgumentIsCollected: 'Docstring: "in case the declarations refer to arguments".'
 *   Declares.WithoutASlotIsLeftToTheBuilder: 'processDbgDeclare: "If it is not, then we will ignore this intrinsic and handle this during isel".'
 *   Declares.OfAValueIsNone: 'Docstring: llvm.dbg.declare; llvm.dbg.value is another intrinsic.'
 *   Declares.InRecordsAreCollected: 'FunctionLoweringInfo.h: PreprocessedDPVDeclares, which SelectionDAGBuilder passes over too.'
 *   Declares.InRecordsOfAValueAreNone: 'DPValue: a record of type Value is no declaration.'
 ---*/
#define TARGET X86
#include "machine.h"
#include "llvm/lib/CodeGen/SelectionDAG/SelectionDAGISel.cpp"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/Support/CommandLine.h"
#include "gtest/gtest.h"

class Declares : public testing::Test {
protected:
  Declares() {
    F = &Given.MF->getFunction();
    Info.Fn = F;
    Info.MF = Given.MF;
    for (Instruction &I : instructions(*F)) {
      if (auto *Slot = dyn_cast<AllocaInst>(&I); Slot && Slot->isStaticAlloca())
        Info.StaticAllocaMap[Slot] = Given.MF->getFrameInfo().CreateStackObject(4, Align(4), false, Slot);
      if (isa<DbgVariableIntrinsic>(I))
        Debug.push_back(cast<DbgVariableIntrinsic>(&I));
    }
    Info.setArgumentFrameIndex(F->getArg(0), Argument = Given.MF->getFrameInfo().CreateFixedObject(8, 8, true));
  }
  // Puts the records in the place of the intrinsics, as an option asks for.
  void convert() {
    auto *Records = static_cast<cl::opt<bool> *>(cl::getRegisteredOptions()["experimental-debuginfo-iterators"]);
    *Records = true;
    F->getParent()->convertToNewDbgValues();
    *Records = false;
  }
  // The slot that the variable of this name has, or -1000.
  int slot(StringRef Name) {
    for (auto &Found : Given.MF->getInStackSlotVariableDbgInfo())
      if (Found.Var->getName() == Name)
        return Found.getStackSlot();
    return -1000;
  }
  int slotOf(StringRef Alloca) {
    for (auto [Slot, Index] : Info.StaticAllocaMap)
      if (Slot->getName() == Alloca)
        return Index;
    return -2000;
  }
  bool marked(unsigned Number) {
    auto *Declare = dyn_cast<DbgDeclareInst>(Debug[Number]);
    return Declare && Info.PreprocessedDbgDeclares.contains(Declare);
  }

  Machine Given{R"(--- |
  define void @f(ptr byval(i64) %argument, i64 %count) !dbg !4 {
  entry:
    %first = alloca i32
    %second = alloca i32
    %any = alloca i8, i64 %count
    call void @llvm.dbg.declare(metadata ptr %first, metadata !6, metadata !DIExpression()), !dbg !11
    call void @llvm.dbg.declare(metadata ptr %any, metadata !7, metadata !DIExpression()), !dbg !11
    call void @llvm.dbg.value(metadata ptr %first, metadata !8, metadata !DIExpression()), !dbg !11
    br label %next
  next:
    call void @llvm.dbg.declare(metadata ptr %second, metadata !9, metadata !DIExpression()), !dbg !11
    call void @llvm.dbg.declare(metadata ptr %argument, metadata !10, metadata !DIExpression()), !dbg !11
    ret void
  }
  declare void @llvm.dbg.declare(metadata, metadata, metadata)
  declare void @llvm.dbg.value(metadata, metadata, metadata)
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "f.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
  !4 = distinct !DISubprogram(name: "f", file: !1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
  !5 = !DISubroutineType(types: !{null})
  !6 = !DILocalVariable(name: "a", scope: !4, file: !1, type: !3)
  !7 = !DILocalVariable(name: "b", scope: !4, file: !1, type: !3)
  !8 = !DILocalVariable(name: "c", scope: !4, file: !1, type: !3)
  !9 = !DILocalVariable(name: "d", scope: !4, file: !1, type: !3)
  !10 = !DILocalVariable(name: "e", scope: !4, file: !1, type: !3)
  !11 = !DILocation(line: 1, scope: !4)
...
---
name: f
body: |
  bb.0:
    RET64
...
)",
                "x86_64"};
  Function *F = nullptr;
  FunctionLoweringInfo Info;
  int Argument = 0;
  // In the function's order: a, b, c, d, e.
  std::vector<DbgVariableIntrinsic *> Debug;
};

TEST_F(Declares, OfAStackSlotIsCollected) {
  processDbgDeclares(Info);
  EXPECT_EQ(slotOf("first"), slot("a"));
}

TEST_F(Declares, WhatIsCollectedIsMarked) {
  processDbgDeclares(Info);
  EXPECT_TRUE(marked(0));
  EXPECT_TRUE(marked(3));
  EXPECT_TRUE(marked(4));
}

TEST_F(Declares, OfABlockFurtherDownIsCollected) {
  processDbgDeclares(Info);
  EXPECT_EQ(slotOf("second"), slot("d"));
}

TEST_F(Declares, OfAnArgumentIsCollected) {
  processDbgDeclares(Info);
  EXPECT_EQ(Argument, slot("e"));
}

TEST_F(Declares, WithoutASlotIsLeftToTheBuilder) {
  processDbgDeclares(Info);
  EXPECT_FALSE(marked(1));
  EXPECT_EQ(-1000, slot("b"));
}

TEST_F(Declares, OfAValueIsNone) {
  processDbgDeclares(Info);
  EXPECT_EQ(-1000, slot("c"));
  EXPECT_EQ(3u, Given.MF->getVariableDbgInfo().size());
}

TEST_F(Declares, InRecordsAreCollected) {
  convert();
  processDbgDeclares(Info);
  EXPECT_EQ(slotOf("first"), slot("a"));
  EXPECT_EQ(slotOf("second"), slot("d"));
  EXPECT_EQ(3u, Info.PreprocessedDPVDeclares.size());
}

TEST_F(Declares, InRecordsOfAValueAreNone) {
  convert();
  processDbgDeclares(Info);
  EXPECT_EQ(-1000, slot("c"));
  EXPECT_EQ(3u, Given.MF->getVariableDbgInfo().size());
}
