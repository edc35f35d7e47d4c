/*---
 * tasks: [i2o_SCT_LIST-0f002e.2]
 * tests:
 *   an SCT is written as RFC 6962 says: 'ct.h: "Serialize (to TLS format)"; RFC 6962, 3.2.'
 *   extensions are written with their length: 'RFC 6962, 3.2: CtExtensions extensions.'
 *   long signatures and extensions have two bytes of length: 'RFC 6962, 3.2: <0..2^16-1>.'
 *   each byte of the timestamp has its place: 'RFC 6962, 3.2: uint64 timestamp.'
 *   without a place the length is told: 'ct.h: "no SCT will be output but the length will still be returned".'
 *   a place that is there is written to and passed:
 *     'ct.h: "will be written to it"; i2d_SCT_LIST(3) by d2i_X509(3): "incremented to point after".'
 *   a string is allocated where there is none:
 *     'ct.h: "a string will be allocated"; it points to the start, the caller frees it.'
 *   another version is written as it was read: 'ct_local.h: "this contains the encoded SCT".'
 *   an SCT that lacks something is refused: 'ct_local.h: SCT_is_complete; a negative value.'
 *   a refusal writes nothing: 'ct.h; i2o_SCT_LIST goes on with the same place.'
 *   what was written can be read: 'ct.h: o2i_SCT parses it.'
 *   the SCT stays as it was: 'Signature: const SCT *; ct_test.c writes it again.'
 *   without memory it fails: 'Signature: int, -1 on error; nothing is handed over.'
 *   nothing is leaked or freed twice: 'ct.h: the string is the caller''s to free.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_sct.h"

static unsigned char want[140000], got[140000];

/* Does it write the expected bytes to a place, and no more? Frees the SCT. */
static int writes(SCT *sct)
{
    size_t length = plus_encode(sct, want);
    unsigned char *p = got;
    int ok;

    memset(got, 0x5c, length + 8);
    ok = TEST_int_eq(i2o_SCT(sct, &p), (int)length)
        && TEST_ptr_eq(p, got + length)
        && TEST_mem_eq(got, length, want, length)
        && TEST_int_eq(got[length], 0x5c) && TEST_int_eq(got[length + 7], 0x5c)
        && TEST_int_eq(i2o_SCT(sct, NULL), (int)length);
    SCT_free(sct);
    return ok;
}

