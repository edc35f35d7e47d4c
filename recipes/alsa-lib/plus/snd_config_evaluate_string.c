/*---
 * tasks: [snd_config_evaluate_string-4671b1]
 * tests:
 *   a sum is evaluated: 'Docstring: "Evaluate an math expression"; page confarg_math: $[$CARD + 1].'
 *   each operation is evaluated: 'Docstring: "Evaluate an math expression"; _snd_eval_string.'
 *   expressions may be nested: 'test/lsb/config.c: test_evaluate_string; _snd_eval_string.'
 *   the result is a new integer node without an id: 'Docstring: dst; caller sets the id (conf.c: snd_config_set_id).'
 *   a large result is a 64 bit node: '_snd_eval_string; test/lsb/config.c.'
 *   variables of an expression are asked for by their names: 'Docstring: "A function to get the variable contents".'
 *   the private value reaches the function from an expression: 'Docstring: "A private value for the [...] function".'
 *   an expression without variables asks for none: 'Docstring: "A function to get the variable contents".'
 *   a lone variable is asked for by its name: 'Page confarg_refer: "a dollar-sign ($) and the name".'
 *   the whole name of a lone variable is asked for: 'Page confarg_refer.'
 *   the private value reaches the function from a lone variable: 'Docstring: private value.'
 *   a lone variable gives the node of the function itself: 'Docstring: "puts the handle to the new [...] node".'
 *   a lone variable of any type is given: 'Page confarg_define: types; conf.c: snd_config_expand_vars copies nodes.'
 *   a variable without a value gives no node: 'Caller (conf.c): "if (*dst == NULL) return 0".'
 *   an error of the function is returned for a lone variable: 'Docstring: "otherwise a negative error code".'
 *   an error of the function is returned for an expression: 'Docstring: "otherwise a negative error code".'
 *   a string without a dollar sign is refused: 'Page confarg_math: "identified [...] with a dollar-sign".'
 *   a dollar sign elsewhere is not enough: 'Page confarg_math; caller checks for a dollar sign at the beginning.'
 *   an empty string is refused: 'Page confarg_math: a dollar sign begins it.'
 *   the function is not asked about a refused string: 'Docstring: "to get the variable contents".'
 *   a wrong expression is refused: 'Docstring: "otherwise a negative error code"; _snd_eval_string.'
 *   an expression that is not closed is refused: 'Docstring; _snd_eval_string.'
 *   a success is 0: 'Docstring: "0 if successful".'
 *   nothing is read behind the end of the string: 'Docstring: s is a string.'
 *   out of memory is reported: 'Docstring: "a negative error code"; _snd_eval_string.'
 *   what is not returned is freed: 'Docstring: dst is the one node that the caller gets and deletes.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static int calls, seen_private;
static char names[400];
static snd_config_t *made;
static int key;

/* Writes down what it is asked for; gives TWO, TEN, TEXT, REAL, NONE as nodes and fails otherwise. */
static int variable(snd_config_t **dst, const char *name, void *private_data)
{
    int err;

    calls++;
    if (private_data == &key)
        seen_private++;
    strncat(names, name, 80);
    strcat(names, ";");
    if (strcmp(name, "TWO") == 0)
        err = snd_config_imake_integer(&made, "two", 2);
    else if (strcmp(name, "TEN_10") == 0)
        err = snd_config_imake_integer(&made, NULL, 10);
    else if (strcmp(name, "TEXT") == 0)
        err = snd_config_imake_string(&made, NULL, "some text");
    else if (strcmp(name, "REAL") == 0)
        err = snd_config_imake_real(&made, NULL, 2.5);
    else if (strcmp(name, "NONE") == 0) {
        made = NULL;
        err = 0;
    } else
        return strcmp(name, "BROKEN") == 0 ? -EIO : -ENOENT;
    if (err >= 0)
        *dst = made;
    return err;
}

static snd_config_t *dst;
static int result;

static int evaluate(const char *s)
{
    calls = seen_private = 0;
    names[0] = 0;
    made = NULL;
    dst = NULL;
    result = snd_config_evaluate_string(&dst, s, variable, &key);
    return result;
}

static int gives(const char *s, long value)
{
    long v = 12345;
    int same;

    if (evaluate(s) != 0 || dst == NULL)
        return 0;
    same = snd_config_get_integer(dst, &v) == 0 && v == value;
    snd_config_delete(dst);
    return same;
}

static int refuses(const char *s)
{
    return evaluate(s) == -EINVAL;
}

