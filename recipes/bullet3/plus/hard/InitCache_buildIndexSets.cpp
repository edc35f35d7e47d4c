/*---
 * tasks: [btInverseDynamics.MultiBodyTree.MultiBodyImpl.generateIndexS-6ccf53.4]
 * tests:
 *   BuildIndexSets.EachBodysParentIsListed: 'getParentIndexArray: "paren_index[i] is the index of the parent of i"; "0 on success".'
 *   BuildIndexSets.TheOrderOfAddingDoesNotMatter: 'JointData: m_child and m_parent are the indices; body_index is a parameter of addBody.'
 *   BuildIndexSets.ARootAloneHasNoParent: 'addBody: the root''s parent is -1.'
 *   BuildIndexSets.AnEmptyCacheGivesAnEmptyArray: 'numBodies.'
 *   BuildIndexSets.ItCanBeCalledAgainWhenBodiesWereAdded: 'The array is that of the bodies there are.'
 *   BuildIndexSets.NothingElseChanges: 'Docstring: "build index arrays".'
 *   BuildIndexSets.FinalizeReadsTheParents: 'Caller MultiBodyTree::finalize; getParentIndex.'
 ---*/
#include "inverse_dynamics.h"

typedef MultiBodyTree::InitCache Cache;

static void expectParents(Cache& cache, const int* parents, int n)
{
	idArray<int>::type found;
	cache.getParentIndexArray(&found);
	ASSERT_EQ(n, int(found.size()));
	for (int i = 0; i < n; i++)
		EXPECT_EQ(parents[i], found[i]) << i;
}

TEST(BuildIndexSets, EachBodysParentIsListed)
{
	Cache cache;
	const int parents[7] = {-1, 0, 1, 1, 0, 3, 2};
	for (int i = 0; i < 7; i++)
		ASSERT_EQ(0, add(cache, i, parents[i], REVOLUTE));
	EXPECT_EQ(0, cache.buildIndexSets());
	expectParents(cache, parents, 7);
}

TEST(BuildIndexSets, TheOrderOfAddingDoesNotMatter)
{
	Cache cache;
	const int order[5] = {3, 0, 4, 1, 2}, parents[5] = {-1, 0, 0, 1, 3};
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, add(cache, order[i], parents[order[i]], REVOLUTE));
	EXPECT_EQ(0, cache.buildIndexSets());
	expectParents(cache, parents, 5);
}

TEST(BuildIndexSets, ARootAloneHasNoParent)
{
	Cache cache;
	ASSERT_EQ(0, add(cache, 0, -1, FLOATING));
	EXPECT_EQ(0, cache.buildIndexSets());
	const int parents[1] = {-1};
	expectParents(cache, parents, 1);
}

TEST(BuildIndexSets, AnEmptyCacheGivesAnEmptyArray)
{
	Cache cache;
	EXPECT_EQ(0, cache.buildIndexSets());
	expectParents(cache, 0, 0);
}

TEST(BuildIndexSets, ItCanBeCalledAgainWhenBodiesWereAdded)
{
	Cache cache;
	const int parents[4] = {-1, 0, 1, 1};
	ASSERT_EQ(0, add(cache, 0, -1, FIXED));
	ASSERT_EQ(0, add(cache, 1, 0, FIXED));
	EXPECT_EQ(0, cache.buildIndexSets());
	expectParents(cache, parents, 2);
	EXPECT_EQ(0, cache.buildIndexSets());
	expectParents(cache, parents, 2);
	ASSERT_EQ(0, add(cache, 2, 1, FIXED));
	ASSERT_EQ(0, add(cache, 3, 1, FIXED));
	EXPECT_EQ(0, cache.buildIndexSets());
	expectParents(cache, parents, 4);
}

TEST(BuildIndexSets, NothingElseChanges)
{
	Cache cache;
	ASSERT_EQ(0, add(cache, 0, -1, FLOATING));
	ASSERT_EQ(0, cache.addBody(1, 0, PRISMATIC, vec(1, 2, 3), unit(), vec(0, 1, 0), 5, vec(0, 0, 1), diag(2, 2, 2), 8, &cache));
	EXPECT_EQ(0, cache.buildIndexSets());
	EXPECT_EQ(2, cache.numBodies());
	EXPECT_EQ(7, cache.numDoFs());
	JointData joint;
	InertiaData inertia;
	int number = 0;
	ASSERT_EQ(0, cache.getJointData(1, &joint));
	ASSERT_EQ(0, cache.getInertiaData(1, &inertia));
	ASSERT_EQ(0, cache.getUserInt(1, &number));
	EXPECT_EQ(1, joint.m_child);
	EXPECT_EQ(0, joint.m_parent);
	EXPECT_EQ(PRISMATIC, joint.m_type);
	expectVec(joint.m_parent_pos_parent_child_ref, 1, 2, 3);
	EXPECT_EQ(5, inertia.m_mass);
	EXPECT_EQ(8, number);
}

TEST(BuildIndexSets, FinalizeReadsTheParents)
{
	MultiBodyTree tree;
	const int parents[5] = {-1, 0, 0, 2, 1};
	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, add(tree, i, parents[i], REVOLUTE));
	ASSERT_EQ(0, tree.finalize());
	for (int i = 0; i < 5; i++)
	{
		int parent = -7;
		EXPECT_EQ(0, tree.getParentIndex(i, &parent));
		EXPECT_EQ(parents[i], parent);
	}
}

int main(int argc, char** argv) { return runAll(argc, argv); }
