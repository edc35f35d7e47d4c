/*---
 * tasks: [revert_tz-e8918b.3]
 * tests:
 *   change_env sets the zone: 'Comment: "Change the environment to match the specified timezone_t value".'
 *   change_env unsets the zone: 'time-internal.h: TZ_IS_SET, "Otherwise, it represents an unset TZ".'
 *   change_env sets an empty zone: 'time-internal.h: TZ_IS_SET, "this may be the empty string".'
 *   change_env takes the first abbreviation alone: 'time-internal.h: TZ is "the first "abbreviation"".'
 *   the abbreviations of an unset zone are no setting: 'time-internal.h: "Otherwise, it represents an unset TZ".'
 *   the C library works with the zone: 'Comment of save_abbr and set_tz: the time zone is set, not TZ alone.'
 *   change_env tells of success: 'Comment: "Return true if successful".'
 *   change_env tells of failure: 'Comment: "false (setting errno) otherwise".'
 *   change_env sets errno: 'Comment: "false (setting errno) otherwise".'
 *   change_env keeps the zone: 'Callers go on with TZ.'
 *   revert_tz restores the zone: 'Comment: "Restore an old setting returned by set_tz".'
 *   revert_tz restores an unset zone: 'Comment: "Restore an old setting returned by set_tz".'
 *   the C library works with the old zone: 'Comment: "Restore an old setting returned by set_tz".'
 *   revert_tz frees the old setting: 'set_tz returns it "newly allocated"; callers forget it.'
 *   revert_tz frees all of the old setting: 'time-internal.h: NEXT; tzfree.'
 *   revert_tz tells of success: 'Comment: "Return true (preserving errno) if successful".'
 *   revert_tz preserves errno: 'Comment: "Return true (preserving errno) if successful".'
 *   for the local zone nothing is changed: 'Comment of set_tz: LOCAL_TZ where the setting is already correct.'
 *   for the local zone errno is preserved: 'Comment: "Return true (preserving errno) if successful".'
 *   revert_tz tells of failure: 'Comment: "false (setting errno) otherwise".'
 *   revert_tz sets errno then: 'Comment: "false (setting errno) otherwise".'
 *   revert_tz frees the old setting then too: 'Callers forget it in any case.'
 *   localtime_rz computes local time: 'Comment: "Use time zone TZ to compute localtime_r (T, TM)".'
 *   localtime_rz computes daylight saving time: 'Comment: "compute localtime_r (T, TM)".'
 *   localtime_rz returns its argument: 'As localtime_r does.'
 *   without a zone it computes universal time: 'parse-datetime.y and others: a null zone is UTC.'
 *   with an unset zone it computes wall clock time: 'Comment of tzalloc: "A null NAME stands for wall clock time".'
 *   the setting is restored: 'Comment of set_tz: "Temporarily set the time zone".'
 *   an unset setting is restored: 'Comment of set_tz: "Temporarily set the time zone".'
 *   a zone that is set already is not set again: 'Comment of set_tz: "LOCAL_TZ if the ... setting is ... correct".'
 *   the abbreviation lives as long as the zone: 'time-internal.h: "Abbreviations ... are live until tzfree".'
 *   further abbreviations are kept: 'time-internal.h: "Abbreviations never move once allocated".'
 *   a time that has no date gives NULL: 'As localtime_r does.'
 *   then the setting is restored: 'Comment of set_tz: "Temporarily set the time zone".'
 *   then errno tells why: 'Comment of revert_tz: "preserving errno".'
 *   a zone that cannot be set gives NULL: 'Comment of set_tz: "or NULL (setting errno) on failure".'
 *   a setting that cannot be restored gives NULL: 'Comment of revert_tz: "false (setting errno) otherwise".'
 *   an abbreviation that cannot be saved gives NULL: 'Comment of save_abbr: "false (setting errno) otherwise".'
 *   nothing is left allocated: 'set_tz returns the old setting "newly allocated".'
 ---*/
#include "zones.h"

