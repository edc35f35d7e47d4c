/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d, btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d.2, btInverseDynamics.MultiBodyTree.MultiBodyImpl.addRelativeJac-c9189d.4]
 * tests:
 *   RelativeJacobian.RevoluteJointsTurnAboutTheirAxis: 'RigidBody: m_Jac_JR is the axis, m_body_Jac_R the rotational Jacobian in the body-fixed frame; calculateJacobians.'
 *   RelativeJacobian.PrismaticJointsMoveAlongTheirAxis: 'RigidBody: m_Jac_JT is the axis in the body-fixed frame; calculateJacobians adds it before it goes on to that frame.'
 *   RelativeJacobian.APrismaticRoot: 'The same; calculateJacobians calls it for the root alone.'
 *   RelativeJacobian.FixedBodiesAddNothing: 'JointType: "no degree of freedom, moves with parent".'
 *   RelativeJacobian.SphericalJointsTurnAboutThreeAxes: 'MultiBodyTree.hpp: u is the angular velocity; setThreeDoFJacobians.'
 *   RelativeJacobian.AFloatingRootTurnsAndMoves: 'MultiBodyTree.hpp: u is angular velocity and then velocity; setSixDoFJacobians.'
 *   RelativeJacobian.FloatingBodiesOnOthers: 'The same; their velocities are in the body-fixed frame (calculateKinematics, calculateMassMatrix).'
 *   RelativeJacobian.EachBodyHasItsOwnColumns: 'RigidBody: m_q_index is the start of the range of its degrees of freedom.'
 *   RelativeJacobian.OtherColumnsStay: 'Docstring: "Add relative Jacobian component from motion relative to parent body".'
 *   RelativeJacobian.ARevoluteJointAddsNoTranslation: 'RigidBody: "for revolute joints it is a null matrix", of m_Jac_JT.'
 *   RelativeJacobian.EachCallStartsAnew: 'calculateJacobians is called for each state and calls it for the root, whose columns are not cleared.'
 ---*/
#include <vector>

#include <gtest/gtest.h>

#define private public
#include "BulletInverseDynamics/MultiBodyTree.hpp"
#include "BulletInverseDynamics/details/MultiBodyTreeImpl.hpp"
#undef private

#include "idjacobian.h"

TEST(RelativeJacobian, RevoluteJointsTurnAboutTheirAxis)
{
	Model m;
	m.add(-1, REVOLUTE);
	compareJacobians(m);
	m.add(0, REVOLUTE);
	m.add(1, REVOLUTE);
	compareJacobians(m);
}

TEST(RelativeJacobian, PrismaticJointsMoveAlongTheirAxis)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, PRISMATIC);
	compareJacobians(m);
	m.add(1, PRISMATIC);
	m.add(2, REVOLUTE);
	m.add(3, PRISMATIC);
	compareJacobians(m);
}

TEST(RelativeJacobian, APrismaticRoot)
{
	Model m;
	m.add(-1, PRISMATIC).T.setIdentity();
	compareJacobians(m);
	m.add(0, PRISMATIC);
	compareJacobians(m);
}

TEST(RelativeJacobian, FixedBodiesAddNothing)
{
	Model m;
	m.add(-1, FIXED);
	m.add(0, REVOLUTE);
	m.add(1, FIXED);
	m.add(2, PRISMATIC);
	m.add(3, FIXED);
	compareJacobians(m);
	/* A fixed body has no index of its own. */
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	MultiBodyTree::MultiBodyImpl& impl = *tree.m_impl;
	RigidBody& body = impl.m_body_list[2];
	for (int col = 0; col < 2; col++)
		for (int k = 0; k < 3; k++)
		{
			setMat3xElem(k, col, 10 * k + col + 1, &body.m_body_Jac_T);
			setMat3xElem(k, col, -10 * k - col - 1, &body.m_body_Jac_R);
		}
	impl.addRelativeJacobianComponent(body);
	for (int col = 0; col < 2; col++)
		for (int k = 0; k < 3; k++)
		{
			EXPECT_NEAR(10 * k + col + 1, body.m_body_Jac_T(k, col), 1e-12);
			EXPECT_NEAR(-10 * k - col - 1, body.m_body_Jac_R(k, col), 1e-12);
		}
}

TEST(RelativeJacobian, SphericalJointsTurnAboutThreeAxes)
{
	Model m;
	m.add(-1, SPHERICAL);
	compareJacobians(m);
	m.add(0, REVOLUTE);
	m.add(1, SPHERICAL);
	m.add(2, PRISMATIC);
	compareJacobians(m);
}

