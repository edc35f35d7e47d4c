/*---
 * tasks: [PKCS7_verify-9ff9fa, PKCS7_verify-9ff9fa.2, PKCS7_verify-9ff9fa.4]
 * tests:
 *   a signed message of any length is verified and its content written:
 *     'Man PKCS7_verify: "content is written to the BIO out unless it is NULL".'
 *   detached content is read from indata, which is needed:
 *     'Man: "indata refers to the signed data if the content is detached"; it "cannot be NULL".'
 *   content or a signature that was changed is refused: 'Man: "the signature is checked".'
 *   both contents are refused on demand: 'Man: "To treat this as an error, use the flag PKCS7_NO_DUAL_CONTENT".'
 *   something else than signed data is refused:
 *     'Man: "The type of p7 must be SignedData. There must be at least one signature on the data".'
 *   the signer is looked for in certs and in the message:
 *     'Man: "first looking in the certs parameter"; PKCS7_NOINTERN.'
 *   the chain of the signer is verified, or not on demand:
 *     'Man: "chain verified using the smimesign purpose" and store; PKCS7_NOVERIFY.'
 *   certificates in the message are in the chain: 'Man: "are used as untrusted CAs unless PKCS7_NOCHAIN is set".'
 *   the lists in the message tell who is revoked, or not on demand:
 *     'Man: "any internal CRLs ... are used in addition"; PKCS7_NOCRL.'
 *   the headers of plain text are taken off on demand:
 *     'Man: PKCS7_TEXT, "If the content is not of type text/plain then an error".'
 *   signatures are not checked on demand: 'Man: PKCS7_NOSIGS; the chain is checked still.'
 *   each of several signers counts: 'Man: "Each signer''s certificate is chain verified"; "If all signatures verify".'
 *   a failure leaves an error: 'Man: "The error can be obtained from ERR_get_error(3)".'
 *   all stays the caller's and can be used again:
 *     'Signature: p7, store, certs, indata and out stay; apps/smime.c frees them.'
 *   nothing is leaked, a failed allocation is told: 'Man: "0 if an error occurs"; nothing is handed over.'
 ---*/
#include <openssl/pkcs7.h>
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"
#include "cert.h"

#define BUT_SIGNED (PKCS7_BINARY | PKCS7_NOSMIMECAP)

/* root issues ca, direct, server and mate; ca issues far; nobody knows stranger. */
static EVP_PKEY *root_key, *ca_key, *key, *mate_key;
static X509 *root, *ca, *direct, *server, *mate, *far, *stranger;
static BIO *out;

static const char text[] = "The quick brown fox\r\njumps over the lazy dog\r\n";
static const char plain[] = "Content-Type: text/plain\r\n\r\nThe body\r\nof it\r\n";

/* With a number of its own, since a signer is told by issuer and number. */
static X509 *numbered(X509 *cert, int number, EVP_PKEY *signer)
{
    if (cert == NULL || !ASN1_INTEGER_set(X509_get_serialNumber(cert), number)
            || !X509_sign(cert, signer, EVP_sha256()))
        return NULL;
    return cert;
}

static int make_all(void)
{
    if (!TEST_ptr(root_key = EVP_EC_gen("P-256")) || !TEST_ptr(ca_key = EVP_EC_gen("P-256"))
            || !TEST_ptr(key = EVP_EC_gen("P-256")) || !TEST_ptr(mate_key = EVP_EC_gen("P-256")))
        return 0;
    root = cert_new("Root", "Root", root_key, root_key, NID_basic_constraints, "critical,CA:TRUE",
                    0);
    ca = numbered(cert_new("CA", "Root", ca_key, root_key, NID_basic_constraints,
                           "critical,CA:TRUE", 0), 11, root_key);
    direct = numbered(cert_new("Direct", "Root", key, root_key, 0), 12, root_key);
    server = numbered(cert_new("Server", "Root", key, root_key, NID_ext_key_usage, "serverAuth",
                               0), 13, root_key);
    mate = numbered(cert_new("Mate", "Root", mate_key, root_key, 0), 14, root_key);
    far = numbered(cert_new("Far", "CA", key, ca_key, 0), 15, ca_key);
    stranger = numbered(cert_new("Stranger", "Nobody", key, ca_key, 0), 16, ca_key);
    return TEST_ptr(root) && TEST_ptr(ca) && TEST_ptr(direct) && TEST_ptr(server) && TEST_ptr(mate)
        && TEST_ptr(far) && TEST_ptr(stranger) && TEST_ptr(out = BIO_new(BIO_s_mem()));
}

