/*---
 * tasks: [backgroundRewriteDoneHandler-3f86a9.4]
 * tests:
 *   the new base file stands in its place: 'Comment: "terminated its work. Handle this"; getNewBaseFileNameAndMarkPreAsHistory.'
 *   the manifest names the new base and the file that is written: 'aof.c, overview: BASE, INCR; markRewrittenIncrAofAsHistory.'
 *   the manifest on disk is the same: 'server.h: dirty; persistAofManifest.'
 *   the files of the history are deleted: 'aof.c, overview: "automatically removed unless garbage collection is disabled"; aofDelHistoryFiles.'
 *   without garbage collection they stay: 'aof.c, overview; server.h: aof_disable_auto_gc.'
 *   the status is OK and failures are forgotten: 'INFO aof_last_bgrewrite_status; server.h: stat_aofrw_consecutive_failures.'
 *   the sizes are taken anew: 'server.h: aof_current_size, aof_rewrite_base_size, "AOF size on latest startup or rewrite"; auto-aof-rewrite-percentage.'
 *   what waits to be written is kept: 'server.h: aof_buf, "written before entering the event loop"; AOF is ON.'
 *   with AOF off all INCR files go and no size is taken: 'aof.c: BGREWRITEAOF with AOF disabled; aof_fd is -1.'
 *   AOF that waited for the rewrite is on: 'startAppendOnly: AOF_WAIT_REWRITE until the first rewrite is done.'
 *   its temporary INCR file gets its name: 'openNewIncrAofForAppend: "it will eventually be renamed in the backgroundRewriteDoneHandler".'
 *   the fsynced offset becomes valid: 'server.h: fsynced_reploff; startAppendOnly takes the pending one.'
 *   a child that fails sets the status and counts: 'INFO aof_last_bgrewrite_status; aofRewriteLimited counts failures.'
 *   a child that was killed does too: 'The same.'
 *   SIGUSR1 is no failure: 'killAppendOnlyChild sends it; server.c, checkChildrenDone: "must make sure not to flag lastbgsave_status, etc incorrectly".'
 *   a failure removes the temporary file alone: 'aofRemoveTempFile(childpid).'
 *   a failure leaves manifest and files: 'aof.c, overview: "After an AOF rewrite was aborted/failed".'
 *   a failure while AOF waits drops what was gathered: 'aofDelTempIncrAofFile: "clean up temp INCR AOF when AOFRW fails"; the next rewrite writes all data.'
 *   a failure while AOF waits schedules another rewrite: 'server.h: aof_rewrite_scheduled; AOF has to become ON.'
 *   otherwise none is scheduled: 'server.h: aof_rewrite_scheduled, "Rewrite once BGSAVE terminates".'
 *   a base file that cannot be renamed is a failure: 'aofManifestDup: "Once everything is modified, we will atomically".'
 *   an INCR file that cannot be renamed is a failure: 'The same; the new base file is removed.'
 *   a manifest that cannot be written is a failure: 'The same; the new files are removed.'
 *   the time that it took is kept: 'INFO aof_last_rewrite_time_sec; server.h: aof_rewrite_time_last, aof_rewrite_time_start.'
 *   nothing is left behind: 'The server goes on; failures repeat.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include "../bio.h"
#include <sys/stat.h>

aofManifest *aofManifestCreate(void);
void aofLoadManifestFromDisk(void);

static char folder[] = "/tmp/plus-aof-XXXXXX";
#define PID 12345
#define TEMP "temp-rewriteaof-bg-12345.aof"
#define DIR "appendonlydir/"
#define OLD "file a.aof.1.base.rdb seq 1 type b\nfile a.aof.1.incr.aof seq 1 type i\nfile a.aof.2.incr.aof seq 2 type i\n"

static void put(const char *name, const char *text) {
    FILE *fp = fopen(name,"w");
    fputs(text,fp);
    fclose(fp);
}

/* Whether the file holds this text; or isn't there, for NULL. */
static int is(const char *name, const char *text) {
    char got[1000];
    FILE *fp = fopen(name,"r");
    if (!fp || !text) {
        if (fp) fclose(fp);
        return !fp && !text;
    }
    size_t n = fread(got,1,sizeof(got)-1,fp);
    fclose(fp);
    got[n] = '\0';
    return !strcmp(got,text);
}

