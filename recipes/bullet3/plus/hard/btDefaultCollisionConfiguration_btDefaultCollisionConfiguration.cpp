/*---
 * tasks: [btDefaultCollisionConfiguration.btDefaultCollisionConfigurat-7e8f7f]
 * tests:
 *   Configuration.EachPairOfShapesHasItsAlgorithm: 'getCollisionAlgorithmCreateFunc and the names of the members: "default CreationFunctions, filling the m_doubleDispatch table".'
 *   Configuration.ClosestPointsHaveTheirAlgorithms: 'getClosestPointsAlgorithmCreateFunc.'
 *   Configuration.SwappedFunctionsKnowThatTheyAre: 'btCollisionAlgorithmCreateFunc::m_swapped; btSphereTriangleCollisionAlgorithm and btConvexPlaneCollisionAlgorithm take the other shape first.'
 *   Configuration.EachOrderOfAPairTouches: 'The same: a pair collides whichever shape comes first (btCollisionDispatcher).'
 *   Configuration.EpaIsUsedWhereItIsAskedFor: 'm_useEpaPenetrationAlgorithm, true by default; includes of btGjkEpaPenetrationDepthSolver and btMinkowskiPenetrationDepthSolver.'
 *   Configuration.ConvexPairsUseItsSolver: 'm_pdSolver: "default penetration depth solver"; btConvexConvexAlgorithm::CreateFunc takes one.'
 *   Configuration.PoolsHaveTheSizesAskedFor: 'm_defaultMaxPersistentManifoldPoolSize, m_defaultMaxCollisionAlgorithmPoolSize.'
 *   Configuration.PoolsFitEveryAlgorithm: 'btCollisionDispatcher::allocateCollisionAlgorithm takes an element of the pool for any algorithm.'
 *   Configuration.PoolsFitTheUsersAlgorithm: 'm_customCollisionAlgorithmMaxElementSize.'
 *   Configuration.ManifoldsFitTheirPool: 'btCollisionDispatcher::getNewManifold takes an element of the pool.'
 *   Configuration.PoolsOfTheUserAreUsed: 'm_persistentManifoldPool and m_collisionAlgorithmPool of the construction info.'
 *   Configuration.PoolsOfTheUserStay: 'm_ownsPersistentManifoldPool, m_ownsCollisionAlgorithmPool: the destructor frees its own pools alone.'
 *   Configuration.OnePoolOfTheUserWillDo: 'The same, each for itself.'
 *   Configuration.NothingIsLeft: 'The destructor frees all that the constructor made.'
 *   Configuration.ConfigurationsAreTheirOwn: 'Signature: the destructor of one frees its functions.'
 ---*/
#include <cmath>
#include <cstring>
#include <new>

#include <gtest/gtest.h>

#include "guardalloc.h"

#include "BulletCollision/CollisionDispatch/btBoxBoxCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btCompoundCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btConvexPlaneCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionDispatch/btEmptyCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btSphereTriangleCollisionAlgorithm.h"
#include "BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h"
#include "BulletCollision/NarrowPhaseCollision/btMinkowskiPenetrationDepthSolver.h"
#include "BulletCollision/CollisionShapes/btTriangleShape.h"
#include "LinearMath/btPoolAllocator.h"
#include "btBulletCollisionCommon.h"

typedef btDefaultCollisionConstructionInfo Info;

struct Open : public btDefaultCollisionConfiguration
{
	Open(const Info& info) : btDefaultCollisionConfiguration(info) {}
	btConvexPenetrationDepthSolver* solver() { return m_pdSolver; }
};

/* A configuration in memory that holds rubbish. */
class Made
{
public:
	Open* c;
	Made(const Info& info = Info(), int fill = 0x01)
	{
		mem = btAlignedAlloc(sizeof(Open), 16);
		memset(mem, fill, sizeof(Open));
		c = new (mem) Open(info);
	}
	~Made()
	{
		c->~Open();
		btAlignedFree(mem);
	}

private:
	void* mem;
};

enum Kind { SPHERE, BOX, TRIANGLE, CAPSULE, PLANE, MESH, COMPOUND };
static const int kTypes[] = {SPHERE_SHAPE_PROXYTYPE, BOX_SHAPE_PROXYTYPE, TRIANGLE_SHAPE_PROXYTYPE, CAPSULE_SHAPE_PROXYTYPE, STATIC_PLANE_PROXYTYPE, TRIANGLE_MESH_SHAPE_PROXYTYPE, COMPOUND_SHAPE_PROXYTYPE};

