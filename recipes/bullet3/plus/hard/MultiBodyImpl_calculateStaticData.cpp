/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53.4]
 * tests:
 *   StaticData.ARevoluteJointDoesNotMoveItsOrigin: 'RigidBody: m_parent_vel_rel, m_parent_acc_rel, m_parent_pos_parent_body; calculateKinematics sets the rest for revolute joints.'
 *   StaticData.APrismaticJointDoesNotTurn: 'RigidBody: m_body_T_parent, m_body_ang_vel_rel, m_body_ang_acc_rel; calculateKinematics sets the rest.'
 *   StaticData.ThePrismaticAxisIsGivenInTheParentsFrame: 'RigidBody: m_parent_Jac_JT is "m_body_T_parent_ref.transpose()*m_Jac_JT".'
 *   StaticData.AFixedJointNeitherTurnsNorMoves: 'calculateKinematics: "fixed joints: nothing to do".'
 *   StaticData.ASphericalJointDoesNotMoveItsOrigin: 'calculateKinematics turns m_parent_vel_rel and m_parent_acc_rel of spherical joints and sets neither.'
 *   StaticData.JacobiansAreZeroAndWideEnough: 'addRelativeJacobianComponent writes single elements; m_body_Jac_T and m_body_Jac_R are d/du.'
 *   StaticData.TheRootsDerivativesAreZero: 'calculateJacobians starts from the root and sets m_body_dot_Jac_T_u of the others alone.'
 *   StaticData.EveryBodyIsTreated: 'Docstring: "initialize fixed data".'
 *   StaticData.TheReferenceStays: 'RigidBody: ..._ref, m_Jac_JR, m_Jac_JT, masses are the user''s.'
 *   StaticData.ASecondCallGivesTheSame: 'The same.'
 *   StaticData.APrismaticBodyMovesAlongItsAxis: 'Caller finalize; addBody: axis "in body-fixed frame".'
 *   StaticData.AFixedBodyGoesWithItsParent: 'Caller finalize; JointType: "moves with parent".'
 *   StaticData.VelocitiesAreTheDifferencesOfPlaces: 'test_invdyn_kinematics, here for a tree with turned prismatic joints.'
 ---*/
#include "inverse_dynamics.h"

typedef MultiBodyTree::MultiBodyImpl Impl;

static const vec3 junk = vec(7, 8, 9);

/* One body among others, with nothing that is right. */
static void spoil(RigidBody& body, JointType type)
{
	body.m_joint_type = type;
	body.m_mass = 3;
	body.m_body_mass_com = vec(0.1, 0.2, 0.3);
	body.m_body_I_body = diag(2, 3, 4);
	body.m_parent_pos_parent_body_ref = vec(1, 2, 3);
	body.m_body_T_parent_ref = turnedX(0.4) * turnedZ(0.9);
	body.m_Jac_JR = type == REVOLUTE ? vec(0.48, 0.6, 0.64) : vec(0, 0, 0);
	body.m_Jac_JT = type == PRISMATIC ? vec(0.48, 0.6, 0.64) : vec(0, 0, 0);
	body.m_body_T_parent = diag(5, 6, 7);
	body.m_parent_Jac_JT = junk;
	body.m_parent_pos_parent_body = junk;
	body.m_parent_vel_rel = junk;
	body.m_parent_acc_rel = junk;
	body.m_body_ang_vel_rel = junk;
	body.m_body_ang_acc_rel = junk;
	body.m_body_dot_Jac_T_u = junk;
	body.m_body_dot_Jac_R_u = junk;
}

struct One : public Impl
{
	One(JointType type, int dofs) : Impl(3, dofs)
	{
		for (int i = 0; i < 3; i++)
			spoil(m_body_list[i], i == 1 ? type : FIXED);
	}
	RigidBody& body() { return m_body_list[1]; }
};

TEST(StaticData, ARevoluteJointDoesNotMoveItsOrigin)
{
	One impl(REVOLUTE, 1);
	impl.calculateStaticData();
	expectVec(impl.body().m_parent_vel_rel, 0, 0, 0);
	expectVec(impl.body().m_parent_acc_rel, 0, 0, 0);
	expectVec(impl.body().m_parent_pos_parent_body, 1, 2, 3);
}

TEST(StaticData, APrismaticJointDoesNotTurn)
{
	One impl(PRISMATIC, 1);
	impl.calculateStaticData();
	expectSame(turnedX(0.4) * turnedZ(0.9), impl.body().m_body_T_parent);
	expectVec(impl.body().m_body_ang_vel_rel, 0, 0, 0);
	expectVec(impl.body().m_body_ang_acc_rel, 0, 0, 0);
}

TEST(StaticData, ThePrismaticAxisIsGivenInTheParentsFrame)
{
	One impl(PRISMATIC, 1);
	impl.calculateStaticData();
	const mat33 turn = turnedX(0.4) * turnedZ(0.9);
	const double axis[3] = {0.48, 0.6, 0.64};
	double want[3] = {0, 0, 0};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			want[i] += turn(j, i) * axis[j];
	expectVec(impl.body().m_parent_Jac_JT, want[0], want[1], want[2]);
}

