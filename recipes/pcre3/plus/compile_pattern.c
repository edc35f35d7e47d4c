/*---
 * tasks: [compile_pattern-ddd5b9.2]
 * tests:
 *   a pattern is compiled: 'Docstring: "Returns: TRUE on success"; patstr.compiled.'
 *   a success is told: 'Docstring: "Returns: TRUE on success".'
 *   a compiled pattern is left as it is: 'Docstring: "Do nothing if the pattern has already been compiled".'
 *   the options are those of PCRE: 'Docstring: "options, the PCRE options".'
 *   the tables of the locale are used: 'pcregrep.1: --locale; pcretables.'
 *   a word is matched as a whole: 'pcregrep.1: -w, "only complete words"; popts, PO_WORD_MATCH.'
 *   a line is matched as a whole: 'pcregrep.1: -x, "start and end at the start and end of the line".'
 *   alternatives are kept together: 'pcregrep.1: -x, "the start and end of the line".'
 *   a fixed string is matched literally: 'Docstring: "They will be matched literally"; pcregrep.1: -F.'
 *   fixed strings may be words or lines: 'pcregrep.1: "-w and -x can be used with -F".'
 *   a fixed string of lines is split: 'Docstring: "split such a string and compile the first substring".'
 *   the rest is in a block behind: 'Docstring: "inserting an additional block into the pattern chain".'
 *   what followed follows the rest: 'Docstring: "inserting"; add_pattern.'
 *   the rest is not compiled yet: 'Callers compile each block of the chain in turn.'
 *   the rest is split in its turn: 'Callers compile each block of the chain in turn.'
 *   the newline that is set splits strings: 'pcregrep.1: -N; end_of_line.'
 *   a string with a newline at its end has an empty rest: 'Docstring: "separated by line breaks".'
 *   a pattern of lines that is not fixed is not split: 'Docstring: "When the -F option has been used".'
 *   a long pattern is compiled whole: 'pcregrep.c: MAXPATLEN, PATBUFSIZE "allows for prefix+suffix".'
 *   a rest that is too long is an error: 'add_pattern: "NULL on error"; MAXPATLEN.'
 *   the string of the pattern stays: 'Docstring: p "points to the pattern block"; the rest lies within the string.'
 *   a wrong pattern is an error: 'Docstring: "FALSE after an error".'
 *   a wrong pattern is not compiled: 'Docstring: "FALSE after an error".'
 *   an error tells the message of PCRE: 'RunGrepTest; pcregrep.1: "a message is output".'
 *   an error tells the offset in the pattern: 'RunGrepTest: "at offset".'
 *   the offset is without what is put in front: 'RunGrepTest: offsets are in the pattern of the user.'
 *   the offset is not behind the pattern: 'RunGrepTest: offsets are in the pattern of the user.'
 *   an error in a file tells line and file: 'Docstring: fromfile; count, "linenumber for a pattern from a file".'
 *   an error on the command line tells which: 'Docstring: count, "number of the command line pattern"; ordin.'
 *   an error of the only pattern tells no number: 'Docstring: count, "0 if this is the only command line pattern".'
 *   an error tells what it is of: 'Docstring: fromtext, "file name or identifying text".'
 *   ordinals have their endings: 'ordin: "turns a number into 1st, 3rd, etc".'
 *   larger ordinals have the ending of their last digit: 'ordin: "turns a number into 1st, 3rd, etc".'
 *   the ordinal of a large number is whole: 'ordin: n is an int.'
 ---*/
#include <ctype.h>
#include "plus.h"
#define main pcregrep_main
#include "../pcregrep.c"
#undef main

static patstr *block(const char *text) {
    patstr *p = (patstr *) calloc(1, sizeof(*p));
    p->string = strdup(text);
    return p;
}

static patstr *made;
static int result;

static patstr *compiled(const char *text, int options, int popts) {
    made = block(text);
    result = compile_pattern(made, options, popts, FALSE, "test", 1);
    return made;
}

static int found(patstr *p, const char *subject) {
    int ov[30];
    return p->compiled && pcre_exec(p->compiled, NULL, subject, (int) strlen(subject), 0, PCRE_NO_START_OPTIMIZE, ov,
        30) >= 0;
}

static int same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

/* In a child: 10 for TRUE, 20 for FALSE, and 5 more where something was compiled. */
static const char *wrong_text, *wrong_from;
static int wrong_popts, wrong_file, wrong_count;
static char told[4000];

static void run(void) {
    patstr *p = block(wrong_text);
    int r = compile_pattern(p, 0, wrong_popts, wrong_file, wrong_from, wrong_count);
    _exit((r ? 10 : 20) + (p->compiled ? 5 : 0));
}

