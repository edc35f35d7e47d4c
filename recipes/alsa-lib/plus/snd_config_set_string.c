/*---
 * tasks: [snd_config_set_string-af8a97]
 * tests:
 *   a new node gets its first string: 'Docstring: "stores a copy of value string in the node".'
 *   a string takes the place of the old one: 'Docstring: "deletes the old string in the node".'
 *   a longer and a shorter string are kept whole: 'Docstring: "stores a copy".'
 *   a string may be empty: 'Docstring: only NULL is no string.'
 *   a string is read up to its end: 'Docstring: value is a string.'
 *   the value may be NULL: 'Docstring: "May be NULL".'
 *   NULL may be set twice: 'Docstring: "May be NULL".'
 *   a string may follow NULL: 'Docstring: "Changes the value".'
 *   the string is copied: 'Docstring: "stores a copy".'
 *   the string is left as it is: 'Docstring: const char *value.'
 *   a node takes its own string: 'Docstring: "stores a copy of value"; nothing forbids the string of the node.'
 *   a node takes the end of its own string: 'The same.'
 *   two nodes have strings of their own: 'Docstring: "stores a copy [...] in the node".'
 *   the id and the type stay: 'Docstring: it changes the value.'
 *   a node of another type is refused: 'Docstring: "-EINVAL: config is not a string node".'
 *   NULL is refused by a node of another type: 'Docstring: "-EINVAL: config is not a string node".'
 *   the value of a refused node stays: 'Docstring: "-EINVAL"; an error is no success.'
 *   the children of a refused compound stay: 'The same.'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   without memory the error is negative: 'Docstring: "otherwise a negative error code".'
 *   without memory the old string stays: 'Docstring: an error is no success.'
 *   NULL needs no memory: 'Docstring: "May be NULL"; there is nothing to copy.'
 *   a refused node costs no memory: 'Docstring: "-EINVAL"; nothing is stored.'
 *   old strings are freed once: 'Docstring: "deletes the old string in the node".'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static int is(snd_config_t *node, const char *value)
{
    const char *got = "?";

    return snd_config_get_string(node, &got) == 0 && (value ? got && strcmp(got, value) == 0 : got == NULL);
}

int main(void)
{
    snd_config_t *s, *t, *i, *l, *r, *p, *c, *child, *found;
    char text[40], large[3000];
    const char *own, *id = NULL;
    const void *ptr = NULL;
    long live, before, vi = 0;
    long long vl = 0;
    double vr = 0;
    int good, err, zero = 0, j;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    snd_config_make_string(&s, "s");
    snd_config_make_string(&t, "t");
    snd_config_imake_integer(&i, "i", 7);
    snd_config_imake_integer64(&l, "l", 8);
    snd_config_imake_real(&r, "r", 2.5);
    snd_config_imake_pointer(&p, "p", text);
    snd_config_make_compound(&c, "c", 0);
    snd_config_imake_string(&child, "child", "a child");
    snd_config_add(c, child);

    zero |= snd_config_set_string(s, "first");
    check("a new node gets its first string", is(s, "first"));
    zero |= snd_config_set_string(s, "other");
    check("a string takes the place of the old one", is(s, "other"));
    memset(large, 'x', sizeof(large));
    large[sizeof(large) - 1] = 0;
    zero |= snd_config_set_string(s, large);
    good = is(s, large);
    zero |= snd_config_set_string(s, "y");
    check("a longer and a shorter string are kept whole", good && is(s, "y"));
    zero |= snd_config_set_string(s, "");
    check("a string may be empty", is(s, ""));
    zero |= snd_config_set_string(s, at_edge("edge", 5));
    check("a string is read up to its end", is(s, "edge"));
    zero |= snd_config_set_string(s, NULL);
    check("the value may be NULL", is(s, NULL));
    zero |= snd_config_set_string(s, NULL);
    check("NULL may be set twice", is(s, NULL) && plus_bad == 0);
    zero |= snd_config_set_string(s, "again");
    check("a string may follow NULL", is(s, "again"));
    strcpy(text, "a text");
    zero |= snd_config_set_string(s, text);
    check("the string is left as it is", strcmp(text, "a text") == 0);
    memset(text, '?', sizeof(text) - 1);
    check("the string is copied", is(s, "a text"));
    snd_config_get_string(s, &own);
    zero |= snd_config_set_string(s, own);
    check("a node takes its own string", is(s, "a text") && plus_bad == 0);
    snd_config_get_string(s, &own);
    zero |= snd_config_set_string(s, own + 2);
    check("a node takes the end of its own string", is(s, "text") && plus_bad == 0);
    zero |= snd_config_set_string(s, "shared");
    snd_config_get_string(s, &own);
    zero |= snd_config_set_string(t, own);
    zero |= snd_config_set_string(s, "changed");
    check("two nodes have strings of their own", is(t, "shared") && is(s, "changed"));
    good = snd_config_get_type(s) == SND_CONFIG_TYPE_STRING && snd_config_get_id(s, &id) == 0 && !strcmp(id, "s");
    check("the id and the type stay", good);
    check("a success is 0", zero == 0);

    before = plus_live;
    good = 1;
    for (j = 0; j < 2; j++) {
        const char *value = j ? NULL : "value";

        good = snd_config_set_string(i, value) == -EINVAL && snd_config_set_string(l, value) == -EINVAL &&
               snd_config_set_string(r, value) == -EINVAL && snd_config_set_string(p, value) == -EINVAL &&
               snd_config_set_string(c, value) == -EINVAL;
        check(j ? "NULL is refused by a node of another type" : "a node of another type is refused", good);
    }
    check("a refused node costs no memory", plus_live == before);
    good = snd_config_get_integer(i, &vi) == 0 && vi == 7 && snd_config_get_integer64(l, &vl) == 0 && vl == 8 &&
           snd_config_get_real(r, &vr) == 0 && vr == 2.5 && snd_config_get_pointer(p, &ptr) == 0 && ptr == text;
    check("the value of a refused node stays", good);
    good = snd_config_get_type(c) == SND_CONFIG_TYPE_COMPOUND && snd_config_search(c, "child", &found) == 0 &&
           found == child && is(child, "a child");
    check("the children of a refused compound stay", good);

    snd_config_set_string(s, "the old one");
    refuse_after(0);
    err = snd_config_set_string(s, "the new one");
    refuse_none();
    check("without memory the error is negative", err < 0);
    check("without memory the old string stays", plus_bad == 0 && is(s, "the old one"));
    refuse_after(0);
    err = snd_config_set_string(s, NULL);
    refuse_none();
    check("NULL needs no memory", err == 0 && is(s, NULL));
    snd_config_set_string(s, "last");
    snd_config_delete(s);
    snd_config_delete(t);
    snd_config_delete(i);
    snd_config_delete(l);
    snd_config_delete(r);
    snd_config_delete(p);
    snd_config_delete(c);
    check("old strings are freed once", plus_live == live && plus_bad == 0);
    return checked();
}
