/*---
 * tasks: [memoryCommand-606e0f, memoryCommand-606e0f.2, memoryCommand-606e0f.4, memoryCommand-606e0f.8]
 * tests:
 *   USAGE counts the key, the value and their place: 'MEMORY USAGE: "the number of bytes that a key and its value require".'
 *   USAGE of a key that is not there is null: 'MEMORY USAGE: nil when the key does not exist.'
 *   USAGE looks into the database of the client: 'dbFind(c->db).'
 *   USAGE takes SAMPLES: 'Help: "USAGE <key> [SAMPLES <count>]"; "sampled up to <count> times".'
 *   SAMPLES 0 samples all: 'Help: "default: 5, 0 means sample all".'
 *   without SAMPLES five are sampled: 'Help: "default: 5".'
 *   SAMPLES below 0, no number and no count are refused: 'Help: a count; shared.syntaxerr.'
 *   an unknown option is refused: 'MEMORY USAGE: syntax error.'
 *   options are read before the key is looked up: 'Upstream replies a syntax error for any key.'
 *   words in any case: 'Commands are read without case.'
 *   STATS has all its fields in their order: 'MEMORY STATS: the documentation lists them.'
 *   STATS has as many fields as its head says: 'addReplyMapLen; RESP3 clients rely on it.'
 *   STATS lists databases with keys: 'MEMORY STATS: "db.XXX".'
 *   STATS are those of getMemoryOverheadData: 'Comment: getMemoryOverheadData is for this command and INFO.'
 *   STATS is a map in the third version of the protocol: 'addReplyMapLen.'
 *   DOCTOR replies the report as a text: 'getMemoryDoctorReport; addReplyVerbatim.'
 *   MALLOC-STATS replies the allocator's text: 'Help: "Return internal statistics report from the memory allocator".'
 *   PURGE says OK: 'Help: "Attempt to purge dirty pages for reclamation by the allocator".'
 *   HELP lists the subcommands: 'Help; addReplyHelp.'
 *   an unknown subcommand is refused: 'addReplySubcommandSyntaxError.'
 *   a wrong number of words is refused: 'addReplySubcommandSyntaxError.'
 *   nothing is left behind: 'freeMemoryOverheadData, sdsfree.'
 ---*/
#include "start.h"
#include "../testhelp.h"

void memoryCommand(client *c);

static client *c;

/* The reply to these words, by blanks. */
static sds ask(const char *words) {
    int argc;
    sds *argv = sdssplitargs(words, &argc);
    setArguments(c, argc, (const char **)argv);
    sdsfreesplitres(argv, argc);
    memoryCommand(c);
    return replyOf(c);
}

static int is(const char *words, const char *want) {
    sds s = ask(words);
    int same = !strcmp(s, want);
    sdsfree(s);
    return same;
}

static int begins(const char *words, const char *want) {
    sds s = ask(words);
    int same = !strncmp(s, want, strlen(want));
    sdsfree(s);
    return same;
}

static long long number(const char *words) {
    sds s = ask(words);
    long long n = s[0] == ':' ? strtoll(s + 1, NULL, 10) : -1;
    sdsfree(s);
    return n;
}

static int refused(const char *words) {
    return begins(words, "-ERR ");
}

static const char *fields[] = {"peak.allocated", "total.allocated", "startup.allocated", "replication.backlog", "clients.slaves",
    "clients.normal", "cluster.links", "aof.buffer", "lua.caches", "functions.caches", "db.0", "db.5", "overhead.total",
    "keys.count", "keys.bytes-per-key", "dataset.bytes", "dataset.percentage", "peak.percentage", "allocator.allocated",
    "allocator.active", "allocator.resident", "allocator-fragmentation.ratio", "allocator-fragmentation.bytes",
    "allocator-rss.ratio", "allocator-rss.bytes", "rss-overhead.ratio", "rss-overhead.bytes", "fragmentation",
    "fragmentation.bytes"};
#define FIELDS (int)(sizeof(fields) / sizeof(*fields))

static char *next(char **at) {
    char *line = *at, *end = strstr(line, "\r\n");
    if (!end) return line;
    *end = '\0';
    *at = end + 2;
    return line;
}

/* Reads a value; the number of a simple one. */
static long long value(char **at) {
    char *line = next(at);
    if (line[0] == ':') return strtoll(line + 1, NULL, 10);
    if (line[0] == '$') return strtoll(next(at), NULL, 10);
    if (line[0] == '*' || line[0] == '%') {
        int n = atoi(line + 1) * (line[0] == '%' ? 2 : 1);
        long long last = 0;
        for (int j = 0; j < n; j++) last = value(at);
        return last;
    }
    return strtoll(line + 1, NULL, 10);
}

