/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d.4]
 * tests:
 *   Dynamics.APendulum: 'MultiBodyTree.hpp: moment [Nm] about the joint axis; gravity is "[0;0;-9.8] in the world frame".'
 *   Dynamics.RevoluteChainsFollowTheLawsOfMotion: 'Docstring: "Calculate joint forces for given generalized state & derivatives."; q, u and dot_u.'
 *   Dynamics.PrismaticJointsGiveForces: 'MultiBodyTree.hpp: "PRISMATIC: force  [N], along joint axis".'
 *   Dynamics.FixedBodiesLoadTheirParents: 'JointType: "no degree of freedom, moves with parent"; the comment on fixed joints in the body calls it out.'
 *   Dynamics.SphericalJointsGiveMoments: 'MultiBodyTree.hpp: "SPHERICAL: moment vector [Nm]"; bodies are given with the joint in their origin.'
 *   Dynamics.AFloatingRootGivesMomentThenForce: 'MultiBodyTree.hpp: "moment vector [Nm] and force vector [N], both in body-fixed frame (in that order)".'
 *   Dynamics.FloatingBodiesOnOthers: 'The same.'
 *   Dynamics.BranchesAddUp: 'RigidBody: m_force_at_joint; all children load their parent.'
 *   Dynamics.UserForcesAndMomentsAreTakenOff: 'addUserForce, addUserMoment: external, in the body-fixed frame, at its origin.'
 *   Dynamics.GravityInAnyDirection: 'setGravityInWorldFrame.'
 *   Dynamics.AgreesWithTheMassMatrix: 'calculateMassMatrix in the same class: joint forces at rest without gravity are M * dot_u.'
 *   Dynamics.MassParametersMayChange: 'setBodyMass, setBodyFirstMassMoment, setBodySecondMassMoment set what is used.'
 *   Dynamics.BodiesWithoutMassWork: 'MultiBodyTree::addBody: "Zero mass is OK."'
 *   Dynamics.KinematicsAreUpdatedWithGravity: 'Docstring: "This also updates kinematic terms computed in calculateKinematics. If gravity is not set to zero, acceleration terms will contain gravitational acceleration."'
 *   Dynamics.EachCallStartsAnew: 'Callers (test_invdyn_bullet.cpp) call it for each step.'
 *   Dynamics.VectorsOfAnotherSizeAreRefused: 'Docstring: "dim(joint_forces) = dim(u)", "-1 on error".'
 ---*/
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "idmodel.h"

static const btVector3 kGravity(0, 0, -9.8);

static void load(MultiBodyTree& tree, const Model& m)
{
	for (int i = 0; i < (int)m.links.size(); i++)
	{
		EXPECT_EQ(0, tree.addUserForce(i, vec3(m.links[i].force)));
		EXPECT_EQ(0, tree.addUserMoment(i, vec3(m.links[i].moment)));
	}
}

static void expectForces(MultiBodyTree& tree, const Model& m, const vecx& q, const vecx& u, const vecx& du, const btVector3& g = kGravity)
{
	const int n = m.numDofs();
	vecx f(n);
	for (int k = 0; k < n; k++) f(k) = 1e30;
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &f));
	const std::vector<double> want = m.forces(q, u, du, g);
	for (int k = 0; k < n; k++)
		EXPECT_NEAR(want[k], f(k), 1e-9 * (1 + std::fabs(want[k]))) << "force " << k;
}

static void compare(const Model& m, int still = -1)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	load(tree, m);
	const int n = m.numDofs();
	vecx q(n), u(n), du(n);
	for (int seed = 1; seed < 4; seed++)
	{
		fill(q, seed);
		fill(u, seed + 10);
		fill(du, seed + 20);
		/* Displacements of floating bodies that are turned are left open. */
		for (int k = 0; k < 3 && still >= 0; k++) q(still + 3 + k) = 0;
		expectForces(tree, m, q, u, du);
	}
}

