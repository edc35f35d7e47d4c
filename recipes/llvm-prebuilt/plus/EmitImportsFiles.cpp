/*---
 * tasks: [A19320F747B60D76]
 * goals: [graft/out/lib/Transforms/IPO/FunctionImport.o]
 * tests:
 *   Imports.AreOneFileALine: 'Docstring: "the files module ModulePath will import from"; llvm/test/ThinLTO/X86/emit_imports.ll.'
 *   Imports.LeaveOutTheModuleItself: 'gatherImportedSummariesForModule: the map holds an entry for the module itself, which imports nothing from itself.'
 *   Imports.GoOnBehindTheModule: 'The same: the names before it and those behind it.'
 *   Imports.OfNothingAreAnEmptyFile: 'ThinLTOCodeGenerator::emitImports: the file is there although nothing is imported.'
 *   Imports.ReplaceAnOldFile: 'Docstring: "Emit into OutputFilename"; nothing of before is among the imports.'
 *   Imports.AreWrittenWithoutAnError: 'Callers take any error code for a failure.'
 *   Imports.IntoNoFolderFail: 'Callers: "Failed to open ... to save imports lists".'
 ---*/
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/FunctionImport.h"
#include "gtest/gtest.h"

using namespace llvm;

class Imports : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createTemporaryFile("graft-plus", "imports", Path)); }
  void TearDown() override { sys::fs::remove(Path); }
  std::string emitted(StringRef Module, std::vector<std::string> Names) {
    std::map<std::string, GVSummaryMapTy> Map;
    for (const std::string &Name : Names)
      Map[Name];
    Error = EmitImportsFiles(Module, Path, Map);
    return (*MemoryBuffer::getFile(Path))->getBuffer().str();
  }

  SmallString<128> Path;
  std::error_code Error;
};

TEST_F(Imports, AreOneFileALine) { EXPECT_EQ("a.bc\nb.bc\n", emitted("main.bc", {"a.bc", "b.bc"})); }

TEST_F(Imports, LeaveOutTheModuleItself) { EXPECT_EQ("a.bc\n", emitted("main.bc", {"a.bc", "main.bc"})); }

TEST_F(Imports, GoOnBehindTheModule) { EXPECT_EQ("a.bc\nz.bc\n", emitted("main.bc", {"a.bc", "main.bc", "z.bc"})); }

TEST_F(Imports, OfNothingAreAnEmptyFile) {
  EXPECT_EQ("", emitted("main.bc", {"main.bc"}));
  EXPECT_FALSE(Error);
}

TEST_F(Imports, ReplaceAnOldFile) {
  std::error_code EC;
  raw_fd_ostream(Path, EC) << "old.bc\nolder.bc\noldest.bc\n";
  EXPECT_EQ("a.bc\n", emitted("main.bc", {"a.bc"}));
}

TEST_F(Imports, AreWrittenWithoutAnError) {
  emitted("main.bc", {"a.bc"});
  EXPECT_FALSE(Error);
}

TEST_F(Imports, IntoNoFolderFail) {
  std::map<std::string, GVSummaryMapTy> Map;
  EXPECT_EQ(std::errc::no_such_file_or_directory, EmitImportsFiles("main.bc", "/no/such/folder/imports", Map));
}
