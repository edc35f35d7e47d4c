/*---
 * tasks: [B5A502EC16994350]
 * tests:
 *   SetRotation.HalfTheAngleGivesSineAndCosine: 'Docstring: "Set the rotation using axis angle notation".'
 *   SetRotation.AxesOfAnyDirection: 'Docstring: axis: "The axis around which to rotate".'
 *   SetRotation.TheLengthOfTheAxisDoesNotMatter: 'The assertion rules out a length of 0 alone, and the sine is divided by the length.'
 *   SetRotation.TheAngleIsInRadiansAndSigned: 'Docstring: "The magnitude of the rotation in Radians".'
 *   SetRotation.NoAngleIsTheIdentity: 'Docstring: a rotation by nothing.'
 *   SetRotation.MoreThanHalfATurn: 'Docstring: any angle in radians.'
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

static btQuaternion rotation(const btVector3& axis, btScalar angle)
{
	btQuaternion q(9, 9, 9, 9);
	q.setRotation(axis, angle);
	return q;
}

TEST(SetRotation, HalfTheAngleGivesSineAndCosine)
{
	const double angle = 0.7, s = sin(angle / 2), c = cos(angle / 2);
	expectQuaternion(rotation(btVector3(1, 0, 0), angle), s, 0, 0, c);
	expectQuaternion(rotation(btVector3(0, 1, 0), angle), 0, s, 0, c);
	expectQuaternion(rotation(btVector3(0, 0, 1), angle), 0, 0, s, c);
}

TEST(SetRotation, AxesOfAnyDirection)
{
	const double s = sin(0.6), c = cos(0.6);
	expectQuaternion(rotation(btVector3(2 / 7., 3 / 7., -6 / 7.), 1.2), 2 / 7. * s, 3 / 7. * s, -6 / 7. * s, c);
}

TEST(SetRotation, TheLengthOfTheAxisDoesNotMatter)
{
	const double s = sin(0.6), c = cos(0.6);
	expectQuaternion(rotation(btVector3(2, 3, -6), 1.2), 2 / 7. * s, 3 / 7. * s, -6 / 7. * s, c);
	expectQuaternion(rotation(btVector3(0, 0.001, 0), 1.2), 0, s, 0, c);
}

TEST(SetRotation, TheAngleIsInRadiansAndSigned)
{
	expectQuaternion(rotation(btVector3(0, 0, 1), SIMD_PI), 0, 0, 1, 0);
	expectQuaternion(rotation(btVector3(0, 0, 1), -SIMD_PI / 2), 0, 0, -sqrt(0.5), sqrt(0.5));
}

TEST(SetRotation, NoAngleIsTheIdentity)
{
	expectQuaternion(rotation(btVector3(1, 2, 3), 0), 0, 0, 0, 1);
}

TEST(SetRotation, MoreThanHalfATurn)
{
	const double angle = 5, s = sin(angle / 2), c = cos(angle / 2);
	const btQuaternion q = rotation(btVector3(0, 1, 0), angle);
	/* q and -q are the same rotation. */
	EXPECT_NEAR(1, fabs(q.dot(btQuaternion(0, s, 0, c))), 1e-12);
	EXPECT_NEAR(1, q.length(), 1e-12);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
