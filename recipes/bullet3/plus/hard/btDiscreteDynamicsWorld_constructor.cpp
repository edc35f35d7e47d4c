/*---
 * tasks: [btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f.4]
 * tests:
 *   Constructor.GravityIsTenDownwards: 'addRigidBody gives it to bodies; btSimpleDynamicsWorld and btMultiBodyDynamicsWorld start with (0, -10, 0) too.'
 *   Constructor.ThePartsAreTheUsers: 'Signature: dispatcher, pairCache; getDispatcher, getBroadphase.'
 *   Constructor.TheGivenSolverIsUsed: 'Signature: constraintSolver; solveConstraints.'
 *   Constructor.TheSolverGetsTheDispatcher: 'btConstraintSolver::solveGroup takes a dispatcher.'
 *   Constructor.WithoutASolverItMakesASequentialOne: 'btSimpleDynamicsWorld: constraintSolver may be null; m_ownsConstraintSolver.'
 *   Constructor.ItsOwnSolverIsOwnedAndTheUsersIsNot: 'Destructor and setConstraintSolver read m_ownsConstraintSolver.'
 *   Constructor.AnIslandManagerIsThere: 'getSimulationIslandManager; m_ownsIslandManager.'
 *   Constructor.SwitchesHaveTheirDefaults: 'getSynchronizeAllMotionStates, getApplySpeculativeContactRestitution, getLatencyMotionStateInterpolation; their comments: "should probably be switched on by default".'
 *   Constructor.TimeStartsAtZero: 'stepSimulation adds to m_localTime before it was set.'
 *   Constructor.MotionStatesStandStillBeforeTheFirstStep: 'synchronizeSingleMotionState reads m_localTime and m_fixedTimeStep.'
 *   Constructor.MotionStatesOfSleepersAreNotSynchronized: 'synchronizeMotionStates reads m_synchronizeAllMotionStates.'
 *   Constructor.TheWorldIsEmpty: 'getNumConstraints, getNonStaticRigidBodies; no callback is set.'
 *   Constructor.TwoWorldsAreApart: 'Each has its own island manager and solver.'
 ---*/
#include "live_memory.h"
#include "world_parts.h"

struct World : public btDiscreteDynamicsWorld
{
	World(Parts& p, btConstraintSolver* s) : btDiscreteDynamicsWorld(&p.dispatcher, &p.broadphase, s, &p.configuration) {}
	bool ownsSolver() const { return m_ownsConstraintSolver; }
	bool ownsManager() const { return m_ownsIslandManager; }
};

/* Made by new, in memory that isn't zero (live_memory.h). */
class Constructor : public testing::Test
{
protected:
	Parts parts;
	Solver solver;
	World* world;
	btSphereShape ball;
	Constructor() : ball(0.5) { world = new World(parts, &solver); }
	~Constructor() { delete world; }
};

TEST_F(Constructor, GravityIsTenDownwards)
{
	expectVector(world->getGravity(), 0, -10, 0, 0);
	btRigidBody body(1, 0, &ball, btVector3(1, 1, 1));
	world->addRigidBody(&body);
	world->stepSimulation(0.5, 0);
	expectVector(body.getLinearVelocity(), 0, -5, 0);
	world->removeRigidBody(&body);
}

TEST_F(Constructor, ThePartsAreTheUsers)
{
	EXPECT_EQ(&parts.dispatcher, world->getDispatcher());
	EXPECT_EQ(&parts.broadphase, world->getBroadphase());
	EXPECT_EQ(parts.broadphase.getOverlappingPairCache(), world->getPairCache());
	EXPECT_EQ(BT_DISCRETE_DYNAMICS_WORLD, world->getWorldType());
}

static void fall(btDiscreteDynamicsWorld& world, btSphereShape& ball)
{
	btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
	btRigidBody body(1, 0, &ball, btVector3(1, 1, 1)), floor(0, 0, &plane);
	body.setWorldTransform(at(0, 0.5, 0));
	body.setLinearVelocity(btVector3(0, -3, 0));
	world.addRigidBody(&floor);
	world.addRigidBody(&body);
	world.stepSimulation(1. / 64, 0);
	EXPECT_NEAR(0, body.getLinearVelocity().y(), 1e-6);
	world.removeRigidBody(&body);
	world.removeRigidBody(&floor);
}

TEST_F(Constructor, TheGivenSolverIsUsed)
{
	EXPECT_EQ(&solver, world->getConstraintSolver());
	fall(*world, ball);
	EXPECT_GT(solver.solved, 0);
	EXPECT_EQ(1, solver.prepared);
	EXPECT_EQ(1, solver.finished);
}

TEST_F(Constructor, TheSolverGetsTheDispatcher)
{
	fall(*world, ball);
	EXPECT_EQ(&parts.dispatcher, solver.dispatcher);
}