template <class T>
static bool makes(btCollisionAlgorithmCreateFunc* f) { return dynamic_cast<typename T::CreateFunc*>(f) != 0; }
template <class T>
static bool makesSwapped(btCollisionAlgorithmCreateFunc* f) { return dynamic_cast<typename T::SwappedCreateFunc*>(f) != 0; }

static btCollisionAlgorithmCreateFunc* get(Made& m, Kind a, Kind b, bool closest = false)
{
	return closest ? m.c->getClosestPointsAlgorithmCreateFunc(kTypes[a], kTypes[b]) : m.c->getCollisionAlgorithmCreateFunc(kTypes[a], kTypes[b]);
}

static void expectAlgorithms(Made& m, bool closest)
{
	EXPECT_TRUE(makes<btSphereSphereCollisionAlgorithm>(get(m, SPHERE, SPHERE, closest)));
	EXPECT_TRUE(makes<btSphereTriangleCollisionAlgorithm>(get(m, SPHERE, TRIANGLE, closest)));
	EXPECT_TRUE(makes<btSphereTriangleCollisionAlgorithm>(get(m, TRIANGLE, SPHERE, closest)));
	EXPECT_TRUE(makes<btConvexPlaneCollisionAlgorithm>(get(m, CAPSULE, PLANE, closest)));
	EXPECT_TRUE(makes<btConvexPlaneCollisionAlgorithm>(get(m, PLANE, CAPSULE, closest)));
	EXPECT_TRUE(makes<btConvexConvexAlgorithm>(get(m, CAPSULE, BOX, closest)));
	EXPECT_TRUE(makes<btConvexConvexAlgorithm>(get(m, SPHERE, CAPSULE, closest)));
	EXPECT_TRUE(makes<btConvexConcaveCollisionAlgorithm>(get(m, CAPSULE, MESH, closest)));
	EXPECT_TRUE(makesSwapped<btConvexConcaveCollisionAlgorithm>(get(m, MESH, CAPSULE, closest)));
	EXPECT_TRUE(makes<btCompoundCompoundCollisionAlgorithm>(get(m, COMPOUND, COMPOUND, closest)));
	EXPECT_TRUE(makes<btCompoundCollisionAlgorithm>(get(m, COMPOUND, SPHERE, closest)));
	EXPECT_TRUE(makesSwapped<btCompoundCollisionAlgorithm>(get(m, SPHERE, COMPOUND, closest)));
	EXPECT_TRUE(makes<btEmptyAlgorithm>(get(m, MESH, MESH, closest)));
}

TEST(Configuration, EachPairOfShapesHasItsAlgorithm)
{
	Made m;
	expectAlgorithms(m, false);
	EXPECT_TRUE(makes<btBoxBoxCollisionAlgorithm>(get(m, BOX, BOX)));
}

TEST(Configuration, ClosestPointsHaveTheirAlgorithms)
{
	Made m;
	expectAlgorithms(m, true);
}

TEST(Configuration, SwappedFunctionsKnowThatTheyAre)
{
	Made m;
	EXPECT_TRUE(get(m, TRIANGLE, SPHERE)->m_swapped);
	EXPECT_FALSE(get(m, SPHERE, TRIANGLE)->m_swapped);
	EXPECT_TRUE(get(m, PLANE, BOX)->m_swapped);
	EXPECT_FALSE(get(m, BOX, PLANE)->m_swapped);
	EXPECT_NE(get(m, SPHERE, TRIANGLE), get(m, TRIANGLE, SPHERE));
	EXPECT_NE(get(m, BOX, PLANE), get(m, PLANE, BOX));
	EXPECT_FALSE(get(m, SPHERE, SPHERE)->m_swapped);
	EXPECT_FALSE(get(m, BOX, BOX)->m_swapped);
	EXPECT_FALSE(get(m, CAPSULE, BOX)->m_swapped);
}

