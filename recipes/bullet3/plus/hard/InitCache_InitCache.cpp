/*---
 * tasks: [btInverseDynamics.CreateMultiBodyTree-56eb84.4]
 * tests:
 *   NewCache.IsEmpty: 'numBodies and numDoFs in the same class; MultiBodyTree::finalize reads both.'
 *   NewCache.CountsTheDegreesOfFreedomFromZero: 'addBody adds to m_num_dofs; generateIndexSets compares the sum.'
 *   NewCache.HasNoRoot: 'Comment "index of root body (or -1 if not set)"; addBody refuses a second root.'
 *   NewCache.TheFirstRootMayComeLater: 'The same.'
 *   NewCache.HasNoParents: 'buildIndexSets and getParentIndexArray give as many parents as bodies.'
 *   NewCache.KeepsTheFirstBodyAsNumberZero: 'getJointData, getInertiaData, getUserInt: the index of the body.'
 *   NewCache.SharesNothing: 'Comment "Data structure to store data passed by the user."; one per MultiBodyTree.'
 ---*/
#include <cstring>
#include <new>

#include <gtest/gtest.h>

#include "idcount.h"

#define private public
#include "BulletInverseDynamics/MultiBodyTree.hpp"
#include "BulletInverseDynamics/details/MultiBodyTreeInitCache.hpp"
#undef private

using namespace btInverseDynamics;
typedef MultiBodyTree::InitCache Cache;

static int add(Cache& cache, int i, int parent, JointType type, int number = 0)
{
	vec3 r = btVector3(1, 2, 3), axis = btVector3(0, 0, 1);
	mat33 one = btMatrix3x3::getIdentity();
	return cache.addBody(i, parent, type, r, one, axis, 4 + i, r, one, number, 0);
}

class NewCache : public testing::Test
{
protected:
	void* mem;
	Cache* cache;
	int before;
	NewCache() : before(outstanding) { make(0xff); }
	~NewCache()
	{
		drop();
		EXPECT_EQ(before, outstanding);
	}
	/* In memory that was used before. */
	void make(int rubbish)
	{
		mem = b3AlignedAlloc(sizeof(Cache), 16);
		memset(mem, rubbish, sizeof(Cache));
		cache = new (mem) Cache();
	}
	void drop()
	{
		cache->~Cache();
		b3AlignedFree(mem);
	}
};

TEST_F(NewCache, IsEmpty)
{
	EXPECT_EQ(0, cache->numBodies());
	EXPECT_EQ(0, cache->numDoFs());
	drop();
	make(0x11);
	EXPECT_EQ(0, cache->numBodies());
	EXPECT_EQ(0, cache->numDoFs());
}

TEST_F(NewCache, CountsTheDegreesOfFreedomFromZero)
{
	EXPECT_EQ(0, add(*cache, 0, -1, FIXED));
	EXPECT_EQ(0, cache->numDoFs());
	EXPECT_EQ(0, add(*cache, 1, 0, REVOLUTE));
	EXPECT_EQ(1, cache->numDoFs());
	EXPECT_EQ(0, add(*cache, 2, 0, SPHERICAL));
	EXPECT_EQ(0, add(*cache, 3, 0, FLOATING));
	EXPECT_EQ(10, cache->numDoFs());
	EXPECT_EQ(4, cache->numBodies());
}

TEST_F(NewCache, HasNoRoot)
{
	EXPECT_EQ(0, add(*cache, 0, -1, REVOLUTE));
	EXPECT_EQ(-1, add(*cache, 1, -1, REVOLUTE));
	drop();
	/* Whatever was in the memory. */
	make(0x11);
	EXPECT_EQ(0, add(*cache, 0, -1, REVOLUTE));
	EXPECT_EQ(-1, add(*cache, 1, -1, REVOLUTE));
	drop();
	make(0);
	EXPECT_EQ(0, add(*cache, 0, -1, REVOLUTE));
	EXPECT_EQ(-1, add(*cache, 1, -1, REVOLUTE));
}

TEST_F(NewCache, TheFirstRootMayComeLater)
{
	EXPECT_EQ(0, add(*cache, 1, 0, REVOLUTE));
	EXPECT_EQ(0, add(*cache, 2, 1, REVOLUTE));
	EXPECT_EQ(0, add(*cache, 0, -1, REVOLUTE));
	EXPECT_EQ(-1, add(*cache, 3, -1, REVOLUTE));
	EXPECT_EQ(3, cache->numBodies());
}

TEST_F(NewCache, HasNoParents)
{
	idArray<int>::type parents;
	parents.push_back(7);
	EXPECT_EQ(0, cache->buildIndexSets());
	cache->getParentIndexArray(&parents);
	EXPECT_EQ(0, parents.size());
	EXPECT_EQ(0, add(*cache, 0, -1, REVOLUTE));
	EXPECT_EQ(0, add(*cache, 1, 0, REVOLUTE));
	EXPECT_EQ(0, cache->buildIndexSets());
	cache->getParentIndexArray(&parents);
	ASSERT_EQ(2, parents.size());
	EXPECT_EQ(-1, parents[0]);
	EXPECT_EQ(0, parents[1]);
}

TEST_F(NewCache, KeepsTheFirstBodyAsNumberZero)
{
	EXPECT_EQ(0, add(*cache, 0, -1, PRISMATIC, 12));
	EXPECT_EQ(0, add(*cache, 1, 0, REVOLUTE, 13));
	JointData joint;
	InertiaData inertia;
	int number = 0;
	void* pointer = &number;
	EXPECT_EQ(0, cache->getJointData(0, &joint));
	EXPECT_EQ(PRISMATIC, joint.m_type);
	EXPECT_EQ(0, joint.m_child);
	EXPECT_EQ(-1, joint.m_parent);
	EXPECT_EQ(0, cache->getInertiaData(1, &inertia));
	EXPECT_NEAR(5, inertia.m_mass, 1e-12);
	EXPECT_EQ(0, cache->getUserInt(0, &number));
	EXPECT_EQ(12, number);
	EXPECT_EQ(0, cache->getUserInt(1, &number));
	EXPECT_EQ(13, number);
	EXPECT_EQ(0, cache->getUserPtr(0, &pointer));
	EXPECT_TRUE(pointer == 0);
}

TEST_F(NewCache, SharesNothing)
{
	EXPECT_EQ(0, add(*cache, 0, -1, FLOATING));
	Cache* other = new Cache();
	EXPECT_EQ(0, other->numBodies());
	EXPECT_EQ(0, other->numDoFs());
	EXPECT_EQ(0, add(*other, 0, -1, REVOLUTE));
	EXPECT_EQ(1, other->numDoFs());
	EXPECT_EQ(6, cache->numDoFs());
	delete other;
	EXPECT_EQ(1, cache->numBodies());
}

int main(int argc, char** argv)
{
	countAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
