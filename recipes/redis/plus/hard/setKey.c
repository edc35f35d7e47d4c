/*---
 * tasks: [lazyfreeGetFreeEffort-1aee2c.8]
 * tests:
 *   a new key is added: 'Comment: "set a key, whatever it was existing or not, to a new object".'
 *   an existing key gets the value: 'Comment: "whatever it was existing or not".'
 *   a value of another type is replaced: 'Comment: "whatever it was existing or not, to a new object".'
 *   the reference count of the value is incremented: 'Comment: "1) The ref count of the value object is incremented".'
 *   the old value is given up: 'dbSetValue: overwritten values are freed.'
 *   clients that watch the key are told: 'Comment: "2) clients WATCHing for the destination key notified".'
 *   clients that watch other keys are not: 'Comment: "for the destination key".'
 *   with NO_SIGNAL nobody is told: 'server.h: SETKEY_NO_SIGNAL.'
 *   the key is made persistent: 'Comment: "3) The expire time of the key is reset (the key is made persistent)".'
 *   with KEEPTTL it keeps its time to live: 'Comment: "unless SETKEY_KEEPTTL is enabled in flags".'
 *   a key that is known to exist is overwritten: 'Comment: "4) [...] SETKEY_ALREADY_EXIST".'
 *   a key that is known not to exist is added: 'Comment: "4) [...] SETKEY_DOESNT_EXIST".'
 *   a key may be added or updated: 'server.h: SETKEY_ADD_OR_UPDATE, "Key most likely doesn''t exists".'
 *   flags work together: 'Comment: flags; setGenericCommand combines them.'
 *   the client may be NULL: 'Comment: "The client c argument may be set to NULL".'
 *   the client that sets the key is known to the tracking: 'Signature: c; commands/client-tracking: NOLOOP.'
 *   only the given database is changed: 'Signature: db.'
 *   an expired key is set anew: 'db.c: lookupKeyWrite deletes it; commands/set.'
 *   counters of changes are left to the caller: 'Callers: setGenericCommand increments server.dirty.'
 *   nothing is left behind: 'Old values are freed.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static robj *str(const char *s) {
    return createStringObject(s,strlen(s));
}

static robj *value(int db, robj *key) {
    dictEntry *de = dbFind(&server.db[db],key->ptr);
    return de ? dictGetVal(de) : NULL;
}

/* Sets the key to a new value of that text, and gives the value. */
static robj *set(client *c, robj *key, const char *text, int flags) {
    robj *val = str(text);
    setKey(c,&server.db[0],key,val,flags);
    return val;
}

static client *watcher(const char *key) {
    client *w = fakeClient();
    const char *words[] = {"watch",key};
    setArguments(w,2,words);
    w->cmd->proc(w);
    return w;
}

