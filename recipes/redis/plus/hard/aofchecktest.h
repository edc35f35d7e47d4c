/* Shared by tests of redis-check-aof.c, whose source they hold: files in a folder of their own, and calls that may end the process. */
#ifndef PLUS_AOFCHECKTEST_H
#define PLUS_AOFCHECKTEST_H
#include "../redis-check-aof.c"
#include "../testhelp.h"
#include <sys/wait.h>

static char folder[] = "/tmp/plus-aof-XXXXXX", path[64], output[8192];

/* The file, with these bytes, open as the program opens it. */
static FILE *fileOf(const char *bytes, size_t len) {
    FILE *fp = fopen(path,"w");
    fwrite(bytes,1,len,fp);
    fclose(fp);
    error[0] = '\0';
    epos = 0;
    line = 1;
    return fopen(path,"r+");
}
#define literal(s) fileOf(s,sizeof(s)-1)

/* Whether the file holds just these bytes now. */
static int holds(const char *bytes, size_t len) {
    char got[8192];
    FILE *fp = fopen(path,"r");
    size_t n = fread(got,1,sizeof(got),fp);
    fclose(fp);
    return n == len && !memcmp(got,bytes,len);
}
#define holdsLiteral(s) holds(s,sizeof(s)-1)

/* What a call gives in a process of its own: 100 and its result, or what it exited with. Its output stays in `output`. */
static int apart(int (*call)(void *), void *arg, const char *in) {
    int pipes[2];
    char name[80];
    snprintf(name,sizeof(name),"%s/out",folder);
    fflush(stdout);
    if (pipe(pipes)) return -1;
    if (write(pipes[1],in,strlen(in)) < 0) return -1;
    close(pipes[1]);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[0],0);
        if (!freopen(name,"w",stdout)) _exit(99);
        alarm(20);
        int result = call(arg);
        fflush(NULL);
        _exit(100+result);
    }
    close(pipes[0]);
    int status = 0;
    waitpid(child,&status,0);
    memset(output,0,sizeof(output));
    FILE *fp = fopen(name,"r");
    if (fp) {
        if (fread(output,1,sizeof(output)-1,fp) == 0) output[0] = '\0';
        fclose(fp);
        unlink(name);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void begin(void) {
    if (!mkdtemp(folder)) exit(1);
    snprintf(path,sizeof(path),"%s/appendonly.aof",folder);
}

static void finish(void) {
    unlink(path);
    rmdir(folder);
    test_report();
}
#endif
