/*---
 * tasks: [79C981CD07A529F7]
 * tests:
 *   SetIdentity.EachElementIsSet: 'Docstring: "Set the matrix to the identity".'
 *   SetIdentity.TheIdentityStays: 'Docstring: "Set the matrix to the identity".'
 *   SetIdentity.AVectorIsLeftAsItIs: 'Docstring: the identity.'
 * goals: [build/test/SharedMemory/CMakeFiles/Test_PhysicsClientServer.dir/__/__/examples/OpenGLWindow/SimpleCamera.o]
 ---*/
#include <gtest/gtest.h>

#include "Bullet3Common/b3Matrix3x3.h"

static void expectIdentity(const b3Matrix3x3& m)
{
	for (int i = 0; i < 9; i++)
		EXPECT_EQ(i % 4 == 0 ? 1 : 0, m.getRow(i / 3)[i % 3]) << "element " << i;
}

TEST(SetIdentity, EachElementIsSet)
{
	b3Matrix3x3 m(2, 3, 4, 5, 6, 7, 8, 9, 10);
	m.setIdentity();
	expectIdentity(m);
}

TEST(SetIdentity, TheIdentityStays)
{
	b3Matrix3x3 m(1, 0, 0, 0, 1, 0, 0, 0, 1);
	m.setIdentity();
	expectIdentity(m);
}

TEST(SetIdentity, AVectorIsLeftAsItIs)
{
	b3Matrix3x3 m(2, 3, 4, 5, 6, 7, 8, 9, 10);
	m.setIdentity();
	const b3Vector3 v = m * b3MakeVector3(1, -2, 3);
	EXPECT_EQ(1, v.x);
	EXPECT_EQ(-2, v.y);
	EXPECT_EQ(3, v.z);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
