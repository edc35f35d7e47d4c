/*---
 * tasks: [lns_square-de4810]
 * instead: [src/builtin.o]
 * tests:
 *   the result is a lens: 'Docstring: "V_LENS -> V_LENS -> V_LENS -> V_LENS".'
 *   it is a square lens: 'lens.c: lns_make_square, "Build a square lens".'
 *   its parts are left, body and right in this order: 'lens.c: lns_make_square, "left . body . right".'
 *   a key may stand on the left: 'lens.c: lns_make_square, "L_KEY . body . L_DEL".'
 *   the result is owned by the caller: 'syntax.h: "Caller owns returned objects".'
 *   the result knows its place: 'Errors about a lens name its INFO.'
 *   the arguments stay the caller's: 'syntax.c: native_call and its caller release the arguments.'
 *   the lenses of the arguments stay the caller's: 'lens.h: constructors assume "ownership"; the values keep theirs.'
 *   the info stays the caller's: 'lens.h: a constructor "assumes ownership"; the interpreter goes on holding its own.'
 *   nothing is left of a lens that is released: 'lens.h: a constructor "assumes ownership" of its arguments.'
 *   it outlives the arguments: 'syntax.h: "Caller owns returned objects".'
 *   the left one must match like the right one: 'lens.c: "left and right accepts the same language".'
 *   a left one that is no key and no del is an exception: 'lens.c: lns_make_square, "supported types".'
 *   a right one that is no del is an exception: 'lens.c: lns_make_square, "supported types".'
 *   a wrong concatenation is an exception when types are checked: 'info.h: typecheck_p, and CHECK of lns_make_square.'
 *   a wrong concatenation is taken when types are not checked: 'info.h: typecheck_p, and CHECK of lns_make_square.'
 *   a right concatenation is taken when types are checked: 'info.h: typecheck_p, and CHECK of lns_make_square.'
 *   text in equal quotes is read: 'lens.c: lns_make_square, "captured strings must match".'
 *   text in different quotes is not read: 'lens.c: lns_make_square, "captured strings must match".'
 ---*/
#include "lenses.h"
#include "../builtin.c"

static struct value *value(struct lens *lens) {
    struct value *v = make_value(V_LENS, ref(info));
    v->lens = lens;
    return v;
}

/* The square of three lenses, which are released. */
static struct value *square(struct lens *a, struct lens *b, struct lens *c) {
    struct value *argv[] = {value(a), value(b), value(c), NULL};
    struct value *v = lns_square(info, argv);
    for (int i = 0; i < 3; i++) unref(argv[i], value);
    return v;
}

/* How often the text is read as a tree by the square of quotes in a subtree. */
static int reads(struct value *v, const char *text) {
    struct lens *lens = subtree(concat(label("q"), ref(v->lens)));
    struct lns_error *err = NULL;
    struct tree *t = lns_get(info, lens, text, 0, &err);
    int good = t != NULL && err == NULL && same(t->value, "body");
    free_tree(t);
    free_lns_error(err);
    unref(lens, lens);
    return good;
}

int main(void) {
    lenses_start();
    for (int i = 0; i < 100; i++) ref(info);
    struct lens *l = del("[\"']", "\""), *b = store("[a-z]+"), *r = del("[\"']", "\"");
    struct value *argv[] = {value(ref(l)), value(ref(b)), value(ref(r)), NULL};
    struct value *v = lns_square(info, argv);
    ok("the result is a lens", v && v->tag == V_LENS && v->lens);
    if (!v || v->tag != V_LENS) exit(1);
    ok("it is a square lens", v->lens->tag == L_SQUARE);
    struct lens *c = v->lens->child;
    ok("its parts are left, body and right in this order",
       c && c->tag == L_CONCAT && c->nchildren == 3 && c->children[0] == l && c->children[1] == b &&
       c->children[2] == r);
    ok("the result is owned by the caller", v->ref == 1 && v->lens->ref == 1);
    ok("the result knows its place", v->info == info && v->lens->info == info);
    ok("the arguments stay the caller's",
       argv[0]->ref == 1 && argv[1]->ref == 1 && argv[2]->ref == 1 && argv[0]->lens == l && argv[1]->lens == b &&
       argv[2]->lens == r);
    ok("text in equal quotes is read", reads(v, "\"body\"") && reads(v, "'body'"));
    ok("text in different quotes is not read", !reads(v, "\"body'") && !reads(v, "'body\""));
    unref(v, value);
    ok("the lenses of the arguments stay the caller's", l->ref == 2 && b->ref == 2 && r->ref == 2);
    v = lns_square(info, argv);
    unref(v, value);
    long live = plus_live_blocks;
    unsigned held = info->ref;
    v = lns_square(info, argv);
    unref(v, value);
    ok("the info stays the caller's", info->ref == held);
    ok("nothing is left of a lens that is released", plus_live_blocks == live);
    v = lns_square(info, argv);
    for (int i = 0; i < 3; i++) unref(argv[i], value);
    unref(l, lens);
    unref(b, lens);
    unref(r, lens);
    ok("it outlives the arguments", v->lens->tag == L_SQUARE && reads(v, "'body'"));
    unref(v, value);

    v = square(key("[a-z]+"), store("[0-9]+"), del("[a-z]+", "x"));
    ok("a key may stand on the left", v && v->tag == V_LENS && v->lens->tag == L_SQUARE && v->lens->key);
    v = square(del("x", "x"), store("[0-9]+"), del("y", "y"));
    ok("the left one must match like the right one", v && EXN(v));
    v = square(store("x"), del("[0-9]+", "0"), del("x", "x"));
    ok("a left one that is no key and no del is an exception", v && EXN(v));
    v = square(del("x", "x"), del("[0-9]+", "0"), store("x"));
    ok("a right one that is no del is an exception", v && EXN(v));

    /* The body can match the quotes too, so where it begins and ends is not clear. */
    v = square(del("\"+", "\""), store("[a\"]*"), del("\"+", "\""));
    ok("a wrong concatenation is taken when types are not checked", v && v->tag == V_LENS);
    aug->flags |= AUG_TYPE_CHECK;
    v = square(del("\"+", "\""), store("[a\"]*"), del("\"+", "\""));
    ok("a wrong concatenation is an exception when types are checked", v && EXN(v));
    v = square(del("\"", "\""), store("[a-z]*"), del("\"", "\""));
    ok("a right concatenation is taken when types are checked", v && v->tag == V_LENS);
    return plus_end();
}
