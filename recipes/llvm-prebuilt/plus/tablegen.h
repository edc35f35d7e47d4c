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

// Registers of that target: halves and words of two halves, W1's under other indices than W0's.
static const std::string Registers =
    Target + "class R<string n> : Register<n> { let Namespace = \"My\"; }\n"
             "let Namespace = \"My\" in {\n"
             "def lo : SubRegIndex<16, 0>; def hi : SubRegIndex<16, 16>;\n"
             "def even : SubRegIndex<16, 0>; def odd : SubRegIndex<16, 16>;\n"
             "}\n"
             "foreach I = 0-3 in { def L#I : R<\"l\"#I>; def H#I : R<\"h\"#I>; }\n"
             "class W<string n, list<Register> s> : RegisterWithSubRegs<n, s> { let Namespace = \"My\"; }\n"
             "let SubRegIndices = [lo, hi] in { def W0 : W<\"w0\", [L0, H0]>; def W2 : W<\"w2\", [L2, H2]>; }\n"
             "let SubRegIndices = [even, odd] in def W1 : W<\"w1\", [L1, H1]>;\n"
             "def Halves : RegisterClass<\"My\", [i16], 16, (add L0, L1, L2, L3, H0, H1, H2, H3)>;\n"
             "def Words : RegisterClass<\"My\", [i32, f32], 32, (add W0, W1, W2)>;\n"
             "def Firsts : RegisterClass<\"My\", [i32, v2i16, f32], 32, (add W0)>;\n";
