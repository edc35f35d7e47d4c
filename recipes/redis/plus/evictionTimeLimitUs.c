/*---
 * tasks: [0CBA565430D94C57]
 * instead: [src/evict.o]
 * tests:
 *   tenacity 0 gives the least latency: 'redis.conf: "0 = minimum latency".'
 *   a greater tenacity never shortens the limit: 'redis.conf: "Decreasing this value may reduce latency".'
 *   the limit grows over the whole range: 'Docstring: "converting tenacity (0-100) to a time limit".'
 *   the default leaves a short time: 'redis.conf: "designed to function well with the default"; "reduce latency".'
 *   tenacity 100 knows no limit: 'redis.conf: "100 = process without regard to latency".'
 *   below 100 there is a limit: 'redis.conf: only 100 is "without regard to latency".'
 *   the same tenacity gives the same limit: 'Docstring: "Algorithm for converting tenacity to a time limit".'
 *   the setting is left as it is: 'Docstring: it converts.'
 ---*/
#include "../evict.c"
#include "../testhelp.h"

static unsigned long limit(int tenacity) {
    server.maxmemory_eviction_tenacity = tenacity;
    return evictionTimeLimitUs();
}

int main(void) {
    const unsigned long second = 1000000, hour = 3600*second;
    int never = 1;
    for (int j = 0; j < 100; j++) if (limit(j) > limit(j+1)) never = 0;
    test_cond("tenacity 0 gives the least latency", limit(0) <= limit(10)/5);
    test_cond("a greater tenacity never shortens the limit", never);
    int grows = limit(0) < limit(5) && limit(5) < limit(10) && limit(10) < limit(15) && limit(15) < limit(30) &&
                limit(30) < limit(60) && limit(60) < limit(90) && limit(90) < limit(99) && limit(99) < limit(100);
    test_cond("the limit grows over the whole range", grows);
    test_cond("the default leaves a short time", limit(10) > 0 && limit(10) < second/10);
    test_cond("tenacity 100 knows no limit", limit(100) > 1000*hour);
    test_cond("below 100 there is a limit", limit(99) < hour && limit(50) < limit(99));
    test_cond("the same tenacity gives the same limit", limit(37) == limit(37) && limit(3) == limit(3));
    limit(42);
    test_cond("the setting is left as it is", server.maxmemory_eviction_tenacity == 42);
    test_report();
    return 0;
}
