/*---
 * tasks: [pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * instead: [src/pubsub.o]
 * tests:
 *   without subscribers nobody receives it: 'commands/publish: "the number of clients that received the message".'
 *   a subscriber of the channel receives it: 'Comment: "Publish a message to all the subscribers".'
 *   all subscribers of the channel receive it: 'Comment: "Publish a message to all the subscribers".'
 *   subscribers of other channels do not: 'Comment in the body: "Send to clients listening for that channel".'
 *   subscribers of a pattern receive it with the pattern: 'Comment in the body: "Send to clients listening to matching channels"; pmessage.'
 *   patterns that do not match do not: 'Comment in the body: "matching channels".'
 *   each subscription that matches is a message and counted: 'Upstream documentation of pubsub: a client subscribed to channel and patterns gets several messages.'
 *   the message of the channel comes before that of a pattern: 'Body and upstream''s documentation: first the channel.'
 *   in RESP3 messages are pushes: 'pubsub.c: addReplyPubsubMessage.'
 *   a shard channel reaches its subscribers as smessage: 'pubsub.c: pubSubShardType, shared.smessagebulk.'
 *   a shard channel does not reach subscribers of the channel: 'Argument type: serverPubSubChannels.'
 *   a channel does not reach subscribers of the shard channel: 'Argument type: serverPubSubChannels.'
 *   a shard channel ignores patterns: 'Comment in the body: "Shard pubsub ignores patterns".'
 *   in a cluster a shard channel is found in its slot: 'pubsub.c: "shard level channels bounded to a slot".'
 *   in a cluster a channel is found too: 'server.c: pubsub_channels is a kvstore with only one dict.'
 *   channels and messages of any bytes are sent: 'Channels are Redis strings.'
 *   the memory of receivers is kept up to date: 'updateClientMemUsageAndBucket: clients are evicted for what they have in their buffers.'
 *   channel and message belong to the caller: 'Callers free them.'
 *   the subscriptions stay: 'Comment: it only publishes.'
 *   nothing is kept: 'Publishing goes on for ever.'
 ---*/
#include "../pubsub.c"
#include "start.h"
#include "../testhelp.h"

static client *a, *b;

static void let(client *c, const char *command, const char *x, const char *y) {
    const char *words[] = {command,x,y};
    setArguments(c,y ? 3 : 2,words);
    c->cmd->proc(c);
    sdsfree(replyOf(c));
}

static int publish(const char *channel, const char *text, pubsubtype type) {
    robj *name = createStringObject(channel,strlen(channel)), *message = createStringObject(text,strlen(text));
    int n = pubsubPublishMessageInternal(name,message,type);
    decrRefCount(name);
    decrRefCount(message);
    return n;
}

/* Whether the client received exactly that. */
static int got(client *c, const char *text) {
    sds s = replyOf(c);
    int same = !strcmp(s,text);
    if (!same) printf("got <%s>\n",s);
    sdsfree(s);
    return same;
}

#define NEWS "*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n"
#define PNEWS(p) "*4\r\n$8\r\npmessage\r\n$2\r\n" p "\r\n$4\r\nnews\r\n$2\r\nhi\r\n"

