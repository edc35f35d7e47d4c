/*---
 * tasks: [dup_string-615b22]
 * tests:
 *   a string is duplicated: 'Docstring: "Duplicate a string".'
 *   the text is a copy: 'Docstring: "Duplicate a string"; free_string frees it.'
 *   the argument stays as it was: 'Docstring: STR is const.'
 *   NULL gives the empty string: 'Docstring: "if STR is NULL, use the empty string".'
 *   the empty text of NULL is a block of its own: 'info.c: free_string frees it.'
 *   an empty string stays empty: 'Docstring: "Duplicate a string".'
 *   a long text is whole: 'Docstring: "Duplicate a string".'
 *   the caller has the only reference: 'ref.h: make_ref, an object with one reference.'
 *   nothing is left when it is released: 'info.h: UNREF; free_string.'
 *   without memory for the text there is no string: 'Callers look for NULL (syntax.c).'
 *   without memory nothing is left behind: 'A caller that gets NULL has nothing to free.'
 ---*/
#include <config.h>
#include "internal.h"
#include "info.h"
#include "plus.h"

/* The second allocation fails; the first one is not looked at by make_ref. */
static int tried(const char *text) {
    plus_fail_at = 2;
    struct string *s = dup_string(text);
    int over = plus_fail_at > 0;
    plus_fail_at = 0;
    int good = over == (s != NULL);
    unref(s, string);
    return good;
}

int main(void) {
    plus_start();
    char text[] = "some text";
    struct string *s = dup_string(text);
    if (!s) exit(1);
    ok("a string is duplicated", same(s->str, "some text"));
    text[0] = 'X';
    ok("the text is a copy", s->str != text && plus_live(s->str) && same(s->str, "some text"));
    ok("the argument stays as it was", same(text, "Xome text"));
    ok("the caller has the only reference", s->ref == 1);
    unref(s, string);
    s = dup_string(NULL);
    ok("NULL gives the empty string", s && same(s->str, "") && s->ref == 1);
    ok("the empty text of NULL is a block of its own", plus_live(s->str));
    unref(s, string);
    s = dup_string("");
    ok("an empty string stays empty", s && s->str && same(s->str, "") && s->ref == 1 && plus_live(s->str));
    unref(s, string);
    static char longer[5001];
    memset(longer, 'y', 5000);
    s = dup_string(longer);
    ok("a long text is whole", s && same(s->str, longer));
    unref(s, string);
    long live = plus_live_blocks;
    s = dup_string("again");
    unref(s, string);
    s = dup_string(NULL);
    unref(s, string);
    ok("nothing is left when it is released", plus_live_blocks == live);
    int good = tried("text") && tried(NULL);
    ok("without memory for the text there is no string", good);
    ok("without memory nothing is left behind", plus_live_blocks == live);
    return plus_end();
}
