/*---
 * tasks: [E3447F956B0DAA2A]
 * tests:
 *   Equal.ATransformEqualsItselfAndItsCopy: 'Docstring: "Test if two transforms have all elements equal".'
 *   Equal.EachElementOfTheBasisCounts: 'Docstring: "all elements".'
 *   Equal.EachElementOfTheOriginCounts: 'Docstring: "all elements".'
 *   Equal.SmallDifferencesCount: 'Docstring: "equal", not near.'
 *   Equal.BothPartsMustBeEqual: 'Docstring: "all elements".'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btTransform.h"

static const btMatrix3x3 basis(1, 2, 3, 4, 5, 6, 7, 8, 9);
static const btTransform t(basis, btVector3(10, 11, 12));

TEST(Equal, ATransformEqualsItselfAndItsCopy)
{
	const btTransform copy(t);
	EXPECT_TRUE(t == t);
	EXPECT_TRUE(t == copy);
}

TEST(Equal, EachElementOfTheBasisCounts)
{
	for (int i = 0; i < 9; i++)
	{
		btTransform other(t);
		other.getBasis()[i / 3][i % 3] += btScalar(1);
		EXPECT_FALSE(t == other) << "element " << i;
		EXPECT_FALSE(other == t) << "element " << i;
	}
}

TEST(Equal, EachElementOfTheOriginCounts)
{
	for (int i = 0; i < 3; i++)
	{
		btTransform other(t);
		other.getOrigin()[i] += btScalar(1);
		EXPECT_FALSE(t == other) << "element " << i;
		EXPECT_FALSE(other == t) << "element " << i;
	}
}

TEST(Equal, SmallDifferencesCount)
{
	btTransform other(t);
	other.getOrigin()[1] += btScalar(1e-9);
	EXPECT_FALSE(t == other);
	btTransform another(t);
	another.getBasis()[1][1] += btScalar(1e-9);
	EXPECT_FALSE(t == another);
}

TEST(Equal, BothPartsMustBeEqual)
{
	EXPECT_FALSE(t == btTransform(basis, btVector3(0, 0, 0)));
	EXPECT_FALSE(t == btTransform(btMatrix3x3(1, 0, 0, 0, 1, 0, 0, 0, 1), btVector3(10, 11, 12)));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