/* A store that trusts `cert` and takes it for 2021. */
static X509_STORE *store_of(X509 *cert, unsigned long flags)
{
    X509_STORE *store = X509_STORE_new();

    if (cert != NULL)
        X509_STORE_add_cert(store, cert);
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), 1609459200);
    X509_STORE_set_flags(store, flags);
    return store;
}

static STACK_OF(X509) *list_of(X509 *cert, X509 *other)
{
    STACK_OF(X509) *list = sk_X509_new_null();

    sk_X509_push(list, cert);
    if (other != NULL)
        sk_X509_push(list, other);
    return list;
}

/* `size` bytes, signed by `signer` and by `second` if there is one. */
static PKCS7 *sign(X509 *signer, X509 *second, STACK_OF(X509) *more, const char *bytes, int size,
                   int flags)
{
    BIO *data = BIO_new_mem_buf(bytes, size);
    PKCS7 *p7 = PKCS7_sign(NULL, NULL, more, data, flags | BUT_SIGNED | PKCS7_PARTIAL);
    EVP_PKEY *second_key = second == mate ? mate_key : key;

    if (!TEST_ptr(p7)
            || !TEST_ptr(PKCS7_sign_add_signer(p7, signer, signer == mate ? mate_key : key,
                                               EVP_sha256(), flags | BUT_SIGNED))
            || (second != NULL
                && !TEST_ptr(PKCS7_sign_add_signer(p7, second, second_key, EVP_sha256(),
                                                   flags | BUT_SIGNED)))
            || !TEST_true(PKCS7_final(p7, data, flags | BUT_SIGNED))) {
        PKCS7_free(p7);
        p7 = NULL;
    }
    BIO_free(data);
    return p7;
}

static PKCS7 *sign_text(X509 *signer, int flags)
{
    return sign(signer, NULL, NULL, text, strlen(text), flags);
}

/* What verifying returns, with what it wrote in `out`. Frees the message and the store. */
static int verify_with(PKCS7 *p7, STACK_OF(X509) *certs, X509_STORE *store, const char *data,
                       int size, int flags)
{
    BIO *indata = data == NULL ? NULL : BIO_new_mem_buf(data, size);
    int result;

    BIO_reset(out);
    ERR_clear_error();
    result = PKCS7_verify(p7, certs, store, indata, out, flags);
    BIO_free(indata);
    PKCS7_free(p7);
    X509_STORE_free(store);
    return result;
}

static int verify(PKCS7 *p7, int flags)
{
    return p7 == NULL ? -1 : verify_with(p7, NULL, store_of(root, 0), NULL, 0, flags);
}

static int wrote(const char *bytes, int size)
{
    char *written;
    long written_size = BIO_get_mem_data(out, &written);

    return TEST_mem_eq(written, written_size, bytes, size);
}

static int verified(void)
{
    return TEST_int_eq(verify(sign_text(direct, 0), 0), 1) && wrote(text, strlen(text))
        && TEST_int_eq(verify(sign_text(direct, PKCS7_NOATTR), 0), 1) && wrote(text, strlen(text));
}

static int without_out(void)
{
    X509_STORE *store = store_of(root, 0);
    PKCS7 *p7 = sign_text(direct, 0);
    int ok = TEST_int_eq(PKCS7_verify(p7, NULL, store, NULL, NULL, 0), 1);

    PKCS7_free(p7);
    p7 = sign_text(direct, PKCS7_DETACHED);
    if (ok) {
        BIO *data = BIO_new_mem_buf(text, -1);

        ok = TEST_int_eq(PKCS7_verify(p7, NULL, store, data, NULL, 0), 1);
        BIO_free(data);
    }
    PKCS7_free(p7);
    X509_STORE_free(store);
    return ok;
}

