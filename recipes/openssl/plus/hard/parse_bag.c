/*---
 * tasks: [parse_bag-deedf2.4, parse_bag-deedf2.8]
 * tests:
 *   a key is taken: 'PKCS12_parse(3): "returning user key"; RFC 7292, 4.2.1.'
 *   an encrypted key is taken: 'RFC 7292, 4.2.2; signature: pass, passlen.'
 *   a wrong password is refused: 'parse_bags goes on for what is not 0; PKCS12_parse(3).'
 *   a key is passed over where none is wanted: 'Comment: "pkey and/or ocerts may be NULL".'
 *   a key that is there already stays: 'PKCS12_parse(3): one user key; the first counts.'
 *   a broken key is refused: 'parse_bags gives up at 0; PKCS12_parse(3): 0 if an error occurred.'
 *   a certificate is added behind those before: 'PKCS12_parse(3): "other (CA) certs".'
 *   a certificate gets the local key ID: 'PKCS12_parse(3), NOTES: localKeyID; X509_keyid_get0.'
 *   a certificate gets the friendly name as its alias: 'PKCS12_parse(3): "friendlyName ... X509_alias_get0".'
 *   certificates are passed over where none are wanted: 'Comment: "pkey and/or ocerts may be NULL".'
 *   a broken certificate is refused and others are passed over: 'RFC 7292, 4.2.3: sdsiCertificate.'
 *   nested bags are parsed: 'RFC 7292, 4.2.6; signature of parse_bags.'
 *   other bags are passed over: 'RFC 7292, 4.2.4 and 4.2.5; sibling parse_bags goes on.'
 *   the library context and the properties are used:
 *     'PKCS12_decrypt_skey_ex(3), PKCS12_SAFEBAG_get1_cert_ex(3), EVP_PKCS82PKEY_ex(3): libctx and propq.'
 *   without memory it fails and leaks nothing: 'parse_pk12 frees the bags and gives up at 0.'
 *   nothing is leaked or freed twice: 'PKCS12_parse: the key and the list are its own, the bag is freed.'
 ---*/
#include "../../crypto/pkcs12/p12_kiss.c"
#include "../testutil.h"
#include "refused_nth.h"
#include "../../crypto/pkcs12/p12_local.h"
#include "pb_pkcs8.h"
#include "pb_issued.h"
#include "internal/provider.h"

static X509 *cert;
static EVP_PKEY *pkey;
static STACK_OF(X509) *certs;

/* Parses it with a password, the outcome in pkey and certs. Frees the bag. */
static int parse_as(PKCS12_SAFEBAG *bag, const char *pass, int length)
{
    int result = parse_bag(bag, pass, length, &pkey, certs, NULL, NULL);

    PKCS12_SAFEBAG_free(bag);
    return result;
}

static int parse(PKCS12_SAFEBAG *bag)
{
    return parse_as(bag, "secret", -1);
}

static void start(void)
{
    pkey = NULL;
    certs = sk_X509_new_null();
}

