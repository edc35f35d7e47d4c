/*---
 * tasks: [match_an_address_p-e1c3c1.2]
 * tests:
 *   no address matches each line: 'sed.h: ADDR_IS_NULL, "null address"; compile_address.'
 *   a number matches that line alone: 'Manual: "will match only that line in the input".'
 *   a step matches each line of the step: 'Manual: first~step "matches every stepth line starting with line first".'
 *   before the first line a step does not match: 'Manual: "a non-negative n such that ... first + (n * step)".'
 *   a step can start with 0: 'Manual: "0~2 for even-numbered lines".'
 *   a sum matches from its line on: 'compile.c: ADDR_IS_STEP; match_address_p computes addr_number.'
 *   a multiple matches from its line on: 'compile.c: ADDR_IS_STEP_MOD; match_address_p computes addr_number.'
 *   a regular expression matches lines: 'sed.h: ADDR_IS_REGEX, "a.addr_regex is valid".'
 *   what was consumed of the line does not match: 'struct line: active, "Pointer to non-consumed part of text".'
 *   what is behind the line does not match: 'struct line: length, "Length of text (or active, if used)".'
 *   an empty regular expression is the last one: 'Manual: "repeats the last regular expression match".'
 *   the last line matches its address: 'sed.h: ADDR_IS_LAST, "address is $".'
 *   another line does not match it: 'sed.h: ADDR_IS_LAST, "address is $".'
 *   numbers above 32 bits are compared whole: 'sed.h: addr_number is a countT.'
 *   the address stays as it was: 'Docstring: it only tells whether the line matches.'
 *   with more data it is not the end: 'Comment: "Determine if we match the $ address".'
 *   an empty line is data: 'Comment: "Determine if we match the $ address"; the line is yet to come.'
 *   a high byte is data: 'Callers read it next.'
 *   what was looked at is read next: 'Callers: the N command reads on.'
 *   at the end of the last file it is the end: 'Comment: "Determine if we match the $ address".'
 *   it is the end after that was read: 'Comment: "Determine if we match the $ address".'
 *   with another file that has data it is not the end: 'Manual: $, "the last line of the last file of input".'
 *   that file is read next: 'last_file_with_data_p opens it; callers read on.'
 *   files without data are passed over: 'last_file_with_data_p.'
 *   with separate files each has its end: 'Manual: $, "the last line of each file when the -i or -s".'
 *   then the next file is not opened: 'Manual: -s; read_pattern_space opens it.'
 *   without a file it is the end: 'Caller match_an_address_p after the last file was closed.'
 *   before a file with data it is not the end: 'last_file_with_data_p.'
 * instead: [sed/sed-execute.o]
 ---*/
#include "lines.h"

static struct input input;
static struct addr address;
static char *none[] = {NULL};

static int matches(enum addr_types type, countT number, countT step, countT at) {
    memset(&address, 0, sizeof(address));
    address.addr_type = type;
    address.addr_number = number;
    address.addr_step = step;
    input.line_number = at;
    return match_an_address_p(&address, &input);
}

static struct regex *expression(const char *text) {
    struct buffer *b = init_buffer();
    add_buffer(b, text, strlen(text));
    struct regex *r = compile_regex(b, 0, 0);
    free_buffer(b);
    return r;
}

static int finds(struct regex *r) {
    memset(&address, 0, sizeof(address));
    address.addr_type = ADDR_IS_REGEX;
    address.addr_regex = r;
    return match_an_address_p(&address, &input);
}

/* Opens a file that holds TEXT; FILES are to be read after it. */
static void reading(const char *text, char **files) {
    put_file("in", text);
    memset(&input, 0, sizeof(input));
    input.in_file_name = "in";
    input.file_list = files;
    input.fp = ck_fopen("in", "r", true);
    input.read_fn = read_file_line;
}

