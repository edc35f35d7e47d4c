/*---
 * tasks: [custom_ext_parse-9fc2dd.8]
 * tests:
 *   an extension of a client is added: 'SSL_extension_supported.pod: SSL_CTX_add_client_custom_ext.'
 *   an extension of a server is added: 'SSL_extension_supported.pod: SSL_CTX_add_server_custom_ext, "only applies to servers".'
 *   the add callback is called with its argument: 'SSL_extension_supported.pod: custom_ext_add_cb; add_arg.'
 *   the free callback is called with the add argument: 'SSL_extension_supported.pod: custom_ext_free_cb; add_arg.'
 *   the parse callback is called with its argument: 'SSL_extension_supported.pod: custom_ext_parse_cb; parse_arg.'
 *   callbacks can be left out: 'custom_ext_add_old_cb_wrap, ..._free_..., ..._parse_...: "== NULL".'
 *   each extension has its own callbacks: 'SSL_extension_supported.pod: "adds a custom extension ... and callbacks".'
 *   the same type is refused: 'SSL_extension_supported.pod: "0 for failure ... the same ext_type more than once".'
 *   a client and a server can have the same type: 'custom_ext_find: role, "to support the legacy API".'
 *   types that cannot be added are refused: 'SSL_extension_supported.pod: "handled internally by OpenSSL"; 16 bits.'
 *   a copy works when the first is gone: 'custom_exts_copy: "We need to copy the arguments too".'
 *   refused memory gives 0: 'SSL_extension_supported.pod: "a memory allocation failure".'
 *   nothing is leaked or freed twice: 'custom_exts_free: "Need to free the arguments too".'
 ---*/
#include "../../ssl/statem/extensions_cust.c"
#include "pa_custext.h"

static struct {
    int calls;
    SSL *s;
    unsigned int type;
    const unsigned char *data;
    size_t size;
    void *arg;
} old_seen;

static const unsigned char sent[] = "sent";

static int old_add(SSL *s, unsigned int ext_type, const unsigned char **out, size_t *outlen,
                   int *al, void *arg)
{
    old_seen.calls++;
    old_seen.s = s;
    old_seen.type = ext_type;
    old_seen.arg = arg;
    *out = sent;
    *outlen = 4;
    *al = 77;
    return 1;
}

static void old_free(SSL *s, unsigned int ext_type, const unsigned char *out, void *arg)
{
    old_seen.calls++;
    old_seen.s = s;
    old_seen.type = ext_type;
    old_seen.data = out;
    old_seen.arg = arg;
}

static int old_parse(SSL *s, unsigned int ext_type, const unsigned char *in, size_t inlen, int *al,
                     void *arg)
{
    old_seen.calls++;
    old_seen.s = s;
    old_seen.type = ext_type;
    old_seen.data = in;
    old_seen.size = inlen;
    old_seen.arg = arg;
    *al = 78;
    return -5;
}

#define CONTEXT (SSL_EXT_TLS1_2_AND_BELOW_ONLY | CH | SH2 | SSL_EXT_IGNORE_ON_RESUMPTION)

static int args[40];

/* Of number n, with arguments of its own. */
static int add(SSL_CTX *ctx, ENDPOINT role, unsigned int type, int n)
{
    return add_old_custom_ext(ctx, role, type, CONTEXT, old_add, old_free, &args[2 * n], old_parse,
                              &args[2 * n + 1]);
}

static custom_ext_method *method(SSL_CTX *ctx, size_t place)
{
    memset(&old_seen, 0, sizeof(old_seen));
    return TEST_size_t_gt(ctx->cert->custext.meths_count, place)
        ? ctx->cert->custext.meths + place : NULL;
}

