/*---
 * tasks: [setlocale_null_r-ab0184]
 * tests:
 *   a success is 0: 'setlocale_null.h: "The return value is an error code: 0 if the call is successful".'
 *   the name is in the buffer: 'setlocale_null.h: "it returns the resulting locale ... name in the ... buffer BUF".'
 *   each category has its name: 'setlocale_null.h: "like setlocale (CATEGORY, NULL)".'
 *   all categories together have one: 'setlocale_null.h: "for CATEGORY == LC_ALL".'
 *   a name that just fits is a success: 'setlocale_null.h: ERANGE "if BUFSIZE is smaller than the length".'
 *   the null byte counts: 'setlocale_null.h: "length needed size (including the trailing NUL byte)".'
 *   a name that does not fit is ERANGE: 'setlocale_null.h: "ERANGE if BUFSIZE is smaller than the length needed".'
 *   it is truncated: 'setlocale_null.h: "In the latter case, a truncated result is returned in BUF".'
 *   it still ends with a null byte: 'setlocale_null.h: "still NUL-terminated if BUFSIZE > 0".'
 *   a buffer of one byte gets the null byte: 'setlocale_null.h: "still NUL-terminated if BUFSIZE > 0".'
 *   a buffer of no bytes is not written: 'setlocale_null.h: "which must be BUFSIZE bytes long".'
 *   nothing is written behind the buffer: 'setlocale_null.h: "which must be BUFSIZE bytes long".'
 *   an invalid category is EINVAL: 'setlocale_null.h: "EINVAL if CATEGORY is invalid".'
 *   an invalid category does not write behind the buffer: 'setlocale_null.h: "must be BUFSIZE bytes long".'
 *   the longest names of one category fit: 'setlocale_null.h: SETLOCALE_NULL_MAX, the recommended size.'
 *   the longest names of all categories fit: 'setlocale_null.h: SETLOCALE_NULL_ALL_MAX, the recommended size.'
 *   the name of an empty locale is empty: 'setlocale_null.h: "like setlocale (CATEGORY, NULL)".'
 *   the locale is not changed: 'setlocale_null.h: "like setlocale (CATEGORY, NULL)".'
 ---*/
#include "plus.h"
#include "../../lib/setlocale_null.c"
#undef setlocale

/* Stands in for the setlocale of the C library, so that any name can be given to a category. */
static const char *names[32];
static int changes;

char *setlocale(int category, const char *locale) {
    if (locale) changes++;
    return category >= 0 && category < 32 ? (char *)names[category] : NULL;
}

static char room[5000];

static int ask(int category, size_t size) {
    memset(room, '#', sizeof(room));
    return setlocale_null_r(category, room, size);
}

/* Whether nothing at all is written from SIZE on. */
static int clean(size_t size) {
    for (size_t i = size; i < sizeof(room); i++) if (room[i] != '#') return 0;
    return 1;
}

int main(void) {
    static const int categories[] = {LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES};
    static const char *own[] = {"C.UTF-8", "de_DE", "fr_FR.ISO-8859-1", "C", "ja_JP.EUC-JP", "POSIX"};
    enum { N = sizeof(categories) / sizeof(*categories) };
    plus_start();
    for (int i = 0; i < N; i++) names[categories[i]] = own[i];
    names[LC_ALL] = "LC_CTYPE=C.UTF-8;LC_NUMERIC=de_DE;LC_TIME=C";
    int r = ask(LC_CTYPE, 100);
    ok("a success is 0", r == 0);
    ok("the name is in the buffer", !memcmp(room, "C.UTF-8", 8));
    int good = 1;
    for (int i = 0; i < N; i++) good &= ask(categories[i], 100) == 0 && !memcmp(room, own[i], strlen(own[i]) + 1);
    ok("each category has its name", good);
    good = ask(LC_ALL, 100) == 0 && !memcmp(room, names[LC_ALL], strlen(names[LC_ALL]) + 1);
    ok("all categories together have one", good);
    good = ask(LC_CTYPE, 8) == 0 && !memcmp(room, "C.UTF-8", 8);
    int within = clean(8);
    good &= ask(LC_COLLATE, 2) == 0 && !memcmp(room, "C", 2);
    within &= clean(2);
    ok("a name that just fits is a success", good);
    r = ask(LC_CTYPE, 7);
    ok("the null byte counts", r == ERANGE);
    within &= clean(7);
    int range = 1, cut = 1, ended = 1;
    for (size_t size = 1; size < 8; size++) {
        range &= ask(LC_CTYPE, size) == ERANGE;
        cut &= !memcmp(room, "C.UTF-8", size - 1);
        ended &= room[size - 1] == '\0';
        within &= clean(size);
    }
    size_t whole = strlen(names[LC_ALL]);
    range &= ask(LC_ALL, 10) == ERANGE && ask(LC_ALL, whole) == ERANGE && ask(LC_ALL, whole + 1) == 0;
    within &= clean(whole + 1);
    ok("a name that does not fit is ERANGE", range);
    ok("it is truncated", cut);
    ok("it still ends with a null byte", ended);
    r = ask(LC_NUMERIC, 1);
    ok("a buffer of one byte gets the null byte", r == ERANGE && room[0] == '\0' && clean(1));
    r = ask(LC_NUMERIC, 0);
    good = r == ERANGE && clean(0);
    ok("a buffer of no bytes is not written", good && ask(LC_ALL, 0) == ERANGE && clean(0));
    ok("nothing is written behind the buffer", within);
    names[LC_TIME] = NULL;
    good = ask(LC_TIME, 100) == EINVAL && ask(LC_TIME, 1) == EINVAL;
    ok("an invalid category is EINVAL", good && ask(99, 100) == EINVAL && ask(-1, 100) == EINVAL &&
       ask(99, 0) == EINVAL);
    good = ask(99, 0) == EINVAL && clean(0);
    good &= ask(99, 1) == EINVAL && clean(1);
    ok("an invalid category does not write behind the buffer", good && ask(-1, 5) == EINVAL && clean(5));
    char text[SETLOCALE_NULL_ALL_MAX];
    memset(text, 'x', sizeof(text));
    text[SETLOCALE_NULL_MAX - 1] = '\0';
    names[LC_CTYPE] = text;
    r = ask(LC_CTYPE, SETLOCALE_NULL_MAX);
    ok("the longest names of one category fit", r == 0 && same(room, text) && clean(SETLOCALE_NULL_MAX));
    text[SETLOCALE_NULL_MAX - 1] = 'x';
    text[SETLOCALE_NULL_ALL_MAX - 1] = '\0';
    names[LC_ALL] = text;
    r = ask(LC_ALL, SETLOCALE_NULL_ALL_MAX);
    ok("the longest names of all categories fit", r == 0 && same(room, text) && clean(SETLOCALE_NULL_ALL_MAX));
    names[LC_NUMERIC] = "";
    r = ask(LC_NUMERIC, 1);
    ok("the name of an empty locale is empty", r == 0 && room[0] == '\0' && clean(1));
    ok("the locale is not changed", changes == 0);
    return plus_end();
}
