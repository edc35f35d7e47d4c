/*---
 * tasks: [trackingRememberKeys-8283c1, trackingRememberKeys-8283c1.2]
 * tests:
 *   a key that was read is remembered with its reader: 'Comment: "populate the tracking invalidation table according to the keys the user fetched".'
 *   each key of a command is remembered: 'Comment: "the keys the user fetched".'
 *   only keys are remembered: 'getKeysFromCommand: the positions of all the key arguments.'
 *   the keys are those of the executing client and the reader is the tracking one: 'Signature; server.c: trackingRememberKeys(server.current_client, c).'
 *   two readers of one key are both remembered: 'Comment: "what are the clients that should receive an invalidation message".'
 *   who reads a key twice is remembered once: 'TrackingTableTotalItems: "Total number of IDs stored across the whole tracking table".'
 *   the number of items is that of keys and readers: 'TrackingTableTotalItems: "Total number of IDs stored".'
 *   a command without keys changes nothing: 'Comment: "according to the keys".'
 *   with OPTIN nothing is remembered unless CACHING was given: 'server.h: CLIENT_TRACKING_OPTIN, "Tracking in opt-in mode"; CLIENT CACHING YES.'
 *   with OPTIN and CACHING the key is remembered: 'server.h: CLIENT_TRACKING_CACHING, "CACHING yes/no was given, depending on optin/optout mode".'
 *   with OPTOUT the key is remembered: 'server.h: CLIENT_TRACKING_OPTOUT.'
 *   with OPTOUT and CACHING nothing is remembered: 'server.h: CLIENT_TRACKING_CACHING; CLIENT CACHING NO.'
 *   without a mode CACHING says nothing: 'server.h: "depending on optin/optout mode".'
 *   the modes are those of the tracking client: 'Signature: tracking, executing.'
 *   shard channels are not remembered: 'server.c and commands: the keys of pub/sub commands are channels.'
 *   binary keys are remembered whole: 'Keys are any bytes.'
 *   a command with very many keys is remembered: 'getkeys.h: GETKEYS_RESULT_INIT has room for some keys alone.'
 *   nothing is left behind when nothing is new: 'getKeysFreeResult frees the result.'
 *   the command is as before: 'server.c goes on with the client.'
 ---*/
#include "start.h"
#include "../testhelp.h"

extern rax *TrackingTable;
extern uint64_t TrackingTableTotalItems;

static client *c, *d;

static int readers(const char *key, size_t len) {
    void *ids;
    return TrackingTable && raxFind(TrackingTable, (unsigned char *)key, len, &ids) ? (int)raxSize(ids) : 0;
}

static int isReader(const char *key, client *who) {
    void *ids;
    return raxFind(TrackingTable, (unsigned char *)key, strlen(key), &ids) &&
           raxFind(ids, (unsigned char *)&who->id, sizeof(who->id), NULL);
}

static uint64_t items(void) {
    return TrackingTableTotalItems;
}

static void command(client *who, int words, const char *a, const char *b, const char *e, const char *f) {
    const char *argv[] = {a, b, e, f};
    setArguments(who, words, argv);
}

static void get(const char *key, client *tracking, client *executing) {
    command(executing, 2, "get", key, NULL, NULL);
    trackingRememberKeys(tracking, executing);
}

