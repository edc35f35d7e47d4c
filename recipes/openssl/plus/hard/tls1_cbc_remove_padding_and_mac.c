/*---
 * tasks: [PKCS1_MGF1-051f70.16]
 * tests:
 *   padding and MAC are removed:
 *     'Comment: "removes padding ... by updating |reclen|"; "extracts the MAC".'
 *   paddings of all lengths are removed:
 *     'Comment: "maximum amount of padding, inc length byte": 256; RFC 5246, 6.2.3.2.'
 *   an empty record is right: 'RFC 5246, 6.2.1: zero-length fragments.'
 *   each wrong byte of the padding counts:
 *     'RFC 5246, 6.2.3.2: "Each uint8 in the padding data vector MUST be filled with the padding
 *     length value. The receiver MUST check this padding".'
 *   a padding longer than the record is wrong:
 *     'Comment: "If the padding removal fails then the MAC returned is random".'
 *   a record that is too short is invalid: 'Comment: "0: if the record is publicly invalid".'
 *   without a MAC a wrong padding is invalid:
 *     'RFC 5246, 6.2.3.2: "The receiver MUST check this padding"; tls1_meth.c, tls1_cipher: "If
 *     using Mac-then-encrypt, then this will succeed", else it is to fail, as no MAC can.'
 *   an AEAD cipher has checked its MAC:
 *     'Comment: "aead: 1 if an AEAD cipher is in use"; tls1_meth.c, tls1_cipher: "AEAD can fail to
 *     verify MAC" before, pad counts the tag, macs is NULL.'
 *   a stream cipher has no padding:
 *     'RFC 5246, 6.2.3.1: GenericStreamCipher, content and MAC alone; tls1_meth.c, tls1_cipher:
 *     block size 1.'
 *   nothing is leaked: 'Comment: "If allocated then |*alloced| is set to 1".'
 *   without a MAC no place is asked for:
 *     'tls1_meth.c: tls1_cipher gives NULL where there is none.'
 *   the random MAC is from the library context: 'Signature: OSSL_LIB_CTX *libctx.'
 *   nothing outside the record is read: 'Comment: "origreclen: the original record length".'
 *   the padding cannot be told by the way taken:
 *     'Comment: "by updating |reclen| in constant time".'
 * flags: ["-fsanitize-coverage=trace-pc", "-fsanitize=kernel-address",
 *         "--param=asan-instrumentation-with-call-threshold=0", "--param=asan-globals=0",
 *         "--param=asan-stack=0"]
 ---*/
#include "pc_reads.h"
#include "../../ssl/record/methods/tls_pad.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_records.h"
#include "pc_paths.h"
#include "fixed_random.h"

static int removes(size_t block, size_t mac_size)
{
    return tls1_cbc_remove_padding_and_mac(&reclen, reclen, rec, &found_mac, &was_alloced, block,
                                           mac_size, 0, NULL);
}

static int t0(void)
{
    record(20, 20, 8);
    if (!TEST_int_eq(removes(16, 20), 1) || !mac_found(20, 20, 1))
        return 0;
    record(100, 32, 12);
    if (!TEST_int_eq(removes(16, 32), 1) || !mac_found(100, 32, 1))
        return 0;
    record(301, 48, 3);
    return TEST_int_eq(removes(8, 48), 1) && mac_found(301, 48, 1);
}

static int t1(void)
{
    size_t padding;

    for (padding = 1; padding <= 256; padding++) {
        record(padding % 40, 20, padding);
        if (!TEST_int_eq(removes(16, 20), 1) || !mac_found(padding % 40, 20, 1))
            return 0;
        record(400, 48, padding);
        if (!TEST_int_eq(removes(16, 48), 1) || !mac_found(400, 48, 1))
            return 0;
    }
    return 1;
}

