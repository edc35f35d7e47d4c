/*---
 * tasks: [btMultiBody.btMultiBody-b7203c.4]
 * tests:
 *   LinkMass.EachLinkHasItsOwn: 'Header: "get number of m_links, masses, moments of inertia"; btMultiBodyDynamicsWorld.cpp: gravity times the mass of each link.'
 *   LinkMass.TheBaseIsNoLink: 'Header: getBaseMass is the mass of the base; links are counted from 0 without it.'
 *   LinkMass.ItFollowsTheLink: 'getLink(i).m_mass is "mass of link"; a caller may change it.'
 *   LinkMass.ItIsNotRounded: 'Signature: btScalar.'
 *   LinkMass.NothingIsChanged: 'Signature: const.'
 ---*/
#include <gtest/gtest.h>

#include "BulletDynamics/Featherstone/btMultiBody.h"

static const btQuaternion kOne(0, 0, 0, 1);

class LinkMass : public testing::Test
{
protected:
	btMultiBody m;
	LinkMass() : m(3, 50, btVector3(60, 61, 62), false, true)
	{
		m.setupRevolute(0, 2.5, btVector3(7, 8, 9), -1, kOne, btVector3(0, 0, 1), btVector3(3, 0, 0), btVector3(4, 0, 0));
		m.setupFixed(1, 1 / 3., btVector3(17, 18, 19), 0, kOne, btVector3(3, 0, 0), btVector3(4, 0, 0));
		m.setupSpherical(2, 0, btVector3(27, 28, 29), 1, kOne, btVector3(3, 0, 0), btVector3(4, 0, 0));
		m.finalizeMultiDof();
	}
};

TEST_F(LinkMass, EachLinkHasItsOwn)
{
	EXPECT_NEAR(2.5, m.getLinkMass(0), 1e-12);
	EXPECT_NEAR(1 / 3., m.getLinkMass(1), 1e-12);
	EXPECT_NEAR(0, m.getLinkMass(2), 1e-12);
}

TEST_F(LinkMass, TheBaseIsNoLink)
{
	EXPECT_NEAR(2.5, m.getLinkMass(0), 1e-12);
	m.setBaseMass(70);
	EXPECT_NEAR(2.5, m.getLinkMass(0), 1e-12);
	EXPECT_NEAR(70, m.getBaseMass(), 1e-12);
}

TEST_F(LinkMass, ItFollowsTheLink)
{
	m.getLink(1).m_mass = 11;
	EXPECT_NEAR(2.5, m.getLinkMass(0), 1e-12);
	EXPECT_NEAR(11, m.getLinkMass(1), 1e-12);
	m.setupFixed(2, 12, btVector3(1, 1, 1), 1, kOne, btVector3(0, 0, 0), btVector3(0, 0, 0));
	EXPECT_NEAR(12, m.getLinkMass(2), 1e-12);
}

TEST_F(LinkMass, ItIsNotRounded)
{
	m.getLink(0).m_mass = 1e-7;
	EXPECT_NEAR(1, m.getLinkMass(0) * 1e7, 1e-12);
	m.getLink(0).m_mass = 16777217;
	EXPECT_NEAR(16777217, m.getLinkMass(0), 1e-6);
}

TEST_F(LinkMass, NothingIsChanged)
{
	const btMultiBody& c = m;
	const btScalar first = c.getLinkMass(1);
	EXPECT_NEAR(first, c.getLinkMass(1), 0);
	EXPECT_NEAR(1 / 3., c.getLink(1).m_mass, 1e-12);
	EXPECT_NEAR(18, c.getLinkInertia(1).y(), 1e-12);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