int main(void) {
    startRedis();
    c = fakeClient(), d = fakeClient();
    c->id = 1001, d->id = 1002;
    enableTracking(c, 0, 0, NULL, 0);
    enableTracking(d, 0, 0, NULL, 0);
    get("one", c, c);
    test_cond("a key that was read is remembered with its reader", readers("one", 3) == 1 && isReader("one", c) && !isReader("one", d));
    command(c, 4, "mget", "k1", "k2", "k3");
    trackingRememberKeys(c, c);
    test_cond("each key of a command is remembered", isReader("k1", c) && isReader("k2", c) && isReader("k3", c));
    command(c, 4, "getrange", "text", "0", "5");
    trackingRememberKeys(c, c);
    test_cond("only keys are remembered",
              isReader("text", c) && !readers("0", 1) && !readers("5", 1) && !readers("getrange", 8) && !readers("mget", 4));
    get("script", d, c);
    test_cond("the keys are those of the executing client and the reader is the tracking one",
              isReader("script", d) && !isReader("script", c) && readers("script", 6) == 1);
    get("one", d, d);
    test_cond("two readers of one key are both remembered", readers("one", 3) == 2 && isReader("one", c) && isReader("one", d));
    uint64_t before = items();
    get("one", c, c), get("one", d, d);
    test_cond("who reads a key twice is remembered once", readers("one", 3) == 2 && items() == before);
    test_cond("the number of items is that of keys and readers", items() == 7 && raxSize(TrackingTable) == 6);
    command(c, 1, "ping", NULL, NULL, NULL);
    trackingRememberKeys(c, c);
    command(c, 1, "randomkey", NULL, NULL, NULL);
    trackingRememberKeys(c, c);
    test_cond("a command without keys changes nothing", items() == 7 && raxSize(TrackingTable) == 6);

    c->flags |= CLIENT_TRACKING_OPTIN;
    get("optin", c, c);
    test_cond("with OPTIN nothing is remembered unless CACHING was given", !readers("optin", 5) && items() == 7);
    c->flags |= CLIENT_TRACKING_CACHING;
    get("optin", c, c);
    test_cond("with OPTIN and CACHING the key is remembered", isReader("optin", c));
    c->flags &= ~(CLIENT_TRACKING_OPTIN | CLIENT_TRACKING_CACHING);
    c->flags |= CLIENT_TRACKING_OPTOUT;
    get("optout", c, c);
    test_cond("with OPTOUT the key is remembered", isReader("optout", c));
    c->flags |= CLIENT_TRACKING_CACHING;
    get("optout2", c, c);
    test_cond("with OPTOUT and CACHING nothing is remembered", !readers("optout2", 7));
    c->flags &= ~CLIENT_TRACKING_OPTOUT;
    get("plain", c, c);
    test_cond("without a mode CACHING says nothing", isReader("plain", c));
    c->flags &= ~CLIENT_TRACKING_CACHING;
    d->flags |= CLIENT_TRACKING_OPTIN;
    get("own", c, d);
    int own = isReader("own", c);
    get("other", d, c);
    test_cond("the modes are those of the tracking client", own && !readers("other", 5));
    d->flags &= ~CLIENT_TRACKING_OPTIN;
    before = items();
    command(c, 3, "spublish", "channel", "text", NULL);
    trackingRememberKeys(c, c);
    command(c, 2, "ssubscribe", "channel", NULL, NULL);
    trackingRememberKeys(c, c);
    test_cond("shard channels are not remembered", !readers("channel", 7) && items() == before);
    command(c, 2, "get", "x", NULL, NULL);
    decrRefCount(c->argv[1]);
    c->argv[1] = createStringObject("a\0b", 3);
    trackingRememberKeys(c, c);
    test_cond("binary keys are remembered whole", readers("a\0b", 3) == 1 && !readers("a", 1));
    enum { MANY = 2000 };
    static char names[MANY][8];
    const char *argv[MANY + 1] = {"mget"};
    for (int j = 0; j < MANY; j++) snprintf(names[j], sizeof(names[j]), "m%d", j), argv[j + 1] = names[j];
    setArguments(c, MANY + 1, argv);
    before = items();
    trackingRememberKeys(c, c);
    int all = items() == before + MANY;
    for (int j = 0; j < MANY; j++) all &= isReader(names[j], c);
    test_cond("a command with very many keys is remembered", all);
    size_t memory = zmalloc_used_memory();
    for (int j = 0; j < 20; j++) trackingRememberKeys(c, c);
    test_cond("nothing is left behind when nothing is new", zmalloc_used_memory() == memory && items() == before + MANY);
    all = c->argc == MANY + 1 && !strcmp(c->argv[0]->ptr, "mget");
    for (int j = 0; j < MANY; j++) all &= c->argv[j + 1]->refcount == 1 && !strcmp(c->argv[j + 1]->ptr, names[j]);
    test_cond("the command is as before", all);
    test_report();
    return 0;
}
