/*---
 * tasks: [read_pattern_file-29724b.2]
 * tests:
 *   each line is a pattern: 'Docstring: "Read and compile a file of patterns"; pcregrep.1: "one per line".'
 *   the patterns are compiled: 'Docstring: "Read and compile a file of patterns".'
 *   the patterns are in the order of the file: 'Docstring: "pointer to the pattern chain anchor".'
 *   a success is told: 'Docstring: "TRUE if all went well".'
 *   the anchor is the first pattern: 'Docstring: "patptr, pointer to the pattern chain anchor".'
 *   the last pointer is the last pattern: 'Docstring: "patlastptr, pointer to the last pattern pointer".'
 *   patterns are added to those that are there: 'Docstring: "pattern chain"; main reads several files into one chain.'
 *   blank lines are left out: 'pcregrep.1: --include-from, "blank lines are ignored".'
 *   white space at the end is removed: 'pcregrep.1: -f, "Trailing white space is removed from each line".'
 *   white space at the beginning stays: 'pcregrep.1: -f, trailing white space alone is removed.'
 *   a last line without a newline is read: 'pcregrep.1: -f, "one per line".'
 *   an empty file has no patterns: 'pcregrep.1: -f, "An empty file contains no patterns".'
 *   the options of the processing are used: 'Docstring: "popts, the process options".'
 *   the options of PCRE are used: 'pcregrep.c: pcre_options.'
 *   fixed strings that are split are all compiled: 'compile_pattern: "inserting an additional block".'
 *   the standard input is read by its name: 'Docstring: "- is stdin".'
 *   the standard input stays open: 'Docstring: "- is stdin"; it is not opened here.'
 *   a missing file is an error: 'Docstring: "TRUE if all went well"; RunGrepTest.'
 *   a missing file is told: 'RunGrepTest: "Failed to open".'
 *   a wrong pattern is an error: 'Docstring: "TRUE if all went well".'
 *   a wrong pattern is told with file and line: 'compile_pattern: fromfile, fromtext and count.'
 *   blank lines count as lines: 'compile_pattern: "linenumber for a pattern from a file".'
 *   a wrong pattern of the standard input is told with its name: 'pcregrep.c: stdin_name, "(standard input)".'
 *   a pattern that is too long is an error: 'add_pattern: "NULL on error"; pcregrep.1: MAXPATLEN.'
 *   the file is closed: 'Docstring: it gets a name and returns no file.'
 *   after an error the file is closed: 'Docstring: it gets a name and returns no file.'
 *   an item is made of the string itself: 'add_pattern: "s, pattern string to add"; compile_pattern adds a rest.'
 *   it is unconnected without another: 'add_pattern: "just return an unconnected item if the after argument is NULL".'
 *   it is not compiled: 'add_pattern; compile_pattern asks for it.'
 *   it is inserted behind the other: 'add_pattern: "points to item to insert after".'
 *   a pattern of the greatest length is taken: 'pcregrep.c: MAXPATLEN; "limit is %d bytes".'
 *   a longer pattern gives none: 'add_pattern: "NULL on error".'
 *   then the chain stays: 'add_pattern: "NULL on error".'
 *   without memory the program ends with status 2: 'pcregrep.1: 2 for errors; as add_number does.'
 ---*/
#include <ctype.h>
#include <fcntl.h>
#include "plus.h"
static int refuse;
static void *limited(size_t size) {
    void *p = refuse ? NULL : malloc(size);
    if (p) memset(p, 0xa5, size);
    return p;
}
#define main pcregrep_main
#define malloc limited
#include "../pcregrep.c"
#undef malloc
#undef main

static char name[] = "/tmp/plus-patterns-XXXXXX";
static patstr *first, *last;
static int result, popts;
static char told[4000];

static void write_file(const char *text) {
    FILE *f = fopen(name, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f)) exit(1);
}

static int load(const char *text) {
    write_file(text);
    first = last = NULL;
    result = read_pattern_file(name, &first, &last, popts);
    return result;
}

static int count(void) {
    int n = 0;
    for (patstr *p = first; p; p = p->next) n++;
    return n;
}

static patstr *nth(int n) {
    patstr *p = first;
    while (p && n-- > 0) p = p->next;
    return p;
}

/* Whether the pattern with this number matches the whole text. */
static int whole(int n, const char *text) {
    int ov[30];
    patstr *p = nth(n);
    return p && p->compiled && pcre_exec(p->compiled, NULL, text, (int) strlen(text), 0, 0, ov, 30) >= 0 &&
           ov[0] == 0 && ov[1] == (int) strlen(text);
}

static const char *text_of_child, *name_of_child;

static void run(void) {
    if (text_of_child) write_file(text_of_child);
    first = last = NULL;
    _exit(read_pattern_file((char *) name_of_child, &first, &last, popts) ? 10 : 20);
}

static int fails(const char *text, const char *file) {
    text_of_child = text;
    name_of_child = file;
    return plus_child(run, told, sizeof(told)) == 20;
}

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

