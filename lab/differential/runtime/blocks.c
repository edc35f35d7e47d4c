/* Knows every block of the heap, and in a fork frees none: what was freed can still be told from what lives, and no
 * address is used twice. The linker leads the program's calls here (--wrap). */
#include "graft.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

enum { LIBC, JEMALLOC, ALLOCATORS };
#define ALLOCATOR(what) __attribute__((weak)) what
extern ALLOCATOR(void *__real_malloc(size_t)), *__real_calloc(size_t, size_t), *__real_realloc(void *, size_t);
extern ALLOCATOR(void *__real_je_malloc(size_t)), *__real_je_calloc(size_t, size_t), *__real_je_realloc(void *, size_t);
extern ALLOCATOR(void __real_free(void *));
extern ALLOCATOR(void __real_je_free(void *));
extern ALLOCATOR(int __real_posix_memalign(void **, size_t, size_t));
extern ALLOCATOR(void *__real_aligned_alloc(size_t, size_t));
extern ALLOCATOR(size_t je_malloc_usable_size(void *));

/* One bit for each 8 bytes of a page, as jemalloc's least blocks have: where blocks start, which of them are new in
 * this fork, which were freed. */
#define WORDS 8
struct page {
    uintptr_t number;
    uint64_t start[ALLOCATORS][WORDS], fresh[WORDS], dead[WORDS];
};
#define PAGES (1u << 18)
#define FARTHEST 4096
#define MOST_FILLED (16u << 20)
static struct page *pages;
int graft_kept, graft_freed;

static struct page *page_of(uintptr_t number, int make) {
    struct page *all = __atomic_load_n(&pages, __ATOMIC_ACQUIRE), *none = NULL;
    if (!all) {
        if (!make) return NULL;
        void *fresh = mmap(NULL, PAGES * sizeof *pages, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (fresh == MAP_FAILED) return NULL;
        if (!__atomic_compare_exchange_n(&pages, &none, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            munmap(fresh, PAGES * sizeof *pages);
        all = __atomic_load_n(&pages, __ATOMIC_ACQUIRE);
    }
    unsigned at = (unsigned)(number * 0x9e3779b97f4a7c15u >> 40) % PAGES;
    for (unsigned tried = 0; tried < 64; tried++, at = (at + 1) % PAGES) {
        uintptr_t held = __atomic_load_n(&all[at].number, __ATOMIC_ACQUIRE);
        if (held == number) return &all[at];
        if (held) continue;
        if (!make) return NULL;
        uintptr_t empty = 0;
        if (__atomic_compare_exchange_n(&all[at].number, &empty, number, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
            empty == number)
            return &all[at];
    }
    return NULL;
}

#define WORD(address) (((address) >> 9) & (WORDS - 1))
#define BIT(address) (1ull << (((address) >> 3) & 63))

static void begin(void *made, int allocator, int is_filled) {
    uintptr_t base = (uintptr_t)made;
    struct page *page = base ? page_of(base >> 12, 1) : NULL;
    if (!page) return;
    __atomic_fetch_or(&page->start[allocator][WORD(base)], BIT(base), __ATOMIC_RELAXED);
    if (graft_side == REAL) return;
    page->fresh[WORD(base)] |= BIT(base);
    page->dead[WORD(base)] &= ~BIT(base);
    graft_kept++;
    /* What a body leaves unset is recognised by this filling. */
    if (!is_filled) {
        int error = errno;
        size_t size = allocator == JEMALLOC ? je_malloc_usable_size(made) : malloc_usable_size(made);
        memset(made, FILLING, size < MOST_FILLED ? size : MOST_FILLED);
        errno = error;
    }
}

/* Whether the block is now out of use and must not be given back. */
static int end(void *block, int allocator) {
    uintptr_t base = (uintptr_t)block;
    struct page *page = base ? page_of(base >> 12, 0) : NULL;
    if (graft_side == REAL) {
        if (page) __atomic_fetch_and(&page->start[allocator][WORD(base)], ~BIT(base), __ATOMIC_RELAXED);
        return 0;
    }
    if (!page || !(page->start[allocator][WORD(base)] & BIT(base))) return 1;
    page->dead[WORD(base)] |= BIT(base);
    if (page->fresh[WORD(base)] & BIT(base))
        graft_kept--;
    else
        graft_freed++;
    return 1;
}

int graft_block(uintptr_t address, struct block *found) {
    uintptr_t number = address >> 12;
    for (int back = 0; back < FARTHEST && number; back++, number--) {
        struct page *page = page_of(number, 0);
        if (!page) continue;
        for (int word = back ? WORDS - 1 : (int)WORD(address); word >= 0; word--) {
            uint64_t starts = page->start[LIBC][word] | page->start[JEMALLOC][word];
            if (!back && word == (int)WORD(address)) starts &= BIT(address) | (BIT(address) - 1);
            if (!starts) continue;
            uint64_t bit = 1ull << (63 - __builtin_clzll(starts));
            found->base = (number << 12) + ((uintptr_t)word << 9) + ((uintptr_t)(63 - __builtin_clzll(starts)) << 3);
            found->size = page->start[JEMALLOC][word] & bit ? je_malloc_usable_size((void *)found->base)
                                                            : malloc_usable_size((void *)found->base);
            found->is_fresh = (page->fresh[word] & bit) != 0;
            found->is_dead = (page->dead[word] & bit) != 0;
            return address - found->base < found->size;
        }
    }
    return 0;
}

static void *moved(void *old, size_t size, int allocator) {
    void *made = allocator == JEMALLOC ? __real_je_malloc(size) : __real_malloc(size);
    if (!made) return NULL;
    begin(made, allocator, 0);
    size_t known = allocator == JEMALLOC ? je_malloc_usable_size(old) : malloc_usable_size(old);
    memcpy(made, old, known < size ? known : size);
    end(old, allocator);
    return made;
}

#define FAMILY(prefix, allocator)                                                                       \
    void *__wrap_##prefix##malloc(size_t size) {                                                        \
        void *made = __real_##prefix##malloc(size);                                                     \
        begin(made, allocator, 0);                                                                      \
        return made;                                                                                    \
    }                                                                                                   \
    void *__wrap_##prefix##calloc(size_t count, size_t size) {                                          \
        void *made = __real_##prefix##calloc(count, size);                                              \
        begin(made, allocator, 1);                                                                      \
        return made;                                                                                    \
    }                                                                                                   \
    void *__wrap_##prefix##realloc(void *old, size_t size) {                                            \
        if (!old) return __wrap_##prefix##malloc(size);                                                 \
        if (graft_side != REAL) {                                                                       \
            if (size) return moved(old, size, allocator);                                               \
            end(old, allocator);                                                                        \
            return NULL;                                                                                \
        }                                                                                               \
        end(old, allocator);                                                                            \
        void *made = __real_##prefix##realloc(old, size);                                               \
        begin(made || !size ? made : old, allocator, 1);                                                \
        return made;                                                                                    \
    }                                                                                                   \
    void __wrap_##prefix##free(void *block) {                                                           \
        if (block && !end(block, allocator)) __real_##prefix##free(block);                              \
    }
