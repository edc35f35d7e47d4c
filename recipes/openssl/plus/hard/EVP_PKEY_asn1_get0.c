/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   each index up to the count has a method: 'Man EVP_PKEY_asn1_get0: idx from zero to the count - 1.'
 *   each method has one index: 'Man: "returns the public key ASN.1 method idx"; ids are those of tables.'
 *   an index out of range has none: 'Man: "or NULL if idx is out of range".'
 *   methods of the application are among them: 'Man: "it includes standard methods and any methods added".'
 *   methods of the application come last: 'EVP_PKEY_asn1_find_str goes down from the last, to find them first.'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include "../testutil.h"

static int id_of(const EVP_PKEY_ASN1_METHOD *method)
{
    int id = -1;

    EVP_PKEY_asn1_get0_info(&id, NULL, NULL, NULL, NULL, method);
    return id;
}

static int each_index(void)
{
    int count = EVP_PKEY_asn1_get_count(), i;

    for (i = 0; i < count; i++)
        if (!TEST_ptr(EVP_PKEY_asn1_get0(i)) || !TEST_int_gt(id_of(EVP_PKEY_asn1_get0(i)), 0)
                || !TEST_ptr_eq(EVP_PKEY_asn1_get0(i), EVP_PKEY_asn1_get0(i)))
            return 0;
    return TEST_int_gt(count, 0);
}

/* How many indexes have the method with this id? */
static int indexes_of(int id)
{
    int count = EVP_PKEY_asn1_get_count(), i, found = 0;

    for (i = 0; i < count; i++)
        found += EVP_PKEY_asn1_get0(i) != NULL && id_of(EVP_PKEY_asn1_get0(i)) == id;
    return found;
}

static int one_index(void)
{
    int count = EVP_PKEY_asn1_get_count(), i, j;

    for (i = 0; i < count; i++)
        for (j = 0; j < i; j++)
            if (!TEST_ptr_ne(EVP_PKEY_asn1_get0(i), EVP_PKEY_asn1_get0(j)))
                return 0;
    return TEST_int_eq(indexes_of(EVP_PKEY_RSA), 1) && TEST_int_eq(indexes_of(EVP_PKEY_RSA2), 1)
        && TEST_int_eq(indexes_of(EVP_PKEY_RSA_PSS), 1)
#ifndef OPENSSL_NO_EC
        && TEST_int_eq(indexes_of(EVP_PKEY_EC), 1)
#endif
        && TEST_int_eq(indexes_of(NID_sha256), 0);
}

static int out_of_range(void)
{
    int count = EVP_PKEY_asn1_get_count();

    return TEST_ptr_null(EVP_PKEY_asn1_get0(-1)) && TEST_ptr_null(EVP_PKEY_asn1_get0(-2))
        && TEST_ptr_null(EVP_PKEY_asn1_get0(INT_MIN)) && TEST_ptr_null(EVP_PKEY_asn1_get0(count))
        && TEST_ptr_null(EVP_PKEY_asn1_get0(count + 1))
        && TEST_ptr_null(EVP_PKEY_asn1_get0(INT_MAX));
}

/* Adds a method, which the library keeps, and asks for all again. */
static int adds(int id, const char *name, const EVP_PKEY_ASN1_METHOD **added)
{
    EVP_PKEY_ASN1_METHOD *method = EVP_PKEY_asn1_new(id, 0, name, "of the test");
    int before = EVP_PKEY_asn1_get_count();

    *added = method;
    return TEST_ptr(method) && TEST_true(EVP_PKEY_asn1_add0(method))
        && TEST_int_eq(EVP_PKEY_asn1_get_count(), before + 1)
        && TEST_int_eq(indexes_of(id), 1) && each_index() && one_index() && out_of_range();
}

static const EVP_PKEY_ASN1_METHOD *standard[100], *first, *second;
static int standards;

static int of_application(void)
{
    int i;

    standards = EVP_PKEY_asn1_get_count();
    for (i = 0; i < standards && i < 100; i++)
        standard[i] = EVP_PKEY_asn1_get0(i);
    return adds(NID_sha512, "TESTONE", &first) && adds(NID_md5, "TESTTWO", &second);
}

static int come_last(void)
{
    int i;

    if (!TEST_int_eq(EVP_PKEY_asn1_get_count(), standards + 2))
        return 0;
    for (i = 0; i < standards; i++)
        if (!TEST_ptr_eq(EVP_PKEY_asn1_get0(i), standard[i]))
            return 0;
    return TEST_true((EVP_PKEY_asn1_get0(standards) == first
                      && EVP_PKEY_asn1_get0(standards + 1) == second)
                     || (EVP_PKEY_asn1_get0(standards) == second
                         && EVP_PKEY_asn1_get0(standards + 1) == first))
        && TEST_ptr_null(EVP_PKEY_asn1_get0(standards + 2))
        && TEST_ptr_eq(EVP_PKEY_asn1_find_str(NULL, "TESTONE", -1), first)
        && TEST_ptr_eq(EVP_PKEY_asn1_find_str(NULL, "TESTTWO", -1), second);
}

int setup_tests(void)
{
    add_test("each index up to the count has a method", each_index);
    add_test("each method has one index", one_index);
    add_test("an index out of range has none", out_of_range);
    add_test("methods of the application are among them", of_application);
    add_test("methods of the application come last", come_last);
    return 1;
}
