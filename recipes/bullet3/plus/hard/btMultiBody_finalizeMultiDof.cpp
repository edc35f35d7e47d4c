/*---
 * tasks: [btMultiBody.btMultiBody-b7203c.2, btMultiBody.btMultiBody-b7203c.4]
 * tests:
 *   Finalize.VelocitiesAreThereAndZero: 'getVelocityVector, getBaseVel, getJointVel: 6 values of the base and one for each degree of freedom; a new body is at rest.'
 *   Finalize.EachJointHasItsOwnVelocities: 'getJointVelMultiDof: 6 + m_dofOffset; updateLinksDofOffsets.'
 *   Finalize.DeltaVelocitiesAreThereAndZero: 'getDeltaVelocityVector; applyDeltaVeeMultiDof2 adds to each of 6 + getNumDofs().'
 *   Finalize.SplitVelocitiesAreThereAndZero: 'getSplitVelocityVector; applyDeltaSplitVeeMultiDof adds, addSplitV reads.'
 *   Finalize.AgainItClearsTheDeltas: 'The same: callers finalize again after they changed the links.'
 *   Finalize.OffsetsFollowTheLinks: 'updateLinksDofOffsets: offsets by m_dofCount and m_posVarCount in the order of the links.'
 *   Finalize.MoreLinksMayCome: 'setNumLinks: "when changing the number of m_links, make sure to re-initialize or update existing m_links".'
 *   Finalize.TheBuffersHoldWhatTheDynamicsWrite: 'computeAccelerationsArticulatedBodyAlgorithmMultiDof and stepPositionsMultiDof write to m_realBuf, m_vectorBuf and m_matrixBuf; comment on realBuf.'
 *   Finalize.ABaseAloneWillDo: 'btMultiBody: n_links may be 0.'
 *   Finalize.APendulumIsAccelerated: 'The law of motion: torque by inertia about the pivot.'
 *   Finalize.StateOfTheBodyStays: 'Signature: it prepares buffers; positions, masses and forces are set elsewhere.'
 ---*/
#include <cmath>

#include <gtest/gtest.h>

#include "guardalloc.h"

#include "BulletDynamics/Featherstone/btMultiBody.h"

static const btQuaternion kOne(0, 0, 0, 1);

static void revolute(btMultiBody& m, int i, int parent)
{
	m.setupRevolute(i, 1 + i, btVector3(1, 2, 3), parent, kOne, btVector3(0, 0, 1), btVector3(0.5, 0, 0), btVector3(0.5, 0, 0));
}

static btMultiBody* mixed()
{
	btMultiBody* m = new btMultiBody(4, 1, btVector3(1, 1, 1), false, true);
	revolute(*m, 0, -1);
	m->setupSpherical(1, 1, btVector3(1, 2, 3), 0, kOne, btVector3(0, 1, 0), btVector3(0, 1, 0));
	m->setupFixed(2, 1, btVector3(1, 2, 3), 1, kOne, btVector3(0, 1, 0), btVector3(0, 1, 0));
	m->setupPrismatic(3, 1, btVector3(1, 2, 3), 2, kOne, btVector3(1, 0, 0), btVector3(0, 1, 0), btVector3(0, 1, 0), false);
	return m;
}

TEST(Finalize, VelocitiesAreThereAndZero)
{
	btMultiBody* m = mixed();
	m->finalizeMultiDof();
	ASSERT_EQ(5, m->getNumDofs());
	for (int i = 0; i < 11; i++) EXPECT_NEAR(0, m->getVelocityVector()[i], 1e-12) << i;
	EXPECT_NEAR(0, m->getBaseVel().length(), 1e-12);
	EXPECT_NEAR(0, m->getBaseOmega().length(), 1e-12);
	EXPECT_NEAR(0, m->getJointVel(3), 1e-12);
	delete m;
}

