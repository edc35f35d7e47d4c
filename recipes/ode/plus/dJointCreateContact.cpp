/*---
 * tasks: [dJointCreateContact-4cc63d]
 * tests:
 *   a joint of the contact type is made: 'Docstring: "Create a new joint of the contact type".'
 *   it is in the world: 'Signature: the world; checks of demo_ode count a world''s joints.'
 *   it is attached to nothing and enabled: 'Docstring: created; callers attach it with dJointAttach.'
 *   each one is new: 'Docstring: "a new joint".'
 *   the contact is kept: 'Signature: the contact; joints/contact.h: dxJointContact holds one.'
 *   so are all parameters of the surface: 'contact.h: dSurfaceParameters, which getInfo2 reads.'
 *   so is the whole geometry of the contact: 'contact.h: dContactGeom, which getInfo2 reads.'
 *   so is the direction of friction: 'contact.h: fdir1 of dContact, with dContactFDir1.'
 *   it is a copy: 'Callers (demos) make their array of contacts anew for each pair.'
 *   the given contact stays: 'Signature: const.'
 *   without a group it can be destroyed by itself: 'Docstring: "0 to allocate the joint normally"; dJointDestroy.'
 *   a joint in a group is of the group: 'Docstring: "allocated in the given joint group".'
 *   in a group the contact is kept too: 'Docstring: the group says where it is allocated alone.'
 *   a joint in a group is not destroyed by itself: 'dJointDestroy leaves what is in a group.'
 *   emptying the group takes its joints out of the world: 'objects.h: all joints "will be destroyed".'
 *   a group can be filled again: 'objects.h: "the joint group itself will not be destroyed".'
 *   another group and single joints stay: 'objects.h: dJointGroupEmpty, the joints in the group.'
 *   a group holds contacts of several worlds: 'joint.h: joints of a group have their world each.'
 *   a step holds two bodies apart by it: 'Docstring: a contact joint; contact.h: the normal "points in to body 1".'
 *   in a group it does so too: 'Callers (demos) make contacts in a group for a step.'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "joints/joint.h"
#include "joints/contact.h"
#include "ok.h"

static int joints(dWorldID w)
{
    int n = 0;
    for (dxJoint *j = w->firstjoint; j; j = (dxJoint *)j->next) n++;
    return n == w->nj ? n : -1;
}

static const dContact &of(dJointID j) { return ((dxJointContact *)j)->contact; }

static dContact contact(int seed)
{
    dContact c;
    memset(&c, 0, sizeof c);
    dSurfaceParameters &s = c.surface;
    s.mode = dContactMu2 | dContactFDir1 | dContactBounce | dContactSlip1;
    s.mu = seed + 0.5, s.mu2 = seed + 1, s.rho = seed + 2, s.rho2 = seed + 3, s.rhoN = seed + 4;
    s.bounce = seed + 5, s.bounce_vel = seed + 6, s.soft_erp = seed + 7, s.soft_cfm = seed + 8;
    s.motion1 = seed + 9, s.motion2 = seed + 10, s.motionN = seed + 11, s.slip1 = seed + 12, s.slip2 = seed + 13;
    for (int i = 0; i < 3; i++)
        c.geom.pos[i] = seed + 20 + i, c.geom.normal[i] = seed + 30 + i, c.fdir1[i] = seed + 40 + i;
    c.geom.depth = seed + 50;
    c.geom.g1 = (dGeomID)(8L * seed + 8), c.geom.g2 = (dGeomID)(8L * seed + 16);
    c.geom.side1 = seed + 60, c.geom.side2 = seed + 70;
    return c;
}

static bool surface(const dContact &a, const dContact &b)
{
    const dSurfaceParameters &s = a.surface, &t = b.surface;
    return s.mode == t.mode && s.mu == t.mu && s.mu2 == t.mu2 && s.rho == t.rho && s.rho2 == t.rho2 &&
           s.rhoN == t.rhoN && s.bounce == t.bounce && s.bounce_vel == t.bounce_vel && s.soft_erp == t.soft_erp &&
           s.soft_cfm == t.soft_cfm && s.motion1 == t.motion1 && s.motion2 == t.motion2 && s.motionN == t.motionN &&
           s.slip1 == t.slip1 && s.slip2 == t.slip2;
}

static bool geometry(const dContact &a, const dContact &b)
{
    const dContactGeom &g = a.geom, &h = b.geom;
    return is3(g.pos, h.pos[0], h.pos[1], h.pos[2], 0) && is3(g.normal, h.normal[0], h.normal[1], h.normal[2], 0) &&
           g.depth == h.depth && g.g1 == h.g1 && g.g2 == h.g2 && g.side1 == h.side1 && g.side2 == h.side2;
}

static bool direction(const dContact &a, const dContact &b)
{
    return is3(a.fdir1, b.fdir1[0], b.fdir1[1], b.fdir1[2], 0);
}

static bool same(const dContact &a, const dContact &b) { return surface(a, b) && geometry(a, b) && direction(a, b); }

/* Whether two bodies that meet head on are stopped by a contact between them. */
static bool stops(dJointGroupID group)
{
    dWorldID w = dWorldCreate();
    dBodyID left = dBodyCreate(w), right = dBodyCreate(w);
    dBodySetPosition(left, -1, 0, 0);
    dBodySetPosition(right, 1, 0, 0);
    dBodySetLinearVel(left, 3, 0, 0);
    dBodySetLinearVel(right, -3, 0, 0);
    dContact c;
    memset(&c, 0, sizeof c);
    c.surface.mu = 0;
    c.geom.normal[0] = -1;
    dJointID j = dJointCreateContact(w, group, &c);
    c.geom.normal[0] = 1;
    dJointAttach(j, left, right);
    dWorldStep(w, 0.01);
    bool stopped = near(dBodyGetLinearVel(left)[0], 0, 0.01) && near(dBodyGetLinearVel(right)[0], 0, 0.01);
    if (group) dJointGroupEmpty(group);
    dWorldDestroy(w);
    return stopped;
}

