/*---
 * tasks: [dBodySetPosition-4a08e1.2]
 * tests:
 *   a body gets the position: 'Docstring: "Set position of a body".'
 *   each coordinate has its place: 'Signature: x, y, z.'
 *   a later position replaces it: 'Docstring: set, and not moved by.'
 *   any size and sign will do: 'Docstring: a position has no limits.'
 *   a new body is at the origin: 'dBodyCreate; docstring: "Get the position of a body".'
 *   the pointer is to the body itself: 'Docstring: "pointers to internal data structures".'
 *   it sees a later position: 'Docstring: "pointers to internal data structures".'
 *   asking changes nothing: 'Docstring: get.'
 *   copying gives the same: 'Docstring: "@sa dBodyCopyPosition".'
 *   its geom is there too: 'collision.h: dGeomSetBody, setting one "will set the value for both objects".'
 *   all its geoms are: 'dGeomGetBodyNext: "notify all attached geoms".'
 *   geoms with an offset follow by it: 'dGeomMoved marks a geom with an offset as to be computed.'
 *   the boxes of its geoms follow: 'dGeomMoved: AABBs get recomputed.'
 *   spaces find its geoms where they are now: 'dGeomMoved turns clean geoms into dirty ones.'
 *   boxes of spaces follow: 'collision_kernel.h: all space parents of a dirty geom are dirty.'
 *   orientation and speed stay: 'Docstring: the position alone.'
 *   mass, forces and flags stay: 'Docstring: the position alone.'
 *   a disabled body stays disabled: 'Docstring: the position alone.'
 *   other bodies and geoms stay: 'Docstring: "a body".'
 *   a step goes on from there: 'dxStepBody adds to the position.'
 *   nobody is told that it moved: 'objects.h: dBodySetMovedCallback tells of changes "during the timestep".'
 *   a body without geoms can be set: 'Callers of demos without collision.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "ok.h"

static bool around(dGeomID g, double x, double y, double z, double r)
{
    dReal box[6];
    dGeomGetAABB(g, box);
    return near(box[0], x - r, 1e-4) && near(box[1], x + r, 1e-4) && near(box[2], y - r, 1e-4) &&
           near(box[3], y + r, 1e-4) && near(box[4], z - r, 1e-4) && near(box[5], z + r, 1e-4);
}

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

static bool at(dBodyID b, double x, double y, double z) { return is3(dBodyGetPosition(b), x, y, z, 0); }

int main()
{
    dInitODE();
    dWorldID world = dWorldCreate();
    dBodyID b = dBodyCreate(world), other = dBodyCreate(world);
    ok("a new body is at the origin", at(b, 0, 0, 0));
    dBodySetPosition(b, 1, -2, 3.5);
    ok("a body gets the position", at(b, 1, -2, 3.5));
    ok("each coordinate has its place", b->posr.pos[0] == 1 && b->posr.pos[1] == -2 && b->posr.pos[2] == 3.5f);
    dBodySetPosition(b, 4, 5, 6);
    ok("a later position replaces it", at(b, 4, 5, 6));
    ok("a body without geoms can be set", at(b, 4, 5, 6) && dBodyGetFirstGeom(b) == 0);
    dBodySetPosition(b, -1e6, 1048576, 0.0009765625);
    bool any = at(b, -1e6, 1048576, 0.0009765625);
    dBodySetPosition(b, 0, 0, 0);
    ok("any size and sign will do", any && at(b, 0, 0, 0));
    const dReal *p = dBodyGetPosition(b);
    ok("the pointer is to the body itself", p == b->posr.pos && dBodyGetPosition(other) != p);
    dBodySetPosition(b, 7, 8, 9);
    ok("it sees a later position", is3(p, 7, 8, 9, 0) && dBodyGetPosition(b) == p);
    dBodyGetPosition(b);
    ok("asking changes nothing", at(b, 7, 8, 9) && at(other, 0, 0, 0));
    dVector3 copy = {0};
    dBodyCopyPosition(b, copy);
    ok("copying gives the same", is3(copy, 7, 8, 9, 0));

    dMatrix3 turned;
    dRFromAxisAndAngle(turned, 0, 0, 1, M_PI / 2);
    dSpaceID outer = dSimpleSpaceCreate(0), space = dHashSpaceCreate(outer);
    dGeomID one = dCreateSphere(space, 0.5), two = dCreateSphere(space, 0.25), off = dCreateSphere(space, 0.125);
    dGeomID free = dCreateSphere(0, 0.5), theirs = dCreateSphere(0, 0.5), probe = dCreateSphere(0, 0.4);
    dGeomSetBody(one, b);
    dGeomSetBody(two, b);
    dGeomSetBody(off, b);
    dGeomSetBody(theirs, other);
    dGeomSetOffsetPosition(off, 2, 0, 0);
    dBodySetRotation(b, turned);
    dBodySetLinearVel(b, 1, 2, 3);
    dBodySetAngularVel(b, 4, 5, 6);
    dBodySetForce(b, 7, 8, 9);
    dBodySetTorque(b, 10, 11, 12);
    dMass mass, after;
    dMassSetBox(&mass, 2, 1, 2, 3);
    dBodySetMass(b, &mass);
    unsigned flags = b->flags;
    /* Asked once, everything is clean. */
    around(one, 7, 8, 9, 0.5), around(two, 7, 8, 9, 0.25), around(off, 7, 10, 9, 0.125);
    around((dGeomID)outer, 0, 0, 0, 1);
    dSpaceClean(space);
    dSpaceClean(outer);
    dBodySetPosition(b, 20, 30, 40);
    dReal box[6];
    dGeomGetAABB((dGeomID)outer, box);
    bool spaces = near(box[0], 19.5, 1e-4) && near(box[3], 32.125, 1e-4);
    dGeomGetAABB((dGeomID)space, box);
    spaces = spaces && near(box[0], 19.5, 1e-4) && near(box[1], 20.5, 1e-4) && near(box[2], 29.5, 1e-4);
    ok("boxes of spaces follow", spaces);
    ok("the boxes of its geoms follow", around(one, 20, 30, 40, 0.5) && around(two, 20, 30, 40, 0.25) &&
       around(off, 20, 32, 40, 0.125));
    ok("its geom is there too", is3(dGeomGetPosition(one), 20, 30, 40));
    ok("all its geoms are", is3(dGeomGetPosition(two), 20, 30, 40) && is3(dGeomGetPosition(one), 20, 30, 40));
    dSpaceClean(space);
    dSpaceClean(outer);
    dBodySetPosition(b, -5, 6, 7);
    ok("geoms with an offset follow by it", is3(dGeomGetPosition(off), -5, 8, 7, 1e-4) &&
       is3(dGeomGetOffsetPosition(off), 2, 0, 0));
    dSpaceClean(space);
    dSpaceClean(outer);
    dBodySetPosition(b, 50, 0, 0);
    dGeomSetPosition(probe, -5, 6, 7);
    bool gone = !found(space, probe);
    dSpaceClean(space);
    dSpaceClean(outer);
    dBodySetPosition(b, 50, 0, -60);
    dGeomSetPosition(probe, 50, 0.1, -60);
    ok("spaces find its geoms where they are now", gone && found(space, probe));

    const dReal *R = dBodyGetRotation(b);
    ok("orientation and speed stay", is3(R, turned[0], turned[1], turned[2]) &&
       is3(R + 4, turned[4], turned[5], turned[6]) && near(dBodyGetQuaternion(b)[3], sqrt(.5)) &&
       is3(dBodyGetLinearVel(b), 1, 2, 3) && is3(dBodyGetAngularVel(b), 4, 5, 6));
    dBodyGetMass(b, &after);
    ok("mass, forces and flags stay", after.mass == mass.mass && after.I[0] == mass.I[0] && b->flags == flags &&
       is3(dBodyGetForce(b), 7, 8, 9) && is3(dBodyGetTorque(b), 10, 11, 12));
    ok("other bodies and geoms stay", at(other, 0, 0, 0) && is3(dGeomGetPosition(free), 0, 0, 0) &&
       is3(dGeomGetPosition(theirs), 0, 0, 0));
    dBodyDisable(b);
    dBodySetPosition(b, 1, 1, 1);
    bool off_still = !dBodyIsEnabled(b);
    dBodyEnable(b);
    dBodySetPosition(b, 2, 2, 2);
    ok("a disabled body stays disabled", off_still && dBodyIsEnabled(b));

    static int told;
    struct Told { static void moved(dBodyID) { told++; } };
    dBodyID c = dBodyCreate(world);
    dBodySetMovedCallback(c, Told::moved);
    dBodySetPosition(c, 1, 2, 3);
    ok("nobody is told that it moved", told == 0);
    dBodySetLinearVel(c, 2, 0, -4);
    dWorldStep(world, 0.5);
    ok("a step goes on from there", is3(dBodyGetPosition(c), 2, 2, 1) && told == 1);
    dWorldDestroy(world);
    dSpaceDestroy(outer);
    dCloseODE();
    plan();
    return 0;
}
