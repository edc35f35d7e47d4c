/*---
 * tasks: [dGeomSetPosition-08d200]
 * tests:
 *   a geom without a body gets the position: 'Docstring: "Set the position vector of a placeable geom".'
 *   a later position replaces it: 'Docstring: "the new X coordinate".'
 *   its rotation stays: 'Docstring: the position alone.'
 *   its box in the world follows: 'dGeomMoved: AABBs get recomputed; collision.h: dGeomGetAABB.'
 *   a space finds it where it is now: 'dGeomMoved turns clean geoms into dirty ones.'
 *   a space no longer finds it where it was: 'dGeomMoved; a space that is asked anew.'
 *   the box of its space follows: 'kernel.h: all space parents of a dirty geom are dirty.'
 *   so do spaces that hold its space: 'kernel.h: all space parents of a dirty geom are dirty.'
 *   other geoms stay: 'Docstring: the geom.'
 *   the body moves with the geom: 'Docstring: "the body''s position will also be changed".'
 *   other geoms of the body move too: 'collision.h: dGeomSetBody, setting one "will set the value for both objects".'
 *   their boxes follow: 'dBodySetPosition notifies all attached geoms.'
 *   the body keeps rotation and speed: 'Docstring: the position alone.'
 *   other bodies stay: 'Docstring: the body of the geom.'
 *   a geom with an offset gets to the position itself: 'collision.h: dGeomSetPosition sets where the geom is.'
 *   its body goes there less the offset: 'collision.h: an offset is relative to the body.'
 *   the offset turns with the body: 'collision.h: offsets in body coordinates, and positions in the world.'
 *   the offset stays: 'Docstring: the position alone; dGeomGetOffsetPosition.'
 *   an offset that turns the geom alone moves nothing: 'collision.h: dGeomSetOffsetRotation.'
 *   its box follows at once: 'dGeomMoved marks a geom with an offset as to be computed.'
 *   a geom that left its body moves alone: 'collision.h: dGeomSetBody with 0, "independent from any body".'
 *   a plane is refused: 'Docstring: a non-placeable geom "results in a runtime error in the debug build".'
 ---*/
#include <setjmp.h>
#include <stdarg.h>
#include <ode/ode.h>
#include "ok.h"

static jmp_buf back;

static void refused(int, const char *, va_list) { longjmp(back, 1); }

static bool around(dGeomID g, double x, double y, double z, double r)
{
    dReal box[6];
    dGeomGetAABB(g, box);
    return near(box[0], x - r, 1e-4) && near(box[1], x + r, 1e-4) && near(box[2], y - r, 1e-4) &&
           near(box[3], y + r, 1e-4) && near(box[4], z - r, 1e-4) && near(box[5], z + r, 1e-4);
}

static bool at(dGeomID g, double x, double y, double z) { return is3(dGeomGetPosition(g), x, y, z, 1e-4); }

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

