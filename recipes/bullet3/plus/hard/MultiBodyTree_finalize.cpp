/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53.2, btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53.4]
 * tests:
 *   Finalize.OnlyThenCanOneCalculate: 'calculateInverseDynamics and others: "system has not been initialized" before; docstring: "call this after all bodies have been added".'
 *   Finalize.EachBodyHasWhatWasAdded: 'Getters of MultiBodyTree: "see addBody".'
 *   Finalize.TheFirstMomentIsMassTimesCentre: 'getBodyFirstMassMoment: "mass * center of mass".'
 *   Finalize.TheUsersDataAreThere: 'getUserInt, getUserPtr; "not used by the library".'
 *   Finalize.NumbersOfBodiesAndDegreesOfFreedom: 'numBodies, numDoFs.'
 *   Finalize.AxesAreThoseOfTheJoints: 'RigidBody: m_Jac_JR and m_Jac_JT, "For revolute joints this is the joint axis, for prismatic joints it is a null matrix".'
 *   Finalize.OffsetsOfTheCoordinates: 'getDoFOffset; "in the order of body indices".'
 *   Finalize.AParentThatIsNoBodyIsAnError: 'Docstring: "-1 on error"; generateIndexSets.'
 *   Finalize.ARevoluteJointTurnsItsInertia: 'JointType: REVOLUTE; the mass matrix of one body is n I n.'
 *   Finalize.APrismaticJointMovesItsMass: 'JointType: PRISMATIC.'
 *   Finalize.AFloatingBodyHasMassAndInertia: 'JointType: FLOATING; rotation first, then translation.'
 *   Finalize.APendulumWeighsOnItsJoint: 'setGravityInWorldFrame: "the default is [0;0;-9.8]".'
 *   Finalize.NoForceOfTheUsersActsAtFirst: 'addUserForce: cumulative; clearAllUserForcesAndMoments sets them to zero.'
 *   Finalize.TheAxisOfOtherJointsIsIgnored: 'addBody: "Ignored for joints that are not revolute or prismatic".'
 *   Finalize.BodiesStandWhereTheyWereAdded: 'addBody: parent_r_parent_body_ref and body_T_parent_ref, "for q=0"; calculateStaticData.'
 *   Finalize.JacobiansAreTheVelocities: 'getBodyJacobianTrans: "dworld_velocity/du"; they are resized by the static data.'
 *   Finalize.TheTreeFreesAll: 'Destructor: "This also deallocates all memory".'
 ---*/
#include "inverse_dynamics.h"
#include "live_memory.h"

TEST(Finalize, OnlyThenCanOneCalculate)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, add(tree, 0, -1, REVOLUTE));
	vecx q(1), f(1);
	setZero(q);
	matxx mass(1, 1);
	EXPECT_EQ(-1, tree.calculateInverseDynamics(q, q, q, &f));
	EXPECT_EQ(-1, tree.calculateMassMatrix(q, &mass));
	EXPECT_EQ(-1, tree.calculatePositionKinematics(q));
	ASSERT_EQ(0, tree.finalize());
	EXPECT_EQ(0, tree.calculateInverseDynamics(q, q, q, &f));
	EXPECT_EQ(0, tree.calculateMassMatrix(q, &mass));
	EXPECT_EQ(0, tree.calculatePositionKinematics(q));
	EXPECT_EQ(0, tree.calculateJacobians(q));
}

static const JointType types[5] = {FLOATING, PRISMATIC, FIXED, REVOLUTE, SPHERICAL};

static void mixedTree(MultiBodyTree& tree)
{
	const int parents[5] = {-1, 0, 1, 1, 0};
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, tree.addBody(i, parents[i], types[i], vec(i, 2 * i, -i), turnedX(0.3 * i) * turnedZ(i), vec(0.48, 0.6, 0.64), 1 + i,
								  vec(0.1 * i, 0.2, -0.3 * i), mat(3 + i, 0.1, 0.2, 0.1, 4 + i, 0.3, 0.2, 0.3, 5 + i), 100 - i, i == 3 ? &tree : 0));
	ASSERT_EQ(0, tree.finalize());
}

