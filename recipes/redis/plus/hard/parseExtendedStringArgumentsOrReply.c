/*---
 * tasks: [expireGenericCommand-82c832.8, expireGenericCommand-82c832.16]
 * instead: [src/t_string.o]
 * tests:
 *   without options nothing is changed: 'Comment: "Input flags are updated upon parsing the arguments".'
 *   NX, XX and GET set their flags for SET: 'Comment: "Set specific commands - XX/NX/GET".'
 *   KEEPTTL sets its flag for SET: 'Comment: KEEPTTL; t_string.c: OBJ_KEEPTTL.'
 *   PERSIST sets its flag for GETEX: 'Comment: "Get specific commands - PERSIST".'
 *   EX, PX, EXAT and PXAT set their flags for both: 'Comment: "Common commands - EX/EXAT/PX/PXAT".'
 *   the time is the argument that follows: 'Comment: "pointer to pointer of expire obj"; "expire are updated".'
 *   the unit is milliseconds for PX and PXAT alone: 'Comment: "Unit is set to millisecond if PX/PXAT is set".'
 *   options are known in any case: 'commands/set; strcasecmp in siblings.'
 *   flags that were set stay: 'Comment: "Input flags are updated".'
 *   several options go together: 'commands/set: "SET key value NX GET EX 10".'
 *   NX and XX exclude each other: 'commands/set: [NX | XX].'
 *   two different times exclude each other: 'commands/set: [EX | PX | EXAT | PXAT | KEEPTTL]; getexCommand: "Only one of the below options can be used".'
 *   KEEPTTL excludes times: 'commands/set: [EX | PX | EXAT | PXAT | KEEPTTL].'
 *   PERSIST excludes times: 'getexCommand: "Only one of the below options can be used".'
 *   options of SET are errors for GETEX: 'Comment: "Set specific commands".'
 *   PERSIST is an error for SET: 'Comment: "Get specific commands".'
 *   a time without its value is an error: 'Comment: "syntax violations"; commands/set: EX seconds.'
 *   unknown words are errors: 'Comment: "If there are any syntax violations C_ERR is returned".'
 *   names that begin or end alike are errors: 'The same.'
 *   the value of a time is no option: 'Comment: it is the expire object.'
 *   key and value are no options: 'Parameter command_type: options begin after them.'
 *   an error is C_ERR and one syntax error: 'Comment: "C_ERR is returned"; callers return then; tests: "*syntax*".'
 *   success replies nothing: 'Name: OrReply.'
 *   the arguments stay as they are: 'They are the client''s.'
 ---*/
#include "../t_string.c"
#include "commandtest.h"

static int flags, unit, code;
static robj *expire;

/* Parses these words; as those of SET if they begin so. */
static int parse(int before, const char *words) {
    int n, type = !strncasecmp(words,"set ",4) ? COMMAND_SET : COMMAND_GET;
    sds *w = sdssplitargs(words,&n);
    const char *argv[12];
    for (int j = 0; j < n; j++) argv[j] = w[j];
    setArguments(c,n,argv);
    sdsfreesplitres(w,n);
    flags = before;
    unit = UNIT_SECONDS;
    expire = NULL;
    code = parseExtendedStringArgumentsOrReply(c,&flags,&unit,&expire,type);
    sds s = replyOf(c);
    snprintf(lastReply,sizeof(lastReply),"%s",s);
    sdsfree(s);
    return code;
}

/* Whether it's fine, with these flags, the time at that argument, in milliseconds or not. */
static int is(const char *words, int want, int at, int millis) {
    int same = parse(OBJ_NO_FLAGS,words) == C_OK && !lastReply[0] && flags == want &&
               expire == (at ? c->argv[at] : NULL) && unit == (millis ? UNIT_MILLISECONDS : UNIT_SECONDS);
    if (!same) printf("# %s\n",words);
    return same;
}

