/*---
 * tasks: [ASN1_item_dup-3e5864, ASN1_item_dup-3e5864.2]
 * tests:
 *   values of all kinds of types are duplicated: 'Docstring: "ASN1_ITEM version of dup", by
 *     encoding and decoding.'
 *   the duplicate is another value, and the original stays: 'Docstring: dup; rsa_asn1.c:
 *     RSAPrivateKey_dup.'
 *   long values are duplicated: 'Docstring.'
 *   nothing is duplicated to nothing: 'Sibling ASN1_dup: "if (x == NULL) return NULL"; callers
 *     such as X509_dup.'
 *   the callback is called before and after: 'ASN1_aux_cb(3): ASN1_OP_DUP_PRE "immediate prior to
 *     an ASN1_VALUE being
 *     duplicated", ASN1_OP_DUP_POST "immediate after".'
 *   the callback after has both values: 'x_x509.c: x509_cb takes the new value as *pval and the
 *     old one as exarg;
 *     cmp_asn.c: ossl_cmp_msg_cb.'
 *   sequences, NDEF sequences and choices have callbacks: 'ASN1_aux_cb(3): "CHOICE, SEQUENCE or
 *     NDEF_SEQUENCE".'
 *   primitive and external types have no callback: 'ASN1_aux_cb(3): "CHOICE, SEQUENCE or
 *     NDEF_SEQUENCE"; asn1t.h:
 *     funcs of other types are of other kinds.'
 *   library context and properties are asked for and used: 'ASN1_aux_cb(3): ASN1_OP_GET0_LIBCTX,
 *     ASN1_OP_GET0_PROPQ;
 *     ASN1_item_d2i_ex(3): "any algorithm fetches ... will use the OSSL_LIB_CTX provided".'
 *   without a callback the default library context is used: 'ASN1_item_d2i_ex(3): NULL.'
 *   a callback that fails is an error: 'ASN1_aux_cb(3): "The callbacks return 0 on error";
 *     ASN1_R_AUX_ERROR.'
 *   a value that cannot be encoded is an error: 'ERR_R_ASN1_LIB; callers test for NULL.'
 *   a value that cannot be decoded again is an error: 'ASN1_item_d2i_ex(3): NULL on error.'
 *   a certificate keeps its library context and properties: 'x_x509.c: x509_cb, ASN1_OP_DUP_POST.'
 *   nothing is leaked and memory that is refused is an error: 'Sibling ASN1_dup frees its buffer;
 *     callers test for
 *     NULL.'
 ---*/
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include "crypto/x509.h"
#include "internal/nelem.h"
#include "testutil.h"
#include "cert.h"
#include "refused_nth.h"
#include "probe_types.h"

