/*---
 * tasks: [decimal64_num2str-26eba2]
 * instead: [src/plugins_types/decimal64.c.o]
 * tests:
 *   a number has its point where the fraction begins: 'Docstring: "Decimal64 type with fraction digits".'
 *   a number below one has a zero before the point: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   small numbers have zeros behind the point: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   zeros at the end are left out: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   one digit stays behind the point: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   zeros within a number stay: 'Docstring: "Convert decimal64 number".'
 *   nothing is zero point zero: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   a negative number has its sign: 'Docstring: "Decimal64 number stored in int64".'
 *   a negative number below one has its sign first: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   zeros at the end of a negative number are left out: 'Docstring: "canonical"; RFC 7950, 9.3.2.'
 *   the largest number is right: 'Docstring: "stored in int64".'
 *   the smallest number is right: 'Docstring: "stored in int64".'
 *   the smallest parts of one are right: 'RFC 7950, 9.3.4: up to 18 fraction digits.'
 *   powers of ten are right with all fraction digits: 'RFC 7950, 9.3.4: 1 to 18 fraction digits.'
 *   many numbers are read back as they were: 'Docstring: "Convert decimal64 number to canonical string".'
 *   a conversion is a success: 'Docstring: "LY_ERR value".'
 *   the string is the caller's: 'Caller lyplg_type_store_decimal64 gives it to lydict_insert_zc.'
 *   nothing but the string is left in memory: 'Caller lyplg_type_store_decimal64 has only the string.'
 *   without memory it is LY_EMEM: 'Docstring: "LY_ERR value"; log.h: LY_EMEM.'
 ---*/
#include "../plugins_types/decimal64.c"
#include "plus.h"

static int all = 1;

static int is(int64_t num, int digits, const char *expected) {
    struct lysc_type_dec type = {.fraction_digits = digits};
    char *str = NULL;
    all &= decimal64_num2str(num, &type, &str) == LY_SUCCESS && plus_live(str);
    int good = same(str, expected);
    free(str);
    return good;
}

/* Another way to the canonical string, for any number but 0. */
static int plain(int64_t num, int digits) {
    char text[64], out[64];
    uint64_t n = num < 0 ? -(uint64_t)num : (uint64_t)num, one = 1;
    for (int i = 0; i < digits; i++) one *= 10;
    snprintf(text, sizeof text, "%0*llu", digits, (unsigned long long)(n % one));
    int end = digits;
    while (end > 1 && text[end - 1] == '0') end--;
    snprintf(out, sizeof out, "%s%llu.%.*s", num < 0 ? "-" : "", (unsigned long long)(n / one), end, text);
    return is(num, digits, out);
}

int main(void) {
    plus_start();
    ok("a number has its point where the fraction begins",
       is(123, 1, "12.3") && is(123, 2, "1.23") && is(123456, 3, "123.456"));
    ok("a number below one has a zero before the point",
       is(1, 1, "0.1") && is(12, 2, "0.12") && is(123, 3, "0.123") && is(999, 3, "0.999"));
    ok("small numbers have zeros behind the point",
       is(1, 2, "0.01") && is(12, 5, "0.00012") && is(7, 10, "0.0000000007"));
    ok("zeros at the end are left out",
       is(1250, 3, "1.25") && is(50, 2, "0.5") && is(100, 4, "0.01") && is(120, 2, "1.2"));
    ok("one digit stays behind the point",
       is(10, 1, "1.0") && is(100, 2, "1.0") && is(5000, 3, "5.0") && is(1200, 2, "12.0") && is(100, 1, "10.0"));
    ok("zeros within a number stay", is(1002, 2, "10.02") && is(100100, 3, "100.1") && is(10010, 4, "1.001"));
    ok("nothing is zero point zero", is(0, 1, "0.0") && is(0, 2, "0.0") && is(0, 18, "0.0"));
    ok("a negative number has its sign", is(-123, 1, "-12.3") && is(-123, 2, "-1.23") && is(-10005, 3, "-10.005"));
    ok("a negative number below one has its sign first",
       is(-1, 1, "-0.1") && is(-12, 2, "-0.12") && is(-12, 3, "-0.012") && is(-1, 9, "-0.000000001"));
    ok("zeros at the end of a negative number are left out",
       is(-10, 1, "-1.0") && is(-1250, 3, "-1.25") && is(-50, 2, "-0.5") && is(-100, 4, "-0.01"));
    ok("the largest number is right",
       is(INT64_MAX, 1, "922337203685477580.7") && is(INT64_MAX, 18, "9.223372036854775807") &&
       is(INT64_MAX, 9, "9223372036.854775807"));
    ok("the smallest number is right",
       is(INT64_MIN, 1, "-922337203685477580.8") && is(INT64_MIN, 18, "-9.223372036854775808") &&
       is(INT64_MIN, 17, "-92.23372036854775808"));
    ok("the smallest parts of one are right",
       is(1, 18, "0.000000000000000001") && is(-1, 18, "-0.000000000000000001") && is(10, 18, "0.00000000000000001"));
    int good = 1;
    for (int digits = 1; digits <= 18; digits++) {
        int64_t n = 1;
        for (int i = 0; i <= 18; i++, n *= i <= 18 ? 10 : 1)
            good &= plain(n, digits) && plain(-n, digits) && plain(n + 1, digits) && plain(n - 1 ? n - 1 : 5, digits);
    }
    ok("powers of ten are right with all fraction digits", good);
    good = 1;
    uint64_t seed = 12345;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        int64_t n = (int64_t)seed >> (seed >> 7) % 60;
        if (n) good &= plain(n, 1 + (seed >> 20) % 18);
    }
    ok("many numbers are read back as they were", good);
    ok("a conversion is a success", is(5, 1, "0.5") && all);
    struct lysc_type_dec type = {.fraction_digits = 3};
    long live = plus_live_blocks;
    char *str = NULL;
    decimal64_num2str(-4200, &type, &str);
    ok("the string is the caller's", plus_live(str) && same(str, "-4.2"));
    free(str);
    ok("nothing but the string is left in memory", plus_live_blocks == live);
    plus_fail_at = 1;
    LY_ERR r = decimal64_num2str(1, &type, &str);
    plus_fail_at = 0;
    ok("without memory it is LY_EMEM", r == LY_EMEM);
    return plus_end();
}
