/*---
 * tasks: [quotearg_buffer-3f33eb]
 * tests:
 *   the argument is quoted as the style says: 'Comment: "a quoted version of argument ARG ... using O".'
 *   the flags are heeded: 'Comment: "using O to control quoting"; QA_SPLIT_TRIGRAPHS, QA_ELIDE_OUTER_QUOTES.'
 *   the further characters are quoted: 'Comment: "using O to control quoting"; set_char_quoting.'
 *   the custom quotes are used: 'Comment: "using O to control quoting"; set_custom_quoting.'
 *   without options the default is used: 'Comment: "If O is null, use the default".'
 *   the default flags characters and quotes are used: 'Comment: "If O is null, use the default".'
 *   with options the default is not used: 'Comment: "using O to control quoting".'
 *   the written size is returned: 'Comment: "return the written size of the output, not counting the ... null".'
 *   the output ends with a null character: 'Comment: "Terminate the output with a null character".'
 *   an output that just fits ends with it too: 'Comment: "Terminate the output with a null character".'
 *   of a longer output the whole size is returned: 'Comment: "had BUFFERSIZE been large enough".'
 *   nothing is written behind the buffer: 'Comment: "BUFFER (of size BUFFERSIZE)".'
 *   no buffer is needed to get the size: 'Comment: "If BUFFERSIZE is too small"; caller quotearg_alloc_mem.'
 *   only as much as the size says is quoted: 'Comment: "argument ARG (of size ARGSIZE)".'
 *   a size of nothing gives nothing: 'Comment: "argument ARG (of size ARGSIZE)".'
 *   the largest size means the length of the string: 'Comment: "If ARGSIZE is SIZE_MAX, use the string length".'
 *   null bytes in the argument are quoted: 'quotearg.h: enum quoting_style, the examples for quotearg_buffer.'
 *   null bytes can be embedded: 'quotearg.h: "On output, BUFFER might contain embedded null bytes".'
 *   null bytes can be elided: 'quotearg.h: QA_ELIDE_NULL_BYTES.'
 *   errno stays: 'Comment of quotearg_buffer_restyled: it acts like this one, but "is not careful about errno".'
 *   options and default stay: 'Its parameter is const.'
 *   all styles are as in the examples: 'quotearg.h: enum quoting_style, the examples for quotearg_buffer.'
 ---*/
#include "quoting.h"

static char room[300];
static size_t got;

/* Whether the SIZE bytes at ARG are quoted as the LENGTH bytes EXPECTED. */
static int bytes(const struct quoting_options *o, const char *arg, size_t size, const char *expected, size_t length) {
    memset(room, '#', sizeof(room));
    got = quotearg_buffer(room, 200, arg, size, o);
    return got == length && !memcmp(room, expected, length) && room[length] == '\0' && room[200] == '#';
}

static int gives(const struct quoting_options *o, const char *arg, const char *expected) {
    return bytes(o, arg, strlen(arg), expected, strlen(expected));
}

