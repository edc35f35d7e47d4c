/*---
 * tasks: [aug_srun-0de1c5]
 * tests:
 *   one command is executed: 'Docstring: "Run one or more newline-separated commands".'
 *   the number of commands is returned: 'Docstring: "the number of executed commands on success".'
 *   commands are executed in their order: 'Docstring: "newline-separated commands".'
 *   the output goes to OUT: 'Docstring: "The output of the commands will be printed to OUT".'
 *   the last line may end without a newline: 'Docstring: "newline-separated".'
 *   empty lines are no commands: 'Docstring: "commands accepted ... identical to what augtool accepts".'
 *   lines of white space are no commands: 'Docstring: as augtool.'
 *   comments are no commands: 'Docstring: as augtool; a line of # is a comment.'
 *   white space before a command is skipped: 'Docstring: as augtool.'
 *   an empty text gives 0: 'Docstring: "the number of executed commands".'
 *   no text gives 0: 'Docstring: "the number of executed commands".'
 *   a text of comments gives 0: 'Docstring: "the number of executed commands".'
 *   an unknown command gives -1: 'Docstring: "-1 on failure".'
 *   after a failure nothing more is executed: 'Docstring: "-1 on failure".'
 *   what came before a failure is executed: 'Docstring: "Run one or more ... commands".'
 *   a command that fails gives -1: 'Docstring: "-1 on failure".'
 *   a command with too few arguments gives -1: 'Docstring: "-1 on failure".'
 *   quit gives -2: 'Docstring: "-2 if a quit command was encountered".'
 *   after quit nothing more is executed: 'Docstring: "-2 if a quit command was encountered".'
 *   what came before quit is executed: 'Docstring: "-2 if a quit command was encountered".'
 *   help prints what there is: 'Docstring: "Running just help will print what commands are available".'
 *   after an error the next text is a success: 'augeas.h: aug_error, of the last call.'
 *   the text stays as it was: 'Docstring: TEXT is const.'
 *   nothing is left in memory: 'Callers get a number.'
 ---*/
#include <config.h>
#include "internal.h"
#include "augeas.h"
#include "errcode.h"
#include "plus.h"

static struct augeas *aug;
static char *out;
static size_t size;

static int run(const char *text) {
    free(out);
    out = NULL;
    FILE *f = open_memstream(&out, &size);
    if (!f) exit(2);
    int r = aug_srun(aug, f, text);
    fclose(f);
    return r;
}

static int has(const char *path, const char *value) {
    const char *v = NULL;
    return aug_get(aug, path, &v) == 1 && same(v, value);
}

int main(void) {
    plus_start();
    aug = aug_init("/", "", AUG_NO_STDINC | AUG_NO_LOAD | AUG_NO_MODL_AUTOLOAD);
    if (!aug) exit(2);
    int r = run("set /t/a 1\n");
    ok("one command is executed", r == 1 && has("/t/a", "1"));
    r = run("set /t/b 2\nset /t/c 3\nset /t/d 4\n");
    ok("the number of commands is returned", r == 3 && has("/t/b", "2") && has("/t/c", "3") && has("/t/d", "4"));
    r = run("set /t/e 1\nset /t/e 2\nset /t/e 3\n");
    ok("commands are executed in their order", r == 3 && has("/t/e", "3"));
    r = run("get /t/a\nget /t/e\n");
    ok("the output goes to OUT", r == 2 && same(out, "/t/a = 1\n/t/e = 3\n"));
    r = run("set /t/f 5\nset /t/g 67");
    ok("the last line may end without a newline", r == 2 && has("/t/f", "5") && has("/t/g", "67"));
    r = run("\n\nset /t/h 8\n\n\nset /t/i 9\n\n");
    ok("empty lines are no commands", r == 2 && has("/t/h", "8") && has("/t/i", "9"));
    r = run("   \n \t \nset /t/h 10\n   \n\t");
    ok("lines of white space are no commands", r == 1 && has("/t/h", "10"));
    r = run("# set /t/h 11\nset /t/i 12\n  # more\n#\n");
    ok("comments are no commands", r == 1 && has("/t/h", "10") && has("/t/i", "12"));
    r = run("  set /t/h 13\n\t set /t/i 14");
    ok("white space before a command is skipped", r == 2 && has("/t/h", "13") && has("/t/i", "14"));
    ok("an empty text gives 0", run("") == 0 && size == 0);
    ok("no text gives 0", run(NULL) == 0 && size == 0);
    ok("a text of comments gives 0", run("# one\n\n# two") == 0 && run("\n") == 0 && run("   ") == 0);
    r = run("set /t/j 1\nnonsense /t/j\nset /t/j 2\n");
    ok("an unknown command gives -1", r == -1);
    ok("after a failure nothing more is executed", !has("/t/j", "2"));
    ok("what came before a failure is executed", has("/t/j", "1"));
    r = run("mv /t/nowhere /t/k\nset /t/j 3\n");
    ok("a command that fails gives -1", r == -1 && aug_error(aug) != AUG_NOERROR && has("/t/j", "1"));
    ok("a command with too few arguments gives -1", run("mv /t/a\nset /t/j 4") == -1 && has("/t/j", "1"));
    ok("after an error the next text is a success", run("get /t/a\n") == 1 && aug_error(aug) == AUG_NOERROR);
    r = run("set /t/j 5\nquit\nset /t/j 6\n");
    ok("quit gives -2", r == -2 && run("quit") == -2);
    ok("after quit nothing more is executed", !has("/t/j", "6"));
    ok("what came before quit is executed", has("/t/j", "5"));
    r = run("help");
    ok("help prints what there is", r == 1 && strstr(out, "set") && strstr(out, "get") && strstr(out, "quit"));
    char text[] = "set /t/l 1 \n # no\nget /t/l\n", *copy = strdup(text);
    run(text);
    ok("the text stays as it was", same(text, copy) && has("/t/l", "1"));
    static const char *const texts[] = {"get /t/a\n# no\n  get /t/b", "quit\nget /t/a", "nonsense\n",
                                        "mv /t/no /t/k\n"};
    long live[2];
    for (int i = 0; i < 4; i++) {
        live[i % 2] = 0;
        for (int j = 0; j < 4; j++) run(texts[j]);
        run("");
        free(out);
        out = NULL;
        live[i % 2] = plus_live_blocks;
    }
    ok("nothing is left in memory", live[0] == live[1]);
    return plus_end();
}
