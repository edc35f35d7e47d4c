/*---
 * tasks: [hard_locale-16710c]
 * tests:
 *   the C locale is not hard: 'hard-locale.h: "different from the C or POSIX locale".'
 *   the POSIX locale is not hard: 'hard-locale.h: "different from the C or POSIX locale".'
 *   another locale is hard: 'hard-locale.h: "Return true if ... different from the C or POSIX locale".'
 *   a locale whose name begins like C is hard: 'hard-locale.h: "different from the C ... locale".'
 *   a locale whose name begins like POSIX is hard: 'hard-locale.h: "different from the C or POSIX locale".'
 *   a beginning of POSIX is hard: 'hard-locale.h: "different from the C or POSIX locale".'
 *   the category that is asked for counts: 'hard-locale.h: "the specified CATEGORY of the current locale".'
 *   a hard locale of another category does not count: 'hard-locale.h: "the specified CATEGORY".'
 *   the longest names are hard: 'setlocale_null.h: SETLOCALE_NULL_MAX, "assume a maximum length 256".'
 *   the answer follows the current locale: 'hard-locale.h: "the current locale".'
 *   the locale is not changed: 'hard-locale.h: it only tells.'
 ---*/
#include "plus.h"
#include "../../lib/hard-locale.c"
#include <locale.h>
#undef setlocale

/* Stands in for the setlocale of the C library, so that any name can be given to a category. */
static const char *names[32];
static int changes;

char *setlocale(int category, const char *locale) {
    if (locale) changes++;
    return category >= 0 && category < 32 ? (char *)names[category] : NULL;
}

static void all(const char *name) {
    for (int i = 0; i < 32; i++) names[i] = name;
}

static int hard(const char *name) {
    all(name);
    return hard_locale(LC_CTYPE);
}

int main(void) {
    static const int categories[] = {LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES};
    enum { N = sizeof(categories) / sizeof(*categories) };
    plus_start();
    ok("the C locale is not hard", !hard("C"));
    ok("the POSIX locale is not hard", !hard("POSIX"));
    ok("another locale is hard", hard("en_US.UTF-8") && hard("de_DE") && hard("french"));
    ok("a locale whose name begins like C is hard", hard("C.UTF-8") && hard("Cherokee") && hard("CC"));
    ok("a locale whose name begins like POSIX is hard", hard("POSIX.UTF-8") && hard("POSIX2"));
    ok("a beginning of POSIX is hard", hard("P") && hard("POSI"));
    int own = 1, others = 1;
    for (int i = 0; i < N; i++) {
        all("C");
        names[categories[i]] = "fr_FR";
        own &= hard_locale(categories[i]);
        for (int k = 0; k < N; k++) if (k != i) others &= !hard_locale(categories[k]);
        all("fr_FR");
        names[categories[i]] = i % 2 ? "C" : "POSIX";
        own &= !hard_locale(categories[i]);
        for (int k = 0; k < N; k++) if (k != i) others &= hard_locale(categories[k]);
    }
    ok("the category that is asked for counts", own);
    ok("a hard locale of another category does not count", others);
    char name[300];
    int longest = 1;
    for (int n = 2; n <= 256; n++) {
        memset(name, 'C', n);
        name[n] = '\0';
        longest &= hard(name);
    }
    ok("the longest names are hard", longest);
    ok("the answer follows the current locale", hard("it_IT") && !hard("C") && hard("it_IT") && !hard("POSIX"));
    ok("the locale is not changed", changes == 0);
    return plus_end();
}
