/*---
 * tasks: [E9A0485F1DBF0175]
 * goals: [graft/out/lib/Support/SourceMgr.o]
 * tests:
 *   LineNumber.CountsFromOne: 'getPointerForLineNumber: "We start counting line and column numbers from 1."'
 *   LineNumber.OfALineEndIsItsOwn: 'The comment on OffsetCache: a line end marks the end of its line.'
 *   LineNumber.OfTheEndIsFound: 'FindBufferContainingLoc: a pointer to the null at the end belongs to the buffer.'
 *   LineNumber.AgreesWithTheOtherLookUp: 'getPointerForLineNumber reads the same cache, in either order.'
 *   LineNumber.IsRightAroundEachSize: 'The comment on OffsetCache: its type depends on the size, of 2^8 and 2^16 bytes.'
 *   LineNumber.OfTheHundredThousandthLineIsFound: 'The same: offsets above 2^16.'
 *   LineNumber.OfNoLineEndsIsOne: 'Docstring, of a text without a line end.'
 *   LineNumber.IsTheSameWhenAskedAgain: 'The cache is made once, and read from then on.'
 ---*/
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace llvm;

class LineNumber : public testing::Test {
protected:
  void open(const std::string &Content) {
    Text = Content;
    ID = Manager.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(Text, "text"), SMLoc());
  }
  const SourceMgr::SrcBuffer &buffer() { return Manager.getBufferInfo(ID); }
  unsigned lineAt(size_t Offset) { return buffer().getLineNumber(Text.data() + Offset); }

  std::string Text;
  SourceMgr Manager;
  unsigned ID = 0;
};

// Lines of four bytes, and a last one that has no end, to so many bytes.
static std::string lines(size_t Size) {
  std::string Text;
  while (Text.size() + 4 <= Size)
    Text += "abc\n";
  return Text + std::string(Size - Text.size(), 'x');
}

TEST_F(LineNumber, CountsFromOne) {
  open("one\ntwo\nthree");
  EXPECT_EQ(1u, lineAt(0));
  EXPECT_EQ(2u, lineAt(4));
  EXPECT_EQ(3u, lineAt(10));
}

TEST_F(LineNumber, OfALineEndIsItsOwn) {
  open("one\n\n\nfour");
  EXPECT_EQ(1u, lineAt(3));
  EXPECT_EQ(2u, lineAt(4));
  EXPECT_EQ(3u, lineAt(5));
  EXPECT_EQ(4u, lineAt(6));
}

TEST_F(LineNumber, OfTheEndIsFound) {
  open("one\ntwo\n");
  EXPECT_EQ(3u, lineAt(8));
}

TEST_F(LineNumber, AgreesWithTheOtherLookUp) {
  for (size_t Size : {100, 254, 255, 256, 1000, 65534, 65535, 65536, 70000}) {
    open(lines(Size));
    unsigned Last = Size / 4;
    EXPECT_EQ(Last, lineAt(4 * Last - 2)) << Size;
    EXPECT_EQ(Text.data() + 4 * (Last - 1), buffer().getPointerForLineNumber(Last)) << Size;
    open(lines(Size));
    EXPECT_EQ(Text.data() + 4 * (Last - 1), buffer().getPointerForLineNumber(Last)) << Size;
    EXPECT_EQ(Last, lineAt(4 * Last - 2)) << Size;
  }
}

TEST_F(LineNumber, IsRightAroundEachSize) {
  for (size_t Size : {254, 255, 256, 257, 65534, 65535, 65536, 65537}) {
    open(lines(Size));
    for (size_t At : {size_t(0), size_t(5), Size / 2, Size - 3, Size - 1, Size})
      EXPECT_EQ(std::count(Text.begin(), Text.begin() + At, '\n') + 1, lineAt(At)) << Size << " " << At;
  }
}

TEST_F(LineNumber, OfTheHundredThousandthLineIsFound) {
  open(lines(400000));
  EXPECT_EQ(100000u, lineAt(399997));
}

TEST_F(LineNumber, OfNoLineEndsIsOne) {
  open("no end");
  EXPECT_EQ(1u, lineAt(6));
}

TEST_F(LineNumber, IsTheSameWhenAskedAgain) {
  open(lines(300));
  EXPECT_EQ(70u, lineAt(278));
  EXPECT_EQ(1u, lineAt(1));
  EXPECT_EQ(70u, lineAt(278));
}
