/*---
 * tasks: [gu_str2ll-108193]
 * tests:
 *   a decimal number is converted: 'gu_utils.h: "versions of standard libc functions".'
 *   a sign is taken: 'gu_utils.h: "versions of standard libc functions" (strtoll).'
 *   white space before it is skipped: 'gu_utils.h: "versions of standard libc functions" (strtoll).'
 *   hexadecimal and octal numbers are converted: 'gu_utils.h: "standard libc functions"; gu_utils_test.c.'
 *   the largest and the smallest number are converted: 'Signature: long long.'
 *   K is 1024: 'gu_utils.h: "K/M/G size modifiers".'
 *   M is 1024 times as much: 'gu_utils.h: "K/M/G size modifiers".'
 *   G is 1024 times as much: 'gu_utils.h: "K/M/G size modifiers".'
 *   T is 1024 times as much: 'gu_utils.h: "K/M/G size modifiers and the like"; gu_utils_test.c.'
 *   small letters mean the same: 'gu_utils.h: "and the like"; gu_utils_test.c.'
 *   a negative number is multiplied too: 'gu_utils.h: "size modifiers".'
 *   zero stays zero: 'gu_utils.h: "size modifiers".'
 *   modifiers follow other bases too: 'gu_utils.h: "size modifiers"; "standard libc functions".'
 *   a string that was converted whole ends there: 'gu_utils.h: "if (ret[0] == 0) whole string was converted".'
 *   it points behind the number: 'gu_utils.h: "pointer to the next character after conversion".'
 *   it points behind the modifier: 'gu_utils.h: "pointer to the next character after conversion".'
 *   only one modifier is taken: 'gu_utils.h: "pointer to the next character after conversion".'
 *   other letters are no modifiers: 'gu_utils.h: "K/M/G size modifiers"; gu_utils_test.c.'
 *   a modifier stands right behind the number: 'gu_utils.h: "size modifiers".'
 *   without a number it points to the start: 'gu_utils.h: "if (ret == str) no conversion was made".'
 *   too large a number becomes the largest: 'gu_utils.h: "standard libc functions" (strtoll); gu_utils_test.c.'
 *   too small a number becomes the smallest: 'gu_utils.h: "standard libc functions" (strtoll); gu_utils_test.c.'
 *   what a modifier makes too large becomes the largest: 'gu_utils_test.c: LLONG_MAX.'
 *   what a modifier makes too small becomes the smallest: 'gu_utils_test.c: LLONG_MIN.'
 *   errno says that it was out of range: 'Callers (gu_config.hpp): "this is needed to detect overflow".'
 *   errno stays where all is well: 'Callers (gu_config.hpp): ERANGE is an overflow.'
 *   an overflow is read to its end: 'gu_utils.h: "pointer to the next character after conversion".'
 *   large numbers in range are exact: 'gu_utils.h: "size modifiers".'
 *   the string stays: 'Signature: const.'
 ---*/
#include <errno.h>
#include <limits.h>
#include "gu_utils.h"
#include "ok.h"

/* Of this text as many characters make this number. */
static bool is(const char *text, long long want, size_t length)
{
    long long value = 4711;
    const char *end = gu_str2ll(text, &value);
    return value == want && end == text + length;
}

static bool whole(const char *text, long long want)
{
    return is(text, want, strlen(text));
}

static bool range(const char *text)
{
    long long value;
    errno = 0;
    gu_str2ll(text, &value);
    return errno == ERANGE;
}

