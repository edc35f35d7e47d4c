/*---
 * tasks: [expireGenericCommand-82c832.16]
 * tests:
 *   a key that has expired gives 1: 'Comment: "the function returns 1 if the key is expired".'
 *   a master deletes it: 'Comment: "In masters as a side effect [...] such key will be evicted from the database".'
 *   its deletion is propagated and announced and counted: 'Comment: "trigger the propagation of a DEL/UNLINK"; deleteExpiredKeyAndPropagate.'
 *   a key that is valid gives 0 and stays: 'Comment: "The return value of the function is 0 if the key is still valid".'
 *   a key without a time to live gives 0 and stays: 'keyIsExpired: "No expire for this key".'
 *   a key that is not there gives 0: 'keyIsExpired: getExpire gives -1.'
 *   after the deletion it gives 0: 'keyIsExpired: getExpire gives -1.'
 *   only the key of that database is deleted: 'Signature: db, key.'
 *   a check alone deletes nothing: 'Comment: "avoid the actual key deletion [...] use the EXPIRE_AVOID_DELETE_EXPIRED flag".'
 *   a replica gives 1 and deletes nothing: 'Comment: "this function does not delete expired keys by default, but it still returns 1".'
 *   a replica deletes if it is forced: 'Comment: "To force deletion [...] use the EXPIRE_FORCE_DELETE_EXPIRED flag".'
 *   a check alone wins over force: 'The body: EXPIRE_AVOID_DELETE_EXPIRED is obeyed after the role.'
 *   for what the master sends no key is expired: 'Comment: "executing replicated commands from the master, keys are never considered expired".'
 *   not even by force: 'Comment: "never considered expired".'
 *   other clients of a replica see the key expired: 'Comment: "if the current client is executing replicated commands".'
 *   while expiration is paused it gives 1 and deletes nothing: 'The body: "If expire action is paused [...] don''t expire any key".'
 *   after the pause it deletes: 'The body: "at the end of the pause we will properly expire the key".'
 *   while lazy expiration is disabled it gives 0 and deletes nothing: 'server.h: lazy_expire_disabled.'
 *   while loading it gives 0 and deletes nothing: 'keyIsExpired: "Don''t expire anything while loading".'
 *   a name on the stack will do: 'The body: "The key needs to be converted from static to heap before deleted".'
 *   the name that was passed stays: 'Callers go on with it.'
 *   nothing is left behind: 'The copy of a static name is freed.'
 ---*/
#include "expiredkey.h"

#define EXPIRE_FORCE_DELETE_EXPIRED 1
#define EXPIRE_AVOID_DELETE_EXPIRED 2
int expireIfNeeded(redisDb *db, robj *key, int flags);

static robj *past(const char *name) {
    robj *key = str(name);
    if (!there(0,key)) decrRefCount(put(0,name,str("v"),1));
    return key;
}

static int deletedBy(int flags, int *got) {
    robj *key = past("past");
    forget();
    *got = expireIfNeeded(&server.db[0],key,flags);
    int gone = !there(0,key);
    if (!gone && ops()) gone = 2;
    forget();
    decrRefCount(key);
    return gone;
}

