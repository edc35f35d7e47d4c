/*---
 * tasks: [hash_create-125ea8.2]
 * instead: [src/hash.o]
 * tests:
 *   a table is created: 'Docstring: "Create a dynamic hash table".'
 *   it is empty: 'Docstring, note 8: "reset to all null pointers".'
 *   its size is that of the start: 'Docstring, note 6: INIT_SIZE.'
 *   the marks are twice and half the size: 'Docstring, note 6: "high and low marks".'
 *   the mask is of the size: 'hash.h: struct hash_t, the mask selects a chain.'
 *   the maximum is kept: 'hash.h: struct hash_t, MAXCOUNT.'
 *   it is dynamic: 'Docstring, note 7.'
 *   the functions are those that are given: 'hash.h: struct hash_t, COMPARE and FUNCTION.'
 *   without functions strings are keys: 'hash.c: hash_comp_default and hash_fun_default.'
 *   nodes are allocated and freed by default: 'hash.c: hash_set_allocator, hnode_alloc and hnode_free.'
 *   the bits of a hash are counted: 'Docstring, note 1; compute_bits.'
 *   bits that are counted stay so: 'Docstring, note 1: "If the number of bits ... has not been computed yet".'
 *   it takes and finds what is inserted: 'hash.h: hash_alloc_insert and hash_lookup.'
 *   it grows: 'Docstring, note 6: "it will double in size".'
 *   nothing is left of a table that is freed: 'hash.h: hash_free.'
 *   without memory there is none: 'Docstring, note 3: "Otherwise we return a null pointer".'
 *   without memory nothing is left behind: 'Docstring, note 5: "we must backtrack by freeing the hash structure".'
 ---*/
#include "../hash.c"
#include "plus.h"

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static hash_val_t function(const void *key) {
    return *(const int *)key;
}

int main(void) {
    plus_start();
    hash_val_t_bit = 0;
    hash_t *h = hash_create(1000, compare, function);
    ok("a table is created", h != NULL);
    if (!h) exit(1);
    ok("the bits of a hash are counted", hash_val_t_bit == 8 * (int)sizeof(hash_val_t));
    int empty = h->nodecount == 0 && hash_isempty(h);
    for (unsigned i = 0; i < h->nchains; i++) empty &= h->table[i] == NULL;
    ok("it is empty", empty);
    ok("its size is that of the start", h->nchains == INIT_SIZE);
    ok("the marks are twice and half the size", h->highmark == 2 * INIT_SIZE && h->lowmark == INIT_SIZE / 2);
    ok("the mask is of the size", h->mask == INIT_SIZE - 1);
    ok("the maximum is kept", h->maxcount == 1000);
    ok("it is dynamic", h->dynamic == 1);
    ok("the functions are those that are given", h->compare == compare && h->function == function);
    ok("nodes are allocated and freed by default",
       h->allocnode == hnode_alloc && h->freenode == hnode_free && !h->context);
    static int keys[200];
    int found = 1;
    for (int i = 0; i < 200; i++) {
        keys[i] = 7 * i;
        found &= hash_alloc_insert(h, &keys[i], &keys[199 - i]) == 0;
    }
    for (int i = 0; i < 200; i++) {
        int key = 7 * i;
        hnode_t *n = hash_lookup(h, &key);
        found &= n && n->data == &keys[199 - i];
    }
    int no = 3;
    ok("it takes and finds what is inserted", found && !hash_lookup(h, &no) && h->nodecount == 200);
    ok("it grows", h->nchains == 128);
    hash_free(h);
    hash_val_t_bit = 17;
    h = hash_create(5, NULL, NULL);
    ok("bits that are counted stay so", hash_val_t_bit == 17);
    hash_val_t_bit = 64;
    char key[] = "key";
    hash_alloc_insert(h, "key", key);
    hnode_t *n = hash_lookup(h, key);
    ok("without functions strings are keys", n && n->data == key && !hash_lookup(h, "kez") && h->maxcount == 5);
    hash_free(h);
    long live = plus_live_blocks;
    h = hash_create(5, compare, function);
    hash_free(h);
    ok("nothing is left of a table that is freed", plus_live_blocks == live);
    int good = 1, failed = 0, at = 1;
    for (; at < 10; at++) {
        plus_fail_at = at;
        h = hash_create(5, compare, function);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= over == (h != NULL);
        failed += !h;
        if (h) hash_free(h);
        if (over) break;
    }
    ok("without memory there is none", good && failed > 0 && at < 10);
    ok("without memory nothing is left behind", plus_live_blocks == live);
    return plus_end();
}