int main(void) {
    char *more[] = {"more", NULL}, *last[] = {"empty", "empty", "more", NULL}, *empty[] = {"empty", "empty", NULL};
    int good;
    begin();
    plus_enter();
    put_file("more", "more\n");
    put_file("empty", "");
    ok("no address matches each line", matches(ADDR_IS_NULL, ~(countT)0, 0, 1) && matches(ADDR_IS_NULL, 3, 1, 9));
    good = matches(ADDR_IS_NUM, 3, 0, 3) && !matches(ADDR_IS_NUM, 3, 0, 2) && !matches(ADDR_IS_NUM, 3, 0, 4);
    ok("a number matches that line alone", good && matches(ADDR_IS_NUM, 1, 0, 1) && !matches(ADDR_IS_NUM, 3, 3, 6));
    good = 1;
    for (countT first = 0; first < 12; first++)
        for (countT step = 1; step < 8; step++)
            for (countT at = first ? first : 1; at < 40; at++)
                good &= matches(ADDR_IS_NUM_MOD, first, step, at) == ((at - first) % step == 0);
    ok("a step matches each line of the step", good && matches(ADDR_IS_NUM_MOD, 2, 3, 8));
    good = 1;
    for (countT at = 1; at < 10; at++)
        good &= !matches(ADDR_IS_NUM_MOD, 10, 5, at) && !matches(ADDR_IS_NUM_MOD, 10, 1, at);
    ok("before the first line a step does not match", good && matches(ADDR_IS_NUM_MOD, 10, 5, 10));
    ok("a step can start with 0", !matches(ADDR_IS_NUM_MOD, 0, 4, 1) && !matches(ADDR_IS_NUM_MOD, 0, 4, 3) &&
       matches(ADDR_IS_NUM_MOD, 0, 4, 4) && matches(ADDR_IS_NUM_MOD, 0, 4, 8) && !matches(ADDR_IS_NUM_MOD, 0, 4, 9));
    ok("a sum matches from its line on", !matches(ADDR_IS_STEP, 5, 2, 4) && matches(ADDR_IS_STEP, 5, 2, 5) &&
       matches(ADDR_IS_STEP, 5, 2, 6) && matches(ADDR_IS_STEP, 5, 2, 100));
    ok("a multiple matches from its line on", !matches(ADDR_IS_STEP_MOD, 8, 4, 7) &&
       matches(ADDR_IS_STEP_MOD, 8, 4, 8) && matches(ADDR_IS_STEP_MOD, 8, 4, 9));
    good = !matches(ADDR_IS_NUM, 4294967299UL, 0, 3) && matches(ADDR_IS_NUM, 4294967299UL, 0, 4294967299UL);
    ok("numbers above 32 bits are compared whole", good && !matches(ADDR_IS_STEP, 4294967299UL, 1, 5) &&
       matches(ADDR_IS_NUM_MOD, 0, 3, 4294967298UL) && !matches(ADDR_IS_NUM_MOD, 0, 3, 4294967299UL));
    ok("the address stays as it was", address.addr_type == ADDR_IS_NUM_MOD && address.addr_number == 0 &&
       address.addr_step == 3 && address.addr_regex == NULL && input.line_number == 4294967299UL);

    struct regex *begin_b = expression("^b"), *end_a = expression("a$"), *c = expression("c"), *bar = expression("bar");
    make_line(&line, "foobar", 50, 0);
    good = finds(bar) && finds(expression("o*b")) && !finds(c);
    ok("a regular expression matches lines", good && !finds(begin_b) && !finds(end_a));
    make_line(&line, "foobar", 50, 0);
    line.active += 3;
    line.alloc -= 3;
    line.length -= 3;
    ok("what was consumed of the line does not match", finds(begin_b) && finds(bar) && !finds(expression("o")));
    line.length = 2;
    ok("what is behind the line does not match", finds(end_a) && !finds(bar) && !finds(expression("r")));
    finds(end_a);
    good = finds(NULL);
    finds(c);
    ok("an empty regular expression is the last one", good && !finds(NULL));

    reading("one\ntwo\n", none);
    good = !test_eof(&input) && !test_eof(&input);
    ok("with more data it is not the end", good);
    ok("another line does not match it", !matches(ADDR_IS_LAST, 0, 0, 1));
    good = getc(input.fp) == 'o' && getc(input.fp) == 'n';
    ok("what was looked at is read next", good && !test_eof(&input) && getc(input.fp) == 'e');
    while (getc(input.fp) != EOF);
    ok("it is the end after that was read", test_eof(&input) && test_eof(&input));
    reading("x\n\n", none);
    good = getc(input.fp) == 'x' && getc(input.fp) == '\n';
    ok("an empty line is data", good && !test_eof(&input) && getc(input.fp) == '\n' && test_eof(&input));
    reading("x\xff", none);
    getc(input.fp);
    ok("a high byte is data", !test_eof(&input) && getc(input.fp) == 0xff && test_eof(&input));
    reading("x", none);
    getc(input.fp);
    ok("at the end of the last file it is the end", test_eof(&input));
    reading("x", none);
    getc(input.fp);
    ok("the last line matches its address", matches(ADDR_IS_LAST, 0, 0, 1));
    reading("x", more);
    getc(input.fp);
    good = !test_eof(&input);
    ok("with another file that has data it is not the end", good && !matches(ADDR_IS_LAST, 0, 0, 1));
    ok("that file is read next", input.fp && same(input.in_file_name, "more") && getc(input.fp) == 'm');
    reading("x", last);
    getc(input.fp);
    good = !test_eof(&input) && input.fp && getc(input.fp) == 'm';
    reading("x", empty);
    getc(input.fp);
    ok("files without data are passed over", good && test_eof(&input));
    separate_files = true;
    reading("xy", more);
    getc(input.fp);
    good = !test_eof(&input);
    getc(input.fp);
    good &= test_eof(&input) && matches(ADDR_IS_LAST, 0, 0, 1);
    ok("with separate files each has its end", good);
    ok("then the next file is not opened", input.file_list == more && same(input.in_file_name, "in"));
    separate_files = false;
    memset(&input, 0, sizeof(input));
    input.read_fn = read_always_fail;
    input.file_list = none;
    ok("without a file it is the end", test_eof(&input));
    input.file_list = more;
    ok("before a file with data it is not the end", !test_eof(&input) && input.fp && getc(input.fp) == 'm');
    plus_leave();
    return plus_end();
}
