/*---
 * tasks: [set_custom_quoting-e1e45e]
 * tests:
 *   the style is the custom one: 'quotearg.h: "set the value of the quoting style to custom_quoting_style".'
 *   the left quote is set: 'quotearg.h: "set the left quote to LEFT_QUOTE".'
 *   the right quote is set: 'quotearg.h: "set the right quote to RIGHT_QUOTE".'
 *   both show in what is quoted: 'quotearg.h: custom_quoting_style, the examples.'
 *   quotes of several characters are set: 'quotearg.h: custom_quoting_style, the last example.'
 *   both quotes can be empty: 'quotearg.h: "Each ... can be the empty string".'
 *   one quote can be empty: 'quotearg.h: "Each of LEFT_QUOTE and RIGHT_QUOTE ... can be the empty string".'
 *   later quotes replace them: 'quotearg.h: "set the left quote", "set the right quote".'
 *   without options the default is set: 'quotearg.h: "In O (or in the default if O is null)".'
 *   with options the default stays: 'quotearg.h: "In O (or in the default if O is null)".'
 *   without options others stay: 'quotearg.h: "In O (or in the default if O is null)".'
 *   flags and characters stay: 'quotearg.h: only style and quotes are set.'
 *   the default flags and characters stay: 'quotearg.h: only style and quotes are set.'
 ---*/
#include "quoting.h"

int main(void) {
    plus_start();
    struct quoting_options o = styled(literal_quoting_style), none = styled(literal_quoting_style);
    set_custom_quoting(&o, "(", ")");
    ok("the style is the custom one", o.style == custom_quoting_style);
    ok("the left quote is set", same(o.left_quote, "("));
    ok("the right quote is set", same(o.right_quote, ")"));
    ok("both show in what is quoted", same(with(&o, "a(b)c"), "(a(b\\)c)"));
    ok("with options the default stays", equal(&default_quoting_options, &none));
    set_custom_quoting(&o, "\"'", "'\"");
    ok("quotes of several characters are set", same(with(&o, "a:b"), "\"'a:b'\""));
    set_custom_quoting(&o, "<<", ">");
    ok("later quotes replace them", same(with(&o, "ab"), "<<ab>"));
    set_custom_quoting(&o, "", "");
    ok("both quotes can be empty", o.style == custom_quoting_style && same(with(&o, "a\nb"), "a\\nb"));
    set_custom_quoting(&o, "", "]");
    int good = same(with(&o, "ab"), "ab]");
    set_custom_quoting(&o, "[", "");
    ok("one quote can be empty", good && same(with(&o, "ab"), "[ab"));

    struct quoting_options before = o;
    set_custom_quoting(NULL, "{", "}");
    ok("without options the default is set", default_quoting_options.style == custom_quoting_style &&
       same(quotearg("ab"), "{ab}") && same(with(NULL, "}"), "{\\}}"));
    ok("without options others stay", equal(&o, &before));

    struct quoting_options full = {shell_quoting_style, QA_ELIDE_OUTER_QUOTES, {1, 2, 3}, NULL, NULL};
    o = default_quoting_options = full;
    set_custom_quoting(&o, "<", ">");
    ok("flags and characters stay", o.flags == full.flags &&
       !memcmp(o.quote_these_too, full.quote_these_too, sizeof(o.quote_these_too)));
    set_custom_quoting(NULL, "<", ">");
    ok("the default flags and characters stay", default_quoting_options.flags == full.flags &&
       !memcmp(default_quoting_options.quote_these_too, full.quote_these_too, sizeof(o.quote_these_too)));
    return plus_end();
}
