/*---
 * tasks: [8B7D3882CF9CBFEC]
 * tests:
 *   the precomputed clock is returned: 'Docstring: "If the current resolution is lower than the frequency we refresh the LRU clock [...] we return the precomputed value".'
 *   it is read anew at each call: 'Docstring: "used to obtain the current LRU clock".'
 *   a clock of zero is returned as it is: 'Docstring: "we return the precomputed value".'
 *   the highest clock is returned as it is: 'Docstring: "we return the precomputed value"; server.h: LRU_CLOCK_MAX.'
 *   with the default frequency it is precomputed: 'Docstring: "as it should be in production servers"; redis.conf: hz 10.'
 *   with a high frequency it is precomputed: 'Docstring: "If the current resolution is lower than the frequency".'
 *   with a low frequency it is precomputed: 'Docstring: two refreshes a second are still more than LRU_CLOCK_RESOLUTION, a second, asks for.'
 *   the precomputed clock is left as it was: 'server.c: serverCron alone refreshes it.'
 *   idle times count from the precomputed clock: 'evict.c: estimateObjectIdleTime.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static unsigned int at(int hz, unsigned int clock) {
    server.hz = hz;
    server.lruclock = clock;
    return LRU_CLOCK();
}

int main(void) {
    test_cond("with the default frequency it is precomputed", at(10, 4711) == 4711);
    test_cond("the precomputed clock is returned", at(100, 99) == 99);
    server.lruclock = 100;
    unsigned int next = LRU_CLOCK();
    server.lruclock = 101;
    test_cond("it is read anew at each call", next == 100 && LRU_CLOCK() == 101);
    test_cond("a clock of zero is returned as it is", at(10, 0) == 0);
    test_cond("the highest clock is returned as it is", at(10, LRU_CLOCK_MAX) == LRU_CLOCK_MAX);
    test_cond("with a high frequency it is precomputed", at(CONFIG_MAX_HZ, 12345) == 12345);
    test_cond("with a low frequency it is precomputed", at(2, 777) == 777 && at(3, 778) == 778);
    test_cond("the precomputed clock is left as it was", (LRU_CLOCK(), server.lruclock == 778));
    robj o = {.lru = 770};
    test_cond("idle times count from the precomputed clock",
              estimateObjectIdleTime(&o) == 8 * LRU_CLOCK_RESOLUTION);
    test_report();
    return 0;
}
