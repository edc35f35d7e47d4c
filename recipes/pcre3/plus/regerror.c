/*---
 * tasks: [regerror-9e4b9e]
 * tests:
 *   each code has its text: 'pcreposix.c: pstring, "texts corresponding to POSIX error codes".'
 *   the codes of pcreposix.h are told apart: 'pcreposix.3: "maps a non-zero errorcode ... to a printable message".'
 *   the last code has its text: 'pcreposix.c: pstring, REG_NOMATCH.'
 *   an unknown code has a text too: 'pcreposix.3: "maps a non-zero errorcode ... to a printable message".'
 *   the message ends with a zero: 'pcreposix.3: "A message terminated by a binary zero is placed in errbuf".'
 *   the size needed is returned: 'pcreposix.3: "the size of buffer needed to hold the whole message".'
 *   without preg it is that of the text alone: 'pcreposix.3: "If preg is not NULL", the error arose from it.'
 *   a buffer of that size holds the whole message: 'pcreposix.3: "the size of buffer needed".'
 *   a smaller buffer gets the start of the message: 'pcreposix.3: "limited to errbuf_size".'
 *   a smaller buffer ends with a zero: 'pcreposix.3: "The length of the message, including the zero, is limited".'
 *   nothing is written past the buffer: 'pcreposix.3: "limited to errbuf_size".'
 *   the size is that of the whole message even so: 'pcreposix.3: "needed to hold the whole message".'
 *   a buffer of one byte gets the zero alone: 'pcreposix.3: "The length ..., including the zero, is limited".'
 *   a buffer of no bytes is left alone: 'pcreposix.3: "limited to errbuf_size".'
 *   with no buffer only the size is told: 'pcreposix.3: the yield is "the size of buffer needed".'
 *   the offset of an error is told: 'testoutput2 and 14: "POSIX code 9: bad escape sequence at offset 4".'
 *   an offset of zero is told: 'testoutput2 and 14: "at offset".'
 *   a large offset is told: 'testoutput2 and 14: "at offset".'
 *   the size counts the offset: 'pcreposix.3: "the size of buffer needed to hold the whole message".'
 *   small buffers get the start of a message with an offset: 'pcreposix.3: "limited to errbuf_size".'
 *   nothing is written past small buffers then: 'pcreposix.3: "limited to errbuf_size".'
 *   an error of regexec has no offset: 'regexec: the offset is -1, it "Only has meaning after compile".'
 *   the message of a failed regcomp tells text and offset: 'pcreposix.3: of an errorcode from regcomp().'
 ---*/
#include "../pcreposix.c"
#include "plus.h"

static char buffer[200];

static size_t tell(int code, const regex_t *preg, size_t size) {
    memset(buffer, '#', sizeof(buffer));
    return regerror(code, preg, buffer + 10, size);
}

static int untouched(size_t size) {
    size_t i;
    int good = 1;
    for (i = 0; i < 10; i++) good &= buffer[i] == '#';
    for (i = 10 + size; i < sizeof(buffer); i++) good &= buffer[i] == '#';
    return good;
}

static int begins(const char *text) {
    return !strncmp(buffer + 10, text, strlen(text));
}

int main(void) {
    int i, j, good = 1, ends = 1, sizes = 1, starts = 1, past = 1, whole = 1, fits = 1;
    regex_t re;
    char full[200];
    size_t need, size;

    for (i = 1; i <= REG_NOMATCH; i++) {
        size = tell(i, NULL, 100);
        good &= !strcmp(buffer + 10, pstring[i]);
        sizes &= size == strlen(pstring[i]) + 1;
    }
    ok("each code has its text", good);
    tell(REG_BADRPT, NULL, 100);
    good = !strcmp(buffer + 10, "? * + invalid");
    tell(REG_ESPACE, NULL, 100);
    good &= !strcmp(buffer + 10, "failed to get memory");
    tell(REG_ASSERT, NULL, 100);
    ok("the codes of pcreposix.h are told apart", good && !strcmp(buffer + 10, "internal error"));
    tell(REG_NOMATCH, NULL, 100);
    ok("the last code has its text", !strcmp(buffer + 10, "match failed"));
    ok("the message ends with a zero", buffer[10 + 12] == 0);
    ok("the size needed is returned", sizes);
    ok("without preg it is that of the text alone", tell(REG_ESUBREG, NULL, 0) == strlen("bad back reference") + 1);
    good = 1;
    for (i = REG_NOMATCH + 1; i < 2000; i = i * 2 + 1) {
        size = tell(i, NULL, 150);
        good &= buffer[10] != '#' && buffer[10] != 0 && size == strlen(buffer + 10) + 1;
    }
    ok("an unknown code has a text too", good);

    strcpy(full, "unbalanced ()");
    need = strlen(full) + 1;
    for (size = 1; size < need; size++) {
        whole &= tell(REG_EPAREN, NULL, size) == need;
        starts &= !strncmp(buffer + 10, full, size - 1);
        ends &= buffer[10 + size - 1] == 0;
        past &= untouched(size);
    }
    ok("a smaller buffer gets the start of the message", starts);
    ok("a smaller buffer ends with a zero", ends);
    fits = tell(REG_EPAREN, NULL, need) == need && !strcmp(buffer + 10, full) && untouched(need);
    ok("the size is that of the whole message even so", whole);
    tell(REG_EPAREN, NULL, 1);
    ok("a buffer of one byte gets the zero alone", buffer[10] == 0 && untouched(1));
    ok("a buffer of no bytes is left alone", tell(REG_EPAREN, NULL, 0) == need && untouched(0));
    ok("with no buffer only the size is told", regerror(REG_EPAREN, NULL, NULL, 0) == need);
    ok("nothing is written past the buffer", past);

    memset(&re, 0, sizeof(re));
    re.re_erroffset = 4;
    need = tell(REG_EESCAPE, &re, 150);
    ok("the offset of an error is told", begins("bad escape sequence at offset 4"));
    good = need > strlen("bad escape sequence at offset 4") && need <= 150 && need >= strlen(buffer + 10) + 1;
    strcpy(full, buffer + 10);
    ok("the size counts the offset", good && tell(REG_EESCAPE, &re, 0) == need);
    good = fits && tell(REG_EESCAPE, &re, need) == need && !strcmp(buffer + 10, full) && untouched(need);
    ok("a buffer of that size holds the whole message", good);
    starts = past = 1;
    for (size = 1; size < need; size++) {
        past &= tell(REG_EESCAPE, &re, size) == need && untouched(size);
        j = strlen(buffer + 10);
        starts &= j < (int) size && !strncmp(buffer + 10, full, j) && (size > 20 ? j >= 19 : j == (int) size - 1);
    }
    ok("small buffers get the start of a message with an offset", starts);
    ok("nothing is written past small buffers then", past);
    re.re_erroffset = 0;
    tell(REG_BADRPT, &re, 150);
    ok("an offset of zero is told", begins("? * + invalid at offset 0"));
    re.re_erroffset = 98765;
    need = tell(REG_BADRPT, &re, 150);
    ok("a large offset is told",
       begins("? * + invalid at offset 98765") && need > strlen("? * + invalid at offset 98765"));
    re.re_erroffset = (size_t) -1;
    need = tell(REG_NOMATCH, &re, 150);
    ok("an error of regexec has no offset", need == 13 && !strcmp(buffer + 10, "match failed"));
    i = regcomp(&re, "ab(c", 0);
    tell(i, &re, 150);
    ok("the message of a failed regcomp tells text and offset", begins("unbalanced () at offset 4"));
    return plus_end();
}