static int long_and_empty(void)
{
    static const int sizes[] = { 0, 1, 4095, 4096, 4097, 8192, 20000 };
    static char bytes[20000];
    size_t i;

    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = i * 7 + i / 256;
    for (i = 0; i < OSSL_NELEM(sizes); i++) {
        if (!TEST_int_eq(verify(sign(direct, NULL, NULL, bytes, sizes[i], 0), 0), 1)
                || !wrote(bytes, sizes[i])
                || !TEST_int_eq(verify_with(sign(direct, NULL, NULL, bytes, sizes[i],
                                                 PKCS7_DETACHED), NULL, store_of(root, 0), bytes,
                                            sizes[i], 0), 1)
                || !wrote(bytes, sizes[i]))
            return 0;
    }
    return 1;
}

static int detached(void)
{
    return TEST_int_eq(verify_with(sign_text(direct, PKCS7_DETACHED), NULL, store_of(root, 0),
                                   text, strlen(text), 0), 1)
        && wrote(text, strlen(text))
        && TEST_int_eq(verify_with(sign_text(direct, PKCS7_DETACHED), NULL, store_of(root, 0),
                                   text, strlen(text), PKCS7_NO_DUAL_CONTENT), 1)
        && TEST_int_eq(verify_with(sign_text(direct, PKCS7_DETACHED), NULL, store_of(root, 0),
                                   text, strlen(text) - 1, 0), 0)
        && TEST_int_eq(verify_with(sign_text(direct, PKCS7_DETACHED), NULL, store_of(root, 0),
                                   "other", 5, 0), 0);
}

static int needs_indata(void)
{
    return TEST_int_eq(verify(sign_text(direct, PKCS7_DETACHED), 0), 0)
        && TEST_int_eq(verify(sign_text(direct, PKCS7_DETACHED), PKCS7_NOVERIFY | PKCS7_NOSIGS),
                       0);
}

/* The message, with a byte of its content changed. */
static PKCS7 *changed(PKCS7 *p7)
{
    if (p7 != NULL)
        p7->d.sign->contents->d.data->data[5] ^= 1;
    return p7;
}

/* The message, with a byte of the signature of this number changed. */
static PKCS7 *forged(PKCS7 *p7, int number)
{
    if (p7 != NULL) {
        PKCS7_SIGNER_INFO *info = sk_PKCS7_SIGNER_INFO_value(PKCS7_get_signer_info(p7), number);

        info->enc_digest->data[info->enc_digest->length - 1] ^= 1;
    }
    return p7;
}

static int content_changed(void)
{
    return TEST_int_eq(verify(changed(sign_text(direct, 0)), 0), 0)
        && TEST_int_eq(verify(changed(sign_text(direct, PKCS7_NOATTR)), 0), 0)
        && TEST_int_eq(verify(changed(sign_text(direct, 0)), PKCS7_NOVERIFY), 0);
}

static int signature_changed(void)
{
    PKCS7 *p7 = sign_text(direct, 0);

    if (!TEST_int_eq(verify(forged(p7, 0), 0), 0)
            || !TEST_int_eq(verify(forged(sign_text(direct, PKCS7_NOATTR), 0), 0), 0)
            || !TEST_int_eq(verify(forged(sign_text(direct, 0), 0), PKCS7_NOVERIFY), 0))
        return 0;
    /* No signature at all, only its tag. */
    p7 = sign_text(direct, 0);
    ASN1_STRING_set(sk_PKCS7_SIGNER_INFO_value(PKCS7_get_signer_info(p7), 0)->enc_digest, "\x30",
                    1);
    return TEST_int_eq(verify(p7, 0), 0);
}

static int both_contents(void)
{
    return TEST_int_eq(verify_with(sign_text(direct, 0), NULL, store_of(root, 0), text,
                                   strlen(text), PKCS7_NO_DUAL_CONTENT), 0)
        && TEST_int_eq(verify_with(sign_text(direct, 0), NULL, store_of(root, 0), text,
                                   strlen(text), 0), 1)
        && TEST_int_eq(verify(sign_text(direct, 0), PKCS7_NO_DUAL_CONTENT), 1)
        && wrote(text, strlen(text));
}

