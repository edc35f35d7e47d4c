/*---
 * tasks: [lns_make_subtree-a949c3]
 * tests:
 *   the result is a lens: 'lens.h: "The return type is VALUE"; all constructors return V_LENS.'
 *   it is a subtree lens: 'Docstring: "A subtree lens l1 = [ l ]".'
 *   its child is the lens: 'Docstring: "l1 = [ l ]"; lens.h: child, "L_SUBTREE".'
 *   the result is owned by the caller: 'lens.h: "Caller owns returned lenses".'
 *   the lens is received: 'lens.h: "assumes ownership of arguments without incrementing".'
 *   the info is received and known: 'lens.h: "assumes ownership of arguments without incrementing".'
 *   the concrete type is that of the child: 'Docstring: "l1->ctype = l->ctype".'
 *   the child keeps its types: 'Docstring speaks of l1 alone.'
 *   the abstract type is key and value encoded: 'Docstring: "encode(l->ktype, l->vtype)"; lens.h: ENC_EQ, ENC_SLASH.'
 *   without a key its part is empty: 'lens.h: "if KEY or VALUE are NULL, we use ENC_NULL".'
 *   without a value its part is empty: 'lens.h: "if KEY or VALUE are NULL, we use ENC_NULL".'
 *   without both both parts are empty: 'lens.h: "if KEY or VALUE are NULL, we use ENC_NULL".'
 *   alternatives in key and value are kept together: 'lens.h: "KEY . ENC_EQ . VALUE . ENC_SLASH".'
 *   case is minded as key and value mind it: 'subtree_atype takes nocase of both.'
 *   it has no key type: 'Docstring: "l1->ktype = NULL".'
 *   it has no value type: 'Docstring: "l1->vtype = NULL".'
 *   it has neither key nor value: 'Callers put subtrees next to each other; lns_make_concat refuses two with keys.'
 *   it consumes no value: 'lens.c: typecheck_square asks for it; only L_STORE and L_VALUE and what holds them do.'
 *   subtrees can be iterated and joined: 'lens.c: lns_make_star and lns_make_concat refuse keys and values.'
 *   a subtree in a subtree has the encoding of nothing: 'Docstring: "l1->ktype = NULL", "l1->vtype = NULL".'
 *   it is not recursive when the child is not: 'lens.h: "Only L_REC and the combinators".'
 *   whether the concrete type is nullable is taken over: 'Docstring: "l1->ctype = l->ctype"; lens.h: ctype_nullable.'
 *   around a recursive lens it is recursive: 'lens.h: "Any lens that uses a recursive lens somehow".'
 *   in the body of a recursive lens it is internal: 'lens.h: "any lens used in the body [...] rec_internal == 1".'
 *   outside a recursive lens it is not internal: 'lens.h: "lenses that use the recursive lens from the outside".'
 *   around a recursive lens it has no types yet: 'lens.h: "for recursive lenses, we never compute an explicit ctype".'
 *   text is read into a node: 'Docstring: "[ l ]".'
 *   nothing is left when it is released: 'lens.h: "assumes ownership of arguments".'
 ---*/
#include "lenses.h"

static int is(struct regexp *r, const char *text) {
    return r && regexp_match(r, text, strlen(text), 0, NULL) == (int) strlen(text);
}

static struct lens *node(void) {
    return concat(key("[a-z]+"), concat(del("=", "="), store("[0-9]+")));
}

static struct lens *any_case(enum lens_tag tag, const char *pattern) {
    return take(lns_make_prim(tag, ref(info), make_regexp(info, strdup(pattern), 1), NULL));
}

