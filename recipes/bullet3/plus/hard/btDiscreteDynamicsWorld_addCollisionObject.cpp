/*---
 * tasks: [btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f.2, btDiscreteDynamicsWorld.internalSingleStepSimulation-cbce9f.4]
 * tests:
 *   AddCollisionObject.TheObjectIsInTheWorld: 'btCollisionWorld::addCollisionObject, which this overrides; getCollisionObjectArray.'
 *   AddCollisionObject.GroupAndMaskReachTheProxy: 'Signature: collisionFilterGroup, collisionFilterMask.'
 *   AddCollisionObject.GroupAndMaskDecideWhatCollides: 'The same; btHashedOverlappingPairCache::needsBroadphaseCollision.'
 *   AddCollisionObject.WithoutThemTheObjectIsStatic: 'Header of btDiscreteDynamicsWorld: the default arguments.'
 *   AddCollisionObject.TheProxyIsAtTheObjectsPlace: 'btCollisionWorld::addCollisionObject: the bounds of the shape at its world transform.'
 *   AddCollisionObject.TheBaseClassFindsIt: 'virtual in btCollisionWorld.'
 *   AddCollisionObject.ARigidBodyIsAddedOnce: 'Caller addRigidBody lists the body itself, then calls this.'
 *   AddCollisionObject.AGivenBodyKeepsItsStateAndGravity: 'addRigidBody alone sets gravity; that only collides is added here.'
 *   AddCollisionObject.ItCanBeRemovedAndAddedAgain: 'removeCollisionObject.'
 ---*/
#include "world_parts.h"
#include "BulletCollision/CollisionDispatch/btGhostObject.h"

class AddCollisionObject : public testing::Test
{
protected:
	Parts parts;
	btDiscreteDynamicsWorld world;
	btBoxShape box;
	btCollisionObject object;
	AddCollisionObject() : world(&parts.dispatcher, &parts.broadphase, 0, &parts.configuration), box(btVector3(1, 2, 3))
	{
		object.setCollisionShape(&box);
	}
};

TEST_F(AddCollisionObject, TheObjectIsInTheWorld)
{
	btCollisionObject other;
	other.setCollisionShape(&box);
	world.addCollisionObject(&object, 1, -1);
	ASSERT_EQ(1, world.getNumCollisionObjects());
	EXPECT_EQ(&object, world.getCollisionObjectArray()[0]);
	EXPECT_EQ(0, object.getWorldArrayIndex());
	world.addCollisionObject(&other, 1, -1);
	ASSERT_EQ(2, world.getNumCollisionObjects());
	EXPECT_EQ(&other, world.getCollisionObjectArray()[1]);
	EXPECT_EQ(1, other.getWorldArrayIndex());
	EXPECT_EQ(0, world.getNonStaticRigidBodies().size());
}

