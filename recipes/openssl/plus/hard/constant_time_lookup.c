/*---
 * tasks: [PKCS1_MGF1-051f70.16]
 * tests:
 *   each row is found: 'Comment: "Copies row number idx into out".'
 *   a table of one row: 'Comment: "table is a two dimensional array"; numrows 1.'
 *   rows of one byte: 'Comment: "Each row has rowsize elements".'
 *   long rows and many of them: 'Comment: "Each row has rowsize elements"; signature: size_t.'
 *   all bytes have all their bits: 'Comment: "Copies row number idx".'
 *   nothing past the row is written: 'Comment: "Copies row number idx"; rowsize bytes.'
 *   what stood in the place is gone: 'Comment: "Copies row number idx into out".'
 *   the table stays as it is: 'Signature: const void *table.'
 *   the last row ends the table: 'Comment: "Each row has rowsize elements"; numrows of them.'
 *   two indexes with the same low byte differ:
 *     'Signature: size_t idx.'
 *   nothing outside the table is read:
 *     'Comment: "Each row has rowsize elements"; numrows of them.'
 *   the index cannot be told by what is read:
 *     'Comment: "rowsize and numrows are not considered private", so idx is; the name.'
 *   the index cannot be told by the way taken:
 *     'Comment: "rowsize and numrows are not considered private", so idx is; the name.'
 * flags: ["-fsanitize-coverage=trace-pc", "-fsanitize=kernel-address",
 *         "--param=asan-instrumentation-with-call-threshold=0", "--param=asan-globals=0",
 *         "--param=asan-stack=0"]
 ---*/
#include "pc_reads.h"
#include "pc_masks.h"
#include "../testutil.h"
#include "pc_paths.h"

/* Around the table nothing else stands. */
static unsigned char wide[4096 + 300 * 70 + 4096], copy[300 * 70], out[400];
static unsigned char *const table = wide + 4096;

/* Are all rows found, whatever stood there, and nothing else changed? */
static int finds_all(size_t rowsize, size_t numrows, int before)
{
    size_t row, i;

    for (i = 0; i < rowsize * numrows; i++)
        table[i] = copy[i] = (unsigned char)plus_any();
    for (row = 0; row < numrows; row++) {
        memset(out, before, sizeof(out));
        constant_time_lookup(out, table, rowsize, numrows, row);
        if (!TEST_mem_eq(out, rowsize, table + row * rowsize, rowsize))
            return 0;
        for (i = rowsize; i < sizeof(out); i++)
            if (!TEST_uint_eq(out[i], before))
                return 0;
    }
    return TEST_mem_eq(table, rowsize * numrows, copy, rowsize * numrows);
}

static int each(void)
{
    static const char words[5][4] = { "abc", "def", "ghi", "jkl", "mno" };
    char word[4];
    size_t i;

    for (i = 0; i < 5; i++) {
        constant_time_lookup(word, words, 4, 5, i);
        if (!TEST_str_eq(word, words[i]))
            return 0;
    }
    return finds_all(16, 8, 0);
}

static int one_row(void)
{
    return finds_all(1, 1, 0) && finds_all(7, 1, 0xff) && finds_all(256, 1, 0x55);
}

static int one_byte(void)
{
    return finds_all(1, 2, 0) && finds_all(1, 70, 0xff) && finds_all(1, 256, 0x5a)
        && finds_all(1, 300, 0);
}

static int many(void)
{
    return finds_all(300, 70, 0) && finds_all(70, 300, 0xff) && finds_all(257, 16, 0xa5)
        && finds_all(192, 16, 0);
}

static int all_bits(void)
{
    int value;

    for (value = 0; value < 256; value++) {
        unsigned char rows[3] = { 0xff, 0, 0xff }, found = 0x77;

        rows[1] = value;
        constant_time_lookup(&found, rows, 1, 3, 1);
        if (!TEST_uint_eq(found, value))
            return 0;
        rows[0] = rows[2] = 0;
        constant_time_lookup(&found, rows, 1, 3, 1);
        if (!TEST_uint_eq(found, value))
            return 0;
    }
    return 1;
}

