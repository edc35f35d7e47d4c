/*---
 * tasks: [custom_ext_parse-9fc2dd.8]
 * tests:
 *   an extension is added with all that is given: 'ssl_local.h: custom_ext_method; SSL_extension_supported.pod.'
 *   it is added to the list that is given: 'quic_tls.c: quic_tls_tick gives a list and no SSL_CTX.'
 *   without a list it is added to that of the SSL_CTX: 'SSL_CTX_add_custom_ext gives no list.'
 *   those that stand already stay: 'SSL_extension_supported.pod: "adds a custom extension".'
 *   callbacks can be left out: 'SSL_extension_supported.pod: "if add_cb is set to NULL"; free_cb "if it is set".'
 *   a type that OpenSSL handles is refused: 'SSL_extension_supported.pod: "must not be handled by OpenSSL internally".'
 *   timestamps can be added:
 *     'SSL_CTX_set_ct_validation_callback(3): "if a custom client extension handler has been
 *     registered to handle SCT extensions"; extensions.c: "can be provided by a custom extension";
 *     sslapitest.c adds one.'
 *   timestamps in a ClientHello are refused where they are validated:
 *     'SSL_CTX_set_ct_validation_callback.pod: validation and a handler of SCTs exclude each
 *     other, "has been registered to handle SCT extensions".'
 *   a type has 16 bits:
 *     'ssl_local.h: unsigned short ext_type in custom_ext_method, which another type cannot be
 *     stored in; RFC 5246, 7.4.1.4: ExtensionType (65535); SSL_extension_supported.pod: 0 for
 *     failure.'
 *   the same type is refused: 'SSL_extension_supported.pod: "if an attempt is made to add the same ext_type more than once".'
 *   a client and a server can have the same type: 'custom_ext_find: "The role param is there to support the legacy API".'
 *   one for both ends excludes others: 'custom_ext_find: ENDPOINT_BOTH for either.'
 *   refused memory gives 0 and leaves the list: 'SSL_extension_supported.pod: "a memory allocation failure"; 0.'
 *   nothing is leaked or freed twice: 'custom_exts_free frees the list.'
 ---*/
#include "pa_custext.h"

static int one_add(SSL *s, unsigned int ext_type, unsigned int context, const unsigned char **out,
                   size_t *outlen, X509 *x, size_t chainidx, int *al, void *add_arg)
{
    return 0;
}

static void one_free(SSL *s, unsigned int ext_type, unsigned int context,
                     const unsigned char *out, void *add_arg)
{
}

static int add_arg, parse_arg;
static custom_ext_methods list;

static int add_to(SSL_CTX *ctx, custom_ext_methods *exts, ENDPOINT role, unsigned int type,
                  unsigned int context)
{
    return ossl_tls_add_custom_ext_intern(ctx, exts, role, type, context, one_add, one_free,
                                          &add_arg, plus_parse, &parse_arg);
}

static int add(ENDPOINT role, unsigned int type)
{
    return add_to(NULL, &list, role, type, CH);
}

static void begin(void)
{
    OPENSSL_free(list.meths);
    memset(&list, 0, sizeof(list));
}

/* Is this one's entry what was given? */
static int is(const custom_ext_methods *exts, size_t place, ENDPOINT role, unsigned int type,
              unsigned int context)
{
    const custom_ext_method *m = exts->meths + place;

    return TEST_size_t_gt(exts->meths_count, place) && TEST_int_eq(m->role, role)
        && TEST_uint_eq(m->ext_type, type) && TEST_uint_eq(m->context, context)
        && TEST_uint_eq(m->ext_flags, 0) && TEST_true(m->add_cb == one_add)
        && TEST_true(m->free_cb == one_free) && TEST_ptr_eq(m->add_arg, &add_arg)
        && TEST_true(m->parse_cb == plus_parse) && TEST_ptr_eq(m->parse_arg, &parse_arg);
}

static int refused(int result)
{
    ERR_clear_error();
    return TEST_int_eq(result, 0) && TEST_size_t_eq(list.meths_count, 0);
}

static int all_given(void)
{
    begin();
    return TEST_int_eq(add_to(NULL, &list, ENDPOINT_SERVER, 1000, SSL_EXT_TLS1_3_ONLY | CH | EE), 1)
        && TEST_size_t_eq(list.meths_count, 1)
        && is(&list, 0, ENDPOINT_SERVER, 1000, SSL_EXT_TLS1_3_ONLY | CH | EE)
        && TEST_int_eq(add_to(NULL, &list, ENDPOINT_CLIENT, 65000, CT), 1)
        && TEST_size_t_eq(list.meths_count, 2) && is(&list, 1, ENDPOINT_CLIENT, 65000, CT)
        && TEST_int_eq(add_to(NULL, &list, ENDPOINT_BOTH, 1001, CR), 1)
        && is(&list, 2, ENDPOINT_BOTH, 1001, CR);
}

