/*---
 * tasks: [memoryCommand-606e0f.4, memoryCommand-606e0f.8]
 * tests:
 *   in the second version of the protocol it is a bulk string: 'RESP2 has no verbatim strings; addReplyBulkCBuffer.'
 *   in the third it has a type: 'Comment: "Reply with a verbatim type having the specified extension".'
 *   the length counts the type and its colon: 'RESP3: a verbatim string''s length includes "txt:".'
 *   a type of two characters is filled with a space: 'Comment: "if the provided one is shorter than that, the remaining is filled with spaces".'
 *   an empty type is three spaces: 'Comment: "the remaining is filled with spaces".'
 *   only three characters of the type count: 'Comment: "Only the three first characters of the extension are used".'
 *   a text with NUL and line ends is kept: 'Signature: s and len.'
 *   only so much text as len says: 'Signature: len.'
 *   an empty text: 'Signature: len may be 0.'
 *   a long text: 'Signature: len.'
 *   several replies follow each other: 'addReplyProto appends.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c;

static int gives(int resp, const char *text, size_t len, const char *ext, const char *want, size_t size) {
    c->resp = resp;
    addReplyVerbatim(c, text, len, ext);
    sds got = replyOf(c);
    int same = sdslen(got) == size && !memcmp(got, want, size);
    sdsfree(got);
    return same;
}
#define GIVES(resp, text, ext, want) gives(resp, text, sizeof(text) - 1, ext, want, sizeof(want) - 1)

int main(void) {
    startRedis();
    c = fakeClient();
    test_cond("in the second version of the protocol it is a bulk string",
              GIVES(2, "hello", "txt", "$5\r\nhello\r\n") && GIVES(2, "", "md", "$0\r\n\r\n"));
    test_cond("in the third it has a type", GIVES(3, "hello", "txt", "=9\r\ntxt:hello\r\n") && GIVES(3, "hello", "mkd", "=9\r\nmkd:hello\r\n"));
    test_cond("the length counts the type and its colon",
              GIVES(3, "a", "txt", "=5\r\ntxt:a\r\n") && GIVES(3, "123456", "txt", "=10\r\ntxt:123456\r\n"));
    test_cond("a type of two characters is filled with a space", GIVES(3, "x", "md", "=5\r\nmd :x\r\n"));
    test_cond("an empty type is three spaces", GIVES(3, "x", "", "=5\r\n   :x\r\n") && GIVES(3, "x", "m", "=5\r\nm  :x\r\n"));
    test_cond("only three characters of the type count", GIVES(3, "x", "html", "=5\r\nhtm:x\r\n"));
    test_cond("a text with NUL and line ends is kept",
              GIVES(3, "a\0b\r\nc", "txt", "=10\r\ntxt:a\0b\r\nc\r\n") && GIVES(2, "a\0b\r\n", "txt", "$5\r\na\0b\r\n\r\n"));
    test_cond("only so much text as len says",
              gives(3, "hello", 2, "txt", "=6\r\ntxt:he\r\n", 12) && gives(2, "hello", 2, "txt", "$2\r\nhe\r\n", 8));
    test_cond("an empty text", GIVES(3, "", "txt", "=4\r\ntxt:\r\n"));
    static char text[100000], want[100020];
    memset(text, 'l', sizeof(text));
    int head = sprintf(want, "=100004\r\ntxt:");
    memset(want + head, 'l', 100000);
    memcpy(want + head + 100000, "\r\n", 2);
    test_cond("a long text", gives(3, text, sizeof(text), "txt", want, head + 100002));
    addReplyVerbatim(c, "a", 1, "txt");
    test_cond("several replies follow each other", GIVES(3, "b", "md", "=5\r\ntxt:a\r\n=5\r\nmd :b\r\n"));
    test_report();
    return 0;
}
