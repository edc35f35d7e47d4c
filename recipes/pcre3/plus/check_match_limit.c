/*---
 * tasks: [check_match_limit-bafd90]
 * link: [pcretest-pcre_printint.o, pcretest-pcre16_printint.o, pcretest-pcre32_printint.o]
 * tests:
 *   the least match limit is told: 'Caller: "find the minimum value for the match limit".'
 *   the least recursion limit is told: 'Caller: "and for the recursion limit".'
 *   with that limit the match succeeds: 'Caller: "the minimum value".'
 *   with one less it fails: 'Caller: "the minimum value".'
 *   it is told by the name passed: 'Parameter msg; testoutput2: "Minimum match() recursion limit = 6".'
 *   it is told in one line: 'testoutput2: "Minimum match() limit = 8".'
 *   the result of the match is returned: 'Caller: "count = check_match_limit".'
 *   the offsets are those of the match: 'Parameter use_offsets; the caller prints them.'
 *   a small least limit is found: 'Caller: "the minimum value".'
 *   least limits around 64 and its multiples are found: 'Caller: "the minimum value".'
 *   a large least limit is found: 'testoutput2: "Minimum match() limit = 32768".'
 *   the limit is told for no match too: 'Caller: "find the minimum value"; no match is a result.'
 *   no match is returned: 'Caller: "count = check_match_limit".'
 *   the limit is told for a partial match too: 'Caller: options; PCRE_ERROR_PARTIAL is a result.'
 *   a partial match is returned: 'Caller: "count = check_match_limit".'
 *   another error is returned: 'Caller: "count = check_match_limit".'
 *   for another error no limit is told: 'Caller: "find the minimum value".'
 *   the flag is cleared in the end: 'Caller: the second call may not be held by the first limit.'
 *   the flag is cleared after an error too: 'Caller: the second call may not be held by the first limit.'
 *   other flags stay: 'Parameter flag; extra has other flags too.'
 *   the start offset is used: 'Parameter start_offset.'
 *   the options are used: 'Parameter options.'
 *   the length is used: 'Parameter len.'
 *   a result of more groups than offsets is returned: 'pcreapi.3: pcre_exec() returns 0 then.'
 *   patterns of 16 bits are matched: 'pcretest.c: pcre_mode, PCRE_EXEC.'
 ---*/
#include <config.h>
#define main pcretest_main
#include "../pcretest.c"
#undef main
#include "plus.h"

static char *told;
static size_t size;
static pcre_extra extra;
static int offsets[30], count, other;
static int match_limit = 1;

/* Looks for the least limit of matching TEXT; gives the limit told, or -1 when there is none. */
static long least(const char *pattern, const char *text, int length, int start, int options, int use) {
    const char *message;
    int at;
    long limit = -1;
    char expected[100];
    pcre *re = pcre_compile(pattern, 0, &message, &at, NULL);
    outfile = open_memstream(&told, &size);
    memset(offsets, 0x77, sizeof(offsets));
    extra.flags = other;
    if (match_limit)
        count = check_match_limit(re, &extra, (pcre_uint8 *) text, length, start, options, offsets, use,
                                  PCRE_EXTRA_MATCH_LIMIT, &extra.match_limit, PCRE_ERROR_MATCHLIMIT, "match()");
    else
        count = check_match_limit(re, &extra, (pcre_uint8 *) text, length, start, options, offsets, use,
                                  PCRE_EXTRA_MATCH_LIMIT_RECURSION, &extra.match_limit_recursion,
                                  PCRE_ERROR_RECURSIONLIMIT, "deep thing");
    fclose(outfile);
    if (sscanf(told, match_limit ? "Minimum match() limit = %ld" : "Minimum deep thing limit = %ld", &limit) != 1)
        limit = -1;
    return limit;
}

/* The result of matching with this limit. */
static int with(const char *pattern, const char *text, int options, long limit) {
    const char *message;
    int at, vector[30];
    pcre_extra e;
    pcre *re = pcre_compile(pattern, 0, &message, &at, NULL);
    memset(&e, 0, sizeof(e));
    e.flags = match_limit ? PCRE_EXTRA_MATCH_LIMIT : PCRE_EXTRA_MATCH_LIMIT_RECURSION;
    e.match_limit = e.match_limit_recursion = limit;
    return pcre_exec(re, &e, text, strlen(text), 0, options, vector, 30);
}

static int enough, short_of;

static int good(const char *pattern, const char *text, int options) {
    long limit = least(pattern, text, strlen(text), 0, options, 30);
    int error = match_limit ? PCRE_ERROR_MATCHLIMIT : PCRE_ERROR_RECURSIONLIMIT;
    int a = limit > 0 && with(pattern, text, options, limit) == count && count != error;
    int b = limit > 0 && (limit == 1 || with(pattern, text, options, limit - 1) == error);
    enough &= a;
    short_of &= b;
    return a && b;
}

