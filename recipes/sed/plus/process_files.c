/*---
 * tasks: [process_files-fa5345.2]
 * tests:
 *   the script is applied to each line: 'Docstring: "Apply the compiled script to all the named files".'
 *   files are read in their order: 'Docstring: "to all the named files"; argv.'
 *   the numbers of the lines go on over the files: 'struct input: line_number, "(over all files)".'
 *   separate files are each numbered: 'sed.h: separate_files, "reset line counts on every new file".'
 *   the last line is that of the last file: 'Manual: -s, "sed treats multiple input files as one long stream".'
 *   without names the standard input is read: 'sed.c: "the standard input is read".'
 *   without a list of names the standard input is read: 'sed.c: "then the standard input is read".'
 *   a dash is the standard input: 'open_next_file.'
 *   in place names are asked for: 'panic-tests.sh: "sed: no input files", status 4.'
 *   a success is 0: 'Manual: "0 Successful completion".'
 *   a file that is missing is told with status 2: 'Manual: "2 One or more of the input file ... could not be opened".'
 *   the other files are processed: 'Manual: "Processing continued with other files".'
 *   the status of q is returned: 'Manual: q and Q "terminate sed with a custom exit code value".'
 *   after q no line is read: 'Manual: q, "exit without processing any more commands or input".'
 *   q without a status is a success: 'execute_program: "Return exit status if caller should quit, -1 otherwise".'
 *   a file without lines has no output: 'Docstring: "Apply the compiled script".'
 *   a newline that is missing stays missing: 'struct line: chomped, "Was a trailing newline dropped?".'
 *   the hold space is empty at the beginning: 'Manual: "hold space"; G appends a newline and nothing.'
 *   text that is appended to the last line is written: 'struct append_queue: "to write out at the end of a cycle".'
 *   a long line is processed: 'struct line.'
 *   files are edited in place: 'Manual: -i, "files are to be edited in-place".'
 *   after q the file that is edited is closed: 'Manual: -i; closedown renames the temporary file.'
 *   with debug each line is annotated: 'Manual: --debug, "INPUT:", "PATTERN:" before "COMMAND:".'
 *   a line that is made is empty: 'Comment: "Initialize a struct line buffer".'
 *   its room is what is asked for: 'struct line: alloc, "Allocated space for active"; initial_size.'
 *   it has the room for the matcher: 'DFA_SLOP: "The number of extra bytes that must be allocated/usable".'
 *   nothing of it is consumed: 'struct line: active, "Pointer to non-consumed part of text".'
 *   no newline of it is missing: 'struct line: chomped; x prints the hold space that was never set.'
 *   its multibyte state is that of the other line: 'Comment: "Copy multibyte state from state if not null".'
 *   only the state of the other line is taken: 'Comment: "Copy multibyte state from state".'
 *   without another line its multibyte state is the first: 'Comment: "Copy multibyte state from state if not null".'
 *   a line without room is made: 'process_files makes the hold space with size 0.'
 * instead: [sed/sed-execute.o]
 ---*/
#include "lines.h"

static const char *script;
static char **names, *standard;

static void work(void) {
    char *text = strdup(script);
    struct vector *program = compile_string(NULL, text, strlen(text));
    check_final_program(program);
    if (standard && !freopen(standard, "r", stdin)) _exit(122);
    exit(process_files(program, names));
}

/* Whether SCRIPT, applied to FILES, writes WANTED and ends with STATUS. */
static int gives(const char *s, char **files, int status, const char *wanted) {
    script = s;
    names = files;
    return plus_child(work) == status && same(plus_told, wanted);
}

