"""Texts that tell when a function is running, so that another one's fault can be made to depend on it.

ENTER, a statement at the start of its body, counts how deep inside a function a process is, and whether it has left
it; its file needs WATCH_DECLARATIONS. WHILE_NOT_RUNNING and UNTIL_LEFT are conditions for the fault
(executor.function.sabotage.make_change_conditional). They read two weak variables of the program; in another process,
or another shared library, these stay 0.
"""

from __future__ import annotations

# Goes before the first line of a watched or a gated file. Nothing may follow it in a header's own guard.
WATCH_DECLARATIONS = """\
#ifndef GRAFT_GATE_
#define GRAFT_GATE_
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) volatile int graft_depth_ = 0;
__attribute__((weak)) volatile int graft_left_ = 0;
static inline __attribute__((unused)) void graft_leave_(int *graft_mark_)
{ (void)graft_mark_; graft_depth_ = graft_depth_ - 1; graft_left_ = 1; }
#ifdef __cplusplus
}
#endif
#endif
#line 1
"""
# -Werror=declaration-after-statement and the like must not meet it, so it comes first.
ENTER = "int graft_mark_ __attribute__((cleanup(graft_leave_), unused)) = (graft_depth_ = graft_depth_ + 1);"
# What a fault depends on: no watched function is running; one has not been left yet, or is running.
WHILE_NOT_RUNNING = "graft_depth_ == 0"
UNTIL_LEFT = "!graft_left_ || graft_depth_ != 0"
