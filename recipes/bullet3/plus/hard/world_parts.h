/* The parts from which the tests build a discrete dynamics world. */
#ifndef WORLD_PARTS_H
#define WORLD_PARTS_H

#include <new>
#include <set>
#include <string>
#include <stdlib.h>
#include <gtest/gtest.h>

#include "btBulletDynamicsCommon.h"
#include "BulletCollision/CollisionDispatch/btSimulationIslandManager.h"

struct Parts
{
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher;
	btDbvtBroadphase broadphase;
	Parts() : dispatcher(&configuration) {}
};

/* A solver that tells what it was asked, and whether it was destroyed. */
struct Solver : public btSequentialImpulseConstraintSolver
{
	int solved, prepared, finished;
	int* destroyed;
	btScalar timeStep;
	btDispatcher* dispatcher;
	Solver(int* count = 0) : solved(0), prepared(0), finished(0), destroyed(count), timeStep(-1), dispatcher(0) {}
	virtual ~Solver()
	{
		if (destroyed)
			++*destroyed;
	}
	virtual void prepareSolve(int bodies, int manifolds)
	{
		prepared++;
		btSequentialImpulseConstraintSolver::prepareSolve(bodies, manifolds);
	}
	virtual void allSolved(const btContactSolverInfo& info, btIDebugDraw* drawer)
	{
		finished++;
		btSequentialImpulseConstraintSolver::allSolved(info, drawer);
	}
	virtual btScalar solveGroup(btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds, int numManifolds,
								btTypedConstraint** constraints, int numConstraints, const btContactSolverInfo& info, btIDebugDraw* drawer, btDispatcher* d)
	{
		solved++;
		timeStep = info.m_timeStep;
		dispatcher = d;
		return btSequentialImpulseConstraintSolver::solveGroup(bodies, numBodies, manifolds, numManifolds, constraints, numConstraints, info, drawer, d);
	}
};

struct Drawer : public btIDebugDraw
{
	virtual void drawLine(const btVector3&, const btVector3&, const btVector3&) {}
	virtual void drawContactPoint(const btVector3&, const btVector3&, btScalar, int, const btVector3&) {}
	virtual void reportErrorWarning(const char*) {}
	virtual void draw3dText(const btVector3&, const char*) {}
	virtual void setDebugMode(int) {}
	virtual int getDebugMode() const { return 0; }
};

inline btTransform at(btScalar x, btScalar y, btScalar z)
{
	return btTransform(btQuaternion::getIdentity(), btVector3(x, y, z));
}

inline void expectVector(const btVector3& v, double x, double y, double z, double within = 1e-9)
{
	EXPECT_NEAR(x, v.x(), within);
	EXPECT_NEAR(y, v.y(), within);
	EXPECT_NEAR(z, v.z(), within);
}

#endif