int main(void) {
    startRedis();
    a = subscriberClient(), b = subscriberClient();
    test_cond("without subscribers nobody receives it", publish("news","hi",pubSubType) == 0 &&
              publish("news","hi",pubSubShardType) == 0);
    let(a,"subscribe","news","art");
    int n = publish("news","hi",pubSubType);
    test_cond("a subscriber of the channel receives it", n == 1 && got(a,NEWS));
    let(b,"subscribe","news",NULL);
    n = publish("news","hi",pubSubType);
    test_cond("all subscribers of the channel receive it", n == 2 && got(a,NEWS) && got(b,NEWS));
    n = publish("art","x",pubSubType);
    test_cond("subscribers of other channels do not", n == 1 && got(a,"*3\r\n$7\r\nmessage\r\n$3\r\nart\r\n$1\r\nx\r\n") &&
              got(b,"") && publish("new","hi",pubSubType) == 0 && publish("newss","hi",pubSubType) == 0);
    let(b,"unsubscribe","news",NULL);
    let(b,"psubscribe","n*","z*");
    let(a,"unsubscribe","art",NULL);
    n = publish("nice","x",pubSubType);
    test_cond("subscribers of a pattern receive it with the pattern", n == 1 &&
              got(b,"*4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n$4\r\nnice\r\n$1\r\nx\r\n") && got(a,""));
    test_cond("patterns that do not match do not", publish("bad","x",pubSubType) == 0 && got(b,"") &&
              publish("Nice","x",pubSubType) == 0);
    let(a,"psubscribe","n*",NULL);
    let(a,"psubscribe","*s",NULL);
    n = publish("news","hi",pubSubType);
    sds s = replyOf(a), t = replyOf(b);
    test_cond("each subscription that matches is a message and counted", n == 4 && strstr(s,NEWS) && strstr(s,PNEWS("n*")) &&
              strstr(s,PNEWS("*s")) && sdslen(s) == strlen(NEWS)+2*strlen(PNEWS("n*")) && !strcmp(t,PNEWS("n*")));
    test_cond("the message of the channel comes before that of a pattern", !strncmp(s,NEWS,strlen(NEWS)));
    a->resp = 3;
    publish("news","hi",pubSubType);
    s = replyOf(a);
    test_cond("in RESP3 messages are pushes", !strncmp(s,">3\r\n$7\r\nmessage\r\n",17) &&
              strstr(s,">4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n") && got(b,PNEWS("n*")));
    a->resp = 2;

    let(b,"ssubscribe","news",NULL);
    n = publish("news","hi",pubSubShardType);
    test_cond("a shard channel reaches its subscribers as smessage", n == 1 &&
              got(b,"*3\r\n$8\r\nsmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n"));
    test_cond("a shard channel does not reach subscribers of the channel", got(a,""));
    n = publish("nobody","hi",pubSubShardType);
    test_cond("a shard channel ignores patterns", n == 0 && got(b,"") && got(a,""));
    let(b,"ssubscribe","only",NULL);
    test_cond("a channel does not reach subscribers of the shard channel", publish("only","hi",pubSubType) == 0 && got(b,""));
    kvstore *before = server.pubsubshard_channels;
    server.pubsubshard_channels = kvstoreCreate(&objToDictDictType,14,
                                                KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS);
    server.cluster_enabled = 1;
    client *d = subscriberClient();
    let(d,"ssubscribe","slot",NULL);
    robj *o = createStringObject("slot",4);
    int slot = calculateKeySlot(o->ptr);
    n = publish("slot","hi",pubSubShardType);
    test_cond("in a cluster a shard channel is found in its slot", slot != 0 && n == 1 &&
              got(d,"*3\r\n$8\r\nsmessage\r\n$4\r\nslot\r\n$2\r\nhi\r\n"));
    n = publish("news","hi",pubSubType);
    test_cond("in a cluster a channel is found too", n == 4);
    sdsfree(replyOf(a)), sdsfree(replyOf(b));
    server.cluster_enabled = 0;
    server.pubsubshard_channels = before;

    client *e = subscriberClient();
    robj *odd = createStringObject("x\0y",3), *bytes = createStringObject("\0\r\n",3);
    const char *words[] = {"subscribe","x"};
    setArguments(e,2,words);
    decrRefCount(e->argv[1]);
    incrRefCount(odd);
    e->argv[1] = odd;
    subscribeCommand(e);
    sdsfree(replyOf(e));
    int refs = odd->refcount;
    n = pubsubPublishMessageInternal(odd,bytes,pubSubType);
    s = replyOf(e);
    test_cond("channels and messages of any bytes are sent", n == 1 && sdslen(s) == 35 &&
              !memcmp(s,"*3\r\n$7\r\nmessage\r\n$3\r\nx\0y\r\n$3\r\n\0\r\n\r\n",35) && publish("x","hi",pubSubType) == 0);
    test_cond("channel and message belong to the caller", odd->refcount == refs && bytes->refcount == 1);
    test_cond("the subscriptions stay", pubsubTotalSubscriptions() == 7 && dictSize(b->pubsub_patterns) == 2);

    server.maxmemory_clients = 1L << 40;
    initServerClientMemUsageBuckets();
    client *f = subscriberClient(), *g = subscriberClient(), *h = subscriberClient();
    f->flags &= ~CLIENT_SCRIPT, g->flags &= ~CLIENT_SCRIPT;
    const char *chan[] = {"subscribe","memory"}, *pat[] = {"psubscribe","mem*"};
    setArguments(f,2,chan);
    subscribeCommand(f);
    setArguments(g,2,pat);
    psubscribeCommand(g);
    int none = !f->mem_usage_bucket && !g->mem_usage_bucket;
    publish("memory","hi",pubSubType);
    test_cond("the memory of receivers is kept up to date", none && f->mem_usage_bucket && g->mem_usage_bucket &&
              f->last_memory_usage > 0 && g->last_memory_usage > 0 && !h->mem_usage_bucket);
    size_t used = 0;
    for (int j = 0; j < 30; j++) {
        if (j == 10) used = zmalloc_used_memory();
        publish("news","hi",pubSubType), publish("none","hi",pubSubType), publish("only","hi",pubSubShardType);
        pubsubPublishMessageInternal(odd,bytes,pubSubType);
        sdsfree(replyOf(a)), sdsfree(replyOf(b)), sdsfree(replyOf(e));
    }
    test_cond("nothing is kept", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
