/*---
 * tasks: [PKCS1_MGF1-051f70.16]
 * tests:
 *   the MAC is copied:
 *     'Comment: "copies |md_size| bytes from the end of the record in |recdata| to |*mac|".'
 *   it is found wherever it begins: 'Comment: "|reclen| may vary within a 256-byte window".'
 *   all sizes of a MAC are copied: 'Comment: "mac_size <= EVP_MAX_MD_SIZE".'
 *   a wrong padding gives a random MAC:
 *     'Comment: "If the padding was not good we emit a random MAC".'
 *   a stream cipher gets a pointer into the record:
 *     'ssl3_cbc_remove_padding_and_mac: "a pointer inside |recdata|".'
 *   no MAC is nothing to do:
 *     'Signature: mac_size, of which 0 bytes are copied.'
 *   a failed allocation is told and nothing is leaked:
 *     'Callers: the caller frees *mac if *alloced.'
 *   no randomness is an error: 'RAND_bytes(3): "1 on success"; a random MAC cannot be had.'
 *   the random MAC is from the library context: 'Signature: OSSL_LIB_CTX *libctx.'
 *   nothing outside the record is read: 'Signature: origreclen, recdata.'
 *   the place of the MAC cannot be told by the way taken:
 *     'Comment: "in constant time (independent of the concrete value of the record length".'
 * flags: ["-fsanitize-coverage=trace-pc", "-fsanitize=kernel-address",
 *         "--param=asan-instrumentation-with-call-threshold=0", "--param=asan-globals=0",
 *         "--param=asan-stack=0"]
 ---*/
#include "pc_reads.h"
#include "../../ssl/record/methods/tls_pad.c"
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"
#include "pc_records.h"
#include "pc_paths.h"
#include "fixed_random.h"

static int copies(size_t mac_size, size_t padding, size_t good)
{
    size_t whole = reclen;

    reclen -= padding;
    return ssl3_cbc_copy_mac(&reclen, whole, rec, &found_mac, &was_alloced, 16, mac_size,
                             good, NULL);
}

static int t0(void)
{
    record(20, 20, 8);
    if (!TEST_int_eq(copies(20, 8, SIZE_MAX), 1) || !TEST_int_eq(was_alloced, 1)
            || !mac_found(20, 20, 1))
        return 0;
    record(0, 32, 1);
    return TEST_int_eq(copies(32, 1, SIZE_MAX), 1) && mac_found(0, 32, 1);
}

static int t1(void)
{
    size_t padding, content;

    for (padding = 1; padding <= 256; padding++)
        for (content = 0; content < 500; content += 167) {
            record(content + padding % 70, 20, padding);
            if (!TEST_int_eq(copies(20, padding, SIZE_MAX), 1)
                    || !mac_found(content + padding % 70, 20, 1))
                return 0;
        }
    return 1;
}

static int t2(void)
{
    size_t size, content;

    for (size = 1; size <= 64; size++)
        for (content = 0; content < 70; content += 3) {
            record(content, size, 5);
            if (!TEST_int_eq(copies(size, 5, SIZE_MAX), 1) || !mac_found(content, size, 1))
                return 0;
        }
    return 1;
}

static int t3(void)
{
    unsigned char first[20];

    record(30, 20, 6);
    if (!TEST_int_eq(copies(20, 6, 0), 1) || !TEST_ptr(found_mac))
        return 0;
    memcpy(first, found_mac, 20);
    if (!mac_found(30, 20, 0))
        return 0;
    record(30, 20, 6);
    return TEST_int_eq(copies(20, 6, 0), 1) && TEST_mem_ne(found_mac, 20, first, 20)
        && mac_found(30, 20, 0);
}

static int t4(void)
{
    record(30, 20, 0);
    was_alloced = 1;
    return TEST_int_eq(ssl3_cbc_copy_mac(&reclen, reclen, rec, &found_mac, &was_alloced, 1, 20,
                                         SIZE_MAX, NULL), 1)
        && TEST_int_eq(was_alloced, 0) && TEST_ptr_eq(found_mac, rec + 30)
        && mac_found(30, 20, 1);
}

static int t5(void)
{
    record(30, 0, 2);
    return TEST_int_eq(copies(0, 2, SIZE_MAX), 1) && TEST_size_t_eq(reclen, 30)
        && TEST_int_eq(was_alloced, 0);
}

