/*---
 * tasks: [dBodySetFiniteRotationMode-b3b058]
 * tests:
 *   mode 1 is read back: 'objects.h: dBodyGetFiniteRotationMode.'
 *   mode 0 is read back: 'objects.h: dBodyGetFiniteRotationMode.'
 *   mode 1 turns a body by the whole angle: 'Docstring: "A finite orientation update is used"; dxStepBody.'
 *   so it does about any direction: 'Docstring: a finite update, with no axis of the whole rotation (objects.h).'
 *   mode 0 turns it by an infinitesimal update: 'Docstring: "An infinitesimal orientation update is used".'
 *   the mode can be switched on and off again and again: 'Docstring: "mode can be 0 or 1".'
 *   a mode given twice stays: 'Docstring: "mode can be 0 or 1".'
 *   without an axis no axis is used: 'objects.h: with an axis of zero "full finite rotations are performed".'
 *   an axis that was set before is used: 'objects.h: "only has meaning when the finite rotation mode is set".'
 *   any one component makes an axis: 'objects.h: "If this axis is nonzero".'
 *   a negative axis is an axis: 'objects.h: "If this axis is nonzero".'
 *   an axis whose components cancel out is one: 'objects.h: "If this axis is nonzero".'
 *   the axis is used again after mode 0: 'objects.h: the axis has meaning when the mode is set.'
 *   an axis that was set in mode 0 is used in mode 1: 'objects.h: the axis has meaning when the mode is set.'
 *   along the axis the rotation is finite, across it is not: 'objects.h: "partial finite rotation along the axis".'
 *   in mode 0 an axis has no meaning: 'objects.h: the axis "only has meaning when the finite rotation mode is set".'
 *   the axis itself stays: 'Docstring: the mode alone.'
 *   other settings of the body stay: 'Docstring: the update of orientations alone.'
 *   place, orientation and speed stay: 'Docstring: what happens at each timestep, and not now.'
 *   other bodies stay as they are: 'Docstring: "a body".'
 ---*/
#include "turning.h"

