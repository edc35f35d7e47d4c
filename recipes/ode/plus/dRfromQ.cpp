/*---
 * tasks: [dRfromQ-3015a2]
 * tests:
 *   no rotation gives the identity: 'Name and neighbour dQfromR; q[0] is the scalar part.'
 *   a quarter about z takes x to y: 'rotation.h: dQFromAxisAndAngle and dRFromAxisAndAngle say the same.'
 *   a quarter about x takes y to z: 'rotation.h: dQFromAxisAndAngle and dRFromAxisAndAngle say the same.'
 *   a quarter about y takes z to x: 'rotation.h: dQFromAxisAndAngle and dRFromAxisAndAngle say the same.'
 *   half turns keep their axis: 'rotation.h: any rotation.'
 *   any axis and angle gives the matrix of both: 'rotation.h: dRFromAxisAndAngle.'
 *   a quaternion and its negative give the same: 'joint.cpp: "two quaternion representations of a given rotation".'
 *   the conjugate gives the transpose: 'rotation.h: dQMultiply1 and others turn by the inverse.'
 *   a product gives the product of matrices: 'rotation.h: dQMultiply0, "rotate by qc, then by qb".'
 *   it undoes dQfromR: 'Neighbour dQfromR.'
 *   rows have length one and are at right angles: 'Callers use R as a matrix of rotation.'
 *   the fourth column is zero: 'Callers copy and multiply matrices with rows of four.'
 *   all twelve numbers are written: 'Callers give matrices that were not set.'
 *   nothing behind the matrix is written: 'common.h: dMatrix3 has 12 numbers.'
 *   the quaternion stays: 'Signature: const.'
 *   a body turns as its quaternion says: 'Callers dBodySetQuaternion and dxStepBody.'
 ---*/
#include <ode/ode.h>
#include "ok.h"

static bool is(const dReal *R, const dReal *want, double by = 1e-5)
{
    return is3(R, want[0], want[1], want[2], by) && is3(R + 4, want[4], want[5], want[6], by) &&
           is3(R + 8, want[8], want[9], want[10], by);
}

static bool is(const dReal *R, double a, double b, double c, double d, double e, double f, double g, double h,
               double i)
{
    return is3(R, a, b, c) && is3(R + 4, d, e, f) && is3(R + 8, g, h, i);
}

/* One matrix more, to see what is written. */
static dReal R[16];

static const dReal *of(double s, double x, double y, double z)
{
    dQuaternion q = {(dReal)s, (dReal)x, (dReal)y, (dReal)z};
    for (int i = 0; i < 16; i++) R[i] = 77;
    dRfromQ(R, q);
    return R;
}

int main()
{
    dInitODE();
    const double h = sqrt(.5);
    ok("no rotation gives the identity", is(of(1, 0, 0, 0), 1, 0, 0, 0, 1, 0, 0, 0, 1));
    ok("a quarter about z takes x to y", is(of(h, 0, 0, h), 0, -1, 0, 1, 0, 0, 0, 0, 1));
    ok("a quarter about x takes y to z", is(of(h, h, 0, 0), 1, 0, 0, 0, 0, -1, 0, 1, 0));
    ok("a quarter about y takes z to x", is(of(h, 0, h, 0), 0, 0, 1, 0, 1, 0, -1, 0, 0));
    bool halves = is(of(0, 1, 0, 0), 1, 0, 0, 0, -1, 0, 0, 0, -1) && is(of(0, 0, 1, 0), -1, 0, 0, 0, 1, 0, 0, 0, -1);
    halves = halves && is(of(0, 0, 0, 1), -1, 0, 0, 0, -1, 0, 0, 0, 1) &&
             is(of(0, h, h, 0), 0, 1, 0, 1, 0, 0, 0, 0, -1);
    ok("half turns keep their axis", halves);

    bool any = true, negative = true, transposed = true, back = true, proper = true, column = true, written = true;
    bool behind = true, kept = true, product = true;
    dQuaternion before = {1, 0, 0, 0};
    for (int i = 0; i < 60; i++) {
        double x = i % 5 - 2.2, y = i % 7 - 3.1, z = i % 3 - 0.7, angle = 0.11 * i - 3.2;
        double length = sqrt(x * x + y * y + z * z), c = cos(angle), s = sin(angle);
        x /= length, y /= length, z /= length;
        double half = angle / 2, sh = sin(half);
        of(cos(half), x * sh, y * sh, z * sh);
        any = any && is(R, c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
                        y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s,
                        z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c));
        column = column && R[3] == 0 && R[7] == 0 && R[11] == 0;
        for (int j = 0; j < 12; j++) written = written && R[j] != 77;
        for (int j = 12; j < 16; j++) behind = behind && R[j] == 77;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                proper = proper && near(R[4 * j] * R[4 * k] + R[4 * j + 1] * R[4 * k + 1] +
                                        R[4 * j + 2] * R[4 * k + 2], j == k);
        dMatrix3 first, other;
        memcpy(first, R, sizeof first);
        negative = negative && is(of(-cos(half), -x * sh, -y * sh, -z * sh), first);
        of(cos(half), -x * sh, -y * sh, -z * sh);
        transposed = transposed && is(R, first[0], first[4], first[8], first[1], first[5], first[9], first[2],
                                      first[6], first[10]);
        dQuaternion q, both;
        dQfromR(q, first);
        const dQuaternion copy = {q[0], q[1], q[2], q[3]};
        dRfromQ(other, q);
        back = back && is(other, first);
        kept = kept && !memcmp(q, copy, sizeof copy);
        dQMultiply0(both, before, q);
        dMatrix3 one, all, want;
        dRfromQ(one, before);
        dRfromQ(all, both);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) {
                want[4 * r + k] = 0;
                for (int m = 0; m < 3; m++) want[4 * r + k] += one[4 * r + m] * first[4 * m + k];
            }
        product = product && is(all, want);
        memcpy(before, q, sizeof before);
    }
    ok("any axis and angle gives the matrix of both", any);
    ok("a quaternion and its negative give the same", negative);
    ok("the conjugate gives the transpose", transposed);
    ok("a product gives the product of matrices", product);
    ok("it undoes dQfromR", back);
    ok("rows have length one and are at right angles", proper);
    ok("the fourth column is zero", column);
    ok("all twelve numbers are written", written);
    ok("nothing behind the matrix is written", behind);
    ok("the quaternion stays", kept);

    dWorldID world = dWorldCreate();
    dBodyID b = dBodyCreate(world);
    dQuaternion q = {(dReal)h, 0, 0, (dReal)h};
    dBodySetQuaternion(b, q);
    bool turned = is(dBodyGetRotation(b), 0, -1, 0, 1, 0, 0, 0, 0, 1);
    dBodySetFiniteRotationMode(b, 1);
    dBodySetAngularVel(b, 0, 0, M_PI);
    dWorldStep(world, 0.5);
    ok("a body turns as its quaternion says", turned && is(dBodyGetRotation(b), -1, 0, 0, 0, -1, 0, 0, 0, 1));
    dWorldDestroy(world);
    dCloseODE();
    plan();
    return 0;
}
