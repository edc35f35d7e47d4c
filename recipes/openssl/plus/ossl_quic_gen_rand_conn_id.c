/*---
 * tasks: [88C2FB6CC13F3260]
 * tests:
 *   every length up to the maximum is generated: 'Docstring: "of the given length", "1 on success"; RFC 9000 17.2: up
 *     to 20 bytes.'
 *   longer ones are refused: 'Docstring: "0 on failure"; QUIC_MAX_CONN_ID_LEN is the size of the field.'
 *   a length that only looks short when cut to a byte is refused: 'The same: len is a size_t, the field of the length
 *     a byte.'
 *   nothing is written outside the ID: 'QUIC_CONN_ID has room for QUIC_MAX_CONN_ID_LEN bytes.'
 *   every byte is random: 'Docstring: "a random CID".'
 *   the generator is that of the library context: 'Parameter libctx.'
 *   the default context is used for NULL: 'Docstring: "libctx may be NULL".'
 *   a generator that fails is a failure: 'Docstring: "0 on failure"; RAND_bytes_ex(3).'
 ---*/
#include "internal/quic_types.h"
#include <openssl/rand.h>
#include "testutil.h"

static OSSL_LIB_CTX *ctx;
static int generator_works = 1, generator_calls;

static int generate(unsigned char *out, size_t outlen, const char *name, EVP_RAND_CTX *rand)
{
    size_t i;

    generator_calls++;
    for (i = 0; i < outlen; i++)
        out[i] = (unsigned char)(0x10 + i);
    return generator_works;
}

/* The ID lies between bytes that must stay as they are. */
static struct {
    unsigned char before[16];
    QUIC_CONN_ID cid;
    unsigned char after[64];
} memory;

static int is_untouched(const unsigned char *bytes, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        if (!TEST_int_eq(bytes[i], 0x5A))
            return 0;
    return 1;
}

static int call(OSSL_LIB_CTX *libctx, size_t len)
{
    int result;

    memset(&memory, 0x5A, sizeof(memory));
    result = ossl_quic_gen_rand_conn_id(libctx, len, &memory.cid);
    if (!is_untouched(memory.before, sizeof(memory.before)) || !is_untouched(memory.after, sizeof(memory.after)))
        return -1;
    return result;
}

static int every_length(void)
{
    size_t len;

    for (len = 0; len <= QUIC_MAX_CONN_ID_LEN; len++)
        if (!TEST_int_eq(call(NULL, len), 1) || !TEST_size_t_eq(memory.cid.id_len, len))
            return 0;
    return 1;
}

static int longer(void)
{
    return TEST_int_eq(call(NULL, QUIC_MAX_CONN_ID_LEN + 1), 0) && TEST_int_eq(call(NULL, 32), 0)
        && TEST_int_eq(call(NULL, 64), 0);
}

static int cut(void)
{
    return TEST_int_eq(call(NULL, 256), 0) && TEST_int_eq(call(NULL, 256 + 8), 0)
        && TEST_int_eq(call(NULL, ((size_t)1 << 32) + 8), 0) && TEST_int_eq(call(NULL, SIZE_MAX), 0);
}

/* call() looks at what lies around the ID. */
static int outside(void)
{
    size_t len;

    for (len = 0; len < 80; len++)
        if (!TEST_int_eq(call(NULL, len), len <= QUIC_MAX_CONN_ID_LEN))
            return 0;
    return 1;
}

static int every_byte(void)
{
    unsigned char expected[QUIC_MAX_CONN_ID_LEN];
    size_t len, i;

    for (i = 0; i < sizeof(expected); i++)
        expected[i] = (unsigned char)(0x10 + i);
    for (len = 1; len <= QUIC_MAX_CONN_ID_LEN; len++)
        if (!TEST_int_eq(call(ctx, len), 1) || !TEST_mem_eq(memory.cid.id, len, expected, len))
            return 0;
    return 1;
}

static int of_the_context(void)
{
    generator_calls = 0;
    return TEST_int_eq(call(ctx, 8), 1) && TEST_int_gt(generator_calls, 0);
}

static int default_context(void)
{
    QUIC_CONN_ID first;

    generator_calls = 0;
    if (!TEST_int_eq(call(NULL, 20), 1))
        return 0;
    first = memory.cid;
    return TEST_int_eq(call(NULL, 20), 1)
        && TEST_int_eq(generator_calls, 0)
        && TEST_mem_ne(first.id, 20, memory.cid.id, 20);
}

static int failing(void)
{
    int result;

    generator_works = 0;
    result = call(ctx, 8);
    generator_works = 1;
    return TEST_int_eq(result, 0) && TEST_int_eq(call(ctx, 8), 1) && TEST_size_t_eq(memory.cid.id_len, 8);
}

static OSSL_PROVIDER *fake;

int setup_tests(void)
{
    if (!TEST_ptr(ctx = OSSL_LIB_CTX_new()) || !TEST_ptr(fake = fake_rand_start(ctx)))
        return 0;
    fake_rand_set_public_private_callbacks(ctx, generate);
    add_test("every length up to the maximum is generated", every_length);
    add_test("longer ones are refused", longer);
    add_test("a length that only looks short when cut to a byte is refused", cut);
    add_test("nothing is written outside the ID", outside);
    add_test("every byte is random", every_byte);
    add_test("the generator is that of the library context", of_the_context);
    add_test("the default context is used for NULL", default_context);
    add_test("a generator that fails is a failure", failing);
    return 1;
}

void cleanup_tests(void)
{
    fake_rand_finish(fake);
    OSSL_LIB_CTX_free(ctx);
}
