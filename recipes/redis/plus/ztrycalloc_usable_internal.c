/*---
 * tasks: [C15524E7A8A6A858]
 * tests:
 *   memory that was used before is given zeroed: 'Docstring: "Try allocating memory and zero it".'
 *   the usable size is at least what was asked for: 'Docstring: "*usable is set to the usable size".'
 *   the usable size is the one that the allocator tells:
 *     'Docstring: "the usable size"; zmalloc.h: zmalloc_usable_size.'
 *   usable may be NULL: 'Docstring: "if non NULL"; callers zcalloc and ztrycalloc pass NULL.'
 *   memory is counted as used: 'Caller zfree takes it off again; zmalloc.h: zmalloc_used_memory.'
 *   what is freed is no longer counted: 'Contract with zfree, which takes off the size of the block.'
 *   a size of zero gives memory:
 *     'zmalloc.c: MALLOC_MIN_SIZE, "jemalloc behavior that doesn''t return NULL in this case".'
 *   a size that cannot be had gives NULL: 'Docstring: "return NULL if failed".'
 *   a failed allocation is not counted: 'zmalloc.h: zmalloc_used_memory counts what was allocated.'
 *   a size that overflows with its prefix gives NULL: 'Docstring: "return NULL if failed"; zmalloc.c: PREFIX_SIZE.'
 *   without malloc_usable_size the memory is zeroed and counted too: 'zmalloc.c: PREFIX_SIZE, zfree; docstring.'
 ---*/
/* The same function once more as it is built for a libc that can't tell the size of a block, so that each has a
 * prefix: under names of its own, beside the zmalloc.o that the server is linked with. */
#undef USE_JEMALLOC
#define NO_MALLOC_USABLE_SIZE
#define zmalloc plain_zmalloc
#define zmalloc_size plain_zmalloc_size
#define zmalloc_usable_size plain_zmalloc_usable_size
#define zcalloc plain_zcalloc
#define zcalloc_num plain_zcalloc_num
#define zcalloc_usable plain_zcalloc_usable
#define zrealloc plain_zrealloc
#define zrealloc_usable plain_zrealloc_usable
#define zmalloc_usable plain_zmalloc_usable
#define ztrymalloc plain_ztrymalloc
#define ztrymalloc_usable plain_ztrymalloc_usable
#define ztrycalloc plain_ztrycalloc
#define ztrycalloc_usable plain_ztrycalloc_usable
#define ztryrealloc plain_ztryrealloc
#define ztryrealloc_usable plain_ztryrealloc_usable
#define zfree plain_zfree
#define zfree_usable plain_zfree_usable
#define zstrdup plain_zstrdup
#define zlibc_free plain_zlibc_free
#define zmadvise_dontneed plain_zmadvise_dontneed
#define zmalloc_used_memory plain_zmalloc_used_memory
#define zmalloc_set_oom_handler plain_zmalloc_set_oom_handler
#define zmalloc_get_rss plain_zmalloc_get_rss
#define zmalloc_get_allocator_info plain_zmalloc_get_allocator_info
#define zmalloc_get_private_dirty plain_zmalloc_get_private_dirty
#define zmalloc_get_smap_bytes_by_field plain_zmalloc_get_smap_bytes_by_field
#define zmalloc_get_memory_size plain_zmalloc_get_memory_size
#define zmalloc_test plain_zmalloc_test
#define jemalloc_purge plain_jemalloc_purge
#define set_jemalloc_bg_thread plain_set_jemalloc_bg_thread
#define get_proc_stat_ll plain_get_proc_stat_ll
#include "../zmalloc.c"
#undef zmalloc
#undef zfree
#undef zcalloc
#undef ztrycalloc
#undef ztrycalloc_usable
#undef zcalloc_usable
#undef zcalloc_num
#undef zmalloc_used_memory
#include "../testhelp.h"

