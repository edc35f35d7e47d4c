/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * tests:
 *   the buffer is written: 'Comment: "does actual writing output buffers to different types of clients".'
 *   the number of bytes is told: 'Comment: "nwritten is an output parameter".'
 *   success is told by C_OK: 'Comment: "If we write successfully, it returns C_OK".'
 *   after all was written the buffer is empty: 'Caller writeToClient: clientHasPendingReplies.'
 *   a part of the buffer may be written: 'connection.h: "a short write is possible".'
 *   the rest is written next: 'server.h: sentlen.'
 *   buffer and list are written in their order: 'server.h: the static buffer is the first.'
 *   however little is written all arrives in order: 'connection.h: "a short write is possible".'
 *   without replies nothing is written: 'nwritten is 0 then.'
 *   an error is told by C_ERR: 'Comment: "otherwise, C_ERR is returned".'
 *   nothing that was written is told by C_ERR: 'Caller writeToClient ends its loop.'
 *   after an error all is still pending: 'Caller writeToClient tries again.'
 *   a replica is written the replication buffer: 'server.h: ref_repl_buf_node, "Referenced node of replication buffer blocks".'
 *   a part of a block may be written to a replica: 'server.h: ref_block_pos, "Access position of referenced buffer block".'
 *   after a block the replica goes on with the next: 'server.h: replBufBlock.refcount, "Number of replicas or repl backlog using".'
 *   at the end of the last block the replica stays there: 'It waits for more; clientHasPendingReplies.'
 *   what comes later is written to the replica: 'feedReplicationBuffer adds to the last block.'
 *   an error with a replica is told by C_ERR: 'Comment: "otherwise, C_ERR is returned".'
 *   all that was fed arrives at the replica: 'Replication: all bytes in their order.'
 ---*/
#include "wirecheck.h"

int _writeToClient(client *c, ssize_t *nwritten);
void feedReplicationBuffer(char *s, size_t len);
void createReplicationBacklog(void);

static client *c;
static ssize_t n;

static int send_(long room) {
    wireClear(room);
    n = -77;
    return _writeToClient(c,&n);
}

static void fresh(const char *buffer, const char *a, const char *b) {
    listEmpty(c->reply);
    c->reply_bytes = c->bufpos = c->sentlen = 0;
    if (buffer) fillBuffer(c,buffer,0);
    if (a) addNode(c,a);
    if (b) addNode(c,b);
}

static int nothingPending(void) {
    return c->bufpos == 0 && c->sentlen == 0 && listLength(c->reply) == 0 && c->reply_bytes == 0;
}

