/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d.4]
 * tests:
 *   Kinematics.AChainOfRevoluteJoints: 'MultiBodyTree.hpp: q is the angle of rotation, u its derivative; RigidBody: the axis is in the body-fixed frame.'
 *   Kinematics.PrismaticJointsMoveAlongTheirAxis: 'MultiBodyTree.hpp: q is the displacement along body_axis_of_motion, "in body-fixed frame"; parent_r_parent_body_ref for q=0.'
 *   Kinematics.FixedBodiesMoveWithTheirParent: 'JointType: "no degree of freedom, moves with parent".'
 *   Kinematics.SphericalJointsTurnFreely: 'MultiBodyTree.hpp: x-y-z angles, u is the angular velocity; calculateMassMatrix has the order of the turns.'
 *   Kinematics.AFloatingRootThatIsNotTurned: 'MultiBodyTree.hpp: displacement, angular velocity and the derivative of the displacement.'
 *   Kinematics.AFloatingRootThatIsTurned: 'The same; calculateMassMatrix: transformZ * transformY * transformX, u in the body-fixed frame.'
 *   Kinematics.FloatingBodiesOnOthers: 'The same: relative to the parent.'
 *   Kinematics.BranchesHangOnTheirParents: 'RigidBody: relative kinematics are in the parent body frame; m_parent_index.'
 *   Kinematics.ARootAloneHasNoParent: 'addBody: the parent of the root is the world frame.'
 *   Kinematics.ARestingTreeHasNoVelocity: 'Signature: u and dot_u are zero.'
 *   Kinematics.GravityIsAddedToEachBody: 'RigidBody: m_body_acc "is the accelation PLUS gravitational acceleration"; calculateInverseDynamics relies on it.'
 *   Kinematics.PositionsOnly: 'Header: "Depending on type, update positions only, positions & velocities, or positions, velocities and accelerations."'
 *   Kinematics.PositionsAndVelocities: 'The same.'
 *   Kinematics.EachCallStartsAnew: 'Callers (test_invdyn_kinematics.cpp) call it for each step.'
 *   Kinematics.VectorsOfAnotherSizeAreRefused: 'Header: "-1 on error"; calculateInverseDynamics and calculateJacobians check the sizes.'
 *   Kinematics.AnUnknownTypeIsRefused: 'The enumeration KinUpdateType; calculateJacobians checks it too.'
 ---*/
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#define private public
#include "BulletInverseDynamics/MultiBodyTree.hpp"
#include "BulletInverseDynamics/details/MultiBodyTreeImpl.hpp"
#undef private

#include "idmodel.h"

typedef MultiBodyTree::MultiBodyImpl Impl;

/* Compares the tree with the model, at two states one after the other. */
static void compare(const Model& model, int what = POSITIONS | VELOCITIES | ACCELERATIONS)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, model.build(tree));
	const int n = model.numDofs();
	vecx q(n), u(n), du(n);
	for (int seed = 1; seed < 4; seed++)
	{
		fill(q, seed);
		fill(u, seed + 10);
		fill(du, seed + 20);
		ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
		expectMotion(tree, model.motion(q, u, du), what);
	}
}

static Model chain()
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, PRISMATIC);
	m.add(1, REVOLUTE);
	m.add(1, SPHERICAL);
	m.add(3, FIXED);
	m.add(4, PRISMATIC);
	return m;
}

TEST(Kinematics, AChainOfRevoluteJoints)
{
	Model m;
	for (int i = 0; i < 4; i++) m.add(i - 1, REVOLUTE);
	compare(m);
}

TEST(Kinematics, PrismaticJointsMoveAlongTheirAxis)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, PRISMATIC);
	m.add(1, PRISMATIC);
	m.add(2, REVOLUTE);
	compare(m);
	Model root;
	root.add(-1, PRISMATIC).T.setIdentity();
	root.add(0, REVOLUTE);
	compare(root);
}

TEST(Kinematics, FixedBodiesMoveWithTheirParent)
{
	Model m;
	m.add(-1, FIXED);
	m.add(0, REVOLUTE);
	m.add(1, FIXED);
	m.add(2, PRISMATIC);
	m.add(3, FIXED);
	compare(m);
}

TEST(Kinematics, SphericalJointsTurnFreely)
{
	Model m;
	m.add(-1, SPHERICAL);
	m.add(0, REVOLUTE);
	m.add(1, SPHERICAL);
	m.add(2, PRISMATIC);
	compare(m);
}

