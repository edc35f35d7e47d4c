/*---
 * tasks: [get_string-54d507]
 * instead: [src/conf.o]
 * tests:
 *   a free string is given with 0: 'Comment: "Return 0 for free string".'
 *   a string in double quotes is given with 1: 'Comment: "1 for delimited string".'
 *   a string in single quotes is given with 1: 'Comment: "1 for delimited string".'
 *   an empty quoted string is a string: 'string_print writes an empty string as two quotes.'
 *   only the same quote ends a quoted string: 'string_print chooses the quote by what the string holds.'
 *   quotes protect blanks and punctuators and comment signs: 'Page conf: "they remain as part of the string".'
 *   a quoted string may hold escapes: 'string_print writes a tab and a quote of its own kind with a backslash.'
 *   a backslash joins two lines: 'Page conf, Line continuation.'
 *   blanks before the string are skipped: 'Page conf, Whitespace: "any surplus whitespace is discarded".'
 *   comments before the string are skipped: 'Page conf, Comments: to the end of the line.'
 *   a quote after a comment opens a string: 'Page conf, Comments.'
 *   the first character belongs to a free string: 'Page conf, Whitespace: the tokens a, 1, b, 2.'
 *   any other character may begin a free string: 'Page conf: only the punctuators are special; @args, $CARD, -1.'
 *   bytes above 127 may begin a free string: 'get_char gives 0 to 255; errors are below 0.'
 *   a dot ends an id: 'Caller parse_def looks for the dot after an id.'
 *   a dot is part of a value: 'Caller parse_value parses real numbers.'
 *   a dot in quotes is part of an id: 'Page conf: protected from the normal parsing.'
 *   what ends a free string is read next: 'Callers parse_def, parse_array_def read the punctuator themselves.'
 *   what follows a closing quote is read next: 'Callers parse_def, parse_array_def read the punctuator themselves.'
 *   strings follow each other: 'Page conf: four tokens; a 1 b 2.'
 *   a free string may end with the input: 'get_freestring gives what was read up to the end.'
 *   a long string is given whole: 'Comment; local_string grows.'
 *   no punctuator begins a string: 'Page conf, Punctuators; LOCAL_UNEXPECTED_CHAR.'
 *   a dot begins no value either: 'Page conf, Punctuators: the dot is one.'
 *   a backslash begins no string: 'get_freestring stops before it, so parse_defs would never get on.'
 *   an empty input is an unexpected end: 'LOCAL_UNEXPECTED_EOF; caller parse_defs sees it as the end.'
 *   blanks and comments alone are an unexpected end: 'The same.'
 *   a quote that is not closed is an error: '_snd_config_load_with_include reports it.'
 *   an error of an included file is passed on: 'Callers return what is negative; snd_config_load: Errors.'
 *   out of memory is passed on for a free string: 'Callers return what is negative.'
 *   out of memory is passed on for a quoted string: 'Callers return what is negative.'
 *   only the string is allocated: 'Callers free the string and nothing else.'
 ---*/
#include "plus.h"
#include "../../src/conf.c"

static input_t input;
static struct filedesc file;
static snd_input_t *source;
static char *got;

static void begin(const char *text)
{
    if (source)
        snd_input_close(source);
    memset(&file, 0, sizeof(file));
    snd_input_buffer_open(&source, text, strlen(text));
    file.in = source;
    file.line = 1;
    INIT_LIST_HEAD(&file.include_paths);
    input.current = &file;
    input.unget = 0;
    input.ch = 0;
}

/* Whether the next string is this one, given with this result. */
static int next(int id, int result, const char *text)
{
    int err, same;

    got = NULL;
    err = get_string(&got, id, &input);
    same = err == result && got != NULL && strcmp(got, text) == 0;
    if (err >= 0)
        free(got);
    return same;
}

static int reads(const char *all, int id, int result, const char *text)
{
    begin(all);
    return next(id, result, text);
}

static int fails(const char *all, int id)
{
    begin(all);
    got = NULL;
    return get_string(&got, id, &input);
}

static int leaves(const char *all, int id, int result, const char *text, const char *rest)
{
    if (!reads(all, id, result, text))
        return 0;
    for (; *rest; rest++)
        if (get_char(&input) != (unsigned char)*rest)
            return 0;
    return get_char(&input) == LOCAL_UNEXPECTED_EOF;
}