static PKCS7 *of_type(int type)
{
    PKCS7 *p7 = PKCS7_new();

    if (!PKCS7_set_type(p7, type)) {
        PKCS7_free(p7);
        return NULL;
    }
    return p7;
}

static int something_else(void)
{
    return TEST_int_eq(verify(of_type(NID_pkcs7_data), 0), 0)
        && TEST_int_eq(verify(of_type(NID_pkcs7_enveloped), 0), 0)
        && TEST_int_eq(verify(of_type(NID_pkcs7_signedAndEnveloped), 0), 0)
        && TEST_int_eq(verify(of_type(NID_pkcs7_data), PKCS7_NOVERIFY | PKCS7_NOSIGS), 0)
        && TEST_int_eq(verify_with(NULL, NULL, store_of(root, 0), NULL, 0, 0), 0);
}

static int no_signature(void)
{
    PKCS7 *p7 = of_type(NID_pkcs7_signed);

    PKCS7_content_new(p7, NID_pkcs7_data);
    if (!TEST_int_eq(verify(p7, 0), 0))
        return 0;
    p7 = of_type(NID_pkcs7_signed);
    PKCS7_content_new(p7, NID_pkcs7_data);
    return TEST_int_eq(verify(p7, PKCS7_NOVERIFY | PKCS7_NOSIGS), 0);
}

static int verify_given(PKCS7 *p7, X509 *cert, X509 *other, int flags)
{
    STACK_OF(X509) *certs = list_of(cert, other);
    int result = verify_with(p7, certs, store_of(root, 0), NULL, 0, flags);

    if (!TEST_int_eq(sk_X509_num(certs), other == NULL ? 1 : 2)
            || !TEST_ptr_eq(sk_X509_value(certs, 0), cert))
        result = -1;
    sk_X509_free(certs);
    return result;
}

static int looked_for(void)
{
    return TEST_int_eq(verify(sign_text(direct, PKCS7_NOCERTS), 0), 0)
        && TEST_int_eq(verify_given(sign_text(direct, PKCS7_NOCERTS), direct, NULL, 0), 1)
        && TEST_int_eq(verify_given(sign_text(direct, PKCS7_NOCERTS), mate, direct, 0), 1)
        && TEST_int_eq(verify_given(sign_text(direct, PKCS7_NOCERTS), mate, NULL, 0), 0)
        && TEST_int_eq(verify_given(sign_text(direct, PKCS7_NOCERTS), mate, NULL,
                                    PKCS7_NOVERIFY | PKCS7_NOSIGS), 0)
        && TEST_int_eq(verify_given(sign_text(direct, 0), mate, NULL, 0), 1);
}

static int not_intern(void)
{
    return TEST_int_eq(verify(sign_text(direct, 0), PKCS7_NOINTERN), 0)
        && TEST_int_eq(verify_given(sign_text(direct, 0), mate, NULL, PKCS7_NOINTERN), 0)
        && TEST_int_eq(verify_given(sign_text(direct, 0), direct, NULL, PKCS7_NOINTERN), 1)
        && TEST_int_eq(verify_given(sign_text(direct, 0), mate, NULL,
                                    PKCS7_NOINTERN | PKCS7_NOVERIFY), 0);
}

static int late(int flags)
{
    X509_STORE *store = store_of(root, 0);

    /* 2051 */
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), 2556144000U);
    return verify_with(sign_text(direct, 0), NULL, store, NULL, 0, flags);
}

static int chain(void)
{
    return TEST_int_eq(verify_with(sign_text(direct, 0), NULL, store_of(NULL, 0), NULL, 0, 0), 0)
        && TEST_int_eq(verify_with(sign_text(direct, 0), NULL, store_of(mate, 0), NULL, 0, 0), 0)
        && TEST_int_eq(verify(sign_text(stranger, 0), 0), 0)
        && TEST_int_eq(verify(sign_text(stranger, 0), PKCS7_NOSIGS), 0)
        && TEST_int_eq(verify(sign_text(stranger, 0), PKCS7_NOCHAIN), 0)
        && TEST_int_eq(late(0), 0);
}