TEST(Dynamics, APendulum)
{
	/* Turns about y, its weight hangs at -z: the angle 0 is where it rests. */
	Model m;
	Link& l = m.add(-1, REVOLUTE, btVector3(5, 6, 7), btMatrix3x3::getIdentity(), btVector3(0, 1, 0));
	l.mass = 2;
	l.com = btVector3(0, 0, -0.5);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(1), u(1), du(1), f(1);
	u(0) = 3;
	du(0) = 1.25;
	const double about = l.I[1][1] + 2 * 0.25;
	for (int i = -3; i < 4; i++)
	{
		q(0) = 0.4 * i;
		ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &f));
		EXPECT_NEAR(about * 1.25 + 2 * 9.8 * 0.5 * std::sin(q(0)), f(0), 1e-9);
	}
}

TEST(Dynamics, RevoluteChainsFollowTheLawsOfMotion)
{
	Model m;
	for (int i = 0; i < 4; i++)
	{
		m.add(i - 1, REVOLUTE);
		compare(m);
	}
}

TEST(Dynamics, PrismaticJointsGiveForces)
{
	Model m;
	m.add(-1, PRISMATIC).T.setIdentity();
	compare(m);
	m.add(0, PRISMATIC);
	m.add(1, REVOLUTE);
	m.add(2, PRISMATIC);
	compare(m);
}

TEST(Dynamics, FixedBodiesLoadTheirParents)
{
	Model m;
	m.add(-1, FIXED);
	m.add(0, REVOLUTE);
	m.add(1, FIXED);
	m.add(2, FIXED);
	m.add(3, PRISMATIC);
	m.add(4, FIXED);
	compare(m);
}

TEST(Dynamics, SphericalJointsGiveMoments)
{
	Model m;
	m.add(-1, SPHERICAL);
	compare(m);
	m.add(0, REVOLUTE);
	m.add(1, SPHERICAL);
	m.add(2, PRISMATIC);
	compare(m);
}

TEST(Dynamics, AFloatingRootGivesMomentThenForce)
{
	Model m;
	m.add(-1, FLOATING);
	compare(m, 0);
	m.add(0, REVOLUTE);
	m.add(1, PRISMATIC);
	compare(m, 0);
}

TEST(Dynamics, FloatingBodiesOnOthers)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, FLOATING);
	m.add(1, REVOLUTE);
	m.add(1, PRISMATIC);
	compare(m, 1);
}

static Model branches()
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, REVOLUTE);
	m.add(0, PRISMATIC);
	m.add(1, SPHERICAL);
	m.add(1, FIXED);
	m.add(4, REVOLUTE);
	m.add(2, REVOLUTE);
	m.add(0, REVOLUTE);
	return m;
}

TEST(Dynamics, BranchesAddUp) { compare(branches()); }

TEST(Dynamics, UserForcesAndMomentsAreTakenOff)
{
	Model m = branches();
	for (size_t i = 0; i < m.links.size(); i++)
	{
		m.links[i].force = btVector3(1 + i, -2, 0.5 * i);
		compare(m);
		m.links[i].moment = btVector3(0.25, 3 - (double)i, -1.5);
		compare(m);
	}
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	load(tree, m);
	vecx q(m.numDofs()), u(m.numDofs()), du(m.numDofs());
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	expectForces(tree, m, q, u, du);
	/* They stay until they are cleared. */
	expectForces(tree, m, q, u, du);
	tree.clearAllUserForcesAndMoments();
	expectForces(tree, branches(), q, u, du);
	Model f;
	Link& root = f.add(-1, FLOATING);
	root.force = btVector3(1, 2, 3);
	root.moment = btVector3(4, 5, 6);
	compare(f, 0);
}

TEST(Dynamics, GravityInAnyDirection)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(m.numDofs()), u(m.numDofs()), du(m.numDofs());
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	const btVector3 some[] = {btVector3(1, 2, -3), btVector3(0, 0, 0), btVector3(-9.8, 0, 0)};
	for (int i = 0; i < 3; i++)
	{
		EXPECT_EQ(0, tree.setGravityInWorldFrame(vec3(some[i])));
		expectForces(tree, m, q, u, du, some[i]);
	}
}

