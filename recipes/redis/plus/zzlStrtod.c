/*---
 * tasks: [1B66C0C661BF77ED]
 * tests:
 *   whole and fractional numbers are read: 'Callers zzlGetScore and zuiNext: a score is stored as text.'
 *   negative numbers and exponents are read: 'Callers zzlGetScore and zuiNext: a score is stored as text.'
 *   every digit of a double counts: 'Caller zzlGetScore: the score must be the one that zzlInsert stored.'
 *   the length ends the number and not a zero byte: 'Argument vlen; a listpack entry has no terminator (listpack.c).'
 *   infinities are read: 'Caller zzlGetScore; ZADD takes +inf and -inf (commands/zadd).'
 *   a single character is read: 'Argument vlen.'
 *   the text is left as it is: 'It reads an entry inside a listpack.'
 *   a text as long as printed doubles can be is read whole: 'Callers: zuiNext reads any member of a set as text.'
 *   a text longer than any double is read safely: 'Argument vlen has no bound: a loaded listpack may hold any entry.'
 *   scores in a small sorted set come back as they were stored: 'Caller zzlGetScore.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <math.h>

double zzlStrtod(unsigned char *vstr, unsigned int vlen);

/* The text is followed by digits that don't belong to it, as in a listpack. */
static double readOf(const char *text) {
    static unsigned char buf[400];
    memset(buf,'7',sizeof(buf));
    memcpy(buf,text,strlen(text));
    return zzlStrtod(buf,strlen(text));
}

int main(void) {
    test_cond("whole and fractional numbers are read", readOf("17") == 17 && readOf("2.75") == 2.75 &&
              readOf("0.001") == 0.001);
    test_cond("negative numbers and exponents are read", readOf("-3.5") == -3.5 && readOf("1e+20") == 1e20 &&
              readOf("-2.5e-7") == -2.5e-7);
    test_cond("every digit of a double counts", readOf("0.30000000000000004") == 0.1+0.2 &&
              readOf("-1.7976931348623157e+308") == -1.7976931348623157e308 &&
              readOf("-4.9406564584124654e-324") == -4.9406564584124654e-324);
    unsigned char text[] = "12345678";
    test_cond("the length ends the number and not a zero byte", zzlStrtod(text,3) == 123 && zzlStrtod(text+3,2) == 45);
    test_cond("infinities are read", readOf("inf") == INFINITY && readOf("-inf") == -INFINITY);
    test_cond("a single character is read", readOf("0") == 0 && readOf("9") == 9);
    zzlStrtod(text,4);
    test_cond("the text is left as it is", !memcmp(text,"12345678",9));

    char decimal[120], whole[120];
    snprintf(decimal,sizeof(decimal),"%.60f",1.0/3);
    snprintf(whole,sizeof(whole),"%.0f",1e100);
    test_cond("a text as long as printed doubles can be is read whole", readOf(decimal) == 1.0/3 &&
              readOf(whole) == 1e100);

    /* Only zeros follow, so it is 2.5 wherever the reading ends. */
    static unsigned char tail[20000] = "2.5";
    memset(tail+3,'0',sizeof(tail)-3);
    test_cond("a text longer than any double is read safely", zzlStrtod(tail,300) == 2.5 &&
              zzlStrtod(tail,sizeof(tail)) == 2.5);

    double scores[] = {-1e300, -2.75, 0.1+0.2, 1, 3.25, 123456789.123456789, 1.0/3*1e17};
    unsigned char *zl = lpNew(0);
    char element[2] = "a";
    for (int j = 0; j < 7; j++, element[0]++) {
        sds ele = sdsnew(element);
        zl = zzlInsert(zl,ele,scores[j]);
        sdsfree(ele);
    }
    int same = 1, j = 0;
    for (unsigned char *p = lpFirst(zl); p != NULL && j < 7; j++) {
        p = lpNext(zl,p);
        if (zzlGetScore(p) != scores[j]) same = 0;
        p = lpNext(zl,p);
    }
    test_cond("scores in a small sorted set come back as they were stored", same && j == 7);
    test_report();
    return 0;
}