int main(void) {
    startRedis();
    c = fakeClient();
    robj *key = createStringObject("key", 3), *list = createStringObject("list", 4);
    robj *text = createRawStringObject("0123456789012345678901234567890123456789012345678901234567890123456789", 70);
    dbAdd(server.db, key, text);
    long long usage = number("memory usage key");
    dictEntry *de = dbFind(server.db, key->ptr);
    long long want = objectComputeSize(key, text, 5, 0) + sdsZmallocSize(dictGetKey(de)) + dictEntryMemUsage();
    test_cond("USAGE counts the key, the value and their place", usage == want && usage > 90);
    test_cond("USAGE of a key that is not there is null", is("memory usage none", "$-1\r\n"));
    selectDb(c, 5);
    int other = is("memory usage key", "$-1\r\n");
    dbAdd(server.db + 5, list, createStringObject("v", 1));
    other &= number("memory usage list") > 0;
    selectDb(c, 0);
    test_cond("USAGE looks into the database of the client", other && is("memory usage list", "$-1\r\n"));
    /* A sorted set whose first five members are short and whose others are long. */
    robj *members = createZsetObject(), *name = createStringObject("zset", 4);
    for (int j = 0; j < 20; j++) {
        int out;
        sds s = sdscatprintf(sdsempty(), "%02d", j);
        if (j >= 5) s = sdsgrowzero(s, 300);
        zsetAdd(members, j, s, ZADD_IN_NONE, &out, NULL);
        sdsfree(s);
    }
    dbAdd(server.db, name, members);
    long long five = number("memory usage zset samples 5"), six = number("memory usage zset samples 6");
    test_cond("USAGE takes SAMPLES", five > 0 && six > five && number("memory usage zset samples 20") > six &&
              number("memory usage zset samples 1") == five);
    test_cond("SAMPLES 0 samples all", number("memory usage zset samples 0") == number("memory usage zset samples 20") &&
              number("memory usage zset samples 1000") == number("memory usage zset samples 0"));
    test_cond("without SAMPLES five are sampled", number("memory usage zset") == five);
    test_cond("SAMPLES below 0, no number and no count are refused",
              is("memory usage key samples -1", "-ERR syntax error\r\n") && refused("memory usage key samples x") &&
              is("memory usage key samples", "-ERR syntax error\r\n"));
    test_cond("an unknown option is refused",
              is("memory usage key other", "-ERR syntax error\r\n") && is("memory usage key samples 3 other", "-ERR syntax error\r\n") &&
              is("memory usage key 3", "-ERR syntax error\r\n"));
    test_cond("options are read before the key is looked up", refused("memory usage none samples x") && refused("memory usage none other"));
    test_cond("words in any case", number("MEMORY USAGE zset SAMPLES 6") == six && number("memory Usage key") == usage &&
              begins("memory STATS", "*") && is("memory PURGE", "+OK\r\n"));

    sds stats = ask("memory stats");
    char *at = stats;
    int words = atoi(next(&at) + 1), ordered = 1;
    long long found[FIELDS];
    for (int j = 0; j < FIELDS; j++) {
        next(&at);
        ordered &= !strcmp(next(&at), fields[j]);
        found[j] = value(&at);
    }
    test_cond("STATS has all its fields in their order", ordered);
    test_cond("STATS has as many fields as its head says", words == 2 * FIELDS && *at == '\0');
    sdsfree(stats);
    struct redisMemOverhead *mh = getMemoryOverheadData();
    test_cond("STATS lists databases with keys", ordered && found[10] == (long long)mh->db[0].overhead_ht_expires && found[11] == (long long)mh->db[1].overhead_ht_expires);
    test_cond("STATS are those of getMemoryOverheadData",
              found[2] == (long long)mh->startup_allocated && found[5] == (long long)mh->clients_normal &&
              found[8] == (long long)mh->lua_caches && found[9] == (long long)mh->functions_caches &&
              found[12] == (long long)mh->overhead_total && found[13] == 3 && found[0] == (long long)mh->peak_allocated &&
              llabs(found[1] - (long long)mh->total_allocated) < 20000 && llabs(found[15] - (long long)mh->dataset) < 20000);
    freeMemoryOverheadData(mh);
    server.cron_malloc_stats.allocator_allocated = 1000, server.cron_malloc_stats.allocator_active = 3000;
    server.cron_malloc_stats.allocator_resident = 12000, server.cron_malloc_stats.process_rss = 60000;
    server.cron_malloc_stats.zmalloc_used = 500;
    c->resp = 3;
    stats = ask("memory stats");
    at = stats;
    int map = !strcmp(next(&at), "%29");
    for (int j = 0; j < FIELDS; j++) next(&at), next(&at), found[j] = value(&at);
    map &= found[18] == 1000 && found[19] == 3000 && found[20] == 12000 && found[21] == 3 && found[22] == 2000 && found[23] == 4 &&
           found[24] == 9000 && found[25] == 5 && found[26] == 48000 && found[27] == 120 && found[28] == 59500;
    test_cond("STATS is a map in the third version of the protocol", map);
    sdsfree(stats);
    sds got = ask("memory doctor");
    test_cond("DOCTOR replies the report as a text", got[0] == '=' && strstr(got, "\r\ntxt:") && sdslen(got) > 40);
    sdsfree(got);
    got = ask("memory malloc-stats");
    test_cond("MALLOC-STATS replies the allocator's text", got[0] == '=' && strstr(got, "\r\ntxt:") && sdslen(got) > 1000);
    sdsfree(got);
    c->resp = 2;
    test_cond("PURGE says OK", is("memory purge", "+OK\r\n"));
    got = ask("memory help");
    test_cond("HELP lists the subcommands", got[0] == '*' && strstr(got, "DOCTOR") && strstr(got, "MALLOC-STATS") && strstr(got, "PURGE") &&
              strstr(got, "STATS") && strstr(got, "USAGE <key> [SAMPLES <count>]") && strstr(got, "HELP"));
    sdsfree(got);
    test_cond("an unknown subcommand is refused", refused("memory other") && refused("memory other key"));
    test_cond("a wrong number of words is refused",
              refused("memory usage") && refused("memory stats x") && refused("memory doctor x") && refused("memory purge x") &&
              refused("memory malloc-stats x") && refused("memory help x"));
    const char *all[] = {"memory usage zset samples 0", "memory usage none", "memory usage key other", "memory stats", "memory doctor", "memory help"};
    for (int j = 0; j < 12; j++) sdsfree(ask(all[j % 6]));
    setArguments(c, 1, all);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 60; j++) sdsfree(ask(all[j % 6]));
    setArguments(c, 1, all);
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
