/*---
 * tasks: [dJointAttach-66bf2b]
 * tests:
 *   a joint is attached to two bodies: 'Docstring: "Attach the joint to some new bodies".'
 *   both bodies list the joint: 'joint.h: nodes "are node of a linked list kept by each body".'
 *   each node leads to the other body: 'joint.h: "the body pointer in each node points to" the other body.'
 *   several joints of a body are all listed: 'objects.h: dBodyGetNumJoints and dBodyGetJoint.'
 *   attached anew it leaves the old bodies: 'Docstring: "it will be detached from the old bodies first".'
 *   other joints of the old bodies stay: 'Docstring: the joint is detached.'
 *   attached to the same bodies again it is listed once: 'Docstring: "detached from the old bodies first".'
 *   one body as the first is not reversed: 'Docstring: "set body1 or body2 to zero"; joint.h: dJOINT_REVERSE.'
 *   one body as the second is the first node, reversed: 'joint.h: "node[0].body is always nonzero", dJOINT_REVERSE.'
 *   the bodies are read back as they were given: 'objects.h: dJointGetBody; joint.h: dJOINT_REVERSE.'
 *   attached the plain way it is not reversed any more: 'joint.h: the flag "records" how the arguments were.'
 *   other flags stay: 'joint.h: flags of disabled and grouped joints are not of the bodies.'
 *   both bodies zero put the joint into limbo: 'Docstring: "it will have no effect on the simulation".'
 *   from limbo it can be attached: 'Docstring: attach.'
 *   a joint whose bodies are exchanged is listed right: 'Docstring: detached, and attached to the new ones.'
 *   the joint computes what is relative to its bodies: 'joint.h: setRelativeValues, "with respect to bodies".'
 *   so it does with one body: 'joint.h: setRelativeValues; objects.h: a zero body is the static environment.'
 *   with no body it does not: 'setRelativeValues of joints read node[0].body.'
 *   a step obeys the joint: 'Docstring; objects.h: a fixed joint.'
 *   a step with one body does too: 'Docstring: "a zero body refers to the static environment".'
 *   a step ignores a joint in limbo: 'Docstring: "no effect on the simulation".'
 *   a joint of two bodies takes not one: 'joint.h: dJOINT_TWOBODIES, "can not have just one body attached to it".'
 *   it takes two and none: 'joint.h: dJOINT_TWOBODIES, "either zero or two bodies".'
 *   bodies can be destroyed after that: 'dBodyDestroy takes the body off all joints that it lists.'
 ---*/
#include <setjmp.h>
#include <stdarg.h>
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "joints/joint.h"
#include "ok.h"

static jmp_buf back;
static void refused(int, const char *, va_list) { longjmp(back, 1); }

/* Counts how often it is asked to compute, and what bodies it had then. */
struct Noted : dxJoint {
    int times;
    dxBody *first, *second;
    explicit Noted(dxWorld *w) : dxJoint(w), times(0), first(0), second(0) {}
    void getSureMaxInfo(SureMaxInfo *info) { info->max_m = 0; }
    void getInfo1(Info1 *info) { info->m = info->nub = 0; }
    void getInfo2(dReal, dReal, int, dReal *, dReal *, int, dReal *, dReal *, int *) {}
    dJointType type() const { return dJointTypeNull; }
    sizeint size() const { return sizeof *this; }
    void setRelativeValues() { times++, first = node[0].body, second = node[1].body; }
};

static bool lists(dBodyID b, dJointID j, int joints)
{
    int n = 0, found = 0;
    for (dxJointNode *at = b->firstjoint; at && n < 100; at = at->next) n++, found += at->joint == j;
    return n == joints && found == 1 && dBodyGetNumJoints(b) == joints;
}

static bool lists_none(dBodyID b) { return !b->firstjoint && dBodyGetNumJoints(b) == 0; }

static bool bodies(dJointID j, dBodyID one, dBodyID two) { return j->node[0].body == one && j->node[1].body == two; }

static bool reversed(dJointID j) { return (j->flags & dJOINT_REVERSE) != 0; }

