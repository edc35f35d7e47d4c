/*---
 * tasks: [metis_rcode-c89a5d]
 * tests:
 *   no signal is METIS_OK: 'Callers: sigrval is 0 if nothing was caught; "METIS_OK ... returned normally".'
 *   SIGMEM is an error of memory: 'pmetis.c: "METIS_ERROR_MEMORY ... could not allocate the required memory".'
 *   SIGERR is another error: 'metis.h: METIS_ERROR, "Some other errors"; gk_errexit raises SIGERR.'
 *   any other code is another error: 'metis.h: METIS_ERROR, "Some other errors".'
 *   a caught lack of memory becomes the code: 'Callers: gk_sigcatch gives the signal that gk_errexit raised.'
 *   a caught error becomes the code: 'Callers: gk_sigcatch gives the signal that gk_errexit raised.'
 ---*/
#include "plus.h"

/* What a function of the interface returns if this signal is raised on its way. */
static int returned(int raised) {
    volatile int value = 0;
    gk_sigtrap();
    value = gk_sigcatch();
    if (value == 0) gk_errexit(raised, "expected by a test");
    gk_siguntrap();
    return metis_rcode(value);
}

int main(void) {
    ok("no signal is METIS_OK", metis_rcode(0) == METIS_OK);
    ok("SIGMEM is an error of memory", metis_rcode(SIGMEM) == METIS_ERROR_MEMORY);
    ok("SIGERR is another error", metis_rcode(SIGERR) == METIS_ERROR);
    ok("any other code is another error", metis_rcode(SIGINT) == METIS_ERROR && metis_rcode(SIGSEGV) == METIS_ERROR &&
                                              metis_rcode(1) == METIS_ERROR && metis_rcode(64) == METIS_ERROR);
    ok("a caught lack of memory becomes the code", returned(SIGMEM) == METIS_ERROR_MEMORY);
    ok("a caught error becomes the code", returned(SIGERR) == METIS_ERROR);
    return done();
}
