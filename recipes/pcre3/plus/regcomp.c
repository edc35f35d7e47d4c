/*---
 * tasks: [regcomp-0b615e]
 * tests:
 *   success is 0: 'Docstring: "0 on success".'
 *   the compiled expression can be matched: 'Docstring: preg, "a structure for recording the compiled expression".'
 *   without flags no options are set: 'pcreposix.3: "In the absence of these flags, no options are passed".'
 *   REG_ICASE ignores case: 'pcreposix.3: REG_ICASE, "The PCRE_CASELESS option is set".'
 *   REG_NEWLINE matches at lines: 'pcreposix.3: REG_NEWLINE, "The PCRE_MULTILINE option is set".'
 *   with REG_NEWLINE a dot does not match a newline: 'pcreposix.3: "does not affect the way newlines" are.'
 *   REG_DOTALL lets a dot match a newline: 'pcreposix.3: REG_DOTALL, "The PCRE_DOTALL option is set".'
 *   REG_NOSUB captures nothing: 'pcreposix.3: REG_NOSUB, "The PCRE_NO_AUTO_CAPTURE option is set".'
 *   REG_UTF8 takes strings as UTF-8: 'pcreposix.3: REG_UTF8, "The PCRE_UTF8 option is set".'
 *   REG_UCP uses Unicode properties: 'pcreposix.3: REG_UCP, "The PCRE_UCP option is set".'
 *   REG_UNGREEDY matches as little as possible: 'pcreposix.3: REG_UNGREEDY, "The PCRE_UNGREEDY option is set".'
 *   each flag sets its option alone: 'pcreposix.h: each flag "Maps to" one option.'
 *   several flags set all their options: 'pcreposix.3: "one or more of the bits".'
 *   REG_EXTENDED has no effect: 'pcreposix.3: "This has no effect".'
 *   re_nsub is the number of groups: 'pcreposix.3: "the number of capturing subpatterns".'
 *   re_nsub is 0 without groups: 'pcreposix.3: "re_nsub contains the number of capturing subpatterns".'
 *   re_nsub counts named groups under REG_NOSUB: 'pcreposix.3: PCRE_NO_AUTO_CAPTURE; named groups do capture.'
 *   an unmatched parenthesis is REG_EPAREN: 'pcreposix.c: eint.'
 *   an unclosed class is REG_EBRACK: 'pcreposix.c: eint.'
 *   a wrong range is REG_ERANGE: 'pcreposix.c: eint.'
 *   nothing to repeat is REG_BADRPT: 'pcreposix.c: eint.'
 *   a wrong quantifier is REG_BADBR: 'pcreposix.c: eint.'
 *   a backslash at the end is REG_EESCAPE: 'pcreposix.c: eint.'
 *   an unknown class is REG_ECTYPE: 'pcreposix.c: eint.'
 *   a missing group is REG_ESUBREG: 'pcreposix.c: eint.'
 *   other errors are REG_BADPAT: 'pcreposix.c: eint.'
 *   the last error of the table is translated: 'pcreposix.c: eint.'
 *   without memory it is REG_ESPACE: 'pcreposix.c: eint, "failed to get memory".'
 *   the offset of an error is recorded: 'regerror uses re_erroffset.'
 *   after a failure nothing is left in store: 'pcreposix.3: after a failure preg can not be used, so not freed.'
 *   regfree frees all of it: 'pcreposix.3: "regfree() frees all such memory".'
 *   a structure can be used again: 'pcreposix.3: "preg structure is filled in on success".'
 ---*/
#include "../pcreposix.c"
#include "plus.h"

static regex_t re;

static int compile(const char *pattern, int flags) {
    memset(&re, 0x77, sizeof(re));
    return regcomp(&re, pattern, flags);
}

/* Whether the whole of TEXT up to END is found. */
static int finds(const char *pattern, int flags, const char *text, int from, int to) {
    regmatch_t m[3];
    int good;
    if (compile(pattern, flags) != 0) return 0;
    good = regexec(&re, text, 3, m, 0) == 0 && m[0].rm_so == from && m[0].rm_eo == to;
    regfree(&re);
    return good;
}

static int options(int flags) {
    unsigned long set = 0;
    if (compile("a(b)c", flags) != 0) return -1;
    pcre_fullinfo((const pcre *) re.re_pcre, NULL, PCRE_INFO_OPTIONS, &set);
    regfree(&re);
    return (int) set;
}

static int groups(const char *pattern, int flags) {
    int n;
    if (compile(pattern, flags) != 0) return -1;
    n = (int) re.re_nsub;
    regfree(&re);
    return n;
}