FAMILY(, LIBC)
FAMILY(je_, JEMALLOC)

int __wrap_posix_memalign(void **where, size_t alignment, size_t size) {
    int failed = __real_posix_memalign(where, alignment, size);
    if (!failed) begin(*where, LIBC, 0);
    return failed;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    void *made = __real_aligned_alloc(alignment, size);
    begin(made, LIBC, 0);
    return made;
}

/* The program's own operators new and delete: the C++ library's allocations come here too. */
#define NEW(name, ...) ALLOCATOR(void *name(__VA_ARGS__))
#define DELETE(name, ...) ALLOCATOR(void name(void *block, ##__VA_ARGS__)) { __wrap_free(block); }
NEW(_Znwm, size_t size) { return __wrap_malloc(size ? size : 1); }
NEW(_Znam, size_t size) { return __wrap_malloc(size ? size : 1); }
NEW(_ZnwmRKSt9nothrow_t, size_t size, void *tag) { return (void)tag, __wrap_malloc(size ? size : 1); }
NEW(_ZnamRKSt9nothrow_t, size_t size, void *tag) { return (void)tag, __wrap_malloc(size ? size : 1); }
NEW(_ZnwmSt11align_val_t, size_t size, size_t alignment) { return __wrap_aligned_alloc(alignment, size); }
NEW(_ZnamSt11align_val_t, size_t size, size_t alignment) { return __wrap_aligned_alloc(alignment, size); }
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm, size_t size __attribute__((unused)))
DELETE(_ZdaPvm, size_t size __attribute__((unused)))
DELETE(_ZdlPvSt11align_val_t, size_t alignment __attribute__((unused)))
DELETE(_ZdaPvSt11align_val_t, size_t alignment __attribute__((unused)))
DELETE(_ZdlPvmSt11align_val_t, size_t size __attribute__((unused)), size_t alignment __attribute__((unused)))
DELETE(_ZdaPvmSt11align_val_t, size_t size __attribute__((unused)), size_t alignment __attribute__((unused)))

char *__wrap_strndup(const char *text, size_t most) {
    size_t size = strnlen(text, most);
    char *made = __wrap_malloc(size + 1);
    if (!made) return NULL;
    made[size] = 0;
    return memcpy(made, text, size);
}

char *__wrap_strdup(const char *text) { return __wrap_strndup(text, SIZE_MAX); }
