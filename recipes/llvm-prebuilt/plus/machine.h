// Machine functions of a target, read from a text in MIR, for tests of code generation. TARGET is defined before.
#include "llvm/CodeGen/GlobalISel/GISelChangeObserver.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <string>

#define GRAFT_JOINED(A, B, C) A##B##C
#define GRAFT_OF_TARGET(A, B, C) GRAFT_JOINED(A, B, C)

// The function `f` of the module, for a processor of the target.
struct Machine {
  Machine(const std::string &Text, llvm::StringRef Triple, llvm::StringRef CPU = "", llvm::StringRef Features = "") {
    GRAFT_OF_TARGET(LLVMInitialize, TARGET, TargetInfo)();
    GRAFT_OF_TARGET(LLVMInitialize, TARGET, Target)();
    GRAFT_OF_TARGET(LLVMInitialize, TARGET, TargetMC)();
    std::string Problem;
    const llvm::Target *Found = llvm::TargetRegistry::lookupTarget(Triple.str(), Problem);
    TM.reset(static_cast<llvm::LLVMTargetMachine *>(
        Found->createTargetMachine(Triple, CPU, Features, llvm::TargetOptions(), std::nullopt)));
    Parser = llvm::createMIRParser(llvm::MemoryBuffer::getMemBufferCopy(Text, "test.mir"), Context);
    M = Parser->parseIRModule();
    M->setTargetTriple(Triple);
    M->setDataLayout(TM->createDataLayout());
    MMI = std::make_unique<llvm::MachineModuleInfo>(TM.get());
    if (Parser->parseMachineFunctions(*M, *MMI))
      abort();
    MF = MMI->getMachineFunction(*M->getFunction("f"));
  }
  // The instruction with this number in the function, from 0.
  llvm::MachineInstr &instruction(unsigned Number) {
    for (llvm::MachineBasicBlock &Block : *MF)
      for (llvm::MachineInstr &I : Block)
        if (Number-- == 0)
          return I;
    abort();
  }

  llvm::LLVMContext Context;
  std::unique_ptr<llvm::LLVMTargetMachine> TM;
  std::unique_ptr<llvm::MIRParser> Parser;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::MachineModuleInfo> MMI;
  llvm::MachineFunction *MF = nullptr;
};

// Listens to a change of instructions, which GlobalISel's helpers ask for.
struct Silent : llvm::GISelChangeObserver {
  void erasingInstr(llvm::MachineInstr &) override {}
  void createdInstr(llvm::MachineInstr &) override {}
  void changingInstr(llvm::MachineInstr &) override {}
  void changedInstr(llvm::MachineInstr &) override {}
};