int main()
{
    dInitODE();
    world = dWorldCreate();
    dBodyID b = body(), other = body();

    dBodySetFiniteRotationMode(b, 1);
    ok("mode 1 is read back", dBodyGetFiniteRotationMode(b) == 1);
    ok("mode 1 turns a body by the whole angle", finite(b, 0, 0, 4));
    ok("so it does about any direction", finite(b, 4, 0, 0) && finite(b, 0, -4, 0) && finite(b, 2.4, 0, -3.2));
    ok("without an axis no axis is used", !along_axis(b) && has_axis(b, 0, 0, 0));
    ok("other bodies stay as they are", dBodyGetFiniteRotationMode(other) == 0 && infinitesimal(other, 0, 0, 4));
    dBodySetFiniteRotationMode(b, 0);
    ok("mode 0 is read back", dBodyGetFiniteRotationMode(b) == 0);
    ok("mode 0 turns it by an infinitesimal update", infinitesimal(b, 0, 0, 4) && infinitesimal(b, 4, 0, 0));
    bool good = true;
    for (int i = 0; i < 3; i++) {
        dBodySetFiniteRotationMode(b, 1);
        good = good && finite(b, 0, 4, 0);
        dBodySetFiniteRotationMode(b, 0);
        good = good && infinitesimal(b, 0, 4, 0);
    }
    ok("the mode can be switched on and off again and again", good);
    dBodySetFiniteRotationMode(b, 0);
    good = infinitesimal(b, 0, 4, 0) && dBodyGetFiniteRotationMode(b) == 0;
    dBodySetFiniteRotationMode(b, 1);
    dBodySetFiniteRotationMode(b, 1);
    ok("a mode given twice stays", good && finite(b, 0, 4, 0) && dBodyGetFiniteRotationMode(b) == 1);

    b = body();
    dBodySetFiniteRotationAxis(b, 0, 0, 1);
    dBodySetFiniteRotationMode(b, 1);
    ok("an axis that was set before is used", along_axis(b));
    ok("along the axis the rotation is finite, across it is not", finite(b, 0, 0, 4) && !finite(b, 4, 0, 0) &&
       !finite(b, 0, 4, 0));
    const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool single = true, negative = true;
    for (int i = 0; i < 3; i++) {
        const double *a = axes[i], *across = axes[(i + 1) % 3];
        for (int sign = -1; sign <= 1; sign += 2) {
            dBodyID c = body();
            dBodySetFiniteRotationAxis(c, sign * a[0], sign * a[1], sign * a[2]);
            dBodySetFiniteRotationMode(c, 0);
            dBodySetFiniteRotationMode(c, 1);
            (sign > 0 ? single : negative) &= along_axis(c) && finite(c, 4 * a[0], 4 * a[1], 4 * a[2]) &&
                                              !finite(c, 4 * across[0], 4 * across[1], 4 * across[2]);
        }
    }
    ok("any one component makes an axis", single);
    ok("a negative axis is an axis", negative);
    dBodyID c = body();
    dBodySetFiniteRotationAxis(c, 1, -1, 0);
    dBodySetFiniteRotationMode(c, 0);
    dBodySetFiniteRotationMode(c, 1);
    good = along_axis(c);
    dBodySetFiniteRotationAxis(c, -1, 0.5, 0.5);
    dBodySetFiniteRotationMode(c, 1);
    ok("an axis whose components cancel out is one", good && along_axis(c) && !finite(c, 0, 2.4, -3.2));

    dBodySetFiniteRotationMode(b, 0);
    ok("in mode 0 an axis has no meaning", infinitesimal(b, 0, 0, 4) && infinitesimal(b, 4, 0, 0));
    ok("the axis itself stays", has_axis(b, 0, 0, 1));
    dBodySetFiniteRotationMode(b, 1);
    ok("the axis is used again after mode 0", along_axis(b) && has_axis(b, 0, 0, 1) && finite(b, 0, 0, 4) &&
       !finite(b, 4, 0, 0));
    dBodySetFiniteRotationMode(b, 0);
    dBodySetFiniteRotationAxis(b, 0, 5, 0);
    dBodySetFiniteRotationMode(b, 1);
    good = along_axis(b) && finite(b, 0, 4, 0) && !finite(b, 0, 0, 4);
    dBodySetFiniteRotationMode(b, 0);
    dBodySetFiniteRotationAxis(b, 0, 0, 0);
    dBodySetFiniteRotationMode(b, 1);
    ok("an axis that was set in mode 0 is used in mode 1", good && !along_axis(b) && finite(b, 0, 0, 4));

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
    dBodySetFiniteRotationMode(d, 1);
    dBodySetFiniteRotationMode(e, 1);
    good = rest(d) == all && rest(e) == few && !dBodyIsEnabled(d) && dBodyIsEnabled(e);
    dBodySetFiniteRotationMode(d, 0);
    dBodySetFiniteRotationMode(e, 0);
    ok("other settings of the body stay", good && rest(d) == all && rest(e) == few && !dBodyIsEnabled(d));
    dBodySetPosition(e, 1, 2, 3);
    dBodySetLinearVel(e, 4, 5, 6);
    dBodySetAngularVel(e, 7, 8, 9);
    dQuaternion q = {0.5, 0.5, -0.5, 0.5};
    dBodySetQuaternion(e, q);
    dBodySetFiniteRotationMode(e, 1);
    const dReal *now = dBodyGetQuaternion(e);
    ok("place, orientation and speed stay", is3(dBodyGetPosition(e), 1, 2, 3) && is3(dBodyGetLinearVel(e), 4, 5, 6) &&
       is3(dBodyGetAngularVel(e), 7, 8, 9) && near(now[0], 0.5) && is3(now + 1, 0.5, -0.5, 0.5));
    dWorldDestroy(world);
    dCloseODE();
    plan();
    return 0;
}
