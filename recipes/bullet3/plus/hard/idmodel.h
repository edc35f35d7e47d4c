/* An independent model of a tree of bodies: positions as polynomials in time (value, first and second coefficient),
   in the world frame, with no recursion over velocities, accelerations or forces. What is compared:
   velocities and accelerations by differentiation, joint forces by the principle of virtual power. */
#ifndef IDMODEL_H
#define IDMODEL_H
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "BulletInverseDynamics/IDMath.hpp"
#include "BulletInverseDynamics/MultiBodyTree.hpp"

using namespace btInverseDynamics;

struct Poly
{
	double c[3];
	Poly(double a = 0, double b = 0, double d = 0) { c[0] = a, c[1] = b, c[2] = d; }
	Poly operator+(const Poly& o) const { return Poly(c[0] + o.c[0], c[1] + o.c[1], c[2] + o.c[2]); }
	Poly operator*(const Poly& o) const
	{
		return Poly(c[0] * o.c[0], c[0] * o.c[1] + c[1] * o.c[0], c[0] * o.c[2] + c[1] * o.c[1] + c[2] * o.c[0]);
	}
	Poly rate() const { return Poly(c[1], 2 * c[2]); }
};
struct PVec
{
	Poly v[3];
};
struct PMat
{
	Poly m[3][3];
};
static PVec operator+(const PVec& a, const PVec& b)
{
	PVec r;
	for (int i = 0; i < 3; i++) r.v[i] = a.v[i] + b.v[i];
	return r;
}
static PVec operator*(const PMat& a, const PVec& b)
{
	PVec r;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) r.v[i] = r.v[i] + a.m[i][k] * b.v[k];
	return r;
}
static PMat operator*(const PMat& a, const PMat& b)
{
	PMat r;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 3; k++) r.m[i][j] = r.m[i][j] + a.m[i][k] * b.m[k][j];
	return r;
}
static PMat transposed(const PMat& a)
{
	PMat r;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) r.m[i][j] = a.m[j][i];
	return r;
}
static PVec constant(const btVector3& a)
{
	PVec r;
	for (int i = 0; i < 3; i++) r.v[i] = Poly(a[i]);
	return r;
}
static PMat constant(const btMatrix3x3& a)
{
	PMat r;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) r.m[i][j] = Poly(a[i][j]);
	return r;
}
static btVector3 coefficient(const PVec& a, int k) { return btVector3(a.v[0].c[k], a.v[1].c[k], a.v[2].c[k]); }
static btMatrix3x3 crossMatrix(const btVector3& w)
{
	return btMatrix3x3(0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0);
}

/* Takes vectors of the parent to a child that is turned by the angle about the axis (Rodrigues). */
static btMatrix3x3 turned(const btVector3& axis, double angle)
{
	const double c = std::cos(angle), s = std::sin(angle);
	const btMatrix3x3 k = crossMatrix(axis);
	return btMatrix3x3::getIdentity() + k * -s + (k * k) * (1 - c);
}

struct Link
{
	int parent;
	JointType type;
	btVector3 r;
	btMatrix3x3 T;
	btVector3 axis;
	double mass;
	btVector3 com;
	btMatrix3x3 I; /* about the centre of mass */
	btVector3 force, moment; /* of the user, in the body's frame */
};

struct Motion
{
	btVector3 origin, velocity, acceleration, com, comVelocity, comAcceleration, omega, alpha, momentumRate;
	btMatrix3x3 R; /* of the body to the world */
};

static int dofs(JointType t) { return t == FLOATING ? 6 : t == SPHERICAL ? 3 : t == FIXED ? 0 : 1; }

class Model
{
public:
	std::vector<Link> links;

