/*---
 * tasks: [9F07BA675598F8EA]
 * goals: [graft/out/lib/Demangle/ItaniumDemangle.o]
 * tests:
 *   Pack.ExpansionBeginsAtTheFirst: 'Docstring: "Setup OutputBuffer for a pack expansion"; printLeft prints element CurrentPackIndex.'
 *   Pack.ExpansionCountsTheElements: 'ParameterPackExpansion::printLeft goes on up to CurrentPackMax.'
 *   Pack.OfNothingCountsNone: 'ParameterPackExpansion::printLeft takes back what was printed where CurrentPackMax is 0.'
 *   Pack.ExpansionThatIsUnderWayStays: 'Docstring: "unless we are already expanding one".'
 *   Pack.OfNothingThatIsUnderWayStays: 'The same, of an outer pack without elements: its CurrentPackMax is 0.'
 ---*/
#include "llvm/Demangle/ItaniumDemangle.h"
#include "gtest/gtest.h"
#include <limits>

using namespace llvm::itanium_demangle;

static const unsigned None = std::numeric_limits<unsigned>::max();

class Pack : public testing::Test {
protected:
  NameType First{"first"}, Second{"second"}, Third{"third"};
  Node *Elements[3] = {&First, &Second, &Third};
  ParameterPack Three{NodeArray(Elements, 3)}, Empty{NodeArray(Elements, size_t(0))};
  OutputBuffer OB;
};

TEST_F(Pack, ExpansionBeginsAtTheFirst) {
  Three.initializePackExpansion(OB);
  EXPECT_EQ(0u, OB.CurrentPackIndex);
}

TEST_F(Pack, ExpansionCountsTheElements) {
  Three.initializePackExpansion(OB);
  EXPECT_EQ(3u, OB.CurrentPackMax);
}

TEST_F(Pack, OfNothingCountsNone) {
  Empty.initializePackExpansion(OB);
  EXPECT_EQ(0u, OB.CurrentPackMax);
  EXPECT_EQ(0u, OB.CurrentPackIndex);
}

TEST_F(Pack, ExpansionThatIsUnderWayStays) {
  OB.CurrentPackMax = 5;
  OB.CurrentPackIndex = 4;
  Three.initializePackExpansion(OB);
  EXPECT_EQ(5u, OB.CurrentPackMax);
  EXPECT_EQ(4u, OB.CurrentPackIndex);
}

TEST_F(Pack, OfNothingThatIsUnderWayStays) {
  OB.CurrentPackMax = 0;
  OB.CurrentPackIndex = 0;
  Three.initializePackExpansion(OB);
  EXPECT_EQ(0u, OB.CurrentPackMax);
}
