/*---
 * tasks: [SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   each type is told: 'ct.h: "Returns the log entry type of the SCT".'
 *   a blank SCT has none: 'ct_sct.c: SCT_new, CT_LOG_ENTRY_TYPE_NOT_SET.'
 *   it is no other field: 'ct.h: "Returns the log entry type of the SCT"; the source and the version differ.'
 *   the SCT stays as it was: 'ct.h: const SCT *.'
 ---*/
#include "../testutil.h"
#include "transparency.h"

static int each(void)
{
    SCT *sct = SCT_new();
    int ok;

    sct->entry_type = CT_LOG_ENTRY_TYPE_X509;
    ok = TEST_int_eq(SCT_get_log_entry_type(sct), CT_LOG_ENTRY_TYPE_X509);
    sct->entry_type = CT_LOG_ENTRY_TYPE_PRECERT;
    ok = ok && TEST_int_eq(SCT_get_log_entry_type(sct), CT_LOG_ENTRY_TYPE_PRECERT);
    sct->entry_type = CT_LOG_ENTRY_TYPE_NOT_SET;
    ok = ok && TEST_int_eq(SCT_get_log_entry_type(sct), CT_LOG_ENTRY_TYPE_NOT_SET);
    SCT_free(sct);
    return ok;
}

static int blank(void)
{
    SCT *sct = SCT_new();
    int ok = TEST_int_eq(SCT_get_log_entry_type(sct), CT_LOG_ENTRY_TYPE_NOT_SET);

    SCT_free(sct);
    return ok;
}

static int no_other(void)
{
    SCT *sct = SCT_new();
    int ok;

    sct->version = SCT_VERSION_V1;
    sct->source = SCT_SOURCE_OCSP_STAPLED_RESPONSE;
    sct->validation_status = SCT_VALIDATION_STATUS_VALID;
    sct->entry_type = CT_LOG_ENTRY_TYPE_PRECERT;
    ok = TEST_int_eq(SCT_get_log_entry_type(sct), CT_LOG_ENTRY_TYPE_PRECERT);
    sct->source = SCT_SOURCE_X509V3_EXTENSION;
    sct->entry_type = CT_LOG_ENTRY_TYPE_X509;
    ok = ok && TEST_int_eq(SCT_get_log_entry_type(sct), CT_LOG_ENTRY_TYPE_X509);
    SCT_free(sct);
    return ok;
}

static int stays(void)
{
    SCT sct, before;

    memset(&sct, 0, sizeof(sct));
    sct.entry_type = CT_LOG_ENTRY_TYPE_PRECERT;
    sct.validation_status = SCT_VALIDATION_STATUS_VALID;
    memcpy(&before, &sct, sizeof(sct));
    return TEST_int_eq(SCT_get_log_entry_type(&sct), CT_LOG_ENTRY_TYPE_PRECERT)
        && TEST_int_eq(SCT_get_log_entry_type(&sct), CT_LOG_ENTRY_TYPE_PRECERT)
        && TEST_mem_eq(&sct, sizeof(sct), &before, sizeof(before));
}

int setup_tests(void)
{
    add_test("each type is told", each);
    add_test("a blank SCT has none", blank);
    add_test("it is no other field", no_other);
    add_test("the SCT stays as it was", stays);
    return 1;
}