static void change_tests(void) {
    timezone_t india = zone(INDIA), unset = zone(NULL), empty = zone("");
    struct tm tm = {.tm_zone = "XYZ"};
    if (!save_abbr(india, &tm) || !save_abbr(unset, &tm)) exit(2);
    at("UTC0");
    int first = change_env(india);
    ok("change_env sets the zone", tz_is(INDIA));
    int works = works_with("IST", -19800);
    int second = change_env(unset);
    ok("change_env unsets the zone", tz_is(NULL));
    ok("the abbreviations of an unset zone are no setting", tz_is(NULL) && same(unset->abbrs, "XYZ"));
    int third = change_env(empty);
    ok("change_env sets an empty zone", tz_is(""));
    at("UTC0");
    change_env(india);
    ok("change_env takes the first abbreviation alone", tz_is(INDIA) && same(india->abbrs + sizeof(INDIA), "XYZ"));
    timezone_t eastern = zone(EASTERN);
    works &= change_env(eastern) && works_with("EST", 18000) && daylight;
    ok("the C library works with the zone", works);
    ok("change_env tells of success", first && second && third);
    at("UTC0");
    env_fails_at = 1;
    errno = 0;
    int fails = !change_env(india), told = errno == ENOMEM && tz_is("UTC0");
    env_fails_at = 1;
    errno = 0;
    fails &= !change_env(unset);
    told &= errno == ENOMEM && tz_is("UTC0");
    ok("change_env tells of failure", fails);
    ok("change_env sets errno", told);
    ok("change_env keeps the zone", plus_live(india) && plus_live(unset) && plus_live(empty) && india->tz_is_set &&
       !unset->tz_is_set);
}

static void revert_tests(void) {
    at(INDIA);
    timezone_t old = zone(EASTERN);
    env_spoils = EPERM;
    errno = ENOENT;
    int success = revert_tz(old), preserved = errno == ENOENT;
    ok("revert_tz restores the zone", tz_is(EASTERN));
    int works = works_with("EST", 18000);
    ok("revert_tz frees the old setting", plus_dead(old));
    at(INDIA);
    old = zone(NULL);
    env_spoils = EPERM;
    errno = 0;
    success &= revert_tz(old);
    preserved &= errno == 0;
    ok("revert_tz restores an unset zone", tz_is(NULL) && plus_dead(old));
    ok("revert_tz tells of success", success);
    ok("revert_tz preserves errno", preserved);
    at(EASTERN);
    revert_tz(zone(INDIA));
    ok("the C library works with the old zone", works && works_with("IST", -19800));
    old = zone(EASTERN);
    timezone_t next = old->next = zone("NEXT");
    timezone_t last = next->next = zone("LAST");
    revert_tz(old);
    ok("revert_tz frees all of the old setting", plus_dead(old) && plus_dead(next) && plus_dead(last));
    at(INDIA);
    errno = EACCES;
    int same_zone = revert_tz(local_tz), kept = errno == EACCES;
    ok("for the local zone nothing is changed", same_zone && env_changes == 0 && tz_is(INDIA));
    errno = 0;
    ok("for the local zone errno is preserved", kept && revert_tz(local_tz) && errno == 0);
    old = zone(EASTERN);
    env_fails_at = 1;
    errno = 0;
    int fails = !revert_tz(old);
    int why = errno;
    ok("revert_tz tells of failure", fails && tz_is(INDIA));
    ok("revert_tz sets errno then", why == ENOMEM);
    ok("revert_tz frees the old setting then too", plus_dead(old));
}

