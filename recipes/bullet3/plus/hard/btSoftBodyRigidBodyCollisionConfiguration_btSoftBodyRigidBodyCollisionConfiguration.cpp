/*---
 * tasks: [btSoftBodyRigidBodyCollisionConfiguration.btSoftBodyRigidBod-00d001]
 * tests:
 *   SoftConfiguration.SoftPairsHaveTheirAlgorithms: 'getCollisionAlgorithmCreateFunc and the names of the members: soft-soft, soft-convex, soft-concave.'
 *   SoftConfiguration.SwappedFunctionsKnowThatTheyAre: 'btCollisionAlgorithmCreateFunc::m_swapped, which btSoftRigidCollisionAlgorithm::CreateFunc hands on; names of the members.'
 *   SoftConfiguration.RigidPairsAreAsEver: 'Header: "add softbody interaction on top of btDefaultCollisionConfiguration".'
 *   SoftConfiguration.ThePoolFitsEveryAlgorithm: 'btCollisionDispatcher::allocateCollisionAlgorithm takes an element of the pool for any algorithm; comment in btDefaultCollisionConfiguration.cpp: "big enough to fit any collision algorithm".'
 *   SoftConfiguration.ThePoolFitsTheUsersAlgorithm: 'm_customCollisionAlgorithmMaxElementSize of the construction info.'
 *   SoftConfiguration.ThePoolsHaveTheSizesAskedFor: 'm_defaultMaxCollisionAlgorithmPoolSize, m_defaultMaxPersistentManifoldPoolSize.'
 *   SoftConfiguration.PoolsOfTheUserAreUsed: 'm_persistentManifoldPool and m_collisionAlgorithmPool of the construction info; btDefaultCollisionConfiguration.'
 *   SoftConfiguration.PoolsOfTheUserStay: 'm_ownsCollisionAlgorithmPool: the destructor frees its own pools alone.'
 *   SoftConfiguration.TheConstructionInfoIsHandedOn: 'm_useEpaPenetrationAlgorithm, for the convex pairs.'
 *   SoftConfiguration.NothingIsLeft: 'The destructors free all that the constructors made, a pool that was replaced too.'
 *   SoftConfiguration.ConfigurationsAreTheirOwn: 'Signature: the destructor of one frees its functions.'
 *   SoftConfiguration.AlgorithmsComeFromThePool: 'btCollisionDispatcher::findAlgorithm makes them by these functions.'
 ---*/
#include <cstring>
#include <new>

#include <gtest/gtest.h>

#include "guardalloc.h"

#include "BulletCollision/CollisionDispatch/btCompoundCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h"
#include "BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h"
#include "BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h"
#include "BulletCollision/NarrowPhaseCollision/btMinkowskiPenetrationDepthSolver.h"
#include "BulletSoftBody/btSoftBodyConcaveCollisionAlgorithm.h"
#include "BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h"
#include "BulletSoftBody/btSoftRigidCollisionAlgorithm.h"
#include "BulletSoftBody/btSoftSoftCollisionAlgorithm.h"
#include "LinearMath/btPoolAllocator.h"
#include "btBulletCollisionCommon.h"

typedef btDefaultCollisionConstructionInfo Info;
typedef btSoftBodyRigidBodyCollisionConfiguration Soft;

/* A configuration in memory that holds rubbish. */
class Made
{
public:
	Soft* c;
	Made(const Info& info = Info(), int fill = 0x01)
	{
		mem = btAlignedAlloc(sizeof(Soft), 16);
		memset(mem, fill, sizeof(Soft));
		c = new (mem) Soft(info);
	}
	~Made()
	{
		c->~Soft();
		btAlignedFree(mem);
	}

private:
	void* mem;
};

template <class T>
static bool makes(btCollisionAlgorithmCreateFunc* f) { return dynamic_cast<typename T::CreateFunc*>(f) != 0; }
template <class T>
static bool makesSwapped(btCollisionAlgorithmCreateFunc* f) { return dynamic_cast<typename T::SwappedCreateFunc*>(f) != 0; }

static const int kSoft = SOFTBODY_SHAPE_PROXYTYPE, kBox = BOX_SHAPE_PROXYTYPE, kMesh = TRIANGLE_MESH_SHAPE_PROXYTYPE, kSphere = SPHERE_SHAPE_PROXYTYPE;

