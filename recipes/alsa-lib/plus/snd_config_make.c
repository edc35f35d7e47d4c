/*---
 * tasks: [snd_config_make-1e9503]
 * tests:
 *   a node of each type is made: 'Docstring: "creates a new node of the specified type".'
 *   the node has the id: 'Docstring: "The new node has id id".'
 *   the id may be NULL: 'Docstring: "which may be NULL".'
 *   the id may be empty: 'Docstring: "has id id"; only NULL is no id.'
 *   the id is copied: 'Docstring: const char *id; callers go on with theirs (snd_config_copy frees the source).'
 *   the id is left as it is: 'Docstring: id is [in].'
 *   a long id is kept whole: 'Docstring: "has id id".'
 *   an id is read up to its end: 'Docstring: id is a string.'
 *   numbers are zero: 'Docstring: "zero (for numbers)".'
 *   strings and pointers are NULL: 'Docstring: "NULL (for strings and pointers)".'
 *   a compound is empty: 'Docstring: "empty (for compound nodes)".'
 *   the value may be set and the children be added: 'snd_config_set_*, snd_config_add: the node has the type.'
 *   the node has no parent: 'snd_config_add takes only a node without one.'
 *   each call makes a node of its own: 'Docstring: "creates a new node".'
 *   an earlier node in the handle is neither used nor freed: 'Docstring: config is [out].'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   deleting the node frees all: 'snd_config_delete; the caller has but the handle.'
 *   no memory is reported with an id: 'Docstring: "-ENOMEM: Out of memory".'
 *   no memory is reported without an id: 'Docstring: "-ENOMEM: Out of memory".'
 *   nothing is left behind without memory: 'Docstring: the handle is given only where it is successful.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static const snd_config_type_t types[] = {
    SND_CONFIG_TYPE_INTEGER, SND_CONFIG_TYPE_INTEGER64, SND_CONFIG_TYPE_REAL, SND_CONFIG_TYPE_STRING,
    SND_CONFIG_TYPE_POINTER, SND_CONFIG_TYPE_COMPOUND
};

static int has_id(snd_config_t *config, const char *id)
{
    const char *got = "?";

    return snd_config_get_id(config, &got) == 0 && (id ? got && strcmp(got, id) == 0 : got == NULL);
}

/* Refuses the first allocation, then the second and so on, alone and with all later ones. */
static int reports(const char *id, int *clean)
{
    snd_config_t *config;
    long live = plus_live;
    int j, err, good = 1;

    for (j = 0; j < 100; j++) {
        if (j % 2)
            refuse_once(j / 2);
        else
            refuse_after(j / 2);
        err = snd_config_make(&config, id, SND_CONFIG_TYPE_STRING);
        refuse_none();
        if (err >= 0) {
            good = good && err == 0 && has_id(config, id);
            snd_config_delete(config);
            if (plus_refused == 0)
                break;
        } else
            good = good && err == -ENOMEM;
        *clean = *clean && plus_live == live;
    }
    *clean = *clean && plus_live == live && plus_bad == 0;
    return good && j > 1 && j < 100;
}

