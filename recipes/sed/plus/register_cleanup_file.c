/*---
 * tasks: [register_cleanup_file-c05706]
 * tests:
 *   the file is removed at exit: 'Docstring: "Note that FILE must be removed upon exit".'
 *   it is not removed before: 'Docstring: "must be removed upon exit".'
 *   other files stay: 'Docstring: "Note that FILE must be removed".'
 *   the latest file is noted: 'utils.c: "This is the name of the temporary that we will have to unlink".'
 *   what was noted can be cancelled: 'cancel_cleanup: "Clear the global file-to-unlink global".'
 *   after that another file can be noted: 'Docstring: "Note that FILE must be removed upon exit".'
 *   the same file can be noted again: 'Docstring: "Note that FILE must be removed upon exit".'
 *   a temporary file is noted: 'Caller ck_mkstemp.'
 *   the name stays as it was: 'The argument is const; caller ck_mkstemp goes on with it.'
 * instead: [sed/sed-utils.o]
 ---*/
#include "files.h"
#include "../utils.c"

int main(void) {
    static char one[] = "one", two[] = "two";
    char *name;
    int good;
    plus_start();
    program_name = "sed";
    plus_enter();
    put_file("one", "1");
    put_file("two", "2");
    register_cleanup_file(one);
    ok("it is not removed before", there("one") && there("two"));
    remove_cleanup_file();
    ok("the file is removed at exit", !there("one"));
    ok("other files stay", there("two"));
    put_file("one", "1");
    register_cleanup_file(one);
    register_cleanup_file(two);
    remove_cleanup_file();
    ok("the latest file is noted", there("one") && !there("two"));
    put_file("two", "2");
    register_cleanup_file(one);
    cancel_cleanup();
    remove_cleanup_file();
    ok("what was noted can be cancelled", there("one") && there("two"));
    register_cleanup_file(two);
    remove_cleanup_file();
    ok("after that another file can be noted", there("one") && !there("two"));
    register_cleanup_file(one);
    register_cleanup_file(one);
    remove_cleanup_file();
    ok("the same file can be noted again", !there("one"));
    FILE *file = ck_mkstemp(&name, ".", "sed", "w");
    good = there(name);
    remove_cleanup_file();
    ok("a temporary file is noted", good && !there(name) && plus_each(NULL) == 0);
    ck_fclose(file);
    ok("the name stays as it was", same(one, "one") && same(two, "two"));
    plus_leave();
    return plus_end();
}
