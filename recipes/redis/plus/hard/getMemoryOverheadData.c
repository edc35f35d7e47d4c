/*---
 * tasks: [memoryCommand-606e0f.4, memoryCommand-606e0f.8]
 * tests:
 *   allocated memory is that of now: 'redisMemOverhead: total_allocated; INFO: used_memory.'
 *   startup and peak are the server's: 'redisMemOverhead: startup_allocated, peak_allocated; server.h.'
 *   fragmentation compares the process with what was allocated: 'redisMemOverhead: total_frag, total_frag_bytes; INFO: mem_fragmentation_ratio "used_memory_rss / used_memory".'
 *   the allocator's fragmentation is of active and allocated: 'INFO: allocator_frag_ratio, "between allocator_active and allocator_allocated".'
 *   the allocator's overhead is of resident and active: 'INFO: allocator_rss_ratio, "between allocator_resident and allocator_active".'
 *   the process's overhead is of its RSS and resident: 'INFO: rss_overhead_ratio, "between used_memory_rss and allocator_resident".'
 *   without replicas the replication buffer is the backlog's: 'INFO: mem_replication_backlog, mem_clients_slaves.'
 *   with replicas the excess over the backlog's size is theirs: 'replication: "replicas and the backlog share the replication buffers"; INFO.'
 *   with replicas and little buffered nothing is theirs: 'INFO: mem_clients_slaves.'
 *   normal clients, masters and subscribers count together: 'INFO: mem_clients_normal; updateClientMemoryUsage.'
 *   replicas do not count as normal clients: 'INFO: mem_clients_normal.'
 *   cluster links are the server's: 'INFO: mem_cluster_links.'
 *   the AOF buffer counts while AOF is on: 'INFO: mem_aof_buffer.'
 *   the AOF buffer does not count while AOF is off: 'INFO: mem_aof_buffer.'
 *   scripts and functions are counted: 'evalScriptsMemory, functionsMemoryOverhead.'
 *   only databases with keys are listed, in their order: 'MEMORY STATS: "db.XXX: for each of the server databases".'
 *   keys of all databases are counted: 'MEMORY STATS: keys.count "the total number of keys stored across all databases".'
 *   the main table's overhead grows with its keys: 'MEMORY STATS: overhead.hashtable.main.'
 *   the overhead of expires grows with them alone: 'MEMORY STATS: overhead.hashtable.expires.'
 *   the total is the sum of all overheads: 'MEMORY STATS: overhead.total "The sum of all overheads".'
 *   the dataset is the rest: 'MEMORY STATS: dataset.bytes "overhead.total subtracted from total.allocated".'
 *   bytes for a key, 0 without keys: 'MEMORY STATS: keys.bytes-per-key, the dataset by the number of keys.'
 *   percentages: 'MEMORY STATS: dataset.percentage, peak.percentage.'
 *   nothing is left behind: 'Comment: "freed calling freeMemoryOverheadData()".'
 ---*/
#include "start.h"
#include "../functions.h"
#include "../testhelp.h"

static struct redisMemOverhead *mh;

static void look(void) {
    if (mh) freeMemoryOverheadData(mh);
    mh = getMemoryOverheadData();
}

static void add(int db, int from, int count) {
    for (int j = from; j < from + count; j++) {
        robj *key = createObject(OBJ_STRING, sdscatprintf(sdsempty(), "key:%d", j));
        dbAdd(server.db + db, key, createStringObject("v", 1));
        decrRefCount(key);
    }
}

static int close_to(double a, double b) {
    return fabs(a - b) < 0.001 * (fabs(b) + 1);
}

