/*---
 * tasks: [57A29FD53DCA2606]
 * goals: [graft/out/lib/Target/AArch64/Utils/AArch64SMEAttributes.o]
 * flags: [-Illvm/lib/Target/AArch64]
 * tests:
 *   ModeChange.IsNotNeededInTheSameMode: 'Docstring: "requires a change in streaming mode".'
 *   ModeChange.IsNeededBetweenTheModes: 'The same.'
 *   ModeChange.IsNotNeededForACompatibleCallee: 'aarch64_pstate_sm_compatible (llvm/docs/AArch64SME.rst): the callee runs in either mode.'
 *   ModeChange.FromACompatibleCallerIsNeeded: 'The same page: such a caller has to check the mode, and change it if need be.'
 *   ModeChange.OfABodyCountsForTheCaller: 'aarch64_pstate_sm_body: the body runs in streaming mode, whatever the interface says.'
 *   ModeChange.OfACalleeIsThatOfItsInterface: 'The same page: a callee with a streaming body is called in the mode of its interface.'
 *   ModeChange.DoesNotDependOnZA: 'Docstring: the streaming mode alone.'
 ---*/
#include "Utils/AArch64SMEAttributes.h"
#include "gtest/gtest.h"

using namespace llvm;

using A = SMEAttrs;

static bool changes(unsigned Caller, unsigned Callee) { return A(Caller).requiresSMChange(A(Callee)); }

TEST(ModeChange, IsNotNeededInTheSameMode) {
  EXPECT_FALSE(changes(A::Normal, A::Normal));
  EXPECT_FALSE(changes(A::SM_Enabled, A::SM_Enabled));
}

TEST(ModeChange, IsNeededBetweenTheModes) {
  EXPECT_TRUE(changes(A::Normal, A::SM_Enabled));
  EXPECT_TRUE(changes(A::SM_Enabled, A::Normal));
}

TEST(ModeChange, IsNotNeededForACompatibleCallee) {
  for (unsigned Caller : {A::Normal, A::SM_Enabled, A::SM_Compatible, A::SM_Body})
    EXPECT_FALSE(changes(Caller, A::SM_Compatible)) << Caller;
  EXPECT_FALSE(changes(A::SM_Compatible | A::SM_Body, A::SM_Compatible));
}

TEST(ModeChange, FromACompatibleCallerIsNeeded) {
  EXPECT_TRUE(changes(A::SM_Compatible, A::Normal));
  EXPECT_TRUE(changes(A::SM_Compatible, A::SM_Enabled));
}

TEST(ModeChange, OfABodyCountsForTheCaller) {
  EXPECT_FALSE(changes(A::SM_Body, A::SM_Enabled));
  EXPECT_TRUE(changes(A::SM_Body, A::Normal));
  EXPECT_FALSE(changes(A::SM_Compatible | A::SM_Body, A::SM_Enabled));
  EXPECT_TRUE(changes(A::SM_Compatible | A::SM_Body, A::Normal));
}

TEST(ModeChange, OfACalleeIsThatOfItsInterface) {
  EXPECT_FALSE(changes(A::Normal, A::SM_Body));
  EXPECT_TRUE(changes(A::SM_Enabled, A::SM_Body));
  EXPECT_TRUE(changes(A::SM_Body, A::SM_Body));
  EXPECT_FALSE(changes(A::Normal, A::SM_Compatible | A::SM_Body));
}

TEST(ModeChange, DoesNotDependOnZA) {
  EXPECT_FALSE(changes(A::Normal, A::ZA_Shared));
  EXPECT_FALSE(changes(A::ZA_New, A::Normal));
  EXPECT_TRUE(changes(A::ZA_New, A::SM_Enabled | A::ZA_Shared));
}
