/*---
 * tasks: [luaCreateFunction-73df11.16]
 * tests:
 *   without a connection it is not among the clients: 'Comment: "passing NULL as conn it is possible to create a non connected client"; lookupClientByID: "fake clients are not registered clients".'
 *   with a connection it is among the clients: 'linkClient: "links the client to the global linked list of clients".'
 *   it is found by its id: 'lookupClientByID.'
 *   each client has a greater id: 'commands/client-id: "monotonically incremental".'
 *   the connection leads to the client: 'connection.h: connGetPrivateData; handlers find the client by it.'
 *   queries are read: 'connection.h: connSetReadHandler; readQueryFromClient.'
 *   it begins in database 0: 'commands/select: "New connections always use the database 0".'
 *   it speaks RESP2: 'commands/hello: a connection begins in RESP2.'
 *   it has no flags: 'server.h: flags, CLIENT_* macros.'
 *   there is nothing to reply: 'server.h: bufpos, reply, reply_bytes, sentlen.'
 *   replies can be added: 'server.h: buf and buf_usable_size.'
 *   there is no command yet: 'server.h: argc, argv, cmd, lastcmd, realcmd, multibulklen, bulklen.'
 *   the query is empty: 'server.h: querybuf, qb_pos.'
 *   it has no name: 'server.h: name, lib_name, lib_ver.'
 *   it is the default user: 'Comment of clientSetDefaultAuth: "If the default user does not require authentication, the user is directly authenticated".'
 *   with a password it is not authenticated: 'Comment of clientSetDefaultAuth.'
 *   it is no replica: 'server.h: replstate, slave_capa, slave_req, offsets, ref_repl_buf_node.'
 *   it watches and subscribes to nothing: 'server.h: watched_keys, pubsub_channels, pubsub_patterns, pubsubshard_channels.'
 *   it is not blocked and in no transaction: 'initClientBlockingState; initClientMultiState.'
 *   its times are now: 'server.h: ctime, "Client creation time"; lastinteraction.'
 *   it belongs to no slot, no module and no bucket: 'server.h: slot, module_blocked_client, mem_usage_bucket.'
 *   it can be freed as a whole: 'freeClient.'
 ---*/
#include "wirecheck.h"

static ConnectionCallbackFunc reader;
static int setReader(struct connection *conn, ConnectionCallbackFunc f) {
    conn->read_handler = reader = f;
    return C_OK;
}

/* Leaves bytes in the memory that the next client has. */
static void dirtyMemory(void) {
    void *p[8];
    for (int j = 0; j < 8; j++) {
        p[j] = zmalloc(sizeof(client));
        memset(p[j],0x55,sizeof(client));
    }
    for (int j = 0; j < 8; j++) zfree(p[j]);
}

