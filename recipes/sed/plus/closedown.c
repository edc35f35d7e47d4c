/*---
 * tasks: [closedown-84b32f]
 * tests:
 *   the file is closed: 'Docstring: "Clean up an input stream that we are done with".'
 *   there is no file then: 'struct input: fp, "if NULL, none of the following are valid".'
 *   no more lines are read: 'struct input: read_fn, "read_always_fail() is recommended".'
 *   nothing of a file stays allocated: 'utils.c: ck_fclose forgets the name of a file.'
 *   without a file no more lines are read either: 'struct input: read_fn, "If FP is NULL".'
 *   a second time it does nothing: 'Callers: last_file_with_data_p, then read_pattern_space and process_files.'
 *   the output stays open: 'struct output: "The current output file (stdout if -i is not being used)".'
 *   the file stays as it was: 'Manual: -i, "files are to be edited in-place"; not otherwise.'
 *   what was counted and is to be read stays: 'struct input: bad_count, line_number, file_list.'
 *   in place the file gets the new text: 'Manual: -i, "renamed to the output file''s original name".'
 *   the temporary file is gone: 'Manual: -i, "the temporary file is renamed".'
 *   the output is closed: 'Manual: -i, "sending output to this file"; ck_fclose.'
 *   in place the input is closed too: 'Docstring: "Clean up an input stream that we are done with".'
 *   in place nothing stays allocated: 'open_next_file allocates out_file_name for each file.'
 *   the cleanup is cancelled: 'utils.c: "we may have to exit before the rename"; cancel_cleanup.'
 *   without an extension there is no backup: 'Manual: -i, "the original file is overwritten without making a backup".'
 *   with an extension the old text is kept: 'Manual: -i, "thereby making a backup copy".'
 *   a backup is made in another folder: 'Manual: -i, "to place backup copies ... into another directory".'
 *   the file keeps its mode: 'struct input: st, "Owner and mode to be set just before closing the file".'
 *   a backup that fails ends the program: 'ck_rename: "Panic on failing rename".'
 * instead: [sed/sed-execute.o]
 ---*/
#include "lines.h"

static struct input input;
static char *no_files[1], temporary[100];
static int input_fd, output_fd;

static int is_open(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}

/* Opens the file "in". */
static void open_input(void) {
    memset(&input, 0, sizeof(input));
    input.in_file_name = "in";
    input.file_list = no_files;
    input.read_fn = read_file_line;
    input.line_number = 12;
    input.bad_count = 3;
    input.fp = ck_fopen("in", "r", true);
    input_fd = fileno(input.fp);
    fstat(input_fd, &input.st);
    output_file.fp = stdout;
}

/* Edits the file "in" of mode MODE, with the backup EXTENSION. */
static void edit(const char *extension, int mode) {
    put_file("in", "old\n");
    chmod("in", mode);
    open_input();
    in_place_extension = strdup(extension);
    output_file.fp = ck_mkstemp(&input.out_file_name, ".", "sed", "w");
    output_fd = fileno(output_file.fp);
    strcpy(temporary, input.out_file_name);
    fputs("new text\n", output_file.fp);
}

static void fails(void) {
    closedown(&input);
}

/* The mode of the file "in" after it was edited. */
static int mode_after(int mode) {
    struct stat st;
    edit("*", mode);
    closedown(&input);
    return stat("in", &st) ? -1 : st.st_mode & 07777;
}

int main(void) {
    int good;
    begin();
    plus_enter();
    put_file("in", "old\n");
    long before = plus_live_blocks;
    open_input();
    closedown(&input);
    ok("the file is closed", !is_open(input_fd));
    ok("there is no file then", input.fp == NULL);
    ok("no more lines are read", input.read_fn == read_always_fail);
    ok("nothing of a file stays allocated", plus_live_blocks == before);
    ok("the output stays open", output_file.fp == stdout && is_open(1));
    ok("the file stays as it was", holds("in", "old\n") && plus_each(NULL) == 1);
    ok("what was counted and is to be read stays",
       input.bad_count == 3 && input.line_number == 12 && input.file_list == no_files);
    closedown(&input);
    ok("a second time it does nothing", input.fp == NULL && input.read_fn == read_always_fail && holds("in", "old\n"));
    input.read_fn = read_file_line;
    closedown(&input);
    ok("without a file no more lines are read either", input.fp == NULL && input.read_fn == read_always_fail);

    edit("*", 0644);
    before = plus_live_blocks;
    closedown(&input);
    ok("in place the file gets the new text", holds("in", "new text\n"));
    ok("the temporary file is gone", !there(temporary));
    ok("without an extension there is no backup", plus_each(NULL) == 1);
    ok("the output is closed", !is_open(output_fd));
    ok("in place the input is closed too", !is_open(input_fd) && !input.fp && input.read_fn == read_always_fail);
    put_file(temporary, "another");
    remove_cleanup_file();
    ok("the cleanup is cancelled", holds(temporary, "another"));
    unlink(temporary);
    edit("*", 0644);
    closedown(&input);
    before = plus_live_blocks;
    edit("*.bak", 0644);
    closedown(&input);
    good = holds("in", "new text\n") && holds("in.bak", "old\n") && plus_each(NULL) == 2;
    ok("with an extension the old text is kept", good);
    free(in_place_extension);
    ok("in place nothing stays allocated", plus_live_blocks == before);
    mkdir("folder", 0777);
    edit("folder/old-*", 0644);
    closedown(&input);
    ok("a backup is made in another folder", holds("in", "new text\n") && holds("folder/old-in", "old\n"));
    ok("the file keeps its mode", mode_after(0644) == 0644 && mode_after(0600) == 0600 && mode_after(0751) == 0751);
    edit("missing/*", 0644);
    good = plus_child(fails) == EXIT_PANIC;
    ok("a backup that fails ends the program", good && holds("in", "old\n"));
    plus_leave();
    return plus_end();
}
