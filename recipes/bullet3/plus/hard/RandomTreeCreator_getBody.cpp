/*---
 * tasks: [btInverseDynamics.RandomTreeCreator.getBody-1242d4, btInverseDynamics.RandomTreeCreator.getBody-1242d4.2]
 * link: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * goals: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * flags: [-IExtras]
 * tests:
 *   RandomBodies.TheFirstIsTheRoot: 'MultiBodyTree::addBody: "The root of the tree has index 0 and its parent (the world frame) is assigned index -1".'
 *   RandomBodies.OthersHangOnAnyBodyBefore: 'addBody: "index of parent must be < index of body"; class: "Generate a random MultiBodyTree".'
 *   RandomBodies.JointsAreOfTheKindsNamed: 'Class: "fixed or floating base and fixed, prismatic or revolute joints".'
 *   RandomBodies.TransformsAreRotations: 'addBody: body_T_parent_ref is a transform matrix from parent to body; isValidTransformMatrix.'
 *   RandomBodies.AxesHaveUnitLength: 'addBody: body_axis_of_motion "must be a unit vector"; randomAxis.'
 *   RandomBodies.MassesAreValid: 'IDRandomUtil.hpp: "generate a random valid mass value".'
 *   RandomBodies.InertiasAreValid: 'IDRandomUtil.hpp: "random valid vector of principal moments of inertia"; isValidInertiaMatrix: symmetric, positive, triangle inequality.'
 *   RandomBodies.InertiasAreTurned: 'IDRandomUtil.cpp, randomInertiaMatrix: "getting valid components along major axes and then rotating by random amount".'
 *   RandomBodies.EveryOutputIsSet: 'Signature; MultiBodyTreeCreator::getBody.'
 *   RandomBodies.EveryOutputIsRandom: 'Class: "Generate a random MultiBodyTree".'
 *   RandomBodies.UserDataAreNone: 'DillCreator::getBody, SimpleTreeCreator::getBody: 0.'
 *   RandomBodies.TreesCanBeBuilt: 'Callers (test_invdyn_jacobian.cpp): CreateMultiBodyTree must give a tree.'
 ---*/
#include "randomtree.h"

static const int kSamples = 400;

TEST(RandomBodies, TheFirstIsTheRoot)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int k = 0; k < kSamples; k++)
	{
		ASSERT_EQ(0, get(c, 0, b));
		EXPECT_EQ(-1, b.parent);
	}
}

TEST(RandomBodies, OthersHangOnAnyBodyBefore)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int i = 1; i < 6; i++)
	{
		int seen[6] = {0};
		for (int k = 0; k < kSamples; k++)
		{
			ASSERT_EQ(0, get(c, i, b));
			ASSERT_GE(b.parent, 0);
			ASSERT_LT(b.parent, i);
			seen[b.parent]++;
		}
		for (int p = 0; p < i; p++) EXPECT_GT(seen[p], 0) << "body " << i << " on " << p;
	}
}

TEST(RandomBodies, JointsAreOfTheKindsNamed)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int i = 0; i < 3; i++)
	{
		int seen[8] = {0};
		for (int k = 0; k < kSamples; k++)
		{
			ASSERT_EQ(0, get(c, i, b));
			ASSERT_TRUE(b.type == FIXED || b.type == REVOLUTE || b.type == PRISMATIC || b.type == FLOATING) << b.type;
			seen[b.type]++;
		}
		EXPECT_GT(seen[FIXED], 0);
		if (i == 0) EXPECT_GT(seen[FLOATING], 0);
		else
		{
			EXPECT_GT(seen[REVOLUTE], 0);
			EXPECT_GT(seen[PRISMATIC], 0);
		}
	}
}

TEST(RandomBodies, TransformsAreRotations)
{
	RandomTreeCreator c(10);
	RandomBody b;
	double turned = 0;
	for (int k = 0; k < kSamples; k++)
	{
		ASSERT_EQ(0, get(c, k % 4, b));
		for (int x = 0; x < 3; x++)
			for (int y = 0; y < 3; y++)
			{
				double sum = 0;
				for (int z = 0; z < 3; z++) sum += b.T(x, z) * b.T(y, z);
				ASSERT_NEAR(x == y, sum, 1e-6);
			}
		ASSERT_NEAR(1, b.T.determinant(), 1e-6);
		turned += b.T(0, 0) + b.T(1, 1) + b.T(2, 2);
	}
	EXPECT_LT(turned / kSamples, 2.5);
}

TEST(RandomBodies, AxesHaveUnitLength)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int k = 0; k < kSamples; k++)
	{
		ASSERT_EQ(0, get(c, k % 4, b));
		ASSERT_NEAR(1, b.axis.length(), 1e-9);
	}
}

TEST(RandomBodies, MassesAreValid)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int k = 0; k < kSamples; k++)
	{
		ASSERT_EQ(0, get(c, k % 4, b));
		ASSERT_GT(b.mass, 0);
		ASSERT_LT(b.mass, 1e6);
	}
}

