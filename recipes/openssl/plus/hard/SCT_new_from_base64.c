/*---
 * tasks: [SCT_new_from_base64-1fe63f, SCT_new_from_base64-1fe63f.16, SCT_new_from_base64-1fe63f.2,
 *   SCT_new_from_base64-1fe63f.4, SCT_new_from_base64-1fe63f.8]
 * tests:
 *   each field is set from its parameter: 'SCT_new(3): "the SCT can be pre-populated from the following data".'
 *   a precertificate is told from a certificate: 'SCT_new(3), CT_LOG_ENTRY_TYPE_PRECERT.'
 *   a timestamp has 64 bits: 'ct.h: uint64_t timestamp; SCT_get_timestamp.'
 *   an empty string means no extensions: 'ct_test.c passes ""; SCT_get0_extensions, a length of 0.'
 *   extensions of each length keep their last bytes: 'ct_b64.c: ct_base64_decode, "Subtract padding bytes".'
 *   an RSA signature is told from an ECDSA one: 'ct_local.h: o2i_SCT_signature "populates the sct"; RFC 6962 2.1.4.'
 *   it is yet to be validated: 'ct.h: SCT_get_validation_status, "not been validated yet"; source is not a parameter.'
 *   another version is refused: 'SCT_new(3): "only SCT_VERSION_V1 is currently supported".'
 *   a log ID of another length is refused: 'SCT_new(3): SCT_set0_log_id takes "a valid SHA-256 hash".'
 *   what is no base64 is refused: 'ct_b64.c: ct_base64_decode fails with -1; siblings refuse it.'
 *   a signature that is none is refused: 'ct_local.h: o2i_SCT_signature, "a negative integer if an error occurs".'
 *   another entry type is refused: 'SCT_new(3): SCT_set_log_entry_type returns 0 where it is not supported.'
 *   nothing is leaked or freed twice: 'ct.h: "The caller is responsible for calling SCT_free".'
 *   a lack of memory gives NULL and leaks nothing: 'SCT_new_from_base64 returns an SCT or NULL; no one frees the rest.'
 ---*/
#include "../testutil.h"
#include "refused_once.h"
#include "transparency.h"

#define TIME UINT64_C(0x0123456789ABCDEF)

static const unsigned char log_id[33] =
    "\x00\xdf\x1c\x2e\xc1\x15\x00\x94\x52\x47\xa9\x61\x68\x32\x5d\xdc\x5c"
    "\x79\x59\xe8\xf7\xc6\xd3\x88\xfc\x00\x2e\x0b\xbd\x3f\x74\xd7\x64";
static const unsigned char ecdsa[] = "\x04\x03\x00\x05sig\x00\xff";
static const unsigned char rsa[] = "\x04\x01\x00\x02\x00g";
static const unsigned char extension[] = "an\0extension";

/* Made of the bytes given, in base64. */
static SCT *make(int version, size_t id_length, int type, uint64_t time, const void *ext,
                 size_t ext_length,
                 const void *sig, size_t sig_length)
{
    char *id64 = ct_base64(log_id, id_length), *ext64 = ct_base64(ext, ext_length);
    char *sig64 = ct_base64(sig, sig_length);
    SCT *sct = SCT_new_from_base64(version, id64, type, time, ext64, sig64);

    OPENSSL_free(id64);
    OPENSSL_free(ext64);
    OPENSSL_free(sig64);
    return sct;
}

static SCT *good(void)
{
    return make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, ecdsa, 9);
}

static int none(SCT *sct)
{
    int ok = TEST_ptr_null(sct);

    SCT_free(sct);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int fields(void)
{
    SCT *sct = good();
    unsigned char *data;
    int ok = TEST_ptr(sct)
        && TEST_int_eq(sct->version, SCT_VERSION_V1)
        && TEST_size_t_eq(SCT_get0_log_id(sct, &data), 32) && TEST_mem_eq(data, 32, log_id, 32)
        && TEST_int_eq(sct->entry_type, CT_LOG_ENTRY_TYPE_X509)
        && TEST_true(SCT_get_timestamp(sct) == TIME)
        && TEST_mem_eq(sct->ext, SCT_get0_extensions(sct, &data), extension, 12)
        && TEST_int_eq(SCT_get_signature_nid(sct), NID_ecdsa_with_SHA256)
        && TEST_mem_eq(sct->sig, SCT_get0_signature(sct, &data), "sig\x00\xff", 5)
        && TEST_true(SCT_is_complete(sct));

    SCT_free(sct);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int precert(void)
{
    SCT *sct = make(0, 32, CT_LOG_ENTRY_TYPE_PRECERT, TIME, extension, 12, ecdsa, 9);
    int ok = TEST_ptr(sct) && TEST_int_eq(sct->entry_type, CT_LOG_ENTRY_TYPE_PRECERT);

    SCT_free(sct);
    return ok;
}

static int timestamp(void)
{
    static const uint64_t times[] = {0, 1, UINT64_C(0x100000000), UINT64_C(0x8000000000000000),
        UINT64_MAX};
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(times); i++) {
        SCT *sct = make(0, 32, CT_LOG_ENTRY_TYPE_X509, times[i], "", 0, ecdsa, 9);

        ok &= TEST_ptr(sct) && TEST_true(SCT_get_timestamp(sct) == times[i]);
        SCT_free(sct);
    }
    return ok;
}

static int no_extensions(void)
{
    SCT *sct = make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9);
    unsigned char *data;
    int ok = TEST_ptr(sct) && TEST_size_t_eq(SCT_get0_extensions(sct, &data), 0)
        && TEST_size_t_eq(sct->log_id_len, 32) && TEST_size_t_eq(sct->sig_len, 5);

    SCT_free(sct);
    return ok;
}

