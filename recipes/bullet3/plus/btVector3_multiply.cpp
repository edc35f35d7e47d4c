/*---
 * tasks: [C74CEE60AF732A54]
 * tests:
 *   Multiply.EachElementHasItsOwnFactor: 'Docstring: "Elementwise multiply this vector by the other".'
 *   Multiply.NoughtAndOneAndFractions: 'Docstring: elementwise.'
 *   Multiply.TheVectorItselfIsReturned: 'Signature: a reference, as the other compound assignments give.'
 *   Multiply.TheOtherStays: 'Signature: a const reference.'
 *   Multiply.AVectorByItself: 'Docstring: elementwise, whatever the other vector is.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btVector3.h"

static void expectVector(const btVector3& v, double x, double y, double z)
{
	EXPECT_NEAR(x, v.x(), 1e-12);
	EXPECT_NEAR(y, v.y(), 1e-12);
	EXPECT_NEAR(z, v.z(), 1e-12);
}

TEST(Multiply, EachElementHasItsOwnFactor)
{
	btVector3 v(2, -3, 5);
	v *= btVector3(7, 11, -13);
	expectVector(v, 14, -33, -65);
}

TEST(Multiply, NoughtAndOneAndFractions)
{
	btVector3 v(2, -3, 5);
	v *= btVector3(0, 1, 0.5);
	expectVector(v, 0, -3, 2.5);
}

TEST(Multiply, TheVectorItselfIsReturned)
{
	btVector3 v(2, -3, 5);
	EXPECT_EQ(&v, &(v *= btVector3(1, 2, 3)));
	(v *= btVector3(1, 2, 3)) *= btVector3(2, 2, 2);
	expectVector(v, 4, -24, 90);
}

TEST(Multiply, TheOtherStays)
{
	btVector3 v(2, -3, 5), other(7, 11, -13);
	v *= other;
	expectVector(other, 7, 11, -13);
}

TEST(Multiply, AVectorByItself)
{
	btVector3 v(2, -3, 5);
	v *= v;
	expectVector(v, 4, 9, 25);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
