/*---
 * tasks: [hash_insert-7a2ace.2]
 * instead: [src/hash.o]
 * tests:
 *   a node that is inserted is found: 'Docstring: "Insert a node"; hash_lookup: "Find a node".'
 *   it has its key: 'hash.h: struct hnode_t, the key is a pointer of the user.'
 *   it has its hash: 'hash.h: struct hnode_t, "The hashed key is stored in each node".'
 *   its data stay: 'hash.h: struct hnode_t, the value is not interpreted.'
 *   it is in the chain of its hash: 'Docstring, note 4: "the bottom N bits of the hash value".'
 *   each node is counted: 'hash.h: struct hash_t, NODECOUNT.'
 *   nodes of one chain are all found: 'hash_lookup, note 3: "Looping through the chain".'
 *   nodes of one hash are told apart by their keys: 'hash_lookup, note 3: "a full comparison".'
 *   an equal key finds the node: 'hash_lookup: keys are compared, not their addresses.'
 *   a key that is missing finds nothing: 'hash_lookup: "return a pointer to it"; NULL otherwise.'
 *   a key that is missing from a chain finds nothing: 'hash_lookup, note 3.'
 *   keys of different hashes are not compared: 'hash_lookup, note 3: only "if hash values match".'
 *   at twice the size the table grows: 'Docstring, note 3: "already at >= 2, grow the table".'
 *   before that it does not: 'Docstring, note 3.'
 *   after it has grown all nodes are found: 'Docstring, note 3.'
 *   then they are in the chains of the new size: 'Docstring, note 4: "the base 2 logarithm of the size".'
 *   a table that is not dynamic does not grow: 'Docstring, note 3: "If the table is dynamic".'
 *   looking a key up changes nothing: 'hash_lookup: "Find a node".'
 *   after it is deleted a node is not found: 'hash.h: hash_delete.'
 ---*/
#include "../hash.c"
#include "plus.h"

static int compared, wrong;

struct key { int id, hash; };

static int compare(const void *a, const void *b) {
    compared++;
    const struct key *k = a, *l = b;
    wrong |= k->hash != l->hash;
    return k->id < l->id ? -1 : k->id > l->id;
}

static hash_val_t function(const void *key) {
    return ((const struct key *)key)->hash;
}

static hnode_t *node(void *data) {
    hnode_t *n = hnode_create(data);
    if (!n) exit(2);
    return n;
}

static int in_chain(hash_t *h, hnode_t *n) {
    for (hnode_t *i = h->table[n->hkey & (h->nchains - 1)]; i; i = i->next)
        if (i == n) return 1;
    return 0;
}

int main(void) {
    plus_start();
    hash_t *h = hash_create(HASHCOUNT_T_MAX, compare, function);
    static struct key k[100], data;
    hnode_t *n[100];
    k[0] = (struct key) {1, 0x1235};
    n[0] = node(&data);
    hash_insert(h, n[0], &k[0]);
    ok("a node that is inserted is found", hash_lookup(h, &k[0]) == n[0]);
    ok("it has its key", n[0]->key == &k[0]);
    ok("it has its hash", n[0]->hkey == 0x1235);
    ok("its data stay", n[0]->data == &data);
    ok("it is in the chain of its hash", h->table[5] == n[0] && n[0]->next == NULL);
    k[1] = (struct key) {2, 0x45};
    k[2] = (struct key) {3, 0x55};
    k[3] = (struct key) {4, 0x1235};
    k[4] = (struct key) {5, 0x1236};
    for (int i = 1; i < 5; i++) hash_insert(h, n[i] = node(NULL), &k[i]);
    ok("each node is counted", h->nodecount == 5 && hash_count(h) == 5);
    ok("nodes of one chain are all found",
       hash_lookup(h, &k[1]) == n[1] && hash_lookup(h, &k[2]) == n[2] && hash_lookup(h, &k[4]) == n[4]);
    ok("nodes of one hash are told apart by their keys",
       hash_lookup(h, &k[0]) == n[0] && hash_lookup(h, &k[3]) == n[3]);
    struct key equal = {3, 0x55}, none = {3, 0x57}, chain = {3, 0x65}, other = {9, 0x1235};
    ok("an equal key finds the node", hash_lookup(h, &equal) == n[2]);
    ok("a key that is missing finds nothing", hash_lookup(h, &none) == NULL);
    compared = 0;
    int absent = hash_lookup(h, &chain) == NULL && compared == 0;
    ok("a key that is missing from a chain finds nothing", absent && hash_lookup(h, &other) == NULL);
    ok("keys of different hashes are not compared", !wrong && absent);
    ok("looking a key up changes nothing", h->nodecount == 5 && h->nchains == 16 && in_chain(h, n[2]));
    hash_delete(h, n[0]);
    ok("after it is deleted a node is not found", hash_lookup(h, &k[0]) == NULL && hash_lookup(h, &k[3]) == n[3]);

    h = hash_create(HASHCOUNT_T_MAX, compare, function);
    for (int i = 0; i < 100; i++) k[i] = (struct key) {i, 3 * i + 1};
    int small = 1;
    for (int i = 0; i < 32; i++) {
        hash_insert(h, n[i] = node(NULL), &k[i]);
        small &= h->nchains == 16;
    }
    ok("before that it does not", small);
    hash_insert(h, n[32] = node(NULL), &k[32]);
    ok("at twice the size the table grows", h->nchains == 32 && h->nodecount == 33);
    int found = 1, placed = 1;
    for (int i = 33; i < 100; i++) hash_insert(h, n[i] = node(NULL), &k[i]);
    for (int i = 0; i < 100; i++) {
        found &= hash_lookup(h, &k[i]) == n[i];
        placed &= in_chain(h, n[i]);
    }
    ok("after it has grown all nodes are found", found && h->nodecount == 100);
    ok("then they are in the chains of the new size", placed && h->nchains == 64);

    hash_t fixed;
    static hnode_t *table[16];
    memset(&fixed, 0, sizeof fixed);
    hash_init(&fixed, HASHCOUNT_T_MAX, compare, function, table, 16);
    found = 1;
    for (int i = 0; i < 100; i++) hash_insert(&fixed, n[i] = node(NULL), &k[i]);
    for (int i = 0; i < 100; i++) found &= hash_lookup(&fixed, &k[i]) == n[i];
    ok("a table that is not dynamic does not grow", found && fixed.nchains == 16 && fixed.table == table);
    return plus_end();
}
