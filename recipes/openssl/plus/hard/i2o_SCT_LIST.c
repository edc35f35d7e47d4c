/*---
 * tasks: [i2o_SCT_LIST-0f002e, i2o_SCT_LIST-0f002e.2]
 * tests:
 *   a list is written as RFC 6962 says: 'ct.h: "Serialize (to TLS format) a stack"; RFC 6962, 3.3.'
 *   lists and SCTs beyond 255 bytes have two bytes of length: 'RFC 6962, 3.3: <1..2^16-1>.'
 *   other versions are among them: 'RFC 6962, 3.3: opaque SerializedSCT.'
 *   without a place the length is told: 'ct.h: "just return the length of what would have been serialized".'
 *   a place that is there is written to and passed: 'd2i_SCT_LIST(3), by d2i_X509(3): "incremented to point after".'
 *   a new string begins at the start: 'ct.h: "will allocate a new pointer for data".'
 *   the longest list is written: 'ct_local.h: MAX_SCT_LIST_SIZE; o2i_SCT_LIST takes as many bytes.'
 *   a longer list is refused: 'ct_local.h: MAX_SCT_LIST_SIZE; o2i_SCT_LIST refuses it.'
 *   a list with an incomplete SCT is refused: 'ct.h: "Returns < 0 on error"; SCT_is_complete.'
 *   a refusal hands nothing over:
 *     'ct.h: "responsible for freeing (only if function returns successfully)"; the caller''s place stays.'
 *   what was written can be read: 'ct.h: o2i_SCT_LIST parses it.'
 *   the list stays as it was: 'Signature: const STACK_OF(SCT) *.'
 *   without memory it fails: 'ct.h: "Returns < 0 on error".'
 *   nothing is leaked or freed twice: 'ct.h: the caller frees what is returned.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_sct.h"

static unsigned char want[300000], got[300000];

/* The list of those that aren't NULL. */
static STACK_OF(SCT) *list(SCT *a, SCT *b, SCT *c)
{
    STACK_OF(SCT) *sk = sk_SCT_new_null();

    if (a != NULL)
        sk_SCT_push(sk, a);
    if (b != NULL)
        sk_SCT_push(sk, b);
    if (c != NULL)
        sk_SCT_push(sk, c);
    return sk;
}

static size_t encoded(const STACK_OF(SCT) *sk)
{
    unsigned char *p = want + 2;
    int i;

    for (i = 0; i < sk_SCT_num(sk); i++) {
        size_t length = plus_encode(sk_SCT_value(sk, i), p + 2);

        plus_put(p, length, 2);
        p += 2 + length;
    }
    plus_put(want, p - want - 2, 2);
    return p - want;
}

