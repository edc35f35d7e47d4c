/*---
 * tasks: [4B732A7D4583F1B9]
 * tests:
 *   Row.EachRowIsGiven: 'Docstring: "a row of the matrix as a vector", "Row number 0 indexed".'
 *   Row.ItIsTheRowItselfAndNoCopy: 'Docstring: "a const reference to a row of the matrix", as getRow gives it.'
 *   Row.TwoRowsAtOnce: 'Docstring: a reference; cofac and tdotx read two rows in one expression.'
 *   Row.AChangeOfTheMatrixShows: 'Docstring: "a const reference to a row of the matrix".'
 * goals: [build/test/SharedMemory/CMakeFiles/Test_PhysicsClientServer.dir/__/__/examples/OpenGLWindow/SimpleCamera.o]
 ---*/
#include <gtest/gtest.h>

#include "Bullet3Common/b3Matrix3x3.h"

static const b3Matrix3x3 m(1, 2, 3, 4, 5, 6, 7, 8, 9);

TEST(Row, EachRowIsGiven)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			EXPECT_EQ(3 * i + j + 1, m[i][j]) << "row " << i << ", element " << j;
}

TEST(Row, ItIsTheRowItselfAndNoCopy)
{
	EXPECT_EQ(&m.getRow(0), &m[0]);
	EXPECT_EQ(&m.getRow(1), &m[1]);
	EXPECT_EQ(&m.getRow(2), &m[2]);
}

TEST(Row, TwoRowsAtOnce)
{
	const b3Vector3 &first = m[0], &last = m[2];
	EXPECT_EQ(1, first.x);
	EXPECT_EQ(9, last.z);
	EXPECT_EQ(7, first.x * last.x);
}

TEST(Row, AChangeOfTheMatrixShows)
{
	b3Matrix3x3 changed = m;
	const b3Matrix3x3& seen = changed;
	const b3Vector3& row = seen[1];
	changed[1].y = 50;
	EXPECT_EQ(50, row.y);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
