/*---
 * tasks: [E6935D22AC352B5A]
 * tests:
 *   the datagram size that was given counts:
 *     'quic_record_tx.h: mdpl, "Maximum datagram payload length (MDPL) for TX purposes".'
 *   a datagram of the least size of Initial packets is allowed:
 *     'RFC 9000 14.1: 1,200 bytes; quic_channel.c: ch_init asks for QUIC_MIN_INITIAL_DGRAM_LEN.'
 *   smaller datagrams are refused: 'RFC 9000 14.1; ossl_qtx_set_mdpl fails below QUIC_MIN_INITIAL_DGRAM_LEN.'
 *   the BIO is the one that was given: 'quic_record_tx.h: bio, "BIO to transmit to".'
 *   there may be no BIO:
 *     'quic_record_tx.h: ossl_qtx_set_bio: "May be NULL if actual transmission is not currently required."'
 *   the BIO stays its owner's:
 *     'quic_record_tx.h: ossl_qtx_set_bio: "Does not up-ref the BIO; the caller is responsible".'
 *   library context and properties are those that were given: 'quic_record_tx.h: libctx and propq of the arguments.'
 *   the qlog is the one that was given: 'quic_record_tx.h: "QLOG instance to use, or NULL".'
 *   nothing is queued at first:
 *     'quic_record_tx.h: ossl_qtx_get_queue_len_datagrams and its neighbours count what was written.'
 *   no level has keys at first:
 *     'quic_record_tx.h: "You must call this function for a given EL before transmitting packets".'
 *   no callback is set at first:
 *     'quic_record_tx.h: "Setters for the msg_callback"; ossl_qtx_set_mutator is "for test framework support".'
 *   all is freed again: 'quic_record_tx.h: "Frees the QTX."'
 *   without memory there is none: 'quic_channel.c: ch_init takes NULL for failure.'
 ---*/
#include "../../ssl/quic/quic_record_tx.c"
#include "../testutil.h"
#include "memory_count.h"

static char qlog;       /* Only its address counts. */

static OSSL_QTX *qtx_new(BIO *bio, size_t mdpl)
{
    OSSL_QTX_ARGS args = { NULL, NULL, bio, mdpl, NULL };

    return ossl_qtx_new(&args);
}

static int has_size(size_t mdpl)
{
    OSSL_QTX *qtx = qtx_new(NULL, mdpl);
    int ok = TEST_ptr(qtx) && TEST_size_t_eq(ossl_qtx_get_mdpl(qtx), mdpl);

    ossl_qtx_free(qtx);
    return ok;
}

static int given_size(void)
{
    return has_size(1252) && has_size(1452) && has_size(65527);
}

static int least_size(void)
{
    return has_size(QUIC_MIN_INITIAL_DGRAM_LEN);
}

static int smaller(void)
{
    return TEST_ptr_null(qtx_new(NULL, QUIC_MIN_INITIAL_DGRAM_LEN - 1))
        && TEST_ptr_null(qtx_new(NULL, 1))
        && TEST_ptr_null(qtx_new(NULL, 0));
}

static int given_bio(void)
{
    BIO *bio = BIO_new(BIO_s_mem());
    OSSL_QTX *qtx = qtx_new(bio, 1200);
    int ok = TEST_ptr(qtx) && TEST_ptr_eq(qtx->bio, bio);

    ossl_qtx_free(qtx);
    BIO_free(bio);
    return ok;
}

static int no_bio(void)
{
    OSSL_QTX *qtx = qtx_new(NULL, 1200);
    int ok = TEST_ptr(qtx) && TEST_ptr_null(qtx->bio);

    ossl_qtx_free(qtx);
    return ok;
}

