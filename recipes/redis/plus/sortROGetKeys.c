/*---
 * tasks: [8A932B490A6BCD6E]
 * tests:
 *   one key is found: 'server.h: getKeysResult; docstring: "fetch the keys"; it returns their number.'
 *   the number of keys stands in the result: 'server.h: getKeysResult.numkeys, where getKeysFromCommand looks.'
 *   the key is the first argument after the command: 'Docstring: "The second argument of SORT is always a key".'
 *   the key is read and its value is used: 'Docstring: "the flags are correctly set"; commands/sort_ro: RO, ACCESS.'
 *   further arguments give no key: 'Docstring: "<sort-key>" alone; BY and GET keys are incomplete.'
 *   what the result held before does not matter: 'Caller getKeysFromCommand; flags are set, not left over.'
 *   a result without room is given some: 'db.c: getKeysPrepareResult.'
 *   COMMAND GETKEYS sees the same key: 'Caller getKeysFromCommandWithSpecs.'
 *   the arguments are left as they are: 'Docstring: it extracts.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int main(void) {
    startRedis();
    client *c = fakeClient();
    const char *plain[] = {"sort_ro","list"}, *rich[] = {"SORT_RO","list","BY","w_*","GET","#","GET","o_*"};
    setArguments(c,2,plain);
    getKeysResult result = GETKEYS_RESULT_INIT;
    memset(result.keysbuf,0xff,sizeof(result.keysbuf));
    int n = sortROGetKeys(c->cmd,c->argv,c->argc,&result);
    test_cond("one key is found", n == 1);
    test_cond("the number of keys stands in the result", result.numkeys == 1);
    keyReference *keys = result.keys;
    test_cond("the key is the first argument after the command", keys && keys[0].pos == 1);
    test_cond("the key is read and its value is used", keys && keys[0].flags == (CMD_KEY_RO|CMD_KEY_ACCESS));
    if (keys) keys[0].pos = keys[0].flags = 12345;
    result.numkeys = 7;
    n = sortROGetKeys(c->cmd,c->argv,c->argc,&result);
    test_cond("what the result held before does not matter", n == 1 && result.numkeys == 1 && result.keys[0].pos == 1 &&
              result.keys[0].flags == (CMD_KEY_RO|CMD_KEY_ACCESS));
    getKeysFreeResult(&result);

    setArguments(c,8,rich);
    getKeysResult small = GETKEYS_RESULT_INIT;
    n = sortROGetKeys(c->cmd,c->argv,c->argc,&small);
    test_cond("further arguments give no key", n == 1 && small.numkeys == 1 && small.keys[0].pos == 1);
    getKeysFreeResult(&small);
    getKeysResult none = GETKEYS_RESULT_INIT;
    none.size = 0;
    n = sortROGetKeys(c->cmd,c->argv,c->argc,&none);
    test_cond("a result without room is given some", n == 1 && none.keys != NULL && none.size >= 1 &&
              none.keys[0].pos == 1);
    getKeysResult all = GETKEYS_RESULT_INIT;
    n = getKeysFromCommandWithSpecs(c->cmd,c->argv,c->argc,GET_KEYSPEC_DEFAULT,&all);
    test_cond("COMMAND GETKEYS sees the same key", n == 1 && all.keys[0].pos == 1 && (all.keys[0].flags & CMD_KEY_RO));
    int same = c->argc == 8;
    for (int j = 0; j < 8; j++) if (strcmp(c->argv[j]->ptr,rich[j]) || c->argv[j]->refcount != 1) same = 0;
    test_cond("the arguments are left as they are", same);
    test_report();
    return 0;
}
