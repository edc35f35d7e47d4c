/*---
 * tasks: [41D90C0C118C1A88]
 * tests:
 *   a certificate with its key is present:
 *     'Docstring: "Returns true if certificate and private key for ''idx'' are present".'
 *   a certificate without a key is not: 'Docstring: "certificate and private key".'
 *   a key without a certificate is not:
 *     'Docstring: "certificate and private key"; ssl_local.h: tls12_rpk_and_privkey, a key alone is one of the
 *     "special cases when using RPK".'
 *   the index that is asked for counts: 'Docstring: "for ''idx''".'
 *   indexes outside the table hold nothing:
 *     'ssl_local.h: pkeys has ssl_pkey_num entries; t1_lib.c: has_usable_cert hands on whatever index an algorithm
 *     has.'
 *   the last index belongs to the table: 'ssl_local.h: pkeys has ssl_pkey_num entries.'
 *   a server's raw public key needs no certificate:
 *     'ssl_local.h: tls12_rpk_and_privkey, "just a private key, and NO CERTIFICATE";
 *     SSL_set1_server_cert_type(3).'
 *   a client's raw public key needs no certificate:
 *     'SSL_set1_client_cert_type(3); ssl_has_cert_type looks at the own side.'
 *   a raw public key needs a private key: 'Docstring: "private key".'
 *   the other side's types do not matter:
 *     'ssl_local.h: ssl_has_cert_type: server_cert_type for a server, client_cert_type for a client.'
 *   a list of certificates only asks for a certificate:
 *     'SSL_set1_server_cert_type(3): TLSEXT_cert_type_x509 is "an X.509 certificate normally used in TLS".'
 *   any place in the list enables raw public keys:
 *     'SSL_set1_server_cert_type(3): "Values are configured in preference order."'
 ---*/
#include "../../ssl/ssl_local.h"
#include "../testutil.h"
#include "cert.h"

static const unsigned char rpk_only[] = { TLSEXT_cert_type_rpk };
static const unsigned char x509_only[] = { TLSEXT_cert_type_x509 };
static const unsigned char x509_first[] = { TLSEXT_cert_type_x509, TLSEXT_cert_type_rpk };

static EVP_PKEY *ec, *edwards;
static X509 *ec_cert, *edwards_cert;
static SSL_CTX *ctx;

/* What a connection has: the parts of an ECDSA pair, and the types of certificates that either side may use. */
struct setting {
    int server, cert, key;
    const unsigned char *server_types, *client_types;
    size_t server_count, client_count;
};

/* Is the answer for an ECDSA certificate the expected one? */
static int answers(struct setting with, int expected)
{
    SSL *ssl = SSL_new(ctx);
    SSL_CONNECTION *sc = SSL_CONNECTION_FROM_SSL(ssl);
    int ok;

    if (with.server)
        SSL_set_accept_state(ssl);
    else
        SSL_set_connect_state(ssl);
    ok = (!with.cert || TEST_true(SSL_use_certificate(ssl, ec_cert)))
        && (!with.key || TEST_true(SSL_use_PrivateKey(ssl, ec)))
        && (with.server_types == NULL
            || TEST_true(SSL_set1_server_cert_type(ssl, with.server_types, with.server_count)))
        && (with.client_types == NULL
            || TEST_true(SSL_set1_client_cert_type(ssl, with.client_types, with.client_count)))
        && TEST_int_eq(ssl_has_cert(sc, SSL_PKEY_ECC) != 0, expected);
    SSL_free(ssl);
    return ok;
}

static int both(void)
{
    return answers((struct setting){ 1, 1, 1 }, 1) && answers((struct setting){ 0, 1, 1 }, 1);
}

static int no_key(void)
{
    return answers((struct setting){ 1, 1, 0 }, 0) && answers((struct setting){ 0, 1, 0 }, 0);
}

static int no_cert(void)
{
    return answers((struct setting){ 1, 0, 1 }, 0) && answers((struct setting){ 0, 0, 1 }, 0)
        && answers((struct setting){ 1, 0, 0 }, 0);
}

static int by_index(void)
{
    SSL *ssl = SSL_new(ctx);
    SSL_CONNECTION *sc = SSL_CONNECTION_FROM_SSL(ssl);
    int ok = TEST_true(SSL_use_certificate(ssl, edwards_cert))
        && TEST_true(SSL_use_PrivateKey(ssl, edwards))
        && TEST_true(SSL_use_certificate(ssl, ec_cert))
        && TEST_true(ssl_has_cert(sc, SSL_PKEY_ED25519))
        && TEST_false(ssl_has_cert(sc, SSL_PKEY_ECC))
        && TEST_false(ssl_has_cert(sc, SSL_PKEY_RSA))
        && TEST_true(SSL_use_PrivateKey(ssl, ec))
        && TEST_true(ssl_has_cert(sc, SSL_PKEY_ED25519))
        && TEST_true(ssl_has_cert(sc, SSL_PKEY_ECC))
        && TEST_false(ssl_has_cert(sc, SSL_PKEY_ED448));

    SSL_free(ssl);
    return ok;
}