int main(void)
{
    snd_config_t *n[6], *first, *child, *found;
    char id[40], large[3000];
    int j, good, ids, zero = 0, clean = 1;
    long i = 1, live;
    long long l = 1;
    double r = 1;
    const char *s = "x";
    const void *p = &i;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    good = ids = 1;
    for (j = 0; j < 6; j++) {
        snprintf(id, sizeof(id), "node %d", j);
        zero |= snd_config_make(&n[j], id, types[j]);
        good = good && snd_config_get_type(n[j]) == types[j];
        ids = ids && has_id(n[j], id) && strlen(id) == 6;
    }
    check("a node of each type is made", good);
    check("the node has the id", ids && has_id(n[0], "node 0") && has_id(n[5], "node 5"));
    memset(id, 'x', sizeof(id) - 1);
    check("the id is copied", has_id(n[0], "node 0") && has_id(n[5], "node 5"));
    good = snd_config_get_integer(n[0], &i) == 0 && i == 0 && snd_config_get_integer64(n[1], &l) == 0 && l == 0 &&
           snd_config_get_real(n[2], &r) == 0 && r == 0;
    check("numbers are zero", good);
    good = snd_config_get_string(n[3], &s) == 0 && s == NULL && snd_config_get_pointer(n[4], &p) == 0 && p == NULL;
    check("strings and pointers are NULL", good);
    good = snd_config_iterator_first(n[5]) == snd_config_iterator_end(n[5]) &&
           snd_config_search(n[5], "x", &found) == -ENOENT;
    check("a compound is empty", good);
    good = snd_config_set_integer(n[0], -5) == 0 && snd_config_set_integer64(n[1], 1LL << 40) == 0 &&
           snd_config_set_real(n[2], .5) == 0 && snd_config_set_string(n[3], "text") == 0 &&
           snd_config_set_pointer(n[4], id) == 0;
    for (j = 0; j < 5; j++)
        good = good && snd_config_add(n[5], n[j]) == 0;
    good = good && snd_config_search(n[5], "node 0", &found) == 0 && found == n[0] &&
           snd_config_search(n[5], "node 4", &found) == 0 && found == n[4] &&
           snd_config_get_integer(n[0], &i) == 0 && i == -5 && snd_config_get_string(n[3], &s) == 0 &&
           s && strcmp(s, "text") == 0 && snd_config_get_pointer(n[4], &p) == 0 && p == id;
    check("the value may be set and the children be added", good);
    snd_config_delete(n[5]);

    good = 1;
    for (j = 0; j < 6; j++) {
        zero |= snd_config_make(&first, NULL, types[j]);
        good = good && has_id(first, NULL) && snd_config_get_type(first) == types[j];
        snd_config_delete(first);
    }
    check("the id may be NULL", good);
    zero |= snd_config_make(&first, "", SND_CONFIG_TYPE_INTEGER);
    check("the id may be empty", has_id(first, ""));
    snd_config_delete(first);
    strcpy(id, "an id");
    zero |= snd_config_make(&first, id, SND_CONFIG_TYPE_REAL);
    check("the id is left as it is", strcmp(id, "an id") == 0);
    snd_config_delete(first);
    memset(large, 'i', sizeof(large));
    large[sizeof(large) - 1] = 0;
    zero |= snd_config_make(&first, large, SND_CONFIG_TYPE_STRING);
    check("a long id is kept whole", has_id(first, large));
    snd_config_delete(first);
    zero |= snd_config_make(&first, at_edge("edge", 5), SND_CONFIG_TYPE_STRING);
    check("an id is read up to its end", has_id(first, "edge"));
    snd_config_delete(first);

    zero |= snd_config_make(&first, "parent", SND_CONFIG_TYPE_COMPOUND);
    zero |= snd_config_make(&child, "child", SND_CONFIG_TYPE_COMPOUND);
    good = snd_config_add(first, child) == 0 && snd_config_add(first, child) == -EINVAL &&
           snd_config_remove(child) == 0 && snd_config_search(first, "child", &found) == -ENOENT;
    snd_config_delete(child);
    snd_config_delete(first);
    check("the node has no parent", good);
    zero |= snd_config_make(&first, "a", SND_CONFIG_TYPE_STRING);
    zero |= snd_config_make(&child, "a", SND_CONFIG_TYPE_STRING);
    good = first != child && snd_config_set_string(first, "one") == 0 && snd_config_get_string(child, &s) == 0 && !s;
    snd_config_delete(child);
    check("each call makes a node of its own", good);
    child = first;
    zero |= snd_config_make(&child, "b", SND_CONFIG_TYPE_INTEGER);
    good = child != first && has_id(child, "b") && has_id(first, "a") && snd_config_get_string(first, &s) == 0 &&
           s && strcmp(s, "one") == 0;
    snd_config_delete(child);
    snd_config_delete(first);
    check("an earlier node in the handle is neither used nor freed", good && plus_bad == 0);
    check("a success is 0", zero == 0);
    check("deleting the node frees all", plus_live == live && plus_bad == 0);
    check("no memory is reported with an id", reports("id", &clean));
    check("no memory is reported without an id", reports(NULL, &clean));
    check("nothing is left behind without memory", clean);
    return checked();
}
