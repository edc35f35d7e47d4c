/*---
 * tasks: [processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a valid file is said to be valid: 'printAofStyle: "is valid"; tests/integration/aof.tcl.'
 *   it says what it checks: 'aof.tcl: "Start checking Old-Style AOF".'
 *   an empty file is said to be empty: 'printAofStyle: "is empty".'
 *   a broken file ends the program: 'checkSingleAof without fix; aof.tcl: "not valid".'
 *   with fix it is truncated and said to be: 'Parameter fix; printAofStyle: "Successfully truncated AOF".'
 *   it is the last file: 'checkSingleAof: last_file; an old-style AOF is a single file.'
 *   with a timestamp it is truncated and said to be: 'printAofStyle: AOF_CHECK_TIMESTAMP_TRUNCATED.'
 *   a preamble is checked: 'Parameter preamble; Comment: "identify whether the AOF is in RDB-preamble format".'
 *   without the parameter a preamble is wrong: 'Parameter preamble.'
 *   the file is named as it was given: 'printAofStyle: the file''s name.'
 ---*/
#include "aofchecktest.h"

void initServerConfig(void);

#define SET "*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$3\r\nbar\r\n"
#define RDB "REDIS0011\xff\0\0\0\0\0\0\0\0"

struct args {int fix, preamble; time_t to;};

static int check(void *p) {
    struct args *a = p;
    to_timestamp = a->to;
    checkOldStyleAof(path,a->fix,a->preamble);
    return 0;
}

static int is(const char *bytes, size_t len, int fix, int preamble, time_t to) {
    struct args a = {fix,preamble,to};
    fclose(fileOf(bytes,len));
    return apart(check,&a,"y\n");
}
#define run(s,fix,preamble,to) is(s,sizeof(s)-1,fix,preamble,to)

int main(void) {
    crc64_init();
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    begin();
    char want[200];
    int valid = run(SET SET,0,0,0) == 100;
    sprintf(want,"\nAOF %s is valid\n",path);
    test_cond("a valid file is said to be valid", valid && strstr(output,"is valid\n"));
    test_cond("the file is named as it was given", strstr(output,want) != NULL);
    test_cond("it says what it checks", strstr(output,"Start checking Old-Style AOF\n") != NULL);
    test_cond("an empty file is said to be empty", run("",0,0,0) == 100 && strstr(output,"is empty\n"));
    test_cond("a broken file ends the program", run(SET "!!!",0,0,0) == 1 && holdsLiteral(SET "!!!") &&
              strstr(output,"not valid") && !strstr(output,"is valid"));
    int fixed = run(SET "!!!",1,0,0) == 100;
    test_cond("with fix it is truncated and said to be", fixed && holdsLiteral(SET) &&
              strstr(output,"Successfully truncated AOF"));
    test_cond("it is the last file", fixed && !strstr(output,"not the last file"));
    test_cond("with a timestamp it is truncated and said to be", run(SET "#TS:12\r\n" SET,0,0,11) == 100 &&
              holdsLiteral(SET) && strstr(output,"Successfully truncated AOF") && strstr(output,"timestamp 11"));
    int preamble = run(RDB SET,0,1,0) == 100 && strstr(output,"is valid\n");
    test_cond("a preamble is checked", preamble && run("REDIS0011\xfe\x05\xf0\0\0\0\0\0\0\0\0",0,1,0) == 1 &&
              run(RDB SET "!",1,1,0) == 100 && holdsLiteral(RDB SET));
    test_cond("without the parameter a preamble is wrong", run(RDB SET,0,0,0) == 1);
    finish();
    return 0;
}
