/*---
 * tasks: [get_first_set-ca352c]
 * tests:
 *   a name that is there once has its number: 'Docstring: "It returns the number".'
 *   such a number is given whether set or not: 'Docstring: "the number of the last one if none are set".'
 *   a name that is not there is an error: 'Docstring: "a negative number on error"; pcre_get_stringnumber.'
 *   without any names it is an error: 'Docstring: "a negative number on error"; pcre_get_stringnumber.'
 *   the first of two is taken when it is set: 'Docstring: "the first one that was set in a pattern match".'
 *   the second of two is taken when the first is unset: 'Docstring: "the first one that was set".'
 *   the last of three is taken when it alone is set: 'Docstring: "the first one that was set".'
 *   the one in the middle is taken when it alone is set: 'Docstring: "the first one that was set".'
 *   of several that are set the first is taken: 'Docstring: "the first one that was set".'
 *   an empty substring at the start is set: 'pcreapi.3: offsets are -1 for unset substrings.'
 *   a substring beyond the count is not set: 'Docstring: stringcount, "number of captured substrings".'
 *   the first number beyond the count is not set: 'Docstring: stringcount, "number of captured substrings".'
 *   other names do not matter: 'Docstring: stringname, "the name of the capturing substring".'
 *   a name that begins like another is told apart: 'Docstring: stringname, "the name".'
 *   with duplicates a missing name is an error: 'Docstring: "a negative number on error".'
 *   the option within the pattern counts too: 'pcrepattern.3: "(?J)" allows duplicate names.'
 *   a name that is there once among duplicates has its number: 'Docstring: "the first one that was set".'
 *   the named substring is copied: 'pcreapi.3: "return the first substring corresponding to the given name".'
 *   the error for no such name is PCRE_ERROR_NOSUBSTRING: 'pcreapi.3: "(-7) if there are none".'
 *   an error of the pattern is handed on: 'Docstring: "a negative number on error"; pcre_fullinfo.'
 *   numbers above 255 are right: 'pcre_internal.h: GET2; pcreapi.3: two bytes of number.'
 *   the offsets stay as they were: 'Docstring: ovector, "the vector of matched substrings".'
 *   names of 16 bits are found: 'Docstring; pcre16_copy_named_substring calls it.'
 *   names of 32 bits are found: 'Docstring; pcre32_copy_named_substring calls it.'
 ---*/
#include <config.h>
#include "../pcre_get.c"
#include "plus.h"

static int vector[3000];
static pcre *code;

/* Compiles PATTERN, matches TEXT with it and looks for NAME. */
static int first(const char *pattern, int options, const char *text, const char *name) {
    const char *message;
    int offset, count, i, n, same = 1;
    static int kept[3000];
    code = pcre_compile(pattern, options, &message, &offset, NULL);
    if (code == NULL) return -1000;
    for (i = 0; i < 3000; i++) vector[i] = 3;
    count = pcre_exec(code, NULL, text, strlen(text), 0, 0, vector, 3000);
    if (count < 0) return -2000;
    memcpy(kept, vector, sizeof(kept));
    n = get_first_set(code, name, vector, count);
    return memcmp(kept, vector, sizeof(kept)) ? -3000 : n;
}

static const char *const three = "(?:(?<n>a)|(?<n>b)|(?<n>c))+(?<m>d)?(?<no>e)?";