static int lowest(void) {
    int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

static void without(void) {
    refuse = 1;
    add_pattern("abc", NULL);
}

int main(void) {
    static char longer[MAXPATLEN + 100];
    static char missing[] = "/tmp/plus-patterns-missing/none";
    char text[] = "pattern", *s;
    patstr *a, *b, *c, *p;
    int fd, good;

    fd = mkstemp(name);
    if (fd < 0) return 1;
    close(fd);
    fd = lowest();
    good = load("one\ntwo+\n[t]hree\n");
    ok("a success is told", good == TRUE);
    ok("each line is a pattern", count() == 3);
    ok("the patterns are compiled", nth(0)->compiled && nth(1)->compiled && nth(2)->compiled);
    ok("the patterns are in the order of the file", whole(0, "one") && whole(1, "twooo") && whole(2, "three"));
    ok("the anchor is the first pattern", whole(0, "one") && !whole(0, "two"));
    ok("the last pointer is the last pattern", last && last == nth(2) && last->next == NULL);
    a = first;
    b = last;
    write_file("four\nfive\n");
    good = read_pattern_file(name, &first, &last, 0) == TRUE;
    ok("patterns are added to those that are there",
       good && first == a && nth(2) == b && count() == 5 && whole(3, "four") && whole(4, "five") && last == nth(4) &&
       whole(0, "one"));
    load("\n\none\n   \n\t\r\n\ntwo\n\n");
    ok("blank lines are left out", result == TRUE && count() == 2 && whole(0, "one") && whole(1, "two"));
    load("one  \ntwo\t \t\r\nthr ee \v\f\n");
    ok("white space at the end is removed", count() == 3 && whole(0, "one") && whole(1, "two") && whole(2, "thr ee"));
    load("  one\n\ttwo\n");
    ok("white space at the beginning stays", count() == 2 && whole(0, "  one") && whole(1, "\ttwo"));
    load("one\ntwo");
    ok("a last line without a newline is read", result == TRUE && count() == 2 && whole(1, "two") && last == nth(1));
    load("");
    good = result == TRUE && !first && !last;
    load("\n \n");
    ok("an empty file has no patterns", good && result == TRUE && !first && !last);
    popts = PO_LINE_MATCH;
    load("a|bc\n");
    good = whole(0, "bc") && !whole(0, "b") && last->compiled != NULL;
    popts = PO_FIXED_STRINGS;
    load("a.*(\n");
    ok("the options of the processing are used", good && result == TRUE && whole(0, "a.*(") && count() == 1);
    endlinetype = EL_CR;
    load("one.\rtwo\rthree\nfour\n");
    endlinetype = EL_LF;
    ok("fixed strings that are split are all compiled",
       result == TRUE && count() == 4 && whole(0, "one.") && whole(1, "two") && whole(2, "three") &&
       whole(3, "four") &&
       last == nth(3));
    popts = 0;
    pcre_options = PCRE_CASELESS;
    load("one\n");
    pcre_options = 0;
    ok("the options of PCRE are used", whole(0, "ONE") && whole(0, "one"));
    ok("the file is closed", lowest() == fd);

    write_file("red\nblue\n");
    first = last = NULL;
    if (!freopen(name, "r", stdin)) return 1;
    good = read_pattern_file("-", &first, &last, 0) == TRUE;
    ok("the standard input is read by its name", good && count() == 2 && whole(0, "red") && whole(1, "blue"));
    ok("the standard input stays open", fcntl(0, F_GETFD) >= 0 && fileno(stdin) == 0 && lowest() == fd);

    ok("a missing file is an error", fails(NULL, missing));
    ok("a missing file is told", strstr(told, missing) != NULL);
    good = fails("one\ntwo\nab(?z)cd\nfour\n", name);
    ok("a wrong pattern is an error", good);
    ok("a wrong pattern is told with file and line", strstr(told, name) && tells(3));
    fails("\n\none\n \n\n\n\nab(?z)cd\n", name);
    ok("blank lines count as lines", tells(8));
    write_file("one\n\nab(?z)cd\n");
    if (!freopen(name, "r", stdin)) return 1;
    good = fails(NULL, "-") && tells(3);
    ok("a wrong pattern of the standard input is told with its name", good && strstr(told, stdin_name));
    memset(longer, 'm', MAXPATLEN + 3);
    ok("a pattern that is too long is an error", fails(longer, name));
    fd = lowest();
    freopen("/dev/null", "w", stderr);
    load("one\nab(?z)cd\n");
    good = result == FALSE;
    load(longer);
    good = good && result == FALSE;
    read_pattern_file(missing, &first, &last, 0);
    ok("after an error the file is closed", good && lowest() == fd);
    unlink(name);

    a = add_pattern(text, NULL);
    ok("an item is made of the string itself", a && a->string == text && !strcmp(text, "pattern"));
    ok("it is unconnected without another", a->next == NULL);
    ok("it is not compiled", a->compiled == NULL && a->hint == NULL);
    b = add_pattern("b", a);
    c = add_pattern("c", a);
    ok("it is inserted behind the other",
       a->next == c && c->next == b && b->next == NULL && !strcmp(b->string, "b") && !strcmp(c->string, "c") &&
       a->string == text);
    longer[MAXPATLEN] = 0;
    p = add_pattern(longer, b);
    ok("a pattern of the greatest length is taken", p && p->string == longer && b->next == p);
    s = (char *) calloc(1, MAXPATLEN + 2);
    memset(s, 'x', MAXPATLEN + 1);
    good = add_pattern(s, a) == NULL && add_pattern(s, NULL) == NULL;
    ok("a longer pattern gives none", good);
    ok("then the chain stays", a->next == c && c->next == b && b->next == p && p->next == NULL);
    ok("without memory the program ends with status 2", plus_child(without, told, sizeof(told)) == 2);
    return plus_end();
}
