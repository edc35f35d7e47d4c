/*---
 * tasks: [DCC42EFE21BAC90C]
 * goals: [graft/out/unittests/IR/BasicBlockTest.o]
 * tests:
 *   Bits.OfABlockWhoseAddressIsTakenCount: 'hasAddressTaken reads BlockAddressRefCount from these bits.'
 *   Bits.CountEachAddress: 'AdjustBlockAddressRefCount adds to the count that it reads.'
 *   Bits.SayWhetherTheOrderIsValid: 'isInstrOrderValid and renumberInstructions.'
 *   Bits.AreReadAsTheyWereStored: 'setBasicBlockBits stores what this reads.'
 *   Bits.AreNoneOfANewBlock: 'A new block has no address and no valid order.'
 ---*/
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;

class Bits : public testing::Test {
protected:
  LLVMContext Context;
  Module M{"m", Context};
  Function *F = Function::Create(FunctionType::get(Type::getVoidTy(Context), false), Function::ExternalLinkage, "f", M);
  BasicBlock *Entry = BasicBlock::Create(Context, "entry", F), *Block = BasicBlock::Create(Context, "b", F);
};

TEST_F(Bits, OfABlockWhoseAddressIsTakenCount) {
  BlockAddress::get(F, Block);
  EXPECT_EQ(1, Block->getBasicBlockBits().BlockAddressRefCount);
  EXPECT_TRUE(Block->hasAddressTaken());
  EXPECT_FALSE(Entry->hasAddressTaken());
}

TEST_F(Bits, CountEachAddress) {
  Block->AdjustBlockAddressRefCount(2);
  Block->AdjustBlockAddressRefCount(3);
  EXPECT_EQ(5, Block->getBasicBlockBits().BlockAddressRefCount);
  Block->AdjustBlockAddressRefCount(-5);
  EXPECT_EQ(0, Block->getBasicBlockBits().BlockAddressRefCount);
}

TEST_F(Bits, SayWhetherTheOrderIsValid) {
  IRBuilder<>(Block).CreateRetVoid();
  Block->renumberInstructions();
  EXPECT_TRUE(Block->isInstrOrderValid());
  EXPECT_TRUE(Block->getBasicBlockBits().InstrOrderValid);
  Block->invalidateOrders();
  EXPECT_FALSE(Block->getBasicBlockBits().InstrOrderValid);
}

TEST_F(Bits, AreReadAsTheyWereStored) {
  BasicBlock::BasicBlockBits Stored;
  Stored.BlockAddressRefCount = 0x5a5a;
  Stored.InstrOrderValid = 1;
  Block->setBasicBlockBits(Stored);
  EXPECT_EQ(0x5a5a, Block->getBasicBlockBits().BlockAddressRefCount);
  EXPECT_EQ(1, Block->getBasicBlockBits().InstrOrderValid);
  Block->setBasicBlockBits({});
}

TEST_F(Bits, AreNoneOfANewBlock) {
  EXPECT_EQ(0, Block->getBasicBlockBits().BlockAddressRefCount);
  EXPECT_EQ(0, Block->getBasicBlockBits().InstrOrderValid);
}
