/*---
 * tasks: [gettext_quote-4fa37a]
 * tests:
 *   a translation is returned: 'Comment: "Return its translation if it has one".'
 *   both styles get the translation: 'Comment: "Return its translation if it has one; otherwise ... depending on S".'
 *   a translation goes before the quotes of UTF-8: 'Caller: "If the catalog has no translation, we will try".'
 *   each quote has its translation: 'Caller translates "`" and "\x27".'
 *   a quote without a translation is as without a catalog: 'Comment: "Return its translation if it has one".'
 *   the left quote in UTF-8 is U+2018: 'Caller: "Unicode U+2018 (LEFT SINGLE QUOTATION MARK)".'
 *   the right quote in UTF-8 is U+2019: 'Caller: "Unicode U+2019 (RIGHT SINGLE QUOTATION MARK)".'
 *   in UTF-8 both styles have the same quotes: 'quotearg.h: "For UTF-8 locales, quote characters will use Unicode".'
 *   elsewhere the left quote of clocale is double: 'Caller: "clocale_quoting_style will quote "like this"".'
 *   elsewhere the right quote of clocale is double: 'Caller: "clocale_quoting_style will quote "like this"".'
 *   elsewhere the left quote of locale is single: 'Caller: "locale_quoting_style will quote (like this)".'
 *   elsewhere the right quote of locale is single: 'Caller: "locale_quoting_style will quote (like this)".'
 *   the charset is asked for each time: 'Caller: "If the current locale is not Unicode".'
 *   the callers get these quotes: 'quotearg.h: locale_quoting_style and clocale_quoting_style.'
 ---*/
#include "quoting.h"
#include <langinfo.h>
#undef nl_langinfo

/* Stands in for that of the C library, to tell of any charset. */
static const char *charset = "ANSI_X3.4-1968";

char *nl_langinfo(nl_item item) {
    return (char *)(item == CODESET ? charset : "");
}

static char left_id[] = "`", right_id[] = "'";

static int left(enum quoting_style s, const char *expected) {
    return same(gettext_quote(left_id, s), expected);
}

static int right(enum quoting_style s, const char *expected) {
    return same(gettext_quote(right_id, s), expected);
}

int main(void) {
    static const char *plain[] = {"ANSI_X3.4-1968", "ISO-8859-1", "ISO-8859-2", "ISO-8859-15", "KOI8-R"};
    enum { N = sizeof(plain) / sizeof(*plain), L = locale_quoting_style, C = clocale_quoting_style };
    plus_start();
    left_translation = "\302\253";
    right_translation = "\302\273";
    ok("a translation is returned", left(L, "\302\253") && right(L, "\302\273"));
    ok("both styles get the translation", left(C, "\302\253") && right(C, "\302\273"));
    charset = "UTF-8";
    ok("a translation goes before the quotes of UTF-8",
       left(L, "\302\253") && right(L, "\302\273") && left(C, "\302\253") && right(C, "\302\273"));
    left_translation = "LEFT";
    right_translation = "RIGHT";
    ok("each quote has its translation", left(L, "LEFT") && right(L, "RIGHT") && left(C, "LEFT") && right(C, "RIGHT"));
    left_translation = NULL;
    int good = left(L, "\342\200\230") && right(L, "RIGHT");
    left_translation = "LEFT";
    right_translation = NULL;
    good &= left(C, "LEFT") && right(C, "\342\200\231");
    charset = "ISO-8859-1";
    good &= left(C, "LEFT") && right(C, "\"") && right(L, "'");
    ok("a quote without a translation is as without a catalog", good);
    left_translation = NULL;
    charset = "UTF-8";
    ok("the left quote in UTF-8 is U+2018", left(L, "\342\200\230"));
    ok("the right quote in UTF-8 is U+2019", right(L, "\342\200\231"));
    ok("in UTF-8 both styles have the same quotes", left(C, "\342\200\230") && right(C, "\342\200\231"));
    int cl = 1, cr = 1, ll = 1, lr = 1, each = 1;
    for (int i = 0; i < N; i++) {
        charset = plain[i];
        cl &= left(C, "\"");
        cr &= right(C, "\"");
        ll &= left(L, "'");
        lr &= right(L, "'");
        charset = "UTF-8";
        each &= left(C, "\342\200\230") && right(L, "\342\200\231");
    }
    ok("elsewhere the left quote of clocale is double", cl);
    ok("elsewhere the right quote of clocale is double", cr);
    ok("elsewhere the left quote of locale is single", ll);
    ok("elsewhere the right quote of locale is single", lr);
    ok("the charset is asked for each time", each);
    charset = "ISO-8859-1";
    good = same(quotearg_style(L, "a"), "'a'") && same(quotearg_style(C, "a"), "\"a\"");
    charset = "UTF-8";
    ok("the callers get these quotes", good && same(quotearg_style(C, "a"), "\342\200\230a\342\200\231"));
    return plus_end();
}
