/*---
 * tasks: [custom_ext_parse-9fc2dd, custom_ext_parse-9fc2dd.2, custom_ext_parse-9fc2dd.4, custom_ext_parse-9fc2dd.8]
 * tests:
 *   the callback is given all: 'SSL_extension_supported.pod: parse_cb and its parameters.'
 *   an extension that is not registered is passed over: 'SSL_extension_supported.pod: callbacks are for ext_type.'
 *   one that does not concern this protocol is passed over: 'SSL_extension_supported.pod: "only called if the extension is present and relevant for the context"; SSL_EXT_TLS1_2_AND_BELOW_ONLY.'
 *   one that is ignored on resumption is passed over then: 'SSL_extension_supported.pod: SSL_EXT_IGNORE_ON_RESUMPTION.'
 *   one in a ClientHello is marked as received: 'ssl_local.h: SSL_EXT_FLAG_RECEIVED; custom_ext_add answers those.'
 *   one in a CertificateRequest is marked as received: 'custom_ext_add: "Only send extensions present in ClientHello/CertificateRequest".'
 *   others are not marked: 'ssl_local.h: SSL_EXT_FLAG_RECEIVED enables an answer.'
 *   the mark stands without a callback: 'custom_ext_add answers what was received; "if it is set".'
 *   the mark leaves that it was sent: 'ssl_local.h: two flags.'
 *   an answer that was not asked for is refused: 'SSL_extension_supported.pod: NOTES, "a fatal unsupported_extension alert".'
 *   an answer that was asked for is taken: 'ssl_local.h: SSL_EXT_FLAG_SENT.'
 *   a Certificate needs no request: 'SSL_extension_supported.pod: NOTES, only ServerHello/EncryptedExtensions.'
 *   a refusal of 0 or less is fatal with its alert: 'SSL_extension_supported.pod: "returns 0 or a negative value ... the TLS alert value specified in *al".'
 *   the role decides in old messages: 'custom_ext_find: role is there "to support the legacy API".'
 *   the role does not decide in new messages: 'extensions_cust.c: custom_ext_find, ENDPOINT_BOTH for either.'
 ---*/
#include "pa_custext.h"

static const unsigned char data[] = "some bytes";

static int parse(SSL_CONNECTION *s, unsigned int context, unsigned int type)
{
    return custom_ext_parse(s, context, type, data, 10, NULL, 0);
}

#define ALERT(s) ((s)->s3.send_alert[1])
#define FAILED(s) ossl_statem_in_error(s)

static int given_all(void)
{
    SSL_CONNECTION *s = plus_connection(1, 0);
    X509 *x = X509_new();
    int ok;

    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1001, CT | CH, NULL);
    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1000, CT | CH, plus_parse);
    ok = TEST_int_eq(custom_ext_parse(s, CT, 1000, data, 7, x, 3), 1)
        && TEST_int_eq(plus_seen.calls, 1)
        && TEST_ptr_eq(plus_seen.ssl, SSL_CONNECTION_GET_SSL(s))
        && TEST_uint_eq(plus_seen.type, 1000) && TEST_uint_eq(plus_seen.context, CT)
        && TEST_ptr_eq(plus_seen.in, data) && TEST_size_t_eq(plus_seen.size, 7)
        && TEST_ptr_eq(plus_seen.x, x) && TEST_size_t_eq(plus_seen.index, 3)
        && TEST_ptr_eq(plus_seen.arg, &plus_seen)
        && TEST_int_eq(custom_ext_parse(s, CT, 1000, NULL, 0, NULL, 0), 1)
        && TEST_int_eq(plus_seen.calls, 2) && TEST_size_t_eq(plus_seen.size, 0);
    X509_free(x);
    return plus_end(s, ok);
}

static int unknown(void)
{
    SSL_CONNECTION *s = plus_connection(1, 0);
    int ok = TEST_int_eq(parse(s, EE, 1001), 1);

    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1000, EE, plus_parse);
    ok = ok && TEST_int_eq(parse(s, EE, 1001), 1) && TEST_int_eq(plus_seen.calls, 0)
        && TEST_false(FAILED(s)) && TEST_uint_eq(s->cert->custext.meths[0].ext_flags, 0);
    return plus_end(s, ok);
}

