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
 *     'Comment: "If no MAC then nothing to be done"; 0 if the padding is wrong.'
 *   sizes that cannot be are refused:
 *     'Comment: "On entry: origreclen >= mac_size, mac_size <= EVP_MAX_MD_SIZE".'
 *   a failed allocation is told and nothing is leaked:
 *     'Callers: the caller frees *mac if *alloced.'
 ---*/
#include "../../ssl/record/methods/tls_pad.c"
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"
#include "pc_records.h"

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
        && TEST_int_eq(was_alloced, 0) && TEST_int_eq(copies(0, 0, 0), 0);
}

static int t6(void)
{
    record(30, 20, 0);
    reclen = 19;
    if (!TEST_int_eq(copies(20, 0, SIZE_MAX), 0))
        return 0;
    reclen = 100;
    return TEST_int_eq(copies(EVP_MAX_MD_SIZE + 1, 0, SIZE_MAX), 0)
        && TEST_int_eq(was_alloced, 0);
}

static int t7(void)
{
    long before;
    int result;

    if (!t0() || !t3())
        return 0;
    before = memory_blocks;
    if (!t0() || !t1() || !t2() || !t3() || !t4() || !t5() || !t6())
        return 0;
    record(30, 20, 6);
    memory_left = 0;
    result = copies(20, 6, SIZE_MAX);
    memory_left = -1;
    ERR_clear_error();
    return TEST_int_eq(result, 0) && TEST_long_le(memory_blocks, before + 1);
}

int setup_tests(void)
{
    add_test("the MAC is copied", t0);
    add_test("it is found wherever it begins", t1);
    add_test("all sizes of a MAC are copied", t2);
    add_test("a wrong padding gives a random MAC", t3);
    add_test("a stream cipher gets a pointer into the record", t4);
    add_test("no MAC is nothing to do", t5);
    add_test("sizes that cannot be are refused", t6);
    add_test("a failed allocation is told and nothing is leaked", t7);
    return 1;
}
