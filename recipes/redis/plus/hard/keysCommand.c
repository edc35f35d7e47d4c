/*---
 * tasks: [pubsubCommand-4e2acb.8, pubsubCommand-4e2acb.16]
 * tests:
 *   an empty database gives an empty array: 'commands/keys: "a list of keys matching pattern".'
 *   a star gives all keys: 'commands/keys: "Returns all keys matching pattern".'
 *   the array has the number of keys: 'commands/keys: Array reply.'
 *   a pattern gives the keys that match: 'commands/keys: glob-style patterns.'
 *   a name without special characters gives this key: 'commands/keys: glob-style patterns.'
 *   nothing that matches is an empty array: 'commands/keys: "a list of keys matching pattern".'
 *   the case of letters matters: 'commands/keys; names of keys are told apart by case.'
 *   keys that have expired are not given: 'Upstream: keys that are logically expired do not exist for clients.'
 *   keys that expire later are given: 'commands/keys: all keys.'
 *   keys of any type are given: 'commands/keys: all keys.'
 *   only keys of the selected database are given: 'c->db; commands/select.'
 *   names and patterns of any bytes are compared: 'Keys are Redis strings.'
 *   the empty name is given by a star: 'Body and other callers of the pattern *: all keys.'
 *   each of many keys is given once: 'commands/keys: "Returns all keys matching pattern".'
 *   another reply before stays before it: 'networking.c: addReplyDeferredLen.'
 *   in RESP3 it is an array as well: 'commands/keys: Array reply.'
 *   in a cluster a pattern with a tag gives the keys of its slot: 'cluster.c: patternHashSlot, "only can match keys belonging to a single slot".'
 *   in a cluster a tag whose slot is empty gives an empty array: 'commands/keys: "a list of keys matching pattern".'
 *   in a cluster a pattern without a tag gives keys of all slots: 'cluster.c: patternHashSlot gives -1 then.'
 *   in a cluster a star gives keys of all slots: 'commands/keys: all keys.'
 *   the keys stay: 'commands/keys: it only lists.'
 *   keys can be removed afterwards: 'kvstore.c: iterators are released.'
 *   nothing is kept: 'Clients may ask again and again.'
 ---*/
#include "start.h"
#include "../cluster.h"
#include "../testhelp.h"

static client *c;

static void putBytes(const char *name, size_t len, long long when) {
    robj *key = createStringObject(name,len);
    dbAdd(c->db,key,createStringObject("value",5));
    if (when != -1) setExpire(NULL,c->db,key,when);
    decrRefCount(key);
}

static void put(const char *name) {
    putBytes(name,strlen(name),-1);
}

static sds keysBytes(const char *pattern, size_t len) {
    const char *words[] = {"keys","*"};
    setArguments(c,2,words);
    decrRefCount(c->argv[1]);
    c->argv[1] = createStringObject(pattern,len);
    keysCommand(c);
    return replyOf(c);
}

/* Whether the pattern gives exactly these keys, which are separated by commas. */
static int gives(const char *pattern, const char *names) {
    int n = 0, same = 1;
    sds *words = sdssplitlen(names,strlen(names),",",1,&n), s = keysBytes(pattern,strlen(pattern));
    sds head = sdscatprintf(sdsempty(),"*%d\r\n",n);
    size_t len = sdslen(head);
    if (strncmp(s,head,sdslen(head))) same = 0;
    for (int j = 0; j < n; j++) {
        sds bulk = sdscatprintf(sdsempty(),"\n$%zu\r\n%s\r\n",sdslen(words[j]),words[j]);
        if (!strstr(s,bulk)) same = 0;
        len += sdslen(bulk)-1;
        sdsfree(bulk);
    }
    if (len != sdslen(s)) same = 0;
    if (!same) printf("%s: <%s>\n",pattern,s);
    sdsfreesplitres(words,n);
    sdsfree(head);
    sdsfree(s);
    return same;
}

