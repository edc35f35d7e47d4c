/*---
 * tasks: [cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   each argument is put into its place: 'Signature: arguments, result; cli_commands.h: args, "An array of the command arguments".'
 *   a single argument is taken: 'Signature: arguments.'
 *   the last argument is taken: 'Callers set numargs to the number of elements.'
 *   without arguments nothing is written: 'Callers hand over room for as many as there are.'
 *   what is behind the last is left alone: 'Callers hand over room for as many as there are.'
 *   nested arguments are taken: 'Caller cliAddCommandDocArg: subargs.'
 *   the fields of each are taken: 'cliAddCommandDocArg; commands/command-docs.'
 *   many arguments are taken: 'commands/command-docs: SORT, XREADGROUP and others.'
 *   the arguments outlive the reply: 'cliInitHelp frees it and keeps the entries.'
 ---*/
#include "clihelp.h"
struct commandDocs cliCommandTable[1];

static cliCommandArg args[40];

static void make(const char *text) {
    memset(args,0,sizeof(args));
    redisReply *r = reply(text);
    cliMakeCommandDocArgs(r,args);
    freeReplyObject(r);
}

int main(void) {
    make("[['name''a''type''key']['name''b''type''integer''flags'[(optional)]]['name''c''type''string''token''T']]");
    test_cond("each argument is put into its place", same(args[0].name,"a") && same(args[1].name,"b") && same(args[2].name,"c"));
    test_cond("the last argument is taken", same(args[2].name,"c") && same(args[2].token,"T"));
    test_cond("the fields of each are taken", args[0].type == ARG_TYPE_KEY && args[1].type == ARG_TYPE_INTEGER &&
              args[1].flags == CMD_ARG_OPTIONAL && args[0].flags == 0 && args[2].type == ARG_TYPE_STRING && !args[1].token);
    test_cond("what is behind the last is left alone", !args[3].name && !args[3].type && !args[4].name);
    make("[{'name''only''type''double'}]");
    test_cond("a single argument is taken", same(args[0].name,"only") && args[0].type == ARG_TYPE_DOUBLE && !args[1].name);
    make("[]");
    test_cond("without arguments nothing is written", !args[0].name && !args[0].subargs && !args[0].numsubargs);
    make("[['name''x''type''key']['name''one''type''oneof''arguments'[['name''p''type''string']['name''q''type''block'"
         "'arguments'[['name''r''type''integer']]]]]['name''y''type''key']]");
    test_cond("nested arguments are taken", args[1].numsubargs == 2 && same(args[1].subargs[0].name,"p") &&
              same(args[1].subargs[1].name,"q") && args[1].subargs[1].numsubargs == 1 &&
              same(args[1].subargs[1].subargs[0].name,"r") && same(args[2].name,"y"));
    sds many = sdsnew("[");
    for (int j = 0; j < 30; j++) many = sdscatprintf(many,"['name''n%d''type''key']",j);
    many = sdscat(many,"]");
    make(many);
    int right = !args[30].name;
    for (int j = 0; j < 30; j++) {
        char name[8];
        sprintf(name,"n%d",j);
        if (!same(args[j].name,name)) right = 0;
    }
    test_cond("many arguments are taken", right);
    memset(args,0,sizeof(args));
    redisReply *r = reply("[['name''first''type''key''token''TOK']]");
    cliMakeCommandDocArgs(r,args);
    for (size_t j = 0; j < 6; j++) memset(r->element[0]->element[j]->str,'#',r->element[0]->element[j]->len);
    test_cond("the arguments outlive the reply", same(args[0].name,"first") && same(args[0].token,"TOK"));
    test_report();
    return 0;
}
