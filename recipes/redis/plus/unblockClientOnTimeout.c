/*---
 * tasks: [D7B3A40224F9F596]
 * instead: [src/module.o]
 * flags: [-O0]
 * tests:
 *   a client that waits for a list is told null: 'Docstring: "reply to the blocked client with null response".'
 *   a client that waits for a sorted set is told null: 'Docstring: "reply to the blocked client with null response".'
 *   a client that waits for a stream is told null: 'Docstring: "reply to the blocked client with null response".'
 *   in RESP3 null is null: 'Docstring: "null response"; networking.c: addReplyNullArray.'
 *   WAIT is told the number of replicas: 'blocked.c: replyToBlockedClientTimedOut; commands/wait.'
 *   WAITAOF is told both numbers: 'blocked.c: replyToBlockedClientTimedOut; commands/waitaof.'
 *   the client is no longer blocked: 'Name; blocked.c: unblockClient.'
 *   blocked clients are counted right: 'INFO blocked_clients; blocked.c: unblockClient.'
 *   the key no longer has a client that waits: 'blocked.c: unblockClient, unblockClientWaitingData.'
 *   another client that waits for the same key goes on waiting: 'Docstring: "Unblock a client".'
 *   the client has no timeout left: 'blocked.c: unblockClient; timeout.c: removeClientFromTimeoutTable.'
 *   the command is no longer pending: 'Docstring: "we want to remove the pending flag".'
 *   the command is over: 'Docstring: "we already responded to the command"; unblockClient resets the client.'
 *   the command is not run again: 'Docstring: "to indicate we already responded to the command with timeout reply".'
 *   what the client sent meanwhile is processed later: 'blocked.c: queueClientForReprocessing.'
 *   the call is counted in the statistics: 'blocked.c: updateStatsOnUnblock; INFO commandstats.'
 *   the client can block again: 'Name; it is unblocked.'
 *   a module's callback gives the reply:
 *     'Docstring: "in case of module blocked client the timeout callback will be used".'
 *   a module's client is no longer blocked: 'Name; docstring.'
 *   a client that its module has unblocked already is left alone:
 *     'module.c: isModuleClientUnblocked; RM_UnblockClient.'
 *   such a client gets no timeout reply: 'module.c: moduleHandleBlockedClients answers it.'
 ---*/
#include "start.h"
#include "../module.c"
#include "../testhelp.h"

static client *block(int resp, int argc, const char *a, const char *b, const char *d, const char *e, const char *f,
                     const char *g) {
    const char *words[] = {a,b,d,e,f,g};
    client *c = fakeClient();
    c->resp = resp;
    setArguments(c,argc,words);
    c->cmd->proc(c);
    return c;
}

static int told(client *c, const char *reply) {
    int blocked = c->flags & CLIENT_BLOCKED;
    sdsfree(replyOf(c));
    unblockClientOnTimeout(c);
    return blocked && replied(c,reply);
}

static int callbacks;
static int onTimeout(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    (void)argv; (void)argc;
    callbacks++;
    return RM_ReplyWithSimpleString(ctx,"too late");
}
static int onReply(RedisModuleCtx *ctx, RedisModuleString **argv, int argc) {
    (void)argv; (void)argc;
    return RM_ReplyWithSimpleString(ctx,"in time");
}

static RedisModule module;
static RedisModuleBlockedClient *blockInModule(client *c) {
    RedisModuleCtx ctx;
    const char *words[] = {"ping"};
    setArguments(c,1,words);
    module.name = "plus";
    moduleCreateContext(&ctx,&module,REDISMODULE_CTX_NONE);
    ctx.client = c;
    RedisModuleBlockedClient *bc = RM_BlockClient(&ctx,onReply,onTimeout,NULL,0);
    moduleFreeContext(&ctx);
    return bc;
}