TEST(SoftConfiguration, SoftPairsHaveTheirAlgorithms)
{
	Made m;
	EXPECT_TRUE(makes<btSoftSoftCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kSoft, kSoft)));
	EXPECT_TRUE(makes<btSoftRigidCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kSoft, kBox)));
	EXPECT_TRUE(makes<btSoftRigidCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kBox, kSoft)));
	EXPECT_TRUE(makes<btSoftBodyConcaveCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kSoft, kMesh)));
	EXPECT_TRUE(makesSwapped<btSoftBodyConcaveCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kMesh, kSoft)));
}

TEST(SoftConfiguration, SwappedFunctionsKnowThatTheyAre)
{
	Made m;
	EXPECT_FALSE(m.c->getCollisionAlgorithmCreateFunc(kSoft, kBox)->m_swapped);
	EXPECT_TRUE(m.c->getCollisionAlgorithmCreateFunc(kBox, kSoft)->m_swapped);
	EXPECT_FALSE(m.c->getCollisionAlgorithmCreateFunc(kSoft, kMesh)->m_swapped);
	EXPECT_FALSE(m.c->getCollisionAlgorithmCreateFunc(kSoft, kSoft)->m_swapped);
	EXPECT_NE(m.c->getCollisionAlgorithmCreateFunc(kSoft, kBox), m.c->getCollisionAlgorithmCreateFunc(kBox, kSoft));
	EXPECT_NE(m.c->getCollisionAlgorithmCreateFunc(kSoft, kMesh), m.c->getCollisionAlgorithmCreateFunc(kMesh, kSoft));
}

TEST(SoftConfiguration, RigidPairsAreAsEver)
{
	Made m;
	EXPECT_TRUE(makes<btSphereSphereCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kSphere, kSphere)));
	EXPECT_TRUE(makes<btConvexConvexAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kBox, CAPSULE_SHAPE_PROXYTYPE)));
	EXPECT_TRUE(makes<btConvexConcaveCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kBox, kMesh)));
}

static void expectFits(Soft& c)
{
	const int size = c.getCollisionAlgorithmPool()->getElementSize();
	EXPECT_GE(size, (int)sizeof(btSoftSoftCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btSoftRigidCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btSoftBodyConcaveCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btConvexConvexAlgorithm));
	EXPECT_GE(size, (int)sizeof(btConvexConcaveCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btCompoundCollisionAlgorithm));
	EXPECT_GE(size, (int)sizeof(btCompoundCompoundCollisionAlgorithm));
}

TEST(SoftConfiguration, ThePoolFitsEveryAlgorithm)
{
	Made m;
	expectFits(*m.c);
	Info info;
	info.m_customCollisionAlgorithmMaxElementSize = 8;
	Made n(info);
	expectFits(*n.c);
}

TEST(SoftConfiguration, ThePoolFitsTheUsersAlgorithm)
{
	Info info;
	info.m_customCollisionAlgorithmMaxElementSize = 3000;
	Made m(info);
	EXPECT_GE(m.c->getCollisionAlgorithmPool()->getElementSize(), 3000);
	expectFits(*m.c);
}

TEST(SoftConfiguration, ThePoolsHaveTheSizesAskedFor)
{
	Info info;
	info.m_defaultMaxPersistentManifoldPoolSize = 17;
	info.m_defaultMaxCollisionAlgorithmPoolSize = 29;
	Made m(info), n;
	EXPECT_EQ(17, m.c->getPersistentManifoldPool()->getMaxCount());
	EXPECT_EQ(29, m.c->getCollisionAlgorithmPool()->getMaxCount());
	EXPECT_EQ(29, m.c->getCollisionAlgorithmPool()->getFreeCount());
	EXPECT_EQ(4096, n.c->getPersistentManifoldPool()->getMaxCount());
	EXPECT_EQ(4096, n.c->getCollisionAlgorithmPool()->getMaxCount());
}

TEST(SoftConfiguration, PoolsOfTheUserAreUsed)
{
	/* However small its elements are: the dispatcher then goes without. */
	btPoolAllocator manifolds(sizeof(btPersistentManifold), 3), small(16, 4);
	Info info;
	info.m_persistentManifoldPool = &manifolds;
	info.m_collisionAlgorithmPool = &small;
	Made m(info);
	EXPECT_EQ(&manifolds, m.c->getPersistentManifoldPool());
	EXPECT_EQ(&small, m.c->getCollisionAlgorithmPool());
	EXPECT_EQ(16, small.getElementSize());
}

