/*---
 * tasks: [btInverseDynamics.DillCreator.recurseDill-ee2477.2]
 * link: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * goals: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * flags: [-IExtras]
 * tests:
 *   NewDill.HasTwoToThePowerOfItsLevelBodies: 'test_invdyn_kinematics.cpp: kNumBodies = BT_ID_POW(2, kLevel) for DillCreator(kLevel).'
 *   NewDill.OfLevelZeroIsOneBody: 'Header: "the number of dill levels"; the same.'
 *   NewDill.JointsTurnAboutTheZAxis: 'getBody: revolute joints; Denavit and Hartenberg put the axis along z (getVecMatFromDH).'
 *   NewDill.AllBodiesAreFilled: 'getBody copies each body''s mass parameters and frames; recurseDill sets them.'
 *   NewDill.TheRootIsAtTheWorldsOrigin: 'addBody: the pose of the root relative to the world; nothing in the parameters places it elsewhere.'
 *   NewDill.OtherIndicesAreRefused: 'getBody: "invalid body index" unless it is below m_num_bodies.'
 *   NewDill.SystemsAreTheirOwn: 'Signature: one system per object.'
 *   NewDill.CanBeSimulated: 'Callers (test_invdyn_jacobian.cpp): the tree is made and calculated.'
 ---*/
#include <new>

#include "dillcheck.h"

TEST(NewDill, HasTwoToThePowerOfItsLevelBodies)
{
	for (int level = 0; level < 9; level++)
	{
		int n = -1;
		DillCreator c(level);
		EXPECT_EQ(0, c.getNumBodies(&n));
		EXPECT_EQ(1 << level, n);
	}
}

TEST(NewDill, OfLevelZeroIsOneBody)
{
	const std::vector<DillBody> all = bodies(DillCreator(0));
	ASSERT_EQ(1u, all.size());
	EXPECT_EQ(-1, all[0].parent);
	EXPECT_GT(all[0].mass, 0);
}

TEST(NewDill, JointsTurnAboutTheZAxis)
{
	const std::vector<DillBody> all = bodies(DillCreator(5));
	ASSERT_EQ(32u, all.size());
	for (size_t i = 0; i < all.size(); i++)
	{
		EXPECT_EQ(REVOLUTE, all[i].type);
		EXPECT_NEAR(0, all[i].axis(0), 1e-12);
		EXPECT_NEAR(0, all[i].axis(1), 1e-12);
		EXPECT_NEAR(1, all[i].axis(2), 1e-12);
	}
}

TEST(NewDill, AllBodiesAreFilled)
{
	for (int level = 0; level < 6; level++)
	{
		const std::vector<DillBody> all = bodies(DillCreator(level));
		ASSERT_EQ(1 << level, (int)all.size());
		for (size_t i = 0; i < all.size(); i++)
		{
			EXPECT_GT(all[i].mass, 0);
			EXPECT_NEAR(1, all[i].T.determinant(), 1e-9);
			EXPECT_GT(all[i].I(0, 0), 0);
			EXPECT_GT(all[i].I(1, 1), 0);
			EXPECT_GT(all[i].I(2, 2), 0);
			EXPECT_LT(all[i].r.length(), 1e6);
			EXPECT_EQ(0, all[i].number);
			EXPECT_TRUE(all[i].pointer == 0);
		}
	}
}

TEST(NewDill, TheRootIsAtTheWorldsOrigin)
{
	for (int level = 0; level < 4; level++)
	{
		DillCreator c(level);
		DillBody b;
		ASSERT_EQ(0, get(c, 0, b));
		for (int x = 0; x < 3; x++)
		{
			EXPECT_NEAR(0, b.r(x), 1e-12);
			for (int y = 0; y < 3; y++) EXPECT_NEAR(x == y, b.T(x, y), 1e-12);
		}
	}
}

TEST(NewDill, OtherIndicesAreRefused)
{
	DillCreator c(3);
	DillBody b;
	EXPECT_EQ(-1, get(c, -1, b));
	EXPECT_EQ(-1, get(c, 8, b));
	EXPECT_EQ(0, get(c, 7, b));
}

TEST(NewDill, SystemsAreTheirOwn)
{
	DillCreator a(3);
	DillCreator b(5);
	DillCreator c(3);
	const std::vector<DillBody> x = bodies(a), y = bodies(c);
	ASSERT_EQ(8u, x.size());
	ASSERT_EQ(8u, y.size());
	for (int i = 0; i < 8; i++)
	{
		EXPECT_EQ(x[i].parent, y[i].parent);
		EXPECT_NEAR(x[i].mass, y[i].mass, 1e-12);
		for (int k = 0; k < 3; k++) EXPECT_NEAR(x[i].r(k), y[i].r(k), 1e-12);
	}
}

TEST(NewDill, CanBeSimulated)
{
	for (int level = 0; level < 6; level++)
	{
		MultiBodyTree* tree = CreateMultiBodyTree(DillCreator(level));
		ASSERT_TRUE(tree != 0);
		const int n = tree->numDoFs();
		ASSERT_EQ(1 << level, n);
		vecx q(n), u(n), du(n), f(n);
		setZero(q);
		setZero(u);
		setZero(du);
		EXPECT_EQ(0, tree->calculateInverseDynamics(q, u, du, &f));
		for (int i = 0; i < n; i++) EXPECT_TRUE(std::fabs(f(i)) < 1e6);
		delete tree;
	}
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
