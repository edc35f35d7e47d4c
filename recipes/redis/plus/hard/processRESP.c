/*---
 * tasks: [processAnnotations-e13fa1.4, processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a record is read: 'Comment: "decode a RESP record"; caller checkSingleAof goes on after 1.'
 *   just one record is read: 'Comment: "a RESP record"; the caller looks at the next byte.'
 *   records with any number of arguments are read: 'RESP: "*" and the number.'
 *   arguments are of any bytes: 'RESP; values in an AOF.'
 *   another command leaves the counter alone: 'Comment: "If the command is MULTI ... if the command is EXEC".'
 *   MULTI increments the counter by one: 'Comment: "out_multi will be incremented by one".'
 *   EXEC decrements the counter by one: 'Comment: "out_multi will be decremented by one".'
 *   their case doesn't matter: 'server.c: commands are known in any case; the AOF holds them as the client wrote them.'
 *   only the command counts and not an argument: 'Comment: "whether the command is MULTI/EXEC".'
 *   a longer or a shorter name is another command: 'Comment: "the command is MULTI".'
 *   several transactions follow each other: 'Caller checkSingleAof: one counter for the file.'
 *   MULTI within a transaction is an error: 'Error text of redis-check-aof: "Unexpected MULTI in AOF"; multi.c: MULTI calls can not be nested.'
 *   EXEC without MULTI is an error: 'Error text of redis-check-aof: "Unexpected EXEC in AOF"; multi.c: EXEC without MULTI.'
 *   an error of a transaction names the file: 'Parameter filename.'
 *   a broken number of arguments is an error: 'readArgc; caller checkSingleAof stops at 0.'
 *   a broken argument is an error wherever it stands: 'readString; caller checkSingleAof stops at 0.'
 *   a missing argument is an error: 'The number of arguments; caller: truncated files.'
 *   an error is described: 'Caller checkSingleAof prints `error`.'
 *   each line is counted: 'tests/integration/aof.tcl: "ok_up_to_line=8".'
 *   nothing is left behind: 'readString: its string is the caller''s.'
 ---*/
#include "aofchecktest.h"

static int multi, told;
static off_t at;

static int read1(const char *bytes, size_t len, int before) {
    FILE *fp = fileOf(bytes,len);
    multi = before;
    int result = processRESP(fp,"the.aof",&multi);
    at = ftello(fp);
    told = error[0] != '\0';
    fclose(fp);
    return result;
}
#define record(s,before) read1(s,sizeof(s)-1,before)
/* A broken record: 0, and described. */
#define broken(s) (record(s,0) == 0 && multi == 0)

#define MULTI "*1\r\n$5\r\nMULTI\r\n"
#define EXEC "*1\r\n$4\r\nEXEC\r\n"
#define SET "*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$5\r\nhello\r\n"

int main(void) {
    begin();
    int one = record(SET SET,0);
    test_cond("a record is read", one == 1 && !told);
    test_cond("just one record is read", at == sizeof(SET)-1 && record("*1\r\n$4\r\nPING\r\n#TS:1\r\n",0) && at == 14);
    record(SET,0);
    test_cond("each line is counted", line == 8 && record("*1\r\n$4\r\nPING\r\n",0) && line == 4);
    test_cond("records with any number of arguments are read", record("*1\r\n$4\r\nPING\r\n",0) == 1 &&
              record("*5\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n$0\r\n\r\n" SET,0) == 1 && at == 38);
    test_cond("arguments are of any bytes", record("*2\r\n$3\r\nGET\r\n$6\r\n\0\r\n*1\r\r\n",0) == 1 && at == 25 && !told);
    test_cond("another command leaves the counter alone", record(SET,0) && multi == 0 && record(SET,1) && multi == 1 &&
              record("*1\r\n$7\r\nDISCARD\r\n",1) && multi == 1);
    test_cond("MULTI increments the counter by one", record(MULTI,0) == 1 && multi == 1 && !told);
    test_cond("EXEC decrements the counter by one", record(EXEC,1) == 1 && multi == 0 && !told);
    test_cond("their case doesn't matter", record("*1\r\n$5\r\nmUlti\r\n",0) && multi == 1 &&
              record("*1\r\n$4\r\nexEc\r\n",1) && multi == 0 && record("*1\r\n$4\r\nexec\r\n",1) && multi == 0);
    test_cond("only the command counts and not an argument",
              record("*4\r\n$4\r\nSADD\r\n$5\r\nMULTI\r\n$4\r\nEXEC\r\n$5\r\nmulti\r\n",0) == 1 && multi == 0 &&
              record("*2\r\n$3\r\nGET\r\n$4\r\nEXEC\r\n",1) == 1 && multi == 1);
    test_cond("a longer or a shorter name is another command", record("*1\r\n$6\r\nMULTIX\r\n",0) == 1 && multi == 0 &&
              record("*1\r\n$3\r\nEXE\r\n",1) == 1 && multi == 1 && record("*1\r\n$4\r\nMULT\r\n",0) && multi == 0 &&
              record("*1\r\n$5\r\nEXECS\r\n",0) == 1 && multi == 0);
    FILE *fp = literal(MULTI SET EXEC MULTI EXEC SET);
    int all = 1, n = 0;
    multi = 0;
    for (int j = 0; j < 6; j++) {
        all &= processRESP(fp,"the.aof",&multi) == 1;
        n = n*10+multi;
    }
    test_cond("several transactions follow each other", all && n == 110100 && !error[0]);
    fclose(fp);
    test_cond("MULTI within a transaction is an error", record(MULTI,1) == 0 && told);
    int named = strstr(error,"MULTI") && strstr(error,"the.aof");
    test_cond("EXEC without MULTI is an error", record(EXEC,0) == 0 && told);
    test_cond("an error of a transaction names the file", named && strstr(error,"EXEC") && strstr(error,"the.aof"));
    int t = 1;
    test_cond("a broken number of arguments is an error", broken("$3\r\nfoo\r\n") && broken("*1x\r\n$4\r\nPING\r\n") &&
              broken("*1\n$4\r\nPING\r\n") && broken("!!!"));
    t &= told;
    test_cond("a broken argument is an error wherever it stands", broken("*2\r\n$3\r\nGETxx$1\r\na\r\n") && told &&
              broken("*2\r\n$3\r\nGET\r\n$2\r\na\r\n\r\n") && broken("*2\r\n$3\r\nGET\r\n:1\r\na\r\n") &&
              broken("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\nbxx") && broken("*1\r\n$-1\r\n\r\n"));
    t &= told;
    test_cond("a missing argument is an error", broken("*2\r\n$3\r\nGET\r\n*1\r\n$4\r\nPING\r\n") && told &&
              broken("*2\r\n$3\r\nGET\r\n") && broken("*1\r\n") && broken("*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$5\r\nhel"));
    t &= told;
    test_cond("an error is described", t);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        record(SET,0);
        record(MULTI,0);
        record(MULTI,1);
        record(EXEC,1);
        record(EXEC,0);
        record("*2\r\n$3\r\nGET\r\n$2\r\na\r\n\r\n",0);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    finish();
    return 0;
}
