/*---
 * tasks: [148903C6EE544163]
 * tests:
 *   an RSA key of TLS 1.2 stands for RSA with SHA1: 'RFC 5246 7.4.1.4.1: without the extension, {sha1,rsa}.'
 *   a DSA key stands for DSA with SHA1: 'RFC 5246 7.4.1.4.1: {sha1,dsa}.'
 *   an ECDSA key stands for ECDSA with SHA1: 'RFC 5246 7.4.1.4.1: {sha1,ecdsa}.'
 *   an RSA key of TLS 1.1 stands for MD5 and SHA1:
 *     'RFC 4346 7.4.3 and 7.4.8: RSA signs both digests; t1_lib.c: legacy_rsa_sigalg.'
 *   an ECDSA key of TLS 1.1 stands for ECDSA with SHA1: 'RFC 4492 5.4: SHA1.'
 *   a key type without a legacy algorithm fails:
 *     'statem_lib.c: tls_process_cert_verify takes 0 for a fatal error; tls1_get_legacy_sigalg: "NULL on error".'
 *   a key that no certificate can have fails: 'statem_lib.c: the same.'
 *   an algorithm that the security level forbids fails:
 *     'SSL_CTX_set_security_level(3): "signatures using SHA1 and MD5 are also forbidden" at level 1; t1_lib.c:
 *     tls1_get_legacy_sigalg.'
 *   a failure leaves the algorithm as it was: 'Docstring: "Set peer sigalg"; on a failure there is none to set.'
 *   our own algorithm stays: 'Docstring: "Set peer sigalg".'
 *   the peer's key counts and not our certificate: 'Docstring: "based key type", and pkey is the peer''s.'
 *   another key changes the algorithm: 'Docstring: "Set peer sigalg based key type".'
 ---*/
#include "../../ssl/t1_lib.c"
#include "../testutil.h"
#include "cert.h"

static EVP_PKEY *rsa, *dsa, *ec, *edwards, *exchange;

/* A connection of one version at a security level, as a server or a client. */
static SSL_CONNECTION *connection(int server, int version, int level)
{
    SSL_CTX *ctx = SSL_CTX_new(version == TLS1_1_VERSION ? TLSv1_1_method() : TLSv1_2_method());
    SSL *ssl;

    SSL_CTX_set_security_level(ctx, level);
    ssl = SSL_new(ctx);
    SSL_CTX_free(ctx);
    if (!TEST_ptr(ssl))
        return NULL;
    if (server)
        SSL_set_accept_state(ssl);
    else
        SSL_set_connect_state(ssl);
    return SSL_CONNECTION_FROM_SSL(ssl);
}

/* Does `key` stand for the algorithm with this hash and kind of signature, for a server and for a client? */
static int stands_for(EVP_PKEY *key, int version, int hash, int sig)
{
    int server, ok = 1;

    for (server = 0; ok && server < 2; server++) {
        SSL_CONNECTION *s = connection(server, version, 0);

        ok = s != NULL && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, key), 1)
            && TEST_ptr(s->s3.tmp.peer_sigalg)
            && TEST_int_eq(s->s3.tmp.peer_sigalg->hash, hash)
            && TEST_int_eq(s->s3.tmp.peer_sigalg->sig, sig);
        SSL_free(s == NULL ? NULL : SSL_CONNECTION_GET_SSL(s));
    }
    return ok;
}

static int fails(EVP_PKEY *key, int version, int level)
{
    SSL_CONNECTION *s = connection(0, version, level);
    int ok = s != NULL && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, key), 0);

    SSL_free(s == NULL ? NULL : SSL_CONNECTION_GET_SSL(s));
    return ok;
}

static int rsa_12(void)
{
    return stands_for(rsa, TLS1_2_VERSION, NID_sha1, EVP_PKEY_RSA);
}

static int dsa_12(void)
{
    return stands_for(dsa, TLS1_2_VERSION, NID_sha1, EVP_PKEY_DSA);
}

static int ec_12(void)
{
    return stands_for(ec, TLS1_2_VERSION, NID_sha1, EVP_PKEY_EC);
}

static int rsa_11(void)
{
    return stands_for(rsa, TLS1_1_VERSION, NID_md5_sha1, EVP_PKEY_RSA);
}

static int ec_11(void)
{
    return stands_for(ec, TLS1_1_VERSION, NID_sha1, EVP_PKEY_EC);
}

static int no_legacy(void)
{
    return fails(edwards, TLS1_2_VERSION, 0) && fails(edwards, TLS1_1_VERSION, 0);
}

