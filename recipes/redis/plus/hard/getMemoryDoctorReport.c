/*---
 * tasks: [memoryCommand-606e0f.2, memoryCommand-606e0f.4, memoryCommand-606e0f.8]
 * tests:
 *   there is a text for an instance that is nearly empty: 'Comment: "An human readable analysis of the Redis memory condition".'
 *   there is a text for an instance without a fault: 'Comment: "An human readable analysis"; memoryCommand replies it.'
 *   an empty instance is told from one without a fault: 'Comment: "analysis of the Redis memory condition".'
 *   a far higher peak is reported: 'MEMORY DOCTOR: redisMemOverhead, peak_allocated.'
 *   great fragmentation is reported: 'redisMemOverhead: total_frag, total_frag_bytes.'
 *   the allocator's fragmentation is reported: 'redisMemOverhead: allocator_frag, allocator_frag_bytes.'
 *   the allocator's overhead is reported: 'redisMemOverhead: allocator_rss, allocator_rss_bytes.'
 *   the process's overhead is reported: 'redisMemOverhead: rss_extra, rss_extra_bytes.'
 *   great buffers of clients are reported: 'redisMemOverhead: clients_normal.'
 *   great buffers of replicas are reported: 'redisMemOverhead: clients_slaves.'
 *   thousands of scripts are reported: 'evalScriptsDict.'
 *   several faults make a longer report: 'Comment: "analysis"; MEMORY DOCTOR: "reports about different memory-related issues".'
 *   little is no fault: 'Comment: an analysis of the condition; a ratio of a few bytes says nothing.'
 *   an instance that is nearly empty has no other report: 'An empty instance''s ratios say nothing.'
 *   nothing is left behind: 'memoryCommand frees the report.'
 ---*/
#include "start.h"
#include "../testhelp.h"

sds getMemoryDoctorReport(void);

#define MB (1024 * 1024)

static sds fine;

static void healthy(void) {
    size_t used = zmalloc_used_memory();
    server.stat_peak_memory = used;
    server.cron_malloc_stats.zmalloc_used = server.cron_malloc_stats.process_rss = used;
    server.cron_malloc_stats.allocator_allocated = server.cron_malloc_stats.allocator_active = used;
    server.cron_malloc_stats.allocator_resident = used;
    memset(server.stat_clients_type_memory, 0, sizeof(server.stat_clients_type_memory));
    server.repl_buffer_mem = 0;
}

/* Whether the report isn't that of a healthy instance; back to one. */
static int reported(void) {
    sds s = getMemoryDoctorReport();
    int other = sdslen(s) > 20 && strcmp(s, fine) != 0;
    sdsfree(s);
    healthy();
    return other;
}

int main(void) {
    startRedis();
    client *c = fakeClient();
    listAddNodeTail(server.clients, c);
    healthy();
    sds empty = getMemoryDoctorReport();
    test_cond("there is a text for an instance that is nearly empty", sdslen(empty) > 20);
    server.stat_peak_memory *= 10;
    server.cron_malloc_stats.process_rss += 500 * MB;
    sds same = getMemoryDoctorReport();
    int alone = !strcmp(same, empty);
    sdsfree(same);
    void *data = zmalloc(64 * MB);
    healthy();
    fine = getMemoryDoctorReport();
    test_cond("there is a text for an instance without a fault", sdslen(fine) > 20);
    test_cond("an empty instance is told from one without a fault", strcmp(empty, fine) != 0);
    server.stat_peak_memory *= 5;
    test_cond("a far higher peak is reported", reported());
    server.cron_malloc_stats.zmalloc_used = 100 * MB;
    server.cron_malloc_stats.process_rss = server.cron_malloc_stats.allocator_resident = 300 * MB;
    server.cron_malloc_stats.allocator_active = server.cron_malloc_stats.allocator_allocated = 300 * MB;
    test_cond("great fragmentation is reported", reported());
    server.cron_malloc_stats.allocator_allocated = 100 * MB;
    server.cron_malloc_stats.allocator_active = server.cron_malloc_stats.allocator_resident = 200 * MB;
    server.cron_malloc_stats.zmalloc_used = server.cron_malloc_stats.process_rss = 200 * MB;
    test_cond("the allocator's fragmentation is reported", reported());
    server.cron_malloc_stats.allocator_allocated = server.cron_malloc_stats.allocator_active = 100 * MB;
    server.cron_malloc_stats.allocator_resident = server.cron_malloc_stats.process_rss = server.cron_malloc_stats.zmalloc_used = 200 * MB;
    test_cond("the allocator's overhead is reported", reported());
    server.cron_malloc_stats.allocator_allocated = server.cron_malloc_stats.allocator_active = 100 * MB;
    server.cron_malloc_stats.allocator_resident = 100 * MB;
    server.cron_malloc_stats.process_rss = server.cron_malloc_stats.zmalloc_used = 200 * MB;
    test_cond("the process's overhead is reported", reported());
    server.stat_clients_type_memory[CLIENT_TYPE_NORMAL] = listLength(server.clients) * 10 * MB;
    test_cond("great buffers of clients are reported", reported());
    client *replica = fakeClient();
    listAddNodeTail(server.slaves, replica), listAddNodeTail(server.clients, replica);
    server.repl_backlog_size = MB;
    server.repl_buffer_mem = 500 * MB;
    test_cond("great buffers of replicas are reported", reported());
    listDelNode(server.slaves, listFirst(server.slaves)), listDelNode(server.clients, listLast(server.clients));

    server.stat_peak_memory = zmalloc_used_memory() * 5;
    sds one = getMemoryDoctorReport();
    server.cron_malloc_stats.process_rss = 900 * MB;
    sds two = getMemoryDoctorReport();
    test_cond("several faults make a longer report", sdslen(two) > sdslen(one) && sdslen(one) > sdslen(fine));
    healthy();
    server.cron_malloc_stats.zmalloc_used = 100;
    server.cron_malloc_stats.process_rss = 1000;
    server.cron_malloc_stats.allocator_allocated = 100, server.cron_malloc_stats.allocator_active = 300;
    server.cron_malloc_stats.allocator_resident = 600;
    server.stat_clients_type_memory[CLIENT_TYPE_NORMAL] = 5000;
    test_cond("little is no fault", !reported());
    test_cond("an instance that is nearly empty has no other report", alone);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) server.stat_peak_memory *= j == 3 ? 9 : 1, sdsfree(getMemoryDoctorReport());
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    healthy();
    for (int j = 0; j < 3000; j++) {
        char text[32];
        snprintf(text, sizeof(text), "return %d", j);
        robj *body = createStringObject(text, strlen(text));
        luaCreateFunction(c, body);
        decrRefCount(body);
    }
    healthy();
    test_cond("thousands of scripts are reported", reported());
    zfree(data);
    test_report();
    return 0;
}
