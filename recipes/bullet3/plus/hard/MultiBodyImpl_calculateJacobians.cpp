/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d.2, btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d.4]
 * tests:
 *   Jacobians.ChainsOfAllJoints: 'MultiBodyTree.hpp: "Calculate Jacobians (dvel/du)"; RigidBody: d(m_body_vel)/du, d(m_body_ang_vel)/du in the body-fixed frame.'
 *   Jacobians.TheRootHasItsOwnMotionAlone: 'The same; the parent of the root is the world frame.'
 *   Jacobians.BranchesHangOnTheirParents: 'The same; m_parent_index.'
 *   Jacobians.FixedBodiesMoveWithTheirParent: 'JointType: "no degree of freedom, moves with parent".'
 *   Jacobians.FloatingBodies: 'MultiBodyTree.hpp: u is angular velocity and then velocity.'
 *   Jacobians.TimesTheSpeedsTheyAreTheVelocities: 'test_invdyn_jacobian.cpp: VelocitiesFromJacobians.'
 *   Jacobians.RatesAreTheAccelerationsWithoutDotU: 'MultiBodyTree.hpp: "velocity-dependent accelearation components d(Jacobian)/dt*u".'
 *   Jacobians.PositionsOnlyLeaveTheRates: 'Header: "and (if type == POSITION_VELOCITY), also velocity-dependent accelration terms".'
 *   Jacobians.KinematicsStay: 'Docstring: "This function assumes that calculateInverseDynamics was called, or one of the calculateKineamtics functions"; it reads what they found.'
 *   Jacobians.AfterInverseDynamics: 'The same.'
 *   Jacobians.EachCallStartsAnew: 'Callers (test_invdyn_jacobian.cpp) call it for each state.'
 *   Jacobians.VectorsOfAnotherSizeAreRefused: 'calculateKinematics and calculateInverseDynamics check the sizes: "-1 on error".'
 *   Jacobians.OtherTypesAreRefused: 'Header: type is for positions or positions and velocities; calculateKinematics refuses types that it does not know.'
 ---*/
#include <vector>

#include <gtest/gtest.h>

#define private public
#include "BulletInverseDynamics/MultiBodyTree.hpp"
#include "BulletInverseDynamics/details/MultiBodyTreeImpl.hpp"
#undef private

#include "idjacobian.h"

typedef MultiBodyTree::MultiBodyImpl Impl;

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
	m.add(3, PRISMATIC);
	m.add(0, REVOLUTE);
	return m;
}

TEST(Jacobians, ChainsOfAllJoints)
{
	const JointType types[] = {REVOLUTE, PRISMATIC, SPHERICAL, REVOLUTE, FIXED, PRISMATIC, PRISMATIC, REVOLUTE};
	Model m;
	for (int i = 0; i < 8; i++)
	{
		m.add(i - 1, types[i]);
		compareJacobians(m);
	}
}

TEST(Jacobians, TheRootHasItsOwnMotionAlone)
{
	const JointType types[] = {REVOLUTE, PRISMATIC, SPHERICAL, FLOATING};
	for (int i = 0; i < 4; i++)
	{
		Model m;
		Link& root = m.add(-1, types[i]);
		if (types[i] == PRISMATIC) root.T.setIdentity();
		compareJacobians(m, types[i] == FLOATING ? 0 : -1, true);
		m.add(0, REVOLUTE);
		compareJacobians(m, types[i] == FLOATING ? 0 : -1, true);
	}
}

TEST(Jacobians, BranchesHangOnTheirParents) { compareJacobians(branches()); }

TEST(Jacobians, FixedBodiesMoveWithTheirParent)
{
	Model m;
	m.add(-1, FIXED);
	m.add(0, REVOLUTE);
	m.add(1, FIXED);
	m.add(2, FIXED);
	m.add(3, PRISMATIC);
	m.add(4, FIXED);
	compareJacobians(m);
}

TEST(Jacobians, FloatingBodies)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, PRISMATIC);
	m.add(1, FLOATING);
	m.add(2, REVOLUTE);
	m.add(2, SPHERICAL);
	compareJacobians(m, 2, true);
	compareJacobians(m, 2, false);
	/* A root that turns: rotations alone. */
	Model f;
	f.add(-1, FLOATING);
	f.add(0, REVOLUTE);
	MultiBodyTree tree;
	ASSERT_EQ(0, f.build(tree));
	vecx q(7), one(7), zero(7);
	setZero(zero);
	fill(q, 2);
	ASSERT_EQ(0, tree.calculatePositionKinematics(q));
	ASSERT_EQ(0, tree.calculateJacobians(q));
	for (int col = 0; col < 7; col++)
	{
		setZero(one);
		one(col) = 1;
		const std::vector<Motion> want = f.motion(q, one, zero);
		for (int i = 0; i < 2; i++)
		{
			mat3x r(3, 7);
			tree.getBodyJacobianRot(i, &r);
			for (int k = 0; k < 3; k++) EXPECT_NEAR(want[i].omega[k], r(k, col), 1e-9);
		}
	}
}

