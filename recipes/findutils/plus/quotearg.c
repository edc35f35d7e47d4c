/*---
 * tasks: [quotearg-428cf8.2]
 * tests:
 *   a string is returned as the default style says: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   quotearg uses the default style too: 'quotearg.h: quotearg, "Equivalent to quotearg_n (0, ARG)".'
 *   the default flags are heeded: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   the default characters are quoted: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   the default custom quotes are used: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   the options of quote are not used: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   the string ends at its null byte: 'quotearg.h: "a quoted version of the string ARG".'
 *   an empty string is quoted: 'quotearg.h: "a quoted version of the string ARG".'
 *   a long string is whole: 'quotearg.h: "a quoted version of the string ARG".'
 *   quotearg_n uses the slot it is given: 'quotearg.h: "Use storage slot N".'
 *   it leaves the other slots alone: 'quotearg.h: storage is reused by a call "with the same value of N".'
 *   quotearg uses slot 0: 'quotearg.h: "Equivalent to quotearg_n (0, ARG)".'
 *   quotearg leaves the other slots alone: 'quotearg.h: "Equivalent to quotearg_n (0, ARG)".'
 *   a later slot can be new: 'quotearg.h: "N must be nonnegative".'
 *   the default stays: 'quotearg.h: "Use the default quoting options".'
 ---*/
#include "quoting.h"

int main(void) {
    plus_start();
    default_style(escape_quoting_style);
    ok("a string is returned as the default style says",
       same(quotearg_n(0, "a\nb"), "a\\nb") && same(quotearg_n(2, "a\nb"), "a\\nb"));
    int good = same(quotearg("a\nb"), "a\\nb");
    default_style(c_quoting_style);
    ok("quotearg uses the default style too", good && same(quotearg("a\nb"), "\"a\\nb\""));
    default_quoting_options.flags = QA_ELIDE_OUTER_QUOTES;
    ok("the default flags are heeded", same(quotearg("ab"), "ab") && same(quotearg_n(1, "ab"), "ab"));
    default_style(escape_quoting_style);
    quote_also(&default_quoting_options, ':');
    ok("the default characters are quoted", same(quotearg("a:b"), "a\\:b") && same(quotearg_n(1, "a:b"), "a\\:b"));
    struct quoting_options custom = {custom_quoting_style, 0, {0}, "<<", ">"};
    default_quoting_options = custom;
    ok("the default custom quotes are used", same(quotearg("ab"), "<<ab>") && same(quotearg_n(1, "ab"), "<<ab>"));
    ok("the default stays", equal(&default_quoting_options, &custom));
    default_style(literal_quoting_style);
    ok("the options of quote are not used", same(quotearg("ab"), "ab") && same(quotearg_n(1, "ab"), "ab"));
    ok("the string ends at its null byte", same(quotearg("ab\0cd"), "ab") && same(quotearg_n(1, "ab\0cd"), "ab"));
    default_style(c_quoting_style);
    ok("an empty string is quoted", same(quotearg(""), "\"\"") && same(quotearg_n(1, ""), "\"\""));
    default_style(literal_quoting_style);
    char text[801];
    memset(text, 'l', 800);
    text[800] = '\0';
    ok("a long string is whole", same(quotearg(text), text) && same(quotearg_n(1, text), text));

    int own = 1, others = 1;
    for (int n = 0; n < SLOTS; n++) {
        fill_slots();
        char *value = quotearg_n(n, "value of its own");
        others &= only_slot(n);
        own &= same(value, "value of its own") && in_slot(n, value);
    }
    ok("quotearg_n uses the slot it is given", own);
    ok("it leaves the other slots alone", others);
    fill_slots();
    char *value = quotearg("value");
    ok("quotearg leaves the other slots alone", only_slot(0));
    ok("quotearg uses slot 0", same(value, "value") && in_slot(0, value));
    value = quotearg("first");
    char *later = quotearg_n(100, "later");
    ok("a later slot can be new", same(later, "later") && same(value, "first") && in_slot(100, later));
    return plus_end();
}