/* Each body is a bit in the other, whichever is named first. */
static void touch(btCollisionConfiguration& c, btCollisionShape& below, btCollisionShape& above, double height, double depth)
{
	btCollisionDispatcher dispatcher(&c);
	btDbvtBroadphase broadphase;
	btCollisionWorld world(&dispatcher, &broadphase, &c);
	btCollisionObject one, two;
	one.setCollisionShape(&below);
	two.setCollisionShape(&above);
	one.setWorldTransform(btTransform::getIdentity());
	two.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, height, 0)));
	for (int order = 0; order < 2; order++)
	{
		struct Points : public btCollisionWorld::ContactResultCallback
		{
			int n;
			btVector3 normal;
			double distance;
			Points() : n(0), normal(0, 0, 0), distance(0) {}
			virtual btScalar addSingleResult(btManifoldPoint& p, const btCollisionObjectWrapper*, int, int, const btCollisionObjectWrapper*, int, int)
			{
				n++;
				normal = p.m_normalWorldOnB;
				distance = p.getDistance();
				return 0;
			}
		} points;
		world.contactPairTest(order ? &two : &one, order ? &one : &two, points);
		EXPECT_GT(points.n, 0) << order;
		EXPECT_NEAR(1, std::fabs(points.normal.y()), 1e-3) << order;
		EXPECT_NEAR(-depth, points.distance, 1e-3) << order;
	}
}

TEST(Configuration, EachOrderOfAPairTouches)
{
	Made m;
	btSphereShape sphere(0.5);
	btBoxShape box(btVector3(1, 1, 1));
	btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
	btTriangleShape triangle(btVector3(-5, 0, -5), btVector3(0, 0, 5), btVector3(5, 0, -5));
	triangle.setMargin(0);
	btTriangleMesh triangles;
	triangles.addTriangle(btVector3(-5, 0, -5), btVector3(0, 0, 5), btVector3(5, 0, -5));
	btBvhTriangleMeshShape mesh(&triangles, true);
	btCompoundShape compound;
	compound.addChildShape(btTransform::getIdentity(), &box);
	touch(*m.c, plane, sphere, 0.45, 0.05);
	touch(*m.c, plane, box, 0.95, 0.05);
	touch(*m.c, triangle, sphere, 0.45, 0.05);
	touch(*m.c, box, box, 1.95, 0.05);
	touch(*m.c, sphere, sphere, 0.97, 0.03);
	touch(*m.c, mesh, sphere, 0.45, 0.05);
	touch(*m.c, compound, sphere, 1.45, 0.05);
}

TEST(Configuration, EpaIsUsedWhereItIsAskedFor)
{
	Made m;
	EXPECT_TRUE(dynamic_cast<btGjkEpaPenetrationDepthSolver*>(m.c->solver()) != 0);
	Info info;
	info.m_useEpaPenetrationAlgorithm = false;
	Made n(info);
	EXPECT_TRUE(dynamic_cast<btMinkowskiPenetrationDepthSolver*>(n.c->solver()) != 0);
}

TEST(Configuration, ConvexPairsUseItsSolver)
{
	for (int epa = 0; epa < 2; epa++)
	{
		Info info;
		info.m_useEpaPenetrationAlgorithm = epa;
		Made m(info);
		btConvexConvexAlgorithm::CreateFunc* f = dynamic_cast<btConvexConvexAlgorithm::CreateFunc*>(get(m, CAPSULE, CAPSULE));
		ASSERT_TRUE(f != 0);
		EXPECT_TRUE(f->m_pdSolver != 0);
		EXPECT_EQ(m.c->solver(), f->m_pdSolver);
	}
}

TEST(Configuration, PoolsHaveTheSizesAskedFor)
{
	Info info;
	info.m_defaultMaxPersistentManifoldPoolSize = 17;
	info.m_defaultMaxCollisionAlgorithmPoolSize = 29;
	Made m(info), n;
	EXPECT_EQ(17, m.c->getPersistentManifoldPool()->getMaxCount());
	EXPECT_EQ(29, m.c->getCollisionAlgorithmPool()->getMaxCount());
	EXPECT_EQ(4096, n.c->getPersistentManifoldPool()->getMaxCount());
	EXPECT_EQ(4096, n.c->getCollisionAlgorithmPool()->getMaxCount());
	EXPECT_EQ(0, m.c->getCollisionAlgorithmPool()->getUsedCount());
}

static void expectFits(btDefaultCollisionConfiguration& c)
{
	const int size = c.getCollisionAlgorithmPool()->getElementSize();
	EXPECT_GE(size, (int)sizeof(btConvexConvexAlgorithm));
	EXPECT_GE(size, (int)sizeof(btConvexConcaveCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btCompoundCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btCompoundCompoundCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btConvexPlaneCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btBoxBoxCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btSphereSphereCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btSphereTriangleCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btEmptyAlgorithm));
}

TEST(Configuration, PoolsFitEveryAlgorithm)
{
	Made m;
	expectFits(*m.c);
	Info info;
	info.m_customCollisionAlgorithmMaxElementSize = 8;
	Made n(info);
	expectFits(*n.c);
}

