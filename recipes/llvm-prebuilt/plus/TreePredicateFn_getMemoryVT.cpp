/*---
 * tasks: [F79A96D3CF50C978]
 * goals: [graft/out/utils/TableGen/CodeGenDAGPatterns.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   MemoryVT.OfALoadIsItsRecord: 'Docstring: "returns the ValueType record for the memory VT", of a load.'
 *   MemoryVT.OfAStoreIsItsRecord: 'Docstring: "for a load/store".'
 *   MemoryVT.OfAnAtomicOperationIsItsRecord: 'getPredCode reads it of atomic predicates too (TargetSelectionDAG.td: atomic_load_add_i32).'
 *   MemoryVT.ThatIsUnsetIsNull: 'Docstring: "If non-null".'
 *   MemoryVT.IsNotThatOfTheElements: 'getScalarMemoryVT: "checking only the scalar type" is another predicate.'
 ---*/
#include "tablegen.h"
#include "CodeGenDAGPatterns.h"
#include "gtest/gtest.h"

using namespace llvm;

class MemoryVT : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Records = &records(Target + "class Fragment : PatFrag<(ops node:$a), (add node:$a, node:$a)>;\n"
                                "def a_load : Fragment { let IsLoad = true; let MemoryVT = i16; }\n"
                                "def a_store : Fragment { let IsStore = true; let MemoryVT = i8; }\n"
                                "def an_atomic : Fragment { let IsAtomic = true; let MemoryVT = i32; }\n"
                                "def unset : Fragment { let IsLoad = true; }\n"
                                "def elements : Fragment { let IsLoad = true; let ScalarMemoryVT = i8; }\n");
  }
  Record *type(StringRef Name) {
    // The pattern's record alone is read.
    alignas(16) static char Patterns[1];
    TreePatternNodePtr Leaf = makeIntrusiveRefCnt<TreePatternNode>(UnsetInit::get(*Records), 1);
    TreePattern Pattern(Records->getDef(Name), Leaf, true, *reinterpret_cast<CodeGenDAGPatterns *>(Patterns));
    return TreePredicateFn(&Pattern).getMemoryVT();
  }
  static RecordKeeper *Records;
};
RecordKeeper *MemoryVT::Records;

TEST_F(MemoryVT, OfALoadIsItsRecord) { EXPECT_EQ(Records->getDef("i16"), type("a_load")); }

TEST_F(MemoryVT, OfAStoreIsItsRecord) { EXPECT_EQ(Records->getDef("i8"), type("a_store")); }

TEST_F(MemoryVT, OfAnAtomicOperationIsItsRecord) { EXPECT_EQ(Records->getDef("i32"), type("an_atomic")); }

TEST_F(MemoryVT, ThatIsUnsetIsNull) { EXPECT_EQ(nullptr, type("unset")); }

TEST_F(MemoryVT, IsNotThatOfTheElements) { EXPECT_EQ(nullptr, type("elements")); }
