/*---
 * tasks: [getUpcomingChannelList-3e5a10.16]
 * tests:
 *   commands that subscribe have such channels: 'Comment: "Returns 1 if the command may access any channels matched by the flags argument"; commands_with_channels.'
 *   commands that publish have such channels: 'commands_with_channels: publish, spublish.'
 *   commands that unsubscribe have such channels: 'commands_with_channels: unsubscribe, sunsubscribe, punsubscribe.'
 *   commands of patterns have such channels: 'commands_with_channels: psubscribe, punsubscribe.'
 *   other flags do not match: 'Comment: "matched by the flags argument".'
 *   one of several flags is enough: 'Comment: "any channels matched by the flags"; ACLSelectorCheckCmd asks for two at once.'
 *   no flag matches nothing: 'Comment: "matched by the flags argument".'
 *   commands without channels have none: 'Comment: "may access any channels".'
 *   introspection has no channels: 'commands_with_channels: PUBSUB is not among them.'
 *   a module that declares channels may have any: 'Comment in the body: "If a module declares get channels, we are just going to assume has channels".'
 *   yes is 1 and no is 0: 'Comment: "Returns 1 if".'
 *   the command stays: 'Comment: it only tells.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int doesCommandHaveChannelsWithFlags(struct redisCommand *cmd, int flags);

#define S CMD_CHANNEL_SUBSCRIBE
#define U CMD_CHANNEL_UNSUBSCRIBE
#define P CMD_CHANNEL_PUBLISH
#define PAT CMD_CHANNEL_PATTERN

static int has(const char *name, int flags) {
    return doesCommandHaveChannelsWithFlags(lookupCommandByCString(name),flags);
}

int main(void) {
    startRedis();
    test_cond("commands that subscribe have such channels", has("subscribe",S) && has("ssubscribe",S) && has("psubscribe",S));
    test_cond("commands that publish have such channels", has("publish",P) && has("spublish",P));
    test_cond("commands that unsubscribe have such channels", has("unsubscribe",U) && has("sunsubscribe",U) && has("punsubscribe",U));
    test_cond("commands of patterns have such channels", has("psubscribe",PAT) && has("punsubscribe",PAT));
    test_cond("other flags do not match", !has("subscribe",P|U|PAT) && !has("publish",S|U|PAT) && !has("unsubscribe",S|P|PAT) &&
              !has("psubscribe",P|U) && !has("punsubscribe",S|P) && !has("ssubscribe",P|U|PAT) && !has("spublish",S|U|PAT) &&
              !has("sunsubscribe",S|P|PAT));
    test_cond("one of several flags is enough", has("subscribe",P|S) && has("publish",P|S) && has("psubscribe",P|S) &&
              !has("unsubscribe",P|S) && !has("punsubscribe",P|S) && has("punsubscribe",P|PAT));
    test_cond("no flag matches nothing", !has("subscribe",0) && !has("publish",0));
    test_cond("commands without channels have none", !has("get",S|U|P|PAT) && !has("set",S|U|P|PAT) && !has("ping",S|U|P|PAT) &&
              !has("eval",S|U|P|PAT));
    test_cond("introspection has no channels", !has("pubsub",S|U|P|PAT));
    struct redisCommand *get = lookupCommandByCString("get");
    uint64_t flags = get->flags;
    get->flags |= CMD_MODULE_GETCHANNELS;
    int module = doesCommandHaveChannelsWithFlags(get,S) == 1 && doesCommandHaveChannelsWithFlags(get,0) == 1;
    get->flags = flags;
    test_cond("a module that declares channels may have any", module && !has("get",S));
    test_cond("yes is 1 and no is 0", has("subscribe",S) == 1 && has("publish",P) == 1 && has("psubscribe",PAT) == 1 &&
              has("get",S) == 0 && has("publish",S) == 0);
    test_cond("the command stays", get->flags == flags);
    test_report();
    return 0;
}
