/*---
 * tasks: [C334444305D77C87]
 * tests:
 *   SetValue.EachValueHasItsPlace: 'Docstring: "Set the values": x, y, z, w; getX and the conversion to b3Scalar* read them.'
 *   SetValue.OldValuesAreGone: 'Docstring: "Set the values".'
 *   SetValue.ValuesOfItselfMayBeGiven: 'Docstring: "Set the values"; b3Quaternion passes its own.'
 * goals: [build/test/SharedMemory/CMakeFiles/Test_PhysicsClientServer.dir/__/__/examples/OpenGLWindow/SimpleCamera.o]
 ---*/
#include <gtest/gtest.h>

#include "Bullet3Common/b3QuadWord.h"

TEST(SetValue, EachValueHasItsPlace)
{
	b3QuadWord q;
	q.setValue(2, 3, 5, 7);
	EXPECT_EQ(2, q.getX());
	EXPECT_EQ(3, q.getY());
	EXPECT_EQ(5, q.getZ());
	EXPECT_EQ(7, q[3]);
}

TEST(SetValue, OldValuesAreGone)
{
	b3QuadWord q;
	q.setValue(2, 3, 5, 7);
	q.setValue(-11, 0, 0.5f, -13);
	EXPECT_EQ(-11, q.getX());
	EXPECT_EQ(0, q.getY());
	EXPECT_EQ(0.5f, q.getZ());
	EXPECT_EQ(-13, q[3]);
}

TEST(SetValue, ValuesOfItselfMayBeGiven)
{
	b3QuadWord q;
	q.setValue(2, 3, 5, 7);
	b3Scalar x = q.getX(), w = q[3];
	q.setValue(w, q.getY(), q.getZ(), x);
	EXPECT_EQ(7, q.getX());
	EXPECT_EQ(3, q.getY());
	EXPECT_EQ(5, q.getZ());
	EXPECT_EQ(2, q[3]);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
