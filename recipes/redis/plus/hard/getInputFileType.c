/*---
 * tasks: [processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   an old-style AOF: 'Comment: "AOF_RESP: Old-style AOF".'
 *   an AOF with annotations: 'aof.c: timestamps; Comment: AOF_RESP.'
 *   an old-style AOF with an RDB preamble: 'Comment: "AOF_RDB_PREAMBLE: Old-style RDB-preamble AOF".'
 *   a manifest: 'Comment: "AOF_MULTI_PART: manifest in Multi Part AOF".'
 *   a manifest with comments: 'fileIsManifest.'
 *   an empty file is an old-style AOF: 'fileIsManifest and fileIsRDB are 0 for it; aof.c: an empty AOF.'
 *   what is none of them is an old-style AOF: 'It is checked as such, and found wrong.'
 *   a file that is too short for an RDB is an old-style AOF: 'fileIsRDB: "room for the RDB header".'
 *   a missing file ends the program: 'fileIsManifest, fileIsRDB: exit(1).'
 *   the file stays as it is: 'Comment: "Get the format of the file".'
 ---*/
#include "aofchecktest.h"

static int type(const char *bytes, size_t len) {
    fclose(fileOf(bytes,len));
    return getInputFileType(path);
}
#define is(s) type(s,sizeof(s)-1)
#define RDB "REDIS0011\xff\0\0\0\0\0\0\0\0"
#define SET "*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$3\r\nbar\r\n"

static int missing(void *arg) {
    return getInputFileType(arg);
}

int main(void) {
    begin();
    test_cond("an old-style AOF", is(SET) == AOF_RESP && is(SET SET) == AOF_RESP);
    test_cond("the file stays as it is", holdsLiteral(SET SET));
    test_cond("an AOF with annotations", is("#TS:1628217470\r\n" SET) == AOF_RESP);
    test_cond("an old-style AOF with an RDB preamble", is(RDB) == AOF_RDB_PREAMBLE && is(RDB SET) == AOF_RDB_PREAMBLE);
    test_cond("a manifest", is("file a.aof.1.base.rdb seq 1 type b\nfile a.aof.1.incr.aof seq 1 type i\n") == AOF_MULTI_PART &&
              is("file a.aof.1.incr.aof seq 1 type i\n") == AOF_MULTI_PART);
    test_cond("a manifest with comments", is("#comment\nfile a.aof.1.incr.aof seq 1 type i\n") == AOF_MULTI_PART);
    test_cond("an empty file is an old-style AOF", is("") == AOF_RESP);
    test_cond("what is none of them is an old-style AOF", is("garbage that is long enough") == AOF_RESP &&
              is("redis0011 in lower case") == AOF_RESP);
    test_cond("a file that is too short for an RDB is an old-style AOF", is("REDIS") == AOF_RESP && is("REDIS00") == AOF_RESP);
    test_cond("a missing file ends the program", apart(missing,"/nowhere/none","") == 1);
    finish();
    return 0;
}
