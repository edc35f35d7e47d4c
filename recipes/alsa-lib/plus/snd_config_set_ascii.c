/*---
 * tasks: [snd_config_set_ascii-93ebe6]
 * tests:
 *   an integer is set: 'Docstring: "a new value that is parsed from the string".'
 *   a negative integer is set: 'Docstring: "a valid value with the same type".'
 *   an integer has the range of long: 'snd_config_set_integer: the value of an integer node is a long.'
 *   a hexadecimal integer is set: 'local.h: safe_strtol takes any base, as does parse_value for files.'
 *   a 64 bit integer is set: 'Docstring: "a valid value with the same type".'
 *   a 64 bit integer has its whole range: 'snd_config_set_integer64: the value is a long long.'
 *   a real number is set: 'Docstring: "a valid value with the same type".'
 *   a real number may be written as an integer: 'A whole number is a valid value of a real.'
 *   a real number has the precision of a double: 'snd_config_set_real: the value is a double.'
 *   a string is set: 'Docstring: "the new value is a copy of ascii".'
 *   a string may look like a number: 'Docstring: "the type does not change".'
 *   a string may be empty: 'Docstring: "a copy of ascii".'
 *   a string node without a value gets one: 'snd_config_make_string: a new node is NULL.'
 *   the string is copied: 'Docstring: "For a string node, the new value is a copy".'
 *   a string node takes its own value: 'Docstring: "a copy of ascii"; nothing forbids the string of the node.'
 *   a value may be set again: 'Docstring: "changes the value to a new value".'
 *   the type and the id stay: 'Docstring: "The type does not change".'
 *   a success is 0: 'Docstring: "Zero if successful".'
 *   what is no integer is refused: 'Docstring: "-EINVAL: The value in ascii cannot be parsed".'
 *   an integer with a rest is refused: 'Docstring: "-EINVAL"; test/lsb/config.c.'
 *   an integer node takes no real number: 'Docstring: "must contain a valid value with the same type".'
 *   what is no 64 bit integer is refused: 'Docstring: "-EINVAL: cannot be parsed".'
 *   what is no real number is refused: 'Docstring: "-EINVAL: cannot be parsed".'
 *   an empty string is no number: 'Docstring: "-EINVAL: cannot be parsed".'
 *   an integer that is too big is refused: 'Docstring: "-ERANGE: too big for the type".'
 *   a 64 bit integer that is too big is refused: 'Docstring: "-ERANGE: too big for the type".'
 *   a real number that is too big is refused: 'Docstring: "-ERANGE: too big for the type".'
 *   a refused value changes nothing: 'Docstring: an error is no success; the value is only changed to what is parsed.'
 *   a compound node is refused: 'Docstring: "-EINVAL: config is not a number or string node".'
 *   the children of a refused compound stay: 'The same.'
 *   a pointer node is refused: 'Docstring: "-EINVAL: config is not a number or string node".'
 *   the value of a refused pointer stays: 'The same.'
 *   a string without memory is refused: 'Docstring: "-ENOMEM: Out of memory".'
 *   a string node without memory keeps its value: 'Docstring: an error is no success.'
 *   the old string is freed once: 'snd_config_set_string: "deletes the old string".'
 ---*/
#include "plus.h"
#include <limits.h>
#include <alsa/asoundlib.h>

static snd_config_t *i, *l, *r, *s, *p, *c;

static int is_integer(long value)
{
    long v = 0;
    return snd_config_get_integer(i, &v) == 0 && v == value;
}

static int is_wide(long long value)
{
    long long v = 0;
    return snd_config_get_integer64(l, &v) == 0 && v == value;
}

static int is_real(double value)
{
    double v = 0;
    return snd_config_get_real(r, &v) == 0 && v == value;
}

static int is_string(const char *value)
{
    const char *v = NULL;
    return snd_config_get_string(s, &v) == 0 && v && strcmp(v, value) == 0;
}

static int kept;

/* The error for a value that a node refuses; the node's value is looked at as well. */
static int refuses(snd_config_t *node, const char *value)
{
    int err;

    snd_config_set_integer(i, 1234);
    snd_config_set_integer64(l, 1234567890123LL);
    snd_config_set_real(r, 12.5);
    err = snd_config_set_ascii(node, value);
    kept = kept && is_integer(1234) && is_wide(1234567890123LL) && is_real(12.5);
    return err;
}

