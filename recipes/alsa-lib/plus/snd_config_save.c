/*---
 * tasks: [snd_config_save-fe3662.2]
 * tests:
 *   numbers and strings of a tree are saved: 'Docstring: "writes a textual representation of the value".'
 *   nested compounds are saved: 'Docstring: "a configuration node or tree".'
 *   arrays in a tree are saved: 'Page conf: array assignment; the text is a configuration that can be loaded.'
 *   ids and strings with blanks and punctuators are saved: 'Page conf: quotes protect them.'
 *   an empty compound is saved: 'snd_config_make_compound: only an empty node with its join flag set is lost.'
 *   joined compounds are saved without braces: 'snd_config_make_compound: a.b "hello".'
 *   other compounds are saved with braces: 'snd_config_make_compound: a { b "hello" }.'
 *   an empty tree is saved as nothing: 'Docstring: the value of config; it has no definitions.'
 *   the compound itself has neither braces nor id: 'Docstring: "of the value"; the text is loaded into a top node.'
 *   the value of an integer is saved: 'Docstring: "a configuration node or tree".'
 *   the value of a 64 bit integer is saved: 'Docstring: "a configuration node or tree".'
 *   the value of a real number is saved: 'Docstring: "a configuration node or tree".'
 *   the value of a string is saved: 'Docstring: "a configuration node or tree".'
 *   a child alone is saved without its id: 'Docstring: "of the value".'
 *   the items of an array are saved without ids: '_snd_config_save_node_value saves what is an array so.'
 *   a pointer is refused: 'Docstring: "-EINVAL: A node [...] that cannot be printed, i.e., POINTER".'
 *   a pointer within a tree is refused: 'The same: "A node in the tree".'
 *   a pointer deep within a tree is refused: 'The same.'
 *   the text is appended to the output: 'Docstring: "to the output out".'
 *   the output stays open: 'The caller closes what it opened.'
 *   the tree is left as it is: 'Docstring: it dumps.'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   nothing is left behind: 'The output alone keeps the text.'
 *   an array gives its number of items: 'snd_config_is_array: "A count of items in array".'
 *   an array of one item is an array: 'The same; its id is 0.'
 *   an array of many items is an array: 'The same.'
 *   the items may be of any type: 'The same; check_array_item looks at ids.'
 *   names make no array: 'snd_config_is_array: "zero when the compound is not an array".'
 *   a name after items makes no array: 'The same.'
 *   an array begins with 0: 'The same; page conf: name.0 value0.'
 *   a missing item makes no array: 'The same; check_array_item: id and index agree.'
 *   items in another order make no array: 'The same: saved without ids they would get others.'
 *   an empty compound is no array: 'snd_config_is_array: a count of 0 items.'
 *   what is no compound gives an error: 'snd_config_is_array: "a negative error code".'
 *   an array may stand anywhere: 'snd_config_is_array: config is a node.'
 ---*/
#include "tree.h"

static int zero;

/* Whether what is saved of this tree can be loaded again as the same tree. */
static int survives(const char *text)
{
    snd_config_t *config = tree_of(text);
    int same = tree_is(config, tree_saved(config)) && tree_is(config, text);

    zero |= tree_error;
    snd_config_delete(config);
    return same;
}

/* Whether what is saved of this node can be read as its value, but for its brackets. */
static int value_survives(snd_config_t *n, const char *open, const char *close)
{
    char text[1000];
    snd_config_t *config;
    int same;

    snprintf(text, sizeof(text), "v %s%s%s", open, tree_saved(n), close);
    zero |= tree_error;
    config = tree_of(text);
    same = tree_children(config) == 1 && tree_same(n, tree_at(config, "v"));
    snd_config_delete(config);
    return same;
}

static int array(const char *text)
{
    snd_config_t *config = tree_of(text);
    int n = snd_config_is_array(config);

    snd_config_delete(config);
    return n;
}