TEST(RelativeJacobian, AFloatingRootTurnsAndMoves)
{
	Model m;
	m.add(-1, FLOATING);
	compareJacobians(m, 0, true);
	m.add(0, REVOLUTE);
	m.add(1, PRISMATIC);
	compareJacobians(m, 0, true);
}

TEST(RelativeJacobian, FloatingBodiesOnOthers)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, FLOATING);
	m.add(1, REVOLUTE);
	compareJacobians(m, 1, true);
	compareJacobians(m, 1, false);
}

TEST(RelativeJacobian, EachBodyHasItsOwnColumns)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, SPHERICAL);
	m.add(0, PRISMATIC);
	m.add(1, FIXED);
	m.add(2, REVOLUTE);
	m.add(3, PRISMATIC);
	m.add(0, SPHERICAL);
	compareJacobians(m);
}

TEST(RelativeJacobian, OtherColumnsStay)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, PRISMATIC);
	m.add(1, SPHERICAL);
	m.add(2, FLOATING);
	m.add(3, REVOLUTE);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	MultiBodyTree::MultiBodyImpl& impl = *tree.m_impl;
	const int n = m.numDofs();
	vecx q(n);
	fill(q, 1);
	ASSERT_EQ(0, tree.calculatePositionKinematics(q));
	for (int i = 0; i < 5; i++)
	{
		RigidBody& body = impl.m_body_list[i];
		const int from = body.m_q_index, to = from + dofs(body.m_joint_type);
		for (int col = 0; col < n; col++)
			for (int k = 0; k < 3; k++)
			{
				const bool own = col >= from && col < to;
				setMat3xElem(k, col, own ? 0 : 100 * k + col + 1, &body.m_body_Jac_T);
				setMat3xElem(k, col, own ? 0 : -100 * k - col - 1, &body.m_body_Jac_R);
			}
		impl.addRelativeJacobianComponent(body);
		for (int col = 0; col < n; col++)
			for (int k = 0; k < 3 && (col < from || col >= to); k++)
			{
				EXPECT_NEAR(100 * k + col + 1, body.m_body_Jac_T(k, col), 1e-12) << i << ", " << col;
				EXPECT_NEAR(-100 * k - col - 1, body.m_body_Jac_R(k, col), 1e-12) << i << ", " << col;
			}
	}
}

TEST(RelativeJacobian, ARevoluteJointAddsNoTranslation)
{
	Model m;
	m.add(-1, REVOLUTE);
	m.add(0, REVOLUTE);
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	vecx q(2);
	fill(q, 3);
	ASSERT_EQ(0, tree.calculatePositionKinematics(q));
	RigidBody& body = tree.m_impl->m_body_list[1];
	for (int col = 0; col < 2; col++)
		for (int k = 0; k < 3; k++)
		{
			setMat3xElem(k, col, 0, &body.m_body_Jac_T);
			setMat3xElem(k, col, 0, &body.m_body_Jac_R);
		}
	tree.m_impl->addRelativeJacobianComponent(body);
	for (int k = 0; k < 3; k++)
	{
		EXPECT_NEAR(0, body.m_body_Jac_T(k, 1), 1e-12);
		EXPECT_NEAR(m.links[1].axis[k], body.m_body_Jac_R(k, 1), 1e-9);
		EXPECT_NEAR(0, body.m_body_Jac_R(k, 0), 1e-12);
	}
}

TEST(RelativeJacobian, EachCallStartsAnew)
{
	const JointType roots[] = {REVOLUTE, PRISMATIC, SPHERICAL, FLOATING};
	for (int i = 0; i < 4; i++)
	{
		Model m;
		m.add(-1, roots[i]).T.setIdentity();
		m.add(0, REVOLUTE);
		m.add(1, PRISMATIC);
		MultiBodyTree tree;
		ASSERT_EQ(0, m.build(tree));
		const int n = m.numDofs();
		vecx q(n);
		fill(q, 1);
		for (int k = 0; k < 3 && roots[i] == FLOATING; k++) q(k) = 0;
		ASSERT_EQ(0, tree.calculatePositionKinematics(q));
		for (int again = 0; again < 3; again++)
		{
			ASSERT_EQ(0, tree.calculateJacobians(q));
			expectJacobians(tree, m, q);
		}
	}
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