int main(void)
{
    const char *starts[] = {"=", ",", ";", "{", "}", "[", "]", NULL};
    const char *odd[] = {"@args", "$CARD", "-1", "+x", "!y", "?z", "*", "/dev/null", "0x10", "(a)", "%i", "_", "a<b",
                 "&", ":", "~", "|", "^", "`", ">", NULL};
    char text[4000], quoted[4010];
    int j, err, good, bad;
    long live;

    snd_lib_error_set_handler(quiet);
    check("a free string is given with 0", reads("front ", 0, 0, "front") && reads("front ", 1, 0, "front"));
    check("a string in double quotes is given with 1",
          reads("\"front\" ", 0, 1, "front") && reads("\"front\" ", 1, 1, "front"));
    check("a string in single quotes is given with 1",
          reads("'front' ", 0, 1, "front") && reads("'front' ", 1, 1, "front"));
    check("an empty quoted string is a string", reads("'' a", 0, 1, "") && reads("\"\"", 1, 1, ""));
    check("only the same quote ends a quoted string",
          reads("'say \"x\"' ", 0, 1, "say \"x\"") && reads("\"it's\" ", 0, 1, "it's"));
    check("quotes protect blanks and punctuators and comment signs",
          reads("' John\tSmith '", 0, 1, " John\tSmith ") && reads("\"{a=[1,2];}.#<x>\"", 0, 1, "{a=[1,2];}.#<x>"));
    check("a quoted string may hold escapes",
          reads("'it\\'s\\t\\\\'", 0, 1, "it's\t\\") && reads("\"a\\\"b\"", 0, 1, "a\"b"));
    check("a backslash joins two lines", reads("\"John \\\nSmith\"", 0, 1, "John Smith"));
    check("blanks before the string are skipped",
          reads(" \t\n\r\f a", 0, 0, "a") && reads("\n\n  'b'", 1, 1, "b"));
    check("comments before the string are skipped",
          reads("# no 'x' y\n  # z\na", 0, 0, "a") && reads("#\n#\n\tb", 1, 0, "b"));
    check("a quote after a comment opens a string", reads("# it's\n'b c'", 0, 1, "b c"));
    check("the first character belongs to a free string",
          reads("x", 0, 0, "x") && reads(" 1 ", 0, 0, "1") && reads("xyz\n", 1, 0, "xyz"));
    for (good = 1, j = 0; odd[j]; j++)
        good = good && reads(odd[j], 0, 0, odd[j]) && reads(odd[j], 1, 0, odd[j]);
    check("any other character may begin a free string", good);
    check("bytes above 127 may begin a free string",
          reads("\xc3\xa4rger", 0, 0, "\xc3\xa4rger") && reads("\xff\xfe ", 1, 0, "\xff\xfe"));
    check("a dot ends an id", leaves("defaults.pcm", 1, 0, "defaults", ".pcm"));
    check("a dot is part of a value", reads("1.5", 0, 0, "1.5") && reads("a.b.c d", 0, 0, "a.b.c"));
    check("a dot in quotes is part of an id", leaves("'a.b'.c", 1, 1, "a.b", ".c"));
    check("what ends a free string is read next",
          leaves("a=1", 0, 0, "a", "=1") && leaves("a{", 1, 0, "a", "{") && leaves("a]b", 0, 0, "a", "]b") &&
          leaves("a;", 0, 0, "a", ";") && leaves("a'b'", 0, 0, "a", "'b'") && leaves("a b", 0, 0, "a", " b"));
    check("what follows a closing quote is read next",
          leaves("'a'=1", 0, 1, "a", "=1") && leaves("\"a\"b", 1, 1, "a", "b") && leaves("'a' ;", 0, 1, "a", " ;"));
    begin("a 1\n  'b'\t2.5 \"c\"# d\ne");
    good = next(1, 0, "a") && next(0, 0, "1") && next(1, 1, "b") && next(0, 0, "2.5") && next(1, 1, "c") &&
           next(0, 0, "e");
    check("strings follow each other", good && get_string(&got, 1, &input) == LOCAL_UNEXPECTED_EOF);
    check("a free string may end with the input", reads("end", 0, 0, "end") && reads(" e", 1, 0, "e"));
    for (j = 0; j < (int)sizeof(text) - 1; j++)
        text[j] = 'a' + j % 26;
    text[j] = 0;
    snprintf(quoted, sizeof(quoted), "'%s' x", text);
    check("a long string is given whole", reads(text, 0, 0, text) && reads(quoted, 1, 1, text));
    for (good = 1, j = 0; starts[j]; j++) {
        snprintf(quoted, sizeof(quoted), "%sa ", starts[j]);
        good = good && fails(quoted, 0) == LOCAL_UNEXPECTED_CHAR && fails(quoted, 1) == LOCAL_UNEXPECTED_CHAR;
        snprintf(quoted, sizeof(quoted), " \n%s", starts[j]);
        good = good && fails(quoted, 0) == LOCAL_UNEXPECTED_CHAR && fails(quoted, 1) == LOCAL_UNEXPECTED_CHAR;
    }
    check("no punctuator begins a string", good && fails(".b", 1) == LOCAL_UNEXPECTED_CHAR);
    check("a dot begins no value either", fails(".5", 0) == LOCAL_UNEXPECTED_CHAR);
    check("a backslash begins no string",
          fails("\\a", 0) == LOCAL_UNEXPECTED_CHAR && fails(" \\\na", 1) == LOCAL_UNEXPECTED_CHAR);
    check("an empty input is an unexpected end",
          fails("", 0) == LOCAL_UNEXPECTED_EOF && fails("", 1) == LOCAL_UNEXPECTED_EOF);
    check("blanks and comments alone are an unexpected end",
          fails(" \n\t ", 0) == LOCAL_UNEXPECTED_EOF && fails("# a\n # b", 1) == LOCAL_UNEXPECTED_EOF);
    for (bad = 0, j = 0; j < 2; j++) {
        err = fails(j ? "'abc\"" : "\"abc'", j);
        if (err != LOCAL_UNEXPECTED_EOF && err != LOCAL_UNTERMINATED_STRING && err != LOCAL_UNTERMINATED_QUOTE)
            bad++;
    }
    check("a quote that is not closed is an error", bad == 0);
    check("an error of an included file is passed on", fails(" </nonexistent/plus.conf> a", 0) == -ENOENT);
    begin("abc def");
    refuse_after(0);
    err = get_string(&got, 0, &input);
    refuse_none();
    check("out of memory is passed on for a free string", err == -ENOMEM);
    begin("'abc' def");
    refuse_after(0);
    err = get_string(&got, 0, &input);
    refuse_none();
    check("out of memory is passed on for a quoted string", err == -ENOMEM);
    begin("abc 'def' =");
    live = plus_live;
    good = next(0, 0, "abc") && next(1, 1, "def") && get_string(&got, 1, &input) == LOCAL_UNEXPECTED_CHAR;
    check("only the string is allocated", good && plus_live == live && plus_bad == 0);
    return checked();
}