int main()
{
    dInitODE();
    dWorldID w = dWorldCreate(), w2 = dWorldCreate();

    dContact c = contact(1), d = contact(100), given = c;
    dJointID j = dJointCreateContact(w, 0, &given);
    ok("a joint of the contact type is made", j && dJointGetType(j) == dJointTypeContact);
    ok("it is in the world", joints(w) == 1 && joints(w2) == 0 && w->firstjoint == j && j->world == w);
    ok("it is attached to nothing and enabled", dJointGetNumBodies(j) == 0 && !dJointGetBody(j, 0) &&
       !dJointGetBody(j, 1) && dJointIsEnabled(j));
    ok("the contact is kept", same(of(j), c));
    ok("so are all parameters of the surface", surface(of(j), c));
    ok("so is the whole geometry of the contact", geometry(of(j), c));
    ok("so is the direction of friction", direction(of(j), c));
    ok("the given contact stays", same(given, c));
    given = d;
    dJointID k = dJointCreateContact(w, 0, &given);
    ok("it is a copy", same(of(j), c));
    ok("each one is new", k && k != j && same(of(k), d) && same(of(j), c) && joints(w) == 2);
    dJointDestroy(j);
    ok("without a group it can be destroyed by itself", joints(w) == 1 && w->firstjoint == k && same(of(k), d));

    dJointGroupID group = dJointGroupCreate(0), other = dJointGroupCreate(0);
    dJointID in[40];
    bool kept = true;
    for (int i = 0; i < 40; i++) {
        given = contact(i);
        in[i] = dJointCreateContact(w, group, &given);
        kept = kept && in[i] && dJointGetType(in[i]) == dJointTypeContact;
    }
    memset(&given, 0, sizeof given);
    for (int i = 0; i < 40; i++)
        kept = kept && same(of(in[i]), contact(i));
    ok("a joint in a group is of the group", group->getJointCount() == 40 && other->getJointCount() == 0 &&
       joints(w) == 41 && (in[0]->flags & dJOINT_INGROUP) && !(k->flags & dJOINT_INGROUP));
    ok("in a group the contact is kept too", kept);
    dJointID apart = dJointCreateContact(w, other, &c);
    dJointDestroy(in[3]);
    ok("a joint in a group is not destroyed by itself", joints(w) == 42 && same(of(in[3]), contact(3)));
    dJointGroupEmpty(group);
    ok("emptying the group takes its joints out of the world", joints(w) == 2 && group->getJointCount() == 0);
    ok("another group and single joints stay", other->getJointCount() == 1 && same(of(apart), c) && same(of(k), d));
    dJointID again = dJointCreateContact(w, group, &d);
    ok("a group can be filled again", again && same(of(again), d) && group->getJointCount() == 1 && joints(w) == 3);
    dJointID elsewhere = dJointCreateContact(w2, group, &c);
    ok("a group holds contacts of several worlds", elsewhere->world == w2 && joints(w2) == 1 && joints(w) == 3 &&
       group->getJointCount() == 2 && same(of(elsewhere), c));
    dJointGroupDestroy(group);
    dJointGroupDestroy(other);
    dJointDestroy(k);

    ok("a step holds two bodies apart by it", stops(0));
    group = dJointGroupCreate(0);
    ok("in a group it does so too", stops(group) && stops(group));
    dJointGroupDestroy(group);
    dWorldDestroy(w);
    dWorldDestroy(w2);
    dCloseODE();
    plan();
    return 0;
}