int main(void) {
    startRedis();
    server.active_expire_enabled = 0;
    c = fakeClient();
    mstime_t now = mstime();
    server.cmd_time_snapshot = server.mstime = now;
    test_cond("an empty database gives an empty array", gives("*","") && gives("a*",""));
    put("firstname"), put("lastname"), put("age");
    test_cond("a star gives all keys", gives("*","firstname,lastname,age"));
    sds s = keysBytes("*",1);
    test_cond("the array has the number of keys", !strncmp(s,"*3\r\n",4));
    test_cond("a pattern gives the keys that match", gives("*name","firstname,lastname") && gives("a??","age") &&
              gives("[al]*","lastname,age") && gives("**","firstname,lastname,age"));
    test_cond("a name without special characters gives this key", gives("age","age") && gives("ag",""));
    test_cond("nothing that matches is an empty array", gives("x*","") && gives("????",""));
    test_cond("the case of letters matters", gives("AGE","") && gives("A*",""));
    putBytes("dead",4,now-1000), putBytes("later",5,now+1000000);
    test_cond("keys that have expired are not given", gives("*","firstname,lastname,age,later") && gives("d*",""));
    test_cond("keys that expire later are given", gives("later","later"));
    robj *key = createStringObject("set",3), *val = createSetObject();
    dbAdd(c->db,key,val);
    test_cond("keys of any type are given", gives("s?t","set"));
    selectDb(c,4);
    put("four");
    int other = gives("*","four") && gives("age","");
    selectDb(c,0);
    test_cond("only keys of the selected database are given", other && gives("f*","firstname"));
    putBytes("x\0y",3,-1);
    s = keysBytes("x\0?",3);
    sds s2 = keysBytes("x\0z",3), s3 = keysBytes("x",1), s4 = keysBytes("*y",2);
    test_cond("names and patterns of any bytes are compared", sdslen(s) == 13 && !memcmp(s,"*1\r\n$3\r\nx\0y\r\n",13) &&
              !strcmp(s2,"*0\r\n") && !strcmp(s3,"*0\r\n") && sdslen(s4) == 13);
    selectDb(c,5);
    put("");
    s = keysBytes("*",1);
    test_cond("the empty name is given by a star", !strcmp(s,"*1\r\n$0\r\n\r\n"));
    selectDb(c,6);
    char name[32];
    for (int j = 0; j < 500; j++) {
        snprintf(name,sizeof(name),"key:%03d",j);
        put(name);
    }
    s = keysBytes("key:*",5);
    int all = !strncmp(s,"*500\r\n",6) && sdslen(s) == 6+500*13;
    for (int j = 0; j < 500; j++) {
        snprintf(name,sizeof(name),"key:%03d\r\n",j);
        if (!strstr(s,name)) all = 0;
    }
    test_cond("each of many keys is given once", all);
    addReplyLongLong(c,7);
    s = keysBytes("key:123",7);
    test_cond("another reply before stays before it", !strcmp(s,":7\r\n*1\r\n$7\r\nkey:123\r\n"));
    c->resp = 3;
    test_cond("in RESP3 it is an array as well", gives("key:321","key:321"));
    c->resp = 2;
    test_cond("the keys stay", dbSize(&server.db[6]) == 500);
    for (int j = 0; j < 490; j++) {
        snprintf(name,sizeof(name),"key:%03d",j);
        robj *o = createStringObject(name,strlen(name));
        dbDelete(c->db,o);
        decrRefCount(o);
    }
    test_cond("keys can be removed afterwards", gives("*49?","key:490,key:491,key:492,key:493,key:494,key:495,key:496,key:497,key:498,key:499"));
    keysBytes("*",1);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) gives("*5","key:495"), gives("x",""), sdsfree(keysBytes("*",1));
    test_cond("nothing is kept", zmalloc_used_memory() == before);

    /* As in a cluster, where keys have a dict for each slot. */
    int flags = KVSTORE_ALLOCATE_DICTS_ON_DEMAND|KVSTORE_FREE_EMPTY_DICTS;
    selectDb(c,0);
    server.cluster_enabled = 1;
    c->db->keys = kvstoreCreate(&dbDictType,14,flags);
    c->db->expires = kvstoreCreate(&dbExpiresDictType,14,flags);
    put("{a}1"), put("{a}2"), put("{b}1"), put("plain"), putBytes("{a}dead",7,now-1000);
    test_cond("in a cluster a pattern with a tag gives the keys of its slot", gives("{a}*","{a}1,{a}2") &&
              gives("{b}*","{b}1") && gives("{a}2","{a}2") && gives("plain","plain"));
    test_cond("in a cluster a tag whose slot is empty gives an empty array", gives("{none}*","") && gives("gone",""));
    test_cond("in a cluster a pattern without a tag gives keys of all slots", gives("*1","{a}1,{b}1") &&
              gives("{?}1","{a}1,{b}1") && gives("p*","plain"));
    test_cond("in a cluster a star gives keys of all slots", gives("*","{a}1,{a}2,{b}1,plain"));
    test_report();
    return 0;
}
