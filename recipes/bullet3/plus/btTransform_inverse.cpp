/*---
 * tasks: [2E7884C495DBA639]
 * tests:
 *   Inverse.APureTranslationIsTurnedRound: 'Docstring: "Return the inverse of this transform".'
 *   Inverse.ThePointComesBack: 'Docstring: the inverse undoes what the transform does to a point.'
 *   Inverse.TheRotationIsTurnedRound: 'Docstring: the inverse, of a transform that only rotates.'
 *   Inverse.TheOriginIsRotatedBackToo: 'Docstring: the inverse of a rotation with a translation.'
 *   Inverse.WithTheTransformItIsTheIdentity: 'Docstring: the inverse.'
 *   Inverse.TheTransformItselfStays: 'Signature: const.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btTransform.h"

static void expectVector(const btVector3& v, double x, double y, double z)
{
	EXPECT_NEAR(x, v.x(), 1e-12);
	EXPECT_NEAR(y, v.y(), 1e-12);
	EXPECT_NEAR(z, v.z(), 1e-12);
}

static const btTransform turned(btQuaternion(1 / 11., 2 / 11., 4 / 11., 10 / 11.), btVector3(5, -6, 7));

TEST(Inverse, APureTranslationIsTurnedRound)
{
	const btTransform t(btQuaternion(0, 0, 0, 1), btVector3(5, -6, 7));
	expectVector(t.inverse().getOrigin(), -5, 6, -7);
	expectVector(t.inverse()(btVector3(6, -4, 10)), 1, 2, 3);
}

TEST(Inverse, ThePointComesBack)
{
	const btTransform back = turned.inverse();
	expectVector(back(turned(btVector3(1, 2, 3))), 1, 2, 3);
	expectVector(turned(back(btVector3(-8, 0.5, 3))), -8, 0.5, 3);
}

TEST(Inverse, TheRotationIsTurnedRound)
{
	const btTransform t(btMatrix3x3(0, -1, 0, 1, 0, 0, 0, 0, 1), btVector3(0, 0, 0));
	expectVector(t.inverse()(btVector3(1, 0, 0)), 0, -1, 0);
	expectVector(t.inverse()(btVector3(0, 1, 0)), 1, 0, 0);
}

TEST(Inverse, TheOriginIsRotatedBackToo)
{
	const btTransform t(btMatrix3x3(0, -1, 0, 1, 0, 0, 0, 0, 1), btVector3(1, 2, 3));
	expectVector(t.inverse().getOrigin(), -2, 1, -3);
}

TEST(Inverse, WithTheTransformItIsTheIdentity)
{
	const btTransform both = turned * turned.inverse();
	expectVector(both.getOrigin(), 0, 0, 0);
	for (int i = 0; i < 9; i++)
		EXPECT_NEAR(i % 4 == 0, both.getBasis()[i / 3][i % 3], 1e-12);
}

TEST(Inverse, TheTransformItselfStays)
{
	const btTransform t = turned;
	t.inverse();
	EXPECT_TRUE(t == turned);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
