/*---
 * tasks: [expireSlaveKeys-f8757a.16]
 * instead: [src/networking.o]
 * tests:
 *   buffer and list are sent in their order: 'Comment: "gathers the scattered buffers from reply list and sends them away"; the static buffer is the first.'
 *   they are sent by one write: 'Comment: "sends them away with connWritev".'
 *   the number of bytes is told: 'Comment: "nwritten is an output parameter, it means how many bytes server write to client".'
 *   success is told by C_OK: 'Comment: "If we write successfully, it returns C_OK".'
 *   after all was sent nothing is pending: 'Caller _writeToClient: "If there are no longer objects in the list, we expect the count of reply bytes to be exactly zero".'
 *   a part of the buffer may be sent: 'connection.h: "a short write is possible".'
 *   the rest of the buffer is sent next: 'server.h: sentlen, "Amount of bytes already sent in the current buffer or object being sent".'
 *   the buffer may be sent without the list: 'connection.h: "a short write is possible".'
 *   a part of a node may be sent: 'connection.h: "a short write is possible".'
 *   the rest of a node is sent next: 'server.h: sentlen.'
 *   a node that was sent is released: 'server.h: reply_bytes, "Tot bytes of objects in reply list".'
 *   a list without a buffer is sent: 'Comment: "should be called from _writeToClient when the reply list is not empty".'
 *   empty nodes are released and passed over: 'networking.c: addReplyDeferredLen makes nodes that may stay empty.'
 *   with empty nodes alone nothing is written: 'networking.c: empty nodes have nothing to send.'
 *   an error is told by C_ERR: 'Comment: "otherwise, C_ERR is returned".'
 *   nothing that was written is told by C_ERR: 'Caller writeToClient ends its loop.'
 *   after an error all is still pending: 'Caller writeToClient tries again.'
 *   no more parts are written than the connection takes: 'connection.h: iovcnt.'
 *   however little is written all arrives in order: 'connection.h: "a short write is possible".'
 *   nothing is kept: 'Nodes are released.'
 ---*/
#include "../networking.c"
#include "wirecheck.h"

static client *c;
static ssize_t n;

static int send_(long room) {
    wireClear(room);
    n = -77;
    return _writevToClient(c,&n);
}

static void fresh(const char *buffer, const char *a, const char *b, const char *d) {
    listEmpty(c->reply);
    c->reply_bytes = c->bufpos = c->sentlen = 0;
    if (buffer) fillBuffer(c,buffer,0);
    if (a) addNode(c,a);
    if (b) addNode(c,b);
    if (d) addNode(c,d);
}

static int nothingPending(void) {
    return c->bufpos == 0 && c->sentlen == 0 && listLength(c->reply) == 0 && c->reply_bytes == 0;
}

int main(void) {
    startRedis();
    c = wireClient();
    fresh("first","second","third","fourth");
    int ret = send_(1000);
    test_cond("success is told by C_OK", ret == C_OK);
    test_cond("buffer and list are sent in their order", wired("firstsecondthirdfourth"));
    test_cond("they are sent by one write", wire_writes == 1 && wire_vectors == 4);
    test_cond("the number of bytes is told", n == 22);
    test_cond("after all was sent nothing is pending", nothingPending());
    fresh("first","second",NULL,NULL);
    ret = send_(3);
    test_cond("a part of the buffer may be sent", ret == C_OK && n == 3 && wired("fir") && c->bufpos == 5 && c->sentlen == 3 &&
              listLength(c->reply) == 1);
    ret = send_(1000);
    test_cond("the rest of the buffer is sent next", ret == C_OK && n == 8 && wired("stsecond") && nothingPending());
    fresh("first","second",NULL,NULL);
    ret = send_(5);
    test_cond("the buffer may be sent without the list", ret == C_OK && n == 5 && c->bufpos == 0 && c->sentlen == 0 &&
              listLength(c->reply) == 1 && c->reply_bytes == 11 && send_(1000) == C_OK && wired("second") && nothingPending());
    fresh("first","second","third",NULL);
    ret = send_(7);
    test_cond("a part of a node may be sent", ret == C_OK && n == 7 && wired("firstse") && c->bufpos == 0 && c->sentlen == 2 &&
              listLength(c->reply) == 2 && c->reply_bytes == 21);
    ret = send_(1000);
    test_cond("the rest of a node is sent next", ret == C_OK && wired("condthird") && n == 9 && nothingPending());
    fresh(NULL,"second","third","fourth");
    ret = send_(6);
    int one = ret == C_OK && listLength(c->reply) == 2 && c->sentlen == 0 && c->reply_bytes == 21;
    ret = send_(8);
    test_cond("a node that was sent is released", one && ret == C_OK && wired("thirdfou") && listLength(c->reply) == 1 &&
              c->sentlen == 3 && c->reply_bytes == 11);
    fresh(NULL,"second",NULL,NULL);
    ret = send_(1000);
    test_cond("a list without a buffer is sent", ret == C_OK && n == 6 && wired("second") && nothingPending());
    fresh("first","","second","");
    ret = send_(1000);
    int empty = ret == C_OK && n == 11 && wired("firstsecond");
    fresh(NULL,"","second",NULL);
    ret = send_(2);
    test_cond("empty nodes are released and passed over", empty && ret == C_OK && wired("se") && listLength(c->reply) == 1 &&
              c->reply_bytes == 11 && c->sentlen == 2);
    fresh(NULL,"","",NULL);
    wireClear(1000);
    n = 0;
    ret = _writevToClient(c,&n);
    test_cond("with empty nodes alone nothing is written", ret == C_OK && n == 0 && wire_writes == 0 && nothingPending());
    fresh("first","second",NULL,NULL);
    c->sentlen = 2;
    ret = send_(-1);
    test_cond("an error is told by C_ERR", ret == C_ERR && n == -1);
    int kept = c->bufpos == 5 && c->sentlen == 2 && listLength(c->reply) == 1 && c->reply_bytes == 11;
    ret = send_(0);
    test_cond("nothing that was written is told by C_ERR", ret == C_ERR && n == 0);
    test_cond("after an error all is still pending", kept && c->bufpos == 5 && c->sentlen == 2 && send_(1000) == C_OK &&
              wired("rstsecond"));
    fresh("first","second","third","fourth");
    c->conn->iovcnt = 2;
    ret = send_(1000);
    test_cond("no more parts are written than the connection takes", ret == C_OK && wire_vectors == 2 && wired("firstsecond") &&
              listLength(c->reply) == 2 && send_(1000) == C_OK && wired("thirdfourth") && nothingPending());
    c->conn->iovcnt = 1000;
    int all = 1;
    for (int room = 1; room <= 24; room++)
        for (int first = 0; first < 2; first++) {
            fresh(first ? "first" : NULL,"second","","third");
            addNode(c,"fourth");
            sds got = sdsempty();
            for (int j = 0; j < 30 && (c->bufpos || listLength(c->reply)); j++) {
                if (send_(room) != C_OK || n != (ssize_t)sdslen(wire)) all = 0;
                got = sdscatsds(got,wire);
            }
            if (strcmp(got,first ? "firstsecondthirdfourth" : "secondthirdfourth") || !nothingPending()) all = 0;
            sdsfree(got);
        }
    test_cond("however little is written all arrives in order", all);
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        fresh("first","second","","third");
        for (int k = 0; k < 10; k++) send_(4);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before && nothingPending());
    test_report();
    return 0;
}