static int given_list(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int ok;

    begin();
    ok = TEST_int_eq(add(ENDPOINT_BOTH, 1000), 1) && is(&list, 0, ENDPOINT_BOTH, 1000, CH)
        && TEST_int_eq(add_to(ctx, &list, ENDPOINT_BOTH, 1001, CH), 1)
        && is(&list, 1, ENDPOINT_BOTH, 1001, CH)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 0);
    SSL_CTX_free(ctx);
    return ok;
}

static int without_list(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int ok;

    begin();
    ok = TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, 1000, CH), 1)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 1)
        && is(&ctx->cert->custext, 0, ENDPOINT_BOTH, 1000, CH)
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, 1000, CH), 0)
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_SERVER, 1001, CT), 1)
        && is(&ctx->cert->custext, 0, ENDPOINT_BOTH, 1000, CH)
        && is(&ctx->cert->custext, 1, ENDPOINT_SERVER, 1001, CT)
        && TEST_size_t_eq(list.meths_count, 0);
    SSL_CTX_free(ctx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int stay(void)
{
    int i, j, ok = 1;

    begin();
    for (i = 0; i < 20 && ok; i++) {
        ok = TEST_int_eq(add_to(NULL, &list, i % 3, 1000 + i, CH + i), 1)
            && TEST_size_t_eq(list.meths_count, i + 1);
        for (j = 0; j <= i && ok; j++)
            ok = is(&list, j, j % 3, 1000 + j, CH + j);
        list.meths[i].ext_flags = 0;
    }
    list.meths[3].ext_flags = RECEIVED;
    return ok && TEST_int_eq(add(ENDPOINT_BOTH, 2000), 1)
        && TEST_uint_eq(list.meths[3].ext_flags, RECEIVED);
}

static int left_out(void)
{
    begin();
    return TEST_int_eq(ossl_tls_add_custom_ext_intern(NULL, &list, ENDPOINT_BOTH, 1000, CH, NULL,
                                                      NULL, NULL, plus_parse, &parse_arg), 1)
        && TEST_true(list.meths[0].add_cb == NULL && list.meths[0].free_cb == NULL)
        && TEST_ptr_null(list.meths[0].add_arg) && TEST_true(list.meths[0].parse_cb == plus_parse)
        && TEST_int_eq(ossl_tls_add_custom_ext_intern(NULL, &list, ENDPOINT_BOTH, 1001, CH, one_add,
                                                      NULL, &add_arg, NULL, NULL), 1)
        && TEST_true(list.meths[1].add_cb == one_add && list.meths[1].free_cb == NULL)
        && TEST_true(list.meths[1].parse_cb == NULL) && TEST_ptr_null(list.meths[1].parse_arg)
        && TEST_int_eq(ossl_tls_add_custom_ext_intern(NULL, &list, ENDPOINT_BOTH, 1002, CH, NULL,
                                                      NULL, NULL, NULL, NULL), 1)
        && TEST_size_t_eq(list.meths_count, 3);
}

static int handled(void)
{
    static const unsigned int types[] = {
        TLSEXT_TYPE_server_name, TLSEXT_TYPE_application_layer_protocol_negotiation,
        TLSEXT_TYPE_key_share, TLSEXT_TYPE_padding, TLSEXT_TYPE_session_ticket,
        TLSEXT_TYPE_supported_versions, TLSEXT_TYPE_renegotiate, TLSEXT_TYPE_psk
    };
    unsigned int type;
    size_t i;

    begin();
    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (!refused(add(ENDPOINT_BOTH, types[i])) || !refused(add(ENDPOINT_CLIENT, types[i])))
            return 0;
    for (type = 0; type < 300; type++) {
        begin();
        if (!TEST_int_eq(add(ENDPOINT_SERVER, type), !SSL_extension_supported(type)
                         || type == TLSEXT_TYPE_signed_certificate_timestamp))
            return 0;
    }
    return 1;
}

#define SCTS TLSEXT_TYPE_signed_certificate_timestamp

static int timestamps(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int ok;

    begin();
    ok = TEST_int_eq(add(ENDPOINT_BOTH, SCTS), 1) && is(&list, 0, ENDPOINT_BOTH, SCTS, CH)
        && TEST_int_eq(add(ENDPOINT_BOTH, SCTS), 0) && TEST_size_t_eq(list.meths_count, 1)
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, SCTS, CH | SH2), 1)
        && is(&ctx->cert->custext, 0, ENDPOINT_BOTH, SCTS, CH | SH2);
    SSL_CTX_free(ctx);
    return ok;
}

static int validated(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method()), *plain = SSL_CTX_new(TLS_method());
    int ok = TEST_true(SSL_CTX_enable_ct(ctx, SSL_CT_VALIDATION_PERMISSIVE));

    begin();
    ok = ok && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, SCTS, CH), 0)
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, SCTS, CH | SH2 | CT), 0)
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_CLIENT, SCTS, CH), 0)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 0)
        && TEST_int_eq(add_to(ctx, &list, ENDPOINT_BOTH, SCTS, CH), 0)
        && TEST_size_t_eq(list.meths_count, 0)
        /* Others, other messages, and without validation. */
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, 1000, CH), 1)
        && TEST_int_eq(add_to(ctx, NULL, ENDPOINT_BOTH, SCTS, CT), 1)
        && TEST_int_eq(add_to(plain, NULL, ENDPOINT_BOTH, SCTS, CH), 1);
    SSL_CTX_free(ctx);
    SSL_CTX_free(plain);
    ERR_clear_error();
    return ok;
}

