/*---
 * tasks: [ck_rename-554910]
 * tests:
 *   the file gets its new name: 'Its name; caller closedown gives the temporary file the name of the input.'
 *   the file keeps what it holds: 'Caller closedown: the edited text.'
 *   a file that has that name is replaced: 'Manual: -i, "renamed to the output file''s original name".'
 *   a file gets a name in another folder: 'Manual: -i, "to place backup copies ... into another directory".'
 *   a failure ends the program: 'Comment: "Panic on failing rename"; utils.h, EXIT_PANIC.'
 *   a folder that is missing is a failure: 'Comment: "Panic on failing rename".'
 *   the file that has no new name is told: 'Its parameters; all functions ck_ name their file.'
 *   the reason is told: 'All functions ck_ tell strerror (errno).'
 *   after a failure both files are as they were: 'rename: nothing is changed then.'
 *   a file whose name stays the same stays: 'rename: "do nothing".'
 ---*/
#include "files.h"
#include "../utils.h"
#include "progname.h"

static const char *from, *to;

static void dies(void) {
    ck_rename(from, to);
}

static int fails(const char *old, const char *new) {
    from = old;
    to = new;
    return plus_child(dies) == EXIT_PANIC;
}

int main(void) {
    int good;
    plus_start();
    program_name = "sed";
    plus_enter();
    put_file("one", "first\n");
    ck_rename("one", "two");
    ok("the file gets its new name", !there("one") && there("two"));
    ok("the file keeps what it holds", holds("two", "first\n"));
    put_file("three", "third");
    ck_rename("two", "three");
    ok("a file that has that name is replaced", !there("two") && holds("three", "first\n") && plus_each(NULL) == 1);
    mkdir("folder", 0777);
    ck_rename("three", "folder/four");
    ok("a file gets a name in another folder", !there("three") && holds("folder/four", "first\n"));
    ck_rename("folder/four", "folder/four");
    ok("a file whose name stays the same stays", holds("folder/four", "first\n"));
    ok("a failure ends the program", fails("missing-file", "new-name"));
    good = strstr(plus_told, "missing-file") && !there("new-name");
    ok("the file that has no new name is told", good);
    ok("the reason is told", strstr(plus_told, strerror(ENOENT)) != NULL);
    put_file("five", "fifth");
    ok("a folder that is missing is a failure", fails("five", "no-folder/five") && strstr(plus_told, "five"));
    good = fails("five", "folder") && strstr(plus_told, strerror(EISDIR)) && holds("five", "fifth");
    ok("after a failure both files are as they were", good && holds("folder/four", "first\n"));
    plus_leave();
    return plus_end();
}
