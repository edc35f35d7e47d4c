/*---
 * tasks: [line_exchange-572dfe]
 * tests:
 *   the first line gets the text of the second: 'Docstring: "Exchange two struct line buffers".'
 *   the second line gets the text of the first: 'Docstring: "Exchange two struct line buffers".'
 *   what was consumed is exchanged: 'struct line: active, "Pointer to non-consumed part of text".'
 *   the lengths are exchanged: 'struct line: length.'
 *   the room is exchanged: 'struct line: alloc, "Allocated space for active".'
 *   newlines that are missing are exchanged: 'struct line: chomped, "Was a trailing newline dropped?".'
 *   the texts themselves are not copied: 'Docstring: "Exchange"; execute_program: "much cheaper than copying".'
 *   nothing is allocated or freed: 'Docstring: "Exchange two struct line buffers".'
 *   the multibyte states are exchanged when it is asked for: 'Docstring: "Copy the multibyte state if state is true".'
 *   the multibyte states stay otherwise: 'Docstring: "Copy the multibyte state if state is true".'
 *   any true value asks for it: 'Docstring: "if state is true".'
 *   with the state all else is exchanged too: 'Docstring: "Exchange two struct line buffers".'
 *   twice exchanged they are as before: 'Docstring: "Exchange two struct line buffers".'
 *   an empty line is exchanged: 'process_files: the hold space is made with size 0.'
 * instead: [sed/sed-execute.o]
 ---*/
#include "lines.h"

int main(void) {
    struct line a, b, first, second;
    int good;
    begin();
    make_line(&a, "pattern space", 50, 10);
    make_line(&b, "hold", 70, 0);
    a.chomped = false;
    set_state(&a, 0x11);
    set_state(&b, 0x22);
    first = a;
    second = b;
    long before = plus_live_blocks;
    line_exchange(&a, &b, 0);
    ok("the first line gets the text of the second", line_is(&a, "hold"));
    ok("the second line gets the text of the first", line_is(&b, "pattern space"));
    ok("what was consumed is exchanged", a.active == a.text && b.active == b.text + 10);
    ok("the lengths are exchanged", a.length == 4 && b.length == 13);
    ok("the room is exchanged", a.alloc == 70 && b.alloc == 40);
    ok("newlines that are missing are exchanged", a.chomped && !b.chomped);
    ok("the texts themselves are not copied", a.text == second.text && b.text == first.text);
    ok("the multibyte states stay otherwise", state_is(&a, 0x11) && state_is(&b, 0x22));
    line_exchange(&a, &b, 0);
    ok("twice exchanged they are as before", a.text == first.text && a.active == first.active &&
       a.length == 13 && a.alloc == 40 && !a.chomped && b.text == second.text && b.active == second.active &&
       b.length == 4 && b.alloc == 70 && b.chomped && state_is(&a, 0x11) && state_is(&b, 0x22));
    line_exchange(&a, &b, 1);
    ok("the multibyte states are exchanged when it is asked for", state_is(&a, 0x22) && state_is(&b, 0x11));
    ok("with the state all else is exchanged too", a.text == second.text && a.active == second.active &&
       a.length == 4 && a.alloc == 70 && a.chomped && b.text == first.text && b.active == first.active &&
       b.length == 13 && b.alloc == 40 && !b.chomped);
    line_exchange(&a, &b, 2);
    good = state_is(&a, 0x11) && state_is(&b, 0x22);
    line_exchange(&a, &b, -1);
    ok("any true value asks for it", good && state_is(&a, 0x22) && state_is(&b, 0x11) && line_is(&a, "hold"));
    ok("nothing is allocated or freed", plus_live_blocks == before && plus_live(a.text) && plus_live(b.text));
    make_line(&b, "", 0, 0);
    line_exchange(&a, &b, 1);
    ok("an empty line is exchanged", a.length == 0 && a.alloc == 0 && line_is(&b, "hold"));
    return plus_end();
}
