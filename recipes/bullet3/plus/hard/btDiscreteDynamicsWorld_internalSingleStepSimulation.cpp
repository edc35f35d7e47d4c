/*---
 * tasks: [btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f, btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f.2, btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f.4]
 * tests:
 *   SingleStep.EveryStageRunsOnceWithTheTimeStep: 'Header: the stages are virtual and take timeStep; btSoftRigidDynamicsWorld overrides predictUnconstraintMotion and relies on its call.'
 *   SingleStep.StagesFollowEachOther: 'Sibling btDeformableMultiBodyDynamicsWorld::internalSingleStepSimulation: predict, detect, islands, solve, integrate, actions, activation.'
 *   SingleStep.ASecondStepIsLikeTheFirst: 'Caller stepSimulation: one call for each substep.'
 *   SingleStep.ThePreTickIsCalledFirst: 'btDynamicsWorld::setInternalTickCallback: isPreTick; the sibling calls it before all else.'
 *   SingleStep.TheTickIsCalledLast: 'btDynamicsWorld::setInternalTickCallback: "when an internal tick (simulation substep) happens"; btSoftRigidDynamicsWorld goes on after this call.'
 *   SingleStep.TheTickGetsTheWorldAndTheTimeStep: 'btInternalTickCallback(world, timeStep).'
 *   SingleStep.TheDispatchInfoIsSet: 'btDispatcherInfo: m_timeStep, m_stepCount, m_debugDraw; btCollisionWorld::getDispatchInfo is read by the algorithms.'
 *   SingleStep.DetectionSeesThisStepsInfo: 'performDiscreteCollisionDetection reads getDispatchInfo.'
 *   SingleStep.TheSolverGetsTheTimeStep: 'btContactSolverInfo::m_timeStep; the solver divides by it.'
 *   SingleStep.OtherSettingsOfTheSolverStay: 'getSolverInfo is set by the user.'
 *   SingleStep.AFreeBodyMovesByItsVelocity: 'stepSimulation: "proceeds the simulation over timeStep"; velocity first, then place.'
 *   SingleStep.ForcesActForTheTimeStep: 'btRigidBody::applyCentralForce; clearForces is for the caller ("clear this after each timestep").'
 *   SingleStep.DampingActsOnce: 'btRigidBody::applyDamping in predictUnconstraintMotion.'
 *   SingleStep.AContactIsSolvedInTheStepThatFindsIt: 'Comments in the sibling: collision detection, then "solve contact constraints".'
 *   SingleStep.AFastBodyIsStoppedByAPredictedContact: 'createPredictiveContacts; btDiscreteDynamicsWorld::calculateSimulationIslands and the solver use its manifolds.'
 *   SingleStep.AnActionSeesTheMovedBody: 'Sibling: integrateTransforms, then "update vehicle simulation".'
 *   SingleStep.ARestingBodyGetsSleepy: 'updateActivationState; btRigidBody::updateDeactivation adds timeStep.'
 *   SingleStep.BoundsCoverThePredictedPlace: 'btCollisionWorld::updateSingleAabb adds the predicted transform where m_useContinuous is set.'
 ---*/
#include "world_parts.h"

struct World : public btDiscreteDynamicsWorld
{
	std::string log;
	btAlignedObjectArray<btScalar> steps;
	btDispatcherInfo seen;
	World(Parts& p, btConstraintSolver* s) : btDiscreteDynamicsWorld(&p.dispatcher, &p.broadphase, s, &p.configuration) {}
	void step(btScalar timeStep) { internalSingleStepSimulation(timeStep); }
	void note(char c, btScalar timeStep)
	{
		log += c;
		steps.push_back(timeStep);
	}
	virtual void predictUnconstraintMotion(btScalar timeStep)
	{
		note('p', timeStep);
		btDiscreteDynamicsWorld::predictUnconstraintMotion(timeStep);
	}
	virtual void createPredictiveContacts(btScalar timeStep)
	{
		note('c', timeStep);
		btDiscreteDynamicsWorld::createPredictiveContacts(timeStep);
	}
	virtual void performDiscreteCollisionDetection()
	{
		log += 'd';
		seen = getDispatchInfo();
		btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
	}
	virtual void calculateSimulationIslands()
	{
		log += 'i';
		btDiscreteDynamicsWorld::calculateSimulationIslands();
	}
	virtual void solveConstraints(btContactSolverInfo& info)
	{
		note('s', info.m_timeStep);
		btDiscreteDynamicsWorld::solveConstraints(info);
	}
	virtual void integrateTransforms(btScalar timeStep)
	{
		note('t', timeStep);
		btDiscreteDynamicsWorld::integrateTransforms(timeStep);
	}
	virtual void updateActivationState(btScalar timeStep)
	{
		note('v', timeStep);
		btDiscreteDynamicsWorld::updateActivationState(timeStep);
	}
};

