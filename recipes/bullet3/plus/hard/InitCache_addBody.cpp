/*---
 * tasks: [btInverseDynamics.MultiBodyTree.InitCache.addBody-171514, btInverseDynamics.MultiBodyTree.InitCache.addBody-171514.2, btInverseDynamics.MultiBodyTree.InitCache.addBody-171514.4]
 * tests:
 *   CacheAddBody.EachJointTypeHasItsDegreesOfFreedom: 'MultiBodyTree.hpp: JointType, "one rotational degree of freedom", "six degrees of freedom"; numDoFs.'
 *   CacheAddBody.DegreesOfFreedomAddUp: 'numDoFs: "number of degrees of freedom", of the whole.'
 *   CacheAddBody.TheJointIsKept: 'JointData: each member and its comment; read by finalize.'
 *   CacheAddBody.TheInertiaIsKept: 'InertiaData: each member; finalize multiplies the centre of mass by the mass.'
 *   CacheAddBody.TheUsersDataAreKept: 'getUserInt and getUserPtr.'
 *   CacheAddBody.EachBodyKeepsItsOwnData: 'getJointData, getInertiaData: "get ... for index".'
 *   CacheAddBody.TheParentsMakeTheIndexSet: 'buildIndexSets and getParentIndexArray: "paren_index[i] is the index of the parent of i".'
 *   CacheAddBody.ASecondRootIsRefused: 'MultiBodyTree::addBody: "The root of the tree has index 0"; m_root_index: "index of root body (or -1 if not set)".'
 *   CacheAddBody.AfterARefusedRootItGoesOn: 'Docstring: "-1 on error".'
 *   CacheAddBody.ManyBodiesMayHangOnTheRoot: 'Docstring: tree structured.'
 *   CacheAddBody.AnUnknownJointIsRefused: 'JointType lists all; MultiBodyTree::addBody refuses others too.'
 *   CacheAddBody.FinalizeUsesWhatIsKept: 'Caller MultiBodyTree::finalize.'
 ---*/
#include "inverse_dynamics.h"

typedef MultiBodyTree::InitCache Cache;

static int dofs(JointType type)
{
	Cache cache;
	EXPECT_EQ(0, add(cache, 0, -1, type));
	EXPECT_EQ(1, cache.numBodies());
	return cache.numDoFs();
}

TEST(CacheAddBody, EachJointTypeHasItsDegreesOfFreedom)
{
	EXPECT_EQ(0, dofs(FIXED));
	EXPECT_EQ(1, dofs(REVOLUTE));
	EXPECT_EQ(1, dofs(PRISMATIC));
	EXPECT_EQ(3, dofs(SPHERICAL));
	EXPECT_EQ(6, dofs(FLOATING));
}

TEST(CacheAddBody, DegreesOfFreedomAddUp)
{
	Cache cache;
	EXPECT_EQ(0, cache.numDoFs());
	EXPECT_EQ(0, add(cache, 0, -1, FLOATING));
	EXPECT_EQ(6, cache.numDoFs());
	EXPECT_EQ(0, add(cache, 1, 0, REVOLUTE));
	EXPECT_EQ(7, cache.numDoFs());
	EXPECT_EQ(0, add(cache, 2, 1, FIXED));
	EXPECT_EQ(7, cache.numDoFs());
	EXPECT_EQ(0, add(cache, 3, 2, SPHERICAL));
	EXPECT_EQ(10, cache.numDoFs());
	EXPECT_EQ(0, add(cache, 4, 0, PRISMATIC));
	EXPECT_EQ(11, cache.numDoFs());
	EXPECT_EQ(5, cache.numBodies());
}

TEST(CacheAddBody, TheJointIsKept)
{
	Cache cache;
	add(cache, 0, -1, FIXED);
	const vec3 r = vec(1, 2, 3), axis = vec(0, 0.6, 0.8);
	const mat33 turn = turnedZ(0.3) * turnedX(0.7);
	ASSERT_EQ(0, cache.addBody(1, 0, PRISMATIC, r, turn, axis, 5, vec(7, 8, 9), diag(10, 11, 12), 0, 0));
	JointData joint;
	ASSERT_EQ(0, cache.getJointData(1, &joint));
	EXPECT_EQ(PRISMATIC, joint.m_type);
	EXPECT_EQ(0, joint.m_parent);
	EXPECT_EQ(1, joint.m_child);
	expectSame(r, joint.m_parent_pos_parent_child_ref);
	expectSame(turn, joint.m_child_T_parent_ref);
	expectSame(axis, joint.m_child_axis_of_motion);
}