TEST(Finalize, EachBodyHasWhatWasAdded)
{
	MultiBodyTree tree;
	mixedTree(tree);
	const int parents[5] = {-1, 0, 1, 1, 0};
	for (int i = 0; i < 5; i++)
	{
		vec3 v;
		mat33 m;
		idScalar mass = 0;
		JointType type = FIXED;
		int parent = -9;
		EXPECT_EQ(0, tree.getJointType(i, &type));
		EXPECT_EQ(types[i], type);
		EXPECT_EQ(0, tree.getParentIndex(i, &parent));
		EXPECT_EQ(parents[i], parent);
		EXPECT_EQ(0, tree.getParentRParentBodyRef(i, &v));
		expectVec(v, i, 2 * i, -i);
		EXPECT_EQ(0, tree.getBodyTParentRef(i, &m));
		expectSame(turnedX(0.3 * i) * turnedZ(i), m);
		EXPECT_EQ(0, tree.getBodyMass(i, &mass));
		EXPECT_EQ(1 + i, mass);
		EXPECT_EQ(0, tree.getBodySecondMassMoment(i, &m));
		expectSame(mat(3 + i, 0.1, 0.2, 0.1, 4 + i, 0.3, 0.2, 0.3, 5 + i), m);
	}
	const char* name = 0;
	EXPECT_EQ(0, tree.getJointTypeStr(1, &name));
	EXPECT_STREQ("prismatic", name);
}

TEST(Finalize, TheFirstMomentIsMassTimesCentre)
{
	MultiBodyTree tree;
	mixedTree(tree);
	for (int i = 0; i < 5; i++)
	{
		vec3 v;
		EXPECT_EQ(0, tree.getBodyFirstMassMoment(i, &v));
		expectVec(v, (1 + i) * 0.1 * i, (1 + i) * 0.2, (1 + i) * -0.3 * i);
	}
}

TEST(Finalize, TheUsersDataAreThere)
{
	MultiBodyTree tree;
	mixedTree(tree);
	for (int i = 0; i < 5; i++)
	{
		int number = 0;
		void* pointer = &number;
		EXPECT_EQ(0, tree.getUserInt(i, &number));
		EXPECT_EQ(100 - i, number);
		EXPECT_EQ(0, tree.getUserPtr(i, &pointer));
		EXPECT_EQ(i == 3 ? &tree : 0, pointer);
	}
}

TEST(Finalize, NumbersOfBodiesAndDegreesOfFreedom)
{
	MultiBodyTree tree;
	mixedTree(tree);
	EXPECT_EQ(5, tree.numBodies());
	EXPECT_EQ(6 + 1 + 0 + 1 + 3, tree.numDoFs());
}

TEST(Finalize, AxesAreThoseOfTheJoints)
{
	MultiBodyTree tree;
	mixedTree(tree);
	for (int i = 0; i < 5; i++)
	{
		vec3 v = vec(9, 9, 9);
		EXPECT_EQ(0, tree.getBodyAxisOfMotion(i, &v));
		if (types[i] == REVOLUTE || types[i] == PRISMATIC)
			expectVec(v, 0.48, 0.6, 0.64);
		else
			expectVec(v, 0, 0, 0);
		const RigidBody& body = tree.m_impl->m_body_list[i];
		if (types[i] == REVOLUTE)
			expectVec(body.m_Jac_JR, 0.48, 0.6, 0.64);
		else
			expectVec(body.m_Jac_JR, 0, 0, 0);
		if (types[i] == PRISMATIC)
			expectVec(body.m_Jac_JT, 0.48, 0.6, 0.64);
		else
			expectVec(body.m_Jac_JT, 0, 0, 0);
	}
}

TEST(Finalize, OffsetsOfTheCoordinates)
{
	MultiBodyTree tree;
	mixedTree(tree);
	const int want[5] = {0, 6, -1, 7, 8};
	for (int i = 0; i < 5; i++)
	{
		int offset = -5;
		EXPECT_EQ(0, tree.getDoFOffset(i, &offset));
		if (types[i] != FIXED)
			EXPECT_EQ(want[i], offset) << i;
	}
}

TEST(Finalize, AParentThatIsNoBodyIsAnError)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, add(tree, 0, -1, FIXED));
	ASSERT_EQ(0, add(tree, 1, 7, REVOLUTE));
	EXPECT_EQ(-1, tree.finalize());
	/* It isn't ready. */
	vecx q(1), f(1);
	setZero(q);
	EXPECT_EQ(-1, tree.calculateInverseDynamics(q, q, q, &f));
}

TEST(Finalize, ARevoluteJointTurnsItsInertia)
{
	MultiBodyTree tree;
	const mat33 I = mat(3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5);
	const vec3 n = vec(0.48, 0.6, 0.64);
	ASSERT_EQ(0, tree.addBody(0, -1, REVOLUTE, vec(1, 2, 3), turnedX(0.7), n, 2, vec(0.1, 0.2, 0.3), I, 0, 0));
	ASSERT_EQ(0, tree.finalize());
	vecx q(1), u(1), a(1), f(1);
	q(0) = 0.4;
	setZero(u);
	a(0) = 2;
	matxx mass(1, 1);
	double want = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			want += n(i) * I(i, j) * n(j);
	ASSERT_EQ(0, tree.calculateMassMatrix(q, &mass));
	EXPECT_NEAR(want, mass(0, 0), 1e-9);
	tree.setGravityInWorldFrame(vec(0, 0, 0));
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, a, &f));
	EXPECT_NEAR(2 * want, f(0), 1e-9);
}

