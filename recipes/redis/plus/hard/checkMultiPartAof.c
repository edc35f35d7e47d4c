/*---
 * tasks: [processAnnotations-e13fa1.8, processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   valid files are valid: 'Comment: "When the verification is successful"; "All AOF files and manifest are valid".'
 *   valid files are left as they are: 'Comment: "Check if Multi Part AOF is valid".'
 *   each file is told to be valid under its name: 'Upstream''s test: "Multi Part AOF ... BASE AOF ... is valid", printAofStyle.'
 *   a BASE file alone is checked: 'Comment: "check the BASE file and INCR files at once according to the manifest".'
 *   INCR files alone are checked: 'Comment: "according to the manifest instructions".'
 *   INCR files are checked in the order of the manifest: 'Comment: "according to the manifest instructions (this is somewhat similar to redis'' AOF loading)".'
 *   a BASE file may be an RDB: 'fileIsRDB: "The file is a BASE AOF in Multi Part AOF"; upstream''s test: "(RDB format)".'
 *   the format of the BASE file is told: 'Upstream''s test: "Start to check BASE AOF (RESP format)".'
 *   a manifest with a wrong format is refused: 'Comment: "The manifest file format is valid".'
 *   a BASE file that is missing is refused: 'Comment: "No BASE or INCR AOFs files are missing".'
 *   an INCR file that is missing is refused: 'Comment: "No BASE or INCR AOFs files are missing".'
 *   a broken BASE file is refused: 'Comment: "Both BASE AOF and INCR AOFs format are valid".'
 *   a broken INCR file is refused: 'Comment: "Both BASE AOF and INCR AOFs format are valid".'
 *   without fix nothing is truncated: 'Argument fix; upstream''s test: "Use the --fix option to try fixing it".'
 *   with fix the last INCR file is truncated: 'Comment: "we only allow truncation for the last AOF file".'
 *   with fix the other INCR files are not: 'Comment: "we only allow truncation for the last AOF file".'
 *   with fix a BASE file before others is not: 'Comment: "we only allow truncation for the last AOF file".'
 *   with fix a BASE file alone is truncated: 'Comment: it is the last AOF file.'
 *   a truncation to a timestamp is done in the last file alone: 'processAnnotations: "this truncation is only allowed when the last_file parameter is 1".'
 *   an INCR file is no RDB: 'checkSingleAof: preamble is for BASE files.'
 *   history files do not matter: 'aof.c: files of type h are deleted in the background.'
 *   an empty file is told: 'printAofStyle: "is empty".'
 *   files are looked for in the given folder: 'Argument dirpath.'
 ---*/
#include "../redis-check-aof.c"
#include "../testhelp.h"
#include <sys/wait.h>

#define SET "*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$5\r\nhello\r\n"
#define RDB "REDIS0011\xff\0\0\0\0\0\0\0\0"
#define BASE "file base type b seq 1\n"
#define ONE "file incr1 seq 1 type i\n"
#define TWO "file incr2 seq 2 type i\n"
#define VALID "All AOF files and manifest are valid"

static char dir[] = "/tmp/plus.XXXXXX", output[100000];

static sds pathOf(const char *name) {
    return sdscatprintf(sdsempty(),"%s/%s",dir,name);
}

static void writeBytes(const char *name, const char *bytes, size_t len) {
    FILE *fp = fopen(pathOf(name),"w");
    fwrite(bytes,1,len,fp);
    fclose(fp);
}

static void file(const char *name, const char *text) {
    writeBytes(name,text,strlen(text));
}

static int holds(const char *name, const char *text) {
    char buf[1000];
    FILE *fp = fopen(pathOf(name),"r");
    if (!fp) return 0;
    size_t n = fread(buf,1,sizeof(buf),fp);
    fclose(fp);
    return n == strlen(text) && !memcmp(buf,text,n);
}

