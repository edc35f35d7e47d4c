/*---
 * tasks: [pubsubCommand-4e2acb, pubsubCommand-4e2acb.2, pubsubCommand-4e2acb.4, pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * tests:
 *   without subscriptions lists are empty and counts are 0: 'commands/pubsub-channels, pubsub-numpat, pubsub-shardchannels.'
 *   CHANNELS lists all channels: 'Help text: "Return the currently active channels matching a <pattern> (default: ''*'')".'
 *   CHANNELS takes a pattern: 'Help text: "matching a <pattern>".'
 *   CHANNELS does not list shard channels or patterns: 'commands/pubsub-channels: "excluding clients subscribed to patterns"; SHARDCHANNELS.'
 *   NUMSUB tells each channel and its number of subscribers: 'Help text: "the number of subscribers for the specified channels".'
 *   NUMSUB keeps the order and repeats what is repeated: 'commands/pubsub-numsub: "in the same order as in the command arguments".'
 *   NUMSUB gives 0 for a channel without subscribers: 'commands/pubsub-numsub: count of subscribers.'
 *   NUMSUB without channels is an empty array: 'Help text: "(default: no channels)".'
 *   NUMSUB does not count patterns or shard channels: 'Help text: "excluding pattern subscriptions".'
 *   NUMPAT counts patterns: 'commands/pubsub-numpat: "the number of unique patterns that are subscribed to by clients".'
 *   SHARDCHANNELS lists shard channels alone: 'Help text: "Return the currently active shard level channels".'
 *   SHARDCHANNELS takes a pattern: 'Help text: "matching a <pattern>".'
 *   SHARDNUMSUB counts subscribers of shard channels: 'Help text: "the number of subscribers for the specified shard level channel(s)".'
 *   SHARDNUMSUB without channels is an empty array: 'commands/pubsub-shardnumsub: "it is valid to call this command without channels".'
 *   SHARDNUMSUB finds a channel in its slot: 'pubsub.c: "shard level channels bounded to a slot".'
 *   NUMSUB does not look into slots: 'server.c: pubsub_channels is a kvstore with only one dict.'
 *   HELP tells the subcommands: 'Help text.'
 *   the case of a subcommand does not matter: 'Commands of Redis know no case.'
 *   a wrong number of arguments is an error: 'networking.c: addReplySubcommandSyntaxError.'
 *   an unknown subcommand is an error that names it: 'networking.c: addReplySubcommandSyntaxError.'
 *   names of any bytes are counted: 'Names are Redis strings.'
 *   what unsubscribes is no longer counted: 'commands/pubsub-numsub: subscribers.'
 *   the arguments stay the client's: 'Contract of commands: resetClient frees argv.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c, *s1, *s2;

static void ask(int argc, const char *a, const char *b, const char *d, const char *e) {
    const char *words[] = {"pubsub",a,b,d,e};
    setArguments(c,argc,words);
    pubsubCommand(c);
}

static void let(client *s, int argc, const char *a, const char *b, const char *d) {
    const char *words[] = {a,b,d};
    setArguments(s,argc,words);
    s->cmd->proc(s);
    sdsfree(replyOf(s));
}

static int gives(const char *text) {
    sds s = replyOf(c);
    int same = !strcmp(s,text);
    if (!same) printf("reply <%s>\n",s);
    sdsfree(s);
    return same;
}

static int error(const char *name) {
    sds want = sdscatprintf(sdsempty(),"-ERR unknown subcommand or wrong number of arguments for '%s'. Try PUBSUB HELP.\r\n",name);
    int same = gives(want);
    sdsfree(want);
    return same;
}

int main(void) {
    startRedis();
    c = fakeClient(), s1 = subscriberClient(), s2 = subscriberClient();
    ask(2,"channels",NULL,NULL,NULL);
    int empty = gives("*0\r\n");
    ask(2,"numpat",NULL,NULL,NULL);
    empty &= gives(":0\r\n");
    ask(3,"shardchannels","*",NULL,NULL);
    test_cond("without subscriptions lists are empty and counts are 0", empty && gives("*0\r\n"));
    let(s1,3,"subscribe","news","art");
    let(s2,2,"subscribe","news",NULL);
    let(s1,3,"psubscribe","n*","a*");
    let(s2,2,"psubscribe","n*",NULL);
    let(s1,2,"ssubscribe","shard",NULL);
    let(s2,3,"ssubscribe","shard","news");

    ask(2,"channels",NULL,NULL,NULL);
    sds s = replyOf(c);
    test_cond("CHANNELS lists all channels", !strncmp(s,"*2\r\n",4) && strstr(s,"$4\r\nnews\r\n") && strstr(s,"$3\r\nart\r\n"));
    test_cond("CHANNELS does not list shard channels or patterns", !strstr(s,"shard") && !strstr(s,"*\r\n") &&
              sdslen(s) == 4+10+9);
    ask(3,"channels","n?ws",NULL,NULL);
    int told = gives("*1\r\n$4\r\nnews\r\n");
    ask(3,"channels","shard",NULL,NULL);
    test_cond("CHANNELS takes a pattern", told && gives("*0\r\n"));
    ask(3,"numsub","news",NULL,NULL);
    told = gives("*2\r\n$4\r\nnews\r\n:2\r\n");
    ask(3,"numsub","art",NULL,NULL);
    test_cond("NUMSUB tells each channel and its number of subscribers", told && gives("*2\r\n$3\r\nart\r\n:1\r\n"));
    ask(5,"numsub","art","news","art");
    test_cond("NUMSUB keeps the order and repeats what is repeated",
              gives("*6\r\n$3\r\nart\r\n:1\r\n$4\r\nnews\r\n:2\r\n$3\r\nart\r\n:1\r\n"));
    ask(4,"numsub","none","news",NULL);
    test_cond("NUMSUB gives 0 for a channel without subscribers", gives("*4\r\n$4\r\nnone\r\n:0\r\n$4\r\nnews\r\n:2\r\n"));
    ask(2,"numsub",NULL,NULL,NULL);
    test_cond("NUMSUB without channels is an empty array", gives("*0\r\n"));
    ask(4,"numsub","n*","shard",NULL);
    test_cond("NUMSUB does not count patterns or shard channels", gives("*4\r\n$2\r\nn*\r\n:0\r\n$5\r\nshard\r\n:0\r\n"));
    ask(2,"numpat",NULL,NULL,NULL);
    test_cond("NUMPAT counts patterns", gives(":2\r\n"));
    ask(2,"shardchannels",NULL,NULL,NULL);
    s = replyOf(c);
    test_cond("SHARDCHANNELS lists shard channels alone", !strncmp(s,"*2\r\n",4) && strstr(s,"$5\r\nshard\r\n") &&
              strstr(s,"$4\r\nnews\r\n") && sdslen(s) == 4+11+10);
    ask(3,"shardchannels","s*",NULL,NULL);
    told = gives("*1\r\n$5\r\nshard\r\n");
    ask(3,"shardchannels","art",NULL,NULL);
    test_cond("SHARDCHANNELS takes a pattern", told && gives("*0\r\n"));
    ask(5,"shardnumsub","shard","news","art");
    test_cond("SHARDNUMSUB counts subscribers of shard channels",
              gives("*6\r\n$5\r\nshard\r\n:2\r\n$4\r\nnews\r\n:1\r\n$3\r\nart\r\n:0\r\n"));
    ask(2,"shardnumsub",NULL,NULL,NULL);
    test_cond("SHARDNUMSUB without channels is an empty array", gives("*0\r\n"));

    /* As in a cluster, where shard channels have a dict for each slot. */
    kvstore *before = server.pubsubshard_channels;
    server.pubsubshard_channels = kvstoreCreate(&objToDictDictType,14,
                                                KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS);
    server.cluster_enabled = 1;
    const char *names[] = {"shard","{tag}other"};
    int slots = 1;
    for (int j = 0; j < 2; j++) {
        robj *o = createStringObject(names[j],strlen(names[j]));
        int slot = calculateKeySlot(o->ptr);
        if (slot == 0) slots = 0;
        dict *clients = dictCreate(&objToDictDictType);
        for (int k = 0; k <= j+1; k++) dictAdd(clients,createStringObject((char*)&k,4),NULL);
        kvstoreDictSetVal(server.pubsubshard_channels,slot,
                          kvstoreDictAddRaw(server.pubsubshard_channels,slot,o,NULL),clients);
    }
    ask(5,"shardnumsub","shard","{tag}other","{tag}none");
    test_cond("SHARDNUMSUB finds a channel in its slot", slots &&
              gives("*6\r\n$5\r\nshard\r\n:2\r\n$10\r\n{tag}other\r\n:3\r\n$9\r\n{tag}none\r\n:0\r\n"));
    ask(4,"numsub","news","art",NULL);
    test_cond("NUMSUB does not look into slots", gives("*4\r\n$4\r\nnews\r\n:2\r\n$3\r\nart\r\n:1\r\n"));
    server.cluster_enabled = 0;
    server.pubsubshard_channels = before;

    ask(2,"HELP",NULL,NULL,NULL);
    s = replyOf(c);
    test_cond("HELP tells the subcommands", s[0] == '*' && strstr(s,"CHANNELS [<pattern>]") && strstr(s,"NUMPAT") &&
              strstr(s,"NUMSUB [<channel> ...]") && strstr(s,"SHARDCHANNELS [<pattern>]") &&
              strstr(s,"SHARDNUMSUB [<shardchannel> ...]"));
    ask(2,"NumPat",NULL,NULL,NULL);
    told = gives(":2\r\n");
    ask(3,"NUMSUB","news",NULL,NULL);
    told &= gives("*2\r\n$4\r\nnews\r\n:2\r\n");
    ask(3,"Channels","art",NULL,NULL);
    told &= gives("*1\r\n$3\r\nart\r\n");
    ask(3,"ShardChannels","shard",NULL,NULL);
    told &= gives("*1\r\n$5\r\nshard\r\n");
    ask(3,"ShardNumSub","shard",NULL,NULL);
    test_cond("the case of a subcommand does not matter", told && gives("*2\r\n$5\r\nshard\r\n:2\r\n"));
    ask(4,"channels","a","b",NULL);
    told = error("channels");
    ask(3,"numpat","a",NULL,NULL);
    told &= error("numpat");
    ask(4,"shardchannels","a","b",NULL);
    told &= error("shardchannels");
    ask(3,"help","me",NULL,NULL);
    test_cond("a wrong number of arguments is an error", told && error("help"));
    ask(2,"nonsense",NULL,NULL,NULL);
    told = error("nonsense");
    ask(2,"numsubs",NULL,NULL,NULL);
    test_cond("an unknown subcommand is an error that names it", told && error("numsubs"));

    const char *words[] = {"subscribe","x"};
    setArguments(s1,2,words);
    decrRefCount(s1->argv[1]);
    robj *binary = createStringObject("x\0y",3);
    s1->argv[1] = binary;
    incrRefCount(binary);
    subscribeCommand(s1);
    const char *num[] = {"pubsub","numsub","x","x"};
    setArguments(c,4,num);
    decrRefCount(c->argv[3]);
    incrRefCount(binary);
    c->argv[3] = binary;
    int refs = binary->refcount;
    pubsubCommand(c);
    s = replyOf(c);
    test_cond("names of any bytes are counted", sdslen(s) == 28 && !memcmp(s,"*4\r\n$1\r\nx\r\n:0\r\n$3\r\nx\0y\r\n:1\r\n",28));
    test_cond("the arguments stay the client's", binary->refcount == refs && c->argv[3] == binary &&
              !strcmp(c->argv[1]->ptr,"numsub"));
    let(s2,2,"unsubscribe","news",NULL);
    let(s1,2,"unsubscribe","art",NULL);
    ask(4,"numsub","news","art",NULL);
    test_cond("what unsubscribes is no longer counted", gives("*4\r\n$4\r\nnews\r\n:1\r\n$3\r\nart\r\n:0\r\n"));
    test_report();
    return 0;
}