/* Writes it in each of the three ways; frees it. */
static int writes(STACK_OF(SCT) *sk)
{
    size_t length = encoded(sk);
    unsigned char *p = got, *out = NULL;
    int ok;

    memset(got, 0x5c, length + 8);
    ok = TEST_int_eq(i2o_SCT_LIST(sk, NULL), (int)length)
        && TEST_int_eq(i2o_SCT_LIST(sk, &p), (int)length)
        && TEST_ptr_eq(p, got + length)
        && TEST_mem_eq(got, length, want, length)
        && TEST_int_eq(got[length], 0x5c) && TEST_int_eq(got[length + 7], 0x5c)
        && TEST_int_eq(i2o_SCT_LIST(sk, &out), (int)length) && TEST_ptr(out)
        && TEST_mem_eq(out, length, want, length);
    if (ok)
        OPENSSL_free(out);
    SCT_LIST_free(sk);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refuses(STACK_OF(SCT) *sk)
{
    unsigned char *p = got, *out = NULL;
    int ok = TEST_int_lt(i2o_SCT_LIST(sk, NULL), 0)
        & TEST_int_lt(i2o_SCT_LIST(sk, &p), 0)
        & TEST_ptr_eq(p, got)
        & TEST_int_lt(i2o_SCT_LIST(sk, &out), 0)
        & TEST_ptr_null(out);

    SCT_LIST_free(sk);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static SCT *any(int fill)
{
    return plus_sct(fill, 0x16f9a3b4c5d + fill, fill % 3, 70 + fill % 3);
}

static int as_rfc(void)
{
    return writes(list(any(1), NULL, NULL)) && writes(list(any(4), any(5), NULL))
        && writes(list(any(7), any(7), any(9)));
}

static int long_ones(void)
{
    return writes(list(plus_sct(1, 5, 0, 300), NULL, NULL))
        && writes(list(plus_sct(1, 5, 500, 71), any(2), plus_sct(1, 5, 2, 209)))
        && writes(list(plus_sct(1, 5, 10000, 20000), plus_sct(2, 6, 20000, 10000), NULL));
}

static int others(void)
{
    return writes(list(plus_unknown_sct(1, 1), any(2), plus_unknown_sct(255, 300)))
        && writes(list(any(2), plus_unknown_sct(9, 47), any(3)));
}

static int length_told(void)
{
    STACK_OF(SCT) *sk = list(plus_sct(1, 5, 0, 71), plus_sct(1, 5, 9, 70), plus_unknown_sct(2, 10));
    int ok = TEST_int_eq(i2o_SCT_LIST(sk, NULL), 2 + 2 + 118 + 2 + 126 + 2 + 10);

    SCT_LIST_free(sk);
    return ok;
}

static int passed(void)
{
    STACK_OF(SCT) *a = list(any(1), any(2), NULL), *b = list(any(3), NULL, NULL);
    unsigned char *p = got;
    size_t one, two = 0;
    int ok = TEST_int_gt(i2o_SCT_LIST(a, &p), 0) && TEST_int_gt(i2o_SCT_LIST(b, &p), 0);

    one = encoded(a);
    ok = ok && TEST_mem_eq(got, one, want, one);
    two = encoded(b);
    ok = ok && TEST_mem_eq(got + one, p - got - one, want, two);
    SCT_LIST_free(a);
    SCT_LIST_free(b);
    return ok;
}

static int allocated(void)
{
    STACK_OF(SCT) *sk = list(any(1), plus_sct(3, 4, 5, 400), any(2));
    unsigned char *out = NULL;
    size_t length = encoded(sk);
    int ok = TEST_int_eq(i2o_SCT_LIST(sk, &out), (int)length) && TEST_ptr(out)
        && TEST_mem_eq(out, length, want, length);

    if (ok)
        OPENSSL_free(out);
    SCT_LIST_free(sk);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int longest(void)
{
    return writes(list(plus_unknown_sct(5, 65535 - 4), NULL, NULL))
        && writes(list(plus_sct(3, 5, 0, 70), plus_unknown_sct(5, 65535 - 6 - 117), NULL));
}

static int longer(void)
{
    return refuses(list(plus_unknown_sct(5, 65536 - 4), NULL, NULL))
        && refuses(list(plus_sct(3, 5, 0, 70), plus_unknown_sct(5, 65536 - 6 - 117), NULL))
        && refuses(list(plus_unknown_sct(5, 65535), NULL, NULL))
        && refuses(list(plus_unknown_sct(5, 40000), plus_unknown_sct(5, 40000), NULL))
        && refuses(list(plus_unknown_sct(5, 65536), any(2), NULL));
}

static SCT *incomplete(int n)
{
    SCT *sct = any(7);

    if (n == 0) {
        OPENSSL_free(sct->log_id);
        sct->log_id = NULL;
        sct->log_id_len = 0;
    } else if (n == 1) {
        sct->hash_alg = 99;
    } else {
        sct->version = SCT_VERSION_NOT_SET;
    }
    return sct;
}

static int is_refused(void)
{
    int i, ok = 1;

    for (i = 0; i < 9; i++) {
        STACK_OF(SCT) *sk = list(i / 3 == 0 ? incomplete(i % 3) : any(1),
                                 i / 3 == 1 ? incomplete(i % 3) : any(2),
                                 i / 3 == 2 ? incomplete(i % 3) : any(3));

        ok &= TEST_int_lt(i2o_SCT_LIST(sk, NULL), 0);
        SCT_LIST_free(sk);
    }
    ERR_clear_error();
    return ok;
}

static int hands_nothing(void)
{
    return refuses(list(incomplete(0), NULL, NULL)) && refuses(list(any(1), incomplete(1), NULL))
        && refuses(list(any(1), any(2), incomplete(2)));
}

static int read_back(void)
{
    STACK_OF(SCT) *sk = list(any(1), plus_unknown_sct(3, 300), any(2)), *back = NULL;
    unsigned char *out = NULL;
    const unsigned char *in;
    int length = i2o_SCT_LIST(sk, &out), i, ok;

    in = out;
    ok = TEST_int_gt(length, 0) && TEST_ptr(back = o2i_SCT_LIST(NULL, &in, length))
        && TEST_int_eq(sk_SCT_num(back), 3);
    for (i = 0; ok && i < 3; i++) {
        size_t one = plus_encode(sk_SCT_value(sk, i), want);

        ok = TEST_size_t_eq(plus_encode(sk_SCT_value(back, i), got), one)
            && TEST_mem_eq(got, one, want, one);
    }
    OPENSSL_free(out);
    SCT_LIST_free(back);
    SCT_LIST_free(sk);
    return ok;
}

static int stays(void)
{
    SCT *a = any(1), *b = plus_unknown_sct(4, 30);
    SCT first = *a, second = *b;
    STACK_OF(SCT) *sk = list(a, b, NULL);
    unsigned char *p = got;
    int ok = TEST_int_gt(i2o_SCT_LIST(sk, NULL), 0) && TEST_int_gt(i2o_SCT_LIST(sk, &p), 0)
        && TEST_int_eq(sk_SCT_num(sk), 2)
        && TEST_ptr_eq(sk_SCT_value(sk, 0), a) && TEST_ptr_eq(sk_SCT_value(sk, 1), b)
        && TEST_mem_eq(a, sizeof(*a), &first, sizeof(first))
        && TEST_mem_eq(b, sizeof(*b), &second, sizeof(second));

    SCT_LIST_free(sk);
    return ok;
}

static int no_memory(void)
{
    STACK_OF(SCT) *sk = list(any(1), any(2), NULL);
    unsigned char *out = NULL;
    int ok;

    memory_left = 0;
    ok = TEST_int_lt(i2o_SCT_LIST(sk, &out), 0) & TEST_ptr_null(out);
    memory_left = -1;
    ERR_clear_error();
    SCT_LIST_free(sk);
    return ok;
}

static int balanced(void)
{
    long before;

    is_refused();
    before = memory_blocks;
    return as_rfc() && others() && allocated() && hands_nothing() && longer() && read_back()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("a list is written as RFC 6962 says", as_rfc);
    add_test("lists and SCTs beyond 255 bytes have two bytes of length", long_ones);
    add_test("other versions are among them", others);
    add_test("without a place the length is told", length_told);
    add_test("a place that is there is written to and passed", passed);
    add_test("a new string begins at the start", allocated);
    add_test("the longest list is written", longest);
    add_test("a longer list is refused", longer);
    add_test("a list with an incomplete SCT is refused", is_refused);
    add_test("a refusal hands nothing over", hands_nothing);
    add_test("what was written can be read", read_back);
    add_test("the list stays as it was", stays);
    add_test("without memory it fails", no_memory);
    add_test("nothing is leaked or freed twice", balanced);
    return 1;
}
