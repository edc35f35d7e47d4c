/*---
 * tasks: [4D92A5C8ECB7C8E0]
 * tests:
 *   SafeNorm.TheLengthIsReturned: 'Docstring: "Return the norm (length) of the vector".'
 *   SafeNorm.NoLengthIsNought: 'Docstring: the length of nothing.'
 *   SafeNorm.ItIsAsExactAsAScalar: 'Signature: a btScalar, which is a double in this build.'
 *   SafeNorm.ShortVectorsHaveALength: 'Docstring: the length; only the square of a tiny number is a problem (the name, and norm beside it).'
 *   SafeNorm.TheTiniestAreANumber: 'The name: safe; btSoftBody divides by the length plus SIMD_EPSILON.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btVector3.h"

TEST(SafeNorm, TheLengthIsReturned)
{
	EXPECT_NEAR(7, btVector3(2, -3, 6).safeNorm(), 1e-12);
	EXPECT_NEAR(11, btVector3(-2, 6, 9).safeNorm(), 1e-12);
	EXPECT_NEAR(3, btVector3(3, 0, 0).safeNorm(), 1e-12);
	EXPECT_NEAR(4, btVector3(0, -4, 0).safeNorm(), 1e-12);
	EXPECT_NEAR(5, btVector3(0, 0, 5).safeNorm(), 1e-12);
}

TEST(SafeNorm, NoLengthIsNought)
{
	EXPECT_EQ(0, btVector3(0, 0, 0).safeNorm());
}

TEST(SafeNorm, ItIsAsExactAsAScalar)
{
	EXPECT_NEAR(sqrt(3.0), btVector3(1, 1, 1).safeNorm(), 1e-14);
	EXPECT_NEAR(sqrt(2.0) * 1e6, btVector3(1e6, -1e6, 0).safeNorm(), 1e-7);
}

TEST(SafeNorm, ShortVectorsHaveALength)
{
	EXPECT_NEAR(0.01, btVector3(0.01, 0, 0).safeNorm(), 1e-14);
	EXPECT_NEAR(7e-4, btVector3(2e-4, -3e-4, 6e-4).safeNorm(), 1e-14);
}

TEST(SafeNorm, TheTiniestAreANumber)
{
	const btScalar found = btVector3(1e-200, 0, 0).safeNorm();
	EXPECT_GE(found, 0);
	EXPECT_LT(found, 1e-12);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
