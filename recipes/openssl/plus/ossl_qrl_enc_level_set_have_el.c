/*---
 * tasks: [EFA75CD487735403]
 * tests:
 *   a new level has no keys yet: 'Docstring: "0 if we do not yet have material (we are in the UNPROVISIONED state)".'
 *   a level with a secret has keys: 'Docstring: "1 if we have key material".'
 *   a discarded level is gone for good: 'Docstring: "-1 if the EL is discarded".'
 *   a level without keys can be discarded too: 'Docstring; ossl_qrl_enc_level_set_discard: "from any state".'
 *   during a key update there are keys: 'ssl/quic/quic_record_shared.h: "Key material is available if in the
 *     Provisioned state", of which Updating and Cooldown are substates.'
 *   levels do not depend on each other: 'Parameter enc_level.'
 *   sets do not depend on each other: 'Parameter els.'
 *   asking changes nothing: 'Docstring: it only tells.'
 ---*/
#include "internal/quic_types.h"
#include "internal/quic_wire_pkt.h"
#include "internal/quic_record_tx.h"
#include "../../ssl/quic/quic_record_shared.h"
#include "testutil.h"

static const unsigned char secret[32] = { 1, 2, 3 };
static OSSL_QRL_ENC_LEVEL_SET set, other;

static int provide(OSSL_QRL_ENC_LEVEL_SET *els, uint32_t level, int is_tx)
{
    return TEST_true(ossl_qrl_enc_level_set_provide_secret(els, NULL, NULL, level, QRL_SUITE_AES128GCM, NULL,
                                                           secret, sizeof(secret), 0, is_tx));
}

static int have(uint32_t level, int expected)
{
    return TEST_int_eq(ossl_qrl_enc_level_set_have_el(&set, level), expected);
}

static void start(void)
{
    uint32_t level;

    for (level = 0; level < QUIC_ENC_LEVEL_NUM; level++) {
        ossl_qrl_enc_level_set_discard(&set, level);
        ossl_qrl_enc_level_set_discard(&other, level);
    }
    memset(&set, 0, sizeof(set));
    memset(&other, 0, sizeof(other));
}

static int not_yet(void)
{
    uint32_t level;

    start();
    for (level = 0; level < QUIC_ENC_LEVEL_NUM; level++)
        if (!have(level, 0))
            return 0;
    return 1;
}

static int provided(void)
{
    uint32_t level;

    start();
    for (level = 0; level < QUIC_ENC_LEVEL_NUM; level++)
        if (!provide(&set, level, level & 1) || !have(level, 1))
            return 0;
    return 1;
}

static int discarded(void)
{
    uint32_t level;

    start();
    for (level = 0; level < QUIC_ENC_LEVEL_NUM; level++) {
        if (!provide(&set, level, 0))
            return 0;
        ossl_qrl_enc_level_set_discard(&set, level);
        if (!have(level, -1) || !have(level, -1))
            return 0;
    }
    return 1;
}

static int discarded_early(void)
{
    uint32_t level;

    start();
    for (level = 0; level < QUIC_ENC_LEVEL_NUM; level++) {
        ossl_qrl_enc_level_set_discard(&set, level);
        if (!have(level, -1))
            return 0;
    }
    return 1;
}

static int key_update(void)
{
    start();
    return provide(&set, QUIC_ENC_LEVEL_1RTT, 0)
        && TEST_true(ossl_qrl_enc_level_set_key_update(&set, QUIC_ENC_LEVEL_1RTT))
        && have(QUIC_ENC_LEVEL_1RTT, 1)
        && TEST_true(ossl_qrl_enc_level_set_key_update_done(&set, QUIC_ENC_LEVEL_1RTT))
        && have(QUIC_ENC_LEVEL_1RTT, 1)
        && TEST_true(ossl_qrl_enc_level_set_key_cooldown_done(&set, QUIC_ENC_LEVEL_1RTT))
        && have(QUIC_ENC_LEVEL_1RTT, 1);
}

static int levels(void)
{
    start();
    if (!provide(&set, QUIC_ENC_LEVEL_INITIAL, 0) || !provide(&set, QUIC_ENC_LEVEL_HANDSHAKE, 0))
        return 0;
    ossl_qrl_enc_level_set_discard(&set, QUIC_ENC_LEVEL_INITIAL);
    return have(QUIC_ENC_LEVEL_INITIAL, -1) && have(QUIC_ENC_LEVEL_HANDSHAKE, 1)
        && have(QUIC_ENC_LEVEL_0RTT, 0) && have(QUIC_ENC_LEVEL_1RTT, 0);
}

static int sets(void)
{
    start();
    if (!provide(&other, QUIC_ENC_LEVEL_HANDSHAKE, 1))
        return 0;
    ossl_qrl_enc_level_set_discard(&other, QUIC_ENC_LEVEL_INITIAL);
    return have(QUIC_ENC_LEVEL_HANDSHAKE, 0) && have(QUIC_ENC_LEVEL_INITIAL, 0)
        && TEST_int_eq(ossl_qrl_enc_level_set_have_el(&other, QUIC_ENC_LEVEL_HANDSHAKE), 1)
        && TEST_int_eq(ossl_qrl_enc_level_set_have_el(&other, QUIC_ENC_LEVEL_INITIAL), -1);
}

static int only_asks(void)
{
    OSSL_QRL_ENC_LEVEL_SET saved;
    uint32_t level;

    start();
    if (!provide(&set, QUIC_ENC_LEVEL_1RTT, 0)
        || !TEST_true(ossl_qrl_enc_level_set_key_update(&set, QUIC_ENC_LEVEL_1RTT)))
        return 0;
    ossl_qrl_enc_level_set_discard(&set, QUIC_ENC_LEVEL_INITIAL);
    saved = set;
    for (level = 0; level < QUIC_ENC_LEVEL_NUM; level++)
        ossl_qrl_enc_level_set_have_el(&set, level);
    return TEST_mem_eq(&saved, sizeof(saved), &set, sizeof(set));
}

int setup_tests(void)
{
    add_test("a new level has no keys yet", not_yet);
    add_test("a level with a secret has keys", provided);
    add_test("a discarded level is gone for good", discarded);
    add_test("a level without keys can be discarded too", discarded_early);
    add_test("during a key update there are keys", key_update);
    add_test("levels do not depend on each other", levels);
    add_test("sets do not depend on each other", sets);
    add_test("asking changes nothing", only_asks);
    return 1;
}

void cleanup_tests(void)
{
    start();
}
