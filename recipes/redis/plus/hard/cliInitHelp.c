/*---
 * tasks: [cliInitHelp-c3164f.4, cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   the server is asked by COMMAND DOCS: 'Comment: "obtained using the COMMAND DOCS command".'
 *   nothing else is asked when it answers: 'Comment: "obtained using the COMMAND DOCS command".'
 *   each command and subcommand has an entry: 'Comment: "sets up the helpEntries array with the command and group names".'
 *   each group has an entry: 'Comment: "command and group names".'
 *   an entry has the description of its command: 'Comment: "and command descriptions".'
 *   the number of entries is that of commands and groups: 'redis-cli.c: helpEntriesLen.'
 *   the entries are in the order of their names: 'helpEntryCompare: "Comparator for sorting help table entries".'
 *   the static table is not used when the server answers: 'Comment: COMMAND DOCS; "instead" only where it fails.'
 *   replies of RESP3 are understood: 'redis-cli -3: the reply is a map.'
 *   nothing but the entries is left: 'The reply and the set of groups serve this call alone.'
 *   without a server help comes from the static table: '"Can not connect to the server, but we still want to provide help".'
 *   without a server nothing is printed: 'cliConnect(CC_QUIET).'
 *   an old server gets help from the static table: '"New COMMAND DOCS subcommand not supported - generate help from static".'
 *   an old server gets no help for newer commands: 'cliLegacyInitHelp: cliGetServerVersion.'
 *   commands that only the old server knows are added: 'cliLegacyIntegrateHelp: "integrates the previous entries with additional entries".'
 *   commands that both know have one entry: 'cliLegacyIntegrateHelp: "that don''t already match what we have".'
 *   an old server is asked for its commands: 'cliLegacyIntegrateHelp: "using the COMMAND command".'
 *   a connection that breaks gives help from the static table: 'The body: commandTable == NULL.'
 *   a reply of another kind leaves no entries: 'COMMAND DOCS gives a map or an array.'
 *   HELP finds what was set up: 'Caller cliOutputHelp.'
 ---*/
#include "clihelp.h"

struct commandDocs cliCommandTable[] = {
    {.name = "SET", .summary = "Static set.", .group = "string", .since = "1.0.0"},
    {.name = "APPEND", .summary = "Static append.", .group = "string", .since = "2.0.0"},
    {.name = "FCALL", .summary = "Static call.", .group = "scripting", .since = "7.0.0"}, {0}};

static int pair[2];

/* A server that has these bytes to say and then ends. */
static void serve(const char *bytes, size_t len) {
    if (socketpair(AF_UNIX,SOCK_STREAM,0,pair)) exit(1);
    context = redisConnectFd(pair[0]);
    if (write(pair[1],bytes,len) != (ssize_t)len) exit(1);
    shutdown(pair[1],SHUT_WR);
    helpEntries = NULL;
    helpEntriesLen = 0;
    config.server_version = NULL;
}

static void serveText(const char *text) {
    sds s = resp(text);
    serve(s,sdslen(s));
    sdsfree(s);
}

/* The commands that the server was sent, as one word after another. */
static const char *asked(void) {
    static char got[1000];
    ssize_t n = recv(pair[1],got,sizeof(got)-1,MSG_DONTWAIT);
    got[n > 0 ? n : 0] = '\0';
    return got;
}

static void end(void) {
    if (context) redisFree(context);
    context = NULL;
    close(pair[1]);
}

static char request[4][200];

/* An old server: one reply for each command. */
static void *answer(void *arg) {
    const char *replies[] = {"-ERR unknown subcommand\r\n",
        "$52\r\n# Server\r\nredis_version:5.0.14\r\nredis_git_sha1:0\r\n\r\n\r\n",
        "*2\r\n*6\r\n$3\r\nset\r\n:-3\r\n*0\r\n:1\r\n:1\r\n:1\r\n*6\r\n$6\r\nmodcmd\r\n:2\r\n*0\r\n:1\r\n:1\r\n:1\r\n"};
    UNUSED(arg);
    for (int j = 0; j < 4; j++) {
        if (read(pair[1],request[j],sizeof(request[j])-1) <= 0 || j == 3) break;
        if (write(pair[1],replies[j],strlen(replies[j])) < 0) break;
    }
    return NULL;
}

static int sorted(void) {
    for (int j = 1; j < helpEntriesLen; j++)
        if (!helpEntries[j-1].full || !helpEntries[j].full || strcmp(helpEntries[j-1].full,helpEntries[j].full) > 0) return 0;
    return helpEntries != NULL;
}

#define DOCS "['set'['summary''Sets.''since''1.0.0''group''string''arguments'[['name''key''type''key']]]" \
    "'config'['summary''C.''group''server''subcommands'['config|get'['summary''CG.''group''server']" \
    "'config|set'['summary''CS.''group''server']]]'append'['summary''Appends.''group''string']]"

