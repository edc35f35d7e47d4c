/*---
 * tasks: [read_end_of_cmd-3fde99.3]
 * tests:
 *   a semicolon is consumed: 'Docstring: "Consume script input until a valid end of command marker is found".'
 *   a newline is consumed: 'Docstring: "newline"; command-endings.sh.'
 *   the newline counts a line: 'inchar: "Keep cur_input.line up to date".'
 *   the end of the script ends a command: 'Docstring: "or EOF".'
 *   a closing brace is left for the next command: 'Docstring: "closing brace"; caller compile_program reads it.'
 *   a comment is left for the next command: 'Docstring: "comment"; caller compile_program reads it.'
 *   blanks before the end are passed over: 'command-endings.sh: "h ;", "{h }", "h # foo".'
 *   only one marker is consumed: 'Docstring: "until a valid end of command marker is found".'
 *   any other character is an error: 'Docstring: "If any other character is found, die".'
 *   the error is named: 'Docstring: "extra characters after command".'
 *   white space of other kinds is an error: 'Docstring: "If any other character is found, die"; ISBLANK.'
 *   from a file a marker is left alike: 'struct prog_info: prog.file, "the current script file".'
 *   an integer of one digit is read: 'Comment: "Read an integer value from the program".'
 *   an integer of many digits is read: 'Comment: "Read an integer value from the program".'
 *   zeros in front do not count: 'Comment: "Read an integer value"; it is decimal.'
 *   an integer above 32 bits is read: 'Its type, countT: "keep track of line numbers".'
 *   the character behind it is read next: 'Caller compile_address: in_nonblank follows.'
 *   a newline behind it is counted once: 'inchar: "Keep cur_input.line up to date".'
 *   the end of the script ends an integer: 'Caller compile_program: "q5" is the whole script.'
 *   without a digit it is 0: 'Caller compile_address: "+" and "~" are followed by any character.'
 *   without a digit the character is read next: 'Caller compile_address: in_nonblank follows.'
 *   a blank ends an integer: 'Comment: "Read an integer value"; ISDIGIT.'
 *   an integer of a file is read: 'struct prog_info: prog.file, "the current script file".'
 *   a character that is given back is read next: 'Comment: "so the next call to inchar will return it".'
 *   what follows it is read after it: 'Comment: "unget ch".'
 *   a newline that is given back counts no line: 'inchar: "Keep cur_input.line up to date".'
 *   other characters leave the number of the line: 'inchar: "Keep cur_input.line up to date".'
 *   EOF is not given back: 'Callers give back what ended their loop, EOF too.'
 *   a null byte and a high byte are given back: 'struct prog_info: "script strings that contain nulls".'
 *   a character of a file is given back: 'Comment: "so the next call to inchar will return it".'
 *   a newline of a file is given back: 'Comment; inchar: "Keep cur_input.line up to date".'
 *   EOF of a file is not given back: 'Callers give back what ended their loop, EOF too.'
 * instead: [sed/sed-compile.o]
 ---*/
#include "script.h"

static void dies(void) {
    read_end_of_cmd();
}

/* Whether TEXT is an error. */
static int junk(const char *text) {
    take(text, strlen(text), 0);
    return plus_child(dies) == EXIT_BAD_USAGE;
}

static void end(const char *text) {
    take(text, strlen(text), 7);
    read_end_of_cmd();
}

/* The integer that is read in TEXT after its first character was read. */
static countT integer(const char *text) {
    take(text, strlen(text), 7);
    return in_integer(inchar());
}