int main(void) {
    startRedis();
    c = wireClient();
    fresh("hello world",NULL,NULL);
    int ret = send_(1000);
    test_cond("the buffer is written", wired("hello world"));
    test_cond("the number of bytes is told", n == 11);
    test_cond("success is told by C_OK", ret == C_OK);
    test_cond("after all was written the buffer is empty", nothingPending());
    fresh("hello world",NULL,NULL);
    ret = send_(4);
    test_cond("a part of the buffer may be written", ret == C_OK && n == 4 && wired("hell") && c->bufpos == 11 && c->sentlen == 4);
    ret = send_(1000);
    test_cond("the rest is written next", ret == C_OK && n == 7 && wired("o world") && nothingPending());
    fresh("first","second","third");
    ret = send_(1000);
    test_cond("buffer and list are written in their order", ret == C_OK && n == 16 && wired("firstsecondthird") && nothingPending());
    int all = 1;
    for (int room = 1; room <= 18; room++)
        for (int kind = 0; kind < 3; kind++) {
            fresh(kind == 1 ? NULL : "first",kind == 2 ? NULL : "second",kind == 2 ? NULL : "third");
            sds got = sdsempty();
            for (int j = 0; j < 30 && (c->bufpos || listLength(c->reply)); j++) {
                if (send_(room) != C_OK || n != (ssize_t)sdslen(wire)) all = 0;
                got = sdscatsds(got,wire);
            }
            if (strcmp(got,kind == 0 ? "firstsecondthird" : kind == 1 ? "secondthird" : "first") || !nothingPending()) all = 0;
            sdsfree(got);
        }
    test_cond("however little is written all arrives in order", all);
    fresh(NULL,NULL,NULL);
    ret = send_(1000);
    test_cond("without replies nothing is written", ret == C_OK && n == 0 && wire_writes == 0);
    fresh("first",NULL,NULL);
    ret = send_(-1);
    int kept = c->bufpos == 5 && c->sentlen == 0;
    fresh("first","second",NULL);
    int ret2 = send_(-1);
    test_cond("an error is told by C_ERR", ret == C_ERR && ret2 == C_ERR && n == -1);
    fresh("first",NULL,NULL);
    ret = send_(0);
    test_cond("nothing that was written is told by C_ERR", ret == C_ERR && n == 0);
    test_cond("after an error all is still pending", kept && c->bufpos == 5 && c->sentlen == 0 && send_(1000) == C_OK && wired("first"));

    createReplicationBacklog();
    server.repl_backlog_size = 1 << 20;
    fresh(NULL,NULL,NULL);
    c->flags |= CLIENT_SLAVE;
    c->replstate = SLAVE_STATE_ONLINE;
    listAddNodeTail(server.slaves,c);
    feedReplicationBuffer("replicated",10);
    ret = send_(1000);
    test_cond("a replica is written the replication buffer", ret == C_OK && n == 10 && wired("replicated") && wire_writes == 1);
    listNode *node = c->ref_repl_buf_node;
    replBufBlock *block = listNodeValue(node);
    ret = send_(1000);
    test_cond("at the end of the last block the replica stays there", ret == C_OK && n == 0 && wire_writes == 0 &&
              c->ref_repl_buf_node == node && c->ref_block_pos == block->used);
    feedReplicationBuffer("second",6);
    ret = send_(4);
    test_cond("a part of a block may be written to a replica", ret == C_OK && n == 4 && wired("seco") &&
              c->ref_block_pos == block->used-2 && c->ref_repl_buf_node == node);
    ret = send_(1000);
    test_cond("what comes later is written to the replica", ret == C_OK && wired("nd") && c->ref_block_pos == block->used);
    feedReplicationBuffer("x",1);
    ret = send_(-1);
    test_cond("an error with a replica is told by C_ERR", ret == C_ERR && n == -1 && c->ref_block_pos == block->used-1 &&
              send_(0) == C_ERR && send_(1000) == C_OK && wired("x"));
    size_t len = 100000;
    char *large = zmalloc(len+1);
    for (size_t j = 0; j < len; j++) large[j] = 'a'+j % 26;
    large[len] = '\0';
    for (size_t j = 0; j < len; j += 10000) feedReplicationBuffer(large+j,10000);
    int blocks = listLength(server.repl_buffer_blocks), refs = block->refcount;
    sds got = sdsempty();
    ret = send_(1 << 30);
    got = sdscatsds(got,wire);
    replBufBlock *second = listNodeValue(listNextNode(node));
    int moved = ret == C_OK && c->ref_repl_buf_node == listNextNode(node) && c->ref_block_pos == 0 &&
                block->refcount == refs-1 && second->refcount == 1;
    test_cond("after a block the replica goes on with the next", blocks > 2 && moved);
    for (int j = 0; j < 300 && sdslen(got) < len; j++) {
        if (send_(777) != C_OK) break;
        got = sdscatsds(got,wire);
    }
    replBufBlock *end = listNodeValue(listLast(server.repl_buffer_blocks));
    test_cond("all that was fed arrives at the replica", !strcmp(got,large) && c->ref_block_pos == end->used &&
              c->ref_repl_buf_node == listLast(server.repl_buffer_blocks) && end->refcount == 1);
    test_report();
    return 0;
}