TEST(Kinematics, AFloatingRootThatIsNotTurned)
{
	Model m;
	m.add(-1, FLOATING);
	m.add(0, REVOLUTE);
	m.add(1, PRISMATIC);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(8), u(8), du(8);
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	q(0) = q(1) = q(2) = 0;
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	expectMotion(tree, m.motion(q, u, du), POSITIONS | VELOCITIES | ACCELERATIONS);
}

TEST(Kinematics, AFloatingRootThatIsTurned)
{
	Model m;
	m.add(-1, FLOATING);
	m.add(0, REVOLUTE);
	m.add(1, PRISMATIC);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(8), u(8), du(8);
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	/* Where it turns and is moved along, the sources and the documentation say different things. */
	for (int k = 3; k < 6; k++) q(k) = 0;
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	expectMotion(tree, m.motion(q, u, du), POSITIONS | ACCELERATIONS);
	for (int k = 3; k < 6; k++) u(k) = 0;
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	expectMotion(tree, m.motion(q, u, du), POSITIONS | VELOCITIES | ACCELERATIONS);
}

TEST(Kinematics, FloatingBodiesOnOthers)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, FLOATING);
	m.add(1, REVOLUTE);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(8), u(8), du(8);
	for (int turned = 0; turned < 2; turned++)
	{
		fill(q, 1);
		fill(u, 2);
		fill(du, 3);
		for (int k = 0; k < 3; k++) q(1 + k + (turned ? 3 : 0)) = 0;
		ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
		expectMotion(tree, m.motion(q, u, du), POSITIONS | VELOCITIES | ACCELERATIONS);
	}
}

TEST(Kinematics, BranchesHangOnTheirParents)
{
	compare(chain());
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, REVOLUTE);
	m.add(0, PRISMATIC);
	m.add(1, PRISMATIC);
	m.add(1, REVOLUTE);
	m.add(2, REVOLUTE);
	m.add(0, SPHERICAL);
	compare(m);
}

TEST(Kinematics, ARootAloneHasNoParent)
{
	Model m;
	m.add(-1, REVOLUTE);
	compare(m);
	Model s;
	s.add(-1, SPHERICAL);
	compare(s);
}

TEST(Kinematics, ARestingTreeHasNoVelocity)
{
	const Model m = chain();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n);
	fill(q, 5);
	fill(u, 6);
	fill(du, 7);
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	setZero(u);
	setZero(du);
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	for (int i = 0; i < 6; i++)
	{
		vec3 v;
		tree.getBodyLinearVelocity(i, &v);
		expectClose(btVector3(0, 0, 0), v, "velocity", i);
		tree.getBodyAngularVelocity(i, &v);
		expectClose(btVector3(0, 0, 0), v, "angular velocity", i);
		tree.getBodyLinearAcceleration(i, &v);
		expectClose(btVector3(0, 0, 0), v, "acceleration", i);
		tree.getBodyAngularAcceleration(i, &v);
		expectClose(btVector3(0, 0, 0), v, "angular acceleration", i);
	}
}

TEST(Kinematics, GravityIsAddedToEachBody)
{
	const Model m = chain();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n);
	fill(q, 5);
	fill(u, 6);
	fill(du, 7);
	const btVector3 g(1, -2, 3);
	for (int pass = 0; pass < 2; pass++)
	{
		if (pass) tree.setGravityInWorldFrame(vec3(g));
		ASSERT_EQ(0, tree.m_impl->calculateKinematics(q, u, du, Impl::POSITION_VELOCITY_ACCELERATION));
		std::vector<Motion> want = m.motion(q, u, du);
		for (size_t i = 0; i < want.size(); i++)
			want[i].acceleration = want[i].acceleration - (pass ? g : btVector3(0, 0, -9.8));
		expectMotion(tree, want, POSITIONS | VELOCITIES | ACCELERATIONS);
	}
	/* A root that is turned and moves. */
	Model f;
	f.add(-1, FLOATING);
	f.add(0, PRISMATIC);
	MultiBodyTree other;
	ASSERT_EQ(0, f.build(other));
	other.setGravityInWorldFrame(vec3(g));
	vecx fq(7), fu(7), fdu(7);
	fill(fq, 5);
	fill(fu, 6);
	fill(fdu, 7);
	for (int k = 3; k < 6; k++) fq(k) = 0;
	ASSERT_EQ(0, other.m_impl->calculateKinematics(fq, fu, fdu, Impl::POSITION_VELOCITY_ACCELERATION));
	std::vector<Motion> want = f.motion(fq, fu, fdu);
	for (size_t i = 0; i < want.size(); i++) want[i].acceleration = want[i].acceleration - g;
	expectMotion(other, want, ACCELERATIONS);
}