int main(void) {
    startRedis();
    wire_type.set_read_handler = setReader;
    server.unixtime = 1234567;
    dirtyMemory();
    client *f = createClient(NULL);
    connection *conn = zcalloc(sizeof(*conn));
    conn->type = &wire_type;
    conn->state = CONN_STATE_CONNECTED;
    conn->fd = -1, conn->iovcnt = 1000;
    wire = sdsempty();
    test_cond("without a connection it is not among the clients", listLength(server.clients) == 0 && !lookupClientByID(f->id) &&
              f->conn == NULL && f->client_list_node == NULL);
    dirtyMemory();
    client *c = createClient(conn);
    test_cond("with a connection it is among the clients", listLength(server.clients) == 1 &&
              listNodeValue(listFirst(server.clients)) == c && c->client_list_node == listFirst(server.clients) && c->conn == conn);
    test_cond("it is found by its id", lookupClientByID(c->id) == c);
    test_cond("each client has a greater id", f->id > 0 && c->id > f->id);
    test_cond("the connection leads to the client", connGetPrivateData(conn) == c);
    test_cond("queries are read", reader == readQueryFromClient && conn->read_handler == readQueryFromClient);
    test_cond("it begins in database 0", c->db == &server.db[0]);
    test_cond("it speaks RESP2", c->resp == 2);
    test_cond("it has no flags", c->flags == 0 && f->flags == 0);
    test_cond("there is nothing to reply", c->bufpos == 0 && c->sentlen == 0 && c->reply && listLength(c->reply) == 0 &&
              c->reply_bytes == 0 && !clientHasPendingReplies(c) && c->deferred_reply_errors == NULL &&
              c->obuf_soft_limit_reached_time == 0);
    test_cond("there is no command yet", c->argc == 0 && !c->argv && c->argv_len == 0 && c->argv_len_sum == 0 && !c->cmd &&
              !c->lastcmd && !c->realcmd && c->multibulklen == 0 && c->bulklen == -1 && c->reqtype == 0 && c->original_argc == 0 &&
              !c->original_argv && !c->cur_script && c->duration == 0);
    test_cond("the query is empty", c->querybuf && sdslen(c->querybuf) == 0 && c->qb_pos == 0 && c->querybuf_peak == 0);
    test_cond("it has no name", !c->name && !c->lib_name && !c->lib_ver && !c->peerid && !c->sockname);
    test_cond("it is the default user", c->user == DefaultUser && c->authenticated);
    test_cond("it is no replica", c->replstate == REPL_STATE_NONE && c->slave_capa == 0 && c->slave_req == 0 && c->reploff == 0 &&
              c->read_reploff == 0 && c->repl_applied == 0 && c->repl_ack_off == 0 && c->repl_ack_time == 0 && c->repl_aof_off == 0 &&
              c->slave_listening_port == 0 && !c->slave_addr && !c->ref_repl_buf_node && c->ref_block_pos == 0 &&
              c->repl_start_cmd_stream_on_ack == 0 && c->repl_last_partial_write == 0 && c->woff == 0);
    test_cond("it watches and subscribes to nothing", c->watched_keys && listLength(c->watched_keys) == 0 &&
              dictSize(c->pubsub_channels) == 0 && dictSize(c->pubsub_patterns) == 0 && dictSize(c->pubsubshard_channels) == 0 &&
              c->client_tracking_redirection == 0 && !c->client_tracking_prefixes);
    test_cond("it is not blocked and in no transaction", c->bstate.btype == BLOCKED_NONE && dictSize(c->bstate.keys) == 0 &&
              c->mstate.count == 0 && c->mstate.commands == NULL && c->mstate.cmd_flags == 0 && !c->postponed_list_node &&
              !c->pending_read_list_node);
    test_cond("its times are now", c->ctime == 1234567 && c->lastinteraction == 1234567 && c->buf_peak_last_reset_time == 1234567);
    test_cond("it belongs to no slot, no module and no bucket", c->slot == -1 && !c->module_blocked_client && !c->module_auth_ctx &&
              !c->auth_callback && !c->auth_callback_privdata && !c->auth_module && !c->mem_usage_bucket && !c->mem_usage_bucket_node &&
              c->last_memory_usage == 0 && c->last_memory_type == CLIENT_TYPE_NORMAL);
    char *large = zmalloc(100001);
    memset(large,'x',100000);
    large[100000] = '\0';
    addReplyProto(c,large,100000);
    wireClear(1 << 30);
    int ready = listLength(server.clients_pending_write) == 1 && c->buf_usable_size >= 1024 && c->buf_peak == c->buf_usable_size;
    handleClientsWithPendingWrites();
    for (int j = 0; j < 5 && clientHasPendingReplies(c); j++) writeToClient(c,0);
    test_cond("replies can be added", ready && sdslen(wire) == 100000 && c->reply_bytes == 0);
    DefaultUser->flags &= ~USER_FLAG_NOPASS;
    client *g = createClient(NULL);
    DefaultUser->flags |= USER_FLAG_NOPASS|USER_FLAG_DISABLED;
    client *h = createClient(NULL);
    DefaultUser->flags &= ~USER_FLAG_DISABLED;
    test_cond("with a password it is not authenticated", !g->authenticated && !h->authenticated && g->user == DefaultUser);
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        freeClient(createClient(NULL));
        freeClient(wireClient());
    }
    test_cond("it can be freed as a whole", zmalloc_used_memory() == before && listLength(server.clients) == 1);
    test_report();
    return 0;
}
