/*---
 * tasks: [cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   a command is one word in capitals: 'Comment: "Fill in the fields of a help entry for the command/subcommand name".'
 *   a subcommand is the second word: 'Comment: "the command/subcommand name".'
 *   the full name has one space between the words: 'redis-cli.c: HELP and the hints compare with full.'
 *   what stands before the pipe is dropped: 'Comment: "Subcommand name may be two words separated by a pipe character".'
 *   a subcommand without a pipe is taken whole: 'Comment: "may be"; the static table has bare names.'
 *   names with dashes stay: 'commands/command-docs: client|no-evict.'
 *   the entry is one of a command: 'redis-cli.c: CLI_HELP_COMMAND.'
 *   the description bears the full name: 'cli_commands.h: name; cliOutputCommandHelp prints it.'
 *   there are no arguments yet: 'Callers fill them in only where the command has any.'
 *   what the entry held before does not matter: 'Callers hand over memory from zmalloc.'
 *   the names are copies: 'Callers free the reply and keep the entry.'
 *   the names handed over stay as they are: 'Callers use them again for the next subcommand.'
 *   HELP finds the entry by its words: 'cliOutputHelp compares argv.'
 ---*/
#include "clihelp.h"
struct commandDocs cliCommandTable[1];

static helpEntry e;
static char command[50], sub[50];

static void fill(const char *name, const char *subname) {
    memset(&e,0x77,sizeof(e));
    strcpy(command,name);
    if (subname) strcpy(sub,subname);
    cliFillInCommandHelpEntry(&e,command,subname ? sub : NULL);
}

int main(void) {
    fill("get",NULL);
    test_cond("a command is one word in capitals", e.argc == 1 && same(e.argv[0],"GET") && same(e.full,"GET"));
    test_cond("the entry is one of a command", e.type == CLI_HELP_COMMAND);
    test_cond("there are no arguments yet", e.docs.args == NULL && e.docs.numargs == 0 && e.docs.params == NULL);
    test_cond("what the entry held before does not matter", e.docs.args == NULL && e.docs.since == NULL &&
              same(e.docs.name,"GET"));
    fill("config","config|get");
    test_cond("a subcommand is the second word", e.argc == 2 && same(e.argv[0],"CONFIG") && same(e.argv[1],"GET"));
    test_cond("the full name has one space between the words", same(e.full,"CONFIG GET"));
    test_cond("what stands before the pipe is dropped", e.argc == 2 && same(e.argv[1],"GET") && sdslen(e.argv[1]) == 3);
    test_cond("the description bears the full name", same(e.docs.name,"CONFIG GET"));
    test_cond("the names handed over stay as they are", same(command,"config") && same(sub,"config|get"));
    memset(command,'#',6);
    memset(sub,'#',10);
    test_cond("the names are copies", same(e.argv[0],"CONFIG") && same(e.argv[1],"GET") && same(e.full,"CONFIG GET"));
    fill("ACL","cat");
    int sub2 = e.argc == 2 && same(e.argv[1],"CAT") && same(e.full,"ACL CAT") && e.type == CLI_HELP_COMMAND;
    test_cond("a subcommand without a pipe is taken whole", sub2 && e.docs.args == NULL && e.docs.since == NULL);
    fill("client","client|no-evict");
    test_cond("names with dashes stay", same(e.full,"CLIENT NO-EVICT") && same(e.argv[1],"NO-EVICT"));
    e.docs.summary = "Found.";
    e.docs.group = "connection";
    e.docs.params = "";
    helpEntries = &e;
    helpEntriesLen = 1;
    fflush(stdout);
    int out = dup(1);
    FILE *f = tmpfile();
    dup2(fileno(f),1);
    char *argv[] = {"client","no-EVICT"};
    cliOutputHelp(2,argv);
    fflush(stdout);
    dup2(out,1);
    rewind(f);
    char text[500] = "";
    text[fread(text,1,sizeof(text)-1,f)] = '\0';
    test_cond("HELP finds the entry by its words", strstr(text,"CLIENT NO-EVICT") && strstr(text,"Found."));
    test_report();
    return 0;
}
