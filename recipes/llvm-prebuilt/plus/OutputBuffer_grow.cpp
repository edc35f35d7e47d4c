/*---
 * tasks: [A7AB81C8E4DCDC67]
 * goals: [graft/out/lib/Demangle/DLangDemangle.o]
 * tests:
 *   Grow.MakesRoomBehindThePosition: 'Docstring: "at least N more positions"; operator+= writes there without a check.'
 *   Grow.OfAnEmptyBufferMakesRoom: 'Docstring, of a buffer that has no memory yet (the default constructor).'
 *   Grow.MakesRoomForMoreThanTwice: 'Docstring: at least N, however large N is.'
 *   Grow.KeepsWhatWasWritten: 'operator+= goes on behind what is there, and prepend moves it.'
 *   Grow.LeavesAPositionThatHasRoom: 'getBufferCapacity and callers of __cxa_demangle: a buffer that suffices is used as it is.'
 *   Grow.LetsWritingGoOnFromTheStart: 'setCurrentPosition: positions count from the current one.'
 *   Grow.StoresTheCapacity: 'getBufferCapacity: itaniumDemangle hands it to the caller as the size of the block.'
 ---*/
#include "llvm/Demangle/Utility.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <malloc.h>
#include <string>

using llvm::itanium_demangle::OutputBuffer;

// Whether so many positions behind the current one lie in the block of memory.
static bool hasRoom(OutputBuffer &OB, size_t N) {
  return OB.getBuffer() && malloc_usable_size(OB.getBuffer()) >= OB.getCurrentPosition() + N &&
         OB.getBufferCapacity() >= OB.getCurrentPosition() + N;
}

TEST(Grow, MakesRoomBehindThePosition) {
  OutputBuffer OB(static_cast<char *>(std::malloc(3000)), 3000);
  OB.setCurrentPosition(2900);
  OB.grow(2000);
  EXPECT_TRUE(hasRoom(OB, 2000));
  std::free(OB.getBuffer());
}

TEST(Grow, OfAnEmptyBufferMakesRoom) {
  OutputBuffer OB;
  OB.grow(1);
  EXPECT_TRUE(hasRoom(OB, 1));
  std::free(OB.getBuffer());
}

TEST(Grow, MakesRoomForMoreThanTwice) {
  OutputBuffer OB(static_cast<char *>(std::malloc(16)), 16);
  OB.grow(100000);
  EXPECT_TRUE(hasRoom(OB, 100000));
  std::free(OB.getBuffer());
}

TEST(Grow, KeepsWhatWasWritten) {
  OutputBuffer OB;
  std::string All;
  for (int I = 0; I < 3000; I++) {
    OB << "part " << I << ';';
    All += "part " + std::to_string(I) + ";";
  }
  EXPECT_EQ(All, std::string(std::string_view(OB)));
  std::free(OB.getBuffer());
}

TEST(Grow, LeavesAPositionThatHasRoom) {
  char Start[64];
  OutputBuffer OB(Start, sizeof Start);
  OB.setCurrentPosition(24);
  OB.grow(30);
  EXPECT_EQ(Start, OB.getBuffer());
  EXPECT_EQ(sizeof Start, OB.getBufferCapacity());
}

TEST(Grow, LetsWritingGoOnFromTheStart) {
  char Start[64];
  OutputBuffer OB(Start, sizeof Start);
  OB.setCurrentPosition(64);
  OB.setCurrentPosition(0);
  OB += "from the start";
  EXPECT_EQ(Start, OB.getBuffer());
}

TEST(Grow, StoresTheCapacity) {
  OutputBuffer OB;
  size_t Before = OB.getBufferCapacity();
  OB.grow(5000);
  EXPECT_EQ(0u, Before);
  EXPECT_GE(OB.getBufferCapacity(), 5000u);
  EXPECT_LE(OB.getBufferCapacity(), malloc_usable_size(OB.getBuffer()));
  std::free(OB.getBuffer());
}
