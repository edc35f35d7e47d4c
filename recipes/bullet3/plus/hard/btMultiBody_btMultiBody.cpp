/*---
 * tasks: [btMultiBody.btMultiBody-b7203c, btMultiBody.btMultiBody-b7203c.2, btMultiBody.btMultiBody-b7203c.4]
 * tests:
 *   NewMultiBody.TheParametersAreKept: 'Header: n_links "NOT including the base", mass and inertia of the base, fixedBase, canSleep.'
 *   NewMultiBody.ABaseAloneWillDo: 'Header: n_links may be 0 (btMultiBodyWorldImporter, examples).'
 *   NewMultiBody.TheBaseIsAtTheOrigin: 'getBasePos, getWorldToBaseRot and the interpolated ones are read before they are set (stepPositionsMultiDof, predictPositionsMultiDof).'
 *   NewMultiBody.LinksAddTheirDegreesOfFreedom: 'setupRevolute, setupSpherical, ... add to m_dofCount and m_posVarCnt.'
 *   NewMultiBody.NothingIsAttached: 'Comments: the base collider "can be NULL", the name and the user pointer are the user''s.'
 *   NewMultiBody.IndicesAreUnset: 'btMultiBodyConstraintSolver takes a companion id below 0 for none; user indices as btCollisionObject''s: -1.'
 *   NewMultiBody.IsAwakeAndCanWakeUp: 'checkMotionAndSleepIfRequired, setCanSleep (which m_canWakeup allows), btMultiBodyDynamicsWorld.'
 *   NewMultiBody.FallsAsleepAfterTheInitialTimeout: 'INITIAL_SLEEP_TIMEOUT: 2 seconds; the timer starts at 0.'
 *   NewMultiBody.SleepsBelowTheInitialThreshold: 'INITIAL_SLEEP_EPSILON: 0.05, a squared velocity.'
 *   NewMultiBody.NeverSleepsWhereItMust: 'Header: canSleep; checkMotionAndSleepIfRequired.'
 *   NewMultiBody.NoForcesActYet: 'clearForcesAndTorques, clearConstraintForces; addBaseForce adds to what is there.'
 *   NewMultiBody.OptionsAreAtTheirDefaults: 'useRK4Integration, useGlobalVelocities, setPosUpdated and others switch on what is off; gyroscopic terms and self collision are on (btMultiBodyDynamicsWorld, URDF2Bullet).'
 *   NewMultiBody.LimitsLeaveItRoomToMove: 'applyDeltaVeeMultiDof clamps to m_maxCoordinateVelocity; damping takes a part of the velocity.'
 *   NewMultiBody.NoInertiaIsCached: 'solveImatrix asks m_cachedInertiaValid before it uses the cached inertia.'
 *   NewMultiBody.TheDeprecatedParameterChangesNothing: 'Header: "deprecatedMultiDof".'
 ---*/
#include <cstring>
#include <new>

#include <gtest/gtest.h>

#include "guardalloc.h"

#define private public
#include "BulletDynamics/Featherstone/btMultiBody.h"
#undef private

/* A multibody in memory that holds what was there before. */
class Made
{
public:
	btMultiBody* b;
	Made(int fill, int links, btScalar mass = 2, bool fixedBase = false, bool canSleep = true)
	{
		mem = btAlignedAlloc(sizeof(btMultiBody), 16);
		memset(mem, fill, sizeof(btMultiBody));
		b = new (mem) btMultiBody(links, mass, btVector3(3, 4, 5), fixedBase, canSleep);
	}
	~Made()
	{
		b->~btMultiBody();
		btAlignedFree(mem);
	}

private:
	void* mem;
};
static const int kFills[] = {0x01, 0xff, 0x00};

static void expectVector(const btVector3& v, double x, double y, double z)
{
	EXPECT_NEAR(x, v.x(), 1e-12);
	EXPECT_NEAR(y, v.y(), 1e-12);
	EXPECT_NEAR(z, v.z(), 1e-12);
}

static void expectIdentity(const btQuaternion& q)
{
	EXPECT_NEAR(0, q.x(), 1e-12);
	EXPECT_NEAR(0, q.y(), 1e-12);
	EXPECT_NEAR(0, q.z(), 1e-12);
	EXPECT_NEAR(1, q.w(), 1e-12);
}

