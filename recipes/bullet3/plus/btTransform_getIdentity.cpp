/*---
 * tasks: [CCEAF9ED3AB777D3]
 * tests:
 *   GetIdentity.TheBasisIsTheIdentityMatrix: 'Docstring: "Return an identity transform".'
 *   GetIdentity.TheOriginIsNought: 'Docstring: an identity transform moves nothing.'
 *   GetIdentity.APointStaysWhereItIs: 'Docstring: an identity transform.'
 *   GetIdentity.AProductWithItChangesNothing: 'Docstring: an identity transform.'
 *   GetIdentity.EachCallGivesTheIdentity: 'Signature: a const reference, so that a caller changes a copy.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btTransform.h"

TEST(GetIdentity, TheBasisIsTheIdentityMatrix)
{
	const btMatrix3x3& m = btTransform::getIdentity().getBasis();
	for (int i = 0; i < 9; i++)
		EXPECT_EQ(i % 4 == 0 ? 1 : 0, m[i / 3][i % 3]) << "element " << i;
}

TEST(GetIdentity, TheOriginIsNought)
{
	const btVector3& origin = btTransform::getIdentity().getOrigin();
	EXPECT_EQ(0, origin.x());
	EXPECT_EQ(0, origin.y());
	EXPECT_EQ(0, origin.z());
}

TEST(GetIdentity, APointStaysWhereItIs)
{
	const btVector3 p = btTransform::getIdentity()(btVector3(1, -2, 3));
	EXPECT_EQ(1, p.x());
	EXPECT_EQ(-2, p.y());
	EXPECT_EQ(3, p.z());
}

TEST(GetIdentity, AProductWithItChangesNothing)
{
	const btTransform t(btQuaternion(1 / 11., 2 / 11., 4 / 11., 10 / 11.), btVector3(5, -6, 7));
	EXPECT_TRUE(t * btTransform::getIdentity() == t);
	EXPECT_TRUE(btTransform::getIdentity() * t == t);
}

TEST(GetIdentity, EachCallGivesTheIdentity)
{
	btTransform copy = btTransform::getIdentity();
	copy.setOrigin(btVector3(1, 1, 1));
	EXPECT_EQ(0, btTransform::getIdentity().getOrigin().x());
	EXPECT_TRUE(btTransform::getIdentity() == btTransform::getIdentity());
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
