/*---
 * tasks: [read_label-aa715a]
 * tests:
 *   a label is read: 'Docstring: "read in a label for a :, b, or t command".'
 *   blanks before it are passed over: 'Manual: "Leading and trailing whitespace is ignored".'
 *   a semicolon ends it: 'Manual: "Labels ... are read until a semicolon".'
 *   a blank ends it: 'Manual: "Leading and trailing whitespace is ignored"; command-endings.sh.'
 *   a newline ends it: 'command-endings.sh: a script of several lines.'
 *   the end of the script ends it: 'command-endings.sh: "bx; :x".'
 *   a closing brace ends it: 'Manual: "{1d;3d}"; command-endings.sh.'
 *   a comment ends it: 'command-endings.sh: ":x#foo".'
 *   what ends it is read next: 'Caller compile_program reads on: newline, "}" and "#" are read again.'
 *   a newline that ends it is counted once: 'inchar: "Keep cur_input.line up to date".'
 *   no label is the empty string: 'Callers: "\":\" lacks a label", "The label may be omitted".'
 *   blanks alone are no label: 'Manual: "Leading and trailing whitespace is ignored".'
 *   other characters are part of it: 'Manual: "Labels ... are read until a semicolon".'
 *   a long label is read whole: 'utils.c: "a variable sized buffer".'
 *   it is a block that the caller frees: 'Attribute malloc; release_label frees it.'
 *   nothing else stays allocated: 'Only the label is returned.'
 *   each label has a block of its own: 'Attribute malloc; callers keep many.'
 *   a file of a script is read alike: 'struct prog_info: prog.file, "the current script file".'
 *   in the sandbox labels are read: 'sed.h: "sandbox mode - disable e/r/w commands".'
 * instead: [sed/sed-compile.o]
 ---*/
#include "script.h"

/* Whether in TEXT the label LABEL is read. */
static int reads(const char *text, const char *label) {
    take(text, strlen(text), 7);
    char *found = read_label();
    int good = same(found, label);
    free(found);
    return good;
}

int main(void) {
    static char many[2003];
    int good;
    plus_start();
    program_name = "sed";
    ok("a label is read", reads("end\n", "end") && reads("x;", "x"));
    ok("blanks before it are passed over", reads(" end\n", "end") && reads(" \t end;", "end"));
    ok("a semicolon ends it", reads("x;p", "x") && reads("ab;c", "ab"));
    ok("a blank ends it", reads("x ;p", "x") && reads("x\ty", "x") && reads("x y", "x"));
    ok("a newline ends it", reads("x\ny", "x"));
    ok("the end of the script ends it", reads("x", "x") && inchar() == EOF && reads(" loop", "loop"));
    ok("a closing brace ends it", reads("x}", "x") && reads("x }", "x"));
    ok("a comment ends it", reads("x#foo", "x") && reads("x #foo", "x"));
    good = reads("x;p", "x") && next(";p") && reads("x}p", "x") && next("}p") && reads("x#p", "x") && next("#p");
    ok("what ends it is read next", good && reads("x p", "x") && next(" p") && reads("x\np", "x") && next("\np"));
    reads("x\np", "x");
    good = cur_input.line == 7 && inchar() == '\n';
    ok("a newline that ends it is counted once", good && cur_input.line == 8);
    good = reads("\np", "") && next("\np") && reads(";p", "") && next(";p") && reads("}", "") && next("}");
    ok("no label is the empty string", good && reads("", "") && inchar() == EOF && reads("#p", "") && next("#p"));
    ok("blanks alone are no label", reads("  \t\np", "") && next("\np") && reads("  ;", "") && reads("   ", ""));
    ok("other characters are part of it", reads("a-b_1.2:3{4,5!\\6/;", "a-b_1.2:3{4,5!\\6/") &&
       reads("\xc3\xa9\xff;", "\xc3\xa9\xff"));
    good = 1;
    for (int n = 1; n < 300; n++) {
        memset(many, 0, sizeof(many));
        for (int i = 0; i < n; i++) many[i] = 'a' + i % 26;
        good &= reads(many, many);
    }
    for (int i = 0; i < 2000; i++) many[i] = 'a' + i % 26;
    ok("a long label is read whole", good && reads(many, many));
    take("one;", 4, 0);
    long before = plus_live_blocks;
    char *first = read_label();
    ok("it is a block that the caller frees", plus_live(first) && plus_size(first) >= 4);
    ok("nothing else stays allocated", plus_live_blocks == before + 1);
    take("two;", 4, 0);
    char *second = read_label();
    good = first != second && same(first, "one") && same(second, "two");
    free(first);
    ok("each label has a block of its own", good && same(second, "two"));
    take_file(" loop \nx}", 9, 1);
    good = same(read_label(), "loop") && cur_input.line == 1 && inchar() == ' ' && inchar() == '\n';
    ok("a file of a script is read alike", good && same(read_label(), "x") && inchar() == '}' && cur_input.line == 2);
    sandbox = true;
    ok("in the sandbox labels are read", reads("x;", "x"));
    return plus_end();
}