static int t2(void)
{
    record(0, 20, 12);
    if (!TEST_int_eq(removes(16, 20), 1) || !mac_found(0, 20, 1))
        return 0;
    record(0, 20, 1);
    return TEST_int_eq(removes(1 + 7, 20), 1) && mac_found(0, 20, 1);
}

static int t3(void)
{
    static const size_t paddings[] = { 2, 16, 200, 256 };
    size_t i, at;

    for (i = 0; i < 4; i++)
        for (at = 2; at <= paddings[i]; at += at < 20 || at > 240 ? 1 : 9) {
            record(300, 20, paddings[i]);
            rec[320 + paddings[i] - at] ^= at % 3 == 0 ? 0x80 : 1;
            memcpy(rec_copy, rec, sizeof(rec));
            if (!TEST_int_eq(removes(16, 20), 1) || !mac_found(300 + paddings[i], 20, 0))
                return 0;
        }
    return 1;
}

static int t4(void)
{
    record(20, 20, 8);
    memset(rec, 200, 48);
    memset(rec_mac, 200, sizeof(rec_mac));
    memcpy(rec_copy, rec, sizeof(rec));
    if (!TEST_int_eq(removes(16, 20), 1) || !mac_found(28, 20, 0))
        return 0;
    /* One more than there is room for beside the MAC. */
    record(0, 20, 12);
    memset(rec + 19, 12, 13);
    memcpy(rec_mac, rec + 12, 20);
    memcpy(rec_copy, rec, sizeof(rec));
    return TEST_int_eq(removes(16, 20), 1) && mac_found(12, 20, 0);
}

static int t5(void)
{
    record(0, 20, 0);
    if (!TEST_int_eq(removes(16, 20), 0))
        return 0;
    reclen = 3;
    if (!TEST_int_eq(removes(16, 20), 0) || !TEST_int_eq(removes(1, 20), 0))
        return 0;
    reclen = 0;
    return TEST_int_eq(removes(16, 0), 0);
}

static int t6(void)
{
    record(20, 0, 12);
    if (!TEST_int_eq(removes(16, 0), 1) || !TEST_size_t_eq(reclen, 20))
        return 0;
    record(20, 0, 12);
    rec[25] ^= 1;
    return TEST_int_eq(removes(16, 0), 0);
}

static int t7(void)
{
    record(30, 20, 14);
    return TEST_int_eq(tls1_cbc_remove_padding_and_mac(&reclen, reclen, rec, NULL, NULL, 16, 20, 1,
                                                       NULL), 1)
        && TEST_size_t_eq(reclen, 30);
}

static int t8(void)
{
    record(30, 20, 0);
    if (!TEST_int_eq(removes(1, 20), 1) || !mac_found(30, 20, 1))
        return 0;
    record(0, 20, 0);
    return TEST_int_eq(removes(1, 20), 1) && mac_found(0, 20, 1);
}

static int t9(void)
{
    long before;

    if (!t0() || !t3())
        return 0;
    before = memory_blocks;
    return t0() && t1() && t2() && t3() && t4() && t5() && t6() && t7() && t8()
        && TEST_long_eq(memory_blocks, before);
}

static int t10(void)
{
    record(20, 0, 12);
    if (!TEST_int_eq(tls1_cbc_remove_padding_and_mac(&reclen, reclen, rec, NULL, NULL, 16, 0, 0,
                                                     NULL), 1) || !TEST_size_t_eq(reclen, 20))
        return 0;
    record(20, 0, 12);
    if (!TEST_int_eq(tls1_cbc_remove_padding_and_mac(&reclen, reclen, rec, NULL, NULL, 16, 0, 1,
                                                     NULL), 1) || !TEST_size_t_eq(reclen, 20))
        return 0;
    record(20, 0, 0);
    return TEST_int_eq(tls1_cbc_remove_padding_and_mac(&reclen, reclen, rec, NULL, NULL, 1, 0, 0,
                                                       NULL), 1) && TEST_size_t_eq(reclen, 20);
}

