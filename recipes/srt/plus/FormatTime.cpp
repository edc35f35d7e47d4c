/*---
 * tasks: [srt.sync.FormatTime-20a930]
 * tests:
 *   the example is printed so: 'Docstring: "Example: 1D 02:12:56.123456".'
 *   zero is printed as zero: 'Docstring: "HH:MM:SS.us".'
 *   one microsecond has leading zeros: 'Docstring: "us", six digits in the example.'
 *   microseconds in the middle have zeros on both sides: 'Docstring: "us", six digits in the example.'
 *   all microseconds of a second: 'Docstring: "us", six digits in the example.'
 *   a whole second has six zeros: 'Docstring: "us", six digits in the example.'
 *   seconds end at sixty: 'Docstring: "HH:MM:SS.us".'
 *   minutes end at sixty: 'Docstring: "HH:MM:SS.us".'
 *   hours end at twenty four: 'Docstring: "days HH:MM:SS.us".'
 *   each of hours and minutes and seconds has two digits: 'Docstring: "HH:MM:SS.us"; "02" in the example.'
 *   without a whole day there are no days: 'Docstring: "days HH:MM:SS.us"; test: "Day may be missing if zero".'
 *   one day is told: 'Docstring: "1D" in the example.'
 *   many days are told: 'Docstring: "days HH:MM:SS.us".'
 *   a time of many years is right: 'steady_clock: a count of 64 bits.'
 *   many times are right: 'Docstring: "days HH:MM:SS.us".'
 *   there are as many digits as the clock has: 'clockSubsecondPrecision: "number of decimals in a subsecond".'
 *   the end tells the clock: 'Docstring: "[STD]", test: "[STDY]".'
 *   the current time is printed: 'Docstring: a time point of the steady clock; most callers give now.'
 ---*/
#include "platform_sys.h"
#include "sync.h"
#include "plus.h"
#include <cinttypes>
#include <string>

using namespace srt::sync;

static steady_clock::time_point at(int64_t us)
{
    return steady_clock::time_point() + microseconds_from(us);
}

/* What is printed, up to the name of the clock. */
static std::string text(int64_t us)
{
    const std::string all = FormatTime(at(us));
    return all.substr(0, all.find(" ["));
}

static bool is(int64_t us, const char *wanted)
{
    return text(us) == wanted;
}

static const int64_t S = 1000000, M = 60 * S, H = 60 * M, D = 24 * H;

static std::string reference(int64_t us)
{
    char buffer[100];
    char *to = buffer;
    if (us >= D) to += sprintf(to, "%" PRId64 "D ", us / D);
    sprintf(to, "%02d:%02d:%02d.%06d", int(us % D / H), int(us % H / M), int(us % M / S), int(us % S));
    return buffer;
}

int main()
{
    ok("the example is printed so", is(D + 2 * H + 12 * M + 56 * S + 123456, "1D 02:12:56.123456"));
    ok("zero is printed as zero", is(0, "00:00:00.000000"));
    ok("one microsecond has leading zeros", is(1, "00:00:00.000001") && is(5 * S + 42, "00:00:05.000042"));
    ok("microseconds in the middle have zeros on both sides", is(1200, "00:00:00.001200"));
    ok("all microseconds of a second", is(999999, "00:00:00.999999") && is(S + 999999, "00:00:01.999999"));
    ok("a whole second has six zeros", is(S, "00:00:01.000000") && is(37 * S, "00:00:37.000000"));
    ok("seconds end at sixty", is(59 * S, "00:00:59.000000") && is(M - 1, "00:00:59.999999") &&
       is(M, "00:01:00.000000") && is(M + S, "00:01:01.000000"));
    ok("minutes end at sixty", is(H - 1, "00:59:59.999999") && is(H, "01:00:00.000000") &&
       is(H + M, "01:01:00.000000"));
    ok("hours end at twenty four", is(D - 1, "23:59:59.999999") && is(D, "1D 00:00:00.000000") &&
       is(D + H, "1D 01:00:00.000000"));
    ok("each of hours and minutes and seconds has two digits",
       is(3 * H + 4 * M + 5 * S + 6, "03:04:05.000006") && is(13 * H + 14 * M + 15 * S + 161718, "13:14:15.161718"));
    ok("without a whole day there are no days", text(1).find('D') == std::string::npos &&
       text(D - S).find('D') == std::string::npos && is(12 * H, "12:00:00.000000"));
    ok("one day is told", is(D + 1, "1D 00:00:00.000001") && is(2 * D - 1, "1D 23:59:59.999999"));
    ok("many days are told", is(2 * D, "2D 00:00:00.000000") && is(10 * D + M, "10D 00:01:00.000000") &&
       is(365 * D + 23 * H + 7, "365D 23:00:00.000007"));
    ok("a time of many years is right", is(100000 * D + 5 * H + 6 * M + 7 * S + 89, "100000D 05:06:07.000089"));
    {
        bool good = true;
        uint64_t chance = 99;
        for (int i = 0; i < 3000; i++) {
            chance = chance * 6364136223846793005u + 1442695040888963407u;
            const int64_t us = int64_t(chance >> 20) % ((i % 3 == 0 ? 3000 * D : i % 3 == 1 ? 3 * D : 2 * H));
            good = good && text(us) == reference(us);
        }
        ok("many times are right", good);
    }
    {
        const std::string one = text(S), two = text(3 * D + 17);
        const size_t digits = clockSubsecondPrecision();
        ok("there are as many digits as the clock has", one.size() == 9 + digits && one[8] == '.' &&
           two.size() == 3 + 9 + digits && FormatTime(at(0)).find(" [") == 9 + digits);
    }
    {
        bool good = true;
        for (int64_t us : {int64_t(0), int64_t(1), D + 1}) {
            const std::string all = FormatTime(at(us));
            const size_t name = all.find(" [STD");
            good = good && name != std::string::npos && all[all.size() - 1] == ']' && all.size() - name <= 7;
        }
        ok("the end tells the clock", good);
    }
    {
        const steady_clock::time_point now = steady_clock::now();
        const int64_t us = count_microseconds(now.time_since_epoch());
        ok("the current time is printed", text(us) == reference(us) && FormatTime(now) == FormatTime(at(us)));
    }
    return plus_end();
}