/* A server in that state, whose child has written a new file. */
static void begin(int state) {
    if (system("rm -rf appendonlydir temp-*; mkdir appendonlydir")) exit(1);
    put(DIR "a.aof.1.base.rdb","base one");
    put(DIR "a.aof.1.incr.aof","incr one");
    put(DIR "a.aof.2.incr.aof","incr two");
    put(DIR "a.aof.manifest",OLD);
    put(DIR "temp-a.aof.incr","gathered");
    put("temp-rewriteaof-bg-777.aof","another");
    put(TEMP,"the new base");
    if (server.aof_manifest) aofManifestFree(server.aof_manifest);
    aofLoadManifestFromDisk();
    if (server.aof_fd > 0) close(server.aof_fd);
    server.aof_fd = state == AOF_OFF ? -1 :
                    open(state == AOF_ON ? DIR "a.aof.2.incr.aof" : DIR "temp-a.aof.incr",O_WRONLY|O_APPEND);
    server.aof_state = state;
    server.child_pid = PID;
    server.child_type = CHILD_TYPE_AOF;
    server.aof_last_incr_size = 7;
    server.aof_current_size = 3;
    server.aof_rewrite_base_size = 4;
    server.stat_aofrw_consecutive_failures = 2;
    server.aof_lastbgrewrite_status = C_ERR;
    server.aof_rewrite_scheduled = 0;
    server.aof_rewrite_time_start = time(NULL)-1000;
    server.aof_rewrite_time_last = -1;
    server.aof_disable_auto_gc = 0;
    server.aof_use_rdb_preamble = 1;
    server.fsynced_reploff = 0;
    server.fsynced_reploff_pending = 4242;
    sdsfree(server.aof_buf);
    server.aof_buf = sdsnew("waits");
}

/* As before the rewrite, in memory and on disk, with another failure counted. */
static int unchanged(int failures) {
    aofManifest *am = server.aof_manifest;
    return am->base_aof_info && !strcmp(am->base_aof_info->file_name,"a.aof.1.base.rdb") && am->curr_base_file_seq == 1 &&
           am->base_aof_info->file_type == AOF_FILE_TYPE_BASE && am->curr_incr_file_seq == 2 &&
           listLength(am->incr_aof_list) == 2 && listLength(am->history_aof_list) == 0 &&
           is(DIR "a.aof.manifest",OLD) && is(DIR "a.aof.1.base.rdb","base one") &&
           is(DIR "a.aof.1.incr.aof","incr one") && is(DIR "a.aof.2.incr.aof","incr two") &&
           is(DIR "a.aof.2.base.rdb",NULL) && is(DIR "a.aof.3.incr.aof",NULL) &&
           server.stat_aofrw_consecutive_failures == failures && server.aof_current_size == 3 &&
           server.aof_rewrite_base_size == 4;
}

static int timed(void) {
    return server.aof_rewrite_time_start == -1 && server.aof_rewrite_time_last >= 1000 &&
           server.aof_rewrite_time_last < 1100;
}

