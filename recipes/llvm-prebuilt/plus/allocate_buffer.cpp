/*---
 * tasks: [1635888CFAE50587]
 * goals: [graft/out/lib/Support/MemAlloc.o]
 * tests:
 *   Buffer.HasTheWholeSize: 'llvm/Support/MemAlloc.h: "Allocate a buffer of memory with the given size and alignment."'
 *   Buffer.IsAligned: 'The same; the docstring: with __cpp_aligned_new.'
 *   Buffer.ComesFromTheAlignedOperatorNew: 'deallocate_buffer gives it to operator delete with the same size and alignment.'
 *   Buffer.OfNothingIsNotNull: 'LLVM_ATTRIBUTE_RETURNS_NONNULL.'
 *   Buffer.IsItsOwn: 'LLVM_ATTRIBUTE_RETURNS_NOALIAS.'
 ---*/
#include "llvm/Support/MemAlloc.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>

static size_t LastSize, LastAlignment;

void *operator new(size_t Size, std::align_val_t Alignment) {
  LastSize = Size;
  LastAlignment = static_cast<size_t>(Alignment);
  return std::aligned_alloc(LastAlignment, (Size + LastAlignment - 1) / LastAlignment * LastAlignment + LastAlignment);
}
void operator delete(void *P, std::align_val_t) noexcept { std::free(P); }
void operator delete(void *P, size_t, std::align_val_t) noexcept { std::free(P); }

using namespace llvm;

TEST(Buffer, HasTheWholeSize) {
  void *P = allocate_buffer(1001, 8);
  EXPECT_GE(malloc_usable_size(P), 1001u);
  memset(P, 1, 1001);
  deallocate_buffer(P, 1001, 8);
}

TEST(Buffer, IsAligned) {
  for (size_t Alignment : {1, 8, 16, 64, 256, 4096}) {
    void *P = allocate_buffer(24, Alignment);
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(P) % Alignment);
    deallocate_buffer(P, 24, Alignment);
  }
}

TEST(Buffer, ComesFromTheAlignedOperatorNew) {
  LastSize = LastAlignment = 0;
  void *P = allocate_buffer(100, 32);
  EXPECT_EQ(100u, LastSize);
  EXPECT_EQ(32u, LastAlignment);
  deallocate_buffer(P, 100, 32);
}

TEST(Buffer, OfNothingIsNotNull) {
  void *P = allocate_buffer(0, 8);
  EXPECT_NE(nullptr, P);
  deallocate_buffer(P, 0, 8);
}

TEST(Buffer, IsItsOwn) {
  char *First = static_cast<char *>(allocate_buffer(64, 8)), *Second = static_cast<char *>(allocate_buffer(64, 8));
  memset(First, 1, 64);
  memset(Second, 2, 64);
  EXPECT_EQ(1, First[63]);
  EXPECT_EQ(2, Second[0]);
  deallocate_buffer(First, 64, 8);
  deallocate_buffer(Second, 64, 8);
}
