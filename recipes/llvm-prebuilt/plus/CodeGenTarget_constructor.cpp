/*---
 * tasks: [08DD857AED455A3B]
 * goals: [graft/out/utils/TableGen/CodeGenTarget.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   OneTarget.IsTheRecordOfTheClassTarget: 'Docstring: "Return the current instance of the Target class."'
 *   OneTarget.HasTheNameOfItsRecord: 'getName: the name of that record, as the generated code uses it.'
 *   OneTarget.HoldsAllFusions: 'getMacroFusions: MacroFusionPredicatorEmitter takes all records of the class Fusion.'
 *   OneTarget.MayHaveNoFusion: 'The same: hasMacroFusion says whether there is any.'
 *   OneTarget.IsNeeded: 'Records without a target: the user is told that there is none.'
 *   OneTarget.IsTheOnlyOne: 'Records with two: the user is told that there are several.'
 ---*/
#include "tablegen.h"
#include "CodeGenTarget.h"
#include "gtest/gtest.h"

using namespace llvm;

static const std::string Include = "include \"llvm/Target/Target.td\"\n";

TEST(OneTarget, IsTheRecordOfTheClassTarget) {
  RecordKeeper &Records = records(Target);
  EXPECT_EQ(Records.getDef("My"), CodeGenTarget(Records).getTargetRecord());
}

TEST(OneTarget, HasTheNameOfItsRecord) { EXPECT_EQ("My", CodeGenTarget(records(Target)).getName()); }

TEST(OneTarget, HoldsAllFusions) {
  RecordKeeper &Records = records(Target +
                                  "def One : Fusion<\"one\", \"HasOne\", \"\", [WildcardTrue]>;\n"
                                  "def Other : SimpleFusion<\"other\", \"Other\", \"\", TruePred, TruePred>;\n");
  CodeGenTarget My(Records);
  std::vector<Record *> Fusions = My.getMacroFusions();
  EXPECT_EQ(2u, Fusions.size());
  EXPECT_TRUE(is_contained(Fusions, Records.getDef("One")));
  EXPECT_TRUE(is_contained(Fusions, Records.getDef("Other")));
}

TEST(OneTarget, MayHaveNoFusion) { EXPECT_FALSE(CodeGenTarget(records(Target)).hasMacroFusion()); }

TEST(OneTarget, IsNeeded) {
  RecordKeeper &Records = records(Include);
  EXPECT_EXIT(CodeGenTarget My(Records), testing::ExitedWithCode(1), "[Nn]o 'Target'");
}

TEST(OneTarget, IsTheOnlyOne) {
  RecordKeeper &Records = records(Target + "def Second : Target { let InstructionSet = MyInstrInfo; }\n");
  EXPECT_EXIT(CodeGenTarget My(Records), testing::ExitedWithCode(1), "[Mm]ultiple");
}
