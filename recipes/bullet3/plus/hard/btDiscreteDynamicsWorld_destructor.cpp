/*---
 * tasks: [btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f.4]
 * tests:
 *   Destructor.ANewWorldHoldsNothingAfterwards: 'The constructor makes the solver, the island manager and the callback; m_ownsIslandManager, m_ownsConstraintSolver.'
 *   Destructor.NorWithTheUsersSolver: 'The same without a solver of its own.'
 *   Destructor.AUsedWorldHoldsNothingAfterwards: 'Each owned object is destroyed before its memory is freed, so that its arrays go too.'
 *   Destructor.TheUsersSolverStays: 'Header: "gets created objects from the user, and will not delete those".'
 *   Destructor.ASolverSetLaterStays: 'setConstraintSolver: m_ownsConstraintSolver = false.'
 *   Destructor.AnOwnedSolverIsDestroyedOnce: 'm_ownsConstraintSolver; its destructor is virtual.'
 *   Destructor.AnotherIslandManagerIsDestroyed: 'btDiscreteDynamicsWorldMt puts a derived one into m_islandManager.'
 *   Destructor.AnIslandManagerOfTheUsersStays: 'm_ownsIslandManager: only what the world owns.'
 *   Destructor.TheUsersPartsCanBeUsedAgain: 'Header: "will not delete those".'
 *   Destructor.ObjectsLeftInItAreLetGo: 'btCollisionWorld::~btCollisionWorld clears the broadphase handles of the remaining objects.'
 ---*/
#include "live_memory.h"
#include "world_parts.h"

struct Manager : public btSimulationIslandManager
{
	int* destroyed;
	btAlignedObjectArray<int> array;
	Manager(int* count) : destroyed(count) { array.push_back(1); }
	virtual ~Manager() { ++*destroyed; }
};

struct World : public btDiscreteDynamicsWorld
{
	World(Parts& p, btConstraintSolver* s) : btDiscreteDynamicsWorld(&p.dispatcher, &p.broadphase, s, &p.configuration) {}
	void replaceManager(Manager* m, bool owned)
	{
		m_islandManager->~btSimulationIslandManager();
		btAlignedFree(m_islandManager);
		m_islandManager = m;
		m_ownsIslandManager = owned;
	}
	void replaceSolver(btConstraintSolver* s, bool owned)
	{
		setConstraintSolver(s);
		m_ownsConstraintSolver = owned;
	}
};

template <class T>
static T* placed(int* destroyed)
{
	return new (btAlignedAlloc(sizeof(T), 16)) T(destroyed);
}

static void use(btDiscreteDynamicsWorld& world)
{
	btSphereShape ball(0.5);
	btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
	btRigidBody a(1, 0, &ball, btVector3(1, 1, 1)), b(1, 0, &ball, btVector3(1, 1, 1)), floor(0, 0, &plane);
	a.setWorldTransform(at(0, 0.45, 0));
	b.setWorldTransform(at(0.3, 1.3, 0));
	world.addRigidBody(&floor);
	world.addRigidBody(&a);
	world.addRigidBody(&b);
	btPoint2PointConstraint joint(a, b, btVector3(0, 0.5, 0), btVector3(0, -0.5, 0));
	world.addConstraint(&joint);
	for (int i = 0; i < 3; i++)
		world.stepSimulation(1. / 60, 0);
	world.removeConstraint(&joint);
	world.removeRigidBody(&b);
	world.removeRigidBody(&a);
	world.removeRigidBody(&floor);
}

static int left(bool own, bool used, int batch)
{
	/* The static parts of the library, such as the profiler's tree, are made by the first run. */
	int held = -1;
	for (int run = 0; run < 2; run++)
	{
		Parts* parts = new Parts;
		Solver* solver = new Solver;
		if (used)
		{
			/* Let the user's parts grow before the count. */
			btDiscreteDynamicsWorld first(&parts->dispatcher, &parts->broadphase, solver, &parts->configuration);
			use(first);
		}
		const int before = live;
		{
			btDiscreteDynamicsWorld world(&parts->dispatcher, &parts->broadphase, own ? 0 : solver, &parts->configuration);
			world.getSolverInfo().m_minimumSolverBatchSize = batch;
			if (used)
				use(world);
		}
		held = live - before;
		delete solver;
		delete parts;
	}
	return held;
}

