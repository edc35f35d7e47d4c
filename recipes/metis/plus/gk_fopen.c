/*---
 * tasks: [gk_fopen-15fc8f]
 * tests:
 *   a file is opened for reading: 'Docstring: "This function opens a file"; callers read from it at once.'
 *   a file is opened for writing: 'The parameter mode; callers write with "w".'
 *   a file is opened for appending: 'The parameter mode.'
 *   a file opened for reading cannot be written: 'The parameter mode.'
 *   each call gives a stream of its own: 'Docstring: "opens a file".'
 *   success prints nothing: 'Callers: an opened file is no event.'
 *   a missing file ends the program: 'Callers do not look at the result; errexit "prints an error message and exits".'
 *   it ends with an error status: 'errexit exits with a status that is not 0.'
 *   the error names the file and tells the message: 'The parameters fname and msg; callers pass their name.'
 *   the error goes to the error stream: 'errexit and its like print to stderr.'
 *   a file that may not be made ends the program: 'Callers open files for writing, too.'
 *   without exits the result is NULL: 'gk_set_exit_on_error: errexit then returns.'
 ---*/
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "plus.h"

static char file[] = "plus-gk_fopen.txt";
static char out[16384], err[16384];

static void slurp(const char *name, char *text) {
    FILE *f = fopen(name, "r");
    size_t n = f ? fread(text, 1, 16383, f) : 0;
    text[n] = 0;
    if (f) fclose(f);
    remove(name);
}

/* The status of a process that opens it, with what it printed; exits with 77 if gk_fopen came back with a stream, and
 * with 78 if with NULL. */
static int opened(char *name, char *mode, const char *msg) {
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(open("plus-gk_fopen.out", O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
        dup2(open("plus-gk_fopen.err", O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
        FILE *f = gk_fopen(name, mode, msg);
        fflush(NULL);
        _exit(f ? 77 : 78);
    }
    waitpid(pid, &status, 0);
    slurp("plus-gk_fopen.out", out);
    slurp("plus-gk_fopen.err", err);
    return status;
}

static int is(const char *expected) {
    char text[64] = "";
    FILE *f = fopen(file, "r");
    if (!f) return 0;
    text[fread(text, 1, 63, f)] = 0;
    fclose(f);
    return !strcmp(text, expected);
}

int main(void) {
    remove(file);
    FILE *f = gk_fopen(file, "w", "plus: writing");
    ok("a file is opened for writing", f && fputs("one\n", f) >= 0 && fclose(f) == 0 && is("one\n"));
    f = gk_fopen(file, "a", "plus: appending");
    ok("a file is opened for appending", f && fputs("two\n", f) >= 0 && fclose(f) == 0 && is("one\ntwo\n"));
    f = gk_fopen(file, "r", "plus: reading");
    FILE *g = gk_fopen(file, "r", "plus: reading");
    char line[16] = "";
    ok("a file is opened for reading", f && fgets(line, 16, f) && !strcmp(line, "one\n"));
    ok("a file opened for reading cannot be written", f && fputc('x', f) == EOF | fflush(f) != 0 && is("one\ntwo\n"));
    ok("each call gives a stream of its own",
       f && g && f != g && fgets(line, 16, g) && !strcmp(line, "one\n") && fclose(f) == 0 && fgets(line, 16, g) &&
           !strcmp(line, "two\n") && fclose(g) == 0);
    int status = opened(file, "r", "plus: message");
    ok("success prints nothing", WIFEXITED(status) && WEXITSTATUS(status) == 77 && !out[0] && !err[0]);
    status = opened("plus-no-such-file.txt", "r", "plus-message-42");
    ok("a missing file ends the program", WIFEXITED(status) && WEXITSTATUS(status) != 77 && WEXITSTATUS(status) != 78);
    ok("it ends with an error status", WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 78);
    ok("the error names the file and tells the message",
       strstr(err, "plus-no-such-file.txt") && strstr(err, "plus-message-42"));
    ok("the error goes to the error stream", err[0] && !out[0]);
    status = opened("plus-no-such-folder/file.txt", "w", "plus-message-43");
    ok("a file that may not be made ends the program",
       WIFEXITED(status) && WEXITSTATUS(status) != 77 && WEXITSTATUS(status) != 78 && WEXITSTATUS(status) != 0);
    gk_set_exit_on_error(0);
    status = opened("plus-no-such-file.txt", "r", "plus-message-44");
    ok("without exits the result is NULL", WIFEXITED(status) && WEXITSTATUS(status) == 78);
    remove(file);
    return done();
}