int main()
{
    dInitODE();
    dWorldID w = dWorldCreate();
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w), c = dBodyCreate(w), d = dBodyCreate(w);
    dJointID j = dJointCreateBall(w, 0), k = dJointCreateBall(w, 0), l = dJointCreateBall(w, 0);

    dJointAttach(j, a, b);
    ok("a joint is attached to two bodies", bodies(j, a, b) && dJointGetNumBodies(j) == 2);
    ok("both bodies list the joint", lists(a, j, 1) && lists(b, j, 1) && dBodyGetJoint(a, 0) == j);
    ok("each node leads to the other body", a->firstjoint->body == b && b->firstjoint->body == a &&
       dAreConnected(a, b) && !dAreConnected(a, c));
    dJointAttach(k, b, c);
    dJointAttach(l, b, d);
    ok("several joints of a body are all listed", lists(b, j, 3) && lists(b, k, 3) && lists(b, l, 3) &&
       lists(a, j, 1) && lists(c, k, 1) && lists(d, l, 1));
    dJointAttach(k, d, a);
    ok("attached anew it leaves the old bodies", lists_none(c) && lists(d, k, 2) && lists(a, k, 2) &&
       bodies(k, d, a) &&
       !dAreConnected(b, c) && dAreConnected(a, d));
    ok("other joints of the old bodies stay", lists(b, j, 2) && lists(b, l, 2) && lists(d, l, 2) && lists(a, j, 2));
    dJointAttach(j, a, b);
    dJointAttach(j, a, b);
    ok("attached to the same bodies again it is listed once", lists(a, j, 2) && lists(b, j, 2) && bodies(j, a, b));
    dJointAttach(j, b, a);
    ok("a joint whose bodies are exchanged is listed right", lists(a, j, 2) && lists(b, j, 2) && bodies(j, b, a) &&
       !reversed(j));

    dJointAttach(k, c, 0);
    bool plain = bodies(k, c, 0) && !reversed(k) && lists(c, k, 1) && dJointGetNumBodies(k) == 1;
    bool read = dJointGetBody(k, 0) == c && dJointGetBody(k, 1) == 0;
    ok("one body as the first is not reversed", plain && lists(a, j, 1) && c->firstjoint->body == 0);
    dJointAttach(k, 0, c);
    ok("one body as the second is the first node, reversed", bodies(k, c, 0) && reversed(k) && lists(c, k, 1));
    ok("the bodies are read back as they were given", read && dJointGetBody(k, 0) == 0 && dJointGetBody(k, 1) == c);
    dJointAttach(k, c, 0);
    bool plain_again = !reversed(k) && bodies(k, c, 0);
    dJointAttach(k, 0, c);
    dJointAttach(k, c, d);
    ok("attached the plain way it is not reversed any more", plain_again && !reversed(k) && bodies(k, c, d));
    dJointGroupID group = dJointGroupCreate(0);
    dJointID in = dJointCreateBall(w, group);
    dJointDisable(in);
    dJointAttach(in, 0, a);
    bool flags = in->flags == (dJOINT_INGROUP | dJOINT_REVERSE | dJOINT_DISABLED);
    dJointAttach(in, a, b);
    ok("other flags stay", flags && in->flags == (dJOINT_INGROUP | dJOINT_DISABLED) && !dJointIsEnabled(in));
    dJointGroupDestroy(group);

    dJointAttach(k, 0, 0);
    ok("both bodies zero put the joint into limbo", bodies(k, 0, 0) && lists_none(c) && lists(d, l, 1) &&
       dJointGetNumBodies(k) == 0 && !k->node[0].next && !k->node[1].next);
    dJointAttach(k, c, a);
    ok("from limbo it can be attached", bodies(k, c, a) && lists(c, k, 1) && lists(a, k, 2) && !reversed(k));

    Noted *noted = new Noted(w);
    dJointAttach(noted, a, b);
    ok("the joint computes what is relative to its bodies", noted->times == 1 && noted->first == a &&
       noted->second == b);
    dJointAttach(noted, 0, c);
    bool one = noted->times == 2 && noted->first == c && !noted->second;
    dJointAttach(noted, d, 0);
    ok("so it does with one body", one && noted->times == 3 && noted->first == d && !noted->second);
    dJointAttach(noted, 0, 0);
    ok("with no body it does not", noted->times == 3);
    dJointDestroy(noted);

    dJointID two = dJointCreateHinge2(w, 0);
    dJointAttach(two, a, b);
    bool takes = bodies(two, a, b);
    dJointAttach(two, 0, 0);
    takes = takes && bodies(two, 0, 0);
    dJointAttach(two, c, d);
    ok("it takes two and none", takes && bodies(two, c, d));
    dSetDebugHandler(refused);
    static int refusals;
    refusals = 0;
    dJointID transmission = dJointCreateTransmission(w, 0), hinge2 = dJointCreateHinge2(w, 0);
    if (!setjmp(back)) dJointAttach(hinge2, a, 0);
    else refusals++;
    if (!setjmp(back)) dJointAttach(transmission, 0, a);
    else refusals++;
    dSetDebugHandler(0);
    ok("a joint of two bodies takes not one", refusals == 2);

    dBodyDestroy(b);
    bool off = bodies(j, 0, 0) || j->node[0].body == a;
    dBodyDestroy(a);
    dBodyDestroy(c);
    dBodyDestroy(d);
    ok("bodies can be destroyed after that", off && dJointGetNumBodies(j) == 0 && dJointGetNumBodies(k) == 0 &&
       dJointGetNumBodies(two) == 0);
    dWorldDestroy(w);

    w = dWorldCreate();
    a = dBodyCreate(w), b = dBodyCreate(w), c = dBodyCreate(w);
    dBodySetPosition(b, 1, 0, 0);
    dBodySetPosition(c, 5, 0, 0);
    j = dJointCreateBall(w, 0);
    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, 0.5, 0, 0);
    dBodySetLinearVel(a, 2, 0, 0);
    dWorldStep(w, 0.01);
    ok("a step obeys the joint", near(dBodyGetLinearVel(a)[0], 1, 0.01) && near(dBodyGetLinearVel(b)[0], 1, 0.01));
    k = dJointCreateBall(w, 0);
    dJointAttach(k, 0, c);
    dJointSetBallAnchor(k, 5, 0, 0);
    dBodySetLinearVel(c, 2, 0, 0);
    dWorldStep(w, 0.01);
    ok("a step with one body does too", near(dBodyGetLinearVel(c)[0], 0, 0.01));
    dJointAttach(j, 0, 0);
    dJointAttach(k, 0, 0);
    dBodySetLinearVel(a, 3, 0, 0);
    dBodySetLinearVel(b, 0, 0, 0);
    dBodySetLinearVel(c, 0, 4, 0);
    dWorldStep(w, 0.01);
    ok("a step ignores a joint in limbo", near(dBodyGetLinearVel(a)[0], 3) && near(dBodyGetLinearVel(b)[0], 0) &&
       near(dBodyGetLinearVel(c)[1], 4));
    dWorldDestroy(w);
    dCloseODE();
    plan();
    return 0;
}
