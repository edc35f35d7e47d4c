/*---
 * tasks: [79BD5116DDE48C39]
 * goals: [graft/out/lib/CodeGen/GlobalISel/CombinerHelper.o]
 * tests:
 *   DeadLanes.OfTwoMatch: 'Docstring: "X, Y<dead> = G_UNMERGE Z -> X = G_TRUNC Z".'
 *   DeadLanes.OfTwoThatAreReadDoNot: 'The same: Y is not dead.'
 *   DeadLanes.OfFourMatchWhenAllAreDead: 'The rule, of more than two lanes: all but the first are dead.'
 *   DeadLanes.AreAllButTheFirst: 'The same: each of them may be the one that is read.'
 *   DeadLanes.MayHaveAFirstThatIsDeadToo: 'Docstring: nothing is asked of X.'
 *   DeadLanes.AreNotReadByDebugInformation: 'Code must be the same with and without debug information (llvm/docs/HowToUpdateDebugInfo.rst).'
 ---*/
#define TARGET AArch64
#include "machine.h"
#include "llvm/CodeGen/GlobalISel/CombinerHelper.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "gtest/gtest.h"

using namespace llvm;

static bool matches(const std::string &Lanes, const std::string &Uses) {
  Machine Given("---\nname: f\nbody: |\n  bb.0:\n    liveins: $x0\n    %0:_(s64) = COPY $x0\n    " + Lanes +
                    " = G_UNMERGE_VALUES %0(s64)\n    " + Uses + "\n    RET_ReallyLR\n...\n",
                "aarch64");
  Silent Observer;
  MachineIRBuilder Builder(*Given.MF);
  CombinerHelper Helper(Observer, Builder, /*IsPreLegalize=*/true);
  return Helper.matchCombineUnmergeWithDeadLanesToTrunc(Given.instruction(1));
}

static const char Two[] = "%1:_(s32), %2:_(s32)", Four[] = "%1:_(s16), %2:_(s16), %3:_(s16), %4:_(s16)";
static const char First[] = "%5:_(s16) = G_ADD %1, %1";

TEST(DeadLanes, OfTwoMatch) { EXPECT_TRUE(matches(Two, "$w0 = COPY %1(s32)")); }

TEST(DeadLanes, OfTwoThatAreReadDoNot) { EXPECT_FALSE(matches(Two, "$w0 = COPY %2(s32)")); }

TEST(DeadLanes, OfFourMatchWhenAllAreDead) { EXPECT_TRUE(matches(Four, First)); }

TEST(DeadLanes, AreAllButTheFirst) {
  for (char Lane : {'2', '3', '4'})
    EXPECT_FALSE(matches(Four, std::string("%5:_(s16) = G_ADD %1, %") + Lane)) << Lane;
}

TEST(DeadLanes, MayHaveAFirstThatIsDeadToo) { EXPECT_TRUE(matches(Two, "")); }

TEST(DeadLanes, AreNotReadByDebugInformation) {
  EXPECT_TRUE(matches(Two, "$w0 = COPY %1(s32)\n    DBG_VALUE %2(s32), $noreg"));
}
