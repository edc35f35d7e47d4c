/*---
 * tasks: [PKCS7_verify-9ff9fa.8]
 * tests:
 *   data gives its own string: 'pkcs7.h: NID_pkcs7_data, ASN1_OCTET_STRING *data; man: "internal pointers".'
 *   a string that is empty is given:
 *     'ts_rsp_sign.c: an empty one is filled; "NULL if the structure cannot be parsed".'
 *   another type that holds a string of octets gives it:
 *     'ts_rsp_sign.c: ts_TST_INFO_content_new, content that PKCS7_dataFinal fills; man: PKCS7_type_is_other.'
 *   another type that holds something else gives NULL:
 *     'PKCS7_get_octet_string(3): "returns a pointer to an ASN1 octet string ... or NULL".'
 *   no content gives NULL:
 *     'pk7_doit.c: PKCS7_dataDecode, "NULL if that structure has no (=detached) content".'
 *   the types that hold no string give NULL: 'pkcs7.h: only data and "Anything else" can hold one.'
 *   the type decides and not the content: 'pkcs7.h: "content as defined by the type".'
 *   what was parsed gives what was written: 'PKCS7_get_octet_string(3): "from a PKCS#7 ... structure".'
 *   the string stays the message's: 'PKCS7_get_octet_string(3): "should not be freed by the caller".'
 ---*/
#include <openssl/pkcs7.h>
#include <openssl/objects.h>
#include <openssl/err.h>
#include "internal/nelem.h"
#include "../testutil.h"
#include "memory_count.h"

static PKCS7 *of_type(int nid)
{
    PKCS7 *p7 = PKCS7_new();

    PKCS7_set_type(p7, nid);
    return p7;
}

/* A message of another type that holds this. */
static PKCS7 *other(int type, void *value)
{
    PKCS7 *p7 = PKCS7_new();
    ASN1_TYPE *any = ASN1_TYPE_new();

    ASN1_TYPE_set(any, type, value);
    PKCS7_set0_type_other(p7, NID_id_smime_ct_TSTInfo, any);
    return p7;
}

/* A string of any type. */
static ASN1_STRING *string(int type, const char *text)
{
    ASN1_STRING *new_string = ASN1_STRING_type_new(type);

    ASN1_STRING_set(new_string, text, strlen(text));
    return new_string;
}

/* Does the message give this string? Frees it. */
static int gives(PKCS7 *p7, const ASN1_OCTET_STRING *wanted, const char *text)
{
    ASN1_OCTET_STRING *got = PKCS7_get_octet_string(p7);
    int ok = wanted == NULL ? TEST_ptr_null(got)
        : TEST_ptr_eq(got, wanted) && TEST_int_eq(ASN1_STRING_type(got), V_ASN1_OCTET_STRING)
          && TEST_int_eq(ASN1_STRING_length(got), strlen(text))
          && (*text == '\0' || TEST_mem_eq(ASN1_STRING_get0_data(got), strlen(text), text, strlen(text)));

    PKCS7_free(p7);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int data(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_data);

    ASN1_OCTET_STRING_set(p7->d.data, (const unsigned char *)"the text", 8);
    return gives(p7, p7->d.data, "the text");
}

static int empty(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_data);
    ASN1_STRING *os = ASN1_OCTET_STRING_new();

    return TEST_ptr(p7->d.data) && gives(p7, p7->d.data, "")
        && gives(other(V_ASN1_OCTET_STRING, os), os, "");
}

static int another(void)
{
    ASN1_STRING *os = string(V_ASN1_OCTET_STRING, "the info");
    PKCS7 *p7;

    if (!gives(other(V_ASN1_OCTET_STRING, os), os, "the info"))
        return 0;
    os = string(V_ASN1_OCTET_STRING, "text");
    p7 = other(V_ASN1_OCTET_STRING, os);
    p7->type = OBJ_txt2obj("1.3.6.1.4.1.99999.1", 1);
    return gives(p7, os, "text");
}

static int something_else(void)
{
    static const int types[] = {
        V_ASN1_UTF8STRING, V_ASN1_INTEGER, V_ASN1_BIT_STRING, V_ASN1_SEQUENCE, V_ASN1_SET,
        V_ASN1_PRINTABLESTRING, V_ASN1_OTHER, V_ASN1_GENERALIZEDTIME
    };
    PKCS7 *p7;
    size_t i;

    for (i = 0; i < OSSL_NELEM(types); i++)
        if (!gives(other(types[i], string(types[i], "\x04\x02hi")), NULL, NULL))
            return 0;
    /* One without any value. */
    p7 = PKCS7_new();
    PKCS7_set0_type_other(p7, NID_id_smime_ct_TSTInfo, ASN1_TYPE_new());
    return gives(p7, NULL, NULL) && gives(other(V_ASN1_NULL, NULL), NULL, NULL)
        && gives(other(V_ASN1_BOOLEAN, (void *)1), NULL, NULL)
        && gives(other(V_ASN1_OBJECT, OBJ_nid2obj(NID_pkcs7_data)), NULL, NULL);
}

