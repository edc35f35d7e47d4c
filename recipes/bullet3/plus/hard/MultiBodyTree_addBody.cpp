/*---
 * tasks: [btInverseDynamics.MultiBodyTree.InitCache.addBody-171514.2, btInverseDynamics.MultiBodyTree.InitCache.addBody-171514.4]
 * tests:
 *   TreeAddBody.AllDataReachTheTree: 'Docstring: each parameter; the getters "see addBody".'
 *   TreeAddBody.EveryJointTypeIsTaken: 'JointType.'
 *   TreeAddBody.ANegativeIndexIsRefused: 'Docstring: "Must >=0".'
 *   TreeAddBody.AnUnknownJointIsRefused: 'JointType; "-1 on error".'
 *   TreeAddBody.ALongAxisIsMadeAUnitVector: 'Docstring: "must be a unit vector"; the kinematics use it as one (test_invdyn_kinematics).'
 *   TreeAddBody.AUnitAxisStaysAsItIs: 'getBodyAxisOfMotion: "get axis of motion (see addBody)".'
 *   TreeAddBody.AnAxisOfNothingIsRefused: 'The same, for joints that have an axis.'
 *   TreeAddBody.OtherJointsIgnoreTheAxis: 'Docstring: "Ignored for joints that are not revolute or prismatic".'
 *   TreeAddBody.ANegativeMassIsRefused: 'setAcceptInvalidMassParameters: "the default is false".'
 *   TreeAddBody.ZeroMassIsTaken: 'MultiBodyImpl: getBodyCoM and calculateMassMatrix handle bodies without mass.'
 *   TreeAddBody.AnInvalidInertiaIsRefused: 'isValidInertiaMatrix and setAcceptInvalidMassParameters.'
 *   TreeAddBody.AFixedBodysInertiaIsNotHeldToTheTriangle: 'isValidInertiaMatrix takes has_fixed_joint.'
 *   TreeAddBody.InvalidMassesAreTakenWhenAsked: 'setAcceptInvalidMassParameters: "if true, invalid mass properties are accepted".'
 *   TreeAddBody.AnInvalidTransformIsAlwaysRefused: 'body_T_parent_ref is a transform; the flag is for mass properties alone.'
 *   TreeAddBody.WhatTheCacheRefusesIsRefused: 'Docstring: "-1 on error"; InitCache::addBody knows one root.'
 *   TreeAddBody.ARefusedBodyIsNotAdded: 'The same; CreateMultiBodyTree gives the tree up.'
 ---*/
#include "inverse_dynamics.h"

static int addMass(MultiBodyTree& tree, JointType type, idScalar mass, const mat33& inertia, const mat33& turn = unit())
{
	return add(tree, 0, -1, type, vec(0, 0, 1), vec(0, 0, 0), turn, mass, vec(0, 0, 0), inertia);
}

TEST(TreeAddBody, AllDataReachTheTree)
{
	MultiBodyTree tree;
	const mat33 inertia = mat(3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5), turn = turnedZ(0.4) * turnedX(-1.1);
	ASSERT_EQ(0, add(tree, 0, -1, FIXED));
	ASSERT_EQ(0, add(tree, 1, 0, REVOLUTE));
	ASSERT_EQ(0, tree.addBody(2, 1, PRISMATIC, vec(1, 2, 3), turn, vec(0.6, 0, 0.8), 2.5, vec(4, 5, 6), inertia, 11, &tree));
	ASSERT_EQ(0, tree.finalize());
	ASSERT_EQ(3, tree.numBodies());
	EXPECT_EQ(2, tree.numDoFs());
	vec3 v;
	mat33 m;
	idScalar mass = 0;
	int number = 0;
	void* pointer = 0;
	JointType type = FIXED;
	EXPECT_EQ(0, tree.getParentIndex(2, &number));
	EXPECT_EQ(1, number);
	EXPECT_EQ(0, tree.getJointType(2, &type));
	EXPECT_EQ(PRISMATIC, type);
	EXPECT_EQ(0, tree.getParentRParentBodyRef(2, &v));
	expectVec(v, 1, 2, 3);
	EXPECT_EQ(0, tree.getBodyTParentRef(2, &m));
	expectSame(turn, m);
	EXPECT_EQ(0, tree.getBodyAxisOfMotion(2, &v));
	expectVec(v, 0.6, 0, 0.8);
	EXPECT_EQ(0, tree.getBodyMass(2, &mass));
	EXPECT_EQ(2.5, mass);
	EXPECT_EQ(0, tree.getBodyFirstMassMoment(2, &v));
	expectVec(v, 10, 12.5, 15);
	EXPECT_EQ(0, tree.getBodySecondMassMoment(2, &m));
	expectSame(inertia, m);
	EXPECT_EQ(0, tree.getUserInt(2, &number));
	EXPECT_EQ(11, number);
	EXPECT_EQ(0, tree.getUserPtr(2, &pointer));
	EXPECT_EQ(&tree, pointer);
}