int main(void) {
    static char many[3000];
    char line[100];
    int i, all;
    long limit, more;
    const char *slow = "(a+)*bc|x", *run = "(?:a|b)*c";
    pcre_mode = PCRE8_MODE;
    enough = short_of = 1;
    other = 0;
    ok("the least match limit is told", good("(a|ab)(bcd|c)d", "abcd", 0));
    sprintf(line, "Minimum match() limit = %ld\n", least(run, "ababc", 5, 0, 0, 30));
    ok("it is told in one line", !strcmp(told, line));
    match_limit = 0;
    ok("the least recursion limit is told", good(run, "ababababc", 0) && good("a(b)?c", "abc", 0));
    sprintf(line, "Minimum deep thing limit = %ld\n", least(run, "ababc", 5, 0, 0, 30));
    ok("it is told by the name passed", !strcmp(told, line));
    match_limit = 1;
    least("(b)(c)", "abcd", 4, 0, 0, 30);
    ok("the result of the match is returned", count == 3);
    ok("the offsets are those of the match", offsets[0] == 1 && offsets[1] == 3 &&
       offsets[2] == 1 && offsets[3] == 2 &&
       offsets[4] == 2 && offsets[5] == 3);
    ok("a small least limit is found", good("abc", "abc", 0) && count == 1 && good("", "", 0) && good("(a)", "a", 0));
    all = 1;
    for (i = 20; i < 150; i++) {
        memset(many, 'a', i);
        strcpy(many + i, "c");
        all &= good(run, many, 0);
    }
    ok("least limits around 64 and its multiples are found", all);
    strcpy(many, "aaaaaaaaaaaac-bx");
    all = good(slow, many, 0);
    limit = least(slow, many, strlen(many), 0, 0, 30);
    ok("a large least limit is found", all && limit > 4000);
    ok("the limit is told for no match too", good("(a|b)+c", "abab", 0));
    ok("no match is returned", count == PCRE_ERROR_NOMATCH);
    ok("the limit is told for a partial match too", good(run, "xabab", PCRE_PARTIAL_SOFT));
    ok("a partial match is returned", count == PCRE_ERROR_PARTIAL);
    ok("with that limit the match succeeds", enough);
    ok("with one less it fails", short_of);
    limit = least("a", "aaa", 3, 0, 0x40000000 | PCRE_EXTENDED, 30);
    ok("another error is returned", count == PCRE_ERROR_BADOPTION);
    ok("for another error no limit is told", limit == -1 && size == 0);
    all = !(extra.flags & PCRE_EXTRA_MATCH_LIMIT);
    match_limit = 0;
    least("a", "aaa", 3, 0, PCRE_EXTENDED, 30);
    ok("the flag is cleared after an error too", all && extra.flags == 0);
    least(run, "ababc", 5, 0, 0, 30);
    all = extra.flags == 0;
    match_limit = 1;
    least(run, "ababc", 5, 0, 0, 30);
    ok("the flag is cleared in the end", all && extra.flags == 0);
    other = PCRE_EXTRA_MATCH_LIMIT_RECURSION | PCRE_EXTRA_CALLOUT_DATA;
    extra.match_limit_recursion = 1000;
    least(run, "ababc", 5, 0, 0, 30);
    ok("other flags stay", extra.flags == other && count == 1);
    other = 0;
    limit = least("a.", "ab-ac", 5, 0, 0, 30);
    least("a.", "ab-ac", 5, 1, 0, 30);
    ok("the start offset is used", count == 1 && offsets[0] == 3 && offsets[1] == 5);
    least("a.", "-ab", 3, 0, PCRE_ANCHORED, 30);
    ok("the options are used", count == PCRE_ERROR_NOMATCH);
    least("ac", "abac", 3, 0, 0, 30);
    ok("the length is used", count == PCRE_ERROR_NOMATCH);
    more = least("(b)(c)", "abcd", 4, 0, 0, 3);
    ok("a result of more groups than offsets is returned", count == 0 && more > 0 && offsets[0] == 1);
    {
        static const unsigned short p[] = {'(', 0x141, '|', 'b', ')', '+', 'c', 0}, t[] = {0x141, 'b', 0x141, 'c', 0};
        const char *message;
        int at;
        pcre16 *re = pcre16_compile(p, 0, &message, &at, NULL);
        pcre_mode = PCRE16_MODE;
        outfile = open_memstream(&told, &size);
        extra.flags = 0;
        count = check_match_limit((pcre *) re, &extra, (pcre_uint8 *) t, 4, 0, 0, offsets, 30, PCRE_EXTRA_MATCH_LIMIT,
                                  &extra.match_limit, PCRE_ERROR_MATCHLIMIT, "match()");
        fclose(outfile);
        ok("patterns of 16 bits are matched", count == 2 && offsets[1] == 4 &&
           sscanf(told, "Minimum match() limit = %ld", &limit) == 1);
    }
    return plus_end();
}
