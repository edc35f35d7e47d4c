/* Small parts for the tests of btInverseDynamics. */
#ifndef INVERSE_DYNAMICS_H
#define INVERSE_DYNAMICS_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <string>
#include <vector>
#include <gtest/gtest.h>

#define private public
#include "BulletInverseDynamics/MultiBodyTree.hpp"
#include "BulletInverseDynamics/details/MultiBodyTreeImpl.hpp"
#include "BulletInverseDynamics/details/MultiBodyTreeInitCache.hpp"
#undef private

using namespace btInverseDynamics;

static vec3 vec(idScalar x, idScalar y, idScalar z)
{
	vec3 v;
	v(0) = x;
	v(1) = y;
	v(2) = z;
	return v;
}

static mat33 mat(idScalar a, idScalar b, idScalar c, idScalar d, idScalar e, idScalar f, idScalar g, idScalar h, idScalar i)
{
	mat33 m;
	const idScalar all[9] = {a, b, c, d, e, f, g, h, i};
	for (int k = 0; k < 9; k++)
		m(k / 3, k % 3) = all[k];
	return m;
}

static mat33 diag(idScalar a, idScalar b, idScalar c) { return mat(a, 0, 0, 0, b, 0, 0, 0, c); }

/* v in the parent's frame, seen from a frame that is turned about z by the angle. */
static mat33 turnedZ(idScalar angle)
{
	const idScalar c = std::cos(angle), s = std::sin(angle);
	return mat(c, s, 0, -s, c, 0, 0, 0, 1);
}
static mat33 turnedX(idScalar angle)
{
	const idScalar c = std::cos(angle), s = std::sin(angle);
	return mat(1, 0, 0, 0, c, s, 0, -s, c);
}

static void expectVec(const vec3& v, double x, double y, double z, double within = 1e-9)
{
	EXPECT_NEAR(x, v(0), within);
	EXPECT_NEAR(y, v(1), within);
	EXPECT_NEAR(z, v(2), within);
}

static void expectSame(const vec3& a, const vec3& b, double within = 1e-12) { expectVec(b, a(0), a(1), a(2), within); }

static void expectSame(const mat33& a, const mat33& b, double within = 1e-12)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			EXPECT_NEAR(a(i, j), b(i, j), within) << "element " << i << ", " << j;
}

static mat33 unit() { return diag(1, 1, 1); }

/* Adds a body about which little is special. */
template <class T>
static int add(T& to, int index, int parent, JointType type, const vec3& axis = vec(0, 0, 1), const vec3& r = vec(0, 0, 0),
			   const mat33& turn = unit(), idScalar mass = 1, const vec3& com = vec(0, 0, 0), const mat33& inertia = unit())
{
	return to.addBody(index, parent, type, r, turn, axis, mass, com, inertia, 0, 0);
}

static void silent(const char*) {}

static int runAll(int argc, char** argv)
{
	b3SetCustomErrorMessageFunc(silent);
	b3SetCustomWarningMessageFunc(silent);
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}

#endif
