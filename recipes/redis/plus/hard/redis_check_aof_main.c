/*---
 * tasks: [processAnnotations-e13fa1.16]
 * instead: [src/redis-check-aof.o]
 * tests:
 *   an old-style AOF is checked: 'tests/integration/aof.tcl: "Test redis-check-aof for old style resp AOF".'
 *   one with a preamble is checked: 'aof.tcl: "for old style rdb-preamble AOF".'
 *   "a manifest's files are checked": 'aof.tcl: "for Multi Part AOF with resp AOF base".'
 *   "the files stand in the manifest's folder": 'checkMultiPartAof: dirpath.'
 *   what is not valid ends with 1: 'aof.tcl: the utility''s exec fails.'
 *   what is valid ends with 0: 'aof.tcl: the utility''s exec succeeds.'
 *   "--fix truncates": 'aof.tcl: "redis-check-aof --fix".'
 *   without --fix nothing is truncated: 'The option.'
 *   "--truncate-to-timestamp truncates": 'aof.tcl: "redis-check-aof --truncate-to-timestamp 1628217473".'
 *   a timestamp that is no number is an error: 'Utility: it could not truncate to it.'
 *   "-v and --version give the version": 'Utility: redis-check-aof -v; getVersion.'
 *   other arguments are an error: 'Utility: usage.'
 *   a missing file is an error: 'fileIsManifest: exit(1).'
 ---*/
#include "aofchecktest.h"

void initServerConfig(void);

#define SET "*3\r\n$3\r\nset\r\n$3\r\nfoo\r\n$3\r\nbar\r\n"
#define RDB "REDIS0011\xff\0\0\0\0\0\0\0\0"

struct args {int argc; char *argv[6];};

static int program(void *p) {
    struct args *a = p;
    return redis_check_aof_main(a->argc,a->argv);
}

static int run(int argc, char *a, char *b, char *c) {
    struct args args = {argc,{"redis-check-aof",a,b,c}};
    int status = apart(program,&args,"y\n");
    return status >= 100 ? status-100 : status;
}

static void file(const char *name, const char *bytes, size_t len) {
    char at[200];
    snprintf(at,sizeof(at),"%s/%s",folder,name);
    FILE *fp = fopen(at,"w");
    fwrite(bytes,1,len,fp);
    fclose(fp);
}

int main(void) {
    crc64_init();
    initServerConfig();
    ACLInit();
    moduleInitModulesSystem();
    begin();
    fclose(literal(SET));
    int old = run(2,path,NULL,NULL);
    test_cond("an old-style AOF is checked", old == 0 && strstr(output,"Old-Style AOF") && strstr(output,"is valid"));
    fclose(literal(RDB SET));
    int preamble = run(2,path,NULL,NULL);
    test_cond("one with a preamble is checked", preamble == 0 && strstr(output,"Old-Style AOF") &&
              strstr(output,"preamble is OK") && strstr(output,"is valid"));
    file("b.rdb",RDB,sizeof(RDB)-1);
    file("i.aof",SET,sizeof(SET)-1);
    fclose(literal("file b.rdb seq 1 type b\nfile i.aof seq 1 type i\n"));
    int manifest = run(2,path,NULL,NULL);
    test_cond("a manifest's files are checked", manifest == 0 && strstr(output,"Multi Part AOF") &&
              strstr(output,"b.rdb is valid") && strstr(output,"i.aof is valid"));
    file("i.aof",SET "!!!",sizeof(SET "!!!")-1);
    int broken = run(2,path,NULL,NULL) == 1;
    int fix = run(3,"--fix",path,NULL) == 0 && strstr(output,"Successfully truncated AOF i.aof");
    test_cond("the files stand in the manifest's folder", broken && fix && run(2,path,NULL,NULL) == 0);
    fclose(literal(SET "!!!"));
    test_cond("what is not valid ends with 1", run(2,path,NULL,NULL) == 1);
    test_cond("without --fix nothing is truncated", holdsLiteral(SET "!!!"));
    fix &= run(3,"--fix",path,NULL) == 0 && holdsLiteral(SET);
    test_cond("--fix truncates", fix);
    test_cond("what is valid ends with 0", old == 0 && preamble == 0 && manifest == 0 && run(3,"--fix",path,NULL) == 0 &&
              holdsLiteral(SET));
    fclose(literal(SET "#TS:1628217471\r\n" SET "#TS:1628217475\r\n" SET));
    int later = run(4,"--truncate-to-timestamp","1628217475",path) == 0 &&
                holdsLiteral(SET "#TS:1628217471\r\n" SET "#TS:1628217475\r\n" SET);
    test_cond("--truncate-to-timestamp truncates", later && run(4,"--truncate-to-timestamp","1628217474",path) == 0 &&
              holdsLiteral(SET "#TS:1628217471\r\n" SET));
    int number = run(4,"--truncate-to-timestamp","soon",path) == 1 && run(4,"--truncate-to-timestamp","12x",path) == 1;
    test_cond("a timestamp that is no number is an error", number && holdsLiteral(SET "#TS:1628217471\r\n" SET) &&
              run(4,"--truncate-to-timestamp","99999999999999999999",path) == 1);
    sds version = getVersion();
    int told = run(2,"-v",NULL,NULL) == 0 && strstr(output,version) && strstr(output,"redis-check-aof");
    test_cond("-v and --version give the version", told && run(2,"--version",NULL,NULL) == 0 && strstr(output,version));
    sdsfree(version);
    test_cond("other arguments are an error", run(1,NULL,NULL,NULL) == 1 && run(3,"--other",path,NULL) == 1 &&
              run(3,path,"--fix",NULL) == 1 && run(4,"--other","1",path) == 1 && run(4,"--fix",path,path) == 1 &&
              holdsLiteral(SET "#TS:1628217471\r\n" SET));
    test_cond("a missing file is an error", run(2,"/nowhere/none",NULL,NULL) == 1 && run(3,"--fix","/nowhere/none",NULL) == 1);
    char at[200];
    snprintf(at,sizeof(at),"%s/b.rdb",folder);
    unlink(at);
    snprintf(at,sizeof(at),"%s/i.aof",folder);
    unlink(at);
    finish();
    return 0;
}