static int end(SSL_CTX *ctx, int ok)
{
    if (ok)
        SSL_CTX_free(ctx);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int call_add(custom_ext_method *m, SSL *s, int n)
{
    const unsigned char *out = NULL;
    size_t size = 0;
    int al = 0;

    return TEST_ptr(m)
        && TEST_int_eq(m->add_cb(s, m->ext_type, CH, &out, &size, NULL, 0, &al, m->add_arg), 1)
        && TEST_int_eq(old_seen.calls, 1) && TEST_ptr_eq(old_seen.s, s)
        && TEST_uint_eq(old_seen.type, m->ext_type) && TEST_ptr_eq(old_seen.arg, &args[2 * n])
        && TEST_ptr_eq(out, sent) && TEST_size_t_eq(size, 4) && TEST_int_eq(al, 77);
}

static int call_free(custom_ext_method *m, SSL *s, int n)
{
    if (!TEST_ptr(m))
        return 0;
    m->free_cb(s, m->ext_type, CH, sent, m->add_arg);
    return TEST_int_eq(old_seen.calls, 1) && TEST_ptr_eq(old_seen.s, s)
        && TEST_uint_eq(old_seen.type, m->ext_type) && TEST_ptr_eq(old_seen.data, sent)
        && TEST_ptr_eq(old_seen.arg, &args[2 * n]);
}

static int call_parse(custom_ext_method *m, SSL *s, int n)
{
    int al = 0;

    return TEST_ptr(m)
        && TEST_int_eq(m->parse_cb(s, m->ext_type, CH, sent, 3, NULL, 0, &al, m->parse_arg), -5)
        && TEST_int_eq(old_seen.calls, 1) && TEST_ptr_eq(old_seen.s, s)
        && TEST_uint_eq(old_seen.type, m->ext_type) && TEST_ptr_eq(old_seen.data, sent)
        && TEST_size_t_eq(old_seen.size, 3) && TEST_ptr_eq(old_seen.arg, &args[2 * n + 1])
        && TEST_int_eq(al, 78);
}

static int added(ENDPOINT role, unsigned int type, unsigned int context)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    custom_ext_method *m;
    int ok = TEST_int_eq(add_old_custom_ext(ctx, role, type, context, old_add, old_free, &args[0],
                                            old_parse, &args[1]), 1)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 1) && TEST_ptr(m = method(ctx, 0))
        && TEST_int_eq(m->role, role) && TEST_uint_eq(m->ext_type, type)
        && TEST_uint_eq(m->context, context) && TEST_uint_eq(m->ext_flags, 0)
        && TEST_int_eq(SSL_CTX_has_client_custom_ext(ctx, type), role == ENDPOINT_CLIENT);

    return end(ctx, ok);
}

static int client(void)
{
    return added(ENDPOINT_CLIENT, 1000, CONTEXT) && added(ENDPOINT_CLIENT, 0xffff, CH);
}

static int server(void)
{
    return added(ENDPOINT_SERVER, 1000, CONTEXT) && added(ENDPOINT_SERVER, 0xffff, CH | SH2);
}

static int one(int (*call)(custom_ext_method *, SSL *, int))
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    SSL *s = SSL_new(ctx);
    int ok = TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1000, 3), 1) && call(method(ctx, 0), s, 3)
        && call(method(ctx, 0), NULL, 3);

    SSL_free(s);
    return end(ctx, ok);
}

static int adds(void)
{
    return one(call_add);
}

static int frees(void)
{
    return one(call_free);
}

static int parses(void)
{
    return one(call_parse);
}

static int left_out(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    const unsigned char *out = NULL;
    size_t size = 0;
    custom_ext_method *m = NULL;
    int al, ok = TEST_int_eq(add_old_custom_ext(ctx, ENDPOINT_SERVER, 1000, CONTEXT, NULL, NULL,
                                                NULL, NULL, NULL), 1)
        && TEST_int_eq(add_old_custom_ext(ctx, ENDPOINT_SERVER, 1001, CONTEXT, old_add, NULL,
                                          &args[2], NULL, NULL), 1)
        && TEST_int_eq(add_old_custom_ext(ctx, ENDPOINT_SERVER, 1002, CONTEXT, NULL, NULL, NULL,
                                          old_parse, &args[5]), 1)
        && TEST_ptr(m = method(ctx, 0));

    if (ok) {
        if (m->add_cb != NULL)
            ok = TEST_int_eq(m->add_cb(NULL, 1000, CH, &out, &size, NULL, 0, &al, m->add_arg), 1)
                && TEST_size_t_eq(size, 0);
        if (m->free_cb != NULL)
            m->free_cb(NULL, 1000, CH, out, m->add_arg);
        if (m->parse_cb != NULL)
            ok = ok
                && TEST_int_eq(m->parse_cb(NULL, 1000, CH, sent, 4, NULL, 0, &al, m->parse_arg), 1);
        ok = ok && TEST_int_eq(old_seen.calls, 0) && call_add(method(ctx, 1), NULL, 1)
            && call_parse(method(ctx, 2), NULL, 2);
    }
    return end(ctx, ok);
}

