/*---
 * tasks: [line_copy-b936f9]
 * tests:
 *   the text is copied: 'Docstring: "Copy the contents of the line from into the line to".'
 *   the length is copied: 'struct line: length, "Length of text (or active, if used)".'
 *   a newline that is missing is copied: 'struct line: chomped, "Was a trailing newline dropped?"; line_append.'
 *   the old contents are gone: 'Docstring: "This destroys the old contents of to".'
 *   only what is not consumed is copied: 'struct line: active, "Pointer to non-consumed part of text".'
 *   into a line that was consumed in part it is copied: 'struct line: active; callers: the D command, then g.'
 *   null bytes are copied: 'struct line: the length tells the end.'
 *   an empty line is copied: 'Docstring: "Copy the contents of the line".'
 *   into a line without room it is copied: 'process_files: the hold space is made with size 0.'
 *   a long line is copied whole: 'struct line: alloc, "Allocated space for active".'
 *   the room that is told is there: 'struct line: alloc; DFA_SLOP, "extra bytes that must be allocated/usable".'
 *   the text that was replaced is freed: 'struct line: text, "Pointer to line allocated by malloc".'
 *   the source stays as it was: 'Docstring: "Copy the contents of the line from".'
 *   both lines have texts of their own: 'Docstring: "Copy"; callers change both.'
 *   the multibyte state is copied when it is asked for: 'Docstring: "Copy the multibyte state if state is true".'
 *   the multibyte state stays otherwise: 'Docstring: "Copy the multibyte state if state is true".'
 *   lines of each length are copied: 'Docstring: "Copy the contents of the line".'
 *   the line can be appended to then: 'str_append, resize_line: they use alloc, active and text.'
 * instead: [sed/sed-execute.o]
 ---*/
#include "lines.h"

int main(void) {
    static char many[5001];
    struct line a, b, kept;
    int good, room = 1;
    begin();
    make_line(&a, "pattern", 50, 0);
    make_line(&b, "hold space", 60, 0);
    a.chomped = false;
    memcpy(&kept, &a, sizeof(a));
    line_copy(&a, &b, 0);
    ok("the text is copied", !memcmp(b.active, "pattern", 7));
    ok("the length is copied", b.length == 7);
    good = !b.chomped;
    a.chomped = true;
    line_copy(&a, &b, 1);
    ok("a newline that is missing is copied", good && b.chomped);
    a.chomped = false;
    ok("the source stays as it was", !memcmp(&a, &kept, sizeof(a)) && line_is(&a, "pattern"));
    ok("both lines have texts of their own", a.text != b.text && plus_live(a.text) && plus_live(b.text));
    room &= has_room(&a) && has_room(&b);
    make_line(&a, "x", 50, 0);
    line_copy(&a, &b, 0);
    ok("the old contents are gone", line_is(&b, "x"));
    make_line(&a, "rest", 50, 20);
    line_copy(&a, &b, 0);
    ok("only what is not consumed is copied", line_is(&b, "rest") && line_is(&a, "rest") && a.active == a.text + 20);
    room &= has_room(&b);
    make_line(&b, "old", 60, 40);
    line_copy(&a, &b, 0);
    good = line_is(&b, "rest") && has_room(&b);
    make_line(&b, "old", 60, 57);
    make_line(&a, "longer than the room that is left", 50, 0);
    line_copy(&a, &b, 0);
    ok("into a line that was consumed in part it is copied", good && line_is(&b, "longer than the room that is left"));
    room &= has_room(&b);
    make_line(&a, "a?b?", 50, 0);
    a.active[1] = a.active[3] = '\0';
    line_copy(&a, &b, 0);
    ok("null bytes are copied", b.length == 4 && !memcmp(b.active, "a\0b\0", 4));
    make_line(&a, "", 50, 0);
    line_copy(&a, &b, 0);
    ok("an empty line is copied", b.length == 0);
    room &= has_room(&b);
    make_line(&a, "text", 50, 0);
    make_line(&b, "", 0, 0);
    line_copy(&a, &b, 0);
    ok("into a line without room it is copied", line_is(&b, "text"));
    room &= has_room(&b);
    memset(many, 'y', 5000);
    make_line(&a, many, 5000, 0);
    make_line(&b, "short", 50, 10);
    char *old = b.text;
    long before = plus_live_blocks;
    line_copy(&a, &b, 0);
    ok("a long line is copied whole", line_is(&b, many));
    ok("the text that was replaced is freed", plus_live_blocks == before && (b.text == old || plus_dead(old)));
    room &= has_room(&b);
    make_line(&a, "text", 50, 0);
    set_state(&a, 0x11);
    set_state(&b, 0x22);
    line_copy(&a, &b, 0);
    good = state_is(&a, 0x11) && state_is(&b, 0x22);
    ok("the multibyte state stays otherwise", good);
    line_copy(&a, &b, 1);
    ok("the multibyte state is copied when it is asked for", state_is(&a, 0x11) && state_is(&b, 0x11));
    good = 1;
    for (int n = 0; n < 400; n++)
        for (int alloc = n % 7; alloc < 400; alloc += 60) {
            memset(many, 0, sizeof(many));
            for (int i = 0; i < n; i++) many[i] = 'a' + (i + n) % 26;
            make_line(&a, many, n + 5, 3);
            make_line(&b, "", alloc, alloc / 2);
            line_copy(&a, &b, 0);
            good &= line_is(&b, many);
            room &= has_room(&b);
            free(a.text);
            free(b.text);
        }
    ok("lines of each length are copied", good);
    ok("the room that is told is there", room);
    make_line(&a, "begin", 50, 30);
    make_line(&b, "", 60, 20);
    line_copy(&a, &b, 0);
    memset(many, 'z', 500);
    many[500] = '\0';
    str_append(&b, many, 500);
    ok("the line can be appended to then",
       b.length == 505 && !memcmp(b.active, "begin", 5) && !memcmp(b.active + 5, many, 500) && has_room(&b));
    return plus_end();
}
