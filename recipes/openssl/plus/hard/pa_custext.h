/*
 * For tests of custom extensions: a connection of TLS 1.2 or 1.3, and a parse callback that keeps
 * what it is given.
 */
#include "../../ssl/ssl_local.h"
#ifndef SERVER_HELLO_MAX_LENGTH /* has no guard of its own */
# include "../../ssl/statem/statem_local.h"
#endif
#include <openssl/ct.h>
#include <openssl/err.h>
#include "../testutil.h"
#include "refused_nth.h"

#define CH SSL_EXT_CLIENT_HELLO
#define SH2 SSL_EXT_TLS1_2_SERVER_HELLO
#define SH3 SSL_EXT_TLS1_3_SERVER_HELLO
#define EE SSL_EXT_TLS1_3_ENCRYPTED_EXTENSIONS
#define CR SSL_EXT_TLS1_3_CERTIFICATE_REQUEST
#define CT SSL_EXT_TLS1_3_CERTIFICATE
#define RECEIVED SSL_EXT_FLAG_RECEIVED
#define SENT SSL_EXT_FLAG_SENT

static struct {
    int calls, result, alert;
    SSL *ssl;
    unsigned int type, context;
    const unsigned char *in;
    size_t size, index;
    X509 *x;
    void *arg;
} plus_seen;

static int plus_parse(SSL *s, unsigned int ext_type, unsigned int context,
                      const unsigned char *in, size_t inlen, X509 *x, size_t chainidx, int *al,
                      void *parse_arg)
{
    plus_seen.calls++;
    plus_seen.ssl = s;
    plus_seen.type = ext_type;
    plus_seen.context = context;
    plus_seen.in = in;
    plus_seen.size = inlen;
    plus_seen.index = chainidx;
    plus_seen.x = x;
    plus_seen.arg = parse_arg;
    if (plus_seen.result <= 0)
        *al = plus_seen.alert;
    return plus_seen.result;
}

static SSL_CONNECTION *plus_connection(int tls13, int server)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    SSL *ssl = SSL_new(ctx);
    SSL_CONNECTION *s = SSL_CONNECTION_FROM_SSL_ONLY(ssl);

    SSL_CTX_free(ctx);
    if (server)
        SSL_set_accept_state(ssl);
    else
        SSL_set_connect_state(ssl);
    SSL_set_ssl_method(ssl, tls13 ? tlsv1_3_method() : tlsv1_2_method());
    s->version = tls13 ? TLS1_3_VERSION : TLS1_2_VERSION;
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    memset(&plus_seen, 0, sizeof(plus_seen));
    plus_seen.result = 1;
    return s;
}

/* Adds an extension to the table itself. */
static custom_ext_method *plus_method(custom_ext_methods *exts, ENDPOINT role, int type,
                                      unsigned int context, SSL_custom_ext_parse_cb_ex parse)
{
    custom_ext_method *meth;

    exts->meths = OPENSSL_realloc(exts->meths, (exts->meths_count + 1) * sizeof(*meth));
    meth = exts->meths + exts->meths_count++;
    memset(meth, 0, sizeof(*meth));
    meth->role = role;
    meth->ext_type = type;
    meth->context = context;
    meth->parse_cb = parse;
    meth->parse_arg = &plus_seen;
    return meth;
}

static int plus_end(SSL_CONNECTION *s, int ok)
{
    if (ok)
        SSL_free(SSL_CONNECTION_GET_SSL(s));
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}
