/* Shared by the tests that write files: a temporary folder, its files, and a limit to their size. */
#ifndef PLUS_DISKFILES_H
#define PLUS_DISKFILES_H
#include "start.h"
#include "../rdb.h"
#include "../testhelp.h"
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <dirent.h>
#include <fcntl.h>

static char folder[] = "/tmp/plus.XXXXXX";

/* Makes the folder, and goes there. */
static inline void enterFolder(void) {
    serverAssert(mkdtemp(folder) && chdir(folder) == 0);
    signal(SIGXFSZ,SIG_IGN);
}

/* Removes the folder with the files in it, and leaves it. */
static inline void leaveFolder(void) {
    DIR *d = opendir(folder);
    struct dirent *e;
    if (chdir(folder)) return;
    while (d && (e = readdir(d))) if (e->d_name[0] != '.') unlink(e->d_name);
    if (d) closedir(d);
    if (chdir("/") == 0) rmdir(folder);
}

/* How many files are in the folder. */
static inline int filesInFolder(void) {
    DIR *d = opendir(folder);
    struct dirent *e;
    int n = 0;
    while ((e = readdir(d))) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static inline int openedFiles(void) {
    int n = 0;
    for (int fd = 0; fd < 200; fd++) n += fcntl(fd,F_GETFD) != -1;
    return n;
}

static inline sds contentsOf(const char *name) {
    FILE *fp = fopen(name,"r");
    if (!fp) return sdsnew("none");
    static char buf[1 << 20];
    size_t n = fread(buf,1,sizeof(buf),fp);
    fclose(fp);
    return sdsnewlen(buf,n);
}

/* From now on files may have so many bytes; 0 for no limit. */
static inline void limitFiles(size_t bytes) {
    struct rlimit r;
    fflush(stdout);
    getrlimit(RLIMIT_FSIZE,&r);
    r.rlim_cur = bytes ? bytes : r.rlim_max;
    setrlimit(RLIMIT_FSIZE,&r);
}

static inline void putString(int db, const char *name, const char *value) {
    robj *key = createStringObject(name,strlen(name));
    dbAdd(&server.db[db],key,createStringObject(value,strlen(value)));
    decrRefCount(key);
}

static inline int hasBytes(sds s, const char *part) {
    size_t len = strlen(part);
    for (size_t j = 0; j+len <= sdslen(s); j++) if (!memcmp(s+j,part,len)) return 1;
    return 0;
}
#endif
