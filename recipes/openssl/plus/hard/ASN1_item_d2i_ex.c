/*---
 * tasks: [ASN1_item_dup-3e5864.2]
 * tests:
 *   values of all kinds of types are decoded: 'ASN1_item_d2i_ex(3): "decodes the contents of the
 *     data stored in *in of
 *     length len ... using the ASN.1 template it".'
 *   the input is moved behind the value: 'ASN1_item_d2i_ex(3): "On exit *in will be updated to
 *     point to the next byte in
 *     the buffer after the decoded structure".'
 *   the value is put where it is asked for: 'ASN1_item_d2i_ex(3): "It places the result in *pval
 *     unless pval is NULL".'
 *   a value that is there is used again: 'ASN1_item_d2i_ex(3): "If *pval is non-NULL on entry then
 *     the ASN1_VALUE present
 *     there will be reused".'
 *   a value that is there goes on an error: 'd2i_X509(3): "the object is freed in the event of
 *     error and *a is set to
 *     NULL".'
 *   input that is too short is an error: 'ASN1_item_d2i_ex(3): "of length len".'
 *   input of another type is an error: 'ASN1_item_d2i_ex(3): template it; d2i_X509(3): "NULL if an
 *     error occurs".'
 *   an error tells why: 'ERR_get_error(3); pem_pkey.c: "ensure some error is reported".'
 *   an error leaves the input: 'd2i_X509(3): "If successful ... *ppin is incremented".'
 *   the library context and the properties are used: 'ASN1_item_d2i_ex(3): "they will use the
 *     OSSL_LIB_CTX provided in
 *     the libctx parameter and the property query string in propq".'
 *   forms of BER are decoded: 'd2i_X509(3): "The functions can also understand BER forms".'
 *   one call does not change the next: 'd2i_X509(3): "after one structure is encoded or decoded
 *     another will be
 *     processed after it".'
 *   nothing is leaked and memory that is refused is an error: 'd2i_X509(3): "NULL if an error
 *     occurs".'
 ---*/
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include "internal/nelem.h"
#include "testutil.h"
#include "refused_nth.h"
#include "probe_types.h"

static ASN1_VALUE *decode(ASN1_VALUE **pval, const unsigned char **in, long length,
                          const ASN1_ITEM *it)
{
    plus_dirty_stack();
    return ASN1_item_d2i_ex(pval, in, length, it, NULL, NULL);
}

#define DER(text) (const unsigned char *)(text), sizeof(text) - 1

/*
 * These bytes, with others behind them, are a value that is encoded to `expected`, or to
 * themselves if it is NULL.
 */
