/*---
 * tasks: [2D830BDA333FFC11]
 * goals: [graft/out/lib/Transforms/Vectorize/VPlanVerifier.o]
 * flags: [-Illvm/lib/Transforms/Vectorize]
 * tests:
 *   Verify.FindsNothingInAValidRegion: 'Docstring: it verifies the invariants, which hold here.'
 *   Verify.DoesNothingWithoutTheOption: 'The option: "Verify VPlan H-CFG", false by default.'
 *   Verify.FindsABlockOfAnotherRegion: 'VPlanVerifier.h: "All predecessors/successors of a block must belong to the same region."'
 *   Verify.FindsALinkInOneDirection: 'VPlanVerifier.h: "VPBlockBases CFG links are bi-directional".'
 *   Verify.FindsARegionWhoseEntryHasAPredecessor: 'VPlanVerifier.h: the entry/exit has no predecessors/successors.'
 *   Verify.FindsWhatIsWrongInANestedRegion: 'Docstring: "for every region in the H-CFG".'
 *   Verify.FindsWhatIsWrongTwoRegionsDown: 'The same.'
 ---*/
#include "VPlan.h"
#include "VPlanCFG.h"
#include "VPlanDominatorTree.h"
#include "VPlanVerifier.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Support/CommandLine.h"
#include "gtest/gtest.h"

// The checks are assertions, which are left out of the build; here they count.
static int Violations;
#undef NDEBUG
#undef assert
#define assert(Condition) ((Condition) ? (void)0 : (void)Violations++)
#include "llvm/lib/Transforms/Vectorize/VPlanVerifier.cpp"

// A region of two blocks, of which the first may be given.
static VPRegionBlock *region(VPBlockBase *First = nullptr) {
  static VPValue Condition;
  if (!First)
    First = new VPBasicBlock("first");
  auto *Last = new VPBasicBlock("last", new VPInstruction(VPInstruction::BranchOnCond, {&Condition}));
  VPBlockUtils::connectBlocks(First, Last);
  auto *Region = new VPRegionBlock("region");
  Region->setEntry(First);
  Region->setExiting(Last);
  return Region;
}

static int violations(VPRegionBlock *Region, bool Enabled = true) {
  EnableHCFGVerifier = Enabled;
  Violations = 0;
  VPlanVerifier().verifyHierarchicalCFG(Region);
  return Violations;
}

static VPRegionBlock *strayBlock() {
  VPRegionBlock *Region = region();
  Region->getExiting()->setParent(region());
  return Region;
}

static VPRegionBlock *entered() {
  VPRegionBlock *Region = region();
  Region->getEntry()->Predecessors.push_back(Region->getExiting());
  Region->getExiting()->Successors.push_back(Region->getEntry());
  return Region;
}

TEST(Verify, FindsNothingInAValidRegion) {
  EXPECT_EQ(0, violations(region()));
  EXPECT_EQ(0, violations(region(region(region()))));
}

TEST(Verify, DoesNothingWithoutTheOption) {
  EXPECT_EQ(0, violations(strayBlock(), false));
  EXPECT_EQ(0, violations(entered(), false));
}

TEST(Verify, FindsABlockOfAnotherRegion) { EXPECT_NE(0, violations(strayBlock())); }

TEST(Verify, FindsALinkInOneDirection) {
  VPRegionBlock *Region = region();
  Region->getExiting()->Predecessors.clear();
  EXPECT_NE(0, violations(Region));
}

// Blocks alone are in order here: the links lead both ways, within one region.
TEST(Verify, FindsARegionWhoseEntryHasAPredecessor) { EXPECT_NE(0, violations(entered())); }

TEST(Verify, FindsWhatIsWrongInANestedRegion) { EXPECT_NE(0, violations(region(strayBlock()))); }

TEST(Verify, FindsWhatIsWrongTwoRegionsDown) { EXPECT_NE(0, violations(region(region(strayBlock())))); }