static int t7(void)
{
    long before;
    int result;

    if (!t0() || !t3())
        return 0;
    before = memory_blocks;
    if (!t0() || !t1() || !t2() || !t3() || !t4() || !t5())
        return 0;
    record(30, 20, 6);
    memory_left = 0;
    result = copies(20, 6, SIZE_MAX);
    memory_left = -1;
    ERR_clear_error();
    return TEST_int_eq(result, 0) && TEST_long_le(memory_blocks, before + 1);
}

static int give_none(unsigned char *buf, int num)
{
    return 0;
}

static int give_sixes(unsigned char *buf, int num)
{
    memset(buf, 6, num);
    return 1;
}

static RAND_METHOD none = { NULL, give_none, NULL, NULL, give_none, NULL };
static RAND_METHOD sixes = { NULL, give_sixes, NULL, NULL, give_sixes, NULL };

static int t8(void)
{
    int result;

    record(30, 20, 6);
    RAND_set_rand_method(&none);
    result = copies(20, 6, 0);
    RAND_set_rand_method(NULL);
    ERR_clear_error();
    if (was_alloced)
        OPENSSL_free(found_mac);
    return TEST_int_eq(result, 0);
}

static int t9(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    long before;
    int ok = TEST_ptr(libctx) && TEST_true(plus_fixed_random(libctx));

    before = plus_random_bytes_given;
    record(30, 20, 6);
    reclen -= 6;
    ok = ok && TEST_int_eq(ssl3_cbc_copy_mac(&reclen, reclen + 6, rec, &found_mac, &was_alloced,
                                             16, 20, 0, libctx), 1)
        && mac_found(30, 20, 0) && TEST_long_ge(plus_random_bytes_given, before + 20);
    fake_rand_finish(plus_random_provider);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

/* The way, and what is read of the record, with this padding of 300 bytes. */
static unsigned long way_of(size_t mac_size, size_t padding, size_t good)
{
    unsigned long way;
    size_t whole = 300;

    record(300 - mac_size - padding, mac_size, padding);
    reclen = 300 - padding;
    plus_reads_begin(rec, whole);
    plus_way_begins();
    ssl3_cbc_copy_mac(&reclen, whole, rec, &found_mac, &was_alloced, 16, mac_size, good, NULL);
    way = plus_way_ends();
    way ^= plus_reads_end();
    if (was_alloced)
        OPENSSL_free(found_mac);
    return way;
}

static unsigned char wide[3 * 4096];

static int reads_inside(size_t size, size_t mac_size, size_t padding)
{
    int ok;

    memset(wide, 3, sizeof(wide));
    reclen = size - padding;
    was_alloced = 0;
    plus_reads_begin(wide + 4096, size);
    ok = TEST_int_eq(ssl3_cbc_copy_mac(&reclen, size, wide + 4096, &found_mac, &was_alloced, 16,
                                       mac_size, SIZE_MAX, NULL), 1);
    plus_reads_end();
    if (was_alloced)
        OPENSSL_free(found_mac);
    return ok && TEST_long_eq(plus_reads_outside, 0);
}

static int t11(void)
{
    return reads_inside(21, 20, 1) && reads_inside(40, 32, 8) && reads_inside(276, 20, 256)
        && reads_inside(277, 20, 256) && reads_inside(600, 48, 1) && reads_inside(600, 64, 256);
}

static int t10(void)
{
    static const size_t sizes[] = { 16, 20, 32, 48, 64 };
    size_t i, padding;
    int ok = 1;

    RAND_set_rand_method(&sixes);
    for (i = 0; i < 5 && ok; i++) {
        unsigned long first;

        way_of(sizes[i], 1, SIZE_MAX);
        first = way_of(sizes[i], 1, SIZE_MAX);
        ok = TEST_ulong_eq(way_of(sizes[i], 1, 0), first);
        for (padding = 2; padding <= 300 - sizes[i] && padding <= 256 && ok; padding++)
            ok = TEST_ulong_eq(way_of(sizes[i], padding, padding % 3 == 0 ? 0 : SIZE_MAX), first);
    }
    RAND_set_rand_method(NULL);
    return ok;
}

int setup_tests(void)
{
    add_test("the MAC is copied", t0);
    add_test("it is found wherever it begins", t1);
    add_test("all sizes of a MAC are copied", t2);
    add_test("a wrong padding gives a random MAC", t3);
    add_test("a stream cipher gets a pointer into the record", t4);
    add_test("no MAC is nothing to do", t5);
    add_test("a failed allocation is told and nothing is leaked", t7);
    add_test("no randomness is an error", t8);
    add_test("the random MAC is from the library context", t9);
    add_test("nothing outside the record is read", t11);
    add_test("the place of the MAC cannot be told by the way taken", t10);
    return 1;
}