TEST_F(AddCollisionObject, GroupAndMaskReachTheProxy)
{
	world.addCollisionObject(&object, 4, 24);
	ASSERT_TRUE(object.getBroadphaseHandle() != 0);
	EXPECT_EQ(4, object.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(24, object.getBroadphaseHandle()->m_collisionFilterMask);
	btCollisionObject other;
	other.setCollisionShape(&box);
	world.addCollisionObject(&other, 1 << 20, 0);
	EXPECT_EQ(1 << 20, other.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(0, other.getBroadphaseHandle()->m_collisionFilterMask);
	btCollisionObject third;
	third.setCollisionShape(&box);
	world.addCollisionObject(&third, 8);
	EXPECT_EQ(8, third.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter, third.getBroadphaseHandle()->m_collisionFilterMask);
	world.removeCollisionObject(&other);
	world.removeCollisionObject(&third);
	world.removeCollisionObject(&object);
}

TEST_F(AddCollisionObject, GroupAndMaskDecideWhatCollides)
{
	btCollisionObject likes, hates;
	likes.setCollisionShape(&box);
	hates.setCollisionShape(&box);
	world.addCollisionObject(&object, 1, 2);
	world.addCollisionObject(&likes, 2, 1);
	world.addCollisionObject(&hates, 4, 8);
	EXPECT_EQ(1, parts.broadphase.getOverlappingPairCache()->getNumOverlappingPairs());
	EXPECT_TRUE(parts.broadphase.getOverlappingPairCache()->findPair(object.getBroadphaseHandle(), likes.getBroadphaseHandle()) != 0);
	world.removeCollisionObject(&likes);
	world.removeCollisionObject(&hates);
	world.removeCollisionObject(&object);
}

TEST_F(AddCollisionObject, WithoutThemTheObjectIsStatic)
{
	world.addCollisionObject(&object);
	EXPECT_EQ(btBroadphaseProxy::StaticFilter, object.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter, object.getBroadphaseHandle()->m_collisionFilterMask);
	/* Through the base class its own defaults hold. */
	btCollisionObject other;
	other.setCollisionShape(&box);
	btCollisionWorld& base = world;
	base.addCollisionObject(&other);
	EXPECT_EQ(btBroadphaseProxy::DefaultFilter, other.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(btBroadphaseProxy::AllFilter, other.getBroadphaseHandle()->m_collisionFilterMask);
	world.removeCollisionObject(&other);
	world.removeCollisionObject(&object);
}

TEST_F(AddCollisionObject, TheProxyIsAtTheObjectsPlace)
{
	object.setWorldTransform(btTransform(btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI), btVector3(10, 20, 30)));
	world.addCollisionObject(&object, 1, -1);
	btBroadphaseProxy* proxy = object.getBroadphaseHandle();
	ASSERT_TRUE(proxy != 0);
	EXPECT_EQ(&object, proxy->m_clientObject);
	expectVector(proxy->m_aabbMin, 8, 19, 27, 0.25);
	expectVector(proxy->m_aabbMax, 12, 21, 33, 0.25);
	world.removeCollisionObject(&object);
}

TEST_F(AddCollisionObject, TheBaseClassFindsIt)
{
	btPairCachingGhostObject ghost;
	ghost.setCollisionShape(&box);
	ghost.setWorldTransform(at(5, 0, 0));
	btCollisionWorld& base = world;
	base.addCollisionObject(&ghost, 16, 32);
	EXPECT_EQ(1, base.getNumCollisionObjects());
	EXPECT_EQ(16, ghost.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(32, ghost.getBroadphaseHandle()->m_collisionFilterMask);
	btCollisionWorld::ClosestRayResultCallback ray(btVector3(0, 0, 0), btVector3(10, 0, 0));
	ray.m_collisionFilterGroup = 32;
	ray.m_collisionFilterMask = 16;
	base.rayTest(btVector3(0, 0, 0), btVector3(10, 0, 0), ray);
	EXPECT_EQ(&ghost, ray.m_collisionObject);
	EXPECT_NEAR(0.4, ray.m_closestHitFraction, 1e-6);
	world.removeCollisionObject(&ghost);
}

TEST_F(AddCollisionObject, ARigidBodyIsAddedOnce)
{
	btRigidBody body(1, 0, &box), second(1, 0, &box);
	world.addRigidBody(&body);
	EXPECT_EQ(1, world.getNumCollisionObjects());
	EXPECT_EQ(1, world.getNonStaticRigidBodies().size());
	EXPECT_EQ(btBroadphaseProxy::DefaultFilter, body.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(btBroadphaseProxy::AllFilter, body.getBroadphaseHandle()->m_collisionFilterMask);
	world.addRigidBody(&second, 2, 12);
	EXPECT_EQ(2, world.getNumCollisionObjects());
	EXPECT_EQ(2, world.getNonStaticRigidBodies().size());
	EXPECT_EQ(2, second.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(12, second.getBroadphaseHandle()->m_collisionFilterMask);
	world.removeRigidBody(&second);
	world.removeRigidBody(&body);
	EXPECT_EQ(0, world.getNonStaticRigidBodies().size());
}

TEST_F(AddCollisionObject, AGivenBodyKeepsItsStateAndGravity)
{
	btRigidBody wall(0, 0, &box);
	wall.setGravity(btVector3(1, 2, 3));
	wall.setActivationState(DISABLE_DEACTIVATION);
	const int flags = wall.getCollisionFlags();
	world.addCollisionObject(&wall, 1, -1);
	EXPECT_EQ(DISABLE_DEACTIVATION, wall.getActivationState());
	EXPECT_EQ(flags, wall.getCollisionFlags());
	EXPECT_EQ(1, world.getNumCollisionObjects());
	world.removeCollisionObject(&wall);
}

TEST_F(AddCollisionObject, ItCanBeRemovedAndAddedAgain)
{
	world.addCollisionObject(&object, 1, -1);
	world.removeCollisionObject(&object);
	EXPECT_EQ(0, world.getNumCollisionObjects());
	EXPECT_TRUE(object.getBroadphaseHandle() == 0);
	world.addCollisionObject(&object, 2, 4);
	EXPECT_EQ(1, world.getNumCollisionObjects());
	EXPECT_EQ(2, object.getBroadphaseHandle()->m_collisionFilterGroup);
	EXPECT_EQ(4, object.getBroadphaseHandle()->m_collisionFilterMask);
	world.removeCollisionObject(&object);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