TEST(Finalize, APrismaticJointMovesItsMass)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, tree.addBody(0, -1, PRISMATIC, vec(1, 2, 3), turnedX(0.7), vec(0, 0, 1), 2.5, vec(0.1, 0.2, 0.3), unit(), 0, 0));
	ASSERT_EQ(0, tree.finalize());
	vecx q(1), u(1), a(1), f(1);
	q(0) = 0.4;
	u(0) = 3;
	a(0) = 2;
	matxx mass(1, 1);
	ASSERT_EQ(0, tree.calculateMassMatrix(q, &mass));
	EXPECT_NEAR(2.5, mass(0, 0), 1e-9);
	/* The axis is (0, -sin, cos) in the world, against which 9.8 pulls. */
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, a, &f));
	EXPECT_NEAR(2.5 * (2 + 9.8 * std::cos(0.7)), f(0), 1e-9);
}

TEST(Finalize, AFloatingBodyHasMassAndInertia)
{
	MultiBodyTree tree;
	const mat33 I = mat(3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5);
	ASSERT_EQ(0, tree.addBody(0, -1, FLOATING, vec(0, 0, 0), unit(), vec(0, 0, 1), 2.5, vec(0, 0, 0), I, 0, 0));
	ASSERT_EQ(0, tree.finalize());
	vecx q(6);
	setZero(q);
	matxx mass(6, 6);
	ASSERT_EQ(0, tree.calculateMassMatrix(q, &mass));
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			EXPECT_NEAR(i < 3 && j < 3 ? I(i, j) : i == j ? 2.5 : 0, mass(i, j), 1e-9) << i << ", " << j;
}

static double holdingMoment(MultiBodyTree& tree, double angle)
{
	vecx q(1), u(1), a(1), f(1);
	q(0) = angle;
	setZero(u);
	setZero(a);
	EXPECT_EQ(0, tree.calculateInverseDynamics(q, u, a, &f));
	return f(0);
}

TEST(Finalize, APendulumWeighsOnItsJoint)
{
	MultiBodyTree tree;
	/* Turned about y by q, the centre is at (cos q, 0, -sin q). */
	ASSERT_EQ(0, tree.addBody(0, -1, REVOLUTE, vec(0, 0, 0), unit(), vec(0, 1, 0), 2, vec(0.5, 0, 0), unit(), 0, 0));
	ASSERT_EQ(0, tree.finalize());
	for (int i = -3; i < 4; i++)
		EXPECT_NEAR(-2 * 9.8 * 0.5 * std::cos(0.5 * i), holdingMoment(tree, 0.5 * i), 1e-9);
	tree.setGravityInWorldFrame(vec(0, 0, 1));
	EXPECT_NEAR(1, holdingMoment(tree, 0), 1e-9);
}

TEST(Finalize, NoForceOfTheUsersActsAtFirst)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, add(tree, 0, -1, PRISMATIC));
	ASSERT_EQ(0, add(tree, 1, 0, REVOLUTE));
	ASSERT_EQ(0, tree.finalize());
	tree.setGravityInWorldFrame(vec(0, 0, 0));
	vecx q(2), f(2);
	setZero(q);
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, q, q, &f));
	EXPECT_NEAR(0, f(0), 1e-12);
	EXPECT_NEAR(0, f(1), 1e-12);
	for (int i = 0; i < 2; i++)
	{
		expectVec(tree.m_impl->m_body_list[i].m_body_force_user, 0, 0, 0, 0);
		expectVec(tree.m_impl->m_body_list[i].m_body_moment_user, 0, 0, 0, 0);
	}
	EXPECT_EQ(0, tree.addUserForce(0, vec(0, 0, 4)));
	EXPECT_EQ(0, tree.addUserMoment(1, vec(0, 0, 3)));
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, q, q, &f));
	EXPECT_NEAR(-4, f(0), 1e-9);
	EXPECT_NEAR(-3, f(1), 1e-9);
}

TEST(Finalize, TheAxisOfOtherJointsIsIgnored)
{
	const JointType others[3] = {FIXED, SPHERICAL, FLOATING};
	for (int k = 0; k < 3; k++)
	{
		MultiBodyTree tree, plain;
		add(tree, 0, -1, REVOLUTE);
		add(tree, 1, 0, others[k], vec(5, 6, 7), vec(1, 0, 0), turnedX(0.3), 2, vec(0, 1, 0), diag(2, 3, 4));
		add(plain, 0, -1, REVOLUTE);
		add(plain, 1, 0, others[k], vec(0, 0, 0), vec(1, 0, 0), turnedX(0.3), 2, vec(0, 1, 0), diag(2, 3, 4));
		ASSERT_EQ(0, tree.finalize());
		ASSERT_EQ(0, plain.finalize());
		const int n = tree.numDoFs();
		vecx q(n), f(n), g(n);
		for (int i = 0; i < n; i++)
			q(i) = 0.1 * i + 0.2;
		ASSERT_EQ(0, tree.calculateInverseDynamics(q, q, q, &f));
		ASSERT_EQ(0, plain.calculateInverseDynamics(q, q, q, &g));
		for (int i = 0; i < n; i++)
			EXPECT_NEAR(g(i), f(i), 1e-12);
	}
}

