/*---
 * tasks: [CF0FB37FEFB6B1E9]
 * tests:
 *   Divide.EachElementIsDivided: 'Docstring: "Inversely scale the vector", s: "Scale factor to divide by".'
 *   Divide.ANegativeFactorTurnsTheVector: 'Docstring: s is any factor but 0, which the assertion rules out.'
 *   Divide.SmallAndLargeFactorsCount: 'Docstring: "Scale factor to divide by"; only 0 is ruled out.'
 *   Divide.TheVectorItselfIsReturned: 'Signature: a reference, as the other compound assignments of btVector3 give.'
 *   Divide.AnElementOfItselfMayBeTheFactor: 'Docstring: "Inversely scale the vector"; normalize divides a vector by its own length.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btVector3.h"

static void expectVector(const btVector3& v, double x, double y, double z)
{
	EXPECT_NEAR(x, v.x(), 1e-12);
	EXPECT_NEAR(y, v.y(), 1e-12);
	EXPECT_NEAR(z, v.z(), 1e-12);
}

TEST(Divide, EachElementIsDivided)
{
	btVector3 v(2, -3, 5);
	v /= btScalar(4);
	expectVector(v, 0.5, -0.75, 1.25);
}

TEST(Divide, ANegativeFactorTurnsTheVector)
{
	btVector3 v(2, -3, 5);
	v /= btScalar(-2);
	expectVector(v, -1, 1.5, -2.5);
}

TEST(Divide, SmallAndLargeFactorsCount)
{
	btVector3 v(2, -3, 5);
	v /= btScalar(1e-20);
	EXPECT_NEAR(2, v.x() * 1e-20, 1e-12);
	EXPECT_NEAR(-3, v.y() * 1e-20, 1e-12);
	EXPECT_NEAR(5, v.z() * 1e-20, 1e-12);
	v /= btScalar(1e20);
	v /= btScalar(1e20);
	EXPECT_NEAR(2, v.x() * 1e20, 1e-12);
}

TEST(Divide, TheVectorItselfIsReturned)
{
	btVector3 v(2, -3, 5);
	EXPECT_EQ(&v, &(v /= btScalar(2)));
	(v /= btScalar(2)) /= btScalar(2);
	expectVector(v, 0.25, -0.375, 0.625);
}

TEST(Divide, AnElementOfItselfMayBeTheFactor)
{
	btVector3 v(2, -3, 5);
	btScalar first = v.x();
	v /= first;
	expectVector(v, 1, -1.5, 2.5);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
