/*---
 * tasks: [processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a manifest is one: 'Comment: "Used to determine whether the file is a manifest file".'
 *   comments before it are passed over: 'aof.c, aofLoadManifestFromFile: "Skip comments lines".'
 *   an empty file is none: 'Caller getInputFileType: an empty old-style AOF.'
 *   an AOF is none: 'Caller getInputFileType: AOF_RESP.'
 *   an RDB preamble is none: 'Caller getInputFileType: AOF_RDB_PREAMBLE.'
 *   comments alone are none: 'aof.c: an AOF may begin with annotations.'
 *   the word has to begin a line: 'aof.c: "file" is the first key of each line.'
 *   a shorter file is none: 'The key is "file".'
 *   a missing file ends the program: 'Utility: exit status 1.'
 *   the file stays as it is: 'Comment: it determines.'
 *   no descriptor stays open: 'The program goes on.'
 ---*/
#include "aofchecktest.h"

static int opened(void) {
    int n = 0;
    for (int fd = 0; fd < 200; fd++) n += fcntl(fd,F_GETFD) != -1;
    return n;
}

static int manifest(const char *bytes, size_t len) {
    fclose(fileOf(bytes,len));
    return fileIsManifest(path) != 0;
}
#define is(s) manifest(s,sizeof(s)-1)

static int missing(void *arg) {
    return fileIsManifest(arg);
}

#define BASE "file a.aof.1.base.rdb seq 1 type b\n"
#define INCR "file a.aof.1.incr.aof seq 1 type i\n"

int main(void) {
    begin();
    int before = opened();
    int one = is(BASE INCR);
    test_cond("the file stays as it is", holdsLiteral(BASE INCR));
    test_cond("a manifest is one", one && is(INCR) && is(BASE));
    test_cond("comments before it are passed over", is("#comment\n#another\n" BASE) && is("#file x\n" INCR));
    test_cond("an empty file is none", !is(""));
    test_cond("an AOF is none", !is("*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$3\r\nbar\r\n") && !is("*1\r\n$4\r\nPING\r\n") &&
              !is("#TS:1\r\n*1\r\n$4\r\nPING\r\n"));
    test_cond("an RDB preamble is none", !is("REDIS0011\xfa\x09redis-ver\x05" "7.2.0\xff\0\0\0\0\0\0\0\0"));
    test_cond("comments alone are none", !is("#file\n") && !is("#TS:1628217470\r\n#TS:1628217471\r\n"));
    test_cond("the word has to begin a line", !is("*2\r\n$4\r\n a file\r\n") && !is("my file\n") && !is(" file x\n"));
    test_cond("a shorter file is none", !is("fil") && !is("f\n"));
    test_cond("no descriptor stays open", opened() == before);
    test_cond("a missing file ends the program", apart(missing,"/nowhere/none","") == 1);
    finish();
    return 0;
}
