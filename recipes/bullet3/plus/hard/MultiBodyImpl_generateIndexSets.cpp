/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53, btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53.2, btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53.4]
 * tests:
 *   IndexSets.EachBodysCoordinatesStartBehindThoseBefore: 'MultiBodyTree.hpp: "stacking contributions of all bodies in one vector in the order of body indices"; m_q_index.'
 *   IndexSets.EachJointTypeTakesItsNumberOfCoordinates: 'MultiBodyTree.hpp: degrees of freedom of each type; bodyNumDoFs.'
 *   IndexSets.EachTypeHasItsList: 'Header: "Indices of rotary joints" and so on; calculateKinematics goes through the lists.'
 *   IndexSets.ChildrenAreListedAtTheirParents: 'Header: "child_indices[i] contains a vector of indices of all children of the i-th body".'
 *   IndexSets.AChainHasOneChildEach: 'The same.'
 *   IndexSets.TheRootIsNobodysChild: 'The same; its parent is -1.'
 *   IndexSets.ASingleBodyIsATree: 'Docstring: "0 on success".'
 *   IndexSets.TheNumberOfCoordinatesMustFit: 'Constructor: num_dofs is "number of degrees of freedom in the system"; "-1 on error".'
 *   IndexSets.ASecondRootIsAnError: 'MultiBodyTree::addBody: the root alone has the parent -1.'
 *   IndexSets.AParentThatIsNoBodyIsAnError: 'Docstring: "-1 on error".'
 *   IndexSets.TheLastBodyIsNobodysParent: 'Header: "a parent body always has an index smaller than its child".'
 *   IndexSets.AnUnknownJointIsAnError: 'JointType; finalize and addBody refuse it.'
 *   IndexSets.ASecondCallSetsTheListsAnew: 'Docstring: "generate additional index sets from the parent_index array".'
 *   IndexSets.MassesOfAllBranchesCount: 'Caller finalize; calculateMassMatrix adds up the children.'
 *   IndexSets.ForcesActOnTheirOwnCoordinate: 'Caller finalize; calculateInverseDynamics writes each joint''s force at m_q_index.'
 ---*/
#include "inverse_dynamics.h"

typedef MultiBodyTree::MultiBodyImpl Impl;

static void set(Impl& impl, const JointType* types, const int* parents)
{
	for (int i = 0; i < int(impl.m_body_list.size()); i++)
	{
		impl.m_body_list[i].m_joint_type = types[i];
		impl.m_body_list[i].m_q_index = 1234;
		impl.m_parent_index[i] = parents[i];
	}
}

static std::set<int> asSet(const idArray<int>::type& list)
{
	std::set<int> all;
	for (int i = 0; i < int(list.size()); i++)
		EXPECT_TRUE(all.insert(list[i]).second) << "twice: " << list[i];
	return all;
}

static std::set<int> numbers(int a = -1, int b = -1, int c = -1)
{
	std::set<int> all;
	all.insert(a);
	all.insert(b);
	all.insert(c);
	all.erase(-1);
	return all;
}

static const JointType mixed[8] = {FLOATING, REVOLUTE, FIXED, PRISMATIC, SPHERICAL, REVOLUTE, FLOATING, PRISMATIC};
static const int mixedParents[8] = {-1, 0, 0, 1, 3, 0, 3, 6};
static const int mixedDofs = 6 + 1 + 1 + 3 + 1 + 6 + 1;

TEST(IndexSets, EachBodysCoordinatesStartBehindThoseBefore)
{
	Impl impl(8, mixedDofs);
	set(impl, mixed, mixedParents);
	ASSERT_EQ(0, impl.generateIndexSets());
	const int start[8] = {0, 6, -1, 7, 8, 11, 12, 18};
	for (int i = 0; i < 8; i++)
	{
		if (mixed[i] != FIXED)
			EXPECT_EQ(start[i], impl.m_body_list[i].m_q_index) << i;
	}
	int offset = -1;
	EXPECT_EQ(0, impl.getDoFOffset(7, &offset));
	EXPECT_EQ(18, offset);
}

TEST(IndexSets, EachJointTypeTakesItsNumberOfCoordinates)
{
	const JointType all[5] = {FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FLOATING};
	const int dofs[5] = {0, 1, 1, 3, 6};
	for (int i = 0; i < 5; i++)
	{
		Impl impl(2, dofs[i] + 1);
		const JointType types[2] = {all[i], REVOLUTE};
		const int parents[2] = {-1, 0};
		set(impl, types, parents);
		ASSERT_EQ(0, impl.generateIndexSets()) << i;
		EXPECT_EQ(dofs[i], impl.m_body_list[1].m_q_index) << i;
	}
}

