/* A rand of our own, so that each run sees the same numbers and no seed changes them. */
#ifndef RANDOMTREE_H
#define RANDOMTREE_H
#include <cmath>
#include <cstdlib>
#include <cstring>

static unsigned long long randomState = 12345;
static int seeds = 0;
extern "C" int rand() throw()
{
	randomState = randomState * 6364136223846793005ull + 1442695040888963407ull;
	return (int)((randomState >> 33) & 0x7fffffff);
}
extern "C" void srand(unsigned) throw() { seeds++; }

#include <gtest/gtest.h>

#include "InverseDynamics/RandomTreeCreator.hpp"

using namespace btInverseDynamics;

struct RandomBody
{
	int parent;
	JointType type;
	vec3 r, axis, com;
	mat33 T, I;
	idScalar mass;
	int number;
	void* pointer;
};

/* What isn't set keeps the poison. */
static int get(const RandomTreeCreator& c, int i, RandomBody& b, double poison = 1e9)
{
	b.parent = 77;
	b.type = (JointType)6;
	b.mass = poison;
	b.number = 77;
	b.pointer = &b;
	for (int k = 0; k < 3; k++)
	{
		b.r(k) = b.axis(k) = b.com(k) = poison;
		for (int l = 0; l < 3; l++) b.T(k, l) = b.I(k, l) = poison;
	}
	return c.getBody(i, &b.parent, &b.type, &b.r, &b.T, &b.axis, &b.mass, &b.com, &b.I, &b.number, &b.pointer);
}
#endif