TEST(NewMultiBody, TheParametersAreKept)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 3, 7, false, true), n(kFills[i], 1, 8, true, false);
		EXPECT_EQ(3, m.b->getNumLinks());
		EXPECT_EQ(1, n.b->getNumLinks());
		EXPECT_NEAR(7, m.b->getBaseMass(), 1e-12);
		EXPECT_NEAR(8, n.b->getBaseMass(), 1e-12);
		expectVector(m.b->getBaseInertia(), 3, 4, 5);
		EXPECT_FALSE(m.b->hasFixedBase());
		EXPECT_TRUE(n.b->hasFixedBase());
		EXPECT_TRUE(m.b->getCanSleep());
		EXPECT_FALSE(n.b->getCanSleep());
	}
}

TEST(NewMultiBody, ABaseAloneWillDo)
{
	Made m(0x01, 0);
	EXPECT_EQ(0, m.b->getNumLinks());
	EXPECT_EQ(0, m.b->getNumDofs());
	EXPECT_EQ(0, m.b->getNumPosVars());
	m.b->finalizeMultiDof();
	m.b->clearVelocities();
	btAlignedObjectArray<btQuaternion> q;
	btAlignedObjectArray<btVector3> p;
	m.b->forwardKinematics(q, p);
	EXPECT_EQ(1, q.size());
}

TEST(NewMultiBody, TheBaseIsAtTheOrigin)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1);
		expectVector(m.b->getBasePos(), 0, 0, 0);
		expectVector(m.b->getInterpolateBasePos(), 0, 0, 0);
		expectIdentity(m.b->getWorldToBaseRot());
		expectIdentity(m.b->getInterpolateWorldToBaseRot());
	}
}

TEST(NewMultiBody, LinksAddTheirDegreesOfFreedom)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 2);
		EXPECT_EQ(0, m.b->getNumDofs());
		EXPECT_EQ(0, m.b->getNumPosVars());
		for (int k = 0; k < 2; k++)
		{
			EXPECT_EQ(-1, m.b->getParent(k));
			EXPECT_TRUE(m.b->getLinkCollider(k) == 0);
			EXPECT_EQ(btMultibodyLink::eInvalid, m.b->getLink(k).m_jointType);
		}
		m.b->setupRevolute(0, 1, btVector3(1, 1, 1), -1, btQuaternion::getIdentity(), btVector3(0, 0, 1), btVector3(0, 0, 0), btVector3(1, 0, 0));
		m.b->setupSpherical(1, 1, btVector3(1, 1, 1), 0, btQuaternion::getIdentity(), btVector3(0, 0, 0), btVector3(1, 0, 0));
		EXPECT_EQ(4, m.b->getNumDofs());
		EXPECT_EQ(5, m.b->getNumPosVars());
	}
}

TEST(NewMultiBody, NothingIsAttached)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1);
		EXPECT_TRUE(m.b->getBaseCollider() == 0);
		EXPECT_TRUE(m.b->getBaseName() == 0);
		EXPECT_TRUE(m.b->getUserPointer() == 0);
	}
}

TEST(NewMultiBody, IndicesAreUnset)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1);
		EXPECT_EQ(-1, m.b->getCompanionId());
		EXPECT_EQ(-1, m.b->getUserIndex());
		EXPECT_EQ(-1, m.b->getUserIndex2());
	}
}

TEST(NewMultiBody, IsAwakeAndCanWakeUp)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1), still(kFills[i], 1, 1, true, false);
		EXPECT_TRUE(m.b->isAwake());
		EXPECT_TRUE(still.b->isAwake());
		EXPECT_TRUE(m.b->getCanWakeup());
		EXPECT_TRUE(still.b->getCanWakeup());
		still.b->setCanSleep(true);
		EXPECT_TRUE(still.b->getCanSleep());
		m.b->setCanSleep(false);
		EXPECT_FALSE(m.b->getCanSleep());
	}
}

TEST(NewMultiBody, FallsAsleepAfterTheInitialTimeout)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 0);
		m.b->finalizeMultiDof();
		m.b->clearVelocities();
		m.b->checkMotionAndSleepIfRequired(1);
		m.b->checkMotionAndSleepIfRequired(0.9);
		EXPECT_TRUE(m.b->isAwake());
		m.b->checkMotionAndSleepIfRequired(0.2);
		EXPECT_FALSE(m.b->isAwake());
		/* It wakes up where it moves. */
		m.b->setBaseVel(btVector3(1, 0, 0));
		m.b->checkMotionAndSleepIfRequired(0.1);
		EXPECT_TRUE(m.b->isAwake());
	}
}

