/*---
 * tasks: [53226269E2E8F8F7]
 * tests:
 *   no command has no push: 'networking.c: _addReplyToBufferOrList asks for the executing client''s command, which may be NULL.'
 *   subscribe replies with a push: 'Docstring: "The subscribe / unsubscribe command family has a push as a reply".'
 *   unsubscribe replies with a push: 'Docstring: "The subscribe / unsubscribe command family".'
 *   psubscribe replies with a push: 'Docstring; upstream''s Pub/Sub page counts the pattern commands to the family.'
 *   punsubscribe replies with a push: 'Docstring; upstream''s Pub/Sub page counts the pattern commands to the family.'
 *   ssubscribe replies with a push: 'Docstring; upstream''s Pub/Sub page counts the shard commands to the family.'
 *   sunsubscribe replies with a push: 'Docstring; upstream''s Pub/Sub page counts the shard commands to the family.'
 *   publish and spublish have a reply: 'Docstring: only "the subscribe / unsubscribe command family"; PUBLISH answers with an integer.'
 *   pubsub and its subcommands have a reply: 'Docstring: only "the subscribe / unsubscribe command family".'
 *   all other commands have a reply: 'Docstring: only "the subscribe / unsubscribe command family".'
 ---*/
#include "../server.h"
#include "../testhelp.h"

void initServerConfig(void);
int cmdHasPushAsReply(struct redisCommand *cmd);

static int push(const char *name) {
    return cmdHasPushAsReply(lookupCommandByCString(name)) != 0;
}

/* How many of all commands and their subcommands reply with a push. */
static int pushes(dict *commands) {
    int n = 0;
    dictEntry *de;
    dictIterator *di = dictGetIterator(commands);
    while ((de = dictNext(di)) != NULL) {
        struct redisCommand *cmd = dictGetVal(de);
        n += cmdHasPushAsReply(cmd) != 0;
        if (cmd->subcommands_dict) n += pushes(cmd->subcommands_dict);
    }
    dictReleaseIterator(di);
    return n;
}

int main(void) {
    initServerConfig();
    test_cond("no command has no push", cmdHasPushAsReply(NULL) == 0);
    test_cond("subscribe replies with a push", push("subscribe"));
    test_cond("unsubscribe replies with a push", push("unsubscribe"));
    test_cond("psubscribe replies with a push", push("psubscribe"));
    test_cond("punsubscribe replies with a push", push("punsubscribe"));
    test_cond("ssubscribe replies with a push", push("ssubscribe"));
    test_cond("sunsubscribe replies with a push", push("sunsubscribe"));
    test_cond("publish and spublish have a reply", !push("publish") && !push("spublish"));
    test_cond("pubsub and its subcommands have a reply",
              !push("pubsub") && !push("pubsub|channels") && !push("pubsub|numpat") && !push("pubsub|shardnumsub"));
    test_cond("all other commands have a reply", pushes(server.commands) == 6);
    test_report();
    return 0;
}
