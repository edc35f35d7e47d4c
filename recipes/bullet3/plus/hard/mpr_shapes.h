/* Convex shapes at their places, as test/collision/main.cpp has them. */
#ifndef MPR_SHAPES_H
#define MPR_SHAPES_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cfloat>
#include <gtest/gtest.h>

#include "LinearMath/btTransform.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btMultiSphereShape.h"
#include "BulletCollision/CollisionShapes/btConvexHullShape.h"
#include "BulletCollision/NarrowPhaseCollision/btMprPenetration.h"

struct Placed
{
	const btConvexShape* shape;
	btTransform place;
	Placed(const btConvexShape& s, const btVector3& origin, const btQuaternion& turn = btQuaternion(0, 0, 0, 1)) : shape(&s), place(turn, origin) {}
	btScalar getMargin() const { return shape->getMargin(); }
	btVector3 getObjectCenterInWorld() const { return place.getOrigin(); }
	const btTransform& getWorldTransform() const { return place; }
	btVector3 getLocalSupportWithMargin(const btVector3& dir) const { return shape->localGetSupportingVertex(dir); }
	btVector3 getLocalSupportWithoutMargin(const btVector3& dir) const { return shape->localGetSupportingVertexWithoutMargin(dir); }
};

static void expectVector(const btVector3& v, const btVector3& want, double within)
{
	for (int i = 0; i < 3; i++)
		EXPECT_NEAR(want[i], v[i], within) << "element " << i;
}

/* Numbers between -1 and 1, the same each time. */
struct Numbers
{
	unsigned state;
	Numbers() : state(12345) {}
	double next()
	{
		state = state * 1664525u + 1013904223u;
		return (state >> 8) / double(1 << 23) - 1;
	}
	btVector3 vector()
	{
		const double x = next(), y = next(), z = next();
		return btVector3(x, y, z);
	}
	btQuaternion turn()
	{
		const double x = next(), y = next(), z = next(), w = next();
		return btQuaternion(x, y, z, w + 2).normalized();
	}
};

#endif
