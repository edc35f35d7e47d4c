/*---
 * tasks: [638333B760678A25]
 * tests:
 *   Equal.AMatrixEqualsItselfAndItsCopy: 'Docstring: "Equality operator between two matrices".'
 *   Equal.EachElementCounts: 'Docstring: "It will test all elements are equal."'
 *   Equal.SmallDifferencesCount: 'Docstring: "equal", not near.'
 *   Equal.TheTransposedMatrixIsAnother: 'Docstring: all elements, each with that in its own place.'
 *   Equal.NoughtHasNoSignAndNoNumberEqualsNothing: 'Docstring: elements are equal as numbers.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btMatrix3x3.h"

static const btMatrix3x3 m(1, 2, 3, 4, 5, 6, 7, 8, 9);

TEST(Equal, AMatrixEqualsItselfAndItsCopy)
{
	const btMatrix3x3 copy(m);
	EXPECT_TRUE(m == m);
	EXPECT_TRUE(m == copy);
}

TEST(Equal, EachElementCounts)
{
	for (int i = 0; i < 9; i++)
	{
		btMatrix3x3 other(m);
		other[i / 3][i % 3] += btScalar(1);
		EXPECT_FALSE(m == other) << "element " << i;
		EXPECT_FALSE(other == m) << "element " << i;
	}
}

TEST(Equal, SmallDifferencesCount)
{
	btMatrix3x3 other(m);
	other[2][2] += btScalar(1e-9);
	EXPECT_FALSE(m == other);
}

TEST(Equal, TheTransposedMatrixIsAnother)
{
	EXPECT_FALSE(m == btMatrix3x3(1, 4, 7, 2, 5, 8, 3, 6, 9));
}

TEST(Equal, NoughtHasNoSignAndNoNumberEqualsNothing)
{
	EXPECT_TRUE(btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0) == btMatrix3x3(-0.0, 0, 0, 0, 0, 0, 0, 0, -0.0));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
