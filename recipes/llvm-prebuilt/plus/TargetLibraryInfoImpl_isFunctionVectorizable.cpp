/*---
 * tasks: [21896FC1EC29AD52]
 * goals: [graft/out/lib/Analysis/TargetLibraryInfo.o]
 * tests:
 *   Vectorizable.IsAFunctionOfTheLibrary: 'Docstring: "has a vector equivalent".'
 *   Vectorizable.IsEachOfSeveralFunctions: 'The same, of the first and the last name.'
 *   Vectorizable.IsNoOtherName: 'The same: names that stand before, between and behind those of the table.'
 *   Vectorizable.IsNothingWithoutALibrary: 'The same, of an empty table.'
 *   Vectorizable.IsAFunctionOfScalableVectorsAlone: 'Docstring: "with any vectorization factor".'
 *   Vectorizable.IsANameWithItsEscape: 'sanitizeFunctionName: a name may begin with \01, as isFunctionVectorizable with a factor takes it.'
 *   Vectorizable.IsNoName: 'sanitizeFunctionName: an empty name and one with a zero byte are none.'
 ---*/
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "gtest/gtest.h"

using namespace llvm;

class Vectorizable : public testing::Test {
protected:
  void SetUp() override {
    const VecDesc Fixed[] = {{"sinf", "vsinf4", ElementCount::getFixed(4), false, "_ZGV_LLVM_N4v"},
                             {"cosf", "vcosf4", ElementCount::getFixed(4), false, "_ZGV_LLVM_N4v"},
                             {"cosf", "vcosf8", ElementCount::getFixed(8), false, "_ZGV_LLVM_N8v"}};
    const VecDesc Scalable[] = {{"expf", "vexpf", ElementCount::getScalable(4), true, "_ZGV_LLVM_Mxv"}};
    Info.addVectorizableFunctions(Fixed);
    Info.addVectorizableFunctions(Scalable);
  }
  TargetLibraryInfoImpl Info, Empty;
};

TEST_F(Vectorizable, IsAFunctionOfTheLibrary) { EXPECT_TRUE(Info.isFunctionVectorizable("sinf")); }

TEST_F(Vectorizable, IsEachOfSeveralFunctions) {
  EXPECT_TRUE(Info.isFunctionVectorizable("cosf"));
  EXPECT_TRUE(Info.isFunctionVectorizable("sinf"));
}

TEST_F(Vectorizable, IsNoOtherName) {
  for (StringRef Name : {"acosf", "cos", "cosff", "d", "sin", "sinfx", "zeta"})
    EXPECT_FALSE(Info.isFunctionVectorizable(Name)) << Name.str();
}

TEST_F(Vectorizable, IsNothingWithoutALibrary) { EXPECT_FALSE(Empty.isFunctionVectorizable("sinf")); }

TEST_F(Vectorizable, IsAFunctionOfScalableVectorsAlone) { EXPECT_TRUE(Info.isFunctionVectorizable("expf")); }

TEST_F(Vectorizable, IsANameWithItsEscape) { EXPECT_TRUE(Info.isFunctionVectorizable("\01sinf")); }

TEST_F(Vectorizable, IsNoName) {
  EXPECT_FALSE(Info.isFunctionVectorizable(""));
  EXPECT_FALSE(Info.isFunctionVectorizable(StringRef("sinf\0", 5)));
}