static int sixteen_bits(void)
{
    begin();
    return refused(add(ENDPOINT_BOTH, 0x10000)) && refused(add(ENDPOINT_BOTH, 0x103e8))
        && refused(add(ENDPOINT_CLIENT, 0xffffffff)) && refused(add(ENDPOINT_SERVER, 0x80000000))
        && TEST_int_eq(add(ENDPOINT_BOTH, 0xffff), 1) && is(&list, 0, ENDPOINT_BOTH, 0xffff, CH);
}

static int same_type(void)
{
    int role;

    begin();
    for (role = 0; role < 3; role++)
        if (!TEST_int_eq(add(role, 1000 + role), 1) || !TEST_int_eq(add(role, 1000 + role), 0)
                || !TEST_int_eq(add_to(NULL, &list, role, 1000 + role, CT), 0)
                || !TEST_size_t_eq(list.meths_count, role + 1)
                || !is(&list, role, role, 1000 + role, CH))
            return 0;
    /* After others, too. */
    return TEST_int_eq(add(ENDPOINT_CLIENT, 1000), 0) && TEST_size_t_eq(list.meths_count, 3)
        && TEST_int_eq(add(ENDPOINT_CLIENT, 1003), 1);
}

static int client_and_server(void)
{
    begin();
    return TEST_int_eq(add(ENDPOINT_CLIENT, 1000), 1) && TEST_int_eq(add(ENDPOINT_SERVER, 1000), 1)
        && TEST_int_eq(add(ENDPOINT_SERVER, 1001), 1) && TEST_int_eq(add(ENDPOINT_CLIENT, 1001), 1)
        && TEST_size_t_eq(list.meths_count, 4) && is(&list, 1, ENDPOINT_SERVER, 1000, CH)
        && TEST_int_eq(add(ENDPOINT_SERVER, 1000), 0) && TEST_int_eq(add(ENDPOINT_CLIENT, 1001), 0);
}

static int both_ends(void)
{
    begin();
    return TEST_int_eq(add(ENDPOINT_BOTH, 1000), 1) && TEST_int_eq(add(ENDPOINT_CLIENT, 1000), 0)
        && TEST_int_eq(add(ENDPOINT_SERVER, 1000), 0) && TEST_int_eq(add(ENDPOINT_CLIENT, 1001), 1)
        && TEST_int_eq(add(ENDPOINT_BOTH, 1001), 0) && TEST_int_eq(add(ENDPOINT_SERVER, 1002), 1)
        && TEST_int_eq(add(ENDPOINT_BOTH, 1002), 0) && TEST_size_t_eq(list.meths_count, 3);
}

static int no_memory(void)
{
    int i, j, ok = 1;

    begin();
    for (i = 0; i < 3 && ok; i++) {
        for (j = 0; j < 2 && ok; j++) {
            plus_refuse(j);
            ok = TEST_int_eq(add(ENDPOINT_BOTH, 1000 + i), 0);
            plus_refuse(-1);
            ERR_clear_error();
            ok = ok && TEST_size_t_eq(list.meths_count, i)
                && (i == 0 || is(&list, i - 1, ENDPOINT_BOTH, 1000 + i - 1, CH));
        }
        ok = ok && TEST_int_eq(add(ENDPOINT_BOTH, 1000 + i), 1);
    }
    return ok && TEST_size_t_eq(list.meths_count, 3) && is(&list, 0, ENDPOINT_BOTH, 1000, CH)
        && is(&list, 2, ENDPOINT_BOTH, 1002, CH) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long blocks;
    int ok;

    begin();
    blocks = memory_blocks;
    ok = all_given() && stay() && same_type() && no_memory() && sixteen_bits();
    custom_exts_free(&list);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    /* An error's first record, before blocks are counted. */
    ERR_raise(ERR_LIB_SSL, ERR_R_MALLOC_FAILURE);
    ERR_clear_error();
    add_test("an extension is added with all that is given", all_given);
    add_test("it is added to the list that is given", given_list);
    add_test("without a list it is added to that of the SSL_CTX", without_list);
    add_test("those that stand already stay", stay);
    add_test("callbacks can be left out", left_out);
    add_test("a type that OpenSSL handles is refused", handled);
    add_test("timestamps can be added", timestamps);
    add_test("timestamps in a ClientHello are refused where they are validated", validated);
    add_test("a type has 16 bits", sixteen_bits);
    add_test("the same type is refused", same_type);
    add_test("a client and a server can have the same type", client_and_server);
    add_test("one for both ends excludes others", both_ends);
    add_test("refused memory gives 0 and leaves the list", no_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
