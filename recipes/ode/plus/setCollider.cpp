/*---
 * tasks: [setCollider-7fff86]
 * tests:
 *   the pair gets the function: 'Name and signature; caller dInitColliders.'
 *   in the order that was given it is not reversed: 'struct dColliderEntry: reverse is 1 where o1 and o2 are swapped.'
 *   the pair the other way round gets it reversed: 'struct dColliderEntry; dCollide asks either order.'
 *   a class with itself is not reversed: 'Caller dInitColliders gives sphere and sphere; a written entry stays.'
 *   no other pair changes: 'Signature: the pair i and j alone.'
 *   the first and the last class can be given: 'Caller setAllColliders goes from 0 to dGeomNumClasses - 1.'
 *   a second function is refused: 'Docstring: "refuse to write over a collider entry once it has been written".'
 *   a second function for the swapped pair is refused: 'Docstring: the swapped entry has been written too.'
 *   the same function given in both orders keeps the first: 'Docstring: refuses to write over a written entry.'
 *   a written entry stays where the other one is empty: 'Docstring: each entry by itself is kept.'
 *   a pair whose entries were emptied can be set: 'dColliderEntry: 0 is "no function available".'
 *   an emptied pair forgets how it was reversed: 'dColliderEntry; dSetColliderOverride leaves a 1 behind.'
 *   setting a whole class keeps what is written: 'Docstring; caller setAllColliders.'
 *   setting a whole class fills all the rest: 'Caller setAllColliders.'
 *   the function gets the geoms in its own order: 'dCollide swaps what is reversed.'
 *   contacts of a swapped pair are turned round: 'dCollide turns normals and geoms where reverse is 1.'
 *   a transform in a space goes to the space: 'dInitColliders gives spaces first, and transforms all pairs last.'
 ---*/
#include <ode/ode.h>
#include "collision_kernel.cpp"
#include "ok.h"

static dxGeom *first, *second;

static int report(dxGeom *o1, dxGeom *o2, int, dContactGeom *contact, int)
{
    first = o1;
    second = o2;
    memset(contact, 0, sizeof *contact);
    contact->normal[0] = 1;
    contact->g1 = o1;
    contact->g2 = o2;
    return 1;
}

static int other(dxGeom *, dxGeom *, int, dContactGeom *, int) { return 0; }
static int third(dxGeom *, dxGeom *, int, dContactGeom *, int) { return 0; }

static void clear() { memset(colliders, 0, sizeof colliders); }

static bool holds(int i, int j, dColliderFn *fn, int reverse)
{
    return colliders[i][j].fn == fn && !colliders[i][j].reverse == !reverse;
}

static int written()
{
    int n = 0;
    for (int i = 0; i < dGeomNumClasses; i++)
        for (int j = 0; j < dGeomNumClasses; j++)
            n += colliders[i][j].fn != 0;
    return n;
}

