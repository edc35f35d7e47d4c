/*---
 * tasks: [quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   the new node stands behind the old one: 'The name; comment: "Wrappers for node inserting around existing node".'
 *   behind the last node it is the tail: 'quicklist: tail; callers quicklistPushTail and quicklistAppendListpack.'
 *   behind an inner node the ends stay: 'quicklist: head, tail.'
 *   behind the first node the head stays: 'quicklist: head, tail.'
 *   into an empty list: 'Callers quicklistPushTail and quicklistAppendListpack: the tail is NULL then.'
 *   at each place of a list: 'Comment: "existing node".'
 *   all nodes are linked in both ways: 'quicklistNode: prev, next.'
 *   the list counts one node more: 'quicklist: "number of quicklistNodes".'
 *   the count of elements is left to the caller: 'Callers raise quicklist->count themselves.'
 *   the nodes that were there keep their order: 'Comment: "node inserting".'
 *   inner nodes are compressed, those within the ends are not: 'quicklist: "depth of end nodes not to compress".'
 *   again and again: 'Callers push again and again.'
 *   RPUSH keeps the order: 'Callers; commands/rpush.'
 *   nothing is left behind: 'quicklistRelease frees all nodes.'
 ---*/
#include "nodeinsertion.h"

int main(void) {
    size_t memory = zmalloc_used_memory();
    int place = 1, links = 1, counts = 1, elements = 1, kept = 1, deep = 1;
    quicklistNode *was[20], *node, *old;
    make(3,0);
    node = fresh(), old = nth(ql,1);
    quicklistNode *head = ql->head, *tail = ql->tail;
    _quicklistInsertNodeAfter(ql,old,node);
    test_cond("the new node stands behind the old one", old->next == node && node->prev == old && node->next == tail);
    test_cond("behind an inner node the ends stay", ql->head == head && ql->tail == tail && linked(ql));
    make(3,0);
    node = fresh(), head = ql->head, tail = ql->tail;
    _quicklistInsertNodeAfter(ql,tail,node);
    test_cond("behind the last node it is the tail", ql->tail == node && !node->next && node->prev == tail && ql->head == head);
    make(3,0);
    node = fresh(), head = ql->head, tail = ql->tail;
    _quicklistInsertNodeAfter(ql,head,node);
    test_cond("behind the first node the head stays", ql->head == head && ql->tail == tail && placeOf(ql,node) == 1);
    make(0,1);
    node = fresh();
    _quicklistInsertNodeAfter(ql,ql->tail,node);
    test_cond("into an empty list", ql->head == node && ql->tail == node && !node->prev && !node->next && ql->len == 1);
    for (int compress = 0; compress < 3; compress++)
        for (int size = 1; size < 8; size++)
            for (int at = 0; at < size; at++) {
                int n = 0;
                make(size,compress);
                for (quicklistNode *each = ql->head; each; each = each->next) was[n++] = each;
                unsigned long before = ql->count;
                node = fresh(), old = was[at];
                _quicklistInsertNodeAfter(ql,old,node);
                place &= placeOf(ql,node) == at+1;
                links &= linked(ql);
                counts &= ql->len == (unsigned long)size+1;
                elements &= ql->count == before;
                kept &= keep(ql,was,n,node);
                deep &= depthIsRight(ql);
            }
    test_cond("at each place of a list", place);
    test_cond("all nodes are linked in both ways", links);
    test_cond("the list counts one node more", counts);
    test_cond("the count of elements is left to the caller", elements);
    test_cond("the nodes that were there keep their order", kept);
    test_cond("inner nodes are compressed, those within the ends are not", deep);
    make(0,1);
    int many = 1;
    quicklistNode *last = NULL;
    for (int j = 0; j < 50; j++) {
        node = fresh();
        _quicklistInsertNodeAfter(ql,ql->tail,node);
        ql->count += 2;
        many &= sound(ql) && depthIsRight(ql) && ql->tail == node && node->prev == last;
        last = node;
    }
    test_cond("again and again", many && ql->len == 50);
    quicklistRelease(ql);
    ql = listOf(0,2,1);
    char value[300];
    for (int j = 0; j < 20; j++) quicklistPushTail(ql,value,element(j,value));
    test_cond("RPUSH keeps the order", consists(ql,range(0,19)) && depthIsRight(ql));
    quicklistRelease(ql);
    test_cond("nothing is left behind", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
