/*---
 * tasks: [btMultiBody.serialize-414cdc.4]
 * tests:
 *   SolveImatrix.ALoneBaseIsARigidBody: 'The other solveImatrix: angular by the inertia, linear by the mass.'
 *   SolveImatrix.ALoneBaseWithoutInertiaDoesNotTurn: 'The same: each of the three must be there.'
 *   SolveImatrix.ALoneBaseWithoutMassDoesNotMove: 'The same.'
 *   SolveImatrix.ALoneBaseNeedsNoCache: 'computeAccelerations...: m_cachedInertiaValid is set where there are links.'
 *   SolveImatrix.WithoutAValidCacheNothingAccelerates: 'The other solveImatrix: m_cachedInertiaValid.'
 *   SolveImatrix.ASimpleInertiaIsDividedBy: 'm_cachedInertia...: the 6x6 matrix; "inverse of a spatial inertia matrix" in the file''s head.'
 *   SolveImatrix.TheResultSolvesTheEquation: 'The other solveImatrix: "solve I * x = rhs".'
 *   SolveImatrix.ItAgreesWithTheOtherOverload: 'Same name, same matrix.'
 *   SolveImatrix.ItIsLinear: 'The same.'
 *   SolveImatrix.NothingElseChanges: 'Signature: const.'
 *   SolveImatrix.AForceAcceleratesAllMasses: 'Caller computeAccelerationsArticulatedBodyAlgorithmMultiDof: F = m a for all links that move along.'
 *   SolveImatrix.APushBesideTheCentreTurns: 'The same: the torque turns base and link about the common centre.'
 ---*/
#include "multi_body.h"

static btSpatialForceVector force(const btVector3& angular, const btVector3& linear)
{
	btSpatialForceVector f;
	f.setAngular(angular);
	f.setLinear(linear);
	return f;
}

static btSpatialMotionVector junk()
{
	btSpatialMotionVector m;
	m.setAngular(btVector3(55, 66, 77));
	m.setLinear(btVector3(88, 99, 11));
	return m;
}

static void withLink(btMultiBody& body)
{
	body.setupFixed(0, 4, btVector3(6, 7, 8), -1, btQuaternion(0, 0, 0, 1), btVector3(3, 4, 5), btVector3(6, 7, 8));
	body.finalizeMultiDof();
}

/* The blocks of a spatial inertia: any coupling, symmetric masses and moments. */
static void setCache(btMultiBody& body, const btMatrix3x3& coupling, const btMatrix3x3& mass, const btMatrix3x3& moments)
{
	body.m_cachedInertiaTopLeft = coupling;
	body.m_cachedInertiaTopRight = mass;
	body.m_cachedInertiaLowerLeft = moments;
	body.m_cachedInertiaLowerRight = coupling.transpose();
	body.m_cachedInertiaValid = true;
}

static const btMatrix3x3 coupling(0.3, -0.4, 0.5, 0.6, -0.2, 0.1, -0.7, 0.9, 0.25);
static const btMatrix3x3 mass(5, 0.5, -0.25, 0.5, 6, 0.75, -0.25, 0.75, 7);
static const btMatrix3x3 moments(8, 0.1, 0.2, 0.1, 9, 0.3, 0.2, 0.3, 10);

TEST(SolveImatrix, ALoneBaseIsARigidBody)
{
	btMultiBody body(0, 4, btVector3(2, 5, 8), false, false);
	btSpatialMotionVector result = junk();
	body.solveImatrix(force(btVector3(6, -10, 4), btVector3(8, 12, -2)), result);
	expectVector(result.getAngular(), 3, -2, 0.5);
	expectVector(result.getLinear(), 2, 3, -0.5);
}

TEST(SolveImatrix, ALoneBaseWithoutInertiaDoesNotTurn)
{
	for (int i = 0; i < 3; i++)
	{
		btVector3 inertia(2, 5, 8);
		inertia[i] = 0;
		btMultiBody body(0, 4, inertia, false, false);
		btSpatialMotionVector result = junk();
		body.solveImatrix(force(btVector3(6, -10, 4), btVector3(8, 12, -2)), result);
		expectVector(result.getAngular(), 0, 0, 0, 0);
		expectVector(result.getLinear(), 2, 3, -0.5);
	}
}

