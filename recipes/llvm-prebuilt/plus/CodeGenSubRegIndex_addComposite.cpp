/*---
 * tasks: [70EEF13BFD6CD7B9]
 * goals: [graft/out/bin/llvm-tblgen]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   Composite.IsKept: 'Docstring: "Add a composite subreg index: this+A = B."; compose returns it.'
 *   Composite.OfANewPairIsNoConflict: 'Docstring: "Return a conflicting composite, or NULL".'
 *   Composite.OfTheSameAgainIsNoConflict: 'The same: it says what is known already.'
 *   Composite.OfAnotherIsTheOneThatWasThere: 'Docstring: "Return a conflicting composite"; callers print it.'
 *   Composite.TakesItsPlaceFromBothIndices: 'getCompositeSubRegIndex makes an index without a range: it lies where A lies in this.'
 *   Composite.TakesItsSizeFromTheInnerIndex: 'The same: as large as A.'
 *   Composite.KeepsAPlaceThatItHas: 'A user-defined index has its own Offset and Size (SubRegIndex in Target.td).'
 *   Composite.HasNoPlaceWhereAnIndexHasNone: 'SubRegIndex in Target.td: Offset -1 says that there is no bit range.'
 ---*/
#include "CodeGenRegisters.h"
#include "gtest/gtest.h"

using namespace llvm;

class Composite : public testing::Test {
protected:
  CodeGenSubRegIndex Outer{"outer", "", 1}, Inner{"inner", "", 2}, Made{"made", "", 3}, Other{"other", "", 4};
  static constexpr uint16_t None = -1;
  void SetUp() override {
    Outer.Offset = 32;
    Outer.Size = 32;
    Inner.Offset = 16;
    Inner.Size = 8;
  }
};

TEST_F(Composite, IsKept) {
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(&Made, Outer.compose(&Inner));
  EXPECT_EQ(nullptr, Inner.compose(&Outer));
}

TEST_F(Composite, OfANewPairIsNoConflict) { EXPECT_EQ(nullptr, Outer.addComposite(&Inner, &Made)); }

TEST_F(Composite, OfTheSameAgainIsNoConflict) {
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(nullptr, Outer.addComposite(&Inner, &Made));
}

TEST_F(Composite, OfAnotherIsTheOneThatWasThere) {
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(&Made, Outer.addComposite(&Inner, &Other));
  EXPECT_EQ(&Made, Outer.compose(&Inner));
}

TEST_F(Composite, TakesItsPlaceFromBothIndices) {
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(48, Made.Offset);
}

TEST_F(Composite, TakesItsSizeFromTheInnerIndex) {
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(8, Made.Size);
}

TEST_F(Composite, KeepsAPlaceThatItHas) {
  Made.Offset = 4;
  Made.Size = 12;
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(4, Made.Offset);
  EXPECT_EQ(12, Made.Size);
}

TEST_F(Composite, HasNoPlaceWhereAnIndexHasNone) {
  Inner.Offset = None;
  Outer.addComposite(&Inner, &Made);
  EXPECT_EQ(None, Made.Offset);
  Outer.Offset = None;
  Inner.Offset = 16;
  Outer.addComposite(&Made, &Other);
  EXPECT_EQ(None, Other.Offset);
}