static int no_chain(void)
{
    return TEST_int_eq(verify(sign_text(stranger, 0), PKCS7_NOVERIFY), 1)
        && wrote(text, strlen(text))
        && TEST_int_eq(verify_with(sign_text(direct, 0), NULL, NULL, NULL, 0, PKCS7_NOVERIFY), 1)
        && TEST_int_eq(verify(sign_text(server, 0), PKCS7_NOVERIFY), 1)
        && TEST_int_eq(late(PKCS7_NOVERIFY), 1);
}

/* What is it for one whose issuer is in the message, or isn't? */
static int verify_far(int with_issuer, int in_store, int flags)
{
    STACK_OF(X509) *more = with_issuer ? list_of(ca, NULL) : NULL;
    X509_STORE *store = store_of(root, 0);
    PKCS7 *p7 = sign(far, NULL, more, text, strlen(text), 0);

    sk_X509_free(more);
    if (in_store)
        X509_STORE_add_cert(store, ca);
    return verify_with(p7, NULL, store, NULL, 0, flags);
}

static int in_message(void)
{
    return TEST_int_eq(verify_far(1, 0, 0), 1) && TEST_int_eq(verify_far(0, 0, 0), 0)
        && TEST_int_eq(verify_far(1, 0, PKCS7_NOCHAIN), 0)
        && TEST_int_eq(verify_far(0, 1, PKCS7_NOCHAIN), 1)
        && TEST_int_eq(verify_far(0, 1, 0), 1) && TEST_int_eq(verify_far(1, 1, PKCS7_NOCHAIN), 1);
}

static int purpose(void)
{
    return TEST_int_eq(verify(sign_text(server, 0), 0), 0)
        && TEST_int_eq(verify(sign_text(server, 0), PKCS7_NOSIGS), 0);
}

/* A list of root's that revokes this number, if it is one. */
static X509_CRL *crl_of(int number)
{
    X509_CRL *crl = X509_CRL_new();
    ASN1_TIME *from = ASN1_TIME_new(), *until = ASN1_TIME_new();

    ASN1_TIME_set_string(from, "20200201000000Z");
    ASN1_TIME_set_string(until, "20400201000000Z");
    X509_CRL_set_version(crl, X509_CRL_VERSION_2);
    X509_CRL_set_issuer_name(crl, X509_get_subject_name(root));
    X509_CRL_set1_lastUpdate(crl, from);
    X509_CRL_set1_nextUpdate(crl, until);
    if (number != 0) {
        X509_REVOKED *revoked = X509_REVOKED_new();
        ASN1_INTEGER *serial = ASN1_INTEGER_new();

        ASN1_INTEGER_set(serial, number);
        X509_REVOKED_set_serialNumber(revoked, serial);
        X509_REVOKED_set_revocationDate(revoked, from);
        X509_CRL_add0_revoked(crl, revoked);
        ASN1_INTEGER_free(serial);
    }
    X509_CRL_sign(crl, root_key, EVP_sha256());
    ASN1_TIME_free(from);
    ASN1_TIME_free(until);
    return crl;
}

/* What is it with lists in the message and in the store that revoke these, none for -1? */
static int verify_crl(int message_revokes, int store_revokes, unsigned long store_flags, int flags)
{
    PKCS7 *p7 = sign_text(direct, 0);
    X509_STORE *store = store_of(root, store_flags);
    X509_CRL *crl;

    if (message_revokes >= 0) {
        PKCS7_add_crl(p7, crl = crl_of(message_revokes));
        X509_CRL_free(crl);
    }
    if (store_revokes >= 0) {
        X509_STORE_add_crl(store, crl = crl_of(store_revokes));
        X509_CRL_free(crl);
    }
    return verify_with(p7, NULL, store, NULL, 0, flags);
}

