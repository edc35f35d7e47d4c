/*---
 * tasks: [btInverseDynamics.DillCreator.recurseDill-ee2477.2]
 * link: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * goals: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * flags: [-IExtras]
 * tests:
 *   Dill.ParentsComeFirst: 'MultiBodyTree::addBody: "index of parent must be < index of body"; the root has the parent -1.'
 *   Dill.EachBranchIsADillOfALowerLevel: 'Class: a "self-similar branched tree"; 2^level bodies (test_invdyn_kinematics.cpp): dills of the levels 0 to level-1 on one body.'
 *   Dill.BodiesOfALevelAreAlike: 'Class: self-similar; the mass parameters depend on the level alone.'
 *   Dill.BodiesOfDifferentLevelsAreScaled: 'Class: self-similar: mass goes with the cube of the length, inertia with the fifth power.'
 *   Dill.MassesArePhysical: 'addBody: the inertia is about the origin of the body-fixed frame: what is left about the centre of mass is positive and obeys the triangle inequality.'
 *   Dill.TheCentreOfMassIsOnTheLink: 'getVecMatFromDH: a link goes along the x-axis of its frame.'
 *   Dill.FramesAreTurnedAboutTheLink: 'Signature: a and alpha of Denavit and Hartenberg; getVecMatFromDH turns by alpha about x.'
 *   Dill.TheRootIsWhereItIsPut: 'Signature: the constructor starts with zeros for d, a and alpha.'
 *   Dill.BranchesGoApart: 'Class: a branched tree.'
 *   Dill.BranchesOfALevelAreAlike: 'Class: self-similar.'
 *   Dill.TreesCanBeBuilt: 'Callers (test_invdyn_jacobian.cpp, test_invdyn_kinematics.cpp): CreateMultiBodyTree must give a tree.'
 *   Dill.NegativeLevelsAreRefused: 'Signature: an int, by which the constructor knows of an error; -1 on error as elsewhere in the library.'
 ---*/
#include <algorithm>

#define private public
#include "InverseDynamics/DillCreator.hpp"
#undef private

#include "dillcheck.h"

TEST(Dill, ParentsComeFirst)
{
	for (int level = 0; level < 7; level++)
	{
		const std::vector<DillBody> all = bodies(DillCreator(level));
		ASSERT_EQ(1 << level, (int)all.size());
		EXPECT_EQ(-1, all[0].parent);
	}
}

TEST(Dill, EachBranchIsADillOfALowerLevel)
{
	for (int level = 0; level < 7; level++)
	{
		const std::vector<DillBody> all = bodies(DillCreator(level));
		ASSERT_EQ(1 << level, (int)all.size());
		EXPECT_EQ(level, (int)all[0].children.size());
		for (size_t i = 0; i < all.size(); i++)
		{
			std::vector<int> levels;
			for (size_t k = 0; k < all[i].children.size(); k++) levels.push_back(all[all[i].children[k]].level);
			std::sort(levels.begin(), levels.end());
			ASSERT_EQ(all[i].level, (int)levels.size());
			EXPECT_EQ(1 << all[i].level, all[i].size);
			for (int k = 0; k < (int)levels.size(); k++) EXPECT_EQ(k, levels[k]);
		}
	}
}

TEST(Dill, BodiesOfALevelAreAlike)
{
	const std::vector<DillBody> all = bodies(DillCreator(6)), other = bodies(DillCreator(4));
	ASSERT_EQ(64u, all.size());
	ASSERT_EQ(16u, other.size());
	for (size_t i = 0; i < all.size(); i++)
		for (size_t k = 0; k < other.size(); k++)
		{
			if (all[i].level != other[k].level) continue;
			EXPECT_NEAR(all[i].mass, other[k].mass, 1e-12);
			for (int x = 0; x < 3; x++)
			{
				EXPECT_NEAR(all[i].com(x), other[k].com(x), 1e-12);
				for (int y = 0; y < 3; y++) EXPECT_NEAR(all[i].I(x, y), other[k].I(x, y), 1e-12);
			}
		}
}

TEST(Dill, BodiesOfDifferentLevelsAreScaled)
{
	const std::vector<DillBody> all = bodies(DillCreator(6));
	ASSERT_EQ(64u, all.size());
	const DillBody& root = all[0];
	for (size_t i = 0; i < all.size(); i++)
	{
		const double scale = std::pow(all[i].mass / root.mass, 1 / 3.);
		EXPECT_LE(all[i].mass, root.mass * (1 + 1e-9));
		for (int x = 0; x < 3; x++)
		{
			EXPECT_NEAR(root.com(x) * scale, all[i].com(x), 1e-9);
			for (int y = 0; y < 3; y++) EXPECT_NEAR(1, (1 + all[i].I(x, y) / std::pow(scale, 5)) / (1 + root.I(x, y)), 1e-9);
		}
	}
}