int main(void) {
    int good;
    plus_start();
    program_name = "sed";
    end(";p");
    ok("a semicolon is consumed", inchar() == 'p' && cur_input.line == 7);
    end("\np");
    good = cur_input.line == 8;
    ok("a newline is consumed", inchar() == 'p');
    ok("the newline counts a line", good);
    end("");
    good = inchar() == EOF;
    end(" \t");
    ok("the end of the script ends a command", good && inchar() == EOF);
    end("};");
    ok("a closing brace is left for the next command", next("};"));
    end("#x");
    ok("a comment is left for the next command", next("#x"));
    end(" \t ;p");
    good = inchar() == 'p';
    end("  \np");
    good &= inchar() == 'p';
    end(" }p");
    good &= next("}p");
    end("\t# p");
    ok("blanks before the end are passed over", good && next("# p"));
    end(";;}");
    good = next(";}");
    end("\n\n;");
    good &= cur_input.line == 8 && next("\n;");
    end("; p");
    good &= next(" p");
    end("}}");
    ok("only one marker is consumed", good && next("}}"));
    good = junk("p") && junk("d;") && junk("{") && junk(":") && junk(",") && junk("5") && junk("\\") && junk("\xff");
    ok("any other character is an error", good && junk("  d") && junk("\t!"));
    junk("d");
    ok("the error is named", strstr(plus_told, "extra characters after command") != NULL);
    ok("white space of other kinds is an error", junk("\r\n") && junk("\v;") && junk("\f"));
    take_file("} # \n", 5, 1);
    read_end_of_cmd();
    good = inchar() == '}';
    read_end_of_cmd();
    good &= inchar() == '#';
    read_end_of_cmd();
    ok("from a file a marker is left alike", good && cur_input.line == 2 && inchar() == EOF);

    ok("an integer of one digit is read", integer("5p") == 5 && integer("0p") == 0 && integer("9p") == 9);
    ok("an integer of many digits is read", integer("12p") == 12 && integer("9087654p") == 9087654);
    ok("zeros in front do not count", integer("007p") == 7 && integer("010p") == 10 && integer("000p") == 0);
    ok("an integer above 32 bits is read", integer("4294967296p") == 4294967296UL &&
       integer("18446744073709551615p") == 18446744073709551615UL);
    good = integer("12~3") == 12 && next("~3");
    ok("the character behind it is read next", good && integer("3,4") == 3 && next(",4"));
    integer("12\np");
    good = cur_input.line == 7 && inchar() == '\n';
    ok("a newline behind it is counted once", good && cur_input.line == 8 && inchar() == 'p');
    ok("the end of the script ends an integer", integer("42") == 42 && inchar() == EOF);
    good = integer("p1") == 0 && integer("-1") == 0 && integer(" 1") == 0 && integer("\nx") == 0;
    ok("without a digit it is 0", good && integer("") == 0 && integer("\xb2") == 0);
    integer("p1");
    good = next("p1");
    integer("\nx");
    ok("without a digit the character is read next", good && cur_input.line == 7 && next("\nx"));
    ok("a blank ends an integer", integer("1 2") == 1 && next(" 2"));
    take_file("123 4", 5, 1);
    good = in_integer(inchar()) == 123 && inchar() == ' ';
    ok("an integer of a file is read", good && in_integer(inchar()) == 4 && inchar() == EOF);

    take("abc", 3, 7);
    inchar();
    savchar(inchar());
    ok("a character that is given back is read next", inchar() == 'b');
    ok("what follows it is read after it", inchar() == 'c' && inchar() == EOF);
    savchar('c');
    savchar('b');
    savchar('a');
    ok("other characters leave the number of the line", cur_input.line == 7 && next("abc"));
    take("\nx", 2, 7);
    savchar(inchar());
    good = cur_input.line == 7 && inchar() == '\n' && cur_input.line == 8;
    ok("a newline that is given back counts no line", good);
    take("a", 1, 7);
    inchar();
    savchar(inchar());
    ok("EOF is not given back", inchar() == EOF && prog.cur == script_text + 1 && cur_input.line == 7);
    take("\0\xff", 2, 0);
    savchar(inchar());
    good = inchar() == 0;
    savchar(inchar());
    ok("a null byte and a high byte are given back", good && inchar() == 0xff && inchar() == EOF);
    take_file("ab\n", 3, 1);
    inchar();
    savchar(inchar());
    ok("a character of a file is given back", inchar() == 'b');
    savchar(inchar());
    good = cur_input.line == 1 && inchar() == '\n';
    ok("a newline of a file is given back", good && cur_input.line == 2);
    savchar(inchar());
    ok("EOF of a file is not given back", inchar() == EOF && cur_input.line == 2);
    return plus_end();
}
