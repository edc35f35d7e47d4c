/*---
 * tasks: [D6632F6A4CB0E08B]
 * tests:
 *   SetRotation.TheIdentityRotatesNothing: 'Docstring: "Set the matrix from a quaternion"; btQuaternion.h: getIdentity is (0, 0, 0, 1).'
 *   SetRotation.AQuarterTurnAboutEachAxis: 'Docstring, and quatRotate (btQuaternion.h), which gives the same rotation of a vector.'
 *   SetRotation.HalfATurnAboutEachAxis: 'Docstring, and quatRotate (btQuaternion.h).'
 *   SetRotation.AThirdOfATurnPermutesTheAxes: 'Docstring, and quatRotate (btQuaternion.h).'
 *   SetRotation.EachElementOfTheQuaternionCounts: 'Docstring: the matrix is that of the quaternion q, whatever its elements.'
 *   SetRotation.TheLengthOfTheQuaternionDoesNotMatter: 'The assertion rules out a length of 0 alone, and the scale is 2 / length2: callers need not normalise.'
 *   SetRotation.AQuaternionAndItsNegativeAreTheSameRotation: 'Docstring: a rotation; q and -q are the same one.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btMatrix3x3.h"

static void expectMatrix(const btMatrix3x3& m, const double (&want)[9])
{
	for (int i = 0; i < 9; i++)
		EXPECT_NEAR(want[i], m[i / 3][i % 3], 1e-12) << "element " << i;
}

static btMatrix3x3 rotation(const btQuaternion& q)
{
	btMatrix3x3 m(9, 9, 9, 9, 9, 9, 9, 9, 9);
	m.setRotation(q);
	return m;
}

TEST(SetRotation, TheIdentityRotatesNothing)
{
	expectMatrix(rotation(btQuaternion(0, 0, 0, 1)), {1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST(SetRotation, AQuarterTurnAboutEachAxis)
{
	const btScalar h = btSqrt(btScalar(0.5));
	expectMatrix(rotation(btQuaternion(h, 0, 0, h)), {1, 0, 0, 0, 0, -1, 0, 1, 0});
	expectMatrix(rotation(btQuaternion(0, h, 0, h)), {0, 0, 1, 0, 1, 0, -1, 0, 0});
	expectMatrix(rotation(btQuaternion(0, 0, h, h)), {0, -1, 0, 1, 0, 0, 0, 0, 1});
}

TEST(SetRotation, HalfATurnAboutEachAxis)
{
	expectMatrix(rotation(btQuaternion(1, 0, 0, 0)), {1, 0, 0, 0, -1, 0, 0, 0, -1});
	expectMatrix(rotation(btQuaternion(0, 1, 0, 0)), {-1, 0, 0, 0, 1, 0, 0, 0, -1});
	expectMatrix(rotation(btQuaternion(0, 0, 1, 0)), {-1, 0, 0, 0, -1, 0, 0, 0, 1});
}

TEST(SetRotation, AThirdOfATurnPermutesTheAxes)
{
	expectMatrix(rotation(btQuaternion(0.5, 0.5, 0.5, 0.5)), {0, 0, 1, 1, 0, 0, 0, 1, 0});
}

TEST(SetRotation, EachElementOfTheQuaternionCounts)
{
	/* Of unit length: (1, 2, 4, 10) / 11. */
	const double n = 121;
	expectMatrix(rotation(btQuaternion(1 / 11., 2 / 11., 4 / 11., 10 / 11.)),
				 {81 / n, -76 / n, 48 / n, 84 / n, 87 / n, -4 / n, -32 / n, 36 / n, 111 / n});
}

TEST(SetRotation, TheLengthOfTheQuaternionDoesNotMatter)
{
	const double n = 121;
	expectMatrix(rotation(btQuaternion(1, 2, 4, 10)),
				 {81 / n, -76 / n, 48 / n, 84 / n, 87 / n, -4 / n, -32 / n, 36 / n, 111 / n});
	expectMatrix(rotation(btQuaternion(0, 0, 0, btScalar(0.001))), {1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST(SetRotation, AQuaternionAndItsNegativeAreTheSameRotation)
{
	const double n = 121;
	expectMatrix(rotation(btQuaternion(-1 / 11., -2 / 11., -4 / 11., -10 / 11.)),
				 {81 / n, -76 / n, 48 / n, 84 / n, 87 / n, -4 / n, -32 / n, 36 / n, 111 / n});
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
