/*---
 * tasks: [quotearg_colon-b1217e.2]
 * tests:
 *   the character is quoted: 'quotearg.h: quotearg_char, "also quote any instances of CH".'
 *   each instance is quoted: 'quotearg.h: quotearg_char, "any instances of CH".'
 *   each possible character is quoted: 'quotearg.h: quotearg_char, "any instances of CH".'
 *   other characters are not: 'quotearg.h: quotearg_char, "Like quotearg (ARG), except".'
 *   colons are quoted: 'quotearg.h: quotearg_colon, "Equivalent to quotearg_char (ARG, (colon))".'
 *   only colons are quoted: 'quotearg.h: quotearg_colon, "Equivalent to quotearg_char (ARG, (colon))".'
 *   the default style is used: 'quotearg.h: quotearg_char, "Like quotearg (ARG)".'
 *   the style of the default decides how: 'quotearg.h: enum quoting_style, the examples for quotearg_colon.'
 *   the default flags are heeded: 'quotearg.h: quotearg_char, "Like quotearg (ARG)".'
 *   what the default quotes is quoted too: 'quotearg.h: quotearg_char, "also quote".'
 *   the default custom quotes are used: 'quotearg.h: enum quoting_style, custom_quoting_style.'
 *   the string ends at its null byte: 'quotearg.h: quotearg_char, "Like quotearg (ARG)"; it gets no size.'
 *   an empty string is quoted: 'quotearg.h: quotearg_char, "Like quotearg (ARG)".'
 *   a long string is whole: 'quotearg.h: quotearg_char, "Like quotearg (ARG)".'
 *   the default stays: 'quotearg.h: quotearg_char, "also quote" is of this call alone.'
 *   both use slot 0: 'quotearg.h: "Like quotearg (ARG)", "Equivalent to quotearg_n (0, ARG)".'
 *   the other slots stay: 'quotearg.h: quotearg, "Equivalent to quotearg_n (0, ARG)".'
 ---*/
#include "quoting.h"

int main(void) {
    plus_start();
    default_style(escape_quoting_style);
    ok("the character is quoted", same(quotearg_char("a=b", '='), "a\\=b") && same(quotearg_char("#", '#'), "\\#"));
    ok("each instance is quoted", same(quotearg_char("==a=", '='), "\\=\\=a\\=") &&
       same(quotearg_colon("::a:"), "\\:\\:a\\:"));
    static const char chars[] = " !\"#$%&'()*+,-./:;<=>?@[]^_`{|}~";
    int each = 1;
    for (const char *c = chars; *c; c++) {
        char text[] = {'h', *c, 'i', 0}, expected[] = {'h', '\\', *c, 'i', 0};
        each &= same(quotearg_char(text, *c), expected);
    }
    ok("each possible character is quoted", each);
    ok("other characters are not", same(quotearg_char("a:b;c", ';'), "a:b\\;c") &&
       same(quotearg_char("a:b", '='), "a:b"));
    ok("colons are quoted", same(quotearg_colon("a:b"), "a\\:b"));
    static const char others_all[] = " !\"#$%&'()*+,-./;<=>?@[]^_`{|}~";
    ok("only colons are quoted", same(quotearg_colon(others_all), others_all));
    struct quoting_options plain = styled(escape_quoting_style);
    ok("the default stays", equal(&default_quoting_options, &plain) && same(quotearg("a:b="), "a:b="));
    int good = same(quotearg_colon("a\nb"), "a\\nb");
    default_style(c_quoting_style);
    ok("the default style is used", good && same(quotearg_colon("a\nb"), "\"a\\nb\"") &&
       same(quotearg_char("a\nb", '!'), "\"a\\nb\""));
    good = same(quotearg_colon("a:b"), "\"a\\:b\"");
    default_style(c_maybe_quoting_style);
    good &= same(quotearg_colon("a:b"), "\"a:b\"") && same(quotearg_colon("ab"), "ab");
    default_style(shell_quoting_style);
    good &= same(quotearg_colon("a:b"), "'a:b'") && same(quotearg_colon("ab"), "ab");
    default_style(literal_quoting_style);
    ok("the style of the default decides how", good && same(quotearg_colon("a:b"), "a:b"));
    default_quoting_options = (struct quoting_options) {c_quoting_style, QA_ELIDE_OUTER_QUOTES};
    ok("the default flags are heeded", same(quotearg_colon("ab"), "ab") && same(quotearg_char("ab", '='), "ab"));
    default_style(escape_quoting_style);
    quote_also(&default_quoting_options, '!');
    ok("what the default quotes is quoted too", same(quotearg_colon("a!:"), "a\\!\\:") &&
       same(quotearg_char("a!=", '='), "a\\!\\="));
    default_quoting_options = (struct quoting_options) {custom_quoting_style, 0, {0}, "(", ")"};
    ok("the default custom quotes are used", same(quotearg_colon("a:b"), "(a\\:b)") &&
       same(quotearg_char("a=b", '='), "(a\\=b)"));
    default_style(escape_quoting_style);
    ok("the string ends at its null byte", same(quotearg_colon("a:b\0:c"), "a\\:b") &&
       same(quotearg_char("a=\0=", '='), "a\\="));
    default_style(c_quoting_style);
    ok("an empty string is quoted", same(quotearg_colon(""), "\"\"") && same(quotearg_char("", '='), "\"\""));
    default_style(literal_quoting_style);
    char text[801];
    memset(text, ':', 800);
    text[800] = '\0';
    ok("a long string is whole", same(quotearg_colon(text), text) && same(quotearg_char(text, '='), text));

    fill_slots();
    char *value = quotearg_colon("value");
    int others = only_slot(0), own = same(value, "value") && in_slot(0, value);
    fill_slots();
    value = quotearg_char("value", '=');
    others &= only_slot(0);
    own &= same(value, "value") && in_slot(0, value);
    ok("both use slot 0", own);
    ok("the other slots stay", others);
    return plus_end();
}
