/*---
 * tasks: [lyjson_exp_number_copy_num_part-7229ac]
 * instead: [src/json.c.o]
 * tests:
 *   without points the digits are copied: 'Docstring: "Copy the numeric part".'
 *   the old point is left out: 'Docstring: "except its decimal point".'
 *   the new point is put at its position: 'Docstring: "insert the new decimal point".'
 *   the point can move to the right: 'Caller lyjson_exp_number, "Insert decimal point between the integers digits".'
 *   the point can move to the left: 'Caller lyjson_exp_number, "Insert decimal point between the integers digits".'
 *   the new point may stand before the last digit: 'Docstring: "in the numeric part range".'
 *   a position behind the digits adds no point: 'Docstring: "only if it is to be placed in the numeric part range".'
 *   a position at the end of the digits adds no point: 'Docstring: "only if it is to be placed in the ... range".'
 *   a negative position adds no point: 'Docstring: "If it has a negative value, it is ignored".'
 *   a point is no longer known when it is NULL: 'Docstring: "If it has a NULL value, it is ignored".'
 *   only the part is copied: 'Docstring: "Length of the numeric part"; an exponent follows it.'
 *   an empty part writes nothing: 'Docstring: "Length"; "Number of characters written".'
 *   the number of characters is returned: 'Docstring: "Number of characters written to the DST".'
 *   with one point less it is one less: 'Docstring: "Number of characters written to the DST".'
 *   nothing is written behind them: 'Callers go on there, and allocate no more.'
 *   the input stays as it was: 'Docstring: it copies.'
 ---*/
#include "../json.c"
#include "plus.h"

static int counted = 1, clean = 1;

/* OLD is the index of the old point, or -1. */
static int is(const char *num, int len, int old, int dp, const char *expected) {
    char out[64], copy[64];
    memset(out, '#', sizeof out);
    strcpy(copy, num);
    uint32_t n = lyjson_exp_number_copy_num_part(copy, len, old < 0 ? NULL : copy + old, dp, out + 8);
    size_t size = strlen(expected);
    counted &= n == size;
    for (size_t i = 0; i < sizeof out; i++) clean &= (i >= 8 && i < 8 + size) || out[i] == '#';
    clean &= same(copy, num);
    return !memcmp(out + 8, expected, size);
}

int main(void) {
    plus_start();
    ok("without points the digits are copied", is("12345", 5, -1, -1, "12345"));
    ok("the old point is left out", is("12.345", 6, 2, -1, "12345") && is("1.2", 3, 1, -1, "12"));
    ok("the new point is put at its position", is("12345", 5, -1, 2, "12.345") && is("12345", 5, -1, 1, "1.2345"));
    ok("the point can move to the right", is("1.2345", 6, 1, 3, "123.45") && is("1.2345", 6, 1, 2, "12.345"));
    ok("the point can move to the left", is("1234.5", 6, 4, 1, "1.2345") && is("123.45", 6, 3, 2, "12.345"));
    ok("the new point may stand before the last digit", is("1.2345", 6, 1, 4, "1234.5") && is("98", 2, -1, 1, "9.8"));
    ok("a position behind the digits adds no point", is("12", 2, -1, 9, "12") && is("1.23", 4, 1, 9, "123"));
    ok("a position at the end of the digits adds no point",
       is("12", 2, -1, 2, "12") && is("1.23", 4, 1, 3, "123") && is("12", 2, -1, 3, "12"));
    ok("a negative position adds no point", is("12.34", 5, 2, -1, "1234") && is("7", 1, -1, -1, "7"));
    ok("a point is no longer known when it is NULL", is("000123", 6, -1, 4, "0001.23"));
    ok("only the part is copied", is("12.34e5", 5, 2, 3, "123.4") && is("1234", 2, -1, -1, "12"));
    ok("an empty part writes nothing", is("12", 0, -1, -1, "") && is("12", 0, -1, 1, ""));
    ok("the number of characters is returned", counted);
    char out[16];
    ok("with one point less it is one less",
       lyjson_exp_number_copy_num_part("1.5", 3, NULL, -1, out) == 3 &&
       lyjson_exp_number_copy_num_part("15", 2, NULL, 1, out) == 3);
    ok("nothing is written behind them", clean);
    char text[] = "1.25e1";
    lyjson_exp_number_copy_num_part(text, 4, text + 1, 2, out);
    ok("the input stays as it was", same(text, "1.25e1") && !memcmp(out, "12.5", 4));
    return plus_end();
}
