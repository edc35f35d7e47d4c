/*---
 * tasks: [psa_get_and_lock_key_slot_in_memory-9daa78]
 * tests:
 *   a volatile key is found: 'Docstring: "The pointer to the key slot [...] was returned".'
 *   each volatile key has its own slot: 'Docstring: slot of index "( key_id - PSA_KEY_ID_VOLATILE_MIN )".'
 *   the slot is locked: 'Docstring: "On success, the function locks the key slot".'
 *   each call locks once: 'Docstring: the caller has "to unlock the key slot"; psa_lock_key_slot counts.'
 *   an empty slot holds no key: 'Docstring: PSA_ERROR_DOES_NOT_EXIST, "no key with key identifier key".'
 *   a volatile key in a slot of another key does not exist: 'Docstring: PSA_ERROR_DOES_NOT_EXIST.'
 *   a persistent key that was loaded is found in each slot: 'Docstring: "searches the key slots".'
 *   a persistent key is locked too: 'Docstring: "On success, the function locks the key slot".'
 *   a persistent key that was not loaded does not exist: 'Docstring: "does not load any persistent key".'
 *   a key of the vendor can be found: 'psa_crypto_slot_management.c: psa_is_valid_key_id; callers of builtin keys.'
 *   an identifier of zero is invalid: 'Docstring: PSA_ERROR_INVALID_HANDLE, "not a valid key identifier".'
 *   an identifier above all ranges is invalid: 'Docstring: PSA_ERROR_INVALID_HANDLE, "not a valid key identifier".'
 *   a failure locks nothing: 'Docstring: it locks "on success"; "does only read accesses".'
 *   a lock that would overflow is a failure: 'psa_lock_key_slot: PSA_ERROR_CORRUPTION_DETECTED.'
 ---*/
#include "../../library/psa_crypto_slot_management.c"
#include "check.h"

#define LAST (MBEDTLS_PSA_KEY_SLOT_COUNT - 1)

static psa_key_slot_t *slot;

static psa_status_t get(psa_key_id_t id) {
    slot = NULL;
    return psa_get_and_lock_key_slot_in_memory(id, &slot);
}

static psa_key_slot_t *at(int i) { return &global_data.key_slots[i]; }

static size_t locks(void) {
    size_t n = 0;
    for (int i = 0; i <= LAST; i++) n += at(i)->lock_count;
    return n;
}

/* A key that stands in this slot. */
static void place(int i, psa_key_id_t id) {
    memset(at(i), 0, sizeof(*at(i)));
    at(i)->attr.type = PSA_KEY_TYPE_RAW_DATA;
    at(i)->attr.id = id;
}

static void take_away(int i) { memset(at(i), 0, sizeof(*at(i))); }

int main(void) {
    const psa_key_id_t first = PSA_KEY_ID_VOLATILE_MIN;
    int ok;
    place(0, first);
    place(3, first + 3);
    place(LAST, first + LAST);
    ok = get(first + 3) == PSA_SUCCESS && slot == at(3);
    check("a volatile key is found", ok);
    check("the slot is locked", ok && at(3)->lock_count == 1 && locks() == 1);
    ok = get(first) == PSA_SUCCESS && slot == at(0) && get(first + LAST) == PSA_SUCCESS && slot == at(LAST);
    check("each volatile key has its own slot", ok && at(0)->lock_count == 1 && at(LAST)->lock_count == 1);
    ok = get(first + 3) == PSA_SUCCESS && get(first + 3) == PSA_SUCCESS && slot == at(3);
    check("each call locks once", ok && at(3)->lock_count == 3 && locks() == 5);
    ok = get(first + 1) == PSA_ERROR_DOES_NOT_EXIST && get(first + LAST - 1) == PSA_ERROR_DOES_NOT_EXIST;
    check("an empty slot holds no key", ok);
    place(5, 77);
    place(6, first + 7);
    ok = get(first + 5) == PSA_ERROR_DOES_NOT_EXIST && get(first + 6) == PSA_ERROR_DOES_NOT_EXIST &&
         get(first + 7) == PSA_ERROR_DOES_NOT_EXIST;
    check("a volatile key in a slot of another key does not exist", ok);
    ok = locks() == 5 && get(PSA_KEY_ID_USER_MIN + 1000) != PSA_SUCCESS && get(0) != PSA_SUCCESS && locks() == 5;
    check("a failure locks nothing", ok);

    for (int i = 0; i <= LAST; i++) take_away(i);
    ok = 1;
    int locked = 1;
    for (int i = 0; i <= LAST; i++) {
        place(i, 1234);
        ok &= get(1234) == PSA_SUCCESS && slot == at(i);
        locked &= at(i)->lock_count == 1 && locks() == 1;
        ok &= get(1235) == PSA_ERROR_DOES_NOT_EXIST;
        take_away(i);
    }
    place(2, PSA_KEY_ID_USER_MIN);
    place(4, PSA_KEY_ID_USER_MAX);
    ok &= get(PSA_KEY_ID_USER_MIN) == PSA_SUCCESS && slot == at(2);
    ok &= get(PSA_KEY_ID_USER_MAX) == PSA_SUCCESS && slot == at(4);
    check("a persistent key that was loaded is found in each slot", ok);
    check("a persistent key is locked too", locked && at(2)->lock_count == 1 && at(4)->lock_count == 1);
    ok = get(PSA_KEY_ID_USER_MIN + 1) == PSA_ERROR_DOES_NOT_EXIST && get(4321) == PSA_ERROR_DOES_NOT_EXIST;
    check("a persistent key that was not loaded does not exist", ok);
    place(9, PSA_KEY_ID_VENDOR_MIN);
    ok = get(PSA_KEY_ID_VENDOR_MIN) == PSA_SUCCESS && slot == at(9);
    check("a key of the vendor can be found", ok && get(PSA_KEY_ID_VENDOR_MIN + 1) == PSA_ERROR_DOES_NOT_EXIST);
    check("an identifier of zero is invalid", get(0) == PSA_ERROR_INVALID_HANDLE);
    ok = get(PSA_KEY_ID_VENDOR_MAX + 1) == PSA_ERROR_INVALID_HANDLE && get(0xFFFFFFFFu) == PSA_ERROR_INVALID_HANDLE;
    check("an identifier above all ranges is invalid", ok);
    at(2)->lock_count = SIZE_MAX;
    ok = get(PSA_KEY_ID_USER_MIN) != PSA_SUCCESS && at(2)->lock_count == SIZE_MAX;
    check("a lock that would overflow is a failure", ok);
    return done();
}