static int refuses(SCT *sct)
{
    unsigned char *p = got, *none = NULL;
    int ok;

    memset(got, 0x5c, 400);
    ok = TEST_int_lt(i2o_SCT(sct, NULL), 0)
        & TEST_int_lt(i2o_SCT(sct, &p), 0)
        & TEST_ptr_eq(p, got) & TEST_int_eq(got[0], 0x5c) & TEST_int_eq(got[50], 0x5c)
        & TEST_int_lt(i2o_SCT(sct, &none), 0) & TEST_ptr_null(none);
    SCT_free(sct);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int as_rfc(void)
{
    return writes(plus_sct(1, 0x0123456789abcdef, 0, 71)) && writes(plus_sct(200, 1, 0, 1));
}

static int extensions(void)
{
    return writes(plus_sct(9, 5, 1, 71)) && writes(plus_sct(10, 5, 17, 70))
        && writes(plus_sct(10, 5, 255, 3));
}

static int long_parts(void)
{
    return writes(plus_sct(9, 5, 0, 256)) && writes(plus_sct(9, 5, 256, 71))
        && writes(plus_sct(9, 5, 300, 513)) && writes(plus_sct(9, 5, 20000, 33000));
}

static int timestamps(void)
{
    int i;

    for (i = 0; i < 8; i++)
        if (!writes(plus_sct(3, UINT64_C(0x9b) << 8 * i, 0, 70)))
            return 0;
    return writes(plus_sct(3, UINT64_MAX, 2, 70)) && writes(plus_sct(3, 0, 2, 70));
}

static int length_told(void)
{
    SCT *sct = plus_sct(3, 5, 12, 71);
    int ok = TEST_int_eq(i2o_SCT(sct, NULL), 1 + 32 + 8 + 2 + 12 + 2 + 2 + 71);

    SCT_free(sct);
    sct = plus_sct(3, 5, 0, 1);
    ok &= TEST_int_eq(i2o_SCT(sct, NULL), 48);
    SCT_free(sct);
    sct = plus_unknown_sct(4, 9);
    ok &= TEST_int_eq(i2o_SCT(sct, NULL), 9);
    SCT_free(sct);
    return ok;
}

static int passed(void)
{
    SCT *a = plus_sct(3, 5, 0, 71), *b = plus_sct(30, 6, 4, 70), *c = plus_unknown_sct(7, 5);
    size_t length = plus_encode(a, want);
    unsigned char *p = got;
    int ok;

    length += plus_encode(b, want + length);
    length += plus_encode(c, want + length);
    ok = TEST_int_gt(i2o_SCT(a, &p), 0) && TEST_int_gt(i2o_SCT(b, &p), 0)
        && TEST_int_eq(i2o_SCT(c, &p), 5)
        && TEST_mem_eq(got, p - got, want, length);
    SCT_free(a);
    SCT_free(b);
    SCT_free(c);
    return ok;
}

static int allocates(SCT *sct)
{
    size_t length = plus_encode(sct, want);
    unsigned char *out = NULL;
    int ok = TEST_int_eq(i2o_SCT(sct, &out), (int)length) && TEST_ptr(out)
        && TEST_mem_eq(out, length, want, length);

    if (ok)
        OPENSSL_free(out);
    SCT_free(sct);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int allocated(void)
{
    return allocates(plus_sct(3, 5, 0, 71)) && allocates(plus_sct(3, 5, 9, 300))
        && allocates(plus_unknown_sct(1, 20));
}

static int versions(void)
{
    return writes(plus_unknown_sct(1, 1)) && writes(plus_unknown_sct(1, 47))
        && writes(plus_unknown_sct(255, 48)) && writes(plus_unknown_sct(2, 30000));
}

/* The n-th SCT that lacks something. */
static SCT *lacking(int n)
{
    SCT *sct = plus_sct(3, 5, 4, n == 2 ? 0 : 71);

    if (n == 0) {
        OPENSSL_free(sct->log_id);
        sct->log_id = NULL;
        sct->log_id_len = 0;
    } else if (n == 1) {
        sct->hash_alg = 99;
    } else if (n == 3) {
        sct->version = SCT_VERSION_NOT_SET;
    } else if (n == 4) {
        sct->version = 1;
    } else if (n == 5) {
        sct->sig_alg = 99;
    }
    return sct;
}

static int lacks(void)
{
    unsigned char *p = got;
    int i, ok = 1;

    for (i = 0; i < 6; i++) {
        SCT *sct = lacking(i);

        ok &= TEST_int_lt(i2o_SCT(sct, NULL), 0) & TEST_int_lt(i2o_SCT(sct, &p), 0);
        SCT_free(sct);
    }
    ERR_clear_error();
    return ok;
}

static int writes_nothing(void)
{
    int i;

    for (i = 0; i < 6; i++)
        if (!refuses(lacking(i)))
            return 0;
    return 1;
}

static int reads(SCT *sct)
{
    unsigned char *p = got;
    const unsigned char *in = got;
    int length = i2o_SCT(sct, &p), ok;
    SCT *back = length <= 0 ? NULL : o2i_SCT(NULL, &in, length);

    ok = TEST_ptr(back) && TEST_int_eq(back->version, sct->version)
        && TEST_uint64_t_eq(back->timestamp, sct->timestamp)
        && TEST_mem_eq(back->ext, back->ext_len, sct->ext, sct->ext_len)
        && TEST_mem_eq(back->sig, back->sig_len, sct->sig, sct->sig_len)
        && TEST_mem_eq(back->sct, back->sct_len, sct->sct, sct->sct_len);
    SCT_free(back);
    SCT_free(sct);
    return ok;
}

static int read_back(void)
{
    return reads(plus_sct(3, 0x112233445566, 0, 71)) && reads(plus_sct(4, 77, 40, 70))
        && reads(plus_unknown_sct(3, 40));
}

static int stays(void)
{
    SCT *sct = plus_sct(3, 0x112233445566, 6, 71), before = *sct;
    unsigned char *p = got;
    size_t length = plus_encode(sct, want);
    int ok = TEST_int_gt(i2o_SCT(sct, NULL), 0) && TEST_int_gt(i2o_SCT(sct, &p), 0)
        && TEST_mem_eq(sct, sizeof(*sct), &before, sizeof(before));

    ok = ok && TEST_size_t_eq(plus_encode(sct, got), length)
        && TEST_mem_eq(got, length, want, length);
    SCT_free(sct);
    return ok;
}

static int no_memory(void)
{
    SCT *sct = plus_sct(3, 5, 6, 71);
    unsigned char *out = NULL, *p = got;
    int ok;

    memory_left = 0;
    ok = TEST_int_lt(i2o_SCT(sct, &out), 0) & TEST_ptr_null(out);
    memory_left = -1;
    ERR_clear_error();
    SCT_free(sct);
    return ok;
}

static int balanced(void)
{
    long before;

    lacks();
    before = memory_blocks;
    return allocated() && as_rfc() && versions() && writes_nothing() && read_back()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("an SCT is written as RFC 6962 says", as_rfc);
    add_test("extensions are written with their length", extensions);
    add_test("long signatures and extensions have two bytes of length", long_parts);
    add_test("each byte of the timestamp has its place", timestamps);
    add_test("without a place the length is told", length_told);
    add_test("a place that is there is written to and passed", passed);
    add_test("a string is allocated where there is none", allocated);
    add_test("another version is written as it was read", versions);
    add_test("an SCT that lacks something is refused", lacks);
    add_test("a refusal writes nothing", writes_nothing);
    add_test("what was written can be read", read_back);
    add_test("the SCT stays as it was", stays);
    add_test("without memory it fails", no_memory);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