TEST(SoftConfiguration, PoolsOfTheUserStay)
{
	btPoolAllocator manifolds(sizeof(btPersistentManifold), 3), small(16, 4);
	const int before = held;
	for (int which = 1; which < 4; which++)
	{
		Info info;
		if (which & 1) info.m_persistentManifoldPool = &manifolds;
		if (which & 2) info.m_collisionAlgorithmPool = &small;
		{
			Made m(info);
		}
		EXPECT_EQ(before, held);
		EXPECT_EQ(4, small.getFreeCount());
		EXPECT_EQ(3, manifolds.getFreeCount());
	}
}

TEST(SoftConfiguration, TheConstructionInfoIsHandedOn)
{
	for (int epa = 0; epa < 2; epa++)
	{
		Info info;
		info.m_useEpaPenetrationAlgorithm = epa;
		Made m(info);
		btConvexConvexAlgorithm::CreateFunc* f = dynamic_cast<btConvexConvexAlgorithm::CreateFunc*>(m.c->getCollisionAlgorithmCreateFunc(kBox, CAPSULE_SHAPE_PROXYTYPE));
		ASSERT_TRUE(f != 0);
		EXPECT_EQ(epa == 1, dynamic_cast<btGjkEpaPenetrationDepthSolver*>(f->m_pdSolver) != 0);
		EXPECT_EQ(epa == 0, dynamic_cast<btMinkowskiPenetrationDepthSolver*>(f->m_pdSolver) != 0);
	}
}

TEST(SoftConfiguration, NothingIsLeft)
{
	const int before = held;
	for (int fill = 0; fill < 3; fill++)
	{
		Info info;
		info.m_customCollisionAlgorithmMaxElementSize = fill == 2 ? 5000 : 0;
		{
			Made m(info, fill ? 0x01 : 0x00);
			EXPECT_LT(before, held);
		}
		EXPECT_EQ(before, held);
	}
	EXPECT_EQ(0, overruns);
}

TEST(SoftConfiguration, ConfigurationsAreTheirOwn)
{
	Made m;
	const int pairs[][2] = {{kSoft, kSoft}, {kSoft, kBox}, {kBox, kSoft}, {kSoft, kMesh}, {kMesh, kSoft}};
	{
		Made n;
		for (int i = 0; i < 5; i++)
			EXPECT_NE(m.c->getCollisionAlgorithmCreateFunc(pairs[i][0], pairs[i][1]), n.c->getCollisionAlgorithmCreateFunc(pairs[i][0], pairs[i][1]));
		EXPECT_NE(m.c->getCollisionAlgorithmPool(), n.c->getCollisionAlgorithmPool());
	}
	EXPECT_TRUE(makes<btSoftSoftCollisionAlgorithm>(m.c->getCollisionAlgorithmCreateFunc(kSoft, kSoft)));
}

TEST(SoftConfiguration, AlgorithmsComeFromThePool)
{
	const int before = held;
	{
		Made m;
		btCollisionDispatcher dispatcher(m.c);
		btSphereShape sphere(1);
		btCollisionObject a, b;
		a.setCollisionShape(&sphere);
		b.setCollisionShape(&sphere);
		btCollisionObjectWrapper wa(0, &sphere, &a, a.getWorldTransform(), -1, -1), wb(0, &sphere, &b, b.getWorldTransform(), -1, -1);
		btCollisionAlgorithm* algorithm = dispatcher.findAlgorithm(&wa, &wb, 0, BT_CONTACT_POINT_ALGORITHMS);
		ASSERT_TRUE(algorithm != 0);
		EXPECT_EQ(1, m.c->getCollisionAlgorithmPool()->getUsedCount());
		algorithm->~btCollisionAlgorithm();
		dispatcher.freeCollisionAlgorithm(algorithm);
		EXPECT_EQ(0, m.c->getCollisionAlgorithmPool()->getUsedCount());
	}
	EXPECT_EQ(before, held);
}

int main(int argc, char** argv)
{
	guardAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
