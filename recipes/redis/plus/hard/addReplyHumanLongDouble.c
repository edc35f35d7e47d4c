/*---
 * tasks: [pubsubCommand-4e2acb.16]
 * tests:
 *   in RESP2 it is a bulk string: 'Comment: "Add a long double as a bulk reply".'
 *   in RESP3 it is a double: 'Protocol: "Doubles: ,<floating-point-number>\r\n"; commands/geopos.'
 *   there are no trailing zeros: 'Comment: "human readable formatting of the double".'
 *   whole numbers have no point: 'Comment: "human readable formatting".'
 *   zeros before the point stay: 'Comment: "human readable formatting".'
 *   there is no exponent: 'Comment: "instead of exposing the crude behavior of doubles"; createStringObjectFromLongDouble: humanfriendly.'
 *   decimals look as they were typed: 'Comment: "instead of exposing the crude behavior of doubles to the dear user".'
 *   small numbers keep 17 digits: 'util.h: LD_STR_HUMAN, "%.17Lf".'
 *   a long double keeps more than a double: 'Signature: long double.'
 *   negative numbers have their sign: 'Signature: long double.'
 *   there is no negative zero: 'Upstream''s incr.tcl: "No negative zero".'
 *   infinity is inf and -inf: 'Protocol: ",inf\r\n" and ",-inf\r\n".'
 *   the largest number is given whole: 'util.h: MAX_LONG_DOUBLE_CHARS, "some 4952 chars".'
 *   the length of a bulk is its own: 'Protocol: bulk strings.'
 *   replies stay in their order: 'networking.c: addReply.'
 *   many replies are all given: 'networking.c: addReply.'
 *   GEOPOS gives both coordinates: 'Caller geoposCommand.'
 *   GEOSEARCH WITHCOORD gives both coordinates: 'Caller georadiusGeneric.'
 *   nothing is kept: 'Commands call it again and again.'
 ---*/
#include "commandtest.h"
#include <math.h>
#include <float.h>

static const char *reply(int resp, long double d) {
    c->resp = resp;
    addReplyHumanLongDouble(c,d);
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    c->resp = 2;
    return lastReply;
}

/* In both protocols. */
static int is(long double d, const char *want) {
    char bulk[200], number[200];
    sprintf(bulk,"$%zu\r\n%s\r\n",strlen(want),want);
    sprintf(number,",%s\r\n",want);
    int same = !strcmp(reply(2,d),bulk) && !strcmp(reply(3,d),number);
    if (!same) printf("# <%s> <%s>\n",reply(2,d),want);
    return same;
}

int main(void) {
    startCommands();
    test_cond("in RESP2 it is a bulk string", !strcmp(reply(2,0.5L),"$3\r\n0.5\r\n"));
    test_cond("in RESP3 it is a double", !strcmp(reply(3,0.5L),",0.5\r\n"));
    test_cond("there are no trailing zeros", is(2.25L,"2.25") && is(10.75L,"10.75"));
    test_cond("whole numbers have no point", is(3,"3") && is(0,"0"));
    test_cond("zeros before the point stay", is(100,"100") && is(5000,"5000") && is(1020.5L,"1020.5"));
    test_cond("there is no exponent", is(1e20L,"100000000000000000000") && is(0.00001L,"0.00001"));
    test_cond("decimals look as they were typed", is(0.1L,"0.1") && is(3.21L,"3.21") && is(10.6L,"10.6"));
    test_cond("small numbers keep 17 digits", is(1e-17L,"0.00000000000000001") && is(1.0L/3,"0.33333333333333333"));
    test_cond("a long double keeps more than a double", is(123456789012345678.5L,"123456789012345678.5") &&
              is(0.1,"0.10000000000000001"));
    test_cond("negative numbers have their sign", is(-0.25L,"-0.25") && is(-7,"-7") && is(-85.05112878L,"-85.05112878"));
    test_cond("there is no negative zero", is(-0.0L,"0") && is(-1e-20L,"0"));
    test_cond("infinity is inf and -inf", is(INFINITY,"inf") && is(-INFINITY,"-inf"));
    const char *r = reply(2,LDBL_MAX);
    int whole = !strncmp(r,"$4933\r\n118973149535723176",25) && strlen(r) == 4933+9;
    r = reply(3,-LDBL_MAX);
    test_cond("the largest number is given whole", whole && !strncmp(r,",-118973149535723176",20) && strlen(r) == 4934+3);
    test_cond("the length of a bulk is its own", !strcmp(reply(2,1234567.125L),"$11\r\n1234567.125\r\n") &&
              !strcmp(reply(2,9),"$1\r\n9\r\n") && !strncmp(reply(2,1e99L),"$100\r\n1",7));
    addReplyLongLong(c,1);
    addReplyHumanLongDouble(c,1.5L);
    addReplyHumanLongDouble(c,2.5L);
    addReplyNull(c);
    test_cond("replies stay in their order", replied(c,":1\r\n$3\r\n1.5\r\n$3\r\n2.5\r\n$-1\r\n"));
    sds want = sdsempty();
    for (int resp = 2; resp <= 3; resp++) {
        c->resp = resp;
        for (int j = 0; j < 5000; j++) {
            addReplyHumanLongDouble(c,j+0.5L);
            char s[30];
            sprintf(s,"%d.5",j);
            want = resp == 2 ? sdscatprintf(want,"$%zu\r\n%s\r\n",strlen(s),s) : sdscatprintf(want,",%s\r\n",s);
        }
    }
    c->resp = 2;
    sds got = replyOf(c);
    test_cond("many replies are all given", sdslen(got) > 100000 && sdscmp(got,want) == 0);
    sdsfree(got);
    sdsfree(want);
    run("geoadd","g","0","0","here");
    run("geopos","g","here");
    double x = 9, y = 9;
    int n = sscanf(lastReply,"*1\r\n*2\r\n$%*d\r\n%lf\r\n$%*d\r\n%lf",&x,&y);
    c->resp = 3;
    run("geopos","g","here");
    double x3 = 9, y3 = 9;
    int n3 = sscanf(lastReply,"*1\r\n*2\r\n,%lf\r\n,%lf",&x3,&y3);
    c->resp = 2;
    test_cond("GEOPOS gives both coordinates", n == 2 && n3 == 2 && fabs(x) < 0.0001 && fabs(y) < 0.0001 && x == x3 &&
              y == y3 && !strchr(lastReply,'e'));
    run("geosearch","g","frommember","here","byradius","1","m","withcoord");
    n = sscanf(lastReply,"*1\r\n*2\r\n$4\r\nhere\r\n*2\r\n$%*d\r\n%lf\r\n$%*d\r\n%lf",&x3,&y3);
    test_cond("GEOSEARCH WITHCOORD gives both coordinates", n == 2 && x == x3 && y == y3);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 200; j++) reply(2,j/3.0L), reply(3,j/3.0L);
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
