/*---
 * tasks: [79D9B4DB619F85EB]
 * tests:
 *   Impulse.TheLinearPartIsScaledAndAdded: 'applyImpulse and internalApplyPushImpulse in the same class; m_linearFactor locks axes (btRigidBody::setLinearFactor).'
 *   Impulse.TheAngularPartIsScaledAndAdded: 'The same; m_angularFactor (btRigidBody::setAngularFactor).'
 *   Impulse.ANegativeImpulseIsTakenAway: 'btSequentialImpulseConstraintSolver: the second body gets the same impulse with the other sign.'
 *   Impulse.ImpulsesAddUp: 'Docstring: "for the iterative solver": it applies small impulses again and again.'
 *   Impulse.TheSplitImpulseStays: 'internalApplyPushImpulse changes the push and turn velocities; this is its counterpart.'
 *   Impulse.ABodyThatCannotMoveStays: 'As internalApplyPushImpulse: no original body stands for one that is static (getOrInitSolverBody).'
 ---*/
#include <gtest/gtest.h>

#include "BulletDynamics/ConstraintSolver/btSolverBody.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"

static void expectVector(const btVector3& v, double x, double y, double z)
{
	EXPECT_NEAR(x, v.x(), 1e-12);
	EXPECT_NEAR(y, v.y(), 1e-12);
	EXPECT_NEAR(z, v.z(), 1e-12);
}

static btSolverBody body(btRigidBody* original)
{
	btSolverBody b;
	b.m_worldTransform.setIdentity();
	b.m_deltaLinearVelocity.setValue(1, 2, 3);
	b.m_deltaAngularVelocity.setValue(4, 5, 6);
	b.m_pushVelocity.setValue(7, 8, 9);
	b.m_turnVelocity.setValue(10, 11, 12);
	b.m_linearFactor.setValue(1, 0.5, 0);
	b.m_angularFactor.setValue(0, 1, 0.25);
	b.m_originalBody = original;
	return b;
}

class Impulse : public testing::Test
{
protected:
	Impulse() : rigid(1, 0, 0) {}
	btRigidBody rigid;
};

TEST_F(Impulse, TheLinearPartIsScaledAndAdded)
{
	btSolverBody b = body(&rigid);
	b.internalApplyImpulse(btVector3(10, 20, 30), btVector3(0, 0, 0), 2);
	expectVector(b.m_deltaLinearVelocity, 1 + 20, 2 + 20, 3);
	expectVector(b.m_deltaAngularVelocity, 4, 5, 6);
}

TEST_F(Impulse, TheAngularPartIsScaledAndAdded)
{
	btSolverBody b = body(&rigid);
	b.internalApplyImpulse(btVector3(0, 0, 0), btVector3(10, 20, 40), 3);
	expectVector(b.m_deltaLinearVelocity, 1, 2, 3);
	expectVector(b.m_deltaAngularVelocity, 4, 5 + 60, 6 + 30);
}

TEST_F(Impulse, ANegativeImpulseIsTakenAway)
{
	btSolverBody b = body(&rigid);
	b.internalApplyImpulse(btVector3(1, 1, 1), btVector3(1, 1, 4), -2);
	expectVector(b.m_deltaLinearVelocity, -1, 1, 3);
	expectVector(b.m_deltaAngularVelocity, 4, 3, 4);
}

TEST_F(Impulse, ImpulsesAddUp)
{
	btSolverBody b = body(&rigid);
	b.internalApplyImpulse(btVector3(1, 2, 3), btVector3(4, 5, 8), 1);
	b.internalApplyImpulse(btVector3(1, 2, 3), btVector3(4, 5, 8), 1);
	expectVector(b.m_deltaLinearVelocity, 3, 4, 3);
	expectVector(b.m_deltaAngularVelocity, 4, 15, 10);
}

TEST_F(Impulse, TheSplitImpulseStays)
{
	btSolverBody b = body(&rigid);
	b.internalApplyImpulse(btVector3(10, 20, 30), btVector3(10, 20, 30), 2);
	expectVector(b.m_pushVelocity, 7, 8, 9);
	expectVector(b.m_turnVelocity, 10, 11, 12);
}

TEST_F(Impulse, ABodyThatCannotMoveStays)
{
	btSolverBody b = body(0);
	b.internalApplyImpulse(btVector3(10, 20, 30), btVector3(10, 20, 30), 2);
	expectVector(b.m_deltaLinearVelocity, 1, 2, 3);
	expectVector(b.m_deltaAngularVelocity, 4, 5, 6);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
