/*---
 * tasks: [dxProcessIslands-d1429c]
 * tests:
 *   each island is stepped once: 'Docstring: "each island can be simulated separately".'
 *   bodies that are connected are stepped together: 'Docstring: "reachable by going through connected bodies".'
 *   joints are stepped with their bodies: 'Docstring: "groups all joints and bodies in a world into islands".'
 *   joints that are not attached are not stepped: 'Docstring: "will not be included in any island".'
 *   islands of disabled bodies are not stepped: 'Docstring: "islands of disabled bodies will not be included".'
 *   disabled bodies of an active island are enabled: 'Docstring: "disabled bodies are re-enabled".'
 *   the world and the size of the step are passed: 'util.h: dxStepperProcessingCallContext, m_world and m_stepSize.'
 *   the stepper is the one given: 'Parameter stepper; callers dWorldStep and dWorldQuickStep.'
 *   a success is told: 'Callers dWorldStep and dWorldQuickStep return it.'
 *   a world without islands is a success: 'Docstring: there is nothing to be simulated.'
 *   many islands are stepped: 'Docstring: "each island can be simulated separately".'
 *   it can be done again and again: 'Callers do it for each step.'
 *   the calls of the stepper are estimated for the threads: 'util.h: dmaxcallcountestimate_fn_t (active, allowed).'
 *   the number of threads is limited: 'objects.h: dWorldSetStepIslandsProcessingMaxThreadCount.'
 *   the stepper may use as many threads as islands do: 'util.h: m_stepperAllowedThreads.'
 *   resources are allocated for the calls that are estimated: 'threading.h: preallocate, "enough resources".'
 *   resources are allocated before a call is posted: 'threading.h: preallocate, "to be able to handle posted calls".'
 *   without resources it fails: 'threading.h: preallocate returns 0; callers return false.'
 *   without resources nothing is stepped: 'threading.h: preallocate, "to be able to handle posted calls".'
 *   without resources no call is posted: 'threading.h: preallocate, "to be able to handle posted calls".'
 *   it waits until all is done: 'threading.h: wait_call; callers go on with the bodies.'
 *   a fault of a call is a failure: 'threading.h: post_call, out_summary_fault; callers return false.'
 *   after a failure it can be done again: 'Callers do it for each step.'
 *   a step moves the bodies: 'Caller dWorldStep.'
 *   a quick step moves the bodies: 'Caller dWorldQuickStep.'
 *   a step that fails is told by the world: 'objects.h: dWorldStep, "0 if memory allocation has failed".'
 ---*/
#include <ode/ode.h>
#include "config.h"
#include "objects.h"
#include "util.h"
#include "joints/joint.h"
#include "ok.h"

enum { MOST = 300 };

static dWorldID world;
static int steps, others, wrong, waited;
static int group_of_body[MOST], group_of_joint[MOST], seen_body[MOST], seen_joint[MOST];
static dBodyID bodies[MOST];
static dJointID joints[MOST];
static int nbodies, njoints;
static dReal size_seen;
static unsigned threads_seen, active_seen, allowed_seen, estimates;

static void stepper(const dxStepperProcessingCallContext *c)
{
    steps++;
    size_seen = c->m_stepSize;
    threads_seen = c->m_stepperAllowedThreads;
    if (c->m_world != world || !c->m_stepperArena) wrong++;
    for (unsigned i = 0; i < c->m_islandBodiesCount; i++)
        for (int k = 0; k < nbodies; k++)
            if (bodies[k] == c->m_islandBodiesStart[i]) {
                seen_body[k]++;
                group_of_body[k] = steps;
            }
    for (unsigned i = 0; i < c->m_islandJointsCount; i++)
        for (int k = 0; k < njoints; k++)
            if (joints[k] == c->m_islandJointsStart[i]) {
                seen_joint[k]++;
                group_of_joint[k] = steps;
            }
}

static void other(const dxStepperProcessingCallContext *)
{
    others++;
}

static sizeint memory(dxBody *const *, unsigned, dxJoint *const *, unsigned)
{
    return 1024;
}

static unsigned calls = 7;

static unsigned estimate(unsigned active, unsigned allowed)
{
    estimates++;
    active_seen = active;
    allowed_seen = allowed;
    return calls;
}

