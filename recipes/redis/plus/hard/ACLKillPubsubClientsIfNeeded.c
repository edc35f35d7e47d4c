/*---
 * tasks: [getUpcomingChannelList-3e5a10.2, getUpcomingChannelList-3e5a10.4, getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   without subscribers all clients stay: 'Comment: "Do nothing if there are no subscribers".'
 *   a subscriber who lost its channel is disconnected: 'Comment: "and kill them if so"; upstream''s test: "Subscribers are killed when revoked of channel permission".'
 *   a subscriber who lost its pattern is disconnected: 'Upstream''s test: "Subscribers are killed when revoked of pattern permission".'
 *   a subscriber who lost its shard channel is disconnected: 'ACLShouldKillPubsubClient: "Check for shard channels violation".'
 *   a subscriber who lost allchannels is disconnected: 'Upstream''s test: "Subscribers are killed when revoked of allchannels permission".'
 *   its subscriptions are gone: 'networking.c: freeClient unsubscribes.'
 *   all subscribers of the user that violate are disconnected: 'Comment: "iterate through all the clients".'
 *   a subscriber who keeps its channel stays: 'Upstream''s test: "Subscribers are pardoned if literal permissions are retained".'
 *   clients of the user without subscriptions stay: 'Comment: "the user''s existing pub/sub clients".'
 *   subscribers of other users stay: 'Comment: "Check if the user''s existing pub/sub clients violate".'
 *   clients belong to the original user and not to the new: 'Caller ACLStringSetUser: the new one is temporary.'
 *   all stay when the new user gains all channels: 'Comment: "If the new user''s pubsub permissions are a strict superset of the original, return early".'
 *   all stay when the same permissions are set again: 'Comment: "are a strict superset of the original".'
 *   a channel that is permitted by another rule is no violation: 'ACLShouldKillPubsubClient: "not in the upcoming channel list".'
 *   the users are left as they are: 'Caller ACLStringSetUser copies the new one afterwards.'
 *   nothing is kept: 'Caller ACLStringSetUser runs for each ACL SETUSER.'
 ---*/
#include "start.h"
#include "../testhelp.h"

void ACLKillPubsubClientsIfNeeded(user *new, user *original);

/* A user with these rules, separated by commas. */
static user *make(const char *rules) {
    user *u = ACLCreateUnlinkedUser();
    int n = 0;
    sds *parts = sdssplitlen(rules,strlen(rules),",",1,&n);
    for (int j = 0; j < n; j++) if (sdslen(parts[j])) serverAssert(ACLSetUser(u,parts[j],sdslen(parts[j])) == C_OK);
    sdsfreesplitres(parts,n);
    return u;
}

/* The id of a connected client of the user, who is subscribed to that. */
static uint64_t join(user *u, const char *command, const char *channel) {
    client *c = subscriberClient();
    c->flags &= ~CLIENT_SCRIPT;
    linkClient(c);
    c->user = u;
    if (command) {
        const char *words[] = {command,channel};
        setArguments(c,2,words);
        c->cmd->proc(c);
        freeClientArgv(c);
        sdsfree(replyOf(c));
    }
    return c->id;
}

static int alive(uint64_t id) {
    client *c = lookupClientByID(id);
    return c && !(c->flags & CLIENT_CLOSE_ASAP);
}

static void change(user *original, const char *rules) {
    user *new = make(rules);
    ACLKillPubsubClientsIfNeeded(new,original);
    ACLFreeUser(new);
    freeClientsInAsyncFreeQueue();
}

int main(void) {
    startRedis();
    user *u = make("resetchannels,&a,&b,&p*,&s"), *other = make("resetchannels,&a,&b"), *all = make("allchannels");
    uint64_t idle = join(u,NULL,NULL);
    change(u,"resetchannels");
    test_cond("without subscribers all clients stay", alive(idle));

    uint64_t a = join(u,"subscribe","a"), b = join(u,"subscribe","b"), p = join(u,"psubscribe","p*"),
             s = join(u,"ssubscribe","s"), a2 = join(u,"subscribe","a"), theirs = join(other,"subscribe","a"),
             free_ = join(all,"subscribe","any");
    change(u,"resetchannels,&a,&b,&p*,&s");
    test_cond("all stay when the same permissions are set again", alive(a) && alive(b) && alive(p) && alive(s) &&
              alive(a2));
    change(u,"allchannels");
    int stay = alive(a) && alive(b) && alive(p) && alive(s) && alive(a2);
    change(u,"resetchannels,(&*)");
    test_cond("all stay when the new user gains all channels", stay && alive(a) && alive(b) && alive(p) && alive(s));
    change(u,"resetchannels,&b*,&a,&p*,(&*s)");
    test_cond("a channel that is permitted by another rule is no violation", alive(a) && alive(b) && alive(p) &&
              alive(s));
    user *new = make("resetchannels,&b,&p*,&s");
    uint64_t of_new = join(new,"subscribe","a");
    ACLKillPubsubClientsIfNeeded(new,u);
    freeClientsInAsyncFreeQueue();
    test_cond("a subscriber who lost its channel is disconnected", !alive(a));
    test_cond("all subscribers of the user that violate are disconnected", !alive(a) && !alive(a2));
    test_cond("its subscriptions are gone", pubsubTotalSubscriptions() == 5 && server.pubsub_clients == 6);
    test_cond("a subscriber who keeps its channel stays", alive(b) && alive(p) && alive(s));
    test_cond("clients of the user without subscriptions stay", alive(idle));
    test_cond("subscribers of other users stay", alive(theirs) && alive(free_));
    test_cond("clients belong to the original user and not to the new", alive(of_new));
    sds rules = ACLDescribeUser(new)->ptr, old = ACLDescribeUser(u)->ptr;
    test_cond("the users are left as they are", strstr(rules,"&b &p* &s") && strstr(old,"&a &b &p* &s"));
    change(u,"resetchannels,&b,&p,&s");
    int lost = !alive(p) && alive(b) && alive(s);
    test_cond("a subscriber who lost its pattern is disconnected", lost);
    change(u,"resetchannels,&b");
    test_cond("a subscriber who lost its shard channel is disconnected", !alive(s) && alive(b) && alive(idle));
    uint64_t kept = join(all,"subscribe","k");
    change(all,"resetchannels,&k");
    test_cond("a subscriber who lost allchannels is disconnected", !alive(free_) && alive(kept));

    size_t before = 0;
    for (int j = 0; j < 40; j++) {
        if (j == 20) before = zmalloc_used_memory();
        join(u,"subscribe","a");
        change(u,"allchannels");
        change(u,"resetchannels,&a,&b");
        change(u,"resetchannels,&b");
    }
    size_t after = zmalloc_used_memory();
    test_cond("nothing is kept", after < before + 1024);
    test_report();
    return 0;
}
