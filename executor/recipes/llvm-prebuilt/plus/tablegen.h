// Records of a text in TableGen's language, for tests of llvm-tblgen's own functions.
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Parser.h"
#include "llvm/TableGen/Record.h"
#include <string>

// What a target's description begins with: one named My, which has no instructions of its own yet.
static const std::string Target = "include \"llvm/Target/Target.td\"\n"
                                  "def MyInstrInfo : InstrInfo;\n"
                                  "def My : Target { let InstructionSet = MyInstrInfo; }\n";

static llvm::RecordKeeper &records(const std::string &Text) {
  auto *Manager = new llvm::SourceMgr;
  Manager->setIncludeDirs({"llvm/include"});
  Manager->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, "test.td"), llvm::SMLoc());
  auto *Records = new llvm::RecordKeeper;
  if (llvm::TableGenParseFile(*Manager, *Records))
    abort();
  // The records' places lead into these buffers; errors print them.
  llvm::SrcMgr.takeSourceBuffersFrom(*Manager);
  return *Records;
}
