/*---
 * tasks: [expireSlaveKeys-f8757a.8, expireSlaveKeys-f8757a.16]
 * tests:
 *   the peak of memory grows with the memory in use: 'server.h: stat_peak_memory, "Max used memory record".'
 *   the peak of memory never falls: 'server.h: stat_peak_memory, "Max used memory record".'
 *   clients that are to be closed are freed: 'Comment: "The most important is freeClientsInAsyncFreeQueue".'
 *   replies are written to clients: 'Comment: "Handle writes with pending output buffers".'
 *   clients that are blocked for a key are served: 'Comment: "Handle blocked clients".'
 *   a served client gets its reply at once: 'Comment: blocked clients are handled before the writes.'
 *   a replica does not expire keys: 'Comment: "Run a fast expire cycle"; a replica waits for its master.'
 *   without active expiring no key expires: 'server.h: active_expire_enabled.'
 *   a master runs a fast expire cycle: 'Comment: "Run a fast expire cycle".'
 *   replicas are asked for an ACK once: 'Comment: "Send all the slaves an ACK request if at least one client blocked".'
 *   while replicas are paused they are not asked: 'Comment: "We also don''t send the ACKs while clients are paused ... they''ll be sent after the pause".'
 *   keys that changed are told to those who track by prefix: 'Comment: "Send the invalidation messages to clients participating to the client side caching protocol in broadcasting (BCAST) mode".'
 *   the buffer of the AOF is written: 'Comment: "Write the AOF buffer on disk".'
 *   the buffer is written while the first rewrite is awaited: 'aof_state AOF_WAIT_REWRITE.'
 *   without AOF nothing is written: 'aof_state AOF_OFF.'
 *   the offset that is on disk is taken over: 'Comment: "Update the fsynced replica offset".'
 *   during the initial rewrite the offset stays: 'Comment: "If an initial rewrite is in progress then ... we cannot update the field".'
 *   with clients in WAITAOF it does not sleep when the offset grew: 'Comment: "If we have blocked [WAIT]AOF clients, and fsynced_reploff changed, we want to try to wake them up ASAP".'
 *   otherwise it may sleep: 'Comment: "Don''t sleep at all before the next beforeSleep() if needed".'
 *   durations are recorded: 'Comments: "Record time consumption of AOF writing", "Record cron time in beforeSleep", "Record eventloop latency".'
 *   the most commands of a cycle are recorded: 'Comment: "Record max command count per cycle".'
 *   while events are processed blocked writes and closing go on: 'Comment: "Just call a subset of vital functions in case we are re-entering the event loop".'
 *   these events are counted: 'Comment: "we keep track of the number of events we are processing".'
 *   all else waits then: 'Comment: "we don''t want to perform all actions (For example, we don''t want to expire keys)".'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/socket.h>
#include <fcntl.h>

extern int ProcessingEventsWhileBlocked;

static int ends[64];

static client *join(void) {
    int fds[2];
    serverAssert(socketpair(AF_UNIX,SOCK_STREAM,0,fds) == 0);
    client *c = createClient(NULL);
    c->conn = connCreateAccepted(connectionByType(CONN_TYPE_SOCKET),fds[0],NULL);
    c->conn->state = CONN_STATE_CONNECTED;
    connSetPrivateData(c->conn,c);
    linkClient(c);
    ends[c->id % 64] = fds[1];
    return c;
}

/* Whether the client was sent exactly that. */
static int sent(client *c, const char *text) {
    char buf[1000];
    ssize_t n = recv(ends[c->id % 64],buf,sizeof(buf),MSG_DONTWAIT);
    return n < 0 ? !*text : n == (ssize_t)strlen(text) && !memcmp(buf,text,n);
}

static void put(const char *name, long long when) {
    robj *key = createStringObject(name,strlen(name)), *val = createStringObject("value",5);
    dbAdd(&server.db[0],key,val);
    if (when != -1) setExpire(NULL,&server.db[0],key,when);
    decrRefCount(key);
}

static int has(const char *name) {
    sds key = sdsnew(name);
    int found = dbFind(&server.db[0],key) != NULL;
    sdsfree(key);
    return found;
}

