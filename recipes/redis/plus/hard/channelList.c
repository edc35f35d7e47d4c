/*---
 * tasks: [pubsubCommand-4e2acb.2, pubsubCommand-4e2acb.4, pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * tests:
 *   without channels it is an empty array: 'commands/pubsub-channels: "a list of active channels".'
 *   without a pattern each channel is listed: 'commands/pubsub-channels: "If no pattern is specified, all the channels are listed".'
 *   the array has the number of channels: 'commands/pubsub-channels: an array.'
 *   with a pattern only what matches is listed: 'Comment: "If a pattern is provided, the subset of channels is returned matching the pattern".'
 *   nothing that matches is an empty array: 'Comment: "the subset of channels".'
 *   the case of letters matters: 'commands/pubsub-channels: "glob-style pattern"; channels are told apart by case.'
 *   the whole name must match: 'commands/pubsub-channels: "glob-style pattern".'
 *   channels of all dicts are listed: 'Argument pubsub_channels: a kvstore; shard channels have a dict for each slot.'
 *   a pattern holds for all dicts: 'Argument pubsub_channels: a kvstore.'
 *   only the given channels are listed: 'Argument pubsub_channels; caller pubsubCommand.'
 *   names and patterns of any bytes are compared: 'Names are Redis strings; sdslen.'
 *   a channel with several subscribers is listed once: 'commands/pubsub-channels: "active channels".'
 *   in RESP3 it is an array as well: 'commands/pubsub-channels: Array reply.'
 *   another reply before stays before it: 'networking.c: addReplyDeferredLen.'
 *   the channels stay: 'Comment: it only lists.'
 *   channels may be removed afterwards: 'kvstore.c: an iterator is released.'
 *   nothing is kept: 'Caller pubsubCommand: may come for ever.'
 ---*/
#include "start.h"
#include "../testhelp.h"

void channelList(client *c, sds pat, kvstore *pubsub_channels);

static client *c;

static void add(kvstore *kvs, int didx, const char *name, size_t len, int subscribers) {
    robj *o = createStringObject(name,len);
    dict *clients = dictCreate(&objToDictDictType);
    for (int j = 0; j < subscribers; j++) dictAdd(clients,createStringObject((char*)&j,4),NULL);
    kvstoreDictSetVal(kvs,didx,kvstoreDictAddRaw(kvs,didx,o,NULL),clients);
}

static sds list_(const char *pattern, size_t len, kvstore *kvs) {
    sds pat = pattern ? sdsnewlen(pattern,len) : NULL;
    channelList(c,pat,kvs);
    sdsfree(pat);
    return replyOf(c);
}

/* Whether it lists so many channels, these among them. */
static int lists(const char *pattern, kvstore *kvs, int count, const char *names) {
    sds s = list_(pattern,pattern ? strlen(pattern) : 0,kvs), head = sdscatprintf(sdsempty(),"*%d\r\n",count);
    int same = !strncmp(s,head,sdslen(head)), n = 0;
    size_t len = sdslen(head);
    sds *parts = sdssplitlen(names,strlen(names),",",1,&n);
    for (int j = 0; j < n; j++) {
        sds bulk = sdscatprintf(sdsempty(),"\r\n$%zu\r\n%s\r\n",sdslen(parts[j]),parts[j]);
        if (!strstr(s,bulk)) same = 0;
        len += sdslen(bulk)-2;
        sdsfree(bulk);
    }
    if (sdslen(s) != len || n != count) same = 0;
    if (!same) printf("reply <%s>\n",s);
    sdsfreesplitres(parts,n);
    sdsfree(head);
    sdsfree(s);
    return same;
}

int main(void) {
    startRedis();
    c = fakeClient();
    kvstore *one = kvstoreCreate(&objToDictDictType,0,KVSTORE_ALLOCATE_DICTS_ON_DEMAND),
            *many = kvstoreCreate(&objToDictDictType,6,KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS);
    sds s = list_(NULL,0,one), s2 = list_("*",1,many);
    test_cond("without channels it is an empty array", !strcmp(s,"*0\r\n") && !strcmp(s2,"*0\r\n"));
    add(one,0,"news",4,1);
    add(one,0,"news.art",8,3);
    add(one,0,"sport",5,1);
    test_cond("without a pattern each channel is listed", lists(NULL,one,3,"news,news.art,sport"));
    s = list_(NULL,0,one);
    test_cond("the array has the number of channels", !strncmp(s,"*3\r\n",4));
    test_cond("a channel with several subscribers is listed once", sdslen(s) == 4+10+14+11);
    test_cond("with a pattern only what matches is listed", lists("news*",one,2,"news,news.art") &&
              lists("*",one,3,"news,news.art,sport") && lists("s?o[qr]t",one,1,"sport") && lists("*.*",one,1,"news.art"));
    s = list_("weather*",8,one);
    test_cond("nothing that matches is an empty array", !strcmp(s,"*0\r\n"));
    s = list_("NEWS*",5,one);
    test_cond("the case of letters matters", !strcmp(s,"*0\r\n"));
    s = list_("ne",2,one);
    s2 = list_("ews",3,one);
    test_cond("the whole name must match", !strcmp(s,"*0\r\n") && !strcmp(s2,"*0\r\n") && lists("news",one,1,"news"));
    add(many,0,"a:first",7,1);
    add(many,17,"a:mid",5,1);
    add(many,17,"b:mid",5,1);
    add(many,63,"a:last",6,1);
    test_cond("channels of all dicts are listed", lists(NULL,many,4,"a:first,a:mid,b:mid,a:last"));
    test_cond("a pattern holds for all dicts", lists("a:*",many,3,"a:first,a:mid,a:last") && lists("b:*",many,1,"b:mid") &&
              lists("*last",many,1,"a:last"));
    test_cond("only the given channels are listed", lists("*",one,3,"news,news.art,sport"));
    c->resp = 3;
    test_cond("in RESP3 it is an array as well", lists("sport",one,1,"sport"));
    c->resp = 2;
    addReplyLongLong(c,7);
    s = list_("sport",5,one);
    test_cond("another reply before stays before it", !strcmp(s,":7\r\n*1\r\n$5\r\nsport\r\n"));
    test_cond("the channels stay", kvstoreSize(one) == 3 && kvstoreSize(many) == 4);

    add(one,0,"x\0y",3,1);
    s = list_("x\0?",3,one);
    s2 = list_("x\0z",3,one);
    sds s3 = list_("x",1,one), s4 = list_("*y",2,one);
    test_cond("names and patterns of any bytes are compared", sdslen(s) == 13 && !memcmp(s,"*1\r\n$3\r\nx\0y\r\n",13) &&
              !strcmp(s2,"*0\r\n") && !strcmp(s3,"*0\r\n") && sdslen(s4) == 13);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 30; j++) {
        sdsfree(list_(NULL,0,one));
        sdsfree(list_("a*",2,many));
        sdsfree(list_("none",4,many));
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    char name[32];
    for (int j = 0; j < 100; j++) {
        snprintf(name,sizeof(name),"more:%d",j);
        add(one,0,name,strlen(name),0);
    }
    list_("sport",5,one);
    for (int j = 0; j < 100; j++) {
        snprintf(name,sizeof(name),"more:%d",j);
        robj *o = createStringObject(name,strlen(name));
        kvstoreDictDelete(one,0,o);
    }
    test_cond("channels may be removed afterwards", lists("[ns]*",one,3,"news,news.art,sport") && kvstoreSize(one) == 4);
    test_report();
    return 0;
}
