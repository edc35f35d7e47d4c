/*---
 * tasks: [F586455FB012D15B]
 * instead: [src/monotonic.o]
 * tests:
 *   the POSIX clock is of the POSIX type: 'monotonic.h: "Return the type of monotonic clock being used".'
 *   the clock of the processor is of the hardware type:
 *     'monotonic.h; server.c: call() uses it if its cost is very low.'
 *   after the start the type is that of the clock that was chosen: 'monotonic.h: monotonicInfoString says which.'
 *   a later change of the clock is seen: 'monotonic.h: the clock "being used".'
 *   asking leaves the clock as it is: 'monotonic.h: it returns the type.'
 ---*/
/* Both clocks are compiled in, so that one of them is used and the other is not. */
#define USE_PROCESSOR_CLOCK
#include "../fmacros.h"
#include <string.h>
#include <stdio.h>
#include "../monotonic.c"
#undef assert
#include "../testhelp.h"

#if defined(__x86_64__) && defined(__linux__)
#define PROCESSOR getMonotonicUs_x86
#elif defined(__aarch64__)
#define PROCESSOR getMonotonicUs_aarch64
#endif

int main(void) {
    /* Where the processor's clock can't be used, the start says so on stderr, without a newline. */
    setvbuf(stdout,NULL,_IONBF,0);
    getMonotonicUs = getMonotonicUs_posix;
    int posix = monotonicGetType() == MONOTONIC_CLOCK_POSIX;
    test_cond("the POSIX clock is of the POSIX type", posix);
    int kept = getMonotonicUs == getMonotonicUs_posix, hardware = 1, back = 1;
#ifdef PROCESSOR
    mono_ticksPerMicrosecond = 1000;
    getMonotonicUs = PROCESSOR;
    hardware = monotonicGetType() == MONOTONIC_CLOCK_HW;
    kept = kept && getMonotonicUs == PROCESSOR;
    getMonotonicUs = getMonotonicUs_posix;
    back = monotonicGetType() == MONOTONIC_CLOCK_POSIX;
#endif
    test_cond("the clock of the processor is of the hardware type", hardware);
    test_cond("a later change of the clock is seen", back && hardware);
    test_cond("asking leaves the clock as it is", kept);

    getMonotonicUs = NULL;
    const char *info = monotonicInit();
    fprintf(stderr,"\n");
    monotonic_clock_type type = strncmp(info,"POSIX",5) == 0 ? MONOTONIC_CLOCK_POSIX : MONOTONIC_CLOCK_HW;
    test_cond("after the start the type is that of the clock that was chosen", monotonicGetType() == type);
    test_report();
    return 0;
}