TEST(CacheAddBody, TheInertiaIsKept)
{
	Cache cache;
	const mat33 inertia = mat(3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5);
	ASSERT_EQ(0, cache.addBody(0, -1, REVOLUTE, vec(1, 2, 3), turnedZ(0.5), vec(1, 0, 0), 2.5, vec(0.1, -0.2, 0.3), inertia, 0, 0));
	InertiaData data;
	ASSERT_EQ(0, cache.getInertiaData(0, &data));
	EXPECT_EQ(2.5, data.m_mass);
	expectVec(data.m_body_pos_body_com, 0.1, -0.2, 0.3, 1e-15);
	expectSame(inertia, data.m_body_I_body, 0);
}

TEST(CacheAddBody, TheUsersDataAreKept)
{
	Cache cache;
	int a, b;
	cache.addBody(0, -1, FIXED, vec(0, 0, 0), unit(), vec(0, 0, 1), 1, vec(0, 0, 0), unit(), 17, &a);
	cache.addBody(1, 0, FIXED, vec(0, 0, 0), unit(), vec(0, 0, 1), 1, vec(0, 0, 0), unit(), -4, &b);
	int number = 0;
	void* pointer = 0;
	EXPECT_EQ(0, cache.getUserInt(0, &number));
	EXPECT_EQ(17, number);
	EXPECT_EQ(0, cache.getUserPtr(0, &pointer));
	EXPECT_EQ(&a, pointer);
	EXPECT_EQ(0, cache.getUserInt(1, &number));
	EXPECT_EQ(-4, number);
	EXPECT_EQ(0, cache.getUserPtr(1, &pointer));
	EXPECT_EQ(&b, pointer);
}

TEST(CacheAddBody, EachBodyKeepsItsOwnData)
{
	Cache cache;
	for (int i = 0; i < 20; i++)
		ASSERT_EQ(0, cache.addBody(i, i - 1, i % 2 ? REVOLUTE : PRISMATIC, vec(i, 0, 0), turnedZ(i), vec(0, 0, 1), 100 + i, vec(0, i, 0), diag(1 + i, 1 + i, 1), i, 0));
	for (int i = 0; i < 20; i++)
	{
		JointData joint;
		InertiaData inertia;
		int number = -1;
		ASSERT_EQ(0, cache.getJointData(i, &joint));
		ASSERT_EQ(0, cache.getInertiaData(i, &inertia));
		ASSERT_EQ(0, cache.getUserInt(i, &number));
		EXPECT_EQ(i, joint.m_child);
		EXPECT_EQ(i - 1, joint.m_parent);
		EXPECT_EQ(i % 2 ? REVOLUTE : PRISMATIC, joint.m_type);
		expectVec(joint.m_parent_pos_parent_child_ref, i, 0, 0);
		expectSame(turnedZ(i), joint.m_child_T_parent_ref);
		EXPECT_EQ(100 + i, inertia.m_mass);
		expectVec(inertia.m_body_pos_body_com, 0, i, 0);
		EXPECT_EQ(1 + i, inertia.m_body_I_body(1, 1));
		EXPECT_EQ(i, number);
	}
}

TEST(CacheAddBody, TheParentsMakeTheIndexSet)
{
	Cache cache;
	const int parents[6] = {-1, 0, 0, 2, 1, 2};
	for (int i = 0; i < 6; i++)
		ASSERT_EQ(0, add(cache, i, parents[i], REVOLUTE));
	ASSERT_EQ(0, cache.buildIndexSets());
	idArray<int>::type found;
	cache.getParentIndexArray(&found);
	ASSERT_EQ(6, int(found.size()));
	for (int i = 0; i < 6; i++)
		EXPECT_EQ(parents[i], found[i]);
}

