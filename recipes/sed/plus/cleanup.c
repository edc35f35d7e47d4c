/*---
 * tasks: [cleanup-adf09d]
 * tests:
 *   the temporary file is removed: 'Docstring: "remove that file".'
 *   other files stay: 'Docstring: "remove that file".'
 *   after the rename nothing is removed: 'Docstring: "between temporary file creation and the rename"; cancel_cleanup.'
 *   without a temporary file nothing is removed: 'main registers it before any file is made.'
 *   a second call removes nothing more: 'Docstring: "remove that file".'
 *   a file that is gone is no error: 'utils.c: remove_cleanup_file.'
 *   the latest temporary file is meant: 'utils.c: "This is the name of the temporary that we will have to unlink".'
 *   at an error while a file is edited its temporary file is removed: 'Docstring; temp-file-cleanup.sh.'
 *   then the file stays as it was: 'temp-file-cleanup.sh.'
 *   at a rename that fails the temporary file is removed: 'Docstring: "between ... creation and the rename".'
 *   a file that is edited stays: 'Docstring: "between temporary file creation and the rename".'
 * instead: [sed/sed-sed.o]
 ---*/
#include "files.h"
#define main sed_main
#include "../sed.c"
#undef main

static char *option, *script;

static void edit(void) {
    char *args[] = {"sed", option, script, "in", NULL};
    exit(sed_main(4, args));
}

int main(void) {
    char *name, *later, copy[100];
    int good, status;
    plus_start();
    program_name = "sed";
    plus_enter();
    put_file("other", "kept");
    cleanup();
    ok("without a temporary file nothing is removed", plus_each(NULL) == 1 && holds("other", "kept"));
    FILE *file = ck_mkstemp(&name, ".", "sed", "w");
    good = there(name);
    cleanup();
    ok("the temporary file is removed", good && !there(name));
    ok("other files stay", plus_each(NULL) == 1 && holds("other", "kept"));
    ck_fclose(file);
    cleanup();
    ok("a second call removes nothing more", plus_each(NULL) == 1);
    file = ck_mkstemp(&name, ".", "sed", "w");
    unlink(name);
    cleanup();
    ok("a file that is gone is no error", plus_each(NULL) == 1);
    ck_fclose(file);

    file = ck_mkstemp(&name, ".", "sed", "w");
    FILE *second = ck_mkstemp(&later, ".", "sed", "w");
    cleanup();
    ok("the latest temporary file is meant", there(name) && !there(later) && plus_each(NULL) == 2);
    ck_fclose(file);
    ck_fclose(second);
    unlink(name);
    file = ck_mkstemp(&name, ".", "sed", "w");
    snprintf(copy, sizeof(copy), "%s", name);
    cancel_cleanup();
    cleanup();
    ok("after the rename nothing is removed", there(copy) && plus_each(NULL) == 2);
    ck_fclose(file);
    unlink(copy);
    unlink("other");

    put_file("in", "one\n");
    option = "-i";
    script = "s//b/";
    status = plus_child(edit);
    ok("at an error while a file is edited its temporary file is removed",
       status == EXIT_BAD_USAGE && plus_each(NULL) == 1);
    ok("then the file stays as it was", holds("in", "one\n"));
    option = "-ino-folder/*";
    script = "s/o/0/";
    status = plus_child(edit);
    ok("at a rename that fails the temporary file is removed",
       status == EXIT_PANIC && plus_each(NULL) == 1 && holds("in", "one\n"));
    option = "-i";
    status = plus_child(edit);
    ok("a file that is edited stays", status == 0 && plus_each(NULL) == 1 && holds("in", "0ne\n"));
    plus_leave();
    return plus_end();
}
