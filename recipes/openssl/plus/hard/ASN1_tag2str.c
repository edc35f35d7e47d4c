/*---
 * tasks: [UTF8_putc-5e7f82.16, UTF8_putc-5e7f82.8]
 * tests:
 *   simple types have their names: 'Man ASN1_STRING_print_ex: "a human-readable name of the specified ASN.1 tag".'
 *   strings have their names: 'Man: "for example BMPSTRING"; asn1.h: V_ASN1_ names.'
 *   times and structures have their names: 'asn1.h: V_ASN1_ names; man openssl-asn1parse: SEQUENCE.'
 *   a negative number is named as its type: 'asn1.h: V_ASN1_NEG_INTEGER is (2 | V_ASN1_NEG), _ENUMERATED likewise.'
 *   the other types have no negative form: 'asn1.h: V_ASN1_NEG_INTEGER and V_ASN1_NEG_ENUMERATED alone.'
 *   an unused tag has no name of another: 'X.680, table 1; man: "of the specified ASN.1 tag".'
 *   a tag above 30 has no name of another: 'do_print_ex passes any type on and takes strlen of the name.'
 *   a tag below 0 has no name of another: 'asn1.h: V_ASN1_OTHER, V_ASN1_UNDEF; do_print_ex passes any type on.'
 ---*/
#include <limits.h>
#include <string.h>
#include <openssl/asn1.h>
#include "../testutil.h"

static int named(int tag, const char *name)
{
    const char *result = ASN1_tag2str(tag);

    return TEST_ptr(result) && TEST_str_eq(result, name);
}

static int simple(void)
{
    return named(V_ASN1_EOC, "EOC") && named(V_ASN1_BOOLEAN, "BOOLEAN")
        && named(V_ASN1_INTEGER, "INTEGER")
        && named(V_ASN1_BIT_STRING, "BIT STRING") && named(V_ASN1_OCTET_STRING, "OCTET STRING")
        && named(V_ASN1_NULL, "NULL") && named(V_ASN1_OBJECT, "OBJECT")
        && named(V_ASN1_OBJECT_DESCRIPTOR, "OBJECT DESCRIPTOR")
        && named(V_ASN1_EXTERNAL, "EXTERNAL")
        && named(V_ASN1_REAL, "REAL") && named(V_ASN1_ENUMERATED, "ENUMERATED");
}

/* Where there are two names either will do. */
static int one_of(int tag, const char *name, const char *other)
{
    const char *result = ASN1_tag2str(tag);

    return TEST_ptr(result) && TEST_true(strcmp(result, name) == 0 || strcmp(result, other) == 0);
}

static int strings(void)
{
    return named(V_ASN1_UTF8STRING, "UTF8STRING") && named(V_ASN1_NUMERICSTRING, "NUMERICSTRING")
        && named(V_ASN1_PRINTABLESTRING, "PRINTABLESTRING")
        && one_of(V_ASN1_T61STRING, "T61STRING", "TELETEXSTRING")
        && named(V_ASN1_VIDEOTEXSTRING, "VIDEOTEXSTRING") && named(V_ASN1_IA5STRING, "IA5STRING")
        && named(V_ASN1_GRAPHICSTRING, "GRAPHICSTRING")
        && one_of(V_ASN1_VISIBLESTRING, "VISIBLESTRING", "ISO64STRING")
        && named(V_ASN1_GENERALSTRING, "GENERALSTRING")
        && named(V_ASN1_UNIVERSALSTRING, "UNIVERSALSTRING")
        && named(V_ASN1_BMPSTRING, "BMPSTRING");
}

static int times(void)
{
    return named(V_ASN1_UTCTIME, "UTCTIME") && named(V_ASN1_GENERALIZEDTIME, "GENERALIZEDTIME")
        && named(V_ASN1_SEQUENCE, "SEQUENCE") && named(V_ASN1_SET, "SET");
}

static int negative(void)
{
    return named(V_ASN1_NEG_INTEGER, "INTEGER") && named(V_ASN1_NEG_ENUMERATED, "ENUMERATED");
}

/* Is there a text for the tag, and not that of a type? */
static int unnamed(int tag)
{
    static const int used[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 18, 19, 20, 21, 22,
        23, 24, 25, 26, 27, 28, 30 };
    const char *result = ASN1_tag2str(tag);
    size_t i;

    if (!TEST_ptr(result) || !TEST_size_t_ne(strlen(result), 0))
        return 0;
    for (i = 0; i < OSSL_NELEM(used); i++)
        if (!TEST_str_ne(result, ASN1_tag2str(used[i])))
            return 0;
    return 1;
}

static int no_negative(void)
{
    int tag;

    for (tag = 0; tag <= 30; tag++)
        if (tag != V_ASN1_INTEGER && tag != V_ASN1_ENUMERATED && !unnamed(tag | V_ASN1_NEG))
            return 0;
    return 1;
}

static int unused(void)
{
    return unnamed(11) && unnamed(13) && unnamed(14) && unnamed(15) && unnamed(29);
}

static int above(void)
{
    return unnamed(31) && unnamed(32) && unnamed(33) && unnamed(34) && unnamed(255)
        && unnamed(V_ASN1_NEG) && unnamed(0x202) && unnamed(INT_MAX);
}

static int below(void)
{
    return unnamed(V_ASN1_UNDEF) && unnamed(V_ASN1_APP_CHOOSE) && unnamed(V_ASN1_OTHER)
        && unnamed(V_ASN1_ANY) && unnamed(-30) && unnamed(-254) && unnamed(-246)
        && unnamed(INT_MIN) && unnamed(INT_MIN + 2);
}

int setup_tests(void)
{
    add_test("simple types have their names", simple);
    add_test("strings have their names", strings);
    add_test("times and structures have their names", times);
    add_test("a negative number is named as its type", negative);
    add_test("the other types have no negative form", no_negative);
    add_test("an unused tag has no name of another", unused);
    add_test("a tag above 30 has no name of another", above);
    add_test("a tag below 0 has no name of another", below);
    return 1;
}
