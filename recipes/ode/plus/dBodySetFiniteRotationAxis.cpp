/*---
 * tasks: [dBodySetFiniteRotationAxis-b490c5]
 * tests:
 *   the axis is read back: 'objects.h: dBodyGetFiniteRotationAxis.'
 *   each component has its place: 'Signature: x, y, z.'
 *   the axis is kept as a unit vector: 'objects.h (private): "finite rotation axis, unit length or 0=none".'
 *   short and long axes too: 'objects.h (private): "unit length"; docstring: any that is nonzero.'
 *   the direction keeps its signs: 'Docstring: "along the axis direction".'
 *   an axis of zero is kept as zero: 'objects.h (private): "unit length or 0=none".'
 *   an axis limits the finite rotation to its direction: 'Docstring: "a partial finite rotation along the axis".'
 *   the length of the axis does not matter: 'objects.h (private): "unit length"; dxStepBody multiplies by it.'
 *   with an axis of zero all rotations are finite: 'Docstring: "(0,0,0), full finite rotations are performed".'
 *   an axis can be taken back: 'Docstring: "If this axis is zero".'
 *   and be given once more: 'Docstring: "If this axis is nonzero".'
 *   any one component makes an axis: 'Docstring: "If this axis is nonzero".'
 *   an axis whose components cancel out is one: 'Docstring: "If this axis is nonzero".'
 *   a later axis replaces the one before: 'Docstring: "sets the finite rotation axis".'
 *   an axis does not switch the mode on: 'Docstring: "only has meaning when the finite rotation mode is set".'
 *   an axis of zero does not switch the mode off: 'Docstring: "full finite rotations are performed".'
 *   the axis works in whichever order it and the mode are set: 'Docstring; dBodySetFiniteRotationMode looks at it.'
 *   other settings of the body stay: 'Docstring: the axis alone.'
 *   place, orientation and speed stay: 'Docstring: the axis alone.'
 *   other bodies stay as they are: 'Docstring: "for a body".'
 ---*/
#include "turning.h"

