/*---
 * tasks: [dxJoint.isEnabled-16f5e4]
 * tests:
 *   a joint of two dynamic bodies is used: 'joint.h: "has the enabled flag set, and is attached to" dynamic bodies.'
 *   a joint of one dynamic body is used: 'joint.h: "attached to at least one dynamic body".'
 *   so it is when the body was given second: 'joint.h: "node[0].body is always nonzero".'
 *   with one kinematic body it is not: 'joint.h: "at least one dynamic body".'
 *   a kinematic first and a dynamic second body will do: 'joint.h: "at least one dynamic body".'
 *   a dynamic first and a kinematic second body will do: 'joint.h: "at least one dynamic body".'
 *   with two kinematic bodies it is not: 'joint.h: "at least one dynamic body".'
 *   a disabled joint is not used: 'joint.h: "has the enabled flag set".'
 *   whatever its bodies are: 'joint.h: both are asked for.'
 *   enabled again it is: 'objects.h: dJointEnable.'
 *   other flags do not matter: 'joint.h: dJOINT_INGROUP, dJOINT_REVERSE and dJOINT_TWOBODIES say something else.'
 *   very heavy bodies are dynamic: 'objects.h: dBodySetKinematic alone makes a body not dynamic.'
 *   a body made dynamic again counts: 'objects.h: dBodySetDynamic.'
 *   disabled bodies do not matter: 'util.cpp: BuildIslands wakes bodies up through joints.'
 *   the joint stays as it is: 'Signature: const.'
 *   every type of joint answers so: 'joint.h: it is no virtual function.'
 *   a step leaves a joint that is not used alone: 'joint.h: "should be used in the simulation step".'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "joints/joint.h"
#include "ok.h"

int main()
{
    dInitODE();
    dWorldID w = dWorldCreate();
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w), still = dBodyCreate(w), still2 = dBodyCreate(w);
    dBodySetKinematic(still);
    dBodySetKinematic(still2);
    dJointID j = dJointCreateBall(w, 0);

    dJointAttach(j, a, b);
    ok("a joint of two dynamic bodies is used", j->isEnabled());
    dJointAttach(j, a, 0);
    ok("a joint of one dynamic body is used", j->isEnabled());
    dJointAttach(j, 0, a);
    bool reversed = j->isEnabled();
    ok("so it is when the body was given second", reversed);
    dJointAttach(j, still, 0);
    bool lone = j->isEnabled();
    dJointAttach(j, 0, still);
    ok("with one kinematic body it is not", !lone && !j->isEnabled());
    dJointAttach(j, still, a);
    ok("a kinematic first and a dynamic second body will do", j->isEnabled());
    dJointAttach(j, a, still);
    ok("a dynamic first and a kinematic second body will do", j->isEnabled());
    dJointAttach(j, still, still2);
    ok("with two kinematic bodies it is not", !j->isEnabled());

    dJointAttach(j, a, b);
    dJointDisable(j);
    ok("a disabled joint is not used", !j->isEnabled());
    bool any = false;
    dBodyID pairs[][2] = {{a, 0}, {0, a}, {still, a}, {a, still}, {still, still2}, {still, 0}};
    for (int i = 0; i < 6; i++) {
        dJointAttach(j, pairs[i][0], pairs[i][1]);
        any = any || j->isEnabled();
    }
    ok("whatever its bodies are", !any);
    dJointAttach(j, a, b);
    dJointEnable(j);
    ok("enabled again it is", j->isEnabled());

    dJointGroupID group = dJointGroupCreate(0);
    dJointID in = dJointCreateHinge2(w, group);
    dJointAttach(in, a, b);
    bool flags = in->isEnabled() && (in->flags & dJOINT_INGROUP) && (in->flags & dJOINT_TWOBODIES);
    dJointDisable(in);
    flags = flags && !in->isEnabled();
    dJointID back = dJointCreateHinge(w, group);
    dJointAttach(back, 0, a);
    ok("other flags do not matter", flags && back->isEnabled() && (back->flags & dJOINT_REVERSE));
    dMass mass;
    dMassSetSphereTotal(&mass, 1e12, 100);
    dBodyID heavy = dBodyCreate(w);
    dBodySetMass(heavy, &mass);
    dJointAttach(j, heavy, still);
    ok("very heavy bodies are dynamic", j->isEnabled());
    dJointAttach(j, still, still2);
    bool before = j->isEnabled();
    dBodySetDynamic(still2);
    bool after = j->isEnabled();
    dBodySetKinematic(still2);
    ok("a body made dynamic again counts", !before && after && !j->isEnabled());
    dJointAttach(j, a, b);
    dBodyDisable(a);
    dBodyDisable(b);
    ok("disabled bodies do not matter", j->isEnabled());
    dBodyEnable(a);
    dBodyEnable(b);
    unsigned was = j->flags;
    j->isEnabled();
    ok("the joint stays as it is", j->flags == was && dJointGetBody(j, 0) == a && dJointGetBody(j, 1) == b);

    dContact contact;
    memset(&contact, 0, sizeof contact);
    dJointID all[] = {dJointCreateHinge(w, 0), dJointCreateSlider(w, 0), dJointCreateContact(w, 0, &contact),
                      dJointCreateUniversal(w, 0), dJointCreateFixed(w, 0), dJointCreateAMotor(w, 0),
                      dJointCreateLMotor(w, 0), dJointCreatePiston(w, 0), dJointCreateNull(w, 0)};
    bool every = true;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        dJointAttach(all[i], a, b);
        every = every && all[i]->isEnabled();
        dJointDisable(all[i]);
        every = every && !all[i]->isEnabled();
        dJointEnable(all[i]);
        dJointAttach(all[i], still, still2);
        every = every && !all[i]->isEnabled();
        dJointDestroy(all[i]);
    }
    ok("every type of joint answers so", every);
    dJointGroupDestroy(group);

    dJointAttach(j, a, b);
    dJointSetBallAnchor(j, 0, 0, 0);
    dJointDisable(j);
    dBodySetLinearVel(a, 2, 0, 0);
    dWorldStep(w, 0.01);
    bool free = near(dBodyGetLinearVel(a)[0], 2) && near(dBodyGetLinearVel(b)[0], 0);
    dJointEnable(j);
    dBodySetPosition(a, 0, 0, 0);
    dWorldStep(w, 0.01);
    ok("a step leaves a joint that is not used alone", free && near(dBodyGetLinearVel(b)[0], 1, 0.05));
    dWorldDestroy(w);
    dCloseODE();
    plan();
    return 0;
}