static void localtime_tests(void) {
    timezone_t eastern = zone(EASTERN), india = zone(INDIA), unset = zone(NULL);
    struct tm tm, *r;
    at(INDIA);
    memset(&tm, 0x55, sizeof(tm));
    r = localtime_rz(eastern, &winter, &tm);
    int argument = r == &tm;
    ok("localtime_rz computes local time", reads(&tm, 2021, 1, 15, 12, 0, 0) && tm.tm_isdst == 0 && tm.tm_wday == 5 &&
       tm.tm_yday == 14 && tm.tm_gmtoff == -18000);
    int restored = tz_is(INDIA) && works_with("IST", -19800), lives = kept_in(eastern, &tm, "EST");
    struct tm other;
    r = localtime_rz(eastern, &summer, &other);
    ok("localtime_rz computes daylight saving time", r == &other && reads(&other, 2021, 7, 15, 12, 0, 0) &&
       other.tm_isdst > 0 && other.tm_gmtoff == -14400);
    restored &= tz_is(INDIA) && works_with("IST", -19800);
    ok("further abbreviations are kept", kept_in(eastern, &other, "EDT") && kept_in(eastern, &tm, "EST"));
    ok("localtime_rz returns its argument", argument);
    at(EASTERN);
    r = localtime_rz(eastern, &summer, &tm);
    ok("a zone that is set already is not set again",
       r == &tm && env_changes == 0 && reads(&tm, 2021, 7, 15, 12, 0, 0));
    lives &= kept_in(eastern, &tm, "EDT");
    r = localtime_rz(india, &winter, &tm);
    lives &= r == &tm && reads(&tm, 2021, 1, 15, 22, 30, 0) && kept_in(india, &tm, "IST");
    ok("the abbreviation lives as long as the zone", lives);
    ok("the setting is restored", restored && tz_is(EASTERN) && works_with("EST", 18000));
    memset(&tm, 0x55, sizeof(tm));
    env_changes = 0;
    r = localtime_rz(NULL, &summer, &tm);
    ok("without a zone it computes universal time", r == &tm && reads(&tm, 2021, 7, 15, 16, 0, 0) &&
       tm.tm_isdst == 0 && tm.tm_gmtoff == 0 && env_changes == 0);
    at(NULL);
    struct tm wall = *localtime(&winter);
    r = localtime_rz(india, &winter, &tm);
    ok("an unset setting is restored", r == &tm && reads(&tm, 2021, 1, 15, 22, 30, 0) && tz_is(NULL));
    at(INDIA);
    r = localtime_rz(unset, &winter, &tm);
    ok("with an unset zone it computes wall clock time", r == &tm && tm.tm_hour == wall.tm_hour &&
       tm.tm_mday == wall.tm_mday && tm.tm_gmtoff == wall.tm_gmtoff && tz_is(INDIA));

    at(INDIA);
    time_t never = (time_t)1 << 60;
    errno = 0;
    r = localtime_rz(eastern, &never, &tm);
    int why = errno;
    ok("a time that has no date gives NULL", r == NULL);
    ok("then the setting is restored", tz_is(INDIA) && works_with("IST", -19800));
    ok("then errno tells why", why == EOVERFLOW);
    env_fails_at = 1;
    errno = 0;
    r = localtime_rz(eastern, &winter, &tm);
    ok("a zone that cannot be set gives NULL", r == NULL && errno == ENOMEM && tz_is(INDIA));
    env_fails_at = 2;
    errno = 0;
    r = localtime_rz(eastern, &winter, &tm);
    ok("a setting that cannot be restored gives NULL", r == NULL && errno == ENOMEM);

    char name[300];
    memset(name, 'L', 200);
    strcpy(name + 200, "5");
    at(name);
    localtime(&winter);
    name[200] = '\0';
    int saved = 1, failed = 0, reached = 0;
    for (int n = 1; n < 60; n++) {
        timezone_t tz = zone("UTC0");
        at(INDIA);
        name[200] = '5';
        timezone_t fresh = zone(name);
        name[200] = '\0';
        tm.tm_zone = NULL;
        plus_fail_at = n;
        r = localtime_rz(fresh, &winter, &tm);
        int used = plus_fail_at == 0;
        plus_fail_at = 0;
        reached |= !used;
        if (r) saved &= r == &tm && kept_in(fresh, &tm, name);
        else failed++;
        if (!used) saved &= r != NULL;
        saved &= tz_is(INDIA);
        tzfree(fresh);
        tzfree(tz);
        if (!used) break;
    }
    ok("an abbreviation that cannot be saved gives NULL", saved && failed >= 2 && reached);

    long live = 0;
    for (int n = 0; n < 80; n++) {
        at(n % 2 ? INDIA : "UTC0");
        if (n == 20) live = plus_live_blocks;
        localtime_rz(eastern, &winter, &tm);
        localtime_rz(eastern, &never, &tm);
        localtime_rz(india, &summer, &tm);
        env_fails_at = 2;
        localtime_rz(eastern, &winter, &tm);
    }
    ok("nothing is left allocated", plus_live_blocks - live < 20);
}

int main(void) {
    plus_start();
    at("UTC0");
    change_tests();
    revert_tests();
    localtime_tests();
    return plus_end();
}
