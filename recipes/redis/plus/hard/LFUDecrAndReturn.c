/*---
 * tasks: [evictionPoolPopulate-a95d96.4, evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * tests:
 *   the counter is returned when no time has passed: 'Comment: "Return the object frequency counter".'
 *   the counter is the low eight bits: 'Comment at LFU: 16 bits last access time, 8 bits LOG_C.'
 *   each minute takes one off by default: 'redis.conf: lfu-decay-time, "the time, in minutes"; default 1.'
 *   the longer the time the more is taken off: 'Comment: "according to the times of elapsed time than server.lfu_decay_time".'
 *   only whole periods count: 'Comment: "decrement the counter according to the times of elapsed time".'
 *   the counter does not fall below zero: 'Comment: counter; the bits are unsigned.'
 *   a counter that reaches zero exactly is zero: 'Comment: counter.'
 *   a counter of zero stays zero: 'Comment: counter.'
 *   a long time does not wrap the counter: 'Comment at LFU: 16 bits of minutes against 8 bits of counter.'
 *   with a decay time of zero nothing is taken off: 'redis.conf: "A special value of 0 means we will never decay the counter".'
 *   a clock of minutes that wrapped is considered: 'LFUTimeElapsed: "considering the time as wrapping exactly once".'
 *   the minutes are those of the server: 'LFUGetTimeInMinutes: server.unixtime.'
 *   the object is left as it was: 'Comment: "but do not update LFU fields of the object".'
 *   a second call returns the same: 'Comment: "do not update LFU fields of the object".'
 *   OBJECT FREQ tells the decayed counter: 'object.c, objectCommand: "in case of the key has not been accessed for a long time".'
 *   an access counts from the decayed counter: 'db.c, updateLFU: "decrement the counter if the decrement time is reached".'
 ---*/
#include "start.h"
#include "../testhelp.h"

static robj object = {.type = OBJ_STRING, .encoding = OBJ_ENCODING_INT, .refcount = 3};
static int kept = 1;

/* The counter that is returned so many minutes after the access at that minute. */
static unsigned long after(unsigned long minute, unsigned long minutes, unsigned long counter) {
    server.unixtime = (minute+minutes)*60;
    object.lru = (minute<<8)|counter;
    unsigned long got = LFUDecrAndReturn(&object);
    if (object.lru != ((minute<<8)|counter) || object.refcount != 3 || object.encoding != OBJ_ENCODING_INT) kept = 0;
    return got;
}

int main(void) {
    startRedis();
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LFU;
    int byDefault = server.lfu_decay_time;
    server.lfu_decay_time = 1;
    test_cond("the counter is returned when no time has passed", after(1000,0,5) == 5 && after(0,0,100) == 100);
    test_cond("the counter is the low eight bits", after(65535,0,255) == 255 && after(0x1234,0,0x80) == 0x80);
    test_cond("each minute takes one off by default", after(1000,1,5) == 4 && after(1000,3,5) == 2);
    test_cond("a counter that reaches zero exactly is zero", after(1000,5,5) == 0 && after(1000,255,255) == 0);
    test_cond("the counter does not fall below zero", after(1000,6,5) == 0 && after(1000,256,255) == 0);
    test_cond("a counter of zero stays zero", after(1000,0,0) == 0 && after(1000,1,0) == 0);
    test_cond("a long time does not wrap the counter", after(1000,300,255) == 0 && after(0,65000,255) == 0 &&
              after(0,256,10) == 0 && after(0,257,10) == 0);
    server.lfu_decay_time = 10;
    test_cond("only whole periods count", after(1000,9,50) == 50 && after(1000,10,50) == 49 && after(1000,19,50) == 49 &&
              after(1000,20,50) == 48);
    server.lfu_decay_time = 3;
    test_cond("the longer the time the more is taken off", after(1000,300,200) == 100 && after(1000,597,200) == 1 &&
              after(1000,600,200) == 0);
    server.lfu_decay_time = 0;
    test_cond("with a decay time of zero nothing is taken off", after(1000,60000,200) == 200 && after(1000,1,1) == 1);
    server.lfu_decay_time = 1;
    test_cond("a clock of minutes that wrapped is considered", after(65530,16,200) == 185 && after(65535,1+100,200) == 100);
    server.unixtime = 60*5000;
    object.lru = (4990<<8)|100;
    unsigned long first = LFUDecrAndReturn(&object);
    test_cond("a second call returns the same", first == 90 && LFUDecrAndReturn(&object) == 90);
    server.unixtime = 60*5000+59;
    unsigned long same = LFUDecrAndReturn(&object);
    server.unixtime++;
    test_cond("the minutes are those of the server", byDefault == 1 && same == 90 && LFUDecrAndReturn(&object) == 89);
    test_cond("the object is left as it was", kept && object.lru == ((4990<<8)|100));

    client *c = fakeClient();
    robj *key = createStringObject("key",3), *o = createStringObject("v",1);
    dbAdd(c->db,key,o);
    o->lru = (4990<<8)|100;
    const char *words[] = {"object","freq","key"};
    setArguments(c,3,words);
    objectCommand(c);
    test_cond("OBJECT FREQ tells the decayed counter", replied(c,":89\r\n"));
    server.lfu_log_factor = 0;
    updateLFU(o);
    test_cond("an access counts from the decayed counter", (o->lru & 255) == 90 && o->lru >> 8 == 5001);
    test_report();
    return 0;
}
