/*---
 * tasks: [coerce-fa0bb7.2]
 * instead: [src/syntax.o]
 * tests:
 *   a string stays a string: 'Docstring: "Coerce V to the type T"; it has that type.'
 *   a regexp stays a regexp: 'Docstring: "Coerce V to the type T"; it has that type.'
 *   a value of the type is handed back itself: 'Docstring: it is "owned by the caller", and V is received.'
 *   a lens, a tree and a unit keep their types: 'Docstring: "Coerce V to the type T".'
 *   a string becomes a regexp: 'Docstring: "T_STRING can be coerced to T_REGEXP".'
 *   the regexp matches the string: 'Docstring and regexp.h: make_regexp_literal.'
 *   special characters are literal: 'regexp.h: make_regexp_literal, "matches TEXT literally".'
 *   the regexp minds upper and lower case: 'regexp.h: make_regexp_literal, "matches TEXT literally".'
 *   an empty string becomes a regexp: 'Docstring: T_STRING, any.'
 *   the regexp is where the string was: 'Callers report errors with the info of a value; V_REGEXP has one.'
 *   the regexp is owned by the caller: 'Docstring: "Returns a value that is owned by the caller".'
 *   the string is given up: 'Docstring: "Receives ownership of V".'
 *   a string that others hold stays: 'ref.h: they own a reference of their own.'
 *   nothing is left of a string that was coerced: 'Docstring: "Receives ownership of V".'
 *   the type is the caller's: 'Docstring: only "ownership of V" is received; callers release their type.'
 *   a function of the type is handed back itself: 'Docstring: "Coerce V to the type T"; syntax.h: type, T_ARROW.'
 *   the types of a function are left as they were: 'ref.h; value_type hands out a reference.'
 *   a regexp does not become a string: 'Docstring: "only T_STRING can be coerced to T_REGEXP".'
 *   a string does not become a lens: 'Docstring: "Currently, only T_STRING can be coerced to T_REGEXP".'
 *   a lens does not become a regexp: 'Docstring: "Currently, only T_STRING can be coerced to T_REGEXP".'
 *   a unit does not become a string: 'Docstring: "Currently, only T_STRING can be coerced to T_REGEXP".'
 *   an impossible coercion is told: 'Docstring: "an impossible coercion is a fatal error".'
 *   an exception is a value of its own: 'syntax.h: make_exn_value, "Make an EXN value".'
 *   the message is formatted: 'syntax.h: "FORMAT and following arguments are printed to a new string".'
 *   a message without arguments is taken as it is: 'syntax.h: FORMAT.'
 *   a long message is whole: 'syntax.h: "printed to a new string".'
 *   an empty message is a message: 'syntax.h: "printed to a new string".'
 *   the arguments stay the caller's: 'syntax.h: "Caller must clean those up".'
 *   an exception was not seen yet and has no lines: 'syntax.h: exn, SEEN and NLINES.'
 *   an exception is no error of the central kind: 'syntax.h: exn, ERROR is set for those alone.'
 *   lines can be added: 'syntax.h: exn_add_lines takes a value "created by MAKE_EXN_VALUE".'
 *   the exception knows its place: 'syntax.h: exn, INFO; its printer names the place.'
 *   the info is received: 'syntax.h: "Receive ownership of INFO".'
 *   nothing is left of an exception: 'syntax.c: free_value and free_exn.'
 ---*/
#include "lenses.h"
#include "../syntax.c"

static struct info *place;

static struct value *string(const char *text) {
    struct value *v = make_value(V_STRING, ref(place));
    v->string = dup_string(text);
    return v;
}

static struct value *regexp(const char *pattern) {
    struct value *v = make_value(V_REGEXP, ref(place));
    v->regexp = make_regexp(place, strdup(pattern), 0);
    return v;
}

static struct value *lens(void) {
    return lns_make_prim(L_DEL, ref(info), rx("x"), dup_string("x"));
}

static struct type *base(enum type_tag tag) {
    return make_base_type(tag);
}

static int matches(struct value *v, const char *text) {
    return regexp_match(v->regexp, text, strlen(text), 0, NULL) == (int) strlen(text);
}

/* Whether V can't be coerced to the type TAG. */
static int refused(struct value *v, enum type_tag tag, int *told) {
    struct value *r = coerce(v, base(tag));
    *told = r && EXN(r) && r->exn && r->exn->message && *r->exn->message;
    return r && EXN(r);
}

static struct value *impl(struct info *i, struct value **argv) {
    return NULL;
}

