/*---
 * tasks: [5F93B753CE8A58FE]
 * goals: [graft/out/lib/CodeGen/MIRParser/MIRParser.o]
 * tests:
 *   FromFile.GivesAParserOfTheFile: 'Docstring: "returns a MIR parser that can parse the embedded LLVM IR module".'
 *   FromFile.NamesTheFileInTheModule: 'Docstring: "Filename - The name of the file to parse"; a module is named after it.'
 *   FromFile.TakesTheGivenContext: 'Docstring: "Context which will be used for the parsed LLVM IR module".'
 *   FromFile.OfNoFileIsNull: 'Callers (llc): a null parser, and Error is printed.'
 *   FromFile.OfNoFileIsAnError: 'Docstring: "Error - Error result info"; callers print it as an error of that file.'
 *   FromFile.OfAFolderIsNull: 'The same, of what is no file that could be read.'
 *   FromFile.RunsTheFunctionOnEachStub: 'Docstring: "function to run on every IR function or stub loaded from the MIR file".'
 ---*/
#include "llvm/ADT/SmallString.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;

static const char Text[] = "--- |\n  define void @f() {\n    ret void\n  }\n...\n"
                           "---\nname: f\nbody: |\n  bb.0:\n...\n";
static const char Stub[] = "---\nname: stub\nbody: |\n  bb.0:\n...\n";

class FromFile : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createTemporaryFile("graft-plus", "mir", Path)); }
  void TearDown() override { sys::fs::remove(Path); }
  void write(StringRef Content) {
    std::error_code EC;
    raw_fd_ostream(Path, EC) << Content;
  }

  SmallString<128> Path;
  LLVMContext Context;
  SMDiagnostic Error;
};

TEST_F(FromFile, GivesAParserOfTheFile) {
  write(Text);
  auto Parser = createMIRParserFromFile(Path, Error, Context);
  ASSERT_TRUE(Parser);
  auto M = Parser->parseIRModule();
  ASSERT_TRUE(M);
  EXPECT_TRUE(M->getFunction("f"));
}

TEST_F(FromFile, NamesTheFileInTheModule) {
  write(Text);
  auto M = createMIRParserFromFile(Path, Error, Context)->parseIRModule();
  EXPECT_EQ(Path.str().str(), M->getModuleIdentifier());
}

TEST_F(FromFile, TakesTheGivenContext) {
  write(Text);
  auto M = createMIRParserFromFile(Path, Error, Context)->parseIRModule();
  EXPECT_EQ(&Context, &M->getContext());
}

TEST_F(FromFile, OfNoFileIsNull) { EXPECT_FALSE(createMIRParserFromFile("/no/such/file.mir", Error, Context)); }

TEST_F(FromFile, OfNoFileIsAnError) {
  createMIRParserFromFile("/no/such/file.mir", Error, Context);
  EXPECT_EQ(SourceMgr::DK_Error, Error.getKind());
  EXPECT_EQ("/no/such/file.mir", Error.getFilename());
  EXPECT_FALSE(Error.getMessage().empty());
}

TEST_F(FromFile, OfAFolderIsNull) {
  EXPECT_FALSE(createMIRParserFromFile("/", Error, Context));
  EXPECT_EQ(SourceMgr::DK_Error, Error.getKind());
}

TEST_F(FromFile, RunsTheFunctionOnEachStub) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  std::string Problem;
  const llvm::Target *X86 = TargetRegistry::lookupTarget("x86_64-unknown-linux-gnu", Problem);
  ASSERT_TRUE(X86) << Problem;
  std::unique_ptr<TargetMachine> Machine(
      X86->createTargetMachine("x86_64-unknown-linux-gnu", "", "", TargetOptions(), std::nullopt));
  std::vector<std::string> Seen;
  write(Stub);
  auto Parser = createMIRParserFromFile(Path, Error, Context, [&](Function &F) { Seen.push_back(F.getName().str()); });
  ASSERT_TRUE(Parser);
  auto M = Parser->parseIRModule();
  ASSERT_TRUE(M);
  M->setDataLayout(Machine->createDataLayout());
  MachineModuleInfo MMI(static_cast<LLVMTargetMachine *>(Machine.get()));
  EXPECT_FALSE(Parser->parseMachineFunctions(*M, MMI));
  EXPECT_EQ(std::vector<std::string>{"stub"}, Seen);
}
