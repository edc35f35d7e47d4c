/*---
 * tasks: [04C8813A1EE4450F]
 * goals: [graft/out/lib/ProfileData/SampleProfReader.o]
 * tests:
 *   Create.GivesAReaderOfText: 'Docstring: "a sample profile reader appropriate to the file format".'
 *   Create.GivesAReaderOfBinaryData: 'The same, of the binary format.'
 *   Create.ReadsTheFile: 'Docstring and callers: the reader reads that file.'
 *   Create.OfNoFileGivesItsError: 'Callers print the error: that there is no such file.'
 *   Create.OfAnotherFormatFails: 'The other overload, for buffers: unrecognized_format.'
 *   Create.GivesARemapperWhereOneIsNamed: 'Docstring: "Create a remapper underlying if RemapFilename is not empty."'
 *   Create.GivesNoRemapperOtherwise: 'The same.'
 *   Create.OfNoRemapFileFails: 'The overload for buffers: "Could not create remapper", with the error of the file.'
 *   Create.TakesFilesOfTheGivenFileSystem: 'Parameter FS.'
 *   Create.HandsOnThePass: 'Docstring: "Parameter P specifies the FSDiscriminatorPass."'
 ---*/
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/ProfileData/SampleProfReader.h"
#include "llvm/ProfileData/SampleProfWriter.h"
#include "llvm/Support/Discriminator.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::sampleprof;

static const char Text[] = "_Z3foov:10:3\n 1: 4\n";

class Create : public testing::Test {
protected:
  void SetUp() override {
    Context.setDiagnosticHandlerCallBack([](const DiagnosticInfo &, void *) {});
    add("profile.txt", Text);
    add("remap.txt", "name 3foo 3bar\n");
    add("other.txt", "this is no profile at all\n");
  }
  void add(StringRef Name, StringRef Content) {
    FS.addFile(Name, 0, MemoryBuffer::getMemBufferCopy(Content, Name));
  }
  ErrorOr<std::unique_ptr<SampleProfileReader>> create(const char *Name, const char *Remap = "",
                                                       FSDiscriminatorPass P = FSDiscriminatorPass::Base) {
    return SampleProfileReader::create(Name, Context, FS, P, Remap);
  }

  LLVMContext Context;
  vfs::InMemoryFileSystem FS;
};

TEST_F(Create, GivesAReaderOfText) {
  auto Reader = create("profile.txt");
  ASSERT_TRUE(bool(Reader));
  EXPECT_EQ(SPF_Text, (*Reader)->getFormat());
}

TEST_F(Create, GivesAReaderOfBinaryData) {
  std::string Data;
  std::unique_ptr<raw_ostream> Stream = std::make_unique<raw_string_ostream>(Data);
  auto Writer = SampleProfileWriter::create(Stream, SPF_Binary);
  ASSERT_TRUE(bool(Writer));
  SampleProfileMap Profiles;
  ASSERT_FALSE((*Writer)->write(Profiles));
  (*Writer)->getOutputStream().flush();
  add("profile.bin", Data);
  auto Reader = create("profile.bin");
  ASSERT_TRUE(bool(Reader));
  EXPECT_EQ(SPF_Binary, (*Reader)->getFormat());
}

TEST_F(Create, ReadsTheFile) {
  auto Reader = create("profile.txt");
  ASSERT_TRUE(bool(Reader));
  ASSERT_FALSE((*Reader)->read());
  FunctionSamples *Samples = (*Reader)->getSamplesFor("_Z3foov");
  ASSERT_TRUE(Samples);
  EXPECT_EQ(10u, Samples->getTotalSamples());
}

TEST_F(Create, OfNoFileGivesItsError) {
  EXPECT_EQ(std::errc::no_such_file_or_directory, create("missing.txt").getError());
}

TEST_F(Create, OfAnotherFormatFails) {
  EXPECT_EQ(make_error_code(sampleprof_error::unrecognized_format), create("other.txt").getError());
}

TEST_F(Create, GivesARemapperWhereOneIsNamed) {
  auto Reader = create("profile.txt", "remap.txt");
  ASSERT_TRUE(bool(Reader));
  ASSERT_TRUE((*Reader)->getRemapper());
  ASSERT_FALSE((*Reader)->read());
  (*Reader)->getRemapper()->applyRemapping(Context);
  EXPECT_TRUE((*Reader)->getSamplesFor("_Z3barv"));
}

TEST_F(Create, GivesNoRemapperOtherwise) {
  auto Reader = create("profile.txt");
  ASSERT_TRUE(bool(Reader));
  EXPECT_FALSE((*Reader)->getRemapper());
}

TEST_F(Create, OfNoRemapFileFails) {
  EXPECT_EQ(std::errc::no_such_file_or_directory, create("profile.txt", "missing.txt").getError());
}

TEST_F(Create, TakesFilesOfTheGivenFileSystem) {
  vfs::InMemoryFileSystem Empty;
  EXPECT_FALSE(bool(SampleProfileReader::create("profile.txt", Context, Empty)));
}

TEST_F(Create, HandsOnThePass) {
  auto Reader = create("profile.txt", "", FSDiscriminatorPass::Pass2);
  ASSERT_TRUE(bool(Reader));
  (*Reader)->ProfileIsFS = true;
  EXPECT_EQ(getN1Bits(getFSPassBitEnd(FSDiscriminatorPass::Pass2)), (*Reader)->getDiscriminatorMask());
}
