/*---
 * tasks: [_snd_eval_string-e7fe55.2]
 * tests:
 *   a number is evaluated: 'Page confarg_math: "simple math expressions".'
 *   numbers may be negative: '_parse_integer and a sign before a number.'
 *   numbers may be hexadecimal or octal: '_parse_integer; the library reads integers so (safe_strtoll).'
 *   sum and difference are right: 'Page confarg_math.'
 *   product and quotient are right: 'Page confarg_math.'
 *   remainder is right: 'Page confarg_math.'
 *   bits are joined and masked: 'Page confarg_math.'
 *   the left and the right side are told apart: 'Page confarg_math.'
 *   blanks do not matter: 'Page confarg_math: $[$CARD + 1]; test/lsb/config.c.'
 *   parentheses hold an expression: 'test/lsb/config.c: test_evaluate_string.'
 *   brackets hold an expression: 'Page confarg_math: $[...].'
 *   expressions may be nested on both sides: 'test/lsb/config.c: test_evaluate_string.'
 *   a variable is asked for by its name: 'Page confarg_refer: "a dollar-sign ($) and the name".'
 *   a name has letters and digits and underscores: 'Page conf_assigns: what a name is composed from.'
 *   the private value reaches the function: 'snd_config_evaluate_string: "A private value for the [...] function".'
 *   a variable in a nested expression is asked for: 'Page confarg_math: $[$CARD + 1].'
 *   a variable without a value is zero: 'conf.c: _snd_config_expand_vars gives no node; imake_integer of 0.'
 *   a variable may be an integer of 64 bits: '_to_integer.'
 *   a variable may be a string with a number: '_to_integer; arguments are strings.'
 *   a variable of another kind is refused: '_to_integer: -EINVAL.'
 *   an error of the function is returned: 'snd_config_evaluate_string: "otherwise a negative error code".'
 *   a result within an int is an integer: 'Callers get it by snd_config_get_integer.'
 *   a result beyond an int is an integer of 64 bits: 'test/lsb/config.c; conf.c: parse_value.'
 *   the result has no id: 'Caller conf.c sets the id itself.'
 *   an empty expression is refused: 'snd_config_evaluate_string: "otherwise a negative error code".'
 *   an incomplete expression is refused: 'The same; "incomplete expression".'
 *   a second operation is refused: 'The same; "unexpected expression tail".'
 *   an unknown operation is refused: 'The same; "unknown operation".'
 *   an unknown value is refused: 'The same.'
 *   what is not closed is refused: 'The same; _find_end_of_expression gives NULL.'
 *   a number out of range is refused: '_parse_integer: errno of strtoll.'
 *   an error in a nested expression is returned: 'The same.'
 *   a success is 0: 'snd_config_evaluate_string: "0 if successful".'
 *   what variables give is freed: 'The caller gets but the result.'
 *   errors leave nothing behind: 'The caller gets nothing then.'
 *   out of memory is reported: 'snd_config_evaluate_string: "a negative error code".'
 *   an integer is parsed: '_parse_integer: strtoll.'
 *   the position is behind the integer: '_parse_integer: its caller goes on from there.'
 *   an older errno does not matter: '_parse_integer: errno of strtoll alone.'
 *   the largest and smallest integers are parsed: '_parse_integer: value_type_t.'
 *   an integer too large is an error: '_parse_integer: -errno, which is -ERANGE.'
 ---*/
#include "plus.h"
#include "../../src/confeval.c"

static int calls, seen_private, key;
static char names[400];

static int variable(snd_config_t **dst, const char *name, void *private_data)
{
    calls++;
    seen_private += private_data == &key;
    strncat(names, name, 80);
    strcat(names, ";");
    if (strcmp(name, "TWO") == 0)
        return snd_config_imake_integer(dst, "two", 2);
    if (strcmp(name, "a_9Z") == 0)
        return snd_config_imake_integer(dst, NULL, 9);
    if (strcmp(name, "BIG") == 0)
        return snd_config_imake_integer64(dst, NULL, 1LL << 40);
    if (strcmp(name, "STR") == 0)
        return snd_config_imake_string(dst, NULL, "0x21");
    if (strcmp(name, "TEXT") == 0)
        return snd_config_imake_string(dst, NULL, "text");
    if (strcmp(name, "REAL") == 0)
        return snd_config_imake_real(dst, NULL, 2.5);
    if (strcmp(name, "TREE") == 0)
        return snd_config_make_compound(dst, NULL, 0);
    *dst = NULL;
    return strcmp(name, "NONE") == 0 ? 0 : strcmp(name, "IO") == 0 ? -EIO : -ENOENT;
}

static snd_config_t *dst;
static int result;
static long long value;