/* Is the duplicate another value with the same encoding? */
static int same(const ASN1_ITEM *it, void *value)
{
    unsigned char *before = NULL, *after = NULL, *copied = NULL;
    int before_length = ASN1_item_i2d(value, &before, it), after_length, copied_length;
    void *copy;
    int ok;

    plus_dirty_stack();
    copy = ASN1_item_dup(it, value);
    after_length = ASN1_item_i2d(value, &after, it);
    ok = TEST_ptr(copy) && TEST_ptr_ne(copy, value)
        && TEST_int_gt(copied_length = ASN1_item_i2d(copy, &copied, it), 0)
        && TEST_mem_eq(copied, copied_length, before, before_length)
        && TEST_mem_eq(after, after_length, before, before_length);
    ASN1_item_free(copy, it);
    OPENSSL_free(before);
    OPENSSL_free(after);
    OPENSSL_free(copied);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int same_and_free(const ASN1_ITEM *it, void *value)
{
    int ok = TEST_ptr(value) && same(it, value);

    ASN1_item_free(value, it);
    return ok;
}

static ASN1_OCTET_STRING *octets(const char *text)
{
    ASN1_OCTET_STRING *string = ASN1_OCTET_STRING_new();

    ASN1_OCTET_STRING_set(string, (const unsigned char *)text, (int)strlen(text));
    return string;
}

static PLUS_THING *thing(void)
{
    PLUS_THING *value = (PLUS_THING *)ASN1_item_new(ASN1_ITEM_rptr(PLUS_THING));

    if (value == NULL || !ASN1_OCTET_STRING_set(value->text, (const unsigned char *)"text", 4))
        abort();
    plus_call_count = 0;
    return value;
}

static int kinds(void)
{
    ASN1_INTEGER *integer = ASN1_INTEGER_new();
    X509_NAME *name = X509_NAME_new();
    X509_ALGOR *algor = X509_ALGOR_new();
    GENERAL_NAME *general = GENERAL_NAME_new();
    ASN1_TYPE *type = ASN1_TYPE_new();
    BASIC_CONSTRAINTS *constraints = BASIC_CONSTRAINTS_new();

    ASN1_INTEGER_set(integer, -123456);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"someone", -1, -1,
                               0);
    X509_ALGOR_set0(algor, OBJ_nid2obj(NID_sha256), V_ASN1_NULL, NULL);
    GENERAL_NAME_set0_value(general, GEN_EMAIL, octets("a@b.example"));
    ASN1_TYPE_set(type, V_ASN1_OCTET_STRING, octets("any"));
    constraints->ca = 0xff;
    return same_and_free(ASN1_ITEM_rptr(ASN1_INTEGER), integer)
        && same_and_free(ASN1_ITEM_rptr(ASN1_OCTET_STRING), octets("text"))
        && same_and_free(ASN1_ITEM_rptr(ASN1_OCTET_STRING), octets(""))
        && same_and_free(ASN1_ITEM_rptr(ASN1_UTF8STRING), ASN1_STRING_type_new(V_ASN1_UTF8STRING))
        && same_and_free(ASN1_ITEM_rptr(ASN1_OBJECT), OBJ_txt2obj("1.2.3.4.55", 1))
        && same_and_free(ASN1_ITEM_rptr(X509_NAME), name)
        && same_and_free(ASN1_ITEM_rptr(X509_ALGOR), algor)
        && same_and_free(ASN1_ITEM_rptr(GENERAL_NAME), general)
        && same_and_free(ASN1_ITEM_rptr(ASN1_ANY), type)
        && same_and_free(ASN1_ITEM_rptr(BASIC_CONSTRAINTS), constraints)
        && same_and_free(ASN1_ITEM_rptr(ASN1_TIME), ASN1_TIME_set(NULL, 1000000000))
        && same_and_free(ASN1_ITEM_rptr(PLUS_PROBE), ASN1_item_new(ASN1_ITEM_rptr(PLUS_PROBE)));
}

static int another(void)
{
    PLUS_THING *value = thing(), *copy = ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), value);
    int ok = TEST_ptr(copy) && TEST_ptr_ne(copy->text, value->text)
        && TEST_ptr_ne(ASN1_STRING_get0_data(copy->text), ASN1_STRING_get0_data(value->text))
        && TEST_true(ASN1_OCTET_STRING_set(copy->text, (const unsigned char *)"changed", 7))
        && TEST_mem_eq(ASN1_STRING_get0_data(value->text), ASN1_STRING_length(value->text), "text",
                       4);

    ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
    ok = ok && TEST_mem_eq(ASN1_STRING_get0_data(copy->text), ASN1_STRING_length(copy->text),
                           "changed", 7);
    ASN1_item_free((ASN1_VALUE *)copy, ASN1_ITEM_rptr(PLUS_THING));
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int long_values(void)
{
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    unsigned char *bytes = OPENSSL_zalloc(100000);

    memset(bytes + 5, 'x', 99990);
    ASN1_STRING_set0(value, bytes, 100000);
    return same_and_free(ASN1_ITEM_rptr(ASN1_OCTET_STRING), value);
}

static int nothing(void)
{
    plus_call_count = 0;
    return TEST_ptr_null(ASN1_item_dup(ASN1_ITEM_rptr(ASN1_INTEGER), NULL))
        && TEST_ptr_null(ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), NULL))
        && TEST_int_eq(plus_call_count, 0)
        && TEST_ptr_null(ASN1_item_dup(ASN1_ITEM_rptr(X509), NULL));
}

static int before_and_after(void)
{
    PLUS_THING *value = thing(), *copy = ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), value);
    int pre = plus_call(ASN1_OP_DUP_PRE), post = plus_call(ASN1_OP_DUP_POST), calls[64] = { 0 }, i;
    int ok = TEST_ptr(copy) && TEST_int_ge(pre, 0) && TEST_int_gt(post, pre)
        /* Encoding and decoding come in between. */
        && TEST_int_gt(plus_call(ASN1_OP_I2D_PRE), pre) && TEST_int_gt(plus_call(ASN1_OP_D2I_PRE), pre)
        && TEST_int_gt(post, plus_call(ASN1_OP_I2D_POST))
        && TEST_int_gt(post, plus_call(ASN1_OP_D2I_POST))
        && TEST_ptr_eq(plus_calls[pre].value, value);

    for (i = 0; i < plus_call_count; i++)
        calls[plus_calls[i].operation]++;
    ok = ok && TEST_int_eq(calls[ASN1_OP_DUP_PRE], 1) && TEST_int_eq(calls[ASN1_OP_DUP_POST], 1);
    ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
    ASN1_item_free((ASN1_VALUE *)copy, ASN1_ITEM_rptr(PLUS_THING));
    return ok;
}

