/* Shared by the tests: the core of a server inside the test's own process, without ports, files and configuration. */
#ifndef PLUS_START_H
#define PLUS_START_H
#include "../server.h"

void initServerConfig(void);
void initServer(void);

/* As main() of server.c does it, up to the point where it would listen. */
static inline void startRedis(void) {
    crc64_init();
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    connTypeInitialize();
    server.verbosity = LL_WARNING;
    zfree(server.logfile);
    server.logfile = zstrdup("/dev/null");
    initServer();
}

/* A client without a connection, whose replies stay in its buffers as those of a script's client do. */
static inline client *fakeClient(void) {
    client *c = createClient(NULL);
    c->flags |= CLIENT_SCRIPT;
    return c;
}

/* One that is pushed messages as well: for that the server wants a connection, which here leads nowhere. */
static inline client *subscriberClient(void) {
    client *c = fakeClient();
    c->conn = connCreate(connectionByType(CONN_TYPE_SOCKET));
    c->flags |= CLIENT_PUSHING;
    return c;
}

/* What was replied since the last call. */
static inline sds replyOf(client *c) {
    sds s = sdsnewlen(c->buf,c->bufpos);
    listIter li;
    listNode *ln;
    listRewind(c->reply,&li);
    while ((ln = listNext(&li)) != NULL) {
        clientReplyBlock *block = listNodeValue(ln);
        if (block) s = sdscatlen(s,block->buf,block->used);
    }
    c->bufpos = 0;
    listEmpty(c->reply);
    c->reply_bytes = 0;
    return s;
}

/* Whether exactly that was replied since the last call. */
static inline int replied(client *c, const char *text) {
    sds s = replyOf(c);
    int same = sdslen(s) == strlen(text) && memcmp(s,text,sdslen(s)) == 0;
    sdsfree(s);
    return same;
}

/* Lets the client send a command of so many words. */
static inline void setArguments(client *c, int argc, const char **words) {
    freeClientArgv(c);
    c->argv = zmalloc(sizeof(robj*)*argc);
    c->argv_len = c->argc = argc;
    for (int j = 0; j < argc; j++) c->argv[j] = createStringObject(words[j],strlen(words[j]));
    c->cmd = c->realcmd = c->lastcmd = lookupCommand(c->argv,c->argc);
}
#endif
