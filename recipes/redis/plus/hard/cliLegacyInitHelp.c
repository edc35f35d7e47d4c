/*---
 * tasks: [cliInitHelp-c3164f.4, cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   each command of the static table has an entry: 'Comment: "Scan the commandDocs array and fill in the entries".'
 *   subcommands have entries as well: 'cliLegacyCountCommands: "commands and subcommands in the command docs table".'
 *   each group has an entry: 'cliInitGroupHelpEntries: "new entries for the command groups".'
 *   a group that several commands share has one entry: 'Signature: groups is a set.'
 *   the number of entries is that of commands and groups: 'redis-cli.c: helpEntriesLen.'
 *   the entries are in the order of their names: 'helpEntryCompare: "Comparator for sorting help table entries".'
 *   an entry has the description of its command: 'cli_commands.h: commandDocs.'
 *   the syntax of the arguments is described: 'cli_commands.h: params.'
 *   the set of groups is released: 'Caller cliInitHelp creates it and leaves it to this function.'
 *   without a version nothing is left out: 'cliLegacyCountCommands: "filtered by server version (if provided)".'
 *   commands newer than the server are left out: 'cliLegacyCountCommands: "filtered by server version".'
 *   commands as old as the server stay: 'versionIsSupported: only available "since" some version.'
 *   subcommands newer than the server are left out: 'cliLegacyCountCommands: "commands and subcommands [...] filtered".'
 *   arguments newer than the server are left out: 'removeUnsupportedArgs.'
 *   groups of newer commands alone are left out: 'cliLegacyInitCommandHelpEntry fills in the groups.'
 *   the version is asked of the server: 'cliGetServerVersion: "by calling INFO SERVER".'
 *   a table without commands gives no entries: 'Comment: "Scan the commandDocs array".'
 ---*/
#include "clihelp.h"

static cliCommandArg getArgs[2] = {{.name = "key", .type = ARG_TYPE_KEY}};
static cliCommandArg setArgs[3];
static const cliCommandArg setArgsAtFirst[3] = {{.name = "key", .type = ARG_TYPE_KEY},
                                   {.name = "seconds", .token = "EX", .type = ARG_TYPE_INTEGER, .since = "6.2.0",
                                    .flags = CMD_ARG_OPTIONAL}};
static struct commandDocs aclSub[] = {
    {.name = "cat", .summary = "Cats.", .group = "server", .since = "6.0.0"},
    {.name = "dryrun", .summary = "Dry.", .group = "server", .since = "7.0.0"}, {0}};
struct commandDocs cliCommandTable[8] = {
    {.name = "SET", .summary = "Sets.", .group = "string", .since = "1.0.0", .numargs = 2, .args = setArgs},
    {.name = "ACL", .summary = "Acl.", .group = "server", .since = "6.0.0", .subcommands = aclSub},
    {.name = "GET", .summary = "Gets.", .group = "string", .since = "1.0.0", .numargs = 1, .args = getArgs},
    {.name = "FCALL", .summary = "Calls.", .group = "scripting", .since = "7.0.0"}, {0}};

static int sorted(void) {
    for (int j = 1; j < helpEntriesLen; j++)
        if (!helpEntries[j-1].full || !helpEntries[j].full || strcmp(helpEntries[j-1].full,helpEntries[j].full) > 0) return 0;
    return helpEntries != NULL;
}

static void init(const char *version) {
    memcpy(setArgs,setArgsAtFirst,sizeof(setArgs));
    helpEntries = NULL;
    helpEntriesLen = 0;
    config.server_version = version ? sdsnew(version) : NULL;
    groupsFreed = 0;
    cliLegacyInitHelp(groupSet());
}

int main(void) {
    context = NULL;
    init(NULL);
    test_cond("each command of the static table has an entry", help("SET") && help("ACL") && help("GET") && help("FCALL"));
    test_cond("subcommands have entries as well", help("ACL CAT") && help("ACL DRYRUN"));
    helpEntry *group = help("@string");
    test_cond("each group has an entry", group && group->type == CLI_HELP_GROUP && help("@server") && help("@scripting"));
    test_cond("a group that several commands share has one entry", help("@string") && help("@server"));
    test_cond("the number of entries is that of commands and groups", helpEntriesLen == 9);
    test_cond("the entries are in the order of their names", sorted());
    helpEntry *get = help("GET"), *dry = help("ACL DRYRUN"), *set = help("SET");
    test_cond("an entry has the description of its command", get && same(get->docs.summary,"Gets.") &&
              same(get->docs.since,"1.0.0") && same(get->docs.group,"string") && get->type == CLI_HELP_COMMAND && dry &&
              same(dry->docs.summary,"Dry.") && dry->argc == 2);
    test_cond("the syntax of the arguments is described", get && same(get->docs.params,"key") && set &&
              same(set->docs.params,"key [EX seconds]"));
    test_cond("without a version nothing is left out", helpEntriesLen == 9 && dry);
    test_cond("the set of groups is released", groupsFreed == 3);

    init("6.2.5");
    test_cond("commands newer than the server are left out", !help("FCALL") && help("GET") && help("ACL"));
    test_cond("subcommands newer than the server are left out", !help("ACL DRYRUN") && help("ACL CAT"));
    test_cond("groups of newer commands alone are left out", !help("@scripting") && help("@server") && help("@string") &&
              helpEntriesLen == 6 && sorted() && groupsFreed == 2);
    set = help("SET");
    int kept = set && same(set->docs.params,"key [EX seconds]");
    init("6.0.16");
    int acl = help("ACL") != NULL && help("ACL CAT") != NULL;
    set = help("SET");
    test_cond("arguments newer than the server are left out", kept && set && same(set->docs.params,"key") &&
              set->docs.numargs == 1);
    int old = helpEntriesLen;
    init("1.0.1");
    test_cond("commands as old as the server stay", acl && old == 6 && help("GET") && help("SET") && !help("ACL") &&
              !help("ACL CAT") && helpEntriesLen == 3 && help("@string"));

    int pair[2];
    if (socketpair(AF_UNIX,SOCK_STREAM,0,pair)) return 1;
    context = redisConnectFd(pair[0]);
    const char *info = "$52\r\n# Server\r\nredis_version:5.0.14\r\nredis_git_sha1:0\r\n\r\n\r\n";
    if (write(pair[1],info,strlen(info)) < 0) return 1;
    shutdown(pair[1],SHUT_WR);
    init(NULL);
    test_cond("the version is asked of the server", !help("ACL") && help("GET") && helpEntriesLen == 3 &&
              same(config.server_version,"5.0.14"));
    context = NULL;
    memset(cliCommandTable,0,sizeof(cliCommandTable));
    init(NULL);
    test_cond("a table without commands gives no entries", helpEntriesLen == 0);
    test_report();
    return 0;
}