TEST_F(Constructor, WithoutASolverItMakesASequentialOne)
{
	World* own = new World(parts, 0);
	ASSERT_TRUE(own->getConstraintSolver() != 0);
	EXPECT_EQ(BT_SEQUENTIAL_IMPULSE_SOLVER, own->getConstraintSolver()->getSolverType());
	fall(*own, ball);
	delete own;
}

TEST_F(Constructor, ItsOwnSolverIsOwnedAndTheUsersIsNot)
{
	EXPECT_FALSE(world->ownsSolver());
	filling = 0;
	World* own = new World(parts, 0);
	filling = 0x41;
	EXPECT_TRUE(own->ownsSolver());
	EXPECT_NE(own->getConstraintSolver(), world->getConstraintSolver());
	/* The one that it made is let go when another is set. */
	own->setConstraintSolver(&solver);
	EXPECT_FALSE(own->ownsSolver());
	fall(*own, ball);
	EXPECT_GT(solver.solved, 0);
	delete own;
}

TEST_F(Constructor, AnIslandManagerIsThere)
{
	ASSERT_TRUE(world->getSimulationIslandManager() != 0);
	EXPECT_TRUE(world->getSimulationIslandManager()->getSplitIslands());
}

TEST_F(Constructor, SwitchesHaveTheirDefaults)
{
	for (int byte = 0; byte < 2; byte++)
	{
		filling = byte;
		World* fresh = new World(parts, &solver);
		filling = 0x41;
		EXPECT_FALSE(fresh->getSynchronizeAllMotionStates());
		EXPECT_FALSE(fresh->getApplySpeculativeContactRestitution());
		EXPECT_TRUE(fresh->getLatencyMotionStateInterpolation());
		EXPECT_FALSE(fresh->ownsSolver());
		EXPECT_TRUE(fresh->ownsManager());
		delete fresh;
	}
}

TEST_F(Constructor, TimeStartsAtZero)
{
	EXPECT_EQ(0, world->stepSimulation(0.125, 4, 0.25));
	EXPECT_EQ(1, world->stepSimulation(0.125, 4, 0.25));
	EXPECT_EQ(0, world->stepSimulation(0.125, 4, 0.25));
}

struct State : public btMotionState
{
	btTransform transform;
	int set;
	State(const btTransform& t) : transform(t), set(0) {}
	virtual void getWorldTransform(btTransform& t) const { t = transform; }
	virtual void setWorldTransform(const btTransform& t)
	{
		transform = t;
		set++;
	}
};

TEST_F(Constructor, MotionStatesStandStillBeforeTheFirstStep)
{
	State state(at(1, 2, 3));
	btRigidBody body(1, &state, &ball, btVector3(1, 1, 1));
	body.setLinearVelocity(btVector3(100, 0, 0));
	body.setInterpolationLinearVelocity(btVector3(100, 0, 0));
	world->addRigidBody(&body);
	world->synchronizeMotionStates();
	EXPECT_EQ(1, state.set);
	expectVector(state.transform.getOrigin(), 1, 2, 3);
	world->removeRigidBody(&body);
}

TEST_F(Constructor, MotionStatesOfSleepersAreNotSynchronized)
{
	State state(at(1, 2, 3));
	btRigidBody body(1, &state, &ball, btVector3(1, 1, 1));
	world->addRigidBody(&body);
	body.forceActivationState(ISLAND_SLEEPING);
	world->synchronizeMotionStates();
	EXPECT_EQ(0, state.set);
	world->setSynchronizeAllMotionStates(true);
	world->synchronizeMotionStates();
	EXPECT_EQ(1, state.set);
	world->removeRigidBody(&body);
}

TEST_F(Constructor, TheWorldIsEmpty)
{
	EXPECT_EQ(0, world->getNumConstraints());
	EXPECT_EQ(0, world->getNumCollisionObjects());
	EXPECT_EQ(0, world->getNonStaticRigidBodies().size());
	EXPECT_TRUE(world->getDebugDrawer() == 0);
	EXPECT_TRUE(world->getWorldUserInfo() == 0);
	EXPECT_EQ(1, world->stepSimulation(0.25, 0));
}

TEST_F(Constructor, TwoWorldsAreApart)
{
	Parts otherParts;
	World* first = new World(parts, 0);
	World* second = new World(otherParts, 0);
	EXPECT_NE(first->getSimulationIslandManager(), second->getSimulationIslandManager());
	EXPECT_NE(first->getConstraintSolver(), second->getConstraintSolver());
	second->setGravity(btVector3(1, 1, 1));
	expectVector(first->getGravity(), 0, -10, 0, 0);
	delete first;
	fall(*second, ball);
	delete second;
}

int main(int argc, char** argv)
{
	countBullet();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
