/*---
 * tasks: [79D5D5A1A2CF7D89]
 * tests:
 *   Times.TheUnitsFollowHamiltonsRules: 'Docstring: "Return the product of two quaternions".'
 *   Times.TheSquareOfEachUnitIsMinusOne: 'Docstring: the product of quaternions.'
 *   Times.OneChangesNothing: 'Docstring: the product; getIdentity is (0, 0, 0, 1).'
 *   Times.EachElementOfBothCounts: 'Docstring: the product; it is not of unit quaternions alone, and not commutative.'
 *   Times.TheOperandsStayAsTheyAre: 'Signature: const references.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btQuaternion.h"

static void expectQuaternion(const btQuaternion& q, double x, double y, double z, double w)
{
	EXPECT_NEAR(x, q.x(), 1e-12);
	EXPECT_NEAR(y, q.y(), 1e-12);
	EXPECT_NEAR(z, q.z(), 1e-12);
	EXPECT_NEAR(w, q.w(), 1e-12);
}

static const btQuaternion i(1, 0, 0, 0), j(0, 1, 0, 0), k(0, 0, 1, 0), one(0, 0, 0, 1);

TEST(Times, TheUnitsFollowHamiltonsRules)
{
	expectQuaternion(i * j, 0, 0, 1, 0);
	expectQuaternion(j * k, 1, 0, 0, 0);
	expectQuaternion(k * i, 0, 1, 0, 0);
	expectQuaternion(j * i, 0, 0, -1, 0);
	expectQuaternion(k * j, -1, 0, 0, 0);
	expectQuaternion(i * k, 0, -1, 0, 0);
}

TEST(Times, TheSquareOfEachUnitIsMinusOne)
{
	expectQuaternion(i * i, 0, 0, 0, -1);
	expectQuaternion(j * j, 0, 0, 0, -1);
	expectQuaternion(k * k, 0, 0, 0, -1);
}

TEST(Times, OneChangesNothing)
{
	const btQuaternion q(2, -3, 5, 7);
	expectQuaternion(q * one, 2, -3, 5, 7);
	expectQuaternion(one * q, 2, -3, 5, 7);
}

TEST(Times, EachElementOfBothCounts)
{
	expectQuaternion(btQuaternion(2, 3, 5, 7) * btQuaternion(11, 13, 17, 19), 101, 169, 207, -13);
	expectQuaternion(btQuaternion(11, 13, 17, 19) * btQuaternion(2, 3, 5, 7), 129, 127, 221, -13);
}

TEST(Times, TheOperandsStayAsTheyAre)
{
	btQuaternion a(2, 3, 5, 7), b(11, 13, 17, 19);
	a* b;
	expectQuaternion(a, 2, 3, 5, 7);
	expectQuaternion(b, 11, 13, 17, 19);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