static int lengths(void)
{
    size_t length;
    int ok = 1;

    for (length = 1; length <= 12; length++) {
        SCT *sct = make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, length, ecdsa, 9);

        ok &= TEST_ptr(sct) && TEST_mem_eq(sct->ext, sct->ext_len, extension, length);
        SCT_free(sct);
    }
    return ok;
}

static int rsa_signature(void)
{
    SCT *sct = make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, rsa, 6);
    int ok = TEST_ptr(sct) && TEST_int_eq(SCT_get_signature_nid(sct), NID_sha256WithRSAEncryption)
        && TEST_mem_eq(sct->sig, sct->sig_len, "\x00g", 2);

    SCT_free(sct);
    return ok;
}

static int yet_to_be(void)
{
    SCT *sct = good();
    int ok = TEST_ptr(sct)
        && TEST_int_eq(SCT_get_validation_status(sct), SCT_VALIDATION_STATUS_NOT_SET)
        && TEST_int_eq(SCT_get_source(sct), SCT_SOURCE_UNKNOWN);

    SCT_free(sct);
    return ok;
}

static int versions(void)
{
    return none(make(1, 32, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9))
        && none(make(255, 32, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9));
}

static int id_lengths(void)
{
    return none(make(0, 31, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9))
        && none(make(0, 33, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9))
        && none(make(0, 1, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9))
        && none(make(0, 0, CT_LOG_ENTRY_TYPE_X509, TIME, "", 0, ecdsa, 9));
}

static int no_base64(void)
{
    static const char *bad[] = {"\01\02\03\04", "AAA", "AAAAA", "AA*A", "====", "A==="};
    char *id64 = ct_base64(log_id, 32), *sig64 = ct_base64(ecdsa, 9);
    size_t i;
    int ok = 1;

    for (i = 0; i < OSSL_NELEM(bad); i++)
        ok &= none(SCT_new_from_base64(0, bad[i], CT_LOG_ENTRY_TYPE_X509, TIME, "", sig64))
            & none(SCT_new_from_base64(0, id64, CT_LOG_ENTRY_TYPE_X509, TIME, bad[i], sig64))
            & none(SCT_new_from_base64(0, id64, CT_LOG_ENTRY_TYPE_X509, TIME, "", bad[i]));
    OPENSSL_free(id64);
    OPENSSL_free(sig64);
    return ok;
}

static int no_signature(void)
{
    return none(make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, "", 0))
        && none(make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, ecdsa, 3))
        && none(make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, ecdsa, 4))
        && none(make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, ecdsa, 8))
        && none(make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, "\x04\x02\x00\x02xy", 6))
        && none(make(0, 32, CT_LOG_ENTRY_TYPE_X509, TIME, extension, 12, "\x02\x03\x00\x02xy", 6));
}

static int types(void)
{
    return none(make(0, 32, CT_LOG_ENTRY_TYPE_NOT_SET, TIME, "", 0, ecdsa, 9))
        && none(make(0, 32, 2, TIME, "", 0, ecdsa, 9));
}

static int balanced(void)
{
    long before;

    if (!fields() || !no_base64() || !no_signature() || !types() || !versions())
        return 0;
    before = memory_blocks;
    return fields() && precert() && no_extensions() && lengths() && rsa_signature()
        && versions() && id_lengths() && no_base64() && no_signature() && types()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    char *id64 = ct_base64(log_id, 32), *sig64 = ct_base64(ecdsa, 9);
    SCT *sct;
    long before, left;
    int ok = 1, refused = 1;

    if (!none(SCT_new_from_base64(0, id64, CT_LOG_ENTRY_TYPE_X509, TIME, "A", sig64)))
        return 0;
    SCT_free(SCT_new_from_base64(0, id64, CT_LOG_ENTRY_TYPE_X509, TIME, "AAAA", sig64));
    before = memory_blocks;
    for (left = 0; ok && refused && left < 1000; left++) {
        once_left = left;
        sct = SCT_new_from_base64(0, id64, CT_LOG_ENTRY_TYPE_X509, TIME, "AAAA", sig64);
        refused = once_refused();
        ERR_clear_error();
        ok = sct == NULL ? refused : TEST_mem_eq(sct->log_id, sct->log_id_len, log_id, 32)
            && TEST_mem_eq(sct->ext, sct->ext_len, "\0\0\0", 3)
            && TEST_mem_eq(sct->sig, sct->sig_len, ecdsa + 4, 5);
        SCT_free(sct);
        ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    OPENSSL_free(id64);
    OPENSSL_free(sig64);
    return ok && TEST_false(refused);
}

int setup_tests(void)
{
    add_test("each field is set from its parameter", fields);
    add_test("a precertificate is told from a certificate", precert);
    add_test("a timestamp has 64 bits", timestamp);
    add_test("an empty string means no extensions", no_extensions);
    add_test("extensions of each length keep their last bytes", lengths);
    add_test("an RSA signature is told from an ECDSA one", rsa_signature);
    add_test("it is yet to be validated", yet_to_be);
    add_test("another version is refused", versions);
    add_test("a log ID of another length is refused", id_lengths);
    add_test("what is no base64 is refused", no_base64);
    add_test("a signature that is none is refused", no_signature);
    add_test("another entry type is refused", types);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("a lack of memory gives NULL and leaks nothing", no_memory);
    return 1;
}
