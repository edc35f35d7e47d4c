/*---
 * tasks: [jmt_visit-1e567a]
 * instead: [src/jmt.o]
 * tests:
 *   a text that parses gives 1: 'Docstring: "1 on a successful parse".'
 *   the length is that of the whole text then: 'Caller get.c: rec_process, LEN.'
 *   the lens itself is entered first: 'jmt.h: jmt_visitor, ENTER; get.c: visit_enter.'
 *   it is left last: 'jmt.h: jmt_visitor, EXIT; get.c: visit_exit takes the top frame for the result.'
 *   it is entered with the whole text: 'jmt.h: jmt_traverser, START and END.'
 *   it is left with the whole text: 'jmt.h: jmt_traverser, START and END.'
 *   it is entered and left once: 'get.c: visit_enter and visit_exit push and pop frames.'
 *   what is entered is left: 'get.c: visit_exit pops what visit_enter pushed.'
 *   terminals cover the text from right to left: 'jmt.c: build_children, "from right to left".'
 *   the visitor gets its data: 'jmt.h: jmt_visitor, DATA.'
 *   a nested text is visited: 'jmt.h: recursive lenses are parsed.'
 *   a second visit is like the first: 'jmt.h: it visits a parse; jmt_free_parse frees it.'
 *   a visitor need not have functions: 'jmt.c: visit_enter, visit_exit and build_children look for NULL.'
 *   a text with a syntax error gives 0: 'Docstring: "0 on syntax error".'
 *   nothing is visited then: 'Docstring: there is no parse; rec_process goes on with an error.'
 *   the length is how far the text was read: 'Caller get.c: rec_process puts the error at START + LEN.'
 *   a text that ends too early was read to its end: 'Caller get.c: rec_process, LEN.'
 *   a text that goes on too long is a syntax error: 'Docstring: "0 on syntax error".'
 *   a wrong first character is at 0: 'Caller get.c: rec_process, LEN.'
 *   an empty text is a syntax error at 0: 'Docstring: the lens needs a text.'
 *   a syntax error is no internal error: 'Docstring: 0 and -1 differ; rec_process looks at the error first.'
 *   an error while the lens is entered gives -1: 'Docstring: "-1 on internal error".'
 *   after it nothing more is visited: 'jmt.c: each call is followed by ERR_BAIL.'
 *   an error at a terminal gives -1: 'Docstring: "-1 on internal error".'
 *   after it the lens is not left: 'jmt.c: each call is followed by ERR_BAIL.'
 *   an error while the lens is left gives -1: 'Docstring: "-1 on internal error".'
 *   a visit leaves nothing in memory: 'jmt.h: jmt_free_parse frees a parse; a visit returns nothing.'
 ---*/
#include "lenses.h"
#include "jmt.h"
#include "../jmt.c"

enum { ENTER = 1, TERMINAL, EXIT };
static struct event { int what; struct lens *lens; size_t start, end; void *data; } events[200];
static int number, break_at;

static void note(int what, struct lens *lens, size_t start, size_t end, void *data) {
    if (number < 200) events[number] = (struct event) {what, lens, start, end, data};
    if (++number == break_at) report_error(info->error, AUG_EINTERNAL, "by the test");
}

static void enter(struct lens *l, size_t start, size_t end, void *data) { note(ENTER, l, start, end, data); }
static void leave(struct lens *l, size_t start, size_t end, void *data) { note(EXIT, l, start, end, data); }
static void terminal(struct lens *l, size_t start, size_t end, void *data) { note(TERMINAL, l, start, end, data); }
static void error(struct lens *l, void *data, size_t pos, const char *format, ...) { number = 1000; }

static struct jmt *jmt;
static size_t len;
static char data[1];

static int visit_with(struct jmt_visitor v, const char *text) {
    reset_error(info->error);
    number = 0;
    len = 4711;
    v.parse = jmt_parse(jmt, text, strlen(text));
    if (!v.parse) plus_die("Bail out! no parse\n");
    int r = jmt_visit(&v, &len);
    jmt_free_parse(v.parse);
    return r;
}

static int visit(const char *text) {
    return visit_with((struct jmt_visitor) {
        .terminal = terminal, .enter = enter, .exit = leave, .error = error, .data = data}, text);
}

static int is(int i, int what, struct lens *lens, size_t start, size_t end) {
    return i >= 0 && i < number && events[i].what == what && events[i].lens == lens && events[i].start == start &&
           events[i].end == end;
}

/* Whether all that is entered is left, innermost first, and in the same place. */
static int nested(void) {
    struct event open[200];
    int depth = 0;
    for (int i = 0; i < number && i < 200; i++) {
        if (events[i].what == ENTER) open[depth++] = events[i];
        if (events[i].what != EXIT) continue;
        if (!depth) return 0;
        struct event e = open[--depth];
        if (e.lens != events[i].lens || e.start != events[i].start || e.end != events[i].end) return 0;
    }
    return depth == 0;
}

