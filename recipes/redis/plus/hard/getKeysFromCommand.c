/*---
 * tasks: [trackingRememberKeys-8283c1.2]
 * tests:
 *   the one key of a command: 'Comment: "Return all the arguments that are keys in the command".'
 *   every key of a command of keys alone: 'Comment: "the positions of all the key arguments".'
 *   every second argument where values stand between: 'The command table: the step of MSET is 2.'
 *   none for a command without keys: 'Callers: if (!numkeys).'
 *   keys that a number announces: 'Comment: "otherwise it calls the command-specific function"; ZUNIONSTORE, EVAL.'
 *   keys behind a word: 'XREAD: the keys follow STREAMS; its command-specific function.'
 *   keys among options: 'SORT ... STORE, GEORADIUS ... STORE: command-specific functions.'
 *   the key of a subcommand: 'Comment: cmd is "the corresponding entry into the redisCommand table".'
 *   the same number in the result: 'Comment: "The length of the array is returned by reference into *numkeys": result->numkeys.'
 *   more keys than fit into the buffer: 'getKeysPrepareResult; getKeysFreeResult frees then.'
 *   nothing for arguments that make no sense: 'getKeysUsingLegacyRangeSpec: "we return no keys and expect the command implementation to report".'
 *   the memory is freed by getKeysFreeResult: 'Comment: "a heap allocated array"; getKeysFreeResult.'
 *   the arguments are as before: 'Signature: argv is read.'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *c;

/* Whether the keys of this command, its words by blanks, stand at these places, a digit each. */
static int keysOf(const char *words, const char *places) {
    int argc;
    sds *argv = sdssplitargs(words, &argc);
    setArguments(c, argc, (const char **)argv);
    getKeysResult result = GETKEYS_RESULT_INIT;
    int n = getKeysFromCommand(c->cmd, c->argv, c->argc, &result);
    int same = n == (int)strlen(places) && result.numkeys == n;
    for (int j = 0; same && j < n; j++) same = result.keys[j].pos == places[j] - '0';
    for (int j = 0; j < argc; j++) same &= c->argv[j]->refcount == 1 && !strcmp(c->argv[j]->ptr, argv[j]);
    getKeysFreeResult(&result);
    sdsfreesplitres(argv, argc);
    return same;
}

int main(void) {
    startRedis();
    c = fakeClient();
    test_cond("the one key of a command", keysOf("get a", "1") && keysOf("getrange a 1 2", "1") && keysOf("hset a f v", "1"));
    test_cond("every key of a command of keys alone",
              keysOf("mget a b c", "123") && keysOf("del a", "1") && keysOf("rename a b", "12") && keysOf("blpop a b 0", "12"));
    test_cond("every second argument where values stand between", keysOf("mset a 1 b 2 c 3", "135") && keysOf("msetnx a 1", "1"));
    test_cond("none for a command without keys", keysOf("ping", "") && keysOf("randomkey", "") && keysOf("publish a b", ""));
    test_cond("keys that a number announces",
              keysOf("zinterstore d 1 a", "21") + keysOf("zinterstore d 1 a", "31") + keysOf("zinterstore d 1 a", "13") == 1 &&
              keysOf("eval x 2 a b c", "34") && keysOf("zinter 2 a b", "23") && keysOf("lmpop 1 a left", "2") &&
              keysOf("eval x 0", ""));
    test_cond("keys behind a word", keysOf("xread count 2 streams a b 0 0", "45") && keysOf("xreadgroup group g c streams a 0", "5"));
    test_cond("keys among options",
              keysOf("sort a by w store d", "15") && keysOf("sort a", "1") && keysOf("georadius a 1 1 1 km store d", "17") &&
              keysOf("migrate h 1 a 0 10", "3"));
    test_cond("the key of a subcommand", keysOf("object encoding a", "2") && keysOf("xinfo stream a", "2") && keysOf("memory usage a", "2"));
    const char *argv[301] = {"mget"};
    for (int j = 1; j < 301; j++) argv[j] = "key";
    setArguments(c, 301, argv);
    size_t before = zmalloc_used_memory();
    int all = 1, numbers = 1;
    for (int k = 0; k < 10; k++) {
        getKeysResult result = GETKEYS_RESULT_INIT;
        int n = getKeysFromCommand(c->cmd, c->argv, c->argc, &result);
        numbers &= n == 300 && result.numkeys == 300;
        for (int j = 0; j < n; j++) all &= result.keys[j].pos == j + 1;
        getKeysFreeResult(&result);
    }
    test_cond("the same number in the result", numbers);
    test_cond("more keys than fit into the buffer", all && numbers);
    test_cond("nothing for arguments that make no sense", keysOf("eval x 9 a", "") && keysOf("zunionstore d 5 a", "") && keysOf("mset a", "1"));
    setArguments(c, 301, argv);
    test_cond("the memory is freed by getKeysFreeResult", zmalloc_used_memory() == before);
    test_cond("the arguments are as before", keysOf("get a", "1") && keysOf("mset a 1 b 2", "13"));
    test_report();
    return 0;
}