static int fails(const char *words) {
    int same = parse(OBJ_NO_FLAGS,words) == C_ERR && !strcmp(lastReply,"-ERR syntax error\r\n");
    if (!same) printf("# %s\n",words);
    return same;
}

int main(void) {
    startCommands();
    test_cond("without options nothing is changed", is("set k v",0,0,0) && is("getex k",0,0,0));
    test_cond("NX, XX and GET set their flags for SET", is("set k v NX",OBJ_SET_NX,0,0) &&
              is("set k v XX",OBJ_SET_XX,0,0) && is("set k v GET",OBJ_SET_GET,0,0));
    test_cond("KEEPTTL sets its flag for SET", is("set k v KEEPTTL",OBJ_KEEPTTL,0,0));
    test_cond("PERSIST sets its flag for GETEX", is("getex k PERSIST",OBJ_PERSIST,0,0));
    const char *times[] = {"EX","PX","EXAT","PXAT"};
    int bits[] = {OBJ_EX,OBJ_PX,OBJ_EXAT,OBJ_PXAT}, both = 1, next = 1, units = 1, cases = 1, missing = 1, twice = 1;
    int keep = 1, persist = 1, value = 1;
    char s[100], lower[5];
    for (int j = 0; j < 4; j++) {
        for (size_t k = 0; k <= strlen(times[j]); k++) lower[k] = tolower(times[j][k]);
        sprintf(s,"set k v %s 10",times[j]);
        both &= parse(0,s) == C_OK && flags == bits[j];
        next &= expire == c->argv[4];
        units &= unit == (j % 2 ? UNIT_MILLISECONDS : UNIT_SECONDS);
        sprintf(s,"getex k %s 10",times[j]);
        both &= parse(0,s) == C_OK && flags == bits[j];
        next &= expire == c->argv[3];
        units &= unit == (j % 2 ? UNIT_MILLISECONDS : UNIT_SECONDS);
        sprintf(s,"set k v %s 10",lower);
        cases &= is(s,bits[j],4,j % 2);
        lower[0] = toupper(lower[0]);
        sprintf(s,"getex k %s 10",lower);
        cases &= is(s,bits[j],3,j % 2);
        sprintf(s,"set k v %s",times[j]);
        missing &= fails(s);
        sprintf(s,"getex k %s",times[j]);
        missing &= fails(s);
        sprintf(s,"set k v NX %s",times[j]);
        missing &= fails(s);
        for (int k = 0; k < 4; k++) {
            if (k == j) continue;
            sprintf(s,"set k v %s 10 %s 10",times[j],times[k]);
            twice &= fails(s);
            sprintf(s,"getex k %s 10 %s 10",times[j],times[k]);
            twice &= fails(s);
        }
        sprintf(s,"set k v KEEPTTL %s 10",times[j]);
        keep &= fails(s);
        sprintf(s,"set k v %s 10 KEEPTTL",times[j]);
        keep &= fails(s);
        sprintf(s,"getex k PERSIST %s 10",times[j]);
        persist &= fails(s);
        sprintf(s,"getex k %s 10 PERSIST",times[j]);
        persist &= fails(s);
        sprintf(s,"set k v %s NX",times[j]);
        value &= is(s,bits[j],4,j % 2);
        sprintf(s,"set k v %s EX XX",times[j]);
        value &= is(s,bits[j]|OBJ_SET_XX,4,j % 2);
        sprintf(s,"getex k %s persist",times[j]);
        value &= is(s,bits[j],3,j % 2);
    }
    test_cond("EX, PX, EXAT and PXAT set their flags for both", both);
    test_cond("the time is the argument that follows", next);
    test_cond("the unit is milliseconds for PX and PXAT alone", units && parse(0,"set k v NX") == C_OK &&
              unit == UNIT_SECONDS);
    test_cond("options are known in any case", cases && is("set k v nx",OBJ_SET_NX,0,0) &&
              is("set k v xX get",OBJ_SET_XX|OBJ_SET_GET,0,0) && is("set k v gEt Nx",OBJ_SET_NX|OBJ_SET_GET,0,0) &&
              is("set k v KeepTTL",OBJ_KEEPTTL,0,0) && is("getex k persisT",OBJ_PERSIST,0,0));
    int stay = parse(OBJ_SET_GET,"set k v NX") == C_OK && flags == (OBJ_SET_GET|OBJ_SET_NX);
    test_cond("flags that were set stay", stay && parse(OBJ_SET_NX,"set k v EX 5") == C_OK &&
              flags == (OBJ_SET_NX|OBJ_EX));
    test_cond("several options go together", is("set k v NX GET EX 10",OBJ_SET_NX|OBJ_SET_GET|OBJ_EX,6,0) &&
              is("set k v PX 10 XX GET",OBJ_SET_XX|OBJ_SET_GET|OBJ_PX,4,1) &&
              is("set k v GET KEEPTTL XX",OBJ_SET_XX|OBJ_SET_GET|OBJ_KEEPTTL,0,0) &&
              is("set k v EXAT 10 NX",OBJ_SET_NX|OBJ_EXAT,4,0) && is("set k v GET PXAT 10",OBJ_SET_GET|OBJ_PXAT,5,1));
    test_cond("NX and XX exclude each other", fails("set k v NX XX") && fails("set k v XX NX") &&
              fails("set k v NX GET EX 10 XX") && fails("set k v XX PX 5 NX"));
    test_cond("two different times exclude each other", twice);
    test_cond("KEEPTTL excludes times", keep);
    test_cond("PERSIST excludes times", persist);
    test_cond("options of SET are errors for GETEX", fails("getex k NX") && fails("getex k XX") && fails("getex k GET") &&
              fails("getex k KEEPTTL") && fails("getex k EX 10 NX"));
    test_cond("PERSIST is an error for SET", fails("set k v PERSIST") && fails("set k v NX PERSIST"));
    test_cond("a time without its value is an error", missing);
    test_cond("unknown words are errors", fails("set k v 10") && fails("set k v \"\"") && fails("getex k \"\"") &&
              fails("set k v DEL") && fails("set k v EX 10 20") && fails("getex k EX 10 20") && fails("set k v NX LT"));
    test_cond("names that begin or end alike are errors", fails("set k v N") && fails("set k v NXX") &&
              fails("set k v GETS") && fails("set k v GE") && fails("set k v E 10") && fails("set k v EXA 10") &&
              fails("set k v EXATX 10") && fails("set k v PXA 10") && fails("set k v PXATX 10") &&
              fails("set k v KEEPTT") && fails("set k v KEEPTTLS") && fails("getex k PERSISTS") &&
              fails("getex k PERSIS") && fails("getex k EXX 10") && fails("set k v X") && fails("set k v XXX"));
    test_cond("the value of a time is no option", value);
    test_cond("key and value are no options", is("set nx xx",0,0,0) && is("set ex get",0,0,0) && is("getex persist",0,0,0) &&
              is("set nx get XX",OBJ_SET_XX,0,0) && is("getex px PX 10",OBJ_PX,3,1));
    test_cond("an error is C_ERR and one syntax error", fails("set k v a b c d") && fails("getex k a b c d") &&
              fails("set k v NX XX NX XX"));
    test_cond("success replies nothing", parse(0,"set k v NX EX 10") == C_OK && !lastReply[0] &&
              parse(0,"getex k EX 10") == C_OK && !lastReply[0]);
    parse(0,"set k v EX 10 NX");
    int same = c->argc == 6 && !strcmp(c->argv[4]->ptr,"10");
    for (int j = 0; j < c->argc; j++) same &= c->argv[j]->refcount == 1;
    test_cond("the arguments stay as they are", same);
    test_report();
    return 0;
}