static void freeEntries(void) {
    for (int j = 0; j < helpEntriesLen; j++) {
        helpEntry *e = &helpEntries[j];
        if (e->type == CLI_HELP_COMMAND) {
            for (int k = 0; k < e->docs.numargs; k++) sdsfree(e->docs.args[k].name);
            zfree(e->docs.args);
            sdsfree(e->docs.summary);
            sdsfree(e->docs.since);
            sdsfree(e->docs.group);
            sdsfree(e->docs.params);
        }
        if (e->full != e->argv[0]) sdsfree(e->full);
        for (int k = 0; k < e->argc; k++) sdsfree(e->argv[k]);
        zfree(e->argv);
    }
    zfree(helpEntries);
    helpEntries = NULL;
}

int main(void) {
    signal(SIGPIPE,SIG_IGN);
    countAll();
    serveText(DOCS);
    cliInitHelp();
    const char *words = asked();
    test_cond("the server is asked by COMMAND DOCS", !strncasecmp(words,"*2\r\n$7\r\nCOMMAND\r\n$4\r\nDOCS\r\n",28));
    test_cond("nothing else is asked when it answers", strlen(words) == strlen("*2\r\n$7\r\nCOMMAND\r\n$4\r\nDOCS\r\n"));
    test_cond("each command and subcommand has an entry", help("SET") && help("CONFIG") && help("CONFIG GET") &&
              help("CONFIG SET") && help("APPEND"));
    test_cond("each group has an entry", help("@string") && help("@server") && help("@string")->type == CLI_HELP_GROUP);
    test_cond("an entry has the description of its command", help("SET") && same(help("SET")->docs.summary,"Sets.") &&
              same(help("SET")->docs.params,"key") && help("CONFIG GET") &&
              same(help("CONFIG GET")->docs.summary,"CG."));
    test_cond("the number of entries is that of commands and groups", helpEntriesLen == 7);
    test_cond("the entries are in the order of their names", sorted());
    test_cond("the static table is not used when the server answers", !help("FCALL") && help("APPEND") &&
              same(help("APPEND")->docs.summary,"Appends."));
    fflush(stdout);
    int out = dup(1);
    FILE *f = tmpfile();
    dup2(fileno(f),1);
    char *argv[] = {"config","get"};
    cliOutputHelp(2,argv);
    fflush(stdout);
    dup2(out,1);
    rewind(f);
    char text[500] = "";
    text[fread(text,1,sizeof(text)-1,f)] = '\0';
    test_cond("HELP finds what was set up", strstr(text,"CONFIG GET") && strstr(text,"CG.") && !strstr(text,"CS."));
    end();
    freeEntries();
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        serveText(DOCS);
        cliInitHelp();
        end();
        freeEntries();
        if (j == 3) before = zmalloc_used_memory();
    }
    test_cond("nothing but the entries is left", zmalloc_used_memory() == before);
    serveText("{'get'{'summary''Gets.''group''string'}'acl'{'summary''A.''group''server''subcommands'{'acl|cat'{'summary''Cat.'"
              "'group''server'}}}}");
    cliInitHelp();
    test_cond("replies of RESP3 are understood", helpEntriesLen == 5 && help("ACL CAT") && help("GET") && help("@server") &&
              sorted());
    end();

    helpEntries = NULL;
    helpEntriesLen = 0;
    config.server_version = NULL;
    context = NULL;
    config.hostsocket = "/dev/null/none";
    fflush(stderr);
    int err = dup(2);
    FILE *g = tmpfile();
    dup2(fileno(g),2);
    cliInitHelp();
    fflush(stderr);
    dup2(err,2);
    test_cond("without a server help comes from the static table", help("SET") && help("APPEND") && help("FCALL") &&
              help("@string") && help("@scripting") && helpEntriesLen == 5 && sorted() &&
              same(help("SET")->docs.summary,"Static set."));
    fseek(g,0,SEEK_END);
    test_cond("without a server nothing is printed", ftell(g) == 0);

    helpEntries = NULL;
    helpEntriesLen = 0;
    config.server_version = NULL;
    if (socketpair(AF_UNIX,SOCK_STREAM,0,pair)) return 1;
    context = redisConnectFd(pair[0]);
    pthread_t thread;
    pthread_create(&thread,NULL,answer,NULL);
    cliInitHelp();
    redisFree(context);
    context = NULL;
    pthread_join(thread,NULL);
    test_cond("an old server gets help from the static table", help("SET") && same(help("SET")->docs.summary,"Static set.") &&
              help("APPEND") && help("@string"));
    test_cond("an old server gets no help for newer commands", help("SET") && !help("FCALL") && !help("@scripting"));
    test_cond("commands that only the old server knows are added", help("MODCMD") && same(help("MODCMD")->docs.params,"key "));
    test_cond("commands that both know have one entry", help("SET") && helpEntriesLen == 4);
    test_cond("an old server is asked for its commands", !strcasecmp(request[2],"*1\r\n$7\r\nCOMMAND\r\n"));
    close(pair[1]);
    serve("",0);
    config.server_version = sdsnew("5.0.14");
    cliInitHelp();
    test_cond("a connection that breaks gives help from the static table", help("SET") &&
              same(help("SET")->docs.summary,"Static set.") && help("@string"));
    end();
    serve("+OK\r\n",5);
    cliInitHelp();
    test_cond("a reply of another kind leaves no entries", helpEntriesLen == 0 && helpEntries == NULL);
    test_report();
    return 0;
}
