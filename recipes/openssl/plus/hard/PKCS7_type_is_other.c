/*---
 * tasks: [PKCS7_verify-9ff9fa.8]
 * tests:
 *   each of the six types of PKCS 7 is no other:
 *     'PKCS7_type_is_other(3): "one of the following content types", six; "0 if the content type is
 *     matched".'
 *   all other types are others: 'PKCS7_type_is_other(3): "or 1 otherwise".'
 *   a type without a number of its own is another:
 *     'PKCS7_type_is_other(3): "or 1 otherwise"; pkcs7.h: ASN1_TYPE *other, "Anything else".'
 *   the identifier counts and not the object that holds it:
 *     'pkcs7.h: PKCS7_type_is_signed and its like ask OBJ_obj2nid, which looks an object up by what it
 *     holds.'
 *   the content does not matter:
 *     'PKCS7_type_is_other(3): "determine content type"; pkcs7.h: the content is optional.'
 *   a message that was parsed or set is told:
 *     'PKCS7_type_is_other(3); PKCS7_set_type; PKCS7_set0_type_other.'
 *   the message stays as it is: 'PKCS7_type_is_other(3): "determine".'
 ---*/
#include <openssl/pkcs7.h>
#include <openssl/objects.h>
#include <openssl/err.h>
#include "internal/nelem.h"
#include "../testutil.h"
#include "memory_count.h"

static const int six[] = {
    NID_pkcs7_data, NID_pkcs7_signed, NID_pkcs7_enveloped, NID_pkcs7_signedAndEnveloped,
    NID_pkcs7_digest, NID_pkcs7_encrypted
};

static int is_one_of_six(int nid)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(six); i++)
        if (six[i] == nid)
            return 1;
    return 0;
}

/* What is it for a message of this type and without content? Takes the object. */
static int told(ASN1_OBJECT *type)
{
    PKCS7 *p7 = PKCS7_new();
    int result;

    ASN1_OBJECT_free(p7->type);
    p7->type = type;
    result = PKCS7_type_is_other(p7);
    PKCS7_free(p7);
    return result;
}

/* An object of its own with the identifier of this number, but without its number. */
static ASN1_OBJECT *own_object(int nid)
{
    ASN1_OBJECT *known = OBJ_nid2obj(nid);

    return ASN1_OBJECT_create(NID_undef, (unsigned char *)OBJ_get0_data(known),
                              OBJ_length(known), NULL, NULL);
}

static int no_other(void)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(six); i++)
        if (!TEST_int_eq(told(OBJ_nid2obj(six[i])), 0))
            return 0;
    return 1;
}

static int others(void)
{
    int nid, end = OBJ_new_nid(0);

    for (nid = 0; nid < end; nid++) {
        ASN1_OBJECT *type = OBJ_nid2obj(nid);

        if (type != NULL && !is_one_of_six(nid) && !TEST_int_eq(told(type), 1)) {
            TEST_info("number %d", nid);
            return 0;
        }
    }
    ERR_clear_error();
    return TEST_int_gt(end, NID_id_smime_ct_TSTInfo) && TEST_int_eq(told(OBJ_nid2obj(NID_pkcs7)), 1)
        && TEST_int_eq(told(OBJ_nid2obj(NID_id_smime_ct_TSTInfo)), 1)
        && TEST_int_eq(told(OBJ_nid2obj(NID_undef)), 1);
}

static int unknown(void)
{
    return TEST_int_eq(told(OBJ_txt2obj("1.2.840.113549.1.7.7", 1)), 1)
        && TEST_int_eq(told(OBJ_txt2obj("1.2.840.113549.1.7.0", 1)), 1)
        && TEST_int_eq(told(OBJ_txt2obj("1.2.840.113549.1.7.1.1", 1)), 1)
        && TEST_int_eq(told(OBJ_txt2obj("1.3.6.1.4.1.99999.1", 1)), 1);
}

static int own_objects(void)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(six); i++)
        if (!TEST_int_eq(told(own_object(six[i])), 0))
            return 0;
    return TEST_int_eq(told(own_object(NID_id_smime_ct_TSTInfo)), 1)
        && TEST_int_eq(told(own_object(NID_pkcs7)), 1);
}

/* With a content that its type does not have. */
static int no_content(void)
{
    ASN1_TYPE *any = ASN1_TYPE_new();
    PKCS7 *p7 = PKCS7_new();
    size_t i;
    int ok = 1;

    ASN1_TYPE_set_octetstring(any, (unsigned char *)"text", 4);
    for (i = 0; i < OSSL_NELEM(six) && ok; i++) {
        p7->type = OBJ_nid2obj(six[i]);
        p7->d.other = any;
        ok = TEST_int_eq(PKCS7_type_is_other(p7), 0);
        p7->d.ptr = NULL;
        ok = ok && TEST_int_eq(PKCS7_type_is_other(p7), 0);
    }
    p7->type = OBJ_nid2obj(NID_id_smime_ct_TSTInfo);
    ok = ok && TEST_int_eq(PKCS7_type_is_other(p7), 1);
    p7->d.other = any;
    ok = ok && TEST_int_eq(PKCS7_type_is_other(p7), 1);
    PKCS7_free(p7);
    return ok;
}

/* Is it the same for a message and for what is parsed from it? Frees the message. */
static int twice(PKCS7 *p7, int result)
{
    unsigned char *der = NULL;
    const unsigned char *p;
    int size = i2d_PKCS7(p7, &der), ok;
    PKCS7 *parsed;

    p = der;
    parsed = d2i_PKCS7(NULL, &p, size);
    ok = TEST_int_eq(PKCS7_type_is_other(p7), result) && TEST_ptr(parsed)
        && TEST_int_eq(PKCS7_type_is_other(parsed), result);
    OPENSSL_free(der);
    PKCS7_free(p7);
    PKCS7_free(parsed);
    return ok;
}

static PKCS7 *of_type(int nid)
{
    PKCS7 *p7 = PKCS7_new();

    PKCS7_set_type(p7, nid);
    return p7;
}

static int parsed(void)
{
    PKCS7 *p7 = PKCS7_new();
    ASN1_TYPE *any = ASN1_TYPE_new();

    ASN1_TYPE_set_octetstring(any, (unsigned char *)"text", 4);
    return TEST_int_eq(PKCS7_set0_type_other(p7, NID_id_smime_ct_TSTInfo, any), 1)
        && twice(p7, 1) && twice(of_type(NID_pkcs7_data), 0);
}

static int stays(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_data), before;
    int ok;

    p7->state = 5;
    p7->detached = 7;
    before = *p7;
    ok = TEST_int_eq(PKCS7_type_is_other(p7), 0)
        && TEST_mem_eq(p7, sizeof(before), &before, sizeof(before));
    p7->detached = 0;
    PKCS7_free(p7);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("each of the six types of PKCS 7 is no other", no_other);
    add_test("all other types are others", others);
    add_test("a type without a number of its own is another", unknown);
    add_test("the identifier counts and not the object that holds it", own_objects);
    add_test("the content does not matter", no_content);
    add_test("a message that was parsed or set is told", parsed);
    add_test("the message stays as it is", stays);
    return 1;
}
