/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.4, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   both types can be set: 'SCT_new(3): CT_LOG_ENTRY_TYPE_X509, CT_LOG_ENTRY_TYPE_PRECERT; ct.h: "1 on success".'
 *   a type can be set anew: 'ct.h: "Set the log entry type of an SCT".'
 *   the status is reset: 'SCT_new(3): "All of the setters will reset the validation status of the SCT".'
 *   a type that is not supported is refused: 'SCT_new(3): "1 if the specified log entry type is supported, 0 otherwise".'
 *   a refusal keeps the type: 'SCT_new(3): "They will not make changes on failure".'
 *   the other fields stay: 'ct.h: "Set the log entry type of an SCT".'
 ---*/
#include "../testutil.h"
#include "transparency.h"

static int sets(SCT *sct, int type)
{
    return TEST_int_eq(SCT_set_log_entry_type(sct, type), 1) && TEST_int_eq(sct->entry_type, type);
}

static int refuses(SCT *sct, int type)
{
    int before = sct->entry_type, result = SCT_set_log_entry_type(sct, type);

    ERR_clear_error();
    return TEST_int_eq(result, 0) && TEST_int_eq(sct->entry_type, before);
}

static int both(void)
{
    SCT *sct = SCT_new();
    int ok = sets(sct, CT_LOG_ENTRY_TYPE_X509);

    SCT_free(sct);
    sct = SCT_new();
    ok = ok && sets(sct, CT_LOG_ENTRY_TYPE_PRECERT);
    SCT_free(sct);
    return ok;
}

static int anew(void)
{
    SCT *sct = SCT_new();
    int ok = sets(sct, CT_LOG_ENTRY_TYPE_PRECERT) && sets(sct, CT_LOG_ENTRY_TYPE_X509)
        && sets(sct, CT_LOG_ENTRY_TYPE_X509) && sets(sct, CT_LOG_ENTRY_TYPE_PRECERT);

    SCT_free(sct);
    return ok;
}

static int status(void)
{
    static const int types[] = {CT_LOG_ENTRY_TYPE_X509, CT_LOG_ENTRY_TYPE_PRECERT,
        CT_LOG_ENTRY_TYPE_PRECERT};
    SCT *sct = SCT_new();
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(types) && ok; i++) {
        sct->validation_status = i == 1 ? SCT_VALIDATION_STATUS_INVALID
            : SCT_VALIDATION_STATUS_VALID;
        ok = sets(sct, types[i]) && TEST_int_eq(sct->validation_status,
                                                SCT_VALIDATION_STATUS_NOT_SET);
    }
    SCT_free(sct);
    return ok;
}

static int refused(void)
{
    SCT *sct = SCT_new();
    int ok = refuses(sct, CT_LOG_ENTRY_TYPE_NOT_SET) && refuses(sct, 2) && refuses(sct, -2)
        && refuses(sct, 256)
        && TEST_int_eq(sct->entry_type, CT_LOG_ENTRY_TYPE_NOT_SET);

    SCT_free(sct);
    return ok;
}

static int keeps(void)
{
    SCT *sct = SCT_new();
    int ok = sets(sct, CT_LOG_ENTRY_TYPE_PRECERT) && refuses(sct, CT_LOG_ENTRY_TYPE_NOT_SET)
        && refuses(sct, 2)
        && sets(sct, CT_LOG_ENTRY_TYPE_X509) && refuses(sct, 3)
        && refuses(sct, CT_LOG_ENTRY_TYPE_NOT_SET);

    SCT_free(sct);
    return ok;
}

static int others(void)
{
    SCT sct, before;
    int ok;

    memset(&sct, 0x5a, sizeof(sct));
    memcpy(&before, &sct, sizeof(sct));
    ok = sets(&sct, CT_LOG_ENTRY_TYPE_X509);
    before.entry_type = CT_LOG_ENTRY_TYPE_X509;
    before.validation_status = SCT_VALIDATION_STATUS_NOT_SET;
    return ok && TEST_mem_eq(&sct, sizeof(sct), &before, sizeof(before));
}

int setup_tests(void)
{
    add_test("both types can be set", both);
    add_test("a type can be set anew", anew);
    add_test("the status is reset", status);
    add_test("a type that is not supported is refused", refused);
    add_test("a refusal keeps the type", keeps);
    add_test("the other fields stay", others);
    return 1;
}