struct Action : public btActionInterface
{
	btRigidBody* body;
	btVector3 place;
	int calls;
	Action(btRigidBody* b) : body(b), calls(0) {}
	virtual void updateAction(btCollisionWorld* world, btScalar timeStep)
	{
		calls++;
		place = body->getWorldTransform().getOrigin();
		static_cast<World*>(static_cast<btDynamicsWorld*>(world))->note('a', timeStep);
	}
	virtual void debugDraw(btIDebugDraw*) {}
};

static int preTicks, ticks;
static void preTick(btDynamicsWorld* world, btScalar timeStep)
{
	preTicks++;
	static_cast<World*>(world)->note('<', timeStep);
}
static void tick(btDynamicsWorld* world, btScalar timeStep)
{
	ticks++;
	static_cast<World*>(world)->note('>', timeStep);
}

class SingleStep : public testing::Test
{
protected:
	Parts parts;
	Solver solver;
	World world;
	btSphereShape ball;
	btRigidBody body;
	SingleStep() : world(parts, &solver), ball(0.5), body(2, 0, &ball, btVector3(1, 1, 1))
	{
		preTicks = ticks = 0;
		world.setGravity(btVector3(0, 0, 0));
		world.addRigidBody(&body);
	}
	~SingleStep()
	{
		world.removeRigidBody(&body);
	}
	size_t when(char c) { return world.log.find(c); }
	int times(char c)
	{
		int n = 0;
		for (size_t i = 0; i < world.log.size(); i++)
			n += world.log[i] == c;
		return n;
	}
};

TEST_F(SingleStep, EveryStageRunsOnceWithTheTimeStep)
{
	Action action(&body);
	world.addAction(&action);
	world.setInternalTickCallback(preTick, 0, true);
	world.setInternalTickCallback(tick);
	world.step(0.03125);
	const char* all = "<pcdistav>";
	for (const char* c = all; *c; c++)
		EXPECT_EQ(1, times(*c)) << *c;
	for (int i = 0; i < world.steps.size(); i++)
		EXPECT_EQ(0.03125, world.steps[i]);
	EXPECT_EQ(1, solver.prepared);
	EXPECT_EQ(1, solver.finished);
	world.removeAction(&action);
}

TEST_F(SingleStep, StagesFollowEachOther)
{
	Action action(&body);
	world.addAction(&action);
	world.step(0.25);
	EXPECT_LT(when('p'), when('d'));
	EXPECT_LT(when('c'), when('i'));
	EXPECT_LT(when('p'), when('c'));
	EXPECT_LT(when('d'), when('i'));
	EXPECT_LT(when('i'), when('s'));
	EXPECT_LT(when('s'), when('t'));
	EXPECT_LT(when('t'), when('a'));
	EXPECT_LT(when('a'), when('v'));
	world.removeAction(&action);
}

TEST_F(SingleStep, ASecondStepIsLikeTheFirst)
{
	world.setInternalTickCallback(preTick, 0, true);
	world.setInternalTickCallback(tick);
	world.step(0.25);
	const std::string first = world.log;
	world.log = "";
	world.steps.resize(0);
	world.step(0.125);
	EXPECT_EQ(first, world.log);
	for (int i = 0; i < world.steps.size(); i++)
		EXPECT_EQ(0.125, world.steps[i]);
	EXPECT_EQ(2, preTicks);
	EXPECT_EQ(2, ticks);
}

static btVector3 placeAtTick;
static btVector3 velocityAtTick;
static void look(btDynamicsWorld* world, btScalar)
{
	const btRigidBody* b = btRigidBody::upcast(world->getCollisionObjectArray()[0]);
	placeAtTick = b->getWorldTransform().getOrigin();
	velocityAtTick = b->getLinearVelocity();
}
static void push(btDynamicsWorld* world, btScalar)
{
	btRigidBody::upcast(world->getCollisionObjectArray()[0])->applyCentralForce(btVector3(0, 8, 0));
}

