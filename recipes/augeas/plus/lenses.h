/* Lenses and trees for the plus tests, built with the library's own constructors. */
#ifndef PLUS_LENSES_H
#define PLUS_LENSES_H
#include <config.h>
#include "internal.h"
#include "memory.h"
#include "augeas.h"
#include "errcode.h"
#include "info.h"
#include "regexp.h"
#include "syntax.h"
#include "lens.h"
#include "plus.h"

static struct augeas *aug;
static struct info *info;

static inline void lenses_start(void) {
    plus_start();
    aug = aug_init("/", "", AUG_NO_STDINC | AUG_NO_LOAD | AUG_NO_MODL_AUTOLOAD);
    if (!aug || make_ref(info) < 0) exit(2);
    info->error = aug->error;
    info->filename = dup_string("plus");
    info->first_line = info->last_line = 7;
}

static inline struct regexp *rx(const char *pattern) {
    return make_regexp(info, strdup(pattern), 0);
}

/* The lens in V, which is released. */
static inline struct lens *take(struct value *v) {
    if (!v || v->tag != V_LENS) plus_die("Bail out! no lens was made\n");
    struct lens *lens = ref(v->lens);
    unref(v, value);
    return lens;
}

static inline struct lens *del(const char *pattern, const char *text) {
    return take(lns_make_prim(L_DEL, ref(info), rx(pattern), dup_string(text)));
}

static inline struct lens *key(const char *pattern) {
    return take(lns_make_prim(L_KEY, ref(info), rx(pattern), NULL));
}

static inline struct lens *store(const char *pattern) {
    return take(lns_make_prim(L_STORE, ref(info), rx(pattern), NULL));
}

static inline struct lens *label(const char *text) {
    return take(lns_make_prim(L_LABEL, ref(info), NULL, dup_string(text)));
}

static inline struct lens *concat(struct lens *a, struct lens *b) {
    return take(lns_make_concat(ref(info), a, b, 0));
}

static inline struct lens *either(struct lens *a, struct lens *b) {
    return take(lns_make_union(ref(info), a, b, 0));
}

static inline struct lens *star(struct lens *a) {
    return take(lns_make_star(ref(info), a, 0));
}

static inline struct lens *subtree(struct lens *a) {
    return take(lns_make_subtree(ref(info), a));
}

/* Nodes with the COUNT labels and values in LABELS, next to each other. */
static inline struct tree *nodes(int count, const char *const labels[][2]) {
    struct tree *first = NULL;
    for (int i = count - 1; i >= 0; i--) {
        struct tree *t = make_tree(labels[i][0] ? strdup(labels[i][0]) : NULL,
                                   labels[i][1] ? strdup(labels[i][1]) : NULL, NULL, NULL);
        t->next = first;
        first = t;
    }
    return first;
}
#endif
