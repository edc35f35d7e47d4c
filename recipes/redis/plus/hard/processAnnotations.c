/*---
 * tasks: [processAnnotations-e13fa1, processAnnotations-e13fa1.2, processAnnotations-e13fa1.4, processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   without a timestamp to truncate to annotations are passed over: 'Caller checkSingleAof goes on after 1; redis-check-aof without --truncate-to-timestamp.'
 *   an annotation of another kind is passed over: 'Comment: "can easily be extended to handle other annotations"; aof.c skips what it doesn''t know.'
 *   just one line is read: 'Comment: "an annotation in the AOF file"; the caller looks at the next byte.'
 *   a smaller timestamp is passed over: 'Comment: "once the timestamp is found to be greater".'
 *   an equal timestamp is passed over: 'Comment: "once the timestamp is found to be greater".'
 *   a greater timestamp truncates the file before the annotation: 'Comment: "the AOF after the annotation is truncated"; tests/integration/aof.tcl: "Truncate AOF to specific timestamp".'
 *   it says so with 0: 'Caller checkSingleAof: AOF_CHECK_TIMESTAMP_TRUNCATED.'
 *   the first greater one counts: 'Comment: "once the timestamp is found to be greater"; aof.tcl.'
 *   timestamps are compared as numbers: 'Parameter to_timestamp: a time_t.'
 *   a file that isn't the last is not truncated: 'Comment: "this truncation is only allowed when the last_file parameter is 1"; aof.tcl: "Failed to truncate AOF ... because it is not the last file".'
 *   a smaller timestamp in a file that isn't the last is passed over: 'Comment: only the truncation is not allowed.'
 *   a file with nothing before the timestamp is not truncated: 'aof.tcl: timestamp 1628217469, "aborting".'
 *   what was passed over leaves the file as it is: 'Comment: "truncated" only after a greater timestamp.'
 *   the file is named where it aborts: 'Parameter filename.'
 ---*/
#include "aofchecktest.h"

#define SET "*3\r\n$3\r\nSET\r\n$3\r\nfoo\r\n$5\r\nhello\r\n"
#define LEN ((int)sizeof(SET)-1)

struct args {const char *bytes; size_t len; long at; int last; time_t to; long want;};

/* The call, at that byte of the file; 1 more if it doesn't stop at the byte wanted. */
static int check(void *p) {
    struct args *a = p;
    FILE *fp = fileOf(a->bytes,a->len);
    fseek(fp,a->at,SEEK_SET);
    to_timestamp = a->to;
    int result = processAnnotations(fp,"the.aof",a->last);
    if (result && ftello(fp) != a->want) result += 10;
    fclose(fp);
    return result;
}

static int at(const char *bytes, long at, int last, time_t to, long want) {
    struct args a = {bytes,strlen(bytes),at,last,to,want};
    return apart(check,&a,"");
}

int main(void) {
    begin();
    const char *f = SET "#TS:100\r\n" SET;
    int same = 1;
    test_cond("without a timestamp to truncate to annotations are passed over", at(f,LEN,1,0,LEN+9) == 101 &&
              at(f,LEN,0,0,LEN+9) == 101 && at("#TS:5\r\n",0,1,0,7) == 101 && at("#TS:x\r\n",0,0,0,7) == 101);
    const char *o = SET "#XY:200\r\n" SET;
    test_cond("an annotation of another kind is passed over", at(o,LEN,1,100,LEN+9) == 101 &&
              at(o,LEN,0,100,LEN+9) == 101 && at("#hello\r\n",0,1,100,8) == 101 && at("#TS\r\n",0,1,100,5) == 101);
    const char *two = SET "#TS:100\r\n#TS:101\r\n" SET;
    test_cond("just one line is read", at(two,LEN,1,100,LEN+9) == 101 && at(two,LEN,1,0,LEN+9) == 101);
    test_cond("a smaller timestamp is passed over", at(f,LEN,1,101,LEN+9) == 101 && at(f,LEN,1,5000,LEN+9) == 101);
    same &= holds(f,strlen(f));
    test_cond("an equal timestamp is passed over", at(f,LEN,1,100,LEN+9) == 101);
    same &= holds(f,strlen(f));
    int zero = at(f,LEN,1,99,0);
    test_cond("a greater timestamp truncates the file before the annotation", holdsLiteral(SET));
    zero = zero == 100 && at(f,LEN,1,1,0) == 100 && holdsLiteral(SET);
    test_cond("it says so with 0", zero);
    test_cond("the first greater one counts", at(two,LEN+9,1,100,0) == 100 && holdsLiteral(SET "#TS:100\r\n"));
    const char *many = SET "#TS:1000\r\n";
    test_cond("timestamps are compared as numbers", at(many,LEN,1,999,0) == 100 && at(many,LEN,1,2000,LEN+10) == 101 &&
              at(SET "#TS:9\r\n",LEN,1,10,LEN+7) == 101 && at(SET "#TS:5000000000\r\n",LEN,1,4999999999,0) == 100 &&
              at(SET "#TS:5000000000\r\n",LEN,1,5000000001,LEN+16) == 101);
    int other = at(f,LEN,0,99,0) == 1;
    test_cond("a file that isn't the last is not truncated", other && holds(f,strlen(f)) &&
              at(many,LEN,0,1,0) == 1 && holds(many,strlen(many)));
    int named = strstr(output,"the.aof") != NULL;
    test_cond("a smaller timestamp in a file that isn't the last is passed over", at(f,LEN,0,100,LEN+9) == 101 &&
              at(f,LEN,0,101,LEN+9) == 101 && holds(f,strlen(f)));
    const char *first = "#TS:100\r\n" SET;
    int nothing = at(first,0,1,99,0) == 1;
    named &= strstr(output,"the.aof") != NULL;
    test_cond("a file with nothing before the timestamp is not truncated", nothing && holds(first,strlen(first)) &&
              at(first,0,1,100,9) == 101);
    test_cond("what was passed over leaves the file as it is", same && holds(first,strlen(first)));
    test_cond("the file is named where it aborts", named);
    finish();
    return 0;
}
