/*---
 * tasks: [mktime_z-78f06c]
 * tests:
 *   the time is computed in the zone: 'Comment: "Use time zone TZ to compute mktime (TM)".'
 *   daylight saving time is found: 'Comment: "compute mktime (TM)"; a negative tm_isdst leaves it open.'
 *   the given daylight saving time is heeded: 'Comment: "compute mktime (TM)"; tm_isdst.'
 *   fields out of range are normalized: 'Comment: "compute mktime (TM)".'
 *   all other fields are set: 'Comment: "compute mktime (TM)"; mktime_ok looks at tm_wday.'
 *   without a zone it is universal time: 'The callers of time_rz.c: a null zone is UTC, as of localtime_rz.'
 *   universal time is normalized too: 'Comment: as mktime, with timegm.'
 *   universal time leaves the zone alone: 'Comment of set_tz: only for TZ is it set.'
 *   an unset zone is wall clock time: 'Comment of tzalloc: "A null NAME stands for wall clock time".'
 *   an empty zone can be used: 'time-internal.h: TZ_IS_SET, "this may be the empty string".'
 *   the second before the epoch is no error: 'parse-datetime.y: mktime failure is inferred by tm_wday, not by -1.'
 *   the setting is restored: 'Comment of set_tz: "Temporarily set the time zone".'
 *   an unset setting is restored: 'Comment of set_tz: "Temporarily set the time zone".'
 *   a zone that is set already is not set again: 'Comment of set_tz: "LOCAL_TZ if the ... setting is ... correct".'
 *   the abbreviation lives as long as the zone: 'time-internal.h: "Abbreviations ... are live until tzfree".'
 *   what was in the other fields does not matter: 'Comment: "compute mktime (TM)", which ignores them.'
 *   a date that has no time gives -1: 'Comment: "compute mktime (TM)".'
 *   then the day of the week stays negative: 'parse-datetime.y: "negative tm_wday is how ... failure is inferred".'
 *   then the setting is restored: 'Comment of set_tz: "Temporarily set the time zone".'
 *   then errno tells why: 'Comment of revert_tz: "preserving errno".'
 *   a zone that cannot be set gives -1: 'Comment of set_tz: "or NULL (setting errno) on failure".'
 *   a setting that cannot be restored gives -1: 'Comment of revert_tz: "false (setting errno) otherwise".'
 *   an abbreviation that cannot be saved gives -1: 'Comment of save_abbr: "false (setting errno) otherwise".'
 *   then too the day of the week stays negative: 'parse-datetime.y: "a negative tm_wday is how failure is inferred".'
 *   nothing is left allocated: 'set_tz returns the old setting "newly allocated".'
 ---*/
#include "zones.h"

