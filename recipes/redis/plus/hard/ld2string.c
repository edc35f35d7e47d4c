/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   human has no trailing zeros: 'Comment: "trims trailing zeroes at the end".'
 *   human leaves no point behind a whole number: 'util.h: "%.17Lf + Trimming of trailing zeros"; commands/incrbyfloat: 5.0e3 gives 5200.'
 *   zeros before the point stay: 'Comment: trailing zeroes, of the fraction.'
 *   human has no exponent: 'Comment: "it does not use exponential format".'
 *   human has 17 digits behind the point: 'util.h: "%.17Lf".'
 *   small decimals look as they were typed: 'commands/incrbyfloat: 10.5 and 0.1 give 10.6.'
 *   human has no negative zero: 'Callers INCRBYFLOAT and GEOPOS show it to users; upstream''s incr.tcl: "No negative zero".'
 *   only the negative zero loses its sign: 'Signature: value.'
 *   the largest number fits: 'util.h: MAX_LONG_DOUBLE_CHARS, "some 4952 chars, see LDBL_MAX".'
 *   auto uses an exponent: 'Comment: "If mode is default exp format is used".'
 *   auto has 17 digits: 'util.h: "%.17Lg"; ZSCAN must show scores that can be read back.'
 *   auto reads back as the same double: 'Caller scanCallback: ZSCAN; upstream''s issue #2175.'
 *   auto leaves the output as it is: 'Comment: "the output of snprintf() is not modified".'
 *   hex reads back as the same: 'Comment: "hexadecimal format is used (no loss of precision)".'
 *   infinity is inf and -inf in each mode: 'Callers; commands/zscan; Redis writes inf and -inf.'
 *   NaN is nan in each mode: 'Upstream''s test_ld2string.'
 *   a negative NaN is nan as well: 'Comment: "create a single nan form".'
 *   the length is given: 'Comment: "returns the length of the string".'
 *   the string ends with a NUL: 'Callers hand the text on; comment: "-inf\0".'
 *   a buffer that just has the room is enough: 'Comment: "zero if there was not enough buffer room"; "5 is "-inf\0"".'
 *   zero where one byte is missing: 'Comment: "zero if there was not enough buffer room to store it".'
 *   the room is what the whole text needs before it is trimmed, or less: 'Comment: "enough buffer room to store it".'
 *   without room the buffer is an empty string: 'Comment: "force add Null termination".'
 *   nothing is written behind the buffer: 'Signature: len.'
 *   a buffer of no bytes is left alone: 'Comment: "force add Null termination", where there is room.'
 *   an unknown mode gives zero: 'Signature: ld2string_mode; module.c hands a mode on.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <math.h>
#include <float.h>

static char buf[MAX_LONG_DOUBLE_CHARS];

static int gives(long double value, ld2string_mode mode, const char *want) {
    memset(buf,'#',sizeof(buf));
    int len = ld2string(buf,sizeof(buf),value,mode);
    int same = len == (int)strlen(want) && !memcmp(buf,want,len+1);
    if (!same) printf("# %d <%.60s>\n",len,buf);
    return same;
}

/* In a buffer of so many bytes, what stands behind must stay. */
static int room(size_t len, long double value, ld2string_mode mode) {
    memset(buf,'#',sizeof(buf));
    int n = ld2string(buf,len,value,mode);
    for (size_t j = len; j < sizeof(buf); j++) if (buf[j] != '#') return -1;
    return n;
}

