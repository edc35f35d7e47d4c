/*---
 * tasks: [SCT_new_from_base64-1fe63f.16]
 * tests:
 *   the index is that of the extension: 'Docstring: "Finds the index of the first extension with the given NID".'
 *   the first of several is found: 'Docstring: "the first extension".'
 *   the first one of all has the index 0: 'ct_sct_ctx.c: SCT_CTX_set1_cert takes idx >= 0 for a find.'
 *   none is told by -1: 'ct_sct_ctx.c: SCT_CTX_set1_cert, "poison_idx == -1"; X509_get_ext_by_NID(3).'
 *   an unknown NID is told by less than -1: 'ct_sct_ctx.c: ct_x509_cert_fixup, "An error occurred", preidx < -1.'
 *   a duplicate is told: 'Docstring: "If there is more than one extension with that NID, *is_duplicated is set to 1".'
 *   a single one is told: 'Docstring: "otherwise 0".'
 *   none is no duplicate: 'Docstring: "otherwise 0"; SCT_CTX_set1_cert passes an unset variable.'
 *   another extension's duplicate does not count: 'Docstring: "with that NID".'
 *   there need be no place for it: 'Docstring: "(unless it is NULL)".'
 ---*/
#include "../../crypto/ct/ct_sct_ctx.c"
#include "../testutil.h"
#include "transparency.h"

#define A NID_ct_precert_poison
#define B NID_ct_precert_scts
#define C NID_authority_key_identifier

static EVP_PKEY *key;

/* What is found in a certificate with these (at most five) extensions. */
static int finds(int nid, int index, int duplicated, int a, int b, int c, int d, int e)
{
    X509 *cert = ct_cert("issuer", key, key, a, "\x04\x01", b, "\x04\x02", c, "\x04\x03", d,
                         "\x04\x04", e, "\x04\x05", 0);
    int told = 77;
    int ok = TEST_int_eq(ct_x509_get_ext(cert, nid, &told), index) & TEST_int_eq(told, duplicated)
        & TEST_int_eq(ct_x509_get_ext(cert, nid, NULL), index);

    X509_free(cert);
    return ok;
}

static int the_index(void)
{
    return finds(B, 1, 0, A, B, C, 0, 0) && finds(C, 2, 0, A, B, C, 0, 0)
        && finds(C, 4, 0, A, B, A, B, C);
}

static int first(void)
{
    return finds(B, 1, 1, A, B, B, 0, 0) && finds(B, 1, 1, A, B, C, C, B)
        && finds(C, 2, 1, A, B, C, C, C);
}

static int zero(void)
{
    return finds(A, 0, 0, A, 0, 0, 0, 0) && finds(A, 0, 0, A, B, C, 0, 0)
        && finds(A, 0, 1, A, A, 0, 0, 0);
}

static int none(void)
{
    return finds(A, -1, 0, 0, 0, 0, 0, 0) && finds(A, -1, 0, B, C, 0, 0, 0);
}

static int unknown(void)
{
    X509 *cert = ct_cert("issuer", key, key, A, "\x04\x01", 0);
    int told = 77;
    int ok = TEST_int_lt(ct_x509_get_ext(cert, 1000000, &told), -1) & TEST_int_eq(told, 0);

    X509_free(cert);
    ERR_clear_error();
    return ok;
}

static int duplicate(void)
{
    return finds(A, 0, 1, A, B, C, A, 0) && finds(B, 3, 1, A, A, C, B, B)
        && finds(C, 0, 1, C, A, B, A, C)
        && finds(A, 0, 1, A, A, A, A, A);
}

static int single(void)
{
    return finds(A, 0, 0, A, B, C, 0, 0) && finds(C, 0, 0, C, 0, 0, 0, 0);
}

static int no_duplicate(void)
{
    X509 *cert = ct_cert("issuer", key, key, B, "\x04\x01", 0);
    int told = 1;
    int ok = TEST_int_eq(ct_x509_get_ext(cert, A, &told), -1) & TEST_int_eq(told, 0);

    X509_free(cert);
    return ok && finds(A, -1, 0, B, B, C, C, 0);
}

static int anothers(void)
{
    return finds(A, 2, 0, B, B, A, C, C) && finds(B, 0, 0, B, A, A, A, C);
}

static int no_place(void)
{
    X509 *cert = ct_cert("issuer", key, key, B, "\x04\x01", A, "\x04\x02", A, "\x04\x02", 0);
    int ok = TEST_int_eq(ct_x509_get_ext(cert, A, NULL), 1)
        & TEST_int_eq(ct_x509_get_ext(cert, B, NULL), 0)
        & TEST_int_eq(ct_x509_get_ext(cert, C, NULL), -1);

    X509_free(cert);
    return ok;
}

int setup_tests(void)
{
    if (!TEST_ptr(key = ct_key(CT_ISSUER_KEY)))
        return 0;
    add_test("the index is that of the extension", the_index);
    add_test("the first of several is found", first);
    add_test("the first one of all has the index 0", zero);
    add_test("none is told by -1", none);
    add_test("an unknown NID is told by less than -1", unknown);
    add_test("a duplicate is told", duplicate);
    add_test("a single one is told", single);
    add_test("none is no duplicate", no_duplicate);
    add_test("another extension's duplicate does not count", anothers);
    add_test("there need be no place for it", no_place);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(key);
}
