/* Shared by the tests of the AOF rewrite: a writer that fails, commands from what was written, their replay. */
#ifndef PLUS_AOFREPLAY_H
#define PLUS_AOFREPLAY_H
#include "start.h"
#include "../testhelp.h"

static inline robj *str(const char *s) {
    return createStringObject(s,strlen(s));
}

static size_t room;

static inline size_t limited(rio *r, const void *buf, size_t len) {
    UNUSED(r);
    UNUSED(buf);
    if (len > room) {
        errno = ENOSPC;
        return 0;
    }
    room -= len;
    return 1;
}

static client *player;
static int commands, mostWords, badReplies;

/* Runs the commands in database 9; 0 if they are no commands to the last byte. */
static inline int replay(sds s) {
    char *p = s, *end = s+sdslen(s);
    if (!player) {
        player = fakeClient();
        selectDb(player,9);
    }
    commands = mostWords = badReplies = 0;
    while (p < end) {
        if (*p != '*') return 0;
        int argc = strtol(p+1,&p,10);
        if (argc < 1 || memcmp(p,"\r\n",2)) return 0;
        p += 2;
        freeClientArgv(player);
        player->argv = zmalloc(sizeof(robj*)*argc);
        player->argv_len = argc;
        player->argc = 0;
        for (int j = 0; j < argc; j++) {
            if (p >= end || *p != '$') return 0;
            long len = strtol(p+1,&p,10);
            p += 2;
            if (len < 0 || p+len+2 > end || memcmp(p+len,"\r\n",2)) return 0;
            player->argv[player->argc++] = createStringObject(p,len);
            p += len+2;
        }
        player->cmd = player->realcmd = player->lastcmd = lookupCommand(player->argv,player->argc);
        if (!player->cmd) return 0;
        commands++;
        if (argc > mostWords) mostWords = argc;
        player->cmd->proc(player);
        sds reply = replyOf(player);
        if (reply[0] == '-') badReplies++;
        sdsfree(reply);
    }
    return 1;
}

typedef int rewriter(rio *r, robj *key, robj *o);

static int returned;

/* The value that the commands which were written build up under that key in database 9, NULL if they don't. */
static inline robj *rebuilt(rewriter *f, robj *key, robj *o) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    emptyDbStructure(server.db,9,0,NULL);
    returned = f(&r,key,o);
    int ok = replay(r.io.buffer.ptr) && !badReplies;
    sdsfree(r.io.buffer.ptr);
    robj *name = getDecodedObject(key);
    dictEntry *de = dbFind(&server.db[9],name->ptr);
    decrRefCount(name);
    return ok && de && dbSize(&server.db[9]) == 1 ? dictGetVal(de) : NULL;
}

/* Whether 0 is returned wherever the writing ends, and not when there is room for all. */
static inline int failsEverywhere(rewriter *f, robj *key, robj *o) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    f(&r,key,o);
    size_t all = sdslen(r.io.buffer.ptr);
    sdsfree(r.io.buffer.ptr);
    for (size_t j = 0; j <= all; j++) {
        rioInitWithBuffer(&r,sdsempty());
        r.write = limited;
        room = j;
        int got = f(&r,key,o);
        sdsfree(r.io.buffer.ptr);
        if (j < all ? got != 0 : got != 1) return 0;
    }
    return 1;
}
#endif
