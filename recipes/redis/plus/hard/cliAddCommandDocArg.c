/*---
 * tasks: [cliInitHelp-c3164f.8]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   name and token and text to display are taken: 'cli_commands.h: cliCommandArg; commands/command-docs.'
 *   each of them stands for itself: 'cli_commands.h: name, token, display_text.'
 *   each type is known: 'commands.h: redisCommandArgType; commands/command-docs: "type".'
 *   a type that is not known leaves the type: 'commands/command-docs; newer servers may have others.'
 *   each flag is known: 'commands/command-docs: optional, multiple, multiple_token.'
 *   flags add up: 'commands/command-docs: flags is a set.'
 *   flags that are not known are skipped: 'commands/command-docs; newer servers may have others.'
 *   without flags there are none: 'commands.h: CMD_ARG_NONE.'
 *   nested arguments are taken: 'commands/command-docs: arguments of oneof and block.'
 *   arguments are nested deeply: 'commands/command-docs: "nested arguments".'
 *   fields behind the nested arguments are taken: 'commands/command-docs: a map has no order.'
 *   fields that are not known are skipped: 'commands/command-docs: since, summary, deprecated_since, key_spec_index.'
 *   what is no map is skipped: 'The body of the type check: an argument is a map or an array.'
 *   replies of RESP3 are understood: 'redis-cli -3: maps, and a set of flags.'
 *   the argument outlives the reply: 'cliInitHelp frees it and keeps the entries.'
 *   what was not told stays as it was: 'Caller cliInitCommandHelpEntry: zcalloc.'
 *   hints are made of it: 'makeHint: display_text, token, flags.'
 ---*/
#include "clihelp.h"
struct commandDocs cliCommandTable[1];

static cliCommandArg arg;

static void add(const char *text) {
    memset(&arg,0,sizeof(arg));
    redisReply *r = reply(text);
    cliAddCommandDocArg(&arg,r);
    freeReplyObject(r);
}

static int hintIs(const char *text, const char *hint) {
    add(text);
    struct commandDocs docs = {.name = "X", .numargs = 1, .args = &arg};
    sds got = makeHint(NULL,0,0,docs);
    int yes = same(got,hint);
    sdsfree(got);
    return yes;
}

