/*---
 * tasks: [do_file-9792fd.2]
 * tests:
 *   an entry is added: 'rehash.c, do_file: one for each file; do_dir makes the links.'
 *   an entry of a link is added:
 *     'rehash.c, handle_symlink: no digest, no symlink needed, its old id.'
 *   certificates and CRLs have their own: 'enum Type; do_dir: suffixes[bp->type].'
 *   hashes have their own: 'do_dir: one bucket for each hash, with its own numbers.'
 *   entries of a hash stand in their order:
 *     'BUCKET: first_entry, last_entry; do_dir numbers them.'
 *   a duplicate is left out:
 *     'openssl-rehash(1): "Duplicates are found by comparing the full SHA-1 fingerprint".'
 *   a duplicate gives a warning and no error: 'openssl-rehash(1): "A warning will be displayed".'
 *   the whole digest is compared: 'openssl-rehash(1): "the full SHA-1 fingerprint".'
 *   "a file that a link names is the link's entry": 'rehash.c, do_dir: "Link exists, and is used
 *   as-is".'
 *   the lowest of the old ids is kept: 'rehash.c: "old_id < ep->old_id"; do_dir keeps one link.'
 *   only what is needed is counted, once: 'BUCKET: num_needed; do_dir: a mask of so many numbers.'
 *   256 files are the most: 'MAX_COLLISIONS; do_dir: idmask.'
 *   the name is copied: 'do_dir frees ep->filename; handle_symlink gives a buffer on its stack.'
 *   failed allocations are told: 'Comment: "return number of errors".'
 * flags: ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
 * goals: ["apps/openssl-bin-rehash.o"]
 ---*/
#include "apps.h"
#define app_malloc plus_app_malloc
static void *plus_app_malloc(size_t size, const char *what);
#include "../../apps/rehash.c"
#include "../testutil.h"
#include "memory_count.h"
#include "pc_rehash.h"

static unsigned char digests[600][EVP_MAX_MD_SIZE];

static int adds(enum Type type, unsigned int hash, const char *name, int digest)
{
    int i;

    for (i = 0; i < 600; i++) {
        memset(digests[i], 0xe0, EVP_MAX_MD_SIZE);
        digests[i][0] = i >> 8;
        digests[i][1] = i & 0xff;
    }
    return TEST_int_eq(add_entry(type, hash, name, digests[digest], 1, ~0), 0);
}

static int links(enum Type type, unsigned int hash, const char *name, int id)
{
    return TEST_int_eq(add_entry(type, hash, name, NULL, 0, id), 0);
}

static int added(void)
{
    BUCKET *bp;
    HENTRY *ep;

    return plus_end(adds(TYPE_CERT, 0x12345678, "a.pem", 1)
                    && TEST_ptr(bp = plus_bucket(TYPE_CERT, 0x12345678))
                    && TEST_int_eq(plus_entries(bp), 1) && TEST_int_eq(bp->num_needed, 1)
                    && TEST_ptr(ep = plus_entry(bp, "a.pem")) && TEST_int_eq(ep->need_symlink, 1)
                    && TEST_int_eq(ep->old_id, 0xffff)
                    && TEST_mem_eq(ep->digest, 20, digests[1], 20)
                    && TEST_int_eq(plus_all(0), 1));
}

static int link_added(void)
{
    BUCKET *bp;
    HENTRY *ep;

    return plus_end(links(TYPE_CRL, 0xffffffff, "b.crl", 7)
                    && TEST_ptr(bp = plus_bucket(TYPE_CRL, 0xffffffff))
                    && TEST_int_eq(bp->num_needed, 0) && TEST_ptr(ep = plus_entry(bp, "b.crl"))
                    && TEST_int_eq(ep->need_symlink, 0) && TEST_int_eq(ep->old_id, 7)
                    && TEST_int_eq(plus_entries(bp), 1));
}

static int types(void)
{
    return plus_end(adds(TYPE_CERT, 5, "a", 1) && adds(TYPE_CRL, 5, "b", 1)
                    && adds(TYPE_CRL, 4, "c", 1) && TEST_int_eq(plus_all(0), 3)
                    && TEST_ptr(plus_entry(plus_bucket(TYPE_CERT, 5), "a"))
                    && TEST_ptr(plus_entry(plus_bucket(TYPE_CRL, 5), "b"))
                    && TEST_ptr(plus_entry(plus_bucket(TYPE_CRL, 4), "c"))
                    && TEST_int_eq(plus_entries(plus_bucket(TYPE_CRL, 5)), 1));
}