TEST(StaticData, AFixedJointNeitherTurnsNorMoves)
{
	One impl(FIXED, 0);
	impl.calculateStaticData();
	for (int i = 0; i < 3; i++)
	{
		const RigidBody& body = impl.m_body_list[i];
		expectVec(body.m_parent_pos_parent_body, 1, 2, 3);
		expectSame(turnedX(0.4) * turnedZ(0.9), body.m_body_T_parent);
		expectVec(body.m_body_ang_vel_rel, 0, 0, 0);
		expectVec(body.m_body_ang_acc_rel, 0, 0, 0);
		expectVec(body.m_parent_vel_rel, 0, 0, 0);
		expectVec(body.m_parent_acc_rel, 0, 0, 0);
	}
}

TEST(StaticData, ASphericalJointDoesNotMoveItsOrigin)
{
	One impl(SPHERICAL, 3);
	impl.calculateStaticData();
	expectVec(impl.body().m_parent_vel_rel, 0, 0, 0);
	expectVec(impl.body().m_parent_acc_rel, 0, 0, 0);
	expectVec(impl.body().m_parent_pos_parent_body, 1, 2, 3);
}

TEST(StaticData, JacobiansAreZeroAndWideEnough)
{
	const JointType all[5] = {FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FLOATING};
	for (int k = 0; k < 5; k++)
	{
		One impl(all[k], 9);
		impl.calculateStaticData();
		for (int b = 0; b < 3; b++)
		{
			const RigidBody& body = impl.m_body_list[b];
			ASSERT_EQ(9, body.m_body_Jac_T.cols());
			ASSERT_EQ(9, body.m_body_Jac_R.cols());
			ASSERT_EQ(3, body.m_body_Jac_T.rows());
			ASSERT_EQ(3, body.m_body_Jac_R.rows());
			for (int i = 0; i < 27; i++)
			{
				EXPECT_EQ(0, body.m_body_Jac_T(i / 9, i % 9));
				EXPECT_EQ(0, body.m_body_Jac_R(i / 9, i % 9));
			}
		}
	}
}

TEST(StaticData, TheRootsDerivativesAreZero)
{
	const JointType all[5] = {FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FLOATING};
	for (int k = 0; k < 5; k++)
	{
		One impl(all[k], 9);
		impl.m_body_list[0].m_joint_type = all[k];
		impl.calculateStaticData();
		expectVec(impl.m_body_list[0].m_body_dot_Jac_T_u, 0, 0, 0);
		expectVec(impl.m_body_list[0].m_body_dot_Jac_R_u, 0, 0, 0);
	}
}

TEST(StaticData, EveryBodyIsTreated)
{
	Impl impl(3, 3);
	spoil(impl.m_body_list[0], PRISMATIC);
	spoil(impl.m_body_list[1], REVOLUTE);
	spoil(impl.m_body_list[2], PRISMATIC);
	impl.calculateStaticData();
	expectSame(impl.m_body_list[0].m_body_T_parent_ref, impl.m_body_list[0].m_body_T_parent);
	expectVec(impl.m_body_list[1].m_parent_pos_parent_body, 1, 2, 3);
	expectSame(impl.m_body_list[2].m_body_T_parent_ref, impl.m_body_list[2].m_body_T_parent);
	expectVec(impl.m_body_list[2].m_body_ang_vel_rel, 0, 0, 0);
}

TEST(StaticData, TheReferenceStays)
{
	const JointType all[5] = {FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FLOATING};
	for (int k = 0; k < 5; k++)
	{
		One impl(all[k], 6);
		impl.calculateStaticData();
		const RigidBody& body = impl.body();
		EXPECT_EQ(all[k], body.m_joint_type);
		EXPECT_EQ(3, body.m_mass);
		expectVec(body.m_body_mass_com, 0.1, 0.2, 0.3);
		expectSame(diag(2, 3, 4), body.m_body_I_body);
		expectVec(body.m_parent_pos_parent_body_ref, 1, 2, 3);
		expectSame(turnedX(0.4) * turnedZ(0.9), body.m_body_T_parent_ref);
		expectVec(body.m_Jac_JR, all[k] == REVOLUTE ? 0.48 : 0, all[k] == REVOLUTE ? 0.6 : 0, all[k] == REVOLUTE ? 0.64 : 0);
		expectVec(body.m_Jac_JT, all[k] == PRISMATIC ? 0.48 : 0, all[k] == PRISMATIC ? 0.6 : 0, all[k] == PRISMATIC ? 0.64 : 0);
	}
}

