/*---
 * tasks: [expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * instead: [src/t_string.o]
 * tests:
 *   EX gives seconds from now in milliseconds: 'Comment: "resulting absolute timestamp"; "behavior of the command (e.g. PX or EX)".'
 *   PX gives milliseconds from now: 'Comment: "absolute timestamp"; flags.'
 *   EXAT gives an absolute time in milliseconds: 'Comment: "unit is the original unit of the given expire argument".'
 *   PXAT gives an absolute time as it is: 'The same.'
 *   other flags make no difference: 'Callers: SET with NX, XX, GET and a time.'
 *   a past absolute time is taken: 'Comment: error replies are none of it; SET PXAT in the past, tests/unit/expire.tcl.'
 *   now is the time of the command: 'server.c, commandTimeSnapshot.'
 *   success replies nothing: 'Comment: "If return C_ERR, an error reply has been added".'
 *   a time of zero or less is an error: 'addReplyErrorExpireTime; tests/unit/expire.tcl, string.tcl: "invalid expire".'
 *   seconds that do not fit are an error: 'expire.tcl: "SET with EX with big integer should report an error", "GETEX with big integer should report an error".'
 *   a relative time that does not fit is an error: 'The same; the result is a long long.'
 *   the largest times that fit are taken: 'Signature: long long.'
 *   no integer is an error: 'getLongLongFromObjectOrReply.'
 *   an error is C_ERR and one reply: 'Comment: "If return C_ERR, an error reply has been added to the given client".'
 *   the error names the command: 'addReplyErrorExpireTime.'
 *   a number that is encoded as one is taken: 'Parameter expire: a Redis object; SETEX within a script or after encoding.'
 *   the argument stays as it is: 'Signature: an input.'
 *   nothing is left behind: 'The argument is the client''s.'
 ---*/
#include "../t_string.c"
#include "commandtest.h"

#define NOW 1700000000000LL
static long long ms;
static int code;

static const char *get(int flags, const char *value) {
    int unit = flags & (OBJ_PX|OBJ_PXAT) ? UNIT_MILLISECONDS : UNIT_SECONDS;
    robj *o = createStringObject(value,strlen(value));
    ms = -77;
    setArguments(c,1,(const char*[]){"set"});
    code = getExpireMillisecondsOrReply(c,o,flags,unit,&ms);
    if (o->refcount != 1 || strcmp(o->ptr,value)) code = 99;
    decrRefCount(o);
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    return lastReply;
}
#define is(flags,value,want) (!strcmp(get(flags,value),"") && code == C_OK && ms == (want))
#define fails(flags,value,error) (!strcmp(get(flags,value),error) && code == C_ERR)

int main(void) {
    startCommands();
    server.cmd_time_snapshot = NOW;
    test_cond("EX gives seconds from now in milliseconds", is(OBJ_EX,"100",NOW+100000) && is(OBJ_EX,"1",NOW+1000));
    test_cond("PX gives milliseconds from now", is(OBJ_PX,"100",NOW+100) && is(OBJ_PX,"1",NOW+1));
    test_cond("EXAT gives an absolute time in milliseconds", is(OBJ_EXAT,"1800000000",1800000000000LL) &&
              is(OBJ_EXAT,"1",1000));
    test_cond("PXAT gives an absolute time as it is", is(OBJ_PXAT,"1800000000123",1800000000123LL) && is(OBJ_PXAT,"1",1));
    test_cond("other flags make no difference", is(OBJ_EX|OBJ_SET_NX,"5",NOW+5000) &&
              is(OBJ_PX|OBJ_SET_XX|OBJ_SET_GET,"5",NOW+5) && is(OBJ_EXAT|OBJ_SET_GET,"5",5000) &&
              is(OBJ_PXAT|OBJ_SET_NX,"5",5));
    test_cond("a past absolute time is taken", is(OBJ_PXAT,"17",17) && is(OBJ_EXAT,"1600000000",1600000000000LL));
    server.cmd_time_snapshot = 5000;
    test_cond("now is the time of the command", is(OBJ_EX,"2",7000) && is(OBJ_PX,"2",5002));
    server.cmd_time_snapshot = NOW;
    is(OBJ_EX,"100",NOW+100000);
    test_cond("success replies nothing", lastReply[0] == '\0' && code == C_OK);
    const char *invalid = "-ERR invalid expire time in 'set' command\r\n";
    const char *noint = "-ERR value is not an integer or out of range\r\n";
    int flags[] = {OBJ_EX,OBJ_PX,OBJ_EXAT,OBJ_PXAT}, zero = 1, word = 1;
    for (int j = 0; j < 4; j++) {
        zero &= fails(flags[j],"0",invalid) && fails(flags[j],"-1",invalid) && fails(flags[j],"-1700000000000",invalid) &&
                fails(flags[j],"-9223372036854775808",invalid);
        word &= fails(flags[j],"ten",noint) && fails(flags[j],"1.5",noint) && fails(flags[j],"",noint) &&
                fails(flags[j]," 1",noint) && fails(flags[j],"9223372036854775808",noint);
    }
    test_cond("a time of zero or less is an error", zero);
    test_cond("seconds that do not fit are an error", fails(OBJ_EX,"9223372036854776",invalid) &&
              fails(OBJ_EXAT,"9223372036854776",invalid) && fails(OBJ_EX,"9223372036854775807",invalid));
    test_cond("a relative time that does not fit is an error", fails(OBJ_PX,"9223372036854775807",invalid) &&
              fails(OBJ_EX,"9223372036854775",invalid) && fails(OBJ_PX,"9223370336854775808",invalid));
    test_cond("the largest times that fit are taken", is(OBJ_EXAT,"9223372036854775",9223372036854775000LL) &&
              is(OBJ_PXAT,"9223372036854775807",LLONG_MAX) && is(OBJ_PX,"9223370336854775807",LLONG_MAX) &&
              is(OBJ_EX,"9223370336854775",NOW+9223370336854775000LL));
    test_cond("no integer is an error", word);
    test_cond("an error is C_ERR and one reply", fails(OBJ_EX,"0",invalid) && fails(OBJ_EX,"x",noint) &&
              fails(OBJ_EX,"9223372036854776",invalid) && fails(OBJ_PX,"9223372036854775807",invalid));
    setArguments(c,1,(const char*[]){"getex"});
    robj *o = createStringObject("0",1);
    getExpireMillisecondsOrReply(c,o,OBJ_PX,UNIT_MILLISECONDS,&ms);
    test_cond("the error names the command", replied(c,"-ERR invalid expire time in 'getex' command\r\n"));
    robj *n = createStringObjectFromLongLong(30000);
    int ok = getExpireMillisecondsOrReply(c,n,OBJ_EX,UNIT_SECONDS,&ms);
    test_cond("a number that is encoded as one is taken", ok == C_OK && ms == NOW+30000000 && replied(c,""));
    test_cond("the argument stays as it is", n->encoding == OBJ_ENCODING_INT && (long)n->ptr == 30000 &&
              n->refcount == 1 && is(OBJ_EX,"10",NOW+10000));
    size_t before = 0;
    for (int j = 0; j < 40; j++) {
        if (j == 10) before = zmalloc_used_memory();
        get(flags[j % 4],"100");
        get(flags[j % 4],"0");
        get(flags[j % 4],"x");
        get(flags[j % 4],"9223372036854775807");
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
