/*---
 * tasks: [luaCreateFunction-73df11.16]
 * tests:
 *   the client is not blocked: 'server.h: bstate.btype, "Type of blocking op if CLIENT_BLOCKED"; BLOCKED_NONE.'
 *   there is no timeout: 'server.h: bstate.timeout, 0 is for ever.'
 *   there are no keys: 'server.h: bstate.keys, "The keys we are blocked on".'
 *   nothing of WAIT is left: 'server.h: bstate.numreplicas and reploffset.'
 *   it is not unblocked when the key is gone: 'server.h: bstate.unblock_on_nokey, "Whether to unblock the client when at least one of the keys is deleted".'
 *   there is no call of a module: 'server.h: bstate.async_rm_call_handle.'
 *   what it held before does not matter: 'Caller createClient calls it for fresh memory.'
 *   each client has keys of its own: 'server.h: bstate.keys of a client.'
 *   a client with this state can block and be served: 'blocked.c: blockForKeys adds to bstate.keys.'
 *   the keys are freed with the client: 'networking.c: freeClient, dictRelease.'
 *   the rest of the client stays: 'Name: the blocking state.'
 ---*/
#include "start.h"
#include "../testhelp.h"

int main(void) {
    startRedis();
    client *c = zmalloc(sizeof(client)), *d = zmalloc(sizeof(client));
    memset(c,0x55,sizeof(*c)), memset(d,0xff,sizeof(*d));
    initClientBlockingState(c);
    initClientBlockingState(d);
    test_cond("the client is not blocked", c->bstate.btype == BLOCKED_NONE);
    test_cond("there is no timeout", c->bstate.timeout == 0);
    test_cond("there are no keys", c->bstate.keys && dictSize(c->bstate.keys) == 0);
    test_cond("nothing of WAIT is left", c->bstate.numreplicas == 0 && c->bstate.reploffset == 0);
    test_cond("it is not unblocked when the key is gone", c->bstate.unblock_on_nokey == 0);
    test_cond("there is no call of a module", c->bstate.async_rm_call_handle == NULL);
    test_cond("what it held before does not matter", d->bstate.btype == BLOCKED_NONE && d->bstate.timeout == 0 &&
              d->bstate.numreplicas == 0 && d->bstate.reploffset == 0 && d->bstate.unblock_on_nokey == 0 &&
              d->bstate.async_rm_call_handle == NULL && dictSize(d->bstate.keys) == 0);
    test_cond("each client has keys of its own", c->bstate.keys != d->bstate.keys);
    int stays = 1;
    for (char *p = (char*)c; p < (char*)&c->bstate; p++) if (*p != 0x55) stays = 0;
    for (char *p = (char*)(&c->bstate+1); p < (char*)(c+1); p++) if (*p != 0x55) stays = 0;
    test_cond("the rest of the client stays", stays);
    client *e = subscriberClient();
    dictRelease(e->bstate.keys);
    initClientBlockingState(e);
    const char *words[] = {"blpop","list","other","0"};
    setArguments(e,4,words);
    e->cmd->proc(e);
    int blocked = (e->flags & CLIENT_BLOCKED) && dictSize(e->bstate.keys) == 2 && e->bstate.btype == BLOCKED_LIST;
    robj *key = createStringObject("list",4), *list = createListListpackObject(), *v = createStringObject("e",1);
    listTypePush(list,v,LIST_TAIL);
    dbAdd(&server.db[0],key,list);
    handleClientsBlockedOnKeys();
    test_cond("a client with this state can block and be served", blocked && !(e->flags & CLIENT_BLOCKED) &&
              dictSize(e->bstate.keys) == 0 && replied(e,"*2\r\n$4\r\nlist\r\n$1\r\ne\r\n"));
    size_t before = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 10) before = zmalloc_used_memory();
        initClientBlockingState(c);
        dictRelease(c->bstate.keys);
    }
    test_cond("the keys are freed with the client", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