TEST(Configuration, PoolsFitTheUsersAlgorithm)
{
	for (int size = 1000; size < 1020; size++)
	{
		Info info;
		info.m_customCollisionAlgorithmMaxElementSize = size;
		Made m(info);
		EXPECT_GE(m.c->getCollisionAlgorithmPool()->getElementSize(), size);
		EXPECT_LT(m.c->getCollisionAlgorithmPool()->getElementSize(), 10000);
	}
}

TEST(Configuration, ManifoldsFitTheirPool)
{
	Info info;
	info.m_customCollisionAlgorithmMaxElementSize = 20000;
	Made m(info);
	EXPECT_GE(m.c->getPersistentManifoldPool()->getElementSize(), (int)sizeof(btPersistentManifold));
	EXPECT_LT(m.c->getPersistentManifoldPool()->getElementSize(), 20000);
}

TEST(Configuration, PoolsOfTheUserAreUsed)
{
	btPoolAllocator manifolds(sizeof(btPersistentManifold), 3), algorithms(2000, 4);
	Info info;
	info.m_persistentManifoldPool = &manifolds;
	info.m_collisionAlgorithmPool = &algorithms;
	Made m(info);
	EXPECT_EQ(&manifolds, m.c->getPersistentManifoldPool());
	EXPECT_EQ(&algorithms, m.c->getCollisionAlgorithmPool());
}

TEST(Configuration, PoolsOfTheUserStay)
{
	btPoolAllocator manifolds(sizeof(btPersistentManifold), 3), algorithms(2000, 4);
	const int before = held;
	for (int fill = 0; fill < 2; fill++)
	{
		Info info;
		info.m_persistentManifoldPool = &manifolds;
		info.m_collisionAlgorithmPool = &algorithms;
		{
			Made m(info, fill ? 0x01 : 0x00);
		}
		EXPECT_EQ(before, held);
		EXPECT_EQ(4, algorithms.getFreeCount());
		void* p = algorithms.allocate(2000);
		EXPECT_TRUE(p != 0);
		algorithms.freeMemory(p);
	}
}

TEST(Configuration, OnePoolOfTheUserWillDo)
{
	btPoolAllocator manifolds(sizeof(btPersistentManifold), 3), algorithms(2000, 4);
	const int before = held;
	for (int which = 0; which < 4; which++)
	{
		Info info;
		if (which & 1) info.m_persistentManifoldPool = &manifolds;
		else info.m_collisionAlgorithmPool = &algorithms;
		{
			Made m(info, which & 2 ? 0x01 : 0x00);
			EXPECT_EQ(which & 1, m.c->getPersistentManifoldPool() == &manifolds);
			EXPECT_EQ(!(which & 1), m.c->getCollisionAlgorithmPool() == &algorithms);
			EXPECT_TRUE(m.c->getPersistentManifoldPool() != 0);
			EXPECT_TRUE(m.c->getCollisionAlgorithmPool() != 0);
		}
		EXPECT_EQ(before, held);
	}
}

TEST(Configuration, NothingIsLeft)
{
	const int before = held;
	for (int epa = 0; epa < 2; epa++)
	{
		Info info;
		info.m_useEpaPenetrationAlgorithm = epa;
		for (int fill = 0; fill < 2; fill++)
		{
			Made m(info, fill ? 0x01 : 0x00);
			EXPECT_LT(before, held);
		}
		EXPECT_EQ(before, held);
	}
	EXPECT_EQ(0, overruns);
}

TEST(Configuration, ConfigurationsAreTheirOwn)
{
	Made m;
	{
		Made n;
		EXPECT_NE(get(m, SPHERE, SPHERE), get(n, SPHERE, SPHERE));
		EXPECT_NE(get(m, CAPSULE, CAPSULE), get(n, CAPSULE, CAPSULE));
		EXPECT_NE(m.c->getCollisionAlgorithmPool(), n.c->getCollisionAlgorithmPool());
		n.c->setConvexConvexMultipointIterations(5, 5);
	}
	btConvexConvexAlgorithm::CreateFunc* f = dynamic_cast<btConvexConvexAlgorithm::CreateFunc*>(get(m, CAPSULE, CAPSULE));
	ASSERT_TRUE(f != 0);
	EXPECT_EQ(0, f->m_numPerturbationIterations);
	btSphereShape sphere(0.5);
	touch(*m.c, sphere, sphere, 0.97, 0.03);
}

int main(int argc, char** argv)
{
	guardAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
