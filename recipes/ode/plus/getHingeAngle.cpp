/*---
 * tasks: [getHingeAngle-72b2bf]
 * tests:
 *   the initial orientation is an angle of zero: 'Docstring: "the initial relative orientation [...] angle of zero".'
 *   the turn of the first body is the angle: 'Docstring: "the relative rotation angle".'
 *   the turn of the second body is the angle turned round: 'Docstring: "the relative rotation angle".'
 *   the difference of both turns is the angle: 'Docstring: "the relative rotation angle".'
 *   turning both bodies together changes nothing: 'Docstring: "relative".'
 *   moving the bodies changes nothing: 'Docstring: "orientation".'
 *   bodies that began in other orientations are measured from there: 'Docstring: "the initial relative orientation".'
 *   without a second body the angle is against the frame: 'Docstring: "between body1 and the static frame".'
 *   without a second body the initial orientation is zero: 'Docstring: "corresponds to an angle of zero".'
 *   the axis is that of the first body: 'Docstring: "w.r.t. body1 (axis)".'
 *   the other direction of the axis turns the angle round: 'Docstring: "the hinge axis".'
 *   an angle is within half a turn: 'getHingeAngleFromRelativeQuat: "we want to return angles between -pi..pi".'
 *   small angles are right: 'Docstring: "the relative rotation angle".'
 *   the sign of the quaternions does not matter: 'getHingeAngleFromRelativeQuat: "q and -q [...] same rotation".'
 *   the arguments stay as they are: 'Callers (getInfo1, dJointGetHingeAngle) go on with them.'
 *   the angle of a hinge joint is right: 'Caller hinge.cpp: dJointGetHingeAngle.'
 *   the angle of a hinge joint with one body is right: 'Caller hinge.cpp: dJointGetHingeAngle.'
 *   the angles of other joints are right: 'Callers piston.cpp and pr.cpp: dJointGetPistonAngle, dJointGetPRAngle.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "joints/joint_internal.h"
#include "ok.h"

static dWorldID world;
static dBodyID one, two;
static dVector3 axis = {0, 0, 1, 0};

/* The orientations from which turns are made: a turn about an axis. */
static void start(dBodyID body, double x, double y, double z, double angle)
{
    dQuaternion q;
    dQFromAxisAndAngle(q, x, y, z, angle);
    dBodySetQuaternion(body, q);
}

/* Turns a body about an axis of the world. */
static void turn(dBodyID body, double x, double y, double z, double angle)
{
    dQuaternion by, q;
    dQFromAxisAndAngle(by, x, y, z, angle);
    dQMultiply0(q, by, dBodyGetQuaternion(body));
    dBodySetQuaternion(body, q);
}

static void initial(dQuaternion q, dBodyID a, dBodyID b)
{
    const dReal *p = dBodyGetQuaternion(a);
    if (b) {
        dQMultiply1(q, p, dBodyGetQuaternion(b));
        return;
    }
    q[0] = p[0];
    for (int i = 1; i < 4; i++) q[i] = -p[i];
}

static double angle(double first, double second, const dQuaternion q0)
{
    dQuaternion q;
    memcpy(q, q0, sizeof q);
    start(one, 0, 0, 1, first);
    start(two, 0, 0, 1, second);
    return getHingeAngle(one, two, axis, q);
}

