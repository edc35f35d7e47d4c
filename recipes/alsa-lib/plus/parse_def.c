/*---
 * tasks: [parse_def-17378d.2]
 * tests:
 *   a simple assignment makes a node: 'Page conf_syntax_summary: "name [=] value [,|;]".'
 *   an equal sign and a separator may stand: 'Page conf_syntax_summary: "name [=] value [,|;]".'
 *   the separator is read and no more: 'Page conf_syntax_summary; the next definition follows.'
 *   one definition is read: 'Its caller parse_defs reads one after the other.'
 *   a compound is read in braces: 'Page conf_syntax_summary: "Compound assignment (first style)".'
 *   a compound may be empty: 'Page conf_braces.'
 *   an array is read in brackets: 'Page conf_brackets: "identifiers are automatically generated".'
 *   a dotted name makes compounds: 'Page conf_syntax_summary: "Compound assignment (second style)".'
 *   a dotted name goes into compounds that are there: 'Page conf_mode: merge+create.'
 *   compounds made by dotted names are joined: 'snd_config_save writes them with dots; u.compound.join.'
 *   the default merges compounds: 'Page conf_mode: "By default [...] merge+create".'
 *   the default gives a node a new value: 'Page conf_mode: "the latest assignment is merged".'
 *   the default checks types: 'Page conf_mode: "if possible - type checking".'
 *   a plus merges and creates: 'Page conf_mode: "specified with the prefix character plus".'
 *   a minus merges: 'Page conf_mode: "The operation mode merge merges the node with the old one".'
 *   a minus needs the old node: 'Page conf_mode: "which must exist"; -ENOENT.'
 *   a minus needs the old compound of a dotted name: 'Page conf_mode: "which must exist"; -ENOENT.'
 *   a question mark keeps an old node: 'Page conf_mode: "ignores a new configuration node if [...] exists".'
 *   a question mark makes a node that is not there: 'Page conf_mode: "do not override".'
 *   a question mark on a compound of a dotted name keeps it: 'Page conf_mode: "do not override".'
 *   an exclamation mark replaces a node: 'Page conf_mode: "always overrides the old configuration node".'
 *   an exclamation mark replaces a node of another type: 'Page conf_mode: "always overrides".'
 *   an exclamation mark replaces a whole compound: 'Page conf_mode: "with new contents".'
 *   an exclamation mark within a dotted name replaces that part: 'Page conf_mode: "defaults.pcm.!device 1".'
 *   an exclamation mark makes a node that is not there: 'Page conf_mode: "always".'
 *   modes are told for each part of a dotted name: 'Page conf_mode: "defaults.pcm.!device 1".'
 *   overriding may be the default: 'snd_config_load_override: "the default mode for input nodes is override".'
 *   a prefix goes before the default: 'snd_config_load_override: the default mode alone differs.'
 *   a simple node cannot become a compound: 'Page conf_mode: type checking; -EINVAL.'
 *   a name below a simple node is refused: 'Page conf_mode: type checking; -EINVAL.'
 *   what is skipped is read and makes nothing: 'Parameter skip, which is passed down.'
 *   a brace that is not closed is refused: 'Page conf_braces; LOCAL_UNEXPECTED_CHAR.'
 *   a brace closed by a bracket is refused: 'Page conf_braces; LOCAL_UNEXPECTED_CHAR.'
 *   a definition without a name is refused: 'get_string: LOCAL_UNEXPECTED_CHAR.'
 *   the end of the input is told: 'get_nonwhite: LOCAL_UNEXPECTED_EOF; parse_defs.'
 *   names may be quoted: 'get_string takes delimited strings.'
 *   a success is not negative: 'Its caller parse_defs looks for a negative error.'
 *   nothing is left behind: 'Callers delete the tree.'
 *   a node is found by its id: '_snd_config_search: "id".'
 *   an id of a given length is found: '_snd_config_search: len; snd_config_search has keys with dots.'
 *   an id has to have that length: '_snd_config_search: len.'
 *   a missing node is told: '_snd_config_search: -ENOENT, as snd_config_search.'
 *   the result is not needed: '_snd_config_search: result may be NULL; snd_config_add passes it.'
 *   a missing node leaves the result: '_snd_config_search; its callers look at the code.'
 ---*/