int main(void)
{
    snd_config_t *child, *found;
    const char *own, *id = NULL;
    const void *ptr = NULL;
    char text[40], number[40];
    int good, zero, err;
    long live;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    snd_config_make_integer(&i, "i");
    snd_config_make_integer64(&l, "l");
    snd_config_make_real(&r, "r");
    snd_config_make_string(&s, "s");
    snd_config_make_pointer(&p, "p");
    snd_config_set_pointer(p, &zero);
    snd_config_top(&c);
    snd_config_imake_integer(&child, "child", 5);
    snd_config_add(c, child);
    zero = 0;

    zero |= snd_config_set_ascii(s, "first");
    check("a string node without a value gets one", is_string("first"));
    zero |= snd_config_set_ascii(s, "half blue");
    check("a string is set", is_string("half blue"));
    zero |= snd_config_set_ascii(s, "-17");
    check("a string may look like a number", is_string("-17") && snd_config_get_type(s) == SND_CONFIG_TYPE_STRING);
    zero |= snd_config_set_ascii(s, "");
    check("a string may be empty", is_string(""));
    strcpy(text, "a text");
    zero |= snd_config_set_ascii(s, text);
    memset(text, 'x', sizeof(text) - 1);
    check("the string is copied", is_string("a text"));
    snd_config_get_string(s, &own);
    err = snd_config_set_ascii(s, own);
    check("a string node takes its own value", err == 0 && is_string("a text") && plus_bad == 0);

    zero |= snd_config_set_ascii(i, "23");
    check("an integer is set", is_integer(23));
    zero |= snd_config_set_ascii(i, "-4711");
    check("a negative integer is set", is_integer(-4711));
    snprintf(number, sizeof(number), "%ld", LONG_MAX);
    good = snd_config_set_ascii(i, number) == 0 && is_integer(LONG_MAX);
    snprintf(number, sizeof(number), "%ld", LONG_MIN);
    check("an integer has the range of long", good && snd_config_set_ascii(i, number) == 0 && is_integer(LONG_MIN));
    check("a hexadecimal integer is set", snd_config_set_ascii(i, "0x1f") == 0 && is_integer(31) &&
          snd_config_set_ascii(l, "0xfff") == 0 && is_wide(4095));
    zero |= snd_config_set_ascii(l, "-70000000000");
    check("a 64 bit integer is set", is_wide(-70000000000LL));
    good = snd_config_set_ascii(l, "9223372036854775807") == 0 && is_wide(LLONG_MAX);
    check("a 64 bit integer has its whole range",
          good && snd_config_set_ascii(l, "-9223372036854775808") == 0 && is_wide(LLONG_MIN));
    zero |= snd_config_set_ascii(r, "-0.25");
    good = is_real(-0.25);
    zero |= snd_config_set_ascii(r, "1.5e3");
    check("a real number is set", good && is_real(1500));
    zero |= snd_config_set_ascii(r, "48000");
    check("a real number may be written as an integer", is_real(48000));
    zero |= snd_config_set_ascii(r, "3.141592653589793");
    check("a real number has the precision of a double", is_real(3.141592653589793));
    zero |= snd_config_set_ascii(i, "1") | snd_config_set_ascii(i, "2") | snd_config_set_ascii(s, "one");
    zero |= snd_config_set_ascii(s, "a longer value than before") | snd_config_set_ascii(i, "0");
    check("a value may be set again", is_integer(0) && is_string("a longer value than before"));
    good = snd_config_get_type(i) == SND_CONFIG_TYPE_INTEGER && snd_config_get_type(l) == SND_CONFIG_TYPE_INTEGER64 &&
           snd_config_get_type(r) == SND_CONFIG_TYPE_REAL && snd_config_get_type(s) == SND_CONFIG_TYPE_STRING &&
           snd_config_get_id(i, &id) == 0 && strcmp(id, "i") == 0 && snd_config_get_id(s, &id) == 0 &&
           strcmp(id, "s") == 0;
    check("the type and the id stay", good);
    check("a success is 0", zero == 0);

    kept = 1;
    check("what is no integer is refused", refuses(i, "half blue") == -EINVAL && refuses(i, "-") == -EINVAL);
    check("an integer with a rest is refused", refuses(i, "12x") == -EINVAL && refuses(i, "12 3") == -EINVAL);
    check("an integer node takes no real number", refuses(i, "1.5") == -EINVAL && refuses(i, "1e3") == -EINVAL);
    check("what is no 64 bit integer is refused",
          refuses(l, "blue") == -EINVAL && refuses(l, "12x") == -EINVAL && refuses(l, "2.5") == -EINVAL);
    check("what is no real number is refused",
          refuses(r, "blue") == -EINVAL && refuses(r, "1.5x") == -EINVAL && refuses(r, "1,5") == -EINVAL);
    check("an empty string is no number",
          refuses(i, "") == -EINVAL && refuses(l, "") == -EINVAL && refuses(r, "") == -EINVAL);
    check("an integer that is too big is refused",
          refuses(i, "99999999999999999999") == -ERANGE && refuses(i, "-99999999999999999999") == -ERANGE);
    check("a 64 bit integer that is too big is refused",
          refuses(l, "9223372036854775808") == -ERANGE && refuses(l, "-9223372036854775809") == -ERANGE);
    check("a real number that is too big is refused",
          refuses(r, "1e999") == -ERANGE && refuses(r, "-1e999") == -ERANGE);
    check("a refused value changes nothing", kept);

    check("a compound node is refused",
          snd_config_set_ascii(c, "0") == -EINVAL && snd_config_set_ascii(c, "x") == -EINVAL);
    check("the children of a refused compound stay", snd_config_get_type(c) == SND_CONFIG_TYPE_COMPOUND &&
          snd_config_search(c, "child", &found) == 0 && found == child);
    check("a pointer node is refused", snd_config_set_ascii(p, "0") == -EINVAL);
    check("the value of a refused pointer stays", snd_config_get_pointer(p, &ptr) == 0 && ptr == &zero);

    snd_config_set_ascii(s, "the old one");
    refuse_after(0);
    err = snd_config_set_ascii(s, "the new one");
    refuse_none();
    check("a string without memory is refused", err == -ENOMEM);
    check("a string node without memory keeps its value", plus_bad == 0 && is_string("the old one"));
    snd_config_delete(i);
    snd_config_delete(l);
    snd_config_delete(r);
    snd_config_delete(s);
    snd_config_delete(p);
    snd_config_delete(c);
    check("the old string is freed once", plus_live == live && plus_bad == 0);
    return checked();
}
