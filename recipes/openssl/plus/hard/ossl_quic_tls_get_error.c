/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   without an error there is none:
 *     'quic_channel.c: ch_tick_tls acts on what it returns; quic_tls.c: inerror, "Set if we have hit
 *     any error state".'
 *   an error is told with code and text and state:
 *     'Signature; quic_tls.c: error_code, error_msg, error_state.'
 *   a code has 64 bits: 'Signature: uint64_t *error_code; quic_tls.c: uint64_t error_code.'
 *   the mark and not the code says that there is one:
 *     'quic_tls.c: error_code and error_msg, "Valid only if inerror is 1".'
 *   the text and the state are the ones held:
 *     'quic_tls.c: error_msg, "static storage duration"; ossl_quic_tls_free frees error_state.'
 *   the state gives the errors that were raised:
 *     'quic_tls.c: raise_error, "capture this into an ERR_STATE so we can report it later".'
 *   asking changes nothing: 'Name: get; quic_tls.c: an error stays, since only inerror is "any error state".'
 *   the error queue stays as it is:
 *     'quic_channel.c: the state is restored by ossl_quic_channel_raise_protocol_error_loc.'
 ---*/
#include "../../ssl/quic/quic_tls.c"
#include <string.h>
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"

static int send_cb(const unsigned char *buf, size_t buf_len, size_t *consumed, void *arg)
{
    return 0;
}

static int recv_cb(const unsigned char **buf, size_t *bytes_read, void *arg)
{
    return 0;
}

static int release_cb(size_t bytes_read, void *arg)
{
    return 0;
}

/* One of which nothing is used but what it knows of errors. */
static QUIC_TLS *start(void)
{
    QUIC_TLS_ARGS args;

    memset(&args, 0, sizeof(args));
    args.crypto_send_cb = send_cb;
    args.crypto_recv_rcd_cb = recv_cb;
    args.crypto_release_rcd_cb = release_cb;
    return ossl_quic_tls_new(&args);
}

