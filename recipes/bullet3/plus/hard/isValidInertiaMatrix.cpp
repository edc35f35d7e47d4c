/*---
 * tasks: [btInverseDynamics.MultiBodyTree.InitCache.addBody-171514.4]
 * tests:
 *   ValidInertia.UsualBodiesAreValid: 'Docstring: "true if I satisfies inertia matrix properties".'
 *   ValidInertia.SoAreTurnedBodies: 'RandomTreeCreator turns its matrices; rounding is no fault (isPositiveSemiDefiniteFuzzy).'
 *   ValidInertia.TheTriangleInequalityHoldsForMovingBodies: 'A property of inertia matrices: no principal moment is more than the other two together.'
 *   ValidInertia.AThinPlateIsJustValid: 'The same, where it is an equation.'
 *   ValidInertia.AFixedBodyNeedNotMeetTheTriangle: 'Docstring: "has_fixed_joint: if true, positive semi-definite matrices are accepted".'
 *   ValidInertia.SemiDefiniteIsEnoughForAFixedBody: 'The same.'
 *   ValidInertia.NegativeMomentsAreInvalid: 'Positive semi-definite at least.'
 *   ValidInertia.AHiddenNegativeMomentIsInvalidToo: 'The same: a determinant of zero does not excuse it.'
 *   ValidInertia.ProductsThatAreTooLargeAreInvalid: 'The same: the matrix as a whole.'
 *   ValidInertia.ItMustBeSymmetric: 'A property of inertia matrices; each of the three pairs.'
 *   ValidInertia.TheIndexIsForMessagesAlone: 'Docstring: "body index (for error messages)".'
 *   ValidInertia.SmallBodiesAreValid: 'CoilCreator and DillCreator make bodies of 1e-5 and less.'
 ---*/
#include "inverse_dynamics.h"

static bool moving(const mat33& I) { return isValidInertiaMatrix(I, 3, false); }
static bool fixedJoint(const mat33& I) { return isValidInertiaMatrix(I, 3, true); }

TEST(ValidInertia, UsualBodiesAreValid)
{
	EXPECT_TRUE(moving(unit()));
	EXPECT_TRUE(moving(diag(2, 3, 4)));
	EXPECT_TRUE(moving(diag(4, 3, 2)));
	EXPECT_TRUE(moving(mat(3, 0.5, -0.25, 0.5, 4, 0.75, -0.25, 0.75, 5)));
	EXPECT_TRUE(fixedJoint(unit()));
	EXPECT_TRUE(fixedJoint(mat(3, 0.5, -0.25, 0.5, 4, 0.75, -0.25, 0.75, 5)));
	EXPECT_TRUE(moving(diag(2000, 3000, 4000)));
}

TEST(ValidInertia, SoAreTurnedBodies)
{
	for (int i = 0; i < 50; i++)
	{
		const mat33 turn = turnedZ(0.37 * i) * turnedX(1.1 * i + 0.2);
		const mat33 I = turn * diag(0.5, 0.6, 0.7) * turn.transpose();
		EXPECT_TRUE(moving(I)) << i;
		EXPECT_TRUE(fixedJoint(I)) << i;
	}
}

TEST(ValidInertia, TheTriangleInequalityHoldsForMovingBodies)
{
	EXPECT_FALSE(moving(diag(1, 1, 2.5)));
	EXPECT_FALSE(moving(diag(2.5, 1, 1)));
	EXPECT_FALSE(moving(diag(1, 2, 3.001)));
	EXPECT_FALSE(moving(diag(3.001, 2, 1)));
	EXPECT_TRUE(moving(diag(1, 2, 2.999)));
	EXPECT_TRUE(moving(diag(2.999, 2, 1)));
	EXPECT_TRUE(moving(diag(1, 2.999, 2)));
}

TEST(ValidInertia, AThinPlateIsJustValid)
{
	EXPECT_TRUE(moving(diag(1, 1, 2)));
	EXPECT_TRUE(moving(diag(2, 1, 1)));
	EXPECT_TRUE(moving(diag(1, 2, 1)));
	EXPECT_TRUE(moving(diag(0.25, 0.75, 1)));
}

TEST(ValidInertia, AFixedBodyNeedNotMeetTheTriangle)
{
	EXPECT_TRUE(fixedJoint(diag(1, 1, 9)));
	EXPECT_TRUE(fixedJoint(diag(9, 1, 1)));
	EXPECT_TRUE(fixedJoint(diag(1, 9, 1)));
}

