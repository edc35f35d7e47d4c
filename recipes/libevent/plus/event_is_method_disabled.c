/*---
 * tasks: [event_is_method_disabled-ba4f16]
 * tests:
 *   without a variable no method is disabled: 'Docstring: "disabled according to the environment".'
 *   a method is disabled by its variable: 'whatsnew-2.0.txt: "variables EVENT_NOSELECT, EVENT_NOPOLL, and so forth".'
 *   the variable has the name in capitals: 'whatsnew-2.0.txt: EVENT_NOSELECT is that of "select".'
 *   a variable in small letters does not count: 'whatsnew-2.0.txt: "EVENT_NOSELECT, EVENT_NOPOLL".'
 *   a name of mixed letters has capitals in the variable: 'whatsnew-2.0.txt: EVENT_NOSELECT, EVENT_NOPOLL.'
 *   digits stay as they are: 'whatsnew-2.0.txt, "and so forth"; backend win32.'
 *   any value disables: 'Docstring: "disabled according to the environment"; evutil_getenv_ gives NULL when unset.'
 *   an empty value disables: 'event_base_new_with_config asks so for EVENT_PRECISE_TIMER: set or not.'
 *   another method is not disabled by it: 'Docstring: "iff method is disabled".'
 *   a name that is part of another is not meant: 'Docstring: "iff method is disabled"; poll and epoll.'
 *   a variable without the prefix does not count: 'whatsnew-2.0.txt: EVENT_NO and the name.'
 *   a variable that is taken away does not count any more: 'Docstring: "according to the environment".'
 *   the environment does not count when running setuid: 'ChangeLog-2.0: "Never check the environment when setuid".'
 *   the name stays as it is: 'The parameter is const; names are those of the backends.'
 *   a base avoids the methods that are disabled: 'Caller event_base_new_with_config.'
 *   with all methods disabled there is no base: 'Caller event_base_new_with_config: "no event mechanism available".'
 ---*/
#include "event.c"
#include "plus.h"
#include <sys/syscall.h>

static int other_user;

uid_t geteuid(void) {
    return (uid_t)syscall(SYS_geteuid) + other_user;
}

static int method(const char *name) {
    struct event_base *base = event_base_new_with_config(NULL);
    int good = base ? name && !strcmp(event_base_get_method(base), name) : !name;
    if (base) event_base_free(base);
    return good;
}

int main(void) {
    plus_start();
    ok("without a variable no method is disabled",
       !event_is_method_disabled("epoll") && !event_is_method_disabled("poll") && !event_is_method_disabled("select"));
    setenv("EVENT_NOSELECT", "1", 1);
    ok("a method is disabled by its variable", event_is_method_disabled("select") != 0);
    ok("another method is not disabled by it",
       !event_is_method_disabled("poll") && !event_is_method_disabled("epoll"));
    setenv("EVENT_NOKQUEUE", "1", 1);
    ok("the variable has the name in capitals", event_is_method_disabled("kqueue") != 0);
    setenv("EVENT_NOevport", "1", 1);
    setenv("event_nodevpoll", "1", 1);
    ok("a variable in small letters does not count",
       !event_is_method_disabled("evport") && !event_is_method_disabled("devpoll"));
    setenv("EVENT_NOMIXEDZ", "1", 1);
    ok("a name of mixed letters has capitals in the variable",
       event_is_method_disabled("miXedz") != 0 && event_is_method_disabled("MIXEDZ") != 0);
    setenv("EVENT_NOWIN32", "1", 1);
    ok("digits stay as they are", event_is_method_disabled("win32") != 0 && !event_is_method_disabled("win33"));
    setenv("EVENT_NOSELECT", "0", 1);
    int good = event_is_method_disabled("select") != 0;
    setenv("EVENT_NOSELECT", "no", 1);
    ok("any value disables", good && event_is_method_disabled("select") != 0);
    setenv("EVENT_NOSELECT", "", 1);
    ok("an empty value disables", event_is_method_disabled("select") != 0);
    setenv("EVENT_NOPOLL", "1", 1);
    good = event_is_method_disabled("poll") != 0 && !event_is_method_disabled("epoll") &&
           !event_is_method_disabled("pol") && !event_is_method_disabled("polls");
    unsetenv("EVENT_NOPOLL");
    setenv("EVENT_NOEPOLL", "1", 1);
    ok("a name that is part of another is not meant",
       good && event_is_method_disabled("epoll") != 0 && !event_is_method_disabled("poll"));
    setenv("NOPOLL", "1", 1);
    setenv("POLL", "1", 1);
    setenv("EVENT_POLL", "1", 1);
    setenv("EVENT_NO", "1", 1);
    setenv("EVENT_NO_POLL", "1", 1);
    ok("a variable without the prefix does not count", !event_is_method_disabled("poll"));
    unsetenv("EVENT_NOEPOLL");
    ok("a variable that is taken away does not count any more", !event_is_method_disabled("epoll"));
    other_user = 1;
    good = !event_is_method_disabled("select");
    other_user = 0;
    ok("the environment does not count when running setuid", good && event_is_method_disabled("select") != 0);
    char name[] = "select";
    event_is_method_disabled(name);
    ok("the name stays as it is", !strcmp(name, "select"));

    unsetenv("EVENT_NOSELECT");
    good = method("epoll");
    setenv("EVENT_NOEPOLL", "1", 1);
    good &= method("poll");
    setenv("EVENT_NOPOLL", "1", 1);
    ok("a base avoids the methods that are disabled", good && method("select"));
    setenv("EVENT_NOSELECT", "1", 1);
    ok("with all methods disabled there is no base", method(NULL));
    return plus_end();
}
