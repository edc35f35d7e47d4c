/*---
 * tasks: [set_tz-17498a.2]
 * tests:
 *   a zone has its name: 'Comment of tzalloc: "a newly allocated time zone for NAME".'
 *   a zone has a name of its own: 'Comment of tzalloc: "newly allocated".'
 *   a zone with a name is set: 'time-internal.h: TZ_IS_SET, "the rule represents the TZ environment variable set".'
 *   a null byte more marks the end: 'time-internal.h: ABBRS, "The strings are followed by an extra null byte".'
 *   a null name is wall clock time: 'Comment of tzalloc: "A null NAME stands for wall clock time (like unset TZ)".'
 *   an empty name is a name: 'time-internal.h: TZ_IS_SET, "this may be the empty string".'
 *   a zone has no further abbreviations: 'time-internal.h: NEXT, "More abbreviations, should they be needed".'
 *   there is room for names of each length: 'Comment of tzalloc: "a newly allocated time zone for NAME".'
 *   there is room for abbreviations: 'Comment of ABBR_SIZE_MIN: "Minimum size of the ABBRS member".'
 *   abbreviations can be saved in each zone: 'save_abbr takes ABBR_SIZE_MIN bytes from ABBRS on for its own.'
 *   tzfree frees it: 'tzfree frees each block of a zone.'
 *   without memory there is no zone: 'Comment of tzalloc: "or NULL on failure".'
 *   tzalloc leaves the environment alone: 'Comment of tzalloc: it only allocates.'
 *   a zone that is set already is told: 'Comment: "Return LOCAL_TZ if the time zone setting is already correct".'
 *   an unset zone that is unset already is told: 'Comment: "Return LOCAL_TZ if the ... setting is already correct".'
 *   an empty zone that is set already is told: 'Comment: "Return LOCAL_TZ if the ... setting is already correct".'
 *   then nothing is changed: 'Comment: "the time zone setting is already correct".'
 *   another zone is set: 'Comment: "Temporarily set the time zone to TZ".'
 *   the C library works with it: 'Comment: "set the time zone to TZ"; callers call localtime_r and mktime.'
 *   the old setting is returned: 'Comment: "a newly allocated time zone representing the old setting".'
 *   the old setting is a copy: 'Comment: "newly allocated"; the environment is changed.'
 *   an unset zone can be the old setting: 'Comment: "a newly allocated time zone representing the old setting".'
 *   a zone can be unset: 'Comment: "Temporarily set the time zone to TZ"; time-internal.h: "an unset TZ".'
 *   empty and unset are not the same: 'time-internal.h: TZ_IS_SET, "this may be the empty string".'
 *   a beginning of the name is another zone: 'Comment: "already correct".'
 *   later abbreviations of the zone do not matter: 'time-internal.h: TZ is "the first "abbreviation"".'
 *   the zone stays: 'Comment: callers go on with TZ.'
 *   where the environment cannot be changed there is NULL: 'Comment: "or NULL (setting errno) on failure".'
 *   errno tells why: 'Comment: "or NULL (setting errno) on failure".'
 *   then nothing is left allocated: 'Comment: the caller gets NULL and has nothing to free.'
 *   where there is no memory there is NULL: 'Comment: "or NULL (setting errno) on failure".'
 *   after a failure the old zone is set: 'Comment: NULL; callers then return without revert_tz.'
 ---*/
#include "zones.h"