TEST(Jacobians, TimesTheSpeedsTheyAreTheVelocities)
{
	/* Of any tree, a root that is turned and moved as well. */
	Model m;
	m.add(-1, FLOATING);
	m.add(0, SPHERICAL);
	m.add(1, PRISMATIC);
	m.add(0, FLOATING);
	m.add(3, REVOLUTE);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n);
	for (int seed = 1; seed < 4; seed++)
	{
		fill(q, seed);
		fill(u, seed + 5);
		ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(q, u));
		ASSERT_EQ(0, tree.calculateJacobians(q));
		for (int i = 0; i < (int)m.links.size(); i++)
		{
			mat3x t(3, n), r(3, n);
			vec3 v, w;
			tree.getBodyJacobianTrans(i, &t);
			tree.getBodyJacobianRot(i, &r);
			tree.getBodyLinearVelocity(i, &v);
			tree.getBodyAngularVelocity(i, &w);
			for (int k = 0; k < 3; k++)
			{
				double vk = 0, wk = 0;
				for (int col = 0; col < n; col++)
				{
					vk += t(k, col) * u(col);
					wk += r(k, col) * u(col);
				}
				EXPECT_NEAR(v(k), vk, 1e-9) << "body " << i;
				EXPECT_NEAR(w(k), wk, 1e-9) << "body " << i;
			}
		}
	}
}

TEST(Jacobians, RatesAreTheAccelerationsWithoutDotU)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n);
	fill(q, 1);
	fill(u, 2, 3);
	fill(du, 3, 5);
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	ASSERT_EQ(0, tree.calculateJacobians(q, u));
	expectJacobianRates(tree, m, q, u);
	setZero(u);
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	ASSERT_EQ(0, tree.calculateJacobians(q, u));
	expectJacobianRates(tree, m, q, u);
}

TEST(Jacobians, PositionsOnlyLeaveTheRates)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), q2(n), u2(n);
	fill(q, 1);
	fill(u, 2);
	fill(q2, 3);
	fill(u2, 4);
	ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(q, u));
	ASSERT_EQ(0, tree.calculateJacobians(q, u));
	std::vector<vec3> t, r;
	for (size_t i = 0; i < m.links.size(); i++)
	{
		t.push_back(tree.m_impl->m_body_list[i].m_body_dot_Jac_T_u);
		r.push_back(tree.m_impl->m_body_list[i].m_body_dot_Jac_R_u);
	}
	ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(q2, u2));
	ASSERT_EQ(0, tree.calculateJacobians(q2));
	expectJacobians(tree, m, q2);
	for (size_t i = 0; i < m.links.size(); i++)
	{
		expectClose(t[i], tree.m_impl->m_body_list[i].m_body_dot_Jac_T_u, "rate, translation,", i);
		expectClose(r[i], tree.m_impl->m_body_list[i].m_body_dot_Jac_R_u, "rate, rotation,", i);
	}
}

TEST(Jacobians, KinematicsStay)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n);
	fill(q, 1);
	fill(u, 2);
	fill(du, 3);
	ASSERT_EQ(0, tree.calculateKinematics(q, u, du));
	ASSERT_EQ(0, tree.calculateJacobians(q, u));
	ASSERT_EQ(0, tree.calculateJacobians(q));
	expectMotion(tree, m.motion(q, u, du), POSITIONS | VELOCITIES | ACCELERATIONS);
}

TEST(Jacobians, AfterInverseDynamics)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n), du(n), f(n);
	fill(q, 4);
	fill(u, 5);
	fill(du, 6);
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, du, &f));
	ASSERT_EQ(0, tree.calculateJacobians(q, u));
	expectJacobians(tree, m, q);
	/* Gravity is none of theirs. */
	expectJacobianRates(tree, m, q, u);
}

TEST(Jacobians, EachCallStartsAnew)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n);
	for (int seed = 1; seed < 4; seed++)
	{
		fill(q, seed);
		fill(u, seed + 3);
		ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(q, u));
		for (int again = 0; again < 3; again++)
		{
			ASSERT_EQ(0, tree.calculateJacobians(q, u));
			expectJacobians(tree, m, q);
			expectJacobianRates(tree, m, q, u);
		}
	}
}

TEST(Jacobians, VectorsOfAnotherSizeAreRefused)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx right(n);
	fill(right, 1);
	ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(right, right));
	for (int d = -1; d < 2; d += 2)
	{
		vecx other(n + d);
		fill(other, 1);
		EXPECT_EQ(-1, tree.calculateJacobians(other, right));
		EXPECT_EQ(-1, tree.calculateJacobians(right, other));
		EXPECT_EQ(-1, tree.calculateJacobians(other));
	}
	EXPECT_EQ(0, tree.calculateJacobians(right, right));
	EXPECT_EQ(0, tree.calculateJacobians(right));
}

TEST(Jacobians, OtherTypesAreRefused)
{
	const Model m = branches();
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(m.numDofs());
	fill(q, 1);
	ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(q, q));
	EXPECT_EQ(-1, tree.m_impl->calculateJacobians(q, q, (Impl::KinUpdateType)3));
	EXPECT_EQ(0, tree.m_impl->calculateJacobians(q, q, Impl::POSITION_ONLY));
	EXPECT_EQ(0, tree.m_impl->calculateJacobians(q, q, Impl::POSITION_VELOCITY));
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
