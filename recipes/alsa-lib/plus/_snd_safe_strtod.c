/*---
 * tasks: [_snd_safe_strtod-dd6816.2]
 * tests:
 *   a real number is read: 'Its name and strtod; callers conf.c: parse_value, snd_config_set_ascii.'
 *   an exponent and a sign are read: 'strtod.'
 *   a success is 0: 'Callers look for a negative error (snd_config_set_ascii).'
 *   an empty string is refused: 'snd_config_set_ascii: "-EINVAL".'
 *   text is refused: 'snd_config_set_ascii: "-EINVAL".'
 *   text behind the number is refused: 'snd_config_set_ascii: "-EINVAL"; parse_value keeps such text a string.'
 *   a number out of range is refused: 'The neighbour _snd_safe_strtoll_base: -errno, which is -ERANGE.'
 *   an older errno does not matter: 'The neighbour _snd_safe_strtoll_base sets it to 0 before.'
 *   the locale of the thread stays: 'uselocale and LC_NUMERIC: it is for the time of the reading.'
 *   after an error the locale of the thread stays: 'The same.'
 *   nothing is left in memory by reading: 'freelocale.'
 *   an integer is parsed: 'Page conf_assigns: "an integer"; parse_value.'
 *   a hexadecimal integer is parsed: 'safe_strtoll: base 0.'
 *   an integer beyond an int has 64 bits: 'SND_CONFIG_TYPE_INTEGER64.'
 *   a real is parsed: 'Page conf_assigns: "a real number".'
 *   a string is parsed: 'Page conf_assigns: "a string".'
 *   a quoted number is a string: 'get_string: "1 for delimited string"; string_print quotes such strings.'
 *   text that begins like a number is a string: 'Page conf_assigns: a string; it is neither integer nor real.'
 *   a new node has the id and is in the compound: '_snd_config_make_add; callers parse_def and parse_array_def.'
 *   the id is taken over: '_snd_config_make takes the id; callers free what is left of it.'
 *   the new node is given: 'Parameter _n; its callers go on with it.'
 *   the last node comes last: '_snd_config_make_add: list_add_tail.'
 *   a node of the type gets the new value: 'Page conf_mode: "merged (if possible - type checking)".'
 *   then it is the same node: 'Page conf_mode: "merged".'
 *   a node of 64 bits gets an integer: 'Page conf_mode: "merged (if possible - type checking)".'
 *   a node of another type is refused: 'Page conf_mode: "strings cannot be assigned to integers and so on".'
 *   then it keeps its value: 'Page conf_mode: "Type checking is done".'
 *   then the id is left to the caller: 'Callers free it.'
 *   what is skipped makes no node: 'Parameter skip; Page conf_mode: "ignores a new configuration node".'
 *   what is skipped is read: 'Parameter skip; the parser goes on behind it.'
 *   an error of reading is returned: 'get_string; snd_config_load1 tells it.'
 *   the input is read up to the end of the value: 'Page conf_punctuators.'
 *   values leave nothing behind: 'Callers delete the compound.'
 ---*/
#include <locale.h>
#include "parser.h"

static double d;
static int live_id;
static char *id;
static snd_config_t *top, *node;

static int real(const char *text, double wanted)
{
    double v = -77.25;

    errno = 0;
    return _snd_safe_strtod(at_edge(text, strlen(text) + 1), &v) == 0 && v == wanted;
}

static int fails(const char *text, int code)
{
    return _snd_safe_strtod(at_edge(text, strlen(text) + 1), &d) == code;
}

/* Parses the text as a value for the node, or for a new one where it is NULL. */
static int parse(snd_config_t *into, const char *text, int skip)
{
    int err;

    id = strdup("key");
    node = into;
    begin(text);
    err = parse_value(&node, top, &input, &id, skip);
    live_id = id != NULL;
    if (err < 0 || into || skip)
        free(id);
    return err < 0 ? err : 0;
}

/* Whether the text makes a node of this type that stands for it. */
static int makes(const char *text, int type, const char *value)
{
    char *ascii = NULL;
    int good;

    if (parse(NULL, text, 0) != 0 || !node || snd_config_get_type(node) != type)
        return 0;
    if (snd_config_get_ascii(node, &ascii) < 0)
        return 0;
    good = strcmp(ascii, value) == 0;
    free(ascii);
    snd_config_delete(node);
    return good;
}

