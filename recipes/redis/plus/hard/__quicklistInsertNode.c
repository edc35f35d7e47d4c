/*---
 * tasks: [quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   after 1 it stands behind the old node: 'Comment: "Insert ''new_node'' after ''old_node'' if ''after'' is 1".'
 *   after 0 it stands before the old node: 'Comment: "Insert ''new_node'' before ''old_node'' if ''after'' is 0".'
 *   at each place of a list: 'Comment: ''old_node'' may be any.'
 *   all nodes are linked in both ways: 'quicklistNode: prev, next.'
 *   behind the last node it is the tail: 'quicklist: tail; comment: "if we assign it to head or tail".'
 *   before the first node it is the head: 'quicklist: head; comment: "if we assign it to head or tail".'
 *   elsewhere head and tail stay: 'quicklist: head, tail.'
 *   into an empty list, after: 'Callers quicklistPushTail and quicklistAppendListpack: the tail is NULL.'
 *   into an empty list, before: 'Caller quicklistPushHead: the head is NULL.'
 *   the list counts one node more: 'quicklist: "number of quicklistNodes".'
 *   the count of elements is left to the caller: 'Callers raise quicklist->count themselves, as quicklistPushHead.'
 *   the nodes that were there keep their order: 'Comment: "Insert".'
 *   the new node itself keeps its elements: 'Comment: "Insert".'
 *   a new end is not compressed: 'Comment: "if we assign it to head or tail, we do not need to uncompress it".'
 *   a new inner node is compressed: 'quicklist: "number of quicklistNodes to leave uncompressed at ends".'
 *   the node that is no longer within the ends is compressed: 'quicklist: "depth of end nodes not to compress".'
 *   nodes within the ends are not compressed: 'quicklist: "depth of end nodes not to compress".'
 *   at each place of a list with compressed nodes: 'quicklist: compress.'
 *   a node that is in use is compressed again: 'quicklistNode: recompress, "was this node previous compressed".'
 *   a node that must not be compressed stays so: 'quicklistNode: dont_compress, "prevent compression of entry that will be used later".'
 *   without compression nothing is compressed: 'quicklist: "0 if compression disabled".'
 *   plain nodes: 'Caller __quicklistInsertPlainNode.'
 *   many nodes: 'Callers push again and again.'
 *   nothing is left behind: 'quicklistRelease frees all nodes.'
 ---*/
#include "nodeinsertion.h"