TEST(StaticData, ASecondCallGivesTheSame)
{
	One impl(PRISMATIC, 2);
	impl.calculateStaticData();
	const vec3 axis = impl.body().m_parent_Jac_JT;
	impl.body().m_body_Jac_T.setElem(1, 1, 5);
	impl.body().m_body_ang_vel_rel = junk;
	impl.calculateStaticData();
	expectSame(axis, impl.body().m_parent_Jac_JT);
	expectSame(impl.body().m_body_T_parent_ref, impl.body().m_body_T_parent);
	expectVec(impl.body().m_body_ang_vel_rel, 0, 0, 0);
	EXPECT_EQ(2, impl.body().m_body_Jac_T.cols());
	EXPECT_EQ(0, impl.body().m_body_Jac_T(1, 1));
}

TEST(StaticData, APrismaticBodyMovesAlongItsAxis)
{
	MultiBodyTree tree;
	add(tree, 0, -1, FIXED);
	add(tree, 1, 0, PRISMATIC, vec(1, 0, 0), vec(0, 0, 5), turnedZ(SIMD_PI / 6));
	ASSERT_EQ(0, tree.finalize());
	vecx q(1), u(1), a(1);
	q(0) = 2;
	u(0) = 4;
	a(0) = 6;
	ASSERT_EQ(0, tree.calculateKinematics(q, u, a));
	vec3 v;
	const double c = std::sqrt(0.75), s = 0.5;
	tree.getBodyOrigin(1, &v);
	expectVec(v, 2 * c, 2 * s, 5);
	tree.getBodyLinearVelocity(1, &v);
	expectVec(v, 4 * c, 4 * s, 0);
	tree.getBodyLinearAcceleration(1, &v);
	expectVec(v, 6 * c, 6 * s, 0);
	tree.getBodyAngularVelocity(1, &v);
	expectVec(v, 0, 0, 0);
	tree.getBodyAngularAcceleration(1, &v);
	expectVec(v, 0, 0, 0);
}

TEST(StaticData, AFixedBodyGoesWithItsParent)
{
	MultiBodyTree tree;
	add(tree, 0, -1, REVOLUTE);
	add(tree, 1, 0, FIXED, vec(0, 0, 1), vec(2, 0, 0), turnedX(0.5));
	ASSERT_EQ(0, tree.finalize());
	vecx q(1), u(1), a(1);
	q(0) = SIMD_HALF_PI;
	u(0) = 3;
	a(0) = 5;
	ASSERT_EQ(0, tree.calculateKinematics(q, u, a));
	vec3 v;
	mat33 m;
	tree.getBodyOrigin(1, &v);
	expectVec(v, 0, 2, 0);
	tree.getBodyLinearVelocity(1, &v);
	expectVec(v, -6, 0, 0);
	tree.getBodyAngularVelocity(1, &v);
	expectVec(v, 0, 0, 3);
	tree.getBodyLinearAcceleration(1, &v);
	expectVec(v, -10, -18, 0);
	tree.getBodyAngularAcceleration(1, &v);
	expectVec(v, 0, 0, 5);
	tree.getBodyTransform(1, &m);
	expectSame((turnedX(0.5) * turnedZ(SIMD_HALF_PI)).transpose(), m);
}

TEST(StaticData, VelocitiesAreTheDifferencesOfPlaces)
{
	MultiBodyTree tree;
	add(tree, 0, -1, FIXED);
	add(tree, 1, 0, PRISMATIC, vec(0.6, 0, 0.8), vec(0, 1, 0), turnedX(0.7));
	add(tree, 2, 1, REVOLUTE, vec(0.48, 0.6, 0.64), vec(1, 0, 2), turnedX(0.4));
	add(tree, 3, 2, PRISMATIC, vec(0.6, 0, 0.8), vec(0, 2, 1), turnedZ(-0.8));
	add(tree, 4, 3, FIXED, vec(0, 0, 1), vec(0.5, 0.5, 0.5), turnedX(1.8));
	add(tree, 5, 4, REVOLUTE, vec(0, 1, 0), vec(0.5, 0.5, 0.5), turnedX(1.8));
	ASSERT_EQ(0, tree.finalize());
	vecx q(4), u(4), a(4), p(4);
	for (int i = 0; i < 4; i++)
	{
		q(i) = 0.2 + 0.3 * i;
		u(i) = 1.5 - 0.8 * i;
		a(i) = 0;
	}
	const double h = 1e-5;
	for (int body = 1; body < 6; body++)
	{
		vec3 before, after, v;
		p = q - u * h;
		tree.calculatePositionKinematics(p);
		tree.getBodyOrigin(body, &before);
		p = q + u * h;
		tree.calculatePositionKinematics(p);
		tree.getBodyOrigin(body, &after);
		tree.calculateKinematics(q, u, a);
		tree.getBodyLinearVelocity(body, &v);
		expectVec(v, (after(0) - before(0)) / (2 * h), (after(1) - before(1)) / (2 * h), (after(2) - before(2)) / (2 * h), 1e-7);
	}
}

int main(int argc, char** argv) { return runAll(argc, argv); }
