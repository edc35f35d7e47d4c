/*---
 * tasks: [evictionPoolPopulate-a95d96, evictionPoolPopulate-a95d96.2, evictionPoolPopulate-a95d96.4, evictionPoolPopulate-a95d96.8, evictionPoolPopulate-a95d96.16]
 * instead: [src/evict.o]
 * tests:
 *   a sampled key enters the pool: 'Comment: "populate the evictionPool with a few entries".'
 *   the number of sampled keys is returned: 'Caller performEvictions adds it up as sampled_keys.'
 *   no more keys than maxmemory-samples are taken: 'redis.conf: maxmemory-samples; caller performEvictions.'
 *   the entry names the database: 'struct evictionPoolEntry: dbid; performEvictions deletes there.'
 *   the entry names the slot: 'struct evictionPoolEntry: slot; performEvictions looks the key up there.'
 *   the score under LRU is the idle time: 'struct evictionPoolEntry: "Object idle time".'
 *   the score under LFU is the inverse frequency: 'struct evictionPoolEntry: "inverse frequency for LFU"; "maximum frequency of 255".'
 *   under volatile-ttl the sooner the expire the better: 'redis.conf: volatile-ttl, "nearest expire time".'
 *   the idle time of a volatile key is that of its value: 'Signature: samplekvs may be db->expires; performEvictions.'
 *   the value of a volatile key is looked up in its slot: 'performEvictions: samplekvs is db->expires, in a cluster too.'
 *   entries stand in ascending order: 'Comment: "We insert keys on place in ascending order".'
 *   equal scores are all kept while there is room: 'Comment: "Keys are always added if there are free entries".'
 *   a free entry is left free on the right: 'Comment: "inserting in ascending order"; performEvictions empties entries from the right.'
 *   a full pool does not take a smaller score: 'Comment: "Keys with idle time bigger than one of the current keys are added".'
 *   a full pool does not take the score of its smallest: 'Comment: "bigger than one of the current keys".'
 *   a full pool drops its smallest for a bigger score: 'Comment: keys "bigger than one of the current keys are added".'
 *   a full pool takes the biggest score at its right end: 'Comment: "keys with the higher idle time on the right".'
 *   what was not taken counts as sampled: 'Caller performEvictions: sampled_keys.'
 *   each entry keeps a cached string of its own: 'struct evictionPoolEntry: "Cached SDS object for key name".'
 *   a short key is put into the cached string: 'struct evictionPoolEntry: cached; performEvictions frees a key that is not the cached one.'
 *   a shorter key after a longer has its own length: 'struct evictionPoolEntry: key is an sds.'
 *   a key of 255 bytes and one of 256 are held whole: 'EVPOOL_CACHED_SDS_SIZE; names are Redis strings.'
 *   keys of any bytes are held: 'struct evictionPoolEntry: key is an sds; names are Redis strings.'
 *   the name is a copy: 'Comment at the pool: "the pool may contain keys that no longer exist".'
 *   long keys that are dropped are freed: 'performEvictions frees a key that is not the cached one.'
 *   eviction takes the keys in the order of their idle time: 'Caller performEvictions, "from best to worst".'
 ---*/
#include "../evict.c"
#include "start.h"
#include "../testhelp.h"

static struct evictionPoolEntry *pool;

static void emptyPool(void) {
    for (int j = 0; j < EVPOOL_SIZE; j++) {
        if (pool[j].key && pool[j].key != pool[j].cached) sdsfree(pool[j].key);
        pool[j].key = NULL;
        pool[j].idle = 0;
        pool[j].dbid = pool[j].slot = -7;
    }
}

static robj *put(int db, const char *name, size_t len) {
    robj *key = createStringObject(name,len), *val = createStringObject("v",1);
    dbAdd(&server.db[db],key,val);
    decrRefCount(key);
    return val;
}

static void clear(int db) {
    emptyDbStructure(server.db,db,0,NULL);
}

/* Samples one key of that name and idle time, the only one of its database. */
static int offer(int db, const char *name, size_t len, unsigned int idle) {
    clear(db);
    put(db,name,len)->lru = server.lruclock-idle;
    return evictionPoolPopulate(&server.db[db],server.db[db].keys,pool);
}

static int is(int k, const char *name, size_t len) {
    return k < EVPOOL_SIZE && pool[k].key && sdslen(pool[k].key) == len && !memcmp(pool[k].key,name,len) &&
           pool[k].key[len] == '\0';
}

/* The first letters of the keys in the pool. */
static const char *order(void) {
    static char s[EVPOOL_SIZE+1];
    for (int j = 0; j < EVPOOL_SIZE; j++) s[j] = pool[j].key ? pool[j].key[0] : '.';
    return s;
}

/* A pool with the keys a to p, whose idle times are 10, 20, ... */
static void fill(void) {
    emptyPool();
    for (int j = 0; j < EVPOOL_SIZE; j++) {
        char name = 'a'+j;
        offer(1,&name,1,10*(j+1));
    }
}

