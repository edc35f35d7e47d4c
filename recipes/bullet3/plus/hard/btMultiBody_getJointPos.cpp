/*---
 * tasks: [btMultiBody.btMultiBody-b7203c.4]
 * tests:
 *   JointPos.ANewJointIsAtZero: 'setupRevolute and setupPrismatic set m_jointPos[0] to 0.'
 *   JointPos.EachLinkHasItsOwn: 'Header: "get/set pos/vel for child m_links (i = 0 to num_links-1)"; setJointPos.'
 *   JointPos.ItIsTheFirstOfMany: 'getJointPosMultiDof gives all of a link''s coordinates, setJointPos sets the first.'
 *   JointPos.ItIsAPositionNotAVelocity: 'getJointVel, its sibling.'
 *   JointPos.ItFollowsTheMotion: 'stepPositionsMultiDof moves the joint by velocity times time; btMultiBodyJointLimitConstraint reads it.'
 *   JointPos.ItIsNotWrapped: 'btMultiBodyJointLimitConstraint: the distance to the limits, of more than a turn as well.'
 ---*/
#include <gtest/gtest.h>

#include "BulletDynamics/Featherstone/btMultiBody.h"

static const btQuaternion kOne(0, 0, 0, 1);

class JointPos : public testing::Test
{
protected:
	btMultiBody m;
	JointPos() : m(4, 1, btVector3(1, 1, 1), true, false)
	{
		m.setupSpherical(0, 1, btVector3(1, 1, 1), -1, kOne, btVector3(3, 0, 0), btVector3(4, 0, 0));
		m.setupRevolute(1, 1, btVector3(1, 1, 1), 0, kOne, btVector3(0, 0, 1), btVector3(3, 0, 0), btVector3(4, 0, 0));
		m.setupPrismatic(2, 1, btVector3(1, 1, 1), 1, kOne, btVector3(1, 0, 0), btVector3(3, 0, 0), btVector3(4, 0, 0), false);
		m.setupPlanar(3, 1, btVector3(1, 1, 1), 2, kOne, btVector3(0, 0, 1), btVector3(3, 0, 0));
		m.finalizeMultiDof();
		m.clearVelocities();
	}
};

TEST_F(JointPos, ANewJointIsAtZero)
{
	for (int i = 0; i < 4; i++) EXPECT_NEAR(0, m.getJointPos(i), 1e-12);
}

TEST_F(JointPos, EachLinkHasItsOwn)
{
	m.setJointPos(1, 0.25);
	m.setJointPos(2, -3);
	EXPECT_NEAR(0.25, m.getJointPos(1), 1e-12);
	EXPECT_NEAR(-3, m.getJointPos(2), 1e-12);
	EXPECT_NEAR(0, m.getJointPos(0), 1e-12);
	m.setJointPos(1, 0.75);
	EXPECT_NEAR(0.75, m.getJointPos(1), 1e-12);
	EXPECT_NEAR(-3, m.getJointPos(2), 1e-12);
}

TEST_F(JointPos, ItIsTheFirstOfMany)
{
	const double planar[] = {0.1, 0.2, 0.3}, ball[] = {0.5, -0.5, 0.5, 0.5};
	m.setJointPosMultiDof(3, planar);
	m.setJointPosMultiDof(0, ball);
	EXPECT_NEAR(0.1, m.getJointPos(3), 1e-12);
	EXPECT_NEAR(0.5, m.getJointPos(0), 1e-12);
	m.getJointPosMultiDof(3)[0] = 4;
	EXPECT_NEAR(4, m.getJointPos(3), 1e-12);
	EXPECT_NEAR(0.2, m.getJointPosMultiDof(3)[1], 1e-12);
}

TEST_F(JointPos, ItIsAPositionNotAVelocity)
{
	m.setJointVel(1, 8);
	m.setJointPos(1, 2);
	const btMultiBody& c = m;
	EXPECT_NEAR(2, c.getJointPos(1), 1e-12);
	EXPECT_NEAR(8, c.getJointVel(1), 1e-12);
	m.addJointTorque(1, 5);
	EXPECT_NEAR(2, c.getJointPos(1), 1e-12);
}

TEST_F(JointPos, ItFollowsTheMotion)
{
	m.setJointPos(1, 1);
	m.setJointVel(1, 3);
	m.setJointVel(2, -2);
	m.predictPositionsMultiDof(0.1);
	EXPECT_NEAR(1, m.getJointPos(1), 1e-12);
	m.stepPositionsMultiDof(0.1);
	EXPECT_NEAR(1.3, m.getJointPos(1), 1e-12);
	EXPECT_NEAR(-0.2, m.getJointPos(2), 1e-12);
}

TEST_F(JointPos, ItIsNotWrapped)
{
	m.setJointPos(1, 10);
	EXPECT_NEAR(10, m.getJointPos(1), 1e-12);
	m.setJointPos(1, -7);
	EXPECT_NEAR(-7, m.getJointPos(1), 1e-12);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
