/*---
 * tasks: [quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   a plain node holds the bytes themselves: 'quicklistNode: "PLAIN=1 (a single item as char array)".'
 *   a plain node knows its size: 'quicklistNode: "entry size in bytes".'
 *   a packed node holds a listpack with the value: 'quicklistNode: "PACKED=2 (listpack with multiple items)".'
 *   the container is the one that was asked for: 'Signature: container.'
 *   the node counts one element: 'quicklistNode: "count of items in listpack".'
 *   the node is in no list: 'Callers insert it with __quicklistInsertNode.'
 *   the node is not compressed and not in use: 'quicklistNode: encoding, recompress, dont_compress; "''new_node'' is *always* uncompressed".'
 *   only so many bytes as are given: 'Signature: sz.'
 *   values of any bytes: 'Signature: value, sz.'
 *   the value is copied: 'Callers (t_list.c) free it.'
 *   a number in a packed node: 'listpack.c: lpPrepend encodes numbers.'
 *   a number in a plain node is text: 'quicklistNode: "a single item as char array".'
 *   an empty value in a packed node: 'listpack.c: any string.'
 *   a large value in a plain node: 'isLargeElement; caller __quicklistInsertPlainNode.'
 *   each call gives a node of its own: 'The name: CreateNode.'
 *   its elements are found in a list: 'Callers __quicklistInsertPlainNode and quicklistReplaceEntry.'
 *   its memory is freed with the list: 'quicklistRelease frees node and entry.'
 ---*/
#include "quicknodes.h"

static quicklistNode *node;

static quicklistNode *make(int container, const char *value, size_t sz) {
    if (node) zfree(node->entry), zfree(node);
    return node = __quicklistCreateNode(container,(void*)value,sz);
}

/* The packed node has just this string. */
static int packs(const char *value, size_t sz) {
    unsigned int len = 0;
    long long n;
    make(QUICKLIST_NODE_CONTAINER_PACKED,value,sz);
    unsigned char *p = lpFirst(node->entry), *s = p ? lpGetValue(p,&len,&n) : NULL;
    return p && s && len == sz && !memcmp(s,value,sz) && lpLength(node->entry) == 1 && node->count == 1 && !lpNext(node->entry,p);
}

static int plain(const char *value, size_t sz) {
    make(QUICKLIST_NODE_CONTAINER_PLAIN,value,sz);
    return node->sz == sz && !memcmp(node->entry,value,sz) && node->count == 1;
}

int main(void) {
    int p = QUICKLIST_NODE_CONTAINER_PLAIN, k = QUICKLIST_NODE_CONTAINER_PACKED;
    size_t memory = zmalloc_used_memory();
    make(p,"some bytes",10);
    test_cond("a plain node holds the bytes themselves", !memcmp(node->entry,"some bytes",10));
    test_cond("a plain node knows its size", node->sz == 10);
    int asked = QL_NODE_IS_PLAIN(node), counts = node->count == 1, alone = !node->prev && !node->next;
    int raw = node->encoding == QUICKLIST_NODE_ENCODING_RAW && !node->recompress && !node->dont_compress;
    test_cond("a packed node holds a listpack with the value", packs("some bytes",10));
    test_cond("the container is the one that was asked for", asked && node->container == k);
    test_cond("the node counts one element", counts && node->count == 1);
    test_cond("the node is in no list", alone && !node->prev && !node->next);
    test_cond("the node is not compressed and not in use", raw && node->encoding == QUICKLIST_NODE_ENCODING_RAW &&
              !node->recompress && !node->dont_compress);
    int shorter = plain("word and more",4) && packs("word and more",4);
    test_cond("only so many bytes as are given", shorter);
    test_cond("values of any bytes", packs("a\0b\r\n\xff",6) && plain("a\0b\r\n\xff",6) && packs("\0",1) && plain("\0\0\0",3));
    char own[300];
    memset(own,'o',sizeof(own));
    make(p,own,300);
    own[0] = own[299] = 'x';
    int copied = node->entry[0] == 'o' && node->entry[299] == 'o';
    memset(own,'o',sizeof(own));
    make(k,own,300);
    own[299] = 'x';
    unsigned int len;
    long long n;
    copied &= lpGetValue(lpFirst(node->entry),&len,&n)[299] == 'o' && len == 300;
    test_cond("the value is copied", copied);
    make(k,"-1234567",8);
    test_cond("a number in a packed node", !lpGetValue(lpFirst(node->entry),&len,&n) && n == -1234567 && node->count == 1);
    test_cond("a number in a plain node is text", plain("-1234567",8));
    test_cond("an empty value in a packed node", packs("",0));
    char *big = zmalloc(3000000);
    for (int j = 0; j < 3000000; j++) big[j] = j*7 % 251;
    test_cond("a large value in a plain node", plain(big,3000000));
    zfree(big);
    make(p,"first",5);
    quicklistNode *first = node;
    node = NULL;
    make(p,"other",5);
    test_cond("each call gives a node of its own", node != first && node->entry != first->entry && !memcmp(first->entry,"first",5) &&
              !memcmp(node->entry,"other",5) && first->count == 1);
    zfree(node->entry), zfree(node);
    zfree(first->entry), zfree(first);
    node = NULL;

    quicklist *ql = nodesOf("2",0);
    char value[300];
    size_t sz = element(19,value);
    __quicklistInsertNode(ql,ql->tail,__quicklistCreateNode(p,value,sz),1);
    sz = element(42,value);
    __quicklistInsertNode(ql,ql->head,__quicklistCreateNode(k,value,sz),0);
    ql->count += 2;
    test_cond("its elements are found in a list", consists(ql,"42 0 1 19 ") && !strcmp(numbers(ql),"42 0 1 19 "));
    quicklistRelease(ql);
    test_cond("its memory is freed with the list", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
