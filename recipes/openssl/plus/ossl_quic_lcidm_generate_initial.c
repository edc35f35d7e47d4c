/*---
 * tasks: [719446CC9497E0DF]
 * tests:
 *   the first ID is made and written: 'Docstring: "Create the first LCID"; "written to *initial_lcid".'
 *   its length is the configured one: 'quic_lcidm.h: lcid_len is "the length to use for LCIDs in bytes".'
 *   a length of zero is one like others: 'quic_lcidm.h: lcid_len "may be zero".'
 *   the ID leads to the pointer: 'Docstring: "associated with the given opaque pointer".'
 *   its sequence number is 0: 'quic_lcidm.h, of the Initial SCID: "This LCID has a sequence number of 0."'
 *   it counts as active: 'quic_lcidm.h: ossl_quic_lcidm_get_num_active_lcid, those that "can be used for reception".'
 *   a second call for the pointer fails:
 *     'Docstring: "May not be called more than once for a given opaque pointer value."'
 *   a call that fails changes nothing: 'Docstring: the same; the pointer keeps its one ID.'
 *   it fails after an ID of another frame: 'Docstring: "Create the first LCID for a given opaque pointer."'
 *   a server that enrolled the client's ID gets its own:
 *     'quic_lcidm.h: ossl_quic_lcidm_enrol_odcid comes first, "we immediately respond with our own SCID".'
 *   each pointer has its own ID:
 *     'quic_lcidm.h: "Pointer identity (equality) is used to distinguish distinct connections."'
 *   the next ID has the sequence number 1: 'RFC 9000 5.1.1: the sequence number of each new ID goes up by one.'
 *   the ID can be retired: 'quic_lcidm.h: "Both (2) and (3) are retired normally".'
 ---*/
#include "../../ssl/quic/quic_lcidm.c"
#include "../testutil.h"

static char first_conn, second_conn;    /* Only their addresses count. */

static QUIC_LCIDM *lcidm;

static int fresh(size_t length)
{
    ossl_quic_lcidm_free(lcidm);
    return TEST_ptr(lcidm = ossl_quic_lcidm_new(NULL, length));
}

static int generates(void *conn, QUIC_CONN_ID *id)
{
    return TEST_int_eq(ossl_quic_lcidm_generate_initial(lcidm, conn, id), 1);
}

/* Does `id` lead to `conn` and this sequence number? */
static int leads(const QUIC_CONN_ID *id, void *conn, uint64_t seq_num)
{
    void *found = NULL;
    uint64_t number = 99;

    return TEST_int_eq(ossl_quic_lcidm_lookup(lcidm, id, &number, &found), 1)
        && TEST_ptr_eq(found, conn) && TEST_uint64_t_eq(number, seq_num);
}

static int made(void)
{
    QUIC_CONN_ID id;

    memset(&id, 0xee, sizeof(id));
    return fresh(8) && generates(&first_conn, &id)
        && TEST_int_eq(ossl_quic_lcidm_lookup(lcidm, &id, NULL, NULL), 1);
}

static int length(void)
{
    static const size_t lengths[] = { 1, 4, 8, QUIC_MAX_CONN_ID_LEN };
    size_t i;

    for (i = 0; i < OSSL_NELEM(lengths); i++) {
        QUIC_CONN_ID id;

        memset(&id, 0xee, sizeof(id));
        if (!fresh(lengths[i]) || !generates(&first_conn, &id) || !TEST_size_t_eq(id.id_len, lengths[i]))
            return 0;
    }
    return 1;
}

static int zero_length(void)
{
    QUIC_CONN_ID id;

    memset(&id, 0xee, sizeof(id));
    return fresh(0) && generates(&first_conn, &id) && TEST_size_t_eq(id.id_len, 0) && leads(&id, &first_conn, 0);
}

static int to_pointer(void)
{
    QUIC_CONN_ID id;
    void *found = NULL;

    return fresh(8) && generates(&second_conn, &id)
        && TEST_int_eq(ossl_quic_lcidm_lookup(lcidm, &id, NULL, &found), 1)
        && TEST_ptr_eq(found, &second_conn);
}

static int sequence_number(void)
{
    QUIC_CONN_ID id;

    return fresh(8) && generates(&first_conn, &id) && leads(&id, &first_conn, 0);
}