int main(void) {
    add("['name''seconds''display_text''secs''type''integer''token''EX']");
    test_cond("name and token and text to display are taken", same(arg.name,"seconds") && same(arg.token,"EX") &&
              same(arg.display_text,"secs"));
    test_cond("without flags there are none", arg.flags == 0 && arg.numsubargs == 0 && arg.subargs == NULL);
    add("['token''A']");
    int alone = same(arg.token,"A") && !arg.name && !arg.display_text;
    add("['display_text''B']");
    alone = alone && same(arg.display_text,"B") && !arg.name && !arg.token;
    add("['name''C']");
    test_cond("each of them stands for itself", alone && same(arg.name,"C") && !arg.token && !arg.display_text);
    const char *types[] = {"string","integer","double","key","pattern","unix-time","pure-token","oneof","block"};
    int values[] = {ARG_TYPE_STRING,ARG_TYPE_INTEGER,ARG_TYPE_DOUBLE,ARG_TYPE_KEY,ARG_TYPE_PATTERN,ARG_TYPE_UNIX_TIME,
                    ARG_TYPE_PURE_TOKEN,ARG_TYPE_ONEOF,ARG_TYPE_BLOCK}, known = 1;
    for (int j = 0; j < 9; j++) {
        sds text = sdscatprintf(sdsempty(),"['name''x''type''%s']",types[j]);
        redisReply *r = reply(text);
        memset(&arg,0,sizeof(arg));
        arg.type = j ? ARG_TYPE_STRING : ARG_TYPE_BLOCK;
        cliAddCommandDocArg(&arg,r);
        if ((int)arg.type != values[j]) known = 0;
    }
    test_cond("each type is known", known);
    add("['type''quaternion''name''n']");
    test_cond("a type that is not known leaves the type", arg.type == 0 && same(arg.name,"n"));
    add("['name''x''flags'[(optional)]]");
    known = arg.flags == CMD_ARG_OPTIONAL;
    add("['name''x''flags'[(multiple)]]");
    known = known && arg.flags == CMD_ARG_MULTIPLE;
    add("['name''x''flags'[(multiple_token)]]");
    test_cond("each flag is known", known && arg.flags == CMD_ARG_MULTIPLE_TOKEN);
    add("['name''x''flags'[(optional)(multiple)]]");
    known = arg.flags == (CMD_ARG_OPTIONAL|CMD_ARG_MULTIPLE);
    add("['name''x''flags'[(multiple_token)(multiple)(optional)]]");
    test_cond("flags add up", known && arg.flags == (CMD_ARG_OPTIONAL|CMD_ARG_MULTIPLE|CMD_ARG_MULTIPLE_TOKEN));
    add("['flags'[(strange)(optional)(other)]'name''x']");
    known = arg.flags == CMD_ARG_OPTIONAL && same(arg.name,"x");
    add("['flags'[(strange)]'name''y']");
    test_cond("flags that are not known are skipped", known && arg.flags == 0 && same(arg.name,"y"));
    add("['name''cond''type''oneof''arguments'[['name''nx''type''pure-token''token''NX']['name''xx''type''pure-token''token''XX']]"
        "'token''T']");
    test_cond("nested arguments are taken", arg.numsubargs == 2 && arg.subargs && same(arg.subargs[0].name,"nx") &&
              same(arg.subargs[0].token,"NX") && same(arg.subargs[1].token,"XX") && arg.subargs[1].type == ARG_TYPE_PURE_TOKEN);
    test_cond("fields behind the nested arguments are taken", same(arg.token,"T") && same(arg.name,"cond"));
    add("['name''a''arguments'[['name''b''arguments'[['name''c''arguments'[['name''d''type''double']]]]]['name''e']]]");
    test_cond("arguments are nested deeply", arg.numsubargs == 2 && arg.subargs[0].numsubargs == 1 &&
              same(arg.subargs[0].subargs[0].subargs[0].name,"d") && same(arg.subargs[1].name,"e") &&
              arg.subargs[1].numsubargs == 0 && arg.subargs[0].subargs[0].subargs[0].type == ARG_TYPE_DOUBLE);
    add("['summary''s''since''1.0''key_spec_index'=0'deprecated_since''2''name''x''type''key']");
    test_cond("fields that are not known are skipped", same(arg.name,"x") && arg.type == ARG_TYPE_KEY);
    add("'name'");
    test_cond("what is no map is skipped", !arg.name && !arg.type && !arg.subargs);
    add("{'name''x''type''block''flags'<(optional)(multiple)>'arguments'[{'name''y''type''key'}]}");
    test_cond("replies of RESP3 are understood", same(arg.name,"x") && arg.type == ARG_TYPE_BLOCK &&
              arg.flags == (CMD_ARG_OPTIONAL|CMD_ARG_MULTIPLE) && arg.numsubargs == 1 && same(arg.subargs[0].name,"y"));
    memset(&arg,0,sizeof(arg));
    redisReply *r = reply("['name''first''token''TOK''display_text''text']");
    cliAddCommandDocArg(&arg,r);
    for (size_t j = 0; j < 6; j++) memset(r->element[j]->str,'#',r->element[j]->len);
    test_cond("the argument outlives the reply", same(arg.name,"first") && same(arg.token,"TOK") &&
              same(arg.display_text,"text"));
    r = reply("['name''second']");
    arg.type = ARG_TYPE_PATTERN;
    arg.flags = CMD_ARG_MULTIPLE;
    cliAddCommandDocArg(&arg,r);
    test_cond("what was not told stays as it was", arg.type == ARG_TYPE_PATTERN && arg.flags == CMD_ARG_MULTIPLE &&
              same(arg.token,"TOK") && same(arg.name,"second"));
    int hints = hintIs("['name''seconds''display_text''secs''type''integer''token''EX''flags'[(optional)]]","[EX secs]") &&
                hintIs("['name''key''display_text''key''type''key''flags'[(multiple)]]","key [key ...]") &&
                hintIs("['name''c''type''oneof''flags'[(optional)]'arguments'[['name''nx''type''pure-token''token''NX']"
                       "['name''xx''type''pure-token''token''XX']]]","[NX|XX]");
    test_cond("hints are made of it", hints);
    test_report();
    return 0;
}