TEST(Finalize, BodiesStandWhereTheyWereAdded)
{
	MultiBodyTree tree;
	add(tree, 0, -1, FIXED, vec(0, 0, 1), vec(1, 0, 0), turnedZ(SIMD_HALF_PI));
	add(tree, 1, 0, REVOLUTE, vec(0, 0, 1), vec(2, 0, 0));
	add(tree, 2, 1, PRISMATIC, vec(1, 0, 0), vec(0, 3, 0), turnedZ(SIMD_HALF_PI));
	add(tree, 3, 2, FIXED, vec(0, 0, 1), vec(0, 0, 4));
	ASSERT_EQ(0, tree.finalize());
	vecx q(2);
	setZero(q);
	vec3 v;
	ASSERT_EQ(0, tree.calculatePositionKinematics(q));
	/* x of the root's frame is y of the world. */
	tree.getBodyOrigin(1, &v);
	expectVec(v, 1, 2, 0);
	tree.getBodyOrigin(2, &v);
	expectVec(v, -2, 2, 0);
	tree.getBodyOrigin(3, &v);
	expectVec(v, -2, 2, 4);
	q(0) = SIMD_HALF_PI;
	q(1) = 0.5;
	ASSERT_EQ(0, tree.calculatePositionKinematics(q));
	tree.getBodyOrigin(1, &v);
	expectVec(v, 1, 2, 0);
	tree.getBodyOrigin(3, &v);
	expectVec(v, 1, 2 - 3 - 0.5, 4);
}

TEST(Finalize, JacobiansAreTheVelocities)
{
	MultiBodyTree tree;
	add(tree, 0, -1, FLOATING);
	add(tree, 1, 0, PRISMATIC, vec(0.48, 0.6, 0.64), vec(1, 0, 2), turnedX(0.4));
	add(tree, 2, 1, REVOLUTE, vec(0.6, 0, 0.8), vec(0, 2, 1), turnedZ(-0.8));
	add(tree, 3, 2, FIXED, vec(0, 0, 1), vec(0.5, 0.5, 0.5), turnedX(1.8));
	ASSERT_EQ(0, tree.finalize());
	vecx q(8), u(8), a(8);
	for (int i = 0; i < 8; i++)
	{
		q(i) = 0.3 - 0.17 * i;
		u(i) = 0.9 * i - 2;
		a(i) = 0;
	}
	for (int call = 0; call < 2; call++)
	{
		ASSERT_EQ(0, tree.calculateKinematics(q, u, a));
		ASSERT_EQ(0, tree.calculateJacobians(q, u));
		for (int body = 0; body < 4; body++)
		{
			mat3x t(3, 8), r(3, 8);
			vec3 v, w;
			ASSERT_EQ(0, tree.getBodyJacobianTrans(body, &t));
			ASSERT_EQ(0, tree.getBodyJacobianRot(body, &r));
			tree.getBodyLinearVelocity(body, &v);
			tree.getBodyAngularVelocity(body, &w);
			expectSame(v, t * u, 1e-9);
			expectSame(w, r * u, 1e-9);
			/* With dot_u = 0 all acceleration comes from the velocities. */
			tree.getBodyDotJacobianTransU(body, &v);
			tree.getBodyLinearAcceleration(body, &w);
			expectSame(w, v, 1e-9);
		}
		for (int i = 0; i < 8; i++)
			q(i) += 0.1;
	}
}

static int left(bool broken)
{
	int held = 0;
	for (int run = 0; run < 2; run++)
	{
		const int before = live;
		MultiBodyTree* tree = new MultiBodyTree;
		if (broken)
		{
			add(*tree, 0, -1, FIXED);
			add(*tree, 1, 9, REVOLUTE);
			EXPECT_EQ(-1, tree->finalize());
		}
		else
			mixedTree(*tree);
		delete tree;
		held = live - before;
	}
	return held;
}

TEST(Finalize, TheTreeFreesAll)
{
	EXPECT_EQ(0, left(false));
	EXPECT_EQ(0, left(true));
}

int main(int argc, char** argv)
{
	countBullet();
	return runAll(argc, argv);
}