int main(void) {
    lenses_start();
    for (int i = 0; i < 100; i++) ref(info);
    struct lens *l = node();
    struct regexp *ctype = l->ctype, *atype = l->atype, *ktype = l->ktype, *vtype = l->vtype;
    unsigned held = info->ref;
    struct value *v = lns_make_subtree(ref(info), l);
    if (!v || v->tag != V_LENS || !v->lens) exit(1);
    ok("the result is a lens", v->tag == V_LENS);
    struct lens *s = v->lens;
    ok("it is a subtree lens", s->tag == L_SUBTREE);
    ok("its child is the lens", s->child == l && s != l);
    ok("the result is owned by the caller", v->ref == 1 && s->ref == 1);
    ok("the lens is received", l->ref == 1);
    ok("the concrete type is that of the child", is(s->ctype, "ab=12") && !is(s->ctype, "ab=") && !is(s->ctype, "=1"));
    ok("the child keeps its types",
       l->ctype == ctype && l->atype == atype && l->ktype == ktype && l->vtype == vtype && is(l->ctype, "ab=12") &&
       l->key && l->value);
    ok("the abstract type is key and value encoded",
       is(s->atype, "ab\00312\004") && !is(s->atype, "12\003ab\004") && !is(s->atype, "ab\00312") &&
       !is(s->atype, "\00312\004") && !is(s->atype, "ab\003\004") && !is(s->atype, "ab\00412\003"));
    ok("it has no key type", s->ktype == NULL);
    ok("it has no value type", s->vtype == NULL);
    ok("it has neither key nor value", !s->key && !s->value);
    ok("it consumes no value", !s->consumes_value);
    ok("it is not recursive when the child is not", !s->recursive && !s->rec_internal);
    int nullable = !s->ctype_nullable;
    int knows = v->info == info && s->info == info;
    unref(v, value);
    int gone = plus_dead(l) && plus_dead(s) && plus_dead(ctype) && plus_dead(ktype);
    long live = plus_live_blocks;
    l = node();
    unref(l, lens);
    unsigned balanced = info->ref;
    v = lns_make_subtree(ref(info), node());
    knows &= v->info == info && v->lens->info == info;
    unref(v, value);
    ok("the info is received and known", knows && info->ref == balanced);
    ok("nothing is left when it is released", gone && plus_live_blocks == live);

    s = subtree(concat(del("x", "x"), store("[0-9]+")));
    ok("without a key its part is empty",
       is(s->atype, "\00312\004") && !is(s->atype, "x\00312\004") && !is(s->atype, "12\003\004"));
    unref(s, lens);
    s = subtree(concat(key("[a-z]+"), del("x", "x")));
    ok("without a value its part is empty",
       is(s->atype, "ab\003\004") && !is(s->atype, "ab\003x\004") && !is(s->atype, "\003ab\004"));
    unref(s, lens);
    s = subtree(del("x", "x"));
    ok("without both both parts are empty", is(s->atype, "\003\004") && !is(s->atype, "") && !is(s->atype, "x"));
    unref(s, lens);
    s = subtree(concat(key("a|b"), concat(del(" ", " "), store("1|2"))));
    ok("alternatives in key and value are kept together",
       is(s->atype, "a\0031\004") && is(s->atype, "b\0032\004") && is(s->atype, "a\0032\004") && !is(s->atype, "a") &&
       !is(s->atype, "2\004"));
    unref(s, lens);
    s = subtree(concat(any_case(L_KEY, "[a-z]+"), concat(del("=", "="), store("[d-f]+"))));
    int good = is(s->atype, "aB\003de\004") && !is(s->atype, "aB\003dE\004");
    unref(s, lens);
    s = subtree(concat(any_case(L_KEY, "[a-z]+"), concat(del("=", "="), any_case(L_STORE, "[d-f]+"))));
    good &= is(s->atype, "aB\003dE\004");
    unref(s, lens);
    s = subtree(concat(del("=", "="), any_case(L_STORE, "[d-f]+")));
    good &= is(s->atype, "\003dE\004");
    unref(s, lens);
    s = subtree(node());
    good &= !is(s->atype, "aB\0031\004");
    unref(s, lens);
    ok("case is minded as key and value mind it", good);

    struct lens *a = subtree(node()), *b = subtree(concat(del(";", ";"), node()));
    v = lns_make_concat(ref(info), ref(a), ref(b), 0);
    good = v->tag == V_LENS && is(v->lens->atype, "x\0031\004y\0032\004");
    unref(v, value);
    v = lns_make_star(ref(info), ref(b), 0);
    good &= v->tag == V_LENS && is(v->lens->atype, "x\0031\004y\0032\004") && is(v->lens->atype, "");
    unref(v, value);
    ok("subtrees can be iterated and joined", good);
    unref(a, lens);
    unref(b, lens);
    s = subtree(subtree(node()));
    ok("a subtree in a subtree has the encoding of nothing",
       is(s->atype, "\003\004") && !is(s->atype, "ab\00312\004") && is(s->ctype, "ab=12") && !s->key && !s->value);
    unref(s, lens);
    s = subtree(star(del("x", "x")));
    ok("whether the concrete type is nullable is taken over", nullable && s->ctype_nullable && is(s->ctype, ""));
    unref(s, lens);

    struct lens *rec = take(lns_make_rec(ref(info)));
    s = subtree(concat(del("x", "x"), ref(rec)));
    ok("around a recursive lens it is recursive", s->recursive);
    ok("in the body of a recursive lens it is internal", s->rec_internal);
    ok("around a recursive lens it has no types yet", !s->ctype && !s->atype && !s->ktype && !s->vtype);
    unref(s, lens);
    l = concat(del("x", "x"), ref(rec));
    l->rec_internal = 0;
    s = subtree(l);
    ok("outside a recursive lens it is not internal", s->recursive && !s->rec_internal && !s->ctype);
    unref(s, lens);

    s = subtree(node());
    struct lns_error *err = NULL;
    struct tree *t = lns_get(info, s, "ab=12", 0, &err);
    good = t && !err && same(t->label, "ab") && same(t->value, "12") && !t->next && !t->children;
    free_tree(t);
    unref(s, lens);
    s = subtree(concat(label("top"), subtree(node())));
    t = lns_get(info, s, "ab=12", 0, &err);
    good &= t && !err && same(t->label, "top") && !t->value && t->children && same(t->children->label, "ab");
    ok("text is read into a node", good);
    if (!good) exit(1);
    return plus_end();
}
