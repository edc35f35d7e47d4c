/*---
 * tasks: [set_quoting_flags-1021a8]
 * tests:
 *   each combination is set: 'Comment: "set the value ... to I, which can be a bitwise combination".'
 *   the old value is returned: 'Comment: "Return the old value".'
 *   the new flags replace the old ones: 'Comment: "set the value of the quoting options flag to I".'
 *   zero is the default behavior: 'Comment: "or 0 for default behavior".'
 *   the flags show in what is quoted: 'quotearg.h: QA_ELIDE_OUTER_QUOTES.'
 *   without options the default is set: 'Comment: "In O (or in the default if O is null)".'
 *   without options the old default is returned: 'Comment: "Return the old value".'
 *   with options the default stays: 'Comment: "In O (or in the default if O is null)".'
 *   without options others stay: 'Comment: "In O (or in the default if O is null)".'
 *   the other options stay: 'Comment: "set the value of the quoting options flag".'
 ---*/
#include "quoting.h"

int main(void) {
    plus_start();
    struct quoting_options o = styled(c_quoting_style);
    int each = 1, old = 1, last = 0;
    for (int i = 0; i < 64; i++) {
        int flags = i * 5 % 8;
        old &= set_quoting_flags(&o, flags) == last;
        each &= o.flags == flags;
        last = flags;
    }
    ok("each combination is set", each);
    ok("the old value is returned", old);
    set_quoting_flags(&o, QA_ELIDE_NULL_BYTES);
    int r = set_quoting_flags(&o, QA_SPLIT_TRIGRAPHS);
    ok("the new flags replace the old ones", r == QA_ELIDE_NULL_BYTES && o.flags == QA_SPLIT_TRIGRAPHS);
    r = set_quoting_flags(&o, 0);
    ok("zero is the default behavior", r == QA_SPLIT_TRIGRAPHS && o.flags == 0 && same(with(&o, "a"), "\"a\""));
    set_quoting_flags(&o, QA_ELIDE_OUTER_QUOTES);
    ok("the flags show in what is quoted", same(with(&o, "a"), "a"));
    ok("with options the default stays", default_quoting_options.flags == 0);

    default_quoting_options.flags = QA_SPLIT_TRIGRAPHS;
    r = set_quoting_flags(NULL, QA_ELIDE_NULL_BYTES | QA_ELIDE_OUTER_QUOTES);
    ok("without options the old default is returned", r == QA_SPLIT_TRIGRAPHS && set_quoting_flags(NULL, 0) == 3);
    set_quoting_flags(NULL, QA_ELIDE_OUTER_QUOTES);
    default_quoting_options.style = c_quoting_style;
    ok("without options the default is set",
       default_quoting_options.flags == QA_ELIDE_OUTER_QUOTES && same(quotearg("a"), "a"));
    o.flags = QA_SPLIT_TRIGRAPHS;
    set_quoting_flags(NULL, 0);
    ok("without options others stay", o.flags == QA_SPLIT_TRIGRAPHS);

    struct quoting_options before = {shell_quoting_style, QA_SPLIT_TRIGRAPHS, {1, 2, 3}, "<", ">"};
    o = default_quoting_options = before;
    set_quoting_flags(&o, 3);
    o.flags = before.flags;
    int stay = equal(&o, &before);
    set_quoting_flags(NULL, 1);
    default_quoting_options.flags = before.flags;
    ok("the other options stay", stay && equal(&default_quoting_options, &before));
    return plus_end();
}
