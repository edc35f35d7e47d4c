/*---
 * tasks: [DC2BD5D0EA380700]
 * tests:
 *   Dot.EachOfTheFourProductsIsAdded: 'Docstring: "the dot product between this quaternion and another".'
 *   Dot.ItMayBeNegative: 'Docstring: the dot product; nearest and slerp look at its sign.'
 *   Dot.OrthogonalOnesGiveNought: 'Docstring: the dot product.'
 *   Dot.TheLengthsCount: 'Docstring: the dot product; length2 is that of a quaternion with itself.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btQuaternion.h"

TEST(Dot, EachOfTheFourProductsIsAdded)
{
	EXPECT_NEAR(2 * 11 + 3 * 13 + 5 * 17 + 7 * 19, btQuaternion(2, 3, 5, 7).dot(btQuaternion(11, 13, 17, 19)), 1e-12);
	for (int i = 0; i < 4; i++)
	{
		const btQuaternion unit(i == 0, i == 1, i == 2, i == 3);
		EXPECT_NEAR(i == 0 ? 2 : i == 1 ? 3 : i == 2 ? 5 : 7, btQuaternion(2, 3, 5, 7).dot(unit), 1e-12);
		EXPECT_NEAR(i == 0 ? 2 : i == 1 ? 3 : i == 2 ? 5 : 7, unit.dot(btQuaternion(2, 3, 5, 7)), 1e-12);
	}
}

TEST(Dot, ItMayBeNegative)
{
	EXPECT_NEAR(-30, btQuaternion(1, 2, 3, 4).dot(btQuaternion(-1, -2, -3, -4)), 1e-12);
	EXPECT_NEAR(-4, btQuaternion(1, 2, 3, 4).dot(btQuaternion(0, 0, 0, -1)), 1e-12);
}

TEST(Dot, OrthogonalOnesGiveNought)
{
	EXPECT_NEAR(0, btQuaternion(1, 2, 3, 4).dot(btQuaternion(4, -3, 2, -1)), 1e-12);
}

TEST(Dot, TheLengthsCount)
{
	EXPECT_NEAR(6 * btQuaternion(1, 2, 3, 4).dot(btQuaternion(5, 6, 7, 8)),
				btQuaternion(2, 4, 6, 8).dot(btQuaternion(15, 18, 21, 24)), 1e-9);
	EXPECT_NEAR(30, btQuaternion(1, 2, 3, 4).dot(btQuaternion(1, 2, 3, 4)), 1e-12);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