static int decodes(const ASN1_ITEM *it, const unsigned char *der, size_t length,
                   const char *expected, size_t wanted)
{
    unsigned char *input = OPENSSL_malloc(length + 5), *back = NULL;
    const unsigned char *p = input;
    ASN1_VALUE *value;
    int back_length, ok;

    memcpy(input, der, length);
    memcpy(input + length, "\x05\0xyz", 5);
    value = decode(NULL, &p, (long)length + 5, it);
    ok = TEST_ptr(value) && TEST_ptr_eq(p, input + length)
        && TEST_int_gt(back_length = ASN1_item_i2d(value, &back, it), 0)
        && (expected == NULL ? TEST_mem_eq(back, back_length, der, length)
                             : TEST_mem_eq(back, back_length, expected, wanted));
    ASN1_item_free(value, it);
    OPENSSL_free(back);
    /* Once more with just its length. */
    p = input;
    value = decode(NULL, &p, (long)length, it);
    ok = ok && TEST_ptr(value) && TEST_ptr_eq(p, input + length);
    ASN1_item_free(value, it);
    OPENSSL_free(input);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int fails(const ASN1_ITEM *it, const unsigned char *der, size_t length)
{
    const unsigned char *p = der;
    ASN1_VALUE *value = decode(NULL, &p, (long)length, it);
    int ok = TEST_ptr_null(value);

    ASN1_item_free(value, it);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

#define INTEGER ASN1_ITEM_rptr(ASN1_INTEGER)
#define OCTETS ASN1_ITEM_rptr(ASN1_OCTET_STRING)
#define ALGOR "\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\0"
#define THING "\x30\x09\x02\x01\x07\x04\x04text"

static int kinds(void)
{
    return decodes(INTEGER, DER("\x02\x03\x01\xe2\x40"), NULL, 0)
        && decodes(OCTETS, DER("\x04\x04text"), NULL, 0)
        && decodes(OCTETS, DER("\x04\0"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(X509_ALGOR), DER(ALGOR), NULL, 0)
        && decodes(ASN1_ITEM_rptr(ASN1_ANY), DER("\x16\x03""abc"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(GENERAL_NAME), DER("\x82\x01x"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(X509_NAME),
                   DER("\x30\x0c\x31\x0a\x30\x08\x06\x03\x55\x04\x03\x0c\x01x"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(X509_NAME), DER("\x30\0"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(BASIC_CONSTRAINTS), DER("\x30\x03\x01\x01\xff"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(ASN1_OBJECT), DER("\x06\x03\x55\x04\x03"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(PLUS_PROBE), DER("\x02\x01\x07"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(PLUS_THING), DER(THING), NULL, 0)
        && decodes(ASN1_ITEM_rptr(PLUS_CHOICE), DER(THING), NULL, 0);
}

static int moved(void)
{
    static const unsigned char two[] = "\x04\x01" "a\x04\x02" "bc\x02\x01\x09";
    const unsigned char *p = two;
    long length = sizeof(two) - 1;
    ASN1_OCTET_STRING *first = (ASN1_OCTET_STRING *)decode(NULL, &p, length, OCTETS);
    ASN1_OCTET_STRING *second = (ASN1_OCTET_STRING *)decode(NULL, &p, two + length - p, OCTETS);
    ASN1_INTEGER *third = (ASN1_INTEGER *)decode(NULL, &p, two + length - p, INTEGER);
    int ok = TEST_ptr(first) && TEST_ptr(second) && TEST_ptr(third) && TEST_ptr_eq(p, two + length)
        && TEST_mem_eq(ASN1_STRING_get0_data(first), ASN1_STRING_length(first), "a", 1)
        && TEST_mem_eq(ASN1_STRING_get0_data(second), ASN1_STRING_length(second), "bc", 2)
        && TEST_long_eq(ASN1_INTEGER_get(third), 9);

    ASN1_OCTET_STRING_free(first);
    ASN1_OCTET_STRING_free(second);
    ASN1_INTEGER_free(third);
    return ok;
}

static int put(void)
{
    const unsigned char *p = (const unsigned char *)"\x04\x04text",
        *q = (const unsigned char *)THING;
    ASN1_VALUE *there = NULL, *thing = NULL, *value = decode(&there, &p, 6, OCTETS);
    int ok = TEST_ptr(value) && TEST_ptr_eq(there, value)
        && TEST_ptr(value = decode(&thing, &q, 11, ASN1_ITEM_rptr(PLUS_THING)))
        && TEST_ptr_eq(thing, value);

    ASN1_item_free(there, OCTETS);
    ASN1_item_free(thing, ASN1_ITEM_rptr(PLUS_THING));
    return ok;
}

static int used_again(void)
{
    const unsigned char *p = (const unsigned char *)"\x04\x04text",
        *q = (const unsigned char *)THING;
    ASN1_OCTET_STRING *string = ASN1_OCTET_STRING_new(), *before = string;
    PLUS_THING *thing = (PLUS_THING *)ASN1_item_new(ASN1_ITEM_rptr(PLUS_THING)), *same = thing;
    int ok;

    ASN1_OCTET_STRING_set(string, (const unsigned char *)"something else", 14);
    ASN1_OCTET_STRING_set(thing->text, (const unsigned char *)"something else", 14);
    ok = TEST_ptr_eq(decode((ASN1_VALUE **)&string, &p, 6, OCTETS), before)
        && TEST_ptr_eq(string, before)
        && TEST_mem_eq(ASN1_STRING_get0_data(string), ASN1_STRING_length(string), "text", 4)
        && TEST_ptr_eq(decode((ASN1_VALUE **)&thing, &q, 11, ASN1_ITEM_rptr(PLUS_THING)), same)
        && TEST_ptr_eq(thing, same)
        && TEST_mem_eq(ASN1_STRING_get0_data(thing->text), ASN1_STRING_length(thing->text), "text",
                       4);
    ASN1_OCTET_STRING_free(string);
    ASN1_item_free((ASN1_VALUE *)thing, ASN1_ITEM_rptr(PLUS_THING));
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int goes(void)
{
    const unsigned char *p = (const unsigned char *)"\x04\x04tex",
        *q = (const unsigned char *)"\x30\x03\x02\x01\x08";
    ASN1_VALUE *string, *thing;
    long before = memory_blocks;
    int ok;

    string = ASN1_item_new(OCTETS);
    thing = ASN1_item_new(ASN1_ITEM_rptr(PLUS_THING));
    ok = TEST_ptr_null(decode(&string, &p, 5, OCTETS)) && TEST_ptr_null(string)
        && TEST_ptr_null(decode(&thing, &q, 5, ASN1_ITEM_rptr(PLUS_THING))) && TEST_ptr_null(thing);
    ERR_clear_error();
    OPENSSL_thread_stop();
    return ok && TEST_long_le(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int too_short(void)
{
    int i;

    for (i = 0; i < 11; i++)
        if (!fails(ASN1_ITEM_rptr(PLUS_THING), (const unsigned char *)THING, i))
            return 0;
    for (i = 0; i < 15; i++)
        if (!fails(ASN1_ITEM_rptr(X509_ALGOR), (const unsigned char *)ALGOR, i))
            return 0;
    return fails(OCTETS, (const unsigned char *)"\x04\x04text", 5)
        && fails(OCTETS, (const unsigned char *)"\x04\x04", 2)
        && fails(OCTETS, (const unsigned char *)"\x04", 1)
        && fails(INTEGER, (const unsigned char *)"\x02\x01\x07", 0);
}

static int another_type(void)
{
    return fails(OCTETS, DER("\x02\x01\x07")) && fails(INTEGER, DER("\x04\x01x"))
        && fails(INTEGER, DER("\x82\x01\x07"))
        && fails(INTEGER, DER("\x22\x03\x02\x01\x07"))
        && fails(ASN1_ITEM_rptr(X509_ALGOR), DER("\x31\x02\x05\0"))
        && fails(ASN1_ITEM_rptr(PLUS_THING), DER("\x30\x07\x04\x04text"))
        && fails(ASN1_ITEM_rptr(PLUS_CHOICE), DER("\x05\0"))
        /* Something more in the sequence. */
        && fails(ASN1_ITEM_rptr(PLUS_THING), DER("\x30\x0b\x02\x01\x07\x04\x04text\x05\0"));
}

static int tells(const ASN1_ITEM *it, const unsigned char *der, size_t length)
{
    const unsigned char *p = der;
    int ok;

    ERR_clear_error();
    ok = TEST_ptr_null(decode(NULL, &p, (long)length, it)) && TEST_ulong_ne(ERR_peek_error(), 0);
    ERR_clear_error();
    return ok;
}

static int why(void)
{
    const unsigned char *p = (const unsigned char *)THING;
    ASN1_VALUE *value;
    int ok = tells(OCTETS, DER("\x02\x01\x07")) && tells(INTEGER, DER("\x04\x01x"))
        && tells(OCTETS, DER("\x04\x04tex"))
        && tells(ASN1_ITEM_rptr(X509_ALGOR), DER("\x31\x02\x05\0"))
        && tells(ASN1_ITEM_rptr(GENERAL_NAME), DER("\x05\0"));

    value = decode(NULL, &p, 11, ASN1_ITEM_rptr(PLUS_THING));
    ok = ok && TEST_ptr(value) && TEST_ulong_eq(ERR_peek_error(), 0);
    ASN1_item_free(value, ASN1_ITEM_rptr(PLUS_THING));
    return ok;
}

static int leaves(void)
{
    const unsigned char *text = (const unsigned char *)"\x04\x04tex", *p = text,
        *q = (const unsigned char *)THING, *r = q;
    int ok = TEST_ptr_null(decode(NULL, &p, 5, OCTETS)) && TEST_ptr_eq(p, text)
        && TEST_ptr_null(decode(NULL, &r, 10, ASN1_ITEM_rptr(PLUS_THING))) && TEST_ptr_eq(r, q);

    ERR_clear_error();
    return ok;
}

static int context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    static const ASN1_ITEM_EXP *const items[] = { ASN1_ITEM_ref(PLUS_PROBE), ASN1_ITEM_ref(PLUS_THING),
                                                  ASN1_ITEM_ref(PLUS_PLAIN),
                                                      ASN1_ITEM_ref(PLUS_CHOICE) };
    const unsigned char *p;
    ASN1_VALUE *value;
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(items) && ok; i++) {
        plus_seen_libctx = NULL;
        plus_seen_propq = NULL;
        p = (const unsigned char *)(i == 0 ? "\x02\x01\x07" : THING);
        value = ASN1_item_d2i_ex(NULL, &p, i == 0 ? 3 : 11, ASN1_ITEM_ptr(items[i]), libctx,
                                 "some=property");
        ok = TEST_ptr(value) && TEST_ptr_eq(plus_seen_libctx, libctx)
            && TEST_str_eq(plus_seen_propq, "some=property");
        ASN1_item_free(value, ASN1_ITEM_ptr(items[i]));
        p = (const unsigned char *)(i == 0 ? "\x02\x01\x07" : THING);
        value = ASN1_item_d2i_ex(NULL, &p, i == 0 ? 3 : 11, ASN1_ITEM_ptr(items[i]), NULL, NULL);
        ok = ok && TEST_ptr(value) && TEST_ptr_null(plus_seen_libctx)
            && TEST_ptr_null(plus_seen_propq);
        ASN1_item_free(value, ASN1_ITEM_ptr(items[i]));
    }
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int ber(void)
{
    return decodes(ASN1_ITEM_rptr(PLUS_THING), DER("\x30\x80\x02\x01\x07\x04\x04text\0\0"), THING,
                   11)
        && decodes(ASN1_ITEM_rptr(PLUS_THING), DER("\x30\x81\x09\x02\x01\x07\x04\x04text"), THING,
                   11)
        && decodes(OCTETS, DER("\x24\x80\x04\x02te\x04\x02xt\0\0"), "\x04\x04text", 6)
        && decodes(OCTETS, DER("\x24\x08\x04\x02te\x04\x02xt"), "\x04\x04text", 6)
        && decodes(OCTETS, DER("\x04\x82\0\x04text"), "\x04\x04text", 6);
}

static int next(void)
{
    return fails(OCTETS, DER("\x02\x01\x07")) && decodes(INTEGER, DER("\x02\x01\x07"), NULL, 0)
        && fails(ASN1_ITEM_rptr(PLUS_THING), DER("\x30\x07\x04\x04text"))
        && decodes(OCTETS, DER("\x04\x04text"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(PLUS_CHOICE), DER("\x04\x04text"), NULL, 0)
        && decodes(ASN1_ITEM_rptr(PLUS_CHOICE), DER(THING), NULL, 0)
        && decodes(ASN1_ITEM_rptr(PLUS_CHOICE), DER("\x04\x04text"), NULL, 0);
}

static int leak(void)
{
    const unsigned char *p;
    PLUS_THING *value;
    long before = 0;
    int i, ok = 1;

    for (i = 0; i < 5 && ok; i++) {
        OPENSSL_thread_stop();
        if (i == 2)
            before = memory_blocks;
        ok = kinds() && moved() && put() && used_again() && goes() && too_short() && another_type()
            && why() && leaves()
            && context() && ber() && next();
    }
    OPENSSL_thread_stop();
    ok = ok && TEST_long_eq(memory_blocks, before);
    for (i = 0; i < 24 && ok; i++) {
        p = (const unsigned char *)THING;
        plus_refuse(i);
        value = (PLUS_THING *)ASN1_item_d2i_ex(NULL, &p, 11, ASN1_ITEM_rptr(PLUS_THING), NULL, NULL);
        plus_refuse(-1);
        ok = (i > 1 || TEST_ptr_null(value)) && (value == NULL
            || TEST_mem_eq(ASN1_STRING_get0_data(value->text), ASN1_STRING_length(value->text),
                           "text", 4));
        ASN1_item_free((ASN1_VALUE *)value, ASN1_ITEM_rptr(PLUS_THING));
        ERR_clear_error();
    }
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("values of all kinds of types are decoded", kinds);
    add_test("the input is moved behind the value", moved);
    add_test("the value is put where it is asked for", put);
    add_test("a value that is there is used again", used_again);
    add_test("a value that is there goes on an error", goes);
    add_test("input that is too short is an error", too_short);
    add_test("input of another type is an error", another_type);
    add_test("an error tells why", why);
    add_test("an error leaves the input", leaves);
    add_test("the library context and the properties are used", context);
    add_test("forms of BER are decoded", ber);
    add_test("one call does not change the next", next);
    add_test("nothing is leaked and memory that is refused is an error", leak);
    return 1;
}