int main()
{
    dInitODE();
    world = dWorldCreate();
    one = dBodyCreate(world);
    two = dBodyCreate(world);
    dQuaternion none = {1, 0, 0, 0}, q;
    ok("the initial orientation is an angle of zero", near(angle(0, 0, none), 0));
    ok("the turn of the first body is the angle",
       near(angle(0.5, 0, none), 0.5, 1e-4) && near(angle(-1.25, 0, none), -1.25, 1e-4) &&
       near(angle(2.9, 0, none), 2.9, 1e-4));
    ok("the turn of the second body is the angle turned round",
       near(angle(0, 0.5, none), -0.5, 1e-4) && near(angle(0, -2.5, none), 2.5, 1e-4));
    ok("the difference of both turns is the angle",
       near(angle(0.75, 0.5, none), 0.25, 1e-4) && near(angle(1, -1, none), 2, 1e-4) &&
       near(angle(-0.3, 0.9, none), -1.2, 1e-4));

    bool together = true, moved = true, other = true;
    for (int i = 0; i < 8; i++) {
        angle(0.9, 0.2, none);
        turn(one, i, 1, 2 - i, 0.4 * i);
        turn(two, i, 1, 2 - i, 0.4 * i);
        together = together && near(getHingeAngle(one, two, axis, none), 0.7, 1e-4);
        dBodySetPosition(one, i, 10, -5 * i);
        dBodySetPosition(two, 3, -i, 100);
        moved = moved && near(getHingeAngle(one, two, axis, none), 0.7, 1e-4);
    }
    ok("turning both bodies together changes nothing", together);
    ok("moving the bodies changes nothing", moved);

    /* The axis of the world (0, 0.6, 0.8), seen from the first body. */
    bool by_two = true, frame = true, zero = true;
    for (int i = 0; i < 8; i++) {
        start(one, 1, i, -2, 0.7 * i);
        start(two, i - 3, 2, 1, 1 + 0.3 * i);
        dVector3 seen;
        dBodyVectorFromWorld(one, 0, 0.6, 0.8, seen);
        initial(q, one, two);
        other = other && near(getHingeAngle(one, two, seen, q), 0, 1e-3);
        turn(one, 0, 0.6, 0.8, 0.3 * i - 1);
        other = other && near(getHingeAngle(one, two, seen, q), 0.3 * i - 1, 1e-3);
        turn(two, 0, 0.6, 0.8, 0.4);
        by_two = by_two && near(getHingeAngle(one, two, seen, q), 0.3 * i - 1.4, 1e-3);

        start(one, 1, i, -2, 0.7 * i);
        initial(q, one, NULL);
        zero = zero && near(getHingeAngle(one, NULL, seen, q), 0, 1e-3);
        turn(one, 0, 0.6, 0.8, 0.3 * i - 1);
        frame = frame && near(getHingeAngle(one, NULL, seen, q), 0.3 * i - 1, 1e-3);
    }
    ok("bodies that began in other orientations are measured from there", other);
    ok("the axis is that of the first body", other && by_two);
    ok("without a second body the angle is against the frame", frame);
    ok("without a second body the initial orientation is zero", zero);
    angle(0.8, 0.3, none);
    dVector3 back = {0, 0, -1, 0};
    ok("the other direction of the axis turns the angle round",
       near(getHingeAngle(one, two, back, none), -0.5, 1e-4) &&
       near(getHingeAngle(one, NULL, back, none), -0.8, 1e-4));
    const double turns = 2 * M_PI;
    ok("an angle is within half a turn",
       near(angle(4, 0, none), 4 - turns, 1e-3) && near(angle(-4, 0, none), turns - 4, 1e-3) &&
       near(angle(3, -3, none), 6 - turns, 1e-3) && near(angle(turns + 1, 0, none), 1, 1e-3));
    ok("small angles are right",
       near(angle(0.001, 0, none), 0.001, 1e-6) && near(angle(0, 0.002, none), -0.002, 1e-6));
    bool sign = true;
    for (int i = 0; i < 4; i++) {
        angle(1.5, 0.4, none);
        if (i & 1) for (int j = 0; j < 4; j++) one->q[j] = -one->q[j];
        if (i & 2) for (int j = 0; j < 4; j++) two->q[j] = -two->q[j];
        sign = sign && near(getHingeAngle(one, two, axis, none), 1.1, 1e-4) &&
               near(getHingeAngle(one, NULL, axis, none), 1.5, 1e-4);
    }
    ok("the sign of the quaternions does not matter", sign);
    start(one, 1, 2, 3, 0.5);
    start(two, -1, 2, 0, 0.9);
    initial(q, one, two);
    dQuaternion q_before, one_before, two_before;
    memcpy(q_before, q, sizeof q);
    memcpy(one_before, one->q, sizeof q);
    memcpy(two_before, two->q, sizeof q);
    getHingeAngle(one, two, axis, q);
    getHingeAngle(one, NULL, axis, q);
    ok("the arguments stay as they are",
       !memcmp(q_before, q, sizeof q) && !memcmp(one_before, one->q, sizeof q) &&
       !memcmp(two_before, two->q, sizeof q) && is3(axis, 0, 0, 1));

    dJointID hinge = dJointCreateHinge(world, 0);
    start(one, 1, 2, 3, 0.5);
    start(two, -1, 2, 0, 0.9);
    dJointAttach(hinge, one, two);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    turn(one, 0, 1, 0, 0.6);
    bool good = near(dJointGetHingeAngle(hinge), 0.6, 1e-3);
    turn(two, 0, 1, 0, 1);
    ok("the angle of a hinge joint is right", good && near(dJointGetHingeAngle(hinge), -0.4, 1e-3));
    hinge = dJointCreateHinge(world, 0);
    start(one, 1, 2, 3, 0.5);
    dJointAttach(hinge, one, NULL);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    turn(one, 0, 1, 0, 0.6);
    ok("the angle of a hinge joint with one body is right", near(dJointGetHingeAngle(hinge), 0.6, 1e-3));
    dJointID piston = dJointCreatePiston(world, 0), pr = dJointCreatePR(world, 0);
    start(one, 1, 2, 3, 0.5);
    start(two, -1, 2, 0, 0.9);
    dJointAttach(piston, one, two);
    dJointSetPistonAxis(piston, 1, 0, 0);
    dJointAttach(pr, one, two);
    dJointSetPRAxis1(pr, 0, 1, 0);
    dJointSetPRAxis2(pr, 1, 0, 0);
    turn(one, 1, 0, 0, -0.7);
    ok("the angles of other joints are right",
       near(dJointGetPistonAngle(piston), -0.7, 1e-3) && near(dJointGetPRAngle(pr), -0.7, 1e-3));
    plan();
    return 0;
}
