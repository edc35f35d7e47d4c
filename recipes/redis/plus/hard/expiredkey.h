/* Shared by the tests of deleted and expired keys: keys, a listener for events, watchers, what is propagated. */
#ifndef PLUS_EXPIREDKEY_H
#define PLUS_EXPIREDKEY_H
#include "start.h"
#include "../bio.h"
#include "../testhelp.h"

static client *listener;

static inline robj *str(const char *s) {
    return createStringObject(s,strlen(s));
}

static inline robj *put(int db, const char *name, robj *val, long long expire) {
    robj *key = str(name);
    dbAdd(&server.db[db],key,val);
    if (expire != -1) setExpire(NULL,&server.db[db],key,expire);
    return key;
}

static inline int there(int db, robj *key) {
    return dbFind(&server.db[db],key->ptr) != NULL;
}

static inline client *watcher(int db, const char *key) {
    client *w = fakeClient();
    const char *words[] = {"watch",key};
    selectDb(w,db);
    setArguments(w,2,words);
    w->cmd->proc(w);
    return w;
}

static inline void listen_(void) {
    listener = subscriberClient();
    const char *words[] = {"psubscribe","__key*__:*"};
    setArguments(listener,2,words);
    psubscribeCommand(listener);
    sdsfree(replyOf(listener));
    server.notify_keyspace_events = NOTIFY_ALL|NOTIFY_KEYEVENT|NOTIFY_KEYSPACE;
}

/* Whether something like that was announced since the last call. */
static inline int announced(const char *text) {
    sds s = replyOf(listener);
    int yes = *text ? strstr(s,text) != NULL : sdslen(s) == 0;
    sdsfree(s);
    return yes;
}

static inline int ops(void) {
    return server.also_propagate.numops;
}

/* Whether the n-th command to be propagated is that one, of that database. */
static inline int op(int n, int db, const char *command, const char *key) {
    if (n >= ops()) return 0;
    redisOp *o = &server.also_propagate.ops[n];
    return o->dbid == db && o->argc == 2 && !strcasecmp(o->argv[0]->ptr,command) && sdslen(o->argv[1]->ptr) == strlen(key) &&
           !strcmp(o->argv[1]->ptr,key) && o->target == (PROPAGATE_AOF|PROPAGATE_REPL);
}

static inline void forget(void) {
    redisOpArrayFree(&server.also_propagate);
}

static inline robj *bigSet(void) {
    robj *set = createSetObject();
    for (int j = 0; j < 1000; j++) {
        sds e = sdscatprintf(sdsempty(),"element%d",j);
        setTypeAdd(set,e);
        sdsfree(e);
    }
    return set;
}

/* How many values were freed in the background since the last call. */
static inline size_t freedBehind(void) {
    static size_t before;
    bioDrainWorker(BIO_LAZY_FREE);
    size_t now = lazyfreeGetFreedObjectsCount(), n = now-before;
    before = now;
    return n;
}
#endif