int main(void) {
    char *one[] = {"one", NULL}, *both[] = {"one", "two", NULL}, *turned[] = {"two", "one", NULL};
    char *missing[] = {"one", "missing", "two", NULL}, *dash[] = {"one", "-", NULL}, *other[] = {"other", NULL};
    char *empty[] = {"empty", NULL}, *none[] = {NULL};
    static char many[9001];
    int good;
    begin();
    plus_enter();
    put_file("one", "foo\nbar\n");
    put_file("two", "baz\n");
    put_file("empty", "");
    ok("the script is applied to each line", gives("s/[oa]/0/;s/r/R/", one, 0, "f0o\nb0R\n"));
    ok("files are read in their order", gives("p", both, 0, "foo\nfoo\nbar\nbar\nbaz\nbaz\n") &&
       gives("", turned, 0, "baz\nfoo\nbar\n"));
    ok("the last line is that of the last file", gives("$!d", both, 0, "baz\n") && gives("$d", one, 0, "foo\n"));
    ok("a success is 0", gives("d", both, 0, ""));
    standard = "two";
    ok("without names the standard input is read", gives("s/z/Z/", none, 0, "baZ\n"));
    ok("without a list of names the standard input is read", gives("s/z/Z/", NULL, 0, "baZ\n"));
    ok("a dash is the standard input", gives("", dash, 0, "foo\nbar\nbaz\n"));
    standard = NULL;
    script = "";
    names = missing;
    good = plus_child(work) == 2;
    ok("a file that is missing is told with status 2", good && strstr(plus_told, "missing"));
    ok("the other files are processed", strstr(plus_told, "foo\nbar\n") && strstr(plus_told, "baz\n"));
    ok("the status of q is returned", gives("q7", one, 7, "foo\n") && gives("2Q42", one, 42, "foo\n"));
    ok("after q no line is read", gives("2q", both, 0, "foo\nbar\n") && gives("Q", both, 0, ""));
    ok("q without a status is a success", gives("q", one, 0, "foo\n"));
    ok("a file without lines has no output", gives("p;G;s/^/x/", empty, 0, ""));
    put_file("other", "x\ny");
    ok("a newline that is missing stays missing", gives("s/y/Y/", other, 0, "x\nY"));
    ok("the hold space is empty at the beginning", gives("G", one, 0, "foo\n\nbar\n\n") &&
       gives("x", one, 0, "\nfoo\n") && gives("g", one, 0, "\n\n"));
    ok("text that is appended to the last line is written", gives("$a\\\nend", one, 0, "foo\nbar\nend\n") &&
       gives("$r two", one, 0, "foo\nbar\nbaz\n"));
    memset(many, 'a', 9000);
    many[8999] = '\n';
    put_file("other", many);
    ok("a long line is processed", gives("", other, 0, many) && gives("s/a*//", other, 0, "\n"));
    no_default_output = true;
    ok("the numbers of the lines go on over the files", gives("=", both, 0, "1\n2\n3\n"));
    separate_files = true;
    ok("separate files are each numbered", gives("=", both, 0, "1\n2\n1\n") && gives("$p", both, 0, "bar\nbaz\n"));
    no_default_output = false;
    in_place_extension = "*";
    script = "s/^/>/";
    names = none;
    good = plus_child(work) == EXIT_PANIC;
    names = NULL;
    ok("in place names are asked for", good && plus_child(work) == EXIT_PANIC);
    good = gives("s/^/>/", both, 0, "") && holds("one", ">foo\n>bar\n") && holds("two", ">baz\n");
    ok("files are edited in place", good && plus_each(NULL) == 4);
    good = gives("s/>/</;q3", one, 3, "");
    ok("after q the file that is edited is closed", good && plus_each(NULL) == 4 && holds("one", "<foo\n"));
    in_place_extension = NULL;
    separate_files = false;
    put_file("one", "foo\nbar\n");
    debug = true;
    script = "s/o/0/";
    names = one;
    good = plus_child(work) == 0;
    const char *first = strstr(plus_told, "INPUT:   'one' line 1\nPATTERN: foo\nCOMMAND:");
    ok("with debug each line is annotated",
       good && first && strstr(first, "INPUT:   'one' line 2\nPATTERN: bar\nCOMMAND:"));
    debug = false;
    plus_leave();

    struct line a, b, kept;
    memset(&a, 0x5a, sizeof(a));
    line_init(&a, NULL, 50);
    ok("a line that is made is empty", a.length == 0 && plus_live(a.text));
    ok("its room is what is asked for", a.alloc == 50);
    ok("it has the room for the matcher", has_room(&a) && plus_size(a.text) >= 50 + DFA_SLOP);
    ok("nothing of it is consumed", a.active == a.text);
    ok("no newline of it is missing", a.chomped == true);
    ok("without another line its multibyte state is the first", state_is(&a, 0) && mbsinit(&a.mbstate));
    make_line(&b, "other", 80, 10);
    b.chomped = false;
    set_state(&b, 0x33);
    memcpy(&kept, &b, sizeof(b));
    memset(&a, 0x5a, sizeof(a));
    line_init(&a, &b, 20);
    ok("its multibyte state is that of the other line", state_is(&a, 0x33));
    ok("only the state of the other line is taken", a.length == 0 && a.alloc == 20 && a.active == a.text &&
       a.text != b.text && a.chomped && has_room(&a) && !memcmp(&b, &kept, sizeof(b)) && line_is(&b, "other"));
    memset(&a, 0x5a, sizeof(a));
    line_init(&a, NULL, 0);
    ok("a line without room is made", a.alloc == 0 && a.length == 0 && a.active == a.text && has_room(&a));
    return plus_end();
}
