/*---
 * tasks: [set_char_quoting-37ffde]
 * tests:
 *   a character is quoted: 'Comment: "quote the character even if it would not otherwise be quoted".'
 *   a character is no longer quoted: 'Comment: "0 (the default)".'
 *   at first the old value is 0: 'Comment: "Return the old value", "0 (the default)".'
 *   once set the old value is 1: 'Comment: "Return the old value".'
 *   setting twice keeps it set: 'Comment: "set the value of the quoting options for character C to I".'
 *   clearing twice keeps it clear: 'Comment: "set the value of the quoting options for character C to I".'
 *   each character is set alone: 'Comment: "for character C".'
 *   each character is cleared alone: 'Comment: "for character C".'
 *   characters above 127 are no others: 'quotearg.c: the bit vector has UCHAR_MAX bits; a char may be negative.'
 *   the old value of each character is 0 or 1: 'Comment: "the only values defined for I are 0 ... and 1".'
 *   without options the default is set: 'Comment: "In O (or in the default if O is null)".'
 *   without options the old default is returned: 'Comment: "Return the old value".'
 *   with options the default stays: 'Comment: "In O (or in the default if O is null)".'
 *   without options others stay: 'Comment: "In O (or in the default if O is null)".'
 *   the other options stay: 'Comment: "set the value of the quoting options for character C".'
 ---*/
#include "quoting.h"

/* How many characters are quoted also. */
static int count(const struct quoting_options *o) {
    int n = 0;
    for (int c = 0; c < 256; c++) n += quotes_also(o, c);
    return n;
}

int main(void) {
    plus_start();
    struct quoting_options o = styled(escape_quoting_style);
    int first = set_char_quoting(&o, ':', 1);
    ok("a character is quoted", same(with(&o, "a:b;c"), "a\\:b;c"));
    ok("at first the old value is 0", first == 0);
    int second = set_char_quoting(&o, ':', 1);
    ok("setting twice keeps it set", same(with(&o, "a:b;c"), "a\\:b;c"));
    int third = set_char_quoting(&o, ':', 0);
    ok("once set the old value is 1", second == 1 && third == 1);
    ok("a character is no longer quoted", same(with(&o, "a:b;c"), "a:b;c"));
    int fourth = set_char_quoting(&o, ':', 0);
    ok("clearing twice keeps it clear", fourth == 0 && same(with(&o, "a:b"), "a:b") && count(&o) == 0);

    int alone = 1, cleared = 1, high = 1, bits = 1;
    for (int c = 0; c < 256; c++) {
        o = styled(escape_quoting_style);
        bits &= set_char_quoting(&o, (char)c, 1) == 0;
        int good = count(&o) == 1 && quotes_also(&o, c);
        alone &= good;
        if (c > 127) high &= good;
        bits &= set_char_quoting(&o, (char)c, 1) == 1;
        memset(o.quote_these_too, 0xff, sizeof(o.quote_these_too));
        bits &= set_char_quoting(&o, (char)c, 0) == 1;
        good = count(&o) == 255 && !quotes_also(&o, c);
        cleared &= good;
        if (c > 127) high &= good;
        bits &= set_char_quoting(&o, (char)c, 0) == 0;
    }
    ok("each character is set alone", alone);
    ok("each character is cleared alone", cleared);
    ok("characters above 127 are no others", high);
    ok("the old value of each character is 0 or 1", bits);
    ok("with options the default stays", count(&default_quoting_options) == 0);

    default_style(escape_quoting_style);
    o = styled(escape_quoting_style);
    quote_also(&o, '!');
    int old = set_char_quoting(NULL, '#', 1);
    ok("without options the default is set", same(quotearg("a#b"), "a\\#b") && count(&default_quoting_options) == 1);
    ok("without options the old default is returned",
       old == 0 && set_char_quoting(NULL, '#', 0) == 1 && set_char_quoting(NULL, '#', 1) == 0);
    ok("without options others stay", count(&o) == 1 && quotes_also(&o, '!'));

    struct quoting_options before = {shell_quoting_style, QA_SPLIT_TRIGRAPHS, {1, 2, 3}, "<", ">"};
    o = default_quoting_options = before;
    set_char_quoting(&o, '=', 1);
    set_char_quoting(NULL, '=', 1);
    memcpy(o.quote_these_too, before.quote_these_too, sizeof(o.quote_these_too));
    memcpy(default_quoting_options.quote_these_too, before.quote_these_too, sizeof(o.quote_these_too));
    ok("the other options stay", equal(&o, &before) && equal(&default_quoting_options, &before));
    return plus_end();
}
