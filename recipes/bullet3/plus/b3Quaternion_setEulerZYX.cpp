/*---
 * tasks: [D19B260C1600B5B7]
 * tests:
 *   SetEulerZYX.NoAngleIsTheIdentity: 'Docstring: "Set the quaternion using euler angles".'
 *   SetEulerZYX.YawTurnsAboutZ: 'Docstring: "yaw Angle around Z".'
 *   SetEulerZYX.PitchTurnsAboutY: 'Docstring: "pitch Angle around Y".'
 *   SetEulerZYX.RollTurnsAboutX: 'Docstring: "roll Angle around X".'
 *   SetEulerZYX.AnglesAreInRadiansAndSigned: 'As in all of b3Quaternion: the constructor from axis and angle takes radians.'
 *   SetEulerZYX.TheThreeAreComposed: 'The name: Z, then Y, then X, as getEulerZYX (b3Quaternion.h, b3Matrix3x3.h) reads them.'
 * goals: [build/test/SharedMemory/CMakeFiles/Test_PhysicsClientServer.dir/__/__/examples/OpenGLWindow/SimpleCamera.o]
 ---*/
#include <gtest/gtest.h>

#include "Bullet3Common/b3Quaternion.h"

static b3Quaternion angles(double yaw, double pitch, double roll)
{
	b3Quaternion q(9, 9, 9, 9);
	q.setEulerZYX(yaw, pitch, roll);
	return q;
}

static void expectSame(const b3Quaternion& want, const b3Quaternion& got)
{
	/* q and -q are the same rotation. */
	const double sign = want.getX() * got.getX() + want.getY() * got.getY() + want.getZ() * got.getZ() +
						want.getW() * got.getW() < 0 ? -1 : 1;
	EXPECT_NEAR(want.getX(), sign * got.getX(), 1e-6);
	EXPECT_NEAR(want.getY(), sign * got.getY(), 1e-6);
	EXPECT_NEAR(want.getZ(), sign * got.getZ(), 1e-6);
	EXPECT_NEAR(want.getW(), sign * got.getW(), 1e-6);
}

static b3Quaternion about(double x, double y, double z, double angle)
{
	return b3Quaternion(b3MakeVector3(x, y, z), angle);
}

TEST(SetEulerZYX, NoAngleIsTheIdentity)
{
	expectSame(b3Quaternion(0, 0, 0, 1), angles(0, 0, 0));
}

TEST(SetEulerZYX, YawTurnsAboutZ)
{
	expectSame(about(0, 0, 1, 0.7), angles(0.7, 0, 0));
}

TEST(SetEulerZYX, PitchTurnsAboutY)
{
	expectSame(about(0, 1, 0, 0.7), angles(0, 0.7, 0));
}

TEST(SetEulerZYX, RollTurnsAboutX)
{
	expectSame(about(1, 0, 0, 0.7), angles(0, 0, 0.7));
}

TEST(SetEulerZYX, AnglesAreInRadiansAndSigned)
{
	expectSame(b3Quaternion(0, 0, 1, 0), angles(B3_PI, 0, 0));
	expectSame(about(1, 0, 0, -1.1), angles(0, 0, -1.1));
}

TEST(SetEulerZYX, TheThreeAreComposed)
{
	expectSame(about(0, 0, 1, 0.4) * (about(0, 1, 0, -0.3) * about(1, 0, 0, 1.2)), angles(0.4, -0.3, 1.2));
	expectSame(about(0, 0, 1, 2.5) * (about(0, 1, 0, 0.9) * about(1, 0, 0, -2)), angles(2.5, 0.9, -2));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