/* Lets a client wait for a list, which is filled then. */
static client *waitFor(const char *name) {
    client *c = join();
    const char *words[] = {"blpop",name,"0"};
    setArguments(c,3,words);
    c->cmd->proc(c);
    serverAssert(c->flags & CLIENT_BLOCKED);
    robj *key = createStringObject(name,strlen(name)), *list = createListListpackObject(), *e = createStringObject("e",1);
    listTypePush(list,e,LIST_TAIL);
    decrRefCount(e);
    dbAdd(&server.db[0],key,list);
    decrRefCount(key);
    return c;
}

static long fileSize(int fd) {
    return (long)lseek(fd,0,SEEK_END);
}

static void sleep_(void) {
    beforeSleep(server.el);
}

int main(void) {
    startRedis();
    signal(SIGALRM,SIG_DFL), alarm(60);
    ProcessingEventsWhileBlocked = 0;
    server.lazyfree_lazy_expire = 0;
    sleep_();

    server.stat_peak_memory = 1;
    sleep_();
    size_t used = zmalloc_used_memory();
    test_cond("the peak of memory grows with the memory in use", server.stat_peak_memory > used/2);
    server.stat_peak_memory = used*100;
    sleep_();
    test_cond("the peak of memory never falls", server.stat_peak_memory == used*100);
    client *c = join(), *closing = join();
    uint64_t id = closing->id;
    freeClientAsync(closing);
    addReplyLongLong(c,42);
    sleep_();
    test_cond("clients that are to be closed are freed", !lookupClientByID(id) && lookupClientByID(c->id) == c &&
              listLength(server.clients_to_close) == 0);
    test_cond("replies are written to clients", sent(c,":42\r\n") && listLength(server.clients_pending_write) == 0);
    client *waiting = waitFor("list");
    sleep_();
    test_cond("clients that are blocked for a key are served", !(waiting->flags & CLIENT_BLOCKED) && !has("list"));
    test_cond("a served client gets its reply at once", sent(waiting,"*2\r\n$4\r\nlist\r\n$1\r\ne\r\n"));

    mstime_t past = mstime()-100000;
    put("dead",past);
    server.stat_expired_stale_perc = 90;
    server.masterhost = sdsnew("master");
    sleep_();
    sds host = server.masterhost;
    server.masterhost = NULL;
    test_cond("a replica does not expire keys", has("dead"));
    server.active_expire_enabled = 0;
    sleep_();
    test_cond("without active expiring no key expires", has("dead"));
    server.active_expire_enabled = 1;
    for (int j = 0; j < 20000 && has("dead"); j++) {
        server.stat_expired_stale_perc = 90;
        sleep_();
    }
    test_cond("a master runs a fast expire cycle", !has("dead"));
    server.stat_expired_stale_perc = 0;

    createReplicationBacklog();
    long long offset = server.master_repl_offset;
    server.get_ack_from_slaves = 1;
    pauseActions(PAUSE_BY_CLIENT_COMMAND,mstime()+1000000,PAUSE_ACTIONS_CLIENT_ALL_SET);
    sleep_();
    test_cond("while replicas are paused they are not asked", server.get_ack_from_slaves == 1 &&
              server.master_repl_offset == offset);
    unpauseActions(PAUSE_BY_CLIENT_COMMAND);
    sleep_();
    long long asked = server.master_repl_offset-offset;
    sleep_();
    test_cond("replicas are asked for an ACK once", asked == (long long)strlen("*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n") &&
              server.get_ack_from_slaves == 0 && server.master_repl_offset-offset == asked);
    client *tracker = join();
    tracker->resp = 3;
    enableTracking(tracker,0,CLIENT_TRACKING_BCAST,NULL,0);
    robj *key = createStringObject("cached",6);
    trackingInvalidateKey(NULL,key,1);
    sleep_();
    test_cond("keys that changed are told to those who track by prefix",
              sent(tracker,">2\r\n$10\r\ninvalidate\r\n*1\r\n$6\r\ncached\r\n"));
    disableTracking(tracker);

    char dir[] = "/tmp/plus.XXXXXX";
    serverAssert(mkdtemp(dir));
    sds path = sdscat(sdsnew(dir),"/aof");
    int fd = open(path,O_RDWR|O_CREAT|O_APPEND,0600);
    unlink(path);
    rmdir(dir);
    server.aof_fsync = AOF_FSYNC_NO;
    server.aof_fd = fd;
    server.aof_buf = sdscat(server.aof_buf,"some");
    server.aof_state = AOF_OFF;
    sleep_();
    test_cond("without AOF nothing is written", fileSize(fd) == 0 && sdslen(server.aof_buf) == 4);
    server.aof_state = AOF_WAIT_REWRITE;
    server.fsynced_reploff = 5;
    atomicSet(server.fsynced_reploff_pending,server.master_repl_offset);
    sleep_();
    test_cond("the buffer is written while the first rewrite is awaited", fileSize(fd) == 4 && sdslen(server.aof_buf) == 0);
    test_cond("during the initial rewrite the offset stays", server.fsynced_reploff == 5);
    server.aof_state = AOF_ON;
    server.aof_buf = sdscat(server.aof_buf,"more");
    sleep_();
    test_cond("the buffer of the AOF is written", fileSize(fd) == 8 && sdslen(server.aof_buf) == 0);
    int taken = server.fsynced_reploff == server.master_repl_offset;
    server.fsynced_reploff = -1;
    sleep_();
    test_cond("the offset that is on disk is taken over", taken && server.fsynced_reploff == -1);
    server.fsynced_reploff = 5;
    client *acks = join();
    const char *words[] = {"waitaof","0","5","0"};
    setArguments(acks,4,words);
    blockForReplication(acks,0,1LL << 40,5);
    sleep_();
    int awake = (server.el->flags & AE_DONT_WAIT) != 0;
    sleep_();
    int asleep = !(server.el->flags & AE_DONT_WAIT);
    test_cond("with clients in WAITAOF it does not sleep when the offset grew", awake);
    unblockClient(acks,1);
    aeSetDontWait(server.el,1);
    server.fsynced_reploff = 5;
    sleep_();
    test_cond("otherwise it may sleep", asleep && !(server.el->flags & AE_DONT_WAIT));
    server.aof_state = AOF_OFF;

    memset(server.duration_stats,0,sizeof(server.duration_stats));
    server.el_start = 0;
    server.el_cron_duration = 1000000;
    sleep_();
    int none = server.duration_stats[EL_DURATION_TYPE_EL].cnt == 0;
    server.el_start = getMonotonicUs();
    sleep_();
    test_cond("durations are recorded", none && server.duration_stats[EL_DURATION_TYPE_EL].cnt == 1 &&
              server.duration_stats[EL_DURATION_TYPE_AOF].cnt == 2 && server.duration_stats[EL_DURATION_TYPE_CRON].cnt == 2 &&
              server.duration_stats[EL_DURATION_TYPE_CRON].max >= 1000000 && server.el_cron_duration == 0);
    server.stat_numcommands = 10;
    server.el_cmd_cnt_start = 3;
    server.el_cmd_cnt_max = 5;
    sleep_();
    int max = server.el_cmd_cnt_max == 7;
    server.el_cmd_cnt_start = 8;
    sleep_();
    server.el_cmd_cnt_start = 10;
    sleep_();
    test_cond("the most commands of a cycle are recorded", max && server.el_cmd_cnt_max == 7);

    ProcessingEventsWhileBlocked = 1;
    server.events_processed_while_blocked = 100;
    closing = join(), id = closing->id;
    freeClientAsync(closing);
    addReplyLongLong(c,43);
    server.get_ack_from_slaves = 1;
    offset = server.master_repl_offset;
    server.stat_expired_stale_perc = 90;
    put("dead",past);
    waiting = waitFor("list");
    server.aof_state = AOF_ON;
    server.aof_buf = sdscat(server.aof_buf,"last");
    memset(server.duration_stats,0,sizeof(server.duration_stats));
    for (monotime begin = getMonotonicUs(); getMonotonicUs()-begin < 3000; ) ;    /* Until a fast cycle is due again. */
    sleep_();
    test_cond("while events are processed blocked writes and closing go on", sent(c,":43\r\n") && !lookupClientByID(id) &&
              fileSize(fd) == 12);
    test_cond("these events are counted", server.events_processed_while_blocked == 102);
    test_cond("all else waits then", has("dead") && (waiting->flags & CLIENT_BLOCKED) && server.get_ack_from_slaves == 1 &&
              server.master_repl_offset == offset && server.duration_stats[EL_DURATION_TYPE_CRON].cnt == 0);
    UNUSED(host);
    test_report();
    return 0;
}