int main()
{
    dInitODE();
    dWorldID world = dWorldCreate();
    dMatrix3 turned;
    dRFromAxisAndAngle(turned, 0, 0, 1, M_PI / 2);

    dGeomID g = dCreateSphere(0, 0.5), still = dCreateSphere(0, 0.5);
    dGeomSetRotation(g, turned);
    dGeomSetPosition(g, 1, -2, 3);
    ok("a geom without a body gets the position", at(g, 1, -2, 3));
    bool box = around(g, 1, -2, 3, 0.5);
    const dReal *R = dGeomGetRotation(g);
    ok("its rotation stays", is3(R, turned[0], turned[1], turned[2]) && is3(R + 4, turned[4], turned[5], turned[6]));
    dGeomSetPosition(g, -7, 8.5, 0);
    ok("a later position replaces it", at(g, -7, 8.5, 0));
    ok("its box in the world follows", box && around(g, -7, 8.5, 0, 0.5));
    ok("other geoms stay", at(still, 0, 0, 0) && around(still, 0, 0, 0, 0.5));

    bool now = true, before = true, whole = true, nested = true;
    for (int kind = 0; kind < 3; kind++) {
        dSpaceID outer = dSimpleSpaceCreate(0);
        dSpaceID space = kind == 0 ? dSimpleSpaceCreate(outer) : kind == 1 ? dHashSpaceCreate(outer)
                                   : dSweepAndPruneSpaceCreate(outer, dSAP_AXES_XYZ);
        dGeomID in = dCreateSphere(space, 0.5), probe = dCreateSphere(0, 0.5);
        /* Asked once, the spaces are clean. */
        around((dGeomID)outer, 0, 0, 0, 0.5);
        before = before && found(space, probe);
        dSpaceClean(space);
        dSpaceClean(outer);
        dGeomSetPosition(in, 10, 20, 30);
        /* A sweep and prune space has no box of its own. */
        whole = whole && (kind == 2 || around((dGeomID)space, 10, 20, 30, 0.5));
        nested = nested && (kind == 2 || around((dGeomID)outer, 10, 20, 30, 0.5));
        before = before && !found(space, probe) && !found(outer, probe);
        dSpaceClean(space);
        dSpaceClean(outer);
        dGeomSetPosition(in, 10, 20, -30);
        dGeomSetPosition(probe, 10.1, 20, -30);
        now = now && found(space, probe);
        dSpaceDestroy(outer);
        dGeomDestroy(probe);
    }
    ok("a space finds it where it is now", now);
    ok("a space no longer finds it where it was", before);
    ok("the box of its space follows", whole);
    ok("so do spaces that hold its space", nested);

    dBodyID body = dBodyCreate(world), alone = dBodyCreate(world);
    dBodySetRotation(body, turned);
    dBodySetLinearVel(body, 1, 2, 3);
    dBodySetAngularVel(body, 4, 5, 6);
    dSpaceID space = dHashSpaceCreate(0);
    dGeomID on = dCreateSphere(space, 0.5), second = dCreateSphere(space, 0.25), off = dCreateSphere(space, 0.125);
    dGeomSetBody(on, body);
    dGeomSetBody(second, body);
    dGeomSetBody(off, body);
    dGeomSetOffsetPosition(off, 1, 0, 4);
    around(on, 0, 0, 0, 0.5), around(second, 0, 0, 0, 0.25), around(off, 0, 0, 0, 0.125);
    dSpaceClean(space);
    dGeomSetPosition(on, 5, -6, 7);
    ok("the body moves with the geom", is3(dBodyGetPosition(body), 5, -6, 7) && at(on, 5, -6, 7));
    /* The body is turned by a quarter, from x to y. */
    bool others = at(second, 5, -6, 7) && at(off, 5, -5, 11);
    bool boxes = around(on, 5, -6, 7, 0.5) && around(second, 5, -6, 7, 0.25) && around(off, 5, -5, 11, 0.125) &&
                 !around((dGeomID)space, 0, 0, 0, 0.5);

    dSpaceClean(space);
    dGeomSetPosition(off, 20, 30, 40);
    ok("a geom with an offset gets to the position itself", at(off, 20, 30, 40));
    ok("its body goes there less the offset", near(dBodyGetPosition(body)[2], 36, 1e-4));
    ok("the offset turns with the body", is3(dBodyGetPosition(body), 20, 29, 36, 1e-4));
    ok("the offset stays", is3(dGeomGetOffsetPosition(off), 1, 0, 4) && dGeomIsOffset(off));
    ok("its box follows at once", around(off, 20, 30, 40, 0.125));
    ok("other geoms of the body move too", others && at(on, 20, 29, 36) && at(second, 20, 29, 36));
    ok("their boxes follow", boxes && around(on, 20, 29, 36, 0.5) && around(second, 20, 29, 36, 0.25));
    R = dBodyGetRotation(body);
    ok("the body keeps rotation and speed", is3(R, turned[0], turned[1], turned[2]) &&
       is3(R + 4, turned[4], turned[5], turned[6]) && is3(dBodyGetLinearVel(body), 1, 2, 3) &&
       is3(dBodyGetAngularVel(body), 4, 5, 6));
    ok("other bodies stay", is3(dBodyGetPosition(alone), 0, 0, 0));

    dBodyID plain = dBodyCreate(world);
    dGeomID leaning = dCreateSphere(0, 1);
    dGeomSetBody(leaning, plain);
    dGeomSetOffsetRotation(leaning, turned);
    dGeomSetPosition(leaning, 3, 2, 1);
    bool there = at(leaning, 3, 2, 1) && is3(dBodyGetPosition(plain), 3, 2, 1);
    dGeomSetOffsetPosition(leaning, 0, 2, 0);
    dGeomSetPosition(leaning, -3, 2, 1);
    ok("an offset that turns the geom alone moves nothing", there && at(leaning, -3, 2, 1) &&
       is3(dBodyGetPosition(plain), -3, 0, 1) && near(dGeomGetRotation(leaning)[4], turned[4]));

    dGeomSetBody(second, 0);
    dGeomSetPosition(second, 1, 1, 1);
    dGeomSetBody(off, 0);
    dGeomSetPosition(off, 2, 2, 2);
    ok("a geom that left its body moves alone", at(second, 1, 1, 1) && at(off, 2, 2, 2) && at(on, 20, 29, 36) &&
       is3(dBodyGetPosition(body), 20, 29, 36) && around(off, 2, 2, 2, 0.125));

    dGeomID plane = dCreatePlane(0, 0, 0, 1, 0);
    bool error = true;
    dSetDebugHandler(refused);
    if (!setjmp(back)) {
        dGeomSetPosition(plane, 1, 2, 3);
        error = false;
    }
    dSetDebugHandler(0);
    ok("a plane is refused", error);
    plan();
    return 0;
}
