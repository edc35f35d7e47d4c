/*---
 * tasks: [x509_parse_time-f7a940]
 * tests:
 *   each part of a UTCTime is read: 'Docstring: "Parse an ASN1_UTC_TIME (yearlen=2)"; x509.h: mbedtls_x509_time.'
 *   each part of a GeneralizedTime is read: 'Docstring: "or ASN1_GENERALIZED_TIME (yearlen=4)"; x509.h.'
 *   two digits of 50 and more are a year of the 20th century: 'RFC 5280 4.1.2.5.1; test_suite_x509parse: 1950.'
 *   two digits below 50 are a year of the 21st century: 'RFC 5280 4.1.2.5.1; test_suite_x509parse: 2000.'
 *   four digits are the year itself: 'Docstring: "yearlen=4"; test_suite_x509parse: 9999.'
 *   the pointer moves just behind the time: 'x509_crt.c: x509_get_dates goes on at *p, and compares it with the end.'
 *   the time zone may be missing: 'test_suite_x509parse: "UTC without time zone" is a time.'
 *   nothing behind the time is read: 'Argument len: the field''s length; mbedtls_x509_get_time reads it from DER.'
 *   what follows the field does not matter: 'Argument len: it alone is the field''s.'
 *   a time without seconds is refused: 'RFC 5280 4.1.2.5.1 "MUST include seconds"; test_suite_x509parse.'
 *   one digit of seconds is refused: 'RFC 5280 4.1.2.5.1: YYMMDDHHMMSSZ.'
 *   a time that is cut is refused: 'x509.h: MBEDTLS_ERR_X509_INVALID_DATE; test_suite_x509parse: "truncated".'
 *   a time that is cut is not read on: 'Argument len: the field''s length.'
 *   another letter than Z is refused: 'test_suite_x509parse: "UTC with invalid time zone #1".'
 *   an offset as time zone is refused: 'RFC 5280 4.1.2.5: GMT; test_suite_x509parse: "UTC with invalid time zone #2".'
 *   anything behind the Z is refused: 'x509.h: MBEDTLS_ERR_X509_INVALID_DATE: the value is invalid.'
 *   a fraction of seconds is refused: 'RFC 5280 4.1.2.5.2: "MUST NOT include fractional seconds".'
 *   another character than a digit is refused in each place: 'test_suite_x509parse: "invalid character in year".'
 *   a month that does not exist is refused: 'x509.h: mon; x509_date_is_valid, the check beside it.'
 *   a day that does not exist is refused: 'x509.h: day; test_suite_x509parse: "invalid day of month".'
 *   a leap day exists in leap years alone: 'test_suite_x509parse: "year without leap day", "year with leap day".'
 *   the century counts for a leap day: 'ChangeLog: "dates on leap years with 100 and 400 intervals".'
 *   hours, minutes and seconds have their bounds: 'test_suite_x509parse: "invalid hour", "min", "sec".'
 *   the bytes of the time stay as they are: 'mbedtls_x509_get_time: a part of the certificate, whose hash is taken.'
 ---*/
#include "../../library/x509.c"
#include "check.h"
#include "edge.h"

static mbedtls_x509_time tm;

static int parse(const char *text, size_t yearlen) {
    unsigned char *p = (unsigned char *) text;
    memset(&tm, 0x55, sizeof(tm));
    return x509_parse_time(&p, strlen(text), yearlen, &tm);
}

static int reads(const char *text, size_t yearlen, int year, int mon, int day, int hour, int min, int sec) {
    return parse(text, yearlen) == 0 && tm.year == year && tm.mon == mon && tm.day == day && tm.hour == hour &&
           tm.min == min && tm.sec == sec;
}

static int refuses(const char *text, size_t yearlen) { return parse(text, yearlen) == MBEDTLS_ERR_X509_INVALID_DATE; }

/* Both forms of a time of the year 2004. */
static int both_refuse(const char *rest) {
    char text[64] = "04", longer[64] = "2004";
    strcat(text, rest);
    strcat(longer, rest);
    return refuses(text, 2) && refuses(longer, 4);
}

static int both_read(const char *rest) {
    char text[64] = "04", longer[64] = "2004";
    strcat(text, rest);
    strcat(longer, rest);
    return parse(text, 2) == 0 && tm.year == 2004 && parse(longer, 4) == 0 && tm.year == 2004;
}

static int moves(const char *text, size_t len, size_t yearlen) {
    unsigned char *start = at_edge(text, len), *p = start;
    return x509_parse_time(&p, len, yearlen, &tm) == 0 && p == start + len;
}