static int both_values(void)
{
    PLUS_THING *value = thing(), *copy = ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), value);
    int post = plus_call(ASN1_OP_DUP_POST);
    int ok = TEST_ptr(copy) && TEST_int_ge(post, 0) && TEST_ptr_eq(plus_calls[post].value, copy)
        && TEST_ptr_eq(plus_calls[post].exarg, value);

    ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
    ASN1_item_free((ASN1_VALUE *)copy, ASN1_ITEM_rptr(PLUS_THING));
    return ok;
}

static int calls_back(const ASN1_ITEM *it, void *value)
{
    int ok;

    plus_call_count = 0;
    ok = same(it, value) && TEST_int_ge(plus_call(ASN1_OP_DUP_PRE), 0)
        && TEST_int_ge(plus_call(ASN1_OP_DUP_POST), 0)
        && TEST_int_ge(plus_call(ASN1_OP_GET0_LIBCTX), 0)
        && TEST_int_ge(plus_call(ASN1_OP_GET0_PROPQ), 0);
    ASN1_item_free(value, it);
    return ok;
}

static int types(void)
{
    PLUS_NDEF *ndef = (PLUS_NDEF *)ASN1_item_new(ASN1_ITEM_rptr(PLUS_NDEF));
    PLUS_CHOICE *choice = (PLUS_CHOICE *)ASN1_item_new(ASN1_ITEM_rptr(PLUS_CHOICE));

    ASN1_OCTET_STRING_set(ndef->text, (const unsigned char *)"text", 4);
    choice->type = 0;
    choice->value.text = octets("text");
    return calls_back(ASN1_ITEM_rptr(PLUS_THING), thing())
        && calls_back(ASN1_ITEM_rptr(PLUS_NDEF), ndef)
        && calls_back(ASN1_ITEM_rptr(PLUS_CHOICE), choice);
}

static void clear(ASN1_VALUE **pval, const ASN1_ITEM *it)
{
    *pval = NULL;
}

/* The functions of these types stand where a callback would. */
static int no_callback(void)
{
    static ASN1_EXTERN_FUNCS functions;
    ASN1_ITEM other = *ASN1_ITEM_rptr(PLUS_PROBE);
    BIGNUM *number = BN_new();

    functions = plus_probe_functions;
    functions.asn1_ex_clear = clear;
    other.funcs = &functions;
    BN_set_word(number, 123456);
    return same_and_free(&other, ASN1_item_new(&other))
        && same_and_free(ASN1_ITEM_rptr(BIGNUM), number);
}

static int asked_for(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    PLUS_THING *value = thing(), *copy;
    int ok;

    plus_given_libctx = libctx;
    plus_given_propq = "some=property";
    plus_decoded = 0;
    copy = ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), value);
    ok = TEST_ptr(copy) && TEST_int_eq(plus_decoded, 1) && TEST_ptr_eq(plus_seen_libctx, libctx)
        && TEST_ptr(plus_seen_propq) && TEST_str_eq(plus_seen_propq, "some=property")
        && TEST_ptr_eq(plus_calls[plus_call(ASN1_OP_GET0_LIBCTX)].value, value)
        && TEST_ptr_eq(plus_calls[plus_call(ASN1_OP_GET0_PROPQ)].value, value);
    plus_given_libctx = NULL;
    plus_given_propq = NULL;
    ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
    ASN1_item_free((ASN1_VALUE *)copy, ASN1_ITEM_rptr(PLUS_THING));
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int default_context(void)
{
    PLUS_PLAIN *value = (PLUS_PLAIN *)ASN1_item_new(ASN1_ITEM_rptr(PLUS_PLAIN));
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    int ok;

    ASN1_OCTET_STRING_set(value->text, (const unsigned char *)"text", 4);
    plus_seen_libctx = libctx;
    plus_seen_propq = "none";
    plus_call_count = 0;
    ok = same_and_free(ASN1_ITEM_rptr(PLUS_PLAIN), value) && TEST_ptr_null(plus_seen_libctx)
        && TEST_ptr_null(plus_seen_propq)
        && TEST_int_eq(plus_call_count, 0);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int fails_at(int operation)
{
    PLUS_THING *value = thing();
    void *copy;

    plus_failing = operation;
    copy = ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), value);
    plus_failing = -1;
    ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
    ERR_clear_error();
    return TEST_ptr_null(copy) && TEST_long_eq(memory_bad_frees, 0);
}