static int run(const char *text)
{
    char *copy = at_edge(text, strlen(text) + 1);

    calls = seen_private = 0;
    names[0] = 0;
    dst = NULL;
    result = _snd_eval_string(&dst, copy, variable, &key);
    return result;
}

static int gives(const char *text, long long wanted)
{
    int good = 0;
    long l;

    if (run(text) == 0 && dst) {
        if (snd_config_get_type(dst) == SND_CONFIG_TYPE_INTEGER)
            good = !snd_config_get_integer(dst, &l) && l == wanted;
        else
            good = !snd_config_get_integer64(dst, &value) && value == wanted;
        snd_config_delete(dst);
    }
    return good;
}

static int refused(const char *text)
{
    return run(text) == -EINVAL;
}

static int type_of(const char *text)
{
    int type = -1;

    if (run(text) == 0 && dst) {
        type = snd_config_get_type(dst);
        snd_config_delete(dst);
    }
    return type;
}

static int parses(const char *text, long long wanted, int length)
{
    value_type_t v = 77;
    const char *s = text;

    errno = EDOM;
    return _parse_integer(&v, &s) == 0 && v == wanted && s == text + length;
}

int main(void)
{
    static const char *const wrong[] = {
        "", "1 +", "+ 1", "1 + 2 + 3", "1 ^ 2", "x + 1", "(1 + 2", "$[1 + 2", "1 + (2 * 3", "(1 + x) * 2",
        "$TWO + $TEXT",
        "$TWO + $REAL", "$TREE + 1", "$IO + 1", "$TWO + $GONE", "99999999999999999999 + 1", "$[$TWO +] + 1"};
    const char *id = "?", *s;
    value_type_t v;
    long live;
    int i, good;

    snd_lib_error_set_handler(quiet);
    check("a number is evaluated", gives("7", 7) && gives("0", 0) && gives("123456", 123456));
    good = gives("-5", -5) && gives("-5 + 3", -2) && gives("3 + -5", -2) && gives("2 - -3", 5);
    check("numbers may be negative", good);
    check("numbers may be hexadecimal or octal", gives("0x1f", 31) && gives("010 + 0x10", 24));
    check("sum and difference are right", gives("20 + 3", 23) && gives("20 - 3", 17) && gives("3 - 20", -17));
    check("product and quotient are right",
          gives("20 * 3", 60) && gives("20 / 3", 6) && gives("-7 / 2", -3) && gives("4 * -5", -20));
    check("remainder is right", gives("20 % 3", 2) && gives("6 % 3", 0) && gives("7 % 10", 7));
    check("bits are joined and masked", gives("12 | 10", 14) && gives("12 & 10", 8) && gives("0x10 | 1", 17));
    check("the left and the right side are told apart", gives("9 - 4", 5) && gives("9 / 4", 2) && gives("4 / 9", 0));
    check("blanks do not matter",
          gives("1+2", 3) && gives("  1  +  2  ", 3) && gives("\t1\n- 2 ", -1) && gives("8-3", 5) && gives(" 42", 42));
    check("parentheses hold an expression", gives("(1 + 2)", 3) && gives("( 8 )", 8) && gives("((1 + 2))", 3));
    check("brackets hold an expression", gives("$[1 + 2]", 3) && gives("$[ $[4] * 2 ]", 8));
    check("expressions may be nested on both sides",
          gives("(1 + 2) * (3 + 4)", 21) && gives("2 * ((1 + 2) * (10 - 3))", 42) && gives("$[1 + 2] * 3", 9) &&
          gives("100 - $[(2 * 3) + 4]", 90));
    good = gives("$TWO + 5", 7) && calls == 1 && strcmp(names, "TWO;") == 0;
    good = good && gives("5 - $TWO", 3) && gives("$TWO", 2);
    check("a variable is asked for by its name", good);
    good = gives("$a_9Z+1", 10) && strcmp(names, "a_9Z;") == 0;
    check("a name has letters and digits and underscores", good && gives("1+$a_9Z", 10) && gives("$a_9Z*$TWO", 18));
    good = gives("$TWO + $a_9Z", 11) && calls == 2 && seen_private == 2 && strcmp(names, "TWO;a_9Z;") == 0;
    check("the private value reaches the function", good);
    good = gives("$[$TWO + 1] * 3", 9) && calls == 1 && seen_private == 1;
    good = good && gives("3 * ($TWO + $TWO)", 12) && seen_private == 2;
    check("a variable in a nested expression is asked for", good);
    check("a variable without a value is zero", gives("$NONE + 3", 3) && gives("4 - $NONE", 4) && gives("$NONE", 0));
    check("a variable may be an integer of 64 bits", gives("$BIG + 1", (1LL << 40) + 1) && gives("$BIG / $BIG", 1));
    check("a variable may be a string with a number", gives("$STR + 1", 34) && gives("1 * $STR", 33));
    good = refused("$REAL + 1") && refused("1 + $TREE") && refused("$TREE") && run("$TEXT + 1") < 0;
    check("a variable of another kind is refused", good && run("1 + $TEXT") < 0);
    good = run("$IO + 1") == -EIO && run("1 + $IO") == -EIO && run("$GONE") == -ENOENT;
    good = good && run("$[1 + $IO] + 2") == -EIO;
    check("an error of the function is returned", good);
    check("a result within an int is an integer",
          type_of("1 + 1") == SND_CONFIG_TYPE_INTEGER && type_of("2147483646 + 1") == SND_CONFIG_TYPE_INTEGER &&
          type_of("-2147483647 - 1") == SND_CONFIG_TYPE_INTEGER &&
          type_of("$BIG / $BIG") == SND_CONFIG_TYPE_INTEGER &&
          gives("2147483646 + 1", 2147483647) && gives("-2147483647 - 1", -2147483648LL));
    check("a result beyond an int is an integer of 64 bits",
          type_of("2147483647 + 1") == SND_CONFIG_TYPE_INTEGER64 && gives("2147483647 + 1", 2147483648LL) &&
          type_of("-2147483647 - 2") == SND_CONFIG_TYPE_INTEGER64 && gives("-2147483647 - 2", -2147483649LL) &&
          gives("3000000000 * 2", 6000000000LL) && type_of("$BIG") == SND_CONFIG_TYPE_INTEGER64);
    run("1 + 1");
    check("the result has no id", dst && snd_config_get_id(dst, &id) == 0 && id == NULL);
    snd_config_delete(dst);
    run("$TWO");
    check("a success is 0", result == 0);
    snd_config_delete(dst);
    check("an empty expression is refused", refused("") && refused("   ") && refused("()") && refused("$[ ]"));
    check("an incomplete expression is refused", refused("1 +") && refused("$TWO * ") && refused("(1 +) + 2"));
    check("a second operation is refused", refused("1 + 2 + 3") && refused("1 + 2 3") && refused("(1 * 2) - 3 x"));
    check("an unknown operation is refused", refused("1 ^ 2") && refused("1 = 2") && refused("1 2") && refused("3 x"));
    check("an unknown value is refused", refused("x") && refused("1 + x") && refused("+ 1") && refused("1 * * 2"));
    check("what is not closed is refused", refused("(1 + 2") && refused("$[1 + 2") && refused("1 + ((2 + 3)") &&
          refused("$[1 + $[2 + 3]"));
    check("a number out of range is refused",
          run("99999999999999999999") == -ERANGE && run("1 + -99999999999999999999") == -ERANGE);
    check("an error in a nested expression is returned",
          refused("(1 + x) * 2") && refused("2 * $[1 +]") && run("2 * (1 + $IO)") == -EIO);

    live = plus_live;
    gives("$TWO + $a_9Z", 11);
    gives("$[$STR + 1] * ($BIG - $NONE)", 0);
    gives("(1 + 2) * (3 + 4)", 21);
    check("what variables give is freed", plus_live == live && plus_bad == 0);
    for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        run(wrong[i]);
    check("errors leave nothing behind", plus_live == live && plus_bad == 0);
    for (good = 1, i = 0; i < 40; i++) {
        refuse_once(i);
        run("$[$TWO + 1] * (3 + 4)");
        refuse_none();
        if (result == 0)
            snd_config_delete(dst);
        if (plus_refused == 0)
            break;
        good = good && result < 0;
    }
    check("out of memory is reported", good && i > 2 && i < 40 && plus_live == live);

    check("an integer is parsed", parses("12", 12, 2) && parses("-7", -7, 2) && parses("0x1F", 31, 4));
    check("the position is behind the integer",
          parses("12 + 3", 12, 2) && parses("5)", 5, 1) && parses("017*2", 15, 3) && parses("0]", 0, 1));
    errno = ERANGE;
    s = "8 ";
    check("an older errno does not matter", _parse_integer(&v, &s) == 0 && v == 8);
    check("the largest and smallest integers are parsed",
          parses("9223372036854775807", 9223372036854775807LL, 19) &&
          parses("-9223372036854775808", -9223372036854775807LL - 1, 20));
    s = "9223372036854775808";
    good = _parse_integer(&v, &s) == -ERANGE;
    s = "-9223372036854775809";
    check("an integer too large is an error", good && _parse_integer(&v, &s) == -ERANGE);
    return checked();
}