static int t11(void)
{
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    long before;
    int ok = TEST_ptr(libctx) && TEST_true(plus_fixed_random(libctx));

    before = plus_random_bytes_given;
    record(30, 20, 6);
    rec[52] ^= 1;
    memcpy(rec_copy, rec, sizeof(rec));
    ok = ok && TEST_int_eq(tls1_cbc_remove_padding_and_mac(&reclen, reclen, rec, &found_mac,
                                                           &was_alloced, 16, 20, 0, libctx), 1)
        && mac_found(36, 20, 0) && TEST_long_ge(plus_random_bytes_given, before + 20);
    fake_rand_finish(plus_random_provider);
    OSSL_LIB_CTX_free(libctx);
    return ok;
}

static int give_sixes(unsigned char *buf, int num)
{
    memset(buf, 6, num);
    return 1;
}

static RAND_METHOD sixes = { NULL, give_sixes, NULL, NULL, give_sixes, NULL };

/* The way, and what is read of the record, of 300 bytes; `wrong` is a place from its end. */
static unsigned long way_of(size_t padding, size_t wrong)
{
    unsigned long way;

    record(280 - padding, 20, padding);
    rec[300 - wrong] ^= wrong == 0 ? 0 : 1;
    plus_reads_begin(rec, 300);
    plus_way_begins();
    removes(16, 20);
    way = plus_way_ends();
    way ^= plus_reads_end();
    if (was_alloced)
        OPENSSL_free(found_mac);
    return way;
}

static unsigned char wide[3 * 4096];

/* A record of this size, of which any byte can be the padding length. */
static int reads_inside(size_t size, size_t mac_size, int last)
{
    int ok;

    memset(wide, last, sizeof(wide));
    reclen = size;
    was_alloced = 0;
    plus_reads_begin(wide + 4096, size);
    ok = TEST_int_eq(tls1_cbc_remove_padding_and_mac(&reclen, size, wide + 4096, &found_mac,
                                                     &was_alloced, 16, mac_size, 0, NULL), 1);
    plus_reads_end();
    if (was_alloced)
        OPENSSL_free(found_mac);
    return ok && TEST_long_eq(plus_reads_outside, 0);
}

static int t13(void)
{
    return reads_inside(21, 20, 0) && reads_inside(32, 20, 255) && reads_inside(48, 20, 7)
        && reads_inside(256, 20, 255) && reads_inside(257, 32, 3) && reads_inside(600, 48, 255)
        && reads_inside(16, 0, 3);
}

static int t12(void)
{
    unsigned long first;
    size_t padding;
    int ok = 1;

    RAND_set_rand_method(&sixes);
    way_of(1, 0);
    first = way_of(1, 0);
    for (padding = 2; padding <= 256 && ok; padding++)
        ok = TEST_ulong_eq(way_of(padding, 0), first)
            && TEST_ulong_eq(way_of(padding, padding), first)
            && TEST_ulong_eq(way_of(padding, 1), first)
            && TEST_ulong_eq(way_of(padding, 1 + padding / 2), first);
    RAND_set_rand_method(NULL);
    return ok;
}

int setup_tests(void)
{
    add_test("padding and MAC are removed", t0);
    add_test("paddings of all lengths are removed", t1);
    add_test("an empty record is right", t2);
    add_test("each wrong byte of the padding counts", t3);
    add_test("a padding longer than the record is wrong", t4);
    add_test("a record that is too short is invalid", t5);
    add_test("without a MAC a wrong padding is invalid", t6);
    add_test("an AEAD cipher has checked its MAC", t7);
    add_test("a stream cipher has no padding", t8);
    add_test("nothing is leaked", t9);
    add_test("without a MAC no place is asked for", t10);
    add_test("the random MAC is from the library context", t11);
    add_test("nothing outside the record is read", t13);
    add_test("the padding cannot be told by the way taken", t12);
    return 1;
}