static int lists(void)
{
    return TEST_int_eq(verify_crl(12, -1, X509_V_FLAG_CRL_CHECK, 0), 0)
        && TEST_int_eq(verify_crl(0, -1, X509_V_FLAG_CRL_CHECK, 0), 1)
        && TEST_int_eq(verify_crl(14, -1, X509_V_FLAG_CRL_CHECK, 0), 1)
        && TEST_int_eq(verify_crl(-1, -1, X509_V_FLAG_CRL_CHECK, 0), 0)
        && TEST_int_eq(verify_crl(-1, 0, X509_V_FLAG_CRL_CHECK, 0), 1)
        && TEST_int_eq(verify_crl(-1, 12, X509_V_FLAG_CRL_CHECK, 0), 0)
        && TEST_int_eq(verify_crl(12, -1, 0, 0), 1)
        && TEST_int_eq(verify_crl(12, -1, X509_V_FLAG_CRL_CHECK, PKCS7_NOCHAIN), 0)
        && TEST_int_eq(verify_crl(0, -1, X509_V_FLAG_CRL_CHECK, PKCS7_NOCHAIN), 1)
        && TEST_int_eq(verify_crl(12, -1, X509_V_FLAG_CRL_CHECK, PKCS7_NOVERIFY), 1);
}

static int lists_passed_over(void)
{
    return TEST_int_eq(verify_crl(0, -1, X509_V_FLAG_CRL_CHECK, PKCS7_NOCRL), 0)
        && TEST_int_eq(verify_crl(12, 0, X509_V_FLAG_CRL_CHECK, PKCS7_NOCRL), 1)
        && TEST_int_eq(verify_crl(0, 12, X509_V_FLAG_CRL_CHECK, PKCS7_NOCRL), 0)
        && TEST_int_eq(verify_crl(-1, 0, X509_V_FLAG_CRL_CHECK, PKCS7_NOCRL), 1)
        && TEST_int_eq(verify_crl(0, -1, X509_V_FLAG_CRL_CHECK, PKCS7_NOCRL | PKCS7_NOCHAIN), 0);
}

static int headers(void)
{
    static char bytes[9000];
    const char *body = strstr(plain, "The body");
    int size;

    if (!TEST_int_eq(verify(sign(direct, NULL, NULL, plain, strlen(plain), 0), PKCS7_TEXT), 1)
            || !wrote(body, strlen(body))
            || !TEST_int_eq(verify(sign(direct, NULL, NULL, plain, strlen(plain), 0), 0), 1)
            || !wrote(plain, strlen(plain))
            || !TEST_int_eq(verify_with(sign(direct, NULL, NULL, plain, strlen(plain),
                                             PKCS7_DETACHED), NULL, store_of(root, 0), plain,
                                        strlen(plain), PKCS7_TEXT), 1)
            || !wrote(body, strlen(body))
            || !TEST_int_eq(verify(changed(sign(direct, NULL, NULL, plain, strlen(plain), 0)),
                                   PKCS7_TEXT), 0))
        return 0;
    size = sprintf(bytes, "Content-Type: text/plain\r\n\r\n");
    memset(bytes + size, 'b', sizeof(bytes) - size);
    return TEST_int_eq(verify(sign(direct, NULL, NULL, bytes, sizeof(bytes), 0), PKCS7_TEXT), 1)
        && wrote(bytes + size, sizeof(bytes) - size);
}

static int no_plain_text(void)
{
    static const char html[] = "Content-Type: text/html\r\n\r\n<p>\r\n";

    return TEST_int_eq(verify(sign_text(direct, 0), PKCS7_TEXT), 0)
        && TEST_int_eq(verify(sign(direct, NULL, NULL, html, strlen(html), 0), PKCS7_TEXT), 0)
        && TEST_int_eq(verify(sign_text(direct, 0), PKCS7_TEXT | PKCS7_NOVERIFY | PKCS7_NOSIGS),
                       0);
}

static int no_signatures(void)
{
    return TEST_int_eq(verify(changed(sign_text(direct, 0)), PKCS7_NOSIGS), 1)
        && TEST_int_eq(verify(forged(sign_text(direct, 0), 0), PKCS7_NOSIGS), 1)
        && wrote(text, strlen(text))
        && TEST_int_eq(verify(forged(sign_text(stranger, 0), 0), PKCS7_NOSIGS), 0)
        && TEST_int_eq(verify(forged(sign_text(stranger, 0), 0), PKCS7_NOSIGS | PKCS7_NOVERIFY),
                       1)
        && wrote(text, strlen(text));
}

