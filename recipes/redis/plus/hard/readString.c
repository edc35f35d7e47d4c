/*---
 * tasks: [processAnnotations-e13fa1.4, processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a string is read: 'Caller processRESP: 1 and the string; RESP bulk strings.'
 *   it ends with a zero byte: 'Caller processRESP compares it by strcasecmp.'
 *   just its bytes are read: 'Caller processRESP reads one string after the other.'
 *   an empty string is one: 'RESP: "$0\r\n\r\n".'
 *   any bytes stand in it: 'RESP: bulk strings are binary-safe; AOFs hold any values.'
 *   a long string is read: 'Values have up to 512 MB.'
 *   each line that was read is counted: 'consumeNewline counts; tests/integration/aof.tcl: "ok_up_to_line=8".'
 *   another prefix is an error: 'readLong: "Expected prefix"; a bulk string begins with $.'
 *   a negative length is an error: 'Error texts: a length "which is not in the suitable range"; RESP.'
 *   a length near the largest is an error: 'Two bytes more than the length are read; they must fit in a long.'
 *   a string that ends early is an error: 'readBytes: "Expected to read"; a short read is what the program is for.'
 *   a string without its newline is an error: 'consumeNewline: "Expected \r\n".'
 *   a length that is wrong is an error: 'consumeNewline; RESP.'
 *   a length without its newline is an error: 'readLong, consumeNewline.'
 *   at the end of the file there is none: 'readLong gives 0 then.'
 *   after an error there is no string: 'Signature: target; caller processRESP frees nothing then.'
 *   an error is described: 'Caller checkSingleAof prints `error`.'
 *   nothing is left behind after an error: 'Caller processRESP frees nothing then.'
 *   the string is the caller's to free: 'Caller processRESP: zfree(str).'
 ---*/
#include "aofchecktest.h"

static char *got;

/* Reads one, gives whether it failed as it should: no string, and an error but where the file had ended. */
static int described, empty;
static int fails(const char *bytes, size_t len) {
    FILE *fp = fileOf(bytes,len);
    got = (char*)1;
    int result = readString(fp,&got);
    described = error[0] != '\0';
    empty = got == NULL;
    fclose(fp);
    return result == 0;
}
#define failsLiteral(s) fails(s,sizeof(s)-1)

int main(void) {
    begin();
    FILE *fp = literal("$3\r\nfoo\r\n$5\r\nhello\r\n");
    got = NULL;
    int result = readString(fp,&got);
    test_cond("a string is read", result == 1 && got && !strncmp(got,"foo",3));
    test_cond("it ends with a zero byte", got && got[3] == '\0');
    int at = ftello(fp) == 9;
    test_cond("each line that was read is counted", line == 3 && error[0] == '\0');
    zfree(got);
    test_cond("just its bytes are read", at && readString(fp,&got) == 1 && !strcmp(got,"hello") && ftello(fp) == 20);
    zfree(got);
    test_cond("at the end of the file there is none", readString(fp,&got) == 0 && got == NULL);
    fclose(fp);
    fp = literal("$0\r\n\r\n$1\r\nx\r\n");
    result = readString(fp,&got) == 1 && got && got[0] == '\0' && ftello(fp) == 6;
    zfree(got);
    test_cond("an empty string is one", result && readString(fp,&got) == 1 && !strcmp(got,"x"));
    zfree(got);
    fclose(fp);
    fp = literal("$8\r\n\0\r\n$\xff\r\n\n\r\n");
    test_cond("any bytes stand in it", readString(fp,&got) == 1 && !memcmp(got,"\0\r\n$\xff\r\n\n",9));
    zfree(got);
    fclose(fp);
    sds s = sdsnew("$100000\r\n");
    s = sdsgrowzero(s,sdslen(s)+100000);
    memset(s+9,'y',100000);
    s = sdscat(s,"\r\n");
    fp = fileOf(s,sdslen(s));
    test_cond("a long string is read", readString(fp,&got) == 1 && strlen(got) == 100000 && got[99999] == 'y');
    zfree(got);
    fclose(fp);
    sdsfree(s);

    int told = 1, none = 1;
    test_cond("another prefix is an error", failsLiteral("*3\r\nfoo\r\n") && failsLiteral("3\r\nfoo\r\n") &&
              failsLiteral("\r\n$3\r\nfoo\r\n"));
    told &= described, none &= empty;
    test_cond("a negative length is an error", failsLiteral("$-1\r\n\r\n") && failsLiteral("$-2\r\nfoo\r\n") &&
              failsLiteral("$-9223372036854775808\r\nfoo\r\n"));
    told &= described, none &= empty;
    test_cond("a length near the largest is an error", failsLiteral("$9223372036854775807\r\nfoo\r\n") && empty &&
              failsLiteral("$9223372036854775806\r\nfoo\r\n"));
    told &= described, none &= empty;
    test_cond("a string that ends early is an error", failsLiteral("$5\r\nfoo") && failsLiteral("$3\r\nfoo\r") &&
              failsLiteral("$3\r\n") && failsLiteral("$3\r\nfoo"));
    told &= described, none &= empty;
    test_cond("a string without its newline is an error", failsLiteral("$3\r\nfooxy$3\r\n") &&
              failsLiteral("$3\r\nfoo\n\n") && failsLiteral("$3\r\nfoo\rx") && failsLiteral("$3\r\nfoox\n"));
    told &= described, none &= empty;
    test_cond("a length that is wrong is an error", failsLiteral("$2\r\nfoo\r\n") && failsLiteral("$4\r\nfoo\r\n\r\n") &&
              failsLiteral("$0\r\nfoo\r\n"));
    told &= described, none &= empty;
    test_cond("a length without its newline is an error", failsLiteral("$3\nfoo\r\n") && failsLiteral("$3x\r\nfoo\r\n"));
    told &= described, none &= empty;
    test_cond("after an error there is no string", none && failsLiteral("") && empty);
    test_cond("an error is described", told);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) {
        failsLiteral("$5\r\nfoo");
        failsLiteral("$3\r\nfooxy");
        failsLiteral("$-1\r\n");
        failsLiteral("x");
    }
    test_cond("nothing is left behind after an error", zmalloc_used_memory() == before);
    fp = literal("$3\r\nfoo\r\n");
    readString(fp,&got);
    fclose(fp);
    int more = zmalloc_used_memory() > before;
    zfree(got);
    test_cond("the string is the caller's to free", more && zmalloc_used_memory() == before);
    finish();
    return 0;
}