/* The library's own threading for one thread, with an eye on it. */
static dThreadingFunctionsInfo real, mine;
static unsigned preallocated, preallocations, posts, posts_before, threads = 1;
static bool no_resources, fault;
static int *summary;

static unsigned count_threads(dThreadingImplementationID)
{
    return threads;
}

static int preallocate(dThreadingImplementationID impl, ddependencycount_t count)
{
    preallocated = (unsigned)count;
    preallocations++;
    posts_before += posts;
    return no_resources ? 0 : real.preallocate_resources_for_calls(impl, count);
}

static void post(dThreadingImplementationID impl, int *out_fault, dCallReleaseeID *out, ddependencycount_t n,
                 dCallReleaseeID dependent, dCallWaitID wait, dThreadedCallFunction *f, void *context,
                 dcallindex_t index, const char *name)
{
    posts++;
    if (wait && out_fault) summary = out_fault;
    real.post_call(impl, out_fault, out, n, dependent, wait, f, context, index, name);
}

static void wait(dThreadingImplementationID impl, int *status, dCallWaitID id, const dThreadedWaitTime *time,
                 const char *name)
{
    waited++;
    real.wait_call(impl, status, id, time, name);
    if (fault && summary) *summary = 1;
}

static bool process(dReal size, dstepper_fn_t f)
{
    steps = others = wrong = waited = 0;
    posts = posts_before = preallocations = preallocated = estimates = 0;
    summary = NULL;
    memset(seen_body, 0, sizeof seen_body);
    memset(seen_joint, 0, sizeof seen_joint);
    dxWorldProcessIslandsInfo info;
    if (!dxReallocateWorldProcessContext(world, info, size, &memory)) return false;
    return dxProcessIslands(world, info, size, f, &estimate);
}

static dBodyID body()
{
    return bodies[nbodies++] = dBodyCreate(world);
}

static dJointID join(dBodyID a, dBodyID b)
{
    dJointID j = joints[njoints++] = dJointCreateBall(world, 0);
    if (a || b) dJointAttach(j, a, b);
    return j;
}

