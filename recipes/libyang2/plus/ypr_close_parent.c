/*---
 * tasks: [ypr_close_parent-06b631]
 * instead: [src/printer_yin.c.o]
 * tests:
 *   an open parent is closed: 'Comment: "0 - parent not yet closed, printing".'
 *   the flag is set to 1: 'Comment: "setting flag to 1".'
 *   a second time nothing is printed: 'Comment: "parent already closed, do nothing".'
 *   a closed parent stays closed: 'Comment: "1 ... do nothing".'
 *   without a flag nothing is printed: 'Comment: "NULL - parent already closed, do nothing".'
 *   the text is printed behind what was there: 'out_internal.h: ly_print_ adds to the output.'
 *   each flag stands for itself: 'Comment: the flag is that of a parent.'
 *   the level stays: 'Comment: it prints and sets the flag.'
 *   the printed bytes are counted: 'out_internal.h: ly_print_, "Adds to printed bytes".'
 ---*/
#include "../printer_yin.c"
#include "plus.h"

int main(void) {
    plus_start();
    char *text = NULL;
    struct ly_out *out = NULL;
    if (ly_out_new_memory(&text, 0, &out)) exit(2);
    struct lys_ypr_ctx pctx = {.out = out, .level = 3};
    ly_print_(out, "<leaf name=\"a\"");
    size_t printed = out->printed;
    int8_t flag = 0, one = 1, second = 0;
    ypr_close_parent(&pctx, &one);
    ok("a closed parent stays closed", one == 1 && same(text, "<leaf name=\"a\""));
    ypr_close_parent(&pctx, NULL);
    ok("without a flag nothing is printed", same(text, "<leaf name=\"a\""));
    ypr_close_parent(&pctx, &flag);
    ok("an open parent is closed", strlen(text) == 16 && same(text + 14, ">\n"));
    ok("the text is printed behind what was there", same(text, "<leaf name=\"a\">\n"));
    ok("the flag is set to 1", flag == 1);
    ok("the printed bytes are counted", out->printed == printed + 2);
    ypr_close_parent(&pctx, &flag);
    ok("a second time nothing is printed",
       flag == 1 && same(text, "<leaf name=\"a\">\n") && out->printed == printed + 2);
    ypr_close_parent(&pctx, &second);
    ok("each flag stands for itself", second == 1 && flag == 1 && same(text, "<leaf name=\"a\">\n>\n"));
    ok("the level stays", pctx.level == 3 && pctx.out == out);
    ly_out_free(out, NULL, 0);
    free(text);
    return plus_end();
}
