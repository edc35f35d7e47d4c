/*---
 * tasks: [btInverseDynamics.CreateMultiBodyTree-56eb84.4]
 * tests:
 *   DestroyTree.AnEmptyTreeLeavesNothing: 'Docstring: "the destructor. This also deallocates all memory".'
 *   DestroyTree.TheCacheGoes: 'The same, before finalize (CreateMultiBodyTree deletes such a tree).'
 *   DestroyTree.TheBuiltSystemGoes: 'The same, after finalize.'
 *   DestroyTree.WhatAFailedFinalizeBuiltGoes: 'The same; CreateMultiBodyTree deletes the tree after an error of finalize.'
 *   DestroyTree.AUsedTreeLeavesNothing: 'The same, after calculations.'
 *   DestroyTree.UserDataStay: 'addBody: "pointer to user data"; getUserPtr: "not used by the library".'
 *   DestroyTree.OtherTreesStay: 'Signature: the destructor of one tree.'
 ---*/
#include <gtest/gtest.h>

#include "idcount.h"

#include "BulletInverseDynamics/MultiBodyTree.hpp"

using namespace btInverseDynamics;

static int add(MultiBodyTree& tree, int i, int parent, JointType type, void* pointer = 0)
{
	vec3 r = btVector3(0, 0, 0), axis = btVector3(0, 0, 1);
	mat33 one = btMatrix3x3::getIdentity();
	return tree.addBody(i, parent, type, r, one, axis, 1 + i, r, one, 0, pointer);
}

static void build(MultiBodyTree& tree)
{
	EXPECT_EQ(0, add(tree, 0, -1, REVOLUTE));
	EXPECT_EQ(0, add(tree, 1, 0, PRISMATIC));
	EXPECT_EQ(0, add(tree, 2, 0, SPHERICAL));
	EXPECT_EQ(0, add(tree, 3, 1, FLOATING));
	EXPECT_EQ(0, tree.finalize());
}

static void use(MultiBodyTree& tree)
{
	const int n = tree.numDoFs();
	vecx q(n), u(n), du(n), f(n);
	matxx m(n, n);
	for (int i = 0; i < n; i++)
	{
		q(i) = 0.1 * i;
		u(i) = du(i) = 1;
	}
	EXPECT_EQ(0, tree.calculateInverseDynamics(q, u, du, &f));
	EXPECT_EQ(0, tree.calculateJacobians(q, u));
	EXPECT_EQ(0, tree.calculateMassMatrix(q, &m));
}

TEST(DestroyTree, AnEmptyTreeLeavesNothing)
{
	const int before = outstanding;
	delete new MultiBodyTree();
	EXPECT_EQ(before, outstanding);
	{
		MultiBodyTree tree;
		EXPECT_LE(before, outstanding);
	}
	EXPECT_EQ(before, outstanding);
}

TEST(DestroyTree, TheCacheGoes)
{
	const int before = outstanding;
	MultiBodyTree* tree = new MultiBodyTree();
	for (int i = 0; i < 20; i++)
		EXPECT_EQ(0, add(*tree, i, i - 1, REVOLUTE));
	EXPECT_LT(before, outstanding);
	delete tree;
	EXPECT_EQ(before, outstanding);
}

TEST(DestroyTree, TheBuiltSystemGoes)
{
	const int before = outstanding;
	MultiBodyTree* tree = new MultiBodyTree();
	build(*tree);
	delete tree;
	EXPECT_EQ(before, outstanding);
}

TEST(DestroyTree, WhatAFailedFinalizeBuiltGoes)
{
	const int before = outstanding;
	MultiBodyTree* tree = new MultiBodyTree();
	EXPECT_EQ(0, add(*tree, 0, -1, REVOLUTE));
	EXPECT_EQ(0, add(*tree, 1, 5, REVOLUTE));
	EXPECT_EQ(-1, tree->finalize());
	delete tree;
	EXPECT_EQ(before, outstanding);
}

TEST(DestroyTree, AUsedTreeLeavesNothing)
{
	const int before = outstanding;
	{
		MultiBodyTree tree;
		build(tree);
		use(tree);
		use(tree);
	}
	EXPECT_EQ(before, outstanding);
}

TEST(DestroyTree, UserDataStay)
{
	int* mine = (int*)b3AlignedAlloc(sizeof(int), 16);
	*mine = 42;
	const int before = outstanding;
	MultiBodyTree* tree = new MultiBodyTree();
	EXPECT_EQ(0, add(*tree, 0, -1, REVOLUTE, mine));
	EXPECT_EQ(0, tree->finalize());
	delete tree;
	EXPECT_EQ(before, outstanding);
	EXPECT_EQ(42, *mine);
	b3AlignedFree(mine);
}

TEST(DestroyTree, OtherTreesStay)
{
	const int before = outstanding;
	MultiBodyTree* a = new MultiBodyTree();
	MultiBodyTree* b = new MultiBodyTree();
	build(*a);
	build(*b);
	const int both = outstanding;
	delete a;
	EXPECT_GT(both, outstanding);
	EXPECT_EQ(4, b->numBodies());
	use(*b);
	delete b;
	EXPECT_EQ(before, outstanding);
}

int main(int argc, char** argv)
{
	countAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