int main(void) {
    int ok;
    ok = reads("230104050607Z", 2, 2023, 1, 4, 5, 6, 7) && reads("121110090807Z", 2, 2012, 11, 10, 9, 8, 7);
    check("each part of a UTCTime is read", ok);
    ok = reads("20230104050607Z", 4, 2023, 1, 4, 5, 6, 7) && reads("19871231235958Z", 4, 1987, 12, 31, 23, 59, 58);
    check("each part of a GeneralizedTime is read", ok);
    ok = reads("500101000000Z", 2, 1950, 1, 1, 0, 0, 0) && reads("991231235959Z", 2, 1999, 12, 31, 23, 59, 59) &&
         reads("510615120000Z", 2, 1951, 6, 15, 12, 0, 0);
    check("two digits of 50 and more are a year of the 20th century", ok);
    ok = reads("491231235959Z", 2, 2049, 12, 31, 23, 59, 59) && reads("000101000000Z", 2, 2000, 1, 1, 0, 0, 0);
    check("two digits below 50 are a year of the 21st century", ok);
    ok = reads("20491231235959Z", 4, 2049, 12, 31, 23, 59, 59) && reads("99991231235959Z", 4, 9999, 12, 31, 23, 59, 59)
         && reads("00490101000000Z", 4, 49, 1, 1, 0, 0, 0) && reads("00700101000000Z", 4, 70, 1, 1, 0, 0, 0) &&
         reads("20500101000000Z", 4, 2050, 1, 1, 0, 0, 0);
    check("four digits are the year itself", ok);

    ok = moves("230104050607Z", 13, 2) && moves("20230104050607Z", 15, 4) && moves("230104050607", 12, 2);
    check("the pointer moves just behind the time", ok);
    ok = reads("000229121212", 2, 2000, 2, 29, 12, 12, 12) && reads("20000229121213", 4, 2000, 2, 29, 12, 12, 13);
    check("the time zone may be missing", ok);
    ok = moves("230104050607", 12, 2) && moves("20230104050607", 14, 4) && moves("20230104050607Z", 15, 4);
    check("nothing behind the time is read", ok);
    static const char *followed[] =
        {"230104050607ZZ\x17\x0d", "230104050607Z99", "230104050607Z+0100", "230104050607Z"};
    ok = 1;
    for (int i = 0; i < 4; i++) {
        unsigned char *p = (unsigned char *) followed[i];
        ok &= x509_parse_time(&p, 13, 2, &tm) == 0 && p == (unsigned char *) followed[i] + 13 && tm.sec == 7;
        p = (unsigned char *) followed[i];
        ok &= x509_parse_time(&p, 12, 2, &tm) == 0 && p == (unsigned char *) followed[i] + 12 && tm.sec == 7;
    }
    check("what follows the field does not matter", ok);

    check("a time without seconds is refused", both_refuse("01040506") && both_refuse("01040506Z"));
    check("one digit of seconds is refused", both_refuse("010405061") && both_refuse("010405061Z"));
    ok = 1;
    for (size_t yearlen = 2; yearlen <= 4; yearlen += 2) {
        const char *whole = yearlen == 2 ? "230104050607Z" : "20230104050607Z";
        for (size_t len = 0; len < yearlen + 10; len++) {
            unsigned char *p = (unsigned char *) whole;
            ok &= x509_parse_time(&p, len, yearlen, &tm) == MBEDTLS_ERR_X509_INVALID_DATE;
        }
    }
    check("a time that is cut is refused", ok);
    ok = 1;
    for (size_t yearlen = 2; yearlen <= 4; yearlen += 2) {
        const char *whole = yearlen == 2 ? "230104050607Z" : "20230104050607Z";
        for (size_t len = 1; len < yearlen + 10; len++) {
            unsigned char *p = at_edge(whole, len);
            ok &= x509_parse_time(&p, len, yearlen, &tm) != 0;
        }
    }
    check("a time that is cut is not read on", ok);
    ok = both_refuse("0104050607J") && both_refuse("0104050607z") && both_refuse("0104050607 ") &&
         both_refuse("01040506070");
    check("another letter than Z is refused", ok);
    ok = both_refuse("0104050607+0300") && both_refuse("0104050607-0000") && both_refuse("01040506+0300");
    check("an offset as time zone is refused", ok);
    ok = both_refuse("0104050607ZZ") && both_refuse("0104050607Z0") && both_refuse("0104050607Z+0000") &&
         both_refuse("010405060708") && both_refuse("010405060708Z");
    check("anything behind the Z is refused", ok);
    check("a fraction of seconds is refused", both_refuse("0104050607.5Z") && both_refuse("0104050607.5"));

    ok = 1;
    for (int at = 0; at < 14; at++) {
        for (const char *c = "/:aZ -+\x80"; *c != '\0'; c++) {
            char text[] = "20040104050607Z", shorter[] = "040104050607Z";
            text[at] = *c;
            ok &= refuses(text, 4);
            if (at < 12) {
                shorter[at] = *c;
                ok &= refuses(shorter, 2);
            }
        }
    }
    check("another character than a digit is refused in each place", ok);
    ok = both_refuse("0001000000Z") && both_refuse("1301000000Z") && both_refuse("9901000000Z") &&
         both_read("0101000000Z") && both_read("1201000000Z");
    check("a month that does not exist is refused", ok);
    ok = both_refuse("0100000000Z") && both_refuse("0132000000Z") && both_refuse("0431000000Z") &&
         both_refuse("0631000000Z") && both_refuse("0931000000Z") && both_refuse("1131000000Z") &&
         both_refuse("1232000000Z") && both_read("0131000000Z") && both_read("0430000000Z") && both_read("1231000000Z");
    check("a day that does not exist is refused", ok);
    ok = both_read("0229000000Z") && both_refuse("0230000000Z") && refuses("490229121212Z", 2) &&
         refuses("20230229000000Z", 4) && !parse("20230228000000Z", 4) && !parse("960229000000Z", 2) &&
         refuses("990229000000Z", 2);
    check("a leap day exists in leap years alone", ok);
    ok = refuses("19000229000000Z", 4) && refuses("21000229000000Z", 4) && !parse("20000229000000Z", 4) &&
         !parse("000229000000Z", 2) && !parse("24000229000000Z", 4);
    check("the century counts for a leap day", ok);
    ok = both_refuse("0104240000Z") && both_refuse("0104006000Z") && both_refuse("0104000060Z") &&
         both_refuse("0104990000Z") && both_refuse("0104009900Z") && both_refuse("0104000099") &&
         both_read("0104235959Z") && both_read("0104000000Z") && both_read("0104000000");
    check("hours, minutes and seconds have their bounds", ok);
    unsigned char *bytes = at_edge("20230104050607Z", 15), *p = bytes;
    x509_parse_time(&p, 15, 4, &tm);
    check("the bytes of the time stay as they are", !memcmp(bytes, "20230104050607Z", 15));
    return done();
}
