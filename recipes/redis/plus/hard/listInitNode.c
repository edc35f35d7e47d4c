/*---
 * tasks: [luaCreateFunction-73df11.16]
 * tests:
 *   the node has the value: 'Comment: "Initializes the node''s value".'
 *   the node has no neighbours: 'Comment: "sets its pointers so that it is initially not a member of any list".'
 *   what it held before does not matter: 'Comment: "Initializes"; networking.c calls it for fresh memory.'
 *   the value may be NULL: 'Signature: a pointer.'
 *   the value is not touched: 'Comment: it is a pointer.'
 *   the node can be linked at the head: 'adlist.h: listLinkNodeHead; networking.c: clients_pending_write_node.'
 *   the node can be linked at the tail: 'adlist.h: listLinkNodeTail.'
 *   an unlinked node can be initialized and linked again: 'adlist.h: listUnlinkNode.'
 *   other nodes stay: 'Comment: the node alone.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

int main(void) {
    listNode nodes[3];
    memset(nodes,0x55,sizeof(nodes));
    listNode before = nodes[0];
    int value = 42;
    listInitNode(&nodes[1],&value);
    test_cond("the node has the value", nodes[1].value == &value);
    test_cond("the node has no neighbours", nodes[1].prev == NULL && nodes[1].next == NULL);
    test_cond("what it held before does not matter", !nodes[1].prev && !nodes[1].next && nodes[1].value == &value);
    test_cond("the value is not touched", value == 42);
    test_cond("other nodes stay", !memcmp(&nodes[0],&before,sizeof(before)) && !memcmp(&nodes[2],&before,sizeof(before)));
    list *l = listCreate();
    listAddNodeTail(l,"old");
    listLinkNodeHead(l,&nodes[1]);
    test_cond("the node can be linked at the head", listLength(l) == 2 && listFirst(l) == &nodes[1] &&
              nodes[1].next == listLast(l) && nodes[1].prev == NULL && listNodeValue(listFirst(l)) == &value);
    listUnlinkNode(l,&nodes[1]);
    listInitNode(&nodes[1],"again");
    int free_ = nodes[1].prev == NULL && nodes[1].next == NULL;
    listLinkNodeTail(l,&nodes[1]);
    test_cond("an unlinked node can be initialized and linked again", free_ && listLength(l) == 2 && listLast(l) == &nodes[1]);
    listInitNode(&nodes[2],NULL);
    test_cond("the value may be NULL", nodes[2].value == NULL && !nodes[2].prev && !nodes[2].next);
    listLinkNodeTail(l,&nodes[2]);
    test_cond("the node can be linked at the tail", listLength(l) == 3 && listLast(l) == &nodes[2] &&
              nodes[2].prev == &nodes[1] && nodes[2].next == NULL);
    test_report();
    return 0;
}