int main(void) {
    startRedis();
    redisDb *db = &server.db[0];
    client *c = fakeClient();
    long long dirty = server.dirty;
    robj *key = str("key"), *v1 = set(c,key,"v1",0);
    test_cond("a new key is added", value(0,key) == v1 && dbSize(db) == 1);
    test_cond("the reference count of the value is incremented", v1->refcount == 2 && key->refcount == 1);
    robj *v2 = set(c,key,"v2",0);
    test_cond("an existing key gets the value", value(0,key) == v2 && dbSize(db) == 1 && v2->refcount == 2);
    test_cond("the old value is given up", v1->refcount == 1);
    robj *list = createListListpackObject();
    setKey(c,db,key,list,0);
    int type = value(0,key) == list;
    robj *v3 = set(c,key,"v3",0);
    test_cond("a value of another type is replaced", type && value(0,key) == v3 && list->refcount == 1);

    client *w = watcher("key"), *o = watcher("other");
    set(c,key,"v",0);
    test_cond("clients that watch the key are told", w->flags & CLIENT_DIRTY_CAS);
    test_cond("clients that watch other keys are not", !(o->flags & CLIENT_DIRTY_CAS));
    w = watcher("key");
    set(c,key,"v",SETKEY_NO_SIGNAL);
    int silent = !(w->flags & CLIENT_DIRTY_CAS);
    set(c,key,"v",SETKEY_NO_SIGNAL|SETKEY_ALREADY_EXIST);
    test_cond("with NO_SIGNAL nobody is told", silent && !(w->flags & CLIENT_DIRTY_CAS));

    setExpire(NULL,db,key,4000000000000);
    robj *v4 = set(c,key,"v4",0);
    test_cond("the key is made persistent", value(0,key) == v4 && getExpire(db,key) == -1);
    setExpire(NULL,db,key,4000000000000);
    set(c,key,"v5",SETKEY_KEEPTTL);
    test_cond("with KEEPTTL it keeps its time to live", getExpire(db,key) == 4000000000000);
    robj *v6 = set(c,key,"v6",SETKEY_ALREADY_EXIST);
    test_cond("a key that is known to exist is overwritten", value(0,key) == v6 && v6->refcount == 2 && dbSize(db) == 1 &&
              getExpire(db,key) == -1);
    robj *fresh = str("fresh"), *v7 = set(c,fresh,"v7",SETKEY_DOESNT_EXIST);
    test_cond("a key that is known not to exist is added", value(0,fresh) == v7 && dbSize(db) == 2 && v7->refcount == 2);
    robj *maybe = str("maybe"), *v8 = set(c,maybe,"v8",SETKEY_ADD_OR_UPDATE);
    int added = value(0,maybe) == v8 && dbSize(db) == 3 && v8->refcount == 2;
    setExpire(NULL,db,maybe,4000000000000);
    robj *v9 = set(c,maybe,"v9",SETKEY_ADD_OR_UPDATE);
    test_cond("a key may be added or updated", added && value(0,maybe) == v9 && dbSize(db) == 3 && v8->refcount == 1 &&
              v9->refcount == 2 && getExpire(db,maybe) == -1);
    setExpire(NULL,db,maybe,4000000000000);
    w = watcher("maybe");
    robj *v10 = set(c,maybe,"v10",SETKEY_ADD_OR_UPDATE|SETKEY_KEEPTTL|SETKEY_NO_SIGNAL);
    int quiet = !(w->flags & CLIENT_DIRTY_CAS);
    set(c,maybe,"v11",SETKEY_ALREADY_EXIST|SETKEY_KEEPTTL);
    test_cond("flags work together", quiet && v10->refcount == 1 && getExpire(db,maybe) == 4000000000000 &&
              (w->flags & CLIENT_DIRTY_CAS));
    w = watcher("nobody");
    robj *nobody = str("nobody"), *v12 = set(NULL,nobody,"v12",0);
    test_cond("the client may be NULL", value(0,nobody) == v12 && (w->flags & CLIENT_DIRTY_CAS));

    client *t = subscriberClient();
    t->resp = 3;
    enableTracking(t,0,CLIENT_TRACKING_BCAST|CLIENT_TRACKING_NOLOOP,NULL,0);
    set(t,key,"x",0);
    trackingBroadcastInvalidationMessages();
    int none = replied(t,"");
    set(c,key,"x",0);
    trackingBroadcastInvalidationMessages();
    test_cond("the client that sets the key is known to the tracking", none &&
              replied(t,">2\r\n$10\r\ninvalidate\r\n*1\r\n$3\r\nkey\r\n"));
    disableTracking(t);
    robj *v = str("nine");
    setKey(c,&server.db[9],key,v,0);
    test_cond("only the given database is changed", value(9,key) == v && !strcmp(value(0,key)->ptr,"x") &&
              dbSize(&server.db[9]) == 1);
    robj *past = str("past");
    set(c,past,"old",0);
    setExpire(NULL,db,past,1);
    robj *anew = set(c,past,"anew",0);
    test_cond("an expired key is set anew", value(0,past) == anew && getExpire(db,past) == -1 && anew->refcount == 2);
    test_cond("counters of changes are left to the caller", server.dirty - dirty <= 1);
    decrRefCount(set(c,key,"v",0));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        int flags[] = {0,SETKEY_ALREADY_EXIST,SETKEY_ADD_OR_UPDATE,SETKEY_KEEPTTL};
        decrRefCount(set(c,key,"v",flags[j%4]));
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