/* Checks in a process of its own, which is given this as input. Returns its status, 100 if it came back. */
static int check(const char *manifest, int fix, time_t to, const char *in) {
    int out[2], input[2], status = -1;
    file("the.manifest",manifest);
    fflush(stdout);
    if (pipe(out) || pipe(input) || write(input[1],in,strlen(in)) < 0) return -1;
    close(input[1]);
    pid_t child = fork();
    if (child == 0) {
        dup2(out[1],1), dup2(input[0],0);
        close(out[0]), close(out[1]);
        signal(SIGALRM,SIG_DFL), alarm(20);
        to_timestamp = to;
        checkMultiPartAof(dir,pathOf("the.manifest"),fix);
        fflush(stdout);
        _exit(100);
    }
    close(out[1]), close(input[0]);
    size_t len = 0;
    ssize_t n;
    while ((n = read(out[0],output+len,sizeof(output)-1-len)) > 0) len += n;
    output[len] = '\0';
    close(out[0]);
    waitpid(child,&status,0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int said(const char *a, const char *b) {
    char *at = strstr(output,a);
    return at && (!b || strstr(at,b));
}

/* All three files, with such an end. */
static void files(const char *base, const char *one, const char *two) {
    file("base",sdscat(sdsnew(SET),base));
    file("incr1",sdscat(sdsnew(SET SET),one));
    file("incr2",sdscat(sdsnew(SET SET SET),two));
}

int main(void) {
    crc64_init();
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    if (!mkdtemp(dir)) return 1;
    files("","","");
    int ret = check(BASE ONE TWO,0,0,"");
    test_cond("valid files are valid", ret == 100 && said(VALID,NULL));
    test_cond("valid files are left as they are", holds("base",SET) && holds("incr1",SET SET) &&
              holds("incr2",SET SET SET) && holds("the.manifest",BASE ONE TWO));
    test_cond("each file is told to be valid under its name", said("BASE AOF base is valid","INCR AOF incr1 is valid") &&
              said("INCR AOF incr2 is valid",VALID));
    test_cond("the format of the BASE file is told", said("Start to check BASE AOF (RESP format).","BASE AOF base is valid"));
    ret = check(BASE,0,0,"");
    test_cond("a BASE file alone is checked", ret == 100 && said("BASE AOF base is valid",VALID) && !said("INCR",NULL));
    ret = check(ONE TWO,1,0,"");
    test_cond("INCR files alone are checked", ret == 100 && said("INCR AOF incr1 is valid",VALID) && !said("BASE",NULL));
    ret = check("file incr2 seq 1 type i\nfile incr1 seq 2 type i\n" "file base type b seq 1\n",0,0,"");
    test_cond("INCR files are checked in the order of the manifest", ret == 100 &&
              said("INCR AOF incr2 is valid","INCR AOF incr1 is valid") && said("BASE AOF base is valid","INCR AOF incr2"));
    writeBytes("base",RDB,sizeof(RDB)-1);
    ret = check(BASE ONE TWO,0,0,"");
    test_cond("a BASE file may be an RDB", ret == 100 && said("BASE AOF (RDB format)","BASE AOF base is valid") && said(VALID,NULL));
    writeBytes("incr1",RDB,sizeof(RDB)-1);
    ret = check(BASE ONE TWO,0,0,"");
    test_cond("an INCR file is no RDB", ret == 1 && !said(VALID,NULL));
    files("","","");
    test_cond("a manifest with a wrong format is refused", check(BASE "nonsense\n",0,0,"") == 1 &&
              check(BASE BASE,0,0,"") == 1 && check(TWO ONE,0,0,"") == 1 && !said(VALID,NULL));
    unlink(pathOf("base"));
    ret = check(BASE ONE TWO,0,0,"");
    test_cond("a BASE file that is missing is refused", ret == 1 && said("Cannot open file",NULL) && !said(VALID,NULL));
    files("","","");
    unlink(pathOf("incr2"));
    ret = check(BASE ONE TWO,0,0,"");
    unlink(pathOf("incr1"));
    test_cond("an INCR file that is missing is refused", ret == 1 && check(BASE ONE,1,0,"y\n") == 1 && !said(VALID,NULL));
    files("!!!","","");
    test_cond("a broken BASE file is refused", check(BASE ONE TWO,0,0,"") == 1 && !said(VALID,NULL));
    files("","*2\r\n","");
    ret = check(BASE ONE TWO,0,0,"");
    files("","","!!!");
    int kept = check(BASE ONE TWO,0,0,"y\n") == 1 && said("Use the --fix option to try fixing it",NULL);
    test_cond("a broken INCR file is refused", ret == 1 && kept && !said(VALID,NULL));
    test_cond("without fix nothing is truncated", holds("incr2",SET SET SET "!!!"));
    ret = check(BASE ONE TWO,1,0,"y\n");
    test_cond("with fix the last INCR file is truncated", ret == 100 && holds("incr2",SET SET SET) &&
              said("Successfully truncated AOF incr2",VALID) && holds("base",SET) && holds("incr1",SET SET));
    files("","!!!","");
    ret = check(BASE ONE TWO,1,0,"y\n");
    test_cond("with fix the other INCR files are not", ret == 1 && holds("incr1",SET SET "!!!") &&
              said("not the last file",NULL) && !said(VALID,NULL));
    files("!!!","","");
    ret = check(BASE ONE,1,0,"y\n");
    kept = holds("base",SET "!!!");
    test_cond("with fix a BASE file before others is not", ret == 1 && kept && said("not the last file",NULL));
    ret = check(BASE,1,0,"y\n");
    test_cond("with fix a BASE file alone is truncated", ret == 100 && holds("base",SET) &&
              said("Successfully truncated AOF base",VALID));
    files("","","#TS:12\r\n" SET);
    ret = check(BASE ONE TWO,0,11,"") == 100 && holds("incr2",SET SET SET) && said("Successfully truncated AOF incr2 to timestamp 11",VALID);
    files("","#TS:12\r\n","");
    kept = check(BASE ONE TWO,0,11,"") == 1 && holds("incr1",SET SET "#TS:12\r\n");
    files("#TS:12\r\n","","");
    test_cond("a truncation to a timestamp is done in the last file alone", ret && kept &&
              check(BASE ONE TWO,0,11,"") == 1 && holds("base",SET "#TS:12\r\n"));
    files("","","!");
    ret = check(BASE "file gone seq 7 type h\n" ONE TWO "file gone2 seq 8 type h\n",1,0,"y\n");
    test_cond("history files do not matter", ret == 100 && holds("incr2",SET SET SET));
    files("","","");
    file("incr2","");
    ret = check(BASE ONE TWO,0,0,"");
    test_cond("an empty file is told", ret == 100 && said("INCR AOF incr2 is empty",VALID));
    ret = chdir("/") == 0 && check(BASE ONE,0,0,"") == 100;
    test_cond("files are looked for in the given folder", ret && said("INCR AOF incr1 is valid",VALID));
    const char *names[] = {"base","incr1","incr2","the.manifest"};
    for (int j = 0; j < 4; j++) unlink(pathOf(names[j]));
    rmdir(dir);
    test_report();
    return 0;
}
