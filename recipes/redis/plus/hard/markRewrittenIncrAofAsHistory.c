/*---
 * tasks: [backgroundRewriteDoneHandler-3f86a9.4]
 * tests:
 *   without an open file all move to the history: 'Comment: "change the AOF file type in ''incr_aof_list'' ... and move them to the ''history_aof_list''".'
 *   with an open file the last stays: 'aof.c: the last INCR file is the one that is written; openNewIncrAofForAppend opened it for this rewrite.'
 *   with an open file a single one stays: 'The same.'
 *   the descriptor 0 is an open file: 'server.h: aof_fd, -1 where there is none.'
 *   what was moved is of type history: 'Comment: "from AOF_FILE_TYPE_INCR to AOF_FILE_TYPE_HIST".'
 *   what stays is of type incr: 'getAofManifestAsString writes the type of each.'
 *   names and sequence numbers are kept: 'aofDelHistoryFiles deletes by name.'
 *   what the history held stays: 'Comment: "move them to"; a rewrite with garbage collection disabled.'
 *   the base file is left alone: 'Comment: files in incr_aof_list.'
 *   the manifest has to be written again: 'server.h: dirty, "inconsistent with disk".'
 *   without files nothing is changed: 'Comment: nothing to move; persistAofManifest writes what is dirty alone.'
 *   the sequence numbers go on: 'server.h: curr_incr_file_seq; getNewIncrAofName.'
 *   only the manifest given is changed: 'Parameter am: the caller''s copy, which it drops on an error.'
 *   all is freed with the manifest: 'aofManifestFree: the lists'' free method.'
 ---*/
#include "start.h"
#include "../testhelp.h"

aofManifest *aofManifestCreate(void);
void aofManifestFree(aofManifest *am);
aofManifest *aofManifestDup(aofManifest *orig);
void markRewrittenIncrAofAsHistory(aofManifest *am);
sds getNewIncrAofName(aofManifest *am);

static void add(list *l, int seq, int type) {
    aofInfo *ai = zcalloc(sizeof(*ai));
    ai->file_name = sdscatprintf(sdsempty(),"f.%d.%c",seq,type);
    ai->file_seq = seq;
    ai->file_type = type;
    listAddNodeTail(l,ai);
}

/* A manifest with so many INCR files, and two of the history. */
static aofManifest *manifest(int incr) {
    aofManifest *am = aofManifestCreate();
    am->base_aof_info = zcalloc(sizeof(aofInfo));
    am->base_aof_info->file_name = sdsnew("base");
    am->base_aof_info->file_seq = 9;
    am->base_aof_info->file_type = AOF_FILE_TYPE_BASE;
    am->curr_base_file_seq = 9;
    am->curr_incr_file_seq = 10+incr;
    add(am->history_aof_list,1,'h');
    add(am->history_aof_list,2,'h');
    for (int j = 1; j <= incr; j++) add(am->incr_aof_list,10+j,'i');
    return am;
}

/* The sum of 10^... by which the numbers in a list are known in any order; whether types and names are right. */
static int holds(list *l, int from, int to, int type, const char *names, int also) {
    int seen[40] = {0}, right = 1, n = 0;
    listIter li;
    listNode *ln;
    listRewind(l,&li);
    while ((ln = listNext(&li)) != NULL && n++ < 40) {
        aofInfo *ai = listNodeValue(ln);
        char want[20];
        right &= ai->file_type == (aof_file_type)type && ai->file_seq > 0 && ai->file_seq < 40;
        if (!right) return 0;
        seen[ai->file_seq]++;
        sprintf(want,"f.%lld.%c",(long long)ai->file_seq,ai->file_seq < 10 ? 'h' : 'i');
        right &= !names || !strcmp(ai->file_name,want);
    }
    for (int j = 1; j < 40; j++) right &= seen[j] == ((j >= from && j <= to) || (also && j <= 2));
    return right;
}

int main(void) {
    startRedis();
    server.aof_fd = -1;
    aofManifest *am = manifest(3), *current = manifest(2);
    server.aof_manifest = current;
    aofInfo *base = am->base_aof_info;
    markRewrittenIncrAofAsHistory(am);
    test_cond("without an open file all move to the history", listLength(am->incr_aof_list) == 0 &&
              listLength(am->history_aof_list) == 5);
    test_cond("what was moved is of type history", holds(am->history_aof_list,11,13,AOF_FILE_TYPE_HIST,NULL,1));
    test_cond("the manifest has to be written again", am->dirty == 1);
    int names = holds(am->history_aof_list,11,13,AOF_FILE_TYPE_HIST,"",1), old = names;
    int kept = am->base_aof_info == base && base->file_type == AOF_FILE_TYPE_BASE && !strcmp(base->file_name,"base");
    sds next = getNewIncrAofName(am);
    test_cond("the sequence numbers go on", am->curr_incr_file_seq == 14 && am->curr_base_file_seq == 9 &&
              strstr(next,".14.") != NULL);
    aofManifestFree(am);
    server.aof_fd = 5;
    am = manifest(4);
    markRewrittenIncrAofAsHistory(am);
    test_cond("with an open file the last stays", listLength(am->incr_aof_list) == 1 &&
              ((aofInfo*)listNodeValue(listFirst(am->incr_aof_list)))->file_seq == 14 &&
              listLength(am->history_aof_list) == 5 && am->dirty == 1);
    test_cond("what stays is of type incr", holds(am->incr_aof_list,14,14,AOF_FILE_TYPE_INCR,"",0));
    names &= holds(am->history_aof_list,11,13,AOF_FILE_TYPE_HIST,"",1);
    kept &= am->base_aof_info && am->base_aof_info->file_type == AOF_FILE_TYPE_BASE && am->curr_incr_file_seq == 14;
    aofManifestFree(am);
    am = manifest(1);
    markRewrittenIncrAofAsHistory(am);
    test_cond("with an open file a single one stays", holds(am->incr_aof_list,11,11,AOF_FILE_TYPE_INCR,"",0) &&
              holds(am->history_aof_list,1,2,AOF_FILE_TYPE_HIST,"",0));
    aofManifestFree(am);
    server.aof_fd = 0;
    am = manifest(2);
    markRewrittenIncrAofAsHistory(am);
    test_cond("the descriptor 0 is an open file", holds(am->incr_aof_list,12,12,AOF_FILE_TYPE_INCR,"",0) &&
              holds(am->history_aof_list,11,11,AOF_FILE_TYPE_HIST,"",1));
    aofManifestFree(am);
    test_cond("names and sequence numbers are kept", names);
    test_cond("what the history held stays", old);
    test_cond("the base file is left alone", kept);
    int none = 1;
    for (int fd = -1; fd < 8; fd += 8) {
        server.aof_fd = fd;
        am = manifest(0);
        markRewrittenIncrAofAsHistory(am);
        none &= am->dirty == 0 && listLength(am->incr_aof_list) == 0 && listLength(am->history_aof_list) == 2;
        aofManifestFree(am);
    }
    test_cond("without files nothing is changed", none);
    test_cond("only the manifest given is changed", server.aof_manifest == current && current->dirty == 0 &&
              holds(current->incr_aof_list,11,12,AOF_FILE_TYPE_INCR,"",0));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 40; j++) {
        server.aof_fd = j % 2 ? -1 : 5;
        am = manifest(j % 5);
        markRewrittenIncrAofAsHistory(am);
        aofManifest *copy = aofManifestDup(am);
        aofManifestFree(am);
        aofManifestFree(copy);
    }
    test_cond("all is freed with the manifest", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
