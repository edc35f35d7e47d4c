/*---
 * tasks: [btMprPenetration-f83e37.2]
 * tests:
 *   MprPenetration.SpheresThatOverlap: 'Name and signature: depth, direction, position; caller btComputeMprPenetration takes the result 0 as a hit.'
 *   MprPenetration.SpheresThatDoNotOverlap: 'Caller: another result is no hit.'
 *   MprPenetration.SpheresAnywhere: 'The same, off the axes.'
 *   MprPenetration.SpheresWithOneCentre: 'btDiscoverPortal: "we know that objects intersect".'
 *   MprPenetration.BoxesThatOverlap: 'The same; the three phases of the algorithm (btDiscoverPortal, btRefinePortal, btFindPenetr).'
 *   MprPenetration.BoxesHitWhereTheyOverlapAndNowhereElse: 'btRefinePortal returns less than 0 where the origin isn''t inside.'
 *   MprPenetration.TurnedBoxesToo: 'The same in other frames: getWorldTransform.'
 *   MprPenetration.TheDirectionLeadsFromAToB: 'Caller: m_normalBtoA = -dir.'
 *   MprPenetration.ThePositionIsOnB: 'Caller: m_pointOnB = pos.'
 *   MprPenetration.ThatFarAwayTheyPart: 'The depth of a penetration along the direction.'
 *   MprPenetration.ASecondCallKnowsNothingOfTheFirst: 'Outputs are written, not added to.'
 * goals: [build/test/collision/Test_Collision]
 ---*/
#include "mpr_shapes.h"

static btMprCollisionDescription description;

static int hit(const Placed& a, const Placed& b, float& depth, btVector3& dir, btVector3& pos)
{
	return btMprPenetration(a, b, description, &depth, &dir, &pos);
}

static bool overlap(const Placed& a, const Placed& b)
{
	float depth;
	btVector3 dir, pos;
	return hit(a, b, depth, dir, pos) == 0;
}

TEST(MprPenetration, SpheresThatOverlap)
{
	btSphereShape big(2), small(0.5);
	for (int axis = 0; axis < 3; axis++)
		for (int sign = -1; sign < 2; sign += 2)
		{
			btVector3 at(0, 0, 0);
			at[axis] = 2.25 * sign;
			float depth = -7;
			btVector3 dir(9, 9, 9), pos(9, 9, 9), want(0, 0, 0);
			EXPECT_EQ(0, hit(Placed(big, btVector3(0, 0, 0)), Placed(small, at), depth, dir, pos));
			EXPECT_NEAR(0.25, depth, 1e-5);
			want[axis] = sign;
			expectVector(dir, want, 1e-5);
			expectVector(pos, want * 1.75, 1e-5);
		}
}

TEST(MprPenetration, SpheresThatDoNotOverlap)
{
	btSphereShape big(2), small(0.5);
	Numbers numbers;
	for (int i = 0; i < 100; i++)
	{
		const btVector3 way = numbers.vector().normalized();
		EXPECT_FALSE(overlap(Placed(big, btVector3(0, 0, 0)), Placed(small, way * 2.51)));
		EXPECT_FALSE(overlap(Placed(small, btVector3(1, 2, 3)), Placed(big, btVector3(1, 2, 3) + way * 9)));
		EXPECT_TRUE(overlap(Placed(big, btVector3(0, 0, 0)), Placed(small, way * 2.49)));
	}
}

TEST(MprPenetration, SpheresAnywhere)
{
	btSphereShape first(1.5), second(0.75);
	Numbers numbers;
	for (int i = 0; i < 100; i++)
	{
		const btVector3 at = numbers.vector() * 5, way = numbers.vector().normalized();
		const double apart = 0.7 + 0.01 * i;
		float depth = -7;
		btVector3 dir, pos;
		ASSERT_EQ(0, hit(Placed(first, at), Placed(second, at + way * apart), depth, dir, pos));
		EXPECT_NEAR(2.25 - apart, depth, 1e-3);
		expectVector(dir, way, 5e-3);
		expectVector(pos, at + way * (apart - 0.75), 5e-3);
	}
}

TEST(MprPenetration, SpheresWithOneCentre)
{
	btSphereShape first(1.5), second(0.75);
	float depth = -7;
	btVector3 dir, pos;
	ASSERT_EQ(0, hit(Placed(first, btVector3(1, 2, 3)), Placed(second, btVector3(1, 2, 3)), depth, dir, pos));
	EXPECT_NEAR(2.25, depth, 1e-3);
	EXPECT_NEAR(1, dir.length(), 1e-3);
	EXPECT_NEAR(0.75, (pos - btVector3(1, 2, 3)).length(), 1e-3);
}

TEST(MprPenetration, BoxesThatOverlap)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(1, 1, 1));
	for (int axis = 0; axis < 3; axis++)
		for (int sign = -1; sign < 2; sign += 2)
		{
			btVector3 at(0.2, 0.1, -0.15), want(0, 0, 0);
			at[axis] = sign * (axis + 2 - 0.125);
			want[axis] = sign;
			float depth = -7;
			btVector3 dir, pos;
			ASSERT_EQ(0, hit(Placed(a, btVector3(0, 0, 0)), Placed(b, at), depth, dir, pos));
			EXPECT_NEAR(0.125, depth, 1e-4);
			expectVector(dir, want, 1e-4);
			/* In both, so between the two faces. */
			EXPECT_GE(sign * pos[axis], axis + 1 - 0.125 - 1e-4);
			EXPECT_LE(sign * pos[axis], axis + 1 + 1e-4);
		}
}

