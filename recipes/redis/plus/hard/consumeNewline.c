/*---
 * tasks: [processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   a CR LF is consumed: 'Name; RESP ends lines with CR LF; callers go on when it returns 1.'
 *   what stands behind does not matter: 'Caller readString gives a place in a buffer, and readLong the rest of a line.'
 *   the line is counted: 'Body and report: ok_up_to_line of checkSingleAof is line.'
 *   each line is counted once: 'ok_up_to_line.'
 *   a LF alone is refused: 'RESP: CR LF.'
 *   a CR alone is refused: 'RESP: CR LF.'
 *   a text before is refused: 'RESP: CR LF must stand here.'
 *   LF CR is refused: 'RESP: CR LF.'
 *   an empty text is refused: 'Caller readLong: a line without an end at the end of the file.'
 *   a refused text counts no line: 'ok_up_to_line.'
 *   a refusal is told as an error: 'checkSingleAof prints the error; "Expected \r\n, got: ..." with both bytes.'
 *   the error tells the offset: 'ERROR: "0x%16llx: ...", epos.'
 *   success leaves no error: 'checkSingleAof prints what is in error.'
 *   the text stays as it is: 'Callers go on with it.'
 ---*/
#include "../redis-check-aof.c"
#include "../testhelp.h"

static int takes(const char *text) {
    char buf[16] = {0};
    strcpy(buf,text);
    return consumeNewline(buf);
}

int main(void) {
    long long before = line;
    test_cond("a CR LF is consumed", takes("\r\n") == 1);
    test_cond("the line is counted", line == before+1);
    test_cond("what stands behind does not matter", takes("\r\n$3\r\n") == 1 && takes("\r\n\r\n") == 1);
    test_cond("each line is counted once", line == before+3);
    test_cond("success leaves no error", error[0] == '\0');
    test_cond("a LF alone is refused", takes("\n") == 0 && takes("\nab") == 0);
    test_cond("a CR alone is refused", takes("\r") == 0 && takes("\rab") == 0);
    test_cond("LF CR is refused", takes("\n\r") == 0);
    test_cond("an empty text is refused", takes("") == 0);
    epos = 0x1f;
    error[0] = '\0';
    test_cond("a text before is refused", takes("ab\r\n") == 0 && takes(" \r\n") == 0 && takes("a\n") == 0);
    takes("ab\r\n");
    test_cond("a refusal is told as an error", strstr(error,"Expected \\r\\n, got: 6162") != NULL);
    test_cond("the error tells the offset", !strncmp(error,"0x",2) && strtoll(error+2,NULL,16) == 0x1f);
    test_cond("a refused text counts no line", line == before+3);
    char text[] = "\r\nrest";
    consumeNewline(text);
    test_cond("the text stays as it is", !strcmp(text,"\r\nrest"));
    test_report();
    return 0;
}
