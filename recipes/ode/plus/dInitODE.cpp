/*---
 * tasks: [dInitODE-d9ff1a.2]
 * flags: [-DdTLS_ENABLED=1]
 * tests:
 *   dInitODE makes the library usable: 'odeinit.h: "Initializes ODE library".'
 *   it chooses automatic cleanup of thread data: 'odeinit.h: equal to dInitODE2(0), without the flag for manual.'
 *   it allocates basic data for the thread: 'odeinit.h: dAllocateFlagBasicData "is always implicitly included".'
 *   it allocates collision data for the thread: 'odeinit.h: dAllocateODEDataForThread(dAllocateMaskAll) follows.'
 *   dCloseODE undoes it: 'odeinit.h: dCloseODE "releases all the resources".'
 *   it can be done again after that: 'odeinit.h: not "again until library is closed".'
 *   dInitODE2 leaves collision data out: 'odeinit.h: dAllocateODEDataForThread allocates it where wanted.'
 *   dInitODE2 reports success: 'odeinit.h: "A nonzero if initialization succeeded".'
 *   with the flag thread data is cleaned up by hand: 'odeinit.h: dInitFlagManualThreadCleanup.'
 *   each mode is made ready once: 'IsODEModeInitialized; dInitColliders asserts that it was not called before.'
 *   both modes can be in use: 'Caller InternalAllocateODEDataForThread goes through all modes.'
 *   the second mode leaves colliders as they are: 'InitODEForMode: what is common is done for the first mode alone.'
 *   as many closes are needed as there were inits: 'InternalCloseODE counts down and closes at 0.'
 *   the last close ends every mode: 'InternalCloseODE goes through all modes.'
 *   a failure is reported: 'odeinit.h: "and zero otherwise".'
 *   a failure leaves the mode uninitialized: 'IsODEModeInitialized; callers ask it before they allocate.'
 *   a failure is not counted: 'InternalCloseODE; odeinit.h: dCloseODE "after successful library initialization".'
 *   after a failure another try works: 'odeinit.h: dInitODE2 may be called until it succeeds.'
 *   a failure of the second mode leaves the first in use: 'SetODEModeInitialized sets one mode.'
 *   where thread data fails all is closed again: 'Caller dInitODE2 calls InternalCloseODE then.'
 ---*/

/* In place of odetls.h: thread data that is written down, and can fail. */
#define _ODE_ODETLS_H_
#include <ode/ode.h>
#include "config.h"
#include "odeou.h"
#include "ok.h"

struct TrimeshCollidersCache;

enum EODETLSKIND {
    OTK__MIN,
    OTK_AUTOCLEANUP = OTK__MIN,
    OTK_MANUALCLEANUP,
    OTK__MAX,
    OTK__DEFAULT = OTK_AUTOCLEANUP,
};

struct COdeTls {
    static int opened[OTK__MAX], closed[OTK__MAX], basic[OTK__MAX];
    static unsigned flags[OTK__MAX];
    static TrimeshCollidersCache *cache[OTK__MAX];
    static bool fail_open, fail_basic;

    static bool Initialize(EODETLSKIND kind)
    {
        if (fail_open) return false;
        opened[kind]++;
        return true;
    }
    static void Finalize(EODETLSKIND kind)
    {
        closed[kind]++;
        DestroyTrimeshCollidersCache(kind);
        flags[kind] = 0;
    }
    static void CleanupForThread() { DestroyTrimeshCollidersCache(OTK_MANUALCLEANUP); }
    static unsigned GetDataAllocationFlags(EODETLSKIND kind) { return flags[kind]; }
    static void SignalDataAllocationFlags(EODETLSKIND kind, unsigned mask) { flags[kind] |= mask; }
    static void DropDataAllocationFlags(EODETLSKIND kind, unsigned mask) { flags[kind] &= ~mask; }
    static TrimeshCollidersCache *GetTrimeshCollidersCache(EODETLSKIND kind) { return cache[kind]; }
    static bool AssignDataAllocationFlags(EODETLSKIND kind, unsigned mask)
    {
        if (fail_basic) return false;
        basic[kind]++;
        flags[kind] = mask;
        return true;
    }
    static bool AssignTrimeshCollidersCache(EODETLSKIND kind, TrimeshCollidersCache *c)
    {
        cache[kind] = c;
        return true;
    }
    static void DestroyTrimeshCollidersCache(EODETLSKIND kind) { cache[kind] = 0; }
    /* 1 while a kind is open. */
    static int open(EODETLSKIND kind) { return opened[kind] - closed[kind]; }
};

int COdeTls::opened[OTK__MAX], COdeTls::closed[OTK__MAX], COdeTls::basic[OTK__MAX];
unsigned COdeTls::flags[OTK__MAX];
TrimeshCollidersCache *COdeTls::cache[OTK__MAX];
bool COdeTls::fail_open, COdeTls::fail_basic;

#include "odeinit.cpp"

static bool usable()
{
    if (!IsODEAnyModeInitialized()) return false;
    dGeomID one = dCreateSphere(0, 1), two = dCreateSphere(0, 1);
    dGeomSetPosition(two, 1.5, 0, 0);
    dContactGeom contact[4];
    int n = dCollide(one, two, 4, contact, sizeof contact[0]);
    dGeomDestroy(one);
    dGeomDestroy(two);
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dBodySetLinearVel(body, 2, 0, 0);
    dWorldStep(world, 0.5);
    bool moved = near(dBodyGetPosition(body)[0], 1);
    dWorldDestroy(world);
    return n == 1 && near(contact[0].depth, 0.5) && moved;
}

