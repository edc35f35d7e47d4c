/*---
 * tasks: [BD2DC0F2F8DD4DEC]
 * goals: [graft/out/lib/ExecutionEngine/Orc/OrcABISupport.o]
 * tests:
 *   Trampolines.CallThroughThePointer: 'TrampolinePool: a trampoline calls the resolver, whose address is the pointer in the block.'
 *   Trampolines.EachCallsThroughTheSamePointer: 'Docstring: "1 pointer, plus NumTrampolines trampolines".'
 *   Trampolines.AreFollowedByTheWholeAddress: 'Docstring: a pointer, of PointerSize (8) bytes.'
 *   Trampolines.LeaveWhatLiesBehind: 'Docstring: the memory must hold that much, and no more.'
 *   Trampolines.OfWhichThereIsOneWork: 'Docstring, NumTrampolines 1; LocalTrampolinePool takes the first at the start of the block.'
 *   Trampolines.DontDependOnTheirOwnAddress: 'LocalTrampolinePool: the block is written elsewhere and calls relative to itself.'
 ---*/
#include "llvm/ExecutionEngine/Orc/OrcABISupport.h"
#include "gtest/gtest.h"
#include <cstring>
#include <vector>

using namespace llvm::orc;

static const uint64_t Resolver = 0x1122334455667788;

static std::vector<unsigned char> block(unsigned N, uint64_t Target = 0x1000) {
  std::vector<unsigned char> Memory(8 * N + 8 + 16, 0xAB);
  OrcX86_64_Base::writeTrampolines(reinterpret_cast<char *>(Memory.data()), ExecutorAddr(Target),
                                   ExecutorAddr(Resolver), N);
  return Memory;
}

// The offset in the block that trampoline I calls through: "callq *rel32(%rip)" is FF 15 and the distance from its end.
static long called(const std::vector<unsigned char> &Memory, unsigned I) {
  if (Memory[8 * I] != 0xff || Memory[8 * I + 1] != 0x15)
    return -1;
  int32_t Distance;
  memcpy(&Distance, &Memory[8 * I + 2], sizeof Distance);
  return 8 * I + 6 + Distance;
}

TEST(Trampolines, CallThroughThePointer) {
  auto Memory = block(4);
  uint64_t Pointer;
  long At = called(Memory, 0);
  ASSERT_GE(At, 0);
  ASSERT_LE(At, 32);
  memcpy(&Pointer, &Memory[At], sizeof Pointer);
  EXPECT_EQ(Resolver, Pointer);
}

TEST(Trampolines, EachCallsThroughTheSamePointer) {
  auto Memory = block(5);
  for (unsigned I = 0; I < 5; I++)
    EXPECT_EQ(40, called(Memory, I));
}

TEST(Trampolines, AreFollowedByTheWholeAddress) {
  auto Memory = block(3);
  EXPECT_EQ(0, memcmp(&Memory[24], &Resolver, 8));
}

TEST(Trampolines, LeaveWhatLiesBehind) {
  auto Memory = block(3);
  for (unsigned I = 32; I < Memory.size(); I++)
    EXPECT_EQ(0xAB, Memory[I]);
}

TEST(Trampolines, OfWhichThereIsOneWork) {
  auto Memory = block(1);
  EXPECT_EQ(8, called(Memory, 0));
  EXPECT_EQ(0, memcmp(&Memory[8], &Resolver, 8));
}

TEST(Trampolines, DontDependOnTheirOwnAddress) { EXPECT_EQ(block(2, 0x1000), block(2, 0x7fff00001000)); }
