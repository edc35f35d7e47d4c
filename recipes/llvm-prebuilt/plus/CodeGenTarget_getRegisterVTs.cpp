/*---
 * tasks: [5EE96E0B69B072FF]
 * goals: [graft/out/utils/TableGen/CodeGenTarget.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   RegisterVTs.OfOneClassAreItsTypes: 'Docstring: "all possible SimpleValueTypes for the specified physical register".'
 *   RegisterVTs.OfSeveralClassesAreTheUnion: 'Docstring: "the union".'
 *   RegisterVTs.AreEachThereOnce: 'Docstring: a union holds no type twice; callers take one type for an unambiguous one.'
 *   RegisterVTs.AreNotThoseOfOtherClasses: 'Docstring: of the specified register.'
 ---*/
#include "tablegen.h"
#include "CodeGenTarget.h"
#include "InfoByHwMode.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;

class RegisterVTs : public testing::Test {
protected:
  std::multiset<MVT::SimpleValueType> types(StringRef Register) {
    std::multiset<MVT::SimpleValueType> All;
    for (const ValueTypeByHwMode &Type : My.getRegisterVTs(Records->getDef(Register)))
      All.insert(Type.getSimple().SimpleTy);
    return All;
  }
  CodeGenTarget My{*Records};
  static void SetUpTestSuite() { Records = &records(Registers); }
  static RecordKeeper *Records;
};
RecordKeeper *RegisterVTs::Records;

using Types = std::multiset<MVT::SimpleValueType>;

TEST_F(RegisterVTs, OfOneClassAreItsTypes) {
  EXPECT_EQ((Types{MVT::i16}), types("L0"));
  EXPECT_EQ((Types{MVT::i32, MVT::f32}), types("W2"));
}

TEST_F(RegisterVTs, OfSeveralClassesAreTheUnion) { EXPECT_EQ(1u, types("W0").count(MVT::v2i16)); }

TEST_F(RegisterVTs, AreEachThereOnce) { EXPECT_EQ((Types{MVT::i32, MVT::f32, MVT::v2i16}), types("W0")); }

TEST_F(RegisterVTs, AreNotThoseOfOtherClasses) { EXPECT_EQ(0u, types("W1").count(MVT::v2i16)); }