static PKCS7 *two(X509 *first, X509 *second)
{
    return sign(first, second, NULL, text, strlen(text), 0);
}

static int several(void)
{
    return TEST_int_eq(verify(two(direct, mate), 0), 1) && wrote(text, strlen(text))
        && TEST_int_eq(verify(two(mate, direct), 0), 1)
        && TEST_int_eq(verify(forged(two(direct, mate), 0), 0), 0)
        && TEST_int_eq(verify(forged(two(direct, mate), 1), 0), 0)
        && TEST_int_eq(verify(forged(two(direct, mate), 1), PKCS7_NOVERIFY), 0)
        && TEST_int_eq(verify(two(stranger, mate), 0), 0)
        && TEST_int_eq(verify(two(mate, stranger), 0), 0)
        && TEST_int_eq(verify(two(mate, server), 0), 0)
        && TEST_int_eq(verify(two(mate, stranger), PKCS7_NOVERIFY), 1);
}

static int leaves_error(void)
{
    return TEST_int_eq(verify(sign_text(direct, PKCS7_DETACHED), 0), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0)
        && TEST_int_eq(verify(of_type(NID_pkcs7_data), 0), 0) && TEST_ulong_ne(ERR_peek_error(), 0)
        && TEST_int_eq(verify(sign_text(stranger, 0), 0), 0) && TEST_ulong_ne(ERR_peek_error(), 0)
        && TEST_int_eq(verify(changed(sign_text(direct, 0)), 0), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0)
        && TEST_int_eq(verify(sign_text(direct, 0), PKCS7_TEXT), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0)
        && TEST_int_eq(verify_with(sign_text(direct, 0), NULL, store_of(root, 0), text,
                                   strlen(text), PKCS7_NO_DUAL_CONTENT), 0)
        && TEST_ulong_ne(ERR_peek_error(), 0);
}

static int again(void)
{
    PKCS7 *p7 = sign_text(direct, 0);
    X509_STORE *store = store_of(root, 0), *empty = store_of(NULL, 0);
    int ok, i;

    for (i = 0, ok = 1; i < 3 && ok; i++) {
        BIO_reset(out);
        ok = TEST_int_eq(PKCS7_verify(p7, NULL, store, NULL, out, 0), 1)
            && wrote(text, strlen(text))
            && TEST_int_eq(PKCS7_verify(p7, NULL, empty, NULL, NULL, 0), 0);
    }
    PKCS7_free(p7);
    X509_STORE_free(store);
    X509_STORE_free(empty);
    return ok;
}

