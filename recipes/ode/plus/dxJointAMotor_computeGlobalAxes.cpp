/*---
 * tasks: [dxJointAMotor.computeGlobalAxes-d9ee04]
 * flags: [-fno-access-control]
 * tests:
 *   in user mode a global axis is as it was set: 'Docstring: "in global coordinates"; objects.h: dJointSetAMotorAxis.'
 *   an axis of the first body turns with it: 'objects.h: rel 1, "anchored to the first body".'
 *   an axis of the second body turns with it: 'objects.h: rel 2, "anchored to the second body".'
 *   a global axis turns with neither: 'objects.h: rel 0, "anchored to the global frame".'
 *   each axis has its place: 'Docstring: "compute the 3 axes".'
 *   without a second body its axis is global: 'joint.cpp: "if body2 is 0", the static frame.'
 *   in user mode nothing is made of other axes: 'objects.h: dAMotorUser, the user sets all axes.'
 *   in euler mode the first axis is of the first body: 'objects.h: "Axis 0 must be anchored to the first body".'
 *   the third axis is of the second body: 'objects.h: "axis 2 must be anchored to the second body".'
 *   the second axis is at right angles to both: 'objects.h: "Axis 1 will be determined automatically".'
 *   it is a unit vector, of the third and the first axis: 'Callers use it as an axis as they do the others.'
 *   in euler mode without a second body it works too: 'joint.h: a zero body is the static environment.'
 *   changing the mode changes what is computed: 'objects.h: dJointSetAMotorMode.'
 *   the joint stays as it is: 'Signature: const.'
 *   a step drives the bodies about the axis: 'Caller getInfo2.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "joints/amotor.h"
#include "ok.h"

static dVector3 ax[3];

static void ask(dJointID j)
{
    for (int i = 0; i < 3; i++) ax[i][0] = ax[i][1] = ax[i][2] = 77;
    const dxJointAMotor *motor = (const dxJointAMotor *)j;
    motor->computeGlobalAxes(ax);
}

static void turn(dBodyID b, double x, double y, double z, double angle)
{
    dMatrix3 R;
    dRFromAxisAndAngle(R, x, y, z, angle);
    dBodySetRotation(b, R);
}

int main()
{
    dInitODE();
    dWorldID w = dWorldCreate();
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    dJointID j = dJointCreateAMotor(w, 0);
    dJointAttach(j, a, b);
    dJointSetAMotorMode(j, dAMotorUser);
    dJointSetAMotorNumAxes(j, 3);
    dJointSetAMotorAxis(j, 0, 0, 0.6, 0.8, 0);
    dJointSetAMotorAxis(j, 1, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 1, 0);
    ask(j);
    ok("in user mode a global axis is as it was set", is3(ax[0], 0.6, 0.8, 0));
    bool still = is3(ax[1], 1, 0, 0) && is3(ax[2], 0, 1, 0);
    turn(a, 0, 0, 1, M_PI / 2);
    turn(b, 1, 0, 0, M_PI / 2);
    ask(j);
    ok("an axis of the first body turns with it", still && is3(ax[1], 0, 1, 0));
    ok("an axis of the second body turns with it", still && is3(ax[2], 0, 0, 1));
    ok("a global axis turns with neither", is3(ax[0], 0.6, 0.8, 0));
    ok("in user mode nothing is made of other axes", is3(ax[0], 0.6, 0.8, 0) && is3(ax[1], 0, 1, 0));
    dJointSetAMotorAxis(j, 2, 0, 1, 0, 0);
    dJointSetAMotorAxis(j, 1, 2, 0, 0.6, 0.8);
    dJointSetAMotorAxis(j, 0, 1, 0, 1, 0);
    turn(a, 0, 0, 1, M_PI);
    turn(b, 1, 0, 0, 0);
    ask(j);
    ok("each axis has its place", is3(ax[0], -1, 0, 0) && is3(ax[2], 1, 0, 0) && is3(ax[1], 0, 0.8, -0.6));
    dJointID lone = dJointCreateAMotor(w, 0);
    dJointAttach(lone, a, 0);
    dJointSetAMotorMode(lone, dAMotorUser);
    dJointSetAMotorNumAxes(lone, 2);
    dJointSetAMotorAxis(lone, 0, 2, 0, 0, 1);
    dJointSetAMotorAxis(lone, 1, 1, 0, 1, 0);
    turn(a, 1, 0, 0, M_PI / 2);
    ask(lone);
    ok("without a second body its axis is global", is3(ax[0], 0, 0, 1));

    dBodyID c = dBodyCreate(w), d = dBodyCreate(w);
    dJointID e = dJointCreateAMotor(w, 0);
    dJointAttach(e, c, d);
    dJointSetAMotorMode(e, dAMotorEuler);
    dJointSetAMotorAxis(e, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(e, 2, 2, 0, 0, 1);
    ask(e);
    bool plain = is3(ax[0], 1, 0, 0) && is3(ax[2], 0, 0, 1) && is3(ax[1], 0, 1, 0);
    turn(c, 0, 0, 1, M_PI / 2);
    ask(e);
    ok("in euler mode the first axis is of the first body", plain && is3(ax[0], 0, 1, 0) && is3(ax[2], 0, 0, 1));
    bool second = is3(ax[1], -1, 0, 0);
    turn(d, 0, 1, 0, 0.5);
    ask(e);
    ok("the third axis is of the second body", is3(ax[0], 0, 1, 0) && is3(ax[2], sin(.5), 0, cos(.5)));
    turn(c, 1, 2, 3, 0.4);
    turn(d, 3, -1, 2, 0.9);
    ask(e);
    double dot = 0, other = 0, length = 0;
    for (int i = 0; i < 3; i++)
        dot += ax[0][i] * ax[1][i], other += ax[2][i] * ax[1][i], length += ax[1][i] * ax[1][i];
    ok("the second axis is at right angles to both", second && near(dot, 0) && near(other, 0));
    double y[3] = {ax[2][1] * ax[0][2] - ax[2][2] * ax[0][1], ax[2][2] * ax[0][0] - ax[2][0] * ax[0][2],
                   ax[2][0] * ax[0][1] - ax[2][1] * ax[0][0]};
    double l = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    ok("it is a unit vector, of the third and the first axis", near(length, 1) && l < 0.999 &&
       is3(ax[1], y[0] / l, y[1] / l, y[2] / l));
    dVector3 before[3];
    memcpy(before, ax, sizeof before);
    ask(e);
    ok("the joint stays as it is", is3(ax[1], before[1][0], before[1][1], before[1][2], 0) &&
       dJointGetAMotorMode(e) == dAMotorEuler && dJointGetAMotorNumAxes(e) == 3 && is3(ax[0], before[0][0],
       before[0][1], before[0][2], 0));
    dJointID f = dJointCreateAMotor(w, 0);
    turn(c, 1, 0, 0, 0);
    dJointAttach(f, c, 0);
    dJointSetAMotorMode(f, dAMotorEuler);
    dJointSetAMotorAxis(f, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(f, 2, 2, 0, 0, 1);
    turn(c, 0, 0, 1, M_PI / 2);
    ask(f);
    ok("in euler mode without a second body it works too", is3(ax[0], 0, 1, 0) && is3(ax[2], 0, 0, 1) &&
       is3(ax[1], -1, 0, 0));
    dJointSetAMotorMode(e, dAMotorUser);
    dJointSetAMotorNumAxes(e, 3);
    dJointSetAMotorAxis(e, 1, 0, 0, 0, 1);
    ask(e);
    bool user = is3(ax[1], 0, 0, 1);
    dJointSetAMotorMode(e, dAMotorEuler);
    ask(e);
    ok("changing the mode changes what is computed", user && !is3(ax[1], 0, 0, 1));

    dWorldID v = dWorldCreate();
    dBodyID g = dBodyCreate(v);
    dJointID drive = dJointCreateAMotor(v, 0);
    dJointAttach(drive, g, 0);
    dJointSetAMotorNumAxes(drive, 1);
    dJointSetAMotorAxis(drive, 0, 1, 1, 0, 0);
    turn(g, 0, 0, 1, M_PI / 2);
    dJointSetAMotorParam(drive, dParamVel, 2);
    dJointSetAMotorParam(drive, dParamFMax, 1000);
    dWorldStep(v, 0.01);
    const dReal *spin = dBodyGetAngularVel(g);
    ok("a step drives the bodies about the axis", near(fabs(spin[1]), 2, 0.01) && near(spin[0], 0, 0.01));
    dWorldDestroy(v);
    dWorldDestroy(w);
    dCloseODE();
    plan();
    return 0;
}
