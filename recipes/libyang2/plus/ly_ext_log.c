/*---
 * tasks: [ly_ext_log-9f7562]
 * instead: [src/log.c.o]
 * tests:
 *   the message has the arguments in their places: 'Docstring: "Format string to print" and "Var arg list".'
 *   the message names the plugin: 'Docstring: "Name of the plugin generating the message".'
 *   the level is passed on: 'Docstring: "Log message level".'
 *   the path is passed on: 'Docstring: "Optional path of the error".'
 *   without a path there is none: 'Docstring: "Optional path of the error".'
 *   a level that is not logged prints nothing: 'log.h: LY_LOG_LEVEL and ly_log_level.'
 *   a level that is not logged stores nothing: 'log.h: ly_log_level.'
 *   the least important level that is logged is printed: 'log.h: ly_log_level.'
 *   an error is stored in the context: 'Docstring: "context to store the error record".'
 *   the stored error has level, message and path: 'Docstring: LEVEL, FORMAT and PATH.'
 *   the stored path is a copy: 'Caller lyplg_ext_parse_log frees its path.'
 *   an error has its code and is one of a plugin: 'Docstring: "Error type code"; log.h: LY_EPLUGIN.'
 *   a warning is stored with its level: 'Docstring: "Log message level (error, warning, etc.)".'
 *   a warning has its code alone: 'log.h: LY_EPLUGIN, "Error reported by a plugin".'
 *   verbose messages are printed and not stored: 'log.c: log_vprintf stores errors and warnings.'
 *   without a context it is just printed: 'Docstring: "If not provided, the error is just printed".'
 *   a format without arguments is printed: 'Docstring: "Format string to print".'
 *   a long message is whole: 'Docstring: "Format string to print".'
 *   nothing is left of a message that is printed: 'Callers own nothing of it.'
 *   nothing is left of a stored message that is cleaned: 'log.h: ly_err_clean.'
 *   nothing is left of a message that is not logged: 'log.h: ly_log_level.'
 ---*/
#include "../log.c"
#include "yang.h"

static int printed;
static LY_LOG_LEVEL last_level;
static char last[20000], last_path[200];

static void catch(LY_LOG_LEVEL level, const char *msg, const char *path) {
    printed++;
    last_level = level;
    snprintf(last, sizeof last, "%s", msg);
    snprintf(last_path, sizeof last_path, "%s", path ? path : "(none)");
}

static void say(const struct ly_ctx *ctx, const char *name, LY_LOG_LEVEL level, LY_ERR no, const char *path,
        const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    printed = 0;
    last[0] = last_path[0] = '\0';
    last_level = 99;
    ly_ext_log(ctx, name, level, no, path, format, ap);
    va_end(ap);
}

/* Whether the text ends with END. */
static int ends(const char *text, const char *end) {
    return text && strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

int main(void) {
    plus_start();
    struct ly_ctx *ctx = yang_context(NULL);
    ly_set_log_clb(catch, 0);
    ly_log_options(LY_LOLOG | LY_LOSTORE);
    ly_log_level(LY_LLWRN);
    ly_err_clean(ctx, NULL);

    say(NULL, "my-plugin", LY_LLERR, LY_EINVAL, "/a:b/c", "%s has %d of %s.", "list", 17, "these");
    ok("the message has the arguments in their places", printed == 1 && ends(last, "list has 17 of these."));
    ok("the message names the plugin", strstr(last, "my-plugin") != NULL);
    ok("the level is passed on", last_level == LY_LLERR);
    ok("the path is passed on", same(last_path, "/a:b/c"));
    ok("without a context it is just printed", printed == 1 && !ly_err_last(ctx));
    say(NULL, "p", LY_LLWRN, LY_SUCCESS, NULL, "text");
    ok("without a path there is none", printed == 1 && same(last_path, "(none)"));
    ok("a format without arguments is printed", ends(last, "text"));
    ok("the least important level that is logged is printed", printed == 1 && last_level == LY_LLWRN);

    say(ctx, "p", LY_LLVRB, LY_SUCCESS, NULL, "text");
    int quiet = printed == 0;
    ly_log_level(LY_LLERR);
    say(ctx, "p", LY_LLWRN, LY_EINVAL, "/x", "text");
    ok("a level that is not logged prints nothing", quiet && printed == 0);
    ok("a level that is not logged stores nothing", !ly_err_last(ctx));

    char path[] = "/m:top/leaf";
    say(ctx, "plug", LY_LLERR, LY_EINVAL, path, "bad %s", "value");
    memset(path, '-', sizeof path - 1);
    const struct ly_err_item *e = ly_err_last(ctx);
    ok("an error is stored in the context", e != NULL);
    if (!e) exit(1);
    ok("the stored error has level, message and path",
       e->level == LY_LLERR && ends(e->msg, "bad value") && strstr(e->msg, "plug") && e->path);
    ok("the stored path is a copy", same(e->path, "/m:top/leaf"));
    ok("an error has its code and is one of a plugin", e->no == (LY_EPLUGIN | LY_EINVAL));
    ly_err_clean(ctx, NULL);
    ly_log_level(LY_LLDBG);
    say(ctx, "plug", LY_LLWRN, LY_ENOT, NULL, "careful");
    e = ly_err_last(ctx);
    ok("a warning is stored with its level", e && e->level == LY_LLWRN && ends(e->msg, "careful") && !e->path);
    ok("a warning has its code alone", e && e->no == LY_ENOT);
    ly_err_clean(ctx, NULL);
    say(ctx, "plug", LY_LLVRB, LY_SUCCESS, NULL, "chat %d", 3);
    ok("verbose messages are printed and not stored",
       printed == 1 && last_level == LY_LLVRB && ends(last, "chat 3") && !ly_err_last(ctx));

    static char longer[15001];
    memset(longer, 'x', 15000);
    say(NULL, "p", LY_LLERR, LY_EINVAL, NULL, "%s!", longer);
    ok("a long message is whole", strlen(last) > 15000 && strstr(last, longer) && ends(last, "x!"));

    long live = plus_live_blocks;
    say(NULL, "p", LY_LLERR, LY_EINVAL, "/a", "%s", "x");
    say(NULL, "p", LY_LLVRB, LY_EINVAL, "/a", "%s", "x");
    say(ctx, "p", LY_LLVRB, LY_EINVAL, "/a", "%s", "x");
    ok("nothing is left of a message that is printed", plus_live_blocks == live);
    say(ctx, "p", LY_LLERR, LY_EINVAL, "/a", "%s", "x");
    ly_err_clean(ctx, NULL);
    live = plus_live_blocks;
    say(ctx, "p", LY_LLERR, LY_EINVAL, "/a", "%s", "x");
    say(ctx, "p", LY_LLWRN, LY_EINVAL, "/a", "%s", "x");
    ly_err_clean(ctx, NULL);
    ok("nothing is left of a stored message that is cleaned", plus_live_blocks == live);
    ly_log_level(LY_LLERR);
    live = plus_live_blocks;
    say(ctx, "p", LY_LLWRN, LY_EINVAL, "/a", "%s", "x");
    ok("nothing is left of a message that is not logged", plus_live_blocks == live);
    return plus_end();
}
