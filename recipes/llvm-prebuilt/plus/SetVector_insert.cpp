/*---
 * tasks: [DB9278CCBDD4AA03]
 * goals: [graft/out/unittests/ADT/SetVectorTest.o]
 * tests:
 *   Insert.SaysWhetherItWasNew: 'Docstring: "true if the element was inserted".'
 *   Insert.KeepsTheOrder: 'The class: "iterated in insertion order".'
 *   Insert.OfASmallSetFindsWhatIsThere: 'SmallSetVector: up to N elements are looked for in the vector.'
 *   Insert.TurnsASmallSetIntoALargeOne: 'makeBig: the set then holds all that the vector holds.'
 *   Insert.IntoALargeSetFindsWhatCameBefore: 'The same: elements of before are found afterwards.'
 *   Insert.OfARemovedElementPutsItLast: 'remove and the insertion order.'
 ---*/
#include "llvm/ADT/SetVector.h"
#include "gtest/gtest.h"
#include <vector>

using namespace llvm;

template <typename Set> static std::vector<int> all(const Set &S) { return {S.begin(), S.end()}; }

TEST(Insert, SaysWhetherItWasNew) {
  SetVector<int> S;
  EXPECT_TRUE(S.insert(7));
  EXPECT_FALSE(S.insert(7));
  EXPECT_TRUE(S.insert(8));
  EXPECT_EQ(2u, S.size());
}

TEST(Insert, KeepsTheOrder) {
  SetVector<int> S;
  for (int X : {5, 3, 9, 3, 1, 5, 4})
    S.insert(X);
  EXPECT_EQ((std::vector<int>{5, 3, 9, 1, 4}), all(S));
}

TEST(Insert, OfASmallSetFindsWhatIsThere) {
  SmallSetVector<int, 4> S;
  EXPECT_TRUE(S.insert(1));
  EXPECT_TRUE(S.insert(2));
  EXPECT_FALSE(S.insert(1));
  EXPECT_FALSE(S.insert(2));
  EXPECT_EQ((std::vector<int>{1, 2}), all(S));
}

TEST(Insert, TurnsASmallSetIntoALargeOne) {
  SmallSetVector<int, 4> S;
  for (int I = 0; I < 6; I++)
    EXPECT_TRUE(S.insert(I));
  for (int I = 0; I < 6; I++)
    EXPECT_TRUE(S.contains(I)) << I;
  EXPECT_FALSE(S.contains(6));
}

TEST(Insert, IntoALargeSetFindsWhatCameBefore) {
  SmallSetVector<int, 4> S;
  for (int I = 0; I < 6; I++)
    S.insert(I);
  for (int I = 0; I < 6; I++)
    EXPECT_FALSE(S.insert(I)) << I;
  EXPECT_TRUE(S.insert(6));
  EXPECT_FALSE(S.insert(6));
  EXPECT_EQ((std::vector<int>{0, 1, 2, 3, 4, 5, 6}), all(S));
}

TEST(Insert, OfARemovedElementPutsItLast) {
  SmallSetVector<int, 2> S;
  for (int X : {1, 2, 3})
    S.insert(X);
  S.remove(1);
  EXPECT_TRUE(S.insert(1));
  EXPECT_EQ((std::vector<int>{2, 3, 1}), all(S));
}