int main(void) {
    startRedis();
    client *c = block(2,3,"blpop","list","1000",0,0,0), *other = block(2,3,"blpop","list","1000",0,0,0);
    robj *key = createStringObject("list",4);
    struct redisCommand *blpop = c->cmd;
    long long calls = blpop->calls;
    unsigned long blocked = server.blocked_clients, lists = server.blocked_clients_by_type[BLOCKED_LIST];
    unsigned long timeouts = raxSize(server.clients_timeout_table);
    test_cond("a client that waits for a list is told null", told(c,"*-1\r\n"));
    test_cond("the client is no longer blocked", !(c->flags & CLIENT_BLOCKED) && c->bstate.btype == BLOCKED_NONE &&
              dictSize(c->bstate.keys) == 0);
    test_cond("blocked clients are counted right", blocked == 2 && server.blocked_clients == 1 && lists == 2 &&
              server.blocked_clients_by_type[BLOCKED_LIST] == 1);
    test_cond("the client has no timeout left", timeouts == 2 && raxSize(server.clients_timeout_table) == 1 &&
              !(c->flags & CLIENT_IN_TO_TABLE));
    test_cond("the call is counted in the statistics", blpop->calls == calls+1);
    test_cond("the command is no longer pending", !(c->flags & CLIENT_PENDING_COMMAND));
    test_cond("the command is over", c->argc == 0 && c->cmd == NULL);
    test_cond("what the client sent meanwhile is processed later", (c->flags & CLIENT_UNBLOCKED) &&
              listSearchKey(server.unblocked_clients,c) != NULL);
    list *waiting = dictFetchValue(server.db[0].blocking_keys,key);
    test_cond("another client that waits for the same key goes on waiting", (other->flags & CLIENT_BLOCKED) &&
              waiting && listLength(waiting) == 1 && listNodeValue(listFirst(waiting)) == other);
    int null = told(other,"*-1\r\n");
    test_cond("the key no longer has a client that waits", null && dictSize(server.db[0].blocking_keys) == 0);

    robj *values = createListListpackObject(), *element = createStringObject("e",1);
    listTypePush(values,element,LIST_TAIL);
    dbAdd(&server.db[0],key,values);
    processUnblockedClients();
    test_cond("the command is not run again", listTypeLength(values) == 1 && replied(c,"") && replied(other,"") &&
              blpop->calls == calls+2);
    dbDelete(&server.db[0],key);
    const char *again[] = {"blpop","list","1000"};
    setArguments(c,3,again);
    c->cmd->proc(c);
    null = told(c,"*-1\r\n");
    test_cond("the client can block again", null && !(c->flags & CLIENT_BLOCKED));

    c = block(2,3,"bzpopmin","zset","1000",0,0,0);
    test_cond("a client that waits for a sorted set is told null", told(c,"*-1\r\n"));
    c = block(2,6,"xread","block","1000000","streams","stream","$");
    test_cond("a client that waits for a stream is told null", told(c,"*-1\r\n"));
    c = block(3,3,"brpop","list","1000",0,0,0);
    test_cond("in RESP3 null is null", told(c,"_\r\n"));
    c = block(2,3,"wait","1","1000000",0,0,0);
    test_cond("WAIT is told the number of replicas", told(c,":0\r\n") && !(c->flags & CLIENT_BLOCKED));
    c = block(2,4,"waitaof","0","1","1000000",0,0);
    const char *both = server.fsynced_reploff >= c->bstate.reploffset ? "*2\r\n:1\r\n:0\r\n" : "*2\r\n:0\r\n:0\r\n";
    test_cond("WAITAOF is told both numbers", told(c,both));

    c = fakeClient();
    blockInModule(c);
    int answered = told(c,"+too late\r\n");
    test_cond("a module's callback gives the reply", answered && callbacks == 1);
    test_cond("a module's client is no longer blocked", !(c->flags & CLIENT_BLOCKED) &&
              c->bstate.btype == BLOCKED_NONE && server.blocked_clients_by_type[BLOCKED_MODULE] == 0);
    c = fakeClient();
    RedisModuleBlockedClient *bc = blockInModule(c);
    RM_UnblockClient(bc,NULL);
    unblockClientOnTimeout(c);
    int kept = (c->flags & CLIENT_BLOCKED) && c->bstate.btype == BLOCKED_MODULE;
    test_cond("a client that its module has unblocked already is left alone", kept &&
              server.blocked_clients_by_type[BLOCKED_MODULE] == 1);
    test_cond("such a client gets no timeout reply", replied(c,"") && callbacks == 1);
    test_report();
    return 0;
}
