/*---
 * tasks: [PKCS7_verify-9ff9fa.4]
 * tests:
 *   the same issuer and number match: 'X509_cmp(3): "compares the serial number and issuer values"; 0.'
 *   another number differs: 'X509_cmp(3): "the serial number"; -1 or 1.'
 *   another issuer differs: 'X509_cmp(3): "and issuer"; -1 or 1.'
 *   numbers are ordered by value: 'X509_cmp(3): "less than", "greater than"; ASN1_INTEGER_cmp.'
 *   the two directions are opposite: 'X509_cmp(3): "less than, to match, or be greater than".'
 *   the subject and all else is no matter: 'Name and X509_cmp(3): serial number and issuer alone.'
 *   names match by the rules for names: 'X509_cmp(3): "adheres to the matching rules", letter case and spaces.'
 *   a certificate that is NULL is less than any:
 *     'Sibling X509_cmp; X509_NAME_cmp, "any of which may be NULL"; 0 for two.'
 *   the certificates stay as they were: 'Signature: const X509 *; nothing is leaked.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_issued.h"

/* What comparing gives; frees both. -9 if the other direction isn't its opposite. */
static int compare(X509 *a, X509 *b)
{
    int forth = X509_issuer_and_serial_cmp(a, b), back = X509_issuer_and_serial_cmp(b, a);

    X509_free(a);
    X509_free(b);
    return forth == -back ? forth : -9;
}

static int numbered(const char *one, const char *two)
{
    X509 *a = plus_issued("CN=Root", one), *b = plus_issued("CN=Root", two);
    int result = X509_issuer_and_serial_cmp(a, b);

    X509_free(a);
    X509_free(b);
    return result;
}

static int same(void)
{
    X509 *a = plus_issued("CN=Root", "5");
    int ok = TEST_int_eq(X509_issuer_and_serial_cmp(a, a), 0);

    X509_free(a);
    return ok && TEST_int_eq(numbered("5", "5"), 0) && TEST_int_eq(numbered("0", "0"), 0)
        && TEST_int_eq(numbered("1234567890123456789012345", "1234567890123456789012345"), 0)
        && TEST_int_eq(numbered("-7", "-7"), 0);
}

static int other_number(void)
{
    return TEST_int_ne(numbered("5", "6"), 0) && TEST_int_ne(numbered("5", "-5"), 0)
        && TEST_int_ne(numbered("1", "256"), 0) && TEST_int_ne(numbered("1", "257"), 0)
        && TEST_int_ne(numbered("1234567890123456789012345", "1234567890123456789012346"), 0)
        && TEST_int_ne(numbered("4294967297", "1"), 0);
}

static int differ(const char *one, const char *two)
{
    int result = compare(plus_issued(one, "5"), plus_issued(two, "5"));

    return TEST_int_ne(result, 0) && TEST_int_ge(result, -1) && TEST_int_le(result, 1);
}

static int other_issuer(void)
{
    return differ("CN=Root", "CN=Roof") && differ("CN=Root", "O=Root")
        && differ("CN=Root", "CN=Root CA") && differ("CN=a", "CN=aa");
}

static int by_value(void)
{
    return TEST_int_eq(numbered("5", "6"), -1) && TEST_int_eq(numbered("6", "5"), 1)
        && TEST_int_eq(numbered("255", "256"), -1) && TEST_int_eq(numbered("65536", "255"), 1)
        && TEST_int_eq(numbered("-5", "1"), -1) && TEST_int_eq(numbered("1", "-5"), 1)
        && TEST_int_eq(numbered("1000", "999"), 1)
        && TEST_int_eq(numbered("1234567890123456789012345", "7"), 1);
}

static int opposite(void)
{
    int result = compare(plus_issued("CN=A", "5"), plus_issued("CN=B", "5"));

    return (TEST_int_eq(result * result, 1))
        && TEST_int_eq(compare(plus_issued("CN=A", "9"), plus_issued("CN=B", "5")), 1)
        && TEST_int_eq(compare(plus_issued("CN=B", "9"), plus_issued("CN=A", "5")), 1)
        && TEST_int_eq(compare(plus_issued("CN=A", "5"), plus_issued("CN=A", "5")), 0);
}

static int no_matter(void)
{
    X509 *a = plus_issued("CN=Root", "5"), *b = plus_issued("CN=Root", "5"),
        *c = plus_issued("CN=Other", "5");
    X509_NAME *name = plus_name("CN=server", NULL);
    int ok;

    X509_set_subject_name(a, name);
    X509_set_subject_name(c, name);
    X509_set_version(b, X509_VERSION_3);
    ok = TEST_int_eq(X509_issuer_and_serial_cmp(a, b), 0)
        && TEST_int_ne(X509_issuer_and_serial_cmp(a, c), 0);
    X509_NAME_free(name);
    X509_free(a);
    X509_free(b);
    X509_free(c);
    return ok;
}

static int name_rules(void)
{
    return TEST_int_eq(compare(plus_issued("CN=Some Root", "5"),
                               plus_issued("CN= some  ROOT ", "5")), 0)
        && TEST_int_ne(compare(plus_issued("CN=Some Root", "5"),
                               plus_issued("CN=SomeRoot", "5")), 0);
}

static int null_less(void)
{
    X509 *a = plus_issued("CN=Root", "5"), *b = plus_issued("CN=Root", "-5");
    int ok = TEST_int_eq(X509_issuer_and_serial_cmp(NULL, NULL), 0)
        & TEST_int_eq(X509_issuer_and_serial_cmp(NULL, a), -1)
        & TEST_int_eq(X509_issuer_and_serial_cmp(a, NULL), 1)
        & TEST_int_eq(X509_issuer_and_serial_cmp(NULL, b), -1)
        & TEST_int_eq(X509_issuer_and_serial_cmp(b, NULL), 1);

    X509_free(a);
    X509_free(b);
    return ok;
}

static int stay(void)
{
    long before;
    X509 *a = plus_issued("CN=Root", "5"), *b = plus_issued("CN=Root", "5");
    int ok;

    X509_issuer_and_serial_cmp(a, b);
    before = memory_blocks;
    ok = TEST_int_eq(X509_issuer_and_serial_cmp(a, b), 0)
        && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(ASN1_INTEGER_get(X509_get0_serialNumber(a)), 5)
        && TEST_int_eq(X509_NAME_entry_count(X509_get_issuer_name(a)), 1);
    X509_free(a);
    X509_free(b);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("the same issuer and number match", same);
    add_test("another number differs", other_number);
    add_test("another issuer differs", other_issuer);
    add_test("numbers are ordered by value", by_value);
    add_test("the two directions are opposite", opposite);
    add_test("the subject and all else is no matter", no_matter);
    add_test("names match by the rules for names", name_rules);
    add_test("a certificate that is NULL is less than any", null_less);
    add_test("the certificates stay as they were", stay);
    return 1;
}
