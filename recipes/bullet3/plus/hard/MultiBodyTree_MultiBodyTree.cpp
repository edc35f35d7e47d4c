/*---
 * tasks: [btInverseDynamics.CreateMultiBodyTree-56eb84.2, btInverseDynamics.CreateMultiBodyTree-56eb84.4]
 * tests:
 *   NewTree.CalculatesNothingBeforeFinalize: 'MultiBodyTree::calculateInverseDynamics and the others return -1 while m_is_finalized is false.'
 *   NewTree.RefusesInvalidMassParameters: 'setAcceptInvalidMassParameters: "the default is false".'
 *   NewTree.TakesBodies: 'Docstring: "Initialization & allocation is via addBody and buildSystem calls."; addBody uses m_init_cache.'
 *   NewTree.HasNoBodiesYet: 'finalize (MultiBodyTree.cpp) makes as many bodies as were added.'
 *   NewTree.MassParametersAreValidUntilABodySaysOtherwise: 'Comment "flag indicating if mass properties are physically valid"; addBody sets it to false alone.'
 *   NewTree.CanBeDestroyedAtOnce: '~MultiBodyTree deletes m_impl and m_init_cache, CreateMultiBodyTree deletes a tree that is not finalized.'
 *   NewTree.EachTreeHasItsOwnCache: 'Docstring of addBody: "This only adds the data to an initial cache".'
 ---*/
#include <cstring>
#include <new>

#include <gtest/gtest.h>

#include "idcount.h"

#define private public
#include "BulletInverseDynamics/MultiBodyTree.hpp"
#undef private

using namespace btInverseDynamics;

static int add(MultiBodyTree& tree, int i, idScalar mass = 1, int parent = -2)
{
	vec3 r = btVector3(0, 0, 0), axis = btVector3(0, 0, 1);
	mat33 one = btMatrix3x3::getIdentity();
	return tree.addBody(i, parent == -2 ? i - 1 : parent, REVOLUTE, r, one, axis, mass, r, one, 0, 0);
}

/* A tree in memory that isn't zero. */
class NewTree : public testing::Test
{
protected:
	MultiBodyTree* tree;
	int before;
	NewTree() : before(outstanding) { tree = new MultiBodyTree(); }
	~NewTree()
	{
		delete tree;
		EXPECT_EQ(before, outstanding);
	}
};

TEST_F(NewTree, CalculatesNothingBeforeFinalize)
{
	vecx q(1), u(1), du(1), f(1);
	matxx m(1, 1);
	setZero(q);
	setZero(u);
	setZero(du);
	EXPECT_EQ(-1, tree->calculateInverseDynamics(q, u, du, &f));
	EXPECT_EQ(-1, tree->calculateMassMatrix(q, &m));
	EXPECT_EQ(-1, tree->calculatePositionKinematics(q));
	EXPECT_EQ(-1, tree->calculatePositionAndVelocityKinematics(q, u));
	EXPECT_EQ(-1, tree->calculateJacobians(q));
	EXPECT_EQ(0, add(*tree, 0));
	EXPECT_EQ(-1, tree->calculateInverseDynamics(q, u, du, &f));
	EXPECT_EQ(0, tree->finalize());
	EXPECT_EQ(0, tree->calculateInverseDynamics(q, u, du, &f));
}

TEST_F(NewTree, RefusesInvalidMassParameters)
{
	EXPECT_FALSE(tree->getAcceptInvalidMassProperties());
	EXPECT_EQ(-1, add(*tree, 0, -1));
	tree->setAcceptInvalidMassParameters(true);
	EXPECT_TRUE(tree->getAcceptInvalidMassProperties());
}

TEST_F(NewTree, TakesBodies)
{
	EXPECT_EQ(0, add(*tree, 0));
	EXPECT_EQ(0, add(*tree, 1));
	EXPECT_EQ(0, tree->finalize());
	EXPECT_EQ(2, tree->numBodies());
	EXPECT_EQ(2, tree->numDoFs());
}

TEST_F(NewTree, HasNoBodiesYet)
{
	/* The body that is added first is the first one, and may be the root. */
	EXPECT_EQ(0, add(*tree, 0, 3, -1));
	EXPECT_EQ(0, tree->finalize());
	EXPECT_EQ(1, tree->numBodies());
	EXPECT_EQ(1, tree->numDoFs());
	idScalar mass = 0;
	EXPECT_EQ(0, tree->getBodyMass(0, &mass));
	EXPECT_NEAR(3, mass, 1e-12);
}

TEST_F(NewTree, MassParametersAreValidUntilABodySaysOtherwise)
{
	EXPECT_TRUE(tree->m_mass_parameters_are_valid);
	EXPECT_EQ(0, add(*tree, 0));
	EXPECT_TRUE(tree->m_mass_parameters_are_valid);
	EXPECT_EQ(-1, add(*tree, 1, -1));
	EXPECT_FALSE(tree->m_mass_parameters_are_valid);
}

TEST_F(NewTree, CanBeDestroyedAtOnce)
{
	const int now = outstanding;
	EXPECT_TRUE(tree->m_impl == 0);
	MultiBodyTree* other = new MultiBodyTree();
	EXPECT_LT(now, outstanding);
	delete other;
	EXPECT_EQ(now, outstanding);
	/* On memory that holds rubbish. */
	void* mem = b3AlignedAlloc(sizeof(MultiBodyTree), 16);
	memset(mem, 0x01, sizeof(MultiBodyTree));
	other = new (mem) MultiBodyTree();
	EXPECT_FALSE(other->m_is_finalized);
	EXPECT_FALSE(other->getAcceptInvalidMassProperties());
	other->~MultiBodyTree();
	b3AlignedFree(mem);
	EXPECT_EQ(now, outstanding);
}

TEST_F(NewTree, EachTreeHasItsOwnCache)
{
	MultiBodyTree* other = new MultiBodyTree();
	EXPECT_EQ(0, add(*tree, 0, 5));
	EXPECT_EQ(0, add(*other, 0, 6));
	EXPECT_EQ(0, add(*other, 1, 7));
	EXPECT_EQ(0, tree->finalize());
	EXPECT_EQ(0, other->finalize());
	EXPECT_EQ(1, tree->numBodies());
	EXPECT_EQ(2, other->numBodies());
	delete other;
	idScalar mass = 0;
	EXPECT_EQ(0, tree->getBodyMass(0, &mass));
	EXPECT_NEAR(5, mass, 1e-12);
}

int main(int argc, char** argv)
{
	countAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