int main(void)
{
    snd_config_t *config, *n, *p;
    snd_output_t *out;
    char text[2000], *got;
    int good, j, err;
    size_t size;
    long live;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    check("numbers and strings of a tree are saved",
          survives("a 1\nb -17\nc hello\nd 2.5\ne 123456789012\n") && survives("only 1"));
    check("nested compounds are saved", survives("a { b { c 1 d { e f } } g 2 } h { i j }"));
    check("arrays in a tree are saved", survives("a [ x y 3 ] b { c [ [ 1 2 ] [ 3 ] { d 4 } ] }"));
    check("ids and strings with blanks and punctuators are saved",
          survives("'a b' 'c d'\n'e.f' '1'\ng \"it's\"\nh '{}[]=;,.#'\n'' ''\ni '-'\nj \"a\tb\""));
    check("an empty compound is saved", survives("a { } b 1 c { d { } }"));
    config = tree_of("a.b hello\na.c 42\nd.e.f 7\n");
    tree_saved(config);
    zero |= tree_error;
    good = !strchr(tree_text, '{') && strstr(tree_text, "a.b") && strstr(tree_text, "a.c 42") &&
           strstr(tree_text, "d.e.f 7") && tree_is(config, tree_text);
    snd_config_delete(config);
    check("joined compounds are saved without braces", good);
    config = tree_of("a { b hello c 42 }");
    tree_saved(config);
    zero |= tree_error;
    good = strchr(tree_text, '{') && strchr(tree_text, '}') && !strstr(tree_text, "a.") && tree_is(config, tree_text);
    check("other compounds are saved with braces", good);
    n = tree_at(config, "a");
    tree_saved(n);
    zero |= tree_error;
    good = !strchr(tree_text, '{') && tree_is(n, tree_text) && tree_is(n, "b hello c 42");
    snd_config_delete(config);
    check("the compound itself has neither braces nor id", good);
    check("an empty tree is saved as nothing", survives(""));

    snd_config_imake_integer(&n, "i", -42);
    good = value_survives(n, "", "") && !strchr(tree_text, 'i');
    snd_config_set_integer(n, 0);
    check("the value of an integer is saved", good && value_survives(n, "", ""));
    snd_config_delete(n);
    snd_config_imake_integer64(&n, "l", 1234567890123LL);
    check("the value of a 64 bit integer is saved", value_survives(n, "", "") && strstr(tree_text, "1234567890123"));
    snd_config_delete(n);
    snd_config_imake_real(&n, "r", -0.25);
    check("the value of a real number is saved", value_survives(n, "", "") && strstr(tree_text, "-0.25"));
    snd_config_delete(n);
    snd_config_imake_string(&n, NULL, "two words");
    good = value_survives(n, "", "");
    snd_config_set_string(n, "word");
    good = good && value_survives(n, "", "");
    snd_config_set_string(n, "12");
    check("the value of a string is saved", good && value_survives(n, "", ""));
    snd_config_delete(n);
    config = tree_of("a { name text other 5 }");
    good = value_survives(tree_at(config, "a.name"), "", "") && !strstr(tree_text, "name") &&
           value_survives(tree_at(config, "a.other"), "", "") && !strstr(tree_text, "other");
    snd_config_delete(config);
    check("a child alone is saved without its id", good);
    config = tree_of("a [ x 'y z' 3 ] b [ [ 1 2 ] { c d } ]");
    good = value_survives(tree_at(config, "a"), "[ ", " ]") && value_survives(tree_at(config, "b"), "[ ", " ]");
    snd_config_delete(config);
    check("the items of an array are saved without ids", good);

    snd_config_imake_pointer(&p, "p", text);
    tree_saved(p);
    check("a pointer is refused", tree_error == -EINVAL);
    config = tree_of("a 1");
    snd_config_add(config, p);
    tree_saved(config);
    check("a pointer within a tree is refused", tree_error == -EINVAL);
    snd_config_delete(config);
    config = tree_of("a { b [ 1 { c 2 } ] } z 1");
    snd_config_imake_pointer(&p, "p", text);
    snd_config_add(tree_at(config, "a.b.1"), p);
    tree_saved(config);
    err = tree_error;
    snd_config_delete(config);
    config = tree_of("a.b.c 1\nz 1");
    snd_config_imake_pointer(&p, "p", text);
    snd_config_add(tree_at(config, "a.b"), p);
    tree_saved(config);
    check("a pointer deep within a tree is refused", err == -EINVAL && tree_error == -EINVAL);
    snd_config_delete(config);

    config = tree_of("a 1 b { c 'x y' } d [ 2 3 ]");
    snd_output_buffer_open(&out);
    snd_output_puts(out, "first 0\n");
    zero |= snd_config_save(config, out);
    good = snd_output_puts(out, "last 9\n") >= 0;
    size = snd_output_buffer_string(out, &got);
    snprintf(text, sizeof(text), "%.*s", (int)size, got);
    snd_output_close(out);
    check("the output stays open", good && size > 15 && strcmp(text + size - 7, "last 9\n") == 0);
    n = tree_of(text);
    good = tree_is(n, "first 0 a 1 b { c 'x y' } d [ 2 3 ] last 9");
    snd_config_delete(n);
    check("the text is appended to the output", good && strncmp(text, "first 0\n", 8) == 0);
    check("the tree is left as it is", tree_is(config, "a 1 b { c 'x y' } d [ 2 3 ]"));
    snd_config_delete(config);
    check("a success is 0", zero == 0);
    check("nothing is left behind", plus_live == live && plus_bad == 0);

    /* snd_config_is_array */
    check("an array gives its number of items", array("0 a 1 b 2 c") == 3 && array("0 a 1 b") == 2);
    check("an array of one item is an array", array("0 a") == 1);
    text[0] = 0;
    for (j = 0; j < 25; j++)
        sprintf(text + strlen(text), "%d x%d ", j, j);
    check("an array of many items is an array", array(text) == 25);
    check("the items may be of any type", array("0 a 1 2 2 3.5 3 { x y } 4 [ 1 2 ] 5 { }") == 6);
    check("names make no array", array("a 0 b 1") == 0 && array("x { 0 1 }") == 0);
    check("a name after items makes no array", array("0 a 1 b c d") == 0 && array("0 a 1x b") == 0);
    check("an array begins with 0", array("1 a") == 0 && array("1 a 2 b") == 0);
    check("a missing item makes no array", array("0 a 2 b") == 0 && array("0 a 1 b 3 c") == 0);
    check("items in another order make no array", array("1 a 0 b") == 0 && array("0 a 2 b 1 c") == 0);
    check("an empty compound is no array", array("") == 0);
    good = 1;
    snd_config_imake_integer(&n, "0", 0);
    good = good && snd_config_is_array(n) < 0;
    snd_config_delete(n);
    snd_config_imake_string(&n, "s", "0");
    good = good && snd_config_is_array(n) < 0;
    snd_config_delete(n);
    snd_config_imake_real(&n, "r", 1);
    good = good && snd_config_is_array(n) < 0;
    snd_config_delete(n);
    check("what is no compound gives an error", good);
    config = tree_of("a { b [ x y ] c { d 1 } }");
    good = snd_config_is_array(tree_at(config, "a.b")) == 2 && snd_config_is_array(tree_at(config, "a.c")) == 0 &&
           snd_config_is_array(tree_at(config, "a")) == 0;
    snd_config_delete(config);
    check("an array may stand anywhere", good);
    return checked();
}
