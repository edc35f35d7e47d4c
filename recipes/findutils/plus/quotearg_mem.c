/*---
 * tasks: [quotearg_mem-59b082.2]
 * tests:
 *   only as much as the size says is quoted: 'quotearg.h: "a quoted version of the argument ARG of size ARGSIZE".'
 *   a size of nothing gives nothing: 'quotearg.h: "the argument ARG of size ARGSIZE".'
 *   null bytes are quoted: 'quotearg.h: quotearg_n_mem, "it can quote null bytes".'
 *   null bytes that are not quoted are elided: 'quotearg.h: "guaranteed to not contain embedded null bytes".'
 *   the default style is used: 'quotearg.h: "like quotearg_n (N, ARG)", which uses "the default quoting options".'
 *   the default flags are heeded: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   the default characters are quoted: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   the default custom quotes are used: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   a long argument is whole: 'quotearg.h: "a quoted version of the argument ARG".'
 *   quotearg_n_mem uses the slot it is given: 'quotearg.h: "Use storage slot N".'
 *   it leaves the other slots alone: 'quotearg.h: storage is reused by a call "with the same value of N".'
 *   quotearg_mem uses slot 0: 'quotearg.h: "Equivalent to quotearg_n_mem (0, ARG, ARGSIZE)".'
 *   quotearg_mem leaves the other slots alone: 'quotearg.h: "Equivalent to quotearg_n_mem (0, ARG, ARGSIZE)".'
 *   a later slot can be new: 'quotearg.h: quotearg_n, "N must be nonnegative".'
 *   the default stays: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 ---*/
#include "quoting.h"

/* Whether both functions give the text EXPECTED. */
static int both(const char *arg, size_t size, const char *expected) {
    return same(quotearg_mem(arg, size), expected) && same(quotearg_n_mem(0, arg, size), expected) &&
        same(quotearg_n_mem(3, arg, size), expected);
}

int main(void) {
    static const char odd[] = "\0 \t\n'\"\033?" "?/\\";
    plus_start();
    ok("only as much as the size says is quoted",
       both("abcdef", 3, "abc") && both("abcdef", 1, "a") && both("ab", 2, "ab"));
    int good = both("abc", 0, "");
    default_style(c_quoting_style);
    ok("a size of nothing gives nothing", good && both("abc", 0, "\"\""));
    ok("null bytes are quoted", both("a\0b", 3, "\"a\\0b\"") && both(odd, 11, "\"\\0 \\t\\n'\\\"\\033?" "?/\\\\\""));
    ok("the default style is used", both("a\nb", 3, "\"a\\nb\""));
    default_style(literal_quoting_style);
    ok("null bytes that are not quoted are elided", both("a\0b\0", 4, "ab") && both(odd, 11, odd + 1));
    default_quoting_options = (struct quoting_options) {c_quoting_style, QA_ELIDE_OUTER_QUOTES};
    ok("the default flags are heeded", both("ab", 2, "ab") && both("a\n", 2, "\"a\\n\""));
    default_style(escape_quoting_style);
    quote_also(&default_quoting_options, ':');
    ok("the default characters are quoted", both("a:b:", 4, "a\\:b\\:") && both("a:b:", 3, "a\\:b"));
    struct quoting_options custom = {custom_quoting_style, 0, {0}, "<<", ">"};
    default_quoting_options = custom;
    ok("the default custom quotes are used", both("ab", 2, "<<ab>"));
    ok("the default stays", equal(&default_quoting_options, &custom));
    default_style(literal_quoting_style);
    char text[801];
    memset(text, 'l', 800);
    text[800] = '\0';
    ok("a long argument is whole", both(text, 800, text));

    int own = 1, others = 1;
    for (int n = 0; n < SLOTS; n++) {
        fill_slots();
        char *value = quotearg_n_mem(n, "value of its own and more", 16);
        others &= only_slot(n);
        own &= same(value, "value of its own") && in_slot(n, value);
    }
    ok("quotearg_n_mem uses the slot it is given", own);
    ok("it leaves the other slots alone", others);
    fill_slots();
    char *value = quotearg_mem("value", 5);
    ok("quotearg_mem leaves the other slots alone", only_slot(0));
    ok("quotearg_mem uses slot 0", same(value, "value") && in_slot(0, value));
    value = quotearg_mem("first", 5);
    char *later = quotearg_n_mem(100, "later", 5);
    ok("a later slot can be new", same(later, "later") && same(value, "first") && in_slot(100, later));
    return plus_end();
}
