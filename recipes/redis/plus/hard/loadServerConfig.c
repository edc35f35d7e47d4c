/*---
 * tasks: [getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   the file is loaded: 'Comment: "Load the server configuration from the specified filename".'
 *   options are loaded after the file: 'Comment: "appends the additional configuration directives stored in the options string".'
 *   a file that does not end its last line does not swallow the options: 'Comment: "additional configuration directives".'
 *   options alone are loaded: 'Comment: "or just load a string".'
 *   neither of them loads nothing: 'Comment: "Both filename and options can be NULL, in such a case are considered empty".'
 *   an empty file is no error: 'Comment: "Load the server configuration from the specified filename".'
 *   long lines and long files are read whole: 'The body reads by pieces of CONFIG_READ_LEN.'
 *   a file that is not there ends the server: '"fail with a logged error if the file cannot be found and opened".'
 *   the standard input is read if asked for: 'Signature: config_from_stdin; redis-server - reads it.'
 *   it is not read otherwise: 'Signature: config_from_stdin.'
 *   it comes after the file and before the options: '"Append content from stdin"; "Append the additional options".'
 *   all files that match a star are loaded: '"with wildcards: attempt to glob the specified pattern".'
 *   they are loaded in the order of their names: 'glob sorts; conf.d directories.'
 *   a question mark and brackets are wildcards too: 'The body: "A wildcard character detected in filename".'
 *   no match is no error: '"if no files match the pattern, then gracefully continue".'
 *   options are loaded with wildcards too: 'Comment: "appends the additional configuration directives".'
 *   a matching file that cannot be read ends the server: '"ALWAYS log errors when attempting to open included config files".'
 *   a file may include others by a wildcard: 'redis.conf: include /path/to/fragments/*.conf.'
 *   a faulty line ends the server: 'loadServerConfigFromString.'
 *   nothing is left behind: 'Files are closed, texts are freed.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

static char dir[] = "/tmp/plus.XXXXXX", path[8][200];

static char *file(int n, const char *name, const char *text) {
    snprintf(path[n],sizeof(path[n]),"%s/%s",dir,name);
    if (text) {
        FILE *f = fopen(path[n],"w");
        fputs(text,f);
        fclose(f);
    }
    return path[n];
}

static void reset(void) {
    server.maxidletime = 1, server.tcpkeepalive = 2, server.tcp_backlog = 3;
}

static int ends(char *name, char *options) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        freopen("/dev/null","w",stderr);
        loadServerConfig(name,0,options);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void input(const char *text) {
    file(7,"stdin",text);
    freopen(path[7],"r",stdin);
}

int main(void) {
    startRedis();
    if (!mkdtemp(dir)) return 1;
    reset();
    loadServerConfig(file(0,"a.conf","timeout 10\ntcp-keepalive 20\n"),0,NULL);
    test_cond("the file is loaded", server.maxidletime == 10 && server.tcpkeepalive == 20);
    char options[] = "timeout 30\ntcp-backlog 40\n";
    loadServerConfig(path[0],0,options);
    test_cond("options are loaded after the file", server.maxidletime == 30 && server.tcpkeepalive == 20 &&
              server.tcp_backlog == 40);
    reset();
    loadServerConfig(file(1,"b.conf","timeout 11"),0,"tcp-keepalive 12");
    test_cond("a file that does not end its last line does not swallow the options", server.maxidletime == 11 &&
              server.tcpkeepalive == 12);
    reset();
    loadServerConfig(NULL,0,"timeout 50");
    test_cond("options alone are loaded", server.maxidletime == 50 && server.tcpkeepalive == 2);
    reset();
    loadServerConfig(NULL,0,NULL);
    test_cond("neither of them loads nothing", server.maxidletime == 1 && server.tcpkeepalive == 2 && server.tcp_backlog == 3);
    loadServerConfig(file(2,"empty.conf",""),0,NULL);
    test_cond("an empty file is no error", server.maxidletime == 1);
    sds big = sdsnew("pidfile ");
    for (int j = 0; j < 5000; j++) big = sdscatprintf(big,"%c",'a'+j%26);
    sds pass = sdsnew(big+8);
    big = sdscat(big,"\n");
    for (int j = 0; j < 500; j++) big = sdscatprintf(big,"timeout %d\n",1000+j);
    loadServerConfig(file(3,"big.cnf",big),0,NULL);
    test_cond("long lines and long files are read whole", !strcmp(server.pidfile,pass) &&
              server.maxidletime == 1499);
    test_cond("a file that is not there ends the server", ends(file(4,"none.conf",NULL),NULL) == 1 &&
              ends(path[4],"timeout 1") == 1 && ends(path[0],NULL) == 0);
    reset();
    input("timeout 60\ntcp-keepalive 70\n");
    loadServerConfig(NULL,1,NULL);
    test_cond("the standard input is read if asked for", server.maxidletime == 60 && server.tcpkeepalive == 70);
    reset();
    input("timeout 61\n");
    loadServerConfig(path[0],0,NULL);
    int unread = server.maxidletime == 10 && getc(stdin) == 't';
    test_cond("it is not read otherwise", unread);
    reset();
    input("timeout 62\ntcp-keepalive 63\n");
    loadServerConfig(file(0,"a.conf","timeout 10\ntcp-keepalive 20\ntcp-backlog 25\n"),1,"timeout 64");
    test_cond("it comes after the file and before the options", server.maxidletime == 64 && server.tcpkeepalive == 63 &&
              server.tcp_backlog == 25);

    file(0,"a.conf","timeout 10\ntcp-keepalive 20\n");
    file(1,"b.conf","timeout 11\ntcp-backlog 21\n");
    reset();
    loadServerConfig(file(5,"*.conf",NULL),0,NULL);
    test_cond("all files that match a star are loaded", server.tcpkeepalive == 20 && server.tcp_backlog == 21);
    test_cond("they are loaded in the order of their names", server.maxidletime == 11);
    reset();
    loadServerConfig(file(5,"?.conf",NULL),0,NULL);
    int mark = server.tcpkeepalive == 20 && server.tcp_backlog == 21;
    reset();
    loadServerConfig(file(5,"[a]*conf",NULL),0,NULL);
    test_cond("a question mark and brackets are wildcards too", mark && server.maxidletime == 10 && server.tcp_backlog == 3);
    reset();
    loadServerConfig(file(5,"none*.conf",NULL),0,NULL);
    int nothing = server.maxidletime == 1 && server.tcpkeepalive == 2;
    test_cond("no match is no error", nothing && ends(path[5],NULL) == 0);
    reset();
    loadServerConfig(path[5],0,"tcp-keepalive 80");
    int alone = server.tcpkeepalive == 80;
    loadServerConfig(file(5,"*.conf",NULL),0,"timeout 90");
    test_cond("options are loaded with wildcards too", alone && server.maxidletime == 90 && server.tcpkeepalive == 20);
    char include[400];
    snprintf(include,sizeof(include),"timeout 5\ninclude %s/?.conf\ntcp-backlog 99\ninclude %s/none*\n",dir,dir);
    reset();
    loadServerConfig(file(4,"main.cnf",include),0,NULL);
    test_cond("a file may include others by a wildcard", server.maxidletime == 11 && server.tcpkeepalive == 20 &&
              server.tcp_backlog == 99);
    test_cond("a faulty line ends the server", ends(path[0],"nonsense 1") == 1 && ends(NULL,"timeout") == 1);
    loadServerConfig(path[4],0,"timeout 3");
    loadServerConfig(path[4],0,"timeout 3");
    size_t before = zmalloc_used_memory();
    int fd = open("/dev/null",O_RDONLY);
    close(fd);
    for (int j = 0; j < 20; j++) loadServerConfig(path[4],0,"timeout 3"), loadServerConfig(path[3],0,NULL);
    loadServerConfig(NULL,0,"pidfile x");
    loadServerConfig(NULL,0,"pidfile x");
    size_t after = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) loadServerConfig(path[4],0,"timeout 3"), loadServerConfig(path[3],0,"pidfile x");
    int next = open("/dev/null",O_RDONLY);
    test_cond("nothing is left behind", after <= before && zmalloc_used_memory() == after && next == fd);
    snprintf(path[6],sizeof(path[6]),"%s/gone.conf",dir);
    if (symlink("/nonexistent/file",path[6])) return 1;
    test_cond("a matching file that cannot be read ends the server", ends(file(5,"*.conf",NULL),NULL) == 1);
    for (int j = 0; j < 8; j++) unlink(path[j]);
    rmdir(dir);
    test_report();
    return 0;
}
