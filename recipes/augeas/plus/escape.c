/*---
 * tasks: [escape-38e9a5]
 * flags: [-fno-builtin-free]
 * tests:
 *   printable characters stay: 'Docstring: "Escape nonprintable characters".'
 *   the named escapes of C are used: 'Docstring: "how it is done in C string literals"; escape_chars, escape_names.'
 *   other control characters are three octal digits: 'Docstring: "how it is done in C string literals".'
 *   bytes above 127 are three octal digits: 'Docstring: "Escape nonprintable characters".'
 *   digits behind an octal escape stay apart: 'Docstring: "how it is done in C string literals".'
 *   a blank is printable and DEL is not: 'Docstring: "Escape nonprintable characters".'
 *   extra characters get a backslash: 'internal.h: STR_ESCAPES, "Extra characters to be escaped in strings".'
 *   the extra characters of regexps get a backslash: 'internal.h: RX_ESCAPES.'
 *   without extra characters a backslash stays: 'Caller get.c passes NULL; "Extra characters to be escaped".'
 *   no extra characters are as NULL: 'internal.h: "Extra characters to be escaped".'
 *   a negative count takes all: 'Callers augeas.c and get.c pass -1.'
 *   a count takes the first characters alone: 'Caller format_pos passes a window.'
 *   a count of zero gives the empty string: 'Caller format_pos at position 0.'
 *   a count past the end takes all: 'Caller format_pos passes a window that may be longer than the text.'
 *   a count of the length takes all: 'Docstring and print_chars.'
 *   the count is of characters of the text: 'Caller print_chars passes the length of the text.'
 *   an empty text gives an empty string: 'Docstring: "Caller must free the returned string".'
 *   what is unescaped again is the text: 'internal.c: unescape.'
 *   a long text is whole: 'Docstring.'
 *   the text stays as it was: 'TEXT is const.'
 *   the caller frees the string: 'Docstring: "Caller must free the returned string".'
 *   without memory there is no string: 'Callers look for NULL (format_pos, str_to_fa).'
 ---*/
#include <config.h>
#include "internal.h"
#include "plus.h"

static int is(const char *text, int cnt, const char *extra, const char *expected) {
    char *copy = strdup(text);
    char *s = escape(copy, cnt, extra);
    int good = s != copy && same(s, expected) && same(copy, text);
    free(s);
    free(copy);
    return good;
}

int main(void) {
    plus_start();
    ok("printable characters stay",
       is("a Z0~!(x)[y]*{}|^$.,;:'`", -1, NULL, "a Z0~!(x)[y]*{}|^$.,;:'`"));
    ok("the named escapes of C are used",
       is("\a", -1, NULL, "\\a") && is("\b", -1, NULL, "\\b") && is("\t", -1, NULL, "\\t") &&
       is("\n", -1, NULL, "\\n") && is("\v", -1, NULL, "\\v") && is("\f", -1, NULL, "\\f") &&
       is("x\r\ny", -1, NULL, "x\\r\\ny"));
    ok("other control characters are three octal digits",
       is("\001", -1, NULL, "\\001") && is("\033[0m", -1, NULL, "\\033[0m") && is("\037", -1, NULL, "\\037") &&
       is("\016\006", -1, NULL, "\\016\\006"));
    ok("bytes above 127 are three octal digits",
       is("\200", -1, NULL, "\\200") && is("\377", -1, NULL, "\\377") && is("\303\251!", -1, "\"\\", "\\303\\251!"));
    ok("digits behind an octal escape stay apart", is("\0017", -1, NULL, "\\0017"));
    ok("a blank is printable and DEL is not", is(" \177", -1, NULL, " \\177"));
    ok("extra characters get a backslash",
       is("say \"a\\b\"", -1, STR_ESCAPES, "say \\\"a\\\\b\\\"") && is("a/b", -1, STR_ESCAPES, "a/b"));
    ok("the extra characters of regexps get a backslash",
       is("/a\\/\"\n", -1, RX_ESCAPES, "\\/a\\\\\\/\"\\n"));
    ok("without extra characters a backslash stays", is("a\\\"/", -1, NULL, "a\\\"/"));
    ok("no extra characters are as NULL", is("a\\\"\001/", -1, "", "a\\\"\\001/"));
    ok("a negative count takes all", is("abc\n", -1, NULL, "abc\\n") && is("abc", -7, NULL, "abc"));
    ok("a count takes the first characters alone", is("abc\ndef", 4, NULL, "abc\\n") && is("abcdef", 1, NULL, "a"));
    ok("a count of zero gives the empty string", is("abc", 0, NULL, ""));
    ok("a count past the end takes all",
       is("a\tb", 4, NULL, "a\\tb") && is("a\tb", 28, NULL, "a\\tb") && is("", 3, NULL, ""));
    ok("a count of the length takes all", is("a\tb", 3, NULL, "a\\tb"));
    ok("the count is of characters of the text", is("\n\001\"xyz", 3, "\"", "\\n\\001\\\""));
    ok("an empty text gives an empty string", is("", -1, NULL, "") && is("", 0, "\"", ""));
    char text[] = "tab\t \"quoted\\\" \a\b\n\v\f\r end", *s = escape(text, -1, STR_ESCAPES);
    char *back = s ? unescape(s, -1, STR_ESCAPES) : NULL;
    ok("what is unescaped again is the text", same(back, text));
    ok("the text stays as it was", same(text, "tab\t \"quoted\\\" \a\b\n\v\f\r end"));
    free(back);
    free(s);
    static char longer[3001], expected[12001];
    for (int i = 0; i < 3000; i++) {
        longer[i] = i % 3 == 0 ? '\n' : i % 3 == 1 ? '\002' : 'q';
        strcat(expected + i / 3 * 7, i % 3 == 0 ? "\\n" : i % 3 == 1 ? "\\002" : "q");
    }
    ok("a long text is whole", is(longer, -1, NULL, expected));
    long live = plus_live_blocks;
    s = escape("a\nb", -1, NULL);
    int own = plus_live(s) && plus_live_blocks == live + 1;
    free(s);
    ok("the caller frees the string", own && plus_live_blocks == live);
    plus_fail_at = 1;
    s = escape("a\nb", -1, NULL);
    plus_fail_at = 0;
    ok("without memory there is no string", s == NULL && plus_live_blocks == live);
    return plus_end();
}