int main(void) {
    lenses_start();
    make_ref(place);
    place->error = aug->error;
    place->filename = dup_string("elsewhere");
    place->first_line = 42;
    for (int i = 0; i < 10; i++) ref(place), ref(info);

    struct value *v = string("abc"), *r = coerce(v, base(T_STRING));
    ok("a string stays a string", r && r->tag == V_STRING && same(r->string->str, "abc"));
    int itself = r == v && v->ref == 1;
    unref(r, value);
    v = regexp("a+");
    r = coerce(v, base(T_REGEXP));
    ok("a regexp stays a regexp", r && r->tag == V_REGEXP && same(r->regexp->pattern->str, "a+"));
    ok("a value of the type is handed back itself", itself && r == v && v->ref == 1);
    unref(r, value);
    struct value *l = lens(), *t = make_value(V_TREE, ref(place)), *u = make_unit(ref(place));
    t->origin = make_tree_origin(make_tree(NULL, NULL, NULL, NULL));
    ok("a lens, a tree and a unit keep their types",
       coerce(l, base(T_LENS)) == l && coerce(t, base(T_TREE)) == t && coerce(u, base(T_UNIT)) == u &&
       l->ref == 1 && t->ref == 1 && u->ref == 1);

    unsigned held = place->ref;
    v = string("abc");
    r = coerce(v, base(T_REGEXP));
    ok("a string becomes a regexp", r && r->tag == V_REGEXP && r->regexp);
    ok("the string is given up", plus_dead(v));
    ok("the regexp matches the string", matches(r, "abc") && !matches(r, "abd") && !matches(r, ""));
    ok("the regexp minds upper and lower case", !matches(r, "ABC") && r->regexp->nocase == 0);
    ok("the regexp is where the string was", r->info == place && r->regexp->info == place);
    ok("the regexp is owned by the caller", r->ref == 1 && r->regexp->ref == 1);
    unref(r, value);
    int balanced = place->ref == held;
    r = coerce(string("a.b*(c)[d]+"), base(T_REGEXP));
    ok("special characters are literal",
       matches(r, "a.b*(c)[d]+") && !matches(r, "axb*(c)[d]+") && !matches(r, "a.bbcd"));
    unref(r, value);
    r = coerce(string(""), base(T_REGEXP));
    ok("an empty string becomes a regexp", r && r->tag == V_REGEXP && matches(r, ""));
    unref(r, value);

    v = string("kept");
    struct value *other = ref(v);
    r = coerce(v, base(T_REGEXP));
    ok("a string that others hold stays",
       r != other && plus_live(other) && other->ref == 1 && other->tag == V_STRING &&
       same(other->string->str, "kept"));
    unref(r, value);
    unref(other, value);
    long live = plus_live_blocks;
    r = coerce(string("gone"), base(T_REGEXP));
    unref(r, value);
    ok("nothing is left of a string that was coerced", plus_live_blocks == live && balanced && place->ref == held);

    struct type *arrow = make_arrow_type(base(T_STRING), base(T_LENS));
    struct type *same_arrow = make_arrow_type(base(T_STRING), base(T_LENS));
    struct value *n = make_value(V_NATIVE, ref(place));
    n->native = calloc(1, sizeof(*n->native));
    n->native->argc = 1;
    n->native->type = ref(arrow);
    n->native->impl = impl;
    r = coerce(n, same_arrow);
    struct value *again = coerce(n, arrow);
    ok("a function of the type is handed back itself", r == n && again == n && n->ref == 1);
    ok("the types of a function are left as they were", arrow->ref == 2 && n->native->type == arrow);
    ok("the type is the caller's", plus_live(same_arrow) && same_arrow->ref == 1);

    int told, all = 1;
    int no = refused(regexp("a"), T_STRING, &told);
    all &= told;
    ok("a regexp does not become a string", no);
    no = refused(string("a"), T_LENS, &told);
    all &= told;
    ok("a string does not become a lens", no);
    no = refused(l, T_REGEXP, &told);
    all &= told;
    ok("a lens does not become a regexp", no);
    no = refused(u, T_STRING, &told);
    all &= told;
    ok("a unit does not become a string", no);
    ok("an impossible coercion is told", all);

    live = plus_live_blocks;
    held = info->ref;
    char *word = strdup("word");
    struct value *e = make_exn_value(ref(info), "%s: %d of %s", word, 17, "x");
    ok("an exception is a value of its own", e && e->tag == V_EXN && EXN(e) && e->ref == 1 && e->exn);
    if (!e || !e->exn) exit(1);
    ok("the arguments stay the caller's", plus_live(word) && same(word, "word"));
    memset(word, '-', 4);
    free(word);
    ok("the message is formatted", same(e->exn->message, "word: 17 of x"));
    ok("an exception was not seen yet and has no lines", !e->exn->seen && e->exn->nlines == 0 && !e->exn->lines);
    ok("an exception is no error of the central kind", !e->exn->error && info->error->code == AUG_NOERROR);
    ok("the exception knows its place", e->info == info && e->exn->info == info);
    exn_add_lines(e, 2, strdup("one"), strdup("two"));
    exn_printf_line(e, "%d", 3);
    ok("lines can be added", e->exn->nlines == 3 && same(e->exn->lines[1], "two") && same(e->exn->lines[2], "3"));
    unref(e, value);
    ok("the info is received", info->ref == held);
    ok("nothing is left of an exception", plus_live_blocks == live);
    e = make_exn_value(ref(info), "plain 100%% text");
    ok("a message without arguments is taken as it is", same(e->exn->message, "plain 100% text"));
    unref(e, value);
    static char longer[20001];
    memset(longer, 'm', 20000);
    e = make_exn_value(ref(info), "%s", longer);
    ok("a long message is whole", same(e->exn->message, longer));
    unref(e, value);
    e = make_exn_value(ref(info), "%s", "");
    ok("an empty message is a message", same(e->exn->message, ""));
    unref(e, value);
    return plus_end();
}
