/*---
 * tasks: [PKCS7_verify-9ff9fa.2, PKCS7_verify-9ff9fa.4]
 * tests:
 *   the signer is found in the message: 'PKCS7_verify(3): "looked up in any certificates contained".'
 *   each signer is found in the order of the signatures:
 *     'PKCS7_verify(3): "returns all signers"; pk7_smime.c: PKCS7_verify pairs the i-th with the i-th signature.'
 *   certs come first: 'PKCS7_verify(3): "first looking in the certs parameter".'
 *   certs and the message are both looked through: 'PKCS7_verify(3): "Then they are looked up".'
 *   the message is left out on demand: 'PKCS7_verify(3): PKCS7_NOINTERN.'
 *   no other flag matters: 'PKCS7_verify(3): "Only the flag PKCS7_NOINTERN is meaningful".'
 *   one signer that is not found fails all: 'PKCS7_verify(3): "If any ... cannot be located the operation fails".'
 *   a message without signatures is refused: 'PKCS7_verify(3): "at least one signature on the data".'
 *   other types and no message are refused: 'PKCS7_verify(3): "The type of p7 must be SignedData".'
 *   a failure leaves an error: 'PKCS7_verify(3): "The error can be obtained from ERR_get_error(3)".'
 *   the certificates stay with their owners: 'Name: get0; callers free the list by sk_X509_free.'
 *   without memory it fails and leaks nothing: 'PKCS7_verify(3): "NULL if an error occurred".'
 ---*/
#include <openssl/pkcs7.h>
#include "../testutil.h"
#include "memory_count.h"
#include "pb_issued.h"

static X509 *one, *two, *three, *twin;  /* twin: the issuer and number of one */

/* A message of these signers (by certificate) that holds `inside`. Not signed indeed. */
static PKCS7 *message(X509 *a, X509 *b, X509 *inside, X509 *inside_too)
{
    PKCS7 *p7 = PKCS7_new();
    X509 *signers[2], *held[2];
    int i;

    signers[0] = a, signers[1] = b, held[0] = inside, held[1] = inside_too;
    PKCS7_set_type(p7, NID_pkcs7_signed);
    PKCS7_content_new(p7, NID_pkcs7_data);
    for (i = 0; i < 2; i++) {
        PKCS7_SIGNER_INFO *si;

        if (signers[i] == NULL)
            continue;
        si = PKCS7_SIGNER_INFO_new();
        X509_NAME_set(&si->issuer_and_serial->issuer, X509_get_issuer_name(signers[i]));
        ASN1_INTEGER_free(si->issuer_and_serial->serial);
        si->issuer_and_serial->serial = ASN1_INTEGER_dup(X509_get0_serialNumber(signers[i]));
        sk_PKCS7_SIGNER_INFO_push(p7->d.sign->signer_info, si);
    }
    for (i = 0; i < 2; i++)
        if (held[i] != NULL)
            PKCS7_add_certificate(p7, held[i]);
    return p7;
}

static STACK_OF(X509) *list(X509 *a, X509 *b)
{
    STACK_OF(X509) *sk = sk_X509_new_null();

    if (a != NULL)
        sk_X509_push(sk, a);
    if (b != NULL)
        sk_X509_push(sk, b);
    return sk;
}

