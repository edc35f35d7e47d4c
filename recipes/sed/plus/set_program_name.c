/*---
 * tasks: [set_program_name-323054]
 * tests:
 *   the name is that of the call: 'progname.h: "String containing name the program is called with".'
 *   a path is kept: 'progname.h: "name the program is called with", "based on argv[0]".'
 *   a relative path is kept: 'progname.h: "name the program is called with".'
 *   a name that begins like that of libtool is kept: 'progname.h: "name the program is called with".'
 *   a folder that is named like that of libtool further up is kept: 'progname.h: "name the program is called with".'
 *   an empty name is kept: 'progname.h: "name the program is called with".'
 *   a later call sets it anew: 'progname.h: "Set program_name, based on argv[0]".'
 *   the argument stays as it was: 'progname.h: "must not be modified after this call".'
 *   messages begin with it: 'utils.c: panic; caller main sets it before any message.'
 ---*/
#include "plus.h"
#include "../utils.h"
#include "progname.h"

static int named(char *argv0) {
    set_program_name(argv0);
    return same(program_name, argv0);
}

static void dies(void) {
    panic("broken");
}

int main(void) {
    static char path[] = "/usr/local/bin/sed";
    plus_start();
    ok("the name is that of the call", named("sed") && named("gsed") && same(program_name, "gsed"));
    ok("a path is kept", named(path) && same(program_name, "/usr/local/bin/sed") && named("/sed"));
    ok("the argument stays as it was", same(path, "/usr/local/bin/sed"));
    ok("a relative path is kept", named("./sed") && named("../bin/sed") && named("sed/sed"));
    ok("a name that begins like that of libtool is kept",
       named("lt-sed") && named("./lt-sed") && named("/usr/bin/lt-sed"));
    ok("a folder that is named like that of libtool further up is kept",
       named("/a/.libs/b/sed") && named("/a/.libs/b/lt-sed") && named("/a/x.libs/sed"));
    ok("an empty name is kept", named(""));
    named("one");
    ok("a later call sets it anew", named("two") && same(program_name, "two"));
    named("/bin/stream");
    plus_child(dies);
    ok("messages begin with it", same(plus_told, "/bin/stream: broken\n"));
    return plus_end();
}