TEST(Dynamics, AgreesWithTheMassMatrix)
{
	Model m;
	m.add(-1, FLOATING);
	m.add(0, REVOLUTE);
	m.add(1, PRISMATIC);
	m.add(0, SPHERICAL);
	m.add(3, REVOLUTE);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	EXPECT_EQ(0, tree.setGravityInWorldFrame(vec3(btVector3(0, 0, 0))));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n), f(n);
	matxx mass(n, n);
	fill(q, 1);
	for (int k = 3; k < 6; k++) q(k) = 0;
	setZero(u);
	ASSERT_EQ(0, tree.calculateMassMatrix(q, &mass));
	for (int col = 0; col < n; col++)
	{
		setZero(du);
		du(col) = 1;
		ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &f));
		for (int row = 0; row < n; row++) EXPECT_NEAR(mass(row, col), f(row), 1e-9) << row << ", " << col;
	}
}

TEST(Dynamics, MassParametersMayChange)
{
	Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(m.numDofs()), u(m.numDofs()), du(m.numDofs());
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	expectForces(tree, m, q, u, du);
	Link& l = m.links[5];
	l.mass = 10;
	l.com = btVector3(0.5, 0.25, -0.75);
	l.I = btMatrix3x3(3, 0.5, 0, 0.5, 4, 0.25, 0, 0.25, 5);
	EXPECT_EQ(0, tree.setBodyMass(5, 10));
	EXPECT_EQ(0, tree.setBodyFirstMassMoment(5, vec3(l.com * 10)));
	EXPECT_EQ(0, tree.setBodySecondMassMoment(5, mat33(l.I + crossMatrix(l.com) * crossMatrix(l.com) * -10)));
	expectForces(tree, m, q, u, du);
}

TEST(Dynamics, BodiesWithoutMassWork)
{
	Model m = branches();
	for (int i = 4; i < 7; i++)
	{
		m.links[i].mass = 0;
		m.links[i].I = btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
		m.links[i].force = btVector3(1, 2, 3);
	}
	compare(m);
}

TEST(Dynamics, KinematicsAreUpdatedWithGravity)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(m.numDofs()), u(m.numDofs()), du(m.numDofs()), f(m.numDofs());
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	for (int pass = 0; pass < 2; pass++)
	{
		std::vector<Motion> want = m.motion(q, u, du);
		for (size_t i = 0; i < want.size() && !pass; i++) want[i].acceleration -= kGravity;
		if (pass) tree.setGravityInWorldFrame(vec3(btVector3(0, 0, 0)));
		ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &f));
		expectMotion(tree, want, POSITIONS | VELOCITIES | ACCELERATIONS);
	}
}

TEST(Dynamics, EachCallStartsAnew)
{
	Model m = branches();
	m.links[3].force = btVector3(1, 2, 3);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	load(tree, m);
	vecx q(m.numDofs()), u(m.numDofs()), du(m.numDofs()), first(m.numDofs()), again(m.numDofs()), other(m.numDofs());
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &first));
	for (int seed = 4; seed < 8; seed++)
	{
		fill(again, seed);
		ASSERT_EQ(0, tree.calculateInverseDynamics(again, again, again, &other));
	}
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &again));
	for (int k = 0; k < m.numDofs(); k++) EXPECT_NEAR(first(k), again(k), 1e-9);
	expectForces(tree, m, q, u, du);
}

TEST(Dynamics, VectorsOfAnotherSizeAreRefused)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx right(n), f(n);
	fill(right, 1);
	for (int d = -1; d < 2; d += 2)
	{
		vecx other(n + d);
		fill(other, 1);
		EXPECT_EQ(-1, tree.calculateInverseDynamics(other, right, right, &f));
		EXPECT_EQ(-1, tree.calculateInverseDynamics(right, other, right, &f));
		EXPECT_EQ(-1, tree.calculateInverseDynamics(right, right, other, &f));
		EXPECT_EQ(-1, tree.calculateInverseDynamics(right, right, right, &other));
	}
	EXPECT_EQ(0, tree.calculateInverseDynamics(right, right, right, &f));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