int main()
{
    dInitODE();
    world = dWorldCreate();
    dBodyID b = body(), other = body();
    dBodySetFiniteRotationMode(other, 1);

    dBodySetFiniteRotationAxis(b, 0, 1, 0);
    ok("the axis is read back", has_axis(b, 0, 1, 0));
    ok("an axis does not switch the mode on", dBodyGetFiniteRotationMode(b) == 0 && infinitesimal(b, 0, 4, 0));
    dBodySetFiniteRotationAxis(b, 0.36, 0.48, 0.8);
    ok("each component has its place", has_axis(b, 0.36, 0.48, 0.8));
    dBodySetFiniteRotationAxis(b, 3, 4, 0);
    bool good = has_axis(b, 0.6, 0.8, 0);
    dBodySetFiniteRotationAxis(b, 0, 0.5, 0);
    good = good && has_axis(b, 0, 1, 0);
    dBodySetFiniteRotationAxis(b, 1, 2, 2);
    ok("the axis is kept as a unit vector", good && has_axis(b, 1 / 3., 2 / 3., 2 / 3.));
    dBodySetFiniteRotationAxis(b, 0, 3e-4, 4e-4);
    good = has_axis(b, 0, 0.6, 0.8);
    dBodySetFiniteRotationAxis(b, 8e4, 0, 6e4);
    ok("short and long axes too", good && has_axis(b, 0.8, 0, 0.6));
    dBodySetFiniteRotationAxis(b, -2, 1, -2);
    ok("the direction keeps its signs", has_axis(b, -2 / 3., 1 / 3., -2 / 3.));
    dBodySetFiniteRotationAxis(b, 0, 0, 0);
    ok("an axis of zero is kept as zero", has_axis(b, 0, 0, 0, 0));

    b = body();
    dBodySetFiniteRotationMode(b, 1);
    dBodySetFiniteRotationAxis(b, 0, 0, 0);
    ok("with an axis of zero all rotations are finite", finite(b, 4, 0, 0) && finite(b, 0, -4, 0) &&
       finite(b, 0, 0, 4));
    good = dBodyGetFiniteRotationMode(b) == 1;
    dBodySetFiniteRotationAxis(b, 0, 0, 1);
    ok("an axis limits the finite rotation to its direction", finite(b, 0, 0, 4) && finite(b, 0, 0, -4) &&
       !finite(b, 4, 0, 0) && !finite(b, 0, 4, 0));
    dBodySetFiniteRotationAxis(b, 0, 0, 7);
    bool length = finite(b, 0, 0, 4);
    dBodySetFiniteRotationAxis(b, 0, 0, -0.25);
    ok("the length of the axis does not matter", length && finite(b, 0, 0, 4) && !finite(b, 4, 0, 0));
    dBodySetFiniteRotationAxis(b, 1, 0, 0);
    ok("a later axis replaces the one before", has_axis(b, 1, 0, 0) && finite(b, 4, 0, 0) && !finite(b, 0, 0, 4));
    dBodySetFiniteRotationAxis(b, 0, 0, 0);
    ok("an axis can be taken back", has_axis(b, 0, 0, 0) && finite(b, 4, 0, 0) && finite(b, 0, 0, 4) &&
       finite(b, 0, 2.4, 3.2));
    ok("an axis of zero does not switch the mode off", good && dBodyGetFiniteRotationMode(b) == 1);
    dBodySetFiniteRotationAxis(b, 0, 2, 0);
    ok("and be given once more", has_axis(b, 0, 1, 0) && finite(b, 0, 4, 0) && !finite(b, 4, 0, 0));

    const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool any = true;
    for (int i = 0; i < 3; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double *a = axes[i], *across = axes[(i + 1) % 3];
            dBodyID c = body();
            dBodySetFiniteRotationMode(c, 1);
            dBodySetFiniteRotationAxis(c, sign * a[0], sign * a[1], sign * a[2]);
            any = any && along_axis(c) && finite(c, 4 * a[0], 4 * a[1], 4 * a[2]) &&
                  !finite(c, 4 * across[0], 4 * across[1], 4 * across[2]);
        }
    ok("any one component makes an axis", any);
    dBodyID c = body();
    dBodySetFiniteRotationMode(c, 1);
    dBodySetFiniteRotationAxis(c, 1, -1, 0);
    good = along_axis(c) && !finite(c, 0, 0, 4) && has_axis(c, sqrt(.5), -sqrt(.5), 0);
    dBodySetFiniteRotationAxis(c, -2, 1, 1);
    ok("an axis whose components cancel out is one", good && along_axis(c) && !finite(c, 0, 2.4, -3.2));

    dBodyID before = body(), after = body();
    dBodySetFiniteRotationAxis(before, 0, 0, 3);
    dBodySetFiniteRotationMode(before, 1);
    dBodySetFiniteRotationMode(after, 1);
    dBodySetFiniteRotationAxis(after, 0, 0, 3);
    good = near(turned(before, 4, 0, 0), turned(after, 4, 0, 0)) && finite(before, 0, 0, 4) && finite(after, 0, 0, 4);
    dBodySetFiniteRotationMode(before, 0);
    dBodySetFiniteRotationAxis(before, 0, 0, 0);
    dBodySetFiniteRotationMode(before, 1);
    ok("the axis works in whichever order it and the mode are set", good && finite(before, 4, 0, 0));

    dBodyID d = body();
    dBodySetGravityMode(d, 0);
    dBodySetAutoDisableFlag(d, 1);
    dBodySetLinearDamping(d, 0.1);
    dBodySetAngularDamping(d, 0.2);
    dBodySetMaxAngularSpeed(d, 50);
    dBodySetGyroscopicMode(d, 1);
    dBodyDisable(d);
    dBodyID e = body();
    unsigned all = rest(d), few = rest(e);
    dBodySetFiniteRotationAxis(d, 0, 0, 2);
    dBodySetFiniteRotationAxis(e, 0, 0, 2);
    good = rest(d) == all && rest(e) == few && !dBodyIsEnabled(d) && dBodyIsEnabled(e);
    dBodySetFiniteRotationAxis(d, 0, 0, 0);
    dBodySetFiniteRotationAxis(e, 0, 0, 0);
    ok("other settings of the body stay", good && rest(d) == all && rest(e) == few && !dBodyIsEnabled(d));
    dBodySetPosition(e, 1, 2, 3);
    dBodySetLinearVel(e, 4, 5, 6);
    dBodySetAngularVel(e, 7, 8, 9);
    dQuaternion q = {0.5, 0.5, -0.5, 0.5};
    dBodySetQuaternion(e, q);
    dBodySetFiniteRotationAxis(e, 1, 1, 1);
    const dReal *now = dBodyGetQuaternion(e);
    ok("place, orientation and speed stay", is3(dBodyGetPosition(e), 1, 2, 3) && is3(dBodyGetLinearVel(e), 4, 5, 6) &&
       is3(dBodyGetAngularVel(e), 7, 8, 9) && near(now[0], 0.5) && is3(now + 1, 0.5, -0.5, 0.5));
    ok("other bodies stay as they are", has_axis(other, 0, 0, 0, 0) && finite(other, 4, 0, 0));
    dWorldDestroy(world);
    dCloseODE();
    plan();
    return 0;
}
