/*
 * For tests of apps/rehash.c: what it needs of the apps, and a look into its table. Include it
 * after rehash.c, in which app_malloc stands for plus_app_malloc, testutil.h and memory_count.h.
 */

/* As the apps' own, it does not return without memory. */
static void *plus_app_malloc(size_t size, const char *what)
{
    long left = memory_left;
    void *block;

    memory_left = -1;
    block = OPENSSL_malloc(size);
    memory_left = left;
    return block;
}

static void plus_begin(void)
{
    evpmd = EVP_sha1();
    evpmdsize = EVP_MD_get_size(evpmd);
}

/* The bucket of this type and hash, wherever it stands. */
static BUCKET *plus_bucket(int type, unsigned int hash)
{
    size_t i;
    BUCKET *bp;

    for (i = 0; i < OSSL_NELEM(hash_table); i++)
        for (bp = hash_table[i]; bp != NULL; bp = bp->next)
            if (bp->type == type && bp->hash == hash)
                return bp;
    return NULL;
}

static int plus_entries(BUCKET *bp)
{
    HENTRY *ep;
    int number = 0;

    for (ep = bp == NULL ? NULL : bp->first_entry; ep != NULL; ep = ep->next)
        number++;
    return number;
}

static HENTRY *plus_entry(BUCKET *bp, const char *filename)
{
    HENTRY *ep;

    for (ep = bp == NULL ? NULL : bp->first_entry; ep != NULL; ep = ep->next)
        if (strcmp(ep->filename, filename) == 0)
            return ep;
    return NULL;
}

/* The number of entries in all; frees them, as do_dir does, if so asked. */
static int plus_all(int freeing)
{
    size_t i;
    int number = 0;
    BUCKET *bp, *next;
    HENTRY *ep, *after;

    for (i = 0; i < OSSL_NELEM(hash_table); i++) {
        for (bp = hash_table[i]; bp != NULL; bp = next) {
            next = bp->next;
            for (ep = bp->first_entry; ep != NULL; ep = after) {
                after = ep->next;
                number++;
                if (freeing) {
                    OPENSSL_free(ep->filename);
                    OPENSSL_free(ep);
                }
            }
            if (freeing)
                OPENSSL_free(bp);
        }
        if (freeing)
            hash_table[i] = NULL;
    }
    return number;
}

static int plus_end(int ok)
{
    plus_all(1);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

/* The warnings go to a BIO of their own; how many bytes were there? */
static BIO *plus_err, *plus_old_err;

static void plus_catch(void)
{
    plus_old_err = bio_err;
    bio_err = plus_err = BIO_new(BIO_s_mem());
}

static long plus_caught(void)
{
    char *text;
    long size = BIO_get_mem_data(plus_err, &text);

    bio_err = plus_old_err;
    BIO_free(plus_err);
    return size;
}
