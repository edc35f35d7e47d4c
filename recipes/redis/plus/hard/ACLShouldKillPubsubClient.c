/*---
 * tasks: [getUpcomingChannelList-3e5a10.4, getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   a client without subscriptions is spared: 'Comment: it is about "channels that were permitted in the past".'
 *   a client whose channel is still permitted is spared: 'Comment: "subscribed to channels that ... are not in the upcoming channel list".'
 *   a client whose channel is gone is killed: 'Comment: "should be killed because it is subscribed to channels".'
 *   with an empty list each subscriber is killed: 'Comment: "not in the upcoming channel list".'
 *   one lost channel among several is enough: 'Comment: "subscribed to channels that ... are not in the upcoming channel list".'
 *   a channel may be permitted by a pattern of the list: 'ACLCheckChannelAgainstList: "Regular channels perform pattern matching".'
 *   any entry of the list may permit it: 'Comment: "in the upcoming channel list".'
 *   a pattern that stands in the list is spared: 'ACLCheckChannelAgainstList: "the pattern provided in PSUBSCRIBE can only be matched as a literal".'
 *   a pattern that is only covered by one of the list is killed: 'ACLCheckChannelAgainstList: "the pattern provided in PSUBSCRIBE can only be matched as a literal".'
 *   a pattern that is gone is killed: 'Comment: "subscribed to channels"; upstream''s test: "Subscribers are killed when revoked of pattern permission".'
 *   one lost pattern among several is enough: 'Comment; dictNext over all patterns.'
 *   a pattern is spared while a channel is lost: 'Comment: any of its subscriptions.'
 *   a shard channel that is gone is killed: 'Comment: "subscribed to channels"; SSUBSCRIBE is bound by channels too.'
 *   a shard channel may be permitted by a pattern: 'ACLCheckChannelAgainstList: "Regular channels perform pattern matching".'
 *   channels of any bytes are compared as a whole: 'ACLCheckChannelAgainstList: channellen.'
 *   a client that is no subscriber any more is spared: 'unsubscribing ends CLIENT_PUBSUB; getClientType.'
 *   a kill is told by 1: 'Signature; callers test it as a truth value.'
 *   the client is not touched: 'Comment: "Check if the client should be killed"; the caller frees it.'
 *   nothing is kept: 'Caller ACLKillPubsubClientsIfNeeded asks for each client.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int ACLShouldKillPubsubClient(client *c, list *upcoming);

static client *c;

static void command(const char *name, const char *a, const char *b, const char *d) {
    const char *words[] = {name,a,b,d};
    setArguments(c,d ? 4 : b ? 3 : 2,words);
    c->cmd->proc(c);
    sdsfree(replyOf(c));
}

static void fresh(void) {
    c = subscriberClient();
}

static int kill_(const char *names) {
    list *l = listCreate();
    int n = 0;
    sds *words = sdssplitlen(names,strlen(names),",",1,&n);
    for (int j = 0; j < n; j++) if (sdslen(words[j])) listAddNodeTail(l,words[j]);
    int got = ACLShouldKillPubsubClient(c,l);
    listRelease(l);
    sdsfreesplitres(words,n);
    return got;
}

int main(void) {
    startRedis();
    fresh();
    test_cond("a client without subscriptions is spared", kill_("") == 0 && kill_("a") == 0);
    command("subscribe","a",NULL,NULL);
    test_cond("a client whose channel is still permitted is spared", kill_("a") == 0);
    int got = kill_("b");
    test_cond("a client whose channel is gone is killed", got && kill_("aa") && kill_("A"));
    test_cond("a kill is told by 1", got == 1);
    test_cond("with an empty list each subscriber is killed", kill_(""));
    test_cond("any entry of the list may permit it", kill_("x,a,y") == 0 && kill_("x,y,a") == 0);
    command("subscribe","b:1","b:2","e");
    test_cond("one lost channel among several is enough", kill_("a,b:1,b:2") && kill_("a,b:1,e") && kill_("a,b:2,e") &&
              kill_("b:1,b:2,e") && kill_("a,b:1,b:2,e") == 0);
    test_cond("a channel may be permitted by a pattern of the list", kill_("b:*,?") == 0 && kill_("*") == 0 &&
              kill_("b:?,a"));
    unsigned long channels = dictSize(c->pubsub_channels);
    test_cond("the client is not touched", channels == 4 && !(c->flags & (CLIENT_CLOSE_ASAP|CLIENT_CLOSE_AFTER_REPLY)) &&
              (c->flags & CLIENT_PUBSUB) && c->bufpos == 0 && listLength(c->reply) == 0);
    command("unsubscribe","a","b:1","b:2");
    command("unsubscribe","e",NULL,NULL);
    test_cond("a client that is no subscriber any more is spared", kill_("") == 0 && kill_("x") == 0);

    fresh();
    command("psubscribe","foo:*",NULL,NULL);
    test_cond("a pattern that stands in the list is spared", kill_("foo:*") == 0 && kill_("x,foo:*") == 0);
    test_cond("a pattern that is only covered by one of the list is killed", kill_("*") && kill_("foo*") &&
              kill_("foo:1"));
    test_cond("a pattern that is gone is killed", kill_("") && kill_("bar:*"));
    command("psubscribe","bar:*","zap",NULL);
    test_cond("one lost pattern among several is enough", kill_("foo:*,bar:*") && kill_("bar:*,zap") &&
              kill_("foo:*,zap") && kill_("foo:*,bar:*,zap") == 0);
    command("subscribe","lost",NULL,NULL);
    test_cond("a pattern is spared while a channel is lost", kill_("foo:*,bar:*,zap") &&
              kill_("foo:*,bar:*,zap,lost") == 0);

    fresh();
    command("ssubscribe","shard:1",NULL,NULL);
    command("ssubscribe","shard:2",NULL,NULL);
    test_cond("a shard channel that is gone is killed", kill_("other") && kill_("shard:1") && kill_("shard:2") &&
              kill_("") && kill_("shard:1,shard:2") == 0);
    test_cond("a shard channel may be permitted by a pattern", kill_("shard:*") == 0 && kill_("shard:?") == 0);

    fresh();
    const char *words[] = {"subscribe","x"};
    setArguments(c,2,words);
    decrRefCount(c->argv[1]);
    c->argv[1] = createStringObject("bin\0ary",7);
    c->cmd->proc(c);
    test_cond("channels of any bytes are compared as a whole", kill_("bin") && kill_("bin?") && kill_("bin*") == 0 &&
              kill_("bin????") == 0);

    command("psubscribe","p","q",NULL);
    kill_("bin*,p,q");
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) kill_("bin*,p,q"), kill_("bin*"), kill_("p,q"), kill_("");
    test_cond("nothing is kept", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
