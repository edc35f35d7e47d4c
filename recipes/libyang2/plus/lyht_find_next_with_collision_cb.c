/*---
 * tasks: [lyht_find_next_with_collision_cb-bae9a8]
 * tests:
 *   another equal value is found: 'Docstring: "Find another equal value in the hash table".'
 *   it is the stored value: 'Docstring: "Pointer to the matching value".'
 *   all equal values are found one after the other: 'Docstring: "Pointer to the previously found value".'
 *   after the last one it is LY_ENOTFOUND: 'Docstring: "LY_ENOTFOUND if not found".'
 *   then the match stays as it was: 'Docstring: the match is of a value that was found.'
 *   a value alone has no next one: 'Docstring: "LY_ENOTFOUND if not found".'
 *   values of another hash in the same place are left out: 'Docstring: "Hash of the previously found value".'
 *   values that are not equal are left out: 'Docstring: "equal callback to use for checking collisions".'
 *   the callback that is given decides: 'Docstring: "equal callback to use for checking collisions".'
 *   without it that of the table decides: 'hash_table.c: lyht_find_next gives NULL.'
 *   it gets the previous value first: 'hash_table.h: lyht_value_equal_cb, VAL1_P "the one being searched".'
 *   it gets the stored value second: 'hash_table.h: lyht_value_equal_cb, VAL2_P "the one stored in the hash table".'
 *   it is told that it only looks: 'hash_table.h: lyht_value_equal_cb, MOD.'
 *   it gets the data of the table: 'hash_table.h: lyht_value_equal_cb, CB_DATA "User callback data".'
 *   the previous value is found by the callback of the table: 'printer_lyb.c sets the callback of the table for it.'
 *   the match may be left out: 'Docstring: "optional".'
 *   the table stays as it was: 'Docstring: it finds.'
 *   values that were removed are left out: 'hash_table.h: removal only marks records.'
 ---*/
#include "yang.h"
#include "hash_table.h"

struct val { int key, id; };

static int cb_data, swapped, seen_mod, seen_data = 1, calls, seen_prev = 1;
static struct val *prev;

/* In a change the very value is meant, else any of the same key. */
static ly_bool table_equal(void *a, void *b, ly_bool mod, void *data) {
    struct val *v = a, *w = b;
    return mod ? v->id == w->id : v->key == w->key;
}

static ly_bool given_equal(void *a, void *b, ly_bool mod, void *data) {
    struct val *v = a, *w = b;
    calls++;
    seen_mod |= mod;
    seen_data &= data == &cb_data;
    seen_prev &= v->id == prev->id;
    swapped |= w->id == prev->id;
    return v->key % 10 == w->key % 10;
}

static struct hash_table *ht;

static int add(int key, int id, uint32_t hash) {
    struct val v = {key, id};
    return lyht_insert(ht, &v, hash, NULL);
}

static LY_ERR next(struct val *from, uint32_t hash, lyht_value_equal_cb cb, struct val **to) {
    prev = from;
    return lyht_find_next_with_collision_cb(ht, from, hash, cb, (void **)to);
}

int main(void) {
    plus_start();
    ht = lyht_new(32, sizeof(struct val), table_equal, &cb_data, 0);
    /* In the same place of the table, with another hash: 5 and 37. */
    add(1, 10, 5);
    add(1, 11, 37);
    add(2, 12, 5);
    add(1, 13, 5);
    add(11, 14, 5);
    add(1, 15, 37);
    add(1, 16, 5);
    add(9, 17, 8);
    uint32_t used = ht->used;

    struct val want = {1, 10}, *m = NULL, *at = NULL;
    LY_ERR r = next(&want, 5, NULL, &m);
    ok("another equal value is found", r == LY_SUCCESS && m && m->key == 1 && m->id != 10);
    ok("it is the stored value",
       m && (unsigned char *)m >= ht->recs && (unsigned char *)m < ht->recs + 32 * ht->rec_size);
    int ids = 0, count = 0, other = 0;
    at = &want;
    while (count < 9 && !next(at, 5, NULL, &m)) {
        ids += m->id;
        other |= m->key != 1;
        at = m;
        count++;
    }
    ok("all equal values are found one after the other", count == 2 && ids == 13 + 16);
    ok("values of another hash in the same place are left out", count == 2 && ids == 29);
    ok("values that are not equal are left out", !other);
    ok("without it that of the table decides", count == 2 && !calls);
    m = (void *)&cb_data;
    r = next(at, 5, NULL, &m);
    ok("after the last one it is LY_ENOTFOUND", r == LY_ENOTFOUND);
    ok("then the match stays as it was", (void *)m == &cb_data);
    struct val alone = {9, 17}, two = {2, 12};
    ok("a value alone has no next one",
       next(&alone, 8, NULL, &m) == LY_ENOTFOUND && next(&two, 5, given_equal, &m) == LY_ENOTFOUND);

    calls = 0;
    swapped = seen_mod = 0;
    seen_data = seen_prev = 1;
    count = ids = 0;
    at = &want;
    while (count < 9 && !next(at, 5, given_equal, &m)) {
        ids += m->id;
        at = m;
        count++;
    }
    ok("the callback that is given decides", count == 3 && ids == 13 + 14 + 16 && calls > 0);
    ok("it gets the previous value first", seen_prev);
    ok("it gets the stored value second", !swapped);
    ok("it is told that it only looks", !seen_mod);
    ok("it gets the data of the table", seen_data);
    struct val eleven = {11, 14};
    r = next(&eleven, 5, given_equal, &m);
    ok("the previous value is found by the callback of the table", r == LY_SUCCESS && m->id == 16);
    ok("the match may be left out",
       lyht_find_next_with_collision_cb(ht, &want, 5, NULL, NULL) == LY_SUCCESS &&
       lyht_find_next_with_collision_cb(ht, &want, 5, table_equal, NULL) == LY_SUCCESS &&
       lyht_find_next_with_collision_cb(ht, &alone, 8, NULL, NULL) == LY_ENOTFOUND);
    ok("the table stays as it was", ht->used == used && ht->val_equal == table_equal && ht->cb_data == &cb_data);
    struct val gone = {1, 13};
    lyht_remove(ht, &gone, 5);
    r = next(&want, 5, NULL, &m);
    ok("values that were removed are left out",
       r == LY_SUCCESS && m->id == 16 && next(m, 5, NULL, &m) == LY_ENOTFOUND);
    lyht_free(ht);
    return plus_end();
}