extern size_t je_malloc_usable_size(const void *ptr);
void *zmalloc(size_t size);
void zfree(void *ptr);
void *zcalloc(size_t size);
void *ztrycalloc(size_t size);
void *ztrycalloc_usable(size_t size, size_t *usable);
void *zcalloc_usable(size_t size, size_t *usable);
void *zcalloc_num(size_t num, size_t size);
size_t zmalloc_used_memory(void);

/* Volatile, so that the compiler neither drops an allocation nor warns of its size. */
static volatile size_t sizes[] = {1, 8, 24, 100, 511, 4096, 14000, 70000, 300000};
#define COUNT (sizeof(sizes)/sizeof(*sizes))

static int isZero(const unsigned char *p, size_t size) {
    while (size--) if (*p++) return 0;
    return 1;
}

int main(void) {
    int zeroed = 1, enough = 1, told = 1, without = 1, counted = 1;
    for (size_t j = 0; j < COUNT; j++) {
        size_t size = sizes[j], usable = 0, before;
        void *dirty[8];
        for (int i = 0; i < 8; i++) memset(dirty[i] = zmalloc(size),0xff,size);
        for (int i = 0; i < 8; i++) zfree(dirty[i]);

        before = zmalloc_used_memory();
        unsigned char *p = ztrycalloc_usable(size,&usable);
        if (zmalloc_used_memory() < before+size) counted = 0;
        if (usable < size) enough = 0;
        if (usable != je_malloc_usable_size(p)) told = 0;
        if (!isZero(p,size)) zeroed = 0;
        unsigned char *q = zcalloc(size);
        if (q == NULL || !isZero(q,size)) without = 0;
        zfree(p);
        zfree(q);
        for (int i = 0; i < 8; i++) {
            dirty[i] = ztrycalloc(size);
            if (!isZero(dirty[i],size)) zeroed = 0;
        }
        for (int i = 0; i < 8; i++) zfree(dirty[i]);
    }
    test_cond("memory that was used before is given zeroed", zeroed);
    test_cond("the usable size is at least what was asked for", enough);
    test_cond("the usable size is the one that the allocator tells", told);
    test_cond("usable may be NULL", without);
    test_cond("memory is counted as used", counted);

    size_t before = zmalloc_used_memory();
    void *p = zcalloc_num(10,100);
    void *q = zcalloc_usable(5000,NULL);
    zfree(p);
    zfree(q);
    test_cond("what is freed is no longer counted", zmalloc_used_memory() == before);

    volatile size_t none = 0, huge = SIZE_MAX/2, larger = SIZE_MAX-4, unmappable = SIZE_MAX/4;
    p = ztrycalloc(none);
    q = ztrycalloc_usable(none,NULL);
    test_cond("a size of zero gives memory", p != NULL && q != NULL && p != q);
    zfree(p);
    zfree(q);

    before = zmalloc_used_memory();
    size_t usable = 0;
    int refused = !ztrycalloc(huge) && !ztrycalloc(larger) && !ztrycalloc(unmappable) &&
                  !ztrycalloc_usable(huge,&usable);
    test_cond("a size that cannot be had gives NULL", refused);
    test_cond("a failed allocation is not counted", zmalloc_used_memory() == before);

    size_t plain = plain_zmalloc_used_memory();
    refused = !plain_ztrycalloc(larger) && !plain_ztrycalloc(unmappable) &&
              !plain_ztrycalloc(SIZE_MAX) && !plain_ztrycalloc(huge);
    test_cond("a size that overflows with its prefix gives NULL",
              refused && plain_zmalloc_used_memory() == plain);
    unsigned char *dirty = plain_zmalloc(100);
    memset(dirty,0xff,100);
    plain_zfree(dirty);
    unsigned char *clean = plain_ztrycalloc_usable(100,&usable);
    int right = clean != NULL && isZero(clean,100) && usable >= 100 && plain_zmalloc_used_memory() >= plain+100;
    plain_zfree(clean);
    test_cond("without malloc_usable_size the memory is zeroed and counted too",
              right && plain_zmalloc_used_memory() == plain);
    test_report();
    return 0;
}