/* Is it passed over, neither marked nor refused? */
static int passed(int tls13, int server, int hit, unsigned int flags, unsigned int context)
{
    SSL_CONNECTION *s = plus_connection(tls13, server);
    int ok;

    s->hit = hit;
    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1000, flags | context, plus_parse);
    ok = TEST_int_eq(parse(s, context, 1000), 1) && TEST_int_eq(plus_seen.calls, 0)
        && TEST_false(FAILED(s)) && TEST_uint_eq(s->cert->custext.meths[0].ext_flags, 0);
    return plus_end(s, ok);
}

static int irrelevant(void)
{
    return passed(1, 1, 0, SSL_EXT_TLS1_2_AND_BELOW_ONLY, CH)
        && passed(0, 1, 0, SSL_EXT_TLS1_3_ONLY, CH)
        && passed(0, 0, 0, SSL_EXT_TLS1_3_ONLY, SH2)
        && passed(1, 0, 0, SSL_EXT_TLS1_2_AND_BELOW_ONLY, EE);
}

static int resumption(void)
{
    return passed(0, 1, 1, SSL_EXT_IGNORE_ON_RESUMPTION, CH)
        && passed(0, 0, 1, SSL_EXT_IGNORE_ON_RESUMPTION, SH2)
        && passed(1, 0, 1, SSL_EXT_IGNORE_ON_RESUMPTION, EE);
}

/* What are the flags after it was received? */
static int flags_are(int tls13, int server, unsigned int context, unsigned int before,
                     SSL_custom_ext_parse_cb_ex parse_cb, unsigned int after)
{
    SSL_CONNECTION *s = plus_connection(tls13, server);
    int ok;

    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1001, context, NULL);
    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1000, context, parse_cb)->ext_flags = before;
    ok = TEST_int_eq(parse(s, context, 1000), 1)
        && TEST_int_eq(plus_seen.calls, parse_cb != NULL) && TEST_false(FAILED(s))
        && TEST_uint_eq(s->cert->custext.meths[1].ext_flags, after)
        && TEST_uint_eq(s->cert->custext.meths[0].ext_flags, 0);
    return plus_end(s, ok);
}

static int client_hello(void)
{
    return flags_are(0, 1, CH, 0, plus_parse, RECEIVED)
        && flags_are(1, 1, CH, 0, plus_parse, RECEIVED);
}

static int certificate_request(void)
{
    return flags_are(1, 0, CR, 0, plus_parse, RECEIVED);
}

static int not_marked(void)
{
    return flags_are(1, 0, CT, 0, plus_parse, 0) && flags_are(1, 0, EE, SENT, plus_parse, SENT)
        && flags_are(0, 0, SH2, SENT, plus_parse, SENT)
        && flags_are(1, 0, SSL_EXT_TLS1_3_NEW_SESSION_TICKET, 0, plus_parse, 0);
}

static int no_callback(void)
{
    return flags_are(0, 1, CH, 0, NULL, RECEIVED) && flags_are(1, 0, CR, 0, NULL, RECEIVED)
        && flags_are(1, 0, EE, SENT, NULL, SENT);
}

static int both_flags(void)
{
    return flags_are(1, 0, CR, SENT, plus_parse, SENT | RECEIVED)
        && flags_are(0, 1, CH, SENT, plus_parse, SENT | RECEIVED);
}

static int refuses(int tls13, unsigned int context, unsigned int flags,
                   SSL_custom_ext_parse_cb_ex parse_cb)
{
    SSL_CONNECTION *s = plus_connection(tls13, 0);
    int ok;

    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1000, context, parse_cb)->ext_flags = flags;
    ok = TEST_int_eq(parse(s, context, 1000), 0) && TEST_int_eq(plus_seen.calls, 0)
        && TEST_true(FAILED(s)) && TEST_int_eq(ALERT(s), SSL_AD_UNSUPPORTED_EXTENSION);
    return plus_end(s, ok);
}