int main(void) {
    startRedis();
    server.stat_peak_memory = zmalloc_used_memory() * 4;
    server.cron_malloc_stats.zmalloc_used = 1000;
    server.cron_malloc_stats.process_rss = 4800;
    server.cron_malloc_stats.allocator_allocated = 2000;
    server.cron_malloc_stats.allocator_active = 3000;
    server.cron_malloc_stats.allocator_resident = 3600;
    look();
    size_t used = zmalloc_used_memory();
    test_cond("allocated memory is that of now", mh->total_allocated <= used && mh->total_allocated + 2000 > used);
    test_cond("startup and peak are the server's",
              mh->startup_allocated == server.initial_memory_usage && mh->peak_allocated == server.stat_peak_memory);
    test_cond("fragmentation compares the process with what was allocated", close_to(mh->total_frag, 4.8) && mh->total_frag_bytes == 3800);
    test_cond("the allocator's fragmentation is of active and allocated", close_to(mh->allocator_frag, 1.5) && mh->allocator_frag_bytes == 1000);
    test_cond("the allocator's overhead is of resident and active", close_to(mh->allocator_rss, 1.2) && mh->allocator_rss_bytes == 600);
    test_cond("the process's overhead is of its RSS and resident", close_to(mh->rss_extra, 4.0 / 3) && mh->rss_extra_bytes == 1200);

    server.repl_buffer_mem = 50000, server.repl_backlog_size = 20000;
    look();
    test_cond("without replicas the replication buffer is the backlog's", mh->repl_backlog == 50000 && mh->clients_slaves == 0);
    listAddNodeTail(server.slaves, fakeClient());
    look();
    test_cond("with replicas the excess over the backlog's size is theirs", mh->repl_backlog == 20000 && mh->clients_slaves == 30000);
    server.repl_buffer_mem = 15000;
    look();
    test_cond("with replicas and little buffered nothing is theirs", mh->repl_backlog == 15000 && mh->clients_slaves == 0);

    server.stat_clients_type_memory[CLIENT_TYPE_NORMAL] = 100;
    server.stat_clients_type_memory[CLIENT_TYPE_PUBSUB] = 20;
    server.stat_clients_type_memory[CLIENT_TYPE_MASTER] = 3;
    look();
    size_t sum = mh->clients_normal;
    server.stat_clients_type_memory[CLIENT_TYPE_SLAVE] = 7000;
    server.stat_cluster_links_memory = 4242;
    look();
    test_cond("normal clients, masters and subscribers count together", sum == 123);
    test_cond("replicas do not count as normal clients", mh->clients_normal == 123);
    test_cond("cluster links are the server's", mh->cluster_links == 4242);
    server.aof_buf = sdscat(sdsempty(), "some commands that are not yet written");
    server.aof_state = AOF_ON;
    look();
    size_t on = mh->aof_buffer;
    server.aof_state = AOF_WAIT_REWRITE;
    look();
    test_cond("the AOF buffer counts while AOF is on", on == sdsZmallocSize(server.aof_buf) && mh->aof_buffer == on);
    size_t total = mh->overhead_total;
    server.aof_state = AOF_OFF;
    look();
    test_cond("the AOF buffer does not count while AOF is off", mh->aof_buffer == 0 && mh->overhead_total == total - on);
    test_cond("scripts and functions are counted",
              mh->lua_caches == evalScriptsMemory() && mh->functions_caches == functionsMemoryOverhead());

    int none = mh->num_dbs == 0 && mh->total_keys == 0 && mh->bytes_per_key == 0;
    add(3, 0, 100), add(9, 0, 7);
    look();
    int listed = mh->num_dbs == 2 && mh->db[0].dbid == 3 && mh->db[1].dbid == 9;
    size_t before = mh->db[0].overhead_ht_main, expires = mh->db[0].overhead_ht_expires;
    add(0, 0, 1);
    look();
    listed &= mh->num_dbs == 3 && mh->db[0].dbid == 0 && mh->db[1].dbid == 3 && mh->db[2].dbid == 9;
    test_cond("only databases with keys are listed, in their order", none && listed);
    test_cond("keys of all databases are counted", mh->total_keys == 108);
    add(3, 100, 900);
    look();
    size_t after = mh->db[1].overhead_ht_main;
    test_cond("the main table's overhead grows with its keys",
              after >= before + 900 * sizeof(robj) && after == kvstoreMemUsage(server.db[3].keys) + 1000 * sizeof(robj) &&
              mh->db[0].overhead_ht_main < after);
    int same = mh->db[1].overhead_ht_expires == expires;
    for (int j = 0; j < 500; j++) {
        robj *key = createObject(OBJ_STRING, sdscatprintf(sdsempty(), "key:%d", j));
        setExpire(NULL, server.db + 3, key, 99999999999999LL);
        decrRefCount(key);
    }
    look();
    test_cond("the overhead of expires grows with them alone",
              same && mh->db[1].overhead_ht_expires == kvstoreMemUsage(server.db[3].expires) &&
              mh->db[1].overhead_ht_expires > expires && mh->db[1].overhead_ht_main == after);
    server.aof_state = AOF_ON;
    server.repl_buffer_mem = 50000;
    look();
    sum = mh->startup_allocated + mh->repl_backlog + mh->clients_slaves + mh->clients_normal + mh->cluster_links + mh->aof_buffer +
          mh->lua_caches + mh->functions_caches;
    for (size_t j = 0; j < mh->num_dbs; j++) sum += mh->db[j].overhead_ht_main + mh->db[j].overhead_ht_expires;
    test_cond("the total is the sum of all overheads", mh->overhead_total == sum && mh->clients_slaves == 30000 && mh->aof_buffer);
    test_cond("the dataset is the rest", mh->dataset == mh->total_allocated - mh->overhead_total);
    test_cond("bytes for a key, 0 without keys", none && mh->bytes_per_key == mh->dataset / 1008);
    test_cond("percentages",
              close_to(mh->dataset_perc, (float)mh->dataset * 100 / (mh->total_allocated - mh->startup_allocated)) &&
              close_to(mh->peak_perc, (float)mh->total_allocated * 100 / mh->peak_allocated) && mh->peak_perc > 1);
    look();
    used = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) look();
    test_cond("nothing is left behind", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