static bool positive(const btMatrix3x3& m)
{
	const double minor = m[0][0] * m[1][1] - m[0][1] * m[1][0];
	return m[0][0] > -1e-6 && m[1][1] > -1e-6 && m[2][2] > -1e-6 && minor > -1e-6 && m.determinant() > -1e-6;
}

TEST(RandomBodies, InertiasAreValid)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int k = 0; k < kSamples; k++)
	{
		ASSERT_EQ(0, get(c, k % 4, b));
		for (int x = 0; x < 3; x++)
			for (int y = 0; y < 3; y++) ASSERT_NEAR(b.I(x, y), b.I(y, x), 1e-6);
		ASSERT_TRUE(positive(b.I));
		/* No principal moment exceeds the sum of the others. */
		const double half = (b.I(0, 0) + b.I(1, 1) + b.I(2, 2)) / 2;
		ASSERT_GT(half, 0);
		ASSERT_TRUE(positive(btMatrix3x3(half, 0, 0, 0, half, 0, 0, 0, half) + b.I * -1));
	}
}

TEST(RandomBodies, InertiasAreTurned)
{
	RandomTreeCreator c(10);
	RandomBody b;
	double off[3] = {0, 0, 0};
	for (int k = 0; k < kSamples; k++)
	{
		ASSERT_EQ(0, get(c, k % 4, b));
		off[0] += std::fabs(b.I(0, 1));
		off[1] += std::fabs(b.I(0, 2));
		off[2] += std::fabs(b.I(1, 2));
	}
	for (int k = 0; k < 3; k++) EXPECT_GT(off[k] / kSamples, 1e-4);
}

TEST(RandomBodies, EveryOutputIsSet)
{
	RandomTreeCreator c(10);
	RandomBody a, b;
	for (int i = 0; i < 4; i++)
	{
		const unsigned long long state = randomState;
		ASSERT_EQ(0, get(c, i, a, 1e9));
		randomState = state;
		ASSERT_EQ(0, get(c, i, b, -1e9));
		EXPECT_NE(77, a.parent);
		EXPECT_EQ(a.parent, b.parent);
		EXPECT_EQ(a.type, b.type);
		EXPECT_NEAR(a.mass, b.mass, 1e-9);
		for (int k = 0; k < 3; k++)
		{
			EXPECT_NEAR(a.r(k), b.r(k), 1e-9);
			EXPECT_NEAR(a.axis(k), b.axis(k), 1e-9);
			EXPECT_NEAR(a.com(k), b.com(k), 1e-9);
			for (int l = 0; l < 3; l++)
			{
				EXPECT_NEAR(a.T(k, l), b.T(k, l), 1e-9);
				EXPECT_NEAR(a.I(k, l), b.I(k, l), 1e-9);
			}
		}
	}
}

TEST(RandomBodies, EveryOutputIsRandom)
{
	RandomTreeCreator c(10);
	RandomBody a, b;
	bool r[3] = {false}, axis[3] = {false}, com[3] = {false}, mass = false, signs[3][2] = {{false}};
	ASSERT_EQ(0, get(c, 1, a));
	for (int k = 0; k < 50; k++)
	{
		ASSERT_EQ(0, get(c, 1, b));
		mass |= std::fabs(a.mass - b.mass) > 1e-6;
		for (int x = 0; x < 3; x++)
		{
			r[x] |= std::fabs(a.r(x) - b.r(x)) > 1e-6;
			axis[x] |= std::fabs(a.axis(x) - b.axis(x)) > 1e-6;
			com[x] |= std::fabs(a.com(x) - b.com(x)) > 1e-6;
			signs[x][b.axis(x) > 0] = true;
			EXPECT_LT(std::fabs(b.r(x)), 1e6);
			EXPECT_LT(std::fabs(b.com(x)), 1e6);
		}
	}
	EXPECT_TRUE(mass);
	for (int x = 0; x < 3; x++)
	{
		EXPECT_TRUE(r[x]) << x;
		EXPECT_TRUE(axis[x]) << x;
		EXPECT_TRUE(com[x]) << x;
		EXPECT_TRUE(signs[x][0] && signs[x][1]) << x;
	}
}

TEST(RandomBodies, UserDataAreNone)
{
	RandomTreeCreator c(10);
	RandomBody b;
	for (int i = 0; i < 5; i++)
	{
		ASSERT_EQ(0, get(c, i, b));
		EXPECT_EQ(0, b.number);
		EXPECT_TRUE(b.pointer == 0);
	}
}

TEST(RandomBodies, TreesCanBeBuilt)
{
	for (int k = 0; k < 60; k++)
	{
		RandomTreeCreator c(8);
		int n = 0;
		ASSERT_EQ(0, c.getNumBodies(&n));
		MultiBodyTree* tree = CreateMultiBodyTree(c);
		ASSERT_TRUE(tree != 0);
		EXPECT_EQ(n, tree->numBodies());
		delete tree;
	}
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