static bool modes(bool automatic, bool manual)
{
    return IsODEModeInitialized(OIM_AUTOTLSCLEANUP) == automatic &&
           IsODEModeInitialized(OIM_MANUALTLSCLEANUP) == manual &&
           COdeTls::open(OTK_AUTOCLEANUP) == automatic && COdeTls::open(OTK_MANUALCLEANUP) == manual;
}

static int nothing(dxGeom *, dxGeom *, int, dContactGeom *, int) { return 0; }

/* Whether colliders are as after dSetColliderOverride below: spheres never touch. */
static bool overridden()
{
    dGeomID one = dCreateSphere(0, 1), two = dCreateSphere(0, 1);
    dContactGeom contact[1];
    int n = dCollide(one, two, 1, contact, sizeof contact[0]);
    dGeomDestroy(one);
    dGeomDestroy(two);
    return n == 0;
}

int main()
{
    dInitODE();
    bool automatic = modes(true, false);
    bool basic = COdeTls::basic[OTK_AUTOCLEANUP] == 1 && COdeTls::basic[OTK_MANUALCLEANUP] == 0;
    bool collision = COdeTls::cache[OTK_AUTOCLEANUP] && !COdeTls::cache[OTK_MANUALCLEANUP];
    ok("dInitODE makes the library usable", usable());
    ok("it chooses automatic cleanup of thread data", automatic);
    ok("it allocates basic data for the thread", basic);
    ok("it allocates collision data for the thread", collision);
    dCloseODE();
    ok("dCloseODE undoes it", modes(false, false) && COdeTls::closed[OTK_AUTOCLEANUP] == 1);
    dInitODE();
    bool again = modes(true, false) && COdeTls::cache[OTK_AUTOCLEANUP] && usable();
    dCloseODE();
    ok("it can be done again after that", again && modes(false, false) && COdeTls::opened[OTK_AUTOCLEANUP] == 2);

    int result = dInitODE2(0);
    ok("dInitODE2 reports success", result != 0 && usable() && modes(true, false));
    bool none = !COdeTls::cache[OTK_AUTOCLEANUP];
    dAllocateODEDataForThread(dAllocateMaskAll);
    ok("dInitODE2 leaves collision data out", none && COdeTls::cache[OTK_AUTOCLEANUP]);
    dCloseODE();
    result = dInitODE2(dInitFlagManualThreadCleanup);
    bool manual = result != 0 && modes(false, true) && usable();
    dCloseODE();
    ok("with the flag thread data is cleaned up by hand", manual && modes(false, false));

    dInitODE();
    dSetColliderOverride(dSphereClass, dSphereClass, nothing);
    int before = COdeTls::opened[OTK_AUTOCLEANUP];
    dInitODE();
    dInitODE();
    ok("each mode is made ready once", COdeTls::opened[OTK_AUTOCLEANUP] == before && modes(true, false) &&
       overridden());
    dCloseODE();
    bool still = modes(true, false) && overridden();
    dCloseODE();
    still = still && modes(true, false) && overridden();
    dCloseODE();
    ok("as many closes are needed as there were inits", still && modes(false, false));

    dInitODE();
    dSetColliderOverride(dSphereClass, dSphereClass, nothing);
    result = dInitODE2(dInitFlagManualThreadCleanup);
    ok("both modes can be in use", result != 0 && modes(true, true));
    ok("the second mode leaves colliders as they are", overridden());
    dCloseODE();
    still = modes(true, true);
    dCloseODE();
    bool both = still && modes(false, false);
    dInitODE2(dInitFlagManualThreadCleanup);
    dInitODE();
    both = both && modes(true, true) && COdeTls::cache[OTK_AUTOCLEANUP] && COdeTls::cache[OTK_MANUALCLEANUP];
    dCloseODE();
    dCloseODE();
    ok("the last close ends every mode", both && modes(false, false));

    COdeTls::fail_open = true;
    int zero = dInitODE2(0), other = dInitODE2(dInitFlagManualThreadCleanup);
    bool internal = InternalInitODE(0);
    ok("a failure is reported", zero == 0 && other == 0 && !internal);
    ok("a failure leaves the mode uninitialized", modes(false, false) && !IsODEAnyModeInitialized());
    COdeTls::fail_open = false;
    dInitODE();
    ok("after a failure another try works", modes(true, false) && usable() && COdeTls::cache[OTK_AUTOCLEANUP]);
    COdeTls::fail_open = true;
    result = dInitODE2(dInitFlagManualThreadCleanup);
    COdeTls::fail_open = false;
    ok("a failure of the second mode leaves the first in use", result == 0 && modes(true, false) && usable());
    dCloseODE();
    ok("a failure is not counted", modes(false, false));
    COdeTls::fail_basic = true;
    result = dInitODE2(0);
    COdeTls::fail_basic = false;
    bool closed = result == 0 && modes(false, false);
    dInitODE();
    closed = closed && modes(true, false) && usable();
    dCloseODE();
    ok("where thread data fails all is closed again", closed && modes(false, false));
    plan();
    return 0;
}
