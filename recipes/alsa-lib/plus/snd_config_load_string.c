/*---
 * tasks: [snd_config_load_string-95a570]
 * tests:
 *   the definitions of a C string are loaded: 'Docstring: "if zero, a C string is expected".'
 *   a size ends the string: 'Docstring: "String size".'
 *   nothing is read behind the size: 'Docstring: "String size"; only size 0 asks for a terminator.'
 *   a size may end within a token: 'Docstring: "String size".'
 *   the size may be that of the whole string: 'Docstring: "String size".'
 *   compounds and arrays and comments are loaded: 'Docstring: "String with the ASCII configuration"; page conf.'
 *   an empty string gives an empty node: 'Docstring: the definitions of the string are put to a new top node.'
 *   blanks and comments give an empty node: 'Docstring: the definitions of the string are put to a new top node.'
 *   the node is a top node: 'Docstring: "created as a new top node"; snd_config_top: no parent and no id.'
 *   each call gives a node of its own: 'Docstring: "created as a new top node".'
 *   an earlier node in the handle is neither used nor freed: 'Docstring: config is [out].'
 *   later definitions are merged into earlier ones: 'Page conf: "By default [...] merge+create".'
 *   the caller keeps the string: 'Docstring: s is [in]; caller ucm_subs.c frees it.'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   a quote that is not closed is refused: 'Docstring: "Any errors encountered when parsing the input".'
 *   a missing value is refused: 'Docstring: "Any errors encountered when parsing the input".'
 *   a brace too many is refused: 'Docstring: "Any errors encountered when parsing the input".'
 *   an error after good definitions is reported: 'Docstring: "Any errors encountered when parsing the input".'
 *   a missing file is reported: 'Docstring: "Any errors encountered when parsing the input".'
 *   a missing node that must be merged is reported: 'Page conf, mode merge: the old node "must exist".'
 *   no memory for the input is reported: 'Docstring: "otherwise a negative error code"; snd_input_buffer_open.'
 *   deleting the node frees all: 'Docstring: the caller gets the node and nothing else.'
 *   a failed load leaves nothing behind: 'Docstring: the handle is given only where it is successful.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static snd_config_t *top;

static int is_number(snd_config_t *config, const char *key, long value)
{
    snd_config_t *n;
    long v = 0;

    return snd_config_search(config, key, &n) == 0 && snd_config_get_integer(n, &v) == 0 && v == value;
}

static int is_text(snd_config_t *config, const char *key, const char *value)
{
    snd_config_t *n;
    const char *v = NULL;

    return snd_config_search(config, key, &n) == 0 && snd_config_get_string(n, &v) == 0 && v && !strcmp(v, value);
}

static int children(snd_config_t *config)
{
    snd_config_iterator_t i, next;
    int n = 0;

    snd_config_for_each(i, next, config)
        n++;
    return n;
}

static int load(const char *s, size_t size)
{
    top = NULL;
    return snd_config_load_string(&top, s, size);
}

/* The error of a string that can't be loaded, with and without a size. */
static int fails(const char *s)
{
    int a = load(s, 0), b;

    if (a >= 0)
        snd_config_delete(top);
    b = load(s, strlen(s));
    if (b >= 0)
        snd_config_delete(top);
    return a == b ? a : 1;
}

static int is_empty(const char *s, size_t size)
{
    int good = load(s, size) == 0 && top && snd_config_get_type(top) == SND_CONFIG_TYPE_COMPOUND && !children(top);

    if (top)
        snd_config_delete(top);
    return good;
}

