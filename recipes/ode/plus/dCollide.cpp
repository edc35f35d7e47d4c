/*---
 * tasks: [dCollide-c16534]
 * tests:
 *   the collider of the two classes is called: 'collision.h: "calls the correct class-specific collision functions".'
 *   it gets flags, contacts and skip: 'collision.h: flags, contact and skip, for the class-specific function.'
 *   what it counts is returned: 'collision.h: "returns the number of contact points generated".'
 *   its contacts are left as they are: 'collision.h: the contacts of o1 and o2 in this order.'
 *   the other way round the geoms are swapped: 'struct dColliderEntry: "1 = reverse o1 and o2".'
 *   there it gets the same flags, contacts and skip: 'collision.h: flags, contact and skip.'
 *   normals are turned: 'contact.h: "the normal vector points in to body 1".'
 *   the geoms of a contact are swapped: 'contact.h: g1 and g2 are "the colliding geoms", of o1 and o2.'
 *   so are the sides: 'contact.h: side1 and side2 go with g1 and g2.'
 *   places and depths stay: 'contact.h: they are the same for both geoms.'
 *   all contacts are turned and no more: 'collision.h: "updates the contact array" with as many as it returns.'
 *   skip is the way from one contact to the next: 'collision.h: "skip parameter is the byte offset".'
 *   what lies between contacts stays: 'collision.h: contacts "may be embedded within larger structures".'
 *   without a contact the array is not touched: 'collision.h: "returns 0 (and the contact array is not touched)".'
 *   without a collider there is no contact: 'struct dColliderEntry: "0 = no function available".'
 *   a geom does not touch itself: 'collision.h: "same geom then this function will do nothing and return 0".'
 *   geoms of one body do not touch: 'CHANGELOG.txt: "no contacts if both geoms on the same body".'
 *   geoms of two bodies do: 'CHANGELOG.txt: the same body.'
 *   geoms without a body do: 'collision_space_internal.h: "and the body is not 0".'
 *   a geom with a body touches one without: 'collision.h: contacts with a static environment.'
 *   a moved offset of the first geom counts: 'recomputePosr: "recalculate our new final position if needed".'
 *   a moved offset of the second geom counts: 'recomputePosr: "recalculate our new final position if needed".'
 *   the space of a geom does not matter: 'collision.h: "does not care if o1 and o2 are in the same space or not".'
 *   a space is collided with all that it holds: 'collision.h: "collide all objects contained in o1".'
 *   at most as many contacts come as are asked for: 'collision.h: "maximum number of contact points".'
 *   further flags reach the collider: 'collision.h: CONTACTS_UNIMPORTANT.'
 *   asking for no contact calls no collider: 'collision.h: "You must ask for at least one contact".'
 ---*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <ode/ode.h>
#include "ok.h"

static jmp_buf back;
static void refused(int, const char *, va_list) { longjmp(back, 1); }

static int calls, count, flags;
static dGeomID first, second;
static dContactGeom *array;
static int step;

/* Makes `count` contacts, each its own. */
static int fake(dGeomID o1, dGeomID o2, int f, dContactGeom *contact, int skip)
{
    calls++;
    first = o1, second = o2, flags = f, array = contact, step = skip;
    for (int i = 0; i < count; i++) {
        dContactGeom *c = (dContactGeom *)((char *)contact + i * skip);
        c->pos[0] = i, c->pos[1] = 10 + i, c->pos[2] = 20 + i;
        c->normal[0] = 1 + i, c->normal[1] = -2 - i, c->normal[2] = 3 + i;
        c->depth = 0.5 + i;
        c->g1 = o1, c->g2 = o2;
        c->side1 = 100 + i, c->side2 = 200 + i;
    }
    return count;
}

struct Wide {
    int before;
    dContactGeom geom;
    int after[3];
};

static Wide wide[6];

static void fill() { memset(wide, 0x5a, sizeof wide); }

static bool untouched(int from)
{
    const unsigned char *bytes = (const unsigned char *)(wide + from);
    for (size_t i = 0; i < sizeof wide - from * sizeof wide[0]; i++)
        if (bytes[i] != 0x5a) return false;
    return true;
}

static int collide(dGeomID a, dGeomID b, int f) { return dCollide(a, b, f, &wide[0].geom, sizeof wide[0]); }

