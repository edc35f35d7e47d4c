/* Shared by tests of commands: runs them without the event loop, and tells what they changed and announced. */
#ifndef PLUS_COMMANDTEST_H
#define PLUS_COMMANDTEST_H
#include "start.h"
#include "../testhelp.h"

static client *c, *listener, *watcher;
static char lastReply[65536], lastEvents[16384];
static long long dirtyBefore;
static int watched;

/* Runs a command, in the client's database, as processCommand would without its checks; gives its reply. */
static const char *runWords(int argc, const char **words) {
    dirtyBefore = server.dirty;
    sdsfree(replyOf(c));
    if (listener) sdsfree(replyOf(listener));
    if (watcher && argc > 1) {
        unwatchAllKeys(watcher);
        watcher->flags &= ~CLIENT_DIRTY_CAS;
        selectDb(watcher,c->db->id);
        setArguments(watcher,2,(const char*[]){"watch",words[1]});
        watchCommand(watcher);
        sdsfree(replyOf(watcher));
    }
    setArguments(c,argc,words);
    c->cmd->proc(c);
    sds s = replyOf(c);
    memset(lastReply,0,sizeof(lastReply));
    memcpy(lastReply,s,sdslen(s) < sizeof(lastReply) ? sdslen(s) : sizeof(lastReply)-1);
    sdsfree(s);
    lastEvents[0] = '\0';
    if (listener) {
        s = replyOf(listener);
        snprintf(lastEvents,sizeof(lastEvents),"%s",s);
        sdsfree(s);
    }
    watched = watcher && (watcher->flags & CLIENT_DIRTY_CAS) != 0;
    return lastReply;
}
#define run(...) runWords(sizeof((const char*[]){__VA_ARGS__})/sizeof(char*),(const char*[]){__VA_ARGS__})
/* Whether the command's reply is just this. */
#define gives(reply,...) (!strcmp(run(__VA_ARGS__),reply))

/* Whether what would be propagated of the last command is these words, the first in any case. */
static int rewritten(const char *words) {
    sds s = sdsempty();
    for (int j = 0; j < c->argc; j++) {
        robj *o = getDecodedObject(c->argv[j]);
        s = sdscatfmt(s,j ? " %S" : "%S",(sds)o->ptr);
        decrRefCount(o);
    }
    int same = !strcasecmp(s,words);
    sdsfree(s);
    return same;
}

/* Whether the last command announced this event, for the key, as the only one. */
static int announced(const char *event, const char *key) {
    char one[256], all[256];
    const char *p = lastEvents;
    int n = 0;
    while ((p = strstr(p,"__keyevent@")) != NULL) p++, n++;
    snprintf(one,sizeof(one),"__keyevent@%d__:%s\r\n$%zu\r\n%s\r\n",c->db->id,event,strlen(key),key);
    snprintf(all,sizeof(all),"__keyspace@%d__:%s\r\n$%zu\r\n%s\r\n",c->db->id,key,strlen(event),event);
    return n == 1 && strstr(lastEvents,one) && strstr(lastEvents,all);
}

/* Nothing was changed, announced or rewritten by the last command of so many words. */
static int untouched(int argc) {
    return server.dirty == dirtyBefore && !watched && !lastEvents[0] && c->argc == argc && c->cmd == c->realcmd;
}

static dictEntry *entryOf(const char *key) {
    sds s = sdsnew(key);
    dictEntry *de = dbFind(c->db,s);
    sdsfree(s);
    return de;
}

/* The key's time to die, -1 without one. */
static long long expiryOf(const char *key) {
    robj *o = createStringObject(key,strlen(key));
    long long when = getExpire(c->db,o);
    decrRefCount(o);
    return when;
}

/* A string, in the client's database, with a time to die if that isn't -1. */
static void put(const char *key, const char *value, long long when) {
    robj *k = createStringObject(key,strlen(key)), *v = createStringObject(value,strlen(value));
    setKey(NULL,c->db,k,v,0);
    if (when != -1) setExpire(NULL,c->db,k,when);
    decrRefCount(k);
    decrRefCount(v);
}

static void startCommands(void) {
    startRedis();
    c = fakeClient();
    watcher = fakeClient();
    listener = subscriberClient();
    setArguments(listener,2,(const char*[]){"psubscribe","__key*__:*"});
    psubscribeCommand(listener);
    sdsfree(replyOf(listener));
    server.notify_keyspace_events = NOTIFY_ALL|NOTIFY_KEYEVENT|NOTIFY_KEYSPACE;
}
#endif