TEST(IndexSets, EachTypeHasItsList)
{
	Impl impl(8, mixedDofs);
	set(impl, mixed, mixedParents);
	ASSERT_EQ(0, impl.generateIndexSets());
	EXPECT_EQ(numbers(1, 5), asSet(impl.m_body_revolute_list));
	EXPECT_EQ(numbers(3, 7), asSet(impl.m_body_prismatic_list));
	EXPECT_EQ(numbers(0, 6), asSet(impl.m_body_floating_list));
	EXPECT_EQ(numbers(4), asSet(impl.m_body_spherical_list));
}

TEST(IndexSets, ChildrenAreListedAtTheirParents)
{
	Impl impl(8, mixedDofs);
	set(impl, mixed, mixedParents);
	ASSERT_EQ(0, impl.generateIndexSets());
	ASSERT_EQ(8, int(impl.m_child_indices.size()));
	EXPECT_EQ(numbers(1, 2, 5), asSet(impl.m_child_indices[0]));
	EXPECT_EQ(numbers(3), asSet(impl.m_child_indices[1]));
	EXPECT_EQ(numbers(), asSet(impl.m_child_indices[2]));
	EXPECT_EQ(numbers(4, 6), asSet(impl.m_child_indices[3]));
	EXPECT_EQ(numbers(), asSet(impl.m_child_indices[4]));
	EXPECT_EQ(numbers(), asSet(impl.m_child_indices[5]));
	EXPECT_EQ(numbers(7), asSet(impl.m_child_indices[6]));
	EXPECT_EQ(numbers(), asSet(impl.m_child_indices[7]));
	/* The parents stay. */
	for (int i = 0; i < 8; i++)
		EXPECT_EQ(mixedParents[i], impl.m_parent_index[i]);
}

TEST(IndexSets, AChainHasOneChildEach)
{
	Impl impl(6, 6);
	JointType types[6];
	int parents[6];
	for (int i = 0; i < 6; i++)
	{
		types[i] = i % 2 ? PRISMATIC : REVOLUTE;
		parents[i] = i - 1;
	}
	set(impl, types, parents);
	ASSERT_EQ(0, impl.generateIndexSets());
	for (int i = 0; i < 6; i++)
	{
		EXPECT_EQ(i, impl.m_body_list[i].m_q_index);
		EXPECT_EQ(i < 5 ? numbers(i + 1) : numbers(), asSet(impl.m_child_indices[i]));
	}
}

TEST(IndexSets, TheRootIsNobodysChild)
{
	Impl impl(3, 2);
	const JointType types[3] = {FIXED, REVOLUTE, REVOLUTE};
	const int parents[3] = {-1, 0, 1};
	set(impl, types, parents);
	ASSERT_EQ(0, impl.generateIndexSets());
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0u, asSet(impl.m_child_indices[i]).count(0));
}

TEST(IndexSets, ASingleBodyIsATree)
{
	Impl impl(1, 3);
	const JointType types[1] = {SPHERICAL};
	const int parents[1] = {-1};
	set(impl, types, parents);
	EXPECT_EQ(0, impl.generateIndexSets());
	EXPECT_EQ(0, impl.m_body_list[0].m_q_index);
	EXPECT_EQ(1, int(impl.m_child_indices.size()));
	EXPECT_EQ(0, int(impl.m_child_indices[0].size()));
}

TEST(IndexSets, TheNumberOfCoordinatesMustFit)
{
	for (int dofs = 0; dofs < 12; dofs++)
	{
		Impl impl(3, dofs);
		const JointType types[3] = {FLOATING, FIXED, PRISMATIC};
		const int parents[3] = {-1, 0, 1};
		set(impl, types, parents);
		EXPECT_EQ(dofs == 7 ? 0 : -1, impl.generateIndexSets()) << dofs;
	}
}

TEST(IndexSets, ASecondRootIsAnError)
{
	for (int second = 1; second < 4; second++)
	{
		Impl impl(4, 4);
		const JointType types[4] = {REVOLUTE, REVOLUTE, REVOLUTE, REVOLUTE};
		int parents[4] = {-1, 0, 1, 2};
		parents[second] = -1;
		set(impl, types, parents);
		EXPECT_EQ(-1, impl.generateIndexSets()) << second;
	}
}

TEST(IndexSets, AParentThatIsNoBodyIsAnError)
{
	const int none[4] = {3, 4, 1000, -2};
	for (int i = 0; i < 4; i++)
	{
		Impl impl(3, 3);
		const JointType types[3] = {REVOLUTE, REVOLUTE, REVOLUTE};
		const int parents[3] = {-1, 0, none[i]};
		set(impl, types, parents);
		EXPECT_EQ(-1, impl.generateIndexSets()) << none[i];
	}
}