int main(void)
{
    const char *id = "x", *text = NULL;
    long long wide = 0;
    double real = 0;
    int good, n, err;
    long live;

    snd_lib_error_set_handler(quiet);
    check("a sum is evaluated", gives("$[1 + 2]", 3) && gives("$[40+2]", 42));
    check("each operation is evaluated",
          gives("$[7 - 9]", -2) && gives("$[6 * 7]", 42) && gives("$[17 / 5]", 3) && gives("$[17 % 5]", 2) &&
          gives("$[5 | 2]", 7) && gives("$[6 & 3]", 2) && gives("$[8]", 8));
    check("expressions may be nested",
          gives("$[2 * $[3 + 4]]", 14) && gives("$[(1 + 2) * 3]", 9) && gives("$[$[$[5]] - 1]", 4));
    good = evaluate("$[1 + 2]") == 0 && dst && snd_config_get_type(dst) == SND_CONFIG_TYPE_INTEGER &&
           snd_config_get_id(dst, &id) == 0 && id == NULL;
    if (result == 0)
        snd_config_delete(dst);
    check("the result is a new integer node without an id", good);
    good = evaluate("$[4294967296 * 4]") == 0 && dst && snd_config_get_type(dst) == SND_CONFIG_TYPE_INTEGER64 &&
           snd_config_get_integer64(dst, &wide) == 0 && wide == 17179869184LL;
    if (result == 0)
        snd_config_delete(dst);
    check("a large result is a 64 bit node", good);
    check("variables of an expression are asked for by their names",
          gives("$[$TWO + $TEN_10]", 12) && calls == 2 && strcmp(names, "TWO;TEN_10;") == 0);
    gives("$[$TWO + $TEN_10]", 12);
    check("the private value reaches the function from an expression", seen_private == 2);
    check("an expression without variables asks for none", gives("$[5 - 3]", 2) && calls == 0);
    check("a lone variable is asked for by its name", gives("$TWO", 2) && calls == 1 && strcmp(names, "TWO;") == 0);
    evaluate("$a long.name[1]+2");
    check("the whole name of a lone variable is asked for", calls == 1 && strcmp(names, "a long.name[1]+2;") == 0);
    gives("$TWO", 2);
    check("the private value reaches the function from a lone variable", seen_private == 1);
    good = evaluate("$TWO") == 0 && dst == made && dst && snd_config_get_id(dst, &id) == 0 && id && !strcmp(id, "two");
    if (result == 0)
        snd_config_delete(dst);
    check("a lone variable gives the node of the function itself", good);
    good = evaluate("$TEXT") == 0 && dst && snd_config_get_string(dst, &text) == 0 && !strcmp(text, "some text");
    if (result == 0)
        snd_config_delete(dst);
    if (evaluate("$REAL") != 0 || !dst || snd_config_get_real(dst, &real) != 0 || real != 2.5)
        good = 0;
    if (result == 0)
        snd_config_delete(dst);
    check("a lone variable of any type is given", good);
    check("a variable without a value gives no node", evaluate("$NONE") == 0 && dst == NULL && calls == 1);
    good = evaluate("$MISSING") == -ENOENT && evaluate("$BROKEN") == -EIO;
    check("an error of the function is returned for a lone variable", good);
    good = evaluate("$[1 + $MISSING]") == -ENOENT && evaluate("$[$BROKEN * 2]") == -EIO;
    check("an error of the function is returned for an expression", good);
    n = 0;
    good = refuses("TWO");
    n += calls;
    good = good && refuses("[1 + 2]");
    n += calls;
    good = good && refuses("1 + 2");
    n += calls;
    check("a string without a dollar sign is refused", good);
    good = refuses("TWO$TWO");
    n += calls;
    good = good && refuses(" $TWO");
    n += calls;
    good = good && refuses("x$[1 + 2]");
    n += calls;
    good = good && refuses(" $[1 + 2]");
    n += calls;
    check("a dollar sign elsewhere is not enough", good);
    good = refuses("");
    n += calls;
    check("an empty string is refused", good);
    check("the function is not asked about a refused string", n == 0);
    check("a wrong expression is refused",
          refuses("$[]") && refuses("$[1 +]") && refuses("$[1 ^ 2]") && refuses("$[a]") && refuses("$[1 2]"));
    check("an expression that is not closed is refused",
          refuses("$[1 + 2") && refuses("$[") && refuses("$[1 + $[2]"));
    n = evaluate("$TWO");
    snd_config_delete(dst);
    n |= evaluate("$[0 - 5]");
    snd_config_delete(dst);
    n |= evaluate("$[7]");
    snd_config_delete(dst);
    check("a success is 0", n == 0);
    check("nothing is read behind the end of the string",
          gives(at_edge("$[1+1]", 7), 2) && gives(at_edge("$TWO", 5), 2) && refuses(at_edge("", 1)) &&
          refuses(at_edge("x", 2)));
    live = plus_live;
    refuse_after(0);
    err = evaluate("$[1 + 2]");
    refuse_none();
    check("out of memory is reported", err == -ENOMEM);
    gives("$[$TWO + $TEN_10]", 12);
    gives("$TWO", 2);
    refuses("$[1 +]");
    refuses("$[(1 + 2]");
    refuses("x");
    evaluate("$[1 + $MISSING]");
    evaluate("$MISSING");
    check("what is not returned is freed", plus_live == live && plus_bad == 0);
    return checked();
}
