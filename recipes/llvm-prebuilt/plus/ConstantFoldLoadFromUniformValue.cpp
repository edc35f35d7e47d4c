/*---
 * tasks: [2154C620E839CDEB]
 * goals: [graft/out/lib/Analysis/ConstantFolding.o]
 * tests:
 *   Uniform.ZerosAreZerosOfTheNewType: 'Docstring: "all zero ... the corresponding uniform value in the new type".'
 *   Uniform.OnesAreOnesOfTheNewType: 'Docstring: "all ones".'
 *   Uniform.OnesOfFloatsAreAllBits: 'The same, of types of floating point, whose all ones are a NaN.'
 *   Uniform.OnesAreNoPointer: 'Docstring: "or the result cannot be represented, return null".'
 *   Uniform.ZerosAreTheNullPointer: 'Docstring: "all zero", of a pointer and an aggregate.'
 *   Uniform.ZerosAreNoMatrixTile: 'Docstring: types without a null value (x86_mmx, x86_amx) cannot be represented.'
 *   Uniform.UndefIsUndef: 'Docstring: "all undef".'
 *   Uniform.PoisonIsPoison: 'Docstring: "all poison"; poison is undef as well, but more than that.'
 *   Uniform.OtherValuesAreNone: 'Docstring: "If the value is not uniform ... return null".'
 ---*/
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "gtest/gtest.h"

using namespace llvm;

static Constant *ones(Type *T) { return Constant::getAllOnesValue(T); }

class Uniform : public testing::Test {
protected:
  LLVMContext C;
  Type *I8 = Type::getInt8Ty(C), *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  Type *Float = Type::getFloatTy(C), *Pointer = PointerType::get(C, 0);
  Type *Vector = FixedVectorType::get(I8, 4), *Floats = FixedVectorType::get(Float, 2);
  Type *Struct = StructType::get(I32, Float), *Array = ArrayType::get(I32, 2);
};

TEST_F(Uniform, ZerosAreZerosOfTheNewType) {
  for (Type *T : {I8, I64, Float, Vector, Struct})
    EXPECT_EQ(Constant::getNullValue(T), ConstantFoldLoadFromUniformValue(ConstantInt::get(I32, 0), T));
  EXPECT_EQ(ConstantInt::get(I32, 0), ConstantFoldLoadFromUniformValue(Constant::getNullValue(Struct), I32));
}

TEST_F(Uniform, OnesAreOnesOfTheNewType) {
  EXPECT_EQ(ones(I8), ConstantFoldLoadFromUniformValue(ones(I64), I8));
  EXPECT_EQ(ones(Vector), ConstantFoldLoadFromUniformValue(ones(I32), Vector));
  EXPECT_EQ(ones(I32), ConstantFoldLoadFromUniformValue(ones(Vector), I32));
}

TEST_F(Uniform, OnesOfFloatsAreAllBits) {
  EXPECT_EQ(ones(Float), ConstantFoldLoadFromUniformValue(ones(I32), Float));
  EXPECT_EQ(ones(Floats), ConstantFoldLoadFromUniformValue(ones(I64), Floats));
}

TEST_F(Uniform, OnesAreNoPointer) {
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ones(I64), Pointer));
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ones(I64), Struct));
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ones(I64), Array));
}

TEST_F(Uniform, ZerosAreTheNullPointer) {
  EXPECT_EQ(Constant::getNullValue(Pointer), ConstantFoldLoadFromUniformValue(ConstantInt::get(I64, 0), Pointer));
  EXPECT_EQ(Constant::getNullValue(Array), ConstantFoldLoadFromUniformValue(ConstantInt::get(I64, 0), Array));
}

TEST_F(Uniform, ZerosAreNoMatrixTile) {
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ConstantInt::get(I64, 0), Type::getX86_MMXTy(C)));
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ConstantInt::get(I64, 0), Type::getX86_AMXTy(C)));
}

TEST_F(Uniform, UndefIsUndef) {
  for (Type *T : {I8, Float, Pointer, Struct}) {
    Constant *Found = ConstantFoldLoadFromUniformValue(UndefValue::get(I32), T);
    EXPECT_EQ(UndefValue::get(T), Found);
  }
}

TEST_F(Uniform, PoisonIsPoison) {
  for (Type *T : {I8, Float, Pointer, Struct})
    EXPECT_EQ(PoisonValue::get(T), ConstantFoldLoadFromUniformValue(PoisonValue::get(I32), T));
}

TEST_F(Uniform, OtherValuesAreNone) {
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ConstantInt::get(I32, 1), I32));
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ConstantFP::get(Float, 1.0), I32));
  EXPECT_EQ(nullptr, ConstantFoldLoadFromUniformValue(ConstantFP::get(Float, -0.0), I32));
}