int main(void) {
    ld2string_mode a = LD_STR_AUTO, h = LD_STR_HUMAN, x = LD_STR_HEX;
    test_cond("human has no trailing zeros", gives(0.5L,h,"0.5") && gives(-2.25L,h,"-2.25") && gives(10.101L,h,"10.101"));
    test_cond("human leaves no point behind a whole number", gives(3.0L,h,"3") && gives(0.0L,h,"0") && gives(-7.0L,h,"-7"));
    test_cond("zeros before the point stay", gives(100.0L,h,"100") && gives(5000.0L,h,"5000") && gives(-10.0L,h,"-10") &&
              gives(200.50L,h,"200.5"));
    test_cond("human has no exponent", gives(1e20L,h,"100000000000000000000") && gives(0.00000001L,h,"0.00000001") &&
              gives(-1e18L,h,"-1000000000000000000"));
    test_cond("human has 17 digits behind the point", gives(1e-17L,h,"0.00000000000000001") && gives(1e-18L,h,"0") &&
              gives(1.0L/3,h,"0.33333333333333333") && gives(2.0L/3,h,"0.66666666666666667"));
    test_cond("small decimals look as they were typed", gives(10.6L,h,"10.6") && gives(0.1L,h,"0.1") &&
              gives(10.5L+0.1L,h,"10.6") && gives(3.21L,h,"3.21") && gives(-1.1L,h,"-1.1"));
    test_cond("human has no negative zero", gives(-0.0L,h,"0") && gives(-1e-18L,h,"0") && gives(-1e-4000L,h,"0"));
    test_cond("only the negative zero loses its sign", gives(-0.25L,h,"-0.25") && gives(-1e-17L,h,"-0.00000000000000001") &&
              gives(-1.0L,h,"-1") && gives(-9.0L,h,"-9"));
    int len = ld2string(buf,sizeof(buf),LDBL_MAX,h), low = len;
    int fits = len == 4933 && !strncmp(buf,"118973149535723176",18) && strtold(buf,NULL) == LDBL_MAX;
    low = ld2string(buf,sizeof(buf),-LDBL_MAX,h);
    test_cond("the largest number fits", fits && low == 4934 && buf[0] == '-' && strlen(buf) == 4934);

    test_cond("auto uses an exponent", gives(1e20L,a,"1e+20") && gives(-2.5e100L,a,"-2.5e+100") &&
              gives(0x1p-20L,a,"9.5367431640625e-07"));
    test_cond("auto has 17 digits", gives(1.0L/3,a,"0.33333333333333333") && gives(200.0L/3,a,"66.666666666666667") &&
              gives(1.1,a,"1.1000000000000001"));
    double doubles[] = {9.8813129168249309e-324, 1.1, -3.3e300, DBL_MAX, DBL_MIN, 1.0/3, 123456789.123456789, -0.1};
    int back = 1;
    for (size_t j = 0; j < sizeof(doubles)/sizeof(*doubles); j++) {
        len = ld2string(buf,sizeof(buf),doubles[j],a);
        back = back && len > 0 && strtod(buf,NULL) == doubles[j];
    }
    test_cond("auto reads back as the same double", back);
    test_cond("auto leaves the output as it is", gives(-0.0L,a,"-0") && gives(100.0L,a,"100") && gives(3.0L,a,"3") &&
              gives(0.5L,a,"0.5") && gives(1.0e30L,a,"1e+30") && gives(-1e-20L,a,"-1e-20"));
    long double longs[] = {1.0L/3, LDBL_MAX, LDBL_MIN, -1.1L, 0.0L, 10.0L, 1e-4940L, -123456789.123456789L};
    back = 1;
    for (size_t j = 0; j < sizeof(longs)/sizeof(*longs); j++) {
        len = ld2string(buf,sizeof(buf),longs[j],x);
        back = back && len == (int)strlen(buf) && strstr(buf,"0x") && strtold(buf,NULL) == longs[j];
    }
    test_cond("hex reads back as the same", back);

    long double inf = INFINITY, nan = NAN;
    test_cond("infinity is inf and -inf in each mode", gives(inf,a,"inf") && gives(inf,h,"inf") && gives(inf,x,"inf") &&
              gives(-inf,a,"-inf") && gives(-inf,h,"-inf") && gives(-inf,x,"-inf"));
    test_cond("NaN is nan in each mode", gives(nan,a,"nan") && gives(nan,h,"nan") && gives(nan,x,"nan"));
    test_cond("a negative NaN is nan as well", gives(copysignl(nan,-1),a,"nan") && gives(-nan,h,"nan") && gives(-nan,x,"nan"));
    test_cond("the length is given", room(100,0.125L,h) == 5 && room(100,0.125L,a) == 5 && room(100,-inf,a) == 4 &&
              room(100,1.0L,x) == (int)strlen(buf));
    int ends = 1;
    ld2string_mode modes[] = {a,h,x};
    long double values[] = {0.5L,-12.0L,inf,-inf,nan,1e25L};
    for (int m = 0; m < 3; m++)
        for (int j = 0; j < 6; j++) {
            int n = room(200,values[j],modes[m]);
            ends = ends && n > 0 && buf[n] == '\0' && strlen(buf) == (size_t)n;
        }
    test_cond("the string ends with a NUL", ends);

    int hex = room(200,1.5L,x), human = 20; /* -1.33333333333333333 */
    test_cond("a buffer that just has the room is enough", room(4,0.5L,a) == 3 && room(hex+1,1.5L,x) == hex &&
              room(human+1,-4.0L/3,h) == human && !strcmp(buf,"-1.33333333333333333") && room(5,-inf,h) == 4 &&
              !strcmp(buf,"-inf") && room(5,-inf,a) == 4 && room(5,inf,a) == 3 && room(4,nan,a) == 3 && room(4,nan,x) == 3);
    test_cond("zero where one byte is missing", room(3,0.5L,a) == 0 && room(hex,1.5L,x) == 0 && room(human,-4.0L/3,h) == 0 &&
              room(4,-inf,a) == 0 && room(4,-inf,x) == 0 && room(3,inf,a) == 0 && room(3,nan,a) == 0 && room(1,0.0L,a) == 0);
    int trimmed = room(4,0.5L,h);
    int whole = room(22,0.5L,h) == 3 && room(21,-0.25L,h) >= 0;
    test_cond("the room is what the whole text needs before it is trimmed, or less", whole &&
              (trimmed == 0 || trimmed == 3) && room(3,0.5L,h) == 0 && room(3,1.0L/3,h) == 0);
    int none = 1;
    for (int m = 0; m < 3; m++)
        for (int j = 0; j < 6; j++) none = none && room(2,values[j],modes[m]) == 0 && buf[0] == '\0';
    test_cond("without room the buffer is an empty string", none && room(1,inf,a) == 0 && buf[0] == '\0' &&
              room(1,nan,a) == 0 && buf[0] == '\0' && room(19,-4.0L/3,h) == 0 && buf[0] == '\0');
    int guarded = 1;
    for (size_t n = 1; n < 30; n++)
        for (int m = 0; m < 3; m++)
            for (int j = 0; j < 6; j++) guarded = guarded && room(n,values[j],modes[m]) >= 0;
    test_cond("nothing is written behind the buffer", guarded);
    test_cond("a buffer of no bytes is left alone", room(0,0.5L,a) == 0 && room(0,inf,h) == 0 && room(0,nan,x) == 0 &&
              room(0,-1.0L,h) == 0);
    test_cond("an unknown mode gives zero", room(100,0.5L,(ld2string_mode)9) == 0 && buf[0] == '\0');
    test_report();
    return 0;
}
