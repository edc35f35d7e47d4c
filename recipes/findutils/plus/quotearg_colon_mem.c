/*---
 * tasks: [quotearg_colon_mem-cfc777]
 * tests:
 *   colons are quoted: 'quotearg.h: "Like quotearg_colon (ARG)".'
 *   each colon is quoted: 'quotearg.h: quotearg_char, "any instances of CH".'
 *   only colons are quoted: 'quotearg.h: quotearg_colon, "Equivalent to quotearg_char (ARG, (colon))".'
 *   only as much as the size says is quoted: 'quotearg.h: ARGSIZE, as of quotearg_n_mem.'
 *   a size of nothing gives nothing: 'quotearg.h: ARGSIZE, as of quotearg_n_mem.'
 *   null bytes are quoted: 'quotearg.h: "except it can quote null bytes".'
 *   null bytes that are not quoted are elided: 'quotearg.h: the examples for quotearg_colon.'
 *   the style of the default decides how: 'quotearg.h: enum quoting_style, the examples for quotearg_colon.'
 *   the default flags are heeded: 'quotearg.h: quotearg_char, "Like quotearg (ARG)".'
 *   what the default quotes is quoted too: 'quotearg.h: quotearg_char, "also quote".'
 *   the default custom quotes are used: 'quotearg.h: enum quoting_style, custom_quoting_style.'
 *   a long argument is whole: 'quotearg.h: "Like quotearg_colon (ARG)".'
 *   the default stays: 'quotearg.h: quotearg_char, "also quote" is of this call alone.'
 *   slot 0 is used: 'quotearg.h: "Like quotearg (ARG)", "Equivalent to quotearg_n (0, ARG)".'
 *   the other slots stay: 'quotearg.h: quotearg, "Equivalent to quotearg_n (0, ARG)".'
 ---*/
#include "quoting.h"

static int gives(const char *arg, size_t size, const char *expected) {
    return same(quotearg_colon_mem(arg, size), expected);
}

int main(void) {
    static const char odd[] = "\0 \t\n'\"\033?" "?/\\", others[] = " !\"#$%&'()*+,-./;<=>?@[]^_`{|}~";
    plus_start();
    default_style(escape_quoting_style);
    ok("colons are quoted", gives("a:b", 3, "a\\:b"));
    ok("each colon is quoted", gives("::a:", 4, "\\:\\:a\\:"));
    ok("only colons are quoted", gives(others, strlen(others), others));
    ok("only as much as the size says is quoted", gives("a:b:c", 3, "a\\:b") && gives("a:b:c", 2, "a\\:") &&
       gives("a:b:c", 1, "a"));
    int good = gives(":", 0, "");
    default_style(c_quoting_style);
    ok("a size of nothing gives nothing", good && gives(":", 0, "\"\""));
    good = gives("a\0:b", 4, "\"a\\0\\:b\"") && gives(odd, 11, "\"\\0 \\t\\n'\\\"\\033?" "?/\\\\\"");
    default_style(escape_quoting_style);
    ok("null bytes are quoted", good && gives("\0:\0", 3, "\\0\\:\\0"));
    default_style(literal_quoting_style);
    ok("null bytes that are not quoted are elided", gives("a\0:\0b", 5, "a:b") && gives(odd, 11, odd + 1));
    good = gives("a:b", 3, "a:b");
    default_style(c_quoting_style);
    good &= gives("a:b", 3, "\"a\\:b\"");
    default_style(c_maybe_quoting_style);
    good &= gives("a:b", 3, "\"a:b\"") && gives("ab", 2, "ab");
    default_style(shell_quoting_style);
    ok("the style of the default decides how", good && gives("a:b", 3, "'a:b'") && gives("ab", 2, "ab"));
    default_quoting_options = (struct quoting_options) {c_quoting_style, QA_ELIDE_OUTER_QUOTES};
    ok("the default flags are heeded", gives("ab", 2, "ab"));
    default_style(escape_quoting_style);
    quote_also(&default_quoting_options, '!');
    ok("what the default quotes is quoted too", gives("a!:", 3, "a\\!\\:"));
    struct quoting_options custom = {custom_quoting_style, 0, {0}, "(", ")"};
    default_quoting_options = custom;
    ok("the default custom quotes are used", gives("a:b", 3, "(a\\:b)"));
    ok("the default stays", equal(&default_quoting_options, &custom) && same(quotearg("a:b"), "(a:b)"));
    default_style(literal_quoting_style);
    char text[801];
    memset(text, ':', 800);
    text[800] = '\0';
    ok("a long argument is whole", gives(text, 800, text));
    fill_slots();
    char *value = quotearg_colon_mem("value:more", 5);
    ok("the other slots stay", only_slot(0));
    ok("slot 0 is used", same(value, "value") && in_slot(0, value));
    return plus_end();
}
