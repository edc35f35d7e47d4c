/*---
 * tasks: [dBodySetRotation-e4c497]
 * tests:
 *   a body gets the rotation: 'Docstring: "Set the orientation of a body".'
 *   it is not turned the other way: 'rotation.h: a matrix turns from the body to the world; dBodyVectorToWorld.'
 *   the quaternion says the same: 'objects.h: dBodyGetQuaternion gets the same orientation.'
 *   for half turns too: 'Docstring: any orientation; dRtoQ has a case for each.'
 *   the quaternion has length one: 'objects.h (private): "orientation quaternion"; callers turn vectors by it.'
 *   a later rotation replaces it: 'Docstring: set, and not turned by.'
 *   the identity turns it back: 'Docstring: set.'
 *   a matrix with rows of another length is made one of rotation: 'dxOrthogonalizeR: "make sure it is correct".'
 *   a mirror is made one of rotation: 'dxOrthogonalizeR: "makes sure the matrix is not a reflection".'
 *   the given matrix stays: 'Signature: const.'
 *   the fourth column is zero: 'dxOrthogonalizeR clears it; multiplications of 4 wide rows.'
 *   its geoms turn too: 'collision.h: dGeomSetBody, setting one "will set the value for both objects".'
 *   all its geoms do: 'dGeomGetBodyNext: all geoms of the body.'
 *   the boxes of its geoms follow: 'dGeomMoved: AABBs get recomputed.'
 *   a geom with an offset is swung round: 'dGeomMoved marks a geom with an offset as to be computed.'
 *   spaces find a geom where it was swung to: 'dGeomMoved turns clean geoms into dirty ones.'
 *   boxes of spaces follow: 'collision_kernel.h: all space parents of a dirty geom are dirty.'
 *   place and speed stay: 'Docstring: the orientation alone.'
 *   mass, forces and flags stay: 'Docstring: the orientation alone.'
 *   other bodies and geoms stay: 'Docstring: "a body".'
 *   a step goes on from there: 'dxStepBody turns the quaternion on and makes the matrix of it.'
 *   a body can be given its own rotation: 'Callers (demos) hand on what dBodyGetRotation returns.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "ok.h"

static bool is(const dReal *R, const dReal *want, double by = 1e-5)
{
    return is3(R, want[0], want[1], want[2], by) && is3(R + 4, want[4], want[5], want[6], by) &&
           is3(R + 8, want[8], want[9], want[10], by);
}

/* A matrix of rotation: rows of length one, at right angles, not mirrored. */
static bool proper(const dReal *R)
{
    bool good = true;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 3; k++) dot += R[4 * i + k] * R[4 * j + k];
            good = good && near(dot, i == j, 1e-5);
        }
    double x = R[1] * R[6] - R[2] * R[5];
    return good && near(x, R[8], 1e-5);
}

/* The matrix that the body's quaternion stands for. */
static bool agree(dBodyID b, double by = 1e-5)
{
    dMatrix3 R;
    dRfromQ(R, dBodyGetQuaternion(b));
    return is(R, dBodyGetRotation(b), by);
}

static double length(const dReal *q) { return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]); }

static dGeomID wanted;

static void seen(void *times, dGeomID a, dGeomID b)
{
    dContactGeom contact[4];
    if ((a == wanted || b == wanted) && dCollide(a, b, 4, contact, sizeof contact[0]) > 0)
        ++*(int *)times;
}

static bool found(dSpaceID space, dGeomID probe)
{
    int times = 0;
    wanted = probe;
    dSpaceCollide2((dGeomID)space, probe, &times, seen);
    return times > 0;
}

static bool spans(dGeomID g, double x, double y, double z)
{
    dReal box[6];
    dGeomGetAABB(g, box);
    return near(box[1] - box[0], x, 1e-4) && near(box[3] - box[2], y, 1e-4) && near(box[5] - box[4], z, 1e-4);
}

