/*---
 * tasks: [processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a valid file is told: 'Upstream''s tests of redis-check-aof match "is valid".'
 *   an empty file is told: 'redis-check-aof.c: AOF_CHECK_EMPTY.'
 *   a truncated file is told: 'Upstream''s tests match "Successfully truncated AOF".'
 *   a file truncated to a timestamp is told with it: 'Upstream''s tests match "Successfully truncated AOF * to timestamp *".'
 *   file and type are named: 'Signature: aofFileName, aofType; "BASE AOF", "INCR AOF".'
 *   each is one line: 'Callers print one file after another.'
 ---*/
#include "../redis-check-aof.c"
#include "../testhelp.h"

static char text[2000];

static const char *says(int ret, const char *name, const char *type) {
    fflush(stdout);
    int out = dup(1);
    FILE *f = tmpfile();
    dup2(fileno(f),1);
    printAofStyle(ret,(char*)name,(char*)type);
    fflush(stdout);
    dup2(out,1);
    close(out);
    rewind(f);
    text[fread(text,1,sizeof(text)-1,f)] = '\0';
    fclose(f);
    return text;
}

static int lines(const char *s) {
    int n = 0;
    for (; *s; s++) n += *s == '\n';
    return n;
}

int main(void) {
    const char *s = says(AOF_CHECK_OK,"my.aof","INCR AOF");
    int one = lines(s) == 1, named = strstr(s,"my.aof") && strstr(s,"INCR AOF");
    test_cond("a valid file is told", strstr(s,"is valid") && !strstr(s,"not valid"));
    s = says(AOF_CHECK_EMPTY,"e.aof","BASE AOF");
    one = one && lines(s) == 1, named = named && strstr(s,"e.aof") && strstr(s,"BASE AOF");
    test_cond("an empty file is told", strstr(s,"is empty") != NULL);
    s = says(AOF_CHECK_TRUNCATED,"t.aof","AOF");
    one = one && lines(s) == 1, named = named && strstr(s,"t.aof");
    test_cond("a truncated file is told", strstr(s,"Successfully truncated AOF") && !strstr(s,"timestamp"));
    to_timestamp = 1628217473;
    s = says(AOF_CHECK_TIMESTAMP_TRUNCATED,"u.aof","AOF");
    one = one && lines(s) == 1, named = named && strstr(s,"u.aof");
    test_cond("a file truncated to a timestamp is told with it", strstr(s,"Successfully truncated AOF") &&
              strstr(s,"to timestamp 1628217473"));
    test_cond("file and type are named", named);
    test_cond("each is one line", one);
    test_report();
    return 0;
}