static int bio_stays(void)
{
    long before;
    BIO *bio;
    OSSL_QTX *qtx;
    int ok;

    BIO_free(BIO_new(BIO_s_mem()));
    before = memory_blocks;
    bio = BIO_new(BIO_s_mem());
    qtx = qtx_new(bio, 1200);
    ok = TEST_ptr(qtx);
    ossl_qtx_free(qtx);
    ok = ok && TEST_int_eq(BIO_write(bio, "still here", 10), 10);
    BIO_free(bio);
    return ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

/* The arguments are overwritten at once, as those of ch_init end with its frame. */
static int library(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    static const char propq[] = "?fips=no";
    OSSL_QTX_ARGS args = { libctx, propq, NULL, 1200, NULL };
    OSSL_QTX *qtx = ossl_qtx_new(&args);
    int ok;

    memset(&args, 0xff, sizeof(args));
    ok = TEST_ptr(qtx) && TEST_ptr_eq(qtx->libctx, libctx) && TEST_str_eq(qtx->propq, propq);
    ossl_qtx_free(qtx);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int given_qlog(void)
{
    OSSL_QTX_ARGS args = { NULL, NULL, NULL, 1200, (QLOG *)&qlog };
    OSSL_QTX *qtx = ossl_qtx_new(&args), *none = qtx_new(NULL, 1200);
    int ok = TEST_ptr(qtx) && TEST_ptr_eq(qtx->qlog, &qlog) && TEST_ptr(none) && TEST_ptr_null(none->qlog);

    ossl_qtx_free(qtx);
    ossl_qtx_free(none);
    return ok;
}

static int nothing_queued(void)
{
    OSSL_QTX *qtx = qtx_new(NULL, 1200);
    int ok = TEST_ptr(qtx)
        && TEST_size_t_eq(ossl_qtx_get_queue_len_datagrams(qtx), 0)
        && TEST_size_t_eq(ossl_qtx_get_queue_len_bytes(qtx), 0)
        && TEST_size_t_eq(ossl_qtx_get_cur_dgram_len_bytes(qtx), 0)
        && TEST_size_t_eq(ossl_qtx_get_unflushed_pkt_count(qtx), 0)
        && TEST_int_eq(ossl_qtx_pop_net(qtx, NULL), 0);

    ossl_qtx_free(qtx);
    return ok;
}

static int no_keys(void)
{
    OSSL_QTX *qtx = qtx_new(NULL, 1200);
    uint32_t level;
    int ok = TEST_ptr(qtx);

    for (level = 0; ok && level < QUIC_ENC_LEVEL_NUM; level++)
        ok = TEST_int_eq(ossl_qtx_is_enc_level_provisioned(qtx, level), 0);
    ossl_qtx_free(qtx);
    return ok;
}

static int no_callbacks(void)
{
    OSSL_QTX *qtx = qtx_new(NULL, 1200);
    int ok = TEST_ptr(qtx)
        && TEST_true(qtx->mutatecb == NULL)
        && TEST_true(qtx->finishmutatecb == NULL)
        && TEST_true(qtx->msg_callback == NULL)
        && TEST_ptr_null(qtx->msg_callback_ssl);

    ossl_qtx_free(qtx);
    return ok;
}

static int all_freed(void)
{
    long before = memory_blocks;

    return given_size() && least_size() && smaller() && given_qlog()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    OSSL_QTX *qtx;

    memory_left = 0;
    qtx = qtx_new(NULL, 1200);
    memory_left = -1;
    return TEST_ptr_null(qtx);
}

int setup_tests(void)
{
    add_test("the datagram size that was given counts", given_size);
    add_test("a datagram of the least size of Initial packets is allowed", least_size);
    add_test("smaller datagrams are refused", smaller);
    add_test("the BIO is the one that was given", given_bio);
    add_test("there may be no BIO", no_bio);
    add_test("the BIO stays its owner's", bio_stays);
    add_test("library context and properties are those that were given", library);
    add_test("the qlog is the one that was given", given_qlog);
    add_test("nothing is queued at first", nothing_queued);
    add_test("no level has keys at first", no_keys);
    add_test("no callback is set at first", no_callbacks);
    add_test("all is freed again", all_freed);
    add_test("without memory there is none", no_memory);
    return 1;
}
