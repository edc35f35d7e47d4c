/* Shared by the tests that save an RDB: its contents in words, a writer that fails, keys to save. */
#ifndef PLUS_RDBSTORY_H
#define PLUS_RDBSTORY_H
#include "start.h"
#include "../functions.h"
#include "../testhelp.h"

static inline robj *str(const char *s) {
    return createStringObject(s,strlen(s));
}

static inline void put(int db, const char *name, const char *value, long long expire) {
    robj *key = str(name);
    dbAdd(&server.db[db],key,str(value));
    if (expire != -1) setExpire(NULL,&server.db[db],key,expire);
    decrRefCount(key);
}

/* What was saved, one opcode or key a line; the number of bytes at its end that are no opcode. */
static inline sds story(sds saved, size_t *rest) {
    rio r;
    sds out = sdsempty();
    rioInitWithBuffer(&r,saved);
    while (r.io.buffer.pos < (off_t)sdslen(saved)) {
        int type = rdbLoadType(&r), error;
        if (type == RDB_OPCODE_SELECTDB) out = sdscatprintf(out,"db %d\n",(int)rdbLoadLen(&r,NULL));
        else if (type == RDB_OPCODE_RESIZEDB) {
            int keys = rdbLoadLen(&r,NULL), expires = rdbLoadLen(&r,NULL);
            out = sdscatprintf(out,"size %d %d\n",keys,expires);
        } else if (type == RDB_OPCODE_SLOT_INFO) {
            int slot = rdbLoadLen(&r,NULL), keys = rdbLoadLen(&r,NULL), expires = rdbLoadLen(&r,NULL);
            out = sdscatprintf(out,"slot %d %d %d\n",slot,keys,expires);
        } else if (type == RDB_OPCODE_EXPIRETIME_MS)
            out = sdscatprintf(out,"expire %lld\n",rdbLoadMillisecondTime(&r,RDB_VERSION));
        else if (type == RDB_OPCODE_AUX) {
            robj *k = rdbLoadStringObject(&r), *v = rdbLoadStringObject(&r);
            if (!k || !v) break;
            k = getDecodedObject(k), v = getDecodedObject(v);
            out = sdscatprintf(out,"aux %s %s\n",(char*)k->ptr,(char*)v->ptr);
        } else if (type == RDB_OPCODE_FUNCTION2) {
            robj *code = rdbLoadStringObject(&r);
            if (!code) break;
            out = sdscatprintf(out,"function %s\n",(char*)code->ptr);
        } else if (type == RDB_OPCODE_EOF) {
            out = sdscat(out,"end\n");
            break;
        } else if (type == -1 || type >= RDB_OPCODE_SLOT_INFO) {
            out = sdscatprintf(out,"opcode %d\n",type);
            break;
        } else {
            robj *k = rdbLoadStringObject(&r), *v = k ? rdbLoadObject(type,&r,k->ptr,0,&error) : NULL;
            if (!v) break;
            k = getDecodedObject(k);
            if (v->type == OBJ_STRING) {
                v = getDecodedObject(v);
                out = sdscatprintf(out,"key %s %s\n",(char*)k->ptr,(char*)v->ptr);
            } else out = sdscatprintf(out,"key %s type %d\n",(char*)k->ptr,v->type);
        }
    }
    *rest = sdslen(saved)-r.io.buffer.pos;
    return out;
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

/* A rio that has room for so many bytes and then fails, with errno ENOSPC. */
static inline rio full(size_t bytes) {
    rio r;
    rioInitWithBuffer(&r,sdsempty());
    r.write = limited;
    room = bytes;
    return r;
}

static inline int addFunction(const char *lib) {
    sds err = NULL, code = sdscatprintf(sdsempty(),"#!lua name=%s\nredis.register_function('f_%s',function() return 1 end)",lib,lib);
    sds name = functionsCreateWithLibraryCtx(code,0,&err,functionsLibCtxGetCurrent(),0);
    sdsfree(code);
    return name != NULL;
}

/* How often a line that begins so is in the story. */
static inline int lines(const char *s, const char *begin) {
    int n = 0;
    for (const char *p = s; p && *p; p = strchr(p,'\n')+1) n += !strncmp(p,begin,strlen(begin));
    return n;
}
#endif
