/*---
 * tasks: [btMprPenetration-f83e37.2]
 * tests:
 *   ComputeMpr.TheDistanceIsNegative: 'test/collision: the distance of overlapping spheres is |a - b| - ra - rb.'
 *   ComputeMpr.TheNormalLeadsFromBToA: 'btMprDistanceInfo: m_normalBtoA.'
 *   ComputeMpr.ThePointsAreOnTheShapes: 'btMprDistanceInfo: m_pointOnA, m_pointOnB.'
 *   ComputeMpr.ThePointsAreADistanceApart: 'test/collision: m_pointOnA is m_pointOnB + m_distance * m_normalBtoA.'
 *   ComputeMpr.NoHitWhereTheyAreApart: 'Caller btConvexConvexMprAlgorithm asks whether the result is 0.'
 *   ComputeMpr.ExchangedShapesGiveExchangedPoints: 'btMprDistanceInfo: A and B.'
 *   ComputeMpr.MovedAlongTheNormalTheyPart: 'm_distance and m_normalBtoA: where A goes to be free of B.'
 *   ComputeMpr.AnyStructureWithTheseMembers: 'Signature: btMprDistanceTemplate; test/collision passes a btDistanceInfo.'
 *   ComputeMpr.TurnedShapes: 'getWorldTransform; all is given in the world.'
 * goals: [build/test/collision/Test_Collision]
 ---*/
#include "mpr_shapes.h"

static btMprCollisionDescription description;

static btMprDistanceInfo info(const Placed& a, const Placed& b)
{
	btMprDistanceInfo i;
	i.m_distance = 77;
	EXPECT_EQ(0, btComputeMprPenetration(a, b, description, &i));
	return i;
}

TEST(ComputeMpr, TheDistanceIsNegative)
{
	btSphereShape first(1.5), second(0.75);
	Numbers numbers;
	for (int i = 0; i < 50; i++)
	{
		const btVector3 at = numbers.vector() * 3, way = numbers.vector().normalized();
		const double apart = 1 + 0.02 * i;
		EXPECT_NEAR(apart - 2.25, info(Placed(first, at), Placed(second, at + way * apart)).m_distance, 1e-3);
	}
	btBoxShape box(btVector3(1, 1, 1));
	EXPECT_NEAR(-0.25, info(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0.1, 1.75, 0.2))).m_distance, 1e-4);
}

TEST(ComputeMpr, TheNormalLeadsFromBToA)
{
	btSphereShape first(1.5), second(0.75);
	Numbers numbers;
	for (int i = 0; i < 50; i++)
	{
		const btVector3 at = numbers.vector() * 3, way = numbers.vector().normalized();
		expectVector(info(Placed(first, at), Placed(second, at + way * 1.6)).m_normalBtoA, -way, 5e-3);
	}
	btBoxShape box(btVector3(1, 1, 1));
	expectVector(info(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0.1, 1.75, 0.2))).m_normalBtoA, btVector3(0, -1, 0), 1e-4);
	expectVector(info(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0.1, -0.2, -1.75))).m_normalBtoA, btVector3(0, 0, 1), 1e-4);
}

TEST(ComputeMpr, ThePointsAreOnTheShapes)
{
	btSphereShape first(1.5), second(0.75);
	Numbers numbers;
	for (int i = 0; i < 50; i++)
	{
		const btVector3 at = numbers.vector() * 3, way = numbers.vector().normalized();
		const btMprDistanceInfo found = info(Placed(first, at), Placed(second, at + way * 1.6));
		expectVector(found.m_pointOnA, at + way * 1.5, 5e-3);
		expectVector(found.m_pointOnB, at + way * (1.6 - 0.75), 5e-3);
	}
}

TEST(ComputeMpr, ThePointsAreADistanceApart)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(0.5, 1, 0.75));
	Numbers numbers;
	int hits = 0;
	for (int i = 0; i < 100; i++)
	{
		btMprDistanceInfo found;
		if (btComputeMprPenetration(Placed(a, btVector3(0, 0, 0), numbers.turn()), Placed(b, numbers.vector() * 2, numbers.turn()), description, &found) != 0)
			continue;
		hits++;
		EXPECT_LE(found.m_distance, 0);
		EXPECT_NEAR(1, found.m_normalBtoA.length(), 1e-3);
		expectVector(found.m_pointOnA, found.m_pointOnB + found.m_distance * found.m_normalBtoA, 1e-9);
	}
	EXPECT_GT(hits, 30);
}