TEST(Finalize, EachJointHasItsOwnVelocities)
{
	btMultiBody* m = mixed();
	m->finalizeMultiDof();
	const double v[] = {2, 3, 4};
	m->setBaseOmega(btVector3(-6, -5, -4));
	m->setBaseVel(btVector3(-3, -2, -1));
	m->setJointVel(0, 1);
	m->setJointVelMultiDof(1, v);
	m->setJointVel(3, 5);
	const double want[] = {-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5};
	for (int i = 0; i < 11; i++) EXPECT_NEAR(want[i], m->getVelocityVector()[i], 1e-12) << i;
	m->clearVelocities();
	for (int i = 0; i < 11; i++) EXPECT_NEAR(0, m->getVelocityVector()[i], 1e-12) << i;
	delete m;
	EXPECT_EQ(0, overruns);
}

static void deltas(btMultiBody* m, int n)
{
	double add[32];
	for (int i = 0; i < n; i++) add[i] = i + 1;
	for (int i = 0; i < n; i++)
	{
		EXPECT_NEAR(0, m->getDeltaVelocityVector()[i], 1e-12) << i;
		EXPECT_NEAR(0, m->getSplitVelocityVector()[i], 1e-12) << i;
	}
	m->applyDeltaVeeMultiDof2(add, 2);
	m->applyDeltaSplitVeeMultiDof(add, 3);
	for (int i = 0; i < n; i++)
	{
		EXPECT_NEAR(2 * (i + 1), m->getDeltaVelocityVector()[i], 1e-12) << i;
		EXPECT_NEAR(3 * (i + 1), m->getSplitVelocityVector()[i], 1e-12) << i;
	}
}

TEST(Finalize, DeltaVelocitiesAreThereAndZero)
{
	btMultiBody* m = mixed();
	m->finalizeMultiDof();
	deltas(m, 11);
	m->processDeltaVeeMultiDof2();
	for (int i = 0; i < 11; i++) EXPECT_NEAR(2 * (i + 1), m->getVelocityVector()[i], 1e-12) << i;
	delete m;
	EXPECT_EQ(0, overruns);
}

TEST(Finalize, SplitVelocitiesAreThereAndZero)
{
	btMultiBody* m = mixed();
	m->finalizeMultiDof();
	m->addSplitV();
	for (int i = 0; i < 11; i++) EXPECT_NEAR(0, m->getVelocityVector()[i], 1e-12) << i;
	double add[11] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7};
	m->applyDeltaSplitVeeMultiDof(add, 1);
	m->addSplitV();
	EXPECT_NEAR(7, m->getJointVel(3), 1e-12);
	delete m;
	EXPECT_EQ(0, overruns);
}

TEST(Finalize, AgainItClearsTheDeltas)
{
	btMultiBody* m = mixed();
	for (int again = 0; again < 3; again++)
	{
		m->finalizeMultiDof();
		deltas(m, 11);
	}
	delete m;
}

TEST(Finalize, OffsetsFollowTheLinks)
{
	btMultiBody* m = mixed();
	for (int again = 0; again < 2; again++)
	{
		/* As a link that was replaced. */
		for (int i = 0; i < 4; i++) m->getLink(i).m_dofOffset = m->getLink(i).m_cfgOffset = 77;
		m->finalizeMultiDof();
		const int dof[] = {0, 1, 4, 4}, cfg[] = {0, 1, 5, 5};
		for (int i = 0; i < 4; i++)
		{
			EXPECT_EQ(dof[i], m->getLink(i).m_dofOffset);
			EXPECT_EQ(cfg[i], m->getLink(i).m_cfgOffset);
		}
	}
	delete m;
}

static void dynamics(btMultiBody* m)
{
	btAlignedObjectArray<btScalar> r;
	btAlignedObjectArray<btVector3> v;
	btAlignedObjectArray<btMatrix3x3> x;
	for (int step = 0; step < 2; step++)
	{
		m->addBaseForce(btVector3(1, 2, 3));
		m->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.01, r, v, x, false, false, false);
		m->stepPositionsMultiDof(0.01);
		m->predictPositionsMultiDof(0.01);
		for (int i = 0; i < 6 + m->getNumDofs(); i++) EXPECT_TRUE(std::fabs(m->getVelocityVector()[i]) < 1e6) << i;
	}
	btAlignedObjectArray<btScalar> force, out;
	force.resize(6 + m->getNumDofs(), 1);
	out.resize(6 + m->getNumDofs(), 0);
	m->calcAccelerationDeltasMultiDof(&force[0], &out[0], r, v);
	for (int i = 0; i < out.size(); i++) EXPECT_TRUE(std::fabs(out[i]) < 1e6) << i;
	btAlignedObjectArray<btQuaternion> q;
	m->forwardKinematics(q, v);
}