TEST(SolveImatrix, ALoneBaseWithoutMassDoesNotMove)
{
	btMultiBody body(0, 0, btVector3(2, 5, 8), false, false);
	btSpatialMotionVector result = junk();
	body.solveImatrix(force(btVector3(6, -10, 4), btVector3(8, 12, -2)), result);
	expectVector(result.getAngular(), 3, -2, 0.5);
	expectVector(result.getLinear(), 0, 0, 0, 0);
}

TEST(SolveImatrix, ALoneBaseNeedsNoCache)
{
	btMultiBody body(0, 4, btVector3(2, 5, 8), false, false);
	for (int valid = 0; valid < 2; valid++)
	{
		setCache(body, coupling, mass, moments);
		body.m_cachedInertiaValid = valid == 1;
		btSpatialMotionVector result = junk();
		body.solveImatrix(force(btVector3(2, 5, 8), btVector3(4, 8, 12)), result);
		expectVector(result.getAngular(), 1, 1, 1);
		expectVector(result.getLinear(), 1, 2, 3);
	}
}

TEST(SolveImatrix, WithoutAValidCacheNothingAccelerates)
{
	btMultiBody body(1, 4, btVector3(2, 5, 8), false, false);
	withLink(body);
	setCache(body, coupling, mass, moments);
	body.m_cachedInertiaValid = false;
	btSpatialMotionVector result = junk();
	body.solveImatrix(force(btVector3(6, -10, 4), btVector3(8, 12, -2)), result);
	expectVector(result.getAngular(), 0, 0, 0, 0);
	expectVector(result.getLinear(), 0, 0, 0, 0);
}

TEST(SolveImatrix, ASimpleInertiaIsDividedBy)
{
	btMultiBody body(1, 4, btVector3(2, 5, 8), false, false);
	withLink(body);
	setCache(body, btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0), btMatrix3x3(10, 0, 0, 0, 10, 0, 0, 0, 10), btMatrix3x3(2, 0, 0, 0, 4, 0, 0, 0, 5));
	btSpatialMotionVector result = junk();
	body.solveImatrix(force(btVector3(6, -8, 15), btVector3(20, 30, -40)), result);
	expectVector(result.getAngular(), 3, -2, 3);
	expectVector(result.getLinear(), 2, 3, -4);
}

TEST(SolveImatrix, TheResultSolvesTheEquation)
{
	btMultiBody body(1, 4, btVector3(2, 5, 8), false, false);
	withLink(body);
	setCache(body, coupling, mass, moments);
	for (int i = 0; i < 6; i++)
	{
		btVector3 angular(0, 0, 0), linear(0, 0, 0);
		(i < 3 ? angular : linear)[i % 3] = 1;
		btSpatialMotionVector x = junk();
		body.solveImatrix(force(angular, linear), x);
		/* Force from the linear and angular acceleration, and moment. */
		const btVector3 f = coupling * x.getAngular() + mass * x.getLinear();
		const btVector3 m = moments * x.getAngular() + coupling.transpose() * x.getLinear();
		expectVector(f, linear.x(), linear.y(), linear.z());
		expectVector(m, angular.x(), angular.y(), angular.z());
	}
}

TEST(SolveImatrix, ItAgreesWithTheOtherOverload)
{
	btMultiBody body(1, 4, btVector3(2, 5, 8), false, false), lone(0, 4, btVector3(2, 5, 8), false, false);
	withLink(body);
	setCache(body, coupling, mass, moments);
	const btVector3 angular(1, -2, 3), linear(-4, 5, 6);
	const btMultiBody* all[2] = {&body, &lone};
	for (int i = 0; i < 2; i++)
	{
		btSpatialMotionVector x = junk();
		btScalar y[6];
		all[i]->solveImatrix(force(angular, linear), x);
		all[i]->solveImatrix(linear, angular, y);
		expectVector(x.getAngular(), y[0], y[1], y[2]);
		expectVector(x.getLinear(), y[3], y[4], y[5]);
	}
}

