/*---
 * tasks: [B7AED9E236EBEC25]
 * tests:
 *   a whole number is written as a bulk string: 'Docstring: format "$<count>\r\n<payload>\r\n".'
 *   a fraction is kept: 'Docstring: "Write a double value".'
 *   a negative value keeps its sign: 'Docstring: "Write a double value".'
 *   zero is written: 'Docstring: "Write a double value".'
 *   every digit that tells two doubles apart is kept:
 *     'Caller aof.c: rewriteSortedSetObject; the score must load again.'
 *   very large and very small values come back: 'Caller aof.c: rewriteSortedSetObject; the score must load again.'
 *   infinities can be loaded again: 'Caller aof.c: rewriteSortedSetObject; ZADD knows inf (commands/zadd).'
 *   the count is the length of the payload: 'Docstring: format "$<count>\r\n<payload>\r\n".'
 *   the number of bytes written is returned: 'As rioWriteBulkString above it: header, payload and line end.'
 *   a failed write gives 0: 'Caller aof.c: "if (!rioWriteBulkDouble(r,score)) return 0".'
 *   a write that fails in the middle gives 0: 'Caller aof.c: rewriteSortedSetObject; rio.h: write is 0 on error.'
 *   values that follow each other are each written whole: 'Caller aof.c writes one for each element.'
 ---*/
#include "../server.h"
#include "../testhelp.h"
#include <math.h>

static rio r;
static size_t returned;
static sds payload;
static int wellFormed;

/* Writes d alone; the payload, what the call gave back and whether the format holds are kept. */
static double written(double d) {
    char *end;
    rioInitWithBuffer(&r,sdsempty());
    returned = rioWriteBulkDouble(&r,d);
    sds s = r.io.buffer.ptr;
    long count = s[0] == '$' ? strtol(s+1,&end,10) : -1;
    wellFormed = count > 0 && memcmp(end,"\r\n",2) == 0 && sdslen(s) == (size_t)(end+2-s)+count+2 &&
                 memcmp(s+sdslen(s)-2,"\r\n",2) == 0;
    sdsfree(payload);
    payload = wellFormed ? sdsnewlen(end+2,count) : sdsempty();
    if (returned != sdslen(s)) returned = 0;
    sdsfree(s);
    return strtod(payload,&end);
}

static int comesBack(double d) {
    return written(d) == d && wellFormed;
}

/* A target that fails after so many writes. */
static int allowed;
static size_t failingWrite(rio *r, const void *buf, size_t len) {
    (void)r; (void)buf; (void)len;
    return allowed-- > 0;
}

int main(void) {
    int ok = comesBack(17) && !strcmp(payload,"17");
    test_cond("a whole number is written as a bulk string", ok && comesBack(3) && !strcmp(payload,"3"));
    ok = comesBack(0.5) && comesBack(2.75) && comesBack(1.1) && comesBack(-1234.5678);
    test_cond("a fraction is kept", ok);
    ok = comesBack(-1) && payload[0] == '-' && comesBack(-0.25) && payload[0] == '-';
    test_cond("a negative value keeps its sign", ok);
    ok = comesBack(0) && strcspn(payload,"123456789e") == sdslen(payload);
    test_cond("zero is written", ok);
    ok = comesBack(0.1+0.2) && comesBack(1.0/3) && comesBack(9007199254740993.0) && comesBack(3.14159265358979312);
    test_cond("every digit that tells two doubles apart is kept", ok);
    ok = comesBack(1.7976931348623157e308) && comesBack(-1e300) && comesBack(2.2250738585072014e-308) &&
         comesBack(5e-324) && comesBack(1e21) && comesBack(-1.2345678901234567e-300);
    test_cond("very large and very small values come back", ok);
    ok = written(INFINITY) == INFINITY && wellFormed;
    test_cond("infinities can be loaded again", ok && written(-INFINITY) == -INFINITY && wellFormed);

    int count = 1, bytes = 1;
    double some[] = {1, -1, 12.5, 1e100, 1.0/7, 123456789012345678.0, -5e-324};
    for (int j = 0; j < 7; j++) {
        written(some[j]);
        if (!wellFormed) count = 0;
        if (returned == 0) bytes = 0;
    }
    test_cond("the count is the length of the payload", count);
    test_cond("the number of bytes written is returned", bytes);

    rioInitWithBuffer(&r,sdsempty());
    r.write = failingWrite;
    allowed = 0;
    test_cond("a failed write gives 0", rioWriteBulkDouble(&r,1.5) == 0);
    rioInitWithBuffer(&r,sdsempty());
    r.write = failingWrite;
    allowed = 1;
    /* A body that needs one write alone has written all. */
    size_t got = rioWriteBulkDouble(&r,1.5);
    test_cond("a write that fails in the middle gives 0", allowed < 0 ? got == 0 : got == strlen("$3\r\n1.5\r\n"));

    rioInitWithBuffer(&r,sdsempty());
    got = rioWriteBulkDouble(&r,1);
    got += rioWriteBulkDouble(&r,-2.5);
    got += rioWriteBulkDouble(&r,10);
    ok = !strcmp(r.io.buffer.ptr,"$1\r\n1\r\n$4\r\n-2.5\r\n$2\r\n10\r\n") && got == sdslen(r.io.buffer.ptr);
    test_cond("values that follow each other are each written whole", ok);
    test_report();
    return 0;
}