static int indata_stays(void)
{
    PKCS7 *p7 = sign_text(direct, PKCS7_DETACHED);
    X509_STORE *store = store_of(root, 0);
    BIO *data = BIO_new(BIO_s_mem()), *tail = BIO_new(BIO_s_null());
    char byte;
    int ok, i;

    BIO_set_mem_eof_return(data, 0);
    for (i = 0, ok = 1; i < 3 && ok; i++) {
        BIO_write(data, text, strlen(text));
        if (i == 2)
            BIO_write(data, "!", 1);
        ok = TEST_int_eq(PKCS7_verify(p7, NULL, store, data, NULL, 0), i < 2)
            && TEST_ptr_null(BIO_next(data)) && TEST_int_le(BIO_read(data, &byte, 1), 0)
            && TEST_int_eq(BIO_write(data, "x", 1), 1) && TEST_int_eq(BIO_read(data, &byte, 1), 1)
            && TEST_char_eq(byte, 'x');
    }
    /* Also where it isn't read. */
    ok = ok && TEST_int_eq(PKCS7_verify(p7, NULL, NULL, data, NULL, PKCS7_NOINTERN), 0)
        && TEST_int_eq(BIO_write(data, "x", 1), 1) && TEST_ptr(BIO_push(data, tail));
    BIO_pop(data);
    BIO_free(tail);
    BIO_free(data);
    PKCS7_free(p7);
    X509_STORE_free(store);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int all_paths(void)
{
    return verified() && without_out() && detached() && needs_indata() && content_changed()
        && signature_changed() && both_contents() && something_else() && no_signature()
        && looked_for() && not_intern() && chain() && no_chain() && in_message() && purpose()
        && lists() && lists_passed_over() && headers() && no_plain_text() && no_signatures()
        && several() && leaves_error() && again() && indata_stays();
}

static int no_leak(void)
{
    long before;

    if (!all_paths())
        return 0;
    BIO_reset(out);
    ERR_clear_error();
    before = memory_blocks;
    if (!all_paths())
        return 0;
    BIO_reset(out);
    ERR_clear_error();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    PKCS7 *p7 = sign_text(direct, 0), *text_p7 = sign(direct, NULL, NULL, plain, strlen(plain), 0);
    X509_STORE *store = store_of(root, 0);
    long allocations;
    int ok = 1, result, flags;

    for (flags = 0; flags <= PKCS7_NOSIGS; flags += PKCS7_NOSIGS)
        for (allocations = 0; allocations < 60 && ok; allocations++) {
            memory_left = allocations;
            result = PKCS7_verify(flags ? text_p7 : p7, NULL, store, NULL, NULL,
                                  flags | PKCS7_NOVERIFY | (flags ? PKCS7_TEXT : 0));
            memory_left = -1;
            ok = TEST_true(result == 0 || result == 1)
                && (allocations > 0 || TEST_int_eq(result, 0))
                && TEST_long_eq(memory_bad_frees, 0);
        }
    ERR_clear_error();
    ok = ok && TEST_int_eq(PKCS7_verify(p7, NULL, store, NULL, NULL, 0), 1);
    PKCS7_free(p7);
    PKCS7_free(text_p7);
    X509_STORE_free(store);
    return ok;
}

static int verified_and_more(void)
{
    return verified() && without_out() && long_and_empty();
}

static int detached_and_needs_indata(void)
{
    return detached() && needs_indata();
}

static int content_changed_and_signature_changed(void)
{
    return content_changed() && signature_changed();
}

static int something_else_and_no_signature(void)
{
    return something_else() && no_signature();
}

static int looked_for_and_not_intern(void)
{
    return looked_for() && not_intern();
}

static int chain_and_purpose(void)
{
    return chain() && purpose();
}

static int lists_and_lists_passed_over(void)
{
    return lists() && lists_passed_over();
}

static int headers_and_no_plain_text(void)
{
    return headers() && no_plain_text();
}

static int again_and_indata_stays(void)
{
    return again() && indata_stays();
}

static int no_leak_and_no_memory(void)
{
    return no_leak() && no_memory();
}

static int chain_and_purpose_and_no_chain(void)
{
    return chain_and_purpose() && no_chain();
}

int setup_tests(void)
{
    if (!make_all())
        return 0;
    add_test("a signed message of any length is verified and its content written",
             verified_and_more);
    add_test("detached content is read from indata, which is needed", detached_and_needs_indata);
    add_test("content or a signature that was changed is refused",
             content_changed_and_signature_changed);
    add_test("both contents are refused on demand", both_contents);
    add_test("something else than signed data is refused", something_else_and_no_signature);
    add_test("the signer is looked for in certs and in the message", looked_for_and_not_intern);
    add_test("the chain of the signer is verified, or not on demand",
             chain_and_purpose_and_no_chain);
    add_test("certificates in the message are in the chain", in_message);
    add_test("the lists in the message tell who is revoked, or not on demand",
             lists_and_lists_passed_over);
    add_test("the headers of plain text are taken off on demand", headers_and_no_plain_text);
    add_test("signatures are not checked on demand", no_signatures);
    add_test("each of several signers counts", several);
    add_test("a failure leaves an error", leaves_error);
    add_test("all stays the caller's and can be used again", again_and_indata_stays);
    add_test("nothing is leaked, a failed allocation is told", no_leak_and_no_memory);
    return 1;
}

void cleanup_tests(void)
{
    X509_free(root);
    X509_free(ca);
    X509_free(direct);
    X509_free(server);
    X509_free(mate);
    X509_free(far);
    X509_free(stranger);
    EVP_PKEY_free(root_key);
    EVP_PKEY_free(ca_key);
    EVP_PKEY_free(key);
    EVP_PKEY_free(mate_key);
    BIO_free(out);
}
