/*---
 * tasks: [check_final_program-7fab2b]
 * tests:
 *   a jump gets the place of its label: 'Docstring: "this backpatches the jump targets".'
 *   a jump back gets it too: 'Docstring: "this backpatches the jump targets".'
 *   each kind of jump gets it: 'compile.c: "jump created by a :, b, or t command"; T.'
 *   a jump without a label goes to the end: 'Manual: "omitted, in which case the next cycle is started".'
 *   all jumps to a label get its place: 'Docstring: "this backpatches the jump targets".'
 *   each label has its own place: 'struct sed_label: v_index, "index of vector element being referenced".'
 *   a label of a later script is found: 'Docstring: "require the whole program to have been read".'
 *   labels are compared whole: 'Manual: "Branch unconditionally to label".'
 *   a label that is missing ends the program: 'Manual: exit status, 1 or 4; main runs the program otherwise.'
 *   the label that is missing is named: 'compile.c: "useful and informative error messages".'
 *   a block that is not closed is an error: 'compile.c: errors, "unmatched {"; compile-errors.sh.'
 *   it is told with its file and line: 'struct sed_label: err_info, "track where {} blocks start".'
 *   it is told with the number of its expression: 'struct sed_label: err_info, "track where {} blocks start".'
 *   blocks that are closed are no error: 'compile.c: blocks, "used to backpatch block end positions".'
 *   the text of a last command is stored: 'compile.c: pending_text, "Allow for scripts like sed -e i\ -e foo".'
 *   a last command without text has none: 'compile.c: pending_text.'
 *   no text is pending then: 'Docstring: "Any cleanup which can be done after these checks is done here also".'
 *   the text that was pending is freed: 'Docstring: "Any cleanup which can be done ... is done here also".'
 *   labels and jumps are forgotten: 'Docstring: "Any cleanup which can be done after these checks is done here also".'
 *   their names are freed: 'release_label; "Any cleanup which can be done after these checks is done here also".'
 *   labels of an earlier program are not found: 'Docstring: "Any cleanup which can be done ... is done here also".'
 *   a program without jumps stays as it was: 'Docstring: "this backpatches the jump targets".'
 *   a program without commands is checked: 'Callers give any program, a comment alone too.'
 * instead: [sed/sed-compile.o]
 ---*/
#include "files.h"
#include "script.h"

static struct vector *program;

static void add(const char *script) {
    program = compile_string(program, strdup(script), strlen(script));
}

static void build(const char *script) {
    program = NULL;
    add(script);
}

static void final(void) {
    check_final_program(program);
}

/* Whether the program ends with an error. */
static int fails(void) {
    int status = plus_child(final);
    return status == EXIT_BAD_USAGE || status == EXIT_PANIC;
}

/* Where the jump with the number N goes. */
static int target(int n) {
    return program->v[n].x.jump_index;
}

int main(void) {
    int good, status;
    char expression[40];
    plus_start();
    program_name = "sed";
    build("b end;p;p;:end;p");
    final();
    ok("a jump gets the place of its label", target(0) == 3);
    build("p;:a;p;p;ba;p");
    final();
    ok("a jump back gets it too", target(4) == 1);
    build("ba;ta;Ta;p;:a;p");
    final();
    ok("each kind of jump gets it", target(0) == 4 && target(1) == 4 && target(2) == 4);
    build("p;b;p;t;T;p");
    final();
    ok("a jump without a label goes to the end", target(1) == 6 && target(3) == 6 && target(4) == 6 &&
       program->v_length == 6);
    build("bx;p;bx;:x;bx;p;bx");
    final();
    ok("all jumps to a label get its place",
       target(0) == 3 && target(2) == 3 && target(4) == 3 && target(6) == 3);
    build(":a;bc;:b;ba;:c;bb;t");
    final();
    good = target(1) == 4 && target(3) == 0 && target(5) == 2;
    ok("each label has its own place", good && target(6) == 7);
    build("b later");
    add("p;b first");
    add(":later;p;:first");
    final();
    ok("a label of a later script is found", target(0) == 3 && target(2) == 5);
    build(":ab;:b;:abc;:a;p;ba;bab;babc;bb");
    final();
    good = target(5) == 3 && target(6) == 0 && target(7) == 2 && target(8) == 1;
    build("bab;:a;:abc;:b");
    ok("labels are compared whole", good && fails());
    jumps = labels = NULL;
    build("p;t nowhere;:here");
    ok("a label that is missing ends the program", fails());
    ok("the label that is missing is named", strstr(plus_told, "nowhere") != NULL);
    jumps = labels = NULL;

    build("p;{p;p");
    status = plus_child(final);
    blocks = NULL;
    ok("a block that is not closed is an error", status == EXIT_BAD_USAGE);
    plus_enter();
    put_file("script", "p\n\n1{p\np\n");
    program = compile_file(NULL, "script");
    add("p");
    status = plus_child(final);
    blocks = NULL;
    ok("it is told with its file and line", status == EXIT_BAD_USAGE && strstr(plus_told, "file script line 3"));
    plus_leave();
    build("p");
    add("{p");
    snprintf(expression, sizeof(expression), "-e expression #%lu,", (unsigned long)cur_input.string_expr_count);
    add("p");
    status = plus_child(final);
    blocks = NULL;
    ok("it is told with the number of its expression", status == EXIT_BAD_USAGE && strstr(plus_told, expression));
    build("{p;{p};ba};:a");
    final();
    ok("blocks that are closed are no error", target(0) == 6 && target(2) == 4 && target(5) == 7);

    build("p;a\\\nfoo\\");
    void *pending = pending_text;
    final();
    struct text_buf *text = &program->v[1].x.cmd_txt;
    ok("the text of a last command is stored", text->text_length == 4 && !memcmp(text->text, "foo\n", 4));
    ok("no text is pending then", pending && pending_text == NULL);
    ok("the text that was pending is freed", plus_dead(pending));
    build("i\\");
    pending = pending_text;
    final();
    ok("a last command without text has none",
       pending && pending_text == NULL && program->v[0].x.cmd_txt.text_length == 0);

    build(":one;b one;t two;b;:two");
    char *label = labels->name, *jump = jumps->name;
    good = same(label, "two") && plus_live(jump);
    final();
    ok("labels and jumps are forgotten", labels == NULL && jumps == NULL);
    ok("their names are freed", good && plus_dead(label) && plus_dead(jump));
    build("b one");
    ok("labels of an earlier program are not found", fails());
    jumps = NULL;
    build("q5;l3;p");
    program->v[2].x.jump_index = 77;
    final();
    ok("a program without jumps stays as it was", program->v_length == 3 && program->v[0].x.int_arg == 5 &&
       program->v[1].x.int_arg == 3 && program->v[2].x.jump_index == 77 && program->v[2].cmd == 'p');
    build("# no command");
    final();
    ok("a program without commands is checked", program->v_length == 0);
    return plus_end();
}