int main(void) {
    startRedis();
    server.hz = 10;
    server.lruclock = 1000000;
    server.unixtime = 60*30000;
    server.lfu_decay_time = 1;
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    server.maxmemory_samples = 5;
    evictionPoolAlloc();
    pool = EvictionPoolLRU;
    emptyPool();
    sds cached[EVPOOL_SIZE];
    for (int j = 0; j < EVPOOL_SIZE; j++) cached[j] = pool[j].cached;

    int n = offer(3,"first",5,7);
    test_cond("a sampled key enters the pool", is(0,"first",5) && !pool[1].key);
    test_cond("the entry names the database", pool[0].dbid == 3);
    test_cond("the score under LRU is the idle time", pool[0].idle == 7*LRU_CLOCK_RESOLUTION);
    test_cond("a short key is put into the cached string", pool[0].key == pool[0].cached);
    int one = n == 1;
    clear(4);
    for (int j = 0; j < 300; j++) {
        char name[16];
        put(4,name,sprintf(name,"key%d",j));
    }
    n = evictionPoolPopulate(&server.db[4],server.db[4].keys,pool);
    int most = n;
    server.maxmemory_samples = 3;
    n = evictionPoolPopulate(&server.db[4],server.db[4].keys,pool);
    test_cond("no more keys than maxmemory-samples are taken", most <= 5 && most > 0 && n <= 3 && n > 0 &&
              pool[most+n].key && !pool[most+n+1].key);
    test_cond("the number of sampled keys is returned", one && most == 5 && n == 3);
    server.maxmemory_samples = 5;

    emptyPool();
    offer(1,"c",1,30), offer(2,"a",1,10), offer(1,"d",1,40), offer(1,"b",1,20);
    test_cond("entries stand in ascending order", !strcmp(order(),"abcd............") && pool[0].dbid == 2 &&
              pool[0].idle == 10000 && pool[1].idle == 20000 && pool[2].idle == 30000 && pool[3].idle == 40000 &&
              pool[1].dbid == 1);
    emptyPool();
    offer(1,"x",1,30), offer(2,"y",1,30), offer(1,"z",1,30), offer(1,"a",1,0);
    test_cond("equal scores are all kept while there is room", pool[3].key && !pool[4].key && is(0,"a",1) &&
              strchr(order(),'x') && strchr(order(),'y') && strchr(order(),'z'));
    fill();
    int full = !strcmp(order(),"abcdefghijklmnop");
    n = offer(5,"0",1,9);
    test_cond("a full pool does not take a smaller score", full && !strcmp(order(),"abcdefghijklmnop") &&
              pool[0].dbid == 1 && pool[0].idle == 10000);
    test_cond("what was not taken counts as sampled", n == 1);
    offer(5,"0",1,10);
    test_cond("a full pool does not take the score of its smallest", !strcmp(order(),"abcdefghijklmnop"));
    offer(5,"X",1,75);
    int middle = !strcmp(order(),"bcdefgXhijklmnop") && pool[6].idle == 75000 && pool[6].dbid == 5 &&
                 pool[5].idle == 70000 && pool[7].idle == 80000;
    offer(6,"Y",1,25);
    test_cond("a full pool drops its smallest for a bigger score", middle && !strcmp(order(),"YcdefgXhijklmnop") && pool[0].idle == 25000);
    offer(6,"Z",1,500);
    test_cond("a full pool takes the biggest score at its right end", !strcmp(order(),"cdefgXhijklmnopZ") &&
              pool[15].idle == 500000 && pool[15].dbid == 6);
    pool[15].key = pool[14].key = NULL;
    pool[15].idle = pool[14].idle = 0;
    offer(6,"A",1,1);
    int shifted = !strcmp(order(),"AcdefgXhijklmno.") ;
    offer(6,"B",1,153);
    test_cond("a free entry is left free on the right", shifted && !strcmp(order(),"AcdefgXhijklmnoB") &&
              pool[14].idle == 150000);
    int distinct = 1;
    for (int j = 0; j < EVPOOL_SIZE; j++) {
        int found = 0;
        for (int k = 0; k < EVPOOL_SIZE; k++) found += pool[k].cached == cached[j];
        if (found != 1) distinct = 0;
    }
    test_cond("each entry keeps a cached string of its own", distinct);

    char name[300];
    memset(name,'n',sizeof(name));
    emptyPool();
    offer(1,name,200,10);
    emptyPool();
    offer(1,"ab",2,10);
    test_cond("a shorter key after a longer has its own length", is(0,"ab",2));
    offer(1,name,255,20), offer(1,name,256,30);
    test_cond("a key of 255 bytes and one of 256 are held whole", is(1,name,255) && is(2,name,256));
    offer(1,"a\0b\r",4,40);
    offer(1,"\0",1,50);
    test_cond("keys of any bytes are held", is(3,"a\0b\r",4) && is(4,"\0",1));
    dictEntry *de = kvstoreDictFind(server.db[1].keys,0,pool[4].key);
    int copy = de && dictGetKey(de) != pool[4].key;
    offer(1,name,280,60);
    de = kvstoreDictFind(server.db[1].keys,0,pool[5].key);
    copy = copy && de && dictGetKey(de) != pool[5].key;
    clear(1);
    test_cond("the name is a copy", copy && is(4,"\0",1) && is(5,name,280));

    emptyPool();
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LFU;
    clear(1);
    put(1,"often",5)->lru = (30000<<8)|200;
    evictionPoolPopulate(&server.db[1],server.db[1].keys,pool);
    clear(1);
    put(1,"never",5)->lru = (30000<<8)|0;
    evictionPoolPopulate(&server.db[1],server.db[1].keys,pool);
    clear(1);
    put(1,"decayed",7)->lru = (29900<<8)|201;
    evictionPoolPopulate(&server.db[1],server.db[1].keys,pool);
    test_cond("the score under LFU is the inverse frequency", is(0,"often",5) && is(1,"decayed",7) && is(2,"never",5) &&
              pool[0].idle == 55 && pool[1].idle == 154 && pool[2].idle == 255);

    emptyPool();
    server.maxmemory_policy = MAXMEMORY_VOLATILE_TTL;
    long long when[3] = {5000000000000,4000000000000,4000000000001};
    for (int j = 0; j < 3; j++) {
        clear(2);
        char letter = 'a'+j;
        put(2,&letter,1)->lru = server.lruclock-j;
        put(2,"persistent",10);
        robj *key = createStringObject(&letter,1);
        setExpire(NULL,&server.db[2],key,when[j]);
        decrRefCount(key);
        evictionPoolPopulate(&server.db[2],server.db[2].expires,pool);
    }
    test_cond("under volatile-ttl the sooner the expire the better", !strcmp(order(),"acb.............") &&
              pool[2].dbid == 2);

    emptyPool();
    server.maxmemory_policy = MAXMEMORY_VOLATILE_LRU;
    clear(2);
    put(2,"old",3)->lru = server.lruclock-77;
    put(2,"older",5)->lru = server.lruclock-99;
    robj *old = createStringObject("old",3);
    setExpire(NULL,&server.db[2],old,4000000000000);
    n = evictionPoolPopulate(&server.db[2],server.db[2].expires,pool);
    test_cond("the idle time of a volatile key is that of its value", n == 1 && is(0,"old",3) && pool[0].idle == 77000 &&
              !pool[1].key);

    emptyPool();
    redisDb slots = {.id = 9};
    slots.keys = kvstoreCreate(&dbDictType,2,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    slots.expires = kvstoreCreate(&dbExpiresDictType,2,KVSTORE_ALLOCATE_DICTS_ON_DEMAND);
    robj *val = createStringObject("v",1);
    val->lru = server.lruclock-5;
    de = kvstoreDictAddRaw(slots.keys,3,sdsnew("name"),NULL);
    kvstoreDictSetVal(slots.keys,3,de,val);
    robj *other = createStringObject("w",1);
    other->lru = server.lruclock-6;
    de = kvstoreDictAddRaw(slots.keys,0,sdsnew("name"),NULL);
    kvstoreDictSetVal(slots.keys,0,de,other);
    de = kvstoreDictAddRaw(slots.expires,3,dictGetKey(kvstoreDictGetRandomKey(slots.keys,3)),NULL);
    dictSetSignedIntegerVal(de,4000000000000);
    n = evictionPoolPopulate(&slots,slots.expires,pool);
    test_cond("the entry names the slot", n == 1 && is(0,"name",4) && pool[0].slot == 3 && pool[0].dbid == 9);
    test_cond("the value of a volatile key is looked up in its slot", pool[0].idle == 5000);

    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LRU;
    fill();
    clear(1);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 40; j++) offer(1,name,260+j%3,1000+j);
    emptyPool();
    clear(1);
    fill();
    clear(1);
    test_cond("long keys that are dropped are freed", zmalloc_used_memory() == before);

    emptyPool();
    for (int j = 0; j < server.dbnum; j++) clear(j);
    put(0,"young",5)->lru = server.lruclock-10;
    put(1,"oldest",6)->lru = server.lruclock-1000;
    put(2,"middle",6)->lru = server.lruclock-100;
    server.maxmemory_eviction_tenacity = 100;
    server.maxmemory = zmalloc_used_memory()-1;
    server.lazyfree_lazy_eviction = 0;
    performEvictions();
    int left = !dbSize(&server.db[1]) && dbSize(&server.db[2]) && dbSize(&server.db[0]);
    server.maxmemory = zmalloc_used_memory()-1;
    performEvictions();
    test_cond("eviction takes the keys in the order of their idle time", left && !dbSize(&server.db[2]) &&
              dbSize(&server.db[0]));
    test_report();
    return 0;
}
