/*---
 * tasks: [pcrecpp.TerminateNumber-800a5e]
 * tests:
 *   before a zero the string itself is returned: 'Docstring: "str" if no termination is needed.'
 *   before a space or a sign of no number it is too: 'Docstring: "str" if no termination is needed.'
 *   before letters behind f it is too: 'Docstring: "str" if no termination is needed.'
 *   before characters next to digits it is too: 'Docstring: "str" if no termination is needed.'
 *   the buffer stays as it was then: 'Docstring: "buf" only if the string was copied.'
 *   before each digit the string is copied: 'Docstring: "Copies "str" into "buf" and null-terminates if necessary".'
 *   before each hexadecimal letter it is copied: 'Docstring; callers parse with radix 16.'
 *   the buffer is returned then: 'Docstring: "buf" if the string was copied and null-terminated.'
 *   the copy has the length: 'Docstring: "Copies "str" into "buf"".'
 *   the copy ends with a zero: 'Docstring: "null-terminates".'
 *   a sign is copied too: 'Docstring: "Copies "str"".'
 *   a number of one digit is copied: 'Docstring: "n > 0".'
 *   the longest number is copied: 'Docstring: "length at least kMaxNumberLength+1".'
 *   a number one longer is invalid: 'Docstring: "" if the input "has no hope"; "Largest number spec".'
 *   a much longer number is invalid: 'Docstring: "" if the input "has no hope"; "Largest number spec".'
 *   nothing is written past the buffer: 'Docstring: "length at least kMaxNumberLength+1".'
 *   the string stays as it was: 'str is const.'
 *   a number is parsed as far as the group goes: 'Callers parse_long_radix and parse_ulong_radix.'
 *   a number of 32 digits is parsed as far as the group goes: 'Caller parse_long_radix; "willing to parse".'
 *   a number of 33 digits before more is refused: 'Caller parse_long_radix; "Largest number ... willing to parse".'
 *   hexadecimal and octal numbers are parsed as far as the group goes: 'Callers: radix.'
 ---*/
#include "../pcrecpp.cc"
#include "plus.h"

using namespace pcrecpp;

static char buffer[100];
static char text[200];
static const char *result;

/* Tries a number of N characters from START before NEXT. */
static bool itself(const char *start, char next) {
    int n = strlen(start);
    memset(buffer, '#', sizeof(buffer));
    memset(text, 0, sizeof(text));
    strcpy(text, start);
    text[n] = next;
    text[n + 1] = '7';
    result = pcrecpp::TerminateNumber(buffer + 10, text, n);
    return result == text;
}

static bool untouched(int from, int to) {
    for (int i = from; i < to; i++) if (buffer[i] != '#') return false;
    return true;
}

static bool copied(const char *start, char next) {
    int n = strlen(start);
    itself(start, next);
    return result == buffer + 10 && !strcmp(buffer + 10, start) && untouched(0, 10) &&
           untouched(10 + kMaxNumberLength + 1, sizeof(buffer)) && text[n] == next && !strncmp(text, start, n);
}

int main() {
    ok("before a zero the string itself is returned", itself("123", '\0') && itself("-5", '\0'));
    ok("the buffer stays as it was then", untouched(0, sizeof(buffer)));
    ok("before a space or a sign of no number it is too",
       itself("123", ' ') && itself("123", ',') && itself("9", '\n') &&
       itself("9", ';') && itself("9", '-') && itself("9", '.'));
    ok("before letters behind f it is too",
       itself("12", 'g') && itself("12", 'G') && itself("12", 'z') && itself("12", 'Z'));
    ok("before characters next to digits it is too", itself("12", '/') && itself("12", ':') && itself("12", '@') &&
       itself("12", '`') && untouched(0, sizeof(buffer)));
    bool good = true;
    for (const char *p = "0123456789"; *p; p++) good &= copied("123", *p);
    ok("before each digit the string is copied", good);
    good = true;
    for (const char *p = "abcdefABCDEF"; *p; p++) good &= copied("123", *p);
    ok("before each hexadecimal letter it is copied", good);
    itself("456", '7');
    ok("the buffer is returned then", result == buffer + 10);
    ok("the copy has the length", !strncmp(buffer + 10, "456", 3));
    ok("the copy ends with a zero", buffer[13] == 0);
    ok("the string stays as it was", !strcmp(text, "45677"));
    ok("a sign is copied too", copied("-12", '3') && copied("+1", 'f'));
    ok("a number of one digit is copied", copied("1", '2'));

    std::string longest(kMaxNumberLength, '3'), more(kMaxNumberLength + 1, '3'), most(90, '3');
    ok("the longest number is copied", copied(longest.c_str(), '3') && copied(longest.substr(1).c_str(), '3'));
    itself(more.c_str(), '3');
    good = untouched(10 + kMaxNumberLength + 1, sizeof(buffer));
    ok("a number one longer is invalid", result[0] == 0 && result != text);
    itself(most.c_str(), 'a');
    ok("a much longer number is invalid", result[0] == 0);
    ok("nothing is written past the buffer", good && untouched(0, 10) && untouched(10 + kMaxNumberLength + 1, 100));

    int a = 0, b = 0;
    unsigned long u = 0;
    good = RE("(\\d\\d)(\\d+)").FullMatch("12345", &a, &b) && a == 12 && b == 345;
    good &= RE("(\\d\\d)(\\d+)").FullMatch("98765", &u, &b) && u == 98 && b == 765;
    ok("a number is parsed as far as the group goes",
       good && RE("(-\\d)(\\d)").FullMatch("-12", &a, &b) && a == -1 && b == 2);
    std::string zeros = std::string(29, '0') + "123";
    ok("a number of 32 digits is parsed as far as the group goes",
       RE("(\\d{32})4").FullMatch(zeros + "4", &a) && a == 123 &&
       RE("(\\d{32})f").FullMatch(zeros + "f", &u) && u == 123);
    ok("a number of 33 digits before more is refused", !RE("(\\d{33})4").FullMatch("0" + zeros + "4", &a));
    ok("hexadecimal and octal numbers are parsed as far as the group goes",
       RE("(..)(..)").FullMatch("a1b2", Hex(&a), Hex(&b)) && a == 0xa1 && b == 0xb2 &&
       RE("(..)(..)").FullMatch("1723", Octal(&a), Octal(&b)) && a == 017 && b == 023);
    return plus_end();
}
