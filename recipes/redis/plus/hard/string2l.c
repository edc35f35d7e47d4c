/*---
 * tasks: [slowlogCreateEntry-ff2ecf.16]
 * tests:
 *   a number is parsed: 'Comment: "Convert a string into a long. Returns 1 if the string could be parsed".'
 *   zero and its neighbours: 'util.c: test_string2l.'
 *   a negative number is parsed: 'Comment; util.c: test_string2l.'
 *   only so many bytes are read: 'Argument slen; callers pass parts of larger buffers.'
 *   the string needs no NUL at its end: 'Argument slen.'
 *   all bytes must belong to the number: 'Comment: "the string could be parsed into a long"; string2ll: "must represent exactly".'
 *   spaces are no part of a number: 'util.c: test_string2l, "May not start with spaces"; string2ll.'
 *   a plus is no part of a number: 'string2ll: the text must be what the number is written as; tryObjectEncodingEx.'
 *   leading zeros are refused: 'util.c: test_string2l, "Leading zeros"; tryObjectEncodingEx must not lose them.'
 *   minus zero is refused: 'tryObjectEncodingEx: the text must be the same when it is read again.'
 *   an empty text and a mere sign are refused: 'string2ll; util.c.'
 *   other texts are refused: 'Comment: 0 otherwise.'
 *   a NUL byte is no end: 'Argument slen.'
 *   the largest and the smallest long: 'Comment: "non-overflowing"; util.c: LONG_MIN, LONG_MAX.'
 *   one more than that overflows: 'Comment: "non-overflowing"; util.c: test_string2l.'
 *   far too many digits overflow: 'Comment: "non-overflowing".'
 *   a success is just 1: 'Comment: "Returns 1".'
 *   a failure is 0 and leaves the value as it was: 'Comment: "The value will be set to the parsed value when appropriate".'
 *   numbers of all lengths are parsed: 'Comment.'
 *   the text is not changed: 'Signature: const char *s.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static long value;
static int ones = 1, zeros = 1;

static int parses(const char *s, size_t len, long want) {
    value = want+1;
    int got = string2l(s,len,&value);
    if (got != 1) ones = 0;
    return got && value == want;
}

static int refuses(const char *s, size_t len) {
    value = 4711;
    int got = string2l(s,len,&value);
    if (got != 0 || value != 4711) zeros = 0;
    return !got;
}
#define is(s,want) parses(s,strlen(s),want)
#define no(s) refuses(s,strlen(s))

int main(void) {
    test_cond("a number is parsed", is("12345",12345) && is("7",7) && is("1000000",1000000) && is("90",90));
    test_cond("zero and its neighbours", is("0",0) && is("1",1) && is("-1",-1) && is("10",10));
    test_cond("a negative number is parsed", is("-99",-99) && is("-1234567890123",-1234567890123) && is("-10",-10));
    test_cond("only so many bytes are read", parses("12345",3,123) && parses("-12345",2,-1) && parses("12x",2,12) && parses("0123",1,0) && refuses("12345",0));
    char *exact = zmalloc(3);
    memcpy(exact,"987",3);
    char tight[6] = {'4','5','6','7','8','9'};
    test_cond("the string needs no NUL at its end", parses(exact,3,987) && parses(tight,3,456) && parses(tight+3,2,78));
    zfree(exact);
    test_cond("all bytes must belong to the number", no("12a") && no("1 2") && no("1.0") && no("1e3") && no("5-") && no("1,000") && no("12\n"));
    test_cond("spaces are no part of a number", no(" 1") && no("1 ") && no("- 1") && no("\t1") && no("\n1"));
    test_cond("a plus is no part of a number", no("+1") && no("+0") && no("-+1") && no("+-1"));
    test_cond("leading zeros are refused", no("01") && no("00") && no("007") && no("-01"));
    test_cond("minus zero is refused", no("-0") && no("-00"));
    test_cond("an empty text and a mere sign are refused", no("") && no("-") && no("+") && no("--") && no("--1"));
    test_cond("other texts are refused", no("abc") && no("x1") && no("0x10") && no("inf") && no("nan") && no("/1") && no(":1") && no("1:") && no("1/"));
    test_cond("a NUL byte is no end", refuses("12\0",3) && refuses("12\0" "3",4) && refuses("\0",1) && refuses("\0" "1",2));
    char s[64];
    snprintf(s,sizeof(s),"%ld",LONG_MAX);
    int limits = is(s,LONG_MAX) && parses(s,strlen(s)-1,LONG_MAX/10);
    snprintf(s,sizeof(s),"%ld",LONG_MIN);
    limits &= is(s,LONG_MIN) && parses(s,strlen(s)-1,LONG_MIN/10);
    snprintf(s,sizeof(s),"%ld",LONG_MAX-1);
    limits &= is(s,LONG_MAX-1);
    snprintf(s,sizeof(s),"%ld",LONG_MIN+1);
    test_cond("the largest and the smallest long", limits && is(s,LONG_MIN+1));
    int over = 1;
    for (unsigned long more = 1; more < 1000; more += more < 5 ? 1 : 97) {
        snprintf(s,sizeof(s),"%lu",(unsigned long)LONG_MAX+more);
        over &= no(s);
        snprintf(s,sizeof(s),"-%lu",(unsigned long)LONG_MAX+1+more);
        over &= no(s);
    }
    test_cond("one more than that overflows", over);
    over = no("18446744073709551615") && no("18446744073709551616") && no("18446744073709551617") && no("-18446744073709551617") && no("99999999999999999999") &&
        no("36893488147419103233") && no("100000000000000000000000000000000000000") && no("-99999999999999999999") && no("10000000000000000000");
    test_cond("far too many digits overflow", over);
    int lengths = 1;
    for (long n = 1, k = 1; k < 19; k++, n = n*10+k%10) {
        snprintf(s,sizeof(s),"%ld",n);
        lengths &= is(s,n);
        snprintf(s,sizeof(s),"%ld",-n);
        lengths &= is(s,-n);
    }
    test_cond("numbers of all lengths are parsed", lengths);
    strcpy(s,"-314");
    lengths = is(s,-314) && !strcmp(s,"-314");
    strcpy(s,"31x4");
    test_cond("the text is not changed", lengths && no(s) && !strcmp(s,"31x4"));
    test_cond("a success is just 1", ones);
    test_cond("a failure is 0 and leaves the value as it was", zeros);
    test_report();
    return 0;
}
