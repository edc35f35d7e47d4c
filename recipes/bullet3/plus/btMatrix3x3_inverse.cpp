/*---
 * tasks: [6DB4903CDE3D2E8D]
 * tests:
 *   Inverse.TheIdentityIsItsOwn: 'Docstring: "the inverse of the matrix".'
 *   Inverse.ScalesAreDivided: 'Docstring: the inverse.'
 *   Inverse.AnyRegularMatrix: 'Docstring: the inverse of the matrix, not of a rotation alone.'
 *   Inverse.TheDeterminantDivides: 'Docstring: the inverse of a matrix whose determinant is 9.'
 *   Inverse.ARotationIsTransposed: 'Docstring: the inverse of a rotation is its transpose.'
 *   Inverse.SmallAndLargeMatricesToo: 'The assertion rules out a determinant of 0 alone; inertia tensors are small (btRigidBody).'
 *   Inverse.TheMatrixItselfStays: 'Signature: const.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btMatrix3x3.h"

static void expectMatrix(const btMatrix3x3& m, const double (&want)[9])
{
	for (int i = 0; i < 9; i++)
		EXPECT_NEAR(want[i], m[i / 3][i % 3], 1e-12) << "element " << i;
}

TEST(Inverse, TheIdentityIsItsOwn)
{
	expectMatrix(btMatrix3x3(1, 0, 0, 0, 1, 0, 0, 0, 1).inverse(), {1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST(Inverse, ScalesAreDivided)
{
	expectMatrix(btMatrix3x3(2, 0, 0, 0, 4, 0, 0, 0, -8).inverse(), {0.5, 0, 0, 0, 0.25, 0, 0, 0, -0.125});
}

TEST(Inverse, AnyRegularMatrix)
{
	/* The determinant is 1 and -1, so the inverse is of whole numbers. */
	expectMatrix(btMatrix3x3(1, 2, 3, 0, 1, 4, 5, 6, 0).inverse(), {-24, 18, 5, 20, -15, -4, -5, 4, 1});
	expectMatrix(btMatrix3x3(0, 1, 4, 1, 2, 3, 5, 6, 0).inverse(), {18, -24, 5, -15, 20, -4, 4, -5, 1});
}

TEST(Inverse, TheDeterminantDivides)
{
	expectMatrix(btMatrix3x3(2, 1, 0, 0, 2, 1, 1, 0, 2).inverse(),
				 {4 / 9., -2 / 9., 1 / 9., 1 / 9., 4 / 9., -2 / 9., -2 / 9., 1 / 9., 4 / 9.});
}

TEST(Inverse, ARotationIsTransposed)
{
	expectMatrix(btMatrix3x3(0, 0, 1, 1, 0, 0, 0, 1, 0).inverse(), {0, 1, 0, 0, 0, 1, 1, 0, 0});
}

TEST(Inverse, SmallAndLargeMatricesToo)
{
	const btMatrix3x3 small(2e-8, 0, 0, 0, 4e-8, 0, 0, 0, 5e-8);
	const btMatrix3x3 found = small.inverse();
	EXPECT_NEAR(0.5, found[0][0] * 1e-8, 1e-12);
	EXPECT_NEAR(0.25, found[1][1] * 1e-8, 1e-12);
	EXPECT_NEAR(0.2, found[2][2] * 1e-8, 1e-12);
	const btMatrix3x3 back = found.inverse();
	EXPECT_NEAR(2, back[0][0] * 1e8, 1e-9);
}

TEST(Inverse, TheMatrixItselfStays)
{
	const btMatrix3x3 m(1, 2, 3, 0, 1, 4, 5, 6, 0);
	m.inverse();
	expectMatrix(m, {1, 2, 3, 0, 1, 4, 5, 6, 0});
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
