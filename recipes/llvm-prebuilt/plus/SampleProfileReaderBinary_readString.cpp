/*---
 * tasks: [C1BC3BEC28C03F06]
 * goals: [graft/out/lib/ProfileData/SampleProfReader.o]
 * tests:
 *   ReadString.ReturnsTheString: 'Docstring: "the read value".'
 *   ReadString.GoesOnBehindTheClosingZero: 'readNameTable reads one string after the other.'
 *   ReadString.OfNothingIsRead: 'The same, of an empty string.'
 *   ReadString.UpToTheEndIsRead: 'Docstring: an error only where one occurs; the last string ends at the end.'
 *   ReadString.BehindTheEndIsTruncated: 'Docstring: "If an error occurs ... EC is set"; readNumber and others: sampleprof_error::truncated.'
 *   ReadString.ReportsTheError: 'Docstring: "a diagnostic message is emitted".'
 ---*/
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/ProfileData/SampleProfReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::sampleprof;

class ReadString : public testing::Test {
protected:
  // The profile is the first `Size` bytes of the text; the memory goes on behind them.
  void open(StringRef Text, size_t Size) {
    Context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo &, void *Count) { ++*static_cast<int *>(Count); }, &Reported);
    Reader = std::make_unique<SampleProfileReaderRawBinary>(MemoryBuffer::getMemBuffer("", "profile"), Context);
    Reader->Data = reinterpret_cast<const uint8_t *>(Text.data());
    Reader->End = Reader->Data + Size;
  }
  std::string read() {
    ErrorOr<StringRef> Read = Reader->readString();
    return Read ? Read->str() : "error: " + Read.getError().message();
  }

  LLVMContext Context;
  int Reported = 0;
  std::unique_ptr<SampleProfileReaderRawBinary> Reader;
};

TEST_F(ReadString, ReturnsTheString) {
  open(StringRef("main\0rest", 10), 10);
  EXPECT_EQ("main", read());
}

TEST_F(ReadString, GoesOnBehindTheClosingZero) {
  open(StringRef("one\0two\0three\0", 14), 14);
  EXPECT_EQ("one", read());
  EXPECT_EQ("two", read());
  EXPECT_EQ("three", read());
}

TEST_F(ReadString, OfNothingIsRead) {
  open(StringRef("\0next\0", 6), 6);
  EXPECT_EQ("", read());
  EXPECT_EQ("next", read());
}

TEST_F(ReadString, UpToTheEndIsRead) {
  open(StringRef("last\0", 5), 5);
  EXPECT_EQ("last", read());
  EXPECT_EQ(Reader->End, Reader->Data);
  EXPECT_EQ(0, Reported);
}

TEST_F(ReadString, BehindTheEndIsTruncated) {
  open(StringRef("truncated\0", 10), 9);
  ErrorOr<StringRef> Read = Reader->readString();
  ASSERT_FALSE(bool(Read));
  EXPECT_EQ(make_error_code(sampleprof_error::truncated), Read.getError());
}

TEST_F(ReadString, ReportsTheError) {
  open(StringRef("truncated\0", 10), 4);
  read();
  EXPECT_EQ(1, Reported);
}