int main(void)
{
    const long long k = 1024, m = k * k, g = m * k, t = g * k;
    limit();
    ok("a decimal number is converted", whole("0", 0) && whole("7", 7) && whole("1234567890123", 1234567890123LL));
    ok("a sign is taken", whole("-5", -5) && whole("+5", 5) && whole("-1234567890123", -1234567890123LL));
    ok("white space before it is skipped", whole("  12", 12) && whole("\t\n-12", -12) && whole(" 3K", 3 * k));
    ok("hexadecimal and octal numbers are converted",
       whole("0x1f", 31) && whole("0XFF", 255) && whole("017", 15) && whole("-0x10", -16));
    ok("the largest and the smallest number are converted",
       whole("9223372036854775807", LLONG_MAX) && whole("-9223372036854775808", LLONG_MIN) &&
           whole("0x7fffffffffffffff", LLONG_MAX));
    ok("K is 1024", whole("1K", k) && whole("3K", 3 * k));
    ok("M is 1024 times as much", whole("1M", m) && whole("5M", 5 * m));
    ok("G is 1024 times as much", whole("1G", g) && whole("12G", 12 * g));
    ok("T is 1024 times as much", whole("1T", t) && whole("100T", 100 * t));
    ok("small letters mean the same", whole("2k", 2 * k) && whole("2m", 2 * m) && whole("2g", 2 * g) &&
       whole("2t", 2 * t));
    ok("a negative number is multiplied too",
       whole("-1K", -k) && whole("-3m", -3 * m) && whole("-2G", -2 * g) && whole("-7t", -7 * t));
    ok("zero stays zero", whole("0K", 0) && whole("0t", 0) && whole("-0G", 0));
    ok("modifiers follow other bases too", whole("0x10k", 16 * k) && whole("010M", 8 * m) && whole("0xfG", 15 * g));
    const char *text = "512M";
    long long value;
    ok("a string that was converted whole ends there",
       *gu_str2ll(text, &value) == '\0' && *gu_str2ll("8", &value) == '\0');
    ok("it points behind the number", is("12 rest", 12, 2) && is("-1a", -1, 2) && is("7;8", 7, 1) && is("1.5", 1, 1));
    ok("it points behind the modifier", is("1K;", k, 2) && is("2m rest", 2 * m, 2) && is("3Gb", 3 * g, 2) &&
       is("1T1", t, 2));
    ok("only one modifier is taken", is("1KK", k, 2) && is("1kM", k, 2) && is("1Gk", g, 2) && is("1MG", m, 2) &&
       is("1tt", t, 2));
    ok("other letters are no modifiers", is("1b", 1, 1) && is("1P", 1, 1) && is("1e3", 1, 1) && is("9s", 9, 1) &&
       is("4K8", 4 * k, 2) && is("5%", 5, 1));
    ok("a modifier stands right behind the number", is("1 K", 1, 1) && is("2\tM", 2, 1));
    const char *none[] = {"", "abc", "-", " ", "/1", "#2K"};
    bool start = true;
    for (int i = 0; i < 6; i++) {
        long long any = 1;
        start = start && gu_str2ll(none[i], &any) == none[i];
    }
    ok("without a number it points to the start", start);
    ok("too large a number becomes the largest",
       whole("9223372036854775808", LLONG_MAX) && whole("99999999999999999999999", LLONG_MAX));
    ok("too small a number becomes the smallest",
       whole("-9223372036854775809", LLONG_MIN) && whole("-99999999999999999999999", LLONG_MIN));
    ok("what a modifier makes too large becomes the largest",
       whole("9007199254740992K", LLONG_MAX) && whole("8796093022208M", LLONG_MAX) &&
           whole("8589934592G", LLONG_MAX) &&
           whole("8388608T", LLONG_MAX) && whole("9223372036854775807k", LLONG_MAX) && whole("16777216t", LLONG_MAX) &&
           whole("16777217T", LLONG_MAX) && whole("99999999999999999999K", LLONG_MAX));
    ok("what a modifier makes too small becomes the smallest",
       whole("-9007199254740993K", LLONG_MIN) && whole("-8796093022209M", LLONG_MIN) &&
           whole("-8589934593G", LLONG_MIN) && whole("-16777217T", LLONG_MIN) &&
           whole("-9223372036854775808k", LLONG_MIN) && whole("-99999999999999999999g", LLONG_MIN));
    ok("errno says that it was out of range", range("9223372036854775808") && range("-9223372036854775809") &&
       range("8388608T") && range("16777217T") && range("-16777217T") && range("9007199254740992K") &&
       range("9223372036854775807k"));
    ok("errno stays where all is well",
       !range("1") && !range("9223372036854775807") && !range("-9223372036854775808") &&
       !range("100G") && !range("-100T") && !range("0K"));
    ok("an overflow is read to its end", is("9223372036854775808;", LLONG_MAX, 19) && is("8388608T;", LLONG_MAX, 8) &&
       is("-16777217Tx", LLONG_MIN, 10));
    ok("large numbers in range are exact", whole("2251799813685249K", 2251799813685249LL * k) &&
       whole("2199023255553M", 2199023255553LL * m) && whole("2147483649G", 2147483649LL * g) &&
       whole("2097153T", 2097153 * t) && whole("-2147483649G", -2147483649LL * g) && whole("4194303T", 4194303 * t));
    char mine[] = " 12Kb";
    gu_str2ll(mine, &value);
    ok("the string stays", !strcmp(mine, " 12Kb") && value == 12 * k);
    return plan();
}
