/*---
 * tasks: [cliInitHelp-c3164f.4, cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   each command has an entry: 'Comment: "Initializes help entries for all commands in the COMMAND DOCS reply".'
 *   each has its own description: 'Comment: "help entries for all commands".'
 *   the entries fill the table from its start: 'Caller cliInitHelp: the table has room for just these.'
 *   names in the reply are those of the commands: 'Comment: COMMAND DOCS reply; commands/command-docs.'
 *   subcommands have entries as well: 'Comment of cliInitCommandHelpEntry: "called recursively for the subcommands".'
 *   a command after one with subcommands has its own entry: 'cliInitCommandHelpEntry returns "the next available position".'
 *   all groups are gathered: 'Signature: groups; cliInitGroupHelpEntries adds an entry for each.'
 *   groups that are there stay: 'Signature: groups is a set that is filled in.'
 *   a single command is enough: 'Comment: "all commands".'
 *   a reply without commands changes nothing: 'Comment: "all commands".'
 *   replies of RESP3 are understood: 'The body of cliInitHelp takes a map or an array.'
 *   the length of the table is left alone: 'Callers: cliInitHelp has set helpEntriesLen before.'
 *   what is behind the entries is left alone: 'Caller cliInitHelp: the table has room for just these.'
 *   the reply may be freed: 'Caller cliInitHelp frees it and keeps the entries.'
 ---*/
#include "clihelp.h"
struct commandDocs cliCommandTable[1];

static helpEntry table[12];
static dict *groups;

static void init(const char *text, int len) {
    memset(table,0,sizeof(table));
    helpEntries = table;
    helpEntriesLen = len;
    redisReply *r = reply(text);
    cliInitCommandHelpEntries(r,groups);
    freeReplyObject(r);
}

static int filled(void) {
    int n = 0;
    for (int j = 0; j < 12; j++) n += table[j].full != NULL;
    return n;
}

static helpEntry *at(const char *full) {
    return entryIn(table,table+12,full);
}

int main(void) {
    groups = groupSet();
    init("['get'['summary''Gets.''group''string']'lpush'['summary''Pushes.''group''list']'sadd'['summary''Adds.''group''set']]",3);
    test_cond("each command has an entry", at("GET") && at("LPUSH") && at("SADD"));
    test_cond("each has its own description", at("GET") && same(at("GET")->docs.summary,"Gets.") && at("LPUSH") &&
              same(at("LPUSH")->docs.summary,"Pushes.") && at("SADD") && same(at("SADD")->docs.summary,"Adds.") &&
              same(at("SADD")->docs.group,"set"));
    test_cond("the entries fill the table from its start", filled() == 3 && table[0].full && table[1].full && table[2].full);
    test_cond("names in the reply are those of the commands", at("GET") && at("GET")->argc == 1 &&
              same(at("GET")->argv[0],"GET") && at("GET")->type == CLI_HELP_COMMAND && !at("SUMMARY"));
    test_cond("all groups are gathered", dictSize(groups) == 3 && hasGroup(groups,"string") && hasGroup(groups,"list") &&
              hasGroup(groups,"set"));
    test_cond("the length of the table is left alone", helpEntriesLen == 3 && helpEntries == table);
    test_cond("what is behind the entries is left alone", !table[3].full && !table[3].argv && !table[3].type);
    init("['config'['summary''C.''group''server''subcommands'['config|get'['summary''CG.''group''server']"
         "'config|set'['summary''CS.''group''server']]]'get'['summary''G.''group''string']'acl'['summary''A.''group''server'"
         "'subcommands'['acl|cat'['summary''AC.''group''server']]]'ping'['summary''P.''group''connection']]",7);
    test_cond("subcommands have entries as well", at("CONFIG GET") && at("CONFIG SET") && at("ACL CAT") &&
              same(at("ACL CAT")->docs.summary,"AC."));
    test_cond("a command after one with subcommands has its own entry", filled() == 7 && at("GET") && at("PING") &&
              at("CONFIG") && at("ACL") && same(at("GET")->docs.summary,"G.") && same(at("PING")->docs.summary,"P.") &&
              same(at("CONFIG")->docs.summary,"C.") && !table[7].full);
    test_cond("groups that are there stay", dictSize(groups) == 5 && hasGroup(groups,"list") &&
              hasGroup(groups,"connection") && hasGroup(groups,"server"));
    init("['only'['summary''O.''group''x']]",1);
    test_cond("a single command is enough", filled() == 1 && same(table[0].full,"ONLY") && same(table[0].docs.summary,"O."));
    unsigned long size = dictSize(groups);
    init("[]",0);
    test_cond("a reply without commands changes nothing", filled() == 0 && dictSize(groups) == size && helpEntriesLen == 0);
    init("{'get'{'summary''Gets.''group''string'}'acl'{'summary''A.''group''three''subcommands'{'acl|cat'{'summary''Cat.'"
         "'group''three'}}}'mget'['summary''M.''group''string']}",4);
    test_cond("replies of RESP3 are understood", filled() == 4 && at("ACL CAT") && at("GET") && at("MGET") && at("ACL") &&
              hasGroup(groups,"three"));
    redisReply *r = reply("['get'['summary''Gets.''group''string']]");
    memset(table,0,sizeof(table));
    cliInitCommandHelpEntries(r,groups);
    memset(r->element[0]->str,'#',3);
    memset(r->element[1]->element[1]->str,'#',5);
    test_cond("the reply may be freed", same(table[0].full,"GET") && same(table[0].docs.summary,"Gets."));
    test_report();
    return 0;
}
