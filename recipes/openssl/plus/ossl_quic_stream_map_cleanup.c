/*---
 * tasks: [29F9962F61ED6A70]
 * tests:
 *   an empty map is cleaned up: 'Callers: ssl/quic/quic_channel.c (ch_cleanup) at any time after the initialisation.'
 *   streams of all types are freed: 'Docstring: "Any streams still in the map will be released".'
 *   the buffers of streams are freed: 'Docstring: "as though ossl_quic_stream_map_release was called", which frees
 *     both buffers.'
 *   streams that wait to be accepted are freed once: 'Docstring; ossl_quic_stream_map_release takes the stream from
 *     the queue.'
 *   streams that are active are freed once: 'Docstring; ossl_quic_stream_map_release takes the stream from the list.'
 *   streams that were released before are not freed again: 'Docstring: "still in the map".'
 *   many streams are freed: 'Docstring: "Any streams".'
 *   the map can be initialised and used again: 'ossl_quic_stream_map_init.'
 *   no pointer to freed memory is left in the map: 'A second clean-up finds nothing to release; lh_free(NULL) and
 *     lh_doall_arg(NULL) do nothing (OPENSSL_LH_free(3)).'
 ---*/
#include "memory_count.h"
#include "internal/quic_stream_map.h"
#include "testutil.h"

static QUIC_STREAM_MAP map;
static long before;

static int start(void)
{
    before = memory_blocks;
    memory_bad_frees = 0;
    return TEST_true(ossl_quic_stream_map_init(&map, NULL, NULL, NULL, NULL, 0));
}

static int cleaned_up(void)
{
    ossl_quic_stream_map_cleanup(&map);
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static QUIC_STREAM *stream(uint64_t id, int buffers)
{
    QUIC_STREAM *s = ossl_quic_stream_map_alloc(&map, id, (int)(id & 3));

    if (s != NULL && buffers) {
        s->sstream = ossl_quic_sstream_new(64);
        s->rstream = ossl_quic_rstream_new(NULL, NULL, 0);
        if (s->sstream == NULL || s->rstream == NULL)
            return NULL;
    }
    return s;
}

static int empty(void)
{
    return start() && cleaned_up();
}

static int all_types(void)
{
    uint64_t id;

    if (!start())
        return 0;
    for (id = 0; id < 8; id++)
        if (!TEST_ptr(stream(id, 0)))
            return 0;
    return cleaned_up();
}

static int buffers(void)
{
    size_t consumed = 0;
    QUIC_STREAM *s;

    return start()
        && TEST_ptr(stream(0, 1))
        && TEST_ptr(s = stream(3, 1))
        && TEST_true(ossl_quic_sstream_append(s->sstream, (const unsigned char *)"words", 5, &consumed))
        && TEST_ptr(stream(5, 1))
        && cleaned_up();
}

static int accept_queue(void)
{
    QUIC_STREAM *first, *second;

    if (!start() || !TEST_ptr(first = stream(1, 1)) || !TEST_ptr(second = stream(3, 0)) || !TEST_ptr(stream(0, 1)))
        return 0;
    ossl_quic_stream_map_push_accept_queue(&map, first);
    ossl_quic_stream_map_push_accept_queue(&map, second);
    return cleaned_up() && TEST_ptr_null(ossl_quic_stream_map_peek_accept_queue(&map));
}

static int active(void)
{
    QUIC_STREAM *first, *second;

    if (!start() || !TEST_ptr(first = stream(0, 1)) || !TEST_ptr(second = stream(4, 1)))
        return 0;
    first->want_max_stream_data = 1;
    second->want_max_stream_data = 1;
    ossl_quic_stream_map_update_state(&map, first);
    ossl_quic_stream_map_update_state(&map, second);
    return TEST_true(first->active) && TEST_true(second->active) && cleaned_up();
}

static int released(void)
{
    QUIC_STREAM *s;

    if (!start() || !TEST_ptr(stream(0, 1)) || !TEST_ptr(s = stream(4, 1)) || !TEST_ptr(stream(8, 1)))
        return 0;
    ossl_quic_stream_map_release(&map, s);
    return cleaned_up();
}

static int many(void)
{
    uint64_t id;

    if (!start())
        return 0;
    for (id = 0; id < 300; id++)
        if (!TEST_ptr(stream(id * 7, id % 3 == 0)))
            return 0;
    return cleaned_up();
}

static int again(void)
{
    return start() && TEST_ptr(stream(0, 1)) && cleaned_up()
        && start() && TEST_ptr_null(ossl_quic_stream_map_get_by_id(&map, 0))
        && TEST_ptr(stream(0, 1)) && cleaned_up();
}

static int no_pointer(void)
{
    return start() && TEST_ptr(stream(0, 1)) && cleaned_up()
        && TEST_ptr_null(map.map)
        && cleaned_up();
}

int setup_tests(void)
{
    add_test("an empty map is cleaned up", empty);
    add_test("streams of all types are freed", all_types);
    add_test("the buffers of streams are freed", buffers);
    add_test("streams that wait to be accepted are freed once", accept_queue);
    add_test("streams that are active are freed once", active);
    add_test("streams that were released before are not freed again", released);
    add_test("many streams are freed", many);
    add_test("the map can be initialised and used again", again);
    add_test("no pointer to freed memory is left in the map", no_pointer);
    return 1;
}