/*
 * Asks about a table of its own, of `count` entries between two that do not belong to it. Only the first and the last
 * entry and those two have a certificate and a key.
 */
static int with_table(size_t count, int (*ok)(const SSL_CONNECTION *, int))
{
    SSL *ssl = SSL_new(ctx);
    SSL_CONNECTION *sc = SSL_CONNECTION_FROM_SSL(ssl);
    CERT_PKEY *table = OPENSSL_zalloc((count + 2) * sizeof(*table)), *own = sc->cert->pkeys;
    size_t own_count = sc->ssl_pkey_num;
    int result;

    table[0].x509 = table[1].x509 = table[count].x509 = table[count + 1].x509 = ec_cert;
    table[0].privatekey = table[1].privatekey = table[count].privatekey = table[count + 1].privatekey = ec;
    sc->cert->pkeys = table + 1;
    sc->ssl_pkey_num = count;
    result = ok(sc, (int)count);
    sc->cert->pkeys = own;
    sc->ssl_pkey_num = own_count;
    OPENSSL_free(table);
    SSL_free(ssl);
    return result;
}

static int nothing_outside(const SSL_CONNECTION *sc, int count)
{
    return TEST_false(ssl_has_cert(sc, -1)) && TEST_false(ssl_has_cert(sc, count))
        && TEST_false(ssl_has_cert(sc, INT_MIN)) && TEST_false(ssl_has_cert(sc, INT_MAX));
}

static int first_and_last(const SSL_CONNECTION *sc, int count)
{
    return TEST_true(ssl_has_cert(sc, 0)) && TEST_true(ssl_has_cert(sc, count - 1))
        && TEST_false(ssl_has_cert(sc, 1)) && TEST_false(ssl_has_cert(sc, count - 2));
}

/* With the algorithms of providers a table has more entries than SSL_PKEY_NUM. */
static int outside(void)
{
    return with_table(SSL_PKEY_NUM, nothing_outside) && with_table(SSL_PKEY_NUM + 3, nothing_outside);
}

static int last_index(void)
{
    return with_table(SSL_PKEY_NUM, first_and_last) && with_table(SSL_PKEY_NUM + 3, first_and_last);
}

static int server_rpk(void)
{
    return answers((struct setting){ 1, 0, 1, rpk_only, NULL, 1, 0 }, 1)
        && answers((struct setting){ 1, 1, 1, rpk_only, NULL, 1, 0 }, 1);
}

static int client_rpk(void)
{
    return answers((struct setting){ 0, 0, 1, NULL, rpk_only, 0, 1 }, 1)
        && answers((struct setting){ 0, 1, 1, NULL, rpk_only, 0, 1 }, 1);
}

static int rpk_without_key(void)
{
    return answers((struct setting){ 1, 1, 0, rpk_only, NULL, 1, 0 }, 0)
        && answers((struct setting){ 0, 1, 0, NULL, rpk_only, 0, 1 }, 0)
        && answers((struct setting){ 1, 0, 0, rpk_only, NULL, 1, 0 }, 0);
}

static int other_side(void)
{
    return answers((struct setting){ 1, 0, 1, NULL, rpk_only, 0, 1 }, 0)
        && answers((struct setting){ 0, 0, 1, rpk_only, NULL, 1, 0 }, 0);
}

static int certificates_only(void)
{
    return answers((struct setting){ 1, 0, 1, x509_only, NULL, 1, 0 }, 0)
        && answers((struct setting){ 1, 1, 1, x509_only, NULL, 1, 0 }, 1);
}

static int any_place(void)
{
    return answers((struct setting){ 1, 0, 1, x509_first, NULL, 2, 0 }, 1)
        && answers((struct setting){ 0, 0, 1, NULL, x509_first, 0, 2 }, 1);
}

int setup_tests(void)
{
    if (!TEST_ptr(ec = EVP_EC_gen("P-256")) || !TEST_ptr(edwards = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"))
            || !TEST_ptr(ec_cert = cert_new("one", "one", ec, ec, 0))
            || !TEST_ptr(edwards_cert = cert_new("two", "two", edwards, edwards, 0))
            || !TEST_ptr(ctx = SSL_CTX_new(TLS_method())))
        return 0;
    add_test("a certificate with its key is present", both);
    add_test("a certificate without a key is not", no_key);
    add_test("a key without a certificate is not", no_cert);
    add_test("the index that is asked for counts", by_index);
    add_test("indexes outside the table hold nothing", outside);
    add_test("the last index belongs to the table", last_index);
    add_test("a server's raw public key needs no certificate", server_rpk);
    add_test("a client's raw public key needs no certificate", client_rpk);
    add_test("a raw public key needs a private key", rpk_without_key);
    add_test("the other side's types do not matter", other_side);
    add_test("a list of certificates only asks for a certificate", certificates_only);
    add_test("any place in the list enables raw public keys", any_place);
    return 1;
}

void cleanup_tests(void)
{
    SSL_CTX_free(ctx);
    X509_free(ec_cert);
    X509_free(edwards_cert);
    EVP_PKEY_free(ec);
    EVP_PKEY_free(edwards);
}