TEST(ComputeMpr, NoHitWhereTheyAreApart)
{
	btSphereShape ball(1);
	btBoxShape box(btVector3(1, 1, 1));
	btMprDistanceInfo found;
	EXPECT_NE(0, btComputeMprPenetration(Placed(ball, btVector3(0, 0, 0)), Placed(ball, btVector3(2.01, 0, 0)), description, &found));
	EXPECT_NE(0, btComputeMprPenetration(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0.3, 2.01, 0.1)), description, &found));
	EXPECT_NE(0, btComputeMprPenetration(Placed(box, btVector3(0, 0, 0)), Placed(ball, btVector3(1.8, 1.8, 0.5)), description, &found));
	EXPECT_NE(0, btComputeMprPenetration(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(-30, 20, 10)), description, &found));
	EXPECT_EQ(0, btComputeMprPenetration(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0.3, 1.99, 0.1)), description, &found));
	EXPECT_EQ(0, btComputeMprPenetration(Placed(box, btVector3(0, 0, 0)), Placed(ball, btVector3(1.6, 1.6, 0.5)), description, &found));
}

TEST(ComputeMpr, ExchangedShapesGiveExchangedPoints)
{
	btSphereShape first(1.5), second(0.75);
	const Placed a(first, btVector3(1, 2, 3)), b(second, btVector3(2, 3, 3.5));
	const btMprDistanceInfo one = info(a, b), other = info(b, a);
	EXPECT_NEAR(one.m_distance, other.m_distance, 1e-3);
	expectVector(other.m_normalBtoA, -one.m_normalBtoA, 5e-3);
	expectVector(other.m_pointOnA, one.m_pointOnB, 5e-3);
	expectVector(other.m_pointOnB, one.m_pointOnA, 5e-3);
}

TEST(ComputeMpr, MovedAlongTheNormalTheyPart)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(0.5, 1, 0.75));
	Numbers numbers;
	for (int i = 0; i < 100; i++)
	{
		Placed first(a, btVector3(0, 0, 0), numbers.turn()), second(b, numbers.vector(), numbers.turn());
		const btMprDistanceInfo found = info(first, second);
		btMprDistanceInfo after;
		first.place.setOrigin(found.m_normalBtoA * (-found.m_distance + 2e-3));
		EXPECT_NE(0, btComputeMprPenetration(first, second, description, &after)) << i;
	}
}

struct Found
{
	double m_distance;
	btVector3 m_normalBtoA, m_pointOnB, m_pointOnA;
};

TEST(ComputeMpr, AnyStructureWithTheseMembers)
{
	btSphereShape ball(1);
	Found found;
	ASSERT_EQ(0, btComputeMprPenetration(Placed(ball, btVector3(0, 0, 0)), Placed(ball, btVector3(0, 1.5, 0)), description, &found));
	EXPECT_NEAR(-0.5, found.m_distance, 1e-5);
	expectVector(found.m_normalBtoA, btVector3(0, -1, 0), 1e-5);
	expectVector(found.m_pointOnA, btVector3(0, 1, 0), 1e-5);
	expectVector(found.m_pointOnB, btVector3(0, 0.5, 0), 1e-5);
}

TEST(ComputeMpr, TurnedShapes)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(1, 1, 1));
	Numbers numbers;
	for (int i = 0; i < 50; i++)
	{
		const btTransform world(numbers.turn(), numbers.vector() * 5);
		const btMprDistanceInfo found = info(Placed(a, world.getOrigin(), world.getRotation()), Placed(b, world * btVector3(0.1, 2.8, 0.2), world.getRotation()));
		EXPECT_NEAR(-0.2, found.m_distance, 1e-3);
		expectVector(found.m_normalBtoA, world.getBasis() * btVector3(0, -1, 0), 5e-3);
		/* Both are about where the faces are, 0.2 apart. */
		const double onA = (world.inverse() * found.m_pointOnA).y(), onB = (world.inverse() * found.m_pointOnB).y();
		EXPECT_NEAR(0.2, onA - onB, 5e-3);
		EXPECT_GT(onB, 1.79);
		EXPECT_LT(onB, 2.01);
	}
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