int main(void)
{
    const char *id = "x";
    snd_config_t *first, *parent;
    char text[100], *large;
    int good, err, zero;
    long live;

    snd_lib_error_set_handler(quiet);
    good = load("a 1\nb 'two words'\n", 0) == 0 && is_number(top, "a", 1) && is_text(top, "b", "two words") &&
           children(top) == 2;
    snd_config_delete(top);
    good = good && load(at_edge("a 77", 5), 0) == 0 && is_number(top, "a", 77);
    snd_config_delete(top);
    check("the definitions of a C string are loaded", good);
    good = load("a 1\nb 2\nc 3\n", 8) == 0 && is_number(top, "a", 1) && is_number(top, "b", 2) && children(top) == 2;
    snd_config_delete(top);
    check("a size ends the string", good);
    good = load(at_edge("a 1\nb 234", 9), 9) == 0 && is_number(top, "b", 234) && children(top) == 2;
    snd_config_delete(top);
    good = good && load(at_edge("c 'd'", 5), 5) == 0 && is_text(top, "c", "d");
    snd_config_delete(top);
    check("nothing is read behind the size", good);
    good = load("a 12345\nb 1", 5) == 0 && is_number(top, "a", 123) && children(top) == 1;
    snd_config_delete(top);
    good = good && load("a }", 1) == -EINVAL && load("a 1 }", 4) == 0;
    snd_config_delete(top);
    check("a size may end within a token", good);
    good = load("a 1\nb 23", 8) == 0 && is_number(top, "b", 23) && children(top) == 2;
    snd_config_delete(top);
    check("the size may be that of the whole string", good);
    good = load("# comment\npcm.card0 { type hw; rate = 48000 }\nlist [ x 'y' 7 ]\n", 0) == 0 &&
           is_text(top, "pcm.card0.type", "hw") && is_number(top, "pcm.card0.rate", 48000) &&
           is_text(top, "list.1", "y") && is_number(top, "list.2", 7) && children(top) == 2;
    snd_config_delete(top);
    check("compounds and arrays and comments are loaded", good);
    check("an empty string gives an empty node", is_empty("", 0) && is_empty(at_edge("", 1), 0));
    check("blanks and comments give an empty node", is_empty(" \n\t\n", 0) && is_empty("# a 1\n#", 0) &&
          is_empty(" a 1", 1));
    good = load("a 1", 0) == 0 && snd_config_get_type(top) == SND_CONFIG_TYPE_COMPOUND &&
           snd_config_get_id(top, &id) == 0 && id == NULL && snd_config_top(&parent) == 0 &&
           snd_config_set_id(top, "sub") == 0 && snd_config_add(parent, top) == 0 && is_number(parent, "sub.a", 1);
    snd_config_delete(parent);
    check("the node is a top node", good);
    good = load("a 1", 0) == 0;
    first = top;
    good = good && load("b 2", 0) == 0 && first != top && is_number(first, "a", 1) && children(first) == 1 &&
           is_number(top, "b", 2) && children(top) == 1;
    snd_config_delete(top);
    check("each call gives a node of its own", good);
    top = first;
    good = snd_config_load_string(&top, "c 3", 0) == 0 && top != first && is_number(top, "c", 3) &&
           children(top) == 1 && is_number(first, "a", 1) && children(first) == 1;
    snd_config_delete(top);
    snd_config_delete(first);
    check("an earlier node in the handle is neither used nor freed", good && plus_bad == 0);
    good = load("a.b 1\na.c 2\na { d 3 }\n", 0) == 0 && is_number(top, "a.b", 1) && is_number(top, "a.c", 2) &&
           is_number(top, "a.d", 3) && children(top) == 1;
    snd_config_delete(top);
    check("later definitions are merged into earlier ones", good);
    strcpy(text, "a hello b 'x y'");
    good = load(text, 0) == 0 && strcmp(text, "a hello b 'x y'") == 0;
    memset(text, '!', sizeof(text));
    good = good && is_text(top, "a", "hello") && is_text(top, "b", "x y");
    snd_config_delete(top);
    check("the caller keeps the string", good);
    zero = load("a 1", 0);
    snd_config_delete(top);
    zero |= load("a 1 b 2", 7);
    snd_config_delete(top);
    check("a success is 0", zero == 0);

    live = plus_live;
    check("a quote that is not closed is refused", fails("a 'b") == -EINVAL && fails("a \"b'") == -EINVAL);
    check("a missing value is refused", fails("a") == -EINVAL && fails("a ;") == -EINVAL);
    check("a brace too many is refused", fails("a 1 }") == -EINVAL && fails("}") == -EINVAL);
    check("an error after good definitions is reported", fails("a 1\nb 2\nc { d 3 }\ne '") == -EINVAL);
    check("a missing file is reported", fails("</nonexistent/plus.conf>") == -ENOENT);
    check("a missing node that must be merged is reported", fails("a 1\n-b 2\n") == -ENOENT);
    good = plus_live == live && plus_bad == 0;
    large = __libc_malloc(20001);
    memset(large, ' ', 20000);
    memcpy(large, "a 1", 3);
    large[20000] = 0;
    refuse_above(10000);
    err = load(large, 0);
    refuse_none();
    check("no memory for the input is reported", err == -ENOMEM);
    good = good && plus_live == live && plus_bad == 0;
    load("a 1 b { c 'd' } e [ f g ] h 2.5", 0);
    snd_config_delete(top);
    load("a x b y c z", 7);
    snd_config_delete(top);
    check("deleting the node frees all", plus_live == live && plus_bad == 0);
    check("a failed load leaves nothing behind", good);
    return checked();
}