static int no_content(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_data);

    ASN1_OCTET_STRING_free(p7->d.data);
    p7->d.data = NULL;
    if (!gives(p7, NULL, NULL))
        return 0;
    p7 = PKCS7_new();
    p7->type = OBJ_nid2obj(NID_id_smime_ct_TSTInfo);
    return gives(p7, NULL, NULL) && gives(PKCS7_new(), NULL, NULL);
}

static const int others[] = {
    NID_pkcs7_signed, NID_pkcs7_enveloped, NID_pkcs7_signedAndEnveloped, NID_pkcs7_digest,
    NID_pkcs7_encrypted
};

static int no_string(void)
{
    PKCS7 *p7;
    size_t i;

    for (i = 0; i < OSSL_NELEM(others); i++)
        if (!gives(of_type(others[i]), NULL, NULL))
            return 0;
    /* That of a message inside is the inner message's. */
    p7 = of_type(NID_pkcs7_signed);
    PKCS7_content_new(p7, NID_pkcs7_data);
    return TEST_ptr(PKCS7_get_octet_string(p7->d.sign->contents)) && gives(p7, NULL, NULL);
}

static int type_decides(void)
{
    ASN1_STRING *os = string(V_ASN1_OCTET_STRING, "text");
    PKCS7 *p7 = other(V_ASN1_OCTET_STRING, os);
    ASN1_OBJECT *type = p7->type;
    ASN1_TYPE *any = p7->d.other;
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(others) && ok; i++) {
        p7->type = OBJ_nid2obj(others[i]);
        ok = TEST_ptr_null(PKCS7_get_octet_string(p7));
    }
    /* Here what is held is the string itself. */
    p7->type = OBJ_nid2obj(NID_pkcs7_data);
    p7->d.data = os;
    ok = ok && TEST_ptr_eq(PKCS7_get_octet_string(p7), os);
    p7->type = type;
    p7->d.other = any;
    return gives(p7, os, "text") && ok;
}

/* What is parsed from the message; frees it. */
static PKCS7 *again(PKCS7 *p7)
{
    unsigned char *der = NULL;
    const unsigned char *p;
    int size = i2d_PKCS7(p7, &der);

    PKCS7_free(p7);
    p = der;
    p7 = d2i_PKCS7(NULL, &p, size);
    OPENSSL_free(der);
    return p7;
}

static int parsed(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_data);

    ASN1_OCTET_STRING_set(p7->d.data, (const unsigned char *)"the text", 8);
    p7 = again(p7);
    if (!TEST_ptr(p7) || !gives(p7, p7->d.data, "the text"))
        return 0;
    p7 = again(other(V_ASN1_OCTET_STRING, string(V_ASN1_OCTET_STRING, "the info")));
    return TEST_ptr(p7) && gives(p7, p7->d.other->value.octet_string, "the info")
        && gives(again(other(V_ASN1_UTF8STRING, string(V_ASN1_UTF8STRING, "text"))), NULL, NULL);
}

static int messages_own(void)
{
    PKCS7 *p7, *p7_other;
    ASN1_OCTET_STRING *os;
    long before;
    int ok;

    if (!data() || !another())
        return 0;
    before = memory_blocks;
    p7 = of_type(NID_pkcs7_data);
    p7_other = other(V_ASN1_OCTET_STRING, string(V_ASN1_OCTET_STRING, "more"));
    os = PKCS7_get_octet_string(p7);
    ok = TEST_ptr(os) && TEST_ptr_eq(PKCS7_get_octet_string(p7), os)
        && TEST_true(ASN1_OCTET_STRING_set(os, (const unsigned char *)"new", 3))
        && TEST_mem_eq(p7->d.data->data, p7->d.data->length, "new", 3)
        && TEST_ptr(os = PKCS7_get_octet_string(p7_other))
        && TEST_ptr_eq(PKCS7_get_octet_string(p7_other), os)
        && TEST_int_eq(p7_other->d.other->type, V_ASN1_OCTET_STRING)
        && TEST_ptr_eq(p7_other->d.other->value.octet_string, os);
    PKCS7_free(p7);
    PKCS7_free(p7_other);
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("data gives its own string", data);
    add_test("a string that is empty is given", empty);
    add_test("another type that holds a string of octets gives it", another);
    add_test("another type that holds something else gives NULL", something_else);
    add_test("no content gives NULL", no_content);
    add_test("the types that hold no string give NULL", no_string);
    add_test("the type decides and not the content", type_decides);
    add_test("what was parsed gives what was written", parsed);
    add_test("the string stays the message's", messages_own);
    return 1;
}
