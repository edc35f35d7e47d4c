/*---
 * tasks: [getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   a directive sets its value: 'redis.conf: "keyword argument1 argument2 ... argumentN".'
 *   the last of several directives counts: 'Upstream''s manual: the last processed line is used.'
 *   comments and empty lines are skipped: 'The body: "Skip comments and blank lines".'
 *   blanks and line ends around a line do not matter: 'redis.conf; files of Windows end lines with CR LF.'
 *   directives may be in capitals: 'redis.conf; the names are lower case in the table.'
 *   values may be quoted: 'redis.conf: "using quotes"; sdssplitargs.'
 *   directives with several arguments take all: 'redis.conf: save <seconds> <changes> [...].'
 *   their arguments may be one in quotes: '"So that we can support something like --config arg1 arg2 arg3".'
 *   their argument may be empty: '"otherwise something like --save will fail".'
 *   several save lines add up: 'redis.conf: save; "only needed to support the deprecated abnormal aggregate save T C".'
 *   after the file CONFIG SET save replaces: 'The comment at reading_config_file.'
 *   a wrong number of arguments ends the server: 'Upstream''s test: "wrong number of arguments" on startup.'
 *   a value that is not valid ends the server: 'The body: interface.set tells the error.'
 *   quotes that are not closed end the server: 'sdssplitargs: NULL.'
 *   a directive that is not known ends the server: 'Upstream''s manual: a bad directive is fatal.'
 *   the line at fault is shown: 'Upstream''s tests match the name of the directive on stderr.'
 *   deprecated directives are skipped: 'Upstream''s test: "config during loading"; deprecatedConfig.'
 *   deprecated directives have arguments too: 'deprecatedConfig: argc_min and argc_max.'
 *   included files are read: 'redis.conf: include /path/to/local.conf.'
 *   lines after an include go before it: 'redis.conf: "include at the end" to override.'
 *   a command can be renamed: 'redis.conf: rename-command CONFIG b840.'
 *   a command can be removed: 'redis.conf: "renaming it into an empty string".'
 *   renaming what is not there or to what is there ends the server: 'The body sets an error.'
 *   users are kept for loading: 'redis.conf: user; ACLAppendUserForLoading.'
 *   a user with a wrong rule ends the server: 'ACLAppendUserForLoading: C_ERR.'
 *   modules are queued with their arguments: 'redis.conf: loadmodule /path/to/my_module.so; queueLoadModule.'
 *   directives of modules are queued: 'server.h: module_configs_queue.'
 *   a directive of a module needs a value: 'The body: argc < 2.'
 *   sentinel directives are for sentinels: 'The body: server.sentinel_mode.'
 *   a log file that cannot be opened ends the server: '"The server will not be able to abort just for this problem later".'
 *   a cluster has no replicaof: 'redis.conf: "replicaof not allowed in cluster mode".'
 *   a cluster has one database: '"in case cluster mode is enabled dbnum must be 1".'
 *   hz is kept in its limits: '"To ensure backward compatibility and work while hz is out of range".'
 *   nothing is left behind: 'The lines and words serve this call alone.'
 ---*/
#include "start.h"
#include "../testhelp.h"
#include <sys/wait.h>

void loadServerConfigFromString(char *config);
extern list *UsersToLoad;

static char printed[4000];

static void load(const char *text) {
    char *copy = strdup(text);
    loadServerConfigFromString(copy);
    free(copy);
}

/* The status with which a process ends that loads this, 0 if it goes on; what it prints. */
static int ends(const char *text) {
    FILE *f = tmpfile();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        dup2(fileno(f),2);
        load(text);
        _exit(0);
    }
    int status = 0;
    waitpid(child,&status,0);
    rewind(f);
    printed[fread(printed,1,sizeof(printed)-1,f)] = '\0';
    fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static struct redisCommand *command(const char *name) {
    sds s = sdsnew(name);
    struct redisCommand *cmd = lookupCommandBySds(s);
    sdsfree(s);
    return cmd;
}