static void boxes(const btQuaternion& turn)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(0.5, 1, 0.75));
	Numbers numbers;
	int hits = 0, misses = 0;
	for (int i = 0; i < 1000; i++)
	{
		const btVector3 local = numbers.vector() * btVector3(2, 4, 5);
		const double gap = btMax(btMax(fabs(local.x()) - 1.5, fabs(local.y()) - 3), fabs(local.z()) - 3.75);
		if (fabs(gap) < 1e-2)
			continue;
		const btVector3 base(1, -2, 0.5);
		const bool found = overlap(Placed(a, base, turn), Placed(b, base + quatRotate(turn, local), turn));
		EXPECT_EQ(gap < 0, found) << local.x() << ", " << local.y() << ", " << local.z();
		(found ? hits : misses)++;
	}
	EXPECT_GT(hits, 200);
	EXPECT_GT(misses, 200);
}

TEST(MprPenetration, BoxesHitWhereTheyOverlapAndNowhereElse) { boxes(btQuaternion(0, 0, 0, 1)); }

TEST(MprPenetration, TurnedBoxesToo) { boxes(btQuaternion(0.1, 0.7, -0.3, 0.6).normalized()); }

TEST(MprPenetration, TheDirectionLeadsFromAToB)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(1, 1, 1));
	btSphereShape ball(1);
	const Placed first(a, btVector3(0, 0, 0)), second(b, btVector3(1.8, 0.3, 0.2)), third(ball, btVector3(1.8, 0.3, 0.2));
	float depth = 0, back = 0;
	btVector3 dir, pos, dirBack, posBack;
	ASSERT_EQ(0, hit(first, second, depth, dir, pos));
	ASSERT_EQ(0, hit(second, first, back, dirBack, posBack));
	EXPECT_NEAR(depth, back, 1e-4);
	expectVector(dirBack, -dir, 1e-4);
	expectVector(dir, btVector3(1, 0, 0), 1e-4);
	ASSERT_EQ(0, hit(first, third, depth, dir, pos));
	EXPECT_NEAR(0.2, depth, 1e-3);
	EXPECT_GT(dir.x(), 0.99);
	ASSERT_EQ(0, hit(third, first, depth, dir, pos));
	EXPECT_NEAR(0.2, depth, 1e-3);
	EXPECT_LT(dir.x(), -0.99);
}

TEST(MprPenetration, ThePositionIsOnB)
{
	btSphereShape big(2), small(0.5);
	const btVector3 at(1, 2, 3), way(0.48, 0.6, 0.64);
	float depth = 0;
	btVector3 dir, pos;
	ASSERT_EQ(0, hit(Placed(big, at), Placed(small, at + way * 2.1), depth, dir, pos));
	expectVector(pos, at + way * 1.6, 5e-3);
	ASSERT_EQ(0, hit(Placed(small, at + way * 2.1), Placed(big, at), depth, dir, pos));
	expectVector(pos, at + way * 2, 5e-3);
	/* Of a box it is no point outside. */
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(1, 1, 1));
	ASSERT_EQ(0, hit(Placed(a, btVector3(0, 0, 0)), Placed(b, btVector3(1.8, 0.3, 0.2)), depth, dir, pos));
	for (int i = 0; i < 3; i++)
		EXPECT_LE(fabs(pos[i] - btVector3(1.8, 0.3, 0.2)[i]), 1 + 1e-4);
}

TEST(MprPenetration, ThatFarAwayTheyPart)
{
	btBoxShape a(btVector3(1, 2, 3)), b(btVector3(0.5, 1, 0.75));
	Numbers numbers;
	int hits = 0;
	for (int i = 0; i < 300; i++)
	{
		const btVector3 at = numbers.vector() * btVector3(1.5, 3, 4);
		Placed first(a, btVector3(0, 0, 0), numbers.turn()), second(b, at, numbers.turn());
		float depth = -7;
		btVector3 dir, pos;
		if (hit(first, second, depth, dir, pos) != 0)
			continue;
		hits++;
		EXPECT_GE(depth, 0);
		EXPECT_NEAR(1, dir.length(), 1e-3);
		second.place.setOrigin(at + dir * (depth + 2e-3));
		EXPECT_FALSE(overlap(first, second)) << i;
		if (depth > 0.02)
		{
			second.place.setOrigin(at + dir * (depth - 0.01));
			EXPECT_TRUE(overlap(first, second)) << i;
		}
	}
	EXPECT_GT(hits, 50);
}

TEST(MprPenetration, ASecondCallKnowsNothingOfTheFirst)
{
	btSphereShape ball(1);
	btBoxShape box(btVector3(1, 1, 1));
	float depth = 0;
	btVector3 dir, pos;
	ASSERT_EQ(0, hit(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0, 1.5, 0.1)), depth, dir, pos));
	EXPECT_NEAR(0.5, depth, 1e-4);
	ASSERT_EQ(0, hit(Placed(ball, btVector3(0, 0, 0)), Placed(ball, btVector3(1.75, 0, 0)), depth, dir, pos));
	EXPECT_NEAR(0.25, depth, 1e-4);
	expectVector(dir, btVector3(1, 0, 0), 1e-4);
	expectVector(pos, btVector3(0.75, 0, 0), 1e-4);
	EXPECT_FALSE(overlap(Placed(ball, btVector3(0, 0, 0)), Placed(ball, btVector3(3, 0, 0))));
	ASSERT_EQ(0, hit(Placed(box, btVector3(0, 0, 0)), Placed(box, btVector3(0, 1.5, 0.1)), depth, dir, pos));
	EXPECT_NEAR(0.5, depth, 1e-4);
	expectVector(dir, btVector3(0, 1, 0), 1e-4);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
