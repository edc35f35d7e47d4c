/*---
 * tasks: [B9770C032ED2D79F]
 * tests:
 *   a list that a client waits for is signalled:
 *     'Docstring: "signal the keys as ready if they are of the right type".'
 *   a sorted set that a client waits for is signalled: 'Docstring: "BLPOP or other blocking commands".'
 *   a stream that a client waits for is signalled: 'Docstring: "BLPOP or other blocking commands".'
 *   every key that is there is signalled:
 *     'Docstring: "scans the list of keys that have one or more blocked clients".'
 *   a key that is not there is not signalled:
 *     'Docstring: "signal the keys as ready"; dbSwapDatabases: "if X exists".'
 *   a key of a type that nobody waits for is not signalled: 'Docstring: "if they are of the right type".'
 *   a key that nobody waits for is not signalled: 'Docstring: "keys that have one or more blocked clients".'
 *   the keys are signalled in the given database: 'Argument db; server.h: readyList.db.'
 *   the other database is left alone: 'Argument db; dbSwapDatabases calls it for each.'
 *   several clients that wait for one key make one signal:
 *     'blocked.c: signalKeyAsReady, "Key was already signaled?".'
 *   the clients go on waiting until they are served: 'Docstring: it signals; blocked.c: handleClientsBlockedOnKeys.'
 *   the waiting clients are then served: 'dbSwapDatabases: "may now actually be unblocked if X happens to exist".'
 *   a client that waits for another type is not served: 'Docstring: "if they are of the right type".'
 *   the database keeps its keys: 'Docstring: it signals.'
 *   without waiting clients nothing happens: 'Docstring: "keys that have one or more blocked clients".'
 *   SWAPDB serves those who wait: 'Docstring: "Helper function for dbSwapDatabases()".'
 ---*/
#include "start.h"
#include "../testhelp.h"

static client *block(int argc, const char *a, const char *b, const char *d, const char *e, const char *f,
                     const char *g) {
    const char *words[] = {a,b,d,e,f,g};
    client *c = fakeClient();
    setArguments(c,argc,words);
    c->cmd->proc(c);
    return c;
}

/* How often the key is to be served in that database. */
static int ready(int db, const char *name) {
    listIter li;
    listNode *ln;
    int found = 0;
    listRewind(server.ready_keys,&li);
    while ((ln = listNext(&li)) != NULL) {
        readyList *rl = listNodeValue(ln);
        if (rl->db == &server.db[db] && !strcmp(rl->key->ptr,name)) found++;
    }
    return found;
}

/* Adds a key as loading does, which signals nothing. */
static robj *put(int db, const char *name, robj *value) {
    dbAddRDBLoad(&server.db[db],sdsnew(name),value);
    return value;
}

static robj *newList(void) {
    robj *o = createListListpackObject(), *e = createStringObject("e",1);
    listTypePush(o,e,LIST_TAIL);
    return o;
}

static robj *newZset(void) {
    robj *o = createZsetListpackObject();
    int flags;
    double score;
    sds member = sdsnew("m");
    zsetAdd(o,1,member,ZADD_IN_NONE,&flags,&score);
    return o;
}

static int isBlocked(client *c) {
    return (c->flags & CLIENT_BLOCKED) != 0;
}

int main(void) {
    startRedis();
    put(0,"early",newList());
    scanDatabaseForReadyKeys(&server.db[0]);
    test_cond("without waiting clients nothing happens", listLength(server.ready_keys) == 0);

    client *list1 = block(3,"blpop","list","0",0,0,0), *list2 = block(3,"brpop","list","0",0,0,0);
    client *zset = block(3,"bzpopmin","zset","0",0,0,0);
    client *stream = block(6,"xread","block","0","streams","stream","0");
    client *gone = block(3,"blpop","gone","0",0,0,0), *hash = block(3,"blpop","hash","0",0,0,0);
    client *wrong = block(3,"blpop","wrong","0",0,0,0), *second = block(3,"blpop","queue","0",0,0,0);
    int waiting = isBlocked(list1) && isBlocked(zset) && isBlocked(stream) && isBlocked(wrong) && isBlocked(second);
    put(0,"list",newList());
    put(0,"queue",newList());
    put(0,"zset",newZset());
    put(0,"wrong",newZset());
    put(0,"unwanted",newList());
    put(0,"hash",createHashObject());
    put(4,"gone",newList());
    robj *s = put(0,"stream",createStreamObject());
    robj *fields[2] = {createStringObject("f",1),createStringObject("v",1)};
    streamAppendItem(s->ptr,fields,1,NULL,NULL,0);
    waiting = waiting && listLength(server.ready_keys) == 0;

    scanDatabaseForReadyKeys(&server.db[0]);
    test_cond("a list that a client waits for is signalled", waiting && ready(0,"list"));
    test_cond("a sorted set that a client waits for is signalled", waiting && ready(0,"zset"));
    test_cond("a stream that a client waits for is signalled", waiting && ready(0,"stream"));
    test_cond("every key that is there is signalled", ready(0,"list") && ready(0,"queue") && ready(0,"zset"));
    test_cond("several clients that wait for one key make one signal", ready(0,"list") == 1);
    test_cond("a key that is not there is not signalled", !ready(0,"gone") && !ready(4,"gone"));
    test_cond("a key of a type that nobody waits for is not signalled", !ready(0,"hash"));
    test_cond("a key that nobody waits for is not signalled", !ready(0,"unwanted") && !ready(0,"early"));
    int here = 1;
    listIter li;
    listNode *ln;
    listRewind(server.ready_keys,&li);
    while ((ln = listNext(&li)) != NULL) if (((readyList*)listNodeValue(ln))->db != &server.db[0]) here = 0;
    test_cond("the keys are signalled in the given database", here && listLength(server.ready_keys) >= 4);
    test_cond("the clients go on waiting until they are served", isBlocked(list1) && isBlocked(zset) &&
              isBlocked(stream) && isBlocked(second) && server.blocked_clients == 8);
    test_cond("the database keeps its keys", dbSize(&server.db[0]) == 8 && dbSize(&server.db[4]) == 1);

    handleClientsBlockedOnKeys();
    int served = !isBlocked(list1) && !isBlocked(zset) && !isBlocked(stream) && !isBlocked(second);
    test_cond("the waiting clients are then served", served && replied(list1,"*2\r\n$4\r\nlist\r\n$1\r\ne\r\n") &&
              replied(zset,"*3\r\n$4\r\nzset\r\n$1\r\nm\r\n$1\r\n1\r\n") &&
              replied(second,"*2\r\n$5\r\nqueue\r\n$1\r\ne\r\n"));
    test_cond("a client that waits for another type is not served", isBlocked(wrong) && isBlocked(hash) &&
              isBlocked(gone) && isBlocked(list2) && replied(wrong,""));

    client *far = fakeClient();
    selectDb(far,7);
    const char *words[] = {"blpop","far","0"};
    setArguments(far,3,words);
    far->cmd->proc(far);
    put(7,"far",newList());
    put(0,"list",newList());
    scanDatabaseForReadyKeys(&server.db[7]);
    test_cond("the other database is left alone", ready(7,"far") == 1 && !ready(0,"list"));
    handleClientsBlockedOnKeys();
    dbSwapDatabases(0,4);
    handleClientsBlockedOnKeys();
    test_cond("SWAPDB serves those who wait", !isBlocked(far) && !isBlocked(gone) &&
              replied(gone,"*2\r\n$4\r\ngone\r\n$1\r\ne\r\n"));
    test_report();
    return 0;
}
