/*---
 * tasks: [A9F73F1640F117BA]
 * goals: [graft/out/tools/dsymutil/DwarfLinkerForBinary.o]
 * flags: [-Illvm/tools/dsymutil]
 * tests:
 *   Relocation.InTheRangeHasItsValue: 'Docstring: "relocation value if relocation exist"; getRelocValue: the address in the binary less that in the object.'
 *   Relocation.OutsideIsNone: 'Docstring: "otherwise std::nullopt".'
 *   Relocation.AtTheEndIsOutside: 'getRelocations: from StartPos up to, and without, EndPos.'
 *   Relocation.AtTheStartIsInside: 'The same.'
 *   Relocation.OfSeveralIsOneOfTheRange: 'Docstring: "there is a relocation ... between": several are as good as one.'
 *   Relocation.MayHaveTheValueZero: 'Docstring: std::nullopt says that there is none; 0 is a value.'
 *   Relocation.IsPrintedWhereAsked: 'Docstring: "Print debug output if Verbose is set."'
 *   Relocation.IsNotPrintedOtherwise: 'The same.'
 ---*/
#include "BinaryHolder.h"
#include "DebugMap.h"
#include "DwarfLinkerForBinary.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::dsymutil;

class Relocation : public testing::Test {
protected:
  // Neither touches more than the relocations that are handed over, so there is no object file here.
  using Manager = DwarfLinkerForBinary::AddressManager;
  alignas(Manager) char Memory[sizeof(Manager)] = {};
  Manager &Asked = *reinterpret_cast<Manager *>(Memory);

  static ValidReloc at(uint64_t Offset, uint64_t Object, uint64_t Binary, const char *Name = "_f") {
    return ValidReloc(Offset, 8, 0, Name, SymbolMapping(Object, Binary, 16));
  }
  std::optional<int64_t> value(std::vector<ValidReloc> All, uint64_t Start, uint64_t End, bool Verbose = false) {
    return Asked.hasValidRelocationAt(All, Start, End, Verbose);
  }
};

TEST_F(Relocation, InTheRangeHasItsValue) {
  EXPECT_EQ(0x3000, value({at(10, 0x1000, 0x4000)}, 8, 16));
  EXPECT_EQ(-0x800, value({at(10, 0x1000, 0x800)}, 8, 16));
}

TEST_F(Relocation, OutsideIsNone) {
  EXPECT_EQ(std::nullopt, value({}, 0, 100));
  EXPECT_EQ(std::nullopt, value({at(4, 1, 2), at(40, 1, 2)}, 8, 16));
}

TEST_F(Relocation, AtTheEndIsOutside) { EXPECT_EQ(std::nullopt, value({at(16, 1, 2)}, 8, 16)); }

TEST_F(Relocation, AtTheStartIsInside) { EXPECT_EQ(1, value({at(8, 1, 2)}, 8, 16)); }

TEST_F(Relocation, OfSeveralIsOneOfTheRange) {
  std::optional<int64_t> Found = value({at(2, 0, 0x10), at(9, 0, 0x11), at(12, 0, 0x12), at(20, 0, 0x13)}, 8, 16);
  EXPECT_TRUE(Found == 0x11 || Found == 0x12);
}

TEST_F(Relocation, MayHaveTheValueZero) { EXPECT_EQ(0, value({at(10, 0x1000, 0x1000)}, 8, 16)); }

TEST_F(Relocation, IsPrintedWhereAsked) {
  testing::internal::CaptureStdout();
  value({at(2, 0x1000, 0x4000, "_before"), at(10, 0x1000, 0x4000, "_first")}, 8, 16, true);
  outs().flush();
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStdout().find("_first"));
}

TEST_F(Relocation, IsNotPrintedOtherwise) {
  testing::internal::CaptureStdout();
  value({at(10, 0x1000, 0x4000, "_first")}, 8, 16, false);
  outs().flush();
  EXPECT_EQ("", testing::internal::GetCapturedStdout());
}
