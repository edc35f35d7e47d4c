/* Compares a tree's Jacobians with the model's velocities for unit speeds. */
#ifndef IDJACOBIAN_H
#define IDJACOBIAN_H
#include "idmodel.h"

static void expectJacobians(const MultiBodyTree& tree, const Model& m, const vecx& q)
{
	const int n = m.numDofs();
	for (int col = 0; col < n; col++)
	{
		vecx one(n), zero(n);
		setZero(one);
		setZero(zero);
		one(col) = 1;
		const std::vector<Motion> want = m.motion(q, one, zero);
		for (int i = 0; i < (int)m.links.size(); i++)
		{
			mat3x t(3, n), r(3, n);
			ASSERT_EQ(0, tree.getBodyJacobianTrans(i, &t));
			ASSERT_EQ(0, tree.getBodyJacobianRot(i, &r));
			for (int k = 0; k < 3; k++)
			{
				EXPECT_NEAR(want[i].velocity[k], t(k, col), 1e-9) << "translation of body " << i << ", row " << k << ", column " << col;
				EXPECT_NEAR(want[i].omega[k], r(k, col), 1e-9) << "rotation of body " << i << ", row " << k << ", column " << col;
			}
		}
	}
}

static void expectJacobianRates(const MultiBodyTree& tree, const Model& m, const vecx& q, const vecx& u)
{
	vecx zero(m.numDofs());
	setZero(zero);
	const std::vector<Motion> want = m.motion(q, u, zero);
	for (int i = 0; i < (int)m.links.size(); i++)
	{
		vec3 t, r;
		ASSERT_EQ(0, tree.getBodyDotJacobianTransU(i, &t));
		ASSERT_EQ(0, tree.getBodyDotJacobianRotU(i, &r));
		expectClose(want[i].acceleration, t, "d(Jacobian)/dt*u, translation,", i);
		expectClose(want[i].alpha, r, "d(Jacobian)/dt*u, rotation,", i);
	}
}

/* At three states one after the other. `floating` is the first coordinate of a floating body: for its first three
   (turned) or last three (moved) being 0 the sources and the documentation agree. */
static void compareJacobians(const Model& m, int floating = -1, bool moved = false)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, m.build(tree));
	const int n = m.numDofs();
	vecx q(n), u(n);
	for (int seed = 1; seed < 4; seed++)
	{
		fill(q, seed);
		fill(u, seed + 10);
		for (int k = 0; k < 3 && floating >= 0; k++) q(floating + k + (moved ? 0 : 3)) = 0;
		ASSERT_EQ(0, tree.calculatePositionAndVelocityKinematics(q, u));
		ASSERT_EQ(0, tree.calculateJacobians(q, u));
		expectJacobians(tree, m, q);
		expectJacobianRates(tree, m, q, u);
	}
}
#endif