static int no_certificate(void)
{
    return fails(exchange, TLS1_2_VERSION, 0);
}

static int forbidden(void)
{
    return fails(rsa, TLS1_2_VERSION, 2) && fails(ec, TLS1_2_VERSION, 2);
}

static int as_it_was(void)
{
    SSL_CONNECTION *s = connection(1, TLS1_2_VERSION, 0);
    const SIGALG_LOOKUP *before;
    int ok = s != NULL && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, ec), 1)
        && TEST_ptr(before = s->s3.tmp.peer_sigalg)
        && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, edwards), 0)
        && TEST_ptr_eq(s->s3.tmp.peer_sigalg, before)
        && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, exchange), 0)
        && TEST_ptr_eq(s->s3.tmp.peer_sigalg, before);

    SSL_free(s == NULL ? NULL : SSL_CONNECTION_GET_SSL(s));
    return ok;
}

static int own_stays(void)
{
    SSL_CONNECTION *s = connection(1, TLS1_2_VERSION, 0);
    int ok = s != NULL;

    if (ok) {
        s->s3.tmp.sigalg = &sigalg_lookup_tbl[1];
        ok = TEST_int_eq(tls1_set_peer_legacy_sigalg(s, rsa), 1)
            && TEST_ptr_eq(s->s3.tmp.sigalg, &sigalg_lookup_tbl[1]);
        SSL_free(SSL_CONNECTION_GET_SSL(s));
    }
    return ok;
}

static int peers_key(void)
{
    SSL_CONNECTION *s = connection(0, TLS1_2_VERSION, 0);
    X509 *cert = cert_new("own", "own", ec, ec, 0);
    int ok = s != NULL && TEST_ptr(cert)
        && TEST_true(SSL_use_certificate(SSL_CONNECTION_GET_SSL(s), cert))
        && TEST_true(SSL_use_PrivateKey(SSL_CONNECTION_GET_SSL(s), ec))
        && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, rsa), 1)
        && TEST_ptr(s->s3.tmp.peer_sigalg)
        && TEST_int_eq(s->s3.tmp.peer_sigalg->sig, EVP_PKEY_RSA);

    SSL_free(s == NULL ? NULL : SSL_CONNECTION_GET_SSL(s));
    X509_free(cert);
    return ok;
}

static int another_key(void)
{
    SSL_CONNECTION *s = connection(0, TLS1_2_VERSION, 0);
    int ok = s != NULL && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, rsa), 1)
        && TEST_int_eq(tls1_set_peer_legacy_sigalg(s, ec), 1)
        && TEST_ptr(s->s3.tmp.peer_sigalg)
        && TEST_int_eq(s->s3.tmp.peer_sigalg->sig, EVP_PKEY_EC);

    SSL_free(s == NULL ? NULL : SSL_CONNECTION_GET_SSL(s));
    return ok;
}

int setup_tests(void)
{
    if (!TEST_ptr(rsa = load_pkey_pem("test/testrsa2048.pem", NULL))
            || !TEST_ptr(dsa = load_pkey_pem("test/testdsa.pem", NULL))
            || !TEST_ptr(ec = EVP_EC_gen("P-256"))
            || !TEST_ptr(edwards = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"))
            || !TEST_ptr(exchange = EVP_PKEY_Q_keygen(NULL, NULL, "X25519")))
        return 0;
    add_test("an RSA key of TLS 1.2 stands for RSA with SHA1", rsa_12);
    add_test("a DSA key stands for DSA with SHA1", dsa_12);
    add_test("an ECDSA key stands for ECDSA with SHA1", ec_12);
    add_test("an RSA key of TLS 1.1 stands for MD5 and SHA1", rsa_11);
    add_test("an ECDSA key of TLS 1.1 stands for ECDSA with SHA1", ec_11);
    add_test("a key type without a legacy algorithm fails", no_legacy);
    add_test("a key that no certificate can have fails", no_certificate);
    add_test("an algorithm that the security level forbids fails", forbidden);
    add_test("a failure leaves the algorithm as it was", as_it_was);
    add_test("our own algorithm stays", own_stays);
    add_test("the peer's key counts and not our certificate", peers_key);
    add_test("another key changes the algorithm", another_key);
    return 1;
}

void cleanup_tests(void)
{
    EVP_PKEY_free(rsa);
    EVP_PKEY_free(dsa);
    EVP_PKEY_free(ec);
    EVP_PKEY_free(edwards);
    EVP_PKEY_free(exchange);
}
