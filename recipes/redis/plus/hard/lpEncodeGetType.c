/*---
 * tasks: [lpEncodeIntegerGetType-98093e.2, lpEncodeIntegerGetType-98093e.4, lpEncodeIntegerGetType-98093e.8]
 * instead: [src/listpack.o]
 * tests:
 *   a number is encoded as an integer: 'Comment: "determine if the element can be represented inside the listpack encoded as integer".'
 *   its encoding is stored: 'Comment: "the function stores the integer encoded representation of the element in the ''intenc'' buffer".'
 *   the length of a number is that of its encoding: 'Comment: "the number of bytes that the string or integer encoded element will require".'
 *   the largest and the smallest number are integers: 'lpStringToInt64: a "signed 64 bit int".'
 *   numbers beyond 64 bits are strings: 'lpStringToInt64: "non-overflowing".'
 *   what is not written as a number is a string: 'lpStringToInt64: "no spaces or other characters ... nor zeroes at the start".'
 *   only the size given counts: 'Signature: size; elements have no NUL at their end.'
 *   an empty element is a string of one byte: 'lpEncodeString: one byte of length.'
 *   strings below 64 bytes take one byte more: 'lpEncodeString; LP_ENCODING_6BIT_STR.'
 *   strings from 64 to 4095 bytes take two more: 'lpEncodeString; LP_ENCODING_12BIT_STR.'
 *   longer strings take five more: 'lpEncodeString; LP_ENCODING_32BIT_STR.'
 *   the length of the longest string is no overflow: 'Signature: size has 32 bits and enclen 64; lpInsert compares with UINT32_MAX.'
 ---*/
#include "../listpack.c"
#include "../testhelp.h"

static unsigned char buf[16];
static uint64_t len;

static int type(const char *text, size_t size) {
    memset(buf, 0xaa, sizeof(buf));
    len = 9999;
    return lpEncodeGetType((unsigned char *)text, size, buf, &len);
}

static int number(const char *text, uint64_t bytes) {
    int64_t n = 0;
    return type(text, strlen(text)) == LP_ENCODING_INT && len == bytes && lpGet(buf, &n, NULL) == NULL && n == strtoll(text, NULL, 10);
}

static int string(const char *text) {
    return type(text, strlen(text)) == LP_ENCODING_STRING && len == strlen(text) + 1;
}

int main(void) {
    static char text[70000];
    memset(text, 'x', sizeof(text));
    test_cond("a number is encoded as an integer",
              type("42", 2) == LP_ENCODING_INT && type("-1", 2) == LP_ENCODING_INT && type("0", 1) == LP_ENCODING_INT);
    test_cond("its encoding is stored", type("42", 2) == LP_ENCODING_INT && buf[0] == 42 && number("-70000", 4) && number("1234", 2));
    test_cond("the length of a number is that of its encoding",
              number("0", 1) && number("127", 1) && number("128", 2) && number("-4097", 3) && number("32768", 4) &&
              number("8388608", 5) && number("2147483648", 9));
    test_cond("the largest and the smallest number are integers", number("9223372036854775807", 9) && number("-9223372036854775808", 9));
    test_cond("numbers beyond 64 bits are strings",
              string("9223372036854775808") && string("-9223372036854775809") && string("18446744073709551616") &&
              string("123456789012345678901234567890"));
    test_cond("what is not written as a number is a string",
              string("007") && string("+1") && string(" 1") && string("1 ") && string("-") && string("-0") && string("1.0") &&
              string("1e3") && string("0x10") && string("abc") && string("12a"));
    test_cond("only the size given counts",
              type("123abc", 3) == LP_ENCODING_INT && buf[0] == 123 && type("123", 1) == LP_ENCODING_INT && buf[0] == 1 &&
              type("1\0", 2) == LP_ENCODING_STRING && len == 3);
    test_cond("an empty element is a string of one byte", type("", 0) == LP_ENCODING_STRING && len == 1);
    test_cond("strings below 64 bytes take one byte more",
              type(text, 1) == LP_ENCODING_STRING && len == 2 && type(text, 63) == LP_ENCODING_STRING && len == 64);
    test_cond("strings from 64 to 4095 bytes take two more",
              type(text, 64) == LP_ENCODING_STRING && len == 66 && type(text, 4095) == LP_ENCODING_STRING && len == 4097);
    test_cond("longer strings take five more",
              type(text, 4096) == LP_ENCODING_STRING && len == 4101 && type(text, 65536) == LP_ENCODING_STRING && len == 65541);
    test_cond("the length of the longest string is no overflow",
              type(text, UINT32_MAX) == LP_ENCODING_STRING && len == 5 + (uint64_t)UINT32_MAX &&
              type(text, UINT32_MAX - 2) == LP_ENCODING_STRING && len == 3 + (uint64_t)UINT32_MAX);
    test_report();
    return 0;
}