int main(void) {
    startRedis();
    server.aof_state = AOF_ON;
    server.replication_allowed = 1;
    redisDb *db = &server.db[0];
    robj *key = past("name"), *valid = put(0,"valid",str("v"),4000000000000), *plain = put(0,"plain",str("v"),-1);
    robj *far = put(5,"name",str("far"),1), *missing = str("missing");
    listen_();
    long long expired = server.stat_expiredkeys;
    int got = expireIfNeeded(db,key,0);
    test_cond("a key that has expired gives 1", got == 1);
    test_cond("a master deletes it", !there(0,key) && getExpire(db,key) == -1);
    test_cond("its deletion is propagated and announced and counted", ops() == 1 && op(0,0,"del","name") &&
              announced("__keyevent@0__:expired\r\n$4\r\nname\r\n") && server.stat_expiredkeys == expired+1);
    forget();
    test_cond("after the deletion it gives 0", expireIfNeeded(db,key,0) == 0 && ops() == 0);
    test_cond("only the key of that database is deleted", there(5,far) && dbSize(db) == 2);
    test_cond("a key that is valid gives 0 and stays", expireIfNeeded(db,valid,0) == 0 && there(0,valid) &&
              getExpire(db,valid) == 4000000000000 && expireIfNeeded(db,valid,EXPIRE_FORCE_DELETE_EXPIRED) == 0 &&
              expireIfNeeded(db,valid,EXPIRE_AVOID_DELETE_EXPIRED) == 0 && there(0,valid));
    test_cond("a key without a time to live gives 0 and stays", expireIfNeeded(db,plain,0) == 0 && there(0,plain));
    test_cond("a key that is not there gives 0", expireIfNeeded(db,missing,0) == 0 && ops() == 0 && announced(""));
    int gone = deletedBy(EXPIRE_AVOID_DELETE_EXPIRED,&got);
    test_cond("a check alone deletes nothing", got == 1 && !gone && server.stat_expiredkeys == expired+1);
    gone = deletedBy(EXPIRE_FORCE_DELETE_EXPIRED,&got);
    int forced = got == 1 && gone == 1;

    server.masterhost = sdsnew("127.0.0.1");
    gone = deletedBy(0,&got);
    test_cond("a replica gives 1 and deletes nothing", got == 1 && !gone);
    gone = deletedBy(EXPIRE_FORCE_DELETE_EXPIRED,&got);
    test_cond("a replica deletes if it is forced", forced && got == 1 && gone == 1);
    gone = deletedBy(EXPIRE_FORCE_DELETE_EXPIRED|EXPIRE_AVOID_DELETE_EXPIRED,&got);
    test_cond("a check alone wins over force", got == 1 && !gone);
    client *master = fakeClient(), *user_ = fakeClient();
    master->flags |= CLIENT_MASTER;
    server.current_client = master;
    gone = deletedBy(0,&got);
    test_cond("for what the master sends no key is expired", got == 0 && !gone);
    gone = deletedBy(EXPIRE_FORCE_DELETE_EXPIRED,&got);
    test_cond("not even by force", got == 0 && !gone);
    server.current_client = user_;
    gone = deletedBy(0,&got);
    int seen = got == 1 && !gone;
    gone = deletedBy(EXPIRE_FORCE_DELETE_EXPIRED,&got);
    test_cond("other clients of a replica see the key expired", seen && got == 1 && gone == 1);
    sdsfree(server.masterhost);
    server.masterhost = NULL;
    server.current_client = NULL;

    pauseActions(PAUSE_BY_CLIENT_COMMAND,LLONG_MAX,PAUSE_ACTION_EXPIRE);
    gone = deletedBy(0,&got);
    test_cond("while expiration is paused it gives 1 and deletes nothing", got == 1 && !gone);
    unpauseActions(PAUSE_BY_CLIENT_COMMAND);
    gone = deletedBy(0,&got);
    test_cond("after the pause it deletes", got == 1 && gone == 1);
    server.lazy_expire_disabled = 1;
    gone = deletedBy(0,&got);
    int off = got == 0 && !gone;
    gone = deletedBy(EXPIRE_AVOID_DELETE_EXPIRED,&got);
    test_cond("while lazy expiration is disabled it gives 0 and deletes nothing", off && got == 0 && !gone);
    server.lazy_expire_disabled = 0;
    server.loading = 1;
    gone = deletedBy(0,&got);
    test_cond("while loading it gives 0 and deletes nothing", got == 0 && !gone);
    server.loading = 0;
    past("past");
    robj onStack;
    sds name = sdsnew("past");
    initStaticStringObject(onStack,name);
    forget();
    got = expireIfNeeded(db,&onStack,0);
    robj *p = str("past");
    test_cond("a name on the stack will do", got == 1 && !there(0,p) && op(0,0,"del","past") && ops() == 1);
    forget();
    test_cond("the name that was passed stays", onStack.refcount == OBJ_STATIC_REFCOUNT && onStack.ptr == name &&
              !strcmp(name,"past") && key->refcount == 1);
    server.notify_keyspace_events = 0;
    size_t before = 0;
    for (int j = 0; j < 40; j++) {
        decrRefCount(past("past"));
        expireIfNeeded(db,j%2 ? &onStack : p,0);
        forget();
        if (j == 4) before = zmalloc_used_memory();
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before && p->refcount == 1);
    test_report();
    return 0;
}