int main(void) {
    static const char odd[] = "\0 \t\n'\"\033?" "?/\\";
    plus_start();
    struct quoting_options c = styled(c_quoting_style), e = styled(escape_quoting_style);
    struct quoting_options l = styled(literal_quoting_style), s = styled(shell_quoting_style);
    ok("the argument is quoted as the style says", gives(&c, "a\nb\"", "\"a\\nb\\\"\"") &&
       gives(&e, "a\nb\"", "a\\nb\"") && gives(&l, "a\nb\"", "a\nb\"") && gives(&s, "a b", "'a b'"));
    struct quoting_options flagged = {c_quoting_style, QA_ELIDE_OUTER_QUOTES};
    int good = gives(&flagged, "ab", "ab") && gives(&flagged, "a\nb", "\"a\\nb\"");
    flagged.flags = QA_SPLIT_TRIGRAPHS;
    ok("the flags are heeded", good && gives(&flagged, "?" "?/", "\"?\"\"?/\""));
    struct quoting_options more = e;
    quote_also(&more, ':');
    quote_also(&more, 0xe9);
    ok("the further characters are quoted", gives(&more, "a:b;c:", "a\\:b;c\\:"));
    struct quoting_options custom = {custom_quoting_style, 0, {0}, "<<", ">"};
    ok("the custom quotes are used", gives(&custom, "ab", "<<ab>") && gives(&custom, "a>b", "<<a\\>b>"));

    default_style(c_quoting_style);
    ok("without options the default is used", gives(NULL, "a\n", "\"a\\n\""));
    ok("with options the default is not used", gives(&l, "a\n", "a\n") && gives(&e, "a", "a"));
    default_quoting_options = (struct quoting_options) {custom_quoting_style, QA_ELIDE_OUTER_QUOTES, {0}, "[[", "]"};
    good = gives(NULL, "ab", "ab") && gives(NULL, "a\n", "[[a\\n]");
    quote_also(&default_quoting_options, ':');
    ok("the default flags characters and quotes are used",
       good && gives(NULL, "a:b", "[[a:b]") && gives(&l, "a:b", "a:b"));
    default_quoting_options = l;

    memset(room, '#', sizeof(room));
    got = quotearg_buffer(room, sizeof(room), "a\nb", 3, &c);
    ok("the written size is returned", got == 6);
    ok("the output ends with a null character", !memcmp(room, "\"a\\nb\"\0#", 8));
    memset(room, '#', sizeof(room));
    got = quotearg_buffer(room, 7, "a\nb", 3, &c);
    ok("an output that just fits ends with it too", got == 6 && !memcmp(room, "\"a\\nb\"\0#", 8));
    int whole = 1, within = 1;
    for (size_t size = 0; size < 7; size++) {
        memset(room, '#', sizeof(room));
        whole &= quotearg_buffer(room, size, "a\nb", 3, &c) == 6;
        for (size_t i = size; i < 20; i++) within &= room[i] == '#';
    }
    ok("of a longer output the whole size is returned", whole);
    ok("nothing is written behind the buffer", within);
    ok("no buffer is needed to get the size", quotearg_buffer(NULL, 0, "a\nb", 3, &c) == 6 &&
       quotearg_buffer(NULL, 0, "a\nb", SIZE_MAX, &l) == 3);
    ok("only as much as the size says is quoted",
       bytes(&c, "abc", 2, "\"ab\"", 4) && bytes(&l, "abc", 1, "a", 1) && bytes(NULL, "abc", 2, "ab", 2));
    ok("a size of nothing gives nothing", bytes(&c, "abc", 0, "\"\"", 2) && bytes(&l, "abc", 0, "", 0));
    ok("the largest size means the length of the string", bytes(&c, "abc\0def", SIZE_MAX, "\"abc\"", 5) &&
       bytes(&l, "", SIZE_MAX, "", 0) && bytes(&l, "a b c", SIZE_MAX, "a b c", 5));
    ok("null bytes in the argument are quoted", bytes(&c, "a\0b", 3, "\"a\\0b\"", 6) && bytes(&e, "\0", 1, "\\0", 2));
    ok("null bytes can be embedded", bytes(&l, "a\0b\0", 4, "a\0b\0", 4) && bytes(NULL, "a\0b", 3, "a\0b", 3));
    struct quoting_options elided = {literal_quoting_style, QA_ELIDE_NULL_BYTES};
    ok("null bytes can be elided", bytes(&elided, "a\0b\0", 4, "ab", 2));

    struct quoting_options quotes = styled(locale_quoting_style);
    spoiled = EINVAL;
    errno = ENOENT;
    good = gives(&quotes, "a", "'a'") && errno == ENOENT;
    errno = 0;
    good &= gives(&quotes, "a", "'a'") && errno == 0;
    default_quoting_options = quotes;
    errno = EACCES;
    ok("errno stays", good && gives(NULL, "a", "'a'") && errno == EACCES);
    spoiled = 0;
    default_quoting_options = elided;
    struct quoting_options kept = custom;
    gives(&custom, "ab", "");
    gives(NULL, "ab", "");
    ok("options and default stay", equal(&custom, &kept) && equal(&default_quoting_options, &elided));

    struct quoting_options m = styled(c_maybe_quoting_style), a = styled(shell_always_quoting_style);
    ok("all styles are as in the examples",
       bytes(&l, odd, 11, odd, 11) && bytes(&s, odd, 11, "'\0 \t\n'\\''\"\033?" "?/\\'", 16) &&
       gives(&s, "a:b", "a:b") && gives(&a, "simple", "'simple'") && gives(&m, "simple", "simple") &&
       bytes(&c, odd, 11, "\"\\0 \\t\\n'\\\"\\033?" "?/\\\\\"", 21) &&
       bytes(&m, odd, 11, "\"\\0 \\t\\n'\\\"\\033?" "?/\\\\\"", 21) &&
       bytes(&e, odd, 11, "\\0 \\t\\n'\"\\033?" "?/\\\\", 18));
    return plus_end();
}
