/*---
 * tasks: [decode_number-73eacd]
 * tests:
 *   a number of one digit is decoded: 'Docstring: "Decode integer argument value".'
 *   a number of several digits is decoded: 'Docstring: "Decode integer argument value".'
 *   leading zeros are decimal: 'Docstring: "Decode integer argument value"; the buffer-size is a decimal number.'
 *   K is a factor of 1024: 'pcregrep.1: "to signify multiplication by 1024".'
 *   M is a factor of 1024 times 1024: 'pcregrep.1: "1024 or 1024*1024 respectively".'
 *   a large number is decoded: 'Docstring: returns "a long integer".'
 *   a large number with a factor is decoded: 'Docstring: returns "a long integer".'
 *   the short and the long form are decoded alike: 'Docstring: longop, "TRUE if option given in long form".'
 *   the data stays as it was: 'Callers pass an argument of main.'
 *   a word is malformed: 'Docstring: "integer arguments"; the error is told by op.'
 *   a letter behind the digits is malformed: 'Docstring: "can be followed by K or M".'
 *   two factors are malformed: 'Docstring: "can be followed by K or M".'
 *   digits behind a factor are malformed: 'Docstring: "can be followed by K or M".'
 *   a fraction is malformed: 'Docstring: "Decode integer argument value".'
 *   a malformed number ends the program with status 2: 'pcregrep.1: exit code 2 for syntax errors.'
 *   the malformed number is told: 'Docstring: "the option item (for error messages)".'
 *   the short option is told: 'Docstring: op "for error messages"; one_char.'
 *   the long option is told: 'Docstring: longop; option_item, long_name.'
 *   of a long name the part before the equals sign is told: 'Table optionlist: names like "context=number".'
 *   a long name without equals sign is told: 'Table optionlist: names without "=".'
 *   how to use the program is told: 'pcregrep.c: usage(), as for other wrong options.'
 ---*/
#include "plus.h"
#define main pcregrep_main
#include "../pcregrep.c"
#undef main

static option_item with = {OP_NUMBER, 'Q', NULL, "some-thing=number", "help"};
static option_item without = {OP_NUMBER, 'R', NULL, "other-thing", "help"};
static option_item *item = &with;
static char data[100];
static BOOL form;
static char text[4000];
static int status;

static long decode(const char *number) {
    strcpy(data, number);
    return decode_number(data, &with, FALSE);
}

static void run(void) {
    decode_number(data, item, form);
}

static int malformed(const char *number, option_item *op, BOOL longop) {
    strcpy(data, number);
    item = op;
    form = longop;
    status = plus_child(run, text, sizeof(text));
    return status > 0;
}

int main(void) {
    int good;
    ok("a number of one digit is decoded", decode("7") == 7 && decode("0") == 0 && decode("9") == 9);
    ok("a number of several digits is decoded", decode("10") == 10 && decode("1234567890") == 1234567890);
    ok("leading zeros are decimal", decode("010") == 10 && decode("0008") == 8);
    ok("K is a factor of 1024", decode("1K") == 1024 && decode("20K") == 20480 && decode("0K") == 0);
    ok("M is a factor of 1024 times 1024", decode("1M") == 1048576 && decode("3M") == 3145728);
    ok("a large number is decoded",
       decode("2147483648") == 2147483648L && decode("12345678901234") == 12345678901234L);
    ok("a large number with a factor is decoded",
       decode("5000000K") == 5120000000L && decode("10000M") == 10485760000L);
    strcpy(data, "12K");
    good = decode_number(data, &without, TRUE) == 12288 && decode_number(data, &with, TRUE) == 12288;
    ok("the short and the long form are decoded alike", good && decode_number(data, &without, FALSE) == 12288);
    ok("the data stays as it was", !strcmp(data, "12K"));
    ok("a word is malformed", malformed("abc", &with, FALSE) && malformed("x1", &with, TRUE));
    ok("a letter behind the digits is malformed", malformed("12x", &with, FALSE) && malformed("0x12", &with, FALSE) &&
       malformed("1G", &with, FALSE));
    ok("two factors are malformed", malformed("1KM", &with, FALSE) && malformed("1KK", &with, FALSE) &&
       malformed("1MK", &with, TRUE) && malformed("1KB", &with, TRUE));
    ok("digits behind a factor are malformed", malformed("1K2", &with, FALSE) && malformed("1M0", &with, TRUE));
    ok("a fraction is malformed", malformed("1.5", &with, FALSE) && malformed("1,5K", &with, FALSE));
    good = malformed("12zz", &with, FALSE) && status == 2;
    ok("a malformed number ends the program with status 2", good && malformed("zz", &without, TRUE) && status == 2);
    malformed("12zz", &with, FALSE);
    ok("the malformed number is told", strstr(text, "12zz") != NULL);
    ok("the short option is told", strstr(text, "-Q") != NULL && strstr(text, "some-thing") == NULL);
    ok("how to use the program is told", strstr(text, "Usage") != NULL);
    malformed("13zz", &with, TRUE);
    ok("the long option is told", strstr(text, "--some-thing") != NULL && strstr(text, "-Q") == NULL &&
       strstr(text, "13zz") != NULL);
    ok("of a long name the part before the equals sign is told", strstr(text, "--some-thing") != NULL &&
       strstr(text, "=number") == NULL);
    malformed("14zz", &without, TRUE);
    ok("a long name without equals sign is told", strstr(text, "--other-thing") != NULL);
    return plus_end();
}