TEST_F(SingleStep, ThePreTickIsCalledFirst)
{
	world.setInternalTickCallback(preTick, 0, true);
	world.step(0.25);
	EXPECT_EQ('<', world.log[0]);
	EXPECT_EQ(0, ticks);
	/* A force that it applies acts in this step. */
	world.setInternalTickCallback(push, 0, true);
	world.step(0.5);
	expectVector(body.getLinearVelocity(), 0, 2, 0);
	expectVector(body.getWorldTransform().getOrigin(), 0, 1, 0);
}

TEST_F(SingleStep, TheTickIsCalledLast)
{
	world.setInternalTickCallback(tick);
	world.step(0.25);
	EXPECT_EQ('>', world.log[world.log.size() - 1]);
	EXPECT_EQ(0, preTicks);
	body.applyCentralForce(btVector3(4, 0, 0));
	world.setInternalTickCallback(look);
	world.step(0.5);
	expectVector(velocityAtTick, 1, 0, 0);
	expectVector(placeAtTick, 0.5, 0, 0);
}

static btDynamicsWorld* tickWorld;
static btScalar tickStep;
static void remember(btDynamicsWorld* world, btScalar timeStep)
{
	tickWorld = world;
	tickStep = timeStep;
}

TEST_F(SingleStep, TheTickGetsTheWorldAndTheTimeStep)
{
	for (int pre = 0; pre < 2; pre++)
	{
		tickWorld = 0;
		tickStep = -1;
		world.setInternalTickCallback(0);
		world.setInternalTickCallback(remember, 0, pre == 1);
		world.step(0.0625);
		EXPECT_EQ(&world, tickWorld);
		EXPECT_EQ(0.0625, tickStep);
	}
}

TEST_F(SingleStep, TheDispatchInfoIsSet)
{
	Drawer drawer;
	btDispatcherInfo& info = world.getDispatchInfo();
	info.m_stepCount = 7;
	info.m_timeStep = 5;
	info.m_allowedCcdPenetration = 0.125;
	world.setDebugDrawer(&drawer);
	world.step(0.25);
	EXPECT_EQ(0.25, info.m_timeStep);
	EXPECT_EQ(0, info.m_stepCount);
	EXPECT_EQ(&drawer, info.m_debugDraw);
	EXPECT_EQ(0.125, info.m_allowedCcdPenetration);
	world.setDebugDrawer(0);
	world.step(0.125);
	EXPECT_EQ(0.125, info.m_timeStep);
	EXPECT_EQ(0, info.m_stepCount);
	EXPECT_TRUE(info.m_debugDraw == 0);
}

TEST_F(SingleStep, DetectionSeesThisStepsInfo)
{
	Drawer drawer;
	world.setDebugDrawer(&drawer);
	world.getDispatchInfo().m_stepCount = 3;
	world.step(0.25);
	EXPECT_EQ(0.25, world.seen.m_timeStep);
	EXPECT_EQ(0, world.seen.m_stepCount);
	EXPECT_EQ(&drawer, world.seen.m_debugDraw);
	world.setDebugDrawer(0);
}

TEST_F(SingleStep, TheSolverGetsTheTimeStep)
{
	btSphereShape other(0.5);
	btRigidBody second(1, 0, &other, btVector3(1, 1, 1));
	second.setWorldTransform(at(0.9, 0, 0));
	world.addRigidBody(&second);
	world.step(0.03125);
	EXPECT_GT(solver.solved, 0);
	EXPECT_EQ(0.03125, solver.timeStep);
	EXPECT_EQ(0.03125, world.getSolverInfo().m_timeStep);
	world.step(0.0625);
	EXPECT_EQ(0.0625, solver.timeStep);
	EXPECT_EQ(0.0625, world.getSolverInfo().m_timeStep);
	world.removeRigidBody(&second);
}

TEST_F(SingleStep, OtherSettingsOfTheSolverStay)
{
	world.getSolverInfo().m_numIterations = 33;
	world.getSolverInfo().m_erp = 0.375;
	world.getSolverInfo().m_solverMode = SOLVER_SIMD;
	world.step(0.25);
	EXPECT_EQ(33, world.getSolverInfo().m_numIterations);
	EXPECT_EQ(0.375, world.getSolverInfo().m_erp);
	EXPECT_EQ(SOLVER_SIMD, world.getSolverInfo().m_solverMode);
}

