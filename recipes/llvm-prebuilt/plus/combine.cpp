/*---
 * tasks: [65864C55741B0B7A]
 * goals: [graft/out/utils/TableGen/RegisterInfoEmitter.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Combine.PutsTheMapIntoTheVector: 'Docstring: "Try to combine Idx''s compose map into Vec"; emitComposeSubRegIndices prints the vector as a row.'
 *   Combine.CountsFromTheFirstIndex: 'CodeGenSubRegIndex::EnumValue counts from 1; the row has an entry for each index.'
 *   Combine.KeepsEntriesOfOthers: 'emitComposeSubRegIndices: several indices share a row.'
 *   Combine.OfEqualEntriesIsPossible: 'Docstring: "if it is compatible".'
 *   Combine.OfOtherEntriesIsNot: 'Docstring: "Return false if it''s not possible."'
 *   Combine.LeavesTheVectorWhereItIsNot: 'emitComposeSubRegIndices tries the next row: this one must stay as it was.'
 ---*/
#include "llvm/utils/TableGen/RegisterInfoEmitter.cpp"
#include "gtest/gtest.h"

// Of TableGen.cpp, which has a main of its own.
cl::opt<bool> llvm::EmitLongStrLiterals("emit-long-strings");

class Combine : public testing::Test {
protected:
  CodeGenSubRegIndex A{"a", "", 1}, B{"b", "", 2}, C{"c", "", 3}, D{"d", "", 4}, Mapped{"mapped", "", 5};
  SmallVector<CodeGenSubRegIndex *, 4> Row = SmallVector<CodeGenSubRegIndex *, 4>(4, nullptr);
};

TEST_F(Combine, PutsTheMapIntoTheVector) {
  Mapped.addComposite(&B, &C);
  Mapped.addComposite(&D, &A);
  EXPECT_TRUE(combine(&Mapped, Row));
  EXPECT_EQ(&C, Row[1]);
  EXPECT_EQ(&A, Row[3]);
}

TEST_F(Combine, CountsFromTheFirstIndex) {
  Mapped.addComposite(&A, &D);
  EXPECT_TRUE(combine(&Mapped, Row));
  EXPECT_EQ(&D, Row[0]);
  EXPECT_EQ(nullptr, Row[1]);
}

TEST_F(Combine, KeepsEntriesOfOthers) {
  Row[2] = &A;
  Mapped.addComposite(&B, &C);
  EXPECT_TRUE(combine(&Mapped, Row));
  EXPECT_EQ(&A, Row[2]);
  EXPECT_EQ(nullptr, Row[0]);
}

TEST_F(Combine, OfEqualEntriesIsPossible) {
  Row[1] = &C;
  Mapped.addComposite(&B, &C);
  Mapped.addComposite(&D, &A);
  EXPECT_TRUE(combine(&Mapped, Row));
  EXPECT_EQ(&C, Row[1]);
  EXPECT_EQ(&A, Row[3]);
}

TEST_F(Combine, OfOtherEntriesIsNot) {
  Row[1] = &A;
  Mapped.addComposite(&B, &C);
  EXPECT_FALSE(combine(&Mapped, Row));
}

TEST_F(Combine, LeavesTheVectorWhereItIsNot) {
  Row[3] = &B;
  Mapped.addComposite(&A, &C);
  Mapped.addComposite(&D, &A);
  EXPECT_FALSE(combine(&Mapped, Row));
  EXPECT_EQ(nullptr, Row[0]);
  EXPECT_EQ(&B, Row[3]);
}
