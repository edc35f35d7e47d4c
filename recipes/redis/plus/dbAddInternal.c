/*---
 * tasks: [8A27BFF462650406]
 * tests:
 *   the key is added with its value: 'Docstring: "Add the key to the DB".'
 *   the reference to the value is the caller's: 'Docstring: "up to the caller to increment the reference counter".'
 *   the database keeps a name of its own: 'Callers pass c->argv[1], which is freed after the command.'
 *   the key is added to the given database alone: 'Argument db.'
 *   a new key is announced: 'notify.c: notifyKeyspaceEvent; redis.conf: n, "New key events".'
 *   the event names the key and its database: 'notify.c: "__keyevent@<db>__:<event> <key>".'
 *   a client that waits for the key is served: 'blocked.c: signalKeyAsReady; commands/blpop.'
 *   a client that waits for a key of another type is not signalled: 'blocked.c: signalKeyAsReady takes the type.'
 *   a new key counts as just used: 'redis.conf: maxmemory-policy allkeys-lru; OBJECT IDLETIME.'
 *   under LFU a new key begins with the initial count: 'redis.conf: "The counter initial value is 5".'
 *   a key that exists stops the process if it may not be updated:
 *     'Docstring: "the program is aborted if the key exists".'
 *   a key that exists is updated if it may be: 'Docstring: "it can fall back to dbOverwrite".'
 *   the old value is freed by an update: 'dbSetValue: it drops the reference to the old value.'
 *   an update counts as a replacement of the key:
 *     'dbSetValue: "complete replacement"; commands/xreadgroup: unblocked.'
 *   an update is not announced as a new key: 'redis.conf: n, "New key events".'
 *   an update leaves the time to live to the caller:
 *     'dbSetValue: "does not modify the expire time of the existing key".'
 *   a key that is new is added as well if it may be updated: 'Docstring: "otherwise"; setKey: SETKEY_ADD_OR_UPDATE.'
 *   the number of keys is right: 'Docstring: "Add the key to the DB"; DBSIZE.'
 *   keys of any bytes are added: 'Docstring: key; names are Redis strings.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/wait.h>

static client *listener;

static robj *string(const char *s) {
    return createStringObject(s,strlen(s));
}

static robj *get(int db, const char *name) {
    robj *key = string(name);
    dictEntry *de = dbFind(&server.db[db],key->ptr);
    decrRefCount(key);
    return de ? dictGetVal(de) : NULL;
}

static robj *add(int db, const char *name, robj *val) {
    robj *key = string(name);
    dbAdd(&server.db[db],key,val);
    decrRefCount(key);
    return val;
}

/* What the listener has been told since. */
static sds events(void) {
    return replyOf(listener);
}

static int ready(const char *name) {
    listIter li;
    listNode *ln;
    int found = 0;
    listRewind(server.ready_keys,&li);
    while ((ln = listNext(&li)) != NULL) {
        readyList *rl = listNodeValue(ln);
        if (!strcmp(rl->key->ptr,name)) found++;
    }
    return found;
}

static void blockOn(const char *command, const char *key) {
    client *c = fakeClient();
    const char *words[] = {command,key,"0"};
    setArguments(c,3,words);
    c->cmd->proc(c);
}

