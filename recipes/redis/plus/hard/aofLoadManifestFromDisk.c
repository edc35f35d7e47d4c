/*---
 * tasks: [processAnnotations-e13fa1.16]
 * tests:
 *   without the folder the manifest is empty: 'Comment: "If the AOF directory or manifest file do not exist, this will be ignored".'
 *   without the file the manifest is empty: 'Comment: "If the AOF directory or manifest file do not exist, this will be ignored".'
 *   the manifest is loaded into the server: 'Comment at aofLoadManifestFromDisk: server.aof_manifest.'
 *   it is the file of the configured names: 'redis.conf: appenddirname, appendfilename; .manifest.'
 *   a faulty manifest ends the process: 'Comment: "will abort the entire Redis server process on error".'
 *   an empty file ends the process: 'Comment: "invalid format"; aofLoadManifestFromFile.'
 *   the file stays as it was: 'Comment: it loads.'
 *   nothing is left behind: 'Names and paths are freed, and the manifest that was made first.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

static char dir[] = "/tmp/plus.XXXXXX", path[200], sub[100];

static void write_(const char *text) {
    FILE *f = fopen(path,"w");
    fputs(text,f);
    fclose(f);
}

static int ends(const char *text) {
    write_(text);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        aofLoadManifestFromDisk();
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static int empty(void) {
    aofManifest *am = server.aof_manifest;
    return am && !am->base_aof_info && !listLength(am->incr_aof_list) && !listLength(am->history_aof_list);
}

int main(void) {
    startRedis();
    if (!mkdtemp(dir)) return 1;
    snprintf(sub,sizeof(sub),"%s/aofs",dir);
    server.aof_dirname = sub;
    server.aof_filename = "data.aof";
    snprintf(path,sizeof(path),"%s/data.aof.manifest",sub);
    server.aof_manifest = NULL;
    aofLoadManifestFromDisk();
    test_cond("without the folder the manifest is empty", empty());
    mkdir(sub,0700);
    server.aof_manifest = NULL;
    aofLoadManifestFromDisk();
    test_cond("without the file the manifest is empty", empty());
    const char *text = "file data.aof.2.base.rdb seq 2 type b\nfile data.aof.5.incr.aof seq 5 type i\n";
    write_(text);
    server.aof_manifest = NULL;
    aofLoadManifestFromDisk();
    aofManifest *am = server.aof_manifest;
    test_cond("the manifest is loaded into the server", am && am->base_aof_info && am->base_aof_info->file_seq == 2 &&
              listLength(am->incr_aof_list) == 1 && am->curr_incr_file_seq == 5);
    server.aof_filename = "other.aof";
    aofLoadManifestFromDisk();
    int other = empty();
    server.aof_filename = "data.aof";
    aofLoadManifestFromDisk();
    test_cond("it is the file of the configured names", other && !empty());
    char got[500] = "";
    FILE *f = fopen(path,"r");
    got[fread(got,1,sizeof(got)-1,f)] = '\0';
    fclose(f);
    test_cond("the file stays as it was", !strcmp(got,text));
    test_cond("a faulty manifest ends the process", ends("nonsense\n") && ends("file f seq 1 type x\n"));
    test_cond("an empty file ends the process", ends(""));
    write_(text);
    aofManifestFree(server.aof_manifest);
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 40; j++) {
        server.aof_filename = j%2 ? "data.aof" : "other.aof";
        aofLoadManifestFromDisk();
        aofManifestFree(server.aof_manifest);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    unlink(path), rmdir(sub), rmdir(dir);
    test_report();
    return 0;
}
