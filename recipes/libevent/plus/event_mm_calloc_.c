/*---
 * tasks: [event_mm_calloc_-d1a1e5]
 * tests:
 *   memory is allocated: 'Docstring: "a pointer to (count * size) newly allocated bytes".'
 *   there is room for all elements: 'Docstring: "(count * size) newly allocated bytes".'
 *   it is filled with zeros: 'Docstring: "initialized to zero".'
 *   one byte can be asked for: 'Docstring: "(count * size)".'
 *   no elements give NULL: 'Docstring: "If either arguments are 0, simply return NULL".'
 *   elements without size give NULL: 'Docstring: "If either arguments are 0, simply return NULL".'
 *   nothing at all gives NULL: 'Docstring: "If either arguments are 0, simply return NULL".'
 *   a product that is too large gives NULL: 'Docstring: "if the product would result in an integer overflow".'
 *   then errno is ENOMEM: 'Docstring: "set errno to ENOMEM and return NULL".'
 *   without memory it gives NULL: 'Docstring: "On failure".'
 *   without memory errno is ENOMEM: 'Docstring: "set errno to ENOMEM".'
 *   each block is a new one: 'Docstring: "newly allocated".'
 *   it can be freed: 'mm-internal.h: event_mm_free_.'
 *   a function of the user allocates it: 'event.h, event_set_mem_functions: "override the functions".'
 *   that function gets the whole size: 'Docstring: "(count * size)".'
 *   the memory of that function is filled with zeros: 'Docstring: "initialized to zero".'
 *   no more than that is filled: 'Docstring: "(count * size)".'
 *   with that function no elements give NULL: 'Docstring: "If either arguments are 0".'
 *   with that function a product that is too large gives NULL: 'Docstring: "integer overflow".'
 *   with that function a product that wraps to little gives NULL: 'Docstring: "integer overflow".'
 *   then too errno is ENOMEM: 'Docstring: "set errno to ENOMEM".'
 *   the largest product without overflow is asked for: 'Docstring: "would result in an integer overflow".'
 *   if that function fails it gives NULL: 'Docstring: "On failure".'
 *   if that function fails errno is ENOMEM: 'Docstring: "On failure, set errno to ENOMEM".'
 *   the function of the user frees it: 'event.h, event_set_mem_functions.'
 *   without that function it is as before: 'event.h, event_set_mem_functions: the default functions.'
 ---*/
#include "plus.h"
#include "event2/util.h"
#include "mm-internal.h"

static unsigned char pool[4096];
static size_t asked;
static int allocations, frees, refuse;

static void *mine(size_t size) {
    asked = size;
    allocations++;
    return refuse || size > sizeof(pool) ? NULL : pool;
}

static void *resize(void *p, size_t size) {
    return NULL;
}

static void give_back(void *p) {
    frees += p == pool;
}

static int zeros(const unsigned char *p, size_t size) {
    for (size_t i = 0; p && i < size; i++) if (p[i]) return 0;
    return p != NULL;
}

int main(void) {
    plus_start();
    long live = plus_live_blocks;
    unsigned char *p = event_mm_calloc_(7, 11);
    ok("memory is allocated", p != NULL && plus_live(p));
    ok("there is room for all elements", plus_size(p) >= 77);
    ok("it is filled with zeros", zeros(p, 77));
    unsigned char *q = event_mm_calloc_(1, 1), *r = event_mm_calloc_(300, 1);
    ok("one byte can be asked for", zeros(q, 1));
    ok("each block is a new one", q != p && r != p && q != r && zeros(r, 300));
    memset(p, 1, 77);
    memset(r, 1, 300);
    event_mm_free_(p);
    event_mm_free_(q);
    event_mm_free_(r);
    ok("it can be freed", plus_live_blocks == live);
    ok("no elements give NULL", event_mm_calloc_(0, 10) == NULL);
    ok("elements without size give NULL", event_mm_calloc_(10, 0) == NULL);
    ok("nothing at all gives NULL", event_mm_calloc_(0, 0) == NULL && plus_live_blocks == live);
    errno = 0;
    p = event_mm_calloc_(EV_SIZE_MAX / 2 + 2, 2);
    int code = errno;
    errno = 0;
    q = event_mm_calloc_(16, EV_SIZE_MAX / 16 + 2);
    ok("a product that is too large gives NULL", p == NULL && q == NULL);
    ok("then errno is ENOMEM", code == ENOMEM && errno == ENOMEM);
    errno = 0;
    plus_fail_at = 1;
    p = event_mm_calloc_(3, 4);
    code = errno;
    plus_fail_at = 0;
    ok("without memory it gives NULL", p == NULL);
    ok("without memory errno is ENOMEM", code == ENOMEM);

    event_set_mem_functions(mine, resize, give_back);
    memset(pool, 0xdd, sizeof(pool));
    p = event_mm_calloc_(20, 30);
    ok("a function of the user allocates it", p == pool && allocations == 1);
    ok("that function gets the whole size", asked == 600);
    ok("the memory of that function is filled with zeros", zeros(pool, 600));
    ok("no more than that is filled", pool[600] == 0xdd && pool[4095] == 0xdd);
    event_mm_free_(p);
    ok("the function of the user frees it", frees == 1);
    ok("with that function no elements give NULL", event_mm_calloc_(0, 5) == NULL && event_mm_calloc_(5, 0) == NULL);
    errno = 0;
    allocations = 0;
    p = event_mm_calloc_(EV_SIZE_MAX, 3);
    code = errno;
    ok("with that function a product that is too large gives NULL", p == NULL);
    errno = 0;
    p = event_mm_calloc_(EV_SIZE_MAX / 8 + 2, 8);
    q = event_mm_calloc_(8, EV_SIZE_MAX / 8 + 2);
    ok("with that function a product that wraps to little gives NULL", p == NULL && q == NULL && allocations == 0);
    ok("then too errno is ENOMEM", code == ENOMEM && errno == ENOMEM);
    asked = 0;
    errno = 0;
    p = event_mm_calloc_(EV_SIZE_MAX / 5, 5);
    ok("the largest product without overflow is asked for",
       p == NULL && asked == EV_SIZE_MAX / 5 * 5 && errno == ENOMEM);
    refuse = 1;
    errno = 0;
    p = event_mm_calloc_(2, 3);
    ok("if that function fails it gives NULL", p == NULL && asked == 6);
    ok("if that function fails errno is ENOMEM", errno == ENOMEM);
    event_set_mem_functions(NULL, NULL, NULL);
    p = event_mm_calloc_(5, 5);
    ok("without that function it is as before", p && p != pool && plus_live(p) && zeros(p, 25));
    event_mm_free_(p);
    return plus_end();
}
