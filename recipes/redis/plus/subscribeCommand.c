/*---
 * tasks: [5D25DDD74AF87E40]
 * tests:
 *   a channel is subscribed to: 'Docstring: "SUBSCRIBE channel [channel ...]".'
 *   a subscription is confirmed: 'commands/subscribe: a message of kind subscribe, the channel and the count.'
 *   each of several channels is subscribed to: 'Docstring: "SUBSCRIBE channel [channel ...]".'
 *   each of several channels is confirmed in its order:
 *     'commands/subscribe; pubsub.c: pubsubSubscribeChannel notifies.'
 *   a channel that is subscribed to already is confirmed again:
 *     'pubsub.c: pubsubSubscribeChannel, "Notify the client".'
 *   a channel that is named twice is subscribed to once: 'pubsub.c: pubsubSubscribeChannel, "already subscribed".'
 *   in RESP3 the confirmation is a push: 'pubsub.c: addReplyPubsubSubscribed.'
 *   it is a channel and neither a pattern nor a shard channel:
 *     'Docstring: "SUBSCRIBE channel"; PSUBSCRIBE, SSUBSCRIBE.'
 *   published messages are received: 'commands/subscribe; pubsub.c: pubsubPublishMessage.'
 *   the client is marked as a subscriber: 'pubsub.c: markClientAsPubSub; getClientType makes other limits of it.'
 *   a subscriber is counted once: 'INFO pubsub_clients; pubsub.c: markClientAsPubSub.'
 *   a client that must not block gets an error:
 *     'server.h: CLIENT_DENY_BLOCKING; psubscribeCommand: "expect a reply per command".'
 *   after the error nothing is subscribed to: 'server.h: CLIENT_DENY_BLOCKING; psubscribeCommand does the same.'
 *   after the error the client is no subscriber: 'server.h: CLIENT_DENY_BLOCKING; psubscribeCommand does the same.'
 *   in a transaction it is allowed:
 *     'psubscribeCommand: "special treatment for multi because of backward compatibility".'
 *   the channel's name is binary-safe: 'Docstring: channel; names are Redis strings.'
 *   the command's arguments still belong to the client: 'Contract of commands: resetClient frees argv.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c;

static void subscribe(int words, const char *a, const char *b, const char *d) {
    const char *argv[] = {"subscribe",a,b,d};
    setArguments(c,1+words,argv);
    subscribeCommand(c);
}

static int subscribed(const char *channel) {
    robj *name = createStringObject(channel,strlen(channel));
    int yes = dictFind(c->pubsub_channels,name) != NULL && kvstoreDictFind(server.pubsub_channels,0,name) != NULL;
    decrRefCount(name);
    return yes;
}

static int publish(const char *channel) {
    robj *name = createStringObject(channel,strlen(channel)), *text = createStringObject("hi",2);
    int receivers = pubsubPublishMessage(name,text,0);
    decrRefCount(name);
    decrRefCount(text);
    return receivers;
}

int main(void) {
    startRedis();
    c = subscriberClient();
    subscribe(1,"news",NULL,NULL);
    int confirmed = replied(c,"*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n");
    test_cond("a channel is subscribed to", subscribed("news"));
    test_cond("a subscription is confirmed", confirmed);
    test_cond("the client is marked as a subscriber", (c->flags & CLIENT_PUBSUB) &&
              getClientType(c) == CLIENT_TYPE_PUBSUB);
    test_cond("it is a channel and neither a pattern nor a shard channel", dictSize(c->pubsub_patterns) == 0 &&
              dictSize(c->pubsubshard_channels) == 0 && dictSize(server.pubsub_patterns) == 0);
    subscribe(3,"a","b","d");
    confirmed = replied(c,"*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:3\r\n"
                          "*3\r\n$9\r\nsubscribe\r\n$1\r\nd\r\n:4\r\n");
    test_cond("each of several channels is subscribed to", subscribed("a") && subscribed("b") && subscribed("d"));
    test_cond("each of several channels is confirmed in its order", confirmed);
    subscribe(2,"b","e",NULL);
    confirmed = replied(c,"*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:4\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\ne\r\n:5\r\n");
    test_cond("a channel that is subscribed to already is confirmed again", confirmed);
    subscribe(2,"f","f",NULL);
    confirmed = replied(c,"*3\r\n$9\r\nsubscribe\r\n$1\r\nf\r\n:6\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\nf\r\n:6\r\n");
    test_cond("a channel that is named twice is subscribed to once", confirmed && dictSize(c->pubsub_channels) == 6);
    test_cond("a subscriber is counted once", server.pubsub_clients == 1);
    int receivers = publish("b");
    confirmed = replied(c,"*3\r\n$7\r\nmessage\r\n$1\r\nb\r\n$2\r\nhi\r\n");
    test_cond("published messages are received", receivers == 1 && confirmed && publish("z") == 0);
    c->resp = 3;
    subscribe(1,"g",NULL,NULL);
    test_cond("in RESP3 the confirmation is a push", replied(c,">3\r\n$9\r\nsubscribe\r\n$1\r\ng\r\n:7\r\n"));

    client *first = c;
    c = fakeClient();
    c->flags |= CLIENT_DENY_BLOCKING;
    subscribe(2,"denied","a",NULL);
    sds s = replyOf(c);
    test_cond("a client that must not block gets an error", s[0] == '-' && strstr(s,"\r\n") == s+sdslen(s)-2);
    sdsfree(s);
    test_cond("after the error nothing is subscribed to", !subscribed("denied") && dictSize(c->pubsub_channels) == 0 &&
              publish("a") == 1);
    test_cond("after the error the client is no subscriber", !(c->flags & CLIENT_PUBSUB) && server.pubsub_clients == 1);
    c->flags |= CLIENT_MULTI;
    subscribe(1,"multi",NULL,NULL);
    confirmed = replied(c,"*3\r\n$9\r\nsubscribe\r\n$5\r\nmulti\r\n:1\r\n");
    test_cond("in a transaction it is allowed", confirmed && subscribed("multi") && (c->flags & CLIENT_PUBSUB));

    c = first;
    sdsfree(replyOf(c));
    c->resp = 2;
    robj *binary = createStringObject("x\0\r\ny",5);
    const char *words[] = {"subscribe","x"};
    setArguments(c,2,words);
    decrRefCount(c->argv[1]);
    c->argv[1] = binary;
    subscribeCommand(c);
    s = replyOf(c);
    test_cond("the channel's name is binary-safe", sdslen(s) == 34 && !memcmp(s+20,"5\r\nx\0\r\ny",8) &&
              dictFind(c->pubsub_channels,binary) != NULL);
    sdsfree(s);
    test_cond("the command's arguments still belong to the client", binary->refcount == 3 && c->argv[1] == binary);
    test_report();
    return 0;
}
