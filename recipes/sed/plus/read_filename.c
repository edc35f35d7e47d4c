/*---
 * tasks: [read_filename-7f0262]
 * tests:
 *   the name is what the line holds: 'Docstring: "Read in a filename for a r, w, or s///w command".'
 *   blanks before it are passed over: 'Manual: "w filename"; caller compile_program reads just behind the command.'
 *   a newline ends it: 'Manual: the commands "parse the filename until end of the line".'
 *   the newline is no part of what is read next: 'Caller compile_program goes on with the next command.'
 *   the newline counts a line: 'inchar: "Keep cur_input.line up to date".'
 *   the end of the script ends it: 'Manual: "until end of the line"; the script is one line.'
 *   whitespace is part of it: 'Manual: "If whitespace, comments or semicolons are found, they will be included".'
 *   whitespace at its end is part of it: 'Manual: "If whitespace ... found, they will be included in the filename".'
 *   a semicolon is part of it: 'Manual: "If ... semicolons are found, they will be included in the filename".'
 *   a comment is part of it: 'Manual: "If ... comments ... are found, they will be included in the filename".'
 *   a closing brace is part of it: 'Manual: "parse the filename until end of the line".'
 *   a backslash is part of it: 'Manual: "parse the filename until end of the line".'
 *   it ends with a null byte: 'Callers take the buffer as a string (strlen, strcmp).'
 *   an empty name is the empty string: 'Callers look for a length of 0: "missing filename in r/R/w/W commands".'
 *   blanks alone are an empty name: 'Callers look for a length of 0.'
 *   a long name is read whole: 'utils.c: "a variable sized buffer".'
 *   high bytes are part of it: 'Manual: "parse the filename until end of the line".'
 *   a file of a script is read alike: 'struct prog_info: prog.file, "the current script file".'
 *   each name has a buffer of its own: 'Callers free it.'
 *   in the sandbox it is an error: 'sed.h: "sandbox mode - disable e/r/w commands".'
 *   the error of the sandbox is named: 'errors: DISALLOWED_CMD, "e/r/w commands disabled in sandbox mode".'
 * instead: [sed/sed-compile.o]
 ---*/
#include "script.h"

static struct buffer *found;

static int name_is(const char *name) {
    return same(get_buffer(found), name);
}

/* Whether in TEXT the name NAME is read. */
static int reads(const char *text, const char *name) {
    take(text, strlen(text), 7);
    found = read_filename();
    int good = name_is(name);
    free_buffer(found);
    return good;
}

static void dies(void) {
    read_filename();
}

int main(void) {
    static char many[2003];
    int good;
    plus_start();
    program_name = "sed";
    ok("the name is what the line holds", reads("out.txt\n", "out.txt") && reads("/tmp/a-b_c\n", "/tmp/a-b_c"));
    ok("blanks before it are passed over", reads(" out\n", "out") && reads(" \t  out\n", "out"));
    ok("a newline ends it", reads("one\ntwo\n", "one"));
    ok("the newline is no part of what is read next", inchar() == 't' && inchar() == 'w');
    reads("one\n\nx", "one");
    good = cur_input.line == 8 && inchar() == '\n';
    ok("the newline counts a line", good && cur_input.line == 9);
    ok("the end of the script ends it", reads("one", "one") && inchar() == EOF && cur_input.line == 7);
    ok("whitespace is part of it", reads("a b\tc\n", "a b\tc") && reads("a\rb\n", "a\rb"));
    ok("whitespace at its end is part of it", reads("a  \n", "a  ") && reads("a\t", "a\t") && reads("a\r\n", "a\r"));
    ok("a semicolon is part of it", reads("hello.txt ; 2d\n", "hello.txt ; 2d") && reads(";\n", ";"));
    ok("a comment is part of it", reads("a #b\n", "a #b") && reads("#\n", "#"));
    ok("a closing brace is part of it", reads("a }\n", "a }") && reads("}", "}"));
    ok("a backslash is part of it", reads("a\\nb\\\n", "a\\nb\\"));
    take("name\nx", 6, 0);
    found = read_filename();
    good = memchr(get_buffer(found), '\0', size_buffer(found)) == get_buffer(found) + 4;
    ok("it ends with a null byte", good);
    free_buffer(found);
    ok("an empty name is the empty string", reads("\n", "") && reads("", ""));
    ok("blanks alone are an empty name", reads("  \t\nx", "") && inchar() == 'x' && reads("   ", ""));
    good = 1;
    for (int n = 1; n < 300; n++) {
        memset(many, 0, sizeof(many));
        for (int i = 0; i < n; i++) many[i] = 'a' + i % 26;
        good &= reads(many, many);
    }
    for (int i = 0; i < 2000; i++) many[i] = 'a' + i % 26;
    ok("a long name is read whole", good && reads(many, many));
    ok("high bytes are part of it", reads("\xff\xa0z\n", "\xff\xa0z") && reads(" \xc3\xa9\n", "\xc3\xa9"));
    take_file(" a b ;\nc", 8, 1);
    found = read_filename();
    good = name_is("a b ;") && cur_input.line == 2;
    found = read_filename();
    ok("a file of a script is read alike", good && name_is("c"));
    take("one\ntwo\n", 8, 0);
    struct buffer *first = read_filename(), *second = read_filename();
    good = same(get_buffer(first), "one") && same(get_buffer(second), "two");
    free_buffer(first);
    ok("each name has a buffer of its own", good && same(get_buffer(second), "two"));
    free_buffer(second);
    sandbox = true;
    take("one\n", 4, 0);
    good = plus_child(dies) == EXIT_BAD_USAGE;
    ok("the error of the sandbox is named", strstr(plus_told, "e/r/w commands disabled in sandbox mode") != NULL);
    take("\n", 1, 0);
    ok("in the sandbox it is an error", good && plus_child(dies) == EXIT_BAD_USAGE);
    return plus_end();
}
