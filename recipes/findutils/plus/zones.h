/* What the plus tests of time_rz.c share: the file itself, and an environment that can refuse to be changed. */
#ifndef ZONES_H
#define ZONES_H
#include "plus.h"
#undef setenv
#undef unsetenv
#undef putenv

int putenv(char *text);

/* Which of the next changes of the environment fails (1 for the first), how many there were, and what a successful one
 * leaves in errno. */
static int env_fails_at, env_changes, env_spoils;

static int env_put(const char *name, const char *value) {
    env_changes++;
    if (env_fails_at && --env_fails_at == 0) {
        errno = ENOMEM;
        return -1;
    }
    size_t size = strlen(name) + (value ? strlen(value) : 0) + 2;
    char *text = __libc_malloc(size);
    snprintf(text, size, "%s%s%s", name, value ? "=" : "", value ? value : "");
    int r = putenv(text);
    if (env_spoils) errno = env_spoils;
    return r;
}

__attribute__((used)) int setenv(const char *name, const char *value, int replace) {
    return !replace && getenv(name) ? 0 : env_put(name, value);
}

__attribute__((used)) int unsetenv(const char *name) {
    return env_put(name, NULL);
}

#include "../time_rz.c"
#include <limits.h>

#define EASTERN "EST5EDT,M3.2.0,M11.1.0"
#define INDIA "IST-5:30"
enum { ROOM = ABBR_SIZE_MIN };

/* Sets TZ (or, for NULL, unsets it) without any failure, and starts to count anew. */
static void at(const char *zone) {
    env_fails_at = env_spoils = 0;
    env_put("TZ", zone);
    tzset();
    env_changes = 0;
}

/* Whether TZ is that, or not set for NULL. */
static int tz_is(const char *zone) {
    return same(getenv("TZ"), zone);
}

/* Whether the C library works with the zone of that name and that many seconds west of Greenwich. */
static int works_with(const char *name, long west) {
    return same(tzname[0], name) && timezone == west;
}

static timezone_t zone(const char *name) {
    timezone_t tz = tzalloc(name);
    if (!tz) exit(2);
    return tz;
}

/* Whether the abbreviation of TM is NAME, kept in TZ. */
static int kept_in(timezone_t tz, const struct tm *tm, const char *name) {
    if (!same(tm->tm_zone, name)) return 0;
    for (; tz; tz = tz->next)
        if (tm->tm_zone >= tz->abbrs && tm->tm_zone < (char *)tz + plus_size(tz)) return 1;
    return 0;
}

static int reads(const struct tm *tm, int year, int month, int day, int hour, int minute, int second) {
    return tm->tm_year == year - 1900 && tm->tm_mon == month - 1 && tm->tm_mday == day && tm->tm_hour == hour &&
        tm->tm_min == minute && tm->tm_sec == second;
}

static struct tm moment(int year, int month, int day, int hour, int minute, int second, int isdst) {
    return (struct tm) {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day, .tm_hour = hour,
        .tm_min = minute, .tm_sec = second, .tm_isdst = isdst, .tm_wday = -1, .tm_yday = -1};
}

static const time_t winter = 1610730000, summer = 1626364800;   /* Noon of 15 January and 15 July 2021 in New York. */
#endif
