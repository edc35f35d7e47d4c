/*---
 * tasks: [dxJointHinge2.getAxisInfo-01a2cd]
 * tests:
 *   with bodies that are not turned the axes are as stored:
 *     'Docstring: "ax1,ax2 = axis 1 and 2 in global coordinates".'
 *   the first axis turns with the first body: 'Docstring: axes "are relative to body 1 and 2 initially".'
 *   the second axis turns with the second body: 'Docstring: axes "are relative to body 1 and 2 initially".'
 *   the first axis is not turned back: 'Docstring: from the body to "world frame".'
 *   the second axis is not turned back: 'Docstring: from the body to "world frame".'
 *   where the bodies are does not matter: 'Docstring: axes are directions.'
 *   the cross product is of the first and the second axis: 'Docstring: "the cross product of ax1 x ax2".'
 *   it is of the axes in the world: 'Docstring: "as the cross product of ax1 and ax2".'
 *   the sine is the length of the cross product: 'Docstring: "this comes from dot and cross product rules".'
 *   the cosine is the dot product: 'Docstring: "this comes from dot and cross product rules".'
 *   the cross product is not made a unit vector: 'Docstring: the cross product itself; getInfo2 normalizes it after.'
 *   an angle of more than a right one has a negative cosine: 'Docstring: cos of the angle between the axes.'
 *   the sine is never negative: 'Docstring: the sine by the rule of the cross product; getInfo2 compares it with s0.'
 *   parallel axes have a sine of zero: 'Docstring: the sine of the angle between the axes.'
 *   opposite axes have a cosine of minus one: 'Docstring: the cosine of the angle between the axes.'
 *   swapping the axes turns the cross product: 'Docstring: "ax1 x ax2".'
 *   the same is computed again and again: 'Signature: const.'
 *   the joint and its bodies stay as they are: 'Signature: const.'
 *   setting the axes keeps the desired angle: 'Caller dJointSetHinge2Axes: "sin and cos of the angle" into s0 and c0.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "joints/hinge2.h"
#include "ok.h"

struct Found {
    dVector3 ax1, ax2, cross;
    dReal sine, cosine;
};

static dxJointHinge2 *joint;
static dBodyID one, two;

static Found ask()
{
    Found f;
    memset(&f, 0x7f, sizeof f);
    const dxJointHinge2 *j = joint;
    j->getAxisInfo(f.ax1, f.ax2, f.cross, f.sine, f.cosine);
    return f;
}

static Found ask(double x1, double y1, double z1, double x2, double y2, double z2)
{
    joint->axis1[0] = x1, joint->axis1[1] = y1, joint->axis1[2] = z1, joint->axis1[3] = 0;
    joint->axis2[0] = x2, joint->axis2[1] = y2, joint->axis2[2] = z2, joint->axis2[3] = 0;
    return ask();
}

static void turn(dBodyID body, double x, double y, double z, double angle)
{
    dMatrix3 R;
    dRFromAxisAndAngle(R, x, y, z, angle);
    dBodySetRotation(body, R);
}

int main()
{
    dInitODE();
    dWorldID world = dWorldCreate();
    one = dBodyCreate(world);
    two = dBodyCreate(world);
    dBodySetPosition(one, 1, 2, 3);
    dBodySetPosition(two, -4, 5, 7);
    dJointID id = dJointCreateHinge2(world, 0);
    dJointAttach(id, one, two);
    joint = (dxJointHinge2 *)id;

    Found f = ask(1, 0, 0, 0, 1, 0);
    ok("with bodies that are not turned the axes are as stored", is3(f.ax1, 1, 0, 0) && is3(f.ax2, 0, 1, 0));
    ok("the cross product is of the first and the second axis", is3(f.cross, 0, 0, 1));
    bool right = near(f.sine, 1) && near(f.cosine, 0);
    f = ask(0, 1, 0, 1, 0, 0);
    ok("swapping the axes turns the cross product", is3(f.cross, 0, 0, -1) && near(f.sine, 1));
    f = ask(0, 0, 1, 0.6, 0, 0.8);
    ok("the sine is the length of the cross product", right && near(f.sine, 0.6));
    ok("the cosine is the dot product", near(f.cosine, 0.8));
    ok("the cross product is not made a unit vector", is3(f.cross, 0, 0.6, 0));
    f = ask(0, 0, 1, 0, 0.8, -0.6);
    ok("an angle of more than a right one has a negative cosine", near(f.cosine, -0.6));
    bool positive = near(f.sine, 0.8) && is3(f.cross, -0.8, 0, 0);
    f = ask(0, 0.8, -0.6, 0, 0, 1);
    ok("the sine is never negative", positive && near(f.sine, 0.8) && is3(f.cross, 0.8, 0, 0));
    f = ask(0.6, 0, 0.8, 0.6, 0, 0.8);
    ok("parallel axes have a sine of zero", near(f.sine, 0, 1e-3) && near(f.cosine, 1) && is3(f.cross, 0, 0, 0));
    f = ask(0, 1, 0, 0, -1, 0);
    ok("opposite axes have a cosine of minus one", near(f.cosine, -1) && near(f.sine, 0, 1e-3));

    /* A quarter about z takes x to y, one about x takes y to z: turned back they would go to the other side. */
    turn(one, 0, 0, 1, M_PI / 2);
    f = ask(1, 0, 0, 1, 0, 0);
    ok("the first axis turns with the first body", near(f.ax1[0], 0) && near(fabs(f.ax1[1]), 1) &&
       is3(f.ax2, 1, 0, 0));
    ok("the first axis is not turned back", is3(f.ax1, 0, 1, 0));
    ok("it is of the axes in the world", is3(f.cross, 0, 0, -1) && near(f.sine, 1) && near(f.cosine, 0));
    turn(one, 0, 0, 1, 0);
    turn(two, 1, 0, 0, M_PI / 2);
    f = ask(0, 1, 0, 0, 1, 0);
    ok("the second axis turns with the second body", is3(f.ax1, 0, 1, 0) && near(f.ax2[1], 0) &&
       near(fabs(f.ax2[2]), 1));
    ok("the second axis is not turned back", is3(f.ax2, 0, 0, 1) && is3(f.cross, 1, 0, 0));

    turn(one, 1, 2, 3, 0.7);
    turn(two, -2, 1, 0.5, 1.9);
    f = ask(0.36, 0.48, 0.8, -0.8, 0.6, 0);
    const dReal *R1 = dBodyGetRotation(one), *R2 = dBodyGetRotation(two);
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = R1[4 * i] * 0.36 + R1[4 * i + 1] * 0.48 + R1[4 * i + 2] * 0.8;
        b[i] = R2[4 * i] * -0.8 + R2[4 * i + 1] * 0.6;
    }
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    bool as = is3(f.ax1, a[0], a[1], a[2]) && is3(f.ax2, b[0], b[1], b[2]) && near(f.cosine, dot) &&
              near(f.sine, sqrt(1 - dot * dot), 1e-4);
    dBodySetPosition(one, 100, -50, 20);
    dBodySetPosition(two, 0, 0, 0);
    Found moved = ask();
    ok("where the bodies are does not matter", as && is3(moved.ax1, a[0], a[1], a[2]) &&
       is3(moved.ax2, b[0], b[1], b[2]) && near(moved.cosine, dot) && moved.sine == f.sine);
    Found again = ask();
    ok("the same is computed again and again", is3(again.ax1, f.ax1[0], f.ax1[1], f.ax1[2], 0) &&
       is3(again.cross, f.cross[0], f.cross[1], f.cross[2], 0) && again.sine == f.sine && again.cosine == f.cosine);
    dMatrix3 keep1, keep2;
    memcpy(keep1, R1, sizeof keep1);
    memcpy(keep2, R2, sizeof keep2);
    dReal s0 = joint->s0, c0 = joint->c0;
    ask();
    ok("the joint and its bodies stay as they are", is3(joint->axis1, 0.36, 0.48, 0.8) &&
       is3(joint->axis2, -0.8, 0.6, 0) && joint->s0 == s0 && joint->c0 == c0 &&
       !memcmp(keep1, R1, sizeof keep1) && !memcmp(keep2, R2, sizeof keep2));

    const dReal set1[3] = {0, 0, 1}, set2[3] = {0, 0.6, -0.8};
    dJointSetHinge2Axes(id, set1, set2);
    ok("setting the axes keeps the desired angle", near(joint->s0, 0.6) && near(joint->c0, -0.8));
    dWorldDestroy(world);
    dCloseODE();
    plan();
    return 0;
}
