/*---
 * tasks: [processAnnotations-e13fa1.2, processAnnotations-e13fa1.4, processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a valid file is valid: 'Caller printAofStyle: AOF_CHECK_OK, "is valid".'
 *   a valid file is left as it is: 'Comment: "check the validity".'
 *   annotations are passed over: 'processAnnotations; aof.c: annotations are no commands.'
 *   an empty file is empty: 'Caller printAofStyle: AOF_CHECK_EMPTY; whatever the other parameters.'
 *   a file that is missing ends the program: 'Utility: exit status 1, as for whatever isn''t valid.'
 *   the path is opened and not the name: 'Parameters aof_filename, aof_filepath.'
 *   a broken file ends the program without fix: 'aof.tcl: "Utility should confirm the AOF is not valid".'
 *   it says how far the file is right: 'aof.tcl: "ok_up_to_line=8"; the line of the last byte that was read as it should.'
 *   a broken file is truncated after the last record with fix: 'aof.tcl: "Utility should be able to fix the AOF".'
 *   any break is found: 'Comment: "check the validity of a single AOF file".'
 *   it asks before: 'Upstream''s docs on persistence: redis-check-aof --fix; aof.tcl: it answers y.'
 *   a file that isn't the last is not fixed: 'checkMultiPartAof: "we only allow truncation for the last AOF file"; aof.tcl.'
 *   an open transaction is not valid: 'processRESP: "whether the AOF file contains unclosed transactions"; aof.tcl: base AOF with MULTI.'
 *   an open transaction is truncated from its MULTI on: 'aof.tcl, "unfinished MULTI"; upstream''s server drops the whole transaction.'
 *   a break within a transaction truncates from its MULTI on: 'The same.'
 *   a complete transaction stays: 'The same.'
 *   nested transactions are not valid: 'processRESP gives 0.'
 *   an RDB preamble is passed over: 'Comment: "Old-style RDB-preamble AOF"; aof.tcl.'
 *   a tail behind a preamble is checked and fixed: 'The same.'
 *   a broken preamble ends the program: 'aof.tcl; redis_check_rdb_main: C_ERR.'
 *   a file is truncated to a timestamp: 'Caller printAofStyle: AOF_CHECK_TIMESTAMP_TRUNCATED; aof.tcl.'
 *   a file without a greater timestamp is valid: 'aof.tcl: truncation to 1628217474 changes nothing.'
 *   a broken file isn't valid with a timestamp either: 'redis-check-aof --truncate-to-timestamp: "not valid".'
 *   a file that isn't the last is not truncated to a timestamp: 'processAnnotations: last_file; aof.tcl.'
 *   files are closed: 'Caller checkMultiPartAof checks one after the other.'
 ---*/
#include "aofchecktest.h"

void initServerConfig(void);

#define MULTI "*1\r\n$5\r\nMULTI\r\n"
#define EXEC "*1\r\n$4\r\nEXEC\r\n"
#define SET "*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$5\r\nhello\r\n"
#define TS(n) "#TS:" #n "\r\n"
#define RDB "REDIS0011\xff\0\0\0\0\0\0\0\0"

struct args {int last, fix, preamble; time_t to;};

static int check(void *p) {
    struct args *a = p;
    to_timestamp = a->to;
    return checkSingleAof("the.aof",path,a->last,a->fix,a->preamble);
}

/* The file, and what the check gives: 100 and its result, or the program's exit status. */
static int is(const char *bytes, size_t len, int last, int fix, int preamble, time_t to, const char *in) {
    struct args a = {last,fix,preamble,to};
    FILE *fp = fileOf(bytes,len);
    fclose(fp);
    return apart(check,&a,in);
}
#define plain(s) is(s,sizeof(s)-1,1,0,0,0,"")
#define fixed(s) is(s,sizeof(s)-1,1,1,0,0,"y\n")
#define upTo(s,t) is(s,sizeof(s)-1,1,0,0,t,"")
#define OK (100+AOF_CHECK_OK)
#define TRUNCATED (100+AOF_CHECK_TRUNCATED)
#define TIMESTAMP (100+AOF_CHECK_TIMESTAMP_TRUNCATED)
#define fixedTo(s,rest) (fixed(s rest) == TRUNCATED && holdsLiteral(s))

