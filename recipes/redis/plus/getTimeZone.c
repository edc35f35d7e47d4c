/*---
 * tasks: [C9AD0CB2169AB708]
 * tests:
 *   in UTC it is 0: 'localtime.c: nolocks_localtime subtracts it from the time.'
 *   west of Greenwich it is positive: 'localtime.c: nolocks_localtime subtracts it from the time; POSIX: timezone.'
 *   east of Greenwich it is negative: 'localtime.c: nolocks_localtime subtracts it from the time; POSIX: timezone.'
 *   it is in seconds: 'localtime.c: nolocks_localtime subtracts it from seconds.'
 *   half hours and minutes are counted: 'Docstring: "Gets the proper timezone".'
 *   summer time is not in it: 'localtime.c: nolocks_localtime takes summer time as a parameter of its own, dst, and adds 3600 for it.'
 *   summer time of the south is not in it: 'localtime.c: nolocks_localtime takes summer time as a parameter of its own, dst, and adds 3600 for it.'
 *   a zone that has summer time has it now or not: 'localtime.c: nolocks_localtime takes summer time as a parameter of its own, dst, and adds 3600 for it.'
 *   another zone is seen after tzset: 'server.c: main calls tzset, for the global variable timezone.'
 *   local times in winter are those of the system: 'localtime.c: nolocks_localtime makes the local time of this offset and tm_isdst.'
 *   local times in summer are those of the system: 'localtime.c: nolocks_localtime makes the local time of this offset and tm_isdst.'
 *   local times in the east are those of the system: 'localtime.c: nolocks_localtime makes the local time of this offset and tm_isdst.'
 ---*/
#include "../server.h"
#include "../util.h"
#include "../testhelp.h"
#include <time.h>

void nolocks_localtime(struct tm *tmp, time_t t, time_t tz, int dst);

static long in(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
    return getTimeZone();
}

/* The server's own local time at `t` is the system's. */
static int agrees(const char *zone, time_t t) {
    struct tm own, system;
    setenv("TZ", zone, 1);
    tzset();
    localtime_r(&t, &system);
    nolocks_localtime(&own, t, getTimeZone(), system.tm_isdst);
    return own.tm_year == system.tm_year && own.tm_yday == system.tm_yday && own.tm_hour == system.tm_hour &&
           own.tm_min == system.tm_min && own.tm_sec == system.tm_sec;
}

int main(void) {
    const char *berlin = "CET-1CEST,M3.5.0,M10.5.0/3", *york = "EST5EDT,M3.2.0,M11.1.0";
    const time_t january = 1704800000, july = 1720500000;
    test_cond("in UTC it is 0", in("UTC0") == 0);
    test_cond("west of Greenwich it is positive", in("AAA3") > 0);
    test_cond("east of Greenwich it is negative", in("AAA-9") < 0);
    test_cond("it is in seconds", in("AAA3") == 10800 && in("AAA-9") == -32400);
    test_cond("half hours and minutes are counted", in("AAA-5:30") == -19800 && in("AAA3:30:15") == 12615);
    /* Summer time from the first day of the year to the last, and then none. */
    test_cond("summer time is not in it", in("AAA4BBB,0/0,J365/23") == 14400);
    test_cond("summer time of the south is not in it", in("AAA-10BBB,M10.1.0,M4.1.0/3") == -36000);
    test_cond("a zone that has summer time has it now or not", in(berlin) == -3600 && in(york) == 18000);
    test_cond("another zone is seen after tzset", in("AAA1") == 3600 && in("AAA2") == 7200 && in("UTC0") == 0);
    test_cond("local times in winter are those of the system", agrees(berlin, january) && agrees(york, january));
    test_cond("local times in summer are those of the system", agrees(berlin, july) && agrees(york, july));
    test_cond("local times in the east are those of the system",
              agrees("AAA-5:45", january) && agrees("AAA-14", july));
    test_report();
    return 0;
}