/* Does it give these, or with NULL fail? Frees the message and the list. */
static int gives(PKCS7 *p7, STACK_OF(X509) *certs, int flags, X509 *first, X509 *second)
{
    STACK_OF(X509) *found = PKCS7_get0_signers(p7, certs, flags);
    int ok;

    if (first == NULL)
        ok = TEST_ptr_null(found);
    else
        ok = TEST_ptr(found) && TEST_int_eq(sk_X509_num(found), second == NULL ? 1 : 2)
            && TEST_ptr_eq(sk_X509_value(found, 0), first)
            && TEST_ptr_eq(sk_X509_value(found, 1), second);
    sk_X509_free(found);
    PKCS7_free(p7);
    sk_X509_free(certs);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int in_message(void)
{
    return gives(message(one, NULL, one, two), NULL, 0, one, NULL)
        && gives(message(two, NULL, one, two), NULL, 0, two, NULL)
        && gives(message(two, NULL, one, two), list(NULL, NULL), 0, two, NULL);
}

static int in_order(void)
{
    return gives(message(one, two, one, two), NULL, 0, one, two)
        && gives(message(two, one, one, two), NULL, 0, two, one)
        && gives(message(one, two, NULL, NULL), list(two, one), 0, one, two)
        && gives(message(one, one, three, one), NULL, 0, one, one);
}

static int certs_first(void)
{
    return gives(message(one, NULL, one, NULL), list(twin, NULL), 0, twin, NULL)
        && gives(message(one, NULL, twin, NULL), list(two, one), 0, one, NULL)
        && gives(message(one, two, one, two), list(twin, NULL), 0, twin, two);
}

static int both(void)
{
    return gives(message(one, two, two, NULL), list(one, NULL), 0, one, two)
        && gives(message(one, two, one, NULL), list(two, three), 0, one, two)
        && gives(message(one, NULL, one, NULL), list(three, two), 0, one, NULL);
}

static int left_out(void)
{
    return gives(message(one, NULL, one, NULL), NULL, PKCS7_NOINTERN, NULL, NULL)
        && gives(message(one, NULL, one, NULL), list(two, NULL), PKCS7_NOINTERN, NULL, NULL)
        && gives(message(one, NULL, one, NULL), list(twin, NULL), PKCS7_NOINTERN, twin, NULL)
        && gives(message(one, two, one, two), list(one, NULL), PKCS7_NOINTERN | PKCS7_BINARY,
                 NULL, NULL)
        && gives(message(one, two, NULL, NULL), list(one, two), PKCS7_NOINTERN, one, two);
}

static int other_flags(void)
{
    return gives(message(one, NULL, one, NULL), NULL, ~PKCS7_NOINTERN, one, NULL)
        && gives(message(one, NULL, one, NULL), NULL,
                 PKCS7_NOCERTS | PKCS7_NOCHAIN | PKCS7_NOVERIFY | PKCS7_NOSIGS, one, NULL);
}

static int one_missing(void)
{
    return gives(message(one, NULL, NULL, NULL), NULL, 0, NULL, NULL)
        && gives(message(one, two, one, NULL), NULL, 0, NULL, NULL)
        && gives(message(one, two, two, NULL), list(three, NULL), 0, NULL, NULL)
        && gives(message(one, two, NULL, NULL), list(two, three), 0, NULL, NULL)
        && gives(message(one, NULL, three, two), NULL, 0, NULL, NULL);
}

static int no_signatures(void)
{
    return gives(message(NULL, NULL, one, NULL), list(one, two), 0, NULL, NULL);
}

static PKCS7 *typed(int nid)
{
    PKCS7 *p7 = PKCS7_new();

    PKCS7_set_type(p7, nid);
    return p7;
}

static int other_types(void)
{
    return gives(NULL, NULL, 0, NULL, NULL)
        && gives(typed(NID_pkcs7_data), list(one, NULL), 0, NULL, NULL)
        && gives(typed(NID_pkcs7_enveloped), list(one, NULL), 0, NULL, NULL)
        && gives(typed(NID_pkcs7_signedAndEnveloped), list(one, NULL), 0, NULL, NULL);
}

static int fails_with_error(PKCS7 *p7)
{
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(PKCS7_get0_signers(p7, NULL, 0)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    PKCS7_free(p7);
    return ok;
}

static int an_error(void)
{
    return fails_with_error(NULL) && fails_with_error(typed(NID_pkcs7_data))
        && fails_with_error(message(NULL, NULL, one, NULL))
        && fails_with_error(message(one, NULL, two, NULL));
}

static int stay(void)
{
    long before;
    PKCS7 *p7;
    STACK_OF(X509) *certs, *found, *again;
    int ok;

    an_error();
    before = memory_blocks;
    p7 = message(one, two, two, NULL);
    certs = list(one, three);
    found = PKCS7_get0_signers(p7, certs, 0);
    again = PKCS7_get0_signers(p7, certs, 0);
    ok = TEST_ptr(found) && TEST_ptr(again) && TEST_ptr_ne(found, certs)
        && TEST_int_eq(sk_X509_num(certs), 2)
        && TEST_int_eq(sk_X509_num(p7->d.sign->cert), 1)
        && TEST_int_eq(sk_PKCS7_SIGNER_INFO_num(PKCS7_get_signer_info(p7)), 2)
        && TEST_ptr_eq(sk_X509_value(again, 0), one) && TEST_ptr_eq(sk_X509_value(again, 1), two);
    sk_X509_free(found);
    sk_X509_free(again);
    sk_X509_free(certs);
    PKCS7_free(p7);
    return ok && in_message() && certs_first() && one_missing() && no_signatures()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0)
        && TEST_long_eq(ASN1_INTEGER_get(X509_get0_serialNumber(one)), 1);
}

static int no_memory(void)
{
    PKCS7 *p7 = message(one, two, one, two);
    STACK_OF(X509) *found;
    long before;
    int i, ok = 1, done = 0;

    sk_X509_free(PKCS7_get0_signers(p7, NULL, 0));
    before = memory_blocks;
    for (i = 0; ok && !done && i < 40; i++) {
        memory_left = i;
        found = PKCS7_get0_signers(p7, NULL, 0);
        memory_left = -1;
        done = found != NULL;
        ok = !done || TEST_int_eq(sk_X509_num(found), 2);
        sk_X509_free(found);
        ERR_clear_error();
        ok = ok && TEST_long_eq(memory_blocks, before);
    }
    PKCS7_free(p7);
    return ok && TEST_true(done) && TEST_int_gt(i, 1) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    one = plus_issued("CN=Root", "1");
    two = plus_issued("CN=Root", "2");
    three = plus_issued("CN=CA", "1");
    twin = plus_issued("CN=Root", "1");
    X509_set_version(twin, X509_VERSION_3);
    add_test("the signer is found in the message", in_message);
    add_test("each signer is found in the order of the signatures", in_order);
    add_test("certs come first", certs_first);
    add_test("certs and the message are both looked through", both);
    add_test("the message is left out on demand", left_out);
    add_test("no other flag matters", other_flags);
    add_test("one signer that is not found fails all", one_missing);
    add_test("a message without signatures is refused", no_signatures);
    add_test("other types and no message are refused", other_types);
    add_test("a failure leaves an error", an_error);
    add_test("the certificates stay with their owners", stay);
    add_test("without memory it fails and leaks nothing", no_memory);
    return 1;
}
