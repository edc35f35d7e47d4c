/*---
 * tasks: [inchar-6090a8]
 * tests:
 *   the characters of a string are read in order: 'Docstring: "Read the next character from the program".'
 *   at the end of a string it is EOF: 'Docstring: "Return EOF if there isn''t anything to read"; prog.end.'
 *   it stays EOF: 'Docstring: "Return EOF if there isn''t anything to read".'
 *   an empty string is EOF: 'Docstring: "Return EOF if there isn''t anything to read".'
 *   a null byte is a character: 'struct prog_info: "This allows us to compile script strings that contain nulls".'
 *   a high byte is no EOF: 'struct prog_info: the bytes are unsigned.'
 *   the position goes on by one: 'struct prog_info: prog.cur "points to the current character".'
 *   at the end the position stays: 'struct prog_info: prog.end "points to the end"; bad_prog tells prog.cur.'
 *   the characters of a file are read in order: 'struct prog_info: prog.file, "the current script file".'
 *   at the end of a file it is EOF: 'Docstring: "Return EOF if there isn''t anything to read".'
 *   an empty file is EOF: 'Docstring: "Return EOF if there isn''t anything to read".'
 *   a high byte of a file is no EOF: 'Docstring: "Read the next character".'
 *   a newline counts a line: 'Docstring: "Keep cur_input.line up to date".'
 *   a newline of a file counts a line: 'Docstring: "Keep cur_input.line up to date".'
 *   other characters count none: 'Docstring: "Keep cur_input.line up to date".'
 *   the end counts none: 'Docstring: "Keep cur_input.line up to date".'
 * instead: [sed/sed-compile.o]
 ---*/
#include "script.h"

int main(void) {
    int good;
    plus_start();
    take("p;\tq", 4, 1);
    ok("the characters of a string are read in order",
       inchar() == 'p' && inchar() == ';' && inchar() == '\t' && inchar() == 'q');
    ok("at the end of a string it is EOF", inchar() == EOF);
    ok("it stays EOF", inchar() == EOF && inchar() == EOF);
    ok("at the end the position stays", prog.cur == script_text + 4);
    ok("other characters count none", cur_input.line == 1);
    take("", 0, 3);
    ok("an empty string is EOF", inchar() == EOF && inchar() == EOF);
    ok("the end counts none", cur_input.line == 3);
    take("a\0b", 3, 0);
    ok("a null byte is a character", inchar() == 'a' && inchar() == 0 && inchar() == 'b' && inchar() == EOF);
    take("\xff\x80\xfe", 3, 0);
    ok("a high byte is no EOF", inchar() == 0xff && inchar() == 0x80 && inchar() == 0xfe && inchar() == EOF);
    take("abc", 3, 0);
    good = prog.cur == script_text;
    inchar();
    good &= prog.cur == script_text + 1;
    inchar();
    ok("the position goes on by one", good && prog.cur == script_text + 2 && prog.base == script_text);
    take("a\nb\n\nc", 6, 0);
    good = inchar() == 'a' && cur_input.line == 0 && inchar() == '\n' && cur_input.line == 1;
    good &= inchar() == 'b' && cur_input.line == 1 && inchar() == '\n' && cur_input.line == 2;
    ok("a newline counts a line", good && inchar() == '\n' && inchar() == 'c' && cur_input.line == 3);

    take_file("y/a/b/\n", 7, 1);
    ok("the characters of a file are read in order", next("y/a/b/"));
    good = cur_input.line == 1 && inchar() == '\n';
    ok("a newline of a file counts a line", good && cur_input.line == 2);
    ok("at the end of a file it is EOF", inchar() == EOF && inchar() == EOF && cur_input.line == 2);
    take_file("", 0, 1);
    ok("an empty file is EOF", inchar() == EOF && cur_input.line == 1);
    take_file("\xff\xe9", 2, 1);
    ok("a high byte of a file is no EOF", inchar() == 0xff && inchar() == 0xe9 && inchar() == EOF);
    return plus_end();
}
