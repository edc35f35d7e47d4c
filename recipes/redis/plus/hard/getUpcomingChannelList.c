/*---
 * tasks: [getUpcomingChannelList-3e5a10, getUpcomingChannelList-3e5a10.2, getUpcomingChannelList-3e5a10.4, getUpcomingChannelList-3e5a10.8, getUpcomingChannelList-3e5a10.16]
 * tests:
 *   NULL when the new user may access all channels: 'Comment: "If new can access all channels original could then return NULL".'
 *   NULL when only a later selector has all channels: 'Comment: "we check if any selector has all channel permissions".'
 *   NULL when both have all channels: 'Comment: "If new can access all channels original could then return NULL".'
 *   NULL when the original had no channels: 'Comment: the new one can access all of these.'
 *   NULL when both have no channels: 'Comment: the new one can access all of these.'
 *   a list when a channel was lost: 'Comment: "Otherwise return a list of channels that the new user can access".'
 *   it holds all channels of the new user: 'Comment: "return a list of channels that the new user can access".'
 *   it holds the channels of all selectors: 'Comment: "created an upcoming list of all channels that are in the new user".'
 *   a list when the second channel was lost: 'Comment: "checking each of the existing channels against it".'
 *   a list when a channel of a later selector was lost: 'Comment: "checking each of the existing channels against it".'
 *   a list when the original had all channels: 'Comment: "If any of the original selectors has the all-channels permission, but the new ones don''t".'
 *   a list when a later selector of the original had all channels: 'Comment: "If any of the original selectors".'
 *   an empty list when no channels are left: 'Comment: "a list of channels that the new user can access"; callers take NULL for a superset.'
 *   the two users are not mixed up: 'Signature: new comes first.'
 *   channels of the same name are no loss: 'Comment: NULL, or a list that callers find them in.'
 *   the users are left as they are: 'Caller ACLKillPubsubClientsIfNeeded goes on with them.'
 *   the names in the list outlive it: 'Caller ACLKillPubsubClientsIfNeeded releases the list, and the new user keeps its channels.'
 *   nothing is kept: 'Caller ACLKillPubsubClientsIfNeeded releases the list alone.'
 ---*/
#include "start.h"
#include "../testhelp.h"

list *getUpcomingChannelList(user *new, user *original);

/* A user with these rules, separated by commas. */
static user *make(const char *rules) {
    user *u = ACLCreateUnlinkedUser();
    int n = 0;
    sds *parts = sdssplitlen(rules,strlen(rules),",",1,&n);
    for (int j = 0; j < n; j++) if (sdslen(parts[j])) serverAssert(ACLSetUser(u,parts[j],sdslen(parts[j])) == C_OK);
    sdsfreesplitres(parts,n);
    return u;
}

static int holds(list *l, const char *name) {
    listIter li;
    listNode *ln;
    listRewind(l,&li);
    while ((ln = listNext(&li))) if (!strcmp(listNodeValue(ln),name)) return 1;
    return 0;
}

/* The number of channels that it gives, or -1 for NULL. Counts the names that are there. */
static int found;
static int ask(const char *new, const char *original, const char *names) {
    user *n = make(new), *o = make(original);
    list *l = getUpcomingChannelList(n,o);
    int len = l ? (int)listLength(l) : -1, parts = 0;
    sds *words = sdssplitlen(names,strlen(names),",",1,&parts);
    found = 0;
    for (int j = 0; l && j < parts; j++) found += holds(l,words[j]);
    sdsfreesplitres(words,parts);
    if (l) listRelease(l);
    ACLFreeUser(n);
    ACLFreeUser(o);
    return len;
}

int main(void) {
    startRedis();
    test_cond("NULL when the new user may access all channels", ask("allchannels","resetchannels,&a,&b","") == -1);
    test_cond("NULL when only a later selector has all channels",
              ask("resetchannels,&c,(&d),(&*)","resetchannels,&a,&b","") == -1);
    test_cond("NULL when both have all channels", ask("allchannels","allchannels","") == -1);
    test_cond("NULL when the original had no channels", ask("resetchannels,&a","resetchannels","") == -1);
    test_cond("NULL when both have no channels", ask("resetchannels","resetchannels","") == -1);
    test_cond("a list when a channel was lost", ask("resetchannels,&b","resetchannels,&a","") == 1);
    test_cond("it holds all channels of the new user",
              ask("resetchannels,&b,&c:*,&d","resetchannels,&a,&b","b,c:*,d") == 3 && found == 3);
    test_cond("it holds the channels of all selectors",
              ask("resetchannels,&b,(&e &f),(+get),(&g)","resetchannels,&a","b,e,f,g") == 4 && found == 4);
    test_cond("a list when the second channel was lost", ask("resetchannels,&a","resetchannels,&a,&b","a") == 1 &&
              found == 1 && ask("resetchannels,&b","resetchannels,&a,&b","b") == 1 && found == 1);
    test_cond("a list when a channel of a later selector was lost",
              ask("resetchannels,&a","resetchannels,(&a),(&b)","a") == 1 && found == 1 &&
              ask("resetchannels","resetchannels,(+get),(&b)","") == 0);
    test_cond("a list when the original had all channels", ask("resetchannels,&a","allchannels","a") == 1 && found == 1);
    test_cond("a list when a later selector of the original had all channels",
              ask("resetchannels,&a","resetchannels,(+get),(&*)","a") == 1 && found == 1);
    test_cond("an empty list when no channels are left", ask("resetchannels","resetchannels,&a","") == 0 &&
              ask("resetchannels","allchannels","") == 0);
    test_cond("the two users are not mixed up", ask("resetchannels,&new","resetchannels,&old1,&old2","new") == 1 &&
              found == 1);
    int len = ask("resetchannels,&b,&a,&c","resetchannels,&a,&b","a,b,c");
    test_cond("channels of the same name are no loss", len == -1 || (len == 3 && found == 3));

    user *n = make("resetchannels,&a,&b,(&c)"), *o = make("resetchannels,&x,&y");
    robj *text = ACLDescribeUser(n), *before = dupStringObject(text);
    list *l = getUpcomingChannelList(n,o);
    if (l) listRelease(l);
    int same = equalStringObjects(ACLDescribeUser(n),before);
    /* The description is kept, so that it is made anew of a copy whose rules changed. */
    ACLSetUser(n,"on",-1);
    sds changed = ACLDescribeUser(n)->ptr;
    test_cond("the users are left as they are", same && strstr(changed,"&a &b") && strstr(changed,"&c"));
    l = getUpcomingChannelList(n,o);
    test_cond("the names in the list outlive it", l && listLength(l) == 3 && holds(l,"a") && holds(l,"b") &&
              holds(l,"c"));
    if (l) listRelease(l);

    ask("resetchannels,&b,(&e)","resetchannels,&a","");
    size_t used = zmalloc_used_memory();
    for (int j = 0; j < 50; j++) {
        ask("resetchannels,&b,(&e)","resetchannels,&a","");
        ask("resetchannels,&b,(&e)","resetchannels,&b","");
        ask("resetchannels,&b,(&e)","resetchannels","");
        ask("resetchannels,&b","allchannels","");
        ask("resetchannels,&b,(&*)","resetchannels,&b","");
    }
    test_cond("nothing is kept", zmalloc_used_memory() == used);
    test_report();
    return 0;
}