	Link& add(int parent, JointType type, const btVector3& r, const btMatrix3x3& T, const btVector3& axis)
	{
		const int i = (int)links.size();
		Link l;
		l.parent = parent;
		l.type = type;
		l.r = r;
		l.T = T;
		l.axis = axis.normalized();
		l.mass = 1.5 + 0.5 * i;
		l.com = btVector3(0.2 - 0.1 * i, 0.1 + 0.05 * i, -0.3 + 0.15 * i);
		const btMatrix3x3 turn = turned(btVector3(0.6, 0, 0.8), 0.4 + i);
		l.I = turn * btMatrix3x3(0.5, 0, 0, 0, 0.7 + 0.01 * i, 0, 0, 0, 0.9) * turn.transpose();
		l.force = l.moment = btVector3(0, 0, 0);
		links.push_back(l);
		return links.back();
	}
	Link& add(int parent, JointType type)
	{
		const int i = (int)links.size();
		const btVector3 r = type == SPHERICAL || type == FLOATING ? btVector3(0, 0, 0) : btVector3(0.3 + 0.1 * i, -0.2, 0.4 - 0.2 * i);
		const btMatrix3x3 T = type == FLOATING ? btMatrix3x3::getIdentity() : turned(btVector3(2, -1, 2) / 3, 0.5 + i) * turned(btVector3(0, 0.6, 0.8), 0.3);
		return add(parent, type, r, T, btVector3(1 + i, -0.5, 0.25 * i - 0.7));
	}

	int numDofs() const
	{
		int n = 0;
		for (size_t i = 0; i < links.size(); i++) n += dofs(links[i].type);
		return n;
	}

	int build(MultiBodyTree& tree) const
	{
		for (size_t i = 0; i < links.size(); i++)
		{
			const Link& l = links[i];
			vec3 r = l.r, axis = l.axis, com = l.com;
			mat33 T = l.T, I = l.I + crossMatrix(l.com) * crossMatrix(l.com) * -l.mass;
			if (tree.addBody((int)i, l.parent, l.type, r, T, axis, l.mass, com, I, 0, 0)) return -1;
		}
		return tree.finalize();
	}

	std::vector<Motion> motion(const vecx& q, const vecx& u, const vecx& du) const
	{
		std::vector<PMat> R(links.size());
		std::vector<PVec> P(links.size());
		std::vector<Motion> all(links.size());
		int k = 0;
		for (size_t i = 0; i < links.size(); i++)
		{
			const Link& l = links[i];
			btMatrix3x3 T0 = l.T;
			btVector3 w(0, 0, 0), dw(0, 0, 0), p = l.r, v(0, 0, 0), a(0, 0, 0);
			if (l.type == REVOLUTE)
			{
				T0 = turned(l.axis, q(k)) * l.T;
				w = l.axis * u(k);
				dw = l.axis * du(k);
			}
			else if (l.type == PRISMATIC)
			{
				const btVector3 d = l.T.transpose() * l.axis;
				p = l.r + d * q(k);
				v = d * u(k);
				a = d * du(k);
			}
			else if (l.type == SPHERICAL || l.type == FLOATING)
			{
				const btMatrix3x3 x = turned(btVector3(1, 0, 0), q(k)), y = turned(btVector3(0, 1, 0), q(k + 1)), z = turned(btVector3(0, 0, 1), q(k + 2));
				T0 = l.type == SPHERICAL ? x * y * z * l.T : z * y * x;
				w = btVector3(u(k), u(k + 1), u(k + 2));
				dw = btVector3(du(k), du(k + 1), du(k + 2));
				if (l.type == FLOATING)
				{
					p = btVector3(q(k + 3), q(k + 4), q(k + 5));
					v = T0.transpose() * btVector3(u(k + 3), u(k + 4), u(k + 5));
					a = T0.transpose() * btVector3(du(k + 3), du(k + 4), du(k + 5));
				}
			}
			k += dofs(l.type);
			const btMatrix3x3 T1 = crossMatrix(w) * T0 * -1.0, T2 = (crossMatrix(w) * crossMatrix(w) + crossMatrix(dw) * -1.0) * T0 * 0.5;
			PMat T;
			PVec d;
			for (int x = 0; x < 3; x++)
			{
				d.v[x] = Poly(p[x], v[x], a[x] / 2);
				for (int y = 0; y < 3; y++) T.m[x][y] = Poly(T0[x][y], T1[x][y], T2[x][y]);
			}
			R[i] = l.parent < 0 ? transposed(T) : R[l.parent] * transposed(T);
			P[i] = l.parent < 0 ? d : P[l.parent] + R[l.parent] * d;
			const PVec C = P[i] + R[i] * constant(l.com);
			PMat rate;
			for (int x = 0; x < 3; x++)
				for (int y = 0; y < 3; y++) rate.m[x][y] = R[i].m[x][y].rate();
			const PMat spin = rate * transposed(R[i]);
			PVec omega;
			omega.v[0] = spin.m[2][1];
			omega.v[1] = spin.m[0][2];
			omega.v[2] = spin.m[1][0];
			const PVec L = R[i] * (constant(l.I) * (transposed(R[i]) * omega));
			Motion& m = all[i];
			m.origin = coefficient(P[i], 0);
			m.velocity = coefficient(P[i], 1);
			m.acceleration = coefficient(P[i], 2) * 2;
			m.com = coefficient(C, 0);
			m.comVelocity = coefficient(C, 1);
			m.comAcceleration = coefficient(C, 2) * 2;
			m.omega = coefficient(omega, 0);
			m.alpha = coefficient(omega, 1);
			m.momentumRate = coefficient(L, 1);
			for (int x = 0; x < 3; x++)
				for (int y = 0; y < 3; y++) m.R[x][y] = R[i].m[x][y].c[0];
		}
		return all;
	}