static int own(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int i, ok = 1;

    for (i = 0; i < 20 && ok; i++)
        ok = TEST_int_eq(add(ctx, i % 2 ? ENDPOINT_CLIENT : ENDPOINT_SERVER, 1000 + i, i), 1);
    for (i = 0; i < 20 && ok; i++)
        ok = call_add(method(ctx, i), NULL, i) && call_parse(method(ctx, i), NULL, i)
            && call_free(method(ctx, i), NULL, i);
    return end(ctx, ok);
}

static int same_type(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int ok = TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1000, 0), 1)
        && TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1000, 1), 0)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 1) && call_add(method(ctx, 0), NULL, 0)
        && call_parse(method(ctx, 0), NULL, 0) && TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1001, 2), 1)
        && call_add(method(ctx, 1), NULL, 2) && call_add(method(ctx, 0), NULL, 0);

    return end(ctx, ok);
}

static int both(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int ok = TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1000, 0), 1)
        && TEST_int_eq(add(ctx, ENDPOINT_SERVER, 1000, 1), 1)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 2) && call_add(method(ctx, 0), NULL, 0)
        && call_add(method(ctx, 1), NULL, 1) && TEST_int_eq(add(ctx, ENDPOINT_SERVER, 1000, 2), 0);

    return end(ctx, ok);
}

static int other_types(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    long blocks = memory_blocks;
    int ok = TEST_int_eq(add(ctx, ENDPOINT_CLIENT, TLSEXT_TYPE_server_name, 0), 0)
        && TEST_int_eq(add(ctx, ENDPOINT_SERVER, TLSEXT_TYPE_session_ticket, 0), 0)
        && TEST_int_eq(add(ctx, ENDPOINT_SERVER, 0x10000, 0), 0)
        && TEST_size_t_eq(ctx->cert->custext.meths_count, 0) && TEST_long_eq(memory_blocks, blocks);

    return end(ctx, ok);
}

static int copy(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    custom_ext_methods list = {0};
    int ok = TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1000, 4), 1)
        && TEST_int_eq(custom_exts_copy(&list, &ctx->cert->custext), 1)
        && TEST_size_t_eq(list.meths_count, 1);

    if (!ok)
        return 0;
    SSL_CTX_free(ctx);
    memset(&old_seen, 0, sizeof(old_seen));
    ok = call_add(list.meths, NULL, 4);
    memset(&old_seen, 0, sizeof(old_seen));
    ok = ok && call_parse(list.meths, NULL, 4);
    if (ok)
        custom_exts_free(&list);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());
    int i, failed = 0, ok = TEST_int_eq(add(ctx, ENDPOINT_CLIENT, 1000, 0), 1);

    for (i = 0; i < 8 && ok; i++) {
        long blocks;
        int done;

        ERR_clear_error();
        OPENSSL_thread_stop();
        blocks = memory_blocks;
        plus_refuse(i);
        done = add(ctx, ENDPOINT_CLIENT, 2000 + i, 1);
        plus_refuse(-1);
        ERR_clear_error();
        OPENSSL_thread_stop();
        failed += !done;
        ok = done
            || (TEST_true(custom_ext_find(&ctx->cert->custext, ENDPOINT_CLIENT, 2000 + i, NULL)
                                == NULL)
                      && TEST_long_eq(memory_blocks, blocks));
        ok = ok && call_add(method(ctx, 0), NULL, 0);
    }
    return TEST_int_ge(failed, 6) && end(ctx, ok);
}

static int no_leak(void)
{
    long blocks;
    int ok;

    if (!own())
        return 0;
    OPENSSL_thread_stop();
    blocks = memory_blocks;
    ok = own() && same_type() && both() && other_types() && no_memory() && left_out() && copy();
    OPENSSL_thread_stop();
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("an extension of a client is added", client);
    add_test("an extension of a server is added", server);
    add_test("the add callback is called with its argument", adds);
    add_test("the free callback is called with the add argument", frees);
    add_test("the parse callback is called with its argument", parses);
    add_test("callbacks can be left out", left_out);
    add_test("each extension has its own callbacks", own);
    add_test("the same type is refused", same_type);
    add_test("a client and a server can have the same type", both);
    add_test("types that cannot be added are refused", other_types);
    add_test("a copy works when the first is gone", copy);
    add_test("refused memory gives 0", no_memory);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