int main(void) {
    char dir[] = "/tmp/plus.XXXXXX", path[200], text[1000];
    startRedis();
    if (!mkdtemp(dir)) return 1;
    load("timeout 77");
    test_cond("a directive sets its value", server.maxidletime == 77);
    load("timeout 1\ntcp-keepalive 5\ntimeout 2\n");
    test_cond("the last of several directives counts", server.maxidletime == 2 && server.tcpkeepalive == 5);
    load("# a comment\n\n   \n\t# another 'comment\ntimeout 3\n#timeout 4\n");
    test_cond("comments and empty lines are skipped", server.maxidletime == 3);
    load("  \ttimeout   5  \r\n\ttcp-keepalive\t6\r\n");
    test_cond("blanks and line ends around a line do not matter", server.maxidletime == 5 && server.tcpkeepalive == 6);
    load("TimeOut 8");
    test_cond("directives may be in capitals", server.maxidletime == 8);
    load("requirepass \"a b\\x41\"\npidfile 'my file'\n");
    test_cond("values may be quoted", server.requirepass && !strcmp(server.requirepass,"a bA") &&
              !strcmp(server.pidfile,"my file"));
    load("save 10 20\nsave 30 40\n");
    test_cond("several save lines add up", server.saveparamslen == 2 && server.saveparams[0].seconds == 10 &&
              server.saveparams[1].seconds == 30 && server.saveparams[1].changes == 40);
    load("save \"\"");
    test_cond("their argument may be empty", server.saveparamslen == 0);
    load("save 1 2 3 4");
    int all = server.saveparamslen == 2 && server.saveparams[1].seconds == 3;
    load("client-output-buffer-limit pubsub 100 50 7");
    test_cond("directives with several arguments take all", all &&
              server.client_obuf_limits[CLIENT_TYPE_PUBSUB].hard_limit_bytes == 100 &&
              server.client_obuf_limits[CLIENT_TYPE_PUBSUB].soft_limit_seconds == 7);
    load("save \"\"\nsave \"5 6 7 8\"");
    test_cond("their arguments may be one in quotes", server.saveparamslen == 2 && server.saveparams[0].seconds == 5 &&
              server.saveparams[1].changes == 8);
    client *c = fakeClient();
    const char *words[] = {"config","set","save","9 10"};
    setArguments(c,4,words);
    c->cmd->proc(c);
    test_cond("after the file CONFIG SET save replaces", replied(c,"+OK\r\n") && server.saveparamslen == 1 &&
              server.saveparams[0].seconds == 9);

    test_cond("a wrong number of arguments ends the server", ends("timeout") == 1 && ends("timeout 1 2") == 1);
    test_cond("a value that is not valid ends the server", ends("timeout none") == 1 && ends("databases 0") == 1 &&
              ends("save 1") == 1 && ends("save \"1\"") == 1);
    test_cond("quotes that are not closed end the server", ends("requirepass \"abc") == 1);
    test_cond("a directive that is not known ends the server", ends("nonsense yes") == 1 && ends("include") == 1 &&
              ends("rename-command get") == 1 && ends("user") == 1 && ends("loadmodule") == 1);
    ends("timeout 1\n\nport\ntimeout 2\n");
    test_cond("the line at fault is shown", strstr(printed,"'port'") && strchr(printed,'3') &&
              strstr(printed,"wrong number of arguments"));
    test_cond("deprecated directives are skipped", ends("lua-replicate-commands yes\nlist-max-ziplist-entries 5\n"
              "list-max-ziplist-value 6") == 0);
    load("lua-replicate-commands yes\ntimeout 9");
    test_cond("deprecated directives have arguments too", server.maxidletime == 9 && ends("lua-replicate-commands") == 1 &&
              ends("lua-replicate-commands yes no") == 1);

    snprintf(path,sizeof(path),"%s/more.conf",dir);
    FILE *f = fopen(path,"w");
    fputs("timeout 100\ntcp-keepalive 200\n",f);
    fclose(f);
    snprintf(text,sizeof(text),"timeout 1\ninclude %s\n",path);
    load(text);
    test_cond("included files are read", server.maxidletime == 100 && server.tcpkeepalive == 200);
    snprintf(text,sizeof(text),"INCLUDE %s\ntimeout 1\n",path);
    load(text);
    test_cond("lines after an include go before it", server.maxidletime == 1 && server.tcpkeepalive == 200);
    struct redisCommand *get = command("get");
    load("rename-command GET fetch");
    test_cond("a command can be renamed", !command("get") && command("fetch") == get);
    load("rename-command set \"\"");
    test_cond("a command can be removed", !command("set") && command("fetch") && !dictFind(server.commands,sdsempty()));
    test_cond("renaming what is not there or to what is there ends the server", ends("rename-command none x") == 1 &&
              ends("rename-command del mget") == 1 && ends("rename-command del x") == 0);
    load("user alice on +fetch ~*\nuser bob off");
    listNode *ln = listIndex(UsersToLoad,0);
    sds *alice = ln ? listNodeValue(ln) : NULL;
    test_cond("users are kept for loading", listLength(UsersToLoad) == 2 && alice && !strcmp(alice[0],"alice") &&
              !strcmp(alice[3],"~*"));
    test_cond("a user with a wrong rule ends the server", ends("user carol nonsense") == 1 && ends("user alice on") == 1 &&
              ends("user carol on") == 0);
    load("loadmodule /some/module.so first 'second one'\nloadmodule /other.so");
    ln = listIndex(server.loadmodule_queue,0);
    struct moduleLoadQueueEntry *m = ln ? listNodeValue(ln) : NULL;
    test_cond("modules are queued with their arguments", listLength(server.loadmodule_queue) == 2 && m &&
              !strcmp(m->path,"/some/module.so") && m->argc == 2 && !strcmp(m->argv[1]->ptr,"second one"));
    load("mod.name one\nmod.list a b c\nmod.name two");
    sds name = sdsnew("mod.name"), names = sdsnew("mod.list");
    test_cond("directives of modules are queued", dictSize(server.module_configs_queue) == 2 &&
              !strcmp(dictFetchValue(server.module_configs_queue,name),"two") &&
              !strcmp(dictFetchValue(server.module_configs_queue,names),"a b c"));
    test_cond("a directive of a module needs a value", ends("mod.name") == 1);
    int none = ends("sentinel monitor m 127.0.0.1 1 2") == 1 && ends("sentinel") == 0;
    server.sentinel_mode = 1;
    load("sentinel monitor m 127.0.0.1 1 2");
    test_cond("sentinel directives are for sentinels", none && server.sentinel_config &&
              listLength(server.sentinel_config->monitor_cfg) == 1);
    server.sentinel_mode = 0;
    snprintf(text,sizeof(text),"logfile %s/none/log",dir);
    int closed = ends(text) == 1;
    snprintf(text,sizeof(text),"logfile %s/log",dir);
    test_cond("a log file that cannot be opened ends the server", closed && ends(text) == 0);
    test_cond("a cluster has no replicaof", ends("cluster-enabled yes\nreplicaof 127.0.0.1 1") == 1 &&
              ends("replicaof 127.0.0.1 1") == 0 && ends("cluster-enabled yes") == 0);
    load("hz 100000");
    int high = server.config_hz == CONFIG_MAX_HZ;
    load("hz 0");
    int low = server.config_hz == CONFIG_MIN_HZ;
    load("hz 50");
    test_cond("hz is kept in its limits", high && low && server.config_hz == 50);
    const char *many = "timeout 5\n\n# c\nrequirepass \"x y\"\nsave \"\"\nsave \"1 2\"\nlua-replicate-commands yes\nmod.name zwei\n";
    load(many), load(many);
    size_t before = zmalloc_used_memory();
    int fd = open("/dev/null",O_RDONLY);
    close(fd);
    for (int j = 0; j < 20; j++) load(many);
    int next = open("/dev/null",O_RDONLY);
    test_cond("nothing is left behind", zmalloc_used_memory() == before && next == fd);
    int dbnum = server.dbnum;
    load("cluster-enabled yes");
    test_cond("a cluster has one database", dbnum == 16 && server.dbnum == 1);
    snprintf(text,sizeof(text),"%s/log",dir);
    unlink(text), unlink(path), rmdir(dir);
    test_report();
    return 0;
}