TEST(NewMultiBody, SleepsBelowTheInitialThreshold)
{
	for (int slow = 0; slow < 2; slow++)
	{
		Made m(0x01, 0);
		m.b->finalizeMultiDof();
		m.b->clearVelocities();
		m.b->setBaseVel(btVector3(slow ? 0.2 : 0.25, 0, 0));
		for (int k = 0; k < 4; k++) m.b->checkMotionAndSleepIfRequired(1);
		EXPECT_EQ(!slow, m.b->isAwake());
	}
}

TEST(NewMultiBody, NeverSleepsWhereItMust)
{
	Made m(0x01, 0, 2, false, false);
	m.b->finalizeMultiDof();
	m.b->clearVelocities();
	for (int k = 0; k < 5; k++) m.b->checkMotionAndSleepIfRequired(1);
	EXPECT_TRUE(m.b->isAwake());
}

TEST(NewMultiBody, NoForcesActYet)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 2);
		expectVector(m.b->getBaseForce(), 0, 0, 0);
		expectVector(m.b->getBaseTorque(), 0, 0, 0);
		expectVector(m.b->m_baseConstraintForce, 0, 0, 0);
		expectVector(m.b->m_baseConstraintTorque, 0, 0, 0);
		for (int k = 0; k < 2; k++)
		{
			expectVector(m.b->getLinkForce(k), 0, 0, 0);
			expectVector(m.b->getLinkTorque(k), 0, 0, 0);
			expectVector(m.b->getLink(k).m_appliedConstraintForce, 0, 0, 0);
			expectVector(m.b->getLink(k).m_appliedConstraintTorque, 0, 0, 0);
			EXPECT_NEAR(0, m.b->getJointTorque(k), 1e-12);
		}
		m.b->addBaseForce(btVector3(1, 2, 3));
		expectVector(m.b->getBaseForce(), 1, 2, 3);
	}
}

TEST(NewMultiBody, OptionsAreAtTheirDefaults)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1);
		EXPECT_TRUE(m.b->getUseGyroTerm());
		EXPECT_TRUE(m.b->hasSelfCollision());
		EXPECT_FALSE(m.b->isPosUpdated());
		EXPECT_FALSE(m.b->isUsingRK4Integration());
		EXPECT_FALSE(m.b->isUsingGlobalVelocities());
		EXPECT_FALSE(m.b->internalNeedsJointFeedback());
		EXPECT_FALSE(m.b->m_kinematic_calculate_velocity);
	}
}

TEST(NewMultiBody, LimitsLeaveItRoomToMove)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1);
		/* The values are its own choice. */
		EXPECT_GE(m.b->getLinearDamping(), 0);
		EXPECT_LT(m.b->getLinearDamping(), 0.5);
		EXPECT_GE(m.b->getAngularDamping(), 0);
		EXPECT_LT(m.b->getAngularDamping(), 0.5);
		EXPECT_GT(m.b->getMaxCoordinateVelocity(), 1);
		EXPECT_LT(m.b->getMaxCoordinateVelocity(), 1e31);
		EXPECT_GT(m.b->getMaxAppliedImpulse(), 1);
		EXPECT_LT(m.b->getMaxAppliedImpulse(), 1e31);
	}
}

TEST(NewMultiBody, NoInertiaIsCached)
{
	for (int i = 0; i < 3; i++)
	{
		Made m(kFills[i], 1);
		EXPECT_FALSE(m.b->m_cachedInertiaValid);
	}
}

TEST(NewMultiBody, TheDeprecatedParameterChangesNothing)
{
	const int before = held;
	btMultiBody* m = new btMultiBody(2, 1, btVector3(1, 2, 3), true, false, false);
	EXPECT_EQ(2, m->getNumLinks());
	EXPECT_TRUE(m->hasFixedBase());
	m->setupRevolute(0, 1, btVector3(1, 1, 1), -1, btQuaternion::getIdentity(), btVector3(0, 0, 1), btVector3(0, 0, 0), btVector3(1, 0, 0));
	m->setupRevolute(1, 1, btVector3(1, 1, 1), 0, btQuaternion::getIdentity(), btVector3(0, 0, 1), btVector3(0, 0, 0), btVector3(1, 0, 0));
	m->finalizeMultiDof();
	EXPECT_EQ(2, m->getNumDofs());
	delete m;
	EXPECT_EQ(before, held);
	EXPECT_EQ(0, overruns);
}

int main(int argc, char** argv)
{
	guardAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
