/*---
 * tasks: [66E0B8EAE18BD73F]
 * tests:
 *   Divide.EachElementIsDivided: 'Docstring: "Inversely scale this quaternion".'
 *   Divide.ANegativeFactorTurnsEachSign: 'Docstring: s is any factor but 0, which the assertion rules out.'
 *   Divide.SmallFactorsCount: 'Docstring: "Inversely scale"; only 0 is ruled out.'
 *   Divide.TheQuaternionItselfIsReturned: 'Signature: a reference, as the other compound assignments give.'
 *   Divide.ByItsLengthItIsOfUnitLength: 'normalize (btQuaternion.h) divides a quaternion by its length.'
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

TEST(Divide, EachElementIsDivided)
{
	btQuaternion q(2, -3, 5, 7);
	q /= btScalar(4);
	expectQuaternion(q, 0.5, -0.75, 1.25, 1.75);
}

TEST(Divide, ANegativeFactorTurnsEachSign)
{
	btQuaternion q(2, -3, 5, 7);
	q /= btScalar(-2);
	expectQuaternion(q, -1, 1.5, -2.5, -3.5);
}

TEST(Divide, SmallFactorsCount)
{
	btQuaternion q(2e-9, -3e-9, 5e-9, 7e-9);
	q /= btScalar(1e-9);
	expectQuaternion(q, 2, -3, 5, 7);
}

TEST(Divide, TheQuaternionItselfIsReturned)
{
	btQuaternion q(2, -3, 5, 7);
	EXPECT_EQ(&q, &(q /= btScalar(2)));
}

TEST(Divide, ByItsLengthItIsOfUnitLength)
{
	btQuaternion q(1, 2, 4, 10);
	q /= q.length();
	expectQuaternion(q, 1 / 11., 2 / 11., 4 / 11., 10 / 11.);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
