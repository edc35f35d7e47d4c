/* Shared by the tests of rewriting an AOF: a stream that fails after so many bytes, and a client that runs what was
 * written. */
#ifndef PLUS_REWRITTEN_H
#define PLUS_REWRITTEN_H
#include "start.h"
#include "../testhelp.h"

static size_t rewritten_room;      /* How many bytes can be written. */
static sds rewritten;              /* What was written. */
static int rewritten_failures;     /* How many writes failed. */

static size_t rewrittenWrite(rio *r, const void *buf, size_t len) {
    (void)r;
    if (sdslen(rewritten)+len > rewritten_room) {
        rewritten_failures++;
        return 0;
    }
    rewritten = sdscatlen(rewritten,buf,len);
    return 1;
}

static inline rio *rioWithRoom(size_t room) {
    static rio r;
    rioInitWithBuffer(&r,NULL);
    r.write = rewrittenWrite;
    if (!rewritten) rewritten = sdsempty();
    sdsclear(rewritten);
    rewritten_room = room;
    rewritten_failures = 0;
    return &r;
}

static client *rewritten_client;
static sds rewritten_words;        /* The first words of the commands that ran, each with the number of words. */

/* Runs the commands. Returns their number, or -1 if that isn't what they are or one of them fails. */
static inline int runRewritten(sds commands) {
    int n = 0;
    char *p = commands, *end = commands+sdslen(commands);
    client *c = rewritten_client ? rewritten_client : (rewritten_client = fakeClient());
    sdsfree(rewritten_words);
    rewritten_words = sdsempty();
    selectDb(c,0);
    for (; p < end; n++) {
        while (p < end && *p == '#') p = strchr(p,'\n')+1;
        if (p >= end) break;
        if (*p != '*') return -1;
        int argc = strtol(p+1,&p,10);
        p += 2;
        if (argc < 1) return -1;
        freeClientArgv(c);
        c->argv = zmalloc(sizeof(robj*)*argc);
        c->argv_len = argc;
        c->argc = 0;
        while (c->argc < argc) {
            if (p >= end || *p != '$') return -1;
            long len = strtol(p+1,&p,10);
            p += 2;
            if (len < 0 || p+len+2 > end || p[len] != '\r' || p[len+1] != '\n') return -1;
            c->argv[c->argc++] = createStringObject(p,len);
            p += len+2;
        }
        rewritten_words = sdscatprintf(rewritten_words,"%s:%d ",(char*)c->argv[0]->ptr,argc);
        c->cmd = c->realcmd = c->lastcmd = lookupCommand(c->argv,c->argc);
        if (!c->cmd) return -1;
        c->cmd->proc(c);
        sds s = replyOf(c);
        int failed = s[0] == '-';
        if (failed) printf("%s: %s\n",(char*)c->argv[0]->ptr,s);
        sdsfree(s);
        if (failed) return -1;
    }
    return n;
}

/* Lets a client run a command, whose words are separated by blanks. */
static inline void runWords(int db, const char *command) {
    int n = 0;
    sds *words = sdssplitlen(command,strlen(command)," ",1,&n);
    client *c = fakeClient();
    selectDb(c,db);
    c->argv = zmalloc(sizeof(robj*)*n);
    c->argv_len = c->argc = n;
    for (int j = 0; j < n; j++) c->argv[j] = createStringObject(words[j],sdslen(words[j]));
    c->cmd = c->realcmd = c->lastcmd = lookupCommand(c->argv,c->argc);
    c->cmd->proc(c);
    sds s = replyOf(c);
    if (s[0] == '-') printf("%s: %s\n",command,s);
    sdsfree(s);
    sdsfreesplitres(words,n);
    freeClient(c);
}

static inline robj *valueOf(int db, const char *name) {
    sds key = sdsnew(name);
    dictEntry *de = dbFind(&server.db[db],key);
    sdsfree(key);
    return de ? dictGetVal(de) : NULL;
}
#endif