TEST(Finalize, MoreLinksMayCome)
{
	btMultiBody* m = new btMultiBody(1, 1, btVector3(1, 1, 1), false, true);
	revolute(*m, 0, -1);
	m->finalizeMultiDof();
	dynamics(m);
	m->setNumLinks(5);
	for (int i = 1; i < 5; i++) revolute(*m, i, i - 1);
	m->finalizeMultiDof();
	ASSERT_EQ(5, m->getNumDofs());
	deltas(m, 11);
	m->clearVelocities();
	m->setJointVel(4, 9);
	EXPECT_NEAR(9, m->getVelocityVector()[10], 1e-12);
	m->clearVelocities();
	dynamics(m);
	delete m;
	EXPECT_EQ(0, overruns);
}

TEST(Finalize, TheBuffersHoldWhatTheDynamicsWrite)
{
	btMultiBody* m = mixed();
	m->finalizeMultiDof();
	dynamics(m);
	delete m;
	EXPECT_EQ(0, overruns);
	m = new btMultiBody(6, 1, btVector3(1, 1, 1), true, true);
	for (int i = 0; i < 6; i++) m->setupSpherical(i, 1, btVector3(1, 2, 3), i - 1, kOne, btVector3(0, 1, 0), btVector3(0, 1, 0));
	m->finalizeMultiDof();
	dynamics(m);
	delete m;
	EXPECT_EQ(0, overruns);
}

TEST(Finalize, ABaseAloneWillDo)
{
	btMultiBody* m = new btMultiBody(0, 2, btVector3(1, 1, 1), false, true);
	m->finalizeMultiDof();
	deltas(m, 6);
	m->clearVelocities();
	dynamics(m);
	EXPECT_NEAR((1 + 2) * 0.01 / 2, m->getBaseVel().x(), 1e-4);
	delete m;
	EXPECT_EQ(0, overruns);
}

TEST(Finalize, APendulumIsAccelerated)
{
	btMultiBody* m = new btMultiBody(1, 0, btVector3(0, 0, 0), true, false);
	m->setupRevolute(0, 2, btVector3(1, 1, 3), -1, kOne, btVector3(0, 0, 1), btVector3(0, 0, 0), btVector3(0.5, 0, 0));
	m->finalizeMultiDof();
	m->addJointTorque(0, 7);
	btAlignedObjectArray<btScalar> r;
	btAlignedObjectArray<btVector3> v;
	btAlignedObjectArray<btMatrix3x3> x;
	m->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.01, r, v, x, false, false, false);
	EXPECT_NEAR(0.01 * 7 / (3 + 2 * 0.25), m->getJointVel(0), 1e-9);
	delete m;
	EXPECT_EQ(0, overruns);
}

TEST(Finalize, StateOfTheBodyStays)
{
	btMultiBody* m = mixed();
	m->setBasePos(btVector3(1, 2, 3));
	m->setJointPos(0, 0.5);
	m->addBaseForce(btVector3(4, 5, 6));
	m->finalizeMultiDof();
	EXPECT_NEAR(2, m->getBasePos().y(), 1e-12);
	EXPECT_NEAR(0.5, m->getJointPos(0), 1e-12);
	EXPECT_NEAR(5, m->getBaseForce().y(), 1e-12);
	EXPECT_NEAR(1, m->getLinkMass(3), 1e-12);
	EXPECT_EQ(4, m->getNumLinks());
	EXPECT_EQ(5, m->getNumDofs());
	EXPECT_EQ(6, m->getNumPosVars());
	delete m;
}

int main(int argc, char** argv)
{
	guardAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