static int not_asked(void)
{
    return refuses(0, SH2, 0, plus_parse) && refuses(1, SH3, 0, plus_parse)
        && refuses(1, EE, 0, plus_parse) && refuses(1, EE, RECEIVED, plus_parse)
        && refuses(0, SH2, 0, NULL) && refuses(1, SH3, 0, NULL) && refuses(1, EE, 0, NULL);
}

static int asked(void)
{
    return flags_are(0, 0, SH2, SENT, plus_parse, SENT)
        && flags_are(1, 0, SH3, SENT, plus_parse, SENT)
        && flags_are(1, 0, EE, SENT, plus_parse, SENT);
}

static int certificate(void)
{
    return flags_are(1, 0, CT, 0, plus_parse, 0)
        && flags_are(1, 0, SSL_EXT_TLS1_3_HELLO_RETRY_REQUEST, 0, plus_parse, 0);
}

static int fatal(int result, int alert)
{
    SSL_CONNECTION *s = plus_connection(1, 1);
    int ok;

    plus_method(&s->cert->custext, ENDPOINT_BOTH, 1000, CH, plus_parse);
    plus_seen.result = result;
    plus_seen.alert = alert;
    ok = TEST_int_eq(parse(s, CH, 1000), 0) && TEST_int_eq(plus_seen.calls, 1)
        && TEST_true(FAILED(s)) && TEST_int_eq(ALERT(s), alert);
    return plus_end(s, ok);
}

static int refusal(void)
{
    return fatal(0, SSL_AD_ILLEGAL_PARAMETER) && fatal(-1, SSL_AD_DECODE_ERROR)
        && fatal(-2, SSL_AD_HANDSHAKE_FAILURE);
}

/* Of a client's and a server's extension of one type, which is called? */
static int called(int tls13, int server, unsigned int context, int index)
{
    SSL_CONNECTION *s = plus_connection(tls13, server);
    int marks[2], i, ok;

    for (i = 0; i < 2; i++) {
        custom_ext_method *meth = plus_method(&s->cert->custext,
                                              i == 0 ? ENDPOINT_CLIENT : ENDPOINT_SERVER, 1000,
                                              context, plus_parse);

        meth->parse_arg = &marks[i];
        meth->ext_flags = SENT;
    }
    ok = TEST_int_eq(parse(s, context, 1000), 1) && TEST_int_eq(plus_seen.calls, 1)
        && TEST_ptr_eq(plus_seen.arg, &marks[index]);
    return plus_end(s, ok);
}

static int role(void)
{
    return called(0, 1, CH, 1) && called(0, 0, SH2, 0) && called(1, 1, CH, 1);
}

static int any_role(void)
{
    SSL_CONNECTION *s = plus_connection(1, 0);
    int ok;

    plus_method(&s->cert->custext, ENDPOINT_SERVER, 1000, CT | EE, plus_parse)->ext_flags = SENT;
    ok = TEST_int_eq(parse(s, CT, 1000), 1) && TEST_int_eq(plus_seen.calls, 1)
        && TEST_int_eq(parse(s, EE, 1000), 1) && TEST_int_eq(plus_seen.calls, 2);
    return plus_end(s, ok);
}

int setup_tests(void)
{
    add_test("the callback is given all", given_all);
    add_test("an extension that is not registered is passed over", unknown);
    add_test("one that does not concern this protocol is passed over", irrelevant);
    add_test("one that is ignored on resumption is passed over then", resumption);
    add_test("one in a ClientHello is marked as received", client_hello);
    add_test("one in a CertificateRequest is marked as received", certificate_request);
    add_test("others are not marked", not_marked);
    add_test("the mark stands without a callback", no_callback);
    add_test("the mark leaves that it was sent", both_flags);
    add_test("an answer that was not asked for is refused", not_asked);
    add_test("an answer that was asked for is taken", asked);
    add_test("a Certificate needs no request", certificate);
    add_test("a refusal of 0 or less is fatal with its alert", refusal);
    add_test("the role decides in old messages", role);
    add_test("the role does not decide in new messages", any_role);
    return 1;
}
