/*---
 * tasks: [0C3929BA6041DA4C]
 * tests:
 *   AddOverlappingPair.ANewPairIsAddedAndReturned: 'Docstring: "Add a pair and return the new pair."'
 *   AddOverlappingPair.APairThatExistsIsReturnedAndNotAddedAgain: 'Docstring: "If the pair already exists, no new pair is created and the old one is returned."'
 *   AddOverlappingPair.OtherPairsAreTheirOwn: 'Docstring: "Add a pair".'
 *   AddOverlappingPair.EachProxysMaskMustAcceptTheOthersGroup: 'needsBroadphaseCollision in the same class; btSimpleBroadphase and btDbvtBroadphase rely on it.'
 *   AddOverlappingPair.TheUsersFilterIsAsked: 'needsBroadphaseCollision and setOverlapFilterCallback; the Bullet manual on collision filtering.'
 *   AddOverlappingPair.TheGhostsHearOnceOfANewPair: 'internalAddPair tells the ghost callback of a pair that it adds (btGhostPairCallback).'
 ---*/
#include <gtest/gtest.h>

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

struct Ghosts : public btOverlappingPairCallback
{
	int added;
	Ghosts() : added(0) {}
	virtual btBroadphasePair* addOverlappingPair(btBroadphaseProxy*, btBroadphaseProxy*)
	{
		added++;
		return 0;
	}
	virtual void* removeOverlappingPair(btBroadphaseProxy*, btBroadphaseProxy*, btDispatcher*) { return 0; }
	virtual void removeOverlappingPairsContainingProxy(btBroadphaseProxy*, btDispatcher*) {}
};

struct Refuse : public btOverlapFilterCallback
{
	virtual bool needBroadphaseCollision(btBroadphaseProxy*, btBroadphaseProxy*) const { return false; }
};

static btBroadphaseProxy proxy(int number, int group, int mask)
{
	btBroadphaseProxy p(btVector3(0, 0, 0), btVector3(1, 1, 1), 0, group, mask);
	p.m_uniqueId = number;
	return p;
}

TEST(AddOverlappingPair, ANewPairIsAddedAndReturned)
{
	btHashedOverlappingPairCache cache;
	btBroadphaseProxy a = proxy(1, 1, -1), b = proxy(2, 1, -1);
	btBroadphasePair* pair = cache.addOverlappingPair(&a, &b);
	ASSERT_TRUE(pair != 0);
	EXPECT_EQ(1, cache.getNumOverlappingPairs());
	EXPECT_TRUE((pair->m_pProxy0 == &a && pair->m_pProxy1 == &b) || (pair->m_pProxy0 == &b && pair->m_pProxy1 == &a));
	EXPECT_EQ(pair, cache.findPair(&a, &b));
}

TEST(AddOverlappingPair, APairThatExistsIsReturnedAndNotAddedAgain)
{
	btHashedOverlappingPairCache cache;
	btBroadphaseProxy a = proxy(1, 1, -1), b = proxy(2, 1, -1);
	btBroadphasePair* pair = cache.addOverlappingPair(&a, &b);
	EXPECT_EQ(pair, cache.addOverlappingPair(&a, &b));
	EXPECT_EQ(pair, cache.addOverlappingPair(&b, &a));
	EXPECT_EQ(1, cache.getNumOverlappingPairs());
}

TEST(AddOverlappingPair, OtherPairsAreTheirOwn)
{
	btHashedOverlappingPairCache cache;
	btBroadphaseProxy a = proxy(1, 1, -1), b = proxy(2, 1, -1), c = proxy(3, 1, -1);
	EXPECT_TRUE(cache.addOverlappingPair(&a, &b) != 0);
	EXPECT_TRUE(cache.addOverlappingPair(&a, &c) != 0);
	EXPECT_TRUE(cache.addOverlappingPair(&b, &c) != 0);
	EXPECT_EQ(3, cache.getNumOverlappingPairs());
}

TEST(AddOverlappingPair, EachProxysMaskMustAcceptTheOthersGroup)
{
	btHashedOverlappingPairCache cache;
	btBroadphaseProxy a = proxy(1, 1, 2), b = proxy(2, 2, 4), c = proxy(3, 2, 1);
	EXPECT_TRUE(cache.addOverlappingPair(&a, &b) == 0);
	EXPECT_TRUE(cache.addOverlappingPair(&b, &a) == 0);
	EXPECT_EQ(0, cache.getNumOverlappingPairs());
	EXPECT_TRUE(cache.addOverlappingPair(&a, &c) != 0);
	EXPECT_EQ(1, cache.getNumOverlappingPairs());
}

TEST(AddOverlappingPair, TheUsersFilterIsAsked)
{
	btHashedOverlappingPairCache cache;
	Refuse refuse;
	cache.setOverlapFilterCallback(&refuse);
	btBroadphaseProxy a = proxy(1, 1, -1), b = proxy(2, 1, -1);
	EXPECT_TRUE(cache.addOverlappingPair(&a, &b) == 0);
	EXPECT_EQ(0, cache.getNumOverlappingPairs());
}

TEST(AddOverlappingPair, TheGhostsHearOnceOfANewPair)
{
	btHashedOverlappingPairCache cache;
	Ghosts ghosts;
	/* Public in the interface, private in this class. */
	static_cast<btOverlappingPairCache&>(cache).setInternalGhostPairCallback(&ghosts);
	btBroadphaseProxy a = proxy(1, 1, -1), b = proxy(2, 1, -1);
	cache.addOverlappingPair(&a, &b);
	EXPECT_EQ(1, ghosts.added);
	cache.addOverlappingPair(&a, &b);
	EXPECT_EQ(1, ghosts.added);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
