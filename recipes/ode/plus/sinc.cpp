/*---
 * tasks: [sinc-1d7bd6]
 * tests:
 *   it is one at zero: 'Docstring: the "singularity at 0" of sin(x)/x.'
 *   it is sin(x)/x for ordinary arguments: 'Docstring: "return sin(x)/x".'
 *   it is even: 'Docstring: sin(x)/x.'
 *   it is zero at multiples of pi: 'Docstring: sin(x)/x.'
 *   it is negative between pi and two pi: 'Docstring: sin(x)/x.'
 *   it falls off for large arguments: 'Docstring: sin(x)/x.'
 *   small arguments give what is near one: 'Docstring: "special handling is needed for small arguments".'
 *   the smallest numbers give one: 'Docstring: "special handling is needed for small arguments".'
 *   there is no step at the edge of small arguments: 'Docstring: one function.'
 *   it is never more than one: 'Docstring: sin(x)/x.'
 *   a step turns a body by the whole angle, however small: 'Caller dxStepBody: a quaternion of length one.'
 ---*/
#include <ode/ode.h>
#include "util.cpp"
#include "ok.h"

static double turned(dWorldID w, double speed)
{
    dBodyID b = dBodyCreate(w);
    dBodySetFiniteRotationMode(b, 1);
    dBodySetAngularVel(b, 0, 0, speed);
    dWorldStep(w, 0.5);
    const dReal *q = dBodyGetQuaternion(b);
    double angle = 2 * atan2(q[3], q[0]);
    dBodyDestroy(b);
    return angle;
}

int main()
{
    ok("it is one at zero", sinc(0) == 1 && sinc(-0.0f) == 1);
    bool ordinary = true, even = true, most = true;
    for (double x = 0.01; x < 12; x += 0.173) {
        ordinary = ordinary && near(sinc(x), sin(x) / x, 1e-6);
        even = even && sinc(-x) == sinc(x);
        most = most && sinc(x) <= 1 && sinc(-x) <= 1;
    }
    ok("it is sin(x)/x for ordinary arguments", ordinary && near(sinc(M_PI / 2), 2 / M_PI, 1e-6) &&
       near(sinc(1), 0.84147098, 1e-6));
    ok("it is zero at multiples of pi", near(sinc(M_PI), 0, 1e-6) && near(sinc(-2 * M_PI), 0, 1e-6));
    ok("it is negative between pi and two pi", near(sinc(1.5 * M_PI), -2 / (3 * M_PI), 1e-6) &&
       near(sinc(-1.5 * M_PI), -2 / (3 * M_PI), 1e-6));
    ok("it falls off for large arguments", near(sinc(1000), sin(1000.) / 1000, 1e-6) && fabs(sinc(1e6)) < 2e-6);
    bool small = true, least = true, smooth = true;
    for (double x = 1e-7; x < 0.5; x *= 1.31) {
        small = small && near(sinc(x), sin(x) / x, 1e-6) && near(sinc(-x), sin(x) / x, 1e-6);
        even = even && sinc(-x) == sinc(x);
        most = most && sinc(x) <= 1;
    }
    ok("small arguments give what is near one", small);
    ok("it is even", even);
    for (dReal x = 1e-10f; x > 0; x /= 10) least = least && sinc(x) == 1 && sinc(-x) == 1;
    ok("the smallest numbers give one", least);
    for (double x = 0.5e-4; x < 2e-4; x += 0.7e-5)
        smooth = smooth && near(sinc(x), 1, 1e-6) && near(sinc(-x), 1, 1e-6);
    ok("there is no step at the edge of small arguments", smooth);
    ok("it is never more than one", most);
    dInitODE();
    dWorldID w = dWorldCreate();
    bool whole = near(turned(w, 4), 2, 1e-5) && near(turned(w, 1), 0.5, 1e-5) &&
                 near(turned(w, -0.25), -0.125, 1e-5) &&
                 near(turned(w, 1e-3), 0.5e-3, 1e-8) && near(turned(w, 4e-4), 2e-4, 1e-8) &&
                 near(turned(w, 3e-4), 1.5e-4, 1e-8) && turned(w, 0) == 0;
    ok("a step turns a body by the whole angle, however small", whole);
    dWorldDestroy(w);
    dCloseODE();
    plan();
    return 0;
}