static int refuses(const char *text, int popts, int file, const char *from, int count) {
    wrong_text = text;
    wrong_popts = popts;
    wrong_file = file;
    wrong_from = from;
    wrong_count = count;
    return plus_child(run, told, sizeof(told));
}

/* Whether the number is told by itself. */
static int tells(int number) {
    char digits[20], *p = told;
    size_t n;
    sprintf(digits, "%d", number);
    n = strlen(digits);
    while ((p = strstr(p, digits)) != NULL) {
        if ((p == told || !isalnum((unsigned char) p[-1])) && !isalnum((unsigned char) p[n])) return 1;
        p++;
    }
    return 0;
}

int main(void) {
    patstr *p, *q;
    pcre *was;
    unsigned char *tables;
    static char longer[MAXPATLEN + 100], text[MAXPATLEN + 200];
    const char *error = "";
    int offset, good, i;

    p = compiled("a(b|c)+d", 0, 0);
    ok("a pattern is compiled", found(p, "xabcbd") && !found(p, "ad") && !found(p, "a(b|c)+d"));
    ok("a success is told", result == TRUE);
    ok("the string of the pattern stays", same(p->string, "a(b|c)+d") && p->next == NULL && p->hint == NULL);
    was = p->compiled;
    p->string = strdup("other(");
    good = compile_pattern(p, PCRE_CASELESS, PO_WORD_MATCH, FALSE, "x", 0) == TRUE;
    p->string = NULL;
    ok("a compiled pattern is left as it is", good && p->compiled == was && p->next == NULL && found(p, "abd"));
    good = found(compiled("abc", PCRE_CASELESS, 0), "xABCx") && !found(compiled("abc", 0, 0), "ABC");
    ok("the options are those of PCRE", good && found(compiled("^b", PCRE_MULTILINE, 0), "a\nb") &&
       !found(compiled("^b", 0, 0), "a\nb"));
    tables = (unsigned char *) pcre_maketables();
    tables['1'] = 'a';
    pcretables = tables;
    good = found(compiled("^a", PCRE_CASELESS, 0), "1");
    pcretables = NULL;
    ok("the tables of the locale are used", good && !found(compiled("^a", PCRE_CASELESS, 0), "1"));
    p = compiled("cat", 0, PO_WORD_MATCH);
    ok("a word is matched as a whole", found(p, "a cat!") && !found(p, "cats") && !found(p, "concat"));
    p = compiled("cat", 0, PO_LINE_MATCH);
    ok("a line is matched as a whole", found(p, "cat") && !found(p, "a cat") && !found(p, "cat "));
    p = compiled("a|b", 0, PO_LINE_MATCH);
    good = found(p, "b") && found(p, "a") && !found(p, "ax") && !found(p, "xb");
    p = compiled("a|b", 0, PO_LINE_MATCH | PO_WORD_MATCH);
    ok("alternatives are kept together", good && found(p, "b") && !found(p, "ax") && !found(p, "xb"));
    p = compiled("a.(b|c)*[\\d", 0, PO_FIXED_STRINGS);
    ok("a fixed string is matched literally", found(p, "xa.(b|c)*[\\dx") && !found(p, "axb") && p->next == NULL);
    p = compiled("a.b", 0, PO_FIXED_STRINGS | PO_WORD_MATCH);
    good = found(p, "x a.b y") && !found(p, "a.bc") && !found(p, "a b");
    p = compiled("a.b", 0, PO_FIXED_STRINGS | PO_LINE_MATCH);
    ok("fixed strings may be words or lines", good && found(p, "a.b") && !found(p, "a.bc") && !found(p, "axb"));

    p = block("first*\nsecond\nthird");
    q = block("after");
    p->next = q;
    good = compile_pattern(p, 0, PO_FIXED_STRINGS, FALSE, "test", 1) == TRUE;
    ok("a fixed string of lines is split", good && found(p, "xfirst*y") && !found(p, "second") && !found(p, "firs"));
    ok("the rest is in a block behind", p->next && p->next != q && same(p->next->string, "second\nthird"));
    if (!p->next || p->next == q) return 1;
    ok("what followed follows the rest", p->next->next == q && q->next == NULL && same(q->string, "after"));
    ok("the rest is not compiled yet", p->next->compiled == NULL && p->next->hint == NULL && q->compiled == NULL);
    good = compile_pattern(p->next, 0, PO_FIXED_STRINGS, FALSE, "test", 1) == TRUE && p->next->next != q;
    good = good && found(p->next, "second") && !found(p->next, "third") && same(p->next->next->string, "third");
    good = good && compile_pattern(p->next->next, 0, PO_FIXED_STRINGS, FALSE, "test", 1) && p->next->next->next == q;
    ok("the rest is split in its turn", good && found(p->next->next, "a third"));
    endlinetype = EL_CR;
    p = compiled("one\rtwo\nx", 0, PO_FIXED_STRINGS);
    good = found(p, "one") && !found(p, "on") && p->next && same(p->next->string, "two\nx");
    endlinetype = EL_CRLF;
    p = compiled("one\ntwo\r\nx", 0, PO_FIXED_STRINGS);
    good = good && found(p, "one\ntwo") && !found(p, "one") && p->next && same(p->next->string, "x");
    endlinetype = EL_LF;
    ok("the newline that is set splits strings", good);
    p = compiled("one\n", 0, PO_FIXED_STRINGS);
    ok("a string with a newline at its end has an empty rest",
       found(p, "one") && !found(p, "on") && p->next && same(p->next->string, "") && !p->next->next);
    p = compiled("one\ntwo", 0, 0);
    ok("a pattern of lines that is not fixed is not split", found(p, "one\ntwo") && !found(p, "one") && !p->next);
    memset(longer, 'm', MAXPATLEN);
    good = found(compiled(longer, 0, PO_LINE_MATCH | PO_WORD_MATCH), longer) && result == TRUE;
    longer[MAXPATLEN - 1] = 0;
    good = good && found(compiled(longer, 0, PO_FIXED_STRINGS | PO_LINE_MATCH | PO_WORD_MATCH), longer);
    ok("a long pattern is compiled whole", good && !found(made, longer + 1));
    memset(longer, 'm', MAXPATLEN + 50);
    sprintf(text, "a\n%s", longer);
    ok("a rest that is too long is an error", refuses(text, PO_FIXED_STRINGS, FALSE, "test", 0) / 10 == 2);

    good = refuses("ab(?z)cd", 0, FALSE, "test", 0);
    i = refuses("a[b", PO_WORD_MATCH, TRUE, "test", 3);
    ok("a wrong pattern is an error", good / 10 == 2 && i / 10 == 2);
    ok("a wrong pattern is not compiled", good == 20 && i == 20);
    pcre_compile("ab(?z)cd", 0, &error, &offset, NULL);
    refuses("ab(?z)cd", 0, FALSE, "test", 0);
    ok("an error tells the message of PCRE", strstr(told, error) != NULL);
    ok("an error tells the offset in the pattern", offset > 0 && tells(offset));
    good = refuses("ab(?z)cd", PO_WORD_MATCH, FALSE, "test", 0) == 20 && tells(offset);
    good = good && refuses("ab(?z)cd", PO_LINE_MATCH, TRUE, "test", 17) == 20 && tells(offset);
    good = good && refuses("ab(?z)cd", PO_LINE_MATCH | PO_WORD_MATCH, FALSE, "test", 17) == 20 && tells(offset);
    ok("the offset is without what is put in front", good && tells(offset));
    good = refuses("abcdef(g", PO_WORD_MATCH, FALSE, "test", 0) == 20 && tells(8);
    good = good && refuses("abcdefg[", PO_LINE_MATCH, FALSE, "test", 0) == 20 && tells(8);
    ok("the offset is not behind the pattern", good);
    good = refuses("ab(?z)cd", 0, TRUE, "some.file", 17) == 20;
    ok("an error in a file tells line and file", good && tells(17) && tells(offset) && strstr(told, "some.file"));
    good = refuses("ab(?z)cd", 0, FALSE, "command-line", 2) == 20 && strstr(told, "2nd") && tells(offset);
    ok("an error on the command line tells which",
       good && refuses("ab(?z)cd", 0, FALSE, "command-line", 14) == 20 && strstr(told, "14th"));
    refuses("ab(?z)cd", 0, FALSE, "--include", 0);
    ok("an error of the only pattern tells no number", !strstr(told, "0th") && !tells(0) && tells(offset));
    ok("an error tells what it is of", strstr(told, "--include") != NULL);

    good = same(ordin(1), "1st") && same(ordin(2), "2nd") && same(ordin(3), "3rd") && same(ordin(4), "4th");
    good = good && same(ordin(9), "9th") && same(ordin(10), "10th") && same(ordin(5), "5th");
    ok("ordinals have their endings", good);
    good = same(ordin(21), "21st") && same(ordin(32), "32nd") && same(ordin(43), "43rd") && same(ordin(20), "20th");
    ok("larger ordinals have the ending of their last digit",
       good && same(ordin(101), "101st") && same(ordin(1002), "1002nd") && same(ordin(99), "99th"));
    ok("the ordinal of a large number is whole",
       same(ordin(2147483647), "2147483647th") && same(ordin(2000000001), "2000000001st"));
    return plus_end();
}
