/* Shared by the tests of redis-cli's help: its source under other names, replies from text, help entries by name. */
#ifndef PLUS_CLIHELP_H
#define PLUS_CLIHELP_H
#define main cli_main
#define redisCommandTable cliCommandTable
#define bytesToHuman cliBytesToHuman
#include "../redis-cli.c"
#undef main
#include "../testhelp.h"
#include <sys/socket.h>

/* Lets what hiredis and its strings take count in zmalloc_used_memory. */
static inline void countAll(void) {
    hiredisAllocFuncs fns = {.mallocFn = zmalloc, .callocFn = zcalloc_num, .reallocFn = zrealloc, .strdupFn = zstrdup,
                             .freeFn = zfree};
    hiredisSetAllocators(&fns);
}

static int groupsFreed;

static inline void freeGroup(dict *d, void *key) {
    UNUSED(d);
    groupsFreed++;
    sdsfree(key);
}

static inline dict *groupSet(void) {
    static dictType type = {dictSdsHash, NULL, NULL, dictSdsKeyCompare, freeGroup, NULL, NULL};
    return dictCreate(&type);
}

static inline int hasGroup(dict *groups, const char *name) {
    sds key = sdsnew(name);
    int yes = dictFind(groups,key) != NULL;
    sdsfree(key);
    return yes;
}

/* RESP from a short text: 'word' is a bulk string, [..] an array, {..} a map of RESP3, <..> a set, (..) a status, =n a
 * number, -word; an error. */
static inline sds resp(const char *s) {
    sds out = sdsempty();
    for (; *s; s++) {
        if (*s == '\'') {
            const char *e = strchr(s+1,'\'');
            out = sdscatprintf(out,"$%d\r\n%.*s\r\n",(int)(e-s-1),(int)(e-s-1),s+1);
            s = e;
        } else if (*s == '(') {
            const char *e = strchr(s,')');
            out = sdscatprintf(out,"+%.*s\r\n",(int)(e-s-1),s+1);
            s = e;
        } else if (*s == '=') {
            out = sdscatprintf(out,":%ld\r\n",strtol(s+1,(char**)&s,10));
            s--;
        } else if (*s == '-') {
            const char *e = strchr(s,';');
            out = sdscatprintf(out,"-%.*s\r\n",(int)(e-s-1),s+1);
            s = e;
        } else if (strchr("[{<",*s)) {
            int depth = 0, n = 0, quoted = 0;
            for (const char *p = s; *p; p++) {
                if (*p == '\'') {
                    if (!quoted && depth == 1) n++;
                    quoted = !quoted;
                }
                if (quoted) continue;
                if (strchr("[{<",*p)) {
                    if (depth == 1) n++;
                    depth++;
                } else if (strchr("]}>",*p)) {
                    if (--depth == 0) break;
                } else if (depth == 1 && strchr("(=",*p)) n++;
            }
            out = sdscatprintf(out,"%c%d\r\n",*s == '[' ? '*' : *s == '{' ? '%' : '~',*s == '{' ? n/2 : n);
        }
    }
    return out;
}

static inline redisReply *reply(const char *text) {
    sds s = resp(text);
    redisReader *reader = redisReaderCreate();
    void *r = NULL;
    redisReaderFeed(reader,s,sdslen(s));
    redisReaderGetReply(reader,&r);
    redisReaderFree(reader);
    sdsfree(s);
    if (!r) exit(3);
    return r;
}

static inline int same(const char *a, const char *b) {
    return a && b ? !strcmp(a,b) : a == b;
}

/* The only help entry of that full name, or NULL. */
static inline helpEntry *entryIn(helpEntry *from, helpEntry *to, const char *full) {
    helpEntry *found = NULL;
    for (helpEntry *e = from; e < to; e++) if (same(e->full,full)) {
        if (found) return NULL;
        found = e;
    }
    return found;
}

static inline helpEntry *help(const char *full) {
    return entryIn(helpEntries,helpEntries+helpEntriesLen,full);
}
#endif
