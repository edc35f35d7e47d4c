/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.4, OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   the id that is given is set: 'Caller ossl_cmp_msg_protect: "set senderKID to keyIdentifier of
 *     the cert according to
 *     5.1.1".'
 *   without an id the reference value is set: 'OSSL_CMP_CTX_new(3): "If not present or when
 *     MAC-based protection is used
 *     the ref value is taken as the fallback value for the senderKID".'
 *   an id goes before the reference value: 'OSSL_CMP_CTX_new(3): "fallback value".'
 *   with neither there is nothing to do: 'Caller ossl_cmp_msg_protect goes on without a senderKID,
 *     which is no error
 *     unless the sender is the NULL-DN.'
 *   what was there before is replaced: 'ossl_cmp_hdr_init(3): ossl_cmp_hdr_set1_senderKID sets it;
 *     a message can be
 *     protected again.'
 *   the header has a copy: 'ossl_cmp_hdr_init(3): set1.'
 *   the rest of the message stays: 'Name.'
 *   nothing is leaked and memory that is refused is an error: 'Caller ossl_cmp_msg_protect: 0 is
 *     an error.'
 ---*/
#include "../../crypto/cmp/cmp_protect.c"
#include "testutil.h"
#include "cert.h"
#include "refused_nth.h"
#include "fixed_random.h"
#include "cmp_messages.h"

static OSSL_CMP_CTX *with_reference(const char *reference)
{
    OSSL_CMP_CTX *ctx = plus_context(NULL, NULL);

    if (reference != NULL)
        OSSL_CMP_CTX_set1_referenceValue(ctx, (const unsigned char *)reference,
                                         (int)strlen(reference));
    return ctx;
}

static int is(const OSSL_CMP_MSG *msg, const char *expected)
{
    const ASN1_OCTET_STRING *kid = msg->header->senderKID;

    if (expected == NULL)
        return TEST_ptr_null(kid);
    return TEST_ptr(kid)
        && TEST_mem_eq(ASN1_STRING_get0_data(kid), ASN1_STRING_length(kid), expected,
                       strlen(expected));
}

/* From `before`, with this reference and id, it becomes `after`. */
static int becomes(const char *before, const char *reference, const char *id, const char *after)
{
    OSSL_CMP_CTX *ctx = with_reference(reference);
    OSSL_CMP_MSG *msg = plus_message("sender");
    ASN1_OCTET_STRING *octets = id == NULL ? NULL : plus_octets(id);
    int ok;

    msg->header->senderKID = before == NULL ? NULL : plus_octets(before);
    ok = TEST_true(set_senderKID(ctx, msg, octets)) && is(msg, after);
    /* Once more changes nothing. */
    ok = ok && TEST_true(set_senderKID(ctx, msg, octets)) && is(msg, after);
    ASN1_OCTET_STRING_free(octets);
    OSSL_CMP_CTX_free(ctx);
    /* Neither was the header's. */
    ok = ok && is(msg, after);
    OSSL_CMP_MSG_free(msg);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int given(void)
{
    return becomes(NULL, NULL, "identifier", "identifier") && becomes(NULL, NULL, "", "");
}

static int reference(void)
{
    return becomes(NULL, "reference", NULL, "reference");
}

static int before_reference(void)
{
    return becomes(NULL, "reference", "identifier", "identifier")
        && becomes(NULL, "reference", "", "");
}

static int neither(void)
{
    return becomes(NULL, NULL, NULL, NULL);
}

static int replaced(void)
{
    return becomes("old", NULL, "identifier", "identifier")
        && becomes("old", "reference", NULL, "reference")
        && becomes("old", "reference", "identifier", "identifier");
}

static int copy(void)
{
    OSSL_CMP_CTX *ctx = with_reference("reference");
    OSSL_CMP_MSG *msg = plus_message("sender");
    ASN1_OCTET_STRING *id = plus_octets("identifier");
    int ok = TEST_true(set_senderKID(ctx, msg, id)) && TEST_ptr_ne(msg->header->senderKID, id)
        && TEST_true(ASN1_OCTET_STRING_set(id, (unsigned char *)"changed", 7))
        && is(msg, "identifier")
        && TEST_true(set_senderKID(ctx, msg, NULL))
        && TEST_ptr_ne(msg->header->senderKID, ctx->referenceValue)
        && TEST_mem_eq(ASN1_STRING_get0_data(ctx->referenceValue),
                       ASN1_STRING_length(ctx->referenceValue),
                       "reference", 9)
        && TEST_true(OSSL_CMP_CTX_set1_referenceValue(ctx, (unsigned char *)"other", 5))
        && is(msg, "reference");

    ASN1_OCTET_STRING_free(id);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_CTX_free(ctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int rest(void)
{
    OSSL_CMP_CTX *ctx = with_reference("reference");
    OSSL_CMP_MSG *msg = plus_message("sender"), *same = plus_message("sender");
    unsigned char *before = NULL, *after = NULL;
    int before_length, after_length, ok;

    same->header->senderKID = plus_octets("reference");
    before_length = i2d_OSSL_CMP_MSG(same, &before);
    ok = TEST_true(set_senderKID(ctx, msg, NULL));
    after_length = i2d_OSSL_CMP_MSG(msg, &after);
    ok = ok && TEST_mem_eq(before, before_length, after, after_length);
    OPENSSL_free(before);
    OPENSSL_free(after);
    OSSL_CMP_MSG_free(msg);
    OSSL_CMP_MSG_free(same);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

static int leak(void)
{
    OSSL_CMP_CTX *ctx = with_reference("reference");
    OSSL_CMP_MSG *msg;
    long before = 0;
    int i, result, ok = 1;

    for (i = 0; i < 4 && ok; i++) {
        OPENSSL_thread_stop();
        if (i == 2)
            before = memory_blocks;
        ok = given() && reference() && before_reference() && neither() && replaced() && copy();
    }
    OPENSSL_thread_stop();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 12 && ok; i++) {
        msg = plus_message("sender");
        plus_refuse(i);
        result = set_senderKID(ctx, msg, NULL);
        plus_refuse(-1);
        ok = (i > 1 || TEST_false(result)) && (!result || is(msg, "reference"));
        OSSL_CMP_MSG_free(msg);
        ERR_clear_error();
    }
    OPENSSL_thread_stop();
    ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    OSSL_CMP_CTX_free(ctx);
    return ok;
}

int setup_tests(void)
{
    add_test("the id that is given is set", given);
    add_test("without an id the reference value is set", reference);
    add_test("an id goes before the reference value", before_reference);
    add_test("with neither there is nothing to do", neither);
    add_test("what was there before is replaced", replaced);
    add_test("the header has a copy", copy);
    add_test("the rest of the message stays", rest);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
