/* A Dill creator's bodies, and what the levels of their subtrees are. */
#ifndef DILLCHECK_H
#define DILLCHECK_H
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "BulletInverseDynamics/MultiBodyTree.hpp"
#include "InverseDynamics/DillCreator.hpp"

using namespace btInverseDynamics;

struct DillBody
{
	int parent;
	JointType type;
	vec3 r, axis, com;
	mat33 T, I;
	idScalar mass;
	int number;
	void* pointer;
	int size, level; /* of its subtree: bodies, and how often that halves */
	std::vector<int> children;
};

static int get(const DillCreator& c, int i, DillBody& b)
{
	b.parent = 77;
	b.number = 77;
	b.pointer = &b;
	b.mass = -1;
	return c.getBody(i, &b.parent, &b.type, &b.r, &b.T, &b.axis, &b.mass, &b.com, &b.I, &b.number, &b.pointer);
}

static std::vector<DillBody> bodies(const DillCreator& c)
{
	int n = 0;
	EXPECT_EQ(0, c.getNumBodies(&n));
	std::vector<DillBody> all(n);
	for (int i = 0; i < n; i++)
	{
		EXPECT_EQ(0, get(c, i, all[i]));
		all[i].size = 1;
		if (all[i].parent < -1 || all[i].parent >= i || (i > 0 && all[i].parent < 0))
		{
			ADD_FAILURE() << "body " << i << " has the parent " << all[i].parent;
			all.clear();
			return all;
		}
	}
	for (int i = n - 1; i > 0; i--)
	{
		all[all[i].parent].size += all[i].size;
		all[all[i].parent].children.push_back(i);
	}
	for (int i = 0; i < n; i++)
		for (all[i].level = 0; (2 << all[i].level) <= all[i].size;) all[i].level++;
	return all;
}
#endif
