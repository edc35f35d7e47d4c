/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * tests:
 *   the channel of PUBLISH is found: 'Comment: "Return all the arguments that are channels"; commands_with_channels.'
 *   the message of PUBLISH is no channel: 'commands_with_channels: count is 1.'
 *   all channels of SUBSCRIBE are found: 'commands_with_channels: count is -1, "all remaining arguments are channels".'
 *   the positions are those of the arguments: 'Comment: "returns the positions of all the channel arguments inside the array".'
 *   the flags of each command are told: 'Comment: "also returns the flags that are associated with how Redis will access the channel".'
 *   the number of channels is returned and stands in the result: 'server.h: getKeysResult.numkeys; "similar to getKeysFromCommandWithSpecs".'
 *   a command without arguments has no channels: 'commands_with_channels: UNSUBSCRIBE may have none.'
 *   a PUBLISH that is cut off has no channel: 'ACL checks come before the arity is known to be right for scripts and modules.'
 *   many channels are found: 'getKeysPrepareResult: "or by allocating a new array on the heap".'
 *   what the result held before does not matter: 'Callers begin with GETKEYS_RESULT_INIT; the number is set.'
 *   the arguments stay: 'Comment: it returns positions.'
 *   nothing is kept: 'getKeysFreeResult frees the result.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int getChannelsFromCommand(struct redisCommand *cmd, robj **argv, int argc, getKeysResult *result);

static client *c;
static getKeysResult r;

static int find(int argc, const char *a, const char *b, const char *d, const char *e) {
    const char *words[] = {a,b,d,e};
    setArguments(c,argc,words);
    getKeysFreeResult(&r);
    r = (getKeysResult)GETKEYS_RESULT_INIT;
    return getChannelsFromCommand(c->cmd,c->argv,argc,&r);
}

static int positions(int n) {
    if (r.numkeys != n) return 0;
    for (int j = 0; j < n; j++) if (r.keys[j].pos != j+1) return 0;
    return 1;
}

static int flags(int f) {
    for (int j = 0; j < r.numkeys; j++) if (r.keys[j].flags != f) return 0;
    return r.numkeys > 0;
}

int main(void) {
    startRedis();
    c = fakeClient();
    int n = find(3,"publish","news","hello",NULL);
    test_cond("the channel of PUBLISH is found", n == 1 && r.keys[0].pos == 1);
    test_cond("the message of PUBLISH is no channel", r.numkeys == 1 && find(3,"spublish","news","hello",NULL) == 1 && positions(1));
    n = find(4,"subscribe","a","b","d");
    test_cond("all channels of SUBSCRIBE are found", n == 3);
    test_cond("the positions are those of the arguments", positions(3));
    int same = r.numkeys == 3;
    same &= find(2,"subscribe","a",NULL,NULL) == 1 && r.numkeys == 1 && find(3,"psubscribe","a*","b*",NULL) == 2 && r.numkeys == 2;
    test_cond("the number of channels is returned and stands in the result", same);
    same = find(3,"publish","a","m",NULL) && flags(CMD_CHANNEL_PUBLISH) && find(3,"spublish","a","m",NULL) && flags(CMD_CHANNEL_PUBLISH);
    same = same && find(4,"subscribe","a","b","d") && flags(CMD_CHANNEL_SUBSCRIBE) && find(3,"ssubscribe","a","b",NULL) &&
           flags(CMD_CHANNEL_SUBSCRIBE);
    same = same && find(3,"psubscribe","a","b",NULL) && flags(CMD_CHANNEL_PATTERN|CMD_CHANNEL_SUBSCRIBE);
    same = same && find(3,"unsubscribe","a","b",NULL) && flags(CMD_CHANNEL_UNSUBSCRIBE) && find(2,"sunsubscribe","a",NULL,NULL) &&
           flags(CMD_CHANNEL_UNSUBSCRIBE);
    same = same && find(4,"punsubscribe","a","b","d") == 3 && flags(CMD_CHANNEL_PATTERN|CMD_CHANNEL_UNSUBSCRIBE) && positions(3);
    test_cond("the flags of each command are told", same);
    test_cond("a command without arguments has no channels", find(1,"unsubscribe",NULL,NULL,NULL) == 0 && r.numkeys == 0 &&
              find(1,"punsubscribe",NULL,NULL,NULL) == 0 && r.numkeys == 0);
    test_cond("a PUBLISH that is cut off has no channel", find(1,"publish",NULL,NULL,NULL) == 0 && r.numkeys == 0 &&
              find(2,"publish","a",NULL,NULL) == 1 && positions(1));
    const char *many[600];
    many[0] = "subscribe";
    for (int j = 1; j < 600; j++) many[j] = "channel";
    setArguments(c,600,many);
    getKeysFreeResult(&r);
    r = (getKeysResult)GETKEYS_RESULT_INIT;
    n = getChannelsFromCommand(c->cmd,c->argv,600,&r);
    test_cond("many channels are found", n == 599 && positions(599) && flags(CMD_CHANNEL_SUBSCRIBE));
    const char *two[] = {"subscribe","a","b"};
    setArguments(c,3,two);
    n = getChannelsFromCommand(c->cmd,c->argv,3,&r);
    test_cond("what the result held before does not matter", n == 2 && positions(2));
    test_cond("the arguments stay", c->argc == 3 && !strcmp(c->argv[1]->ptr,"a") && c->argv[1]->refcount == 1);
    getKeysFreeResult(&r);
    setArguments(c,600,many);
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        r = (getKeysResult)GETKEYS_RESULT_INIT;
        getChannelsFromCommand(c->cmd,c->argv,600,&r);
        getKeysFreeResult(&r);
    }
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