int main()
{
    clear();
    setCollider(dBoxClass, dPlaneClass, &report);
    ok("the pair gets the function", colliders[dBoxClass][dPlaneClass].fn == &report);
    ok("in the order that was given it is not reversed", holds(dBoxClass, dPlaneClass, &report, 0));
    ok("the pair the other way round gets it reversed", holds(dPlaneClass, dBoxClass, &report, 1));
    bool others = written() == 2;
    setCollider(dPlaneClass, dSphereClass, &other);
    ok("no other pair changes", others && written() == 4 && holds(dPlaneClass, dSphereClass, &other, 0) &&
       holds(dSphereClass, dPlaneClass, &other, 1) && holds(dBoxClass, dPlaneClass, &report, 0));
    setCollider(dSphereClass, dSphereClass, &third);
    setCollider(dBoxClass, dBoxClass, &other);
    ok("a class with itself is not reversed", holds(dSphereClass, dSphereClass, &third, 0) &&
       holds(dBoxClass, dBoxClass, &other, 0) && written() == 6);
    setCollider(0, dGeomNumClasses - 1, &third);
    setCollider(dGeomNumClasses - 1, dGeomNumClasses - 1, &other);
    ok("the first and the last class can be given", holds(0, dGeomNumClasses - 1, &third, 0) &&
       holds(dGeomNumClasses - 1, 0, &third, 1) && holds(dGeomNumClasses - 1, dGeomNumClasses - 1, &other, 0) &&
       written() == 9);

    clear();
    setCollider(dRayClass, dBoxClass, &report);
    setCollider(dRayClass, dBoxClass, &other);
    setCollider(dRayClass, dRayClass, &report);
    setCollider(dRayClass, dRayClass, &third);
    ok("a second function is refused", holds(dRayClass, dBoxClass, &report, 0) &&
       holds(dBoxClass, dRayClass, &report, 1) && holds(dRayClass, dRayClass, &report, 0));
    setCollider(dBoxClass, dRayClass, &third);
    ok("a second function for the swapped pair is refused", holds(dRayClass, dBoxClass, &report, 0) &&
       holds(dBoxClass, dRayClass, &report, 1));
    setCollider(dBoxClass, dRayClass, &report);
    ok("the same function given in both orders keeps the first", holds(dRayClass, dBoxClass, &report, 0) &&
       holds(dBoxClass, dRayClass, &report, 1));

    clear();
    colliders[dBoxClass][dRayClass].fn = &report;
    colliders[dConvexClass][dRayClass].fn = &report;
    colliders[dConvexClass][dRayClass].reverse = 1;
    setCollider(dBoxClass, dRayClass, &other);
    setCollider(dRayClass, dConvexClass, &other);
    ok("a written entry stays where the other one is empty", holds(dBoxClass, dRayClass, &report, 0) &&
       holds(dConvexClass, dRayClass, &report, 1));

    clear();
    colliders_initialized = 1;
    dSetColliderOverride(dCapsuleClass, dBoxClass, &other);
    dSetColliderOverride(dCapsuleClass, dBoxClass, 0);
    setCollider(dCapsuleClass, dBoxClass, &third);
    ok("a pair whose entries were emptied can be set", holds(dCapsuleClass, dBoxClass, &third, 0) &&
       holds(dBoxClass, dCapsuleClass, &third, 1));
    dSetColliderOverride(dCapsuleClass, dBoxClass, 0);
    setCollider(dBoxClass, dCapsuleClass, &third);
    dSetColliderOverride(dRayClass, dRayClass, 0);
    setCollider(dRayClass, dRayClass, &third);
    ok("an emptied pair forgets how it was reversed", holds(dBoxClass, dCapsuleClass, &third, 0) &&
       holds(dCapsuleClass, dBoxClass, &third, 1) && holds(dRayClass, dRayClass, &third, 0));

    clear();
    setCollider(dRayClass, dBoxClass, &report);
    setCollider(dBoxClass, dPlaneClass, &other);
    setAllColliders(dBoxClass, &third);
    ok("setting a whole class keeps what is written", holds(dRayClass, dBoxClass, &report, 0) &&
       holds(dBoxClass, dRayClass, &report, 1) && holds(dBoxClass, dPlaneClass, &other, 0) &&
       holds(dPlaneClass, dBoxClass, &other, 1));
    int filled = 0;
    for (int j = 0; j < dGeomNumClasses; j++)
        if (j != dRayClass && j != dPlaneClass)
            filled += holds(dBoxClass, j, &third, 0) && holds(j, dBoxClass, &third, j != dBoxClass);
    ok("setting a whole class fills all the rest", filled == dGeomNumClasses - 2 &&
       written() == 2 * dGeomNumClasses - 1);

    colliders_initialized = 0;
    dInitODE();
    dGeomID ball = dCreateSphere(0, 1), box = dCreateBox(0, 1, 1, 1);
    dContactGeom contact[4];
    clear();
    setCollider(dSphereClass, dBoxClass, &report);
    dCollide(ball, box, 1, contact, sizeof contact[0]);
    bool order = first == ball && second == box && contact[0].normal[0] == 1 && contact[0].g1 == ball;
    first = second = 0;
    dCollide(box, ball, 1, contact, sizeof contact[0]);
    ok("the function gets the geoms in its own order", order && first == ball && second == box);
    ok("contacts of a swapped pair are turned round", contact[0].normal[0] == -1 && contact[0].g1 == box &&
       contact[0].g2 == ball);
    dCloseODE();

    dInitODE();
    bool spaces = true;
    for (int s = dFirstSpaceClass; s <= dLastSpaceClass; s++)
        spaces = spaces && holds(s, dGeomTransformClass, &dCollideSpaceGeom, 0) &&
                 holds(dGeomTransformClass, s, &dCollideSpaceGeom, 1);
    ok("a transform in a space goes to the space", spaces &&
       holds(dGeomTransformClass, dBoxClass, &dCollideTransform, 0));
    dGeomDestroy(ball);
    dGeomDestroy(box);
    dCloseODE();
    plan();
    return 0;
}