int main()
{
    dInitODE();
    world = dWorldCreate();
    dThreadingImplementationID impl = dThreadingAllocateSelfThreadedImplementation();
    real = mine = *dThreadingImplementationGetFunctions(impl);
    mine.retrieve_thread_count = &count_threads;
    mine.preallocate_resources_for_calls = &preallocate;
    mine.post_call = &post;
    mine.wait_call = &wait;
    dWorldSetStepThreadingImplementation(world, &mine, impl);
    bool good = process(0.5, &stepper);
    ok("a world without islands is a success", good && steps == 0);

    /* 0 - 1 - 2, 3 alone, 4 - 5 twice and to the world, 6 disabled alone, 7 - 8 disabled, 9 disabled with 3. */
    for (int i = 0; i < 10; i++) body();
    join(bodies[0], bodies[1]);
    join(bodies[2], bodies[1]);
    join(bodies[4], bodies[5]);
    join(bodies[5], bodies[4]);
    join(bodies[4], NULL);
    join(NULL, NULL);
    join(bodies[7], bodies[8]);
    join(bodies[9], bodies[3]);
    for (int i = 6; i < 10; i++) dBodyDisable(bodies[i]);
    good = process(0.25, &stepper);
    ok("a success is told", good);
    bool each = steps == 3;
    for (int i = 0; i < 6; i++) each = each && seen_body[i] == 1;
    ok("each island is stepped once", each && seen_body[9] == 1);
    ok("bodies that are connected are stepped together",
       group_of_body[0] == group_of_body[1] && group_of_body[1] == group_of_body[2] &&
       group_of_body[4] == group_of_body[5] && group_of_body[3] == group_of_body[9] &&
       group_of_body[0] != group_of_body[3] && group_of_body[0] != group_of_body[4] &&
       group_of_body[3] != group_of_body[4]);
    each = true;
    for (int i = 0; i < 5; i++) each = each && seen_joint[i] == 1;
    ok("joints are stepped with their bodies",
       each && seen_joint[7] == 1 && group_of_joint[0] == group_of_body[0] && group_of_joint[1] == group_of_body[0] &&
       group_of_joint[2] == group_of_body[4] && group_of_joint[3] == group_of_body[4] &&
       group_of_joint[4] == group_of_body[4] && group_of_joint[7] == group_of_body[3]);
    ok("joints that are not attached are not stepped", seen_joint[5] == 0);
    ok("islands of disabled bodies are not stepped",
       !seen_body[6] && !seen_body[7] && !seen_body[8] && !seen_joint[6] && !dBodyIsEnabled(bodies[7]));
    ok("disabled bodies of an active island are enabled", dBodyIsEnabled(bodies[9]) && seen_body[9] == 1);
    good = size_seen == (dReal)0.25 && !wrong;
    process(2, &stepper);
    ok("the world and the size of the step are passed", good && size_seen == 2 && !wrong && steps == 3);
    good = process(1, &other);
    ok("the stepper is the one given", good && others == 3 && steps == 0);
    good = true;
    for (int i = 0; i < 20; i++) good = good && process(0.1, &stepper) && steps == 3 && seen_body[0] == 1;
    ok("it can be done again and again", good);
    ok("it waits until all is done", waited == 1);

    threads = 5;
    calls = 50;
    dWorldSetStepIslandsProcessingMaxThreadCount(world, 3);
    good = process(0.1, &stepper) && steps == 3 && seen_body[0] == 1;
    ok("the calls of the stepper are estimated for the threads",
       good && estimates >= 1 && active_seen == 5 && allowed_seen == 3);
    ok("the stepper may use as many threads as islands do", threads_seen == 3);
    good = preallocations >= 1 && preallocated == 1 + 3 * 50 + 2;
    ok("resources are allocated for the calls that are estimated", good);
    ok("resources are allocated before a call is posted", posts_before == 0 && posts > 0);
    dWorldSetStepIslandsProcessingMaxThreadCount(world, 1);
    good = process(0.1, &stepper) && active_seen == 5 && allowed_seen == 1 && threads_seen == 1 && steps == 3;
    dWorldSetStepIslandsProcessingMaxThreadCount(world, 100);
    good = good && process(0.1, &stepper) && active_seen == 5 && allowed_seen == 5 && threads_seen == 5 && steps == 3;
    ok("the number of threads is limited", good);
    threads = 2;
    dWorldSetStepIslandsProcessingMaxThreadCount(world, 2);

    no_resources = true;
    good = process(0.1, &stepper);
    ok("without resources it fails", !good && preallocations >= 1);
    ok("without resources nothing is stepped", steps == 0);
    ok("without resources no call is posted", posts == 0);
    ok("a step that fails is told by the world", !dWorldStep(world, 0.1) && !dWorldQuickStep(world, 0.1));
    no_resources = false;
    fault = true;
    good = process(0.1, &stepper);
    ok("a fault of a call is a failure", !good && summary != NULL);
    fault = false;
    ok("after a failure it can be done again", process(0.1, &stepper) && steps == 3 && seen_body[0] == 1);

    int first = nbodies;
    for (int i = 0; i < 200; i++) {
        body();
        if (i % 2) join(bodies[nbodies - 1], bodies[nbodies - 2]);
    }
    good = process(0.1, &stepper) && steps == 103;
    for (int i = first; i < nbodies; i++) good = good && seen_body[i] == 1;
    for (int i = 8; i < njoints; i++) good = good && seen_joint[i] == 1;
    ok("many islands are stepped", good);

    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w), c = dBodyCreate(w);
    dBodySetLinearVel(b, 1, 2, 3);
    dBodySetLinearVel(c, -4, 0, 0);
    good = dWorldStep(w, 0.5) == 1;
    ok("a step moves the bodies",
       good && is3(dBodyGetPosition(b), 0.5, 1, 1.5, 1e-4) && is3(dBodyGetPosition(c), -2, 0, 0, 1e-4));
    good = dWorldQuickStep(w, 0.5) == 1;
    ok("a quick step moves the bodies",
       good && is3(dBodyGetPosition(b), 1, 2, 3, 1e-4) && is3(dBodyGetPosition(c), -4, 0, 0, 1e-4));
    plan();
    return 0;
}