TEST(Dill, MassesArePhysical)
{
	const std::vector<DillBody> all = bodies(DillCreator(5));
	ASSERT_EQ(32u, all.size());
	for (size_t i = 0; i < all.size(); i++)
	{
		const DillBody& b = all[i];
		ASSERT_GT(b.mass, 0);
		double c[3][3], trace = 0;
		for (int x = 0; x < 3; x++)
			for (int y = 0; y < 3; y++)
			{
				c[x][y] = b.I(x, y) - b.mass * ((x == y ? b.com.dot(b.com) : 0) - b.com(x) * b.com(y));
				EXPECT_NEAR(b.I(x, y), b.I(y, x), 1e-12);
				if (x == y) trace += c[x][y];
			}
		for (int x = 0; x < 3; x++)
		{
			EXPECT_GT(c[x][x], 0);
			EXPECT_GE(trace - 2 * c[x][x], -1e-12);
		}
		/* A slender link turns about its own axis most easily. */
		EXPECT_LT(b.I(0, 0), b.I(1, 1));
		EXPECT_LT(b.I(0, 0), b.I(2, 2));
	}
}

TEST(Dill, TheCentreOfMassIsOnTheLink)
{
	const std::vector<DillBody> all = bodies(DillCreator(4));
	ASSERT_EQ(16u, all.size());
	for (size_t i = 0; i < all.size(); i++)
	{
		EXPECT_GT(all[i].com(0), 0);
		EXPECT_NEAR(0, all[i].com(1), 1e-12);
		EXPECT_NEAR(0, all[i].com(2), 1e-12);
	}
}

TEST(Dill, FramesAreTurnedAboutTheLink)
{
	const std::vector<DillBody> all = bodies(DillCreator(5));
	ASSERT_EQ(32u, all.size());
	for (size_t i = 0; i < all.size(); i++)
	{
		const mat33& T = all[i].T;
		EXPECT_NEAR(1, T(0, 0), 1e-12);
		for (int k = 1; k < 3; k++)
		{
			EXPECT_NEAR(0, T(0, k), 1e-12);
			EXPECT_NEAR(0, T(k, 0), 1e-12);
		}
		EXPECT_NEAR(T(1, 1), T(2, 2), 1e-12);
		EXPECT_NEAR(T(1, 2), -T(2, 1), 1e-12);
		EXPECT_NEAR(1, T(1, 1) * T(1, 1) + T(1, 2) * T(1, 2), 1e-12);
	}
}

TEST(Dill, TheRootIsWhereItIsPut)
{
	DillCreator c(3);
	for (int pass = 0; pass < 2; pass++)
	{
		c.m_current_body = 0;
		ASSERT_EQ(0, c.recurseDill(3, -1, 0, pass ? 0.7 : 0, pass ? 0.4 : 0));
		DillBody b;
		ASSERT_EQ(0, get(c, 0, b));
		EXPECT_EQ(-1, b.parent);
		vec3 r;
		mat33 T;
		getVecMatFromDH(0, 0, pass ? 0.7 : 0, pass ? 0.4 : 0, &r, &T);
		for (int x = 0; x < 3; x++)
		{
			EXPECT_NEAR(r(x), b.r(x), 1e-12);
			for (int y = 0; y < 3; y++) EXPECT_NEAR(T(x, y), b.T(x, y), 1e-12);
		}
	}
}

TEST(Dill, BranchesGoApart)
{
	const std::vector<DillBody> all = bodies(DillCreator(5));
	ASSERT_EQ(32u, all.size());
	for (size_t i = 0; i < all.size(); i++)
		for (size_t k = 0; k < i; k++)
		{
			if (all[i].parent != all[k].parent) continue;
			double apart = 0;
			for (int x = 0; x < 3; x++)
			{
				apart += std::fabs(all[i].r(x) - all[k].r(x));
				for (int y = 0; y < 3; y++) apart += std::fabs(all[i].T(x, y) - all[k].T(x, y));
			}
			EXPECT_GT(apart, 1e-6) << i << ", " << k;
		}
}

TEST(Dill, BranchesOfALevelAreAlike)
{
	const std::vector<DillBody> all = bodies(DillCreator(6));
	ASSERT_EQ(64u, all.size());
	for (size_t i = 1; i < all.size(); i++)
		for (size_t k = 1; k < i; k++)
		{
			if (all[i].level != all[k].level || all[all[i].parent].level != all[all[k].parent].level) continue;
			for (int x = 0; x < 3; x++)
			{
				EXPECT_NEAR(all[i].r(x), all[k].r(x), 1e-12);
				for (int y = 0; y < 3; y++) EXPECT_NEAR(all[i].T(x, y), all[k].T(x, y), 1e-12);
			}
		}
}

TEST(Dill, TreesCanBeBuilt)
{
	for (int level = 0; level < 6; level++)
	{
		MultiBodyTree* tree = CreateMultiBodyTree(DillCreator(level));
		ASSERT_TRUE(tree != 0);
		EXPECT_EQ(1 << level, tree->numBodies());
		EXPECT_EQ(1 << level, tree->numDoFs());
		delete tree;
	}
}

TEST(Dill, NegativeLevelsAreRefused)
{
	DillCreator c(2);
	c.m_current_body = 0;
	EXPECT_EQ(-1, c.recurseDill(-1, -1, 0, 0, 0));
	c.m_current_body = 0;
	EXPECT_EQ(0, c.recurseDill(0, -1, 0, 0, 0));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
