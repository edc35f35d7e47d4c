/* Shared by the tests of configuration trees: comparing them, and reading and writing them as text. */
#ifndef TREE_H
#define TREE_H
#include "plus.h"
#include <alsa/asoundlib.h>

static inline int tree_children(snd_config_t *config)
{
    snd_config_iterator_t i, next;
    int n = 0;

    snd_config_for_each(i, next, config)
        n++;
    return n;
}

/* Whether both have the same type and value; the children in the same order. */
static inline int tree_same(snd_config_t *a, snd_config_t *b)
{
    snd_config_iterator_t i, j;
    const char *s = NULL, *t = NULL;
    long long l = 0, m = 0;
    double r = 0, q = 0;
    long v = 0, w = 0;

    if (snd_config_get_type(a) != snd_config_get_type(b))
        return 0;
    switch (snd_config_get_type(a)) {
    case SND_CONFIG_TYPE_INTEGER:
        return !snd_config_get_integer(a, &v) && !snd_config_get_integer(b, &w) && v == w;
    case SND_CONFIG_TYPE_INTEGER64:
        return !snd_config_get_integer64(a, &l) && !snd_config_get_integer64(b, &m) && l == m;
    case SND_CONFIG_TYPE_REAL:
        return !snd_config_get_real(a, &r) && !snd_config_get_real(b, &q) && r == q;
    case SND_CONFIG_TYPE_STRING:
        snd_config_get_string(a, &s);
        snd_config_get_string(b, &t);
        return !s == !t && (!s || strcmp(s, t) == 0);
    case SND_CONFIG_TYPE_COMPOUND:
        if (tree_children(a) != tree_children(b))
            return 0;
        j = snd_config_iterator_first(b);
        for (i = snd_config_iterator_first(a); i != snd_config_iterator_end(a); i = snd_config_iterator_next(i)) {
            snd_config_t *c = snd_config_iterator_entry(i), *d = snd_config_iterator_entry(j);

            if (snd_config_get_id(c, &s) || snd_config_get_id(d, &t) || !s || !t || strcmp(s, t) || !tree_same(c, d))
                return 0;
            j = snd_config_iterator_next(j);
        }
        return 1;
    default:
        return 0;
    }
}

static inline snd_config_t *tree_of(const char *text)
{
    snd_config_t *top = NULL;

    if (snd_config_load_string(&top, text, 0) < 0)
        _exit(98);
    return top;
}

static inline int tree_is(snd_config_t *config, const char *text)
{
    snd_config_t *other = tree_of(text);
    int same = tree_same(config, other);

    snd_config_delete(other);
    return same;
}

static inline snd_config_t *tree_at(snd_config_t *config, const char *key)
{
    snd_config_t *n = NULL;

    return snd_config_search(config, key, &n) == 0 ? n : NULL;
}

static char tree_text[10000];
static int tree_error;

/* What is saved of it; tree_error is the result of the function. */
static inline const char *tree_saved(snd_config_t *config)
{
    snd_output_t *out;
    char *text = NULL;
    size_t size;

    if (snd_output_buffer_open(&out) < 0)
        _exit(98);
    tree_error = snd_config_save(config, out);
    size = snd_output_buffer_string(out, &text);
    if (size >= sizeof(tree_text))
        _exit(98);
    if (size > 0)
        memcpy(tree_text, text, size);
    tree_text[size] = 0;
    snd_output_close(out);
    return tree_text;
}
#endif