#include "parser.h"

static snd_config_t *top;
static int result;

/* Parses one definition into what the first text says. */
static int define(const char *old, const char *text, int skip, int override)
{
    top = tree_of(old);
    begin(text);
    result = parse_def(top, &input, skip, override);
    return result;
}

static int is(const char *wanted)
{
    int same = result >= 0 && tree_is(top, wanted);

    snd_config_delete(top);
    return same;
}

static int becomes(const char *old, const char *text, const char *wanted)
{
    define(old, text, 0, 0);
    return is(wanted);
}

static int replaces(const char *old, const char *text, const char *wanted)
{
    define(old, text, 0, 1);
    return is(wanted);
}

static int fails(const char *old, const char *text, int code, const char *kept)
{
    int good = define(old, text, 0, 0) == code && (!kept || tree_is(top, kept));

    snd_config_delete(top);
    return good;
}

static int leaves(const char *text, const char *rest)
{
    int good = define("", text, 0, 0) >= 0 && left(rest);

    snd_config_delete(top);
    return good;
}

static int joined(const char *key)
{
    snd_config_t *n = tree_at(top, key);

    return n && n->type == SND_CONFIG_TYPE_COMPOUND && n->u.compound.join;
}

int main(void)
{
    snd_config_t *n, *a;
    long live;
    int good, i;

    snd_lib_error_set_handler(quiet);
    check("a simple assignment makes a node",
          becomes("", "a 1\n", "a 1") && becomes("", "b text\n", "b text") && becomes("x 1", "a 2.5 ", "x 1\na 2.5"));
    check("an equal sign and a separator may stand",
          becomes("", "a=1\n", "a 1") && becomes("", "a = 1;", "a 1") && becomes("", "a 1,", "a 1") &&
          becomes("", "a={b 1};", "a.b 1"));
    check("the separator is read and no more",
          leaves("a 1;b 2", "b 2") && leaves("a 1,b 2", "b 2") && leaves("a 1 ;;b", ";b") && leaves("a{b 1};c", "c"));
    check("one definition is read", leaves("a 1 b 2", "b 2") && leaves("a{b 1}c 2", "c 2"));
    check("a compound is read in braces", becomes("", "a { b 1; c { d 2 } }", "a.b 1\na.c.d 2"));
    define("", "a { }", 0, 0);
    n = tree_at(top, "a");
    good = n && snd_config_get_type(n) == SND_CONFIG_TYPE_COMPOUND && tree_children(n) == 0 && !n->u.compound.join;
    check("a compound may be empty", good && result >= 0);
    snd_config_delete(top);
    check("an array is read in brackets", becomes("", "a [ x y 3 ]", "a.0 x\na.1 y\na.2 3"));
    check("a dotted name makes compounds", becomes("", "a.b.c 1 ", "a{b{c 1}}") &&
          becomes("", "a.b{c 1}", "a{b{c 1}}"));
    check("a dotted name goes into compounds that are there",
          becomes("a{b{c 1}}", "a.b.d 2 ", "a{b{c 1 d 2}}") && becomes("a{b 1}", "a.c.d 2 ", "a{b 1 c{d 2}}"));
    define("x{y 1}", "a.b.c 1 ", 0, 0);
    good = joined("a") && joined("a.b") && !joined("x");
    snd_config_delete(top);
    define("x{y 1}", "x.z 1 ", 0, 0);
    check("compounds made by dotted names are joined", good && joined("x"));
    snd_config_delete(top);
    check("the default merges compounds",
          becomes("a{b 1 c 2}", "a{c 3 d 4}", "a{b 1 c 3 d 4}") && becomes("a{b{c 1}}", "a{b{d 1}}", "a{b{c 1 d 1}}"));
    check("the default gives a node a new value",
          becomes("a 1\nb 2", "a 3 ", "a 3\nb 2") && becomes("a x", "a y ", "a y") &&
          becomes("a{b 1}", "a.b 2 ", "a.b 2"));
    check("the default checks types",
          fails("a 1", "a text ", -EINVAL, "a 1") && fails("a text", "a 1 ", -EINVAL, "a text") &&
          fails("a{b 1}", "a 1 ", -EINVAL, "a{b 1}"));
    check("a plus merges and creates",
          becomes("", "+a 1 ", "a 1") && becomes("a 1", "+a 2 ", "a 2") &&
          becomes("a{b 1}", "+a{c 1}", "a{b 1 c 1}") &&
          becomes("a{b 1}", "+a.+c 1 ", "a{b 1 c 1}") && becomes("", "+a.+b 1 ", "a.b 1"));
    check("a minus merges",
          becomes("a 1", "-a 2 ", "a 2") && becomes("a{b 1 c 2}", "-a.-b 3 ", "a{b 3 c 2}") &&
          becomes("a{b 1}", "-a{c 2}", "a{b 1 c 2}"));
    check("a minus needs the old node",
          fails("b 1", "-a 1 ", -ENOENT, "b 1") && fails("a{b 1}", "a.-c 1 ", -ENOENT, "a{b 1}") &&
          fails("b 1", "-a{c 1}", -ENOENT, "b 1"));
    check("a minus needs the old compound of a dotted name", fails("b 1", "-a.c 1 ", -ENOENT, "b 1"));
    check("a question mark keeps an old node",
          becomes("a 1", "?a 2 ", "a 1") && becomes("a 1", "?a text ", "a 1") &&
          becomes("a{b 1}", "?a{c 1}", "a{b 1}") &&
          becomes("a 1", "?a{b 1}", "a 1") && becomes("a{b 1}", "a.?b 2 ", "a{b 1}"));
    check("a question mark makes a node that is not there",
          becomes("b 1", "?a 2 ", "b 1\na 2") && becomes("a{b 1}", "a.?c 2 ", "a{b 1 c 2}") &&
          becomes("", "?a{b 1}", "a.b 1"));
    check("a question mark on a compound of a dotted name keeps it",
          becomes("a{b 1}", "?a.c 2 ", "a{b 1}") && becomes("a{b 1}", "?a.b 2 ", "a{b 1}") &&
          becomes("b 1", "?a.c 2 ", "b 1\na.c 2"));
    check("an exclamation mark replaces a node", becomes("a 1\nb 2", "!a 3 ", "b 2\na 3"));
    check("an exclamation mark replaces a node of another type",
          becomes("a 1", "!a text ", "a text") && becomes("a{b 1}", "!a 1 ", "a 1") &&
          becomes("a 1", "!a{b 1}", "a.b 1"));
    check("an exclamation mark replaces a whole compound",
          becomes("a{b 1 c 2}", "!a{d 3}", "a{d 3}") && becomes("a{b 1 c 2}", "!a.d 3 ", "a{d 3}") &&
          becomes("a[1 2 3]", "!a[4]", "a[4]"));
    check("an exclamation mark within a dotted name replaces that part",
          becomes("a{b 1 c 2}", "a.!b text ", "a{c 2 b text}") &&
          becomes("a{b{x 1} c 2}", "a.!b{y 2}", "a{c 2 b{y 2}}") &&
          becomes("a{b{x 1 z 3} c 2}", "a.!b.y 2 ", "a{c 2 b{y 2}}"));
    check("an exclamation mark makes a node that is not there",
          becomes("b 1", "!a 2 ", "b 1\na 2") && becomes("", "!a.!b 1 ", "a.b 1"));
    check("modes are told for each part of a dotted name",
          becomes("a{b 1 c 2}", "!a.?b 3 ", "a{b 3}") && becomes("a{b 1}", "-a.+c 2 ", "a{b 1 c 2}") &&
          becomes("a{b{c 1}}", "a.-b.?c 9 ", "a{b{c 1}}") && becomes("a{b text}", "+a.!b 2 ", "a{b 2}"));
    check("overriding may be the default",
          replaces("a 1", "a text ", "a text") && replaces("a{b 1}", "a{c 1}", "a{c 1}") &&
          replaces("a{b 1}", "a.c 1 ", "a{c 1}") && replaces("b 1", "a 1 ", "b 1\na 1"));
    good = replaces("a{b 1}", "+a{c 1}", "a{b 1 c 1}") && replaces("a 1", "?a 2 ", "a 1");
    check("a prefix goes before the default", good && replaces("a{b 1}", "+a.c 1 ", "a{b 1 c 1}"));
    check("a simple node cannot become a compound",
          fails("a 1", "a{b 1}", -EINVAL, "a 1") && fails("a text", "a[1]", -EINVAL, "a text"));
    check("a name below a simple node is refused", fails("a 1", "a.b 2 ", -EINVAL, "a 1"));
    good = define("a 1", "b{c 2};d", 1, 0) >= 0 && tree_is(top, "a 1") && left("d");
    snd_config_delete(top);
    good = good && define("a 1", "a.b.c text;d", 1, 0) >= 0 && tree_is(top, "a 1") && left("d");
    snd_config_delete(top);
    good = good && define("a 1", "-x [1 2 3] d", 1, 0) >= 0 && tree_is(top, "a 1") && left("d");
    snd_config_delete(top);
    check("what is skipped is read and makes nothing", good);
    check("a brace that is not closed is refused",
          fails("", "a{b 1", LOCAL_UNEXPECTED_CHAR, NULL) && fails("", "a{b{c 1}", LOCAL_UNEXPECTED_CHAR, NULL));
    check("a brace closed by a bracket is refused", define("", "a[1 }", 0, 0) < 0);
    snd_config_delete(top);
    check("a definition without a name is refused",
          fails("", "= 1", LOCAL_UNEXPECTED_CHAR, NULL) && fails("", "{b 1}", LOCAL_UNEXPECTED_CHAR, NULL));
    check("the end of the input is told",
          fails("", "", LOCAL_UNEXPECTED_EOF, NULL) && fails("", "  # comment\n", LOCAL_UNEXPECTED_EOF, NULL) &&
          fails("", "+", LOCAL_UNEXPECTED_EOF, NULL));
    define("", "\"a b\".'c d' 1 ", 0, 0);
    n = tree_at(top, "a b");
    check("names may be quoted", n && tree_at(n, "c d") && result >= 0);
    snd_config_delete(top);
    good = define("", "a 1 ", 0, 0) >= 0;
    snd_config_delete(top);
    check("a success is not negative", good && becomes("a 1", "a{}", "a 1") == 0);

    begin("");
    live = plus_live;
    becomes("a{b 1 c 2}", "a.!b{x text};", "a{c 2 b{x text}}");
    becomes("a 1", "?a.b.c text ", "a 1");
    becomes("a{b 1}", "!a.c.d{e [1 2 x]}", "a.c.d.e [1 2 x]");
    fails("b 1", "-a 1 ", -ENOENT, "b 1");
    replaces("a{b text}", "a{c 1}", "a.c 1");
    begin("");
    check("nothing is left behind", plus_live == live && plus_bad == 0);

    top = tree_of("abc 1\nab 2\nabcd 3\n'' 4\nx{ab 5}");
    good = _snd_config_search(top, "ab", -1, &n) == 0 && n == tree_at(top, "ab");
    good = good && _snd_config_search(top, "abcd", -1, &n) == 0 && n == tree_at(top, "abcd");
    check("a node is found by its id", good && _snd_config_search(top, "", -1, &n) == 0 && strcmp(n->id, "") == 0);
    good = _snd_config_search(top, "abcd.x", 4, &n) == 0 && strcmp(n->id, "abcd") == 0;
    good = good && _snd_config_search(top, "abcd", 3, &n) == 0 && strcmp(n->id, "abc") == 0;
    good = good && _snd_config_search(top, "x.ab", 1, &n) == 0 && !strcmp(n->id, "x");
    check("an id of a given length is found", good);
    n = a = tree_at(top, "abc");
    good = _snd_config_search(top, "abcd", 1, &n) == -ENOENT && _snd_config_search(top, "xab", 3, &n) == -ENOENT;
    check("an id has to have that length", good && _snd_config_search(top, "abcde", 5, &n) == -ENOENT);
    check("a missing node is told",
          _snd_config_search(top, "a", -1, &n) == -ENOENT && _snd_config_search(top, "abcde", -1, &n) == -ENOENT);
    check("a missing node leaves the result", n == a);
    good = _snd_config_search(top, "ab", -1, NULL) == 0 && _snd_config_search(top, "abx", 2, NULL) == 0;
    check("the result is not needed", good && _snd_config_search(top, "q", -1, NULL) == -ENOENT);
    return checked();
}
