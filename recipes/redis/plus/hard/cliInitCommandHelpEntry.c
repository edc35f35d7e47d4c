/*---
 * tasks: [cliInitHelp-c3164f.4, cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   a command takes one entry: 'Comment: "Returns a pointer to the next available position in the help entries table".'
 *   the command is named in capitals: 'cliFillInCommandHelpEntry; redis-cli shows HELP GET.'
 *   the entry is one of a command: 'redis-cli.c: CLI_HELP_COMMAND.'
 *   a subcommand is named after its command: 'Comment: "the command/subcommand described in specs".'
 *   summary and version and group are taken from the specs: 'commands/command-docs: summary, since, group.'
 *   they outlive the reply: 'cliInitHelp frees the reply and keeps the entries.'
 *   the group is added to the set: 'Comment: "groups is a set of command group names to be filled in".'
 *   a group that is known is added once: 'Comment: "a set of command group names".'
 *   a group that is known leaves nothing behind: 'Signature: groups has names of its own.'
 *   arguments are taken from the specs: 'commands/command-docs: arguments.'
 *   the syntax of the arguments is described: 'cli_commands.h: params, "A string describing the syntax of the command arguments".'
 *   the description sees the types and flags: 'makeHint; commands/command-docs: optional, multiple.'
 *   without arguments there are none: 'cli_commands.h: numargs, args.'
 *   each subcommand has an entry of its own: 'Comment: "this is called recursively for the subcommands".'
 *   subcommands count for the next position: 'Comment: "a pointer to the next available position".'
 *   a subcommand has its own description: 'commands/command-docs: subcommands have the same fields.'
 *   the name before the pipe of a subcommand is dropped: 'cliFillInCommandHelpEntry: "separated by a pipe character".'
 *   groups of subcommands are added: 'Comment: groups is to be filled in; called recursively.'
 *   fields behind the subcommands belong to the command: 'commands/command-docs: a map has no order.'
 *   fields that are not known are skipped: 'commands/command-docs: complexity, doc_flags, history.'
 *   replies of RESP3 are understood: 'commands/command-docs: a map; redis-cli -3.'
 *   entries further on are left alone: 'Comment: next available position.'
 ---*/
#include "clihelp.h"
struct commandDocs cliCommandTable[1];

static helpEntry table[12];
static dict *groups;

static helpEntry *init(const char *name, const char *sub, const char *specs) {
    memset(table,0x11,sizeof(table));
    for (int j = 0; j < 12; j++) table[j].full = NULL;
    redisReply *r = reply(specs);
    helpEntry *next = cliInitCommandHelpEntry((char*)name,(char*)sub,table,r,groups);
    freeReplyObject(r);
    return next;
}

static helpEntry *at(const char *full) {
    return entryIn(table,table+12,full);
}

