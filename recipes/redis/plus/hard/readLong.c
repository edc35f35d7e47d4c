/*---
 * tasks: [processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   the number is read: 'Signature; caller readArgc reads "*3", readString "$5".'
 *   success is told by 1: 'Callers go on when it is true; consumeNewline.'
 *   the rest of the file is left: 'Caller readString reads the bytes behind.'
 *   numbers of several lines are read one after the other: 'Callers.'
 *   a negative number is read: 'Caller readString refuses it itself: "which is not in the suitable range".'
 *   the largest number is read: 'Signature: long; caller readString: LONG_MAX.'
 *   another prefix is refused: 'Argument prefix; error "Expected prefix".'
 *   the error names both prefixes: 'Error: "Expected prefix ''$'', got: ''*''".'
 *   the error tells the offset of the line: 'ERROR: epos; checkSingleAof prints it.'
 *   a line that does not end with CR LF is refused: 'consumeNewline.'
 *   a number with something behind is refused: 'consumeNewline.'
 *   a line that is cut off is refused: 'consumeNewline.'
 *   at the end of the file it is refused: 'Callers: a record that is cut off.'
 *   the end of the file is no error by itself: 'checkSingleAof: feof and multi make "Reached EOF before reading EXEC for MULTI" only if there is no error.'
 *   each line is counted: 'consumeNewline counts; ok_up_to_line.'
 *   a refused line is not counted: 'consumeNewline counts; ok_up_to_line.'
 *   with another prefix the target stays: 'It was not read.'
 ---*/
#include "../redis-check-aof.c"
#include "../testhelp.h"

static FILE *fp;
static long number;

static void file(const char *bytes) {
    if (fp) fclose(fp);
    fp = tmpfile();
    fwrite(bytes,1,strlen(bytes),fp);
    rewind(fp);
    error[0] = '\0';
    number = -77;
}

static int reads(const char *bytes, char prefix, long want) {
    file(bytes);
    return readLong(fp,prefix,&number) == 1 && number == want && error[0] == '\0';
}

static int refused(const char *bytes, char prefix) {
    file(bytes);
    return readLong(fp,prefix,&number) == 0;
}

int main(void) {
    long long before = line;
    test_cond("the number is read", reads("*3\r\n",'*',3) && reads("$10\r\n",'$',10) && reads("$0\r\n",'$',0));
    file("*2\r\n$3\r\nset\r\n");
    int got = readLong(fp,'*',&number);
    test_cond("success is told by 1", got == 1);
    test_cond("the rest of the file is left", ftell(fp) == 4);
    int second = readLong(fp,'$',&number);
    test_cond("numbers of several lines are read one after the other", second == 1 && number == 3 && ftell(fp) == 8);
    test_cond("each line is counted", line == before+5);
    test_cond("a negative number is read", reads("$-1\r\n",'$',-1) && reads("*-300\r\n",'*',-300));
    test_cond("the largest number is read", reads("$9223372036854775807\r\n",'$',LONG_MAX));
    before = line;
    test_cond("another prefix is refused", refused("*3\r\n",'$') && refused("$3\r\n",'*') && refused("3\r\n",'*'));
    test_cond("with another prefix the target stays", number == -77);
    refused("*3\r\n",'$');
    test_cond("the error names both prefixes", strstr(error,"Expected prefix '$', got: '*'") != NULL);
    file("*3\r\n*2\r\n:1\r\n");
    readLong(fp,'*',&number);
    readLong(fp,'*',&number);
    got = readLong(fp,'*',&number);
    test_cond("the error tells the offset of the line", got == 0 && strtoll(error+2,NULL,16) == 8 && epos == 8);
    before = line;
    test_cond("a line that does not end with CR LF is refused", refused("*3\n",'*') && strstr(error,"Expected \\r\\n") &&
              refused("*3\r",'*') && refused("*3\r\r\n",'*'));
    test_cond("a number with something behind is refused", refused("*3x\r\n",'*') && refused("*3 \r\n",'*') &&
              refused("*3.5\r\n",'*') && strstr(error,"Expected \\r\\n, got: 2e35"));
    test_cond("a line that is cut off is refused", refused("*3",'*') && refused("*",'*'));
    test_cond("at the end of the file it is refused", refused("",'*'));
    test_cond("the end of the file is no error by itself", error[0] == '\0' && number == -77);
    test_cond("a refused line is not counted", line == before);
    test_report();
    return 0;
}
