/*---
 * tasks: [8525E9B5122076A1]
 * tests:
 *   Absolute.EachOfTheNineValuesBecomesPositive: 'Docstring: "all values non negative".'
 *   Absolute.PositiveValuesAndNoughtStay: 'Docstring: the matrix itself with values that are not negative.'
 *   Absolute.FractionsKeepTheirSize: 'Docstring: "the matrix with all values non negative": nothing but the sign changes.'
 *   Absolute.TheMatrixItselfStays: 'Signature: const.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btMatrix3x3.h"

static void expectMatrix(const btMatrix3x3& m, const double (&want)[9])
{
	for (int i = 0; i < 9; i++)
		EXPECT_NEAR(want[i], m[i / 3][i % 3], 1e-12) << "element " << i;
}

TEST(Absolute, EachOfTheNineValuesBecomesPositive)
{
	expectMatrix(btMatrix3x3(-1, -2, -3, -4, -5, -6, -7, -8, -9).absolute(), {1, 2, 3, 4, 5, 6, 7, 8, 9});
	for (int i = 0; i < 9; i++)
	{
		btMatrix3x3 m(1, 2, 3, 4, 5, 6, 7, 8, 9);
		m[i / 3][i % 3] = -m[i / 3][i % 3];
		expectMatrix(m.absolute(), {1, 2, 3, 4, 5, 6, 7, 8, 9});
	}
}

TEST(Absolute, PositiveValuesAndNoughtStay)
{
	expectMatrix(btMatrix3x3(1, 0, 3.5, 0, 1e-9, 6, 7, 1e9, 0).absolute(), {1, 0, 3.5, 0, 1e-9, 6, 7, 1e9, 0});
}

TEST(Absolute, FractionsKeepTheirSize)
{
	expectMatrix(btMatrix3x3(-0.25, 0.5, -0.75, 1.25, -1.5, 1.75, -2.25, 2.5, -2.75).absolute(),
				 {0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2.25, 2.5, 2.75});
}

TEST(Absolute, TheMatrixItselfStays)
{
	const btMatrix3x3 m(-1, -2, -3, -4, -5, -6, -7, -8, -9);
	m.absolute();
	expectMatrix(m, {-1, -2, -3, -4, -5, -6, -7, -8, -9});
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
