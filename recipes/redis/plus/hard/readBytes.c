/*---
 * tasks: [processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   the bytes are read: 'Signature: so many bytes into target; caller readString.'
 *   success is told by 1: 'Callers go on when it is true.'
 *   bytes of any value are read: 'AOF holds any bytes; caller readString.'
 *   the rest of the file is left: 'Caller reads on.'
 *   nothing is written behind the bytes: 'Caller readString has room for these alone, and ends the text itself.'
 *   no byte at all can be read: 'Argument length.'
 *   the whole file can be read: 'Argument length.'
 *   fewer bytes than asked for are refused: 'Error: "Expected to read ... bytes, got ... bytes".'
 *   the end of the file is refused: 'Error: "Expected to read ... bytes, got 0 bytes".'
 *   the error tells both numbers: 'Error: "Expected to read 10 bytes, got 4 bytes".'
 *   the error tells the offset where reading began: 'ERROR: epos; checkSingleAof prints it.'
 *   success leaves no error: 'checkSingleAof prints what is in error.'
 *   no line is counted: 'ok_up_to_line: consumeNewline counts lines.'
 *   many bytes are read: 'AOF holds long strings.'
 ---*/
#include "../redis-check-aof.c"
#include "../testhelp.h"

static FILE *fp;
static char target[100];

static void file(const char *bytes, size_t len) {
    if (fp) fclose(fp);
    fp = tmpfile();
    fwrite(bytes,1,len,fp);
    rewind(fp);
    error[0] = '\0';
    memset(target,'#',sizeof(target));
}

int main(void) {
    long long before = line;
    file("set foo bar",11);
    int got = readBytes(fp,target,3);
    test_cond("the bytes are read", !memcmp(target,"set",3));
    test_cond("success is told by 1", got == 1);
    test_cond("success leaves no error", error[0] == '\0');
    test_cond("nothing is written behind the bytes", target[3] == '#' && target[4] == '#');
    test_cond("the rest of the file is left", ftell(fp) == 3 && readBytes(fp,target,4) == 1 && !memcmp(target," foo",4));
    file("a\0b\r\n\xff\n",7);
    test_cond("bytes of any value are read", readBytes(fp,target,7) == 1 && !memcmp(target,"a\0b\r\n\xff\n#",8));
    file("abc",3);
    test_cond("no byte at all can be read", readBytes(fp,target,0) == 1 && ftell(fp) == 0 && target[0] == '#');
    test_cond("the whole file can be read", readBytes(fp,target,3) == 1 && !memcmp(target,"abc#",4));
    test_cond("the end of the file is refused", readBytes(fp,target,1) == 0 &&
              strstr(error,"Expected to read 1 bytes, got 0 bytes"));
    file("0123456789",10);
    readBytes(fp,target,6);
    got = readBytes(fp,target,10);
    test_cond("fewer bytes than asked for are refused", got == 0);
    test_cond("the error tells both numbers", strstr(error,"Expected to read 10 bytes, got 4 bytes") != NULL);
    test_cond("the error tells the offset where reading began", strtoll(error+2,NULL,16) == 6 && epos == 6);
    test_cond("no line is counted", line == before);
    static char big[300000], back[300000];
    for (size_t j = 0; j < sizeof(big); j++) big[j] = (char)(j*7);
    file(big,sizeof(big));
    test_cond("many bytes are read", readBytes(fp,back,sizeof(back)) == 1 && !memcmp(big,back,sizeof(big)));
    test_report();
    return 0;
}
