/*---
 * tasks: [srt.sync.FormatTimeSys-d020dd]
 * tests:
 *   now is the time of the system: 'Docstring: "steady clock timepoint relative to the current system time".'
 *   a second later is a second later: 'Docstring: "relative to the current system time".'
 *   a second ago is a second earlier: 'Docstring: "relative to the current system time".'
 *   less than a second later in the same second: 'Docstring: "HH:MM:SS.us".'
 *   less than a second later in the next second: 'Docstring: "HH:MM:SS.us".'
 *   less than a second ago in the same second: 'Docstring: "HH:MM:SS.us".'
 *   less than a second ago in the second before: 'Docstring: "HH:MM:SS.us".'
 *   a whole second is no second too late: 'Docstring: "HH:MM:SS.us".'
 *   several seconds and a half ago: 'Docstring: "HH:MM:SS.us"; test: -4350 ms.'
 *   hours later and hours ago: 'Docstring: "HH:MM:SS.us".'
 *   the next day and the day before: 'Docstring: "HH:MM:SS.us".'
 *   many days later and many days ago: 'steady_clock: a count of 64 bits.'
 *   microseconds have leading zeros: 'Docstring: "HH:MM:SS.us"; test: six digits.'
 *   seconds and minutes and hours have two digits: 'Docstring: "HH:MM:SS.us".'
 *   it is the local time: 'Caller SysLocalTime; docstring: "system time".'
 *   a time zone of half an hour counts: 'Caller SysLocalTime; docstring: "system time".'
 *   the end tells the clock: 'Docstring: "[SYS]", test: "[SYST]".'
 *   the same time is printed the same way: 'test_sync.cpp: "Same time formated again".'
 *   many times are right: 'Docstring: "relative to the current system time".'
 ---*/
#include "platform_sys.h"
#include "sync.h"
#include "plus.h"
#include <string>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

using namespace srt::sync;

/* Clocks that stand still, and are within their seconds by the same part. */
static bool still;
static int64_t monotonic, system_time;

static timespec spec(int64_t us)
{
    timespec t;
    t.tv_sec = us / 1000000;
    t.tv_nsec = us % 1000000 * 1000;
    return t;
}

extern "C" int clock_gettime(clockid_t clock, timespec *t)
{
    if (!still) return syscall(SYS_clock_gettime, clock, t);
    const bool real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    *t = spec(real ? system_time : monotonic);
    return 0;
}

extern "C" int gettimeofday(timeval *t, void *zone)
{
    timespec s;
    clock_gettime(CLOCK_REALTIME, &s);
    t->tv_sec = s.tv_sec;
    t->tv_usec = s.tv_nsec / 1000;
    return 0;
}

extern "C" time_t time(time_t *to)
{
    timespec s;
    clock_gettime(CLOCK_REALTIME, &s);
    if (to) *to = s.tv_sec;
    return s.tv_sec;
}

static steady_clock::time_point later(int64_t us)
{
    return steady_clock::time_point() + microseconds_from(monotonic + us);
}

/* What is printed of a time so many microseconds from now, up to the name of the clock. */
static std::string text(int64_t us)
{
    const std::string all = FormatTimeSys(later(us));
    return all.substr(0, all.find(" ["));
}

static bool is(int64_t us, const char *wanted)
{
    return text(us) == wanted;
}

static void zone(const char *name)
{
    setenv("TZ", name, 1);
    tzset();
}

static const int64_t S = 1000000, M = 60 * S, H = 60 * M, D = 24 * H;

/* The time since midnight, in UTC. */
static std::string reference(int64_t us)
{
    char buffer[100];
    sprintf(buffer, "%02d:%02d:%02d.%06d", int(us % D / H), int(us % H / M), int(us % M / S), int(us % S));
    return buffer;
}

/* Sets both clocks: the system's time of the day, and with it that of the other one. */
static void set(int64_t of_day)
{
    system_time = 19000 * D + of_day;
    monotonic = 50 * D + 123 * S + of_day % S;
    still = true;
}

int main()
{
    zone("UTC0");
    set(10 * H + 20 * M + 30 * S + 250000);
    ok("now is the time of the system", is(0, "10:20:30.250000"));
    ok("a second later is a second later", is(S, "10:20:31.250000") && is(30 * S, "10:21:00.250000"));
    ok("a second ago is a second earlier", is(-S, "10:20:29.250000") && is(-31 * S, "10:19:59.250000"));
    ok("less than a second later in the same second", is(500000, "10:20:30.750000") && is(749999, "10:20:30.999999"));
    ok("less than a second later in the next second", is(750001, "10:20:31.000001") && is(900000, "10:20:31.150000"));
    ok("less than a second ago in the same second", is(-100000, "10:20:30.150000") && is(-249999, "10:20:30.000001"));
    ok("less than a second ago in the second before",
       is(-250001, "10:20:29.999999") && is(-900000, "10:20:29.350000"));
    ok("a whole second is no second too late",
       is(750000, "10:20:31.000000") && is(-250000, "10:20:30.000000") && is(-1250000, "10:20:29.000000"));
    ok("several seconds and a half ago", is(-4350000, "10:20:25.900000") && is(-4000001, "10:20:26.249999"));
    ok("hours later and hours ago", is(5 * H + 45 * M, "16:05:30.250000") && is(-8 * H - 21 * M, "01:59:30.250000"));
    ok("the next day and the day before",
       is(14 * H, "00:20:30.250000") && is(-10 * H - 20 * M - 31 * S, "23:59:59.250000") && is(D, "10:20:30.250000"));
    ok("many days later and many days ago",
       is(40 * D + H, "11:20:30.250000") && is(-40 * D - H, "09:20:30.250000") && is(3000 * D, "10:20:30.250000"));
    {
        set(3 * H + 4 * M + 5 * S + 7);
        ok("microseconds have leading zeros", is(0, "03:04:05.000007") && is(93, "03:04:05.000100"));
        ok("seconds and minutes and hours have two digits", is(0, "03:04:05.000007") && is(-7, "03:04:05.000000"));
    }
    {
        set(10 * H + 20 * M + 30 * S + 250000);
        zone("PLUS-3");
        const bool east = is(0, "13:20:30.250000") && is(-500000, "13:20:29.750000");
        zone("MINUS+11");
        ok("it is the local time", east && is(0, "23:20:30.250000") && is(D, "23:20:30.250000"));
        zone("HALF-5:30");
        ok("a time zone of half an hour counts", is(0, "15:50:30.250000") && is(M, "15:51:30.250000"));
        zone("UTC0");
    }
    {
        const std::string all = FormatTimeSys(later(5));
        const size_t name = all.find(" [SYS");
        ok("the end tells the clock",
           name == 15 && all[all.size() - 1] == ']' && all.size() - name <= 7);
        ok("the same time is printed the same way", FormatTimeSys(later(5)) == all &&
           FormatTimeSys(later(5)) == all && all.substr(0, 15) == "10:20:30.250005");
    }
    {
        bool good = true;
        uint32_t chance = 77;
        for (int i = 0; i < 2000; i++) {
            chance = chance * 1664525u + 1013904223u;
            const int64_t day = int64_t(chance) * 20 % D;
            set(day);
            chance = chance * 1664525u + 1013904223u;
            int64_t us = int64_t(chance >> 4) % (i % 2 ? 3 * S : 2 * H);
            if (chance & 8) us = -us;
            good = good && text(us) == reference((day + us + D) % D);
        }
        ok("many times are right", good);
    }
    return plus_end();
}
