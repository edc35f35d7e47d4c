/*---
 * tasks: [setup_label-fc7655]
 * tests:
 *   the index is stored: 'struct sed_label: v_index, "index of vector element being referenced".'
 *   the name is stored: 'struct sed_label: name, "NUL-terminated name of the label".'
 *   the name itself is kept: 'release_label frees it; callers give a name of their own.'
 *   a block has no name: 'Docstring: "or a reference created by a {"; caller gives NULL.'
 *   the place is stored: 'struct sed_label: err_info, "track where {} blocks start".'
 *   the place is a copy: 'Callers give cur_input, which goes on; check_final_program tells the place.'
 *   without a place a label is stored: 'Callers give NULL for labels and jumps.'
 *   the new label is first: 'struct sed_label: next, "linked list (stack)"; its callers.'
 *   the first label of a list is its last: 'struct sed_label: next, "linked list (stack)".'
 *   earlier labels stay as they were: 'Docstring: stored "so that the jump ... can be backpatched".'
 *   each label is of its own: 'Docstring: "Store a label (or label reference)".'
 *   a large index is stored whole: 'Its type is countT.'
 *   release_label takes them off again: 'struct sed_label: next, "linked list (stack)".'
 *   lists are of their own: 'compile.c: labels, jumps and blocks.'
 * instead: [sed/sed-compile.o]
 ---*/
#include "script.h"

int main(void) {
    struct error_info place = {"script.sed", 12, 0}, other = {NULL, 0, 3};
    char *one = strdup("one"), *two = strdup("two");
    int good = 1;
    plus_start();
    obstack_init(&obs);
    struct sed_label *a = setup_label(NULL, 5, one, &place);
    ok("the index is stored", a && a->v_index == 5);
    ok("the name is stored", same(a->name, "one"));
    ok("the name itself is kept", a->name == one && plus_live(one));
    ok("the first label of a list is its last", a->next == NULL);
    ok("the place is stored", a->err_info.name == place.name && a->err_info.line == 12);
    place.line = 13;
    place.name = "x";
    ok("the place is a copy", a->err_info.line == 12 && same(a->err_info.name, "script.sed") &&
       a->err_info.string_expr_count == 0);
    struct sed_label *b = setup_label(a, 0, two, NULL);
    ok("without a place a label is stored", b && b->v_index == 0 && same(b->name, "two"));
    ok("the new label is first", b != a && b->next == a && a->next == NULL);
    struct sed_label *c = setup_label(b, 7, NULL, &other);
    ok("a block has no name", c->name == NULL && c->v_index == 7 && c->next == b &&
       c->err_info.name == NULL && c->err_info.string_expr_count == 3);
    ok("earlier labels stay as they were", a->v_index == 5 && same(a->name, "one") && a->err_info.line == 12 &&
       b->v_index == 0 && same(b->name, "two") && b->next == a && a->next == NULL);
    struct sed_label *list = NULL;
    for (int i = 0; i < 1000; i++) list = setup_label(list, i, NULL, NULL);
    struct sed_label *l = list;
    for (int i = 999; i >= 0 && good; i--, l = l->next) good = l && l->v_index == (countT)i;
    ok("each label is of its own", good && l == NULL);
    l = setup_label(NULL, 4294967297UL, NULL, NULL);
    ok("a large index is stored whole", l->v_index == 4294967297UL);
    struct sed_label *alone = setup_label(NULL, 1, NULL, NULL);
    ok("lists are of their own", alone->next == NULL && c->next == b && l->next == NULL);
    good = release_label(c) == b && release_label(b) == a && plus_dead(two) && release_label(a) == NULL;
    ok("release_label takes them off again", good && plus_dead(one));
    return plus_end();
}