int main(void) {
    plus_start();
    at("UTC0");
    long live = plus_live_blocks;
    char name[500] = "CET-1CEST";
    timezone_t tz = tzalloc(name);
    ok("a zone has its name", tz && same(tz->abbrs, "CET-1CEST"));
    strcpy(name, "changed");
    ok("a zone has a name of its own", same(tz->abbrs, "CET-1CEST"));
    ok("a zone with a name is set", tz->tz_is_set);
    ok("a null byte more marks the end", tz->abbrs[10] == '\0');
    int next = tz->next == NULL;
    int room = plus_size(tz) >= offsetof(struct tm_zone, abbrs) + ROOM;
    tzfree(tz);
    ok("tzfree frees it", plus_dead(tz) && plus_live_blocks == live);
    tz = tzalloc(NULL);
    ok("a null name is wall clock time", tz && !tz->tz_is_set && tz->abbrs[0] == '\0');
    next &= tz->next == NULL;
    room &= plus_size(tz) >= offsetof(struct tm_zone, abbrs) + ROOM;
    tzfree(tz);
    tz = tzalloc("");
    ok("an empty name is a name", tz && tz->tz_is_set && tz->abbrs[0] == '\0' && tz->abbrs[1] == '\0');
    next &= tz->next == NULL;
    room &= plus_size(tz) >= offsetof(struct tm_zone, abbrs) + ROOM;
    tzfree(tz);
    ok("a zone has no further abbreviations", next);
    ok("there is room for abbreviations", room);
    int each = 1, saved = 1;
    for (size_t size = 0; size < 450; size++) {
        memset(name, 'N', size);
        name[size] = '\0';
        tz = tzalloc(name);
        each &= tz && tz->tz_is_set && same(tz->abbrs, name) && tz->abbrs[size + 1] == '\0' &&
            plus_size(tz) >= offsetof(struct tm_zone, abbrs) + size + 2;
        for (int i = 0; i < 40; i++) {
            char abbreviation[] = {'A' + i / 26, 'A' + i % 26, 'Z', 0};
            struct tm tm = {.tm_zone = abbreviation};
            saved &= save_abbr(tz, &tm) && kept_in(tz, &tm, abbreviation);
        }
        saved &= same(tz->abbrs, name);
        tzfree(tz);
    }
    ok("there is room for names of each length", each);
    ok("abbreviations can be saved in each zone", saved && plus_live_blocks == live);
    plus_fail_at = 1;
    tz = tzalloc("CET-1");
    plus_fail_at = 1;
    timezone_t none = tzalloc(NULL);
    plus_fail_at = 0;
    ok("without memory there is no zone", tz == NULL && none == NULL);
    ok("tzalloc leaves the environment alone", env_changes == 0 && tz_is("UTC0"));

    timezone_t eastern = zone(EASTERN), unset = zone(NULL), empty = zone(""), india = zone(INDIA);
    at(EASTERN);
    ok("a zone that is set already is told", set_tz(eastern) == local_tz);
    int nothing = env_changes == 0 && tz_is(EASTERN);
    at(NULL);
    ok("an unset zone that is unset already is told", set_tz(unset) == local_tz);
    nothing &= env_changes == 0 && tz_is(NULL);
    at("");
    ok("an empty zone that is set already is told", set_tz(empty) == local_tz);
    ok("then nothing is changed", nothing && env_changes == 0 && tz_is(""));

    at(EASTERN);
    timezone_t old = set_tz(india);
    ok("another zone is set", tz_is(INDIA));
    ok("the C library works with it", works_with("IST", -19800));
    ok("the old setting is returned", old && old != local_tz && plus_live(old) && old->tz_is_set);
    at("XXX3");
    ok("the old setting is a copy", same(old->abbrs, EASTERN) && old != eastern);
    tzfree(old);
    at(NULL);
    old = set_tz(india);
    ok("an unset zone can be the old setting", old && old != local_tz && !old->tz_is_set && tz_is(INDIA));
    tzfree(old);
    at(INDIA);
    old = set_tz(unset);
    ok("a zone can be unset", old && old != local_tz && tz_is(NULL) && old->tz_is_set && same(old->abbrs, INDIA));
    tzfree(old);
    at("");
    old = set_tz(unset);
    int differ = old && old != local_tz && old->tz_is_set && old->abbrs[0] == '\0' && tz_is(NULL);
    tzfree(old);
    at(NULL);
    old = set_tz(empty);
    ok("empty and unset are not the same", differ && old && old != local_tz && !old->tz_is_set && tz_is(""));
    tzfree(old);
    timezone_t part = zone("IST-5");
    at(INDIA);
    old = set_tz(part);
    int other = old && old != local_tz && tz_is("IST-5");
    tzfree(old);
    at("IST-5");
    old = set_tz(india);
    ok("a beginning of the name is another zone", other && old && old != local_tz && tz_is(INDIA));
    tzfree(old);
    struct tm tm = {.tm_zone = "XYZ"};
    if (!save_abbr(india, &tm)) exit(2);
    at(INDIA);
    other = set_tz(india) == local_tz;
    at("XYZ");
    old = set_tz(india);
    ok("later abbreviations of the zone do not matter", other && old && old != local_tz && tz_is(INDIA));
    tzfree(old);
    ok("the zone stays", india->tz_is_set && same(india->abbrs, INDIA) && plus_live(india) && plus_live(unset));

    at(EASTERN);
    old = set_tz(india);
    tzfree(old);
    at(EASTERN);
    live = plus_live_blocks;
    env_fails_at = 1;
    errno = 0;
    old = set_tz(india);
    int why = errno;
    ok("where the environment cannot be changed there is NULL", old == NULL);
    ok("errno tells why", why == ENOMEM);
    int still = tz_is(EASTERN) && works_with("EST", 18000);
    at(EASTERN);
    env_fails_at = 1;
    errno = 0;
    int unsets = set_tz(unset) == NULL && errno == ENOMEM && tz_is(EASTERN);
    ok("then nothing is left allocated", unsets && plus_live_blocks == live);
    at(EASTERN);
    plus_fail_at = 1;
    errno = 0;
    old = set_tz(india);
    why = errno;
    plus_fail_at = 0;
    ok("where there is no memory there is NULL", old == NULL && why == ENOMEM);
    ok("after a failure the old zone is set", still && tz_is(EASTERN) && works_with("EST", 18000));
    return plus_end();
}
