/*---
 * tasks: [btInverseDynamics.RandomTreeCreator.getBody-1242d4.2]
 * link: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * goals: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * flags: [-IExtras]
 * tests:
 *   RandomTrees.HaveAtLeastOneBody: 'Class: "Generate a random MultiBodyTree"; its root has index 0.'
 *   RandomTrees.HaveAtMostTheMaximum: 'Header: "max_bodies maximum number of bodies".'
 *   RandomTrees.HaveAnyNumberOfBodiesBetween: 'Class: a random tree; randomInt: "low is the lower bound (inclusive)", and so the upper.'
 *   RandomTrees.AMaximumOfOneLeavesNoChoice: 'The same.'
 *   RandomTrees.KeepTheirNumber: 'getNumBodies (const) gives the number that CreateMultiBodyTree goes through.'
 *   RandomTrees.SeedWhereTheyAreTold: 'Header: "use_seed if true, seed random number generator".'
 ---*/
#include <new>

#include "randomtree.h"

/* In memory that holds rubbish. */
static int bodies(int max, bool seed = false)
{
	static char mem[sizeof(RandomTreeCreator)] __attribute__((aligned(16)));
	memset(mem, 0xff, sizeof mem);
	RandomTreeCreator* c = new (mem) RandomTreeCreator(max, seed);
	int n = -7;
	EXPECT_EQ(0, c->getNumBodies(&n));
	c->~RandomTreeCreator();
	return n;
}

TEST(RandomTrees, HaveAtLeastOneBody)
{
	for (int k = 0; k < 500; k++) ASSERT_GE(bodies(1 + k % 9), 1);
}

TEST(RandomTrees, HaveAtMostTheMaximum)
{
	for (int k = 0; k < 500; k++) ASSERT_LE(bodies(1 + k % 9), 1 + k % 9);
}

TEST(RandomTrees, HaveAnyNumberOfBodiesBetween)
{
	int seen[6] = {0};
	for (int k = 0; k < 500; k++)
	{
		const int n = bodies(5, k % 2);
		ASSERT_TRUE(n >= 1 && n <= 5);
		seen[n]++;
	}
	for (int n = 1; n < 6; n++) EXPECT_GT(seen[n], 0) << n;
}

TEST(RandomTrees, AMaximumOfOneLeavesNoChoice)
{
	for (int k = 0; k < 20; k++) EXPECT_EQ(1, bodies(1));
}

TEST(RandomTrees, KeepTheirNumber)
{
	RandomTreeCreator a(30), b(30);
	int first = 0, other = 0, again = 0;
	a.getNumBodies(&first);
	b.getNumBodies(&other);
	RandomBody body;
	for (int i = 0; i < 10; i++)
	{
		get(a, i, body);
		RandomTreeCreator c(30);
		ASSERT_EQ(0, a.getNumBodies(&again));
		EXPECT_EQ(first, again);
		ASSERT_EQ(0, b.getNumBodies(&again));
		EXPECT_EQ(other, again);
	}
}

TEST(RandomTrees, SeedWhereTheyAreTold)
{
	seeds = 0;
	bodies(5, true);
	EXPECT_GT(seeds, 0);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
