/*---
 * tasks: [set_quoting_style-a7df8e]
 * tests:
 *   each style is set: 'Comment: "In O ... set the value of the quoting style to S".'
 *   it shows in what is quoted: 'quotearg.h: enum quoting_style, the examples.'
 *   it replaces the style before: 'Comment: "set the value of the quoting style to S".'
 *   without options the default is set: 'Comment: "In O (or in the default if O is null)".'
 *   the default shows in what is quoted: 'quotearg.h: quotearg_n, "Use the default quoting options".'
 *   with options the default stays: 'Comment: "In O (or in the default if O is null)".'
 *   without options others stay: 'Comment: "In O (or in the default if O is null)".'
 *   the other options stay: 'Comment: "set the value of the quoting style".'
 *   the other default options stay: 'Comment: "set the value of the quoting style".'
 ---*/
#include "quoting.h"

int main(void) {
    plus_start();
    struct quoting_options o = styled(literal_quoting_style), other = styled(shell_quoting_style);
    int each = 1, stay = 1;
    for (int s = literal_quoting_style; s <= custom_quoting_style; s++) {
        set_quoting_style(&o, s);
        each &= o.style == s;
        stay &= default_quoting_options.style == literal_quoting_style;
    }
    ok("each style is set", each);
    ok("with options the default stays", stay);
    o = styled(literal_quoting_style);
    set_quoting_style(&o, c_quoting_style);
    ok("it shows in what is quoted", same(with(&o, "a\nb"), "\"a\\nb\""));
    set_quoting_style(&o, escape_quoting_style);
    set_quoting_style(&o, literal_quoting_style);
    ok("it replaces the style before", same(with(&o, "a\nb"), "a\nb"));

    each = stay = 1;
    for (int s = custom_quoting_style; s >= literal_quoting_style; s--) {
        set_quoting_style(NULL, s);
        each &= default_quoting_options.style == s;
        stay &= o.style == literal_quoting_style && other.style == shell_quoting_style;
    }
    ok("without options the default is set", each);
    ok("without options others stay", stay);
    set_quoting_style(NULL, escape_quoting_style);
    ok("the default shows in what is quoted", same(quotearg("a\nb"), "a\\nb"));

    struct quoting_options before = {c_quoting_style, QA_SPLIT_TRIGRAPHS, {1, 2, 3}, "<", ">"};
    o = before;
    set_quoting_style(&o, shell_quoting_style);
    o.style = before.style;
    ok("the other options stay", equal(&o, &before));
    default_quoting_options = before;
    set_quoting_style(NULL, locale_quoting_style);
    default_quoting_options.style = before.style;
    ok("the other default options stay", equal(&default_quoting_options, &before));
    return plus_end();
}
