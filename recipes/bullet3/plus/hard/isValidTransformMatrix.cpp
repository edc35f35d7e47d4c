/*---
 * tasks: [btInverseDynamics.MultiBodyTree.InitCache.addBody-171514.4]
 * tests:
 *   ValidTransform.RotationsAboutTheAxesAreValid: 'Docstring: "Check if a 3x3 matrix is a valid transform (rotation) matrix".'
 *   ValidTransform.SoAreAnyRotations: 'The same; computed ones, so rounding is no fault (random Euler angles in test_invdyn).'
 *   ValidTransform.PermutationsThatTurnAreValid: 'The same.'
 *   ValidTransform.MirrorsAreInvalid: 'A rotation has the determinant 1.'
 *   ValidTransform.EachColumnMustBeAUnitVector: 'A rotation keeps lengths.'
 *   ValidTransform.EachTwoColumnsMustBeOrthogonal: 'A rotation keeps angles.'
 *   ValidTransform.ScalesAndShearsAreInvalid: 'Both.'
 *   ValidTransform.SmallFaultsAreFaults: 'isUnitVector: "within numeric limits".'
 *   ValidTransform.FlatMatricesAreInvalid: 'The determinant is 0.'
 ---*/
#include "inverse_dynamics.h"

static mat33 turnedY(idScalar angle)
{
	const idScalar c = std::cos(angle), s = std::sin(angle);
	return mat(c, 0, -s, 0, 1, 0, s, 0, c);
}

TEST(ValidTransform, RotationsAboutTheAxesAreValid)
{
	EXPECT_TRUE(isValidTransformMatrix(unit()));
	for (int i = -20; i <= 20; i++)
	{
		EXPECT_TRUE(isValidTransformMatrix(turnedX(0.33 * i)));
		EXPECT_TRUE(isValidTransformMatrix(turnedY(0.33 * i)));
		EXPECT_TRUE(isValidTransformMatrix(turnedZ(0.33 * i)));
	}
	EXPECT_TRUE(isValidTransformMatrix(diag(1, -1, -1)));
	EXPECT_TRUE(isValidTransformMatrix(diag(-1, 1, -1)));
	EXPECT_TRUE(isValidTransformMatrix(diag(-1, -1, 1)));
}

TEST(ValidTransform, SoAreAnyRotations)
{
	for (int i = 0; i < 200; i++)
	{
		const mat33 turn = turnedX(0.7 * i) * turnedY(1.3 * i + 0.1) * turnedZ(-2.1 * i);
		EXPECT_TRUE(isValidTransformMatrix(turn)) << i;
		EXPECT_TRUE(isValidTransformMatrix(mat33(turn.transpose()))) << i;
	}
}

TEST(ValidTransform, PermutationsThatTurnAreValid)
{
	EXPECT_TRUE(isValidTransformMatrix(mat(0, 1, 0, 0, 0, 1, 1, 0, 0)));
	EXPECT_TRUE(isValidTransformMatrix(mat(0, 0, 1, 1, 0, 0, 0, 1, 0)));
	EXPECT_FALSE(isValidTransformMatrix(mat(0, 1, 0, 1, 0, 0, 0, 0, 1)));
	EXPECT_FALSE(isValidTransformMatrix(mat(0, 0, 1, 0, 1, 0, 1, 0, 0)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 0, 0, 0, 0, 1, 0, 1, 0)));
	EXPECT_TRUE(isValidTransformMatrix(mat(0, -1, 0, 1, 0, 0, 0, 0, 1)));
}

TEST(ValidTransform, MirrorsAreInvalid)
{
	EXPECT_FALSE(isValidTransformMatrix(diag(-1, 1, 1)));
	EXPECT_FALSE(isValidTransformMatrix(diag(1, -1, 1)));
	EXPECT_FALSE(isValidTransformMatrix(diag(1, 1, -1)));
	EXPECT_FALSE(isValidTransformMatrix(diag(-1, -1, -1)));
	for (int i = 0; i < 20; i++)
		EXPECT_FALSE(isValidTransformMatrix(mat33(turnedX(0.7 * i) * diag(1, -1, 1) * turnedZ(-2.1 * i)))) << i;
}

TEST(ValidTransform, EachColumnMustBeAUnitVector)
{
	for (int i = 0; i < 3; i++)
	{
		mat33 m = unit();
		m(i, i) = 1.5;
		EXPECT_FALSE(isValidTransformMatrix(m)) << i;
		m(i, i) = 0.5;
		EXPECT_FALSE(isValidTransformMatrix(m)) << i;
	}
	/* The columns are orthogonal, and the rows have the length 1. */
	mat33 turn = turnedZ(SIMD_PI / 4);
	const mat33 stretched = turn * diag(1.2, std::sqrt(2 - 1.44), 1);
	EXPECT_NEAR(1, stretched(0, 0) * stretched(0, 0) + stretched(0, 1) * stretched(0, 1), 1e-12);
	EXPECT_FALSE(isValidTransformMatrix(stretched));
}

TEST(ValidTransform, EachTwoColumnsMustBeOrthogonal)
{
	const idScalar c = std::cos(0.2), s = std::sin(0.2);
	EXPECT_FALSE(isValidTransformMatrix(mat(1, s, 0, 0, c, 0, 0, 0, 1)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, -s, 0, 0, c, 0, 0, 0, 1)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 0, s, 0, 1, 0, 0, 0, c)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 0, -s, 0, 1, 0, 0, 0, c)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 0, 0, 0, 1, s, 0, 0, c)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 0, 0, 0, 1, -s, 0, 0, c)));
}

TEST(ValidTransform, ScalesAndShearsAreInvalid)
{
	EXPECT_FALSE(isValidTransformMatrix(diag(2, 2, 2)));
	EXPECT_FALSE(isValidTransformMatrix(diag(2, 0.5, 1)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 1, 0, 0, 1, 0, 0, 0, 1)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 0, 0, 0, 1, 0, 0.5, 0, 1)));
}

TEST(ValidTransform, SmallFaultsAreFaults)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
		{
			mat33 m = unit();
			m(i, j) += 1e-6;
			EXPECT_FALSE(isValidTransformMatrix(m)) << i << ", " << j;
			m(i, j) -= 2e-6;
			EXPECT_FALSE(isValidTransformMatrix(m)) << i << ", " << j;
		}
}

TEST(ValidTransform, FlatMatricesAreInvalid)
{
	EXPECT_FALSE(isValidTransformMatrix(diag(0, 0, 0)));
	EXPECT_FALSE(isValidTransformMatrix(diag(1, 1, 0)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 1, 0, 0, 0, 0, 0, 0, 1)));
	EXPECT_FALSE(isValidTransformMatrix(mat(1, 1, 1, 0, 0, 0, 0, 0, 0)));
}

int main(int argc, char** argv) { return runAll(argc, argv); }