static int hashes(void)
{
    unsigned int hash;
    int ok = 1;

    for (hash = 0; hash < 1000 && ok; hash++)
        ok = adds(TYPE_CERT, hash * 257, "same.pem", 1);
    for (hash = 0; hash < 1000 && ok; hash++)
        ok = TEST_int_eq(plus_entries(plus_bucket(TYPE_CERT, hash * 257)), 1);
    return plus_end(ok && adds(TYPE_CRL, 0xffffffff, "x", 1) && adds(TYPE_CERT, 0xffffffff, "x", 1)
                    && TEST_int_eq(plus_all(0), 1002));
}

static int in_order(void)
{
    BUCKET *bp;

    return plus_end(adds(TYPE_CERT, 9, "c", 1) && adds(TYPE_CERT, 9, "a", 2)
                    && links(TYPE_CERT, 9, "z", 0) && adds(TYPE_CERT, 9, "b", 3)
                    && TEST_ptr(bp = plus_bucket(TYPE_CERT, 9))
                    && TEST_str_eq(bp->first_entry->filename, "c")
                    && TEST_str_eq(bp->first_entry->next->filename, "a")
                    && TEST_str_eq(bp->first_entry->next->next->filename, "z")
                    && TEST_str_eq(bp->first_entry->next->next->next->filename, "b")
                    && TEST_ptr_null(bp->first_entry->next->next->next->next)
                    && TEST_int_eq(bp->num_needed, 3));
}

static int duplicate(void)
{
    BUCKET *bp;

    return plus_end(adds(TYPE_CERT, 9, "a", 1) && adds(TYPE_CERT, 9, "b", 2)
                    && adds(TYPE_CERT, 9, "c", 1) && adds(TYPE_CERT, 9, "d", 2)
                    && adds(TYPE_CERT, 9, "a", 1) && TEST_ptr(bp = plus_bucket(TYPE_CERT, 9))
                    && TEST_int_eq(plus_entries(bp), 2) && TEST_int_eq(bp->num_needed, 2)
                    && TEST_ptr(plus_entry(bp, "a")) && TEST_ptr(plus_entry(bp, "b")));
}

static int warning(void)
{
    int first, second;

    plus_catch();
    first = add_entry(TYPE_CERT, 9, "a", digests[1], 1, ~0);
    if (!TEST_long_eq(plus_caught(), 0))
        return 0;
    plus_catch();
    second = add_entry(TYPE_CERT, 9, "b", digests[1], 1, ~0);
    return plus_end(TEST_long_gt(plus_caught(), 0) && TEST_int_eq(first, 0)
                    && TEST_int_eq(second, 0) && TEST_int_eq(plus_all(0), 1));
}

static int whole_digest(void)
{
    unsigned char first[EVP_MAX_MD_SIZE], other[EVP_MAX_MD_SIZE];
    int i, ok = 1;

    memset(first, 0x41, sizeof(first));
    memset(other, 0x41, sizeof(other));
    for (i = 0; i < 20 && ok; i += 19) {
        other[i] = 0x42;
        ok = TEST_int_eq(add_entry(TYPE_CERT, 9, "a", first, 1, ~0), 0)
            && TEST_int_eq(add_entry(TYPE_CERT, 9, "b", other, 1, ~0), 0)
            && TEST_int_eq(plus_all(1), 2);
        other[i] = 0x41;
    }
    /* What stands behind it does not count. */
    other[20] = 0x42;
    memset(other + 32, 0, 32);
    first[4] = other[4] = 0;
    return plus_end(ok && TEST_int_eq(add_entry(TYPE_CERT, 9, "a", first, 1, ~0), 0)
                    && TEST_int_eq(add_entry(TYPE_CERT, 9, "b", other, 1, ~0), 0)
                    && TEST_int_eq(plus_all(0), 1));
}

static int named_by_link(void)
{
    BUCKET *bp;
    HENTRY *ep;

    return plus_end(links(TYPE_CERT, 9, "z", 1) && links(TYPE_CERT, 9, "a", 3)
                    && adds(TYPE_CERT, 9, "a", 4) && TEST_ptr(bp = plus_bucket(TYPE_CERT, 9))
                    && TEST_int_eq(plus_entries(bp), 2) && TEST_int_eq(bp->num_needed, 1)
                    && TEST_ptr(ep = plus_entry(bp, "a")) && TEST_int_eq(ep->need_symlink, 1)
                    && TEST_int_eq(ep->old_id, 3) && TEST_mem_eq(ep->digest, 20, digests[4], 20)
                    && TEST_int_eq(plus_entry(bp, "z")->need_symlink, 0)
                    && adds(TYPE_CERT, 9, "b", 4) && TEST_int_eq(plus_entries(bp), 2));
}

