/*---
 * tasks: [290803D9285A97DF]
 * tests:
 *   an empty list has nothing to release: 'Docstring: "releasing any data still present inside it".'
 *   every packet is released once:
 *     'Docstring: "releasing any data still present"; quic_sf_list.c: stream_frame_new takes a reference on each
 *     frame''s packet.'
 *   frames without a packet are freed too: 'quic_sf_list.c: stream_frame_new allows no packet.'
 *   no frame is lost or freed twice: 'Docstring: "Destroys the stream frame list".'
 *   a frame in the middle and what was dropped are freed once: 'quic_sf_list.h: ossl_sframe_list_drop_frames.'
 *   a locked head is freed:
 *     'Docstring: "any data still present"; quic_rstream.c: ossl_quic_rstream_free destroys a list in any state.'
 *   data is wiped where the list says so: 'quic_sf_list.h: "Cleanse data on release?"'
 *   data is left alone otherwise: 'quic_sf_list.h: cleanse is off unless it was set.'
 * flags: ["-Wl,--wrap=ossl_qrx_pkt_up_ref", "-Wl,--wrap=ossl_qrx_pkt_release"]
 ---*/
#include "../../ssl/quic/quic_sf_list.c"
#include "../testutil.h"
#include "memory_count.h"

#define FRAMES 5

/* Packets with a count of their own, in place of the record layer's. */
struct count { int references; };

void __wrap_ossl_qrx_pkt_up_ref(OSSL_QRX_PKT *pkt)
{
    ((struct count *)pkt)->references++;
}

void __wrap_ossl_qrx_pkt_release(OSSL_QRX_PKT *pkt)
{
    if (pkt != NULL)
        ((struct count *)pkt)->references--;
}

static struct count packets[FRAMES];
static unsigned char data[FRAMES][10];

/* Fills a list with frames of ten bytes, each in its own packet if `packed`. */
static int fill(SFRAME_LIST *list, int packed)
{
    int i;

    ossl_sframe_list_init(list);
    for (i = 0; i < FRAMES; i++) {
        UINT_RANGE range = { 10 * i, 10 * i + 10 };

        packets[i].references = 1;
        memset(data[i], 'a' + i, sizeof(data[i]));
        if (!TEST_true(ossl_sframe_list_insert(list, &range, packed ? (OSSL_QRX_PKT *)&packets[i] : NULL,
                                               data[i], i == FRAMES - 1)))
            return 0;
    }
    return 1;
}

/* Does only the test still hold each packet? */
static int all_released(void)
{
    int i, ok = 1;

    for (i = 0; i < FRAMES; i++)
        ok &= TEST_int_eq(packets[i].references, 1);
    return ok;
}

static int empty(void)
{
    SFRAME_LIST list;
    long before = memory_blocks;

    ossl_sframe_list_init(&list);
    ossl_sframe_list_destroy(&list);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int releases(void)
{
    SFRAME_LIST list;

    if (!fill(&list, 1) || !TEST_int_eq(packets[2].references, 2))
        return 0;
    ossl_sframe_list_destroy(&list);
    return all_released();
}

static int without_packet(void)
{
    SFRAME_LIST list;
    long before = memory_blocks;

    if (!fill(&list, 0))
        return 0;
    ossl_sframe_list_destroy(&list);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0) && all_released();
}

static int frees_all(void)
{
    SFRAME_LIST list;
    long before = memory_blocks;

    if (!fill(&list, 1))
        return 0;
    ossl_sframe_list_destroy(&list);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int after_drop(void)
{
    SFRAME_LIST list;
    long before = memory_blocks;

    if (!fill(&list, 1) || !TEST_true(ossl_sframe_list_drop_frames(&list, 25)))
        return 0;
    ossl_sframe_list_destroy(&list);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0) && all_released();
}

static int locked_head(void)
{
    SFRAME_LIST list;
    UINT_RANGE range;
    const unsigned char *head;
    long before = memory_blocks;
    int fin;

    if (!fill(&list, 1) || !TEST_true(ossl_sframe_list_lock_head(&list, &range, &head, &fin)))
        return 0;
    ossl_sframe_list_destroy(&list);
    return TEST_long_eq(memory_blocks, before) && all_released();
}

static int wipes(void)
{
    static const unsigned char zeros[sizeof(data[0])];
    SFRAME_LIST list;
    int i, ok = fill(&list, 1);

    if (!ok)
        return 0;
    list.cleanse = 1;
    ossl_sframe_list_destroy(&list);
    for (i = 0; i < FRAMES; i++)
        ok &= TEST_mem_eq(data[i], sizeof(data[i]), zeros, sizeof(zeros));
    return ok;
}

static int leaves(void)
{
    SFRAME_LIST list;
    int i, ok = fill(&list, 1);

    if (!ok)
        return 0;
    ossl_sframe_list_destroy(&list);
    for (i = 0; i < FRAMES; i++)
        ok &= TEST_uchar_eq(data[i][0], 'a' + i) && TEST_uchar_eq(data[i][9], 'a' + i);
    return ok;
}

int setup_tests(void)
{
    add_test("an empty list has nothing to release", empty);
    add_test("every packet is released once", releases);
    add_test("frames without a packet are freed too", without_packet);
    add_test("no frame is lost or freed twice", frees_all);
    add_test("a frame in the middle and what was dropped are freed once", after_drop);
    add_test("a locked head is freed", locked_head);
    add_test("data is wiped where the list says so", wipes);
    add_test("data is left alone otherwise", leaves);
    return 1;
}