	std::vector<double> forces(const vecx& q, const vecx& u, const vecx& du, const btVector3& gravity) const
	{
		const int n = numDofs();
		const std::vector<Motion> now = motion(q, u, du);
		std::vector<double> f(n);
		for (int k = 0; k < n; k++)
		{
			vecx one(n), zero(n);
			setZero(one);
			setZero(zero);
			one(k) = 1;
			const std::vector<Motion> part = motion(q, one, zero);
			for (size_t i = 0; i < links.size(); i++)
			{
				const Link& l = links[i];
				f[k] += l.mass * (now[i].comAcceleration - gravity).dot(part[i].comVelocity) + now[i].momentumRate.dot(part[i].omega);
				f[k] -= (now[i].R * l.force).dot(part[i].velocity) + (now[i].R * l.moment).dot(part[i].omega);
			}
		}
		return f;
	}
};

/* Numbers without pattern, the same each time. */
static void fill(vecx& v, int seed, double scale = 1)
{
	for (int i = 0; i < v.size(); i++)
		v(i) = scale * std::sin(12.9898 * (i + 1) + 78.233 * seed) * 1.7;
}

static void expectClose(const btVector3& want, const btVector3& got, const char* what, int i)
{
	for (int k = 0; k < 3; k++)
		EXPECT_NEAR(want[k], got[k], 1e-9) << what << " of body " << i << ", element " << k;
}

enum What { POSITIONS = 1, VELOCITIES = 2, ACCELERATIONS = 4 };

static void expectMotion(const MultiBodyTree& tree, const std::vector<Motion>& want, int what)
{
	for (int i = 0; i < (int)want.size(); i++)
	{
		vec3 v;
		mat33 R;
		if (what & POSITIONS)
		{
			EXPECT_EQ(0, tree.getBodyOrigin(i, &v));
			expectClose(want[i].origin, v, "origin", i);
			EXPECT_EQ(0, tree.getBodyTransform(i, &R));
			for (int k = 0; k < 3; k++) expectClose(want[i].R[k], R[k], "transform", i);
			EXPECT_EQ(0, tree.getBodyCoM(i, &v));
			expectClose(want[i].com, v, "centre of mass", i);
		}
		if (what & VELOCITIES)
		{
			EXPECT_EQ(0, tree.getBodyLinearVelocity(i, &v));
			expectClose(want[i].velocity, v, "velocity", i);
			EXPECT_EQ(0, tree.getBodyLinearVelocityCoM(i, &v));
			expectClose(want[i].comVelocity, v, "velocity of the centre of mass", i);
			EXPECT_EQ(0, tree.getBodyAngularVelocity(i, &v));
			expectClose(want[i].omega, v, "angular velocity", i);
		}
		if (what & ACCELERATIONS)
		{
			EXPECT_EQ(0, tree.getBodyLinearAcceleration(i, &v));
			expectClose(want[i].acceleration, v, "acceleration", i);
			EXPECT_EQ(0, tree.getBodyAngularAcceleration(i, &v));
			expectClose(want[i].alpha, v, "angular acceleration", i);
		}
	}
}
#endif