/* All kinds of joints, so that each kind's velocities are seen. */
static void state(vecx& v, int seed, int floating)
{
	fill(v, seed);
	for (int k = 0; k < 3; k++) v(floating + 3 + k) = 0;
}

static void partly(Impl::KinUpdateType type)
{
	Model m = chain();
	m.add(2, FLOATING);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n), q2(n), u2(n), du2(n);
	state(q, 1, n - 6);
	fill(u, 2);
	fill(du, 3);
	state(q2, 4, n - 6);
	fill(u2, 5);
	fill(du2, 6);
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	std::vector<vec3> old[4];
	for (size_t i = 0; i < m.links.size(); i++)
	{
		const RigidBody& b = tree.m_impl->m_body_list[i];
		old[0].push_back(b.m_body_vel);
		old[1].push_back(b.m_body_ang_vel);
		old[2].push_back(b.m_body_acc);
		old[3].push_back(b.m_body_ang_acc);
	}
	ASSERT_EQ(0, tree.m_impl->calculateKinematics(q2, u2, du2, type));
	expectMotion(tree, m.motion(q2, u2, du2), POSITIONS | (type == Impl::POSITION_VELOCITY ? VELOCITIES : 0));
	for (size_t i = 0; i < m.links.size(); i++)
	{
		const RigidBody& b = tree.m_impl->m_body_list[i];
		if (type == Impl::POSITION_ONLY)
		{
			expectClose(old[0][i], b.m_body_vel, "velocity", i);
			expectClose(old[1][i], b.m_body_ang_vel, "angular velocity", i);
		}
		expectClose(old[2][i], b.m_body_acc, "acceleration", i);
		expectClose(old[3][i], b.m_body_ang_acc, "angular acceleration", i);
	}
}

TEST(Kinematics, PositionsOnly) { partly(Impl::POSITION_ONLY); }

TEST(Kinematics, PositionsAndVelocities) { partly(Impl::POSITION_VELOCITY); }

TEST(Kinematics, EachCallStartsAnew)
{
	const Model m = chain();
	MultiBodyTree tree, fresh;
	ASSERT_EQ(0, m.build(tree));
	ASSERT_EQ(0, m.build(fresh));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n);
	for (int seed = 1; seed < 6; seed++)
	{
		fill(q, seed, 3);
		fill(u, seed + 1, 5);
		fill(du, seed + 2, 7);
		ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
		ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	}
	expectMotion(tree, m.motion(q, u, du), POSITIONS | VELOCITIES | ACCELERATIONS);
	ASSERT_EQ(0, fresh.calculateKinematics(q, u, du));
	expectMotion(fresh, m.motion(q, u, du), POSITIONS | VELOCITIES | ACCELERATIONS);
}

TEST(Kinematics, VectorsOfAnotherSizeAreRefused)
{
	const Model m = chain();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx right(n), shorter(n - 1), longer(n + 1);
	fill(right, 1);
	fill(shorter, 1);
	fill(longer, 1);
	const Impl::KinUpdateType types[] = {Impl::POSITION_ONLY, Impl::POSITION_VELOCITY, Impl::POSITION_VELOCITY_ACCELERATION};
	for (int t = 0; t < 3; t++)
	{
		Impl& impl = *tree.m_impl;
		EXPECT_EQ(0, impl.calculateKinematics(right, right, right, types[t]));
		EXPECT_EQ(-1, impl.calculateKinematics(shorter, right, right, types[t]));
		EXPECT_EQ(-1, impl.calculateKinematics(right, shorter, right, types[t]));
		EXPECT_EQ(-1, impl.calculateKinematics(right, right, shorter, types[t]));
		EXPECT_EQ(-1, impl.calculateKinematics(longer, right, right, types[t]));
		EXPECT_EQ(-1, impl.calculateKinematics(right, longer, right, types[t]));
		EXPECT_EQ(-1, impl.calculateKinematics(right, right, longer, types[t]));
	}
}

TEST(Kinematics, AnUnknownTypeIsRefused)
{
	const Model m = chain();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx v(m.numDofs());
	fill(v, 1);
	EXPECT_EQ(-1, tree.m_impl->calculateKinematics(v, v, v, (Impl::KinUpdateType)3));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