static int is(snd_config_t *n, const char *value)
{
    char *ascii = NULL;
    int good = snd_config_get_ascii(n, &ascii) == 0 && strcmp(ascii, value) == 0;

    free(ascii);
    return good;
}

int main(void)
{
    snd_config_t *n[6];
    locale_t own;
    const char *name;
    long live;
    int good, kept, ids, same, i;

    snd_lib_error_set_handler(quiet);
    check("a real number is read", real("1.5", 1.5) && real("0", 0) && real("12", 12) && real(".25", .25));
    check("an exponent and a sign are read", real("-2.5e3", -2500) && real("+1E-2", 0.01) && real("-0.125", -0.125));
    check("a success is 0", fails("3.25", 0) && d == 3.25);
    check("an empty string is refused", fails("", -EINVAL));
    check("text is refused", fails("abc", -EINVAL) && fails("-", -EINVAL) && fails(".", -EINVAL));
    check("text behind the number is refused",
          fails("1.5x", -EINVAL) && fails("1.5 ", -EINVAL) && fails("1,5", -EINVAL) && fails("1.5.2", -EINVAL));
    check("a number out of range is refused", fails("1e999", -ERANGE) && fails("-1e999", -ERANGE));
    errno = ERANGE;
    good = fails("2.5", 0) && d == 2.5;
    errno = EINVAL;
    check("an older errno does not matter", good && fails("4.5", 0) && d == 4.5);
    own = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    own = duplocale(own);
    uselocale(own);
    fails("1.5", 0);
    check("the locale of the thread stays", uselocale((locale_t) 0) == own);
    fails("1.5x", 0);
    good = uselocale((locale_t) 0) == own;
    fails("1e999", 0);
    good = good && uselocale((locale_t) 0) == own;
    fails("", 0);
    check("after an error the locale of the thread stays", good && uselocale((locale_t) 0) == own);
    uselocale(LC_GLOBAL_LOCALE);
    live = plus_live;
    for (i = 0; i < 5; i++)
        fails(i % 2 ? "1.5" : "1.5x", 0);
    check("nothing is left in memory by reading", plus_live == live && plus_bad == 0);

    snd_config_top(&top);
    check("an integer is parsed",
          makes("12 ", SND_CONFIG_TYPE_INTEGER, "12") && makes("-7;", SND_CONFIG_TYPE_INTEGER, "-7") &&
          makes("2147483647\n", SND_CONFIG_TYPE_INTEGER, "2147483647") && makes("0 ", SND_CONFIG_TYPE_INTEGER, "0"));
    check("a hexadecimal integer is parsed", makes("0x1f ", SND_CONFIG_TYPE_INTEGER, "31"));
    check("an integer beyond an int has 64 bits",
          makes("2147483648 ", SND_CONFIG_TYPE_INTEGER64, "2147483648") &&
          makes("1099511627776 ", SND_CONFIG_TYPE_INTEGER64, "1099511627776"));
    good = parse(NULL, "-1.25e2 ", 0) == 0 && snd_config_get_real(node, &d) == 0 && d == -125;
    good = good && parse(NULL, "3.5,", 0) == 0 && node && snd_config_get_type(node) == SND_CONFIG_TYPE_REAL;
    check("a real is parsed", good && snd_config_get_real(node, &d) == 0 && d == 3.5);
    check("a string is parsed",
          makes("word ", SND_CONFIG_TYPE_STRING, "word") &&
          makes("\"two words\" ", SND_CONFIG_TYPE_STRING, "two words") &&
          makes("'' ", SND_CONFIG_TYPE_STRING, ""));
    check("a quoted number is a string",
          makes("\"12\" ", SND_CONFIG_TYPE_STRING, "12") && makes("'-1.5' ", SND_CONFIG_TYPE_STRING, "-1.5"));
    check("text that begins like a number is a string",
          makes("12abc ", SND_CONFIG_TYPE_STRING, "12abc") && makes("-x ", SND_CONFIG_TYPE_STRING, "-x") &&
          makes("- ", SND_CONFIG_TYPE_STRING, "-") && makes("3dB ", SND_CONFIG_TYPE_STRING, "3dB"));
    snd_config_delete(top);

    snd_config_top(&top);
    good = ids = 1;
    for (i = 0; i < 4; i++) {
        static const char *const texts[] = {"1 ", "5000000000 ", "1.5 ", "text "};

        good = good && parse(NULL, texts[i], 0) == 0 && node;
        ids = ids && !live_id;
        n[i] = node;
        if (!node)
            exit(1);
        good = good && snd_config_get_id(node, &name) == 0 && strcmp(name, "key") == 0;
    }
    check("a new node has the id and is in the compound", good && tree_children(top) == 4);
    check("the id is taken over", ids);
    good = snd_config_iterator_entry(snd_config_iterator_first(top)) == n[0];
    check("the new node is given", good && is(n[1], "5000000000") && is(n[3], "text"));
    check("the last node comes last",
          snd_config_iterator_entry(snd_config_iterator_next(snd_config_iterator_first(top))) == n[1] &&
          snd_config_iterator_entry(top->u.compound.fields.prev) == n[3]);
    good = parse(n[0], "8 ", 0) == 0 && is(n[0], "8");
    same = node == n[0];
    good = good && parse(n[2], "2.5 ", 0) == 0 && snd_config_get_real(n[2], &d) == 0 && d == 2.5;
    same = same && node == n[2];
    good = good && parse(n[3], "other ", 0) == 0 && is(n[3], "other") && parse(n[3], "'9' ", 0) == 0 && is(n[3], "9");
    same = same && node == n[3];
    check("a node of the type gets the new value", good);
    check("then it is the same node", same && tree_children(top) == 4);
    good = parse(n[1], "7 ", 0) == 0 && is(n[1], "7") && snd_config_get_type(n[1]) == SND_CONFIG_TYPE_INTEGER64;
    check("a node of 64 bits gets an integer", good && parse(n[1], "6000000000 ", 0) == 0 && is(n[1], "6000000000"));
    good = parse(n[0], "text ", 0) == -EINVAL;
    kept = live_id;
    good = good && parse(n[0], "1.5 ", 0) == -EINVAL && parse(n[2], "1 ", 0) == -EINVAL;
    kept = kept && live_id;
    good = good && parse(n[2], "text ", 0) == -EINVAL && parse(n[3], "1 ", 0) == -EINVAL;
    good = good && parse(n[3], "1.5 ", 0) == -EINVAL && parse(n[0], "'1' ", 0) == -EINVAL;
    good = good && parse(top, "1 ", 0) == -EINVAL && parse(top, "text ", 0) == -EINVAL;
    check("a node of another type is refused", good);
    check("then it keeps its value", is(n[0], "8") && is(n[3], "9") && snd_config_get_real(n[2], &d) == 0 && d == 2.5);
    check("then the id is left to the caller", kept && live_id);
    good = parse(NULL, "12 ", 1) == 0 && parse(NULL, "text ", 1) == 0 && parse(n[0], "text ", 1) == 0;
    check("what is skipped makes no node", good && tree_children(top) == 4 && is(n[0], "8"));
    parse(NULL, "text;more", 1);
    check("what is skipped is read", left(";more"));
    good = parse(NULL, "\"open", 0) < 0 && parse(NULL, "}", 0) == LOCAL_UNEXPECTED_CHAR;
    check("an error of reading is returned", good && parse(NULL, "", 0) == LOCAL_UNEXPECTED_EOF);
    parse(n[0], "3 }x", 0);
    good = left(" }x");
    parse(n[3], "\"a b\";c", 0);
    check("the input is read up to the end of the value", good && left(";c"));
    snd_config_delete(top);

    begin("");
    live = plus_live;
    snd_config_top(&top);
    parse(NULL, "1 ", 0);
    n[0] = node;
    parse(NULL, "text ", 0);
    n[1] = node;
    parse(n[1], "new ", 0);
    parse(n[1], "5 ", 0);
    parse(n[0], "5 ", 0);
    parse(n[0], "text ", 0);
    parse(n[0], "text ", 1);
    parse(NULL, "1.5 ", 0);
    parse(node, "2 ", 0);
    snd_config_delete(top);
    begin("");
    check("values leave nothing behind", plus_live == live && plus_bad == 0);
    return checked();
}
