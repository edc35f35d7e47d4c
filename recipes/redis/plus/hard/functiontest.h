/* Shared by tests of functions.c, whose source they hold: libraries whose functions say which they are. */
#ifndef PLUS_FUNCTIONTEST_H
#define PLUS_FUNCTIONTEST_H
#include "../functions.c"
#include "../bio.h"
#include "commandtest.h"

/* The code of a library that has these functions, named with spaces between; each gives what `value` says. */
static sds codeOf(const char *library, const char *functions, const char *value) {
    sds code = sdscatprintf(sdsempty(),"#!lua name=%s\n",library);
    int n;
    sds *w = sdssplitargs(functions,&n);
    for (int j = 0; j < n; j++)
        code = sdscatprintf(code,"redis.register_function('%s', function() return '%s' end)\n",w[j],value);
    sdsfreesplitres(w,n);
    return code;
}

/* Loads it; 1 if that went well. */
static int load(functionsLibCtx *ctx, const char *library, const char *functions, const char *value) {
    sds err = NULL, code = codeOf(library,functions,value), name = functionsCreateWithLibraryCtx(code,0,&err,ctx,0);
    if (err) printf("# %s\n",err);
    sdsfree(err);
    sdsfree(code);
    int loaded = name != NULL;
    sdsfree(name);
    return loaded;
}

static int compareWords(const void *a, const void *b) {
    return strcmp(*(char* const*)a,*(char* const*)b);
}

/* All of a context as a text, sorted: "library:function=value" for each function; the numbers of its statistics behind. */
static char held[16384];
static const char *contents(functionsLibCtx *ctx) {
    char *words[1000];
    int n = 0, libraries = 0;
    dictIterator *li = dictGetIterator(ctx->libraries);
    dictEntry *le, *fe;
    while ((le = dictNext(li)) != NULL) {
        functionLibInfo *info = dictGetVal(le);
        libraries++;
        dictIterator *fi = dictGetIterator(info->functions);
        while ((fe = dictNext(fi)) != NULL && n < 1000) {
            functionInfo *f = dictGetVal(fe);
            const char *value = strstr(info->code,"return '");
            char one[200];
            snprintf(one,sizeof(one),"%s:%s=%.1s",info->name,f->name,value ? value+8 : "?");
            if (dictFetchValue(ctx->functions,f->name) != f || f->li != info) strcat(one,"!");
            words[n++] = strdup(one);
        }
        dictReleaseIterator(fi);
    }
    dictReleaseIterator(li);
    qsort(words,n,sizeof(char*),compareWords);
    held[0] = '\0';
    for (int j = 0; j < n; j++) {
        if (strlen(held) < sizeof(held)-300) sprintf(held+strlen(held),"%s ",words[j]);
        free(words[j]);
    }
    functionsLibEngineStats *stats = NULL;
    dictIterator *si = dictGetIterator(ctx->engines_stats);
    while ((le = dictNext(si)) != NULL) stats = dictGetVal(le);
    dictReleaseIterator(si);
    if (dictSize(ctx->functions) != (unsigned long)n || !stats || stats->n_functions != (size_t)n ||
        stats->n_lib != (size_t)libraries || dictSize(ctx->libraries) != (unsigned long)libraries)
        sprintf(held+strlen(held),"!counts");
    return held;
}

static int holds(functionsLibCtx *ctx, const char *want) {
    int same = !strcmp(contents(ctx),want);
    if (!same) printf("# %s\n",held);
    return same;
}

/* The lazy frees' thread waits here until it may go on. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void waitAtGate(void *args[]) {
    UNUSED(args);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

/* Holds up the background's frees, or lets them go on and waits until they are done. */
static void holdBackground(int hold) {
    if (hold) {
        pthread_mutex_lock(&gate);
        bioCreateLazyFreeJob(waitAtGate,1,NULL);
    } else {
        pthread_mutex_unlock(&gate);
        bioDrainWorker(BIO_LAZY_FREE);
    }
}

/* So many functions, in libraries of ten. */
static void loadMany(functionsLibCtx *ctx, int n) {
    for (int j = 0; j < n; j += 10) {
        char library[20], functions[200] = "";
        sprintf(library,"lib%d",j);
        for (int k = 0; k < 10; k++) sprintf(functions+strlen(functions),"f%d ",j+k);
        load(ctx,library,functions,"m");
    }
}

static const char *fcall(const char *function) {
    return run("fcall",function,"0");
}

static void startFunctions(void) {
    startCommands();
    bioInit();
    watcher = NULL;
    signal(SIGALRM,SIG_DFL);
    alarm(30);
}
#endif