int main(void) {
    int good, i, n, dup = PCRE_DUPNAMES;
    const char *message;
    int offset;
    char buffer[20], pattern[8000];

    ok("a name that is there once has its number", first("(x)?(?<a>b)(?<c>d)", 0, "xbd", "a") == 2 &&
       first("(x)?(?<a>b)(?<c>d)", 0, "xbd", "c") == 3);
    ok("such a number is given whether set or not", first("(?<a>b)?c", 0, "c", "a") == 1);
    good = first("(?<a>b)", 0, "b", "z") < 0 && first("(?<a>b)", 0, "b", "") < 0;
    ok("a name that is not there is an error", good);
    ok("without any names it is an error", first("(b)", 0, "b", "a") < 0 && first("(b)", dup, "b", "a") < 0);
    ok("the first of two is taken when it is set", first("(?<n>a)(?:x(?<n>b))?", dup, "a", "n") == 1);
    ok("the second of two is taken when the first is unset", first("(?<n>a)|(?<n>b)", dup, "b", "n") == 2);
    ok("the last of three is taken when it alone is set", first(three, dup, "c", "n") == 3);
    ok("the one in the middle is taken when it alone is set", first(three, dup, "bd", "n") == 2);
    ok("of several that are set the first is taken", first(three, dup, "cba", "n") == 1 &&
       first(three, dup, "cb", "n") == 2 &&
       first("(?<n>a)(?<n>b)", dup, "ab", "n") == 1);
    ok("an empty substring at the start is set", first("(?<n>)(?<n>b)", dup, "b", "n") == 1 &&
       first("(?:(?<n>x)|(?<n>))(?<n>b)", dup, "b", "n") == 2);

    first("(?<n>a)(b)(?<n>c)(?<n>d)", dup, "abcd", "n");
    vector[2] = vector[3] = -1;
    ok("a substring beyond the count is not set", get_first_set(code, "n", vector, 4) == 3);
    vector[6] = vector[7] = -1;
    good = get_first_set(code, "n", vector, 5) == 4;
    first("(?<n>a)(?<n>b)", dup, "ab", "n");
    good &= get_first_set(code, "n", vector, 2) == 1;
    first("(?<n>a)|(?<n>b)(?<n>c)?", dup, "b", "n");
    vector[6] = 0;                      /* Not filled in by a match that captured no more than 2. */
    ok("the first number beyond the count is not set", good && get_first_set(code, "n", vector, 3) == 2);
    ok("other names do not matter", first("(?<m>a)(?:(?<n>x)|(?<n>b))(?<o>c)", dup, "abc", "n") == 3 &&
       first("(?<n>x)?(?<m>a)(?<n>b)", dup, "ab", "n") == 3);
    ok("a name that begins like another is told apart",
       first("(?<na>a)(?:(?<n>x)|(?<n>b))(?<nz>c)", dup, "abc", "n") == 3 &&
       first(three, dup, "ade", "no") == 5);
    ok("with duplicates a missing name is an error",
       first(three, dup, "a", "nope") < 0 && first(three, dup, "a", "a") < 0);
    ok("the option within the pattern counts too", first("(?J)(?<n>a)|(?<n>b)", 0, "b", "n") == 2 &&
       first("(?J)(?:(?<n>a)|(?<n>b)|(?<n>c))", 0, "c", "n") == 3);
    ok("a name that is there once among duplicates has its number", first(three, dup, "ad", "m") == 4);
    first("(?<n>a)|(?<n>b)", dup, "xxb", "n");
    n = pcre_copy_named_substring(code, "xxb", vector, 3, "n", buffer, sizeof(buffer));
    ok("the named substring is copied", n == 1 && !strcmp(buffer, "b"));
    ok("the error for no such name is PCRE_ERROR_NOSUBSTRING", first(three, dup, "a", "z") == PCRE_ERROR_NOSUBSTRING &&
       first("(?<a>b)", 0, "b", "z") == PCRE_ERROR_NOSUBSTRING && first("(b)", 0, "b", "a") == PCRE_ERROR_NOSUBSTRING);
    first(three, dup, "a", "n");
    ((REAL_PCRE *) code)->magic_number = 12345;
    n = get_first_set(code, "n", vector, 2);
    first("(?<n>a)", 0, "a", "n");
    ((REAL_PCRE *) code)->magic_number = 12345;
    ok("an error of the pattern is handed on", n == PCRE_ERROR_BADMAGIC &&
       get_first_set(code, "n", vector, 2) == PCRE_ERROR_BADMAGIC);
    strcpy(pattern, "(?<n>x)?");
    for (i = 0; i < 300; i++) strcat(pattern, "()");
    strcat(pattern, "(?<n>a)(?<o>b)");
    ok("numbers above 255 are right", first(pattern, dup, "ab", "n") == 302 && first(pattern, 0, "ab", "n") == -1000 &&
       first(pattern, dup, "ab", "o") == 303);
    ok("the offsets stay as they were", first(three, dup, "cba", "n") == 1);
    {
        PCRE_UCHAR16 p[200], t[] = {'x', 'c', 0}, to[9], name[] = {'n', 0};
        pcre16 *re;
        for (i = 0; three[i]; i++) p[i] = three[i];
        p[i] = 0;
        re = pcre16_compile(p, dup, &message, &offset, NULL);
        n = pcre16_exec(re, NULL, t, 2, 0, 0, vector, 3000);
        ok("names of 16 bits are found",
           pcre16_copy_named_substring(re, t, vector, n, name, to, 9) == 1 && to[0] == 'c');
    }
    {
        PCRE_UCHAR32 p[200], t[] = {'x', 'c', 0}, to[9], name[] = {'n', 0};
        pcre32 *re;
        for (i = 0; three[i]; i++) p[i] = three[i];
        p[i] = 0;
        re = pcre32_compile(p, dup, &message, &offset, NULL);
        n = pcre32_exec(re, NULL, t, 2, 0, 0, vector, 3000);
        ok("names of 32 bits are found",
           pcre32_copy_named_substring(re, t, vector, n, name, to, 9) == 1 && to[0] == 'c');
    }
    return plus_end();
}