static int failing(void)
{
    return fails_at(ASN1_OP_DUP_PRE) && fails_at(ASN1_OP_GET0_LIBCTX)
        && fails_at(ASN1_OP_GET0_PROPQ)
        && fails_at(ASN1_OP_DUP_POST);
}

static int unencodable(void)
{
    GENERAL_NAME *general = GENERAL_NAME_new();
    int ok;

    ERR_clear_error();
    ok = fails_at(ASN1_OP_I2D_PRE);
    /* A choice of nothing. */
    general->type = -1;
    ok = ok && TEST_ptr_null(ASN1_item_dup(ASN1_ITEM_rptr(GENERAL_NAME), general))
        && TEST_ulong_ne(ERR_peek_error(), 0);
    GENERAL_NAME_free(general);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int undecodable(void)
{
    return fails_at(ASN1_OP_D2I_PRE) && fails_at(ASN1_OP_D2I_POST);
}

static int certificate(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)
                                                 "0123456789abcdef0123456789abcdef", 32);
    X509 *cert = cert_new("someone", "someone", key, key, 0), *copy, *plain;
    int ok = TEST_ptr(cert) && same(ASN1_ITEM_rptr(X509), cert);

    plain = ASN1_item_dup(ASN1_ITEM_rptr(X509), cert);
    ok = ok && TEST_ptr(plain) && TEST_ptr_null(plain->libctx) && TEST_ptr_null(plain->propq)
        && TEST_int_eq(X509_cmp(cert, plain), 0)
        && TEST_true(ossl_x509_set0_libctx(cert, libctx, "provider=default"))
        && TEST_ptr(copy = ASN1_item_dup(ASN1_ITEM_rptr(X509), cert))
        && TEST_ptr_eq(copy->libctx, libctx) && TEST_str_eq(copy->propq, "provider=default")
        && TEST_ptr_ne(copy->propq, cert->propq);
    if (ok)
        X509_free(copy);
    X509_free(plain);
    X509_free(cert);
    EVP_PKEY_free(key);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int leak(void)
{
    PLUS_THING *value, *copy;
    long before = 0;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        OPENSSL_thread_stop();
        if (i == 2)
            before = memory_blocks;
        ok = kinds() && another() && long_values() && types() && asked_for() && certificate()
            && fails_at(ASN1_OP_DUP_PRE) && fails_at(ASN1_OP_GET0_LIBCTX)
            && fails_at(ASN1_OP_GET0_PROPQ)
            && unencodable() && undecodable();
    }
    OPENSSL_thread_stop();
    ok = ok && TEST_long_eq(memory_blocks, before);
    value = thing();
    for (i = 0; i < 30 && ok; i++) {
        plus_refuse(i);
        copy = ASN1_item_dup(ASN1_ITEM_rptr(PLUS_THING), value);
        plus_refuse(-1);
        ok = copy == NULL
            || TEST_mem_eq(ASN1_STRING_get0_data(copy->text), ASN1_STRING_length(copy->text),
                           "text", 4);
        ASN1_item_free((ASN1_VALUE *)copy, ASN1_ITEM_rptr(PLUS_THING));
        ERR_clear_error();
    }
    ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("values of all kinds of types are duplicated", kinds);
    add_test("the duplicate is another value, and the original stays", another);
    add_test("long values are duplicated", long_values);
    add_test("the callback is called before and after", before_and_after);
    add_test("the callback after has both values", both_values);
    add_test("sequences, NDEF sequences and choices have callbacks", types);
    add_test("library context and properties are asked for and used", asked_for);
    add_test("without a callback the default library context is used", default_context);
    add_test("a certificate keeps its library context and properties", certificate);
    add_test("a callback that fails is an error", failing);
    add_test("a value that cannot be encoded is an error", unencodable);
    add_test("a value that cannot be decoded again is an error", undecodable);
    add_test("nothing is duplicated to nothing", nothing);
    add_test("primitive and external types have no callback", no_callback);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