int main(void) {
    size_t memory = zmalloc_used_memory();
    make(5,0);
    quicklistNode *node = fresh(), *old = nth(ql,2), *head = ql->head, *tail = ql->tail, *was[20];
    int n = 0;
    for (quicklistNode *each = ql->head; each; each = each->next) was[n++] = each;
    __quicklistInsertNode(ql,old,node,1);
    test_cond("after 1 it stands behind the old node", old->next == node && node->prev == old && node->next == was[3] &&
              was[3]->prev == node);
    int counts = ql->len == 6, elements = ql->count == 10, kept = keep(ql,was,5,node), links = linked(ql);
    int ends = ql->head == head && ql->tail == tail;
    make(5,0);
    node = fresh(), old = nth(ql,2), head = ql->head, tail = ql->tail, n = 0;
    for (quicklistNode *each = ql->head; each; each = each->next) was[n++] = each;
    __quicklistInsertNode(ql,old,node,0);
    test_cond("after 0 it stands before the old node", old->prev == node && node->next == old && node->prev == was[1] &&
              was[1]->next == node);
    kept &= keep(ql,was,5,node), links &= linked(ql);
    test_cond("elsewhere head and tail stay", ends && ql->head == head && ql->tail == tail);
    make(3,0);
    node = fresh(), head = ql->head;
    __quicklistInsertNode(ql,ql->tail,node,1);
    test_cond("behind the last node it is the tail", ql->tail == node && !node->next && ql->head == head && linked(ql));
    make(3,0);
    node = fresh(), tail = ql->tail;
    __quicklistInsertNode(ql,ql->head,node,0);
    test_cond("before the first node it is the head", ql->head == node && !node->prev && ql->tail == tail && linked(ql));
    for (int after = 1; after >= 0; after--) {
        make(0,after);
        node = fresh();
        __quicklistInsertNode(ql,NULL,node,after);
        test_cond(after ? "into an empty list, after" : "into an empty list, before", ql->head == node && ql->tail == node &&
                  !node->prev && !node->next && ql->len == 1 && ql->count == 0 && !quicklistNodeIsCompressed(node));
    }

    int place = 1, deep = 1, inside = 1, same = 1, used = 1, none = 1;
    for (int compress = 0; compress < 4; compress++)
        for (int size = 1; size < 9; size++)
            for (int at = 0; at < size; at++)
                for (int after = 0; after < 2; after++) {
                    make(size,compress);
                    n = 0;
                    for (quicklistNode *each = ql->head; each; each = each->next) was[n++] = each;
                    node = fresh(), old = was[at];
                    if (quicklistNodeIsCompressed(old) && size % 2) {
                        quicklistDecompressNodeForUse(old);
                    }
                    unsigned long before = ql->count;
                    __quicklistInsertNode(ql,old,node,after);
                    place &= placeOf(ql,node) == at+after;
                    kept &= keep(ql,was,n,node);
                    links &= linked(ql);
                    counts &= ql->len == (unsigned long)size+1;
                    elements &= ql->count == before;
                    deep &= depthIsRight(ql);
                    used &= !old->recompress && !node->recompress;
                    if (!compress) none &= compressed(ql) == 0;
                    if (compress && placeOf(ql,node) >= compress && placeOf(ql,node) < size+1-compress)
                        inside &= quicklistNodeIsCompressed(node);
                    ql->count += 2;
                    quicklistNode *rightly = node;
                    quicklistDecompressNode(rightly);
                    same &= !strcmp(inNode(node),"102 106 ") && node->count == 2;
                }
    test_cond("at each place of a list", place);
    test_cond("all nodes are linked in both ways", links);
    test_cond("the list counts one node more", counts);
    test_cond("the count of elements is left to the caller", elements);
    test_cond("the nodes that were there keep their order", kept);
    test_cond("the new node itself keeps its elements", same);
    test_cond("a new inner node is compressed", inside);
    test_cond("at each place of a list with compressed nodes", deep);
    test_cond("a node that is in use is compressed again", used);
    test_cond("without compression nothing is compressed", none);
    make(6,2);
    node = fresh();
    __quicklistInsertNode(ql,ql->head,node,0);
    quicklistNode *second = nth(ql,1), *third = nth(ql,2);
    int first_end = !quicklistNodeIsCompressed(node) && !quicklistNodeIsCompressed(second) && quicklistNodeIsCompressed(third);
    node = fresh();
    __quicklistInsertNode(ql,ql->tail,node,1);
    test_cond("the node that is no longer within the ends is compressed", first_end && quicklistNodeIsCompressed(nth(ql,-3)));
    test_cond("a new end is not compressed", !quicklistNodeIsCompressed(node) && !quicklistNodeIsCompressed(ql->head));
    node = fresh();
    __quicklistInsertNode(ql,ql->head,node,1);
    test_cond("nodes within the ends are not compressed", !quicklistNodeIsCompressed(node) && !quicklistNodeIsCompressed(ql->head) &&
              !quicklistNodeIsCompressed(nth(ql,-2)) && depthIsRight(ql));
    make(5,1);
    node = fresh(), old = nth(ql,2);
    quicklistDecompressNode(old);
    old->dont_compress = node->dont_compress = 1;
    __quicklistInsertNode(ql,old,node,1);
    test_cond("a node that must not be compressed stays so", !quicklistNodeIsCompressed(old) && !quicklistNodeIsCompressed(node));
    old->dont_compress = node->dont_compress = 0;

    make(2,1);
    char value[300];
    size_t sz = element(19,value);
    node = quicklistCreateNode();
    node->container = QUICKLIST_NODE_CONTAINER_PLAIN;
    node->entry = memcpy(zmalloc(sz),value,sz);
    node->sz = sz, node->count = 1;
    __quicklistInsertNode(ql,ql->head,node,1);
    ql->count++;
    test_cond("plain nodes", consists(ql,"0 1 19 2 3 ") && linked(ql) && depthIsRight(ql));
    make(0,2);
    int many = 1;
    unsigned seed = 5;
    for (int j = 0; j < 200; j++) {
        seed = seed*1103515245+12345;
        node = fresh();
        int at = ql->len ? (seed >> 8) % ql->len : 0, after = seed >> 30 & 1;
        __quicklistInsertNode(ql,nth(ql,at),node,after);
        ql->count += 2;
        many &= sound(ql) && depthIsRight(ql) && placeOf(ql,node) == (j ? at+after : 0);
    }
    test_cond("many nodes", many && ql->len == 200 && linked(ql));
    quicklistRelease(ql);
    test_cond("nothing is left behind", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