TEST(CacheAddBody, ASecondRootIsRefused)
{
	Cache cache;
	EXPECT_EQ(0, add(cache, 0, -1, FLOATING));
	EXPECT_EQ(-1, add(cache, 1, -1, FLOATING));
	EXPECT_EQ(1, cache.numBodies());
	EXPECT_EQ(-1, add(cache, 1, -1, FIXED));
	EXPECT_EQ(1, cache.numBodies());
}

TEST(CacheAddBody, AfterARefusedRootItGoesOn)
{
	Cache cache;
	EXPECT_EQ(0, add(cache, 0, -1, FIXED));
	EXPECT_EQ(-1, add(cache, 1, -1, FIXED));
	EXPECT_EQ(0, cache.addBody(1, 0, FIXED, vec(1, 1, 1), unit(), vec(0, 0, 1), 42, vec(0, 0, 0), unit(), 9, 0));
	EXPECT_EQ(2, cache.numBodies());
	InertiaData inertia;
	JointData joint;
	int number = -1;
	EXPECT_EQ(0, cache.getInertiaData(1, &inertia));
	EXPECT_EQ(42, inertia.m_mass);
	EXPECT_EQ(0, cache.getJointData(1, &joint));
	EXPECT_EQ(0, joint.m_parent);
	EXPECT_EQ(0, cache.getUserInt(1, &number));
	EXPECT_EQ(9, number);
	EXPECT_EQ(0, cache.numDoFs());
}

TEST(CacheAddBody, ManyBodiesMayHangOnTheRoot)
{
	Cache cache;
	EXPECT_EQ(0, add(cache, 0, -1, FIXED));
	for (int i = 1; i < 6; i++)
		EXPECT_EQ(0, add(cache, i, 0, REVOLUTE));
	EXPECT_EQ(6, cache.numBodies());
	EXPECT_EQ(5, cache.numDoFs());
}

TEST(CacheAddBody, AnUnknownJointIsRefused)
{
	Cache cache;
	EXPECT_EQ(-1, add(cache, 0, -1, static_cast<JointType>(77)));
	EXPECT_EQ(0, cache.numBodies());
	EXPECT_EQ(0, cache.numDoFs());
	/* It didn't become the root. */
	EXPECT_EQ(0, add(cache, 0, -1, REVOLUTE));
	EXPECT_EQ(-1, add(cache, 1, 0, static_cast<JointType>(-1)));
	EXPECT_EQ(1, cache.numBodies());
	EXPECT_EQ(1, cache.numDoFs());
}

TEST(CacheAddBody, FinalizeUsesWhatIsKept)
{
	MultiBodyTree tree;
	ASSERT_EQ(0, tree.addBody(0, -1, FIXED, vec(0, 0, 0), unit(), vec(0, 0, 1), 1, vec(0, 0, 0), unit(), 0, 0));
	ASSERT_EQ(0, tree.addBody(1, 0, REVOLUTE, vec(1, 2, 3), turnedX(0.5), vec(0, 0, 1), 4, vec(0.5, 0.25, 0), diag(3, 4, 5), 6, &tree));
	ASSERT_EQ(0, tree.finalize());
	EXPECT_EQ(2, tree.numBodies());
	EXPECT_EQ(1, tree.numDoFs());
	vec3 v;
	mat33 m;
	idScalar mass = 0;
	int number = 0;
	void* pointer = 0;
	EXPECT_EQ(0, tree.getParentRParentBodyRef(1, &v));
	expectVec(v, 1, 2, 3);
	EXPECT_EQ(0, tree.getBodyTParentRef(1, &m));
	expectSame(turnedX(0.5), m);
	EXPECT_EQ(0, tree.getBodyAxisOfMotion(1, &v));
	expectVec(v, 0, 0, 1);
	EXPECT_EQ(0, tree.getBodyMass(1, &mass));
	EXPECT_EQ(4, mass);
	EXPECT_EQ(0, tree.getBodyFirstMassMoment(1, &v));
	expectVec(v, 2, 1, 0);
	EXPECT_EQ(0, tree.getBodySecondMassMoment(1, &m));
	expectSame(diag(3, 4, 5), m);
	EXPECT_EQ(0, tree.getUserInt(1, &number));
	EXPECT_EQ(6, number);
	EXPECT_EQ(0, tree.getUserPtr(1, &pointer));
	EXPECT_EQ(&tree, pointer);
}

int main(int argc, char** argv) { return runAll(argc, argv); }