int main(void) {
    startRedis();
    bioInit();
    if (!mkdtemp(folder) || chdir(folder)) exit(1);
    server.aof_filename = zstrdup("a.aof");
    server.aof_dirname = zstrdup("appendonlydir");
    int took = 1, alone = 1, none = 1;

    begin(AOF_ON);
    backgroundRewriteDoneHandler(0,0);
    test_cond("the new base file stands in its place", is(DIR "a.aof.2.base.rdb","the new base") && is(TEMP,NULL));
    aofManifest *am = server.aof_manifest;
    test_cond("the manifest names the new base and the file that is written", am->base_aof_info &&
              !strcmp(am->base_aof_info->file_name,"a.aof.2.base.rdb") && am->base_aof_info->file_seq == 2 &&
              am->curr_base_file_seq == 2 && listLength(am->incr_aof_list) == 1 && am->curr_incr_file_seq == 2 &&
              ((aofInfo*)listNodeValue(listFirst(am->incr_aof_list)))->file_seq == 2 &&
              listLength(am->history_aof_list) == 0);
    test_cond("the manifest on disk is the same", am->dirty == 0 && is(DIR "a.aof.manifest",
              "file a.aof.2.base.rdb seq 2 type b\nfile a.aof.2.incr.aof seq 2 type i\n"));
    test_cond("the files of the history are deleted", is(DIR "a.aof.1.base.rdb",NULL) && is(DIR "a.aof.1.incr.aof",NULL) &&
              is(DIR "a.aof.2.incr.aof","incr two"));
    test_cond("the status is OK and failures are forgotten", server.aof_lastbgrewrite_status == C_OK &&
              server.stat_aofrw_consecutive_failures == 0);
    test_cond("the sizes are taken anew", server.aof_current_size == 12+7 && server.aof_rewrite_base_size == 12+7);
    test_cond("what waits to be written is kept", !strcmp(server.aof_buf,"waits") && server.aof_state == AOF_ON);
    took &= timed();
    none &= server.aof_rewrite_scheduled == 0 && server.fsynced_reploff == 0;
    alone &= is("temp-rewriteaof-bg-777.aof","another");

    begin(AOF_ON);
    server.aof_disable_auto_gc = 1;
    server.aof_use_rdb_preamble = 0;
    backgroundRewriteDoneHandler(0,0);
    test_cond("without garbage collection they stay", is(DIR "a.aof.1.base.rdb","base one") &&
              is(DIR "a.aof.1.incr.aof","incr one") && is(DIR "a.aof.2.base.aof","the new base") &&
              listLength(server.aof_manifest->history_aof_list) == 2 && server.aof_manifest->dirty == 0 &&
              listLength(server.aof_manifest->incr_aof_list) == 1);

    begin(AOF_OFF);
    backgroundRewriteDoneHandler(0,0);
    test_cond("with AOF off all INCR files go and no size is taken", is(DIR "a.aof.2.base.rdb","the new base") &&
              is(DIR "a.aof.2.incr.aof",NULL) && is(DIR "a.aof.1.incr.aof",NULL) && server.aof_state == AOF_OFF &&
              listLength(server.aof_manifest->incr_aof_list) == 0 && server.aof_current_size == 3 &&
              server.aof_rewrite_base_size == 4 && server.aof_lastbgrewrite_status == C_OK &&
              is(DIR "a.aof.manifest","file a.aof.2.base.rdb seq 2 type b\n"));
    none &= server.aof_rewrite_scheduled == 0;

    begin(AOF_WAIT_REWRITE);
    backgroundRewriteDoneHandler(0,0);
    test_cond("AOF that waited for the rewrite is on", server.aof_state == AOF_ON && !strcmp(server.aof_buf,"waits") &&
              server.aof_lastbgrewrite_status == C_OK && server.aof_current_size == 19);
    test_cond("its temporary INCR file gets its name", is(DIR "a.aof.3.incr.aof","gathered") &&
              is(DIR "temp-a.aof.incr",NULL) && is(DIR "a.aof.2.incr.aof",NULL) && is(DIR "a.aof.2.base.rdb","the new base") &&
              is(DIR "a.aof.manifest","file a.aof.2.base.rdb seq 2 type b\nfile a.aof.3.incr.aof seq 3 type i\n"));
    test_cond("the fsynced offset becomes valid", server.fsynced_reploff == 4242);
    none &= server.aof_rewrite_scheduled == 0;

    begin(AOF_ON);
    server.aof_lastbgrewrite_status = C_OK;
    backgroundRewriteDoneHandler(1,0);
    test_cond("a child that fails sets the status and counts", server.aof_lastbgrewrite_status == C_ERR &&
              server.stat_aofrw_consecutive_failures == 3);
    int still = unchanged(3) && !strcmp(server.aof_buf,"waits");
    alone &= is(TEMP,NULL) && is("temp-rewriteaof-bg-777.aof","another") && is(DIR "temp-a.aof.incr","gathered");
    took &= timed();
    none &= server.aof_rewrite_scheduled == 0;
    begin(AOF_ON);
    server.aof_lastbgrewrite_status = C_OK;
    backgroundRewriteDoneHandler(-1,SIGKILL);
    int killed = server.aof_lastbgrewrite_status == C_ERR && unchanged(3) && timed();
    alone &= is(TEMP,NULL);
    begin(AOF_ON);
    server.aof_lastbgrewrite_status = C_OK;
    backgroundRewriteDoneHandler(0,SIGTERM);
    test_cond("a child that was killed does too", killed && server.aof_lastbgrewrite_status == C_ERR && unchanged(3));
    begin(AOF_ON);
    server.aof_lastbgrewrite_status = C_OK;
    backgroundRewriteDoneHandler(1,SIGUSR1);
    int usr1 = server.aof_lastbgrewrite_status == C_OK && unchanged(2) && timed() && is(TEMP,NULL);
    begin(AOF_ON);
    backgroundRewriteDoneHandler(-1,SIGUSR1);
    test_cond("SIGUSR1 is no failure", usr1 && server.aof_lastbgrewrite_status == C_ERR && unchanged(2));
    test_cond("a failure removes the temporary file alone", alone);
    test_cond("a failure leaves manifest and files", still);

    begin(AOF_WAIT_REWRITE);
    backgroundRewriteDoneHandler(1,0);
    int drops = sdslen(server.aof_buf) == 0 && is(DIR "temp-a.aof.incr",NULL) && unchanged(3) && is(TEMP,NULL);
    int again = server.aof_rewrite_scheduled == 1 && server.aof_state == AOF_WAIT_REWRITE;
    begin(AOF_WAIT_REWRITE);
    backgroundRewriteDoneHandler(0,SIGUSR1);
    test_cond("a failure while AOF waits drops what was gathered", drops && sdslen(server.aof_buf) == 0 &&
              is(DIR "temp-a.aof.incr",NULL) && unchanged(2) && server.fsynced_reploff == 0);
    test_cond("a failure while AOF waits schedules another rewrite", again && server.aof_rewrite_scheduled == 1 &&
              server.aof_state == AOF_WAIT_REWRITE);
    test_cond("otherwise none is scheduled", none);

    begin(AOF_ON);
    server.aof_lastbgrewrite_status = C_OK;
    unlink(TEMP);
    backgroundRewriteDoneHandler(0,0);
    test_cond("a base file that cannot be renamed is a failure", server.aof_lastbgrewrite_status == C_ERR && unchanged(3) &&
              timed() && !strcmp(server.aof_buf,"waits"));
    begin(AOF_WAIT_REWRITE);
    server.aof_lastbgrewrite_status = C_OK;
    unlink(DIR "temp-a.aof.incr");
    backgroundRewriteDoneHandler(0,0);
    test_cond("an INCR file that cannot be renamed is a failure", server.aof_lastbgrewrite_status == C_ERR && unchanged(3) &&
              server.aof_state == AOF_WAIT_REWRITE && server.aof_rewrite_scheduled == 1 && is(TEMP,NULL) && timed());
    begin(AOF_ON);
    server.aof_lastbgrewrite_status = C_OK;
    mkdir(DIR "temp-a.aof.manifest",0700);
    backgroundRewriteDoneHandler(0,0);
    int written = server.aof_lastbgrewrite_status == C_ERR && unchanged(3) && timed() && !strcmp(server.aof_buf,"waits");
    begin(AOF_WAIT_REWRITE);
    mkdir(DIR "temp-a.aof.manifest",0700);
    backgroundRewriteDoneHandler(0,0);
    test_cond("a manifest that cannot be written is a failure", written && unchanged(3) && is(DIR "temp-a.aof.incr",NULL) &&
              server.aof_state == AOF_WAIT_REWRITE && server.aof_rewrite_scheduled == 1 && sdslen(server.aof_buf) == 0);
    test_cond("the time that it took is kept", took);

    size_t before = 0;
    for (int j = 0; j < 4; j++) {
        begin(AOF_ON);
        if (j == 1) {
            bioDrainWorker(BIO_CLOSE_FILE);
            before = zmalloc_used_memory();
        }
        for (int k = 0; k < 3; k++) {
            backgroundRewriteDoneHandler(1,0);
            backgroundRewriteDoneHandler(0,0);
            put(TEMP,"the new base");
            mkdir(DIR "temp-a.aof.manifest",0700);
            backgroundRewriteDoneHandler(0,0);
            server.aof_state = AOF_WAIT_REWRITE;
            put(TEMP,"the new base");
            backgroundRewriteDoneHandler(0,0);
            put(TEMP,"the new base");
            put(DIR "temp-a.aof.incr","gathered");
            backgroundRewriteDoneHandler(0,0);
            server.aof_state = AOF_ON;
            sdsfree(server.aof_buf);
            server.aof_buf = sdsnew("waits");
        }
        rmdir(DIR "temp-a.aof.manifest");
        put(TEMP,"the new base");
        backgroundRewriteDoneHandler(0,0);
        begin(AOF_WAIT_REWRITE);
        backgroundRewriteDoneHandler(0,0);
        begin(AOF_ON);
        bioDrainWorker(BIO_CLOSE_FILE);
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == before);
    if (chdir("/")) exit(1);
    char command[100];
    sprintf(command,"rm -rf %s",folder);
    if (system(command)) exit(1);
    test_report();
    return 0;
}