int main(void) {
    startRedis();
    listener = subscriberClient();
    const char *words[] = {"psubscribe","__key*__:*"};
    setArguments(listener,2,words);
    psubscribeCommand(listener);
    sdsfree(events());

    robj *value = string("v"), *key = string("name");
    value->lru = 0;
    dbAdd(&server.db[0],key,value);
    test_cond("the key is added with its value", get(0,"name") == value);
    test_cond("the reference to the value is the caller's", value->refcount == 1);
    ((char*)key->ptr)[0] = 'x';
    test_cond("the database keeps a name of its own", get(0,"name") == value && !get(0,"xame") && key->refcount == 1);
    decrRefCount(key);
    test_cond("a new key counts as just used", estimateObjectIdleTime(value) < 60000);
    add(9,"far",string("w"));
    test_cond("the key is added to the given database alone", get(9,"far") && !get(0,"far") && !get(9,"name"));
    sds s = events();
    int silent = sdslen(s) == 0;
    sdsfree(s);

    server.notify_keyspace_events = NOTIFY_NEW|NOTIFY_KEYEVENT|NOTIFY_KEYSPACE;
    add(0,"news",string("1"));
    s = events();
    int told = strstr(s,"__keyevent@0__:new\r\n$4\r\nnews\r\n") != NULL;
    test_cond("a new key is announced", silent && told);
    sdsfree(s);
    add(7,"seven",string("1"));
    s = events();
    test_cond("the event names the key and its database", strstr(s,"__keyevent@7__:new\r\n$5\r\nseven\r\n") &&
              strstr(s,"__keyspace@7__:seven\r\n$3\r\nnew\r\n") && !strstr(s,"@0__"));
    sdsfree(s);

    blockOn("blpop","queue");
    blockOn("blpop","set");
    add(0,"set",createZsetListpackObject());
    int wrong = ready("set");
    add(0,"queue",createListListpackObject());
    test_cond("a client that waits for the key is served", ready("queue") == 1);
    test_cond("a client that waits for a key of another type is not signalled", wrong == 0);

    int policy = server.maxmemory_policy;
    server.maxmemory_policy = MAXMEMORY_ALLKEYS_LFU;
    robj *counted = string("c");
    counted->lru = 0;
    add(0,"counted",counted);
    test_cond("under LFU a new key begins with the initial count", LFUDecrAndReturn(counted) == 5);
    server.maxmemory_policy = policy;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        freopen("/dev/null","w",stderr);
        struct rlimit none = {0,0};
        setrlimit(RLIMIT_CORE,&none);
        alarm(20);
        signal(SIGABRT,SIG_DFL);
        signal(SIGSEGV,SIG_DFL);
        add(0,"name",string("other"));
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    test_cond("a key that exists stops the process if it may not be updated",
              WIFSIGNALED(status) || WEXITSTATUS(status));

    sdsfree(events());
    robj *old = get(0,"news"), *newer = string("2");
    incrRefCount(old);
    key = string("news");
    setExpire(NULL,&server.db[0],key,mstime()+1000000);
    setKey(NULL,&server.db[0],key,newer,SETKEY_ADD_OR_UPDATE|SETKEY_KEEPTTL);
    test_cond("a key that exists is updated if it may be", get(0,"news") == newer && newer->refcount == 2);
    test_cond("the old value is freed by an update", old->refcount == 1);
    test_cond("an update leaves the time to live to the caller", getExpire(&server.db[0],key) != -1);
    s = events();
    test_cond("an update is not announced as a new key", !strstr(s,":new\r\n"));
    sdsfree(s);
    decrRefCount(key);
    key = string("added");
    robj *added = string("a");
    setKey(NULL,&server.db[0],key,added,SETKEY_ADD_OR_UPDATE);
    s = events();
    test_cond("a key that is new is added as well if it may be updated", get(0,"added") == added &&
              added->refcount == 2 && strstr(s,"__keyevent@0__:new\r\n$5\r\nadded\r\n"));
    sdsfree(s);
    test_cond("the number of keys is right", dbSize(&server.db[0]) == 6 && dbSize(&server.db[9]) == 1);
    const char *group[] = {"xgroup","create","stream","g","$","mkstream"};
    const char *read[] = {"xreadgroup","group","g","me","block","0","streams","stream",">"};
    client *reader = fakeClient();
    setArguments(reader,6,group);
    reader->cmd->proc(reader);
    setArguments(reader,9,read);
    reader->cmd->proc(reader);
    decrRefCount(key);
    key = string("stream");
    int before = ready("stream");
    setKey(NULL,&server.db[0],key,string("s"),SETKEY_ADD_OR_UPDATE);
    test_cond("an update counts as a replacement of the key", (reader->flags & CLIENT_BLOCKED) && before == 0 &&
              ready("stream") == 1);

    robj *binary = createStringObject("a\0b",3), *prefix = createStringObject("a",1), *val = string("x");
    dbAdd(&server.db[3],binary,val);
    test_cond("keys of any bytes are added", dbFind(&server.db[3],binary->ptr) && !dbFind(&server.db[3],prefix->ptr));
    test_report();
    return 0;
}