TEST(IndexSets, TheLastBodyIsNobodysParent)
{
	Impl impl(3, 3);
	const JointType types[3] = {REVOLUTE, REVOLUTE, REVOLUTE};
	const int parents[3] = {-1, 0, 2}, fine[3] = {-1, 0, 1};
	set(impl, types, parents);
	EXPECT_EQ(-1, impl.generateIndexSets());
	Impl other(3, 3);
	set(other, types, fine);
	EXPECT_EQ(0, other.generateIndexSets());
}

TEST(IndexSets, AnUnknownJointIsAnError)
{
	for (int which = 0; which < 3; which++)
	{
		Impl impl(3, 2);
		JointType types[3] = {REVOLUTE, REVOLUTE, REVOLUTE};
		types[which] = static_cast<JointType>(9);
		const int parents[3] = {-1, 0, 1};
		set(impl, types, parents);
		EXPECT_EQ(-1, impl.generateIndexSets()) << which;
	}
}

TEST(IndexSets, ASecondCallSetsTheListsAnew)
{
	Impl impl(3, 2);
	const JointType types[3] = {REVOLUTE, PRISMATIC, FIXED}, others[3] = {PRISMATIC, FIXED, REVOLUTE};
	const int parents[3] = {-1, 0, 1};
	set(impl, types, parents);
	ASSERT_EQ(0, impl.generateIndexSets());
	EXPECT_EQ(numbers(0), asSet(impl.m_body_revolute_list));
	EXPECT_EQ(numbers(1), asSet(impl.m_body_prismatic_list));
	set(impl, others, parents);
	ASSERT_EQ(0, impl.generateIndexSets());
	EXPECT_EQ(numbers(2), asSet(impl.m_body_revolute_list));
	EXPECT_EQ(numbers(0), asSet(impl.m_body_prismatic_list));
	EXPECT_EQ(0, impl.m_body_list[0].m_q_index);
	EXPECT_EQ(1, impl.m_body_list[2].m_q_index);
}

TEST(IndexSets, MassesOfAllBranchesCount)
{
	/* A sled on which two others ride, one of them with a fixed load. */
	MultiBodyTree tree;
	const vec3 x = vec(1, 0, 0);
	add(tree, 0, -1, PRISMATIC, x, vec(0, 0, 0), unit(), 2);
	add(tree, 1, 0, PRISMATIC, x, vec(0, 0, 0), unit(), 3);
	add(tree, 2, 0, PRISMATIC, x, vec(0, 0, 0), unit(), 5);
	add(tree, 3, 1, FIXED, x, vec(0, 0, 0), unit(), 7);
	ASSERT_EQ(0, tree.finalize());
	vecx q(3);
	setZero(q);
	matxx mass(3, 3);
	ASSERT_EQ(0, tree.calculateMassMatrix(q, &mass));
	const double want[3][3] = {{17, 10, 5}, {10, 10, 0}, {5, 0, 5}};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			EXPECT_NEAR(want[i][j], mass(i, j), 1e-9) << i << ", " << j;
}

TEST(IndexSets, ForcesActOnTheirOwnCoordinate)
{
	MultiBodyTree tree;
	add(tree, 0, -1, FLOATING, vec(0, 0, 1), vec(0, 0, 0), unit(), 2, vec(0, 0, 0), diag(1, 1, 1));
	add(tree, 1, 0, FIXED, vec(0, 0, 1), vec(0, 0, 0), unit(), 0, vec(0, 0, 0), diag(0, 0, 0));
	add(tree, 2, 0, PRISMATIC, vec(0, 0, 1), vec(0, 0, 0), unit(), 3, vec(0, 0, 0), diag(1, 1, 1));
	add(tree, 3, 2, REVOLUTE, vec(0, 0, 1), vec(0, 0, 0), unit(), 0, vec(0, 0, 0), diag(2, 2, 2));
	ASSERT_EQ(0, tree.finalize());
	ASSERT_EQ(8, tree.numDoFs());
	tree.setGravityInWorldFrame(vec(0, 0, 0));
	vecx q(8), u(8), a(8), f(8);
	setZero(q);
	setZero(u);
	setZero(a);
	a(6) = 1;
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, a, &f));
	EXPECT_NEAR(3, f(6), 1e-9);
	EXPECT_NEAR(3, f(5), 1e-9);
	EXPECT_NEAR(0, f(7), 1e-9);
	EXPECT_NEAR(0, f(2), 1e-9);
	setZero(a);
	a(7) = 1;
	ASSERT_EQ(0, tree.calculateInverseDynamics(q, u, a, &f));
	EXPECT_NEAR(2, f(7), 1e-9);
	EXPECT_NEAR(2, f(2), 1e-9);
	EXPECT_NEAR(0, f(6), 1e-9);
	EXPECT_NEAR(0, f(5), 1e-9);
}

int main(int argc, char** argv) { return runAll(argc, argv); }