TEST_F(SingleStep, AFreeBodyMovesByItsVelocity)
{
	body.setLinearVelocity(btVector3(1, 2, -3));
	world.step(0.25);
	expectVector(body.getWorldTransform().getOrigin(), 0.25, 0.5, -0.75);
	expectVector(body.getLinearVelocity(), 1, 2, -3);
	world.step(0.5);
	expectVector(body.getWorldTransform().getOrigin(), 0.75, 1.5, -2.25);
}

TEST_F(SingleStep, ForcesActForTheTimeStep)
{
	body.applyCentralForce(btVector3(0, 0, 6));
	world.step(0.5);
	expectVector(body.getLinearVelocity(), 0, 0, 1.5);
	expectVector(body.getWorldTransform().getOrigin(), 0, 0, 0.75);
	/* The force stays until the caller clears it. */
	expectVector(body.getTotalForce(), 0, 0, 6);
	world.step(0.5);
	expectVector(body.getLinearVelocity(), 0, 0, 3);
	expectVector(body.getWorldTransform().getOrigin(), 0, 0, 2.25);
}

TEST_F(SingleStep, DampingActsOnce)
{
	body.setDamping(0.36, 0);
	body.setLinearVelocity(btVector3(10, 0, 0));
	world.step(0.5);
	expectVector(body.getLinearVelocity(), 8, 0, 0);
	expectVector(body.getWorldTransform().getOrigin(), 4, 0, 0);
}

TEST_F(SingleStep, AContactIsSolvedInTheStepThatFindsIt)
{
	btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
	btRigidBody floor(0, 0, &plane);
	world.addRigidBody(&floor);
	body.setWorldTransform(at(0, 0.5, 0));
	body.setLinearVelocity(btVector3(0, -2, 0));
	world.step(1. / 64);
	EXPECT_NEAR(0, body.getLinearVelocity().y(), 1e-6);
	EXPECT_NEAR(0.5, body.getWorldTransform().getOrigin().y(), 1e-6);
	EXPECT_EQ(1, parts.dispatcher.getNumManifolds());
	world.removeRigidBody(&floor);
}

TEST_F(SingleStep, AFastBodyIsStoppedByAPredictedContact)
{
	btBoxShape box(btVector3(0.01, 5, 5));
	btRigidBody wall(0, 0, &box);
	wall.setWorldTransform(at(4, 0, 0));
	world.addRigidBody(&wall);
	body.setCcdMotionThreshold(0.5);
	body.setCcdSweptSphereRadius(0.5);
	body.setLinearVelocity(btVector3(512, 0, 0));
	world.step(1. / 64);
	/* It doesn't pass, and it has lost its speed in this very step. */
	EXPECT_LT(body.getWorldTransform().getOrigin().x(), 3.6);
	EXPECT_GT(body.getWorldTransform().getOrigin().x(), 3);
	EXPECT_LT(body.getLinearVelocity().x(), 300);
	world.removeRigidBody(&wall);
}

TEST_F(SingleStep, AnActionSeesTheMovedBody)
{
	Action action(&body);
	world.addAction(&action);
	body.setLinearVelocity(btVector3(4, 0, 0));
	world.step(0.25);
	EXPECT_EQ(1, action.calls);
	expectVector(action.place, 1, 0, 0);
	world.step(0.25);
	EXPECT_EQ(2, action.calls);
	expectVector(action.place, 2, 0, 0);
	world.removeAction(&action);
}

TEST_F(SingleStep, ARestingBodyGetsSleepy)
{
	world.step(0.25);
	EXPECT_NEAR(0.25, body.getDeactivationTime(), 1e-12);
	world.step(0.5);
	EXPECT_NEAR(0.75, body.getDeactivationTime(), 1e-12);
	EXPECT_EQ(ACTIVE_TAG, body.getActivationState());
	body.setLinearVelocity(btVector3(50, 0, 0));
	world.step(0.25);
	EXPECT_EQ(0, body.getDeactivationTime());
	EXPECT_EQ(ACTIVE_TAG, body.getActivationState());
	body.setLinearVelocity(btVector3(0, 0, 0));
	world.step(3);
	EXPECT_EQ(WANTS_DEACTIVATION, body.getActivationState());
}

TEST_F(SingleStep, BoundsCoverThePredictedPlace)
{
	body.setLinearVelocity(btVector3(8, 0, 0));
	world.step(0.5);
	EXPECT_GE(body.getBroadphaseProxy()->m_aabbMax.x(), 4.5);
	EXPECT_LE(body.getBroadphaseProxy()->m_aabbMin.x(), -0.5);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
