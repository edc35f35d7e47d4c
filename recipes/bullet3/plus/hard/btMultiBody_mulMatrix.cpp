/*---
 * tasks: [btMultiBody.serialize-414cdc.4]
 * tests:
 *   MulMatrix.SquareMatrices: 'Name and signature: pC is the product of pA and pB.'
 *   MulMatrix.MatricesOfOtherShapes: 'Signature: rowsA, colsA, rowsB, colsB.'
 *   MulMatrix.AMatrixAndAVector: 'Caller computeAccelerationsArticulatedBodyAlgorithmMultiDof: colsB is 1.'
 *   MulMatrix.ARowAndAColumn: 'Signature.'
 *   MulMatrix.WhatWasInTheResultDoesNotCount: 'The callers'' buffers aren''t set before.'
 *   MulMatrix.NothingBeyondTheResultIsWritten: 'Caller: pC is a part of a longer array.'
 *   MulMatrix.TheFactorsStay: 'Signature: const.'
 *   MulMatrix.OneByOne: 'Caller: most joints have one degree of freedom.'
 ---*/
#include "multi_body.h"

/* Compares with the sum of the definition, element by element. */
static void check(int rows, int inner, int cols, double filling)
{
	btMultiBody body(0, 1, btVector3(1, 1, 1), false, false);
	std::vector<btScalar> a(rows * inner), b(inner * cols), c(rows * cols + 5, filling);
	for (int i = 0; i < rows * inner; i++)
		a[i] = 0.5 + i * i % 11 - 0.25 * i;
	for (int i = 0; i < inner * cols; i++)
		b[i] = 1.5 - i * i % 7 + 0.125 * i;
	const std::vector<btScalar> a0 = a, b0 = b;
	body.mulMatrix(&a[0], &b[0], rows, inner, inner, cols, &c[0]);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
		{
			double sum = 0;
			for (int k = 0; k < inner; k++)
				sum += a0[i * inner + k] * b0[k * cols + j];
			EXPECT_NEAR(sum, c[i * cols + j], 1e-9) << i << ", " << j << " of " << rows << "x" << inner << "x" << cols;
		}
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(filling, c[rows * cols + i]);
	EXPECT_TRUE(a == a0);
	EXPECT_TRUE(b == b0);
}

TEST(MulMatrix, SquareMatrices)
{
	btMultiBody body(0, 1, btVector3(1, 1, 1), false, false);
	const btScalar a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
	btScalar c[4];
	body.mulMatrix(a, b, 2, 2, 2, 2, c);
	EXPECT_NEAR(19, c[0], 1e-12);
	EXPECT_NEAR(22, c[1], 1e-12);
	EXPECT_NEAR(43, c[2], 1e-12);
	EXPECT_NEAR(50, c[3], 1e-12);
	check(3, 3, 3, 0);
	check(6, 6, 6, 0);
}

TEST(MulMatrix, MatricesOfOtherShapes)
{
	check(2, 3, 4, 0);
	check(4, 3, 2, 0);
	check(5, 2, 1, 0);
	check(1, 4, 6, 0);
	check(3, 1, 3, 0);
	check(2, 6, 2, 0);
}

TEST(MulMatrix, AMatrixAndAVector)
{
	btMultiBody body(0, 1, btVector3(1, 1, 1), false, false);
	const btScalar a[9] = {1, 2, 3, 0, 1, 4, 5, 6, 0}, b[3] = {1, -2, 3};
	btScalar c[3];
	body.mulMatrix(a, b, 3, 3, 3, 1, c);
	EXPECT_NEAR(6, c[0], 1e-12);
	EXPECT_NEAR(10, c[1], 1e-12);
	EXPECT_NEAR(-7, c[2], 1e-12);
}

TEST(MulMatrix, ARowAndAColumn)
{
	check(1, 5, 1, 0);
	check(5, 1, 5, 0);
}

TEST(MulMatrix, WhatWasInTheResultDoesNotCount)
{
	check(3, 3, 3, 1e6);
	check(2, 3, 4, -1e6);
	check(3, 3, 1, 77);
}

TEST(MulMatrix, NothingBeyondTheResultIsWritten)
{
	check(3, 4, 2, 4321);
	check(2, 4, 3, 4321);
	check(1, 6, 1, 4321);
}

TEST(MulMatrix, TheFactorsStay)
{
	check(3, 2, 3, 9);
	check(6, 6, 1, 9);
}

TEST(MulMatrix, OneByOne)
{
	btMultiBody body(0, 1, btVector3(1, 1, 1), false, false);
	const btScalar a = 0.75, b = -3;
	btScalar c = 100;
	body.mulMatrix(&a, &b, 1, 1, 1, 1, &c);
	EXPECT_NEAR(-2.25, c, 1e-12);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
