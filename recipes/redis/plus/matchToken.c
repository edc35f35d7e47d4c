/*---
 * tasks: [340C2A92AAB661BC]
 * link: [cli_common.o, ../deps/linenoise/linenoise.o]
 * goals: [src/redis-cli]
 * flags: [-O0]
 * tests:
 *   the word that is the token matches: 'Docstring: "match the next word of the input against a token literal".'
 *   upper and lower case are the same:
 *     'Callers complete what users type; redis-cli.c: commands match whatever their case.'
 *   another word does not match: 'Caller matchArgOnce: "returns 0 for failure".'
 *   the beginning of the token does not match: 'Docstring: "a token literal".'
 *   a longer word than the token does not match: 'Docstring: "a token literal".'
 *   an empty word does not match: 'Docstring: "a token literal".'
 *   one word is matched: 'cli_commands.h: matched, "How many input words have been matched"; caller counts words.'
 *   the token is marked as matched: 'cli_commands.h: matched_token, "Has the token been matched?".'
 *   the value that follows is not marked as matched: 'cli_commands.h: matched_name; caller matchArgOnce does it.'
 *   the whole argument is not marked as consumed: 'cli_commands.h: matched_all; caller matchArgOnce does it.'
 *   a failure marks nothing: 'cli_commands.h: matched, matched_token.'
 *   only the next word counts: 'Docstring: "the next word of the input".'
 *   the token and not the name of the argument counts: 'Docstring: "against a token literal"; cli_commands.h: token.'
 *   a typed token is no longer hinted: 'Caller makeHint: "Remove arguments from the returned hint" that were typed.'
 *   after a typed token its value is still hinted: 'Caller makeHint; redis-cli.c: addHintForArgument.'
 *   a word that is not the token gives no hint:
 *     'Caller matchArgs, "Couldn''t match a required word - matching fails!".'
 ---*/
/* Linked with the objects of the server, which have these names too. */
#define main cli_main
#define redisCommandTable cliCommandTable
#define bytesToHuman cliBytesToHuman
#include "../redis-cli.c"
#undef main
struct commandDocs cliCommandTable[1];
#include "../testhelp.h"

static cliCommandArg arg;

static int match(char *word) {
    char *words[] = {word,"EX","10",NULL};
    memset(&arg,0,sizeof(arg));
    arg.name = "seconds";
    arg.type = ARG_TYPE_INTEGER;
    arg.token = "EX";
    return matchToken(words,&arg);
}

static int unmarked(void) {
    return !arg.matched && !arg.matched_token && !arg.matched_name && !arg.matched_all;
}

/* The hint for SET with these words behind it. */
static int hintIs(char *token, char *value, int optional, const char *text) {
    static cliCommandArg args[2];
    memset(args,0,sizeof(args));
    args[0].name = "seconds";
    args[0].type = ARG_TYPE_INTEGER;
    args[0].token = "EX";
    args[0].flags = optional ? CMD_ARG_OPTIONAL : 0;
    args[1].name = "get";
    args[1].type = ARG_TYPE_PURE_TOKEN;
    args[1].token = "GET";
    args[1].flags = CMD_ARG_OPTIONAL;
    struct commandDocs docs = {.name = "SET", .numargs = 2, .args = args};
    char *words[] = {"set",token,value};
    sds hint = makeHint(words,value ? 3 : 2,1,docs);
    int same = hint && !strcmp(hint,text);
    if (!same) printf("hint <%s>\n",hint ? hint : "NULL");
    sdsfree(hint);
    return same;
}

int main(void) {
    int got = match("EX");
    test_cond("the word that is the token matches", got != 0);
    test_cond("one word is matched", got == 1 && arg.matched == 1);
    test_cond("the token is marked as matched", arg.matched_token == 1);
    test_cond("the value that follows is not marked as matched", got && arg.matched_name == 0);
    test_cond("the whole argument is not marked as consumed", got && arg.matched_all == 0);
    test_cond("upper and lower case are the same", match("ex") == 1 && match("eX") == 1 && arg.matched_token == 1);
    got = match("PX");
    test_cond("another word does not match", got == 0 && match("10") == 0);
    test_cond("a failure marks nothing", match("PX") == 0 && unmarked() && match("e") == 0 && unmarked());
    test_cond("the beginning of the token does not match", match("E") == 0);
    test_cond("a longer word than the token does not match", match("EXAT") == 0 && match("EX ") == 0);
    test_cond("an empty word does not match", match("") == 0);
    test_cond("only the next word counts", match("key") == 0 && unmarked());
    test_cond("the token and not the name of the argument counts", match("seconds") == 0);

    got = hintIs("ex","10",0,"[GET]");
    test_cond("a typed token is no longer hinted", got);
    got = hintIs("Ex",NULL,0,"seconds [GET]");
    test_cond("after a typed token its value is still hinted", got);
    got = hintIs("px",NULL,0,"");
    test_cond("a word that is not the token gives no hint", got);
    test_report();
    return 0;
}
