/*---
 * tasks: [evictionPoolPopulate-a95d96.2, evictionPoolPopulate-a95d96.4, evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   an object used just now has been idle for no time: 'Comment: "number of milliseconds the object was never requested".'
 *   the idle time is that since the object was used: 'Comment: "number of milliseconds the object was never requested".'
 *   it is given in milliseconds: 'Comment: "milliseconds"; server.h: LRU_CLOCK_RESOLUTION.'
 *   an object that was used at clock zero is old: 'Comment: robj.lru is a time of the LRU clock.'
 *   long times do not overflow: 'Signature: unsigned long long; a clock of 24 bits by 1000 ms needs more than 32.'
 *   a clock that wrapped is unwrapped: 'object.c, objectSetLRUOrLFU: "This be handled by the unwrapping code in estimateObjectIdleTime".'
 *   what RESTORE sets as idle time is given back: 'object.c, objectSetLRUOrLFU: "an lru_idle of 1000 should be near LRU_CLOCK_MAX".'
 *   the longest wrapped time is right: 'object.c, objectSetLRUOrLFU adds LRU_CLOCK_MAX.'
 *   the clock is read anew at each call: 'evict.c, LRU_CLOCK: "used to obtain the current LRU clock".'
 *   the object is left as it was: 'Comment: it returns; lookupKey alone updates the time.'
 *   OBJECT IDLETIME tells it in seconds: 'object.c, objectCommand: divided by 1000.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static unsigned long long idle(unsigned int clock, unsigned int lru) {
    robj o = {.type = OBJ_STRING, .lru = lru, .refcount = 1};
    server.lruclock = clock;
    unsigned long long ms = estimateObjectIdleTime(&o);
    return o.lru == lru ? ms : 123456789;
}

int main(void) {
    startRedis();
    server.hz = 10;
    const unsigned long long tick = LRU_CLOCK_RESOLUTION;
    test_cond("an object used just now has been idle for no time", idle(5000,5000) == 0 && idle(0,0) == 0 &&
              idle(LRU_CLOCK_MAX,LRU_CLOCK_MAX) == 0);
    test_cond("the idle time is that since the object was used", idle(5000,4999) == tick && idle(5000,4000) == 1000*tick);
    test_cond("it is given in milliseconds", idle(5060,5000) == 60000);
    test_cond("an object that was used at clock zero is old", idle(77,0) == 77*tick);
    test_cond("long times do not overflow", idle(LRU_CLOCK_MAX,0) == LRU_CLOCK_MAX*tick &&
              idle(LRU_CLOCK_MAX,1) == (LRU_CLOCK_MAX-1)*tick);
    test_cond("a clock that wrapped is unwrapped", idle(10,LRU_CLOCK_MAX-990) == 1000*tick &&
              idle(0,LRU_CLOCK_MAX-1) == tick && idle(5,LRU_CLOCK_MAX-4) == 9*tick);
    test_cond("the longest wrapped time is right", idle(10,11) == (LRU_CLOCK_MAX-1)*tick &&
              idle(10000000,10000001) == (LRU_CLOCK_MAX-1)*tick);
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    robj *o = createStringObject("v",1);
    int same = 1;
    for (int j = 0; j < 4; j++) {
        unsigned int clocks[] = {10,2000,2000,LRU_CLOCK_MAX}, idles[] = {1000,2000,1,LRU_CLOCK_MAX};
        server.lruclock = clocks[j];
        objectSetLRUOrLFU(o,-1,idles[j],clocks[j],1000);
        if (estimateObjectIdleTime(o) != idles[j]*tick) same = 0;
    }
    test_cond("what RESTORE sets as idle time is given back", same);
    o->lru = 100;
    server.lruclock = 100;
    unsigned long long first = estimateObjectIdleTime(o);
    server.lruclock = 101;
    unsigned long long second = estimateObjectIdleTime(o);
    server.lruclock = 99;
    test_cond("the clock is read anew at each call", first == 0 && second == tick &&
              estimateObjectIdleTime(o) == (LRU_CLOCK_MAX-1)*tick);
    test_cond("the object is left as it was", o->lru == 100 && o->refcount == 1 && o->type == OBJ_STRING &&
              !strcmp(o->ptr,"v"));
    client *c = fakeClient();
    robj *key = createStringObject("key",3);
    dbAdd(c->db,key,o);
    o->lru = 100;
    server.lruclock = 142;
    const char *words[] = {"object","idletime","key"};
    setArguments(c,3,words);
    objectCommand(c);
    test_cond("OBJECT IDLETIME tells it in seconds", replied(c,":42\r\n"));
    test_report();
    return 0;
}