TEST(ValidInertia, SemiDefiniteIsEnoughForAFixedBody)
{
	EXPECT_TRUE(fixedJoint(diag(0, 0, 0)));
	EXPECT_TRUE(fixedJoint(diag(0, 1, 1)));
	EXPECT_TRUE(fixedJoint(diag(1, 0, 1)));
	EXPECT_TRUE(fixedJoint(diag(0, 0, 1)));
	/* A point of mass 2 at (1, 1, 0). */
	EXPECT_TRUE(fixedJoint(mat(2, -2, 0, -2, 2, 0, 0, 0, 4)));
}

TEST(ValidInertia, NegativeMomentsAreInvalid)
{
	for (int i = 0; i < 3; i++)
	{
		mat33 I = unit();
		I(i, i) = -1;
		EXPECT_FALSE(moving(I)) << i;
		EXPECT_FALSE(fixedJoint(I)) << i;
		I(i, i) = -1e-3;
		EXPECT_FALSE(fixedJoint(I)) << i;
	}
	EXPECT_FALSE(fixedJoint(diag(-1, -1, 1)));
	EXPECT_FALSE(fixedJoint(diag(-1, 1, -1)));
	EXPECT_FALSE(fixedJoint(diag(1, -1, -1)));
	EXPECT_FALSE(fixedJoint(diag(-1, -1, -1)));
	EXPECT_FALSE(moving(diag(-1, -1, -1)));
}

TEST(ValidInertia, AHiddenNegativeMomentIsInvalidToo)
{
	EXPECT_FALSE(fixedJoint(diag(0, 0, -1)));
	EXPECT_FALSE(fixedJoint(diag(0, -1, 0)));
	EXPECT_FALSE(fixedJoint(diag(-1, 0, 0)));
	EXPECT_FALSE(fixedJoint(diag(0, 1, -1)));
	EXPECT_FALSE(fixedJoint(diag(1, 0, -1)));
	EXPECT_FALSE(fixedJoint(diag(0, -1, 1)));
}

TEST(ValidInertia, ProductsThatAreTooLargeAreInvalid)
{
	EXPECT_FALSE(moving(mat(2, 3, 0, 3, 2, 0, 0, 0, 2)));
	EXPECT_FALSE(fixedJoint(mat(2, 3, 0, 3, 2, 0, 0, 0, 2)));
	EXPECT_FALSE(fixedJoint(mat(2, 0, 3, 0, 2, 0, 3, 0, 2)));
	EXPECT_FALSE(fixedJoint(mat(2, 0, 0, 0, 2, -3, 0, -3, 2)));
	/* Each pair of axes is fine by itself; the three together are not. */
	EXPECT_FALSE(moving(mat(1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1)));
	EXPECT_FALSE(fixedJoint(mat(1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1)));
}

TEST(ValidInertia, ItMustBeSymmetric)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
		{
			if (i == j)
				continue;
			mat33 I = diag(2, 2, 2);
			I(i, j) = 0.5;
			EXPECT_FALSE(moving(I)) << i << ", " << j;
			EXPECT_FALSE(fixedJoint(I)) << i << ", " << j;
			I(j, i) = -0.5;
			EXPECT_FALSE(fixedJoint(I)) << i << ", " << j;
			I(j, i) = 0.5 + 1e-8;
			EXPECT_FALSE(fixedJoint(I)) << i << ", " << j;
			I(j, i) = 0.5;
			EXPECT_TRUE(moving(I)) << i << ", " << j;
		}
}

TEST(ValidInertia, TheIndexIsForMessagesAlone)
{
	const int all[4] = {-1, 0, 1, 1000000};
	for (int i = 0; i < 4; i++)
	{
		EXPECT_TRUE(isValidInertiaMatrix(diag(2, 3, 4), all[i], false));
		EXPECT_FALSE(isValidInertiaMatrix(diag(1, 1, 4), all[i], false));
		EXPECT_TRUE(isValidInertiaMatrix(diag(1, 1, 4), all[i], true));
		EXPECT_FALSE(isValidInertiaMatrix(diag(1, 1, -4), all[i], true));
	}
}

TEST(ValidInertia, SmallBodiesAreValid)
{
	EXPECT_TRUE(moving(diag(5e-6, 4e-4, 4e-4)));
	EXPECT_TRUE(moving(diag(1e-7, 1.5e-7, 2e-7)));
	EXPECT_FALSE(moving(diag(1e-7, 1e-7, 3e-7)));
	EXPECT_FALSE(fixedJoint(diag(-1e-7, 1e-7, 1e-7)));
}

int main(int argc, char** argv) { return runAll(argc, argv); }
