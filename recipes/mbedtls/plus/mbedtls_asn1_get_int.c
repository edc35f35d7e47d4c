/*---
 * tasks: [mbedtls_asn1_get_int-6d33c2]
 * tests:
 *   numbers of one byte are read: 'Docstring: "Retrieve an integer ASN.1 tag and its value".'
 *   numbers of several bytes are read: 'Docstring: "the parsed value"; X.690 8.3: the first byte is the highest.'
 *   a number whose top bit is set has a zero before it: 'X.690 8.3; Docstring: "the parsed value".'
 *   the largest int is read: 'Docstring: an error if the value "does not fit in an int".'
 *   the pointer moves just behind the element: 'Docstring: "*p points to the first byte beyond the ASN.1 element".'
 *   what follows the element does not matter: 'Docstring: end is the "End of data", which may hold more.'
 *   nothing behind the data is read: 'Docstring: end "End of data".'
 *   a number that is too large is an error: 'Docstring: MBEDTLS_ERR_ASN1_INVALID_LENGTH if it does not fit.'
 *   an enumerated value is no integer: 'Docstring: "does not start with a valid ASN.1 INTEGER".'
 *   another element is no integer: 'Docstring: "does not start with a valid ASN.1 INTEGER".'
 *   an element without content is no integer: 'Docstring: "a valid ASN.1 INTEGER"; X.690 8.3.1: one byte or more.'
 *   a negative number is an error: 'asn1parse.c: "Reject negative integers"; test_suite_asn1parse.'
 *   an element that is cut is an error: 'Docstring: end "End of data"; "An ASN.1 error code".'
 *   an element is cut by the end alone: 'Docstring: end "End of data".'
 *   empty data is an error: 'Docstring: "does not start with a valid ASN.1 INTEGER".'
 *   the error is one of ASN.1: 'Docstring: "An ASN.1 error code".'
 *   the data stays as it is: 'Callers, such as pkparse.c, read on in the same data.'
 ---*/
#include "mbedtls/asn1.h"
#include "check.h"
#include "edge.h"

static int val, asn1 = 1, behind = 1, kept = 1;

static int get(const char *data, size_t len) {
    unsigned char *start = at_edge(data, len), *p = start;
    val = -12345;
    int ret = mbedtls_asn1_get_int(&p, start + len, &val);
    if (ret == 0) behind &= p == start + 2 + start[1];
    if (ret != 0) asn1 &= ret <= MBEDTLS_ERR_ASN1_OUT_OF_DATA && ret >= MBEDTLS_ERR_ASN1_BUF_TOO_SMALL;
    kept &= !memcmp(start, data, len);
    return ret;
}

#define GET(s) get(s, sizeof(s) - 1)
#define READS(s, n) (GET(s) == 0 && val == (n))

int main(void) {
    int ok = READS("\2\1\0", 0) && READS("\2\1\1", 1) && READS("\2\1\x7f", 127) && READS("\2\1\x42", 66);
    check("numbers of one byte are read", ok);
    ok = READS("\2\2\1\0", 256) && READS("\2\2\x12\x34", 0x1234) && READS("\2\3\1\2\3", 0x10203) &&
         READS("\2\4\1\2\3\4", 0x1020304) && READS("\2\3\1\0\1", 65537);
    check("numbers of several bytes are read", ok);
    ok = READS("\2\2\0\x80", 128) && READS("\2\2\0\xff", 255) && READS("\2\3\0\x80\0", 0x8000) &&
         READS("\2\4\0\xff\xfe\xfd", 0xfffefd);
    check("a number whose top bit is set has a zero before it", ok);
    check("the largest int is read", READS("\2\4\x7f\xff\xff\xff", 0x7fffffff));
    ok = READS("\2\1\5\2\1\6", 5) && READS("\2\2\1\5\xff\xff\xff", 261) && READS("\2\1\0\0\0", 0) &&
         READS("\2\1\x7f\x80", 127);
    check("what follows the element does not matter", ok);
    ok = READS("\2\1\5", 5) && READS("\2\2\1\5", 261);
    check("nothing behind the data is read", ok);
    ok = GET("\2\5\0\x80\0\0\0") == MBEDTLS_ERR_ASN1_INVALID_LENGTH &&
         GET("\2\5\0\xff\xff\xff\xff") == MBEDTLS_ERR_ASN1_INVALID_LENGTH &&
         GET("\2\5\1\0\0\0\0") == MBEDTLS_ERR_ASN1_INVALID_LENGTH &&
         GET("\2\x09\1\0\0\0\0\0\0\0\1") == MBEDTLS_ERR_ASN1_INVALID_LENGTH;
    check("a number that is too large is an error", ok);
    check("an enumerated value is no integer", GET("\x0a\1\5") != 0);
    ok = GET("\1\1\1") != 0 && GET("\3\2\0\1") != 0 && GET("\4\1\1") != 0 && GET("\5\0") != 0 && GET("\x22\1\1") != 0 &&
         GET("\x82\1\1") != 0 && GET("\x30\3\2\1\1") != 0 && GET("\0\1\1") != 0;
    check("another element is no integer", ok);
    check("an element without content is no integer", GET("\2\0") != 0 && GET("\2\0\1") != 0);
    ok = GET("\2\1\x80") != 0 && GET("\2\1\xff") != 0 && GET("\2\2\xff\x7f") != 0 && GET("\2\4\x80\0\0\0") != 0;
    check("a negative number is an error", ok);
    ok = GET("\2") != 0 && GET("\2\1") != 0 && GET("\2\2\1") != 0 && GET("\2\4\1\2\3") != 0 && GET("\2\x81") != 0;
    check("an element that is cut is an error", ok);
    ok = 1;
    for (int cut = 0; cut < 6; cut++) {
        unsigned char data[] = "\2\4\1\2\3\4\5", *p = data;
        ok &= mbedtls_asn1_get_int(&p, data + cut, &val) != 0;
    }
    check("an element is cut by the end alone", ok);
    check("empty data is an error", GET("") != 0);
    check("the error is one of ASN.1", asn1);
    check("the pointer moves just behind the element", behind);
    check("the data stays as it is", kept);
    return done();
}
