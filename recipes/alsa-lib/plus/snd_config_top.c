/*---
 * tasks: [snd_config_top-196bd9]
 * tests:
 *   the node is a compound: 'Docstring: "The returned node is an empty compound node".'
 *   the node is empty: 'Docstring: "The returned node is an empty compound node".'
 *   the node has no id: 'Docstring: "without an id".'
 *   the node has no parent: 'Docstring: "without a parent"; snd_config_add takes only a node without one.'
 *   children may be added in order: 'snd_config_add: the children of a compound.'
 *   a configuration may be loaded into it: 'snd_config_load: "a top level configuration node".'
 *   an id may be given to it: 'snd_config_set_id: a node without a parent.'
 *   it is no array: 'snd_config_is_array: the ids of the children are 0, 1 and so on; there are none.'
 *   it is saved as nothing: 'snd_config_save: writes what the node holds.'
 *   each call makes a node of its own: 'Docstring: "Creates a top level configuration node".'
 *   an earlier node in the handle is neither used nor freed: 'Docstring: config is [out].'
 *   what is in the handle before does not matter: 'Docstring: config is [out].'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   deleting the node frees all: 'snd_config_delete; the caller has but the handle.'
 *   a node in use lives until its last user: 'snd_config_ref, snd_config_unref; a new node has no user.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static int children(snd_config_t *config)
{
    snd_config_iterator_t i, next;
    int n = 0;

    snd_config_for_each(i, next, config)
        n++;
    return n;
}

int main(void)
{
    snd_config_t *top, *other, *n[3], *found;
    snd_config_iterator_t pos;
    snd_input_t *in;
    snd_output_t *out;
    const char *id = "x";
    char *saved;
    int good, zero = 0, j;
    long live, value = 0;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    top = NULL;
    zero |= snd_config_top(&top);
    check("the node is a compound", top && snd_config_get_type(top) == SND_CONFIG_TYPE_COMPOUND);
    check("the node is empty", snd_config_iterator_first(top) == snd_config_iterator_end(top) &&
          snd_config_is_empty(top) && snd_config_search(top, "x", &found) == -ENOENT);
    check("the node has no id", snd_config_get_id(top, &id) == 0 && id == NULL);
    check("it is no array", snd_config_is_array(top) <= 0);
    good = snd_output_buffer_open(&out) == 0 && snd_config_save(top, out) == 0 &&
           snd_output_buffer_string(out, &saved) == 0;
    snd_output_close(out);
    check("it is saved as nothing", good);
    good = 1;
    for (j = 0; j < 3; j++) {
        char name[] = {"bac"[j], 0};

        good = good && snd_config_imake_integer(&n[j], name, j) == 0 && snd_config_add(top, n[j]) == 0;
    }
    pos = snd_config_iterator_first(top);
    for (j = 0; j < 3; j++) {
        good = good && snd_config_iterator_entry(pos) == n[j];
        pos = snd_config_iterator_next(pos);
    }
    good = good && pos == snd_config_iterator_end(top) && snd_config_search(top, "c", &found) == 0 && found == n[2];
    check("children may be added in order", good);
    zero |= snd_config_top(&other);
    good = other != top && children(other) == 0 && children(top) == 3;
    check("each call makes a node of its own", good);
    good = snd_config_set_id(top, "sub") == 0 && snd_config_get_id(top, &id) == 0 && !strcmp(id, "sub");
    check("an id may be given to it", good);
    good = snd_config_add(other, top) == 0 && snd_config_search(other, "sub.b", &found) == 0 && found == n[0];
    check("the node has no parent", good);
    snd_config_delete(other);

    zero |= snd_config_top(&top);
    snd_input_buffer_open(&in, "a.b 5\nc [ x y ]\n", 16);
    good = snd_config_load(top, in) == 0 && children(top) == 2 && snd_config_search(top, "a.b", &found) == 0 &&
           snd_config_get_integer(found, &value) == 0 && value == 5;
    snd_input_close(in);
    check("a configuration may be loaded into it", good);
    other = top;
    zero |= snd_config_top(&other);
    good = other != top && children(other) == 0 && children(top) == 2 && plus_bad == 0;
    snd_config_delete(other);
    check("an earlier node in the handle is neither used nor freed", good);
    other = (snd_config_t *)0x10;
    zero |= snd_config_top(&other);
    good = other != (snd_config_t *)0x10 && children(other) == 0;
    snd_config_delete(other);
    check("what is in the handle before does not matter", good);
    check("a success is 0", zero == 0);
    snd_config_delete(top);
    zero = snd_config_top(&top);
    good = snd_config_delete(top) == 0;
    check("deleting the node frees all", good && plus_live == live && plus_bad == 0);
    snd_config_top(&top);
    snd_config_ref(top);
    good = snd_config_get_type(top) == SND_CONFIG_TYPE_COMPOUND && children(top) == 0;
    snd_config_unref(top);
    good = good && plus_live > live;
    snd_config_delete(top);
    check("a node in use lives until its last user", good && plus_live == live && plus_bad == 0);
    return checked();
}
