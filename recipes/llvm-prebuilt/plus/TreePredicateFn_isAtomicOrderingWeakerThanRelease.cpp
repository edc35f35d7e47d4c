/*---
 * tasks: [D2DFB13208EA8A37]
 * goals: [graft/out/utils/TableGen/CodeGenDAGPatterns.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   WeakerThanRelease.IsWhatSaysSo: 'Docstring; TargetSelectionDAG.td: IsAtomicOrderingReleaseOrStronger = 0 is the weaker-than-release predicate.'
 *   WeakerThanRelease.IsNotReleaseOrStronger: 'The same field, 1.'
 *   WeakerThanRelease.IsNothingThatIsUnset: 'TargetSelectionDAG.td: a field that is ? is no predicate.'
 *   WeakerThanRelease.IsNotWeakerThanAcquire: 'isAtomicOrderingWeakerThanAcquire has a field of its own.'
 *   WeakerThanRelease.IsNotRelease: 'isAtomicOrderingRelease has a field of its own.'
 ---*/
#include "tablegen.h"
#include "CodeGenDAGPatterns.h"
#include "gtest/gtest.h"

using namespace llvm;

class WeakerThanRelease : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Records = &records(Target + "class Fragment : PatFrag<(ops node:$a), (add node:$a, node:$a)> {\n"
                                "  let IsAtomic = true;\n"
                                "}\n"
                                "def weaker : Fragment { let IsAtomicOrderingReleaseOrStronger = false; }\n"
                                "def stronger : Fragment { let IsAtomicOrderingReleaseOrStronger = true; }\n"
                                "def unset : Fragment;\n"
                                "def acquire : Fragment { let IsAtomicOrderingAcquireOrStronger = false; }\n"
                                "def release : Fragment { let IsAtomicOrderingRelease = false; }\n");
  }
  bool weaker(StringRef Name) {
    // The pattern's record alone is read.
    alignas(16) static char Patterns[1];
    TreePatternNodePtr Leaf = makeIntrusiveRefCnt<TreePatternNode>(UnsetInit::get(*Records), 1);
    TreePattern Pattern(Records->getDef(Name), Leaf, true, *reinterpret_cast<CodeGenDAGPatterns *>(Patterns));
    return TreePredicateFn(&Pattern).isAtomicOrderingWeakerThanRelease();
  }
  static RecordKeeper *Records;
};
RecordKeeper *WeakerThanRelease::Records;

TEST_F(WeakerThanRelease, IsWhatSaysSo) { EXPECT_TRUE(weaker("weaker")); }

TEST_F(WeakerThanRelease, IsNotReleaseOrStronger) { EXPECT_FALSE(weaker("stronger")); }

TEST_F(WeakerThanRelease, IsNothingThatIsUnset) { EXPECT_FALSE(weaker("unset")); }

TEST_F(WeakerThanRelease, IsNotWeakerThanAcquire) { EXPECT_FALSE(weaker("acquire")); }

TEST_F(WeakerThanRelease, IsNotRelease) { EXPECT_FALSE(weaker("release")); }
