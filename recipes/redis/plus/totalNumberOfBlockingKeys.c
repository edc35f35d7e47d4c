/*---
 * tasks: [3EABC43DB66CDE6D]
 * tests:
 *   without blocked clients both numbers are 0: 'Docstring: keys with at least one client blocked on them.'
 *   a number that stood there before is overwritten: 'Docstring: it "sets" both numbers.'
 *   keys of the first database are counted: 'Docstring: "the total number of keys".'
 *   keys of the last database are counted: 'Docstring: "the total number of keys"; server.dbnum databases.'
 *   keys of all databases are added up: 'Docstring: "the total number of keys".'
 *   a key of the same name counts in each database: 'Docstring: "the total number of keys"; each database has keys of its own.'
 *   a key with two blocked clients counts once: 'Docstring: keys "which has at least one client blocked on them".'
 *   keys that wait for a deletion are counted apart: 'Docstring: blocking_keys_on_nokey, keys "to be written or deleted".'
 *   the databases are left as they were: 'server.c: genRedisInfoString only reports.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void initServerConfig(void);

#define DBS 5
static redisDb dbs[DBS];
static unsigned long keys, nokey;

static void count(void) {
    keys = nokey = 12345;
    totalNumberOfBlockingKeys(&keys, &nokey);
}

/* A key on which `clients` clients wait; with `on_nokey` they wait for its deletion, too. */
static void block(int db, const char *name, int clients, int on_nokey) {
    robj *key = createStringObject(name, strlen(name));
    list *waiting = listCreate();
    while (clients--) listAddNodeTail(waiting, NULL);
    dictAdd(dbs[db].blocking_keys, key, waiting);
    if (on_nokey) dictAdd(dbs[db].blocking_keys_unblock_on_nokey, key, NULL);
}

int main(void) {
    initServerConfig();
    server.dbnum = DBS;
    server.db = dbs;
    for (int j = 0; j < DBS; j++) {
        dbs[j].blocking_keys = dictCreate(&keylistDictType);
        dbs[j].blocking_keys_unblock_on_nokey = dictCreate(&objectKeyPointerValueDictType);
    }
    count();
    test_cond("without blocked clients both numbers are 0", keys == 0 && nokey == 0);
    block(0, "a", 1, 0);
    count();
    test_cond("keys of the first database are counted", keys == 1 && nokey == 0);
    block(DBS - 1, "z", 1, 1);
    count();
    test_cond("keys of the last database are counted", keys == 2 && nokey == 1);
    block(2, "b", 1, 0);
    block(2, "c", 1, 0);
    block(3, "d", 1, 1);
    count();
    test_cond("keys of all databases are added up", keys == 5 && nokey == 2);
    block(4, "a", 1, 0);
    count();
    test_cond("a key of the same name counts in each database", keys == 6 && nokey == 2);
    block(1, "e", 3, 0);
    count();
    test_cond("a key with two blocked clients counts once", keys == 7 && nokey == 2);
    block(1, "f", 2, 1);
    count();
    test_cond("keys that wait for a deletion are counted apart", keys == 8 && nokey == 3);
    unsigned long k1 = keys, n1 = nokey;
    count();
    test_cond("a number that stood there before is overwritten", keys == k1 && nokey == n1);
    test_cond("the databases are left as they were",
              dictSize(dbs[2].blocking_keys) == 2 && dictSize(dbs[3].blocking_keys_unblock_on_nokey) == 1);
    test_report();
    return 0;
}