static int opened(void) {
    int n = 0;
    for (int fd = 0; fd < 200; fd++) n += fcntl(fd,F_GETFD) != -1;
    return n;
}

int main(void) {
    crc64_init();
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    begin();
    test_cond("a valid file is valid", plain(SET) == OK && plain(SET SET SET) == OK && fixed(SET) == OK &&
              is(SET,sizeof(SET)-1,0,0,0,0,"") == OK && is(SET,sizeof(SET)-1,0,1,0,0,"") == OK);
    test_cond("a valid file is left as it is", holdsLiteral(SET) && fixed(SET MULTI SET EXEC) == OK &&
              holdsLiteral(SET MULTI SET EXEC));
    test_cond("annotations are passed over", plain(TS(1) SET TS(2) SET TS(3)) == OK && plain("#other\r\n" SET) == OK &&
              plain(MULTI TS(1) SET EXEC) == OK);
    test_cond("an empty file is empty", plain("") == 100+AOF_CHECK_EMPTY && fixed("") == 100+AOF_CHECK_EMPTY &&
              is("",0,0,0,1,7,"") == 100+AOF_CHECK_EMPTY);
    struct args a = {1,0,0,0};
    unlink(path);
    test_cond("a file that is missing ends the program", apart(check,&a,"") == 1);
    plain(SET "!!!");
    test_cond("the path is opened and not the name", holdsLiteral(SET "!!!") && strstr(output,"the.aof"));
    test_cond("it says how far the file is right", strstr(output,"ok_up_to_line=8,") && strstr(output,"size=36,") &&
              strstr(output,"ok_up_to=33,") && strstr(output,"diff=3\n"));
    test_cond("a broken file ends the program without fix", plain(SET "!!!") == 1 && holdsLiteral(SET "!!!") &&
              strstr(output,"not valid") && plain("garbage") == 1 && is("x",1,0,0,0,0,"y\n") == 1);
    test_cond("a broken file is truncated after the last record with fix", fixedTo(SET SET,"!!!") &&
              fixedTo(SET TS(1),"*2\r\n") && fixedTo("","*1"));
    test_cond("any break is found", plain("*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$5\r\nhell") == 1 && plain(SET "\r\n" SET) == 1 &&
              plain(SET "*1\r\n") == 1 && plain("set foo hello\r\n") == 1 && plain(SET "$3\r\nfoo\r\n") == 1);
    int asks = is(SET "!",sizeof(SET),1,1,0,0,"n\n") == 1 && holdsLiteral(SET "!");
    asks &= is(SET "!",sizeof(SET),1,1,0,0,"") == 1 && holdsLiteral(SET "!");
    asks &= is(SET "!",sizeof(SET),1,1,0,0,"\n") == 1 && holdsLiteral(SET "!");
    asks &= is(SET "!",sizeof(SET),1,1,0,0,"Y\n") == TRUNCATED && holdsLiteral(SET);
    test_cond("it asks before", asks);
    int other = is(SET "!",sizeof(SET),0,1,0,0,"y\n") == 1 && holdsLiteral(SET "!");
    test_cond("a file that isn't the last is not fixed", other && strstr(output,"not the last file"));
    test_cond("an open transaction is not valid", plain(SET MULTI SET) == 1 && holdsLiteral(SET MULTI SET) &&
              plain(MULTI) == 1 && plain(SET MULTI SET EXEC MULTI) == 1 && is(MULTI,sizeof(MULTI)-1,0,0,0,0,"") == 1);
    test_cond("an open transaction is truncated from its MULTI on", fixedTo(SET,MULTI SET SET) && fixedTo(SET,MULTI) &&
              fixedTo(SET MULTI SET EXEC SET,MULTI SET TS(1)));
    test_cond("a break within a transaction truncates from its MULTI on", fixedTo(SET,MULTI SET "*3\r\n$3\r\nse") &&
              fixedTo(SET,MULTI SET "!" SET EXEC));
    test_cond("a complete transaction stays", fixedTo(SET MULTI SET SET EXEC,"!!!") && fixedTo(MULTI EXEC SET,"*"));
    test_cond("nested transactions are not valid", plain(MULTI MULTI EXEC EXEC) == 1 && plain(SET EXEC) == 1 &&
              fixedTo(SET,EXEC) && fixedTo(SET,MULTI MULTI EXEC EXEC SET));
    int rdb = is(RDB,sizeof(RDB)-1,1,0,1,0,"") == OK && is(RDB SET,sizeof(RDB SET)-1,1,0,1,0,"") == OK;
    rdb &= is(RDB TS(1) SET,sizeof(RDB TS(1) SET)-1,0,1,1,0,"") == OK && plain(RDB SET) == 1;
    test_cond("an RDB preamble is passed over", rdb);
    int tail = is(RDB SET "!",sizeof(RDB SET "!")-1,1,0,1,0,"") == 1 && holdsLiteral(RDB SET "!");
    tail &= is(RDB SET "!",sizeof(RDB SET "!")-1,1,1,1,0,"y\n") == TRUNCATED && holdsLiteral(RDB SET);
    tail &= is(RDB "!",sizeof(RDB "!")-1,1,1,1,0,"y\n") == TRUNCATED && holdsLiteral(RDB);
    test_cond("a tail behind a preamble is checked and fixed", tail);
    const char bad[] = "REDIS0011\xfe\x05\xf0\0\0\0\0\0\0\0\0";
    test_cond("a broken preamble ends the program", is(bad,sizeof(bad)-1,1,1,1,0,"y\n") == 1 &&
              holds(bad,sizeof(bad)-1) && is(SET SET,2*sizeof(SET)-2,1,1,1,0,"y\n") == 1 && holdsLiteral(SET SET));

    int truncated = upTo(TS(10) SET TS(11) SET TS(12) SET,10) == TIMESTAMP && holdsLiteral(TS(10) SET);
    truncated &= upTo(TS(10) SET TS(11) SET TS(12) SET,11) == TIMESTAMP && holdsLiteral(TS(10) SET TS(11) SET);
    truncated &= upTo(SET TS(12) SET "!!!",11) == TIMESTAMP && holdsLiteral(SET);
    test_cond("a file is truncated to a timestamp", truncated);
    test_cond("a file without a greater timestamp is valid", upTo(TS(10) SET TS(11) SET,11) == OK &&
              holdsLiteral(TS(10) SET TS(11) SET) && upTo(SET,5) == OK);
    test_cond("a broken file isn't valid with a timestamp either", upTo(TS(10) SET "!!!",11) == 1 &&
              holdsLiteral(TS(10) SET "!!!") && upTo(TS(10) MULTI SET,11) == 1);
    other = is(SET TS(12),sizeof(SET TS(12))-1,0,0,0,11,"") == 1 && holdsLiteral(SET TS(12));
    test_cond("a file that isn't the last is not truncated to a timestamp", other &&
              is(SET TS(12) SET,sizeof(SET TS(12) SET)-1,0,0,0,12,"") == OK);

    /* Here in the process itself, where the descriptors tell what stayed open. */
    fflush(stdout);
    int out = dup(1), null = open("/dev/null",O_WRONLY), before = opened();
    dup2(null,1);
    for (int j = 0; j < 4; j++) {
        fclose(j == 1 ? literal("") : j == 2 ? literal(SET TS(12)) : literal(SET));
        a.to = j >= 2 ? 11 : 0;
        check(&a);
    }
    fflush(stdout);
    dup2(out,1);
    int after = opened();
    test_cond("files are closed", before == after);
    finish();
    return 0;
}