TEST(TreeAddBody, EveryJointTypeIsTaken)
{
	const JointType all[5] = {FIXED, REVOLUTE, PRISMATIC, FLOATING, SPHERICAL};
	const int dofs[5] = {0, 1, 1, 6, 3};
	for (int i = 0; i < 5; i++)
	{
		MultiBodyTree tree;
		EXPECT_EQ(0, add(tree, 0, -1, all[i]));
		ASSERT_EQ(0, tree.finalize());
		EXPECT_EQ(dofs[i], tree.numDoFs());
		JointType type = FIXED;
		tree.getJointType(0, &type);
		EXPECT_EQ(all[i], type);
	}
}

TEST(TreeAddBody, ANegativeIndexIsRefused)
{
	MultiBodyTree tree;
	EXPECT_EQ(-1, add(tree, -1, -1, REVOLUTE));
	EXPECT_EQ(-1, add(tree, -7, 0, FIXED));
	EXPECT_EQ(0, add(tree, 0, -1, REVOLUTE));
}

TEST(TreeAddBody, AnUnknownJointIsRefused)
{
	MultiBodyTree tree;
	EXPECT_EQ(-1, add(tree, 0, -1, static_cast<JointType>(5)));
	EXPECT_EQ(-1, add(tree, 0, -1, static_cast<JointType>(-1)));
	EXPECT_EQ(0, add(tree, 0, -1, FIXED));
}

static vec3 axisOf(JointType type, const vec3& axis)
{
	MultiBodyTree tree;
	EXPECT_EQ(0, add(tree, 0, -1, type, axis));
	EXPECT_EQ(0, tree.finalize());
	vec3 found;
	tree.getBodyAxisOfMotion(0, &found);
	return found;
}

TEST(TreeAddBody, ALongAxisIsMadeAUnitVector)
{
	expectVec(axisOf(REVOLUTE, vec(0, 3, -4)), 0, 0.6, -0.8, 1e-14);
	expectVec(axisOf(PRISMATIC, vec(10, 0, 0)), 1, 0, 0, 1e-14);
	expectVec(axisOf(REVOLUTE, vec(1e-3, 2e-3, 2e-3)), 1 / 3., 2 / 3., 2 / 3., 1e-14);
	expectVec(axisOf(PRISMATIC, vec(-2e5, 1e5, -2e5)), -2 / 3., 1 / 3., -2 / 3., 1e-14);
}

TEST(TreeAddBody, AUnitAxisStaysAsItIs)
{
	expectVec(axisOf(REVOLUTE, vec(0, 0, -1)), 0, 0, -1, 0);
	expectVec(axisOf(PRISMATIC, vec(0, 1, 0)), 0, 1, 0, 0);
	expectVec(axisOf(REVOLUTE, vec(2 / 7., 3 / 7., 6 / 7.)), 2 / 7., 3 / 7., 6 / 7., 1e-15);
}

TEST(TreeAddBody, AnAxisOfNothingIsRefused)
{
	MultiBodyTree tree;
	EXPECT_EQ(-1, add(tree, 0, -1, REVOLUTE, vec(0, 0, 0)));
	EXPECT_EQ(-1, add(tree, 0, -1, PRISMATIC, vec(0, 0, 0)));
	EXPECT_EQ(0, add(tree, 0, -1, REVOLUTE));
}

TEST(TreeAddBody, OtherJointsIgnoreTheAxis)
{
	const JointType others[3] = {FIXED, FLOATING, SPHERICAL};
	for (int i = 0; i < 3; i++)
	{
		MultiBodyTree tree;
		EXPECT_EQ(0, add(tree, 0, -1, others[i], vec(0, 0, 0)));
		MultiBodyTree second;
		EXPECT_EQ(0, add(second, 0, -1, others[i], vec(5, 6, 7)));
	}
}

TEST(TreeAddBody, ANegativeMassIsRefused)
{
	MultiBodyTree tree;
	EXPECT_EQ(-1, addMass(tree, REVOLUTE, -1, unit()));
	EXPECT_EQ(-1, addMass(tree, FIXED, -1e-6, unit()));
	EXPECT_EQ(0, addMass(tree, REVOLUTE, 1, unit()));
	ASSERT_EQ(0, tree.finalize());
	EXPECT_EQ(1, tree.numBodies());
}

TEST(TreeAddBody, ZeroMassIsTaken)
{
	MultiBodyTree tree;
	EXPECT_EQ(0, addMass(tree, REVOLUTE, 0, unit()));
	ASSERT_EQ(0, tree.finalize());
	idScalar mass = -1;
	EXPECT_EQ(0, tree.getBodyMass(0, &mass));
	EXPECT_EQ(0, mass);
}