/* Whether the terminals that are not empty cover SIZE bytes without a gap, from the end on. */
static int covered(size_t size) {
    for (int i = 0; i < number && i < 200; i++) {
        if (events[i].what != TERMINAL || events[i].start == events[i].end) continue;
        if (events[i].end != size) return 0;
        size = events[i].start;
    }
    return size == 0;
}

int main(void) {
    lenses_start();
    info->ref += 10000;
    /* Round brackets that hold any number of the same. */
    struct lens *rec = take(lns_make_rec(ref(info)));
    struct lens *body = subtree(concat(label("n"), concat(del("\\(", "("), concat(star(ref(rec)), del("\\)", ")")))));
    struct lens *top = take(lns_check_rec(info, body, rec, 0));
    jmt = jmt_build(top);
    if (!jmt || HAS_ERR(info)) plus_die("Bail out! no automaton\n");

    int r = visit("()");
    ok("a text that parses gives 1", r == 1);
    ok("the length is that of the whole text then", len == 2);
    r = visit("(()())");
    int last = number - 1;
    ok("a nested text is visited", r == 1 && len == 6);
    ok("the lens itself is entered first", number > 2 && events[0].what == ENTER && events[0].lens == top);
    ok("it is entered with the whole text", is(0, ENTER, top, 0, 6));
    ok("it is left last", events[last].what == EXIT && events[last].lens == top);
    ok("it is left with the whole text", is(last, EXIT, top, 0, 6));
    int in = 0, out = 0;
    for (int i = 0; i < number; i++) {
        in += events[i].lens == top && events[i].what == ENTER && events[i].end == 6 && events[i].start == 0;
        out += events[i].lens == top && events[i].what == EXIT && events[i].end == 6 && events[i].start == 0;
    }
    ok("it is entered and left once", in == 1 && out == 1);
    ok("what is entered is left", nested());
    ok("terminals cover the text from right to left", covered(6));
    int given = number > 0;
    for (int i = 0; i < number; i++) given &= events[i].data == data;
    ok("the visitor gets its data", given);

    struct jmt_visitor v = {.terminal = terminal, .enter = enter, .exit = leave, .error = error, .data = data};
    v.parse = jmt_parse(jmt, "((()))", 6);
    number = 0;
    int one = jmt_visit(&v, &len);
    struct event before[200];
    memcpy(before, events, sizeof(before));
    int first = number;
    number = 0;
    len = 0;
    int two = jmt_visit(&v, &len);
    ok("a second visit is like the first",
       one == 1 && two == 1 && len == 6 && first == number && !memcmp(before, events, first * sizeof(*events)));
    jmt_free_parse(v.parse);
    r = visit_with((struct jmt_visitor) {.error = error}, "(())");
    ok("a visitor need not have functions", r == 1 && len == 4 && number == 0);

    r = visit("(()x");
    ok("a text with a syntax error gives 0", r == 0);
    ok("nothing is visited then", number == 0);
    ok("the length is how far the text was read", len == 3 && visit("((x)))") == 0 && len == 2);
    r = visit("(()");
    ok("a text that ends too early was read to its end", r == 0 && len == 3 && number == 0);
    r = visit("(())()");
    ok("a text that goes on too long is a syntax error", r == 0 && len == 4 && number == 0);
    r = visit("x()");
    ok("a wrong first character is at 0", r == 0 && len == 0 && number == 0);
    r = visit("");
    ok("an empty text is a syntax error at 0", r == 0 && len == 0 && number == 0);
    ok("a syntax error is no internal error", visit("(") == 0 && info->error->code == AUG_NOERROR);

    visit("(())");
    int all = number, term = 0;
    while (term < all && events[term].what != TERMINAL) term++;
    break_at = 1;
    r = visit("(())");
    ok("an error while the lens is entered gives -1", r == -1);
    ok("after it nothing more is visited", number == 1);
    break_at = term + 1;
    r = visit("(())");
    ok("an error at a terminal gives -1", r == -1);
    int left = 0;
    for (int i = 0; i < number; i++) left |= is(i, EXIT, top, 0, 4);
    ok("after it the lens is not left", !left);
    break_at = all;
    r = visit("(())");
    ok("an error while the lens is left gives -1", r == -1 && number == all);
    break_at = 0;

    visit("(()())");
    visit("(()x");
    long live = plus_live_blocks;
    visit("(()())");
    visit("(()x");
    ok("a visit leaves nothing in memory", plus_live_blocks == live);
    return plus_end();
}