int main()
{
    dInitODE();
    dWorldID world = dWorldCreate();
    dGeomID ball = dCreateSphere(0, 1), box = dCreateBox(0, 2, 2, 2), plane = dCreatePlane(0, 0, 0, 1, 0);
    dSetColliderOverride(dSphereClass, dBoxClass, fake);

    count = 3;
    fill();
    int n = collide(ball, box, 5);
    ok("the collider of the two classes is called", calls == 1 && first == ball && second == box);
    ok("it gets flags, contacts and skip", flags == 5 && array == &wide[0].geom && step == sizeof wide[0]);
    bool counted = n == 3, same = true;
    for (int i = 0; i < 3; i++) {
        const dContactGeom &c = wide[i].geom;
        same = same && is3(c.normal, 1 + i, -2 - i, 3 + i) && c.g1 == ball && c.g2 == box && c.side1 == 100 + i &&
               c.side2 == 200 + i && is3(c.pos, i, 10 + i, 20 + i) && c.depth == 0.5f + i;
    }
    ok("its contacts are left as they are", same);

    fill();
    calls = 0;
    n = collide(box, ball, 4);
    ok("the other way round the geoms are swapped", calls == 1 && first == ball && second == box);
    ok("there it gets the same flags, contacts and skip", flags == 4 && array == &wide[0].geom &&
       step == sizeof wide[0]);
    ok("what it counts is returned", counted && n == 3);
    const dContactGeom &c = wide[0].geom;
    ok("normals are turned", is3(c.normal, -1, 2, -3));
    ok("the geoms of a contact are swapped", c.g1 == box && c.g2 == ball);
    ok("so are the sides", c.side1 == 200 && c.side2 == 100);
    ok("places and depths stay", is3(c.pos, 0, 10, 20) && c.depth == 0.5f);
    bool all = true;
    for (int i = 0; i < 3; i++) {
        const dContactGeom &d = wide[i].geom;
        all = all && is3(d.normal, -1 - i, 2 + i, -3 - i) && d.g1 == box && d.g2 == ball && d.side1 == 200 + i &&
              d.side2 == 100 + i && is3(d.pos, i, 10 + i, 20 + i) && d.depth == 0.5f + i;
    }
    ok("skip is the way from one contact to the next", all);
    ok("all contacts are turned and no more", all && untouched(3));
    bool between = true;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            between = between && wide[i].before == 0x5a5a5a5a && wide[i].after[j] == 0x5a5a5a5a;
    dContactGeom plain[3];
    count = 2;
    memset(plain, 0x5a, sizeof plain);
    n = dCollide(box, ball, 2, plain, sizeof plain[0]);
    const unsigned char *last = (const unsigned char *)&plain[2];
    for (size_t i = 0; i < sizeof plain[0]; i++)
        between = between && last[i] == 0x5a;
    ok("what lies between contacts stays", between && n == 2 && plain[1].g1 == box &&
       is3(plain[1].normal, -2, 3, -4));

    count = 0;
    fill();
    int none = collide(ball, box, 3) + collide(box, ball, 3);
    dGeomID far = dCreateSphere(0, 1), small = dCreateSphere(0, 1);
    dGeomSetPosition(far, 50, 0, 0);
    ok("without a contact the array is not touched", none == 0 && untouched(0));
    dGeomID plane2 = dCreatePlane(0, 1, 0, 0, 0), ray = dCreateRay(0, 5), ray2 = dCreateRay(0, 5);
    n = collide(plane, plane2, 3) + collide(ray, ray2, 3);
    dSetColliderOverride(dCapsuleClass, dCylinderClass, 0);
    dGeomID capsule = dCreateCapsule(0, 1, 1), cylinder = dCreateCylinder(0, 1, 1);
    n += collide(capsule, cylinder, 3) + collide(cylinder, capsule, 3);
    ok("without a collider there is no contact", n == 0 && untouched(0));

    dSetColliderOverride(dSphereClass, dSphereClass, fake);
    count = 1;
    calls = 0;
    fill();
    n = collide(ball, ball, 1);
    dBodyID one = dBodyCreate(world), two = dBodyCreate(world);
    dGeomSetBody(small, two);
    n += collide(small, small, 1);
    ok("a geom does not touch itself", n == 0 && calls == 0 && untouched(0));
    ok("a geom with a body touches one without", collide(ball, small, 1) == 1 && collide(small, ball, 1) == 1 &&
       collide(box, small, 1) == 1);
    ok("geoms without a body do", collide(ball, box, 1) == 1 && collide(ball, far, 1) == 1);
    dGeomSetBody(ball, one);
    dGeomSetBody(box, one);
    dGeomSetBody(far, one);
    calls = 0;
    fill();
    n = collide(ball, box, 1) + collide(box, ball, 1) + collide(far, ball, 1);
    ok("geoms of one body do not touch", n == 0 && calls == 0 && untouched(0));
    ok("geoms of two bodies do", collide(ball, small, 1) == 1 && collide(small, ball, 1) == 1 &&
       collide(small, box, 1) == 1);

    /* From here on the library's own colliders. */
    dCloseODE();
    dInitODE();
    dGeomID offset = dCreateSphere(0, 1), rest = dCreateSphere(0, 1);
    dBodyID carrier = dBodyCreate(world);
    dGeomSetBody(offset, carrier);
    dGeomSetOffsetPosition(offset, 3, 0, 0);
    bool apart = collide(offset, rest, 1) == 0;
    dBodySetPosition(carrier, -1.5, 0, 0);
    n = collide(offset, rest, 1);
    bool firsts = n == 1 && near(wide[0].geom.depth, 0.5) && is3(wide[0].geom.normal, 1, 0, 0);
    dBodySetPosition(carrier, 20, 0, 0);
    ok("a moved offset of the first geom counts", apart && firsts && collide(offset, rest, 1) == 0);
    dBodySetPosition(carrier, -4, 0, 0);
    n = collide(rest, offset, 1);
    bool seconds = n == 1 && near(wide[0].geom.depth, 1) && is3(wide[0].geom.normal, 1, 0, 0) &&
                   wide[0].geom.g1 == rest && wide[0].geom.g2 == offset;
    dBodySetPosition(carrier, 20, 0, 0);
    ok("a moved offset of the second geom counts", seconds && collide(rest, offset, 1) == 0);

    dSpaceID space = dHashSpaceCreate(0), elsewhere = dSimpleSpaceCreate(0);
    dGeomID a = dCreateSphere(space, 1), b = dCreateSphere(space, 1), d = dCreateSphere(elsewhere, 1);
    dGeomSetPosition(b, 1, 0, 0);
    dGeomSetPosition(d, 0, 1.5, 0);
    ok("the space of a geom does not matter", collide(a, b, 1) == 1 && collide(a, d, 1) == 1 &&
       collide(d, a, 1) == 1 && collide(rest, a, 1) == 1);
    dGeomID probe = dCreateSphere(0, 1);
    dGeomSetPosition(probe, 0.5, 0.5, 0);
    n = collide((dGeomID)space, probe, 5);
    bool either = n == 2 && collide(probe, (dGeomID)space, 5) == 2;
    for (int i = 0; either && i < 2; i++)
        either = wide[i].geom.g1 == probe || wide[i].geom.g2 == probe;
    ok("a space is collided with all that it holds", either && collide((dGeomID)space, (dGeomID)elsewhere, 5) == 2);

    dGeomID ground = dCreatePlane(0, 0, 0, 1, 0), brick = dCreateBox(0, 2, 2, 2);
    dGeomSetPosition(brick, 0, 0, 0.5);
    fill();
    n = collide(brick, ground, 2);
    bool most = n == 2 && untouched(2);
    fill();
    n = collide(ground, brick, 1);
    most = most && n == 1 && untouched(1) && is3(wide[0].geom.normal, 0, 0, -1) && wide[0].geom.g1 == ground;
    n = collide(ground, brick, 6);
    most = most && n == 4;
    for (int i = 0; most && i < n; i++)
        most = is3(wide[i].geom.normal, 0, 0, -1) && wide[i].geom.g1 == ground && wide[i].geom.g2 == brick;
    ok("at most as many contacts come as are asked for", most);

    dSetColliderOverride(dSphereClass, dBoxClass, fake);
    const int unimportant = (int)CONTACTS_UNIMPORTANT;
    collide(rest, brick, 2 | unimportant);
    bool passed = flags == (2 | unimportant);
    collide(brick, rest, 3 | unimportant);
    ok("further flags reach the collider", passed && flags == (3 | unimportant));
    calls = 0;
    dSetDebugHandler(refused);
    static int asked;
    asked = 0;
    if (!setjmp(back)) asked = collide(rest, brick, 0);
    if (!setjmp(back)) asked += collide(brick, rest, unimportant);
    dSetDebugHandler(0);
    ok("asking for no contact calls no collider", calls == 0 && asked == 0);
    plan();
    return 0;
}