static int end(QUIC_TLS *qtls, int ok)
{
    ossl_quic_tls_free(qtls);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static void fail(QUIC_TLS *qtls, uint64_t code, const char *text)
{
    qtls->inerror = 1;
    qtls->error_code = code;
    qtls->error_msg = text;
}

static uint64_t code;
static const char *text;
static ERR_STATE *state;

static int get(QUIC_TLS *qtls)
{
    code = 4711;
    text = "nothing";
    state = NULL;
    return ossl_quic_tls_get_error(qtls, &code, &text, &state);
}

static int none(void)
{
    QUIC_TLS *qtls = start();
    int ok = TEST_int_eq(get(qtls), 0);

    qtls->configured = 1;
    ok = ok && TEST_int_eq(get(qtls), 0);
    qtls->complete = 1;
    ok = ok && TEST_int_eq(get(qtls), 0);
    return end(qtls, ok);
}

static int told(void)
{
    QUIC_TLS *qtls = start();
    int ok;

    fail(qtls, QUIC_ERR_CRYPTO_NO_APP_PROTO, "no protocol");
    ok = TEST_int_ne(get(qtls), 0) && TEST_uint64_t_eq(code, QUIC_ERR_CRYPTO_NO_APP_PROTO)
        && TEST_str_eq(text, "no protocol") && TEST_ptr_eq(state, qtls->error_state);
    if (!end(qtls, ok))
        return 0;
    qtls = start();
    qtls->configured = qtls->complete = 1;
    fail(qtls, QUIC_ERR_INTERNAL_ERROR, "internal error");
    ok = TEST_int_ne(get(qtls), 0) && TEST_uint64_t_eq(code, QUIC_ERR_INTERNAL_ERROR)
        && TEST_str_eq(text, "internal error") && TEST_ptr_eq(state, qtls->error_state);
    return end(qtls, ok);
}

static int wide(void)
{
    static const uint64_t codes[] = { UINT64_MAX, 0x100000000ULL, 0x3fffffffffffffffULL, 0xffffffffULL };
    QUIC_TLS *qtls = start();
    size_t i;
    int ok = 1;

    for (i = 0; i < sizeof(codes) / sizeof(codes[0]) && ok; i++) {
        fail(qtls, codes[i], "wide");
        ok = TEST_int_ne(get(qtls), 0) && TEST_uint64_t_eq(code, codes[i]);
    }
    return end(qtls, ok);
}

static int mark(void)
{
    QUIC_TLS *qtls = start();
    int ok;

    /* As QUIC_TLS_FATAL leaves it. */
    qtls->inerror = 1;
    ok = TEST_int_ne(get(qtls), 0) && TEST_uint64_t_eq(code, 0) && TEST_ptr_null(text)
        && TEST_ptr_eq(state, qtls->error_state);
    fail(qtls, QUIC_ERR_INTERNAL_ERROR, "internal error");
    qtls->inerror = 0;
    ok = ok && TEST_int_eq(get(qtls), 0);
    return end(qtls, ok);
}

static int held(void)
{
    static const char mine[] = "of static storage";
    QUIC_TLS *qtls;
    ERR_STATE *before;
    long blocks;
    int ok;

    blocks = memory_blocks;
    qtls = start();
    before = qtls->error_state;
    fail(qtls, 1, mine);
    ok = TEST_int_ne(get(qtls), 0) && TEST_ptr_eq(text, mine) && TEST_ptr_eq(state, before)
        && TEST_int_ne(get(qtls), 0) && TEST_ptr_eq(text, mine) && TEST_ptr_eq(state, before)
        && TEST_ptr_eq(qtls->error_state, before);
    ossl_quic_tls_free(qtls);
    return ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

static int raised(void)
{
    QUIC_TLS *qtls = start();
    int ok;

    ERR_clear_error();
    ERR_raise(ERR_LIB_USER, 5);
    ERR_set_mark();
    ERR_raise(ERR_LIB_USER, 6);
    RAISE_ERROR(qtls, 0x178, "of the test");
    ERR_clear_error();
    ok = TEST_int_ne(get(qtls), 0) && TEST_uint64_t_eq(code, 0x178) && TEST_str_eq(text, "of the test");
    if (ok) {
        OSSL_ERR_STATE_restore(state);
        ok = TEST_int_eq(ERR_GET_REASON(ERR_get_error()), 6)
            && TEST_int_eq(ERR_GET_REASON(ERR_get_error()), SSL_R_QUIC_HANDSHAKE_LAYER_ERROR)
            && TEST_ulong_eq(ERR_get_error(), 0);
    }
    return end(qtls, ok);
}

static int unchanged(void)
{
    QUIC_TLS *qtls = start(), before;
    int i, ok;

    before = *qtls;
    ok = TEST_int_eq(get(qtls), 0) && TEST_mem_eq(qtls, sizeof(before), &before, sizeof(before));
    fail(qtls, 77, "stays");
    before = *qtls;
    for (i = 0; i < 3 && ok; i++)
        ok = TEST_int_ne(get(qtls), 0) && TEST_uint64_t_eq(code, 77) && TEST_str_eq(text, "stays")
            && TEST_mem_eq(qtls, sizeof(before), &before, sizeof(before));
    return end(qtls, ok);
}

static int queue(void)
{
    QUIC_TLS *qtls = start();
    int ok;

    ERR_clear_error();
    ok = TEST_int_eq(get(qtls), 0) && TEST_ulong_eq(ERR_peek_error(), 0);
    ERR_raise(ERR_LIB_USER, 7);
    fail(qtls, 1, "with a queue");
    ok = ok && TEST_int_ne(get(qtls), 0) && TEST_int_eq(ERR_GET_REASON(ERR_get_error()), 7)
        && TEST_ulong_eq(ERR_get_error(), 0);
    return end(qtls, ok);
}

int setup_tests(void)
{
    add_test("without an error there is none", none);
    add_test("an error is told with code and text and state", told);
    add_test("a code has 64 bits", wide);
    add_test("the mark and not the code says that there is one", mark);
    add_test("the text and the state are the ones held", held);
    add_test("the state gives the errors that were raised", raised);
    add_test("asking changes nothing", unchanged);
    add_test("the error queue stays as it is", queue);
    return 1;
}
