/*---
 * tasks: [processAnnotations-e13fa1.16]
 * tests:
 *   a base and an incremental file are loaded: 'aof.c at AOF_MANIFEST_KEY_FILE_NAME: file, seq, type; b base, h history, i incremental.'
 *   several incremental files stand in their order: 'server.h: incr_aof_list.'
 *   history files are kept apart: 'server.h: history_aof_list.'
 *   the current sequence numbers are set: 'server.h: curr_base_file_seq, curr_incr_file_seq.'
 *   what was loaded needs no writing: 'server.h: dirty, "inconsistent with disk".'
 *   a manifest without a base is loaded: 'server.h: "NULL if there is no BASE file".'
 *   comments are skipped: 'The body: "Skip comments lines".'
 *   keys that are not known are skipped: 'The body: "done for forward compatibility".'
 *   keys may be in any order and case: 'The body: strcasecmp over pairs.'
 *   names may be quoted: 'The body: sdssplitargs; aofInfoFormat quotes names.'
 *   blanks around a line do not matter: 'The body: sdstrim.'
 *   a file that is not there ends the process: '"Fatal error: can''t open the AOF manifest file".'
 *   an empty file ends the process: '"Found an empty AOF manifest".'
 *   an empty line ends the process: '"Invalid AOF manifest file format".'
 *   a line without all three facts ends the process: '"We have to make sure we load all the information".'
 *   an odd number of words ends the process: '"Invalid AOF manifest file format".'
 *   quotes that are not closed end the process: 'sdssplitargs: NULL.'
 *   a path as a name ends the process: '"File can''t be a path, just a filename".'
 *   two base files end the process: '"Found duplicate base file information".'
 *   sequence numbers that do not grow end the process: '"Found a non-monotonic sequence number".'
 *   a type that is not known ends the process: '"Unknown AOF file type".'
 *   a line that is too long or has no end ends the process: '"The AOF manifest file contains too long line".'
 *   nothing is left behind: 'The file is closed, lines and words are freed.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

aofManifest *aofLoadManifestFromFile(sds am_filepath);

static char dir[] = "/tmp/plus.XXXXXX";
static sds path;

static void write_(const char *text) {
    FILE *f = fopen(path,"w");
    fputs(text,f);
    fclose(f);
}

static aofManifest *load(const char *text) {
    write_(text);
    return aofLoadManifestFromFile(path);
}

static int ends(const char *text) {
    if (text) write_(text);
    else unlink(path);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        aofLoadManifestFromFile(path);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static int is(aofInfo *ai, const char *name, long long seq, int type) {
    return ai && !strcmp(ai->file_name,name) && ai->file_seq == seq && (int)ai->file_type == type;
}

static aofInfo *at(list *l, int n) {
    listNode *ln = listIndex(l,n);
    return ln ? listNodeValue(ln) : NULL;
}

#define BASE "file a.3.base.rdb seq 3 type b\n"
#define INCR "file a.7.incr.aof seq 7 type i\n"

int main(void) {
    startRedis();
    if (!mkdtemp(dir)) return 1;
    path = sdscatprintf(sdsempty(),"%s/a.manifest",dir);
    aofManifest *am = load(BASE INCR);
    test_cond("a base and an incremental file are loaded", am && is(am->base_aof_info,"a.3.base.rdb",3,'b') &&
              listLength(am->incr_aof_list) == 1 && is(at(am->incr_aof_list,0),"a.7.incr.aof",7,'i') &&
              listLength(am->history_aof_list) == 0);
    test_cond("what was loaded needs no writing", am->dirty == 0);
    int one = am->curr_base_file_seq == 3 && am->curr_incr_file_seq == 7;
    am = load("file h1 seq 9 type h\n" INCR "file a.8.incr.aof seq 8 type i\n" BASE "file h2 seq 2 type h\nfile a.12.incr.aof seq 12 type i\n");
    test_cond("several incremental files stand in their order", listLength(am->incr_aof_list) == 3 &&
              is(at(am->incr_aof_list,0),"a.7.incr.aof",7,'i') && is(at(am->incr_aof_list,1),"a.8.incr.aof",8,'i') &&
              is(at(am->incr_aof_list,2),"a.12.incr.aof",12,'i'));
    test_cond("history files are kept apart", listLength(am->history_aof_list) == 2 && is(at(am->history_aof_list,0),"h1",9,'h') &&
              is(at(am->history_aof_list,1),"h2",2,'h') && is(am->base_aof_info,"a.3.base.rdb",3,'b'));
    test_cond("the current sequence numbers are set", one && am->curr_base_file_seq == 3 && am->curr_incr_file_seq == 12);
    am = load(INCR);
    test_cond("a manifest without a base is loaded", am->base_aof_info == NULL && listLength(am->incr_aof_list) == 1 &&
              am->curr_base_file_seq == 0);
    am = load("# first\n" BASE "#\n" INCR "# file x seq 9 type i\n");
    test_cond("comments are skipped", is(am->base_aof_info,"a.3.base.rdb",3,'b') && listLength(am->incr_aof_list) == 1);
    am = load("file f seq 5 type b size 77 \"other thing\" x\n");
    test_cond("keys that are not known are skipped", is(am->base_aof_info,"f",5,'b'));
    am = load("TYPE i FILE f Seq 123456789012\n");
    test_cond("keys may be in any order and case", is(at(am->incr_aof_list,0),"f",123456789012,'i'));
    am = load("file \"my file\x41\" seq 1 type b\nfile 'it is' seq 1 type i\n");
    test_cond("names may be quoted", is(am->base_aof_info,"my fileA",1,'b') && is(at(am->incr_aof_list,0),"it is",1,'i'));
    am = load("  \tfile f seq 5 type b \t\r\n");
    test_cond("blanks around a line do not matter", is(am->base_aof_info,"f",5,'b'));
    test_cond("a file that is not there ends the process", ends(NULL));
    test_cond("an empty file ends the process", ends(""));
    test_cond("an empty line ends the process", ends(BASE "\n" INCR) && ends("  \n" BASE));
    test_cond("a line without all three facts ends the process", ends("file f seq 1 other x\n") && ends("file f type b other x\n") &&
              ends("seq 1 type b other x\n") && ends("file f seq 0 type b\n") && ends("file f seq 1\n"));
    test_cond("an odd number of words ends the process", ends("file f seq 1 type b x\n") && ends("file f seq 1 type\n"));
    test_cond("quotes that are not closed end the process", ends("file \"f seq 1 type b\n"));
    test_cond("a path as a name ends the process", ends("file dir/f seq 1 type b\n") && ends("file /f seq 1 type i\n"));
    test_cond("two base files end the process", ends(BASE "file other seq 4 type b\n"));
    test_cond("sequence numbers that do not grow end the process", ends(INCR "file g seq 7 type i\n") &&
              ends(INCR "file g seq 6 type i\n"));
    test_cond("a type that is not known ends the process", ends("file f seq 1 type x\n"));
    sds big = sdsnew("file ");
    for (int j = 0; j < 1100; j++) big = sdscat(big,"n");
    big = sdscat(big," seq 1 type b\n");
    test_cond("a line that is too long or has no end ends the process", ends(big) && ends("file f seq 1 type b"));
    write_("# c\nfile f seq 1 type b\nfile g seq 2 type i\nfile h seq 1 type h\n");
    aofManifestFree(aofLoadManifestFromFile(path));
    size_t before = zmalloc_used_memory();
    int fd = open("/dev/null",O_RDONLY);
    close(fd);
    for (int j = 0; j < 20; j++) aofManifestFree(aofLoadManifestFromFile(path));
    int next = open("/dev/null",O_RDONLY);
    test_cond("nothing is left behind", zmalloc_used_memory() == before && next == fd);
    unlink(path), rmdir(dir);
    test_report();
    return 0;
}
