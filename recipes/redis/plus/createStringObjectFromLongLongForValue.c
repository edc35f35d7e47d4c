/*---
 * tasks: [D96D35EDDAADBECC]
 * tests:
 *   the object holds the value: 'object.c: createStringObjectFromLongLongWithOptions, whose result it returns.'
 *   without a memory limit small numbers are shared: 'Docstring: it avoids sharing only when "Redis is configured to evict based on LFU/LRU"; maxmemory 0 evicts nothing.'
 *   without a memory limit the policy does not matter: 'redis.conf: maxmemory-policy applies once maxmemory is reached.'
 *   with noeviction small numbers are shared: 'Docstring: it avoids sharing only when "Redis is configured to evict based on LFU/LRU".'
 *   with volatile-ttl small numbers are shared: 'Docstring: it avoids sharing only when "Redis is configured to evict based on LFU/LRU".'
 *   with random eviction small numbers are shared: 'Docstring: it avoids sharing only when "Redis is configured to evict based on LFU/LRU".'
 *   with allkeys-lru a small number has its own object: 'Docstring: "we want LFU/LRU values specific for each key".'
 *   with volatile-lru a small number has its own object: 'Docstring: "we want LFU/LRU values specific for each key".'
 *   with allkeys-lfu a small number has its own object: 'Docstring: "we want LFU/LRU values specific for each key".'
 *   with volatile-lfu a small number has its own object: 'Docstring: "we want LFU/LRU values specific for each key".'
 *   two keys of the same number have two objects: 'Docstring: "specific for each key".'
 *   an object of its own is encoded as an integer: 'object.c: only LL2STROBJ_NO_INT_ENC "disallow integer encoded objects".'
 *   the largest shared number is shared: 'server.h: OBJ_SHARED_INTEGERS.'
 *   larger and negative numbers are never shared: 'server.h: OBJ_SHARED_INTEGERS.'
 *   the largest and the smallest number are right: 'The parameter is a long long.'
 *   the change of the policy counts at once: 'config.c: maxmemory and maxmemory-policy are modifiable.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void initServerConfig(void);
void createSharedObjects(void);

static robj *with(unsigned long long maxmemory, int policy, long long value) {
    server.maxmemory = maxmemory;
    server.maxmemory_policy = policy;
    return createStringObjectFromLongLongForValue(value);
}

static int shared_(robj *o, long long value) {
    return o == shared.integers[value] && o->refcount == OBJ_SHARED_REFCOUNT;
}

static int own(robj *o, long long value) {
    long long held;
    return o->refcount == 1 && o->type == OBJ_STRING && getLongLongFromObject(o, &held) == C_OK && held == value;
}

int main(void) {
    const unsigned long long limit = 1ULL << 40;
    initServerConfig();
    createSharedObjects();
    test_cond("without a memory limit small numbers are shared", shared_(with(0, MAXMEMORY_NO_EVICTION, 7), 7));
    test_cond("without a memory limit the policy does not matter",
              shared_(with(0, MAXMEMORY_ALLKEYS_LRU, 0), 0) && shared_(with(0, MAXMEMORY_VOLATILE_LFU, 8), 8));
    test_cond("with noeviction small numbers are shared", shared_(with(limit, MAXMEMORY_NO_EVICTION, 7), 7));
    test_cond("with volatile-ttl small numbers are shared", shared_(with(limit, MAXMEMORY_VOLATILE_TTL, 7), 7));
    test_cond("with random eviction small numbers are shared",
              shared_(with(limit, MAXMEMORY_ALLKEYS_RANDOM, 7), 7) &&
              shared_(with(limit, MAXMEMORY_VOLATILE_RANDOM, 7), 7));
    test_cond("with allkeys-lru a small number has its own object", own(with(limit, MAXMEMORY_ALLKEYS_LRU, 7), 7));
    test_cond("with volatile-lru a small number has its own object", own(with(limit, MAXMEMORY_VOLATILE_LRU, 7), 7));
    test_cond("with allkeys-lfu a small number has its own object", own(with(limit, MAXMEMORY_ALLKEYS_LFU, 7), 7));
    test_cond("with volatile-lfu a small number has its own object", own(with(1, MAXMEMORY_VOLATILE_LFU, 0), 0));
    robj *one = with(limit, MAXMEMORY_ALLKEYS_LRU, 5), *two = with(limit, MAXMEMORY_ALLKEYS_LRU, 5);
    test_cond("two keys of the same number have two objects", one != two);
    test_cond("an object of its own is encoded as an integer",
              one->encoding == OBJ_ENCODING_INT && with(limit, MAXMEMORY_ALLKEYS_LFU, -3)->encoding == OBJ_ENCODING_INT);
    test_cond("the largest shared number is shared",
              shared_(with(0, MAXMEMORY_NO_EVICTION, OBJ_SHARED_INTEGERS - 1), OBJ_SHARED_INTEGERS - 1) &&
              own(with(limit, MAXMEMORY_ALLKEYS_LRU, OBJ_SHARED_INTEGERS - 1), OBJ_SHARED_INTEGERS - 1));
    test_cond("larger and negative numbers are never shared",
              own(with(0, MAXMEMORY_NO_EVICTION, OBJ_SHARED_INTEGERS), OBJ_SHARED_INTEGERS) &&
              own(with(0, MAXMEMORY_NO_EVICTION, -1), -1) && own(with(limit, MAXMEMORY_NO_EVICTION, -1), -1));
    test_cond("the object holds the value",
              own(with(limit, MAXMEMORY_ALLKEYS_LRU, 1234567), 1234567) && own(with(0, 0, -99), -99));
    test_cond("the largest and the smallest number are right",
              own(with(limit, MAXMEMORY_ALLKEYS_LFU, LLONG_MAX), LLONG_MAX) &&
              own(with(0, MAXMEMORY_NO_EVICTION, LLONG_MIN), LLONG_MIN));
    test_cond("the change of the policy counts at once",
              own(with(limit, MAXMEMORY_ALLKEYS_LRU, 9), 9) && shared_(with(0, MAXMEMORY_ALLKEYS_LRU, 9), 9) &&
              own(with(limit, MAXMEMORY_ALLKEYS_LRU, 9), 9));
    test_report();
    return 0;
}
