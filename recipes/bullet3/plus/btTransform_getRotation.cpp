/*---
 * tasks: [8490AC97765F1D6C]
 * tests:
 *   GetRotation.TheIdentityHasNoRotation: 'Docstring: "Return a quaternion representing the rotation".'
 *   GetRotation.ARotationAboutOneAxisIsGivenBack: 'Docstring; the constructor from a quaternion is its counterpart.'
 *   GetRotation.HalfATurnAboutEachAxisIsGivenBack: 'Docstring: any rotation; callers (btTransformUtil.h) pass any two.'
 *   GetRotation.ARotationAboutAnyAxisIsGivenBack: 'Docstring: any rotation.'
 *   GetRotation.TheTransformStaysAsItIs: 'Signature: const.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btTransform.h"

static void expectRotation(const btQuaternion& made)
{
	btTransform t(made, btVector3(5, 6, 7));
	const btQuaternion q = t.getRotation();
	/* q and -q are the same rotation. */
	EXPECT_NEAR(1, fabs(q.dot(made)), 1e-9);
	EXPECT_NEAR(1, q.length(), 1e-9);
}

TEST(GetRotation, TheIdentityHasNoRotation)
{
	const btQuaternion q = btTransform::getIdentity().getRotation();
	EXPECT_NEAR(0, q.x(), 1e-12);
	EXPECT_NEAR(0, q.y(), 1e-12);
	EXPECT_NEAR(0, q.z(), 1e-12);
	EXPECT_NEAR(1, fabs(q.w()), 1e-12);
}

TEST(GetRotation, ARotationAboutOneAxisIsGivenBack)
{
	for (int axis = 0; axis < 3; axis++)
	{
		btVector3 direction(axis == 0, axis == 1, axis == 2);
		expectRotation(btQuaternion(direction, btScalar(0.3)));
		expectRotation(btQuaternion(direction, btScalar(-2.5)));
	}
}

TEST(GetRotation, HalfATurnAboutEachAxisIsGivenBack)
{
	for (int axis = 0; axis < 3; axis++)
		expectRotation(btQuaternion(btVector3(axis == 0, axis == 1, axis == 2), SIMD_PI));
}

TEST(GetRotation, ARotationAboutAnyAxisIsGivenBack)
{
	expectRotation(btQuaternion(1 / 11., 2 / 11., 4 / 11., 10 / 11.));
	expectRotation(btQuaternion(-10 / 11., 2 / 11., 4 / 11., 1 / 11.));
	expectRotation(btQuaternion(2 / 11., -10 / 11., 4 / 11., 1 / 11.));
	expectRotation(btQuaternion(2 / 11., 4 / 11., -10 / 11., 1 / 11.));
}

TEST(GetRotation, TheTransformStaysAsItIs)
{
	const btTransform t(btQuaternion(1 / 11., 2 / 11., 4 / 11., 10 / 11.), btVector3(5, 6, 7));
	const btTransform before = t;
	t.getRotation();
	EXPECT_TRUE(t == before);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