static int past(void)
{
    unsigned char rows[12] = "aaabbbcccddd", found[8];

    memset(found, 0x11, sizeof(found));
    constant_time_lookup(found + 2, rows, 3, 4, 2);
    return TEST_mem_eq(found, 8, "\x11\x11" "ccc" "\x11\x11\x11", 8);
}

static int gone(void)
{
    return finds_all(33, 5, 0xff) && finds_all(33, 5, 0x80) && finds_all(2, 2, 0x01);
}

static int table_stays(void)
{
    static const unsigned char fixed[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    unsigned char found[3];

    constant_time_lookup(found, fixed, 3, 2, 1);
    return TEST_mem_eq(found, 3, "\4\5\6", 3) && finds_all(40, 40, 0);
}

static int last(void)
{
    unsigned char rows[12] = "abcdefghi\xff\xff\xff", found[3];
    size_t i;

    for (i = 0; i < 3; i++) {
        constant_time_lookup(found, rows, 3, 3, i);
        if (!TEST_mem_eq(found, 3, "abcdefghi" + 3 * i, 3))
            return 0;
    }
    return TEST_mem_eq(rows, 12, "abcdefghi\xff\xff\xff", 12);
}

/* A byte or 32 bits of the index are not the index. */
static int other_place(void)
{
    size_t i;

    for (i = 0; i < 300; i++)
        table[i] = i < 256 ? 0x0f : 0xf0;
    constant_time_lookup(out, table, 1, 300, 3);
    if (!TEST_uint_eq(out[0], 0x0f))
        return 0;
    constant_time_lookup(out, table, 1, 300, 259);
    return TEST_uint_eq(out[0], 0xf0);
}

/* The way and the reads for one row. */
static unsigned long way, reads;

static __attribute__((noinline)) void look_up(size_t rowsize, size_t numrows, size_t row)
{
    plus_reads_begin(table, rowsize * numrows);
    plus_way_begins();
    constant_time_lookup(out, table, rowsize, numrows, row);
    way = plus_way_ends();
    reads = plus_reads_end();
}

static const size_t shapes[][2] = { { 1, 1 }, { 1, 16 }, { 7, 3 }, { 64, 16 }, { 300, 70 } };

static int inside(void)
{
    size_t i, row;

    for (i = 0; i < OSSL_NELEM(shapes); i++)
        for (row = 0; row < shapes[i][1]; row++) {
            look_up(shapes[i][0], shapes[i][1], row);
            if (!TEST_long_eq(plus_reads_outside, 0))
                return 0;
        }
    return 1;
}

static int same_reads(void)
{
    size_t i, row;

    for (i = 0; i < OSSL_NELEM(shapes); i++) {
        unsigned long first;

        look_up(shapes[i][0], shapes[i][1], 0);
        first = reads;
        for (row = 1; row < shapes[i][1]; row++) {
            look_up(shapes[i][0], shapes[i][1], row);
            if (!TEST_ulong_eq(reads, first))
                return 0;
        }
    }
    return 1;
}

static int same_way(void)
{
    size_t i, row;

    for (i = 0; i < OSSL_NELEM(shapes); i++) {
        unsigned long first;

        look_up(shapes[i][0], shapes[i][1], 0);
        first = way;
        for (row = 1; row < shapes[i][1]; row++) {
            look_up(shapes[i][0], shapes[i][1], row);
            if (!TEST_ulong_eq(way, first))
                return 0;
        }
    }
    return 1;
}

int setup_tests(void)
{
    add_test("each row is found", each);
    add_test("a table of one row", one_row);
    add_test("rows of one byte", one_byte);
    add_test("long rows and many of them", many);
    add_test("all bytes have all their bits", all_bits);
    add_test("nothing past the row is written", past);
    add_test("what stood in the place is gone", gone);
    add_test("the table stays as it is", table_stays);
    add_test("the last row ends the table", last);
    add_test("two indexes with the same low byte differ", other_place);
    add_test("nothing outside the table is read", inside);
    add_test("the index cannot be told by what is read", same_reads);
    add_test("the index cannot be told by the way taken", same_way);
    return 1;
}