int main()
{
    dInitODE();
    dWorldID world = dWorldCreate();
    dBodyID b = dBodyCreate(world), other = dBodyCreate(world);
    dMatrix3 unit, z, tilted, given;
    dRSetIdentity(unit);
    dRFromAxisAndAngle(z, 0, 0, 1, M_PI / 2);
    dRFromAxisAndAngle(tilted, 1, 2, -2, 0.8);

    dBodySetRotation(b, tilted);
    ok("a body gets the rotation", is(dBodyGetRotation(b), tilted));
    bool quaternion = agree(b), unit_long = near(length(dBodyGetQuaternion(b)), 1, 1e-6);
    dBodySetRotation(b, z);
    dVector3 to;
    dBodyVectorToWorld(b, 1, 0, 0, to);
    ok("it is not turned the other way", is3(to, 0, 1, 0) && dBodyGetRotation(b)[4] > 0.9 &&
       near(dBodyGetQuaternion(b)[0] * dBodyGetQuaternion(b)[3], 0.5));
    ok("a later rotation replaces it", is(dBodyGetRotation(b), z) && agree(b));
    dBodySetRotation(b, unit);
    ok("the identity turns it back", is(dBodyGetRotation(b), unit) && near(fabs(dBodyGetQuaternion(b)[0]), 1) &&
       agree(b));
    bool halves = true;
    const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.8, 0}, {0, -0.6, 0.8}, {0.8, 0, 0.6}};
    for (int i = 0; i < 6; i++)
        for (double angle = 2.6; angle < 3.8; angle += 0.27) {
            dMatrix3 half;
            dRFromAxisAndAngle(half, axes[i][0], axes[i][1], axes[i][2], angle);
            dBodySetRotation(b, half);
            halves = halves && is(dBodyGetRotation(b), half) && agree(b);
            unit_long = unit_long && near(length(dBodyGetQuaternion(b)), 1, 1e-6);
        }
    ok("the quaternion says the same", quaternion);
    ok("for half turns too", halves);

    /* Exactly at right angles, but too long and too short: a quarter about z, and x to y to z. */
    const dMatrix3 large = {0, -1.25, 0, 0, 1.25, 0, 0, 0, 0, 0, 1.25, 0};
    const dMatrix3 short_z = {0, 0, 0.75, 0, 0.875, 0, 0, 0, 0, 0.75, 0, 0};
    const dMatrix3 cycle = {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    dBodySetRotation(b, large);
    bool small = proper(dBodyGetRotation(b)) && is(dBodyGetRotation(b), z);
    unit_long = unit_long && near(length(dBodyGetQuaternion(b)), 1, 1e-6);
    dBodySetRotation(b, short_z);
    small = small && proper(dBodyGetRotation(b)) && is(dBodyGetRotation(b), cycle);
    unit_long = unit_long && near(length(dBodyGetQuaternion(b)), 1, 1e-6);
    ok("a matrix with rows of another length is made one of rotation", small);
    const dMatrix3 mirror = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0};
    dBodySetRotation(b, mirror);
    ok("a mirror is made one of rotation", proper(dBodyGetRotation(b)));
    ok("the quaternion has length one", unit_long);
    memcpy(given, large, sizeof given);
    dBodySetRotation(b, given);
    ok("the given matrix stays", !memcmp(given, large, sizeof given));
    memcpy(given, z, sizeof given);
    given[3] = 5, given[7] = 6, given[11] = 7;
    dBodySetRotation(b, given);
    const dReal *R = dBodyGetRotation(b);
    ok("the fourth column is zero", R[3] == 0 && R[7] == 0 && R[11] == 0 && is(R, z));

    b = dBodyCreate(world);
    dSpaceID outer = dSimpleSpaceCreate(0), space = dHashSpaceCreate(outer);
    dGeomID one = dCreateBox(space, 1, 2, 4), two = dCreateBox(space, 6, 1, 2), off = dCreateSphere(space, 0.25);
    dGeomID free = dCreateBox(0, 1, 2, 4), theirs = dCreateBox(0, 1, 2, 4), probe = dCreateSphere(0, 0.25);
    dGeomSetBody(one, b);
    dGeomSetBody(two, b);
    dGeomSetBody(off, b);
    dGeomSetBody(theirs, other);
    dGeomSetOffsetPosition(off, 10, 0, 0);
    dBodySetPosition(b, 1, 2, 3);
    dBodySetLinearVel(b, 1, 2, 3);
    dBodySetAngularVel(b, 4, 5, 6);
    dBodySetForce(b, 7, 8, 9);
    dBodySetTorque(b, 10, 11, 12);
    dMass mass, after;
    dMassSetBox(&mass, 2, 1, 2, 3);
    dBodySetMass(b, &mass);
    dBodyDisable(b);
    unsigned flags = b->flags;
    /* Asked once, everything is clean. */
    bool boxes = spans(one, 1, 2, 4) && spans(two, 6, 1, 2);
    spans(off, 1, 1, 1), spans((dGeomID)outer, 1, 1, 1);
    dSpaceClean(space);
    dSpaceClean(outer);
    dBodySetRotation(b, z);
    /* From y = 2 - 3, the second box, to the sphere at y = 12. */
    dReal box[6];
    dGeomGetAABB((dGeomID)outer, box);
    bool spaces = near(box[2], -1, 1e-4) && near(box[3], 12.25, 1e-4) && near(box[1], 2, 1e-4);
    dGeomGetAABB((dGeomID)space, box);
    ok("boxes of spaces follow", spaces && near(box[2], -1, 1e-4) && near(box[3], 12.25, 1e-4));
    ok("the boxes of its geoms follow", boxes && spans(one, 2, 1, 4) && spans(two, 1, 6, 2));
    ok("its geoms turn too", is(dGeomGetRotation(one), z));
    ok("all its geoms do", is(dGeomGetRotation(one), z) && is(dGeomGetRotation(two), z) &&
       is(dGeomGetRotation(off), z));
    ok("a geom with an offset is swung round", is3(dGeomGetPosition(off), 1, 12, 3, 1e-4));
    dSpaceClean(space);
    dSpaceClean(outer);
    dBodySetRotation(b, unit);
    dGeomSetPosition(probe, 1, 12, 3);
    bool gone = !found(space, probe);
    dGeomSetPosition(probe, 11, 2, 3);
    ok("spaces find a geom where it was swung to", gone && found(space, probe));
    ok("place and speed stay", is3(dBodyGetPosition(b), 1, 2, 3) && is3(dBodyGetLinearVel(b), 1, 2, 3) &&
       is3(dBodyGetAngularVel(b), 4, 5, 6));
    dBodyGetMass(b, &after);
    ok("mass, forces and flags stay", after.mass == mass.mass && after.I[0] == mass.I[0] && b->flags == flags &&
       is3(dBodyGetForce(b), 7, 8, 9) && is3(dBodyGetTorque(b), 10, 11, 12) && !dBodyIsEnabled(b));
    ok("other bodies and geoms stay", is(dBodyGetRotation(other), unit) && is(dGeomGetRotation(free), unit) &&
       is(dGeomGetRotation(theirs), unit));

    dBodyID c = dBodyCreate(world);
    dBodySetRotation(c, z);
    dBodySetFiniteRotationMode(c, 1);
    dBodySetAngularVel(c, 0, 0, M_PI);
    dWorldStep(world, 0.5);
    dMatrix3 half;
    dRFromAxisAndAngle(half, 0, 0, 1, M_PI);
    ok("a step goes on from there", is(dBodyGetRotation(c), half, 1e-4) && agree(c, 1e-4));
    dBodySetRotation(c, tilted);
    dBodySetRotation(c, dBodyGetRotation(c));
    dBodySetRotation(b, dBodyGetRotation(c));
    ok("a body can be given its own rotation", is(dBodyGetRotation(c), tilted) && is(dBodyGetRotation(b), tilted));
    dWorldDestroy(world);
    dSpaceDestroy(outer);
    dCloseODE();
    plan();
    return 0;
}