static int active(void)
{
    QUIC_CONN_ID id;

    return fresh(8)
        && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(lcidm, &first_conn), 0)
        && generates(&first_conn, &id)
        && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(lcidm, &first_conn), 1);
}

static int not_twice(void)
{
    QUIC_CONN_ID id, again;

    return fresh(8) && generates(&first_conn, &id)
        && TEST_int_eq(ossl_quic_lcidm_generate_initial(lcidm, &first_conn, &again), 0);
}

static int failure_changes_nothing(void)
{
    QUIC_CONN_ID id, again;

    return fresh(8) && generates(&first_conn, &id)
        && TEST_int_eq(ossl_quic_lcidm_generate_initial(lcidm, &first_conn, &again), 0)
        && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(lcidm, &first_conn), 1)
        && leads(&id, &first_conn, 0);
}

static int after_another(void)
{
    OSSL_QUIC_FRAME_NEW_CONN_ID frame;
    QUIC_CONN_ID id;

    return fresh(8)
        && TEST_int_eq(ossl_quic_lcidm_generate(lcidm, &first_conn, &frame), 1)
        && TEST_int_eq(ossl_quic_lcidm_generate_initial(lcidm, &first_conn, &id), 0)
        && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(lcidm, &first_conn), 1);
}

static int after_odcid(void)
{
    static const QUIC_CONN_ID odcid = { 8, { 1, 2, 3, 4, 5, 6, 7, 8 } };
    QUIC_CONN_ID id, again;

    return fresh(8)
        && TEST_int_eq(ossl_quic_lcidm_enrol_odcid(lcidm, &first_conn, &odcid), 1)
        && generates(&first_conn, &id)
        && leads(&id, &first_conn, 0)
        && leads(&odcid, &first_conn, LCIDM_ODCID_SEQ_NUM)
        && TEST_size_t_eq(ossl_quic_lcidm_get_num_active_lcid(lcidm, &first_conn), 2)
        && TEST_int_eq(ossl_quic_lcidm_generate_initial(lcidm, &first_conn, &again), 0);
}

static int each_pointer(void)
{
    QUIC_CONN_ID one, two;

    return fresh(8) && generates(&first_conn, &one) && generates(&second_conn, &two)
        && TEST_false(ossl_quic_conn_id_eq(&one, &two))
        && leads(&one, &first_conn, 0) && leads(&two, &second_conn, 0);
}

static int next_number(void)
{
    OSSL_QUIC_FRAME_NEW_CONN_ID frame;
    QUIC_CONN_ID id;

    return fresh(8) && generates(&first_conn, &id)
        && TEST_int_eq(ossl_quic_lcidm_generate(lcidm, &first_conn, &frame), 1)
        && TEST_uint64_t_eq(frame.seq_num, 1)
        && leads(&frame.conn_id, &first_conn, 1);
}

static int retired(void)
{
    QUIC_CONN_ID id, gone;
    uint64_t number = 99;
    int did = 0;

    return fresh(8) && generates(&first_conn, &id)
        && TEST_int_eq(ossl_quic_lcidm_retire(lcidm, &first_conn, 1, NULL, &gone, &number, &did), 1)
        && TEST_int_eq(did, 1)
        && TEST_true(ossl_quic_conn_id_eq(&gone, &id))
        && TEST_uint64_t_eq(number, 0)
        && TEST_int_eq(ossl_quic_lcidm_lookup(lcidm, &id, NULL, NULL), 0);
}

int setup_tests(void)
{
    add_test("the first ID is made and written", made);
    add_test("its length is the configured one", length);
    add_test("a length of zero is one like others", zero_length);
    add_test("the ID leads to the pointer", to_pointer);
    add_test("its sequence number is 0", sequence_number);
    add_test("it counts as active", active);
    add_test("a second call for the pointer fails", not_twice);
    add_test("a call that fails changes nothing", failure_changes_nothing);
    add_test("it fails after an ID of another frame", after_another);
    add_test("a server that enrolled the client's ID gets its own", after_odcid);
    add_test("each pointer has its own ID", each_pointer);
    add_test("the next ID has the sequence number 1", next_number);
    add_test("the ID can be retired", retired);
    return 1;
}

void cleanup_tests(void)
{
    ossl_quic_lcidm_free(lcidm);
}