TEST(Destructor, ANewWorldHoldsNothingAfterwards)
{
	EXPECT_EQ(0, left(true, false, 128));
}

TEST(Destructor, NorWithTheUsersSolver)
{
	EXPECT_EQ(0, left(false, false, 128));
}

TEST(Destructor, AUsedWorldHoldsNothingAfterwards)
{
	EXPECT_EQ(0, left(true, true, 128));
	EXPECT_EQ(0, left(true, true, 1));
	EXPECT_EQ(0, left(false, true, 128));
	EXPECT_EQ(0, left(false, true, 1));
}

TEST(Destructor, TheUsersSolverStays)
{
	Parts parts;
	int destroyed = 0;
	{
		Solver solver(&destroyed);
		{
			World world(parts, &solver);
			use(world);
		}
		EXPECT_EQ(0, destroyed);
		const int solved = solver.solved;
		World again(parts, &solver);
		use(again);
		EXPECT_GT(solver.solved, solved);
	}
	EXPECT_EQ(1, destroyed);
}

TEST(Destructor, ASolverSetLaterStays)
{
	Parts parts;
	int destroyed = 0;
	Solver solver(&destroyed);
	{
		World world(parts, 0);
		world.setConstraintSolver(&solver);
		use(world);
	}
	EXPECT_EQ(0, destroyed);
}

TEST(Destructor, AnOwnedSolverIsDestroyedOnce)
{
	Parts parts;
	int destroyed = 0;
	const int before = live;
	{
		World world(parts, 0);
		world.replaceSolver(placed<Solver>(&destroyed), true);
	}
	EXPECT_EQ(1, destroyed);
	EXPECT_EQ(before, live);
}

TEST(Destructor, AnotherIslandManagerIsDestroyed)
{
	Parts parts;
	int destroyed = 0;
	const int before = live;
	{
		World world(parts, 0);
		world.replaceManager(placed<Manager>(&destroyed), true);
		EXPECT_EQ(0, destroyed);
	}
	EXPECT_EQ(1, destroyed);
	EXPECT_EQ(before, live);
}

TEST(Destructor, AnIslandManagerOfTheUsersStays)
{
	Parts parts;
	int destroyed = 0;
	const int before = live;
	Manager* manager = placed<Manager>(&destroyed);
	{
		World world(parts, 0);
		world.replaceManager(manager, false);
	}
	EXPECT_EQ(0, destroyed);
	ASSERT_EQ(1, manager->array.size());
	EXPECT_EQ(1, manager->array[0]);
	manager->~Manager();
	btAlignedFree(manager);
	EXPECT_EQ(before, live);
}

TEST(Destructor, TheUsersPartsCanBeUsedAgain)
{
	Parts parts;
	for (int i = 0; i < 3; i++)
	{
		World world(parts, 0);
		use(world);
		EXPECT_EQ(0, parts.dispatcher.getNumManifolds());
		EXPECT_EQ(0, parts.broadphase.getOverlappingPairCache()->getNumOverlappingPairs());
	}
}

TEST(Destructor, ObjectsLeftInItAreLetGo)
{
	Parts parts;
	btSphereShape ball(0.5);
	btRigidBody a(1, 0, &ball, btVector3(1, 1, 1)), b(1, 0, &ball, btVector3(1, 1, 1));
	{
		World world(parts, 0);
		world.addRigidBody(&a);
		world.addRigidBody(&b);
		world.stepSimulation(1. / 60, 0);
		EXPECT_EQ(1, parts.dispatcher.getNumManifolds());
	}
	EXPECT_TRUE(a.getBroadphaseHandle() == 0);
	EXPECT_TRUE(b.getBroadphaseHandle() == 0);
	EXPECT_EQ(0, parts.dispatcher.getNumManifolds());
}

int main(int argc, char** argv)
{
	countBullet();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