TEST(TreeAddBody, AnInvalidInertiaIsRefused)
{
	MultiBodyTree tree;
	EXPECT_EQ(-1, addMass(tree, REVOLUTE, 1, diag(-1, 1, 1)));
	EXPECT_EQ(-1, addMass(tree, FIXED, 1, diag(1, 1, -1)));
	EXPECT_EQ(-1, addMass(tree, FLOATING, 1, diag(1, 1, 5)));
	EXPECT_EQ(-1, addMass(tree, PRISMATIC, 1, mat(1, 0.5, 0, 0, 1, 0, 0, 0, 1)));
	EXPECT_EQ(0, addMass(tree, REVOLUTE, 1, unit()));
}

TEST(TreeAddBody, AFixedBodysInertiaIsNotHeldToTheTriangle)
{
	const JointType moving[4] = {REVOLUTE, PRISMATIC, FLOATING, SPHERICAL};
	for (int i = 0; i < 4; i++)
	{
		MultiBodyTree tree;
		EXPECT_EQ(-1, addMass(tree, moving[i], 1, diag(5, 1, 1)));
	}
	MultiBodyTree tree;
	EXPECT_EQ(0, addMass(tree, FIXED, 1, diag(5, 1, 1)));
}

TEST(TreeAddBody, InvalidMassesAreTakenWhenAsked)
{
	MultiBodyTree tree;
	tree.setAcceptInvalidMassParameters(true);
	EXPECT_EQ(0, add(tree, 0, -1, FIXED));
	EXPECT_EQ(0, add(tree, 1, 0, REVOLUTE, vec(0, 0, 1), vec(0, 0, 0), unit(), -3, vec(1, 0, 0), diag(-1, 2, 3)));
	EXPECT_EQ(0, add(tree, 2, 1, REVOLUTE, vec(0, 0, 1), vec(0, 0, 0), unit(), 2, vec(1, 0, 0), diag(1, 1, 9)));
	EXPECT_TRUE(tree.getAcceptInvalidMassProperties());
	ASSERT_EQ(0, tree.finalize());
	EXPECT_EQ(3, tree.numBodies());
	idScalar mass = 0;
	mat33 m;
	EXPECT_EQ(0, tree.getBodyMass(1, &mass));
	EXPECT_EQ(-3, mass);
	EXPECT_EQ(0, tree.getBodySecondMassMoment(1, &m));
	expectSame(diag(-1, 2, 3), m);
	/* And no longer when it is taken back. */
	MultiBodyTree other;
	other.setAcceptInvalidMassParameters(true);
	other.setAcceptInvalidMassParameters(false);
	EXPECT_EQ(-1, addMass(other, REVOLUTE, -3, unit()));
	EXPECT_EQ(-1, addMass(other, REVOLUTE, 3, diag(1, 1, 9)));
}

TEST(TreeAddBody, AnInvalidTransformIsAlwaysRefused)
{
	for (int accept = 0; accept < 2; accept++)
	{
		MultiBodyTree tree;
		tree.setAcceptInvalidMassParameters(accept == 1);
		const JointType all[5] = {FIXED, REVOLUTE, PRISMATIC, FLOATING, SPHERICAL};
		for (int i = 0; i < 5; i++)
		{
			EXPECT_EQ(-1, addMass(tree, all[i], 1, unit(), diag(1, 1, -1)));
			EXPECT_EQ(-1, addMass(tree, all[i], 1, unit(), diag(2, 2, 2)));
		}
		EXPECT_EQ(0, addMass(tree, FIXED, 1, unit(), turnedX(1)));
	}
}

TEST(TreeAddBody, WhatTheCacheRefusesIsRefused)
{
	MultiBodyTree tree;
	EXPECT_EQ(0, add(tree, 0, -1, FIXED));
	EXPECT_EQ(-1, add(tree, 1, -1, FIXED));
	EXPECT_EQ(0, add(tree, 1, 0, FIXED));
}

TEST(TreeAddBody, ARefusedBodyIsNotAdded)
{
	MultiBodyTree tree;
	EXPECT_EQ(0, add(tree, 0, -1, FIXED));
	EXPECT_EQ(-1, add(tree, 1, 0, REVOLUTE, vec(0, 0, 0)));
	EXPECT_EQ(-1, add(tree, 1, 0, FLOATING, vec(0, 0, 1), vec(0, 0, 0), diag(1, 1, -1)));
	EXPECT_EQ(-1, add(tree, 1, 0, FLOATING, vec(0, 0, 1), vec(0, 0, 0), unit(), -1));
	EXPECT_EQ(-1, add(tree, 1, 0, FLOATING, vec(0, 0, 1), vec(0, 0, 0), unit(), 1, vec(0, 0, 0), diag(1, 1, 7)));
	EXPECT_EQ(0, add(tree, 1, 0, PRISMATIC, vec(1, 0, 0)));
	ASSERT_EQ(0, tree.finalize());
	EXPECT_EQ(2, tree.numBodies());
	EXPECT_EQ(1, tree.numDoFs());
	vec3 axis;
	tree.getBodyAxisOfMotion(1, &axis);
	expectVec(axis, 1, 0, 0);
}

int main(int argc, char** argv) { return runAll(argc, argv); }