int main(void) {
    static const int flags[] = {REG_ICASE, REG_NEWLINE, REG_DOTALL, REG_NOSUB, REG_UTF8, REG_UCP, REG_UNGREEDY};
    static const int bits[] = {PCRE_CASELESS, PCRE_MULTILINE, PCRE_DOTALL, PCRE_NO_AUTO_CAPTURE, PCRE_UTF8, PCRE_UCP,
                               PCRE_UNGREEDY};
    static const char *const wrong[] = {"a(b", "[z-a]", "*", "\\", "(?z)", "[[:nope:]]", "(a)\\2"};
    regmatch_t m[3];
    int i, j, good, r, live, offset, code;
    const char *message;

    pcre_malloc = plus_malloc;
    pcre_free = plus_free;
    r = compile("x(a|b)+y", 0);
    ok("success is 0", r == 0);
    good = regexec(&re, "--xaby-", 3, m, 0) == 0 && m[0].rm_so == 2 && m[0].rm_eo == 6 && m[1].rm_so == 4 &&
           m[1].rm_eo == 5 && m[2].rm_so == -1;
    ok("the compiled expression can be matched", good && regexec(&re, "xy", 3, m, 0) == REG_NOMATCH);
    regfree(&re);
    ok("regfree frees all of it", plus_live == 0 && plus_bad == 0);
    ok("without flags no options are set",
       options(0) == 0 && !finds("A", 0, "a", 0, 1) && !finds("a.b", 0, "a\nb", 0, 3));
    ok("REG_ICASE ignores case", finds("AbC", REG_ICASE, "xaBc", 1, 4));
    ok("REG_NEWLINE matches at lines",
       finds("^b$", REG_NEWLINE, "a\nb\nc", 2, 3) && !finds("^b$", 0, "a\nb\nc", 2, 3));
    ok("with REG_NEWLINE a dot does not match a newline", !finds("a.b", REG_NEWLINE, "a\nb", 0, 3));
    ok("REG_DOTALL lets a dot match a newline", finds("a.b", REG_DOTALL, "a\nb", 0, 3) &&
       !finds("^b", REG_DOTALL, "a\nb", 2, 3));
    r = compile("a(b)", REG_NOSUB);
    m[0].rm_so = m[1].rm_so = 55;
    ok("REG_NOSUB captures nothing", r == 0 && re.re_nsub == 0 && regexec(&re, "xab", 2, m, 0) == 0 &&
       m[0].rm_so == 55 && m[1].rm_so == 55);
    regfree(&re);
    ok("REG_UTF8 takes strings as UTF-8", finds("^.b", REG_UTF8, "\xc3\xa9" "b", 0, 3) &&
       !finds("^.b", 0, "\xc3\xa9" "b", 0, 3));
    ok("REG_UCP uses Unicode properties", finds("^\\w+$", REG_UTF8 | REG_UCP, "\xc3\xa9", 0, 2) &&
       !finds("^\\w+$", REG_UTF8, "\xc3\xa9", 0, 2));
    ok("REG_UNGREEDY matches as little as possible",
       finds("a+", REG_UNGREEDY, "aaa", 0, 1) && finds("a+", 0, "aaa", 0, 3));
    good = 1;
    for (i = 0; i < 7; i++) good &= options(flags[i]) == bits[i];
    ok("each flag sets its option alone", good);
    good = 1;
    for (i = 0; i < 7; i++)
        for (j = 0; j < 7; j++) good &= options(flags[i] | flags[j]) == (bits[i] | bits[j]);
    ok("several flags set all their options", good);
    ok("REG_EXTENDED has no effect", options(REG_EXTENDED) == 0 && options(REG_EXTENDED | REG_ICASE) == PCRE_CASELESS);
    ok("re_nsub is the number of groups", groups("(a)(b(c))", 0) == 3 && groups("(a)(?:b)|(d)", 0) == 2);
    ok("re_nsub is 0 without groups", groups("abc", 0) == 0 && groups("(?:a)(?=b)", REG_ICASE) == 0);
    ok("re_nsub counts named groups under REG_NOSUB", groups("(a)(?<n>b)", REG_NOSUB) == 1);

    live = plus_live;
    ok("an unmatched parenthesis is REG_EPAREN", compile("a(b", 0) == REG_EPAREN &&
       compile("ab)", 0) == REG_EPAREN &&
       compile("a(?#b", 0) == REG_EPAREN);
    ok("an unclosed class is REG_EBRACK", compile("[ab", 0) == REG_EBRACK);
    ok("a wrong range is REG_ERANGE", compile("[z-a]", 0) == REG_ERANGE);
    ok("nothing to repeat is REG_BADRPT", compile("*a", 0) == REG_BADRPT && compile("(+)", 0) == REG_BADRPT);
    ok("a wrong quantifier is REG_BADBR", compile("a{3,2}", 0) == REG_BADBR && compile("a{70000}", 0) == REG_BADBR);
    ok("a backslash at the end is REG_EESCAPE", compile("ab\\", 0) == REG_EESCAPE && compile("\\c", 0) == REG_EESCAPE);
    ok("an unknown class is REG_ECTYPE", compile("[[:nope:]]", 0) == REG_ECTYPE);
    ok("a missing group is REG_ESUBREG", compile("(a)\\2", 0) == REG_ESUBREG);
    ok("other errors are REG_BADPAT", compile("(?z)", 0) == REG_BADPAT && compile("(?<=a+)b", 0) == REG_BADPAT &&
       compile("(?<n>a)(?<n>b)", 0) == REG_BADPAT && compile("a\xff", REG_UTF8) == REG_BADPAT &&
       compile("\\p{Nope}", 0) == REG_BADPAT);
    good = compile("\\x{}", 0) == REG_BADPAT && compile("(?<1a>b)", 0) == REG_BADPAT &&
           compile("\\o{9}", 0) == REG_BADPAT && compile("\\o1", 0) == REG_BADPAT;
    ok("the last error of the table is translated", good);
    plus_refuse = 1;
    ok("without memory it is REG_ESPACE", compile("a(b)c", 0) == REG_ESPACE);
    plus_refuse = 0;
    good = 1;
    for (i = 0; i < 7; i++) {
        compile(wrong[i], 0);
        pcre_compile2(wrong[i], 0, &code, &message, &offset, NULL);
        good &= re.re_erroffset == (size_t) offset;
    }
    ok("the offset of an error is recorded", good);
    ok("after a failure nothing is left in store", plus_live == live);
    regcomp(&re, "(a)(b", 0);
    r = regcomp(&re, "ab", 0);
    good = r == 0 && re.re_nsub == 0 && regexec(&re, "cab", 3, m, 0) == 0 && m[0].rm_so == 1;
    regfree(&re);
    ok("a structure can be used again", good && plus_live == live && plus_bad == 0);
    return plus_end();
}