static int done(int ok)
{
    EVP_PKEY_free(pkey);
    sk_X509_pop_free(certs, X509_free);
    pkey = NULL;
    certs = NULL;
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int has(EVP_PKEY *key, const char *name)
{
    return TEST_ptr(key) && EVP_PKEY_up_ref(key) && plus_is_key(key, name);
}

static PKCS12_SAFEBAG *key_bag(const char *name)
{
    return PKCS12_SAFEBAG_create0_p8inf(plus_p8(name));
}

static PKCS12_SAFEBAG *shrouded(PKCS8_PRIV_KEY_INFO *p8)
{
    PKCS12_SAFEBAG *bag = PKCS12_SAFEBAG_create_pkcs8_encrypt(NID_aes_128_cbc, "secret", -1,
                                                              (unsigned char *)"saltsalt", 8, 2,
                                                              p8);

    PKCS8_PRIV_KEY_INFO_free(p8);
    return bag;
}

static PKCS12_SAFEBAG *cert_bag(const char *alias, const char *id, int id_length)
{
    PKCS12_SAFEBAG *bag = PKCS12_SAFEBAG_create_cert(cert);

    if (alias != NULL)
        PKCS12_add_friendlyname_utf8(bag, alias, -1);
    if (id != NULL)
        PKCS12_add_localkeyid(bag, (unsigned char *)id, id_length);
    return bag;
}

static int key(void)
{
    start();
    return done(TEST_int_eq(parse(key_bag(PLUS_EC)), 1) && has(pkey, PLUS_EC)
                && TEST_int_eq(sk_X509_num(certs), 0));
}

static int encrypted(void)
{
    int ok;

    start();
    ok = done(TEST_int_eq(parse(shrouded(plus_p8(PLUS_EC))), 1) && has(pkey, PLUS_EC));
    start();
    return done(TEST_int_eq(parse_as(shrouded(plus_p8(PLUS_EC)), "secretly", 6), 1)
                && has(pkey, PLUS_EC)) && ok;
}

static int wrong_password(void)
{
    start();
    return done(TEST_int_eq(parse_as(shrouded(plus_p8(PLUS_EC)), "Secret", -1), 0)
                && TEST_ptr_null(pkey)
                && TEST_int_eq(parse_as(shrouded(plus_p8(PLUS_EC)), "secret", 5), 0)
                && TEST_ptr_null(pkey));
}

static int unwanted_key(void)
{
    PKCS12_SAFEBAG *one = key_bag(PLUS_EC), *two = shrouded(plus_p8(PLUS_EC));
    int ok = TEST_int_eq(parse_bag(one, "secret", -1, NULL, NULL, NULL, NULL), 1)
        && TEST_int_eq(parse_bag(two, "wrong", -1, NULL, NULL, NULL, NULL), 1);

    PKCS12_SAFEBAG_free(one);
    PKCS12_SAFEBAG_free(two);
    return ok;
}

static int key_stays(void)
{
    EVP_PKEY *before;

    start();
    before = pkey = plus_key(PLUS_RSA);
    return done(TEST_int_eq(parse(key_bag(PLUS_EC)), 1) && TEST_ptr_eq(pkey, before)
                && TEST_int_eq(parse(shrouded(plus_p8(PLUS_EC))), 1) && TEST_ptr_eq(pkey, before)
                && TEST_int_eq(parse_as(shrouded(plus_p8(PLUS_EC)), "wrong", -1), 1)
                && TEST_ptr_eq(pkey, before));
}

static int broken_key(void)
{
    start();
    return done(TEST_int_eq(parse(PKCS12_SAFEBAG_create0_p8inf(plus_odd_p8("1.2.3.4.9", "x", 1))),
                            0)
                && TEST_ptr_null(pkey)
                && TEST_int_eq(parse(shrouded(plus_odd_p8("1.2.3.4.9", "x", 1))), 0)
                && TEST_ptr_null(pkey));
}

static int certificate(void)
{
    int length = 0;

    start();
    return done(TEST_int_eq(parse(cert_bag(NULL, NULL, 0)), 1)
                && TEST_int_eq(sk_X509_num(certs), 1)
                && TEST_int_eq(X509_cmp(sk_X509_value(certs, 0), cert), 0)
                && TEST_ptr_null(X509_alias_get0(sk_X509_value(certs, 0), &length))
                && TEST_ptr_null(X509_keyid_get0(sk_X509_value(certs, 0), &length))
                && TEST_int_eq(parse(cert_bag("b", NULL, 0)), 1)
                && TEST_int_eq(sk_X509_num(certs), 2)
                && TEST_ptr(X509_alias_get0(sk_X509_value(certs, 1), &length))
                && TEST_ptr_null(pkey));
}

static int local_id(void)
{
    int length = 0;
    unsigned char *id;

    start();
    return done(TEST_int_eq(parse(cert_bag(NULL, "a\0key", 5)), 1)
                && TEST_ptr(id = X509_keyid_get0(sk_X509_value(certs, 0), &length))
                && TEST_mem_eq(id, length, "a\0key", 5)
                && TEST_ptr_null(X509_alias_get0(sk_X509_value(certs, 0), &length)));
}

static int friendly_name(void)
{
    int length = 0;
    unsigned char *text;

    start();
    return done(TEST_int_eq(parse(cert_bag("Some na\xc3\xafve", "id", 2)), 1)
                && TEST_ptr(text = X509_alias_get0(sk_X509_value(certs, 0), &length))
                && TEST_mem_eq(text, length, "Some na\xc3\xafve", 11)
                && TEST_ptr(text = X509_keyid_get0(sk_X509_value(certs, 0), &length))
                && TEST_mem_eq(text, length, "id", 2)
                && TEST_int_eq(parse(cert_bag("", NULL, 0)), 1)
                && TEST_int_eq(sk_X509_num(certs), 2));
}

static int unwanted_cert(void)
{
    PKCS12_SAFEBAG *bag = cert_bag("name", "id", 2);
    int ok = TEST_int_eq(parse_bag(bag, "secret", -1, NULL, NULL, NULL, NULL), 1);

    PKCS12_SAFEBAG_free(bag);
    bag = cert_bag("name", "id", 2);
    ok = ok && TEST_int_eq(parse_bag(bag, NULL, 0, &pkey, NULL, NULL, NULL), 1)
        && TEST_ptr_null(pkey);
    PKCS12_SAFEBAG_free(bag);
    return ok;
}

static PKCS12_SAFEBAG *odd_cert_bag(int nid, const char *bytes)
{
    PKCS12_SAFEBAG *bag = cert_bag("name", "id", 2);

    bag->value.bag->type = OBJ_nid2obj(nid);
    if (nid == NID_sdsiCertificate) {
        ASN1_OCTET_STRING_free(bag->value.bag->value.x509cert);
        bag->value.bag->value.sdsicert = ASN1_IA5STRING_new();
        ASN1_STRING_set(bag->value.bag->value.sdsicert, bytes, -1);
    } else {
        ASN1_OCTET_STRING_set(bag->value.bag->value.x509cert, (unsigned char *)bytes, -1);
    }
    return bag;
}

static int odd_certs(void)
{
    start();
    return done(TEST_int_eq(parse(odd_cert_bag(NID_x509Certificate, "none")), 0)
                && TEST_int_eq(sk_X509_num(certs), 0)
                && TEST_int_eq(parse(odd_cert_bag(NID_sdsiCertificate, "none")), 1)
                && TEST_int_eq(sk_X509_num(certs), 0));
}

/* A bag with these in it. */
static PKCS12_SAFEBAG *nest(PKCS12_SAFEBAG *a, PKCS12_SAFEBAG *b)
{
    PKCS12_SAFEBAG *bag = PKCS12_SAFEBAG_new();

    bag->type = OBJ_nid2obj(NID_safeContentsBag);
    bag->value.safes = sk_PKCS12_SAFEBAG_new_null();
    sk_PKCS12_SAFEBAG_push(bag->value.safes, a);
    if (b != NULL)
        sk_PKCS12_SAFEBAG_push(bag->value.safes, b);
    return bag;
}

static int nested(void)
{
    int ok;

    start();
    ok = done(TEST_int_eq(parse(nest(nest(cert_bag("a", NULL, 0), NULL),
                                     shrouded(plus_p8(PLUS_EC)))), 1)
              && has(pkey, PLUS_EC) && TEST_int_eq(sk_X509_num(certs), 1));
    start();
    return done(TEST_int_eq(parse_as(nest(cert_bag("a", NULL, 0), shrouded(plus_p8(PLUS_EC))),
                                     "wrong", -1), 0)
                && TEST_int_eq(parse(nest(odd_cert_bag(NID_x509Certificate, "none"), NULL)), 0))
        && ok;
}

static int others(void)
{
    PKCS12_SAFEBAG *secret = PKCS12_SAFEBAG_create_secret(NID_pkcs7_data, V_ASN1_OCTET_STRING,
                                                          (unsigned char *)"secret", 6),
        *odd = PKCS12_SAFEBAG_new();
    PKCS12_SAFEBAG *crl_bag = cert_bag("name", "id", 2);
    int ok;

    crl_bag->type = OBJ_nid2obj(NID_crlBag);
    odd->type = OBJ_nid2obj(NID_sha256);
    start();
    ok = done(TEST_ptr(secret) && TEST_int_eq(parse(secret), 1)
              && TEST_int_eq(parse(odd), 1) && TEST_int_eq(parse(crl_bag), 1)
              && TEST_ptr_null(pkey) && TEST_int_eq(sk_X509_num(certs), 0));
    return ok;
}

/* All that can be refused, one or all from there on, until twice nothing was. */
static int refuse_all(PKCS12_SAFEBAG *bag)
{
    int i, length, last = 0, result, ok = 1;

    for (i = 0; ok && last < 2 && i < 3000; i++) {
        unsigned char *id;

        start();
        plus_refuse(i);
        result = parse_bag(bag, "secret", -1, &pkey, certs, NULL, NULL);
        plus_refuse(-1);
        if (i % 2 == 0)
            last = result == 1 ? last + 1 : 0;
        ok = TEST_int_eq(sk_X509_num(certs), result == 1)
            && (result == 0
                || (TEST_ptr(id = X509_keyid_get0(sk_X509_value(certs, 0), &length))
                    && TEST_mem_eq(id, length, "id", 2)));
        ok = done(ok);
    }
    return ok && TEST_int_eq(last, 2);
}

static int no_memory(void)
{
    PKCS12_SAFEBAG *bag = cert_bag("name", "id", 2);
    int ok = refuse_all(bag) && refuse_all(bag);
    long before = memory_blocks;

    ok = ok && refuse_all(bag) && TEST_long_eq(memory_blocks, before);
    PKCS12_SAFEBAG_free(bag);
    return ok;
}

/* Is the key in a provider of that context? */
static int key_of(OSSL_LIB_CTX *libctx)
{
    return TEST_ptr(pkey) && TEST_ptr(pkey->keymgmt)
        && TEST_ptr_eq(ossl_provider_libctx(EVP_KEYMGMT_get0_provider(pkey->keymgmt)), libctx);
}

static int cert_of(OSSL_LIB_CTX *libctx)
{
    X509 *found = sk_X509_value(certs, 0);

    return TEST_int_eq(sk_X509_num(certs), 1) && TEST_ptr_eq(found->libctx, libctx)
        && TEST_str_eq(found->propq, "provider=default");
}

/* Parses by another context with these properties. Frees the bag. */
static int parse_in(PKCS12_SAFEBAG *bag, OSSL_LIB_CTX *libctx, const char *propq)
{
    int result = parse_bag(bag, "secretly", 6, &pkey, certs, libctx, propq);

    PKCS12_SAFEBAG_free(bag);
    return result;
}

static int context(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    int ok;

    start();
    ok = done(TEST_int_eq(parse_in(key_bag(PLUS_EC), libctx, "provider=default"), 1)
              && key_of(libctx));
    start();
    ok &= done(TEST_int_eq(parse_in(shrouded(plus_p8(PLUS_EC)), libctx, "provider=default"), 1)
               && key_of(libctx));
    start();
    ok &= done(TEST_int_eq(parse_in(cert_bag("a", NULL, 0), libctx, "provider=default"), 1)
               && cert_of(libctx));
    start();
    ok &= done(TEST_int_eq(parse_in(nest(cert_bag("a", NULL, 0), shrouded(plus_p8(PLUS_EC))),
                                    libctx, "provider=default"), 1)
               && key_of(libctx) && cert_of(libctx));
    start();        /* nothing can decrypt it */
    ok &= done(TEST_int_eq(parse_in(shrouded(plus_p8(PLUS_EC)), libctx, "provider=none"), 0)
               && TEST_ptr_null(pkey));
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int once(void)
{
    return key() && encrypted() && wrong_password() && key_stays() && broken_key()
        && certificate() && local_id() && friendly_name() && unwanted_cert() && odd_certs()
        && nested();
}

static int balanced(void)
{
    long before;

    if (!once() || !once())
        return 0;
    before = memory_blocks;
    return once() && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    cert = plus_issued("CN=Root", "5");
    ASN1_TIME_set_string(X509_getm_notBefore(cert), "20200101000000Z");
    ASN1_TIME_set_string(X509_getm_notAfter(cert), "20490101000000Z");
    pkey = plus_key(PLUS_EC);
    X509_set_pubkey(cert, pkey);
    X509_sign(cert, pkey, EVP_sha256());
    EVP_PKEY_free(pkey);
    pkey = NULL;
    add_test("a key is taken", key);
    add_test("an encrypted key is taken", encrypted);
    add_test("a wrong password is refused", wrong_password);
    add_test("a key is passed over where none is wanted", unwanted_key);
    add_test("a key that is there already stays", key_stays);
    add_test("a broken key is refused", broken_key);
    add_test("a certificate is added behind those before", certificate);
    add_test("a certificate gets the local key ID", local_id);
    add_test("a certificate gets the friendly name as its alias", friendly_name);
    add_test("certificates are passed over where none are wanted", unwanted_cert);
    add_test("a broken certificate is refused and others are passed over", odd_certs);
    add_test("nested bags are parsed", nested);
    add_test("other bags are passed over", others);
    add_test("the library context and the properties are used", context);
    add_test("without memory it fails and leaks nothing", no_memory);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