int main(void) {
    plus_start();
    at("UTC0");
    timezone_t eastern = zone(EASTERN), india = zone(INDIA), unset = zone(NULL), empty = zone(""), utc = zone("UTC0");
    at(INDIA);
    struct tm tm = moment(2021, 1, 15, 12, 0, 0, -1);
    time_t t = mktime_z(eastern, &tm);
    ok("the time is computed in the zone", t == winter && reads(&tm, 2021, 1, 15, 12, 0, 0));
    int fields = tm.tm_wday == 5 && tm.tm_yday == 14 && tm.tm_isdst == 0 && tm.tm_gmtoff == -18000;
    int lives = kept_in(eastern, &tm, "EST"), restored = tz_is(INDIA) && works_with("IST", -19800);
    struct tm other = moment(2021, 7, 15, 12, 0, 0, -1);
    t = mktime_z(eastern, &other);
    ok("daylight saving time is found", t == summer && reads(&other, 2021, 7, 15, 12, 0, 0) && other.tm_isdst > 0);
    fields &= other.tm_wday == 4 && other.tm_yday == 195 && other.tm_gmtoff == -14400;
    ok("all other fields are set", fields);
    lives &= kept_in(eastern, &other, "EDT") && kept_in(eastern, &tm, "EST");
    tm = moment(2021, 1, 15, 12, 0, 0, 1);
    t = mktime_z(eastern, &tm);
    int heeded = t == winter - 3600 && reads(&tm, 2021, 1, 15, 11, 0, 0) && tm.tm_isdst == 0;
    tm = moment(2021, 7, 15, 12, 0, 0, 0);
    t = mktime_z(eastern, &tm);
    ok("the given daylight saving time is heeded",
       heeded && t == summer + 3600 && reads(&tm, 2021, 7, 15, 13, 0, 0) && tm.tm_isdst > 0);
    tm = moment(2020, 14, 31, 25, 61, -1, 0);
    t = mktime_z(india, &tm);
    ok("fields out of range are normalized", reads(&tm, 2021, 3, 4, 2, 0, 59) && tm.tm_wday == 4 && t == 1614803459);
    tm = moment(2021, 1, 15, 22, 30, 0, 0);
    tm.tm_yday = 300;
    tm.tm_wday = 77;
    tm.tm_gmtoff = 12345;
    tm.tm_zone = "XXX";
    t = mktime_z(india, &tm);
    ok("what was in the other fields does not matter", t == winter && tm.tm_yday == 14 && tm.tm_wday == 5 &&
       tm.tm_gmtoff == 19800 && kept_in(india, &tm, "IST"));

    env_changes = 0;
    tm = moment(2021, 7, 15, 16, 0, 0, -1);
    t = mktime_z(NULL, &tm);
    ok("without a zone it is universal time", t == summer && tm.tm_wday == 4 && tm.tm_yday == 195 && tm.tm_isdst == 0);
    tm = moment(2021, 6, 45, 16, 0, 0, 0);
    t = mktime_z(NULL, &tm);
    ok("universal time is normalized too", t == summer && reads(&tm, 2021, 7, 15, 16, 0, 0));
    ok("universal time leaves the zone alone", env_changes == 0 && tz_is(INDIA) && works_with("IST", -19800));
    at(NULL);
    struct tm wall = moment(2021, 1, 15, 12, 0, 0, -1);
    time_t expected = mktime(&wall);
    tm = moment(2021, 1, 15, 12, 0, 0, -1);
    t = mktime_z(eastern, &tm);
    ok("an unset setting is restored", t == winter && tz_is(NULL));
    at(INDIA);
    tm = moment(2021, 1, 15, 12, 0, 0, -1);
    t = mktime_z(unset, &tm);
    ok("an unset zone is wall clock time", t == expected && tz_is(INDIA));
    restored &= works_with("IST", -19800);
    tm = moment(2021, 7, 15, 16, 0, 0, 0);
    t = mktime_z(empty, &tm);
    ok("an empty zone can be used", t == summer && tz_is(INDIA) && works_with("IST", -19800));
    tm = moment(1969, 12, 31, 23, 59, 59, 0);
    errno = 0;
    t = mktime_z(utc, &tm);
    int second = t == -1 && tm.tm_wday == 3 && tm.tm_yday == 364;
    tm = moment(1969, 12, 31, 18, 59, 59, 0);
    t = mktime_z(eastern, &tm);
    second &= t == -1 && tm.tm_wday == 3 && kept_in(eastern, &tm, "EST");
    ok("the second before the epoch is no error", second);
    ok("the setting is restored", restored && tz_is(INDIA));
    at(EASTERN);
    tm = moment(2021, 7, 15, 12, 0, 0, -1);
    t = mktime_z(eastern, &tm);
    ok("a zone that is set already is not set again", t == summer && env_changes == 0 && tz_is(EASTERN));
    ok("the abbreviation lives as long as the zone", lives && kept_in(eastern, &tm, "EDT"));

    at(INDIA);
    struct tm late = moment(2021, 1, 1, 0, 0, 0, 0);
    late.tm_year = INT_MAX;
    late.tm_mon = 24;
    late.tm_yday = 5;
    tm = late;
    errno = 0;
    t = mktime_z(eastern, &tm);
    int why = errno;
    ok("a date that has no time gives -1", t == -1);
    ok("then the day of the week stays negative", tm.tm_wday == -1);
    ok("then the setting is restored", tz_is(INDIA) && works_with("IST", -19800));
    ok("then errno tells why", why == EOVERFLOW);
    tm = moment(2021, 1, 15, 12, 0, 0, -1);
    env_fails_at = 1;
    errno = 0;
    t = mktime_z(eastern, &tm);
    ok("a zone that cannot be set gives -1", t == -1 && errno == ENOMEM && tz_is(INDIA));
    int negative = tm.tm_wday < 0;
    env_fails_at = 2;
    errno = 0;
    t = mktime_z(eastern, &tm);
    ok("a setting that cannot be restored gives -1", t == -1 && errno == ENOMEM);
    negative &= tm.tm_wday < 0;

    char name[300];
    memset(name, 'L', 200);
    strcpy(name + 200, "5");
    at(name);
    localtime(&winter);
    int saved = 1, failed = 0, reached = 0;
    for (int n = 1; n < 60; n++) {
        at(INDIA);
        timezone_t fresh = zone(name);
        tm = moment(2021, 1, 15, 12, 0, 0, 0);
        plus_fail_at = n;
        t = mktime_z(fresh, &tm);
        int used = plus_fail_at == 0;
        plus_fail_at = 0;
        reached |= !used;
        if (t == -1) {
            failed++;
            negative &= tm.tm_wday < 0;
        } else {
            char kept[300];
            strcpy(kept, name);
            kept[200] = '\0';
            saved &= t == winter && kept_in(fresh, &tm, kept);
        }
        if (!used) saved &= t == winter;
        saved &= tz_is(INDIA);
        tzfree(fresh);
        if (!used) break;
    }
    ok("an abbreviation that cannot be saved gives -1", saved && failed >= 2 && reached);
    ok("then too the day of the week stays negative", negative);

    long live = 0;
    for (int n = 0; n < 80; n++) {
        at(n % 2 ? INDIA : "UTC0");
        if (n == 20) live = plus_live_blocks;
        tm = moment(2021, 1, 15, 12, 0, 0, -1);
        mktime_z(eastern, &tm);
        mktime_z(india, &tm);
        tm = late;
        mktime_z(eastern, &tm);
        tm = moment(2021, 1, 15, 12, 0, 0, -1);
        env_fails_at = 2;
        mktime_z(eastern, &tm);
    }
    ok("nothing is left allocated", plus_live_blocks - live < 20);
    return plus_end();
}