int main(void) {
    countAll();
    groups = groupSet();
    helpEntry *next = init("get",NULL,"['summary''Gets.''since''1.0.0''group''string']");
    test_cond("a command takes one entry", next == table+1);
    test_cond("the command is named in capitals", same(table[0].full,"GET") && table[0].argc == 1 &&
              same(table[0].argv[0],"GET") && same(table[0].docs.name,"GET"));
    test_cond("the entry is one of a command", table[0].type == CLI_HELP_COMMAND);
    int fields = same(table[0].docs.summary,"Gets.") && same(table[0].docs.since,"1.0.0") &&
                 same(table[0].docs.group,"string");
    test_cond("summary and version and group are taken from the specs", fields);
    test_cond("the group is added to the set", dictSize(groups) == 1 && hasGroup(groups,"string"));
    test_cond("without arguments there are none", table[0].docs.numargs == 0 && table[0].docs.args == NULL);
    helpEntry untouched;
    memset(&untouched,0x11,sizeof(untouched));
    test_cond("entries further on are left alone", table[1].full == NULL && table[1].argc == untouched.argc &&
              table[1].type == untouched.type && table[1].argv == untouched.argv);
    init("set",NULL,"['group''string']");
    test_cond("a group that is known is added once", dictSize(groups) == 1);
    char names[3] = "g0";
    redisReply *r = reply("['group''string']");
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 100; j++) {
        cliInitCommandHelpEntry(names,NULL,table,r,groups);
        sdsfree(table[0].docs.group);
        if (table[0].full != table[0].argv[0]) sdsfree(table[0].full);
        sdsfree(table[0].argv[0]);
        zfree(table[0].argv);
    }
    test_cond("a group that is known leaves nothing behind", zmalloc_used_memory() == before);

    r = reply("['group''list''summary''Pushes.''since''6.2.0']");
    cliInitCommandHelpEntry("lpush",NULL,table,r,groups);
    for (size_t j = 0; j < r->elements; j++) memset(r->element[j]->str,'#',r->element[j]->len);
    test_cond("they outlive the reply", same(table[0].docs.summary,"Pushes.") && same(table[0].docs.since,"6.2.0") &&
              same(table[0].docs.group,"list") && hasGroup(groups,"list") && hasGroup(groups,"string"));

    next = init("set",NULL,"['summary''s''group''string''arguments'[['name''key''type''key']"
                           "['name''value''type''string']['name''expire''type''integer''token''EX''flags'[(optional)]]"
                           "['name''word''type''string''flags'[(multiple)]]]]");
    cliCommandArg *args = table[0].docs.args;
    test_cond("arguments are taken from the specs", next == table+1 && table[0].docs.numargs == 4 &&
              same(args[0].name,"key") && same(args[1].name,"value") && same(args[2].token,"EX") &&
              same(args[3].name,"word"));
    test_cond("the description sees the types and flags", same(table[0].docs.params,"key value [EX expire] word [word ...]"));
    init("get",NULL,"['arguments'[['name''key''type''key']]'summary''s''group''string']");
    test_cond("the syntax of the arguments is described", same(table[0].docs.params,"key") && table[0].docs.numargs == 1);

    next = init("config","get","['summary''Gets one.''group''server']");
    test_cond("a subcommand is named after its command", next == table+1 && same(table[0].full,"CONFIG GET") &&
              table[0].argc == 2 && same(table[0].argv[0],"CONFIG") && same(table[0].argv[1],"GET"));
    next = init("config",NULL,"['summary''Container.''group''server''subcommands'["
        "'config|get'['summary''Gets.''since''2.0.0''group''server''arguments'[['name''parameter''type''string']]]"
        "'config|set'['summary''Sets.''since''2.0.1''group''other']]'since''2.0.2']");
    helpEntry *config_ = at("CONFIG"), *get = at("CONFIG GET"), *set = at("CONFIG SET");
    test_cond("each subcommand has an entry of its own", config_ && get && set);
    test_cond("subcommands count for the next position", next == table+3);
    test_cond("a subcommand has its own description", get && set && same(get->docs.summary,"Gets.") &&
              same(get->docs.since,"2.0.0") && same(get->docs.params,"parameter") && same(set->docs.summary,"Sets.") &&
              set->docs.numargs == 0 && config_ && config_->docs.numargs == 0 && get->type == CLI_HELP_COMMAND);
    test_cond("the name before the pipe of a subcommand is dropped", get && get->argc == 2 && same(get->argv[0],"CONFIG") &&
              same(get->argv[1],"GET") && same(set->argv[1],"SET"));
    test_cond("groups of subcommands are added", hasGroup(groups,"other") && hasGroup(groups,"server"));
    test_cond("fields behind the subcommands belong to the command", config_ && same(config_->docs.summary,"Container.") &&
              same(config_->docs.since,"2.0.2") && same(config_->docs.group,"server"));
    next = init("get",NULL,"['complexity''O(1)''summary''S''doc_flags'[(deprecated)]'history'[['6''x']]'group''string']");
    test_cond("fields that are not known are skipped", next == table+1 && same(table[0].docs.summary,"S") &&
              same(table[0].docs.group,"string"));
    next = init("acl",NULL,"{'summary''Three.''group''three''subcommands'{'acl|cat'{'summary''Cat.''group''four''arguments'"
                           "[{'name''category''type''string''flags'<(optional)>}]}}}");
    helpEntry *cat = at("ACL CAT");
    test_cond("replies of RESP3 are understood", next == table+2 && cat && same(cat->docs.summary,"Cat.") &&
              same(cat->docs.params,"[category]") && hasGroup(groups,"three") && hasGroup(groups,"four") &&
              at("ACL") && same(at("ACL")->docs.summary,"Three."));
    test_report();
    return 0;
}
