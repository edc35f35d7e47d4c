/* A free body in a world without gravity, and how far a step turns it. */
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "ok.h"

static dWorldID world;

static dBodyID body()
{
    dBodyID b = dBodyCreate(world);
    dBodySetGyroscopicMode(b, 0);
    return b;
}

/* The angle by which one step of half a second turns a body that spins as given. */
static double turned(dBodyID b, double wx, double wy, double wz)
{
    dQuaternion start = {1, 0, 0, 0};
    dBodySetQuaternion(b, start);
    dBodySetAngularVel(b, wx, wy, wz);
    dBodyEnable(b);
    dWorldStep(world, 0.5);
    const dReal *q = dBodyGetQuaternion(b);
    return 2 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0]));
}

/* Half a second at 4 rad/s: 2 rad by a finite rotation, less by an infinitesimal one. */
static bool finite(dBodyID b, double wx, double wy, double wz)
{
    return near(turned(b, wx, wy, wz), 2, 1e-3);
}

static bool infinitesimal(dBodyID b, double wx, double wy, double wz)
{
    return near(turned(b, wx, wy, wz), 2 * atan(1.), 1e-3);
}

static bool has_axis(dBodyID b, double x, double y, double z, double by = 1e-5)
{
    dVector3 axis;
    dBodyGetFiniteRotationAxis(b, axis);
    return is3(axis, x, y, z, by);
}

/* The flags that have nothing to do with finite rotation. */
static unsigned rest(dBodyID b)
{
    return b->flags & ~(dxBodyFlagFiniteRotation | dxBodyFlagFiniteRotationAxis);
}

static bool along_axis(dBodyID b)
{
    return (b->flags & dxBodyFlagFiniteRotation) && (b->flags & dxBodyFlagFiniteRotationAxis);
}
