/*---
 * tasks: [in_nonblank-490eac]
 * tests:
 *   a character that is no blank is read at once: 'Docstring: "Read the next non-blank character from the program".'
 *   a space is passed over: 'Docstring: "the next non-blank character".'
 *   a tab is passed over: 'Docstring: "the next non-blank character"; basicdefs.h, ISBLANK.'
 *   many blanks are passed over: 'Docstring: "the next non-blank character".'
 *   only that character is read: 'Docstring: "Read the next"; callers go on behind it.'
 *   a newline is no blank: 'basicdefs.h: ISBLANK; callers compare with the newline.'
 *   the newline that is read counts a line: 'inchar: "Keep cur_input.line up to date".'
 *   blanks count no line: 'inchar: "Keep cur_input.line up to date".'
 *   other white space is no blank: 'basicdefs.h: ISBLANK, "(c) == space || (c) == tab".'
 *   at the end it is EOF: 'inchar: "Return EOF if there isn''t anything to read".'
 *   blanks at the end are followed by EOF: 'inchar: "Return EOF if there isn''t anything to read".'
 *   a null byte is no blank: 'struct prog_info: "compile script strings that contain nulls".'
 *   a high byte is no blank: 'struct prog_info: the bytes are unsigned.'
 *   a file is read alike: 'struct prog_info: prog.file, "the current script file".'
 * instead: [sed/sed-compile.o]
 ---*/
#include "script.h"

int main(void) {
    static char many[1001];
    int good;
    plus_start();
    take("ab", 2, 0);
    ok("a character that is no blank is read at once", in_nonblank() == 'a' && in_nonblank() == 'b');
    take(" x y", 4, 0);
    ok("a space is passed over", in_nonblank() == 'x' && in_nonblank() == 'y');
    take("\tx\ty", 4, 0);
    ok("a tab is passed over", in_nonblank() == 'x' && in_nonblank() == 'y');
    for (int i = 0; i < 1000; i++) many[i] = i % 3 ? ' ' : '\t';
    many[1000] = ';';
    take(many, 1001, 4);
    ok("many blanks are passed over", in_nonblank() == ';');
    ok("blanks count no line", cur_input.line == 4);
    take("  x y", 5, 0);
    good = in_nonblank() == 'x' && prog.cur == script_text + 3;
    ok("only that character is read", good && inchar() == ' ' && inchar() == 'y');
    take("  \n  p", 6, 4);
    ok("a newline is no blank", in_nonblank() == '\n');
    ok("the newline that is read counts a line", cur_input.line == 5 && in_nonblank() == 'p' && cur_input.line == 5);
    take(" \r \v\f", 5, 0);
    ok("other white space is no blank", in_nonblank() == '\r' && in_nonblank() == '\v' && in_nonblank() == '\f');
    take("", 0, 0);
    ok("at the end it is EOF", in_nonblank() == EOF && in_nonblank() == EOF);
    take("  \t", 3, 0);
    ok("blanks at the end are followed by EOF", in_nonblank() == EOF && in_nonblank() == EOF);
    take(" \0x", 3, 0);
    ok("a null byte is no blank", in_nonblank() == 0 && in_nonblank() == 'x');
    take(" \xa0 \xff", 4, 0);
    ok("a high byte is no blank", in_nonblank() == 0xa0 && in_nonblank() == 0xff && in_nonblank() == EOF);
    take_file(" \t x\n \t", 7, 1);
    good = in_nonblank() == 'x' && cur_input.line == 1 && in_nonblank() == '\n' && cur_input.line == 2;
    ok("a file is read alike", good && in_nonblank() == EOF);
    return plus_end();
}
