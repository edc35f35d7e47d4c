/*---
 * tasks: [subtype-ef151c]
 * instead: [src/syntax.o]
 * tests:
 *   a type is a subtype of itself: 'Callers (type_equal).'
 *   equal base types are subtypes of each other: 'Caller type_equal compares types made apart.'
 *   a string is a subtype of a regexp: 'Docstring: "T_STRING <: T_REGEXP".'
 *   a regexp is no subtype of a string: 'Docstring: "The only subtype relations are".'
 *   a string is a subtype of nothing else: 'Docstring: "The only subtype relations are".'
 *   other base types are unrelated: 'Docstring: "The only subtype relations are".'
 *   equal functions are subtypes of each other: 'Docstring: "subtyping of functions based on [...] domains/images".'
 *   images are compared in the same direction: 'Docstring: "the usual subtyping of functions".'
 *   domains are compared in the other direction: 'Docstring: "the usual subtyping of functions".'
 *   both domain and image have to fit: 'Docstring: "comparing domains/images".'
 *   a domain that does not fit is refused: 'Docstring: "comparing domains/images".'
 *   an image that does not fit is refused: 'Docstring: "comparing domains/images".'
 *   functions of several parameters are compared: 'Docstring: "the usual subtyping of functions".'
 *   a function as a parameter turns the direction twice: 'Docstring: "the usual subtyping of functions".'
 *   a function as an image keeps the direction: 'Docstring: "the usual subtyping of functions".'
 *   a function and a base type are unrelated: 'Docstring: "The only subtype relations are".'
 *   the answer is 1 or 0: 'Docstring: "Return 1 if T1 is a subtype of T2, 0 otherwise".'
 *   types that are one object are compared too: 'Docstring: domains and images are compared.'
 *   the types stay as they were: 'Docstring: "Decide"; callers go on with the types.'
 *   equality of types needs both directions: 'Caller type_equal.'
 ---*/
#include "lenses.h"
#include "../syntax.c"

static struct type *base(enum type_tag tag) {
    struct type *t = calloc(1, sizeof(*t));
    t->ref = 1;
    t->tag = tag;
    return t;
}

static struct type *to(struct type *dom, struct type *img) {
    return make_arrow_type(dom, img);
}

#define STR base(T_STRING)
#define REX base(T_REGEXP)
#define LNS base(T_LENS)

static int binary = 1;

static int sub(struct type *a, struct type *b) {
    int r = subtype(a, b);
    binary &= r == 0 || r == 1;
    return r;
}

/* Whether A is a subtype of B and B none of A. */
static int below(struct type *a, struct type *b) {
    return sub(a, b) && !sub(b, a);
}

static int apart(struct type *a, struct type *b) {
    return !sub(a, b) && !sub(b, a);
}

int main(void) {
    plus_start();
    static const enum type_tag tags[] = {T_STRING, T_REGEXP, T_LENS, T_TREE, T_FILTER, T_TRANSFORM, T_UNIT};
    enum { N = sizeof(tags) / sizeof(tags[0]) };
    int self = 1, equal = 1, others = 1, strings = 1, functions = 1;
    for (int i = 0; i < N; i++) {
        struct type *t = base(tags[i]);
        self &= sub(t, t);
        equal &= sub(t, base(tags[i])) && sub(base(tags[i]), t);
        for (int j = 0; j < N; j++) {
            if (i > 1 && j > 1 && i != j) others &= !sub(t, base(tags[j]));
            if (i == 1 && j > 1) others &= apart(t, base(tags[j]));
            if (i == 0 && j > 1) strings &= apart(t, base(tags[j]));
        }
        functions &= apart(t, to(STR, t)) && apart(t, to(t, t)) && apart(t, to(STR, STR));
    }
    struct type *arrow = to(STR, to(REX, LNS));
    ok("a type is a subtype of itself", self && sub(arrow, arrow));
    ok("equal base types are subtypes of each other", equal);
    ok("a string is a subtype of a regexp", sub(STR, REX));
    ok("a regexp is no subtype of a string", !sub(REX, STR));
    ok("a string is a subtype of nothing else", strings);
    ok("other base types are unrelated", others);
    int good = sub(to(STR, LNS), to(STR, LNS)) && sub(arrow, to(STR, to(REX, LNS)));
    good &= sub(to(STR, to(REX, LNS)), arrow);
    ok("equal functions are subtypes of each other", good);
    ok("images are compared in the same direction", below(to(LNS, STR), to(LNS, REX)));
    ok("domains are compared in the other direction", below(to(REX, LNS), to(STR, LNS)));
    ok("both domain and image have to fit",
       below(to(REX, STR), to(STR, REX)) && apart(to(STR, STR), to(REX, REX)));
    ok("a domain that does not fit is refused",
       apart(to(LNS, STR), to(STR, STR)) && apart(to(LNS, STR), to(base(T_TREE), REX)));
    ok("an image that does not fit is refused",
       apart(to(STR, LNS), to(STR, REX)) && apart(to(REX, LNS), to(STR, base(T_UNIT))));
    ok("functions of several parameters are compared",
       below(to(REX, to(REX, STR)), to(STR, to(STR, REX))) && below(to(LNS, to(REX, LNS)), to(LNS, to(STR, LNS))) &&
       apart(to(STR, to(REX, LNS)), to(REX, to(STR, LNS))));
    ok("a function as a parameter turns the direction twice",
       below(to(to(STR, LNS), LNS), to(to(REX, LNS), LNS)) && below(to(to(LNS, REX), LNS), to(to(LNS, STR), LNS)));
    ok("a function as an image keeps the direction",
       below(to(LNS, to(LNS, STR)), to(LNS, to(LNS, REX))) && below(to(LNS, to(REX, LNS)), to(LNS, to(STR, LNS))));
    ok("a function and a base type are unrelated", functions);
    struct type *s = STR, *r = REX;
    ok("types that are one object are compared too",
       below(to(s, s), to(s, r)) && below(to(r, s), to(s, s)) && apart(to(s, s), to(r, r)));
    ok("the answer is 1 or 0", binary);
    struct type *dom = REX, *img = STR, *t = to(dom, img), *other = to(STR, REX);
    unsigned refs[] = {t->ref, dom->ref, img->ref};
    long live = plus_live_blocks;
    sub(t, other);
    sub(other, t);
    ok("the types stay as they were",
       t->ref == refs[0] && dom->ref == refs[1] && img->ref == refs[2] && t->dom == dom && t->img == img &&
       dom->tag == T_REGEXP && img->tag == T_STRING && t->tag == T_ARROW && plus_live_blocks == live);
    ok("equality of types needs both directions",
       !type_equal(STR, REX) && !type_equal(REX, STR) && type_equal(to(STR, REX), to(STR, REX)) &&
       !type_equal(to(REX, LNS), to(STR, LNS)));
    return plus_end();
}
