/*---
 * tasks: [cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   commands are counted: 'Comment: "the total number of commands and subcommands in the command docs table".'
 *   subcommands are counted as well as their command: 'Comment: "commands and subcommands".'
 *   subcommands of several commands add up: 'Comment: "the total number".'
 *   nothing else is counted: 'Comment: commands and subcommands; COMMAND DOCS tells of arguments and history too.'
 *   a command without fields counts: 'Comment: "maps command names to a map of their specs".'
 *   a container without subcommands counts as one: 'Comment: "commands and subcommands".'
 *   an empty table has none: 'Comment: "the total number".'
 *   replies of RESP3 are understood: 'COMMAND DOCS is a map; redis-cli -3.'
 *   the number is that of the entries that are filled in: 'Caller cliInitHelp takes memory for just these.'
 *   the reply stays as it is: 'Caller cliInitHelp reads it afterwards.'
 ---*/
#include "clihelp.h"
struct commandDocs cliCommandTable[1];

static size_t count(const char *text) {
    redisReply *r = reply(text);
    size_t n = cliCountCommands(r);
    freeReplyObject(r);
    return n;
}

int main(void) {
    test_cond("commands are counted", count("['get'['summary''s']]") == 1 &&
              count("['get'['summary''s']'set'['summary''s']'del'['summary''s']]") == 3);
    test_cond("subcommands are counted as well as their command",
              count("['config'['summary''s''subcommands'['config|get'['summary''s']'config|set'['summary''s']]]]") == 3);
    const char *all = "['config'['summary''s''group''x''subcommands'['config|get'['summary''s''group''x']]'since''1']"
        "'get'['group''x']'acl'['subcommands'['acl|cat'['group''x']'acl|list'['group''x']'acl|save'['group''x']]]'set'['group''x']]";
    test_cond("subcommands of several commands add up", count(all) == 8);
    test_cond("nothing else is counted", count("['get'['summary''s''arguments'[['name''a']['b''c']['d''e']]'history'"
              "[['1''2']['3''4']]'doc_flags'[(deprecated)]]]") == 1);
    test_cond("a command without fields counts", count("['get'[]'set'[]]") == 2);
    test_cond("a container without subcommands counts as one", count("['config'['subcommands'[]]]") == 1);
    test_cond("an empty table has none", count("[]") == 0 && count("{}") == 0);
    test_cond("replies of RESP3 are understood", count("{'config'{'summary''s''subcommands'{'config|get'{'group''x'}"
              "'config|set'{'group''x'}}}'get'{'group''x'}}") == 4);
    redisReply *r = reply(all);
    helpEntries = zcalloc(20*sizeof(helpEntry));
    dict *groups = groupSet();
    size_t n = cliCountCommands(r);
    cliInitCommandHelpEntries(r,groups);
    size_t filled = 0;
    for (int j = 0; j < 20; j++) filled += helpEntries[j].full != NULL;
    test_cond("the number is that of the entries that are filled in", n == filled);
    test_cond("the reply stays as it is", cliCountCommands(r) == 8 && r->elements == 8 &&
              same(r->element[0]->str,"config") && r->element[1]->elements == 8);
    test_report();
    return 0;
}