TEST(SolveImatrix, ItIsLinear)
{
	btMultiBody body(1, 4, btVector3(2, 5, 8), false, false);
	withLink(body);
	setCache(body, coupling, mass, moments);
	btSpatialMotionVector a = junk(), b = junk(), both = junk();
	body.solveImatrix(force(btVector3(1, -2, 3), btVector3(0, 0, 0)), a);
	body.solveImatrix(force(btVector3(0, 0, 0), btVector3(4, 5, -6)), b);
	body.solveImatrix(force(btVector3(2, -4, 6), btVector3(-4, -5, 6)), both);
	for (int i = 0; i < 3; i++)
	{
		EXPECT_NEAR(2 * a.getAngular()[i] - b.getAngular()[i], both.getAngular()[i], 1e-9);
		EXPECT_NEAR(2 * a.getLinear()[i] - b.getLinear()[i], both.getLinear()[i], 1e-9);
	}
}

TEST(SolveImatrix, NothingElseChanges)
{
	btMultiBody body(1, 4, btVector3(2, 5, 8), false, false);
	withLink(body);
	setCache(body, coupling, mass, moments);
	const btSpatialForceVector f = force(btVector3(1, 2, 3), btVector3(4, 5, 6));
	btSpatialMotionVector first = junk(), second = junk();
	body.solveImatrix(f, first);
	body.solveImatrix(f, second);
	expectVector(second.getAngular(), first.getAngular().x(), first.getAngular().y(), first.getAngular().z(), 0);
	expectVector(second.getLinear(), first.getLinear().x(), first.getLinear().y(), first.getLinear().z(), 0);
	expectVector(f.getAngular(), 1, 2, 3, 0);
	EXPECT_TRUE(body.m_cachedInertiaTopLeft == coupling);
	EXPECT_TRUE(body.m_cachedInertiaTopRight == mass);
	EXPECT_TRUE(body.m_cachedInertiaLowerLeft == moments);
	EXPECT_TRUE(body.m_cachedInertiaLowerRight == coupling.transpose());
	EXPECT_TRUE(body.m_cachedInertiaValid);
}

/* A base of mass 2 with a link of mass 3, two to the right. */
static void pushed(const btVector3& f, const btVector3& torque, btMultiBody& body)
{
	body.setupFixed(0, 3, btVector3(1, 1, 1), -1, btQuaternion(0, 0, 0, 1), btVector3(2, 0, 0), btVector3(0, 0, 0));
	body.finalizeMultiDof();
	body.setLinearDamping(0);
	body.setAngularDamping(0);
	body.clearForcesAndTorques();
	body.addBaseForce(f);
	body.addBaseTorque(torque);
	btAlignedObjectArray<btScalar> r;
	btAlignedObjectArray<btVector3> v;
	btAlignedObjectArray<btMatrix3x3> m;
	body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.5, r, v, m, false, false, false);
}

TEST(SolveImatrix, AForceAcceleratesAllMasses)
{
	btMultiBody body(1, 2, btVector3(1, 1, 1), false, false);
	pushed(btVector3(10, 0, 0), btVector3(0, 0, 0), body);
	/* Along the line of both centres: a = 10 / 5, for half a second. */
	expectVector(body.getBaseVel(), 1, 0, 0);
	expectVector(body.getBaseOmega(), 0, 0, 0);
}

TEST(SolveImatrix, APushBesideTheCentreTurns)
{
	btMultiBody body(1, 2, btVector3(1, 1, 1), false, false);
	pushed(btVector3(0, 10, 0), btVector3(0, 0, 0), body);
	/* About the common centre at 1.2: 1 + 2 * 1.44 + 1 + 3 * 0.64 = 6.8. */
	const double turn = -1.2 * 10 / 6.8, centre = 10 / 5.;
	expectVector(body.getBaseOmega(), 0, 0, 0.5 * turn);
	expectVector(body.getBaseVel(), 0, 0.5 * (centre - 1.2 * turn), 0);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