static int lowest(void)
{
    BUCKET *bp;

    return plus_end(links(TYPE_CERT, 9, "a", 5) && links(TYPE_CERT, 9, "a", 2)
                    && TEST_ptr(bp = plus_bucket(TYPE_CERT, 9))
                    && TEST_int_eq(plus_entries(bp), 1)
                    && TEST_int_eq(plus_entry(bp, "a")->old_id, 2)
                    && links(TYPE_CERT, 9, "a", 4) && TEST_int_eq(plus_entry(bp, "a")->old_id, 2)
                    && links(TYPE_CERT, 9, "a", 0) && TEST_int_eq(plus_entry(bp, "a")->old_id, 0)
                    && TEST_int_eq(bp->num_needed, 0));
}

static int counted(void)
{
    BUCKET *bp;

    return plus_end(adds(TYPE_CERT, 9, "a", 1) && links(TYPE_CERT, 9, "a", 3)
                    && links(TYPE_CERT, 9, "b", 4) && TEST_ptr(bp = plus_bucket(TYPE_CERT, 9))
                    && TEST_int_eq(bp->num_needed, 1) && adds(TYPE_CERT, 9, "a", 2)
                    && TEST_int_eq(bp->num_needed, 1) && TEST_int_eq(plus_entries(bp), 2)
                    && TEST_int_eq(plus_entry(bp, "a")->old_id, 3));
}

static int most(void)
{
    BUCKET *bp;
    char name[20];
    int i, ok = 1, refused;

    for (i = 0; i < 256 && ok; i++) {
        BIO_snprintf(name, sizeof(name), "%d.pem", i);
        ok = adds(TYPE_CERT, 9, name, i);
    }
    plus_catch();
    refused = add_entry(TYPE_CERT, 9, "one.more", digests[300], 1, ~0);
    return plus_end(TEST_long_gt(plus_caught(), 0) && ok && TEST_int_eq(refused, 1)
                    && TEST_ptr(bp = plus_bucket(TYPE_CERT, 9))
                    && TEST_int_eq(plus_entries(bp), 256) && TEST_int_eq(bp->num_needed, 256)
                    && adds(TYPE_CERT, 9, "a.duplicate", 255) && adds(TYPE_CRL, 9, "crl", 300)
                    && adds(TYPE_CERT, 10, "other", 300) && links(TYPE_CERT, 9, "7.pem", 3)
                    && TEST_int_eq(plus_entry(bp, "7.pem")->old_id, 3)
                    && TEST_int_eq(plus_entries(bp), 256));
}

static int copied(void)
{
    char name[] = "first.pem";
    int ok = adds(TYPE_CERT, 9, name, 1);

    memcpy(name, "xxxxx", 5);
    return plus_end(ok && TEST_ptr(plus_entry(plus_bucket(TYPE_CERT, 9), "first.pem"))
                    && adds(TYPE_CERT, 9, name, 2)
                    && TEST_int_eq(plus_entries(plus_bucket(TYPE_CERT, 9)), 2));
}

static int no_memory(void)
{
    long before = memory_blocks;
    int result;

    memory_left = 0;
    result = add_entry(TYPE_CERT, 9, "a", digests[1], 1, ~0);
    memory_left = -1;
    if (!plus_end(TEST_int_eq(result, 1) && TEST_int_eq(plus_all(0), 0)))
        return 0;
    if (!adds(TYPE_CERT, 9, "a", 1))
        return 0;
    memory_left = 0;
    result = add_entry(TYPE_CERT, 9, "b", digests[2], 1, ~0);
    memory_left = -1;
    return plus_end(TEST_int_eq(result, 1) && adds(TYPE_CERT, 9, "c", 3)
                    && TEST_int_eq(plus_all(0), 2)
                    && TEST_int_eq(plus_bucket(TYPE_CERT, 9)->num_needed, 2))
        && TEST_long_eq(memory_blocks, before);
}

int setup_tests(void)
{
    plus_begin();
    add_test("an entry is added", added);
    add_test("an entry of a link is added", link_added);
    add_test("certificates and CRLs have their own", types);
    add_test("hashes have their own", hashes);
    add_test("entries of a hash stand in their order", in_order);
    add_test("a duplicate is left out", duplicate);
    add_test("a duplicate gives a warning and no error", warning);
    add_test("the whole digest is compared", whole_digest);
    add_test("a file that a link names is the link's entry", named_by_link);
    add_test("the lowest of the old ids is kept", lowest);
    add_test("only what is needed is counted, once", counted);
    add_test("256 files are the most", most);
    add_test("the name is copied", copied);
    add_test("failed allocations are told", no_memory);
    return 1;
}
